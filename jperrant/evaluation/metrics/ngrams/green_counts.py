"""GREEN: the n-grams of a sentence by what was done and what should have been done, and F-beta of the counts.

Koyama, "n-gram F-score for Evaluating Grammatical Error Correction" (2024): each n-gram of source, hypothesis
and reference is kept, deleted or inserted, rightly or not; precision and recall are geometric means over n.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.fmeasure import fs_of
from jperrant.evaluation.metrics.ngrams.counting import NgramCounts

#: What recall is of an n for which neither source, hypothesis nor reference has anything to recall.
NoNgrams: TypeAlias = Literal["zero", "one", "skip"]
#: The counts of each n: truly kept, deleted and inserted; over-deleted, over-inserted; under-deleted,
#: under-inserted.
KINDS = ("tk", "td", "ti", "od", "oi", "ud", "ui")


def green_columns(order: int) -> tuple[str, ...]:
    """Return the names of the counts for n = 1 … ``order``."""
    return tuple(f"{kind}_{n}" for n in range(1, order + 1) for kind in KINDS)


def green_counts(
    source: Sequence[NgramCounts], hypothesis: Sequence[NgramCounts], reference: Sequence[NgramCounts]
) -> tuple[int, ...]:
    """Return the counts of one hypothesis against one reference, ``KINDS`` for each n.

    With counts s, h and r of an n-gram in source, hypothesis and reference: TK = min(s, r, h),
    TD = max(0, s − max(r, h)), TI = max(0, min(r, h) − s), OD = max(0, min(s, r) − h),
    OI = max(0, h − max(s, r)), UD = max(0, min(s, h) − r), UI = max(0, r − max(s, h)).
    """
    row: list[int] = []
    for s, h, r in zip(source, hypothesis, reference, strict=True):
        row += _counts_of_order(s, h, r)
    return tuple(row)


def _counts_of_order(source: NgramCounts, hypothesis: NgramCounts, reference: NgramCounts) -> list[int]:
    tk = td = ti = od = oi = ud = ui = 0
    for ngram in source.keys() | hypothesis.keys() | reference.keys():
        s, h, r = source.get(ngram, 0), hypothesis.get(ngram, 0), reference.get(ngram, 0)
        if s == h == r:  # most n-grams of a text that is mostly right
            tk += s
            continue
        tk += min(s, h, r)
        # The middle one of the three counts says how much two of them have in common beyond the third.
        if s > h and s > r:
            td += s - max(h, r)
            if r > h:
                od += r - h
            else:
                ud += h - r
        elif r > h:
            if r > s:
                ui += r - max(s, h)
            if h > s:
                ti += h - s
            elif s > h:
                od += min(s, r) - h
        else:
            if h > s and h > r:
                oi += h - max(s, r)
            if s > r:
                ud += min(s, h) - r
            elif r > s:
                ti += min(r, h) - s
    return [tk, td, ti, od, oi, ud, ui]


def green(counts: FloatArray, beta: float, no_ngrams: NoNgrams) -> dict[str, FloatArray]:
    """Return ``green`` (F-beta), ``precision`` and ``recall`` of summed counts, each in 0 … 1.

    Precision and recall are geometric means over n of TP/(TP+FP) and TP/(TP+FN), where TP = TK + TD + TI,
    FP = OD + OI and FN = UD + UI. Where an n has neither TP nor FP its precision is 1.

    Args:
        counts: Shape ``(…, 7 · order)``, as ``green_counts`` gives them, summed over sentences or not.
        beta: Weight of recall against precision.
        no_ngrams: Where an n has neither TP nor FN its recall is 0 (``zero``, the published tool) or 1
            (``one``, gec-metrics), or such an n counts in neither mean (``skip``).
    """
    precisions, recalls, used = _ratios(np.asarray(counts, dtype=np.float64), no_ngrams)
    precision, recall = _geometric_mean(precisions, used), _geometric_mean(recalls, used)
    return {"green": fs_of(precision, recall, beta), "precision": precision, "recall": recall}


def green_keys(counts: FloatArray, beta: float, no_ngrams: NoNgrams) -> FloatArray:
    """Return what the reference of a sentence is chosen by: F-beta over n = 1 … N, 1 … N−1, …, 1.

    Args:
        counts: Shape ``(candidates, 7 · order)``.
        beta, no_ngrams: As in ``green``.

    Returns:
        Shape ``(candidates, order)``; compared from left to right, the highest is best.
    """
    counts = np.asarray(counts, dtype=np.float64)
    order = counts.shape[-1] // len(KINDS)
    widths = range(order * len(KINDS), 0, -len(KINDS))
    return np.stack([green(counts[..., :width], beta, no_ngrams)["green"] for width in widths], axis=-1)


def _ratios(counts: FloatArray, no_ngrams: NoNgrams) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return precision and recall of each n, and 1 where the n counts, all of shape ``(…, order)``."""
    by_order = counts.reshape(*counts.shape[:-1], counts.shape[-1] // len(KINDS), len(KINDS))
    tp, fp, fn = by_order[..., :3].sum(-1), by_order[..., 3:5].sum(-1), by_order[..., 5:].sum(-1)
    no_recall = tp + fn == 0
    precision = np.where(tp + fp == 0, 1.0, tp / np.where(tp + fp == 0, 1.0, tp + fp))
    recall = np.where(no_recall, float(no_ngrams != "zero"), tp / np.where(no_recall, 1.0, tp + fn))
    skipped = (no_recall & (tp + fp == 0)) if no_ngrams == "skip" else np.zeros_like(no_recall)
    return precision, recall, 1.0 - skipped


def _geometric_mean(ratios: FloatArray, used: FloatArray) -> FloatArray:
    """Return the geometric mean of the used ratios; 0 if one of them is 0, 1 if none is used."""
    zero = ((ratios == 0) & (used > 0)).any(-1)
    logarithms = np.log(np.where(ratios == 0, 1.0, ratios)) * used
    mean = np.exp(logarithms.sum(-1) / np.maximum(used.sum(-1), 1.0))
    return np.where(zero, 0.0, mean)
