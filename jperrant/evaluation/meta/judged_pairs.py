"""Pairs of systems that a judge told apart, and whether a metric agrees.

Each judgement of a sentence gives a pair for every two systems with different marks; nothing is pooled over judges,
and systems that were shown as one because their texts are equal each have their own pairs (as in SEEDA and
gec-metrics: 7,708 pairs of SEEDA's 12 base systems by edits, 9,381 by sentences).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.meta.dataset import JudgementSet
from jperrant.evaluation.meta.metric_scores import MetricScores

IntArray: TypeAlias = npt.NDArray[np.intp]
#: What becomes of a pair whose two systems have the same score.
TIE_RULES = {
    "seeda": "the system that comes first in the data set loses (wins where a lower score is better), as in the "
    "scripts of SEEDA and in gec-metrics",
    "wrong": "the metric disagrees",
    "half": "the metric agrees half",
    "skip": "the pair does not count",
}


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """Pairs of systems, one of which was judged better; all arrays have the shape ``(pairs,)``.

    Attributes:
        systems: The systems that indices refer to.
        sentences: The index of the sentence that was judged.
        better, worse: The indices of the two systems.
        better_marks, worse_marks: Their ranks or ratings.
    """

    systems: tuple[str, ...]
    sentences: IntArray
    better: IntArray
    worse: IntArray
    better_marks: FloatArray
    worse_marks: FloatArray

    def __len__(self) -> int:
        return len(self.sentences)


def judged_pairs(judged: JudgementSet, systems: Sequence[str]) -> JudgedPairs:
    """Return the pairs of some systems that judgements tell apart.

    Args:
        judged: The judgements.
        systems: The systems; others that were judged are left out.
    """
    index = {system: n for n, system in enumerate(systems)}
    rows: list[tuple[float, ...]] = []
    for judgement in judged.judgements:
        marks = [(index[system], mark) for system, mark in judgement.marks.items() if system in index]
        for (one, first), (other, second) in combinations(sorted(marks), 2):
            if first != second:
                above = first > second if judged.ratings else first < second
                pair = (one, other, first, second) if above else (other, one, second, first)
                rows.append((judgement.sentence, *pair))
    columns = np.array(rows, dtype=np.float64).reshape(-1, 5).T
    sentences, better, worse = columns[:3].astype(np.intp)
    return JudgedPairs(tuple(systems), sentences, better, worse, columns[3], columns[4])


def score_gaps(pairs: JudgedPairs, scores: MetricScores) -> FloatArray:
    """Return by how much a metric puts the better system of each pair above the other, shape ``(pairs,)``.

    Above 0 the metric agrees, below 0 it disagrees, at 0 it does not decide; NaN where it has no score.

    Raises:
        UsageError: The metric has no scores of sentences, or none of a system.
    """
    if not scores.has_sentences:
        raise UsageError(f"metric {scores.name!r} has no scores of sentences; the sentence level needs them")
    points = scores.sign * scores.select(pairs.systems).sentences
    gaps: FloatArray = points[pairs.better, pairs.sentences] - points[pairs.worse, pairs.sentences]
    return gaps


def agreements(pairs: JudgedPairs, scores: MetricScores, ties: str = "half") -> FloatArray:
    """Return how far a metric agrees with each pair: 1, 0, or what the rule for ties says; NaN does not count.

    Args:
        pairs: The pairs.
        scores: The metric.
        ties: One of ``TIE_RULES``.

    Raises:
        UsageError: The rule is unknown, or as :func:`score_gaps`.
    """
    if ties not in TIE_RULES:
        raise UsageError(
            f"unknown rule for ties {ties!r}{nearest(ties, TIE_RULES)}; expected one of {', '.join(TIE_RULES)}"
        )
    gaps = score_gaps(pairs, scores)
    tied = {"wrong": 0.0, "half": 0.5, "skip": np.nan}
    if ties == "seeda":
        # Their script asks whether the first scores higher (or lower) and takes "no" for "worse" ("better").
        first_is_better = pairs.better < pairs.worse
        at_tie = np.where(first_is_better == scores.lower_is_better, 1.0, 0.0)
    else:
        at_tie = np.full(len(pairs), tied[ties])
    agrees = np.where(gaps == 0, at_tie, (gaps > 0).astype(np.float64))
    return np.where(np.isnan(gaps), np.nan, agrees)
