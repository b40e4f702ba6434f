"""How sure a correlation with people is, and whether one metric correlates better than another.

- Bootstrap interval: systems are drawn with replacement ("Boot-Systems"), as system-level correlations of few
  systems depend on them most.
- Williams' test of two correlations that share a variable: Williams (1959); Graham and Baldwin (2014), "Testing for
  Significance of Increased Correlation with Human Judgment", equation 1. It assumes normal figures and Pearson's r.
- Permutation tests of Deutsch, Dror and Roth (2021), "A Statistical Analysis of Summarization Evaluation
  Metrics Using Resampling Methods", section 4.2: the scores of both metrics are standardised and exchanged at
  random, cell by cell of systems × sentences ("Perm-Both"), or system by system ("Perm-Systems") where only
  scores of systems are known.

All p-values are two-sided.
"""

from __future__ import annotations

import math

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.statistics.correlation import correlation
from jperrant.evaluation.statistics.significance import SEED, interval, p_value

#: Exchanges drawn together: bounds the memory of a test.
_TOGETHER = 64


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


def permutation_p(
    kind: str,
    ours: FloatArray,
    other: FloatArray,
    theirs: FloatArray,
    samples: int = 1000,
    seed: int = SEED,
) -> float:
    """Return the two-sided p-value of the difference of two correlations, by exchanging scores.

    Args:
        kind: The correlation.
        ours, other: What two metrics say: of each sentence of each system, shape ``(systems, sentences)``
            (Perm-Both: the score of a system is the mean of its sentences), or of each system, shape
            ``(systems, 1)`` (Perm-Systems). Higher is better in both.
        theirs: What people say of each system, shape ``(systems,)``.
        samples, seed: What is drawn.

    Returns:
        p in (0, 1]; NaN where a correlation is not defined.
    """
    first, second = _standardised(ours), _standardised(other)
    observed = correlation(kind, first.mean(axis=1), theirs) - correlation(kind, second.mean(axis=1), theirs)
    if np.isnan(observed):
        return math.nan
    gap = second - first
    random = np.random.default_rng(seed)
    drawn = []
    for start in range(0, samples, _TOGETHER):
        number = min(_TOGETHER, samples - start)
        swaps = random.integers(0, 2, size=(number, *gap.shape), dtype=np.int8)
        moved = np.einsum("nij,ij->ni", swaps, gap) / gap.shape[1]
        one, two = first.mean(axis=1) + moved, second.mean(axis=1) - moved
        drawn.append(correlation(kind, one, theirs) - correlation(kind, two, theirs))
    return p_value(np.concatenate(drawn), float(observed))


def _standardised(scores: FloatArray) -> FloatArray:
    """Return scores with mean 0 and standard deviation 1 over all cells, so that metrics can be exchanged."""
    deviation = scores.std()
    centred: FloatArray = scores - scores.mean()
    return centred / deviation if deviation > 0 else centred
