"""Alignment of three texts of which two are equal, which is an alignment of two.

In a cheapest alignment equal texts stay side by side: both other pairs are then aligned as cheaply as they can be.
A match of the two different texts costs 0, a mismatch twice 3, a gap twice 2. Columns are preferred as in
``alignment``: without a gap, then those of the equal texts, then those of the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

#: What a column takes of the equal texts and of the other one, in the order of preference.
STEPS = ((1, 1), (1, 0), (0, 1))
_GAP, _MISMATCH = 4, 6

TokenArray: TypeAlias = npt.NDArray[np.int32]


def align_pairs(equal: TokenArray, other: TokenArray, lengths: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the columns of each alignment as indices of ``STEPS``.

    Args:
        equal, other: The tokens as numbers, shape (problems, longest text); what is beyond a text does not matter.
        lengths: The true lengths of both texts of each problem.
    """
    codes = _best_steps(equal, other)
    return [_trace_back(codes[:, b], *sizes) for b, sizes in enumerate(lengths)]


def _best_steps(equal: TokenArray, other: TokenArray) -> npt.NDArray[np.uint8]:
    """Return the step into each cell, shape (planes, problems, i); plane d holds the cells of j = d − i.

    A cell holds 4 times its cost plus its step, so that of equal costs the preferred step is the least number.
    """
    problems, n_equal = equal.shape
    n_other = other.shape[1]
    planes = n_equal + n_other + 1
    steps = np.zeros((planes, problems, n_equal + 1), dtype=np.uint8)
    infinite = 1 << 29
    # Column i of the window at d is token d − i − 1 of the other text.
    padded = np.full((problems, n_equal + n_other + n_equal + 1), -2, dtype=np.int32)
    padded[:, n_equal + 1 : n_equal + 1 + n_other] = other
    reversed_other = padded[:, ::-1]
    previous = before_previous = np.full((problems, n_equal + 1), infinite, dtype=np.int32)
    for d in range(planes):
        start = planes - 1 - d
        mismatch = 4 * _MISMATCH * (equal != reversed_other[:, start + 1 : start + 1 + n_equal])
        plane = previous + (4 * _GAP + 2)
        np.minimum(plane[:, 1:], previous[:, :-1] + (4 * _GAP + 1), out=plane[:, 1:])
        np.minimum(plane[:, 1:], before_previous[:, :-1] + mismatch, out=plane[:, 1:])
        if d == 0:
            plane[:, 0] = 0
        steps[d] = plane & 3
        plane &= ~3
        plane[:, d + 1 :] = infinite
        previous, before_previous = plane, previous
    return steps


def _trace_back(codes: npt.NDArray[np.uint8], i: int, j: int) -> list[int]:
    width = codes.shape[1]
    cells = codes.tobytes()
    steps = []
    while i or j:
        step = cells[(i + j) * width + i]
        steps.append(step)
        i, j = i - STEPS[step][0], j - STEPS[step][1]
    steps.reverse()
    return steps
