"""Ranking systems by who wins which sentence: TrueSkill and Expected Wins, for any metric.

A sentence is a match between each two systems; the better score wins, equal scores draw. Both are used for GEC by
Grundkiewicz, Junczys-Dowmunt and Gillian (2015) with human judgements, and by Goto, Sakai and Watanabe with the
sentence scores of metrics.

- TrueSkill (Herbrich, Minka and Graepel 2007): one pass over the sentences, in each over the pairs of systems, in
  their order. Of one player against one, the update has a closed form; it is that of the ``trueskill`` package.
- Expected Wins: the mean over the other systems of wins / (wins + losses). Draws are ignored; a system that only
  draws with another has no share against it.
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
#: Probabilities below this have lost digits.
_UNLIKELY = sys.float_info.min
#: Decimals that a sentence's score has here: the last bits of equal scores depend on the order of sums.
_DECIMALS = 9


#: The constants of TrueSkill in the papers named above: the standard deviations of a system's skill at the
#: beginning, whose mean is 0, and of its play, and the probability of a draw between equals.
SIGMA, BETA, DRAW = 0.5, 0.25, 0.25


@dataclass(frozen=True, slots=True)
class Rank:
    """How a system stands among the others.

    Attributes:
        trueskill: Mean of its skill; higher is better.
        expected_wins: Share of matches it wins, 0 to 1; None if it draws every match.
    """

    trueskill: float
    expected_wins: float | None


def rank_systems(scores: Sequence[Score]) -> list[Rank]:
    """Return the rank of each system.

    Args:
        scores: Two systems or more, scored by one metric over the same references.

    Raises:
        UsageError: Fewer than two systems, or other metrics or sentences.
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
    """Return what each system gets for each sentence, shape ``(systems, sentences)``.

    More is better; points are rounded, so that what is equal on paper is a draw. A point is the best value of
    the candidates, so each sentence counts with its best reference whatever the choice for the totals was;
    a metric that combines several references has one value. Where a system was aligned to the references,
    the stretches that all systems share stand for sentences, with the references that were chosen for the totals.

    Raises:
        UsageError: The systems do not have the same sentences.
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
    """Return the mean skill of each system.

    Args:
        points: What each system gets for each sentence, shape ``(systems, sentences)``; NaN where it has no
            figure, so that it plays no match.
        beta: The standard deviation of play.
    """
    mu, variance = [0.0] * len(points), [SIGMA**2] * len(points)
    margin = _NORMAL.inv_cdf((DRAW + 1) / 2) * math.sqrt(2) * beta  # to win by; of two players: √2 β
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
    """Return the share of matches each system wins; NaN for one that draws them all.

    Args:
        points: What each system gets for each sentence, shape ``(systems, sentences)``.
    """
    wins = (points[:, None, :] > points[None, :, :]).sum(axis=2)
    decided = wins + wins.T
    shares = np.divide(wins, decided, out=np.zeros(wins.shape), where=decided > 0)
    opponents = (decided > 0).sum(axis=1)
    expected: FloatArray = np.full(len(points), np.nan)
    np.divide(shares.sum(axis=1), opponents, out=expected, where=opponents > 0)
    return expected


def _below(z: float) -> float:
    """Return the normal distribution function; where ``1 + erf(z)`` has lost its digits, too."""
    return math.erfc(-z / math.sqrt(2)) / 2


def _update(gap: float, margin: float, draw: bool) -> tuple[float, float]:
    """Return v and w of the first player: how far the mean moves, and the variance shrinks.

    Of a result that is too unlikely for floating point they are what they tend to.
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
