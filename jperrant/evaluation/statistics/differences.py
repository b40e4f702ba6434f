"""Differences between two systems in many parts of one text at once, with intervals and p-values.

The parts are error types, say: for each one both systems have a row for every sentence. One draw of sentences
serves all parts and all systems. Tests as in ``significance``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.statistics.significance import LEVEL, p_value, times_drawn

#: Samples drawn together: bounds the memory of a draw.
_TOGETHER = 256
#: Numbers drawn together at most.
_CELLS = 1 << 24


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one system is above another in one value of a metric.

    Attributes:
        value: The first system's figure minus the other's.
        low, high: Its bootstrap interval (95 %).
        p: Two-sided p-value of a paired test, in (0, 1].
        p_corrected: The same, corrected for the number of tests.
    """

    value: float
    low: float
    high: float
    p: float
    p_corrected: float


def bootstrap_values(
    scorer: Scorer,
    systems: list[FloatArray],
    value: str,
    samples: int,
    seed: int,
    *,
    only_known: bool = False,
) -> list[FloatArray]:
    """Return a value of each part in each bootstrap sample.

    Args:
        scorer: The metric.
        systems: For each system its rows, shape ``(sentences, parts, columns)``.
        value: Which value of the metric.
        samples, seed: What is drawn.
        only_known: Make the value of a part not a number (NaN) in samples that have nothing of it, where ratios are
            1 by convention.

    Returns:
        For each system an array of shape ``(samples, parts)``.
    """
    sentences, parts, columns = systems[0].shape
    flat = [rows.reshape(sentences, parts * columns) for rows in systems]
    random = np.random.default_rng(seed)
    drawn: list[list[FloatArray]] = [[] for _ in systems]
    together = _together(sentences)
    for start in range(0, samples, together):
        times = times_drawn(random, sentences, min(together, samples - start))
        for values, rows in zip(drawn, flat, strict=True):
            totals = (times @ rows).reshape(len(times), parts, columns)
            figures = scorer.values(totals)[value]
            values.append(np.where(totals.any(axis=-1), figures, np.nan) if only_known else figures)
    return [np.concatenate(values) for values in drawn]


def swapped_values(
    scorer: Scorer, first: FloatArray, other: FloatArray, value: str, samples: int, seed: int
) -> FloatArray:
    """Return the differences of a value when each sentence's rows are exchanged with probability 1/2.

    Args:
        scorer: The metric.
        first, other: Rows, shape ``(sentences, parts, columns)``.
        value: Which value of the metric.
        samples, seed: What is drawn.

    Returns:
        An array of shape ``(samples, parts)``.
    """
    sentences, parts, columns = first.shape
    gap = (other - first).reshape(sentences, parts * columns)
    random = np.random.default_rng(seed)
    found = []
    together = _together(sentences)
    for start in range(0, samples, together):
        swaps = random.integers(0, 2, size=(min(together, samples - start), sentences)).astype(np.float64)
        moved = (swaps @ gap).reshape(len(swaps), parts, columns)
        ours, theirs = first.sum(axis=0) + moved, other.sum(axis=0) - moved
        found.append(scorer.values(ours)[value] - scorer.values(theirs)[value])
    return np.concatenate(found)


def interval(drawn: FloatArray) -> tuple[float, float]:
    """Return the ends of the middle 95 % of samples; not a number where no sample has a figure."""
    ordered = np.sort(drawn[~np.isnan(drawn)])
    if not len(ordered):
        return float("nan"), float("nan")
    cut = int(len(ordered) * (1 - LEVEL) / 2)
    return float(ordered[cut]), float(ordered[len(ordered) - cut - 1])


def bootstrap_p(drawn: FloatArray, observed: float) -> float:
    """Return the p-value of a difference from its bootstrap samples, shifted to "no difference"."""
    known = drawn[~np.isnan(drawn)]
    return p_value(known - known.mean(), observed) if len(known) else 1.0


def _together(sentences: int) -> int:
    """Return how many samples are drawn together: few of a large corpus."""
    return max(1, min(_TOGETHER, _CELLS // max(sentences, 1)))
