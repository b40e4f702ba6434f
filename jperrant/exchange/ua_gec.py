r"""UA-GEC's text with corrections in it: ``I {likes=>like:::error_type=R:VERB} it .``

Syvokon et al. (2023), "UA-GEC: Grammatical Error Correction and Fluency Corpus for the Ukrainian Language", made
by any text editor. Between braces stands what is wrong, behind ``=>`` what is right (nothing for a deletion),
behind ``|`` alternatives, ``NO_SUGGESTIONS`` where only the error is marked, and after ``:::`` what else is
known. ``\n`` in a mark is a newline.

Ours beyond theirs: a backslash takes the meaning from a brace, a bar, a colon or a backslash; ``:::covers=TEXT``
marks an edit that overlaps others: it covers the text that follows the mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.option import option
from jperrant.exchange.base import Corpus, Document, ExchangeFormat, ExportedFile, MarkedText
from jperrant.exchange.files import annotator_files, edits_of, input_files, line_error, names_of, read_text
from jperrant.exchange.inline import (
    TEXTS,
    TOKENS_HELP,
    InlineEdit,
    Mark,
    given_tokens,
    laid_out,
    placed_texts,
    spaced,
)

SUFFIX = ".ann"
NO_SUGGESTIONS = "NO_SUGGESTIONS"
TYPE, COVERS = "error_type", "covers"
_BOM = "\ufeff"
_ARROW, _META, _BAR = "=>", ":::", "|"
#: Separators, and escaped characters, which are none.
_ARROWS, _METAS, _BARS = (re.compile(rf"\\.|{mark}", re.DOTALL) for mark in ("=>", ":::(?!:)", r"\|"))
#: What a backslash keeps from being markup: in text, and in marks.
_IN_TEXT, _IN_MARK = r"\{}", r"\{}|:=_"
_TEXT_MARKUP = re.compile(r"\\(?=[\\{}n]|\Z)|[{}]")
_MARK_MARKUP = re.compile(r"[\\{}|]|:(?=::)|(?<=::):|(?<=:):(?=:)|=(?=>)")


@dataclass(frozen=True)
class UaGecFormat(ExchangeFormat):
    """UA-GEC's inline text, a file for each annotator."""

    name: ClassVar[str] = "ua-gec"
    description: ClassVar[str] = "UA-GEC's text with corrections in braces, for any text editor"
    files: ClassVar[str] = "a folder: DOC.aN.ann for each document and annotator"
    is_folder: ClassVar[bool] = True
    input_options: ClassVar[tuple[str, ...]] = ("tokens",)

    text: str = option("auto", "What the text is when it is read.", choices=TEXTS)
    tokens: str = option("", TOKENS_HELP)

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield a file for each document and annotator."""
        yield from annotator_files(corpus, SUFFIX, _lines)

    def read(self, path: str) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        texts = []
        for file in input_files(path, SUFFIX):
            source, marks = parse(read_text(file).removesuffix("\n"), file)
            document, annotator = names_of(file, SUFFIX)
            texts.append((MarkedText(file, document, annotator, source), marks))
        yield from placed_texts(texts, self.text, given_tokens(self.tokens))


def _lines(document: Document, annotator: int) -> Iterator[str]:
    """Yield the lines of a file."""
    for k, annotation in edits_of(document, annotator):
        pieces = spaced(laid_out(document.blocks[k], annotation.edits))
        line = "".join([format_mark(p) if isinstance(p, InlineEdit) else escaped_text(p) for p in pieces])
        # A byte-order mark that belongs to the text needs one before it that does not.
        yield (_BOM if k == 0 and line.startswith(_BOM) else "") + line + "\n"


def format_mark(piece: InlineEdit) -> str:
    """Return an edit in braces.

    >>> from jperrant.core.values import Edit
    >>> format_mark(InlineEdit(Edit(0, 1, ("like",), "R:VERB"), ("likes",)))
    '{likes=>like:::error_type=R:VERB}'
    """
    texts = piece.texts()
    correction = NO_SUGGESTIONS
    if texts is not None:
        correction = _BAR.join([_escaped(text) for text in texts])
        correction = correction.replace("_", r"\_") if correction == NO_SUGGESTIONS else correction
    ahead = "" if piece.ahead is None else f"{_META}{COVERS}={_escaped(' '.join(piece.ahead))}"
    covered = _escaped(" ".join(piece.covered))
    return f"{{{covered}{_ARROW}{correction}{_META}{TYPE}={_escaped(piece.edit.type)}{ahead}}}"


def escaped_text(text: str) -> str:
    r"""Return text that is not marked, its braces escaped.

    >>> escaped_text("a{b}")
    'a\\{b\\}'
    """
    return _TEXT_MARKUP.sub(lambda match: "\\" + match[0], text)


def _escaped(text: str) -> str:
    return _MARK_MARKUP.sub(lambda match: "\\" + match[0], text)


def parse(content: str, file: str) -> tuple[str, tuple[Mark, ...]]:
    """Return the source text of a file and what is marked in it.

    Raises:
        FormatError: A mark is not closed, has no arrow or holds another mark, or the text that it says it covers is
            not there; names file and line.
    """
    return _Parser(content, file).parse()


class _Parser:
    """Reads one file."""

    def __init__(self, content: str, file: str) -> None:
        self.content, self.file = content, file
        self.parts: list[str] = []
        self.length = 0
        #: The line of the place up to which line ends are counted.
        self.line, self.counted = 1, 0
        self.marks: list[Mark] = []
        #: Marks that cover what follows them, with the place of each in the file.
        self.ahead: list[tuple[int, str, int]] = []

    def parse(self) -> tuple[str, tuple[Mark, ...]]:
        position = 0
        while (opening := self._find("{", position)) >= 0:
            self._text(_unescaped(self.content[position:opening], _IN_TEXT))
            position = self._mark(opening)
        self._text(_unescaped(self.content[position:], _IN_TEXT))
        text = "".join(self.parts)
        for index, covered, place in self.ahead:
            start = self.marks[index].start
            if not text.startswith(covered, start):
                there = shorten(text[start : start + len(covered)])
                raise self._error(place, f"found {there}, expected {shorten(covered)} as the mark says")
        return text, tuple(self.marks)

    def _text(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def _find(self, what: str, position: int) -> int:
        """Return the next place of a character that is not escaped, or -1."""
        content = self.content
        while (place := content.find(what, position)) >= 0:
            backslashes = (
                place - len(content[:place].rstrip("\\")) if content[place - 1 : place] == "\\" else 0
            )
            if backslashes % 2 == 0:
                return place
            position = place + 1
        return -1

    def _mark(self, opening: int) -> int:
        """Read the mark that begins at a brace and return the place behind it."""
        closing, inner = self._find("}", opening + 1), self._find("{", opening + 1)
        if closing < 0 or 0 <= inner < closing:
            raise self._error(
                opening,
                f"the mark {shorten(self.content[opening : opening + 40])} has no closing brace; "
                r"a brace of the text is written \{",
            )
        body = self.content[opening + 1 : closing]
        fields = _split(body, _METAS)
        *wrong, correction = _split(fields[0], _ARROWS)
        if not wrong:
            raise self._error(
                opening,
                f"the mark {shorten(f'{{{body}}}')} has no =>, expected {{wrong=>right:::{TYPE}=TYPE}}; "
                r"a brace of the text is written \{",
            )
        # As UA-GEC does, the last arrow counts.
        self._add(
            opening, _unescaped(_ARROW.join(wrong), _IN_MARK), correction, self._metadata(fields[1:], opening)
        )
        return closing + 1

    def _add(self, opening: int, covered: str, correction: str, metadata: dict[str, str]) -> None:
        corrections = None
        if correction != NO_SUGGESTIONS:
            corrections = tuple([_unescaped(text, _IN_MARK) for text in _split(correction, _BARS)])
        self.line += self.content.count("\n", self.counted, opening)
        self.counted = opening
        end = self.length + len(covered)
        if COVERS in metadata:
            if covered:
                raise self._error(
                    opening, f"a mark with {COVERS}= covers text of its own, {shorten(covered)}"
                )
            self.ahead.append((len(self.marks), metadata[COVERS], opening))
            end = self.length + len(metadata[COVERS])
        self.marks.append(Mark(self.length, end, metadata.get(TYPE, ""), corrections, f"line {self.line}"))
        self._text(covered)

    def _metadata(self, fields: list[str], opening: int) -> dict[str, str]:
        metadata = {}
        for field in fields:
            key, equals, value = field.partition("=")
            if not equals or key in metadata:
                raise self._error(opening, f"found {shorten(field)}, expected {TYPE}=TYPE once")
            metadata[key] = _unescaped(value, _IN_MARK)
        return metadata

    def _error(self, place: int, problem: str) -> FormatError:
        return line_error(self.file, self.content, place, problem)


def _unescaped(text: str, markup: str) -> str:
    r"""Return text without its backslashes; ``\n`` is a newline."""
    if "\\" not in text:
        return text
    return re.sub(rf"\\([n{re.escape(markup)}])", lambda m: "\n" if m[1] == "n" else m[1], text)


def _split(text: str, separator: re.Pattern[str]) -> list[str]:
    """Split at a separator that is not escaped."""
    parts, begin, position = [], 0, 0
    while match := separator.search(text, position):
        if match[0].startswith("\\"):  # an escaped character
            position = match.end()
            continue
        parts.append(text[begin : match.start()])
        begin = position = match.end()
    return [*parts, text[begin:]]
