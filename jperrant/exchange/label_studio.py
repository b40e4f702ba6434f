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
from typing import Any, Literal, TypeGuard

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus, ExportedFile, Findings, MarkedText, Region
from jperrant.exchange.offsets import TokenOffsets, lasting_text, sentence_text
from jperrant.exchange.tool import (
    ToolFormat,
    annotator_folder,
    annotator_of,
    colour_of,
    input_files,
    read_json,
)
from jperrant.exchange.xml_tree import xml_attribute

#: The names of the controls, and the choices of the one for places.
TYPE, CORRECTION, PLACE, ANNOTATOR = "type", "correction", "place", "annotator"
REPLACE, BEFORE, AFTER = "replace", "insert before", "insert after"
_TASKS, _CONFIGURATION = "tasks.json", "labels.xml"
_MODEL = "jperrant-"
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
        tasks = read_json(files[0])
        if not isinstance(tasks, list):
            raise FormatError(files[0], None, "expected a list of tasks; export the project as JSON")
        for number, task in enumerate(tasks):
            with findings.noting():
                yield from list(_Task(files[0], number, task).texts(self.results))

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
            return {"model_version": _MODEL + annotator_folder(annotation.annotator), "result": results}
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


class _Task:
    """A task of a JSON export."""

    def __init__(self, file: str, number: int, task: Any) -> None:
        self.path, self.file = file, f"{file}: task {number + 1}"
        if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
            raise self._error("found no data; export the project as JSON, not as JSON-MIN or CSV")
        self.task = task
        if "id" in task:
            self.file = f"{file}: task {task['id']}"
        data = task["data"]
        text, block = data.get("text"), data.get("block", number + 1)
        if not isinstance(text, str):
            raise self._error("found no text in data; export the project as JSON")
        if not isinstance(block, int) or isinstance(block, bool) or block < 1:
            raise self._error(f"data has block {shorten(str(block))}, expected a number from 1 on")
        document = str(data.get("document", Path(file).stem))
        #: The text as nobody has annotated it.
        self.untouched = MarkedText(self.file, document, "", text, sentence=block - 1, trusts_offsets=True)

    def texts(self, kind: str) -> Iterator[MarkedText]:
        """Yield what each annotator did to the task; what nobody did comes with an empty name."""
        done = self._list(self.task, kind)
        drafts = [] if done else self.task.get("drafts") or []
        drafts = (
            [d for d in drafts if not isinstance(d, dict) or d.get("result")]
            if isinstance(drafts, list)
            else []
        )
        if not done and not drafts:
            unchecked = kind == "annotations" and self.task.get("predictions")
            yield replace(self.untouched, remarks=(_UNCHECKED,) if unchecked else ())
        for draft in drafts:
            user = (
                draft.get("user") if isinstance(draft, dict) else None
            )  # an export may give their ids alone
            yield replace(self.untouched, annotator=_user(user), finished=False)
        for record in done:
            results = self._list(record, "result")
            if kind == "predictions":
                name = annotator_of(str(record.get("model_version", "")).removeprefix(_MODEL))
            else:
                own = [r["value"] for r in results if r.get("from_name") == ANNOTATOR and "value" in r]
                number = self._one(ANNOTATOR, own[-1], "text") if own else None
                name = number or _user(record.get("completed_by"))
            if record.get("was_cancelled"):
                yield replace(self.untouched, annotator=name, finished=False)
            else:
                regions, remarks = self._regions(results)
                yield replace(self.untouched, annotator=name, regions=regions, remarks=remarks)

    def _regions(self, results: list[Mapping[str, Any]]) -> tuple[tuple[Region, ...], tuple[str, ...]]:
        """Return the regions of an annotation, and remarks about results that are none of ours."""
        by_id: dict[str, dict[str, Mapping[str, Any]]] = {}
        remarks = []
        for result in results:
            name, id_ = result.get("from_name"), str(result.get("id"))
            if name not in (TYPE, CORRECTION, PLACE) or not isinstance(result.get("value"), dict):
                if name != ANNOTATOR:
                    remarks.append(f"a result of {shorten(str(name))}, which M2 cannot hold, left out")
                continue
            parts = by_id.setdefault(id_, {})
            if name in parts:
                raise self._error(f"region {id_} has two results of {name!r}")
            parts[name] = result["value"]
        return tuple([self._region(id_, parts) for id_, parts in by_id.items()]), tuple(remarks)

    def _region(self, id_: str, parts: Mapping[str, Mapping[str, Any]]) -> Region:
        value = parts.get(TYPE)
        labels = value.get("labels") if value else []
        if value is None or not _is_texts(labels) or len(labels) != 1:
            found = plural(len(labels), "label") if _is_texts(labels) else f"labels {shorten(str(labels))}"
            raise self._error(f"region {id_} has {found}, expected one: its error type")
        start, end = value.get("start"), value.get("end")
        if not isinstance(start, int) or not isinstance(end, int):
            raise self._error(f"found region {id_} without start and end")
        covered = value.get("text")
        where = f"region {id_}"
        place = self._one(f"{where}, {PLACE}", parts.get(PLACE), "choices") or REPLACE
        if place not in (REPLACE, BEFORE, AFTER):
            problem = f"region {id_} has place {shorten(place)}, expected {REPLACE}, {BEFORE} or {AFTER}"
            raise self._error(problem)
        return Region(
            start,
            end,
            labels[0],
            self._one(f"{where}, {CORRECTION}", parts.get(CORRECTION), "text"),
            where,
            covered if isinstance(covered, str) else None,
            "before" if place == BEFORE else "after" if place == AFTER else "",
        )

    def _one(self, where: str, value: Any, key: str) -> str | None:
        """Return the text of a result that has at most one; None without one."""
        if value is None:
            return None
        values = value.get(key) if isinstance(value, dict) else value
        texts = [values] if isinstance(values, str) else values
        if not _is_texts(texts) or len(texts) > 1:
            raise self._error(f"{where}: found {shorten(str(values))}, expected one text")
        return (texts[0].strip() or None) if texts else None

    def _list(self, record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        values = record.get(key) or []
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            found = "their ids alone" if isinstance(values, list) else shorten(str(values))
            problem = f"{key}: found {found}, expected a list of objects; export the project as JSON, or as"
            raise self._error(f"{problem} /api/tasks?fields=all gives it")
        return values

    def _error(self, problem: str) -> FormatError:
        return FormatError(self.file, None, problem)


def _is_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _user(user: Any) -> str:
    """Return the name of a user of the server: the address where an export gives it, else ``user`` and the id."""
    if isinstance(user, dict):
        user = user.get("email") or user.get("id")
    return f"user{user or ''}" if isinstance(user, int) or user is None else str(user)
