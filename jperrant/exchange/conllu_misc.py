"""Edits in the last column of CoNLL-U, on the token where they begin.

jperrant writes ``Edit=R:SPELL|Correction=grammatical``; ``EditSpan=2-4`` for several tokens, ``EditSpan=before`` or
``after`` for an insertion beside the token; without ``Correction`` an error is only marked; a second edit of a
token has ``Edit2`` and so on. Values are escaped as in UDPipe's ``SpacesAfter``: ``\\s`` is a space, ``\\p`` a
bar, ``\\\\`` a backslash. Edits of a sentence without words are in a comment.

``CorrectForm`` of English-EWT is read too: ``_`` deletes a word, and ``goeswith`` joins the pieces of one word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jperrant.core.conllu import DEPREL, FORM, ID, MISC, ConlluSentence, Row, conllu_sentences
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.values import SEPARATOR, Block, Edit
from jperrant.exchange.formats import AnnotatorFiles
from jperrant.exchange.marks import Document, MarkedText, Region, TokenOffsets, correction_text, type_of
from jperrant.io.files import read_lines
from jperrant.io.m2 import bounded_int

EDIT, CORRECTION, SPAN = "Edit", "Correction", "EditSpan"
_BEFORE, _AFTER = "before", "after"
_EMPTY = "_\t" * 7
_ESCAPES = {"\\": "\\\\", " ": "\\s", "|": "\\p"}
_NUMBERED = re.compile(rf"{EDIT}(\d*)")


@dataclass(frozen=True)
class ConlluFormat(AnnotatorFiles):
    """Edits in the MISC column of CoNLL-U."""

    name = "conllu"
    description = "MISC of CoNLL-U: Edit=, Correction=; CorrectForm= of English-EWT"
    files = "a folder: DOC.aN.conllu for each document and annotator"
    ending = ".conllu"

    def lines(self, document: Document, annotator: int) -> Iterator[str]:
        """Yield the lines of a file."""
        for k, (block, edits) in enumerate(document.edits(annotator), start=1):
            misc = _misc(block, edits)
            yield f"# sent_id = {document.name}-{k}\n# text = {' '.join(block.source)}\n"
            if 0 in misc:
                yield f"# {misc[0]}\n"
            for number, token in enumerate(block.source, start=1):
                yield f"{number}\t{token}\t{_EMPTY}{misc.get(number, '_')}\n"
            yield "\n"

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file: words, neither multi-word tokens nor empty nodes."""
        lines: list[str] = []
        regions: list[Region] = []
        base = 0
        for sentence in conllu_sentences(read_lines(file), file):
            words = [one for one in zip(sentence.lines, sentence.rows, strict=True) if "-" not in one[1][ID]]
            offsets = TokenOffsets.of(" ".join([_form(file, line, row) for line, row in words]))
            for line, start, end, type_, correction in _edits(file, sentence, words):
                begin, finish = offsets.stretch(start, end)
                covered = offsets.text[begin:finish]
                type_ = type_ or type_of(covered, correction)
                regions.append(Region(base + begin, base + finish, type_, correction, f"line {line}"))
            lines.append(offsets.text)
            base += len(offsets.text) + 1
        return MarkedText(file, document, annotator, "\n".join(lines), tuple(regions))


def _misc(block: Block, edits: tuple[Edit, ...]) -> dict[int, str]:
    """Return the values of the last column by the number of the token; 0 for a sentence without tokens."""
    values = defaultdict[int, list[str]](list)
    for edit in edits:
        own = values[number := min(edit.start + 1, len(block.source))]
        suffix = str(len(own) + 1) if own else ""
        fields = {EDIT: edit.type, CORRECTION: correction_text(edit), SPAN: _written_span(edit, number)}
        given = {key: value for key, value in fields.items() if value is not None}
        own.append("|".join([f"{key}{suffix}={escaped(value)}" for key, value in given.items()]))
    return {number: "|".join(parts) for number, parts in values.items()}


def _written_span(edit: Edit, number: int) -> str | None:
    if edit.start == edit.end:
        return _BEFORE if edit.start < number else _AFTER
    return None if edit.end == edit.start + 1 else f"{edit.start + 1}-{edit.end}"


def escaped(value: str) -> str:
    r"""Return a value of MISC without spaces and bars.

    >>> escaped("a b|")
    'a\\sb\\p'
    """
    return "".join([_ESCAPES.get(character, character) for character in value])


def unescaped(value: str) -> str:
    r"""Return a value of MISC without escapes.

    >>> unescaped("a\\sb\\p")
    'a b|'
    """
    return re.sub(r"\\[sp\\]", lambda match: {"s": " ", "p": "|"}.get(match[0][1], "\\"), value)


def _form(file: str, line: int, row: Row) -> str:
    form = row[FORM]
    if len(form.split()) != 1 or form != form.strip() or SEPARATOR in form:
        raise FormatError(file, line, f"found the form {form!r}, expected text without white space and '|||'")
    return form


def _edits(
    file: str, sentence: ConlluSentence, words: Sequence[tuple[int, Row]]
) -> Iterator[tuple[int, int, int, str, str | None]]:
    """Yield line, tokens, type and correction of the edits of a sentence; the type is empty where there is none."""
    notes = [(line, 0, text) for line, text in sentence.comments if not words and text.startswith(f"{EDIT}=")]
    places = [(line, number, row[MISC]) for number, (line, row) in enumerate(words, start=1)]
    for line, number, misc in notes[-1:] or places:
        values = {key: value for key, _, value in (part.partition("=") for part in misc.split("|"))}
        for key, value in values.items():
            if match := _NUMBERED.fullmatch(key):
                start, end = _span(file, line, number, values.get(SPAN + match[1]), len(words))
                correction = values.get(CORRECTION + match[1])
                corrected = None if correction is None else unescaped(correction)
                yield line, start, end, unescaped(value), corrected
        if "CorrectionLabels" in values:
            found = "found CorrectionLabels (SweLL), whose corrections are in another file"
            raise FormatError(file, line, f"{found}; give both to 'jperrant annotate --format conllu'")
        form = values.get("CorrectForm")
        if form is not None and number and words[number - 1][1][DEPREL] != "goeswith":
            end = number  # the pieces of a word belong to its first piece
            while end < len(words) and words[end][1][DEPREL] == "goeswith":
                end += 1
            yield line, number - 1, end, "", "" if form == "_" else unescaped(form)


def _span(file: str, line: int, number: int, span: str | None, length: int) -> tuple[int, int]:
    """Return the span of an edit from its token; token 0 stands for a sentence without tokens."""
    if span is None and number:
        return number - 1, number
    if span in (_BEFORE, _AFTER):
        place = number - (span == _BEFORE and number > 0)
        return place, place
    first, _, last = (span or "").partition("-")
    end = bounded_int(last) if last.isdecimal() else 0
    if first == str(number) and 1 <= number <= end <= length:
        return number - 1, end
    expected = f"{number}-N with N up to {length}, before, or after"
    raise FormatError(file, line, f"{SPAN}={shorten(span or '')}, expected {expected}")
