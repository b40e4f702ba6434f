"""Tokens, stretches of text and corrections: where a token stands, and which tokens a stretch covers.

Offsets are half-open and count code points. The text of a document is its sentences, a line each, their tokens
separated by single spaces. An insertion stands where the next token begins, or where the sentence ends.

A correction is one text that people can read and change in a tool, the correction field of M2: tokens separated by
spaces, empty for a deletion, ``||`` between alternatives.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jperrant.core.display import shorten
from jperrant.core.text import sentence_of
from jperrant.core.values import DETECTION_TYPES, NONE, UNKNOWN, Block, Edit, alternatives_of
from jperrant.exchange.side_file import Document

#: The last code point that UTF-16 writes as one unit.
_BASIC = 0xFFFF
#: Characters shown of each side where two texts part.
SHOWN = 20


def sentence_text(block: Block) -> str:
    """Return the tokens of a sentence separated by single spaces."""
    return " ".join(block.source)


def document_text(blocks: Iterable[Block]) -> str:
    """Return the sentences, a line each; no newline at the end."""
    return "\n".join([sentence_text(block) for block in blocks])


class Stretch(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TokenOffsets:
    """Where the tokens of one sentence stand in its text.

    Attributes:
        text: The text of the sentence.
        starts, ends: Offsets of each token.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> TokenOffsets:
        """Cut a text at white space."""
        tokens = sentence_of(text).tokens
        return cls(text, tuple([t.start for t in tokens]), tuple([t.end for t in tokens]))

    @property
    def forms(self) -> tuple[str, ...]:
        """The tokens."""
        return tuple([self.text[start:end] for start, end in zip(self.starts, self.ends, strict=True)])

    def stretch(self, start: int, end: int) -> Stretch:
        """Return the text that the tokens from ``start`` up to ``end`` cover.

        >>> TokenOffsets.of("This are").stretch(1, 2), TokenOffsets.of("This are").stretch(2, 2)
        (Stretch(start=5, end=8), Stretch(start=8, end=8))
        """
        if start == end:
            point = self.starts[start] if start < len(self.starts) else len(self.text)
            return Stretch(point, point)
        return Stretch(self.starts[start], self.ends[end - 1])

    def tokens(self, start: int, end: int, correction: str | None) -> tuple[int, int, str | None]:
        """Return the tokens that a stretch touches, and the correction made one of these whole tokens.

        White space at the ends of the stretch does not count. A stretch that begins or ends inside a token grows to
        its ends, and what it took in is added to the correction.

        >>> TokenOffsets.of("I likes it").tokens(6, 7, "")
        (1, 2, 'like')
        >>> TokenOffsets.of("I likes it").tokens(2, 2, "do not")
        (1, 1, 'do not')
        """
        covered = self.text[start:end]
        start += len(covered) - len(covered.lstrip())
        end = max(start, end - (len(covered) - len(covered.rstrip())))
        first = bisect_right(self.ends, start)
        if start == end:
            if first == len(self.starts) or start <= self.starts[first]:
                return first, first, correction
            last = first + 1
        else:
            last = bisect_left(self.starts, end)
        before = self.text[self.starts[first] : start]
        after = self.text[end : self.ends[last - 1]]
        if correction is None or not (before or after):
            return first, last, correction
        return first, last, "||".join([f"{before}{part}{after}" for part in correction.split("||")])


def stretches(block: Block, edits: Iterable[Edit], base: int = 0) -> list[Stretch]:
    """Return the stretch of each edit.

    Args:
        block: The sentence.
        edits: Edits of it.
        base: Where its text begins in the text of the document.
    """
    offsets = TokenOffsets.of(sentence_text(block))
    places = [offsets.stretch(edit.start, edit.end) for edit in edits]
    return [Stretch(base + place.start, base + place.end) for place in places]


def bases(blocks: Sequence[Block]) -> list[int]:
    """Return where each sentence begins in the text of its document."""
    offset, begins = 0, []
    for block in blocks:
        begins.append(offset)
        offset += len(sentence_text(block)) + 1
    return begins


def placed_edits(document: Document, annotator: int) -> Iterator[tuple[Block, Edit, Stretch]]:
    """Yield the edits of an annotator, each with its sentence and its stretch in the text of the document."""
    for block, base in zip(document.blocks, bases(document.blocks), strict=True):
        if annotation := block.annotation(annotator):
            for edit, place in zip(annotation.edits, stretches(block, annotation.edits, base), strict=True):
                yield block, edit, place


class Utf16:
    """Offsets of one text that are counted in UTF-16 code units."""

    def __init__(self, text: str) -> None:
        wide = (k for k, character in enumerate(text) if ord(character) > _BASIC)
        #: The offsets, in code units, behind characters that take two units.
        self._units = [k + n + 2 for n, k in enumerate(wide)]

    def to_code_points(self, offset: int) -> int:
        """Return an offset in code points; one inside a character is that of its end.

        >>> Utf16("a😀b").to_code_points(3)
        2
        """
        return offset - bisect_right(self._units, offset)


def difference(found: str, expected: str) -> str:
    """Return where two texts part and how they go on there, for a message; empty if they are equal.

    >>> difference("This is", "This are")
    "from character 6 on found 'is', expected 'are'"
    """
    if found == expected:
        return ""
    pairs = enumerate(zip(found, expected, strict=False))
    place = next((k for k, (a, b) in pairs if a != b), min(len(found), len(expected)))
    return (
        f"from character {place + 1} on found {shorten(found[place : place + SHOWN])}, "
        f"expected {shorten(expected[place : place + SHOWN])}"
    )


#: The operation that removes tokens: a type that begins so needs no correction to be a deletion.
UNNECESSARY = "U:"


def correction_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text; None if it has none.

    >>> correction_text(Edit(1, 2, ("is",), "R:VERB", alternatives=(("was",),)))
    'is||was'
    >>> correction_text(Edit(1, 2, (), "U:DET")), correction_text(Edit(1, 2, None, "UNK"))
    ('', None)
    """
    if edit.correction is None:
        return None
    return "||".join([" ".join(tokens) for tokens in (edit.correction, *edit.alternatives)])


def lasting_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text for a tool whose fields cannot be empty; None for no field.

    A deletion whose type does not say that it is one becomes ``-NONE-``, as in other tools' M2. A detection edit
    with an empty correction has none.

    >>> lasting_text(Edit(1, 2, (), "U:DET")), lasting_text(Edit(1, 2, (), "R:OTHER"))
    (None, '-NONE-')
    """
    text = correction_text(edit)
    if text or text is None:
        return text
    return None if edit.type.startswith(UNNECESSARY) or edit.type in DETECTION_TYPES else NONE


def edit_of(start: int, end: int, type_: str, correction: str | None) -> Edit:
    """Return the edit that a type and the text of a correction stand for.

    Without a correction (None) it is a deletion if the type begins with ``U:``, else a detection edit; M2 can hold
    that only as ``UNK`` or ``Um``, so any other type is lost (``loses_type``).

    >>> edit_of(1, 2, "R:OTHER", "-NONE-").correction, edit_of(1, 2, "R:OTHER", None).type
    ((), 'UNK')
    """
    if loses_type(type_, correction):
        return Edit(start, end, None, UNKNOWN)
    if type_ in DETECTION_TYPES and correction in (None, NONE):
        return Edit(start, end, None, type_)
    if not correction or correction == NONE:
        return Edit(start, end, (), type_)
    first, *others = alternatives_of(correction)
    return Edit(start, end, first, type_, alternatives=tuple(others))


def loses_type(type_: str, correction: str | None) -> bool:
    """Whether a mark has no correction and a type that M2 allows only with one."""
    return correction is None and not type_.startswith(UNNECESSARY) and type_ not in DETECTION_TYPES


def replacement(type_: str, correction: str | None) -> str | None:
    """Return the text that a mark puts in place of what it covers; None if it only marks an error.

    >>> replacement("U:DET", None), replacement("R:OTHER", "-NONE-"), replacement("UNK", "a remark")
    ('', '', None)
    """
    if type_ in DETECTION_TYPES or loses_type(type_, correction):
        return None
    return "" if correction in (None, NONE) else correction
