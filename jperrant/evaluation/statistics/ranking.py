"""Ranking systems by TrueSkill and Expected Wins, with the sentence scores of any metric.

Each sentence is a match between every two systems: the higher score wins, equal scores are a draw. Grundkiewicz,
Junczys-Dowmunt and Gillian (2015) rank GEC systems in both ways by human judgements; Goto, Sakai and Watanabe by
the sentence scores of metrics.

- TrueSkill (Herbrich, Minka and Graepel 2007): one pass over the sentences, and within a sentence over the pairs of
  systems, in order. The update of two players has a closed form, the same as in the package ``trueskill``.
- Expected Wins: the mean over opponents of wins / (wins + losses). Draws are ignored, and so is an opponent with
  draws only.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics.system_score import Score, eligible_rows
from jperrant.evaluation.statistics.significance import paired_rows

_NORMAL = NormalDist()
#: Smaller probabilities have lost precision.
_UNLIKELY = sys.float_info.min
#: Sentence scores are rounded to these decimals, as equal scores can differ in the last bits.
_DECIMALS = 9


#: The constants of TrueSkill in the papers above: the standard deviation of the initial skill (with mean 0), that
#: of the performance in a match, and the probability of a draw between equal systems.
SIGMA, BETA, DRAW = 0.5, 0.25, 0.25


@dataclass(frozen=True, slots=True)
class Rank:
    """The ranking figures of a system.

    Attributes:
        trueskill: The mean of its skill; higher is better.
        expected_wins: Its expected share of wins, 0 to 1; None if it draws every match.
    """

    trueskill: float
    expected_wins: float | None


def rank_systems(scores: Sequence[Score]) -> list[Rank]:
    """Return the rank of each system.

    Args:
        scores: Two systems or more, scored by one metric against the same references.

    Raises:
        UsageError: There are fewer than two systems, or metrics or sentences differ.
    """
    if len(scores) < 2:
        raise UsageError("a ranking needs two or more systems; give several hypotheses")
    for score in scores:
        if score.metric != (first := scores[0]).metric:
            raise UsageError(
                f"{first.hypothesis} was scored by {first.metric} and {score.hypothesis} by {score.metric}; a "
                "ranking needs one metric"
            )
    points = sentence_points(scores)
    skills, wins = trueskill(points), expected_wins(points)
    return [
        Rank(float(skill), None if math.isnan(win) else float(win))
        for skill, win in zip(skills, wins, strict=True)
    ]


def sentence_points(scores: Sequence[Score]) -> FloatArray:
    """Return the score of each sentence of each system, shape ``(systems, sentences)``.

    Higher is better: error rates are negated. A sentence counts with its best reference, whatever reference was
    chosen for the totals. If a system was aligned to the references, the result has the shape
    ``(systems, stretches)`` of :func:`paired_rows`, with the references chosen for the totals. Scores are rounded,
    so that equal scores draw.

    Raises:
        UsageError: The systems have different numbers of sentences.
    """
    main = scores[0].scorer.main
    sign = -1 if scores[0].scorer.lower_is_better else 1
    if any(score.spans for score in scores):
        return _rounded(
            [
                score.scorer.values(rows)[main]
                for score, rows in zip(scores, paired_rows(scores), strict=True)
            ],
            sign,
        )
    if len({score.sentences for score in scores}) > 1:
        raise UsageError(
            "found systems with different numbers of sentences, which cannot be ranked; give the same "
            "sentences for each"
        )
    points = np.empty((len(scores), scores[0].sentences))
    for points_of_system, score in zip(points, scores, strict=True):
        rows, sizes = eligible_rows(score.candidates, score.combined, len(score.scorer.columns))
        values = sign * score.scorer.values(rows)[main]
        points_of_system[:] = np.maximum.reduceat(values, np.cumsum(sizes) - sizes) if len(values) else 0
    return _rounded(points)


def _rounded(points: ArrayLike, sign: int = 1) -> FloatArray:
    return sign * np.asarray(points, dtype=np.float64).round(_DECIMALS)


def trueskill(points: FloatArray, beta: float = BETA) -> FloatArray:
    """Return the mean skill of each system, shape ``(systems,)``.

    Args:
        points: The scores of systems, shape ``(systems, sentences)``; a system with NaN plays no match.
        beta: The standard deviation of the performance in a match.
    """
    mu, variance = [0.0] * len(points), [SIGMA**2] * len(points)
    margin = _NORMAL.inv_cdf((DRAW + 1) / 2) * math.sqrt(2) * beta  # smaller gaps in performance are draws
    for sentence in points.T.tolist():
        known = [system for system, point in enumerate(sentence) if not math.isnan(point)]
        for player, opponent in combinations(known, 2):
            first, second = (
                (opponent, player) if sentence[opponent] > sentence[player] else (player, opponent)
            )
            draw = sentence[player] == sentence[opponent]
            c2 = 2 * beta**2 + variance[first] + variance[second]
            v, w = _update((mu[first] - mu[second]) / math.sqrt(c2), margin / math.sqrt(c2), draw)
            mu[first] += variance[first] / math.sqrt(c2) * v
            mu[second] -= variance[second] / math.sqrt(c2) * v
            variance[first] *= 1 - variance[first] / c2 * w
            variance[second] *= 1 - variance[second] / c2 * w
    return np.array(mu)


def expected_wins(points: FloatArray) -> FloatArray:
    """Return the expected share of wins of each system, shape ``(systems,)``; NaN for a system with draws only.

    Args:
        points: The scores of systems, shape ``(systems, sentences)``.
    """
    wins = (points[:, None, :] > points[None, :, :]).sum(axis=2)
    decided = wins + wins.T
    shares = np.divide(wins, decided, out=np.zeros(wins.shape), where=decided > 0)
    opponents = (decided > 0).sum(axis=1)
    expected: FloatArray = np.full(len(points), np.nan)
    np.divide(shares.sum(axis=1), opponents, out=expected, where=opponents > 0)
    return expected


def _below(z: float) -> float:
    """Return the normal distribution function, precise also where ``1 + erf(z)`` is not."""
    return math.erfc(-z / math.sqrt(2)) / 2


def _update(gap: float, margin: float, draw: bool) -> tuple[float, float]:
    """Return v and w of the first player, which move the mean of the skill and shrink its variance.

    For results too unlikely for floating point, v and w are replaced by their limits.
    """
    if not draw:
        shift = gap - margin
        mass = _below(shift)
        if mass < _UNLIKELY:
            return -shift, 1.0
        v = _NORMAL.pdf(shift) / mass
        return v, v * (v + shift)
    low, high = -margin - abs(gap), margin - abs(gap)
    mass = _below(high) - _below(low)
    if mass < _UNLIKELY:
        return math.copysign(high, -gap), 1.0
    v = (_NORMAL.pdf(low) - _NORMAL.pdf(high)) / mass
    w = v**2 + (high * _NORMAL.pdf(high) - low * _NORMAL.pdf(low)) / mass
    return math.copysign(1, gap) * v, w
