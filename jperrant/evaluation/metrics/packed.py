"""Candidates of many sentences as arrays: a few bytes each, that act as the lists they were made of.

A candidate as an object takes half a kilobyte, as arrays some ten to a hundred bytes: counts are stored in the
smallest integers that hold them. Numbers come out as they went in, whole ones as int.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, TypeAlias, cast, overload

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.base import Candidate, Candidates, Row

IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
#: What stands for a reference annotator where no single one was used.
_NOBODY = -1


@dataclass(frozen=True, slots=True)
class Figures:
    """Rows of numbers.

    Attributes:
        numbers: Shape ``(rows, columns)``, integers if all are whole.
        whole: Where a float stands for an int: shape ``(columns,)``, or ``(rows, columns)`` where a column has
            both; None for nowhere.
    """

    numbers: npt.NDArray[Any]
    whole: npt.NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, rows: Sequence[Row], columns: int) -> Figures:
        """Return rows as arrays."""
        numbers = np.array(rows).reshape(len(rows), columns)
        if not len(rows) or numbers.dtype.kind in "iu":
            return cls(smallest(numbers.astype(np.int64)))
        whole = np.array([[isinstance(number, int) for number in row] for row in rows], dtype=np.bool_)
        if not whole.any():
            return cls(numbers.astype(np.float64))
        every: npt.NDArray[np.bool_] = np.asarray(whole.all(axis=0))
        same = bool((every == whole.any(axis=0)).all())
        return cls(numbers.astype(np.float64), every if same else whole)

    def rows(self) -> list[Row]:
        """Return the rows as they were."""
        rows: list[list[float]] = self.numbers.tolist()
        if self.whole is None:
            return [tuple(row) for row in rows]
        marks = self.whole.tolist()
        if self.whole.ndim == 1:
            return [tuple([int(x) if w else x for x, w in zip(row, marks, strict=True)]) for row in rows]
        both = zip(rows, marks, strict=True)
        return [tuple([int(x) if w else x for x, w in zip(row, own, strict=True)]) for row, own in both]


@dataclass(frozen=True, slots=True)
class Part:
    """The candidates of sentences that follow one another, as arrays.

    Attributes:
        ends: For each sentence the number of candidates up to its last one.
        hypothesis, reference: The annotators of each candidate; -1 where no single reference was used.
        figures: The row of each candidate.
        details: What else there is to tell of some candidates, by number.
        types: The error types of the part.
        type_ends: For each candidate the number of its types and of those before it; None if types are not kept.
        type_numbers: Places in ``types``.
        type_figures: The row of each type of each candidate.
        eligible: For combined candidates, whether each is one of its sentence's candidates, not made of several.
    """

    ends: IntArray
    hypothesis: IntArray
    reference: IntArray
    figures: Figures
    details: Mapping[int, Mapping[str, object]]
    types: tuple[str, ...] = ()
    type_ends: IntArray | None = None
    type_numbers: IntArray | None = None
    type_figures: Figures | None = None
    eligible: npt.NDArray[np.bool_] | None = None

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, in bytes."""
        arrays: list[npt.NDArray[Any] | None] = [self.ends, self.hypothesis, self.reference, self.type_ends]
        arrays += [self.type_numbers, self.eligible, self.figures.numbers, self.figures.whole]
        if self.type_figures is not None:
            arrays += [self.type_figures.numbers, self.type_figures.whole]
        return sum(array.nbytes for array in arrays if array is not None)

    def candidates(self) -> list[Candidate]:
        """Return the candidates of all sentences."""
        types = self._types()
        return [
            Candidate(h, None if r == _NOBODY else r, row, types[n] if types else {}, self.details.get(n, {}))
            for n, (h, r, row) in enumerate(
                zip(self.hypothesis.tolist(), self.reference.tolist(), self.figures.rows(), strict=True)
            )
        ]

    def sentences(self) -> list[tuple[Candidate, ...]]:
        """Return the candidates of each sentence."""
        candidates = iter(self.candidates())
        return [tuple(islice(candidates, int(size))) for size in np.diff(self.ends, prepend=0)]

    def _types(self) -> list[dict[str, Row]]:
        if self.type_ends is None or self.type_numbers is None or self.type_figures is None:
            return []
        names = [self.types[number] for number in self.type_numbers.tolist()]
        named = zip(names, self.type_figures.rows(), strict=True)
        return [dict(islice(named, int(size))) for size in np.diff(self.type_ends, prepend=0)]


def pack(candidates: Candidates, columns: int, *, types: bool) -> Part:
    """Return the candidates of sentences as arrays.

    Args:
        candidates: Those of each sentence.
        columns: The length of their rows.
        types: Whether to keep their rows by error type.
    """
    flat = list(chain.from_iterable(candidates))
    by_type = [dict(candidate.by_type.items()) for candidate in flat] if types else []
    names = {name: number for number, name in enumerate(sorted(set().union(*by_type)))}
    return Part(
        ends=smallest(np.cumsum([len(sentence) for sentence in candidates], dtype=np.int64)),
        hypothesis=smallest(np.array([c.hypothesis for c in flat], dtype=np.int64)),
        reference=smallest(
            np.array([_NOBODY if c.reference is None else c.reference for c in flat], dtype=np.int64)
        ),
        figures=Figures.of([c.row for c in flat], columns),
        details={number: c.details for number, c in enumerate(flat) if c.details},
        types=tuple(names),
        type_ends=smallest(np.cumsum([len(own) for own in by_type], dtype=np.int64)) if types else None,
        type_numbers=smallest(np.array([names[name] for own in by_type for name in own], dtype=np.int64)),
        type_figures=Figures.of([row for own in by_type for row in own.values()], columns) if types else None,
    )


def pack_combined(combined: Sequence[Candidate], candidates: Candidates, columns: int) -> Part:
    """Return the candidates that count, one for each sentence, as arrays with their types.

    Args:
        combined: One candidate for each sentence.
        candidates: What each was chosen among, or made of.
        columns: The length of their rows.
    """
    part = pack([(candidate,) for candidate in combined], columns, types=True)
    chosen = [any(c is own for c in those) for own, those in zip(combined, candidates, strict=True)]
    return replace(part, eligible=np.array(chosen, dtype=np.bool_))


class _Parts:
    """What candidates of each sentence and combined candidates share: parts, one behind the other."""

    __slots__ = ("_starts", "parts")

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)
        self._starts = [0]
        for part in self.parts:
            self._starts.append(self._starts[-1] + len(part.ends))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.parts,)

    def __len__(self) -> int:
        return self._starts[-1]

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, in bytes."""
        return sum(part.nbytes for part in self.parts)

    def _place(self, index: int) -> tuple[Part, int]:
        """Return the part of a sentence and its number there."""
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(index)
        part = bisect_right(self._starts, number) - 1
        return self.parts[part], number - self._starts[part]


class PackedCandidates(_Parts, Sequence[Sequence[Candidate]]):
    """The candidates of each sentence; each is made when it is asked for, so compare them by what they hold.

    Args:
        parts: The sentences, in their order.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[tuple[Candidate, ...]]:
        for part in self.parts:
            yield from part.sentences()

    def __reversed__(self) -> Iterator[tuple[Candidate, ...]]:
        for part in reversed(self.parts):
            yield from reversed(part.sentences())

    @overload
    def __getitem__(self, index: int) -> Sequence[Candidate]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[Candidate]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Return the candidates of a sentence, or a list of those of several."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        part, number = self._place(index)
        return part.sentences()[number]


class PackedCombined(_Parts, Sequence[Candidate]):
    """The candidate that counts for each sentence, with its types; made when it is asked for.

    Args:
        parts: The sentences, in their order, each with one candidate.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[Candidate]:
        for part in self.parts:
            yield from part.candidates()

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Return the candidate of a sentence, or a list of those of several."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        part, number = self._place(index)
        return part.candidates()[number]

    def rows(self) -> Iterator[Row]:
        """Yield the row of each sentence."""
        for part in self.parts:
            yield from part.figures.rows()

    def array(self, columns: int) -> FloatArray:
        """Return the rows, shape ``(sentences, columns)``."""
        rows = np.empty((len(self), columns))
        for start, part in zip(self._starts, self.parts, strict=False):
            rows[start : start + len(part.ends)] = part.figures.numbers
        return rows

    def mapped(self, change: Callable[[Candidate], Candidate], columns: int) -> PackedCombined:
        """Return the candidates changed one by one, a part at a time."""
        parts = []
        for part in self.parts:
            changed = pack([(change(candidate),) for candidate in part.candidates()], columns, types=True)
            parts.append(replace(changed, eligible=part.eligible))
        return PackedCombined(parts)


def eligible_rows(
    candidates: Candidates, combined: Sequence[Candidate], columns: int
) -> tuple[FloatArray, IntArray]:
    """Return the rows that sentences may count with, and how many each has.

    Those of all candidates of a sentence, or of the combined one alone where that was made of several.

    Args:
        candidates: Those of each sentence.
        combined: The one that counts for each sentence.
        columns: The length of the rows.
    """
    if isinstance(candidates, PackedCandidates) and isinstance(combined, PackedCombined):
        found = [_eligible(*both) for both in zip(candidates.parts, combined.parts, strict=True)]
        return np.concatenate([rows for rows, _ in found]), np.concatenate([sizes for _, sizes in found])
    rows = [
        [c.row for c in those] if any(c is own for c in those) else [own.row]
        for those, own in zip(candidates, combined, strict=True)
    ]
    flat = np.array([row for sentence in rows for row in sentence], dtype=np.float64).reshape(-1, columns)
    return flat, np.array([len(sentence) for sentence in rows], dtype=np.int64)


def _eligible(candidates: Part, combined: Part) -> tuple[FloatArray, IntArray]:
    ends = candidates.ends.astype(np.int64)
    sizes: IntArray = ends - np.concatenate([[0], ends[:-1]])
    rows = candidates.figures.numbers.astype(np.float64)
    if combined.eligible is None or combined.eligible.all():
        return rows, sizes
    made = ~combined.eligible
    # A combined row takes the place of its sentence's first candidate; the others go.
    first = ends - sizes
    rows[first[made]] = combined.figures.numbers[made]
    kept = ~np.repeat(made, sizes)
    kept[first[made]] = True
    return rows[kept], np.where(made, 1, sizes)


def smallest(numbers: npt.NDArray[np.int64]) -> IntArray:
    """Return integers in the smallest signed type that holds them all."""
    if not numbers.size:
        return numbers.astype(np.int8)
    low, high = int(numbers.min()), int(numbers.max())
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return cast(IntArray, numbers.astype(kind))
    return numbers
