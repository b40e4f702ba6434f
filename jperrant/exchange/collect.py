"""What annotators marked, turned into blocks: stretches of text and tokens, regions placed, the original restored.

Offsets are half-open and count code points. The text of a document is its sentences, a line each, their tokens
separated by single spaces. An insertion stands where the next token begins, or where the sentence ends.

A correction is one text that people can read and change in a tool, the correction field of M2: tokens separated by
spaces, empty for a deletion, ``||`` between alternatives.

Nothing is lost on the way: what cannot be placed is a problem with file and id, what is only doubtful is counted
in the findings, and every sentence of the export comes out, also one that nobody looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, repeat

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.text import sentence_of
from jperrant.core.values import (
    ANNOTATOR_DIGITS,
    DETECTION_TYPES,
    NONE,
    UNKNOWN,
    Annotation,
    Block,
    Edit,
    alternatives_of,
)  # fmt: skip
from jperrant.exchange.base import Exact, Findings, MarkedText, Region
from jperrant.exchange.side_file import Document, Original

#: The last code point that UTF-16 writes as one unit.
_BASIC = 0xFFFF
#: Characters shown of each side where two texts part.
SHOWN = 20


def sentence_text(block: Block) -> str:
    """Return the tokens of a sentence separated by single spaces."""
    return " ".join(block.source)


def document_text(blocks: Iterable[Block]) -> str:
    """Return the sentences, a line each; no newline at the end."""
    return "\n".join([sentence_text(block) for block in blocks])


@dataclass(frozen=True, slots=True)
class TokenOffsets:
    """Where the tokens of one sentence stand in its text.

    Attributes:
        text: The text of the sentence.
        starts, ends: Offsets of each token.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> TokenOffsets:
        """Cut a text at white space."""
        tokens = sentence_of(text).tokens
        return cls(text, tuple([t.start for t in tokens]), tuple([t.end for t in tokens]))

    @property
    def forms(self) -> tuple[str, ...]:
        """The tokens."""
        return tuple([self.text[start:end] for start, end in zip(self.starts, self.ends, strict=True)])

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """Return the text that the tokens from ``start`` up to ``end`` cover.

        >>> TokenOffsets.of("This are").stretch(1, 2), TokenOffsets.of("This are").stretch(2, 2)
        ((5, 8), (8, 8))
        """
        if start == end:
            point = self.starts[start] if start < len(self.starts) else len(self.text)
            return point, point
        return self.starts[start], self.ends[end - 1]

    def tokens(self, start: int, end: int, correction: str | None) -> tuple[int, int, str | None]:
        """Return the tokens that a stretch touches, and the correction made one of these whole tokens.

        White space at the ends of the stretch does not count. A stretch that begins or ends inside a token grows to
        its ends, and what it took in is added to the correction.

        >>> TokenOffsets.of("I likes it").tokens(6, 7, "")
        (1, 2, 'like')
        >>> TokenOffsets.of("I likes it").tokens(2, 2, "do not")
        (1, 1, 'do not')
        """
        covered = self.text[start:end]
        start += len(covered) - len(covered.lstrip())
        end = max(start, end - (len(covered) - len(covered.rstrip())))
        first = bisect_right(self.ends, start)
        if start == end:
            if first == len(self.starts) or start <= self.starts[first]:
                return first, first, correction
            last = first + 1
        else:
            last = bisect_left(self.starts, end)
        before = self.text[self.starts[first] : start]
        after = self.text[end : self.ends[last - 1]]
        if correction is None or not (before or after):
            return first, last, correction
        return first, last, "||".join([f"{before}{part}{after}" for part in correction.split("||")])


def placed_edits(document: Document, annotator: int) -> Iterator[tuple[Block, Edit, tuple[int, int]]]:
    """Yield the edits of an annotator, each with its sentence and what it covers in the text of the document."""
    base = 0
    for block in document.blocks:
        offsets, annotation = TokenOffsets.of(sentence_text(block)), block.annotation(annotator)
        for edit in annotation.edits if annotation else ():
            start, end = offsets.stretch(edit.start, edit.end)
            yield block, edit, (base + start, base + end)
        base += len(offsets.text) + 1


class Utf16:
    """Offsets of one text that are counted in UTF-16 code units."""

    def __init__(self, text: str) -> None:
        wide = (k for k, character in enumerate(text) if ord(character) > _BASIC)
        #: The offsets, in code units, behind characters that take two units.
        self._units = [k + n + 2 for n, k in enumerate(wide)]

    def to_code_points(self, offset: int) -> int:
        """Return an offset in code points; one inside a character is that of its end.

        >>> Utf16("a😀b").to_code_points(3)
        2
        """
        return offset - bisect_right(self._units, offset)


def difference(found: str, expected: str) -> str:
    """Return where two texts part and how they go on there, for a message; empty if they are equal.

    >>> difference("This is", "This are")
    "from character 6 on found 'is', expected 'are'"
    """
    if found == expected:
        return ""
    pairs = enumerate(zip(found, expected, strict=False))
    place = next((k for k, (a, b) in pairs if a != b), min(len(found), len(expected)))
    return (
        f"from character {place + 1} on found {shorten(found[place : place + SHOWN])}, "
        f"expected {shorten(expected[place : place + SHOWN])}"
    )


#: The operation that removes tokens: a type that begins so needs no correction to be a deletion.
UNNECESSARY = "U:"


def correction_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text; None if it has none.

    >>> correction_text(Edit(1, 2, ("is",), "R:VERB", alternatives=(("was",),)))
    'is||was'
    >>> correction_text(Edit(1, 2, (), "U:DET")), correction_text(Edit(1, 2, None, "UNK"))
    ('', None)
    """
    if edit.correction is None:
        return None
    return "||".join([" ".join(tokens) for tokens in (edit.correction, *edit.alternatives)])


def lasting_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text for a tool whose fields cannot be empty; None for no field.

    A deletion whose type does not say that it is one becomes ``-NONE-``, as in other tools' M2. A detection edit
    with an empty correction has none.

    >>> lasting_text(Edit(1, 2, (), "U:DET")), lasting_text(Edit(1, 2, (), "R:OTHER"))
    (None, '-NONE-')
    """
    text = correction_text(edit)
    if text or text is None:
        return text
    return None if edit.type.startswith(UNNECESSARY) or edit.type in DETECTION_TYPES else NONE


def edit_of(start: int, end: int, type_: str, correction: str | None) -> Edit:
    """Return the edit that a type and the text of a correction stand for.

    Without a correction (None) it is a deletion if the type begins with ``U:``, else a detection edit; M2 can hold
    that only as ``UNK`` or ``Um``, so any other type is lost (``loses_type``).

    >>> edit_of(1, 2, "R:OTHER", "-NONE-").correction, edit_of(1, 2, "R:OTHER", None).type
    ((), 'UNK')
    """
    if loses_type(type_, correction):
        return Edit(start, end, None, UNKNOWN)
    if type_ in DETECTION_TYPES and correction in (None, NONE):
        return Edit(start, end, None, type_)
    if not correction or correction == NONE:
        return Edit(start, end, (), type_)
    first, *others = alternatives_of(correction)
    return Edit(start, end, first, type_, alternatives=tuple(others))


def loses_type(type_: str, correction: str | None) -> bool:
    """Whether a mark has no correction and a type that M2 allows only with one."""
    return correction is None and not type_.startswith(UNNECESSARY) and type_ not in DETECTION_TYPES


def replacement(type_: str, correction: str | None) -> str | None:
    """Return the text that a mark puts in place of what it covers; None if it only marks an error.

    >>> replacement("U:DET", None), replacement("R:OTHER", "-NONE-"), replacement("UNK", "a remark")
    ('', '', None)
    """
    if type_ in DETECTION_TYPES or loses_type(type_, correction):
        return None
    return "" if correction in (None, NONE) else correction


_BOM = "\ufeff"
#: A name that is a number as M2 has it.
_NUMBER = re.compile(rf"0|[1-9][0-9]{{0,{ANNOTATOR_DIGITS - 1}}}")


@dataclass(frozen=True, slots=True)
class _Placed:
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
        regions: The regions in the sentence.
        is_selective: Whether the annotator leaves sentences out: one without marks need not have been looked at.
    """

    text: MarkedText
    regions: list[_Placed]
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
        #: The sentences of each document: those of the export, or those that texts have.
        self.documents: dict[str, dict[int, Block]] = {}
        #: What annotators did to each sentence that a text has, by document and sentence.
        self.work: dict[tuple[str, int], dict[int, _Work]] = {}
        if original:
            self.documents = {
                document.name: dict(enumerate(document.blocks)) for document in original.documents
            }
            used = {e.type for block in original.blocks for a in block.annotations for e in a.edits}
            labels = labels and labels | used
        self.labels = labels and labels | DETECTION_TYPES

    def blocks(self, texts: Sequence[MarkedText], annotators: Mapping[str, int]) -> Iterator[Exact]:
        known = self.original.annotators if self.original else ()
        numbers = numbered({text.annotator for text in texts} - {""}, annotators, known, self.findings)
        for text in texts:
            with self.findings.noting():
                self._add(text, numbers.get(text.annotator, -1))
        self.findings.check()
        exact = iter(self.original.texts) if self.original else repeat(None)
        for name, sentences in self.documents.items():
            for k, before in sorted(sentences.items()):
                block, unchanged = self._block(name, k, before), next(exact)
                yield block, unchanged if block == before else None

    def _add(self, text: MarkedText, annotator: int) -> None:
        """Put away what an annotator did to a text, by sentence.

        Raises:
            FormatError: It does not fit; nothing of it is kept.
        """
        document = self._document(text)
        lines = (
            dict(enumerate(text.text.split("\n"))) if text.sentence is None else {text.sentence: text.text}
        )
        self._check_text(text, document, lines)
        is_done = bool(text.annotator) and text.finished
        for k in lines if is_done else ():
            if other := self.work.get((document, k), {}).get(annotator):
                raise FormatError(
                    text.file,
                    None,
                    f"annotator {text.annotator!r} has annotated sentence {k + 1} of {document!r} already "
                    f"({other.text.file}); remove one, or import each by itself and combine them with "
                    "jperrant m2 merge",
                )
        regions = self._placed(text, list(lines.values())) if is_done else []
        for remark in text.remarks:
            self.findings.add(remark, text.file)
        if text.annotator and not text.finished:
            self.findings.add(f"annotator {text.annotator!r} has not finished, left out", text.file)
        is_selective = is_done and self._is_selective(text, document, annotator, any(regions))
        for n, (k, line) in enumerate(lines.items()):
            self.documents.setdefault(document, {}).setdefault(k, Block(TokenOffsets.of(line).forms))
            people = self.work.setdefault((document, k), {})
            if is_done:
                people[annotator] = _Work(text, regions[n], is_selective)

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

    def _check_text(self, text: MarkedText, document: str, lines: Mapping[int, str]) -> None:
        """Compare a text with that of the export, or with that of another annotator."""
        blocks = self.documents.get(document, {})
        if self.original is not None and text.sentence is not None and text.sentence not in blocks:
            problem = f"found sentence {text.sentence + 1} of {document!r}, expected 1 to {len(blocks)}"
            raise FormatError(text.file, None, problem)
        if blocks and text.sentence is None and len(lines) != len(blocks):
            count = f"{plural(len(lines), 'sentence')}, expected {len(blocks)} as in {document!r}"
            problem = f"{count}: {difference(text.text, document_text(blocks.values()))}"
            raise FormatError(text.file, None, problem)
        for k, line in lines.items():
            if k in blocks and _tokens(line) != _tokens(sentence_text(blocks[k])):
                whose = self.original.path if self.original else "another annotator"
                problem = f"sentence {k + 1} of {document!r} differs from that of {whose}"
                where = difference(line, sentence_text(blocks[k]))
                raise FormatError(text.file, None, f"{problem}: {where}")

    def _is_selective(self, text: MarkedText, document: str, annotator: int, has_marks: bool) -> bool:
        """Whether the annotator of a whole document need not have looked at every sentence of it.

        So it is with everybody who had not before the export. Files of an export that nobody opened look like those
        of somebody who found nothing to correct.
        """
        if self.complete or text.sentence is not None or text.curated or self.original is None:
            return False
        if any(block.annotation(annotator) is not None for block in self.documents[document].values()):
            return True
        if has_marks or not text.annotator.isdecimal():
            return False
        kind = f"annotator {annotator} marked nothing in a document, taken as not having seen it"
        self.findings.add(kind, text.file)
        return True

    def _placed(self, text: MarkedText, lines: Sequence[str]) -> list[list[_Placed]]:
        """Return the regions in each sentence of a text."""
        begins = [0]
        for line in lines:
            begins.append(begins[-1] + len(line) + 1)
        offsets: dict[int, TokenOffsets] = {}
        placed: list[list[_Placed]] = [[] for _ in lines]
        for region in checked_regions(text, self.findings):
            k = bisect_right(begins, region.start) - 1
            if region.end >= begins[k + 1]:
                covered = shorten(text.text[region.start : region.end])
                where = f"{region.id or 'an edit'} crosses sentences: {region.start} to {region.end}"
                problem = f"{where} covers {covered}; split it into one for each sentence"
                raise FormatError(text.file, None, problem)
            if k not in offsets:
                offsets[k] = TokenOffsets.of(lines[k])
            place = f"{text.file}, {region.id}" if region.id else text.file
            start, end, correction, is_wider = _on_tokens(region, begins[k], offsets[k])
            if is_wider:
                self.findings.add("begins or ends inside a token, widened to whole tokens", place)
            if self.labels and region.type not in self.labels:
                near = nearest(region.type, self.labels)
                self.findings.add(f"type {shorten(region.type)} is not a type of the pack{near}", place)
            placed[k].append(_Placed(start, end, region.type, correction, place))
        return placed

    def _block(self, document: str, k: int, before: Block) -> Block:
        place = f"{document}, sentence {k + 1}"
        people = self.work.get((document, k))
        if people is None:
            if before.source and before.annotations:  # tools take no empty sentences
                kind = "a sentence of the export that no file holds, left without annotations"
                self.findings.add(kind, place)
            return Block(before.source) if before.source else before
        order = [annotation.annotator for annotation in before.annotations]
        annotations: dict[int, Annotation] = {}
        for annotator in sorted(people, key=lambda a: (order.index(a) if a in order else len(order), a)):
            work, old = people[annotator], before.annotation(annotator)
            if old is not None or work.regions or not work.is_selective:
                annotations[annotator] = self._annotation(annotator, work, old)
        if not any(work.text.curated for work in people.values()):
            for annotator in [a for a in order if a not in annotations]:
                kind = f"annotator {annotator} had annotated a sentence that no file holds now"
                self.findings.add(kind, place)
        return Block(before.source, tuple(annotations.values()))

    def _annotation(self, annotator: int, work: _Work, original: Annotation | None) -> Annotation:
        """Return the annotation that regions stand for: of the original where they are unchanged."""
        left = list(enumerate(work.regions))
        found: list[tuple[int, Edit]] = []
        for edit in original.edits if original else ():
            if same := next((one for one in left if one[1].stands_for(edit)), None):
                left.remove(same)
                found.append((same[0], edit))
        new: dict[int, _Placed] = {}
        for number, region in left:
            edit = region.edit()
            found.append((number, edit))
            new[id(edit)] = region
            if loses_type(region.type, region.correction):
                self.findings.add(f"{shorten(region.type)} without a correction became UNK", region.place)
        if work.text.keeps_order:
            found.sort(key=lambda one: one[0])
        edits = sorted([edit for _, edit in found], key=lambda edit: (edit.start, edit.end))
        for first, second in pairwise([edit for edit in edits if not edit.is_detection]):
            later = new.get(id(second)) or new.get(id(first))
            if first.end > second.start and later is not None:
                spans = f"{first.start} {first.end} and {second.start} {second.end}"
                self.findings.add(f"overlaps another edit ({spans})", later.place)
        return Annotation(annotator, tuple(edits))


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
    begin, finish = line.stretch(start, end)
    if start == end or (local[0] <= begin and finish <= local[1]):
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
    numbers = {**given, **{n: int(n) for n in sorted(names) if n not in given and _NUMBER.fullmatch(n)}}
    taken = set(numbers.values())
    if len(taken) < len(numbers):
        twice = next(n for n in numbers.values() if list(numbers.values()).count(n) > 1)
        both = " and ".join([repr(name) for name, number in numbers.items() if number == twice])
        raise UsageError(
            f"annotators {both} both have the number {twice}; change one with --annotator NAME=NUMBER"
        )
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
    units: Callable[[int], int] = Utf16(text.text).to_code_points
    converted = [replace(r, start=units(r.start), end=units(r.end)) for r in text.regions]
    regions = converted if text.utf16 else list(text.regions)
    problem = _problem(text.text, regions)
    if problem and converted != regions and not _problem(text.text, converted):
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
