"""The marks of annotators: stretches of text, their corrections as text, and their tokens.

Offsets are half-open and count code points. The text of a document is its sentences, a line each, their tokens
separated by single spaces. An insertion stands where the next token begins, or where the sentence ends.

A correction is one text that people can read and change in a tool, the correction field of M2: tokens separated by
spaces, empty for a deletion, ``||`` between alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from jperrant.core.edits import annotators_in
from jperrant.core.text import sentence_of
from jperrant.core.values import DETECTION_TYPES, NONE, UNKNOWN, Block, Edit, alternatives_of

#: The separator between the types of marks that became one edit.
JOINER = "+"
#: The separator between alternative corrections.
OR = "||"
#: The operation that removes tokens: a type that begins so needs no correction to be a deletion.
UNNECESSARY = "U:"
_ATTACHED = re.compile(r"(?<!\S)[^\W_]+[.,!?;:]+(?!\S)")
_ALONE = re.compile(r"(?<!\S)[.,!?;:]+(?!\S)")


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of text that an annotator marked.

    Attributes:
        start, end: Half-open range of code points in the text; equal where something is missing.
        type: The error type as in M2; empty where a file has none.
        correction: The correction, as the correction field of M2: tokens separated by spaces, an empty text for
            a deletion, ``-NONE-`` for none, ``||`` between alternatives. None if the tool has none.
        id: Its name in the tool's file, for messages (``T2``, ``line 4``).
        covered: The text that it covers according to the file; None if the file does not say.
        insert: ``before`` or ``after`` if it stands for an insertion beside what it covers, in a tool that has no
            zero-width regions; else empty.
        alternatives: Other corrections of a mark in running text.
    """

    start: int
    end: int
    type: str
    correction: str | None
    id: str = ""
    covered: str | None = None
    insert: Literal["", "before", "after"] = ""
    alternatives: tuple[str, ...] = ()

    @property
    def loses_type(self) -> bool:
        """Whether it has no correction although M2 requires one for its type."""
        can_mark = self.type.startswith(UNNECESSARY) or self.type in DETECTION_TYPES
        return self.correction is None and not can_mark

    def edit(self) -> Edit:
        """Return the edit with its type and correction, over the same range.

        Without a correction (None) it is a deletion if the type begins with ``U:``, else a detection edit; M2 can
        hold that only as ``UNK`` or ``Um``, so any other type is lost (``loses_type``).

        >>> Region(1, 2, "R:OTHER", "-NONE-").edit().correction, Region(1, 2, "R:OTHER", None).edit().type
        ((), 'UNK')
        """
        if self.loses_type:
            return Edit(self.start, self.end, None, UNKNOWN)
        if self.type in DETECTION_TYPES and self.correction in (None, NONE):
            return Edit(self.start, self.end, None, self.type)
        if not self.correction or self.correction == NONE:
            return Edit(self.start, self.end, (), self.type)
        first, *others = alternatives_of(self.correction)
        return Edit(self.start, self.end, first, self.type, alternatives=tuple(others))


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The marks of one annotator in one text.

    Attributes:
        file: The file it was read from, for messages.
        document: The name of the document.
        annotator: The annotator's name in the tool; ``0``, ``1`` … if the export gave it. Empty if nobody
            annotated the text, whose sentences are kept all the same.
        text: The text: sentences separated by newlines, their tokens by white space.
        regions: The marks in the file's order, which regions at one place keep.
        sentence: If the text is one sentence: which one of the document, counted from 0; None for a whole document.
        remarks: Content that M2 cannot hold, in a few words each; it is counted and left out.
        running: How regions become whole tokens: each by itself if empty, else those that meet in one token
            together. ``tokens`` is for text of tokens, ``raw`` for running text, ``auto`` for what it looks like.
        joins: Whether lines that an edit crosses, or that another annotator has in one, are joined.
        finished: Whether the annotator finished the work; unfinished work is counted and left out.
        curated: Whether a curator made it from the work of all annotators.
        trusts_offsets: Whether a covered text that differs is only a warning, as the tool is known to write
            outdated ones.
        keeps_order: Whether people can change the order of regions at one place in the tool; if not, the
            original order is restored.
    """

    file: str
    document: str
    annotator: str
    text: str
    regions: tuple[Region, ...] = ()
    sentence: int | None = None
    remarks: tuple[str, ...] = ()
    running: str = ""
    joins: bool = False
    finished: bool = True
    curated: bool = False
    trusts_offsets: bool = False
    keeps_order: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """Sentences that an annotator sees together.

    Attributes:
        name: Its name without a suffix, valid as a file name.
        blocks: The sentences with all annotations.
    """

    name: str
    blocks: tuple[Block, ...]

    @property
    def annotators(self) -> list[int]:
        """The annotators of its sentences; annotator 0, who gets an empty file, if there are none."""
        return annotators_in(self.blocks) or [0]

    @property
    def text(self) -> str:
        """The sentences, a line each; no newline at the end."""
        return "\n".join([" ".join(block.source) for block in self.blocks])

    def edits(self, annotator: int) -> Iterator[tuple[Block, tuple[Edit, ...]]]:
        """Yield each sentence with the edits of an annotator."""
        for block in self.blocks:
            annotation = block.annotation(annotator)
            yield block, annotation.edits if annotation else ()

    def placed_edits(self, annotator: int) -> Iterator[tuple[Block, Edit, tuple[int, int]]]:
        """Yield the edits of an annotator, each with its sentence and what it covers in the text."""
        base = 0
        for block, edits in self.edits(annotator):
            offsets = TokenOffsets.of(" ".join(block.source))
            for edit in edits:
                start, end = offsets.stretch(edit.start, edit.end)
                yield block, edit, (base + start, base + end)
            base += len(offsets.text) + 1


@dataclass(frozen=True, slots=True)
class TokenOffsets:
    """The offsets of the tokens of a sentence in its text.

    Attributes:
        text: The text of the sentence.
        starts, ends: Offsets of each token.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> TokenOffsets:
        """Return the tokens of a text, cut at white space."""
        tokens = sentence_of(text).tokens
        return cls(text, tuple([t.start for t in tokens]), tuple([t.end for t in tokens]))

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """Return the text that the tokens from ``start`` up to ``end`` cover.

        >>> TokenOffsets.of("This are").stretch(1, 2), TokenOffsets.of("This are").stretch(2, 2)
        ((5, 8), (8, 8))
        """
        if start == end:
            point = self.starts[start] if start < len(self.starts) else len(self.text)
            return point, point
        return self.starts[start], self.ends[end - 1]


def is_tokenised(text: str) -> bool:
    """Return whether most punctuation in a text is separated from words.

    >>> is_tokenised("Yes , it is ."), is_tokenised("Yes, it is."), is_tokenised("Yes")
    (True, False, True)
    """
    return len(_ATTACHED.findall(text)) <= len(_ALONE.findall(text))


def type_of(covered: str, correction: str | None) -> str:
    """Return a type for an edit without one: its operation and ``OTHER``.

    >>> type_of("a", "b"), type_of("a", ""), type_of("", "b"), type_of("a", None)
    ('R:OTHER', 'U:OTHER', 'M:OTHER', 'UNK')
    """
    if correction is None:
        return UNKNOWN
    return "M:OTHER" if not covered.strip() else "R:OTHER" if correction.strip() else "U:OTHER"


def correction_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text; None if it has none.

    >>> correction_text(Edit(1, 2, ("is",), "R:VERB", alternatives=(("was",),)))
    'is||was'
    >>> correction_text(Edit(1, 2, (), "U:DET")), correction_text(Edit(1, 2, None, "UNK"))
    ('', None)
    """
    if edit.correction is None:
        return None
    return OR.join([" ".join(tokens) for tokens in (edit.correction, *edit.alternatives)])


def lasting_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text for a tool without empty fields; None for no field.

    A deletion whose type does not begin with ``U:`` becomes ``-NONE-``, as in other tools' M2. A detection edit
    with an empty correction has none.

    >>> lasting_text(Edit(1, 2, (), "U:DET")), lasting_text(Edit(1, 2, (), "R:OTHER"))
    (None, '-NONE-')
    """
    text = correction_text(edit)
    if text or text is None:
        return text
    return None if edit.type.startswith(UNNECESSARY) or edit.type in DETECTION_TYPES else NONE
