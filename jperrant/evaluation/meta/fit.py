"""Fitting the factors of CLEME2.0 to human scores (Ye et al. 2025, appendix B.5).

The fit tries all factors on a grid and keeps those whose scores correlate best with the human scores. Chunks are
counted once for all factors. Cross-validation holds out each set of references in turn and tests on it the factors
that are best on the other sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics.base import Candidates, Pair
from jperrant.evaluation.metrics.cleme.scorer import PAPER, Cleme2Scorer, Factors, rates
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.metrics.system_score import prepare_references
from jperrant.evaluation.statistics.correlation import correlation

#: The grid has steps of 1/20.
PARTS = 20


@dataclass(frozen=True, slots=True)
class Fold:
    """One fold of the cross-validation.

    Attributes:
        held_out: The name of the set of references that is held out.
        factors: The best factors on the other sets.
        correlation: The correlation of these factors on the held-out set.
    """

    held_out: str
    factors: Factors
    correlation: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The factors that fit one human score best.

    Attributes:
        metric: The name of the metric.
        human: The name of the human score.
        group: The name of the group of systems.
        correlation: ``pearson``, ``spearman`` or ``kendall``.
        factors: The factors with the best mean correlation over all sets of references; among equals those nearest
            to the paper's.
        fitted: The correlation of these factors on each set of references.
        paper: The correlation of the paper's factors on each set of references.
        folds: The cross-validation; empty with one set of references.
        tried: The number of factors that were tried.
        systems: The names of the systems.
    """

    metric: str
    human: str
    group: str
    correlation: str
    factors: Factors
    fitted: Mapping[str, float]
    paper: Mapping[str, float]
    folds: tuple[Fold, ...]
    tried: int
    systems: tuple[str, ...]


def factor_grid(parts: int = PARTS) -> FloatArray:
    """Return all factors in steps of ``1 / parts`` that are positive and sum to 1: ``(969, 4)`` for 20 parts."""
    steps = range(1, parts - 2)
    combinations = [(a, b, c, parts - a - b - c) for a, b, c in product(steps, repeat=3) if a + b + c < parts]
    return np.array(combinations, dtype=np.float64) / parts


def tried_scores(pairs: Sequence[Pair], scorer: Cleme2Scorer) -> FloatArray:
    """Return the score of each system with each of the factors of the grid, and last with the paper's.

    Args:
        pairs: The systems with one set of references.
        scorer: The metric; its factors are ignored.

    Returns:
        Shape ``(factors + 1, systems)``.
    """
    tried = np.concatenate([factor_grid(), [PAPER[scorer.level]]])
    found = scorer.candidates(pairs, prepare_references(scorer, pairs))
    return np.stack([grid_scores(system.sentences, tried, scorer.level) for system in found], axis=-1)


def fit(
    sets: Mapping[str, FloatArray],
    theirs: FloatArray,
    systems: Sequence[str],
    level: str,
    kind: str = "pearson",
    *,
    metric: str = "cleme2",
    human: str = "",
    group: str = "",
) -> Fit:
    """Return the factors whose scores correlate best with a human score.

    Args:
        sets: The result of :func:`tried_scores` for each set of references.
        theirs: The human score of each system, shape ``(systems,)``; systems with NaN are left out.
        systems: The names of the systems.
        level: ``corpus`` or ``sentence``.
        kind: ``pearson``, ``spearman`` or ``kendall``.
        metric, human, group: The names of the metric, the human score and the group of systems.

    Raises:
        UsageError: There are fewer than three systems, or all human scores are equal.
    """
    known = ~np.isnan(theirs)
    names, theirs = [name for name, has in zip(systems, known, strict=True) if has], theirs[known]
    # Factors that give all systems the same score rank last.
    found = [np.nan_to_num(correlation(kind, one[:, known], theirs), nan=-1.0) for one in sets.values()]
    if np.ptp(theirs) == 0:
        raise UsageError(f"human score {human!r} is equal for all systems: nothing to fit; give another")
    fits, paper = np.stack(found)[:, :-1], np.stack(found)[:, -1]
    grid = factor_grid()
    best, folds = _best(fits, grid, level), []
    for n, name in enumerate(sets if len(sets) > 1 else ()):
        chosen = _best(np.delete(fits, n, axis=0), grid, level)
        folds.append(Fold(name, _factors(grid[chosen]), float(fits[n, chosen])))
    return Fit(
        metric,
        human,
        group,
        kind,
        _factors(grid[best]),
        dict(zip(sets, fits[:, best].tolist(), strict=True)),
        dict(zip(sets, paper.tolist(), strict=True)),
        tuple(folds),
        len(grid),
        tuple(names),
    )


def grid_scores(candidates: Candidates, grid: FloatArray, level: str) -> FloatArray:
    """Return the score of a system with each of many factors, which also choose the references.

    Args:
        candidates: The candidates of CLEME2.0 for each sentence.
        grid: The factors, shape ``(factors, 4)``.
        level: ``corpus`` or ``sentence``.

    Returns:
        The scores, shape ``(factors,)``, each equal to that of ``Cleme2Scorer`` with these factors.
    """
    if level == "sentence":
        total = np.zeros(len(grid))
        for sentence in candidates:
            found = {rates(c.row[0], c.row[2], c.row[3], c.row[4]) for c in sentence}
            total += _scores(np.array(sorted(found)), grid).max(axis=1)
        return total / max(1, len(candidates))
    totals = np.zeros((len(grid), 4))
    for sentence in candidates:
        # Sorted by what decides between equal scores, so that argmax finds the right row.
        rows = sorted(dict.fromkeys(c.row for c in sentence), key=lambda r: (-r[0], r[1], r[4], -r[5]))
        counts = np.array([(r[0], r[2], r[3], r[4]) for r in rows], dtype=np.float64)
        if len(rows) == 1:
            totals += counts[0]
        else:
            sums = totals[:, None, :] + counts
            totals = sums[np.arange(len(grid)), _scores(_rates_of(sums), grid).argmax(axis=1)]
    return _scores(_rates_of(totals[:, None, :]), grid)[:, 0]


def _rates_of(counts: FloatArray) -> FloatArray:
    """Return hit, wrong, under and over, shape ``(…, 4)``, of tp, fp_ne, fp_un and fn, shape ``(…, 4)``."""
    tp, ne, un, fn = (counts[..., column] for column in range(4))
    needed, proposed = tp + ne + fn, tp + ne + un
    above = np.stack([tp, ne, fn, un], axis=-1)
    return ratio(above, np.stack([needed, needed, needed, proposed], axis=-1), 0.0)


def _scores(rates: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the scores ``(factors, candidates)`` of rates ``(candidates, 4)`` or ``(factors, candidates, 4)``."""
    a1, a2, a3, a4 = (grid[:, column, None] for column in range(4))
    hit, wrong, under, over = (rates[..., column] for column in range(4))
    # In the order of Cleme2Scorer: rounding decides between equal references.
    score: FloatArray = a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)
    return score


def _best(fits: FloatArray, grid: FloatArray, level: str) -> int:
    """Return the index of the factors with the best mean correlation, among equals those nearest to the paper's."""
    far = np.square(grid - np.array(PAPER[level])).sum(axis=1)
    return int(np.lexsort((far.round(9), -fits.mean(axis=0).round(12)))[0])


def _factors(row: FloatArray) -> Factors:
    a1, a2, a3, a4 = (round(float(a), 9) for a in row)
    return a1, a2, a3, a4
