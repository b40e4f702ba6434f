"""A sentence as GoToScorer sees it: every edit, every other token, and every empty place is a chunk.

Gotou, Nagata, Mita and Hanawa (2020), "Taking the Correction Difficulty into Account in Grammatical Error
Correction Evaluation", section 3.1. An empty chunk stands before each chunk and at the end of the sentence, unless
an insertion is already there; it is where a system could insert something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jperrant.core.errors import EditError
from jperrant.core.messages import plural
from jperrant.core.values import Edit


class Chunk(NamedTuple):
    """One chunk: the source tokens ``start … end`` and what stands in their place.

    Attributes:
        start, end: Half-open range of source tokens; equal for an insertion and for an empty chunk.
        correction: The tokens after correction; those of the source where there is no edit.
        edited: Whether the chunk is an edit.
        type: The type of the edit.
    """

    start: int
    end: int
    correction: tuple[str, ...]
    edited: bool = False
    type: str = ""

    @property
    def empty(self) -> bool:
        """Whether the chunk covers no source token."""
        return self.start == self.end


def chunks_of(source: Sequence[str], edits: Iterable[Edit]) -> list[Chunk]:
    """Return the chunks of a sentence and one annotator's edits, in the order of the text.

    >>> [(c.start, c.end, c.correction) for c in chunks_of(("a", "b"), [Edit(1, 2, (), "U:NOUN")])]
    [(0, 0, ()), (0, 1, ('a',)), (1, 1, ()), (1, 2, ()), (2, 2, ())]

    Args:
        source: The tokens of the sentence.
        edits: Sorted edits; those that only mark an error are left out.

    Raises:
        EditError: Two edits overlap, or one reaches outside the sentence.
    """
    chunks: list[Chunk] = []
    for chunk in _pieces(source, edits):
        if not chunk.empty and not (chunks and chunks[-1].empty):
            chunks.append(Chunk(chunk.start, chunk.start, ()))
        chunks.append(chunk)
    if not (chunks and chunks[-1].empty):
        chunks.append(Chunk(len(source), len(source), ()))
    return chunks


def _pieces(source: Sequence[str], edits: Iterable[Edit]) -> Iterator[Chunk]:
    """Yield the edits and the tokens that they leave."""
    position = 0
    for edit in edits:
        if edit.is_detection or edit.correction is None:
            continue
        if not 0 <= edit.start <= edit.end <= len(source):
            raise EditError(
                f"edit {edit.start} {edit.end} reaches outside a sentence of {plural(len(source), 'token')}"
            )
        if edit.start < position:
            raise EditError(
                f"edit {edit.start} {edit.end} overlaps the edit before it, which ends at {position}"
            )
        yield from _tokens(source, position, edit.start)
        yield Chunk(edit.start, edit.end, edit.correction, True, edit.type)
        position = edit.end
    yield from _tokens(source, position, len(source))


def _tokens(source: Sequence[str], start: int, end: int) -> Iterator[Chunk]:
    for position in range(start, end):
        yield Chunk(position, position + 1, (source[position],))
