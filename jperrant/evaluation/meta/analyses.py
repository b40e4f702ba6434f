"""The analyses of meta-evaluation by name: each takes the scores of metrics and returns its results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.analysis import check_samples
from jperrant.evaluation.efficiency import ROUNDS
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.human_scores import default_human, human_scores
from jperrant.evaluation.meta.judged_pairs import TIE_RULES
from jperrant.evaluation.meta.metric_scores import MetricScores, check_aggregation
from jperrant.evaluation.meta.pairwise import pair_analysis
from jperrant.evaluation.meta.reference_sets import DRAWS, reference_result
from jperrant.evaluation.meta.sentence_level import sentence_agreement
from jperrant.evaluation.meta.system_level import correlation_test, system_correlation
from jperrant.evaluation.meta.windows import window_analysis
from jperrant.evaluation.statistics.significance import SEED


@dataclass(frozen=True, slots=True)
class MetaOptions:
    """What is compared with what; an empty choice takes the default of the data set.

    Attributes:
        human: The human scores, given or recomputed (``TS_edit``, ``ew:edit``); those given if empty.
        groups: The groups of systems; the data set's first if empty.
        judgements: The sets of judgements; all if empty.
        aggregation: How scores of systems come from sentences, one of ``AGGREGATIONS``.
        ties: What ties count at sentence level, one of ``TIE_RULES``.
        samples: Bootstrap samples of intervals; 0 for no intervals.
        tested: Whether each metric is tested against the first.
        exchanges: Exchanges of a permutation test.
        width: Systems in a window.
        numbers: Numbers of references that are tried; 1 to all if empty.
        draws: Choices of so many references that are tried.
        rounds: How often a metric is timed.
        seed: Of random numbers.

    Raises:
        UsageError: An unknown aggregation or rule, or a number out of its range.
    """

    human: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()
    aggregation: str = "corpus"
    ties: str = "half"
    samples: int = 0
    tested: bool = False
    exchanges: int = 1000
    width: int = 4
    numbers: tuple[int, ...] = ()
    draws: int = DRAWS
    rounds: int = ROUNDS
    seed: int = SEED

    def __post_init__(self) -> None:
        check_aggregation(self.aggregation)
        if self.ties not in TIE_RULES:
            raise UsageError(
                f"unknown rule for ties {self.ties!r}{nearest(self.ties, TIE_RULES)}; choose "
                f"{', '.join(TIE_RULES)}"
            )
        check_samples(self.samples or None, self.seed)
        check_samples(self.exchanges, self.seed)


#: One result of an analysis: a frozen dataclass whose fields are figures and names.
Result: TypeAlias = Any
Analysis: TypeAlias = Callable[[MetaDataset, Sequence[MetricScores], MetaOptions], Sequence[Result]]


def check_choices(dataset: MetaDataset, options: MetaOptions) -> None:
    """Refuse names that a data set does not have, before metrics are computed.

    Raises:
        UsageError: Names what there is.
    """
    for group in groups_of(dataset, options):
        systems = dataset.group(group)
        for name in options.human or default_human(dataset):
            human_scores(dataset, name, systems[:1])
    for name in options.judgements:
        dataset.judgement_set(name)


def groups_of(dataset: MetaDataset, options: MetaOptions) -> tuple[str, ...]:
    """Return the groups of systems that are looked at."""
    return options.groups or tuple(dataset.groups)[:1]


def _human_scores(dataset: MetaDataset, options: MetaOptions) -> dict[tuple[str, str], FloatArray]:
    """Return the human scores of each group by group and name; recomputed ones take their time."""
    return {
        (group, name): human_scores(dataset, name, dataset.group(group))
        for group in groups_of(dataset, options)
        for name in human_of(dataset, options)
    }


def _systems(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the correlations of each metric with each human score, group by group."""
    human = _human_scores(dataset, options)
    return [
        system_correlation(
            scores,
            human[group, name],
            dataset.group(group),
            aggregation=options.aggregation,
            human_name=name,
            group=group,
            samples=options.samples,
            seed=options.seed,
        )
        for group in groups_of(dataset, options)
        for scores in metrics
        for name in human_of(dataset, options)
    ]


def _sentences(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the agreement of each metric that has scores of sentences with each set of judgements."""
    return [
        sentence_agreement(
            scores,
            dataset.judgement_set(name),
            dataset.group(group),
            ties=options.ties,
            group=group,
            samples=options.samples,
            seed=options.seed,
        )
        for group in groups_of(dataset, options)
        for scores in metrics
        if scores.has_sentences
        for name in options.judgements or tuple(dataset.judgements)
    ]


def _tests(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the tests of each metric but the first against the first."""
    if len(metrics) < 2:
        raise UsageError("a test compares two or more metrics; give several")
    human = _human_scores(dataset, options)
    return [
        correlation_test(
            scores,
            metrics[0],
            human[group, name],
            dataset.group(group),
            aggregation=options.aggregation,
            human_name=name,
            group=group,
            samples=options.exchanges,
            seed=options.seed,
        )
        for group in groups_of(dataset, options)
        for scores in metrics[1:]
        for name in human_of(dataset, options)
    ]


def _windows(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the correlations of each metric with each human score over neighbouring systems, group by group."""
    return [
        window_analysis(
            scores,
            human_scores(dataset, name, dataset.group(group)),
            dataset.group(group),
            options.width,
            aggregation=options.aggregation,
            human_name=name,
            group=group,
        )
        for group in groups_of(dataset, options)
        for name in human_of(dataset, options)
        for scores in metrics
    ]


def _pairs(of: str) -> Analysis:
    """Return the analysis of pairs of ``ranks`` or ``systems``."""

    def analysis(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
        return [
            pair_analysis(
                scores, dataset.judgement_set(name), dataset.group(group), of, ties=options.ties, group=group
            )
            for group in groups_of(dataset, options)
            for name in options.judgements or tuple(dataset.judgements)
            for scores in metrics
            if scores.has_sentences
        ]

    return analysis


def _references(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the correlations of each metric over each set of references, group by group."""
    return [
        reference_result(
            [scores],
            dataset.reference_set(scores.references),
            human_scores(dataset, name, dataset.group(group)),
            dataset.group(group),
            aggregation=options.aggregation,
            human_name=name,
            group=group,
        )
        for group in groups_of(dataset, options)
        for name in human_of(dataset, options)
        for scores in metrics
        if scores.references
    ]


#: The analyses of scores by name.
ANALYSES: dict[str, Analysis] = {
    "system": _systems,
    "sentence": _sentences,
    "test": _tests,
    "windows": _windows,
    "rank-pairs": _pairs("ranks"),
    "system-pairs": _pairs("systems"),
    "references": _references,
}


def human_of(dataset: MetaDataset, options: MetaOptions) -> tuple[str, ...]:
    """Return the human scores that are looked at.

    Raises:
        UsageError: There are none.
    """
    names = options.human or tuple(default_human(dataset))
    if not names:
        raise UsageError(f"{dataset.name} has neither human scores nor judgements; give one of them")
    return names
