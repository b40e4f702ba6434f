"""How well a metric ranks systems: its correlation with what people say."""

from __future__ import annotations

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest

CORRELATIONS = ("pearson", "spearman", "kendall")
#: Two systems always correlate perfectly, one way or the other.
FEWEST = 3


def correlation(kind: str, ours: FloatArray, theirs: FloatArray) -> FloatArray:
    """Return the correlation of each row with another, in [-1, 1].

    NaN where all numbers of a side are equal or one is missing (NaN).

    >>> correlation("spearman", np.array([[1.0, 2.0, 30.0], [3.0, 2.0, 1.0]]), np.array([1.0, 2.0, 3.0]))
    array([ 1., -1.])

    Args:
        kind: ``pearson``; ``spearman``: Pearson's of the ranks, equal numbers sharing the mean of theirs; or
            ``kendall``: τ-b, pairs in the same order less pairs in the other order, divided by the geometric
            mean of the numbers of pairs that each side does not tie.
        ours: Shape ``(…, systems)``.
        theirs: Shape ``(systems,)``, or that of ``ours``.

    Raises:
        UsageError: The kind is unknown, or there are fewer than three systems.
    """
    if kind not in CORRELATIONS:
        raise UsageError(
            f"unknown correlation {kind!r}{nearest(kind, CORRELATIONS)}; expected one of {', '.join(CORRELATIONS)}"
        )
    systems = theirs.shape[-1]
    if systems < FEWEST:
        raise UsageError(f"found {systems} systems, a correlation needs {FEWEST} or more")
    if kind == "kendall":
        x, y = _orders(ours), _orders(theirs)
    else:
        if kind == "spearman":
            ours, theirs = ranks(ours), ranks(theirs)
        x, y = _centred(ours), _centred(theirs)
    below = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    out: FloatArray = np.full(np.shape(below), np.nan)
    np.divide((x * y).sum(axis=-1), below, out=out, where=below > 0)
    return np.clip(out, -1, 1)


def _centred(values: FloatArray) -> FloatArray:
    """Return numbers less their mean: exactly 0 where all are equal, which a rounded mean would hide."""
    equal = values.max(axis=-1, keepdims=True) == values.min(axis=-1, keepdims=True)
    return np.where(equal, 0.0, values - values.mean(axis=-1, keepdims=True))


def _orders(values: FloatArray) -> FloatArray:
    """Return for each pair of numbers which one is larger: 1, 0 or -1; shape ``(…, pairs)``."""
    first, second = np.triu_indices(values.shape[-1], k=1)
    return np.sign(values[..., second] - values[..., first])


def ranks(values: FloatArray) -> FloatArray:
    """Return the ranks along the last axis, from 1; equal numbers share the mean of theirs, NaN has none."""
    below = (values[..., None, :] < values[..., :, None]).sum(axis=-1)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    mean_ranks: FloatArray = np.where(np.isnan(values), np.nan, below + (equal + 1) / 2)
    return mean_ranks
