"""Precision, recall and F-beta of counts, for one row or for many at once.

A side without anything to be wrong about is right: 0/0 is 1, as in ERRANT and the M2 scorer.
"""

from __future__ import annotations

import numpy as np

from jperrant.core.arrays import FloatArray

#: What beta is, in help texts.
BETA = "Weight of recall in F; 0.5 favours precision."
#: Above this F is recall to the last digit, and beta squared times a product may leave the range of floats.
MAX_BETA = 1e6


def f_measure(tp: float, fp: float, fn: float, *, beta: float) -> tuple[float, float, float]:
    """Return precision, recall and F-beta of one row, in ERRANT's order of operations."""
    p = tp / (tp + fp) if tp + fp else 1.0
    r = tp / (tp + fn) if tp + fn else 1.0
    return p, r, (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def f_measures(tp: FloatArray, fp: FloatArray, fn: FloatArray, beta: float) -> dict[str, FloatArray]:
    """Return ``precision``, ``recall`` and ``f`` of rows of any shape, each as ``f_measure`` gives it."""
    p, r = ratio(tp, tp + fp, 1.0), ratio(tp, tp + fn, 1.0)
    return {"precision": p, "recall": r, "f": ratio((1 + beta**2) * p * r, beta**2 * p + r, 0.0)}


def ratio(above: FloatArray, below: FloatArray, empty: float) -> FloatArray:
    """Return quotients; ``empty`` where the divisor is 0."""
    out: FloatArray = np.full(np.shape(below), empty)
    np.divide(above, below, out=out, where=below != 0)
    return out
