"""From marked texts to blocks: regions on whole tokens, lines, annotators, and the original restored.

People mark characters: the end of a word, a comma at a word, two words and the space between them. M2 holds
tokens. In running text, an edit covers the smallest stretch that begins and ends between tokens, both in the
source and in the corrected text; so the corrected text stays as it was marked. Marks that meet in one token
become one edit. A line is a sentence if all annotators of the document have it and no edit crosses its end. A
region of a tool is widened to whole tokens, and its correction with it.

Nothing is lost silently: a mark that cannot be placed is reported with file and id, doubtful content is counted in
the findings, and every sentence of the export is written, also one that nobody looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import accumulate, chain, pairwise, repeat
from typing import NamedTuple

from jperrant.core.display import shorten
from jperrant.core.edits import minimise
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import ANNOTATOR_DIGITS, DETECTION_TYPES, NONE, UNKNOWN, Annotation, Block, Edit
from jperrant.exchange.marks import (
    JOINER,
    OR,
    Document,
    MarkedText,
    Region,
    TokenOffsets,
    correction_text,
    is_tokenised,
    type_of,
)  # fmt: skip
from jperrant.exchange.side_file import Exact, Original, original_of

#: The last code point that is one unit in UTF-16.
_BASIC = 0xFFFF
#: How many characters of each text a message shows where they differ.
SHOWN = 20
_BOM = "\ufeff"
#: A name that is a valid number of an annotator in M2.
_NUMBER = re.compile(rf"0|[1-9][0-9]{{0,{ANNOTATOR_DIGITS - 1}}}")
#: What to do with two files of one annotator.
_ONE_EACH = "remove one, or import each by itself and combine them with jperrant m2 merge"
_WORD_OR_SPACE = re.compile(r"\s+|\S+")


class Findings:
    """Doubtful content counted by kind, and the places that cannot be read.

    Attributes:
        counts: The number of cases of each kind.
        first: File and place of the first of each kind.
        problems: The places that cannot be read.
        skips: Whether texts with such places are left out; else they end the import, once all are known.
    """

    def __init__(self, skips: bool = False) -> None:
        self.counts: Counter[str] = Counter()
        self.first: dict[str, str] = {}
        self.problems: list[FormatError] = []
        self.skips = skips

    def add(self, kind: str, place: str) -> None:
        """Count one."""
        self.counts[kind] += 1
        self.first.setdefault(kind, place)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Record a FormatError that is raised in the ``with`` block, and continue after it."""
        try:
            yield
        except FormatError as error:
            self.problems.append(error)

    def check(self) -> None:
        """Raise an error if places cannot be read and are not left out.

        Raises:
            FormatError: Names the first place and the lines of the others.
        """
        if not self.problems or self.skips:
            return
        first, *others = self.problems
        if not others:
            raise first
        places = ", ".join(dict.fromkeys(f"{e.file}:{e.line}" if e.line else e.file for e in others))
        problem = f"{first.problem}; and {plural(len(others), 'more place')}: {places}"
        raise FormatError(first.file, first.line, f"{problem}; --on-error=skip leaves these texts out")

    def lines(self) -> list[str]:
        """Return one line for each kind, and one for each place that cannot be read."""
        kinds = [
            f"{self.first[kind]}: {kind}" + (f" ({n} times; this is the first)" if n > 1 else "")
            for kind, n in self.counts.items()
        ]
        left_out = f"{plural(len(self.problems), 'text')} left out, which cannot be read"
        return [*kinds, *[f"{error}; left out" for error in self.problems], *[left_out] * bool(self.problems)]


def difference(found: str, expected: str) -> str:
    """Return where two texts differ first and how they continue, for a message; empty if they are equal.

    >>> difference("This is", "This are")
    "from character 6 on found 'is', expected 'are'"
    """
    if found == expected:
        return ""
    pairs = enumerate(zip(found, expected, strict=False))
    place = next((k for k, (a, b) in pairs if a != b), min(len(found), len(expected)))
    here, there = (shorten(text[place : place + SHOWN]) for text in (found, expected))
    return f"from character {place + 1} on found {here}, expected {there}"


def placed_texts(texts: Iterable[MarkedText], findings: Findings) -> Iterator[MarkedText]:
    """Return texts with regions on whole tokens and common lines; the others go to the findings."""
    fitting = list[MarkedText]()
    for text in texts:
        with findings.noting():
            fitting.append(on_whole_tokens(checked_text(text, findings)) if text.running else text)
    return with_common_lines(fitting)


def checked_text(text: MarkedText, findings: Findings) -> MarkedText:
    """Return a text after checking that its regions are inside and cover what the file says.

    If a file says what regions cover, and offsets do not fit in code points, all of them are tried as UTF-16
    code units, which Java and JavaScript count.

    Raises:
        FormatError: A region does not fit; names file and id, and the ids of all others.
    """
    regions = text.regions
    if problems := [*filter(None, [_problem(text.text, region) for region in regions])]:
        says = any(region.covered is not None for region in regions)
        converted = in_code_points(text.text, regions) if says else regions
        if converted != regions and not any(_problem(text.text, region) for region in converted):
            findings.add("offsets count UTF-16 code units, converted to code points", text.file)
            regions = converted
        elif text.trusts_offsets and all(0 <= r.start <= r.end <= len(text.text) for r in regions):
            findings.add(f"{problems[0]}; the offsets are used", text.file)
        else:
            more = [f"; and {plural(len(problems) - 1, 'more region')}"] * (len(problems) > 1)
            raise FormatError(text.file, None, "".join([problems[0], *more]))
    return replace(text, regions=regions)


def in_code_points(text: str, regions: Sequence[Region]) -> tuple[Region, ...]:
    """Return regions in code points from offsets in UTF-16 code units; one inside a character moves to its end.

    >>> [(region.start, region.end) for region in in_code_points("a😀b", [Region(1, 3, "X", None)])]
    [(1, 2)]
    """
    wide = [k for k, character in enumerate(text) if ord(character) > _BASIC]
    units = [k + n + 2 for n, k in enumerate(wide)]  # offsets after characters of two units
    shifts = [[bisect_right(units, place) for place in (r.start, r.end)] for r in regions]
    pairs = zip(regions, shifts, strict=True)
    return tuple([replace(r, start=r.start - first, end=r.end - last) for r, (first, last) in pairs])


def _problem(text: str, region: Region) -> str:
    """Return the problem with a region that does not fit; empty if it fits."""
    where = f"{region.id or 'a region'}: {region.start} to {region.end}"
    if not 0 <= region.start <= region.end <= len(text):
        return f"{where} lies outside the text of {plural(len(text), 'character')}"
    covered = text[region.start : region.end]
    # Tools show a newline as a space.
    if region.covered is not None and region.covered.replace("\n", " ") != covered.replace("\n", " "):
        return f"{where} covers {shorten(covered)}, expected {shorten(region.covered)} as the file says"
    return ""


class _Piece(NamedTuple):
    """A word, white space between words, or a region (by its index), with its text in the corrected text."""

    start: int
    end: int
    text: str
    region: int | None = None


#: The index of a region, its edit or a merged one, and a remark about it; a region or a remark.
_Made = tuple[int, Region | None, str]


def on_whole_tokens(text: MarkedText) -> MarkedText:
    """Return a running text with its regions on whole tokens; they may overlap.

    In text with M2's tokens, an insertion at the edge of a word is a separate token unless a letter would touch a
    letter. In raw text it becomes part of the word, and an edit may cross lines.
    """
    tokenised = text.running == "tokens" or (text.running == "auto" and is_tokenised(text.text))
    made = sorted(_made(text, tokenised), key=lambda one: one[0])
    regions = tuple([region for _, region, _ in made if region])
    remarks = (*text.remarks, *[remark for _, _, remark in made if remark])
    return replace(text, regions=regions, remarks=remarks, running="", joins=not tokenised)


def _made(text: MarkedText, tokenised: bool) -> Iterator[_Made]:
    for layer in _layers(text.regions):
        pieces = list(_pieces(text, layer))
        target, place = "".join([piece.text for piece in pieces]), 0
        group: list[_Piece] = []
        for piece in pieces:
            if group and _is_cut(text, tokenised, target, place, group[-1], piece):
                yield from _joined(text, group)
                group = []
            group.append(piece)
            place += len(piece.text)
        yield from _joined(text, group)
    for index, region in enumerate(text.regions):
        if region.correction is None:
            yield index, replace(region, type=region.type or UNKNOWN), ""


def _layers(regions: Sequence[Region]) -> list[list[int]]:
    """Return the indices of regions with a correction, in lists of regions that do not overlap, in text order."""
    layers: list[list[int]] = []
    numbered = [k for k, region in enumerate(regions) if region.correction is not None]
    for index in sorted(numbered, key=lambda k: (regions[k].start, regions[k].end)):
        free = [layer for layer in layers if regions[layer[-1]].end <= regions[index].start]
        if free:
            free[0].append(index)
        else:
            layers.append([index])
    return layers


def _pieces(text: MarkedText, layer: Sequence[int]) -> Iterator[_Piece]:
    """Yield the words, white space and regions of a text in order."""
    position = 0
    for index in [*layer, None]:
        region = None if index is None else text.regions[index]
        end = region.start if region else len(text.text)
        for match in _WORD_OR_SPACE.finditer(text.text, position, end):
            yield _Piece(*match.span(), match[0])
        if region:
            yield _Piece(region.start, region.end, region.correction or "", index)
            position = region.end


def _is_cut(text: MarkedText, tokenised: bool, target: str, place: int, left: _Piece, right: _Piece) -> bool:
    """Return whether a token ends between two pieces, in the source and, at a place, in the corrected text."""
    if not _is_open(text.text, right.start):
        return False
    if _is_open(target, place):
        return True
    types = [text.regions[piece.region].type for piece in (left, right) if piece.region is not None]
    letters_meet = target[place - 1].isalnum() and target[place].isalnum()
    return tokenised and (any(type_.startswith("M:") for type_ in types) or not letters_meet)


def _is_open(text: str, place: int) -> bool:
    """Return whether no token continues across a place."""
    return place in (0, len(text)) or text[place - 1].isspace() or text[place].isspace()


def _joined(text: MarkedText, group: Sequence[_Piece]) -> Iterator[_Made]:
    """Yield the region that the regions among some pieces make, by the index of the first."""
    indices = [piece.region for piece in group if piece.region is not None]
    if not indices:
        return
    regions = [text.regions[k] for k in indices]
    tokens = TokenOffsets.of(text.text[group[0].start : group[-1].end])
    # Of several regions the first corrections are joined; a single region keeps all its alternatives.
    others = regions[0].alternatives if len(regions) == 1 else ()
    kept = ["".join([piece.text for piece in group])]
    kept += ["".join([p.text if p.region is None else other for p in group]) for other in others]
    first, *alternatives = [tuple(one.split()) for one in kept]
    edit = Edit(0, len(tokens.starts), first, "", alternatives=tuple(alternatives))
    if any(piece.region is None and piece.text.strip() for piece in group):
        edit = minimise(edit, tokens.text.split())
    says_something = any(p.region is not None and (p.start < p.end or p.text) for p in group)
    if edit.start == edit.end and not edit.correction and not any(edit.alternatives) and says_something:
        yield indices[0], None, "changes nothing but white space, left out"
        return
    start, end = tokens.stretch(edit.start, edit.end)
    if start == end and edit.start == len(tokens.starts):
        start = end = tokens.ends[-1] if tokens.ends else 0
    start, end = group[0].start + start, group[0].start + end
    operation = type_of(text.text[start:end], " ".join(edit.correction or ()))
    types = JOINER.join(dict.fromkeys([region.type or operation for region in regions]))
    remark = f"{plural(len(regions), 'mark')} in one token joined to one edit" if len(regions) > 1 else ""
    yield indices[0], Region(start, end, types, correction_text(edit), regions[0].id), remark


def with_common_lines(texts: Iterable[MarkedText]) -> Iterator[MarkedText]:
    """Yield texts, those of one document by several annotators with their common lines.

    In running text an edit may cross lines, and annotators may have changed empty lines. So a document has the
    lines that all its annotators have and no edit crosses. Texts that differ in their words stay as they are.
    """
    documents = defaultdict[tuple[str, int | None], list[MarkedText]](list)
    for text in texts:
        documents[text.document, text.sentence].append(text)
    for versions in documents.values():
        differ = any(text.text.split() != versions[0].text.split() for text in versions)
        if differ or not any(text.joins for text in versions):
            yield from versions
            continue
        newlines = [_newlines(text) for text in versions]
        common = reduce(Counter.__and__, [Counter(free.values()) for free in newlines])
        for text, free in zip(versions, newlines, strict=True):
            left, characters = Counter(common), list(text.text)
            for k in [k for k, character in enumerate(characters) if character == "\n"]:
                if left[free.get(k, -1)]:
                    left[free[k]] -= 1
                else:
                    characters[k] = " "
            joined = text.text.count("\n") - characters.count("\n")
            remark = "a line joined to the next: an edit crosses both, or another annotator joined them"
            yield replace(text, text="".join(characters), remarks=(*text.remarks, *[remark] * joined))


def _newlines(text: MarkedText) -> dict[int, int]:
    """Return the place of each newline that no edit crosses, and the number of tokens before it."""
    crossed = {k for region in text.regions for k in range(region.start, region.end)}
    tokens, places = 0, dict[int, int]()
    for match in _WORD_OR_SPACE.finditer(text.text):
        tokens += not match[0].isspace()
        places |= {k: tokens for k in range(*match.span()) if text.text[k] == "\n" and k not in crossed}
    return places


def on_tokens(line: TokenOffsets, region: Region, findings: Findings) -> Region:
    """Return the region of the whole tokens that a region of a sentence touches; its offsets count tokens.

    White space at its ends is ignored. If it is widened, the text that is added to it is also added to its
    correction. An insertion that is anchored to a part of a token stands beside the whole token.
    """
    covered, correction = line.text[region.start : region.end], region.correction
    start = region.start + len(covered) - len(covered.lstrip())
    end = max(start, region.end - (len(covered) - len(covered.rstrip())))
    if region.insert:
        start = end = region.start if region.insert == "before" else region.end
    first, last = bisect_right(line.ends, start), bisect_left(line.starts, end)
    begin, finish = line.stretch(first, last)
    if first < last and (begin, finish) != (start, end):
        findings.add("begins or ends inside a token, widened to whole tokens", region.id)
        if region.insert:
            first = last = first if region.insert == "before" else last
        elif region.type not in DETECTION_TYPES and not region.loses_type:
            parts = ("" if correction in (None, NONE) else correction).split(OR)
            correction = OR.join([f"{line.text[begin:start]}{part}{line.text[end:finish]}" for part in parts])
    return replace(region, start=first, end=last, correction=correction)


def _stands_for(region: Region, edit: Edit) -> bool:
    """Whether a region of tokens may be this edit of the original, unchanged."""
    if (region.start, region.end, region.type) != (edit.start, edit.end, edit.type):
        return False
    if region.correction is None:  # in a tool that drops empty fields, a deletion and a mark look alike
        return not edit.correction and not edit.alternatives
    return region.correction == correction_text(edit) or region.edit() == edit


@dataclass
class Collector:
    """Makes blocks of the texts that a format has read; an unchanged block keeps the exact text of its original.

    Attributes:
        original: The M2 file that was exported. Without it sentences are the lines of texts, in their order.
        annotators: Numbers for annotators by the name the tool has for them.
        labels: The types that are expected; any if empty.
        complete: Whether everybody has looked at every sentence of their texts, also where nothing is marked.
        findings: Receives doubtful content, which is accepted but should be checked.
        documents: The sentences of each document: those of the export, or those that texts have.
        work: What annotators did to each sentence that a text has, by document and sentence; regions on its tokens.
        selective: The annotators of a document who may have left out the sentences in which they marked nothing.
    """

    original: Original | None = None
    annotators: Mapping[str, int] = field(default_factory=dict)
    labels: Collection[str] = ()
    complete: bool = False
    findings: Findings = field(default_factory=Findings)
    documents: dict[str, dict[int, Block]] = field(default_factory=dict, init=False)
    work: dict[tuple[str, int], dict[int, MarkedText]] = field(default_factory=dict, init=False)
    selective: set[tuple[str, int]] = field(default_factory=set, init=False)

    def blocks(self, texts: Sequence[MarkedText]) -> Iterator[Exact]:
        """Yield the blocks of texts.

        Raises:
            FormatError: A text is not that of the export, a region does not fit its text or crosses sentences, or
                an annotator did a sentence twice; names file and place.
        """
        original = self.original or original_of("", ())
        self.documents = {d.name: dict(enumerate(d.blocks)) for d in original.documents}
        self.labels = self.labels and {*self.labels, *DETECTION_TYPES, *original.types}
        names, exact = {text.annotator for text in texts} - {""}, chain(original.texts, repeat(None))
        numbers = numbered(names, self.annotators, original.annotators, self.findings)
        for text in placed_texts(texts, self.findings):
            with self.findings.noting():
                self._add(text, numbers.get(text.annotator, -1))
        self.findings.check()
        for name, sentences in self.documents.items():
            for k, before in sorted(sentences.items()):
                block, unchanged = self._block(name, k, before), next(exact)
                yield block, unchanged if block == before else None

    def _add(self, text: MarkedText, annotator: int) -> None:
        """Store an annotator's work on a text, by sentence.

        Raises:
            FormatError: It does not fit; none of it is stored.
        """
        document, first = self._document(text), text.sentence or 0
        own_lines = [text.text] if text.sentence is not None else text.text.split("\n")
        lines = [TokenOffsets.of(line) for line in own_lines]
        self._check_lines(text, document, own_lines)
        text = checked_text(text, self.findings)
        is_done = bool(text.annotator) and text.finished
        for k in range(first, first + len(lines)) if is_done else ():
            if other := self.work.get((document, k), {}).get(annotator):
                found = f"annotator {text.annotator!r} has annotated sentence {k + 1} of {document!r} already"
                raise FormatError(text.file, None, f"{found} ({other.file}); {_ONE_EACH}")
        regions = self._on_lines(text, lines) if is_done else [[] for _ in lines]
        for remark in text.remarks:
            self.findings.add(remark, text.file)
        if text.annotator and not text.finished:
            self.findings.add(f"annotator {text.annotator!r} has not finished, left out", text.file)
        if is_done and self._is_selective(text, document, annotator, any(regions)):
            self.selective.add((document, annotator))
        for k, (line, own) in enumerate(zip(own_lines, regions, strict=True), start=first):
            self.documents.setdefault(document, {}).setdefault(k, Block(tuple(line.split())))
            people = self.work.setdefault((document, k), {})
            if is_done:
                people[annotator] = replace(text, regions=tuple(own))

    def _document(self, text: MarkedText) -> str:
        """Return the document of a text."""
        if self.original is None or text.document in self.documents:
            return text.document
        if len(self.documents) == 1:  # tools rename files
            return next(iter(self.documents))
        near = nearest(text.document, self.documents)
        problem = f"document {text.document!r} is not part of this export{near}, whose side file is"
        raise FormatError(text.file, None, f"{problem} {self.original.path}")

    def _check_lines(self, text: MarkedText, document: str, lines: Sequence[str]) -> None:
        """Compare a text with that of the export, or with that of another annotator."""
        blocks = self.documents.get(document, {})
        problem = ""
        if self.original is not None and text.sentence is not None and text.sentence not in blocks:
            problem = f"found sentence {text.sentence + 1} of {document!r}, expected 1 to {len(blocks)}"
        elif blocks and text.sentence is None and len(lines) != len(blocks):
            count = f"{plural(len(lines), 'sentence')}, expected {len(blocks)} as in {document!r}"
            problem = f"{count}: {difference(text.text, Document(document, tuple(blocks.values())).text)}"
        else:
            for k, line in enumerate(lines, text.sentence or 0):
                if k in blocks and _tokens(line) != _tokens(" ".join(blocks[k].source)):
                    whose = self.original.path if self.original else "another annotator"
                    where = difference(line, " ".join(blocks[k].source))
                    problem = f"sentence {k + 1} of {document!r} differs from that of {whose}: {where}"
                    break
        if problem:
            raise FormatError(text.file, None, problem)

    def _is_selective(self, text: MarkedText, document: str, annotator: int, has_marks: bool) -> bool:
        """Return whether the annotator of a document may have left sentences out.

        This holds for annotators who had not seen it before the export: a file that nobody opened looks like
        one in which nothing was corrected.
        """
        if self.complete or text.sentence is not None or text.curated or self.original is None:
            return False
        if any(block.annotation(annotator) is not None for block in self.documents[document].values()):
            return True
        if has_marks or not text.annotator.isdecimal():
            return False
        kind = f"annotator {annotator} marked nothing in a document, which therefore counts as not seen"
        self.findings.add(kind, text.file)
        return True

    def _on_lines(self, text: MarkedText, lines: Sequence[TokenOffsets]) -> list[list[Region]]:
        """Return the regions in each sentence of a text, on its tokens."""
        begins = [0, *accumulate([len(line.text) + 1 for line in lines])]
        placed: list[list[Region]] = [[] for _ in lines]
        for region in text.regions:
            k = bisect_right(begins, region.start) - 1
            if region.end >= begins[k + 1]:
                covered = shorten(text.text[region.start : region.end])
                where = f"{region.id or 'an edit'} crosses sentences: {region.start} to {region.end}"
                problem = f"{where} covers {covered}; split it into one for each sentence"
                raise FormatError(text.file, None, problem)
            place = f"{text.file}, {region.id}" if region.id else text.file
            local = replace(region, start=region.start - begins[k], end=region.end - begins[k], id=place)
            placed[k].append(on_tokens(lines[k], local, self.findings))
            if self.labels and region.type not in self.labels:
                near = nearest(region.type, self.labels)
                self.findings.add(f"type {shorten(region.type)} is not a type of the pack{near}", place)
        return placed

    def _block(self, document: str, k: int, before: Block) -> Block:
        place = f"{document}, sentence {k + 1}"
        people = self.work.get((document, k))
        if people is None:
            if before.source and before.annotations:  # tools do not take empty sentences
                kind = "a sentence of the export that no file holds, left without annotations"
                self.findings.add(kind, place)
            return Block(before.source) if before.source else before
        order = [annotation.annotator for annotation in before.annotations]
        annotations: dict[int, Annotation] = {}
        for annotator in sorted(people, key=lambda a: (order.index(a) if a in order else len(order), a)):
            work, old = people[annotator], before.annotation(annotator)
            if old is not None or work.regions or (document, annotator) not in self.selective:
                annotations[annotator] = self._annotation(annotator, work, old)
        if not any(work.curated for work in people.values()):
            for annotator in [a for a in order if a not in annotations]:
                kind = f"annotator {annotator} had annotated a sentence that no file holds now"
                self.findings.add(kind, place)
        return Block(before.source, tuple(annotations.values()))

    def _annotation(self, annotator: int, work: MarkedText, original: Annotation | None) -> Annotation:
        """Return the annotation for regions; unchanged regions give the original annotation."""
        left = list(enumerate(work.regions))
        #: Edits, each with the number of its region, and the region itself where it is new.
        found: list[tuple[int, Edit, Region | None]] = []
        for edit in original.edits if original else ():
            if same := next((one for one in left if _stands_for(one[1], edit)), None):
                left.remove(same)
                found.append((same[0], edit, None))
        for number, region in left:
            found.append((number, region.edit(), region))
            if region.loses_type:
                self.findings.add(f"{shorten(region.type)} without a correction became UNK", region.id)
        if work.keeps_order:
            found.sort(key=lambda one: one[0])
        found.sort(key=lambda one: (one[1].start, one[1].end))
        changing = [(edit, region) for _, edit, region in found if not edit.is_detection]
        for (first, own), (second, next_own) in pairwise(changing):
            if first.end > second.start and (later := next_own or own):
                spans = f"{first.start} {first.end} and {second.start} {second.end}"
                self.findings.add(f"overlaps another edit ({spans})", later.id)
        return Annotation(annotator, tuple([edit for _, edit, _ in found]))


def _tokens(text: str) -> list[str]:
    """Return the tokens of a text, without a byte-order mark before the first, which comes and goes."""
    first, *others = text.split() or [""]
    return [first.removeprefix(_BOM), *others]


def numbered(
    names: Collection[str], given: Mapping[str, int], known: Collection[int], findings: Findings
) -> dict[str, int]:
    """Return the numbers of annotators.

    A number that was given takes precedence. A name that is a number is that number. The other names, in
    alphabetical order, get the lowest free numbers; if an annotator of the export is among these numbers, those
    of all annotators of the export count as taken.

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
            found = f"annotator {name!r} is in none of the files{nearest(name, names)}"
            raise UsageError(f"{found}; annotators in them: {', '.join(sorted(names)) or 'none'}")
    numbers = {**given, **{n: int(n) for n in sorted(names) if n not in given and _NUMBER.fullmatch(n)}}
    for number, count in Counter(numbers.values()).items():
        if count > 1:
            both = " and ".join([repr(name) for name, own in numbers.items() if own == number])
            problem = f"annotators {both} both have the number {number}"
            raise UsageError(f"{problem}; change one with --annotator NAME=NUMBER")
    taken = set(numbers.values())
    taken |= set(known) if taken & set(known) else set()
    for name in sorted(set(names) - numbers.keys()):
        numbers[name] = next(n for n in range(len(taken) + 1) if n not in taken)
        taken.add(numbers[name])
        kind = f"annotator {name!r} is number {numbers[name]}"
        findings.add(f"{kind}; choose other numbers with --annotator NAME=NUMBER", "names")
    return numbers
