"""Pairwise analysis: which pairs of systems, or of ranks, a metric tells apart as judges do.

- By pair of ranks: is a correction of rank 1 told from one of rank 2, and from one of rank 5? (gec-metrics)
- By pair of systems: whose corrections does a metric mistake for one another? (UOT-ERRANT, Figure 6)

The pairs, and what a tie of the metric counts, are those of the sentence level (``judged_pairs``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from jperrant.evaluation.meta.dataset import Judgement, JudgementSet
from jperrant.evaluation.meta.judged_pairs import JudgedPairs, agreements, judged_pairs, score_gaps
from jperrant.evaluation.meta.metric_scores import MetricScores


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


def pair_analysis(
    scores: MetricScores,
    judged: JudgementSet,
    systems: Sequence[str],
    of: str = "ranks",
    *,
    ties: str = "half",
    group: str = "",
) -> PairAnalysis:
    """Return how far a metric agrees with judges on each kind of pairs.

    Args:
        scores, judged, systems, ties: As in :func:`by_rank_pair`.
        of: What the pairs are of: ``ranks`` or ``systems``.
        group: What the systems are called together.

    Raises:
        UsageError: As :func:`by_rank_pair`.
    """
    by = by_rank_pair if of == "ranks" else by_system_pair
    return PairAnalysis(scores.name, judged.name, group, of, ties, tuple(by(scores, judged, systems, ties)))


def by_rank_pair(
    scores: MetricScores, judged: JudgementSet, systems: Sequence[str], ties: str = "half"
) -> list[PairAccuracy]:
    """Return how far a metric agrees on pairs of each two ranks, sorted by these.

    Args:
        scores: The metric.
        judged: The judgements; ratings count as ranks among the systems that were judged together.
        systems: The systems whose pairs count.
        ties: What a tie counts, one of ``TIE_RULES``.

    Raises:
        UsageError: The metric has no scores of sentences, or the rule is unknown.
    """
    pairs = judged_pairs(as_ranks(judged), systems)
    keys = np.stack([pairs.better_marks, pairs.worse_marks], axis=1)
    return _grouped(pairs, scores, ties, keys, lambda mark: f"{mark:g}")


def by_system_pair(
    scores: MetricScores, judged: JudgementSet, systems: Sequence[str], ties: str = "half"
) -> list[PairAccuracy]:
    """Return how far a metric agrees on pairs of each two systems, in their order.

    Args:
        scores, judged, systems, ties: As in :func:`by_rank_pair`.

    Raises:
        UsageError: As :func:`by_rank_pair`.
    """
    pairs = judged_pairs(judged, systems)
    keys = np.sort(np.stack([pairs.better, pairs.worse], axis=1), axis=1).astype(np.float64)
    return _grouped(pairs, scores, ties, keys, lambda system: pairs.systems[int(system)])


def as_ranks(judged: JudgementSet) -> JudgementSet:
    """Return judgements with ranks for marks: of ratings, 1 for the best, 2 for the next lower one, and so on."""
    if not judged.ratings:
        return judged
    return replace(judged, judgements=tuple(_ranked(one) for one in judged.judgements), ratings=False)


def _ranked(judgement: Judgement) -> Judgement:
    order = sorted(set(judgement.marks.values()), reverse=True)
    ranks = {mark: float(rank) for rank, mark in enumerate(order, start=1)}
    return replace(judgement, marks={system: ranks[mark] for system, mark in judgement.marks.items()})


def _grouped(
    pairs: JudgedPairs,
    scores: MetricScores,
    ties: str,
    keys: npt.NDArray[np.float64],
    name: Callable[[float], str],
) -> list[PairAccuracy]:
    agrees, gaps = agreements(pairs, scores, ties), score_gaps(pairs, scores)
    kinds, kind_of = np.unique(keys, axis=0, return_inverse=True)
    out = []
    for kind, (first, second) in enumerate(kinds.tolist()):
        inside = kind_of.ravel() == kind
        counted = agrees[inside & ~np.isnan(agrees)]
        out.append(
            PairAccuracy(
                name(first),
                name(second),
                float(counted.mean()) if len(counted) else math.nan,
                int((inside & ~np.isnan(gaps)).sum()),
                int((agrees[inside] == 1).sum()),
                int((gaps[inside] == 0).sum()),
            )
        )
    return out
