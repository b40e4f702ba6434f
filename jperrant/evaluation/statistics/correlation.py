"""How well a metric ranks systems: its correlation with what people say, how sure it is, and comparisons of two.

- Bootstrap interval: systems are drawn with replacement ("Boot-Systems"), as system-level correlations of few
  systems depend on them most.
- Williams' test of two correlations that share a variable: Williams (1959); Graham and Baldwin (2014), "Testing for
  Significance of Increased Correlation with Human Judgment", equation 1. It assumes normal figures and Pearson's r.

All p-values are two-sided.
"""

from __future__ import annotations

import math

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, check_known
from jperrant.evaluation.statistics.significance import SEED, interval

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


def correlation_interval(
    kind: str, ours: FloatArray, theirs: FloatArray, samples: int = 1000, seed: int = SEED
) -> tuple[float, float]:
    """Return the ends of the 95 % bootstrap interval of a correlation; NaN if no sample has one.

    Args:
        kind: The correlation.
        ours, theirs: Figures of systems, shape ``(systems,)``.
        samples, seed: What is drawn. Samples in which a side does not vary are left out.
    """
    drawn = np.random.default_rng(seed).integers(0, len(ours), size=(samples, len(ours)))
    return interval(correlation(kind, ours[drawn], theirs[drawn]))


def williams(ours: FloatArray, other: FloatArray, theirs: FloatArray) -> tuple[float, float]:
    """Return t and the two-sided p-value of the difference of two Pearson correlations with the same figures.

    Args:
        ours, other: What two metrics say of each system, shape ``(systems,)``.
        theirs: What people say.

    Returns:
        t, above 0 where ``ours`` correlates better, and p; NaN for both where it is not defined: a metric does not
        vary, or the two metrics are the same but for scale.

    Raises:
        UsageError: Fewer than four systems.
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
