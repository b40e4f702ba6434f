"""What the columns of an alignment count for, and the values of summed counts.

Felice and Briscoe (2015), sections 4 and 5. A column in which all three texts agree is a true negative; one in
which the hypothesis alone differs is a false positive, and one in which the reference alone differs a false
negative. Where the source alone differs the correction is a true positive. Where all three differ something was
rightly found and wrongly corrected: a false positive and a false negative at once (``fpn``).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.fmeasure import f_measures, ratio
from jperrant.evaluation.metrics.imeasure.alignment import MOVES, Triple

#: How much more right and wrong corrections weigh than words that are left as they are.
WEIGHT = 2
#: The counts of a sentence: of the correction, then those of the untouched source.
COLUMNS = ("tp", "tn", "fp", "fn", "fpn", "untouched_tn", "untouched_fn")


class Counts(NamedTuple):
    """The counts of one hypothesis against one reference; fp and fn include fpn.

    Those of the untouched source come from an alignment of their own, of the source with the reference.
    """

    tp: int = 0
    tn: int = 0
    fp: int = 0
    fn: int = 0
    fpn: int = 0
    untouched_tn: int = 0
    untouched_fn: int = 0


def count_columns(triple: Triple, moves: Sequence[int]) -> tuple[int, int, int, int, int]:
    """Return tp, tn, fp, fn and fpn of an alignment.

    Args:
        triple: Source, hypothesis and reference.
        moves: The columns of their alignment, as indices of ``MOVES``.
    """
    source, hypothesis, reference = triple
    i = j = k = 0
    tp = tn = fp = fn = fpn = 0
    for move in moves:
        step = MOVES[move]
        s = source[i] if step[0] else None
        h = hypothesis[j] if step[1] else None
        r = reference[k] if step[2] else None
        i, j, k = i + step[0], j + step[1], k + step[2]
        if s == h:
            if s == r:
                tn += 1
            else:
                fn += 1
        elif s == r:
            fp += 1
        elif h == r:
            tp += 1
        else:
            fpn += 1
    return tp, tn, fp + fpn, fn + fpn, fpn


def weighted_accuracy(
    tp: FloatArray, tn: FloatArray, fp: FloatArray, fn: FloatArray, fpn: FloatArray
) -> FloatArray:
    """Return WAcc = (w·TP + TN) / (w·(TP + FP) + TN + FN − (w + 1)·FPN/2), w = 2; 1 for empty texts."""
    return ratio(WEIGHT * tp + tn, WEIGHT * (tp + fp) + tn + fn - (WEIGHT + 1) * fpn / 2, 1.0)


def imeasure(totals: FloatArray) -> dict[str, FloatArray]:
    """Return the values of summed counts.

    ``i`` compares the weighted accuracy x of the system with that of the untouched source, b: 0 where they are
    equal (1 if both are 1), (x − b)/(1 − b) where the system is better, x/b − 1 where it is worse.

    Args:
        totals: Shape ``(…, 7)``, in the order of ``COLUMNS``.

    Returns:
        ``i`` in −1 … 1, and ``wacc``, ``precision``, ``recall``, ``f`` (β = 1) in 0 … 1.
    """
    tp, tn, fp, fn, fpn, untouched_tn, untouched_fn = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    x = weighted_accuracy(tp, tn, fp, fn, fpn)
    b = ratio(untouched_tn, untouched_tn + untouched_fn, 1.0)
    gain = ratio(x - b, 1.0 - b, 0.0)
    loss = ratio(x, b, 1.0) - 1.0
    i = np.where(x == b, np.floor(x), np.where(x > b, gain, loss))
    return {"i": i, "wacc": x, **f_measures(tp, fp, fn, 1.0)}


def preference(counts: Counts) -> tuple[Fraction, ...]:
    """Return what the reference of a sentence is chosen by, highest first.

    Weighted accuracy of the correction, I, accuracy; then the same for detection, where each change of something
    wrong is right. Exact fractions: equal values are equal.
    """
    tp, tn, fp, fn, fpn, untouched_tn, untouched_fn = counts
    baseline = _fraction(untouched_tn, untouched_tn + untouched_fn)
    columns = tp + tn + fp + fn - fpn
    key: list[Fraction] = []
    for right, wrong, missed, both in ((tp, fp, fn, fpn), (tp + fpn, fp - fpn, fn - fpn, 0)):
        above = WEIGHT * right + tn
        below = WEIGHT * (right + wrong) + tn + missed
        wacc = _fraction(2 * above, 2 * below - (WEIGHT + 1) * both)
        key += [wacc, _improvement(wacc, baseline), _fraction(right + tn, columns)]
    return tuple(key)


def _fraction(above: int, below: int) -> Fraction:
    return Fraction(above, below) if below else Fraction(1)


def _improvement(x: Fraction, baseline: Fraction) -> Fraction:
    if x == baseline:
        return Fraction(int(x))
    if x > baseline:
        return (x - baseline) / (1 - baseline)
    return x / baseline - 1
