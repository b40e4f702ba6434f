"""Parts of a run with a rule that fires in every range: stretches of one word class, chains of equal letters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Protocol

from jperrant.edits.merge_run import Run


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
