"""Searching the factors of CLEME2.0 that agree best with people (Ye et al. 2025, appendix B.5).

All factors on a grid are tried, on statistics that are made once. To see what such factors are worth on other
references, each reference set in turn is held out: the factors that do best on the others are tried on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.load import load_pairs
from jperrant.evaluation.m2_input import M2Input
from jperrant.evaluation.meta.human_judgements import match_systems, read_human
from jperrant.evaluation.metrics.base import Candidates, Pair, Row
from jperrant.evaluation.metrics.cleme.cleme2 import PAPER, Cleme2Scorer, Factors, rates
from jperrant.evaluation.metrics.score import prepare_references
from jperrant.evaluation.statistics.correlation import correlation

#: Twentieths: a grid of 0.05 without rounding.
PARTS = 20


@dataclass(frozen=True, slots=True)
class Fold:
    """One reference set, held out.

    Attributes:
        held_out: Its name.
        factors: What does best on the others.
        others: The mean correlation on them.
        correlation: That on the set held out.
    """

    held_out: str
    factors: Factors
    others: float
    correlation: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """The result of a search.

    Attributes:
        correlation: ``pearson``, ``spearman`` or ``kendall``.
        factors: What does best on all sets together; of several, those nearest to the paper's.
        fitted: Their correlation on each set, by its name.
        paper: The same of the paper's factors.
        folds: The cross-validation; empty where there is one set only.
        tried: How many factors were tried.
        systems: The names of the systems.
        notes: What users should know about the files, one line each.
    """

    correlation: str
    factors: Factors
    fitted: Mapping[str, float]
    paper: Mapping[str, float]
    folds: tuple[Fold, ...]
    tried: int
    systems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def factor_grid(parts: int = PARTS) -> FloatArray:
    """Return all factors in steps of ``1 / parts``, each above 0, shape ``(969, 4)`` for 20 parts."""
    steps = range(1, parts - 2)
    combinations = [(a, b, c, parts - a - b - c) for a, b, c in product(steps, repeat=3) if a + b + c < parts]
    return np.array(combinations, dtype=np.float64) / parts


def tune(
    sets: Mapping[str, Sequence[Pair]],
    human: Sequence[float],
    scorer: Cleme2Scorer,
    kind: str = "pearson",
) -> Tuning:
    """Search the factors whose scores correlate best with judgements of people.

    Args:
        sets: For each reference set the systems over it, the same ones in the same order.
        human: The score of each system.
        scorer: Says assumption, level and weights; its factors play no part.
        kind: ``pearson``, ``spearman`` or ``kendall``.

    Raises:
        UsageError: Fewer than three systems, no set, or judgements that are all equal.
    """
    grid = factor_grid()
    theirs = np.array(human, dtype=np.float64)
    tried = np.concatenate([grid, [PAPER[scorer.level]]])
    correlations = []
    for pairs in sets.values():
        candidates = scorer.candidates(pairs, prepare_references(scorer, pairs))
        systems = np.stack(
            [grid_scores(system.sentences, tried, scorer.level) for system in candidates], axis=-1
        )
        # Where all systems score the same the factors say nothing.
        correlations.append(np.nan_to_num(correlation(kind, systems, theirs), nan=-1.0))
    if not correlations or np.ptp(theirs) == 0:
        raise UsageError("found nothing to tune to; give a reference set, and judgements that differ")
    by_set = np.stack(correlations)
    fits, paper = by_set[:, :-1], by_set[:, -1]
    best = _best(fits.mean(axis=0), grid, scorer.level)
    names = list(sets)
    folds = [
        _fold(name, index, fits, grid, scorer.level) for index, name in enumerate(names) if len(names) > 1
    ]
    return Tuning(
        kind,
        _factors(grid[best]),
        dict(zip(names, fits[:, best].tolist(), strict=True)),
        dict(zip(names, paper.tolist(), strict=True)),
        tuple(folds),
        len(grid),
    )


def tune_files(
    files: Sequence[M2Input],
    references: Sequence[str],
    human: str,
    scorer: Cleme2Scorer,
    *,
    column: str | None = None,
    kind: str = "pearson",
    strict: bool = False,
) -> Tuning:
    """Search the factors for M2 files of systems that people have judged.

    Args:
        files: The systems, named after the judged ones.
        references: M2 files, each one reference set.
        human: A TSV file of systems and the scores that people gave them.
        scorer: Says assumption, level and weights; its factors play no part.
        column: Which column of scores; the first if None.
        kind: ``pearson``, ``spearman`` or ``kendall``.
        strict: Make every format deviation of an M2 file an error.

    Raises:
        UsageError: As :func:`tune`; also the same reference set twice.
        InputError: A file cannot be read, or a system was not judged.
    """
    judged = read_human(human, column)
    systems = match_systems([str(file) for file in files], judged)
    if len(set(references)) < len(references):
        raise UsageError("a reference set is given twice; give each once")
    sets = {path: load_pairs(files, path, strict, scorer.refuses) for path in references}
    tuning = tune(sets, [judged[name] for name in systems], scorer, kind)
    notes = tuple(note for pairs in sets.values() for pair in pairs for note in pair.notes)
    return replace(tuning, systems=tuple(systems), notes=notes)


def grid_scores(candidates: Candidates, grid: FloatArray, level: str) -> FloatArray:
    """Return the score that each of many factors gives a system, references chosen by these factors.

    Args:
        candidates: Of CLEME2.0, for each sentence.
        grid: The factors, shape ``(factors, 4)``.
        level: ``corpus`` or ``sentence``.

    Returns:
        Shape ``(factors,)``; each the value that ``Cleme2Scorer`` gives with these factors.
    """
    if level == "sentence":
        total = np.zeros(len(grid))
        for sentence in candidates:
            total += _scores(np.array(sorted({_rates(c.row) for c in sentence})), grid).max(axis=1)
        return total / max(1, len(candidates))
    totals = np.zeros((len(grid), 4))
    for sentence in candidates:
        # Equal scores go by the chunks, so that the first of the sorted rows is the one to take.
        rows = sorted(dict.fromkeys(c.row for c in sentence), key=lambda r: (-r[0], r[1], r[4], -r[5]))
        counts = np.array([(r[0], r[2], r[3], r[4]) for r in rows], dtype=np.float64)
        if len(rows) == 1:
            totals += counts[0]
        else:
            sums = totals[:, None, :] + counts
            totals = sums[np.arange(len(grid)), _scores(_rates_of(sums), grid).argmax(axis=1)]
    return _scores(_rates_of(totals[:, None, :]), grid)[:, 0]


def _rates(row: Row) -> tuple[float, float, float, float]:
    return rates(row[0], row[2], row[3], row[4])


def _rates_of(counts: FloatArray) -> FloatArray:
    """Return hit, wrong, under and over of ``(…, [tp, fp_ne, fp_un, fn])``."""
    tp, ne, un, fn = (counts[..., column] for column in range(4))
    needed, proposed = tp + ne + fn, tp + ne + un
    above = np.stack([tp, ne, fn, un], axis=-1)
    below = np.stack([needed, needed, needed, proposed], axis=-1)
    out: FloatArray = np.zeros(above.shape)
    np.divide(above, below, out=out, where=below != 0)
    return out


def _scores(rates: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the scores ``(factors, candidates)`` of rates ``(candidates, 4)`` or ``(factors, candidates, 4)``."""
    a1, a2, a3, a4 = (grid[:, column, None] for column in range(4))
    hit, wrong, under, over = (rates[..., column] for column in range(4))
    # In the order of Cleme2Scorer: rounding decides between equal references.
    score: FloatArray = a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)
    return score


def _fold(name: str, index: int, fits: FloatArray, grid: FloatArray, level: str) -> Fold:
    others = np.delete(fits, index, axis=0).mean(axis=0)
    best = _best(others, grid, level)
    return Fold(name, _factors(grid[best]), float(others[best]), float(fits[index, best]))


def _best(fits: FloatArray, grid: FloatArray, level: str) -> int:
    """Return the index of the best factors; of several, those nearest to the paper's."""
    far = np.square(grid - np.array(PAPER[level])).sum(axis=1)
    return int(np.lexsort((far.round(9), -fits.round(12)))[0])


def _factors(row: FloatArray) -> Factors:
    a1, a2, a3, a4 = (round(float(a), 9) for a in row)
    return a1, a2, a3, a4
