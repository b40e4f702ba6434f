"""The JSON lines of the BEA-2019 shared task, in which W&I+LOCNESS and FCE are published: an essay in each line.

``{"id": …, "text": …, "edits": [[annotator, [[start, end, correction, type], …]], …]}``: characters of the whole
essay, ``null`` where only an error is marked, the type in FCE only (Bryant et al. 2019, "The BEA-2019 Shared Task
on Grammatical Error Correction"). Ours beyond theirs: alternatives as a fifth item.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.option import option
from jperrant.exchange.base import Corpus, ExportedFile, Findings, MarkedText
from jperrant.exchange.inline import TEXTS, InlineEdit, Mark, inserted, placed_texts
from jperrant.exchange.offsets import Utf16, bases, document_text, stretches
from jperrant.exchange.side_file import Document
from jperrant.exchange.tool import ToolFormat, annotators_of, json_value
from jperrant.io.files import read_lines

_KNOWN = {"id", "text", "edits"}
_EXPECTED = '[start, end, correction] or [start, end, correction, type], such as [5, 8, "is"]'


@dataclass(frozen=True)
class BeaJsonFormat(ToolFormat):
    """The JSON lines of the BEA-2019 shared task."""

    name = "bea-json"
    description = "JSON lines of the BEA-2019 shared task (W&I+LOCNESS, FCE)"
    files = "a file, in it a line for each document"
    suffix = ".jsonl"

    text: str = option("auto", "What the text is when it is read.", choices=TEXTS)
    utf16: bool = option(False, "Offsets that are read count UTF-16 code units, as JavaScript and Java do.")

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield the one file."""
        yield ExportedFile("", (self._line(document) for document in corpus.documents))

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the essays of a file, each as often as it has annotators."""
        for number, line in enumerate(read_lines(path), start=1):
            with findings.noting():
                if line.strip():
                    yield from placed_texts(_Record(path, number, line).texts(self.utf16), self.text)

    def _line(self, document: Document) -> str:
        edits = [[annotator, list(self._edits(document, annotator))] for annotator in annotators_of(document)]
        record = {"id": document.name, "text": document_text(document.blocks), "edits": edits}
        return json.dumps(record, ensure_ascii=False) + "\n"

    def _edits(self, document: Document, annotator: int) -> Iterator[list[Any]]:
        for block, base in zip(document.blocks, bases(document.blocks), strict=True):
            annotation = block.annotation(annotator)
            edits = annotation.edits if annotation else ()
            for edit, (start, end) in zip(edits, stretches(block, edits, base), strict=True):
                piece = inserted(edit, len(block.source)) if edit.start == edit.end else InlineEdit(edit)
                texts = piece.texts()
                first, others = (texts[0], list(texts[1:])) if texts else (None, [])
                yield [start, end, first, edit.type, *([others] if others else [])]


class _Record:
    """One line of a file."""

    def __init__(self, file: str, number: int, line: str) -> None:
        self.file, self.number = file, number
        self.fields = json_value(line, file, number)
        if not isinstance(self.fields, dict) or not isinstance(self.fields.get("text"), str):
            raise self._error(f'found {shorten(line)}, expected {{"id": …, "text": …, "edits": …}}')

    def texts(self, utf16: bool) -> Iterator[tuple[MarkedText, tuple[Mark, ...]]]:
        """Yield the text by each annotator, and what this one marked."""
        name = str(self.fields.get("id") or f"{Path(self.file).stem}-{self.number}")
        text = self.fields["text"].replace("\r\n", " \n").replace("\r", "\n")
        others = ", ".join(sorted(map(str, self.fields.keys() - _KNOWN)))
        remarks = (f"keys of an essay that M2 cannot hold, left out: {others}",) if others else ()
        people = self.fields.get("edits", [])
        if not isinstance(people, list):
            raise self._error(f"edits: found {shorten(str(people))}, expected a list")
        if not people:
            yield MarkedText(self.file, name, "", text, remarks=remarks), ()
        for person in people:
            if not isinstance(person, list) or len(person) != 2 or not isinstance(person[1], list):
                raise self._error(f"edits: found {shorten(str(person))}, expected [annotator, [edit, …]]")
            marks = [self._mark(item, k, text, utf16) for k, item in enumerate(person[1], start=1)]
            yield MarkedText(self.file, name, str(person[0]), text, remarks=remarks), tuple(marks)

    def _mark(self, item: Any, number: int, text: str, utf16: bool) -> Mark:
        """Return an edit."""
        place = f"line {self.number}, edit {number}"
        if not isinstance(item, list) or not 3 <= len(item) <= 5:
            raise self._error(f"edit {number}: found {shorten(str(item))}, expected {_EXPECTED}")
        start, end, correction, *rest = item
        type_ = rest[0] if rest else ""
        alternatives = rest[1] if len(rest) > 1 else []
        if not all(isinstance(offset, int) and not isinstance(offset, bool) for offset in (start, end)):
            raise self._error(f"edit {number}: offsets {start!r} and {end!r}, expected whole numbers")
        texts = [correction, *alternatives] if isinstance(alternatives, list) else [alternatives, 0]
        if not isinstance(type_, str | None) or (
            correction is not None and not all(isinstance(t, str) for t in texts)
        ):
            raise self._error(f"edit {number}: found {shorten(str(item))}, expected {_EXPECTED}")
        if utf16:
            start, end = map(Utf16(text).to_code_points, (start, end))
        if not 0 <= start <= end <= len(text):
            raise self._error(
                f"edit {number}: {item[0]} to {item[1]} lies outside the text of {len(text)} characters"
                + ("" if utf16 or text.isascii() else "; if offsets count UTF-16 code units, add utf16=yes")
            )
        return Mark(start, end, type_ or "", None if correction is None else tuple(texts), place)

    def _error(self, problem: str) -> FormatError:
        return FormatError(self.file, self.number, problem)
