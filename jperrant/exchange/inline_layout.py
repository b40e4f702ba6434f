"""The edits of a sentence set into its text, for formats that mark errors where they are.

An edit that overlaps another cannot be set into the text twice. It is marked at its start without covering
anything, and the mark says what it covers (``ahead``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jperrant.core.values import Block, Edit


@dataclass(frozen=True, slots=True)
class InlineEdit:
    """An edit set into text.

    Attributes:
        edit: The edit.
        covered: The tokens inside the mark.
        ahead: The tokens behind the mark that an edit covers that overlaps others; None for an edit that does not.
        before, after: A space that belongs to what is inserted.
    """

    edit: Edit
    covered: tuple[str, ...] = ()
    ahead: tuple[str, ...] | None = None
    before: str = ""
    after: str = ""

    @property
    def corrections(self) -> tuple[tuple[str, ...], ...] | None:
        """The correction and its alternatives, or None where the edit only marks an error."""
        return None if self.edit.correction is None else (self.edit.correction, *self.edit.alternatives)

    def texts(self) -> tuple[str, ...] | None:
        """Return the corrections as they stand in the text."""
        if self.corrections is None:
            return None
        texts = [" ".join(tokens) for tokens in self.corrections]
        return tuple([f"{self.before}{text}{self.after}" if text else "" for text in texts])


def inserted(edit: Edit, length: int) -> InlineEdit:
    """Return an insertion with the space that keeps it apart from the token behind it, or at the end before it.

    Args:
        edit: The insertion.
        length: How many tokens the sentence has.
    """
    at_end = 0 < edit.start == length
    return InlineEdit(edit, before=" " if at_end else "", after="" if at_end else " ")


def laid_out(block: Block, edits: Sequence[Edit]) -> Iterator[str | InlineEdit]:
    """Yield the tokens and edits of a sentence in the order of the text.

    Tokens that an edit covers are inside it. A reader that puts single spaces between tokens gets the source,
    and with
    ``before`` and ``after`` the corrected text.
    """
    source = block.source
    overlapping = _overlapping(edits)
    begun: dict[int, list[tuple[int, Edit]]] = {}
    for k, edit in enumerate(edits):
        begun.setdefault(edit.start, []).append((k, edit))
    position = 0
    while position <= len(source):
        inside = None
        for k, edit in begun.get(position, ()):
            covered = source[edit.start : edit.end]
            if edit.start == edit.end:
                yield inserted(edit, len(source))
            elif k in overlapping:
                yield InlineEdit(edit, ahead=covered)
            else:
                inside = InlineEdit(edit, covered)
        if inside is not None:
            yield inside
            position = inside.edit.end
            continue
        if position < len(source):
            yield source[position]
        position += 1


def spaced(pieces: Iterator[str | InlineEdit]) -> Iterator[str | InlineEdit]:
    """Yield tokens and edits with the spaces between tokens; what covers nothing stands before the next token."""
    pending = False
    waiting: list[InlineEdit] = []
    for piece in pieces:
        if isinstance(piece, InlineEdit) and not piece.covered:
            waiting.append(piece)
            continue
        if pending:
            yield " "
        yield from waiting
        yield piece
        waiting, pending = [], True
    yield from waiting


def _overlapping(edits: Sequence[Edit]) -> set[int]:
    """Return the indices of edits that cannot be set into the text, because another begins inside them."""
    outside = set[int]()
    by_start: dict[int, list[int]] = {}
    starts = sorted([edit.start for edit in edits])
    for k, edit in enumerate(edits):
        if edit.start == edit.end:
            continue
        if bisect_right(starts, edit.start) < bisect_left(starts, edit.end):
            outside.add(k)
        else:
            by_start.setdefault(edit.start, []).append(k)
    for rivals in by_start.values():  # of those at one place the shortest stays, of equal ones the last
        kept = min(rivals, key=lambda k: (edits[k].end, -k))
        outside.update(set(rivals) - {kept})
    return outside
