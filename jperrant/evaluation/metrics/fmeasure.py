"""Precision, recall and F-beta of counts, for one row or for arrays of rows.

0/0 is 1 for precision and recall, as in ERRANT and the M2 scorer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.option import option

#: The range of beta. Outside it F equals precision or recall in every digit, and far outside it floats overflow.
MIN_BETA, MAX_BETA = 1e-6, 1e6
MEASURES = ("precision", "recall", "f")
#: The level of figures: computed from summed rows, or means over sentences.
Level: TypeAlias = Literal["corpus", "sentence"]


def beta_option(default: float = 0.5) -> Any:
    """Return the dataclass field of the option ``beta``."""
    return option(
        default, "Weight of recall in F; 0.5 favours precision.", minimum=MIN_BETA, maximum=MAX_BETA
    )


def f_of(p: float, r: float, beta: float) -> float:
    """Return F-beta of precision and recall, with ERRANT's order of operations; 0 for 0/0."""
    below = beta**2 * p + r
    return (1 + beta**2) * p * r / below if below else 0.0


def fs_of(p: FloatArray, r: FloatArray, beta: float) -> FloatArray:
    """Return F-beta of arrays of precisions and recalls; the array version of ``f_of``."""
    return ratio((1 + beta**2) * p * r, beta**2 * p + r, 0.0)


def f_of_totals(tp: float, proposed: float, gold: float, beta: float, empty: float) -> float:
    """Return F-beta computed directly from totals; ``empty`` for 0/0."""
    below = beta**2 * gold + proposed
    return (1 + beta**2) * tp / below if below else empty


def f_measure(tp: float, fp: float, fn: float, *, beta: float) -> tuple[float, float, float]:
    """Return precision, recall and F-beta of one row, with ERRANT's order of operations."""
    p = tp / (tp + fp) if tp + fp else 1.0
    r = tp / (tp + fn) if tp + fn else 1.0
    return p, r, f_of(p, r, beta)


def f_measures(tp: FloatArray, fp: FloatArray, fn: FloatArray, beta: float) -> dict[str, FloatArray]:
    """Return ``precision``, ``recall`` and ``f`` of arrays of counts; the array version of ``f_measure``."""
    p, r = ratio(tp, tp + fp, 1.0), ratio(tp, tp + fn, 1.0)
    return {"precision": p, "recall": r, "f": fs_of(p, r, beta)}


def ratio(above: FloatArray, below: FloatArray, empty: float) -> FloatArray:
    """Return the elementwise quotient; ``empty`` for division by 0."""
    out: FloatArray = np.full(np.shape(below), empty)
    np.divide(above, below, out=out, where=below != 0)
    return out


def means(totals: FloatArray, names: Sequence[str], first: int) -> dict[str, FloatArray]:
    """Return means over sentences, from summed rows.

    Args:
        totals: The summed rows: values from column ``first`` on, and the number of sentences in the last column.
        names: The names of the values.
        first: The column of the first value.
    """
    return {name: ratio(totals[..., first + n], totals[..., -1], 0.0) for n, name in enumerate(names)}
