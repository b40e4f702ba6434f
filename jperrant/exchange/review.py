"""What the page of ``jperrant review`` saves: ``NAME.review.json``, the M2 file and what people decided about it.

The file holds what a side file does, so that an import needs nothing else::

    {"format": "jperrant-review", "version": 1, "task": "review", "m2": "gold.m2", "sha256": "…", "head": "",
     "sentences": [
      {"source": ["This", "are"], "annotations": [{"annotator": 0, "edits": [{"start": 1, …}]}],
       "comment": "…", "edits": [{"by": [0], "status": "accepted", "start": 1, "end": 2, "type": "R:VERB:SVA",
                                  "correction": ["is"], "covered": ["are"]}]}]}

``annotations`` (and ``text``, where the block is not in our dialect) are as in the M2 file. ``edits`` is there
where somebody worked on the sentence: all its edits, also those that are still ``open``; ``seen`` where somebody
read a sentence and found nothing to correct; ``reviewer`` is who saved the file. ``task`` says what becomes
of them: ``review`` keeps each annotator's version without what was rejected; ``adjudicate`` makes one version of
all, of annotator 0, wherever all edits of a sentence are decided.
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
from jperrant.core.values import ANNOTATOR_DIGITS, Annotation, Block, Edit, format_block
from jperrant.exchange.base import Conversion, Findings, MarkedText, Region
from jperrant.exchange.offsets import TokenOffsets, correction_text, sentence_text
from jperrant.exchange.side_file import Original, read_original, side_file_from
from jperrant.exchange.tool import ToolFormat, read_json

FORMAT, VERSION = "jperrant-review", 1
REVIEW, ADJUDICATE = "review", "adjudicate"
OPEN, ACCEPTED, REJECTED = "open", "accepted", "rejected"
_UNDECIDED = "an edit that nobody decided, left as it was"
_CONTESTED = "a sentence with edits that nobody decided, left as it was"
_COMMENT = "a comment, which M2 cannot hold; --log FILE keeps it"
_LOST = "what was decided about sentence {}, which the M2 file has otherwise now; left out"


@dataclass(frozen=True)
class ReviewFormat(ToolFormat):
    """The options of a review."""

    unfinished: Literal["keep", "refuse"] = option(
        "keep", "What nobody decided stays as it was, or makes the import an error."
    )

    m2: str = option("", "The M2 file as it is now, if it was corrected since the page was made.")

    name = "review"
    input_options = ("m2",)
    description = "what the page of jperrant review saves"
    can_write = False
    files = "a file that the page of jperrant review saves: NAME.review.json"
    suffix = ".json"

    def original(self, job: Conversion) -> Original | None:
        """Return the M2 file that the page was made from, which the file itself holds."""
        return super().original(job) if job.side else _original(job.inputs[0], self.m2)

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:  # noqa: ARG002
        """Yield what was decided for each annotator of each sentence."""
        record = _record(path, self.m2)
        decided = record["task"] == ADJUDICATE
        name, unfinished = Path(str(record["m2"])).stem, 0
        for k, sentence in enumerate(record["sentences"]):
            work = _Sentence(f"{path}: sentence {k + 1}", sentence)
            versions = work.decision() if decided else work.versions()
            unfinished += work.undecided(decided)
            lost = tuple([_LOST.format(number) for number in sentence.get("lost", ())])
            for text in work.texts(name, k, versions, decided):
                yield replace(text, remarks=(*text.remarks, *lost))
                lost = ()
        if unfinished and self.unfinished == "refuse":
            what = "sentence" if decided else "edit"
            problem = f"found {plural(unfinished, what)} that nobody decided; finish the review"
            raise FormatError(path, None, problem)


def _corrected(record: dict[str, Any], now: Original) -> dict[str, Any]:
    """Return a review of the M2 file as it is now: what was decided about sentences that it still has.

    A sentence of which it has another source or other annotations loses its decisions; ``lost`` has its number.
    """
    if now.sha256 == record["sha256"]:
        return record
    places: dict[str, list[int]] = {}
    for k, block in enumerate(now.blocks):
        places.setdefault(json.dumps(block.to_dict(), sort_keys=True), []).append(k)
    sentences: list[dict[str, Any]] = [
        {**block.to_dict(), **({} if text is None else {"text": text})}
        for block, text in zip(now.blocks, now.texts, strict=True)
    ]
    for k, old in enumerate(record["sentences"]):
        decided = {name: old[name] for name in ("edits", "comment", "seen") if name in old}
        key = json.dumps(_Sentence(f"sentence {k + 1}", old).block.to_dict(), sort_keys=True)
        same = places.get(key, [])
        if same:
            place = same.pop(same.index(k) if k in same else 0)
            sentences[place] |= decided
        elif decided:
            sentences[min(k, len(sentences) - 1)].setdefault("lost", []).append(k + 1)
    return {**record, "sentences": sentences, "sha256": now.sha256, "head": now.head}


def _original(path: str, now: str) -> Original:
    """Return the M2 file that a page was made from.

    Raises:
        FormatError: Its sentences are not those of the M2 file.
    """
    record = _record(path, now)
    texts = [_text(path, k, sentence) for k, sentence in enumerate(record["sentences"], start=1)]
    documents = [[Path(record["m2"]).stem, len(texts)]]
    side = {
        **record,
        "exchange": ReviewFormat.name,
        "documents": documents,
        "blocks": [record["head"], *texts],
    }
    kept = side_file_from(path, side)
    if not kept.is_intact:
        problem = (
            f"the sentences of {kept.m2} do not match their checksum; the file was changed or is damaged"
        )
        raise FormatError(path, None, problem)
    return kept


def _text(path: str, number: int, record: Mapping[str, Any]) -> str:
    """Return the text of a sentence in the M2 file."""
    try:
        return str(record["text"]) if "text" in record else format_block(Block.from_dict(record))
    except InputError as error:
        raise FormatError(f"{path}: sentence {number}", None, str(error)) from None


def _record(path: str, now: str = "") -> dict[str, Any]:
    """Return the file's object, its outer form checked.

    Args:
        path: The file.
        now: The M2 file as it is now; empty where it is as it was.

    Raises:
        FormatError: It is not a review.
    """
    record = read_json(path)
    record = record if isinstance(record, dict) else {}
    if record.get("format") != FORMAT:
        problem = f'found no "format": "{FORMAT}", expected what the page of jperrant review saves'
        raise FormatError(path, None, problem)
    if record.get("version") != VERSION:
        problem = f"found version {record.get('version')!r}, expected {VERSION}; update jperrant"
        raise FormatError(path, None, problem)
    if record.get("task") not in (REVIEW, ADJUDICATE):
        problem = f"found task {record.get('task')!r}, expected {REVIEW!r} or {ADJUDICATE!r}"
        raise FormatError(path, None, problem)
    for key in ("m2", "sha256", "head"):
        if not isinstance(record.get(key), str):
            raise FormatError(path, None, f"{key}: expected a string")
    sentences = record.get("sentences")
    if not isinstance(sentences, list) or not all(isinstance(one, dict) for one in sentences):
        raise FormatError(path, None, "sentences: expected a list of objects")
    return _corrected(record, read_original(now)) if now else record


@dataclass(frozen=True, slots=True)
class _Decided:
    """An edit and what was decided about it."""

    edit: Edit
    by: tuple[int, ...]
    status: str


class _Sentence:
    """A sentence of the file.

    Raises:
        FormatError: Something in it is not as expected; names the sentence.
    """

    def __init__(self, place: str, record: Mapping[str, Any]) -> None:
        self.place = place
        try:
            self.block = Block.from_dict(record)
        except InputError as error:
            raise self._error(str(error)) from None
        self.comment = record.get("comment", "")
        if not isinstance(self.comment, str):
            raise self._error("comment: expected a string")
        self.seen = record.get("seen") is True
        edits = record.get("edits")
        if edits is not None and not isinstance(edits, list):
            raise self._error("edits: expected a list")
        #: What was decided; None where nobody worked on the sentence.
        self.edits = None if edits is None else [self._decided(k, e) for k, e in enumerate(edits, start=1)]

    @property
    def is_agreed(self) -> bool:
        """Whether all who looked have the same version; nobody needs to decide that."""
        return len({annotation.edits for annotation in self.block.annotations}) == 1

    def undecided(self, adjudicated: bool) -> int:
        """Return how many edits, or whether the whole sentence, nobody decided."""
        if adjudicated:
            return int(bool(self.block.annotations) and self.decision() is None)
        if self.edits is None:
            return sum(len(annotation.edits) for annotation in self.block.annotations)
        return sum(edit.status == OPEN for edit in self.edits)

    def versions(self) -> dict[int, list[Edit]]:
        """Return each annotator's edits without those that were rejected."""
        if self.edits is None:
            return {a.annotator: list(a.edits) for a in self.block.annotations}
        versions: dict[int, list[Edit]] = {a.annotator: [] for a in self.block.annotations}
        for decided in self.edits:
            if decided.status != REJECTED:
                for annotator in decided.by:
                    versions.setdefault(annotator, []).append(decided.edit)
        return versions or ({0: []} if self.seen else {})

    def decision(self) -> dict[int, list[Edit]] | None:
        """Return the one version that was decided on, of annotator 0; None if the sentence is still open."""
        if self.edits is None:
            return {0: list(self.block.annotations[0].edits)} if self.is_agreed else None
        if any(decided.status == OPEN for decided in self.edits):
            return None
        if not self.edits and not self.block.annotations and not self.seen:  # only a comment
            return None
        return {0: [decided.edit for decided in self.edits if decided.status == ACCEPTED]}

    def texts(
        self, document: str, k: int, versions: Mapping[int, list[Edit]] | None, adjudicated: bool
    ) -> Iterator[MarkedText]:
        """Yield the versions, as what annotators marked; the first one carries the remarks."""
        remarks = (_CONTESTED if adjudicated else _UNDECIDED,) * self.undecided(adjudicated)
        if self.comment:
            remarks = (*remarks, _COMMENT)
        curated = adjudicated and versions is not None
        if versions is None:
            versions = {a.annotator: list(a.edits) for a in self.block.annotations}
        text = sentence_text(self.block)
        for annotator, edits in versions.items() or {"": []}.items():
            yield MarkedText(
                self.place,
                document,
                str(annotator),
                text,
                tuple(self._regions(edits)),
                k,
                curated=curated,
                keeps_order=True,
                remarks=remarks,
                comments=(self.comment,) if self.comment else (),
            )
            remarks = ()

    def _regions(self, edits: list[Edit]) -> Iterator[Region]:
        offsets = TokenOffsets.of(sentence_text(self.block))
        for edit in edits:
            start, end = offsets.stretch(edit.start, edit.end)
            yield Region(start, end, edit.type, correction_text(edit), f"edit {edit.start} {edit.end}")

    def _decided(self, number: int, record: Any) -> _Decided:
        if not isinstance(record, dict):
            raise self._error(f"edit {number}: expected an object")
        status, by = record.get("status"), record.get("by")
        if status not in (OPEN, ACCEPTED, REJECTED):
            raise self._error(
                f"edit {number} has status {shorten(str(status))}, expected {OPEN}, {ACCEPTED} or {REJECTED}"
            )
        if not isinstance(by, list) or not by or not all(_is_annotator(one) for one in by):
            raise self._error(f"edit {number} is by {shorten(str(by))}, expected numbers of annotators")
        return _Decided(self._edit(number, record), tuple(dict.fromkeys(by)), status)

    def _edit(self, number: int, record: Mapping[str, Any]) -> Edit:
        """Return an edit that M2 can hold."""
        start, end, length = record.get("start"), record.get("end"), len(self.block.source)
        if not _is_number(start) or not _is_number(end) or not 0 <= start <= end <= length:
            found = shorten(f"{start} {end}")
            raise self._error(f"edit {number} covers {found}, expected tokens from 0 to {length}")
        try:
            edit = Edit.from_dict({"correction": None, **record, "detail": ""})
            format_block(Block(self.block.source, (Annotation(0, (edit,)),)))
        except InputError as error:
            raise self._error(f"edit {number}: {error}") from None
        covered = list(self.block.source[start:end])
        if record.get("covered", covered) != covered:
            raise self._error(
                f"edit {number} covers {shorten(' '.join(covered))}, expected "
                f"{shorten(str(record['covered']))} as the file says"
            )
        return edit

    def _error(self, problem: str) -> FormatError:
        return FormatError(self.place, None, problem)


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_annotator(value: Any) -> bool:
    return _is_number(value) and 0 <= value < 10**ANNOTATOR_DIGITS
