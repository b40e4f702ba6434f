"""``NAME.review.json``, which the page of ``jperrant review`` saves: the M2 file and the decisions.

The file holds what a side file does, so that an import needs nothing else::

    {"format": "jperrant-review", "version": 1, "task": "review", "m2": "gold.m2", "sha256": "…", "head": "",
     "sentences": [
      {"source": ["This", "are"], "annotations": [{"annotator": 0, "edits": [{"start": 1, …}]}],
       "comment": "…", "edits": [{"by": [0], "status": "accepted", "start": 1, "end": 2, "type": "R:VERB:SVA",
                                  "correction": ["is"], "covered": ["are"]}]}]}

``annotations`` (and ``text``, if the block is not in jperrant's dialect) are as in the M2 file. A sentence on
which somebody worked has ``edits``: all its edits, also those that are still ``open``. A sentence that somebody
read without finding anything to correct has ``seen``. ``reviewer`` is the person who saved the file. ``task``
determines the result: ``review`` keeps each annotator's version without the rejected edits; ``adjudicate`` makes
one version, of annotator 0, of every sentence whose edits are all decided.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.option import option
from jperrant.core.values import ANNOTATOR_DIGITS, Annotation, Block, Edit, format_block
from jperrant.exchange.formats import Conversion, ToolFormat
from jperrant.exchange.marks import MarkedText, Region, TokenOffsets, correction_text
from jperrant.exchange.reading import checked_model, read_bytes
from jperrant.exchange.side_file import Original, original_from, read_original

FORMAT, VERSION = "jperrant-review", 1
REVIEW, ADJUDICATE = "review", "adjudicate"
_UNDECIDED = "an edit that nobody decided, left as it was"
_CONTESTED = "a sentence with edits that nobody decided, left as it was"
_LOST = "the decisions on sentence {}, which has changed in the M2 file; left out"

_Number = Annotated[int, Field(ge=0, lt=10**ANNOTATOR_DIGITS)]


@dataclass(frozen=True)
class _Decided(Edit):
    """An edit with the decision on it and its annotators."""

    status: Literal["open", "accepted", "rejected"] = field(kw_only=True)
    by: Annotated[tuple[_Number, ...], Field(min_length=1)] = field(kw_only=True)
    covered: tuple[str, ...] | None = field(default=None, kw_only=True)


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class _Sentence(_Strict):
    """A sentence of the file: its block and the decisions on it; None if nobody worked on it."""

    source: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    text: str | None = None
    comment: str = ""
    seen: bool = False
    edits: tuple[_Decided, ...] | None = None
    lost: list[int] = []

    def block(self) -> Block:
        """Return the block as it is in the M2 file."""
        return Block(self.source, self.annotations)


class _Review(_Strict):
    """The JSON that the page saves."""

    format: Literal["jperrant-review"]
    version: Literal[1]
    task: Literal["review", "adjudicate"]
    m2: str
    sha256: str
    head: str
    sentences: list[_Sentence]


@dataclass(frozen=True)
class ReviewFormat(ToolFormat):
    """The options of a review."""

    m2: str = option("", "The M2 file as it is now, if it was corrected since the page was made.")

    name = "review"
    description = "what the page of jperrant review saves"
    can_write = False
    files = "a file that the page of jperrant review saves: NAME.review.json"
    suffix = ".json"

    def also_read(self) -> list[str]:
        """Return the M2 file as it is now."""
        return [self.m2] if self.m2 else []

    def original(self, job: Conversion) -> Original | None:
        """Return the M2 file from which the page was made; the review contains it.

        Raises:
            FormatError: Its sentences are not those of the M2 file.
        """
        path = job.inputs[0]
        review, texts = self._read(path), []
        for k, sentence in enumerate(review.sentences, start=1):
            texts.append(_checked(path, k, sentence.block()) if sentence.text is None else sentence.text)
        documents = [(Path(review.m2).stem, len(texts))]
        return original_from(path, [review.head, *texts], documents, review.sha256)

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the decided version of each annotator for each sentence."""
        review = self._read(file)
        name, adjudicated = Path(review.m2).stem, review.task == ADJUDICATE
        sentences = enumerate(review.sentences)
        yield [text for k, one in sentences for text in _versions(file, name, k, one, adjudicated)]

    def _read(self, path: str) -> _Review:
        review = checked_model(_Review, read_bytes(path), path, "what the page of jperrant review saves")
        return _carried(review, read_original(self.m2)) if self.m2 else review


def _carried(review: _Review, now: Original) -> _Review:
    """Return a review of the current M2 file, with the decisions on sentences that it still has.

    A sentence whose source or annotations changed loses its decisions; ``lost`` has its number.
    """
    if now.sha256 == review.sha256:
        return review
    places = defaultdict[Block, list[int]](list)
    sentences = []
    for k, (block, text) in enumerate(zip(now.blocks, now.texts, strict=True)):
        places[block].append(k)
        sentences.append(_Sentence(source=block.source, annotations=block.annotations, text=text))
    for k, old in enumerate(review.sentences):
        decided = {name: getattr(old, name) for name in ("edits", "comment", "seen")}
        if same := places[old.block()]:
            place = same.pop(same.index(k) if k in same else 0)
            sentences[place] = sentences[place].model_copy(update=decided)
        elif any(value not in (None, "", False) for value in decided.values()) and sentences:
            sentences[min(k, len(sentences) - 1)].lost.append(k + 1)
    return review.model_copy(update={"sentences": sentences, "sha256": now.sha256, "head": now.head})


def _checked(path: str, number: int, block: Block) -> str:
    """Return a block as M2.

    Raises:
        FormatError: M2 cannot hold it; names the sentence.
    """
    try:
        return format_block(block)
    except InputError as error:
        raise FormatError(f"{path}: sentence {number}", None, str(error)) from None


def _check_decided(path: str, number: int, block: Block, decided: _Decided) -> None:
    _checked(path, number, Block(block.source, (Annotation(0, (decided,)),)))
    covered = block.source[decided.start : decided.end]
    if decided.covered not in (None, covered):
        found, expected = (shorten(" ".join(words)) for words in (covered, decided.covered or ()))
        problem = f"edit {decided.start} {decided.end} covers {found}, expected {expected} as the file says"
        raise FormatError(f"{path}: sentence {number}", None, problem)


def _versions(
    path: str, document: str, k: int, sentence: _Sentence, adjudicated: bool
) -> Iterator[MarkedText]:
    """Yield the versions of a sentence; the first one carries the remarks.

    Raises:
        FormatError: A decision does not fit the sentence.
    """
    block, edits = sentence.block(), sentence.edits
    for decided in edits or ():
        _check_decided(path, k + 1, block, decided)
    versions: dict[int, list[Edit]] = {a.annotator: list(a.edits) for a in block.annotations}
    is_open = edits is not None and any(decided.status == "open" for decided in edits)
    curated = False
    if adjudicated:
        if edits is None:  # equal versions need no decision
            curated = len({annotation.edits for annotation in block.annotations}) == 1
            versions = {0: list(block.annotations[0].edits)} if curated else versions
        elif not is_open and (edits or block.annotations or sentence.seen):  # else just a comment
            curated, versions = True, {0: [one for one in edits if one.status == "accepted"]}
        undecided = int(bool(block.annotations) and not curated)
    elif edits is None:
        undecided = sum(map(len, versions.values()))
    else:
        undecided = sum(one.status == "open" for one in edits)
        versions = {annotator: [] for annotator in versions} or ({0: []} if sentence.seen else {})
        for one in edits:
            for annotator in dict.fromkeys(one.by) if one.status != "rejected" else ():
                versions.setdefault(annotator, []).append(one)
    remarks = [_CONTESTED if adjudicated else _UNDECIDED] * undecided
    remarks += [f"a comment, which M2 cannot hold: {shorten(sentence.comment)}"] if sentence.comment else []
    remarks += [_LOST.format(number) for number in sentence.lost]
    for name, own in [(str(annotator), own) for annotator, own in versions.items()] or [("", [])]:
        place, text = f"{path}: sentence {k + 1}", " ".join(block.source)
        yield MarkedText(
            place, document, name, text, _regions(block, own), k,
            curated=curated, keeps_order=True, remarks=tuple(remarks)
        )  # fmt: skip
        remarks = []


def _regions(block: Block, edits: list[Edit]) -> tuple[Region, ...]:
    offsets = TokenOffsets.of(" ".join(block.source))
    places = [(offsets.stretch(edit.start, edit.end), edit) for edit in edits]
    return tuple(
        [Region(*place, e.type, correction_text(e), f"edit {e.start} {e.end}") for place, e in places]
    )
