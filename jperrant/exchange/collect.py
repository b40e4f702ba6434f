"""What annotators marked, turned into blocks: regions placed on tokens, the original restored.

Nothing is lost on the way: what cannot be placed is a problem with file and id, what is only doubtful is counted
in the findings, and every sentence of the export comes out, also one that nobody looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from jperrant.core.display import shorten
from jperrant.core.edits import minimise
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import ANNOTATOR_DIGITS, DETECTION_TYPES, Annotation, Block, Edit
from jperrant.exchange.base import Exact, Findings, MarkedText, Region
from jperrant.exchange.offsets import (
    TokenOffsets,
    Utf16,
    correction_text,
    difference,
    document_text,
    edit_of,
    loses_type,
    replacement,
    sentence_text,
)
from jperrant.exchange.side_file import Original

_BOM = "\ufeff"
#: A name that is a number as M2 has it.
_NUMBER = re.compile(rf"0|[1-9][0-9]{{0,{ANNOTATOR_DIGITS - 1}}}")
#: A document by its name, a sentence by its index in it.
_Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Mark:
    """A region on the tokens of its sentence.

    Attributes:
        start, end: Half-open range of tokens.
        type: The error type.
        correction: The text of the correction, or None where the tool has none.
        place: File and id, for messages.
    """

    start: int
    end: int
    type: str
    correction: str | None
    place: str

    def edit(self) -> Edit:
        """Return the edit that it stands for by itself."""
        return edit_of(self.start, self.end, self.type, self.correction)

    def stands_for(self, edit: Edit) -> bool:
        """Whether it may be this edit of the original, unchanged."""
        if (self.start, self.end, self.type) != (edit.start, edit.end, edit.type):
            return False
        if self.correction is None:  # a tool that drops empty fields holds a deletion and a mark alike
            return not edit.correction and not edit.alternatives
        return self.correction == correction_text(edit) or self.edit() == edit


@dataclass(frozen=True, slots=True)
class _Work:
    """What one annotator did to one sentence of a text.

    Attributes:
        text: The text.
        marks: The marks in the sentence.
        is_selective: Whether the annotator leaves sentences out: one without marks need not have been looked at.
    """

    text: MarkedText
    marks: list[Mark]
    is_selective: bool


def collect(
    texts: Iterable[MarkedText],
    original: Original | None = None,
    *,
    annotators: Mapping[str, int] | None = None,
    labels: Collection[str] = (),
    complete: bool = False,
    findings: Findings | None = None,
) -> Iterator[Exact]:
    """Yield blocks, each with the exact text of its original where nothing in it was changed.

    Args:
        texts: What a format read.
        original: The M2 file that was exported. Without it sentences are the lines of texts, in their order.
        annotators: Numbers for annotators by the name the tool has for them.
        labels: The types that are expected; any if empty.
        complete: Whether everybody has looked at every sentence of their texts, also where nothing is marked.
        findings: Gets what was accepted and should be looked at.

    Raises:
        FormatError: A text is not that of the export, a region does not fit its text or crosses sentences, or an
            annotator did a sentence twice; names file and place.
    """
    collector = _Collector(original, frozenset(labels), complete, findings or Findings())
    return collector.blocks(list(texts), annotators or {})


class _Collector:
    """Collects the sentences of one import."""

    def __init__(
        self, original: Original | None, labels: frozenset[str], complete: bool, findings: Findings
    ) -> None:
        self.original, self.complete, self.findings = original, complete, findings
        self.documents = {d.name: d.blocks for d in original.documents} if original else {}
        blocks = original.blocks if original else ()
        used = {edit.type for block in blocks for a in block.annotations for edit in a.edits}
        self.labels = labels | used | DETECTION_TYPES if labels else labels
        #: The text of each sentence, and what annotators did to it.
        self.sources: dict[_Key, str] = {}
        self.work: dict[_Key, dict[int, _Work]] = {}

    def blocks(self, texts: Sequence[MarkedText], annotators: Mapping[str, int]) -> Iterator[Exact]:
        known = self.original.annotators if self.original else ()
        numbers = numbered({text.annotator for text in texts} - {""}, annotators, known, self.findings)
        for text in texts:
            with self.findings.noting():
                self._add(text, numbers.get(text.annotator, -1))
        self.findings.check()
        if self.original is None:
            order = {name: k for k, name in enumerate(dict.fromkeys(name for name, _ in self.sources))}
            for key, source in sorted(self.sources.items(), key=lambda one: (order[one[0][0]], one[0][1])):
                yield self._block(key, TokenOffsets.of(source).forms, None), None
            return
        exact = iter(self.original.texts)
        for document in self.original.documents:
            for k, block in enumerate(document.blocks):
                result, unchanged = self._block((document.name, k), block.source, block), next(exact)
                yield result, unchanged if result == block else None

    def _add(self, text: MarkedText, annotator: int) -> None:
        """Put away what an annotator did to a text, by sentence.

        Raises:
            FormatError: It does not fit; nothing of it is kept.
        """
        text = replace(text, document=self._document(text))
        sources = [text.text] if text.sentence is not None else text.text.split("\n")
        keys = [(text.document, k) for k in range(text.sentence or 0, (text.sentence or 0) + len(sources))]
        self._check_text(text, keys, sources)
        is_done = bool(text.annotator) and text.finished
        for key in keys if is_done else ():
            if other := self.work.get(key, {}).get(annotator):
                raise FormatError(
                    text.file,
                    None,
                    f"annotator {text.annotator!r} has annotated sentence {key[1] + 1} of {text.document!r} "
                    f"already ({other.text.file}); remove one, or import each by itself and combine them with "
                    "jperrant m2 merge",
                )
        marks = self._placed(text, sources) if is_done else []
        for remark in text.remarks:
            self.findings.add(remark, text.file)
        if text.annotator and not text.finished:
            self.findings.add(f"annotator {text.annotator!r} has not finished, left out", text.file)
        is_selective = is_done and self._is_selective(text, annotator, any(marks))
        for k, (key, source) in enumerate(zip(keys, sources, strict=True)):
            self.sources.setdefault(key, source)
            people = self.work.setdefault(key, {})
            if is_done:
                people[annotator] = _Work(text, marks[k], is_selective)

    def _document(self, text: MarkedText) -> str:
        """Return which document a text is of."""
        if self.original is None or text.document in self.documents:
            return text.document
        if len(self.documents) == 1:  # tools give files other names
            return next(iter(self.documents))
        raise FormatError(
            text.file,
            None,
            f"document {text.document!r} is not part of this export{nearest(text.document, self.documents)}, "
            f"whose side file is {self.original.path}",
        )

    def _check_text(self, text: MarkedText, keys: Sequence[_Key], sources: Sequence[str]) -> None:
        """Compare a text with that of the export, or with that of another annotator."""
        blocks = self.documents.get(text.document, ())
        if self.original is not None and text.sentence is not None and not 0 <= text.sentence < len(blocks):
            problem = f"found sentence {text.sentence + 1} of {text.document!r}, expected 1 to {len(blocks)}"
            raise FormatError(text.file, None, problem)
        if self.original is not None and text.sentence is None and len(sources) != len(blocks):
            count = f"{plural(len(sources), 'sentence')}, expected {len(blocks)} as in {text.document!r}"
            problem = f"{count}: {difference(text.text, document_text(blocks))}"
            raise FormatError(text.file, None, problem)
        for key, source in zip(keys, sources, strict=True):
            expected = sentence_text(blocks[key[1]]) if blocks else self.sources.get(key, source)
            if _tokens(source) != _tokens(expected):
                whose = self.original.path if self.original else "another annotator"
                problem = f"sentence {key[1] + 1} of {text.document!r} differs from that of {whose}"
                raise FormatError(text.file, None, f"{problem}: {difference(source, expected)}")

    def _is_selective(self, text: MarkedText, annotator: int, has_marks: bool) -> bool:
        """Whether the annotator of a whole document need not have looked at every sentence of it.

        So it is with everybody who had not before the export. Files of an export that nobody opened look like those
        of somebody who found nothing to correct.
        """
        if self.complete or text.sentence is not None or text.curated or text.document not in self.documents:
            return False
        if any(block.annotation(annotator) is not None for block in self.documents[text.document]):
            return True
        if has_marks or not text.annotator.isdecimal():
            return False
        kind = f"annotator {annotator} marked nothing in a document, taken as not having seen it"
        self.findings.add(kind, text.file)
        return True

    def _placed(self, text: MarkedText, sources: Sequence[str]) -> list[list[Mark]]:
        """Return the marks in each sentence of a text."""
        begins = [0]
        for source in sources:
            begins.append(begins[-1] + len(source) + 1)
        offsets: dict[int, TokenOffsets] = {}
        marks: list[list[Mark]] = [[] for _ in sources]
        for region in checked_regions(text, self.findings):
            k = bisect_right(begins, region.start) - 1
            if region.end >= begins[k + 1]:
                covered = shorten(text.text[region.start : region.end])
                where = f"{region.id or 'an edit'} crosses sentences: {region.start} to {region.end}"
                problem = f"{where} covers {covered}; split it into one for each sentence"
                raise FormatError(text.file, None, problem)
            if k not in offsets:
                offsets[k] = TokenOffsets.of(sources[k])
            marks[k].append(self._mark(region, begins[k], offsets[k], text))
        return marks

    def _mark(self, region: Region, base: int, line: TokenOffsets, text: MarkedText) -> Mark:
        place = f"{text.file}, {region.id}" if region.id else text.file
        start, end, correction, is_wider = _on_tokens(region, base, line)
        if is_wider:
            self.findings.add("begins or ends inside a token, widened to whole tokens", place)
        if self.labels and region.type not in self.labels:
            near = nearest(region.type, self.labels)
            self.findings.add(f"type {shorten(region.type)} is not a type of the pack{near}", place)
        return Mark(start, end, region.type, correction, place)

    def _block(self, key: _Key, source: tuple[str, ...], original: Block | None) -> Block:
        place = f"{key[0]}, sentence {key[1] + 1}"
        people = self.work.get(key)
        if people is None and original is not None:
            if not source:  # tools take no empty sentences
                return original
            if original.annotations:
                kind = "a sentence of the export that no file holds, left without annotations"
                self.findings.add(kind, place)
            return Block(source)
        annotations: dict[int, Annotation] = {}
        for annotator, work in (people or {}).items():
            before = original.annotation(annotator) if original else None
            if before is not None or work.marks or not work.is_selective:
                annotations[annotator] = self._annotation(annotator, work, before, source)
        order = [a.annotator for a in original.annotations] if original else []
        if not any(work.text.curated for work in (people or {}).values()):
            for annotator in [a for a in order if a not in annotations]:
                kind = f"annotator {annotator} had annotated a sentence that no file holds now"
                self.findings.add(kind, place)
        in_order = [a for a in order if a in annotations] + sorted(annotations.keys() - {*order})
        return Block(source, tuple([annotations[annotator] for annotator in in_order]))

    def _annotation(
        self, annotator: int, work: _Work, original: Annotation | None, source: Sequence[str]
    ) -> Annotation:
        """Return the annotation that marks stand for: of the original where they are unchanged."""
        left = list(enumerate(work.marks))
        placed: list[tuple[int, Edit]] = []
        for edit in original.edits if original else ():
            if found := next((one for one in left if one[1].stands_for(edit)), None):
                left.remove(found)
                placed.append((found[0], edit))
        new: dict[int, Mark] = {}
        for number, mark in left:
            edit = _missing(mark.edit(), source) if work.text.minimise else mark.edit()
            placed.append((number, edit))
            new[id(edit)] = mark
            if loses_type(mark.type, mark.correction):
                self.findings.add(f"{shorten(mark.type)} without a correction became UNK", mark.place)
        if work.text.keeps_order:
            placed.sort(key=lambda one: one[0])
        edits = sorted([edit for _, edit in placed], key=lambda edit: (edit.start, edit.end))
        for first, second in pairwise([edit for edit in edits if not edit.is_detection]):
            later = new.get(id(second)) or new.get(id(first))
            if first.end > second.start and later is not None:
                spans = f"{first.start} {first.end} and {second.start} {second.end}"
                self.findings.add(f"overlaps another edit ({spans})", later.place)
        return Annotation(annotator, tuple(edits))


def _missing(edit: Edit, source: Sequence[str]) -> Edit:
    """Return the insertion where an edit only repeats its words beside new ones, any other edit as it is."""
    shorter = edit if edit.is_detection else minimise(edit, source)
    return shorter if shorter.start == shorter.end and shorter.correction else edit


def _tokens(text: str) -> list[str]:
    """Return the tokens of a text, without a byte-order mark before the first, which comes and goes."""
    first, *others = text.split() or [""]
    return [first.removeprefix(_BOM), *others]


def _on_tokens(region: Region, base: int, line: TokenOffsets) -> tuple[int, int, str | None, bool]:
    """Return the tokens of a region, the correction of these whole tokens, and whether it covers fewer characters.

    An insertion beside a part of a token is one beside the token.
    """
    local = (region.start - base, region.end - base)
    replacing = replacement(region.type, region.correction)
    start, end, completed = line.tokens(*local, replacing)
    whole = line.stretch(start, end)
    if start == end or (local[0] <= whole.start and whole.end <= local[1]):
        return start, end, region.correction, False
    if region.insert:
        point = start if region.insert == "before" else end
        return point, point, region.correction, True
    return start, end, region.correction if replacing is None else completed, True


def numbered(
    names: Collection[str], given: Mapping[str, int], known: Collection[int], findings: Findings
) -> dict[str, int]:
    """Return the number of each annotator.

    A number that was given comes first. A name that is a number keeps it. Other names get numbers in alphabetical
    order: those that no annotator of the export has if one of these is there too, else from 0 on.

    Args:
        names: The names the tool has.
        given: Numbers by name.
        known: The annotators of the export.
        findings: Gets a line for each name that is not a number.

    Raises:
        UsageError: A number is given for a name that does not occur, or to two names.
    """
    for name in given:
        if name not in names:
            raise UsageError(
                f"annotator {name!r} is in none of the files{nearest(name, names)}; "
                f"annotators in them: {', '.join(sorted(names)) or 'none'}"
            )
    own = {name: int(name) for name in sorted(names) if name not in given and _NUMBER.fullmatch(name)}
    numbers = {**given, **own}
    by_number: dict[int, str] = {}
    for name, number in numbers.items():
        if (other := by_number.setdefault(number, name)) != name:
            problem = f"annotators {other!r} and {name!r} both have the number {number}"
            raise UsageError(f"{problem}; change one with --annotator NAME=NUMBER")
    taken = set(numbers.values())
    taken |= set(known) if taken & set(known) else set()
    for name in sorted(set(names) - numbers.keys()):
        numbers[name] = next(n for n in range(len(taken) + 1) if n not in taken)
        taken.add(numbers[name])
        kind = (
            f"annotator {name!r} is number {numbers[name]}; choose other numbers with --annotator NAME=NUMBER"
        )
        findings.add(kind, "names")
    return numbers


def checked_regions(text: MarkedText, findings: Findings) -> tuple[Region, ...]:
    """Return the regions of a text, their offsets in code points, insertions with zero width.

    Offsets that do not fit in code points are tried once, all together, in UTF-16 code units, which Java and
    JavaScript count.

    Raises:
        FormatError: A region lies outside of the text or does not cover what the file says; names file and id.
    """
    regions = _converted(text) if text.utf16 else text.regions
    problem = _problem(text.text, regions)
    may_be_utf16 = problem and not text.utf16 and not text.text.isascii()
    if may_be_utf16 and not _problem(text.text, converted := _converted(text)):
        findings.add("offsets count UTF-16 code units, converted to code points", text.file)
        regions, problem = converted, ""
    if problem and not (text.trusts_offsets and all(_is_inside(text.text, region) for region in regions)):
        raise FormatError(text.file, None, problem)
    if problem:
        findings.add(f"{problem}; the offsets are used", text.file)
    points = [region.start if region.insert == "before" else region.end for region in regions]
    return tuple(
        [replace(r, start=p, end=p) if r.insert else r for r, p in zip(regions, points, strict=True)]
    )


def _converted(text: MarkedText) -> tuple[Region, ...]:
    point: Callable[[int], int] = Utf16(text.text).to_code_points
    return tuple([replace(r, start=point(r.start), end=point(r.end)) for r in text.regions])


def _is_inside(text: str, region: Region) -> bool:
    return 0 <= region.start <= region.end <= len(text)


def _problem(text: str, regions: Sequence[Region]) -> str:
    """Return what is wrong with the first region that does not fit; empty if all do."""
    for region in regions:
        where = f"{region.id or 'a region'}: {region.start} to {region.end}"
        if not _is_inside(text, region):
            return f"{where} lies outside the text of {plural(len(text), 'character')}"
        covered = text[region.start : region.end]
        # Tools show a newline as a space.
        if region.covered is not None and region.covered.replace("\n", " ") != covered.replace("\n", " "):
            return f"{where} covers {shorten(covered)}, expected {shorten(region.covered)} as the file says"
    return ""
