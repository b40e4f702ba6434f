"""Candidates of many sentences, kept small: compressed parts of the corpus that act as lists of them.

A candidate as an object takes half a kilobyte, compressed with its neighbours some five to fifty bytes. Numbers
come out as they went in, whole ones as int.
"""

from __future__ import annotations

import pickle
import zlib
from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.base import Candidate, Candidates, Row

T = TypeVar("T")


class Part(NamedTuple):
    """What is kept of sentences that follow one another.

    Attributes:
        sentences: How many there are.
        packed: Their candidates as plain tuples, pickled and compressed.
    """

    sentences: int
    packed: bytes

    def unpacked(self) -> list[Any]:
        """Return the plain tuples of each sentence."""
        plain: list[Any] = pickle.loads(zlib.decompress(self.packed))
        return plain


class _Packed(Sequence[T]):
    """One thing for each sentence, made when it is asked for, so compare these by what they hold.

    Args:
        parts: The sentences, in their order.
    """

    __slots__ = ("_starts", "parts")

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)
        self._starts = [0]
        for part in self.parts:
            self._starts.append(self._starts[-1] + part.sentences)

    @staticmethod
    @abstractmethod
    def made(plain: Any) -> Any:
        """Return the thing of a sentence from its plain tuples."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.parts,)

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[T]:
        for part in self.parts:
            yield from map(self.made, part.unpacked())

    def __reversed__(self) -> Iterator[T]:
        for part in reversed(self.parts):
            yield from map(self.made, reversed(part.unpacked()))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Return what a sentence has, or a list for several."""
        numbers = range(len(self))[index]
        if not isinstance(numbers, int):
            return [self[number] for number in numbers]
        part = bisect_right(self._starts, numbers) - 1
        return self.made(self.parts[part].unpacked()[numbers - self._starts[part]])

    @property
    def nbytes(self) -> int:
        """The memory of the parts, in bytes."""
        return sum(len(part.packed) for part in self.parts)


class PackedCandidates(_Packed[Sequence[Candidate]]):
    """The candidates of each sentence."""

    __slots__ = ()

    @staticmethod
    def made(plain: Any) -> tuple[Candidate, ...]:
        """Return the candidates of a sentence."""
        return tuple([Candidate(*one) for one in plain])


class PackedCombined(_Packed[Candidate]):
    """The candidate that counts for each sentence, with its types."""

    __slots__ = ()

    @staticmethod
    def made(plain: Any) -> Candidate:
        """Return the candidate of a sentence."""
        return Candidate(*plain)

    def rows(self) -> Iterator[Row]:
        """Yield the row of each sentence."""
        for part in self.parts:
            yield from [plain[2] for plain in part.unpacked()]


def pack(candidates: Candidates, *, types: bool) -> Part:
    """Return the candidates of sentences as a part of ``PackedCandidates``.

    Args:
        candidates: Those of each sentence.
        types: Whether to keep their rows by error type.
    """
    return _part([[_plain(c, types) for c in sentence] for sentence in candidates])


def pack_combined(combined: Iterable[Candidate]) -> Part:
    """Return the candidates that count, one for each sentence, as a part of ``PackedCombined``."""
    return _part([_plain(candidate) for candidate in combined])


def _plain(candidate: Candidate, types: bool = True) -> tuple[Any, ...]:
    by_type = dict(candidate.by_type.items()) if types else {}
    return candidate.hypothesis, candidate.reference, candidate.row, by_type, candidate.details


def _part(plain: list[Any]) -> Part:
    return Part(len(plain), zlib.compress(pickle.dumps(plain, pickle.HIGHEST_PROTOCOL), 1))


def row_array(rows: Iterable[Row], columns: int) -> FloatArray:
    """Return rows as an array of shape ``(rows, columns)``, without a list of them in between."""
    flat = array("d")
    for row in rows:
        flat.extend(row)
    return np.array(flat, dtype=np.float64).reshape(-1, columns)


def eligible_rows(
    candidates: Candidates, combined: Iterable[Candidate], columns: int
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return the rows that sentences may count with, and how many each has.

    Those of all candidates of a sentence, or of the combined one alone where no single reference was used.

    Args:
        candidates: Those of each sentence.
        combined: The one that counts for each sentence.
        columns: The length of the rows.
    """
    sizes = array("q")

    def eligible() -> Iterator[Row]:
        for those, own in zip(candidates, combined, strict=True):
            counted = [own.row] if own.reference is None else [c.row for c in those]
            sizes.append(len(counted))
            yield from counted

    rows = row_array(eligible(), columns)
    return rows, np.array(sizes, dtype=np.int64)
