"""What annotators marked, turned into blocks: regions placed on tokens, the original restored.

Nothing is lost on the way: what cannot be placed is an error with file and id, what is only doubtful is counted
in the findings, and every sentence of the export comes out, also one that nobody looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from jperrant.core.display import shorten
from jperrant.core.edits import minimise
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import ANNOTATOR_DIGITS, DETECTION_TYPES, Annotation, Block, Edit
from jperrant.exchange.base import Document, MarkedText, Region
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
from jperrant.exchange.side_file import SideFile


class Findings:
    """Counts, by kind, what a person should look at.

    Attributes:
        counts: How often each kind was met.
        first: File and place of the first of each kind.
    """

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.first: dict[str, str] = {}

    def add(self, kind: str, place: str) -> None:
        """Count one."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.first.setdefault(kind, place)

    def lines(self) -> list[str]:
        """Return one line for each kind."""
        return [
            f"{self.first[kind]}: {kind}" + (f" ({n} times; this is the first)" if n > 1 else "")
            for kind, n in self.counts.items()
        ]


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

    def stands_for_first(self, edit: Edit) -> bool:
        """Whether it may be this edit of the original in a tool that carries no alternatives."""
        return (
            bool(edit.alternatives)
            and (self.start, self.end, self.type) == (edit.start, edit.end, edit.type)
            and edit.correction == self.edit().correction
        )


def restore(
    annotator: int,
    marks: Sequence[Mark],
    original: Annotation | None,
    source: Sequence[str] | None = None,
    *,
    first_only: bool = False,
    keeps_order: bool = False,
) -> tuple[Annotation, tuple[tuple[Mark, Edit], ...]]:
    """Return the annotation that marks stand for, and the marks that are no edits of the original with their edits.

    Args:
        annotator: Who marked.
        marks: What was marked, in the order of the tool's file.
        original: What the annotator had before the export.
        source: The tokens of the sentence, for marks that repeat the word beside an insertion.
        first_only: Whether the tool holds only the first of alternative corrections.
        keeps_order: Whether marks of one place stand in the order in which their edits apply.
    """
    left = list(enumerate(marks))
    kept: list[tuple[int, Edit]] = []
    for edit in original.edits if original else ():
        found = next((one for one in left if one[1].stands_for(edit)), None)
        if found is None and first_only:
            found = next((one for one in left if one[1].stands_for_first(edit)), None)
        if found is not None:
            left.remove(found)
            kept.append((found[0], edit))
    added = [(place, mark, _missing(mark.edit(), source)) for place, mark in left]
    placed = [*kept, *[(place, edit) for place, _, edit in added]]
    if keeps_order:
        placed.sort(key=lambda one: one[0])
    edits = sorted([edit for _, edit in placed], key=lambda edit: (edit.start, edit.end))
    return Annotation(annotator, tuple(edits)), tuple([(mark, edit) for _, mark, edit in added])


def _missing(edit: Edit, source: Sequence[str] | None) -> Edit:
    """Return the insertion where an edit only repeats its words beside new ones, any other edit as it is."""
    if source is None or edit.is_detection:
        return edit
    shorter = minimise(edit, source)
    return shorter if shorter.start == shorter.end and shorter.correction else edit


_MARK = "\ufeff"
#: A document by its name, a sentence by its index in it.
_Key = tuple[str, int]


@dataclass(slots=True)
class _Marked:
    """What one annotator did to one sentence of a text."""

    text: MarkedText
    marks: list[Mark] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether the text is that of a whole document."""
        return self.text.sentence is None

    @property
    def is_own(self) -> bool:
        """Whether the export gave the annotator's name."""
        return self.text.annotator.isdecimal()


def collect(
    texts: Iterable[MarkedText],
    side: SideFile | None = None,
    *,
    annotators: Mapping[str, int] | None = None,
    labels: Collection[str] = (),
    complete: bool = False,
    findings: Findings | None = None,
) -> Iterator[tuple[Block, str | None]]:
    """Yield blocks, each with the exact text of its original where nothing in it was changed.

    Args:
        texts: What a format read.
        side: The side file of the export. Without it sentences are the lines of texts, in the order they come.
        annotators: Numbers for annotators by the name the tool has for them.
        labels: The types that are expected; any if empty.
        complete: Whether everybody has looked at every sentence of their texts, also where nothing is marked.
        findings: Gets what was accepted and should be looked at.

    Raises:
        FormatError: A text is not that of the export, a region does not fit its text or crosses sentences, or an
            annotator did a sentence twice; names file and place.
    """
    collector = _Collector(side, frozenset(labels), complete, findings or Findings())
    return collector.blocks(list(texts), annotators or {})


class _Collector:
    """Collects the sentences of one import."""

    def __init__(
        self, side: SideFile | None, labels: frozenset[str], complete: bool, findings: Findings
    ) -> None:
        self.side, self.complete, self.findings = side, complete, findings
        self.documents = {document.name: document for document in side.documents} if side else {}
        self.labels = labels | _used_types(self.documents.values()) | DETECTION_TYPES if labels else labels
        #: What is said of each type that is not expected.
        self.unexpected: dict[str, str] = {}
        self.sources: dict[_Key, str] = {}
        self.marked: dict[_Key, dict[int, _Marked]] = {}
        #: Whether an annotator of a document leaves sentences out.
        self.selective: dict[tuple[str, int], bool] = {}

    def blocks(
        self, texts: Sequence[MarkedText], annotators: Mapping[str, int]
    ) -> Iterator[tuple[Block, str | None]]:
        known = self.side.annotators if self.side else set()
        numbers = numbered({text.annotator for text in texts} - {""}, annotators, known, self.findings)
        for text in texts:
            self._add(text, numbers.get(text.annotator, -1))
        if self.side is None:
            for key, source in self._in_order():
                yield self._block(key, TokenOffsets.of(source).forms, None), None
            return
        exact = iter(self.side.texts)
        for document in self.side.documents:
            for k, block in enumerate(document.blocks):
                result = self._block((document.name, k), block.source, block)
                unchanged = next(exact)
                yield result, unchanged if result == block else None

    def _in_order(self) -> list[tuple[_Key, str]]:
        """Return the sentences: documents in the order they were read, the sentences of each in their own order."""
        order = {name: k for k, name in enumerate(dict.fromkeys(name for name, _ in self.sources))}
        return sorted(self.sources.items(), key=lambda source: (order[source[0][0]], source[0][1]))

    def _add(self, text: MarkedText, annotator: int) -> None:
        """Put away what an annotator did to a text, by sentence."""
        text = replace(text, document=self._document(text))
        sources = [text.text] if text.sentence is not None else text.text.split("\n")
        first = text.sentence or 0
        self._check_text(text, first, sources)
        for remark in text.remarks:
            self.findings.add(remark, text.file)
        if not text.finished or not text.annotator:
            if text.annotator:
                self.findings.add(f"annotator {text.annotator!r} has not finished, left out", text.file)
            for k in range(len(sources)):
                self.marked.setdefault((text.document, first + k), {})
            return
        sentences = [_Marked(text) for _ in sources]
        for k in range(len(sources)):
            people = self.marked.setdefault((text.document, first + k), {})
            if annotator in people:
                raise FormatError(
                    text.file,
                    None,
                    f"annotator {text.annotator!r} has annotated sentence {first + k + 1} of {text.document!r} "
                    f"already ({people[annotator].text.file}); remove one, or import each by itself and combine "
                    "them with jperrant m2 merge",
                )
            people[annotator] = sentences[k]
        self._place(text, sources, sentences)

    def _document(self, text: MarkedText) -> str:
        """Return which document a text is of."""
        if self.side is None or text.document in self.documents:
            return text.document
        if len(self.documents) == 1:  # tools give files other names
            return next(iter(self.documents))
        raise FormatError(
            text.file,
            None,
            f"document {text.document!r} is not part of this export{nearest(text.document, self.documents)}, "
            f"whose side file is {self.side.path}",
        )

    def _check_text(self, text: MarkedText, first: int, sources: Sequence[str]) -> None:
        """Compare a text with that of the export, or with that of another annotator."""
        if self.side is not None:
            self._check_count(text, first, len(sources), self.documents[text.document])
        for k, source in enumerate(sources, start=first):
            key = (text.document, k)
            if self.side is not None:
                self.sources.setdefault(key, sentence_text(self.documents[text.document].blocks[k]))
            expected = self.sources.setdefault(key, source)
            if not _same_tokens(source, expected):
                whose = self.side.path if self.side else "another annotator"
                raise FormatError(
                    text.file,
                    None,
                    f"sentence {k + 1} of {text.document!r} differs from that of {whose}: "
                    f"{difference(source, expected)}",
                )

    def _check_count(self, text: MarkedText, first: int, count: int, document: Document) -> None:
        expected = len(document.blocks)
        if text.sentence is not None and not 0 <= first < expected:
            problem = f"found sentence {first + 1} of {document.name!r}, expected 1 to {expected}"
            raise FormatError(text.file, None, problem)
        if text.sentence is None and count != expected:
            problem = difference(text.text, document_text(document.blocks))
            problem = f"{plural(count, 'sentence')}, expected {expected} as in {document.name!r}: {problem}"
            raise FormatError(text.file, None, problem)

    def _place(self, text: MarkedText, sources: Sequence[str], sentences: Sequence[_Marked]) -> None:
        """Give each sentence the regions in it."""
        begins = [0]
        for source in sources:
            begins.append(begins[-1] + len(source) + 1)
        offsets: dict[int, TokenOffsets] = {}
        for region in checked_regions(text, self.findings):
            k = _line_of(begins, region, text)
            if k not in offsets:
                offsets[k] = TokenOffsets.of(sources[k])
            sentences[k].marks.append(self._mark(region, begins[k], offsets[k], text))

    def _mark(self, region: Region, base: int, line: TokenOffsets, text: MarkedText) -> Mark:
        place = _place_of(text, region)
        start, end, correction, is_wider = _on_tokens(region, base, line)
        if is_wider:
            self.findings.add("begins or ends inside a token, widened to whole tokens", place)
        if self.labels and region.type not in self.labels:
            self.findings.add(self._unexpected(region.type), place)
        return Mark(start, end, region.type, correction, place)

    def _unexpected(self, type_: str) -> str:
        if type_ not in self.unexpected:
            near = nearest(type_, self.labels)
            self.unexpected[type_] = f"type {shorten(type_)} is not a type of the pack{near}"
        return self.unexpected[type_]

    def _block(self, key: _Key, source: tuple[str, ...], original: Block | None) -> Block:
        people = self.marked.get(key)
        if people is None and original is not None:
            if not source:  # tools take no empty sentences
                return original
            if original.annotations:
                place = f"{key[0]}, sentence {key[1] + 1}"
                self.findings.add(
                    "a sentence of the export that no file holds, left without annotations", place
                )
            return Block(source)
        annotations: dict[int, Annotation] = {}
        for annotator, marked in (people or {}).items():
            before = original.annotation(annotator) if original else None
            text, words = marked.text, source if marked.text.minimise else None
            annotation, added = restore(
                annotator,
                marked.marks,
                before,
                words,
                first_only=text.first_only,
                keeps_order=text.keeps_order,
            )
            if before is None and not marked.marks and self._did_not_look(key[0], annotator, marked):
                continue
            self._check_added(added, annotation)
            annotations[annotator] = annotation
        return Block(source, tuple(self._ordered(key, annotations, original)))

    def _did_not_look(self, document: str, annotator: int, marked: _Marked) -> bool:
        """Whether a sentence without marks, which an annotator had not annotated before, is still not annotated.

        Whoever annotates a document need not have looked at every sentence. Files of an export that nobody opened
        look like those of somebody who found nothing to correct.
        """
        if self.complete or not marked.is_whole or marked.text.curated or document not in self.documents:
            return False
        key = (document, annotator)
        if key not in self.selective:
            self.selective[key] = self._is_selective(document, annotator, marked)
        return self.selective[key]

    def _is_selective(self, document: str, annotator: int, marked: _Marked) -> bool:
        blocks = self.documents[document].blocks
        if any(block.annotation(annotator) is not None for block in blocks):
            return True
        if not marked.is_own or any(self.marked[document, k][annotator].marks for k in range(len(blocks))):
            return False
        kind = f"annotator {annotator} marked nothing in a document, taken as not having seen it"
        self.findings.add(kind, marked.text.file)
        return True

    def _ordered(
        self, key: _Key, annotations: Mapping[int, Annotation], original: Block | None
    ) -> Iterator[Annotation]:
        """Yield annotations, those of the original first, in its order."""
        order = [a.annotator for a in original.annotations] if original else []
        for annotator in order:
            if annotator in annotations:
                yield annotations[annotator]
            elif not any(marked.text.curated for marked in self.marked.get(key, {}).values()):
                self.findings.add(
                    f"annotator {annotator} had annotated a sentence that no file holds now",
                    f"{key[0]}, sentence {key[1] + 1}",
                )
        for annotator in sorted(annotations.keys() - set(order)):
            yield annotations[annotator]

    def _check_added(self, added: Sequence[tuple[Mark, Edit]], annotation: Annotation) -> None:
        """Count what is doubtful about new edits."""
        new = {id(edit): mark for mark, edit in added}
        for mark, _ in added:
            if loses_type(mark.type, mark.correction):
                self.findings.add(f"{shorten(mark.type)} without a correction became UNK", mark.place)
        real = [edit for edit in annotation.edits if not edit.is_detection]
        for left, right in pairwise(real):
            later = new.get(id(right)) or new.get(id(left))
            if left.end > right.start and later is not None:
                spans = f"{left.start} {left.end} and {right.start} {right.end}"
                self.findings.add(f"overlaps another edit ({spans})", later.place)


def _same_tokens(text: str, other: str) -> bool:
    """Whether two texts have the same tokens but for a byte-order mark before the first, which comes and goes."""
    tokens, others = text.split(), other.split()
    if tokens and others:
        tokens[0], others[0] = tokens[0].removeprefix(_MARK), others[0].removeprefix(_MARK)
    return tokens == others


def _used_types(documents: Iterable[Document]) -> frozenset[str]:
    """Return the types of all edits of documents."""
    blocks = (block for document in documents for block in document.blocks)
    return frozenset([edit.type for block in blocks for a in block.annotations for edit in a.edits])


def _line_of(begins: Sequence[int], region: Region, text: MarkedText) -> int:
    """Return which sentence a region is in.

    Raises:
        FormatError: It crosses sentences.
    """
    k = bisect_right(begins, region.start) - 1
    if region.end >= begins[k + 1]:
        raise FormatError(
            text.file,
            None,
            f"{region.id or 'an edit'} crosses sentences: {region.start} to {region.end} covers "
            f"{shorten(text.text[region.start : region.end])}; split it into one for each sentence",
        )
    return k


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


def _place_of(text: MarkedText, region: Region) -> str:
    return f"{text.file}, {region.id}" if region.id else text.file


#: A name that is a number as M2 has it.
_NUMBER = re.compile(rf"0|[1-9][0-9]{{0,{ANNOTATOR_DIGITS - 1}}}")


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
    numbers = dict(given)
    for name in sorted(names):
        if name not in numbers and _NUMBER.fullmatch(name):
            numbers[name] = int(name)
    _check_twice(numbers)
    taken = set(numbers.values())
    taken |= set(known) if taken & set(known) else set()
    for name in sorted(set(names) - numbers.keys()):
        number = next(n for n in range(len(taken) + 1) if n not in taken)
        numbers[name] = number
        taken.add(number)
        findings.add(
            f"annotator {name!r} is number {number}; choose other numbers with --annotator NAME=NUMBER",
            "names",
        )
    return numbers


def _check_twice(numbers: Mapping[str, int]) -> None:
    by_number: dict[int, str] = {}
    for name, number in numbers.items():
        if number in by_number:
            raise UsageError(
                f"annotators {by_number[number]!r} and {name!r} both have the number {number}; change one with "
                "--annotator NAME=NUMBER"
            )
        by_number[number] = name


def checked_regions(text: MarkedText, findings: Findings) -> tuple[Region, ...]:
    """Return the regions of a text, their offsets in code points, insertions with zero width.

    Offsets that do not fit in code points are tried once, all together, in UTF-16 code units, which Java and
    JavaScript count.

    Raises:
        FormatError: A region lies outside of the text or does not cover what the file says; names file and id.
    """
    return tuple([_insertion(region) for region in _fitting(text, findings)])


def _fitting(text: MarkedText, findings: Findings) -> tuple[Region, ...]:
    """Return the regions, in code points, that cover what the file says."""
    if text.utf16:
        regions = _converted(text)
        problem = _problem(text, regions)
    else:
        regions = text.regions
        problem = _problem(text, regions)
        if problem and not text.text.isascii() and not _problem(text, converted := _converted(text)):
            findings.add("offsets count UTF-16 code units, converted to code points", text.file)
            return converted
    if not problem:
        return regions
    if text.trusts_offsets and not _outside(text, regions):
        findings.add(f"{problem}; the offsets are used", text.file)
        return regions
    raise FormatError(text.file, None, problem)


def _converted(text: MarkedText) -> tuple[Region, ...]:
    point: Callable[[int], int] = Utf16(text.text).to_code_points
    return tuple([replace(r, start=point(r.start), end=point(r.end)) for r in text.regions])


def _insertion(region: Region) -> Region:
    """Return a region beside which something is inserted with the place of the insertion."""
    if not region.insert:
        return region
    point = region.start if region.insert == "before" else region.end
    return replace(region, start=point, end=point)


def _outside(text: MarkedText, regions: Sequence[Region]) -> bool:
    return any(not 0 <= r.start <= r.end <= len(text.text) for r in regions)


def _problem(text: MarkedText, regions: Sequence[Region]) -> str:
    """Return what is wrong with the first region that does not fit; empty if all do."""
    for region in regions:
        where = f"{region.id or 'a region'}: {region.start} to {region.end}"
        if not 0 <= region.start <= region.end <= len(text.text):
            return f"{where} lies outside the text of {plural(len(text.text), 'character')}"
        covered = text.text[region.start : region.end]
        if region.covered is not None and _on_a_line(region.covered) != _on_a_line(covered):
            return f"{where} covers {shorten(covered)}, expected {shorten(region.covered)} as the file says"
    return ""


def _on_a_line(text: str) -> str:
    """Return a text as tools show it that write a newline as a space."""
    return text.replace("\n", " ")
