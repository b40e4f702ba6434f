r"""UA-GEC's text with corrections in it: ``I {likes=>like:::error_type=R:VERB} it .``

Syvokon et al. (2023), "UA-GEC: Grammatical Error Correction and Fluency Corpus for the Ukrainian Language". Any
text editor can make such files. Braces hold the wrong text; after ``=>`` the correction (empty for a deletion),
with ``|`` between alternatives, or ``NO_SUGGESTIONS`` for an error that is only marked; and after each ``:::`` a
further field. ``\n`` in a mark is a newline.

jperrant adds: a backslash before a brace, a bar, a colon or a backslash makes it plain text; ``:::covers=TEXT``
marks an edit that overlaps others and covers the text that follows the mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.exchange.inline import InlineEdit, InlineFormat, InlineText, inline_lines
from jperrant.exchange.marks import Document, MarkedText
from jperrant.exchange.reading import read_text

NO_SUGGESTIONS = "NO_SUGGESTIONS"
TYPE, COVERS = "error_type", "covers"
_BOM = "\ufeff"
_ARROW, _META, _BAR = "=>", ":::", "|"
#: The text up to the next mark, and the mark without its braces; None if it is not closed.
_PIECE = re.compile(r"((?:[^\\{]|\\.|\\\Z)*+)(?:\{((?:[^\\{}]|\\.)*+)\})?", re.DOTALL)
#: The characters that a backslash escapes, in text and in marks.
_IN_TEXT, _IN_MARK = r"\{}", r"\{}|:=_"
_TEXT_MARKUP = re.compile(r"\\(?=[\\{}n]|\Z)|[{}]")
_MARK_MARKUP = re.compile(r"[\\{}|]|:(?=::)|(?<=::):|(?<=:):(?=:)|=(?=>)")


@dataclass(frozen=True)
class UaGecFormat(InlineFormat):
    """UA-GEC's inline text, a file for each annotator."""

    name = "ua-gec"
    description = "UA-GEC's text with corrections in braces, for any text editor"
    files = "a folder: DOC.aN.ann for each document and annotator"
    ending = ".ann"

    def lines(self, document: Document, annotator: int) -> Iterator[str]:
        """Yield the lines of a file."""
        for k, line in enumerate(inline_lines(document, annotator, escaped_text, format_mark)):
            # A byte-order mark that belongs to the text needs another one before it.
            yield (_BOM if k == 0 and line.startswith(_BOM) else "") + line + "\n"

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file and its marks.

        Raises:
            FormatError: A mark is not closed, has no arrow or holds another mark, or does not cover what it says;
                names file and line.
        """
        return parse(read_text(file).removesuffix("\n"), file).built(document, annotator, self.text)


def format_mark(piece: InlineEdit) -> str:
    """Return an edit in braces.

    >>> from jperrant.core.values import Edit
    >>> format_mark(InlineEdit(Edit(0, 1, ("like",), "R:VERB"), ("likes",), None, ("like",)))
    '{likes=>like:::error_type=R:VERB}'
    """
    correction = NO_SUGGESTIONS
    if piece.texts is not None:
        correction = _BAR.join(map(_escaped, piece.texts))
        correction = correction.replace("_", r"\_") if correction == NO_SUGGESTIONS else correction
    ahead = "" if piece.ahead is None else f"{_META}{COVERS}={_escaped(' '.join(piece.ahead))}"
    covered = _escaped(" ".join(piece.covered))
    return f"{{{covered}{_ARROW}{correction}{_META}{TYPE}={_escaped(piece.edit.type)}{ahead}}}"


def escaped_text(text: str) -> str:
    r"""Return unmarked text with its braces escaped.

    >>> escaped_text("a{b}")
    'a\\{b\\}'
    """
    return _TEXT_MARKUP.sub(lambda match: "\\" + match[0], text)


def _escaped(text: str) -> str:
    return _MARK_MARKUP.sub(lambda match: "\\" + match[0], text)


def parse(content: str, file: str) -> InlineText:
    """Return the source text of a file and its marks.

    Raises:
        FormatError: A mark is not closed or holds another mark; names file and line.
    """
    text, line = InlineText(file), 1
    for match in _PIECE.finditer(content):
        text.add(_unescaped(match[1], _IN_TEXT))
        line += match[1].count("\n")
        if match[2] is None:
            if not match[0] and match.end() < len(content):  # at an open brace
                problem = f"the mark {shorten(content[match.end() : match.end() + 40])} has no closing brace"
                text.bad.append((line, rf"{problem}; a brace of the text is written \{{"))
            continue
        if _ARROW in match[2]:
            try:
                _read_mark(text, match[2], line)
            except FormatError as error:
                text.bad.append((line, error.problem))
        else:  # as UA-GEC's own library reads it
            text.add("{" + _unescaped(match[2], _IN_TEXT) + "}")
            text.remarks.append(r"braces without =>, read as text; a brace of the text is written \{")
        line += match[2].count("\n")
    return text


def _read_mark(text: InlineText, body: str, line: int) -> None:
    """Read a mark, given without its braces."""
    fields = _split(body, ":::(?!:)")
    *wrong, correction = _split(fields[0], _ARROW)
    if not wrong:  # the arrow is escaped, or after :::
        problem = f"the mark {shorten(f'{{{body}}}')} has no =>, expected {{wrong=>right:::{TYPE}=TYPE}}"
        raise FormatError(text.file, line, rf"{problem}; a brace of the text is written \{{")
    metadata: dict[str, str] = {}
    for field in fields[1:]:
        key, equals, value = field.partition("=")
        if not equals or key in metadata:
            raise FormatError(text.file, line, f"found {shorten(field)}, expected {TYPE}=TYPE once")
        metadata[key] = _unescaped(value, _IN_MARK)
    covered = _unescaped(_ARROW.join(wrong), _IN_MARK)  # as UA-GEC does, the last arrow counts
    if COVERS in metadata and covered:
        problem = f"a mark with {COVERS}= covers text of its own, {shorten(covered)}"
        raise FormatError(text.file, line, problem)
    corrections = None
    if correction != NO_SUGGESTIONS:
        corrections = tuple([_unescaped(part, _IN_MARK) for part in _split(correction, r"\|")])
    begin = text.here()
    text.add(covered)
    text.mark(begin, metadata.get(TYPE, ""), corrections, line, metadata.get(COVERS))


def _unescaped(text: str, markup: str) -> str:
    r"""Return text without its backslashes; ``\n`` is a newline."""
    if "\\" not in text:
        return text
    return re.sub(rf"\\([n{re.escape(markup)}])", lambda m: "\n" if m[1] == "n" else m[1], text)


def _split(text: str, separator: str) -> list[str]:
    """Split at a separator that is not escaped."""
    found = re.finditer(rf"\\.|{separator}", text, re.DOTALL)
    cuts = [match.span() for match in found if not match[0].startswith("\\")]
    return [text[a:b] for (_, a), (b, _) in pairwise([(0, 0), *cuts, (len(text), 0)])]
