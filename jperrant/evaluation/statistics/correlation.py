"""How well a metric ranks systems: its correlation with what people say."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest

CORRELATIONS = ("pearson", "spearman")
#: Two systems always correlate perfectly, one way or the other.
FEWEST = 3
Pair: TypeAlias = tuple[FloatArray, FloatArray]


def correlation(kind: str, ours: FloatArray, theirs: FloatArray) -> FloatArray:
    """Return the correlation of each row with one row, in [-1, 1]; NaN where all numbers of a side are equal.

    >>> correlation("spearman", np.array([[1.0, 2.0, 30.0], [3.0, 2.0, 1.0]]), np.array([1.0, 2.0, 3.0]))
    array([ 1., -1.])

    Args:
        kind: ``pearson``, or ``spearman``: Pearson's of the ranks, equal numbers sharing the mean of theirs.
        ours: Shape ``(…, systems)``.
        theirs: Shape ``(systems,)``.

    Raises:
        UsageError: The kind is unknown, or there are fewer than three systems.
    """
    if kind not in CORRELATIONS:
        raise UsageError(
            f"unknown correlation {kind!r}{nearest(kind, CORRELATIONS)}; choose {' or '.join(CORRELATIONS)}"
        )
    if len(theirs) < FEWEST:
        raise UsageError(f"a correlation over {len(theirs)} systems says nothing; give {FEWEST} or more")
    if kind == "spearman":
        ours, theirs = ranks(ours), ranks(theirs)
    x = ours - ours.mean(axis=-1, keepdims=True)
    y = theirs - theirs.mean()
    below = np.sqrt((x**2).sum(axis=-1) * (y**2).sum())
    out: FloatArray = np.full(np.shape(below), np.nan)
    np.divide(x @ y, below, out=out, where=below > 0)
    return np.clip(out, -1, 1)


def ranks(values: FloatArray) -> FloatArray:
    """Return the ranks along the last axis, from 1; equal numbers share the mean of theirs."""
    below = (values[..., None, :] < values[..., :, None]).sum(axis=-1)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    mean_ranks: FloatArray = below + (equal + 1) / 2
    return mean_ranks
