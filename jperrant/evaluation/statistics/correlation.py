"""Correlations of metric scores with human scores, their bootstrap intervals, and Williams' test of two metrics.

- Bootstrap interval: systems are drawn with replacement ("Boot-Systems"), since the choice of systems is the main
  source of uncertainty.
- Williams' test of two correlations that share a variable: Williams (1959); Graham and Baldwin (2014), "Testing for
  Significance of Increased Correlation with Human Judgment", equation 1. It is for Pearson's r and assumes
  normally distributed scores.

All p-values are two-sided.
"""

from __future__ import annotations

import math

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, check_known
from jperrant.evaluation.statistics.significance import SEED, interval

CORRELATIONS = ("pearson", "spearman", "kendall")
#: The fewest systems for a correlation; that of two systems is always 1 or -1.
FEWEST = 3


def correlation(kind: str, ours: FloatArray, theirs: FloatArray) -> FloatArray:
    """Return the correlation of each row with another, in [-1, 1]; NaN if a row is constant or has NaN.

    >>> correlation("spearman", np.array([[1.0, 2.0, 30.0], [3.0, 2.0, 1.0]]), np.array([1.0, 2.0, 3.0]))
    array([ 1., -1.])

    Args:
        kind: ``pearson``; ``spearman``, Pearson's correlation of the ranks, where equal numbers get their mean
            rank; or ``kendall``, τ-b: the number of concordant pairs minus that of discordant pairs, divided by
            the geometric mean of the numbers of pairs without a tie on each side.
        ours: Shape ``(…, systems)``.
        theirs: Shape ``(systems,)``, or that of ``ours``.

    Raises:
        UsageError: The kind is unknown or there are fewer than three systems.
    """
    check_known("correlation", kind, CORRELATIONS)
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
    """Return numbers minus their mean, exactly 0 if all are equal (a rounded mean would leave a remainder)."""
    equal = values.max(axis=-1, keepdims=True) == values.min(axis=-1, keepdims=True)
    return np.where(equal, 0.0, values - values.mean(axis=-1, keepdims=True))


def _orders(values: FloatArray) -> FloatArray:
    """Return the sign of the difference of every two numbers, shape ``(…, pairs)``."""
    first, second = np.triu_indices(values.shape[-1], k=1)
    return np.sign(values[..., second] - values[..., first])


def ranks(values: FloatArray) -> FloatArray:
    """Return the ranks along the last axis, from 1; equal numbers share their mean rank, NaN stays NaN."""
    below = (values[..., None, :] < values[..., :, None]).sum(axis=-1)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    mean_ranks: FloatArray = np.where(np.isnan(values), np.nan, below + (equal + 1) / 2)
    return mean_ranks


def correlation_interval(
    kind: str, ours: FloatArray, theirs: FloatArray, samples: int = 1000, seed: int = SEED
) -> tuple[float, float]:
    """Return the ends of the 95 % bootstrap interval of a correlation; NaN if it is undefined in all samples.

    Args:
        kind: The correlation.
        ours, theirs: The scores of systems, shape ``(systems,)``.
        samples, seed: The number of samples, and the seed.
    """
    drawn = np.random.default_rng(seed).integers(0, len(ours), size=(samples, len(ours)))
    return interval(correlation(kind, ours[drawn], theirs[drawn]))


def williams(ours: FloatArray, other: FloatArray, theirs: FloatArray) -> tuple[float, float]:
    """Return t and the two-sided p-value of Williams' test of two Pearson correlations with the same scores.

    Args:
        ours, other: The scores of two metrics, shape ``(systems,)``.
        theirs: The human scores, shape ``(systems,)``.

    Returns:
        t, positive if ``ours`` correlates better, and p. Both are NaN where the test is undefined: a metric is
        constant, or one metric is a linear function of the other.

    Raises:
        UsageError: There are fewer than four systems.
    """
    n = len(theirs)
    if n < 4:
        raise UsageError(f"found {n} systems, Williams' test needs 4 or more")
    r12, r13, r23 = (
        float(correlation("pearson", a, b)) for a, b in ((ours, theirs), (other, theirs), (ours, other))
    )
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if math.isnan(below) or below <= 1e-15:
        return math.nan, math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return t, student_p(t, n - 3)


def student_p(t: float, freedom: int) -> float:
    """Return the two-sided p-value of Student's t, by the finite series for whole degrees of freedom.

    Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.

    >>> round(student_p(2.228, 10), 3)
    0.05

    Args:
        t: The statistic.
        freedom: Degrees of freedom, 1 or more.
    """
    angle = math.atan2(abs(t), math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom, 2):
        term *= cosine**2 * (k - 1) / k
        total += term
    inside = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return min(1.0, max(0.0, 1 - inside))
