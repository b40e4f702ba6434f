"""Rows of counts of which most are 0: of each sentence only the others are kept, a few bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray

IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
#: Rows that are packed together.
_TOGETHER = 1 << 14


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows that follow one another: how many counts each has, their columns and themselves."""

    lengths: IntArray
    columns: IntArray
    counts: npt.NDArray[Any]

    @property
    def nbytes(self) -> int:
        return self.lengths.nbytes + self.columns.nbytes + self.counts.nbytes


class SparseRows:
    """Rows of counts, one for each sentence, whose columns become more as they come.

    >>> rows = SparseRows()
    >>> rows.add({0: 2})
    >>> rows.add({0: 1, 5: 3})
    >>> rows.totals(np.array([1.0, 2.0]), 6).tolist()
    [4.0, 0.0, 0.0, 0.0, 0.0, 6.0]
    """

    def __init__(self) -> None:
        self._parts: list[_Part] = []
        self._lengths, self._columns, self._counts = array("q"), array("q"), array("d")

    def __len__(self) -> int:
        return sum(len(part.lengths) for part in self._parts) + len(self._lengths)

    @property
    def nbytes(self) -> int:
        """The memory of what is packed, in bytes."""
        return sum(part.nbytes for part in self._parts)

    def add(self, counts: Mapping[int, float]) -> None:
        """Add the row of the next sentence.

        Args:
            counts: By column; those that are not named are 0.
        """
        self._lengths.append(len(counts))
        self._columns.extend(counts)
        self._counts.extend(counts.values())
        if len(self._lengths) == _TOGETHER:
            self._pack()

    def totals(self, times: FloatArray, columns: int) -> FloatArray:
        """Return the sum of the rows, each so many times.

        Args:
            times: How often each row counts, shape ``(rows,)``.
            columns: The number of columns.
        """
        self._pack()
        total, start = np.zeros(columns), 0
        for part in self._parts:
            end = start + len(part.lengths)
            weights = np.repeat(times[start:end], part.lengths) * part.counts
            total += np.bincount(part.columns, weights, minlength=columns)
            start = end
        return total

    def _pack(self) -> None:
        if not self._lengths:
            return
        numbers = np.array(self._counts, dtype=np.float64)
        whole = bool((numbers == np.rint(numbers)).all())
        self._parts.append(
            _Part(
                smallest(np.array(self._lengths, dtype=np.int64)),
                smallest(np.array(self._columns, dtype=np.int64)),
                smallest(numbers.astype(np.int64)) if whole else numbers,
            )
        )
        self._lengths, self._columns, self._counts = array("q"), array("q"), array("d")


def smallest(numbers: npt.NDArray[np.int64]) -> IntArray:
    """Return integers in the smallest signed type that holds them all."""
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    return cast(IntArray, numbers.astype(np.min_scalar_type(min(low, -high - 1))))
