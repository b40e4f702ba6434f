"""The JSON lines of the BEA-2019 shared task, in which W&I+LOCNESS and FCE are published: an essay in each line.

``{"id": …, "text": …, "edits": [[annotator, [[start, end, correction, type], …]], …]}`` (Bryant et al. 2019, "The
BEA-2019 Shared Task on Grammatical Error Correction"). Offsets count characters of the whole essay. The
correction is ``null`` where an error is only marked. Only FCE has types. jperrant adds alternatives as a fifth
item of an edit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, StrictInt

from jperrant.core.option import option
from jperrant.exchange.formats import Corpus, ToolFormat
from jperrant.exchange.inline import TEXTS, corrections_in_text
from jperrant.exchange.marks import Document, MarkedText, Region
from jperrant.exchange.reading import checked_model
from jperrant.io.files import read_lines


class _Edit(NamedTuple):
    start: StrictInt
    end: StrictInt
    correction: str | None
    type: str | None = None
    alternatives: list[str] = []  # noqa: RUF012 (pydantic copies it)


class _Essay(BaseModel):
    model_config = ConfigDict(extra="allow")

    text: str
    id: str | int | None = None
    edits: list[tuple[str | int, list[_Edit]]] = []


@dataclass(frozen=True)
class BeaJsonFormat(ToolFormat):
    """The JSON lines of the BEA-2019 shared task."""

    name = "bea-json"
    description = "JSON lines of the BEA-2019 shared task (W&I+LOCNESS, FCE)"
    files = "one file with a line for each document"
    suffix = ".jsonl"

    text: str = option("auto", "Read as tokens or as raw text; auto: by its punctuation.", choices=TEXTS)

    def export(self, corpus: Corpus) -> Mapping[str, Iterable[str]]:
        """Return the one file."""
        return {"": map(_line, corpus.documents)}

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the essays of a file, once for each annotator."""
        for number, line in enumerate(read_lines(file), start=1):
            if line.strip():
                yield _essay(file, number, line, self.text)


def _line(document: Document) -> str:
    edits: list[Any] = []
    for annotator in document.annotators:
        edits.append([annotator, own := []])
        for block, edit, (start, end) in document.placed_edits(annotator):
            first, *others = corrections_in_text(edit, len(block.source)) or (None,)
            own.append([start, end, first, edit.type, *([others] if others else [])])
    record = {"id": document.name, "text": document.text, "edits": edits}
    return json.dumps(record, ensure_ascii=False) + "\n"


def _essay(file: str, number: int, line: str, running: str) -> Iterator[MarkedText]:
    """Yield the text of a line for each annotator, with that annotator's marks."""
    what = 'an essay: {"id": …, "text": …, "edits": [[annotator, [[5, 8, "is", "R:VERB"], …]], …]}'
    essay = checked_model(_Essay, line, file, what, number)
    text = essay.text.replace("\r\n", " \n").replace("\r", "\n")
    others = ", ".join(sorted(essay.model_extra or ()))
    remarks = (f"keys of an essay that M2 cannot hold, left out: {others}",) if others else ()
    document = str(essay.id or "") or f"{Path(file).stem}-{number}"
    people = [(str(annotator) or "0", edits) for annotator, edits in essay.edits]
    for annotator, edits in people or [("", [])]:  # nobody has annotated it
        regions = []
        for n, edit in enumerate(edits, start=1):
            span = edit.start, edit.end, edit.type or "", edit.correction
            place = f"line {number}, edit {n}"
            regions.append(Region(*span, place, alternatives=tuple(edit.alternatives)))
        yield MarkedText(file, document, annotator, text, tuple(regions), remarks=remarks, running=running)
