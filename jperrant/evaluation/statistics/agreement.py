"""Agreement of annotators on labels of items, from counts that may be summed over sentences.

Each coefficient is two steps: ``…_row`` counts the items of one sentence, and a pure function turns summed rows,
shape ``(…, columns)``, into values of shape ``(…)``, so that bootstrap samples are weighted sums of rows. A value
that does not exist (no items, or one label throughout, where chance alone gives full agreement) is NaN.

- Cohen (1960), "A Coefficient of Agreement for Nominal Scales": kappa = (po - pe) / (1 - pe).
- Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": alpha = 1 - Do / De, nominal, any number of
  coders, missing labels.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.fmeasure import ratio

#: Labels of items as numbers from 0; ``MISSING`` where a coder gave none.
Labels: TypeAlias = npt.NDArray[np.int64]
MISSING = -1
NAN = float("nan")


def kappa_row(first: Labels, second: Labels, categories: int) -> FloatArray:
    """Return what Cohen's kappa needs of some items.

    Args:
        first, second: The labels of two coders, shape ``(items,)``, each below ``categories`` and none missing.
        categories: The number of labels.

    Returns:
        Items, items with equal labels, the frequency of each label with the first coder and with the second; shape
        ``(2 + 2 * categories,)``.
    """
    counts = [np.bincount(labels, minlength=categories) for labels in (first, second)]
    return np.concatenate([[len(first), np.count_nonzero(first == second)], *counts]).astype(np.float64)


def kappa(rows: FloatArray) -> FloatArray:
    """Return Cohen's kappa of summed rows, in [-1, 1]; NaN without items or where chance gives full agreement.

    >>> row = kappa_row(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2)
    >>> float(kappa(row))
    0.5
    """
    items, agreed = rows[..., 0], rows[..., 1]
    first, second = np.split(rows[..., 2:], 2, axis=-1)
    chance = (first * second).sum(axis=-1)
    return ratio(agreed * items - chance, items**2 - chance, NAN)


def alpha_row(labels: Labels, categories: int) -> FloatArray:
    """Return what Krippendorff's alpha needs of some items.

    Args:
        labels: The labels, shape ``(coders, items)``, ``MISSING`` for none. Items with fewer than two labels say
            nothing and are left out.
        categories: The number of labels.

    Returns:
        The number of equal pairs, each item's divided by its number of labels less one, and the frequency of each
        label; shape ``(1 + categories,)``.
    """
    counts = np.zeros((labels.shape[1], categories))
    coders, items = np.nonzero(labels != MISSING)
    np.add.at(counts, (items, labels[coders, items]), 1.0)
    given = counts.sum(axis=1)
    counts, given = counts[given > 1], given[given > 1]
    equal = (counts * (counts - 1)).sum(axis=1) / (given - 1)
    return np.concatenate([[equal.sum()], counts.sum(axis=0)])


def alpha(rows: FloatArray) -> FloatArray:
    """Return Krippendorff's nominal alpha of summed rows, at most 1; NaN where no two labels differ.

    >>> round(float(alpha(alpha_row(np.array([[0, 0, 1, 1], [0, 1, 1, 1]]), 2))), 6)
    0.533333
    """
    equal, frequencies = rows[..., 0], rows[..., 1:]
    total = frequencies.sum(axis=-1)
    observed = total - equal
    expected = (total**2 - (frequencies**2).sum(axis=-1)) / np.maximum(total - 1, 1)
    return 1 - ratio(observed, expected, NAN)


def share(rows: FloatArray) -> FloatArray:
    """Return the first column of summed rows divided by the second; NaN where that is 0."""
    return ratio(rows[..., 0], rows[..., 1], NAN)
