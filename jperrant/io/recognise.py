"""Recognising the kind of a file by its content: M2, CoNLL-U, JSON, columns, markup, sentences, binary."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from itertools import dropwhile, islice

from jperrant.core.errors import FormatError
from jperrant.core.text import essay_heading

#: Most lines that are examined, from the first that is not blank.
LOOKED_AT = 200
#: Columns of CoNLL-U.
_COLUMNS = 10
#: An A line and an S line of M2, perhaps after stray characters.
_EDIT = re.compile(r"\W*A\s[^|]*\|\|\|.*\|\|\|")
_SENTENCE = re.compile(r"\W*[ST](\s|\d|$)")
_WORD = re.compile(r"\d+(?:[-.]\d+)?")
_MARKUP = re.compile(
    r"<(!doctype\s+html\b|html\b|\?xml\b|!doctype\b|teicorpus\b|tei\b|xmi:|learner\b)", re.IGNORECASE
)
_JSON = re.compile(r'\{\s*("|$)|\[\s*(\{|$)')

_AS_TEXT = "save its text as plain text in UTF-8, one sentence a line"
_UNPACK = "unpack it and give the files inside"
#: The first bytes of binary formats, their names and what to do about them; the first match counts.
_BINARY = (
    (rb"%PDF-", "a PDF", _AS_TEXT),
    (rb"\{\\rtf", "a Rich Text document (RTF)", _AS_TEXT),
    (rb"PK\x03\x04.{0,4000}?word/", "a Word document (docx)", _AS_TEXT),
    (rb"PK\x03\x04.{0,4000}?xl/", "an Excel workbook (xlsx)", "save the sheet as tab-separated text in UTF-8"),
    (rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis", "an OpenDocument", _AS_TEXT),
    (rb"PK\x03\x04|7z\xbc\xaf\x27\x1c|Rar!|.{257}ustar", "an archive (zip, 7z, rar, tar)", _UNPACK),
    (rb"\xd0\xcf\x11\xe0", "an old Office document (doc, xls)", _AS_TEXT),
    (rb"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it, or compress it with gzip"),
    (rb"\xff\xfe|\xfe\xff|(?:[^\0]\0){4}|(?:\0[^\0]){4}", "text in UTF-16",
     "convert the file to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    (rb"\x89PNG|\xff\xd8\xff|GIF8|PAR1|ARROW1|SQLite format 3\0", "a picture, table or database",
     "give the text that is in it"),
)  # fmt: skip


class Kind(StrEnum):
    """The kind of a file, judged by its lines.

    Attributes:
        SOURCES: Only lines that begin with S, as in M2 without edits and in some texts.
        EMPTY: Only blank lines, or no lines.
    """

    TEXT = "text"
    M2 = "M2"
    SOURCES = "S lines"
    CONLLU = "CoNLL-U"
    JSONL = "JSON Lines"
    JSON = "JSON"
    TSV = "tab-separated columns"
    ESSAYS = "essays of MultiGEC"
    XML = "XML"
    HTML = "HTML"
    EMPTY = "blank"


#: What reads each kind of file that is not lines of sentences.
READ_BY: Mapping[Kind, str] = {
    Kind.M2: "it holds the edits already: 'jperrant score' scores it, 'jperrant m2 convert' writes its texts",
    Kind.CONLLU: "'jperrant annotate --format conllu' reads it and makes M2",
    Kind.JSONL: "'jperrant annotate --format jsonl' reads it and makes M2",
    Kind.JSON: "'jperrant m2 convert' reads the JSON of annotation tools; write sentences as JSON Lines",
    Kind.TSV: "'jperrant annotate --format tsv' reads source and corrections, '--format cherrant' also an id",
    Kind.ESSAYS: "'jperrant annotate --format essays' reads them and makes M2",
    Kind.XML: "'jperrant m2 convert' reads the XML of annotation tools and learner corpora",
    Kind.HTML: "save its text as plain text, one sentence a line",
}  # fmt: skip


def recognise(lines: Iterable[str]) -> Kind:
    r"""Return the kind of a file's lines, judged by the first ``LOOKED_AT`` of them.

    >>> recognise(["S This are bad .", "A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0"])
    <Kind.M2: 'M2'>
    >>> recognise(["He goes .", "", "S he goes ."]), recognise([])
    (<Kind.TEXT: 'text'>, <Kind.EMPTY: 'blank'>)
    """
    filled = dropwhile(lambda line: not line.strip(), lines)
    if not (seen := [line for line in islice(filled, LOOKED_AT) if line.strip()]):
        return Kind.EMPTY
    first = seen[0].strip().removeprefix("\ufeff")
    if any(map(_EDIT.match, seen)):
        return Kind.M2
    if all(map(_SENTENCE.match, seen)):
        return Kind.SOURCES
    if essay_heading(first):
        return Kind.ESSAYS
    if markup := _MARKUP.match(first):
        return Kind.HTML if markup[1].lower().endswith("html") else Kind.XML
    if _JSON.match(first):
        return Kind.JSONL if first.startswith("{") and first.endswith("}") else Kind.JSON
    rows = [line.split("\t") for line in seen if not line.startswith("#")]
    if rows and len(rows[0]) == _COLUMNS and _WORD.fullmatch(rows[0][0]):
        return Kind.CONLLU
    widths = {line.count("\t") for line in seen}
    return Kind.TSV if len(widths) == 1 and widths != {0} else Kind.TEXT


def refuse(path: str, kind: Kind, refused: Collection[Kind]) -> None:
    """Raise an error if a file that should hold sentences has another format.

    Args:
        path: The file.
        kind: The kind it was recognised as.
        refused: The kinds that are refused.

    Raises:
        FormatError: Its kind is refused; the message names the kind and what reads it.
    """
    if kind in refused:
        raise FormatError(path, None, f"found {kind}, expected one sentence a line; {READ_BY[kind]}")


def binary_problem(start: bytes) -> str:
    """Return the problem of a file that is not UTF-8 text, by its first bytes; empty for an unknown format.

    >>> binary_problem(b"%PDF-1.7")
    'found a PDF, expected text; save its text as plain text in UTF-8, one sentence a line'
    """
    for pattern, name, remedy in _BINARY:
        if re.match(pattern, start, re.DOTALL):
            return f"found {name}, expected text; {remedy}"
    return ""
