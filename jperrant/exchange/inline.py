"""Marks in running text: read mark by mark, and edits set into text where they are.

An edit that overlaps another cannot be set into the text twice. It is marked at its start without covering
anything, and the mark says what it covers (``ahead``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jperrant.core.errors import FormatError, InputError
from jperrant.core.option import option
from jperrant.core.values import Block, Edit
from jperrant.exchange.formats import AnnotatorFiles
from jperrant.exchange.marks import Document, MarkedText, Region

#: Values of the option that says whether the text of a file has M2's tokens.
TEXTS: Mapping[str, str] = {
    "auto": "tokens if most punctuation is separated from words",
    "tokens": "tokens separated by spaces, as an export has them",
    "raw": "running text, with punctuation attached to words",
}


@dataclass
class InlineText:
    """A text and the marks in it, while a file is read from its beginning.

    Attributes:
        file: The file, for messages.
        parts: The text read so far.
        length: The length of that text.
        marks: The marks, an outer one before those inside it.
        remarks: Remarks on what was left out.
        bad: The lines of unreadable marks, with their problems.
    """

    file: str
    parts: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[Region] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Add text."""
        self.parts.append(text)
        self.length += len(text)

    def here(self) -> tuple[int, int]:
        """Return the beginning of a mark that is read next: its offset, and the number of marks before it."""
        return self.length, len(self.marks)

    def mark(
        self, begin: tuple[int, int], type_: str, corrections: Sequence[str] | None, line: int,
        ahead: str | None = None, corrects_all: bool = False,
    ) -> None:  # fmt: skip
        """Add a mark over the text that was read since it began.

        Args:
            begin: Its beginning, as ``here`` returned it.
            type_: Its type.
            corrections: Its correction, followed by alternatives; None for an error that is only marked.
            line: Its line in the file.
            ahead: The following text that it says it covers; None for a mark that does not overlap others.
            corrects_all: Whether its correction includes those of the marks inside it, which are then left out.
        """
        start, index = begin
        end = self.length if ahead is None else start + len(ahead)
        correction, others = (corrections[0], tuple(corrections[1:])) if corrections else (None, ())
        if corrects_all and correction is not None:
            remark = "a mark inside another that has a correction of its own, left out"
            self.remarks += [remark] * len(self.marks[index:])
            del self.marks[index:]
        mark = Region(start, end, type_, correction, f"line {line}", ahead, alternatives=others)
        self.marks.insert(index, mark)

    def built(self, document: str, annotator: str, running: str = "raw") -> MarkedText:
        """Return the text with its marks.

        Raises:
            FormatError: A mark cannot be read; also names the lines of all others.
        """
        if self.bad:
            line, problem = min(self.bad)
            others = sorted({number for number, _ in self.bad} - {line})
            more = f"; further bad marks in lines {', '.join(map(str, others))}" if others else ""
            raise FormatError(self.file, line, problem + more)
        regions, remarks = tuple(self.marks), tuple(self.remarks)
        text = "".join(self.parts)
        return MarkedText(self.file, document, annotator, text, regions, remarks=remarks, running=running)


@dataclass(frozen=True)
class InlineFormat(AnnotatorFiles):
    """A format with marks in running text."""

    text: str = option("auto", "Read as tokens or as raw text; auto: by its punctuation.", choices=TEXTS)


@dataclass(frozen=True, slots=True)
class InlineEdit:
    """An edit set into text.

    Attributes:
        edit: The edit.
        covered: The tokens inside the mark.
        ahead: The tokens after the mark that the edit covers, if it overlaps others; else None.
        texts: The corrections as written in the text; None if the edit only marks an error.
    """

    edit: Edit
    covered: tuple[str, ...]
    ahead: tuple[str, ...] | None
    texts: tuple[str, ...] | None


def corrections_in_text(edit: Edit, length: int) -> tuple[str, ...] | None:
    """Return the correction of an edit and its alternatives as text; None if it only marks an error.

    An insertion includes the space to the next token, or at the end the space to the token before.

    Args:
        edit: The edit.
        length: The number of tokens of the sentence.
    """
    if edit.correction is None:
        return None
    texts = [" ".join(tokens) for tokens in (edit.correction, *edit.alternatives)]
    if edit.start < edit.end:
        return tuple(texts)
    before, after = (" ", "") if 0 < edit.start == length else ("", " ")
    return tuple([f"{before}{text}{after}" if text else "" for text in texts])


def inline_lines(
    document: Document, annotator: int, text: Callable[[str], str], mark: Callable[[InlineEdit], str],
    between: str = " "
) -> Iterator[str]:  # fmt: skip
    """Yield each sentence of a document with the edits of an annotator set into it.

    Args:
        document: The document.
        annotator: The annotator.
        text: Writes a token.
        mark: Writes an edit.
        between: The text between tokens.

    Raises:
        InputError: The format cannot hold something; names document, sentence and annotator.
    """
    for number, (block, edits) in enumerate(document.edits(annotator), start=1):
        try:
            *words, last = _set_in(block, edits, text, mark)
        except InputError as error:
            raise InputError(f"{document.name}, sentence {number}, annotator {annotator}: {error}") from None
        yield between.join(words) + last


def _set_in(
    block: Block, edits: Sequence[Edit], text: Callable[[str], str], mark: Callable[[InlineEdit], str]
) -> Iterator[str]:
    """Yield the words of a sentence, each with the marks before or around it, and the marks at its end."""
    source, position, begun = block.source, 0, ""
    for edit, following in zip(edits, [*edits[1:], None], strict=False):
        for token in source[position : edit.start]:
            yield begun + text(token)
            begun = ""
        position = edit.start
        covered, texts = source[edit.start : edit.end], corrections_in_text(edit, len(source))
        if not covered:
            begun += mark(InlineEdit(edit, (), None, texts))
        elif following is not None and following.start < edit.end:
            begun += mark(InlineEdit(edit, (), covered, texts))
        else:
            yield begun + mark(InlineEdit(edit, covered, None, texts))
            begun, position = "", edit.end
    for token in source[position:]:
        yield begun + text(token)
        begun = ""
    yield begun
