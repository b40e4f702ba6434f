"""Agreement of a metric with human judgements at system level and at sentence level.

System level:

- Correlations of metric scores and human scores, with intervals and tests.
- Windows: systems are sorted by their human scores, and each window of neighbouring systems has a correlation
  (Kobayashi, Mita and Komachi 2024, section 6.2, with 4 to 8 systems in a window). A metric that separates the
  best system from the worst has a high correlation over all systems. A window shows whether it separates similar
  systems.

Sentence level: a judgement gives one pair for every two systems with different marks. Judges are not pooled.
Systems with equal texts, which were shown as one, keep pairs of their own (as in SEEDA and gec-metrics: 7,708
pairs of SEEDA's 12 base systems by edits, 9,381 by sentences). Kobayashi, Mita and Komachi (2024), "Revisiting
Meta-evaluation for Grammatical Error Correction", section 5.1, define

    accuracy = agreements / pairs        Kendall's τ = (agreements − disagreements) / pairs

``TIE_RULES`` says how ties of the metric count. The number of ties is always reported, as a lenient rule favours
metrics with many ties. Pairs are also analysed by kind:

- By ranks: does the metric tell rank 1 from rank 2, and from rank 5? (gec-metrics)
- By systems: which systems does the metric confuse? (UOT-ERRANT, Figure 6)
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.statistics.correlation import (
    CORRELATIONS,
    FEWEST,
    correlation,
    correlation_interval,
    williams,
)
from jperrant.evaluation.statistics.significance import SEED, interval

#: The correlations of windows.
REPORTED = ("pearson", "spearman")
#: The rules for a pair of systems to which the metric gives the same score.
TIE_RULES = {
    "seeda": "the system that comes first in the data set loses (wins where a lower score is better), as in the "
    "scripts of SEEDA and in gec-metrics",
    "wrong": "the metric disagrees",
    "half": "half an agreement",
    "skip": "the pair does not count",
}
_AT_TIE = {"wrong": 0.0, "half": 0.5, "skip": math.nan}


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Metric scores and human scores of the same systems.

    Attributes:
        scores: The metric's scores of these systems.
        human: The name of the human score.
        group: The name of the group of systems.
        aggregation: The way from sentence scores to system scores, one of ``metric_scores.AGGREGATIONS``.
        ours, theirs: Metric scores and human scores, shape ``(systems,)``; higher is better in both.
    """

    scores: MetricScores
    human: str
    group: str
    aggregation: str
    ours: FloatArray
    theirs: FloatArray


@dataclass(frozen=True, slots=True)
class _OfScores:
    """A result for one metric and one human score.

    Attributes:
        metric: The name of the metric.
        human: The name of the human score.
        group: The name of the group of systems.
    """

    metric: str
    human: str
    group: str


@dataclass(frozen=True, slots=True)
class SystemCorrelation(_OfScores):
    """The correlations of one metric with one human score over a group of systems.

    Attributes:
        aggregation: The way from sentence scores to system scores.
        values: ``pearson``, ``spearman`` and ``kendall``, in [-1, 1]; positive if metric and humans agree, also for
            metrics whose lower scores are better. NaN where undefined, as for equal scores of all systems.
        systems: The names of the compared systems.
        intervals: The ends of the 95 % bootstrap interval of each; empty if not asked for.
    """

    aggregation: str
    values: dict[str, float]
    systems: tuple[str, ...]
    intervals: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class CorrelationTest(_OfScores):
    """A test of whether one metric correlates better with a human score than another metric does.

    Attributes:
        baseline: The other metric.
        difference: The metric's Pearson correlation minus the baseline's.
        williams_t, williams_p: Statistic and two-sided p-value of Williams' test; NaN where it is undefined or
            there are too few systems.
    """

    baseline: str
    difference: float
    williams_t: float
    williams_p: float


@dataclass(frozen=True, slots=True)
class Window:
    """The correlation of a metric with a human score over neighbouring systems.

    Attributes:
        first, last: Human ranks of the best and the worst system of the window, from 1, both included.
        systems: Indices of the systems in ``WindowAnalysis.systems``, best first.
        pearson, spearman: The correlations, in [-1, 1]; NaN where all scores of one side are equal.
    """

    first: int
    last: int
    systems: tuple[int, ...]
    pearson: float
    spearman: float


@dataclass(frozen=True, slots=True)
class WindowAnalysis(_OfScores):
    """All windows of one metric and one human score.

    Attributes:
        systems: The names of the systems, sorted by the human score, best first.
        windows: The windows, from the best systems to the worst.
    """

    systems: tuple[str, ...]
    windows: tuple[Window, ...]


def grouped(results: Sequence[Any], *names: str) -> list[list[Any]]:
    """Return results grouped by the values of some attributes, in the order of first occurrence."""
    groups: dict[Hashable, list[Any]] = {}
    for one in results:
        groups.setdefault(tuple(getattr(one, name) for name in names), []).append(one)
    return list(groups.values())


def compared(
    scores: MetricScores,
    theirs: FloatArray,
    systems: Sequence[str],
    *,
    aggregation: str = "corpus",
    human: str = "",
    group: str = "",
) -> Compared:
    """Return metric scores and human scores of the judged systems.

    Args:
        scores: The scores of the metric.
        theirs: The human score of each system, shape ``(systems,)``; systems with NaN are left out.
        systems: The names of the systems.
        aggregation: The way from sentence scores to system scores, one of ``metric_scores.AGGREGATIONS``.
        human, group: The names of the human score and of the group of systems.

    Raises:
        UsageError: Fewer than three systems have a human score, or the aggregation needs sentence scores that the
            metric lacks.
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
    """Return the correlations of a metric with a human score.

    Args:
        both: The metric and the human score.
        samples: Number of bootstrap samples; 0 for no intervals.
        seed: Seed of the samples.
    """
    ends = {
        kind: correlation_interval(kind, both.ours, both.theirs, samples, seed)
        for kind in (CORRELATIONS if samples else ())
    }
    values = {kind: float(correlation(kind, both.ours, both.theirs)) for kind in CORRELATIONS}
    of = (both.scores.name, both.human, both.group)
    return SystemCorrelation(*of, both.aggregation, values, both.scores.systems, ends)


def correlation_test(both: Compared, baseline: Compared) -> CorrelationTest:
    """Test whether two metrics differ in their Pearson correlation with the same human score."""
    ours, other, theirs = both.ours, baseline.ours, both.theirs
    t, p = williams(ours, other, theirs) if len(theirs) > FEWEST else (math.nan, math.nan)
    return CorrelationTest(
        both.scores.name,
        both.human,
        both.group,
        baseline.scores.name,
        float(correlation("pearson", ours, theirs) - correlation("pearson", other, theirs)),
        t,
        p,
    )


def window_analysis(both: Compared, width: int = 4) -> WindowAnalysis:
    """Return the correlation over the human ranks 1 to ``width``, 2 to ``width + 1``, and so on.

    Args:
        both: The metric and the human score; systems with equal human scores keep their order.
        width: The number of systems in a window.

    Raises:
        UsageError: ``width`` is below three or above the number of systems.
    """
    systems = len(both.theirs)
    if not FEWEST <= width <= systems:
        raise UsageError(f"found windows of {width} systems, expected {FEWEST} to {systems}")
    order = np.argsort(-both.theirs, kind="stable")
    ours, theirs = both.ours[order], both.theirs[order]
    found = []
    for first in range(systems - width + 1):
        inside = slice(first, first + width)
        figures = [float(correlation(kind, ours[inside], theirs[inside])) for kind in REPORTED]
        found.append(Window(first + 1, first + width, tuple(range(first, first + width)), *figures))
    names = tuple(both.scores.systems[n] for n in order)
    return WindowAnalysis(both.scores.name, both.human, both.group, names, tuple(found))


@dataclass(frozen=True, slots=True, eq=False)
class _OfPairs:
    """A result for one metric and one set of judgements.

    Attributes:
        metric: The name of the metric.
        judgements: The name of the set of judgements.
        group: The name of the group of systems.
        rule: The rule for ties, one of ``TIE_RULES``.
    """

    metric: str
    judgements: str
    group: str
    rule: str


@dataclass(frozen=True, slots=True)
class SentenceAgreement(_OfPairs):
    """The agreement of one metric with judgements of sentences.

    Attributes:
        accuracy: The share of pairs on which metric and judge agree, 0 to 1; NaN without pairs.
        kendall: The share of agreements minus the share of disagreements, -1 to 1; NaN without pairs.
        pairs: The number of pairs, ties of the metric included.
        agree: The number of pairs on which metric and judge agree, without the half agreements of the rule
            ``half``.
        ties: The number of pairs with equal metric scores.
        interval: The ends of the 95 % bootstrap interval of the accuracy, from samples of sentences; None if not
            asked for.
    """

    accuracy: float
    kendall: float
    pairs: int
    agree: int
    ties: int
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class PairAccuracy:
    """The agreement of a metric with judges on the pairs of one kind.

    Attributes:
        first, second: The two ranks, the better one first; or the two systems, in the order of the data set.
        accuracy: The share of pairs on which metric and judge agree, 0 to 1; NaN if no pair counts.
        pairs: The number of pairs, ties of the metric included.
        agree: The number of pairs on which metric and judge agree, without half agreements.
        ties: The number of pairs with equal metric scores.
    """

    first: str
    second: str
    accuracy: float
    pairs: int
    agree: int
    ties: int


@dataclass(frozen=True, slots=True)
class PairAnalysis(_OfPairs):
    """The agreement of a metric with judges on every kind of pairs.

    Attributes:
        of: The kinds: pairs of ``ranks``, or pairs of ``systems``.
        pairs: The agreement on each kind.
    """

    of: str
    pairs: tuple[PairAccuracy, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs(_OfPairs):
    """Pairs of a better and a worse system, by a judge, with the scores that a metric gives them.

    Attributes:
        systems: The names of the systems that indices refer to.
        sentences: The index of the judged sentence, shape ``(pairs,)``.
        pairs: The indices of the better and the worse system, shape ``(pairs, 2)``.
        ranks: The ranks of both, shape ``(pairs, 2)``; ratings are turned into ranks within a judgement.
        gaps: The metric's score of the better system minus that of the worse one, shape ``(pairs,)``: positive for
            agreement, negative for disagreement, 0 for a tie, NaN without a score.
        agrees: The agreement of metric and judge, shape ``(pairs,)``: 1, 0, or for ties the value of the rule;
            pairs with NaN do not count.
    """

    systems: tuple[str, ...]
    sentences: npt.NDArray[np.intp]
    pairs: npt.NDArray[np.intp]
    ranks: FloatArray
    gaps: FloatArray
    agrees: FloatArray

    def counts(self, inside: npt.NDArray[np.bool_] | slice = slice(None)) -> tuple[float, int, int, int]:
        """Return accuracy, and the numbers of pairs, agreements and ties of selected pairs (default: all)."""
        agrees, gaps = self.agrees[inside], self.gaps[inside]
        counted = agrees[~np.isnan(agrees)]
        accuracy = float(counted.mean()) if len(counted) else math.nan
        return accuracy, int((~np.isnan(gaps)).sum()), int((agrees == 1).sum()), int((gaps == 0).sum())


def judged_pairs(
    scores: MetricScores, judged: JudgementSet, systems: Sequence[str], ties: str = "half", group: str = ""
) -> JudgedPairs:
    """Return the pairs of systems that judges mark differently, with the scores of a metric.

    Args:
        scores: The scores of the metric.
        judged: The judgements.
        systems: The names of the systems; judgements of other systems are ignored.
        ties: The rule for ties of the metric, one of ``TIE_RULES``.
        group: The name of the group of systems.

    Raises:
        UsageError: The metric has no sentence scores, or none of a system.
    """
    if not scores.has_sentences:
        raise UsageError(f"metric {scores.name!r} has no sentence scores, which the sentence level needs")
    index = {system: n for n, system in enumerate(systems)}
    rows: list[tuple[float, ...]] = []
    for judgement in judged.judgements:
        ranks = ranks_of(judgement, judged.ratings)
        known = sorted((index[system], rank) for system, rank in ranks.items() if system in index)
        for (one, first), (other, second) in combinations(known, 2):
            if first != second:
                pair = (one, other, first, second) if first < second else (other, one, second, first)
                rows.append((judgement.sentence, *pair))
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    sentences, pairs = table[:, 0].astype(np.intp), table[:, 1:3].astype(np.intp)
    points = scores.sign * scores.select(systems).sentences
    gaps = points[pairs[:, 0], sentences] - points[pairs[:, 1], sentences]
    # SEEDA's script asks whether the first system scores higher (or lower); at a tie the answer is no.
    seeda = ((pairs[:, 0] < pairs[:, 1]) == scores.lower_is_better).astype(np.float64)
    at_tie = seeda if ties == "seeda" else np.full(len(gaps), _AT_TIE[ties])
    agrees = np.where(gaps == 0, at_tie, np.where(np.isnan(gaps), np.nan, gaps > 0))
    return JudgedPairs(
        scores.name, judged.name, group, ties, tuple(systems), sentences, pairs, table[:, 3:], gaps, agrees
    )


def ranks_of(judgement: Judgement, ratings: bool) -> dict[str, float]:
    """Return the rank of each system; the highest rating has rank 1, the next lower one rank 2, and so on."""
    if not ratings:
        return dict(judgement.marks)
    order = sorted(set(judgement.marks.values()), reverse=True)
    ranks = {mark: float(rank) for rank, mark in enumerate(order, start=1)}
    return {system: ranks[mark] for system, mark in judgement.marks.items()}


def sentence_agreement(pairs: JudgedPairs, samples: int = 0, seed: int = SEED) -> SentenceAgreement:
    """Return the agreement of a metric with judgements of sentences.

    Args:
        pairs: The pairs of systems with different marks.
        samples: Number of bootstrap samples for the interval; 0 for none.
        seed: Seed of the samples.

    Raises:
        UsageError: There are no pairs.
    """
    if not len(pairs.gaps):
        raise UsageError(
            f"judgements {pairs.judgements!r}: no judge prefers one of the systems {', '.join(pairs.systems)} to "
            "another; give other judgements"
        )
    accuracy, number, agree, ties = pairs.counts()
    kendall = 2 * accuracy - 1  # half an agreement is also half a disagreement
    of = (pairs.metric, pairs.judgements, pairs.group, pairs.rule)
    ends = _interval(pairs, samples, seed) if samples else None
    return SentenceAgreement(*of, accuracy, kendall, number, agree, ties, ends)


def _interval(pairs: JudgedPairs, samples: int, seed: int) -> tuple[float, float]:
    """Return the ends of the bootstrap interval of the accuracy; a draw of a sentence brings all of its pairs."""
    _, sentence = np.unique(pairs.sentences, return_inverse=True)
    agreed = np.bincount(sentence, weights=np.nan_to_num(pairs.agrees))
    number = np.bincount(sentence, weights=~np.isnan(pairs.agrees))
    random = np.random.default_rng(seed)
    drawn = np.empty(samples)
    for sample in range(samples):
        chosen = random.integers(0, len(number), size=len(number))
        total = number[chosen].sum()
        drawn[sample] = agreed[chosen].sum() / total if total else np.nan
    return interval(drawn)


def pair_analysis(pairs: JudgedPairs, of: str = "ranks") -> PairAnalysis:
    """Return the agreement of a metric with judges on each kind of pairs, sorted by kind.

    Args:
        pairs: The pairs of systems with different marks.
        of: The kinds: pairs of ``ranks``, or unordered pairs of ``systems``.
    """
    if of == "ranks":
        keys, names = pairs.ranks, {rank: f"{rank:g}" for rank in np.unique(pairs.ranks).tolist()}
    else:
        keys, names = np.sort(pairs.pairs, axis=1), dict(enumerate(pairs.systems))
    kinds, kind_of = np.unique(keys, axis=0, return_inverse=True)
    found = [
        PairAccuracy(names[first], names[second], *pairs.counts(kind_of.ravel() == kind))
        for kind, (first, second) in enumerate(kinds.tolist())
    ]
    return PairAnalysis(pairs.metric, pairs.judgements, pairs.group, pairs.rule, of, tuple(found))
