"""The error coding of the Cambridge Learner Corpus in XML, in which FCE is published.

``<NS type="RV"><i>wrong</i><c>right</c></NS>`` (Nicholls 2003; Yannakoudakis et al. 2011): without ``<c>`` a
deletion, without ``<i>`` an insertion; text without either is only marked. Marks nest: the outer one corrects
what the inner ones have corrected, so its correction is that of all.

UD Italian-Valico writes the same in the comments ``# err =`` of its CoNLL-U files, with the type as the name of the
element, ``_`` for nothing, and inner marks before ``<i>``; a ``.conllu`` file is read so, on its surface tokens.

Ours beyond theirs: several ``<c>`` are alternatives, and ``covers`` is the text behind a mark that overlaps others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.option import option
from jperrant.exchange.base import Corpus, Document, ExchangeFormat, ExportedFile, MarkedText
from jperrant.exchange.files import annotator_files, edits_of, input_files, names_of
from jperrant.exchange.inline import (
    TEXTS,
    TOKENS_HELP,
    InlineEdit,
    Mark,
    given_tokens,
    laid_out,
    placed_texts,
    retokenised,
    spaced,
)
from jperrant.exchange.xml_tree import Element, parse_xml, read_xml, xml_attribute, xml_text
from jperrant.io.files import read_lines
from jperrant.io.m2 import bounded_int

SUFFIX, CONLLU = ".xml", ".conllu"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<learner><head sortkey={name}><text><answer1><coded_answer>\n'
)
_TAIL = "</coded_answer></answer1></text></head></learner>\n"
#: The element of a mark; some corpora write it in small letters.
_MARKS = ("NS", "ns")
_NESTED = {
    "outer": "only the outermost mark that has a correction",
    "all": "every mark, so that edits overlap",
}


@dataclass(frozen=True)
class ClcXmlFormat(ExchangeFormat):
    """The error coding of FCE and the Cambridge Learner Corpus."""

    name: ClassVar[str] = "clc-xml"
    description: ClassVar[str] = (
        "<NS type> XML of FCE and the Cambridge Learner Corpus; # err of UD Italian-Valico"
    )
    files: ClassVar[str] = "a folder: DOC.aN.xml for each document and annotator"
    is_folder: ClassVar[bool] = True
    input_options: ClassVar[tuple[str, ...]] = ("tokens",)

    nested: str = option("outer", "What is read of marks inside marks.", choices=_NESTED)
    text: str = option("auto", "What the text is when it is read.", choices=TEXTS)
    tokens: str = option("", TOKENS_HELP)

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield a file for each document and annotator."""
        yield from annotator_files(corpus, SUFFIX, _lines)

    def read(self, path: str) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        texts = []
        for file in [path] if path.endswith(CONLLU) else input_files(path, SUFFIX):
            texts.append(self._valico(file) if file.endswith(CONLLU) else self._essay(file))
        yield from placed_texts(texts, self.text, given_tokens(self.tokens))

    def _essay(self, file: str) -> tuple[MarkedText, tuple[Mark, ...]]:
        root = read_xml(file)
        reader = _Reader(file, self.nested == "all")
        lines = [line for answer in root.descendants("coded_answer") for line in _paragraphs(answer)]
        for k, part in enumerate(lines or list(root.descendants("p")) or [root]):
            reader.line(part, k > 0)
        document, annotator = names_of(file, SUFFIX)
        return reader.marked_text(document, annotator)

    def _valico(self, file: str) -> tuple[MarkedText, tuple[Mark, ...]]:
        """Return what the comments of a CoNLL-U file mark."""
        lines, marks, remarks, length = list[str](), list[Mark](), list[str](), 0
        for number, coded, tokens in error_lines(file):
            reader = _Reader(file, self.nested == "all", tag_is_type=True)
            reader.line(parse_xml(f"<p>{_bare_ampersands(coded)}</p>", file, number - 1), False)
            placed = retokenised("".join(reader.parts), reader.marks, [tokens])
            if placed is None:
                remarks.append("# err is not of the words of its sentence, read by white space")
                placed = "".join(reader.parts), tuple(reader.marks)
            text, moved = placed
            if lines:
                length += 1
            marks += [_shifted(mark, length) for mark in moved]
            remarks += reader.remarks
            lines.append(text)
            length += len(text)
        document, annotator = names_of(file, CONLLU)
        return MarkedText(file, document, annotator, "\n".join(lines), remarks=tuple(remarks)), tuple(marks)


def _paragraphs(answer: Element) -> list[Element]:
    """Return the paragraphs of an answer; what stands outside of them is one too."""
    lines: list[Element] = []
    loose: list[str | Element] = []

    def close() -> None:
        if any(not isinstance(part, str) or part.strip() for part in loose):
            lines.append(Element("p", {}, answer.line, list(loose)))
        loose.clear()

    for part in answer.content:
        if isinstance(part, Element) and part.tag == "p":
            close()
            lines.append(part)
        elif isinstance(part, Element) and part.tag not in _MARKS and any(part.descendants("p")):
            close()
            lines += _paragraphs(part)
        else:
            loose.append(part)
    close()
    return lines


def _shifted(mark: Mark, by: int) -> Mark:
    return Mark(mark.start + by, mark.end + by, mark.type, mark.corrections, mark.id)


def _bare_ampersands(text: str) -> str:
    return re.sub(r"&(?!\w+;|#)", "&amp;", text)


def _lines(document: Document, annotator: int) -> Iterator[str]:
    """Yield the lines of a file."""
    yield _HEAD.format(name=xml_attribute(document.name))
    for k, annotation in edits_of(document, annotator):
        pieces = spaced(laid_out(document.blocks[k], annotation.edits))
        try:
            line = "".join([_mark(p) if isinstance(p, InlineEdit) else xml_text(p) for p in pieces])
        except InputError as error:
            raise InputError(f"{document.name}, sentence {k + 1}, annotator {annotator}: {error}") from None
        yield f"<p>{line}</p>\n"
    yield _TAIL


def _mark(piece: InlineEdit) -> str:
    texts, covered = piece.texts(), xml_text(" ".join(piece.covered))
    ahead = "" if piece.ahead is None else f" covers={xml_attribute(' '.join(piece.ahead))}"
    if texts is None:
        coded = covered
    else:
        # A deletion has no correction, unless nothing would be left of the mark, or there are alternatives.
        is_deletion = bool(covered) and texts == ("",)
        coded = f"<i>{covered}</i>" if covered else ""
        coded += "" if is_deletion else "".join([f"<c>{xml_text(text)}</c>" for text in texts])
    return f"<NS type={xml_attribute(piece.edit.type)}{ahead}>{coded}</NS>"


@dataclass
class _Reader:
    """Reads the lines of one text.

    Attributes:
        file: Its name.
        keeps_inner: Whether marks inside marks with a correction are kept.
        tag_is_type: Whether the name of an element is the type, and ``_`` nothing, as in Valico.
        parts: The source text.
        marks: The marks, an outer one before those inside it.
        remarks: What was left out.
    """

    file: str
    keeps_inner: bool
    tag_is_type: bool = False
    parts: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    length: int = 0
    ahead: list[tuple[int, str, int]] = field(default_factory=list)

    def line(self, element: Element, is_next: bool) -> None:
        """Read an element that is a line, after a line end if it is not the first."""
        if is_next:
            self._append("\n")
        self._content(element.content)

    def marked_text(self, document: str, annotator: str) -> tuple[MarkedText, tuple[Mark, ...]]:
        """Return the text and its marks.

        Raises:
            FormatError: A mark does not cover what it says.
        """
        text = "".join(self.parts)
        for start, covered, line in self.ahead:
            if not text.startswith(covered, start):
                there = shorten(text[start : start + len(covered)])
                raise FormatError(
                    self.file, line, f"found {there}, expected {shorten(covered)} as the mark says"
                )
        return MarkedText(self.file, document, annotator, text, remarks=tuple(self.remarks)), tuple(
            self.marks
        )

    def _content(self, content: Sequence[str | Element]) -> None:
        for part in content:
            if isinstance(part, str):
                self._text(part)
            elif part.tag in _MARKS or self.tag_is_type:
                self._mark(part)
            elif part.tag in ("i", "c"):
                raise FormatError(self.file, part.line, f"found <{part.tag}> outside <NS>")
            else:  # layout, such as <em>
                self._content(part.content)

    def _text(self, text: str) -> None:
        # A line end inside of a paragraph is the file's, not the text's.
        self._append(text.replace("\n", " "))

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def _mark(self, element: Element) -> None:
        type_ = element.tag if self.tag_is_type else element.attributes.get("type", "")
        corrections = self._corrections(element)
        index, start = len(self.marks), self.length
        self._source(element)
        end = self.length
        if (covered := element.attributes.get("covers")) is not None:
            self.ahead.append((start, covered, element.line))
            end = start + len(covered)
        inner = self.marks[index:]
        if corrections is not None and inner and not self.keeps_inner:
            self.remarks += ["a mark inside another that has a correction of its own, left out"] * len(inner)
            inner = []
        mark = Mark(start, end, type_, corrections, f"line {element.line}")
        self.marks[index:] = [mark, *inner]

    def _corrections(self, element: Element) -> tuple[str, ...] | None:
        """Return the corrections of a mark: one that is empty for a deletion, None where it is only marked."""
        texts = [self._blank(_corrected(c)) for c in element.elements("c")]
        return tuple(texts) if texts else ("",) if element.elements("i") else None

    def _source(self, element: Element) -> None:
        """Read what an element covers: of marks before ``<i>`` what these cover, else ``<i>``."""
        inner = [c for c in element.elements() if c.tag not in ("i", "c")]
        for part in element.content:
            if isinstance(part, str):
                if not (element.elements("i", "c") and not part.strip()):
                    self._text(part)
            elif part.tag == "i":
                if not inner and not (self.tag_is_type and part.content == ["_"]):
                    self._content(part.content)
            elif part.tag != "c":
                self._content([part])

    def _blank(self, text: str) -> str:
        return "" if self.tag_is_type and text.strip() == "_" else text


def _corrected(element: Element) -> str:
    """Return the text of an element by the corrections of the marks in it."""
    parts = []
    for part in element.content:
        if isinstance(part, str):
            parts.append(part)
        elif corrections := part.elements("c"):
            parts.append(_corrected(corrections[0]))
        elif part.tag != "i":
            parts.append(_corrected(part))
    return "".join(parts)


_COMMENT = "# err ="


def error_lines(path: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the line number and text of each comment ``# err =`` and the surface tokens of its sentence.

    Raises:
        InputError: The file cannot be read.
    """
    coded: tuple[int, str] | None = None
    tokens: list[str] = []
    inside = 0
    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith(_COMMENT):
            coded = number, line.removeprefix(_COMMENT).strip()
        elif not line.strip():
            if coded is not None:
                yield *coded, tokens
            coded, tokens, inside = None, [], 0
        elif not line.startswith("#"):
            id_, form = [*line.split("\t"), ""][:2]
            first, hyphen, last = id_.partition("-")
            if hyphen and last.isdecimal():
                inside = bounded_int(last)
                tokens.append(form)
            elif first.isdecimal() and bounded_int(first) > inside:
                tokens.append(form)
    if coded is not None:
        yield *coded, tokens
