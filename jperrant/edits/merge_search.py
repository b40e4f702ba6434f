"""Splitting a run of operations by the rules, in time that is nearly linear in its length.

The definition: of all ranges in which a rule fires, the widest splits the run, the leftmost among those of one
width; then the pieces are looked at in the same manner. ERRANT tests every range of every piece, which grows with
the fourth power of the run's length. Here few ranges are tested, because of what a rule looks at:

- Possessives, capitals and punctuation ask about the end of a range and, at most, the beginning of the piece:
  where one of them fires in a range, it fires in the range from the beginning of the piece to the same end. So a
  piece has one such range that comes first (``Ends``).
- Word classes fire within stretches of words of one class, and equal letters between points where both sides
  have the same letters since the chain's first point. Of a stretch or chain only the widest range counts; where
  a split cuts it, its parts take its place (``Region``).
- All others look at two operations.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import groupby
from typing import Protocol

from jperrant.edits.merge_run import Piece, Run


class Region(Protocol):
    """Ranges of operations in which a rule fires."""

    def widest(self, low: int, high: int) -> tuple[int, int] | None:
        """Return the first and last operation of the widest range in ``low..high``, the leftmost of several."""


class _Stretch:
    """Operations ``low..high`` on words of one class: one edit where the sides differ in length."""

    def __init__(self, run: Run, low: int, high: int) -> None:
        self._run, self._low, self._high = run, low, high
        #: Operations on one side only, in order.
        self._one_sided = [k for k in range(low, high) if not run.has_substitution(k, k + 1)]

    def widest(self, low: int, high: int) -> tuple[int, int] | None:
        run, low, high = self._run, max(low, self._low), min(high, self._high)
        first = bisect_left(self._one_sided, low)
        last = bisect_left(self._one_sided, high) - 1
        if high - low < 2 or last < first:
            return None
        if _excess(run, low) != _excess(run, high):
            ranges = [(low, high)]
        else:  # any range in between whose sides differ in length can be widened to one of these
            ranges = [(low, self._one_sided[last]), (self._one_sided[first] + 1, high)]
        valid = [(b - a, -a) for a, b in ranges if b - a > 1 and run.has_substitution(a, b)]
        if not valid:
            return None
        length, minus_first = max(valid)
        return -minus_first, length - minus_first - 1


class _Chain:
    """Boundaries of operations between any two of which both sides have the same letters."""

    def __init__(self, run: Run, boundaries: Sequence[int]) -> None:
        self._run, self._boundaries = run, boundaries

    def widest(self, low: int, high: int) -> tuple[int, int] | None:
        left = bisect_left(self._boundaries, low)
        right = bisect_right(self._boundaries, high) - 1
        if left >= right:
            return None
        first, end = self._boundaries[left], self._boundaries[right]
        if end - first < 2 or not self._run.has_substitution(first, end):
            return None
        return first, end - 1


def word_classes(run: Run) -> Iterator[Region]:
    """Yield the stretches of words of verb phrases and those of words of one UPOS tag."""
    for classes in (_verbal(run), _one_tag(run)):
        for tag, group in groupby(range(run.count), key=classes.__getitem__):
            stretch = list(group)
            if tag and len(stretch) > 1 and run.has_substitution(stretch[0], stretch[-1] + 1):
                yield _Stretch(run, stretch[0], stretch[-1] + 1)


def letter_chains(run: Run) -> Iterator[Region]:
    """Yield the chains: boundaries where the same number of letters more stands on one side than on the other.

    Between two neighbours of a chain the letters are compared; between others they follow.
    """
    source, target = run.source, run.target
    chains: list[list[int]] = []
    latest: dict[int, list[int]] = {}
    for boundary in range(run.count + 1):
        here, there = _letters_before(run, boundary)
        chain = latest.get(here - there)
        if chain is not None:
            before, other = _letters_before(run, chain[-1])
            if source.text[before:here] == target.text[other:there]:
                chain.append(boundary)
                continue
        latest[here - there] = chain = [boundary]
        chains.append(chain)
    return (_Chain(run, chain) for chain in chains if chain[-1] - chain[0] > 1)


def _letters_before(run: Run, boundary: int) -> tuple[int, int]:
    """Return how many letters of source and target stand before an operation."""
    if boundary == run.count:
        return len(run.source.text), len(run.target.text)
    return run.source.offsets[run.start[boundary]], run.target.offsets[run.target_start[boundary]]


def _excess(run: Run, boundary: int) -> int:
    """Return how many more words the source has than the target before an operation."""
    if boundary == run.count:
        return run.end[-1] - run.target_end[-1]
    return run.start[boundary] - run.target_start[boundary]


def _verbal(run: Run) -> list[str]:
    verbal = run.rules.verbal
    return ["verbal" if verbal.issuperset(_tags(run, k)) else "" for k in range(run.count)]


def _one_tag(run: Run) -> list[str]:
    """Return the UPOS tag that all words of an operation share, or an empty string."""
    tags = [set(_tags(run, k)) for k in range(run.count)]
    return [next(iter(t)) if len(t) == 1 else "" for t in tags]


def _tags(run: Run, k: int) -> list[str]:
    source = run.source.upos[run.start[k] : run.end[k]]
    return source + run.target.upos[run.target_start[k] : run.target_end[k]]


def split_run(run: Run) -> list[tuple[int, int]]:
    """Return the operations ``low..high`` (exclusive) of each edit, in order."""
    return _Splitter(run).edits()


class _Splitter:
    """The pieces of a run, and a queue of the ranges in which a rule may fire, the widest first."""

    def __init__(self, run: Run) -> None:
        self._run, self._ends = run, _Ends(run)
        self._lows: list[int] = []
        self._pieces: dict[int, Piece] = {}
        # Minus the width, first operation, number of the entry, and where the region is looked at.
        self._queue: list[tuple[int, int, int, int, int, Region | None]] = []
        self._entries = 0
        for first in range(run.count - 1):
            if run.has_substitution(first, first + 2) and run.is_part(first):
                self._push(first, first + 1)
        for region in (*word_classes(run), *letter_chains(run)):
            self._push_region(0, run.count, region)
        self._place(Piece(0, run.count, False))

    def edits(self) -> list[tuple[int, int]]:
        """Split as long as a rule fires; then a piece with a content word is one edit."""
        while self._queue:
            width, first, _, low, high, region = heappop(self._queue)
            self._try(first, first - width)
            if region is not None:
                self._push_parts(low, high, self._piece_at(first), region)
        edits: list[tuple[int, int]] = []
        for low in self._lows:
            _, high, whole = self._pieces[low]
            if whole or self._run.has_content(low, high):
                edits.append((low, high))
            else:
                edits += [(k, k + 1) for k in range(low, high)]
        return edits

    def _try(self, first: int, last: int) -> None:
        """Split the piece that holds a range if a rule fires there; what was split in between is no range."""
        low, high, whole = self._piece_at(first)
        if not whole and last < high:
            for part in self._run.split(low, high, first, last):
                if part.low < part.high:
                    self._place(part)

    def _piece_at(self, operation: int) -> Piece:
        return self._pieces[self._lows[bisect_right(self._lows, operation) - 1]]

    def _place(self, piece: Piece) -> None:
        """Note a piece, and the range from its beginning that comes first."""
        low, high, whole = piece
        if low not in self._pieces:
            insort(self._lows, low)
        whole = whole or high - low == 1 or self._run.uniform(low, high)
        self._pieces[low] = Piece(low, high, whole)
        if not whole and self._run.has_substitution(low, high):
            self._push(low, self._ends.widest(low, high))
            if self._run.has_substitution(high - 2, high):
                self._push(high - 2, high - 1)  # it may end in a determiner

    def _push(self, first: int, last: int) -> None:
        if last > first:
            self._entries += 1
            heappush(self._queue, (first - last, first, self._entries, first, last + 1, None))

    def _push_region(self, low: int, high: int, region: Region) -> None:
        if high - low > 1 and (widest := region.widest(low, high)):
            first, last = widest
            self._entries += 1
            heappush(self._queue, (first - last, first, self._entries, low, high, region))

    def _push_parts(self, low: int, high: int, piece: Piece, region: Region) -> None:
        """Push the parts of a region before, in and after a piece."""
        self._push_region(low, min(high, piece.low), region)
        if not piece.whole and (piece.low, piece.high) != (low, high):
            self._push_region(max(low, piece.low), min(high, piece.high), region)
        self._push_region(max(low, piece.high), high, region)


class _Ends:
    """The rules that look at the end of a range, which fire first in a range from the beginning of a piece."""

    def __init__(self, run: Run) -> None:
        self._run = run
        source, target, ends = run.source, run.target, list(zip(run.end, run.target_end, strict=True))
        same = [e > 0 < f and source.lower[e - 1] == target.lower[f - 1] for e, f in ends]
        self._same = _latest(same)
        self._possessive = _latest(
            [(e > 0 and source.possessive[e - 1]) or (f > 0 and target.possessive[f - 1]) for e, f in ends]
        )
        self._source_punct = _latest(
            [equal and e > 1 and source.punct[e - 2] for equal, (e, _) in zip(same, ends, strict=True)]
        )
        self._target_punct = _latest(
            [equal and f > 1 and target.punct[f - 2] for equal, (_, f) in zip(same, ends, strict=True)]
        )

    def widest(self, low: int, high: int) -> int:
        """Return the last operation of the widest range from ``low`` in which such a rule fires, else ``low``.

        A later range from the same operation holds all of an earlier one: what does not fire for want of
        a substitution or of a second word in the latest range fires in none before it.
        """
        run, source, target = self._run, self._run.source, self._run.target
        s, t = run.start[low], run.target_start[low]
        if (s < len(source.forms) and source.possessive[s]) or (
            t < len(target.forms) and target.possessive[t]
        ):
            return high - 1
        lasts = [self._possessive[high]]
        for latest, ends, start in (
            (self._source_punct, run.end, s),
            (self._target_punct, run.target_end, t),
        ):
            last = latest[high]
            if last > low and ends[last] - start > 1:
                lasts.append(last)
        if t < len(target.forms) and target.capital[t]:
            lasts.append(self._same[min(high, bisect_right(run.end, s + 1))])
        if s < len(source.forms) and source.capital[s]:
            lasts.append(self._same[min(high, bisect_right(run.target_end, t + 1))])
        return max([low, *(last for last in lasts if last > low and run.has_substitution(low, last + 1))])


def _latest(holds: list[bool]) -> list[int]:
    """Return for each place the last operation before it for which something holds, or -1."""
    latest = [-1]
    for number, true in enumerate(holds):
        latest.append(number if true else latest[-1])
    return latest
