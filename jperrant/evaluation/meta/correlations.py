"""Metrics and people at system level: correlations, their tests, windows of neighbours, sets of references.

- Windows: systems are sorted by their human scores, best first; the correlation of metric and people is taken over
  each run of neighbours (Kobayashi, Mita and Komachi 2024, Section 6.2, with 4 to 8 systems a window). A
  correlation over all systems also rewards a metric for telling the best from the worst; a window shows whether it
  tells neighbours apart.
- Sets of references: minimal or fluent corrections, of experts or of crowd workers, as CLEME2.0 (Ye et al. 2025,
  Table 1) and UOT-ERRANT (Goto, Sakai and Watanabe, Table 1) compare them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.evaluation.meta.dataset import Reference
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.meta.references import split_annotators
from jperrant.evaluation.statistics.correlation import CORRELATIONS, FEWEST, correlation
from jperrant.evaluation.statistics.correlation_tests import correlation_interval, permutation_p, williams
from jperrant.evaluation.statistics.significance import SEED

#: The correlations that the papers print.
REPORTED = ("pearson", "spearman")


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """What a metric and people say of the same systems.

    Attributes:
        scores: The metric's scores of these systems.
        human: The human score.
        group: The group of systems.
        aggregation: How scores of systems come from sentences.
        ours, theirs: The scores of metric and people, shape ``(systems,)``; in both, higher is better.
    """

    scores: MetricScores
    human: str
    group: str
    aggregation: str
    ours: FloatArray
    theirs: FloatArray


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


@dataclass(frozen=True, slots=True)
class Window:
    """The correlation of a metric with people over neighbouring systems.

    Attributes:
        first, last: Human ranks of the best and the worst system of the window, from 1, both included.
        systems: Indices of its systems, best first.
        pearson, spearman: The correlations, in [-1, 1]; NaN where the metric or people give all the same score.
    """

    first: int
    last: int
    systems: tuple[int, ...]
    pearson: float
    spearman: float


@dataclass(frozen=True, slots=True)
class WindowAnalysis:
    """The windows of one metric over one human score.

    Attributes:
        metric: The metric.
        human: The human score that sorts the systems.
        group: The group of systems.
        systems: The systems, best first.
        windows: Each run of neighbours.
    """

    metric: str
    human: str
    group: str
    systems: tuple[str, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class ReferenceResult:
    """The agreement of one metric with people over some references.

    Attributes:
        metric: The metric.
        human: The human score.
        group: The group of systems.
        set: The name of the set of references.
        references: How many of its references a sentence has.
        draws: How many choices of so many references were tried.
        pearson, spearman: The mean correlation over the choices; NaN where it is undefined.
        pearson_deviation, spearman_deviation: Its standard deviation over the choices; 0 for one.
    """

    metric: str
    human: str
    group: str
    set: str
    references: int
    draws: int
    pearson: float
    spearman: float
    pearson_deviation: float = 0.0
    spearman_deviation: float = 0.0


def compared(
    scores: MetricScores,
    theirs: FloatArray,
    systems: Sequence[str],
    *,
    aggregation: str = "corpus",
    human: str = "",
    group: str = "",
) -> Compared:
    """Return what a metric and people say of the systems that people judged.

    Args:
        scores: The metric.
        theirs: The human score of each system; systems without one (NaN) are left out.
        systems: The systems.
        aggregation: How scores of systems come from sentences, one of ``AGGREGATIONS``.
        human, group: What the human score and the systems are called.

    Raises:
        UsageError: Fewer than three systems have a human score, or the metric has no scores that the aggregation
            needs.
    """
    chosen = scores.select(systems)
    figures = chosen.aggregate_sign(aggregation) * chosen.aggregate(aggregation)
    known = ~np.isnan(theirs)
    names = [system for system, has in zip(systems, known, strict=True) if has]
    if len(names) < FEWEST:
        raise UsageError(
            f"{plural(len(names), 'system')} with human score {human!r} in group {group!r}; a correlation needs "
            f"{FEWEST} or more"
        )
    return Compared(scores.select(names), human, group, aggregation, figures[known], theirs[known])


def system_correlation(both: Compared, samples: int = 0, seed: int = SEED) -> SystemCorrelation:
    """Return how well a metric correlates with a human score.

    Args:
        both: The metric and the human score.
        samples: Bootstrap samples; 0 for no intervals.
        seed: Of the samples.
    """
    ends = {
        kind: correlation_interval(kind, both.ours, both.theirs, samples, seed)
        for kind in (CORRELATIONS if samples else ())
    }
    values = {kind: float(correlation(kind, both.ours, both.theirs)) for kind in CORRELATIONS}
    scores = both.scores
    return SystemCorrelation(
        scores.name, both.human, both.group, both.aggregation, values, scores.systems, ends
    )


def correlation_test(
    both: Compared, baseline: Compared, samples: int = 1000, seed: int = SEED
) -> CorrelationTest:
    """Test whether a metric's Pearson correlation differs from a baseline's.

    Perm-Both is used where scores of systems are means of sentences (aggregation ``mean``); else whole systems are
    exchanged, as the score of a text in which sentences of two metrics are mixed is not defined.

    Args:
        both, baseline: The metrics and the same human score.
        samples: Exchanges.
        seed: Of these.
    """
    ours, other, theirs = both.ours, baseline.ours, both.theirs
    by_sentence = both.aggregation == "mean"
    cells = [
        one.scores.sign * one.scores.sentences if by_sentence else one.ours[:, None]
        for one in (both, baseline)
    ]
    t, p = williams(ours, other, theirs) if len(theirs) > FEWEST else (math.nan, math.nan)
    return CorrelationTest(
        both.scores.name,
        baseline.scores.name,
        both.human,
        both.group,
        float(correlation("pearson", ours, theirs) - correlation("pearson", other, theirs)),
        t,
        p,
        "perm-both" if by_sentence else "perm-systems",
        permutation_p("pearson", cells[0], cells[1], theirs, samples, seed),
    )


def window_analysis(both: Compared, width: int = 4) -> WindowAnalysis:
    """Return the windows of a metric over a human score.

    Args:
        both: The metric and the human score.
        width: Systems in a window.

    Raises:
        UsageError: As :func:`windows`.
    """
    order = np.argsort(-both.theirs, kind="stable")
    names = tuple(both.scores.systems[n] for n in order)
    # Sorted before, so that indices are those of the systems beside them.
    found = windows(both.ours[order], both.theirs[order], width)
    return WindowAnalysis(both.scores.name, both.human, both.group, names, tuple(found))


def windows(
    metric: Sequence[float] | FloatArray, human: Sequence[float] | FloatArray, width: int = 4
) -> list[Window]:
    """Return the correlation over ranks 1 to ``width``, 2 to ``width + 1``, and so on.

    >>> [round(w.spearman, 1) for w in windows([4, 3, 1, 2], [9, 8, 7, 6], 3)]
    [1.0, 0.5]

    Args:
        metric: The score of each system, higher being better.
        human: What people gave each system; equal scores keep the order of the systems.
        width: Systems in a window.

    Raises:
        UsageError: Fewer than three systems a window, or fewer systems than that.
    """
    if width < FEWEST:
        raise UsageError(f"found windows of {width} systems, expected {FEWEST} or more")
    if len(human) < width:
        raise UsageError(f"found windows of {width} systems, expected at most {len(human)}")
    ours, theirs = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    order = np.argsort(-theirs, kind="stable")
    found = []
    for first in range(len(order) - width + 1):
        inside = order[first : first + width]
        figures = [float(correlation(kind, ours[inside], theirs[inside])) for kind in REPORTED]
        found.append(Window(first + 1, first + width, tuple(inside.tolist()), *figures))
    return found


def reference_result(choices: Sequence[Compared], references: Sequence[Reference]) -> ReferenceResult:
    """Return the agreement of one metric with a human score over choices of references.

    Args:
        choices: The metric's scores over each choice, and the same human score.
        references: The references of one choice.
    """
    figures = np.array([[correlation(kind, one.ours, one.theirs) for kind in REPORTED] for one in choices])
    deviations = figures.std(axis=0, ddof=1) if len(choices) > 1 else np.zeros(len(REPORTED))
    first = choices[0]
    return ReferenceResult(
        first.scores.name.removesuffix(f" {first.scores.references}"),
        first.human,
        first.group,
        first.scores.references,
        sum(len(split_annotators(reference)) for reference in references),
        len(choices),
        *figures.mean(axis=0).tolist(),
        *deviations.tolist(),
    )
