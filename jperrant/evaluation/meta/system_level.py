"""Meta-evaluation at system level: how well a metric orders systems as people do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.statistics.correlation import CORRELATIONS, FEWEST, correlation
from jperrant.evaluation.statistics.correlation_tests import correlation_interval, permutation_p, williams
from jperrant.evaluation.statistics.significance import SEED


@dataclass(frozen=True, slots=True)
class SystemCorrelation:
    """How well one metric correlates with one human score over a group of systems.

    Attributes:
        metric: The metric.
        human: The human score.
        group: The group of systems.
        aggregation: How scores of systems come from sentences.
        values: Pearson's, Spearman's and Kendall's correlation by name; NaN where it is not defined, as for a
            metric that gives all systems one score. Above 0, what the metric finds better people find better.
        systems: The systems that were compared.
        intervals: The ends of the 95 % bootstrap interval of each; empty if not asked for.
    """

    metric: str
    human: str
    group: str
    aggregation: str
    values: dict[str, float]
    systems: tuple[str, ...]
    intervals: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class CorrelationTest:
    """Whether one metric correlates better with a human score than another one.

    Attributes:
        metric, baseline: The metrics.
        human: The human score.
        group: The group of systems.
        difference: The metric's Pearson correlation minus the baseline's.
        williams_t, williams_p: Williams' test; NaN where it is not defined or there are too few systems.
        permutation: ``perm-both``, or ``perm-systems`` where scores of sentences are not what is correlated.
        permutation_p: The p-value of that test.
    """

    metric: str
    baseline: str
    human: str
    group: str
    difference: float
    williams_t: float
    williams_p: float
    permutation: str
    permutation_p: float


def system_correlation(
    scores: MetricScores,
    human: FloatArray,
    systems: Sequence[str],
    *,
    aggregation: str = "corpus",
    human_name: str = "",
    group: str = "",
    samples: int = 0,
    seed: int = SEED,
) -> SystemCorrelation:
    """Return how well a metric correlates with a human score.

    Args:
        scores: The metric.
        human: The human score of each system; systems without one (NaN) are left out.
        systems: The systems.
        aggregation: How scores of systems come from sentences, one of ``AGGREGATIONS``.
        human_name, group: What the human score and the systems are called.
        samples: Bootstrap samples; 0 for no intervals.
        seed: Of the samples.

    Raises:
        UsageError: Fewer than three systems have both scores, or the metric has no scores that the aggregation
        needs.
    """
    names, ours, theirs = _compared(scores, human, systems, aggregation, human_name, group)
    return SystemCorrelation(
        scores.name,
        human_name,
        group,
        aggregation,
        {kind: float(correlation(kind, ours, theirs)) for kind in CORRELATIONS},
        names,
        {kind: correlation_interval(kind, ours, theirs, samples, seed) for kind in CORRELATIONS}
        if samples
        else {},
    )


def correlation_test(
    scores: MetricScores,
    baseline: MetricScores,
    human: FloatArray,
    systems: Sequence[str],
    *,
    aggregation: str = "corpus",
    human_name: str = "",
    group: str = "",
    samples: int = 1000,
    seed: int = SEED,
) -> CorrelationTest:
    """Test whether a metric's Pearson correlation differs from a baseline's.

    Perm-Both is used where scores of systems are means of sentences (aggregation ``mean``); else whole systems are
    exchanged, as the score of a text in which sentences of two metrics are mixed is not defined.

    Args:
        scores, baseline: The metrics.
        human, systems, aggregation, human_name, group, samples, seed: As in :func:`system_correlation`.

    Raises:
        UsageError: As :func:`system_correlation`.
    """
    names, ours, theirs = _compared(scores, human, systems, aggregation, human_name, group)
    _, other, _ = _compared(baseline, human, systems, aggregation, human_name, group)
    both = aggregation == "mean"
    cells = [
        each.sign * each.select(names).sentences if both else column[:, None]
        for each, column in ((scores, ours), (baseline, other))
    ]
    t, p = williams(ours, other, theirs) if len(names) > FEWEST else (float("nan"), float("nan"))
    return CorrelationTest(
        scores.name,
        baseline.name,
        human_name,
        group,
        float(correlation("pearson", ours, theirs) - correlation("pearson", other, theirs)),
        t,
        p,
        "perm-both" if both else "perm-systems",
        permutation_p("pearson", cells[0], cells[1], theirs, samples, seed),
    )


def _compared(
    scores: MetricScores,
    human: FloatArray,
    systems: Sequence[str],
    aggregation: str,
    human_name: str,
    group: str,
) -> tuple[tuple[str, ...], FloatArray, FloatArray]:
    """Return the systems that have both scores, and these, higher being better.

    Raises:
        UsageError: They are fewer than three.
    """
    ours = scores.select(systems)
    figures = ours.aggregate_sign(aggregation) * ours.aggregate(aggregation)
    known = ~np.isnan(human)
    names = tuple(system for system, has in zip(systems, known, strict=True) if has)
    if len(names) < FEWEST:
        raise UsageError(
            f"{plural(len(names), 'system')} with human score {human_name!r} in group {group!r}; a correlation "
            f"needs {FEWEST} or more"
        )
    return names, figures[known], human[known]
