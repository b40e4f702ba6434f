"""Precision, recall and F-beta of counts, for one row or for many at once.

A side without anything to be wrong about is right: 0/0 is 1, as in ERRANT and the M2 scorer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.option import option

#: Below the first F is precision to the last digit, above the second recall; far beyond them beta squared is 0, or
#: its product with a count leaves the range of floats.
MIN_BETA, MAX_BETA = 1e-6, 1e6
MEASURES = ("precision", "recall", "f")
#: Whether the figures of a metric are those of summed rows, or means over sentences.
Level: TypeAlias = Literal["corpus", "sentence"]


def beta_option(default: float = 0.5) -> Any:
    """Return the field of a metric's options that is the beta of its F."""
    return option(
        default, "Weight of recall in F; 0.5 favours precision.", minimum=MIN_BETA, maximum=MAX_BETA
    )


def f_of(p: float, r: float, beta: float) -> float:
    """Return F-beta of precision and recall, in ERRANT's order of operations; 0 for 0/0."""
    below = beta**2 * p + r
    return (1 + beta**2) * p * r / below if below else 0.0


def fs_of(p: FloatArray, r: FloatArray, beta: float) -> FloatArray:
    """Return F-beta of precisions and recalls of one shape, each as ``f_of`` gives it."""
    return ratio((1 + beta**2) * p * r, beta**2 * p + r, 0.0)


def f_of_totals(tp: float, proposed: float, gold: float, beta: float, empty: float) -> float:
    """Return F-beta of totals, without the rounding of precision and recall; ``empty`` where there is nothing."""
    below = beta**2 * gold + proposed
    return (1 + beta**2) * tp / below if below else empty


def f_measure(tp: float, fp: float, fn: float, *, beta: float) -> tuple[float, float, float]:
    """Return precision, recall and F-beta of one row, in ERRANT's order of operations."""
    p = tp / (tp + fp) if tp + fp else 1.0
    r = tp / (tp + fn) if tp + fn else 1.0
    return p, r, f_of(p, r, beta)


def f_measures(tp: FloatArray, fp: FloatArray, fn: FloatArray, beta: float) -> dict[str, FloatArray]:
    """Return ``precision``, ``recall`` and ``f`` of rows of any shape, each as ``f_measure`` gives it."""
    p, r = ratio(tp, tp + fp, 1.0), ratio(tp, tp + fn, 1.0)
    return {"precision": p, "recall": r, "f": fs_of(p, r, beta)}


def ratio(above: FloatArray, below: FloatArray, empty: float) -> FloatArray:
    """Return quotients; ``empty`` where the divisor is 0."""
    out: FloatArray = np.full(np.shape(below), empty)
    np.divide(above, below, out=out, where=below != 0)
    return out


def means(totals: FloatArray, names: Sequence[str], first: int) -> dict[str, FloatArray]:
    """Return the means over sentences of values that rows hold from column ``first`` on; the last column is 1."""
    return {name: ratio(totals[..., first + n], totals[..., -1], 0.0) for n, name in enumerate(names)}
