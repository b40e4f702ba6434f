"""Rows of metrics whose tp, fp and fn are masses: they sum up, and they hold the sentence's own values too."""

from __future__ import annotations

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.base import Row
from jperrant.evaluation.metrics.fmeasure import f_measure, f_measures
from jperrant.evaluation.metrics.reference_choice import Key

VALUES = ("precision", "recall", "f")
COUNTS = ("tp", "fp", "fn")
#: The last column counts sentences, so that the sum of the values can be divided by it.
COLUMNS = (*COUNTS, *VALUES, "sentences")
LEVELS = {"corpus": "of summed masses", "sentence": "the mean over sentences"}


def weighted_row(tp: float, fp: float, fn: float, *, beta: float) -> Row:
    """Return the row of one sentence, or of one error type in it."""
    return tp, fp, fn, *f_measure(tp, fp, fn, beta=beta), 1


def weighted_values(totals: FloatArray, level: str, beta: float) -> dict[str, FloatArray]:
    """Return precision, recall and F of summed rows, shapes ``(…, columns)`` to ``(…)``.

    Args:
        totals: Sums of rows.
        level: ``corpus``: of the summed masses; ``sentence``: means of the sentences' values.
        beta: Weight of recall in F.
    """
    if level == "corpus":
        return f_measures(totals[..., 0], totals[..., 1], totals[..., 2], beta)
    first = len(COUNTS)
    sentences = np.maximum(totals[..., -1], 1)  # no sentence: 0
    return {name: totals[..., first + index] / sentences for index, name in enumerate(VALUES)}


def best_f(beta: float) -> Key:
    """Return the key that chooses the best F, then more tp, less fp, less fn."""

    def key(total: Row, row: Row) -> tuple[float, ...]:
        tp, fp, fn = row[:3]
        return f_measure(*total[:3], beta=beta)[2], tp, -fp, -fn

    return key
