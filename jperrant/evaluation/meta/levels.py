"""Metrics and people: how well a metric orders systems, and how often it prefers what a judge preferred.

At system level:

- Correlations of scores of systems, their intervals and tests.
- Windows: systems are sorted by their human scores, best first; the correlation of metric and people is taken over
  each run of neighbours (Kobayashi, Mita and Komachi 2024, Section 6.2, with 4 to 8 systems a window). A
  correlation over all systems also rewards a metric for telling the best from the worst; a window shows whether it
  tells neighbours apart.

At sentence level, pairs of systems that a judge told apart. Each judgement of a sentence gives a pair for every two
systems with different marks; nothing is pooled over judges, and systems that were shown as one because their texts
are equal each have their own pairs (as in SEEDA and gec-metrics: 7,708 pairs of SEEDA's 12 base systems by edits,
9,381 by sentences).

Accuracy = agreements / pairs; Kendall's τ = (agreements − disagreements) / pairs, as Kobayashi, Mita and Komachi
(2024), "Revisiting Meta-evaluation for Grammatical Error Correction", section 5.1. What a tie of the metric counts
is a rule of its own (``TIE_RULES``), and the number of ties is always given: metrics that often do not decide
profit from a lenient rule. Pairs are also looked at by kind:

- By pair of ranks: is a correction of rank 1 told from one of rank 2, and from one of rank 5? (gec-metrics)
- By pair of systems: whose corrections does a metric mistake for one another? (UOT-ERRANT, Figure 6)
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

#: The correlations that the papers print.
REPORTED = ("pearson", "spearman")
#: What becomes of a pair whose two systems have the same score.
TIE_RULES = {
    "seeda": "the system that comes first in the data set loses (wins where a lower score is better), as in the "
    "scripts of SEEDA and in gec-metrics",
    "wrong": "the metric disagrees",
    "half": "the metric agrees half",
    "skip": "the pair does not count",
}
_AT_TIE = {"wrong": 0.0, "half": 0.5, "skip": math.nan}


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
class _OfScores:
    """A result of one metric and one human score.

    Attributes:
        metric: The metric.
        human: The human score.
        group: The group of systems.
    """

    metric: str
    human: str
    group: str


@dataclass(frozen=True, slots=True)
class SystemCorrelation(_OfScores):
    """How well one metric correlates with one human score over a group of systems.

    Attributes:
        aggregation: How scores of systems come from sentences.
        values: Pearson's, Spearman's and Kendall's correlation by name; NaN where it is not defined, as for a
            metric that gives all systems one score. Above 0, what the metric finds better people find better.
        systems: The systems that were compared.
        intervals: The ends of the 95 % bootstrap interval of each; empty if not asked for.
    """

    aggregation: str
    values: dict[str, float]
    systems: tuple[str, ...]
    intervals: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class CorrelationTest(_OfScores):
    """Whether one metric correlates better with a human score than another one.

    Attributes:
        baseline: The other metric.
        difference: The metric's Pearson correlation minus the baseline's.
        williams_t, williams_p: Williams' test; NaN where it is not defined or there are too few systems.
    """

    baseline: str
    difference: float
    williams_t: float
    williams_p: float


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
class WindowAnalysis(_OfScores):
    """The windows of one metric over one human score, which sorts the systems.

    Attributes:
        systems: The systems, best first.
        windows: Each run of neighbours.
    """

    systems: tuple[str, ...]
    windows: tuple[Window, ...]


def grouped(results: Sequence[Any], *names: str) -> list[list[Any]]:
    """Return results in lists of equal attributes, in the order in which these come first."""
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
    of = (both.scores.name, both.human, both.group)
    return SystemCorrelation(*of, both.aggregation, values, both.scores.systems, ends)


def correlation_test(both: Compared, baseline: Compared) -> CorrelationTest:
    """Test whether a metric's Pearson correlation differs from a baseline's, both with the same human score."""
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
    """Return the correlation over human ranks 1 to ``width``, 2 to ``width + 1``, and so on.

    Args:
        both: The metric and the human score; systems of equal human scores keep their order.
        width: Systems in a window.

    Raises:
        UsageError: Fewer than three systems a window, or fewer systems than that.
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
    """A result of one metric and one set of judgements.

    Attributes:
        metric: The metric.
        judgements: The set of judgements.
        group: The group of systems.
        rule: What ties count, one of ``TIE_RULES``.
    """

    metric: str
    judgements: str
    group: str
    rule: str


@dataclass(frozen=True, slots=True)
class SentenceAgreement(_OfPairs):
    """How far one metric agrees with judgements of sentences.

    Attributes:
        accuracy: Share of pairs with which the metric agrees, 0 to 1; NaN without pairs.
        kendall: Share of agreements minus that of disagreements, -1 to 1; NaN without pairs.
        pairs: The number of pairs judged, ties among them.
        agree: With how many of them the metric agrees; half pairs under the rule ``half`` are not in it.
        ties: In how many of them the metric does not decide.
        interval: Ends of the 95 % bootstrap interval of the accuracy; sentences are drawn. None if not asked for.
    """

    accuracy: float
    kendall: float
    pairs: int
    agree: int
    ties: int
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class PairAccuracy:
    """How far a metric agrees with judges on the pairs of one kind.

    Attributes:
        first, second: The two ranks, the better one first; or the two systems, in the order of the data set.
        accuracy: Share of the pairs with which the metric agrees, 0 to 1; NaN where none counts.
        pairs: How many pairs there are, ties among them.
        agree: With how many of them the metric agrees; half agreements are not in it.
        ties: In how many of them it does not decide.
    """

    first: str
    second: str
    accuracy: float
    pairs: int
    agree: int
    ties: int


@dataclass(frozen=True, slots=True)
class PairAnalysis(_OfPairs):
    """How far one metric agrees with judges on each kind of pairs.

    Attributes:
        of: What the pairs are of: ``ranks`` or ``systems``.
        pairs: The pairs of each kind.
    """

    of: str
    pairs: tuple[PairAccuracy, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs(_OfPairs):
    """Pairs of systems, one of which was judged better, and what a metric says of them.

    Attributes:
        systems: The systems that indices refer to.
        sentences: The index of the sentence that was judged, shape ``(pairs,)`` as of all that follow.
        pairs: The indices of the better and the worse system, shape ``(pairs, 2)``.
        ranks: Their ranks, shape ``(pairs, 2)``; ratings count as ranks among those that were judged together.
        gaps: By how much the metric puts the better system above the other: above 0 it agrees, below 0 it
            disagrees, at 0 it does not decide; NaN where it has no score.
        agrees: How far the metric agrees: 1, 0, or what the rule for ties says; NaN does not count.
    """

    systems: tuple[str, ...]
    sentences: npt.NDArray[np.intp]
    pairs: npt.NDArray[np.intp]
    ranks: FloatArray
    gaps: FloatArray
    agrees: FloatArray

    def counts(self, inside: npt.NDArray[np.bool_] | slice = slice(None)) -> tuple[float, int, int, int]:
        """Return accuracy, pairs, agreements and ties of some of the pairs; of all by default."""
        agrees, gaps = self.agrees[inside], self.gaps[inside]
        counted = agrees[~np.isnan(agrees)]
        accuracy = float(counted.mean()) if len(counted) else math.nan
        return accuracy, int((~np.isnan(gaps)).sum()), int((agrees == 1).sum()), int((gaps == 0).sum())


def judged_pairs(
    scores: MetricScores, judged: JudgementSet, systems: Sequence[str], ties: str = "half", group: str = ""
) -> JudgedPairs:
    """Return the pairs of systems that judgements tell apart, and what a metric says of them.

    Args:
        scores: The metric.
        judged: The judgements.
        systems: The systems whose pairs count; others that were judged are left out.
        ties: What ties of the metric count, one of ``TIE_RULES``.
        group: What the systems are called together.

    Raises:
        UsageError: The metric has no scores of sentences, or none of a system.
    """
    if not scores.has_sentences:
        raise UsageError(f"metric {scores.name!r} has no scores of sentences; the sentence level needs them")
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
    # Their script asks whether the first scores higher (or lower) and takes "no" for "worse" ("better").
    seeda = ((pairs[:, 0] < pairs[:, 1]) == scores.lower_is_better).astype(np.float64)
    at_tie = seeda if ties == "seeda" else np.full(len(gaps), _AT_TIE[ties])
    agrees = np.where(gaps == 0, at_tie, np.where(np.isnan(gaps), np.nan, gaps > 0))
    return JudgedPairs(
        scores.name, judged.name, group, ties, tuple(systems), sentences, pairs, table[:, 3:], gaps, agrees
    )


def ranks_of(judgement: Judgement, ratings: bool) -> dict[str, float]:
    """Return the rank of each system; of ratings, 1 for the best, 2 for the next lower one, and so on."""
    if not ratings:
        return dict(judgement.marks)
    order = sorted(set(judgement.marks.values()), reverse=True)
    ranks = {mark: float(rank) for rank, mark in enumerate(order, start=1)}
    return {system: ranks[mark] for system, mark in judgement.marks.items()}


def sentence_agreement(pairs: JudgedPairs, samples: int = 0, seed: int = SEED) -> SentenceAgreement:
    """Return how far a metric agrees with judgements of sentences.

    Args:
        pairs: The pairs that judgements tell apart.
        samples: Bootstrap samples for the interval; 0 for none.
        seed: Of the samples.

    Raises:
        UsageError: There are no pairs.
    """
    if not len(pairs.gaps):
        raise UsageError(
            f"judgements {pairs.judgements!r}: no judge ranked two of the systems {', '.join(pairs.systems)} "
            "differently; give judgements that do"
        )
    accuracy, number, agree, ties = pairs.counts()
    kendall = 2 * accuracy - 1  # an agreement of ½ is half for and half against
    of = (pairs.metric, pairs.judgements, pairs.group, pairs.rule)
    ends = _interval(pairs, samples, seed) if samples else None
    return SentenceAgreement(*of, accuracy, kendall, number, agree, ties, ends)


def _interval(pairs: JudgedPairs, samples: int, seed: int) -> tuple[float, float]:
    """Return the ends of the bootstrap interval of the accuracy; all pairs of a sentence are drawn together."""
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
    """Return how far a metric agrees with judges on each kind of pairs, sorted by these.

    Args:
        pairs: The pairs that judgements tell apart.
        of: What makes a kind: the two ``ranks``, or the two ``systems``, whichever is better.
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
