"""Comparing a system's chunks with those of the reference.

Gotou et al. (2020), section 3.2, as the published program behaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jperrant.evaluation.metrics.goto.chunks import Chunk


class Verdict(NamedTuple):
    """What a system did with one chunk of the reference.

    Attributes:
        right: Whether the chunk reads as in the reference.
        modified: Whether the system edited there.
        type: The type of the system's edit; empty where there is none.
    """

    right: bool
    modified: bool
    type: str = ""


def verdicts(gold: Sequence[Chunk], system: Sequence[Chunk]) -> list[Verdict]:
    """Return the verdict on each chunk of the reference.

    A chunk of the system with the same span and the same correction is right. If there is none, one that overlaps
    makes it wrong; an empty chunk of the reference overlaps only what has its very span. Where nothing overlaps
    (an empty place inside a longer edit of the system), it is right if the reference leaves it as it is.

    Args:
        gold, system: Chunks of the same sentence, in the order of the text.
    """
    places = _Places(system)
    return [_verdict(chunk, places) for chunk in gold]


class _Places:
    """A system's chunks, found by span and by source position."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.by_span: dict[tuple[int, int], list[Chunk]] = {}
        self.by_start: dict[int, list[Chunk]] = {}
        #: The chunk that covers a token.
        self.covering: dict[int, Chunk] = {}
        for chunk in chunks:
            self.by_span.setdefault(chunk[:2], []).append(chunk)
            self.by_start.setdefault(chunk.start, []).append(chunk)
            for position in range(chunk.start, chunk.end):
                self.covering[position] = chunk

    def overlapping(self, chunk: Chunk) -> list[Chunk]:
        """Return the chunks that overlap one of the reference, in the order of the text."""
        if chunk.empty:
            return self.by_span.get(chunk[:2], [])
        first = self.covering.get(chunk.start)
        before = [first] if first is not None and first.start < chunk.start else []
        return before + [
            other for position in range(chunk.start, chunk.end) for other in self.by_start.get(position, ())
        ]


def _verdict(chunk: Chunk, places: _Places) -> Verdict:
    for other in places.by_span.get(chunk[:2], ()):
        if other.correction == chunk.correction:
            return Verdict(True, other.edited, other.type)
    others = places.overlapping(chunk)
    if not others:
        return Verdict(not chunk.edited, False)
    edits = [other for other in others if other.edited]
    return Verdict(False, bool(edits), edits[0].type if edits else "")
