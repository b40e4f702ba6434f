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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, PositiveInt, StrictInt

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus, ExportedFile, Findings, MarkedText, Region
from jperrant.exchange.offsets import TokenOffsets, lasting_text, sentence_text
from jperrant.exchange.reading import checked_model, json_value, read_bytes
from jperrant.exchange.tool import ToolFormat, annotator_of, colour_of, input_files
from jperrant.exchange.xml_tree import xml_attribute

#: The names of the controls, and the choices of the one for places.
TYPE, CORRECTION, PLACE, ANNOTATOR = "type", "correction", "place", "annotator"
REPLACE, BEFORE, AFTER = "replace", "insert before", "insert after"
_TASKS, _CONFIGURATION = "tasks.json", "labels.xml"
_MODEL = "jperrant-"
_EXPORT = "a task of Label Studio's export as JSON (not JSON-MIN; of its API with fields=all)"
_UNCHECKED = "a task with predictions only, which nobody has checked, left without annotations"


@dataclass(frozen=True)
class LabelStudioFormat(ToolFormat):
    """The options of Label Studio."""

    results: Literal["annotations", "predictions"] = option(
        "annotations",
        "Finished work, or something to review, which is not counted as done.",
    )

    name = "label-studio"
    description = "Label Studio: tasks in JSON, labelling configuration"
    files = f"a folder: {_TASKS}, {_CONFIGURATION}"
    is_folder = True

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield the configuration and the tasks."""
        yield ExportedFile(_CONFIGURATION, _configuration(corpus.labels))
        yield ExportedFile(_TASKS, self._tasks(corpus))

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield what annotators did to each task of a JSON export."""
        files = input_files(path, ".json", findings)
        if len(files) > 1:
            found = ", ".join(Path(file).name for file in files)
            raise InputError(f"{path}: found {found}, expected one .json file with tasks; name the file")
        tasks = json_value(read_bytes(files[0]), files[0])
        if not isinstance(tasks, list):
            raise FormatError(files[0], None, "expected a list of tasks; export the project as JSON")
        for number, task in enumerate(tasks):
            with findings.noting():
                yield from list(_texts(files[0], number, task, self.results))

    def _tasks(self, corpus: Corpus) -> Iterator[str]:
        between = "[\n"
        for document in corpus.documents:
            for k, block in enumerate(document.blocks):
                if block.source:
                    data = {"text": sentence_text(block), "document": document.name, "block": k + 1}
                    task = {
                        "data": data,
                        self.results: [self._result(block, k, a) for a in block.annotations],
                    }
                    yield between + json.dumps(task, ensure_ascii=False)
                    between = ",\n"
        yield "[]\n" if between == "[\n" else "\n]\n"

    def _result(self, block: Block, number: int, annotation: Annotation) -> dict[str, Any]:
        """Return what one annotator did to a sentence."""
        offsets = TokenOffsets.of(sentence_text(block))
        results = [
            result
            for k, edit in enumerate(annotation.edits)
            for result in _region(offsets, edit, f"b{number}a{annotation.annotator}e{k}")
        ]
        if self.results == "predictions":
            return {"model_version": f"{_MODEL}annotator{annotation.annotator}", "result": results}
        who = {
            "id": f"b{number}a{annotation.annotator}",
            "to_name": "text",
            "from_name": ANNOTATOR,
            "type": "textarea",
            "value": {"text": [str(annotation.annotator)]},
        }
        return {"was_cancelled": False, "result": [who, *results]}


def _region(offsets: TokenOffsets, edit: Edit, id_: str) -> Iterator[dict[str, Any]]:
    """Yield the results that are one region."""
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
    yield f'<View>\n  <Labels name="{TYPE}" toName="text" showInline="true">\n'
    for type_, meaning in labels.items():
        hint = f" hint={xml_attribute(meaning)}" if meaning else ""
        yield f'    <Label value={xml_attribute(type_)} background="{colour_of(type_)}"{hint}/>\n'
    yield "  </Labels>\n"
    yield '  <Text name="text" value="$text" granularity="word"/>\n'
    yield f'  <TextArea name="{CORRECTION}" toName="text" perRegion="true" maxSubmissions="1" editable="true"/>\n'
    yield f'  <Choices name="{PLACE}" toName="text" perRegion="true" choice="single" showInline="true">\n'
    for choice in (REPLACE, BEFORE, AFTER):
        yield f'    <Choice value="{choice}"/>\n'
    yield "  </Choices>\n"
    yield f'  <View style="display:none"><TextArea name="{ANNOTATOR}" toName="text"/></View>\n</View>\n'


class _Data(BaseModel):
    text: str
    document: str | int | None = None
    block: PositiveInt | None = None


class _Task(BaseModel):
    """A task of a JSON export; what is not asked for may be ids alone."""

    data: _Data
    annotations: list[Any] | None = None
    predictions: list[Any] | None = None
    drafts: Any = None


class _Result(BaseModel):
    id: Any = None
    from_name: str | None = None
    value: Any = None


class _Done(BaseModel):
    """What somebody, or a model, did to a task."""

    result: list[_Result] | None = None
    completed_by: Any = None
    model_version: Any = None
    was_cancelled: bool | None = False


class _Type(BaseModel):
    start: StrictInt
    end: StrictInt
    labels: list[str] = Field(min_length=1, max_length=1)
    text: Any = None


class _Texts(BaseModel):
    text: str | list[str]


class _Places(BaseModel):
    choices: list[Literal["replace", "insert before", "insert after"]] = Field(max_length=1)


def _texts(path: str, number: int, value: Any, kind: str) -> Iterator[MarkedText]:
    """Yield what each annotator did to a task; what nobody did comes with an empty name."""
    has_id = isinstance(value, dict) and "id" in value
    file = f"{path}: task {value['id'] if has_id else number + 1}"
    task = checked_model(_Task, value, file, _EXPORT)
    data = task.data
    document = Path(path).stem if data.document is None else str(data.document)
    place = (data.block or number + 1) - 1
    untouched = MarkedText(file, document, "", data.text, sentence=place, trusts_offsets=True)
    done = (task.annotations if kind == "annotations" else task.predictions) or []
    # An export may give the ids of drafts alone.
    drafts = [] if done or not isinstance(task.drafts, list) else task.drafts
    drafts = [d if isinstance(d, dict) else {"result": True} for d in drafts]
    names = [_user(draft.get("user")) for draft in drafts if draft.get("result")]
    if not done and not names:
        unchecked = kind == "annotations" and task.predictions
        yield replace(untouched, remarks=(_UNCHECKED,) if unchecked else ())
    for name in names:
        yield replace(untouched, annotator=name, finished=False)
    for one in done:
        record = checked_model(_Done, one, file, f"the {kind} of {_EXPORT}")
        results = record.result or []
        given = [_one(file, r) for r in results if r.from_name == ANNOTATOR and r.value is not None]
        name = (given and given[-1]) or _user(record.completed_by)
        if kind == "predictions":
            name = annotator_of(str(record.model_version or "").removeprefix(_MODEL))
        if record.was_cancelled:
            yield replace(untouched, annotator=name, finished=False)
        else:
            regions, remarks = _regions(file, results)
            yield replace(untouched, annotator=name, regions=regions, remarks=remarks)


def _regions(file: str, results: list[_Result]) -> tuple[tuple[Region, ...], tuple[str, ...]]:
    """Return the regions of an annotation, and remarks about results that are none of ours."""
    by_id: dict[str, dict[str, _Result]] = {}
    remarks = []
    for result in results:
        name = result.from_name
        if name not in (TYPE, CORRECTION, PLACE) or not isinstance(result.value, dict):
            if name != ANNOTATOR:
                remarks.append(f"a result of {shorten(str(name))}, which M2 cannot hold, left out")
            continue
        if name in by_id.setdefault(str(result.id), {}):
            raise FormatError(file, None, f"region {result.id} has two results of {name!r}")
        by_id[str(result.id)][name] = result
    return tuple([_region_of(file, f"region {id_}", parts) for id_, parts in by_id.items()]), tuple(remarks)


def _region_of(file: str, where: str, parts: Mapping[str, _Result]) -> Region:
    value = parts[TYPE].value if TYPE in parts else None
    marked = checked_model(_Type, value, file, f"the label of {where}")
    place = ""
    if PLACE in parts:
        [place] = checked_model(_Places, parts[PLACE].value, file, f"the place of {where}").choices or [""]
    correction = _one(file, parts[CORRECTION]) if CORRECTION in parts else None
    covered = marked.text if isinstance(marked.text, str) else None
    insert: Any = {BEFORE: "before", AFTER: "after"}.get(place, "")
    return Region(marked.start, marked.end, marked.labels[0], correction, where, covered, insert)


def _one(file: str, result: _Result) -> str | None:
    """Return the text of a result that has at most one; None without one."""
    where = f"region {result.id}, {result.from_name}"
    texts = checked_model(_Texts, result.value, file, where).text
    texts = [texts] if isinstance(texts, str) else texts
    if len(texts) > 1:
        found = plural(len(texts), "text")
        raise FormatError(file, None, f"{where}: found {found}, expected one text")
    return (texts[0].strip() or None) if texts else None


def _user(user: Any) -> str:
    """Return the name of a user of the server: the address where an export gives it, else ``user`` and the id."""
    if isinstance(user, dict):
        user = user.get("email") or user.get("id")
    return f"user{user or ''}" if isinstance(user, int) or user is None else str(user)
