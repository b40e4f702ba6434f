"""Metrics and people: how well a metric orders systems, and how often it prefers what a judge preferred.

At system level:

- Correlations of scores of systems, their intervals and tests.
- Windows: systems are sorted by their human scores, best first; the correlation of metric and people is taken over
  each run of neighbours (Kobayashi, Mita and Komachi 2024, Section 6.2, with 4 to 8 systems a window). A
  correlation over all systems also rewards a metric for telling the best from the worst; a window shows whether it
  tells neighbours apart.
- Sets of references: minimal or fluent corrections, of experts or of crowd workers, as CLEME2.0 (Ye et al. 2025,
  Table 1) and UOT-ERRANT (Goto, Sakai and Watanabe, Table 1) compare them.

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
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, Reference
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.meta.references import split_annotators
from jperrant.evaluation.statistics.correlation import (
    CORRELATIONS,
    FEWEST,
    correlation,
    correlation_interval,
    permutation_p,
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
    # Sorted before the windows are made, so that their indices point into ``names``.
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


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """How far one metric agrees with judgements of sentences.

    Attributes:
        metric: The metric.
        judgements: The set of judgements.
        group: The group of systems.
        rule: What ties count, one of ``TIE_RULES``.
        accuracy: Share of pairs with which the metric agrees, 0 to 1; NaN without pairs.
        kendall: Share of agreements minus that of disagreements, -1 to 1; NaN without pairs.
        pairs: The number of pairs judged, ties among them.
        agree: With how many of them the metric agrees; half pairs under the rule ``half`` are not in it.
        ties: In how many of them the metric does not decide.
        interval: Ends of the 95 % bootstrap interval of the accuracy; sentences are drawn. None if not asked for.
    """

    metric: str
    judgements: str
    group: str
    rule: str
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
class PairAnalysis:
    """How far one metric agrees with judges on each kind of pairs.

    Attributes:
        metric: The metric.
        judgements: The set of judgements.
        group: The group of systems.
        of: What the pairs are of: ``ranks`` or ``systems``.
        rule: What ties count, one of ``TIE_RULES``.
        pairs: The pairs of each kind.
    """

    metric: str
    judgements: str
    group: str
    of: str
    rule: str
    pairs: tuple[PairAccuracy, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """Pairs of systems, one of which was judged better, and what a metric says of them.

    Attributes:
        metric: The metric.
        judgements: The set of judgements.
        group: The group of systems.
        rule: What ties count, one of ``TIE_RULES``.
        systems: The systems that indices refer to.
        sentences: The index of the sentence that was judged, shape ``(pairs,)`` as of all that follow.
        pairs: The indices of the better and the worse system, shape ``(pairs, 2)``.
        ranks: Their ranks, shape ``(pairs, 2)``; ratings count as ranks among those that were judged together.
        gaps: By how much the metric puts the better system above the other: above 0 it agrees, below 0 it
            disagrees, at 0 it does not decide; NaN where it has no score.
        agrees: How far the metric agrees: 1, 0, or what the rule for ties says; NaN does not count.
    """

    metric: str
    judgements: str
    group: str
    rule: str
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
    return PairAnalysis(pairs.metric, pairs.judgements, pairs.group, of, pairs.rule, tuple(found))
