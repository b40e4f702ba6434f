"""Label Studio: a task for each sentence, and the labelling configuration.

A region has a type, a correction and, for an insertion, a place: Label Studio cannot mark a point, so an
insertion is anchored to the token after it (``insert before``) or to the last one of the sentence (``insert
after``). Results with one ``id`` are one region. Sentences without tokens are left out, since a region needs text.

A server gives every imported annotation to the user who imports it, and refuses other users, so the annotator of
the M2 file is a result of its own, of a control that is not shown (``annotator``).

Source: Label Studio's JSON export, and its tags Labels, Text, TextArea and Choices.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, PositiveInt, StrictInt

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.formats import Corpus, ToolFormat
from jperrant.exchange.marks import MarkedText, Region, TokenOffsets, lasting_text
from jperrant.exchange.reading import checked_model, json_value, read_bytes, xml_attribute

#: The names of the controls of label_studio.xml, and the choices of the one for places.
TYPE, CORRECTION, PLACE, ANNOTATOR = "type", "correction", "place", "annotator"
BEFORE, AFTER = "insert before", "insert after"
_INSERTS = {BEFORE: "before", AFTER: "after"}
_TASKS, _CONFIGURATION = "tasks.json", "labels.xml"
_EXPORT = "a task of Label Studio's export as JSON (not JSON-MIN; of its API with fields=all)"
_UNCHECKED = "a task with predictions only, which nobody has checked, left without annotations"


@dataclass(frozen=True)
class LabelStudioFormat(ToolFormat):
    """Label Studio's tasks; it has no options."""

    name = "label-studio"
    description = "Label Studio: tasks in JSON, labelling configuration"
    files = f"a folder: {_TASKS}, {_CONFIGURATION}"
    ending = ".json"

    def export(self, corpus: Corpus) -> Mapping[str, Iterable[str]]:
        """Return the configuration and the tasks."""
        return {_CONFIGURATION: _configuration(corpus.labels), _TASKS: _tasks(corpus)}

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the annotators' work on each task of a JSON export."""
        tasks = json_value(read_bytes(file), file)
        if not isinstance(tasks, list):
            raise FormatError(file, None, "expected a list of tasks; export the project as JSON")
        for number, task in enumerate(tasks):
            yield _texts(file, number, task)


def _tasks(corpus: Corpus) -> Iterator[str]:
    between = "[\n"
    for document in corpus.documents:
        for k, block in enumerate(document.blocks):
            if block.source:
                data = {"text": " ".join(block.source), "document": document.name, "block": k + 1}
                task = {"data": data, "annotations": [_result(block, k, a) for a in block.annotations]}
                yield between + json.dumps(task, ensure_ascii=False)
                between = ",\n"
    yield "[]\n" if between == "[\n" else "\n]\n"


def _result(block: Block, number: int, annotation: Annotation) -> dict[str, Any]:
    """Return the annotation of a sentence by one annotator, whose name is a separate result."""
    offsets, id_ = TokenOffsets.of(" ".join(block.source)), f"b{number}a{annotation.annotator}"
    value = {"text": [str(annotation.annotator)]}
    results: list[dict[str, Any]] = [
        {"id": id_, "to_name": "text", "from_name": ANNOTATOR, "type": "textarea", "value": value}
    ]
    for k, edit in enumerate(annotation.edits):
        results += _region(offsets, edit, f"{id_}e{k}")
    return {"was_cancelled": False, "result": results}


def _region(offsets: TokenOffsets, edit: Edit, id_: str) -> Iterator[dict[str, Any]]:
    """Yield the results that make up one region."""
    first, last, place = edit.start, edit.end, ""
    if first == last:
        place = BEFORE if first < len(offsets.starts) else AFTER
        first -= place == AFTER
        last = first + 1
    start, end = offsets.stretch(first, last)
    span = {"start": start, "end": end}
    head = {"id": id_, "to_name": "text"}
    labels = {**span, "text": offsets.text[start:end], "labels": [edit.type]}
    yield {**head, "from_name": TYPE, "type": "labels", "value": labels}
    if (correction := lasting_text(edit)) is not None:
        yield {**head, "from_name": CORRECTION, "type": "textarea", "value": {**span, "text": [correction]}}
    if place:
        yield {**head, "from_name": PLACE, "type": "choices", "value": {**span, "choices": [place]}}


def _configuration(labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the labelling configuration, with the meaning of each label as its hint."""
    view = Path(__file__).with_name("label_studio.xml").read_text(encoding="utf-8")
    hints = [f" hint={xml_attribute(meaning)}" if meaning else "" for meaning in labels.values()]
    values = zip(map(xml_attribute, labels), hints, strict=True)
    yield view.replace("{labels}", "".join([f"    <Label value={type_}{hint}/>\n" for type_, hint in values]))


class _Data(BaseModel):
    text: str
    document: str | int | None = None
    block: PositiveInt | None = None


class _Task(BaseModel):
    """A task of a JSON export; parts that were not asked for may be ids alone."""

    data: _Data
    annotations: list[Any] | None = None
    predictions: Any = None
    drafts: Any = None


class _Result(BaseModel):
    id: Any = None
    from_name: str | None = None
    value: Any = None


class _Done(BaseModel):
    """The work of one user on a task."""

    result: list[_Result] | None = None
    completed_by: Any = None
    was_cancelled: bool | None = False


class _Type(BaseModel):
    start: StrictInt
    end: StrictInt
    labels: list[str] = Field(min_length=1, max_length=1)
    text: Any = None


class _Text(BaseModel):
    text: Annotated[
        list[str],
        BeforeValidator(lambda text: [text] if isinstance(text, str) else text),
        Field(max_length=1),
    ]

    def only(self) -> str | None:
        """Return the only text, or None."""
        return self.text[0].strip() or None if self.text else None


class _Place(BaseModel):
    choices: list[Literal["replace", "insert before", "insert after"]] = Field(max_length=1)


class _Parts(BaseModel):
    """The results of one region, by the names of their controls."""

    type: _Type
    correction: _Text = _Text(text=[])
    place: _Place = _Place(choices=[])


def _texts(path: str, number: int, value: Any) -> Iterator[MarkedText]:
    """Yield the work of each annotator on a task; a task that nobody worked on has an empty name."""
    has_id = isinstance(value, dict) and "id" in value
    file = f"{path}: task {value['id'] if has_id else number + 1}"
    task = checked_model(_Task, value, file, _EXPORT)
    data = task.data
    document = Path(path).stem if data.document is None else str(data.document)
    place = (data.block or number + 1) - 1
    untouched = MarkedText(file, document, "", data.text, sentence=place, trusts_offsets=True)
    done = task.annotations or []
    # An export may give the ids of drafts alone.
    drafts = task.drafts if isinstance(task.drafts, list) and not done else []
    known = [draft if isinstance(draft, dict) else {"result": True} for draft in drafts]
    begun = [_user(draft.get("user")) for draft in known if draft.get("result")]
    if not done and not begun:
        yield replace(untouched, remarks=(_UNCHECKED,) if task.predictions else ())
    for name in begun:
        yield replace(untouched, annotator=name, finished=False)
    for one in done:
        record = checked_model(_Done, one, file, f"the annotations of {_EXPORT}")
        results = record.result or []
        own = [r.value for r in results if r.from_name == ANNOTATOR and r.value is not None][-1:]
        names = [checked_model(_Text, value, file, f"the {ANNOTATOR}").only() for value in own]
        name = (names and names[0]) or _user(record.completed_by)
        if record.was_cancelled:
            yield replace(untouched, annotator=name, finished=False)
        else:
            regions, remarks = _regions(file, results)
            yield replace(untouched, annotator=name, regions=regions, remarks=remarks)


def _regions(file: str, results: list[_Result]) -> tuple[tuple[Region, ...], tuple[str, ...]]:
    """Return the regions of an annotation, and remarks on results that jperrant did not write."""
    by_id: dict[str, dict[str, Any]] = {}
    remarks = []
    for result in results:
        name, id_ = result.from_name, str(result.id)
        if name in (TYPE, CORRECTION, PLACE) and isinstance(result.value, dict):
            if name in by_id.setdefault(id_, {}):
                raise FormatError(file, None, f"region {id_} has two results of {name!r}")
            by_id[id_][str(name)] = result.value
        elif name != ANNOTATOR:
            remarks.append(f"a result of {shorten(str(name))}, which M2 cannot hold, left out")
    regions = []
    for id_, values in by_id.items():
        parts = checked_model(_Parts, values, file, f"region {id_}")
        marked, covered = parts.type, parts.type.text if isinstance(parts.type.text, str) else None
        insert: Any = _INSERTS.get("".join(parts.place.choices), "")
        span = marked.start, marked.end, marked.labels[0]
        regions.append(Region(*span, parts.correction.only(), f"region {id_}", covered, insert))
    return tuple(regions), tuple(remarks)


def _user(user: Any) -> str:
    """Return the name of a user of the server: the address if the export has it, else ``user`` and the id."""
    if isinstance(user, dict):
        user = user.get("email") or user.get("id")
    return f"user{user or ''}" if not user or isinstance(user, int) else str(user)
