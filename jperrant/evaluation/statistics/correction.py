"""Correction of p-values for many tests: Holm's step-down procedure, and Benjamini and Hochberg's step-up one.

Holm (1979), "A Simple Sequentially Rejective Multiple Test Procedure", bounds the chance of one false finding or
more among all tests; Benjamini and Hochberg (1995), "Controlling the False Discovery Rate", bound the expected
share of false ones among the findings, for tests that are independent or positively dependent. Both as adjusted
p-values, to be compared with the level itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jperrant.core.errors import UsageError, nearest

#: The corrections there are, as they are named in tables.
CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "none"}


def corrected(p: Sequence[float], correction: str = "holm") -> list[float]:
    """Return adjusted p-values, in the order of the given ones.

    >>> corrected([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]

    Args:
        p: The p-values of one family of tests.
        correction: ``holm``, ``bh`` or ``none``.

    Raises:
        UsageError: There is no such correction.
    """
    if correction not in CORRECTIONS:
        raise UsageError(
            f"unknown correction {correction!r}{nearest(correction, CORRECTIONS)}; expected one of "
            f"{', '.join(CORRECTIONS)}"
        )
    if correction == "none" or not p:
        return list(p)
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    tests, rank = len(values), np.arange(1, len(values) + 1)
    if correction == "holm":  # the smallest of m values times m, the next times m - 1, never falling
        adjusted = np.maximum.accumulate(values[order] * (tests - rank + 1))
    else:  # the largest times m/m, the one before times m/(m - 1), never rising on the way down
        adjusted = np.minimum.accumulate((values[order] * tests / rank)[::-1])[::-1]
    result = np.empty(tests)
    result[order] = np.minimum(adjusted, 1)
    return [float(one) for one in result]
