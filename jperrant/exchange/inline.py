"""Marks in running text: edits set into it where they are, and what people marked carried to whole tokens.

People mark characters: the end of a word, a comma at a word, two words and the space between them. M2 holds
tokens. What counts is the text that results: an edit covers the smallest stretch that ends between tokens both
in the source and in the corrected text, so the corrected text stays as it was marked. Marks that meet in one
token become one edit. Lines are sentences: those that all annotators of a document have, and that no edit crosses.

An edit that overlaps another cannot be set into the text twice. It is marked at its start without covering
anything, and the mark says what it covers (``ahead``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import takewhile

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.values import Block, Edit
from jperrant.exchange.base import Findings, MarkedText, Region
from jperrant.exchange.side_file import Document
from jperrant.exchange.tool import AnnotatorFiles, edits_of, input_files, names_of

#: Between the types of marks that became one edit.
JOINER = "+"
_TOKEN = re.compile(r"\S+")
_WORD_OR_SPACE = re.compile(r"\s+|\S+")
_ATTACHED = re.compile(r"(?<!\S)[^\W_]+[.,!?;:]+(?!\S)")
_ALONE = re.compile(r"(?<!\S)[.,!?;:]+(?!\S)")
#: Whether the text of a file has M2's tokens already, as options call it.
TEXTS: Mapping[str, str] = {
    "auto": "looks whether punctuation stands apart",
    "tokens": "tokens separated by spaces, as an export has them",
    "raw": "running text, where a comma belongs to its word",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark in a text.

    Attributes:
        start, end: Half-open range of characters.
        type: The error type; empty where the file has none.
        corrections: The corrected text with its white space, alternatives after the first; None where only an error
            is marked.
        id: What messages call it.
    """

    start: int
    end: int
    type: str
    corrections: tuple[str, ...] | None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """The marks of a text as regions of whole tokens.

    Attributes:
        regions: The regions, in the order of the marks.
        remarks: What was joined or left out.
    """

    regions: tuple[Region, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word, white space between words, or a mark, with its text in the corrected text and its place there."""

    start: int
    end: int
    text: str
    place: int
    index: int | None = None


def is_tokenised(text: str) -> bool:
    """Whether punctuation in a text stands apart from words more often than not.

    >>> is_tokenised("Yes , it is ."), is_tokenised("Yes, it is."), is_tokenised("Yes")
    (True, False, True)
    """
    return len(_ATTACHED.findall(text)) <= len(_ALONE.findall(text))


def type_of(covered: str, correction: str | None) -> str:
    """Return the type of an edit whose file has none: its operation and ``OTHER``.

    >>> type_of("a", "b"), type_of("a", ""), type_of("", "b"), type_of("a", None)
    ('R:OTHER', 'U:OTHER', 'M:OTHER', 'UNK')
    """
    if correction is None:
        return "UNK"
    return "M:OTHER" if not covered.strip() else "R:OTHER" if correction.strip() else "U:OTHER"


def correction_field(corrections: Iterable[Iterable[str]]) -> str:
    """Return the tokens of a correction and its alternatives as the correction field of M2.

    >>> correction_field([["is"], ["was"]]), correction_field([[]])
    ('is||was', '')
    """
    return "||".join([" ".join(tokens) for tokens in corrections])


def on_whole_tokens(text: str, marks: Sequence[Mark], tokenised: bool) -> Placed:
    """Return marks as regions of whole tokens.

    Args:
        text: The source text.
        marks: Marks in it, which may overlap.
        tokenised: Whether the text's tokens are those of M2. Then what is put at the edge of a word is a token
            of its own unless letters meet letters; in other text it becomes part of the word.
    """
    regions: list[tuple[int, Region]] = []
    remarks: list[str] = []
    for layer in _layers(marks):
        for index, region, remark in _Layer(text, marks, layer, tokenised).regions():
            if region is not None:
                regions.append((index, region))
            if remark:
                remarks.append(remark)
    for index, mark in enumerate(marks):
        if mark.corrections is None:
            regions.append((index, Region(mark.start, mark.end, mark.type or "UNK", None, mark.id)))
    return Placed(tuple([region for _, region in sorted(regions, key=lambda pair: pair[0])]), tuple(remarks))


def _layers(marks: Sequence[Mark]) -> list[list[int]]:
    """Return the indices of marks with a correction, in lists of marks that do not overlap, in text order."""
    layers: list[list[int]] = []
    reached: list[int] = []
    numbered = [k for k, mark in enumerate(marks) if mark.corrections is not None]
    for index in sorted(numbered, key=lambda k: (marks[k].start, marks[k].end)):
        mark = marks[index]
        layer = next((k for k, end in enumerate(reached) if end <= mark.start), len(layers))
        if layer == len(layers):
            layers.append([])
            reached.append(0)
        layers[layer].append(index)
        reached[layer] = mark.end
    return layers


class _Layer:
    """Marks that do not overlap, and the text that they make."""

    def __init__(self, text: str, marks: Sequence[Mark], layer: Sequence[int], tokenised: bool) -> None:
        self.text, self.marks, self.tokenised = text, marks, tokenised
        self.pieces: list[_Piece] = []
        self.target, position = "", 0
        for index in layer:
            mark = marks[index]
            self._keep(position, mark.start)
            self._add(mark.start, mark.end, (mark.corrections or ("",))[0], index)
            position = mark.end
        self._keep(position, len(text))
        self.target = "".join([piece.text for piece in self.pieces])

    def _keep(self, start: int, end: int) -> None:
        for match in _WORD_OR_SPACE.finditer(self.text, start, end):
            self._add(match.start(), match.end(), match[0], None)

    def _add(self, start: int, end: int, text: str, index: int | None) -> None:
        last = self.pieces[-1] if self.pieces else None
        place = last.place + len(last.text) if last else 0
        self.pieces.append(_Piece(start, end, text, place, index))

    def regions(self) -> Iterator[tuple[int, Region | None, str]]:
        """Yield the regions that the marks make, each with the index of its first mark and what to say of it."""
        group: list[_Piece] = []
        for piece in self.pieces:
            if group and self._is_cut(group[-1], piece):
                yield from self._region(group)
                group = []
            group.append(piece)
        yield from self._region(group)

    def _is_cut(self, left: _Piece, right: _Piece) -> bool:
        """Whether a token ends between two pieces, in the source and in the corrected text."""
        if not _is_open(self.text, right.start):
            return False
        if _is_open(self.target, right.place):
            return True
        if not self.tokenised:
            return False
        types = [self.marks[piece.index].type for piece in (left, right) if piece.index is not None]
        before, after = self.target[right.place - 1], self.target[right.place]
        return any(type_.startswith("M:") for type_ in types) or not (before.isalnum() and after.isalnum())

    def _region(self, group: Sequence[_Piece]) -> Iterator[tuple[int, Region | None, str]]:
        indices = [piece.index for piece in group if piece.index is not None]
        if not indices:
            return
        marked = [self.marks[k] for k in indices]
        tokens = [match.span() for match in _TOKEN.finditer(self.text, group[0].start, group[-1].end)]
        # Of several marks the first corrections count; of one each of its alternatives.
        others = marked[0].corrections if len(marked) == 1 else None
        texts = ["".join([piece.text for piece in group])]
        for other in (others or ())[1:]:
            texts.append("".join([piece.text if piece.index is None else other for piece in group]))
        corrections = [text.split() for text in texts]
        first = last = 0
        if any(piece.index is None and piece.text.strip() for piece in group):
            first, last = self._equal_ends(tokens, corrections)
            corrections = [tokens_[first : len(tokens_) - last] for tokens_ in corrections]
        covered = tokens[first : len(tokens) - last]
        says_something = any(p.index is not None and (p.start < p.end or p.text) for p in group)
        if not covered and not any(corrections) and says_something:
            yield indices[0], None, "changes nothing but white space, left out"
            return
        gap = group[0].start if not tokens else tokens[first][0] if first < len(tokens) else tokens[-1][1]
        start, end = (covered[0][0], covered[-1][1]) if covered else (gap, gap)
        types = [mark.type or type_of(self.text[start:end], " ".join(corrections[0])) for mark in marked]
        remark = f"{plural(len(marked), 'mark')} in one token joined to one edit" if len(marked) > 1 else ""
        field = correction_field(corrections)
        yield indices[0], Region(start, end, JOINER.join(dict.fromkeys(types)), field, marked[0].id), remark

    def _equal_ends(
        self, tokens: Sequence[tuple[int, int]], corrections: Sequence[Sequence[str]]
    ) -> tuple[int, int]:
        """Return how many tokens at the start and at the end are the same in the source and in all corrections."""
        source = [self.text[start:end] for start, end in tokens]
        first = _common([source, *corrections])
        return first, _common([list(reversed(one[first:])) for one in (source, *corrections)])


def _common(lists: Sequence[Sequence[str]]) -> int:
    """Return how many tokens all lists begin with."""
    return sum(1 for _ in takewhile(lambda column: len({*column}) == 1, zip(*lists, strict=False)))


def _is_open(text: str, place: int) -> bool:
    """Whether no token goes on across a place."""
    return place in (0, len(text)) or text[place - 1].isspace() or text[place].isspace()


@dataclass(frozen=True, slots=True)
class InlineEdit:
    """An edit set into text.

    Attributes:
        edit: The edit.
        covered: The tokens inside the mark.
        ahead: The tokens behind the mark that an edit covers that overlaps others; None for an edit that does not.
        before, after: A space that belongs to what is inserted.
    """

    edit: Edit
    covered: tuple[str, ...] = ()
    ahead: tuple[str, ...] | None = None
    before: str = ""
    after: str = ""

    @property
    def corrections(self) -> tuple[tuple[str, ...], ...] | None:
        """The correction and its alternatives, or None where the edit only marks an error."""
        return None if self.edit.correction is None else (self.edit.correction, *self.edit.alternatives)

    def texts(self) -> tuple[str, ...] | None:
        """Return the corrections as they stand in the text."""
        if self.corrections is None:
            return None
        texts = [" ".join(tokens) for tokens in self.corrections]
        return tuple([f"{self.before}{text}{self.after}" if text else "" for text in texts])


def inserted(edit: Edit, length: int) -> InlineEdit:
    """Return an insertion with the space that keeps it apart from the token behind it, or at the end before it.

    Args:
        edit: The insertion.
        length: How many tokens the sentence has.
    """
    at_end = 0 < edit.start == length
    return InlineEdit(edit, before=" " if at_end else "", after="" if at_end else " ")


def laid_out(block: Block, edits: Sequence[Edit]) -> Iterator[str | InlineEdit]:
    """Yield the tokens and edits of a sentence in the order of the text.

    Tokens that an edit covers are inside it. A reader that puts single spaces between tokens gets the source,
    and with
    ``before`` and ``after`` the corrected text.
    """
    source = block.source
    overlapping = _overlapping(edits)
    begun: dict[int, list[tuple[int, Edit]]] = {}
    for k, edit in enumerate(edits):
        begun.setdefault(edit.start, []).append((k, edit))
    position = 0
    while position <= len(source):
        inside = None
        for k, edit in begun.get(position, ()):
            covered = source[edit.start : edit.end]
            if edit.start == edit.end:
                yield inserted(edit, len(source))
            elif k in overlapping:
                yield InlineEdit(edit, ahead=covered)
            else:
                inside = InlineEdit(edit, covered)
        if inside is not None:
            yield inside
            position = inside.edit.end
            continue
        if position < len(source):
            yield source[position]
        position += 1


def spaced(pieces: Iterator[str | InlineEdit]) -> Iterator[str | InlineEdit]:
    """Yield tokens and edits with the spaces between tokens; what covers nothing stands before the next token."""
    pending = False
    waiting: list[InlineEdit] = []
    for piece in pieces:
        if isinstance(piece, InlineEdit) and not piece.covered:
            waiting.append(piece)
            continue
        if pending:
            yield " "
        yield from waiting
        yield piece
        waiting, pending = [], True
    yield from waiting


def _overlapping(edits: Sequence[Edit]) -> set[int]:
    """Return the indices of edits that cannot be set into the text, because another begins inside them."""
    outside = set[int]()
    by_start: dict[int, list[int]] = {}
    starts = sorted([edit.start for edit in edits])
    for k, edit in enumerate(edits):
        if edit.start == edit.end:
            continue
        if bisect_right(starts, edit.start) < bisect_left(starts, edit.end):
            outside.add(k)
        else:
            by_start.setdefault(edit.start, []).append(k)
    for rivals in by_start.values():  # of those at one place the shortest stays, of equal ones the last
        kept = min(rivals, key=lambda k: (edits[k].end, -k))
        outside.update(set(rivals) - {kept})
    return outside


def with_common_lines(versions: Sequence[MarkedText]) -> Iterator[MarkedText]:
    """Yield the texts of a document by several annotators with their common lines.

    Texts that differ in more than white space stay as they are.
    """
    if any(text.text.split() != versions[0].text.split() for text in versions):
        yield from versions
        return
    common = reduce(Counter.__and__, [Counter(_free_lines(text).values()) for text in versions])
    for text in versions:
        yield _with_lines(text, common)


def _newlines(text: str) -> dict[int, int]:
    """Return the place of each newline and the number of tokens before it."""
    tokens, places = 0, {}
    for k, character in enumerate(text):
        if character == "\n":
            places[k] = tokens
        elif not character.isspace() and (k == 0 or text[k - 1].isspace()):
            tokens += 1
    return places


def _free_lines(text: MarkedText) -> dict[int, int]:
    """Return the newlines that no edit crosses."""
    crossed = {k for region in text.regions for k in range(region.start, region.end) if text.text[k] == "\n"}
    return {k: tokens for k, tokens in _newlines(text.text).items() if k not in crossed}


def _with_lines(text: MarkedText, common: Counter[int]) -> MarkedText:
    """Return a text with as many newlines after each number of tokens as all annotators have."""
    free, left = _free_lines(text), Counter(common)
    characters, joined = list(text.text), 0
    for k, tokens in _newlines(text.text).items():
        if k in free and left[tokens]:
            left[tokens] -= 1
        else:
            characters[k] = " "
            joined += 1
    remark = "a line joined to the next: an edit crosses both, or another annotator has them in one"
    return replace(text, text="".join(characters), remarks=(*text.remarks, *[remark] * joined))


def placed_texts(texts: Iterable[tuple[MarkedText, Sequence[Mark]]], kind: str) -> Iterator[MarkedText]:
    """Yield texts with their marks as regions of whole tokens.

    In running text an edit may cross lines, and annotators may have changed empty lines. Then a document has the
    lines that all its annotators have and no edit crosses.

    Args:
        texts: The texts without regions, and the marks of each.
        kind: A key of ``TEXTS``.
    """
    by_document: dict[str, list[MarkedText]] = defaultdict(list)
    running = set[str]()
    for text, marks in texts:
        tokenised = kind == "tokens" or (kind == "auto" and is_tokenised(text.text))
        if not tokenised:
            running.add(text.document)
        placed = on_whole_tokens(text.text, marks, tokenised)
        remarks = (*text.remarks, *placed.remarks)
        by_document[text.document].append(replace(text, regions=placed.regions, remarks=remarks))
    for document, versions in by_document.items():
        yield from with_common_lines(versions) if document in running else versions


@dataclass
class InlineText:
    """A text and the marks in it, while a file is read from its beginning.

    Attributes:
        file: The file, for messages.
        parts: The text up to here.
        length: How long that is.
        marks: The marks, an outer one before those inside it.
        remarks: What was left out.
    """

    file: str
    parts: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[Mark] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    _ahead: list[tuple[int, str, int]] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Add text."""
        self.parts.append(text)
        self.length += len(text)

    def mark(
        self, start: int, type_: str, corrections: tuple[str, ...] | None, line: int, ahead: str | None = None,
        index: int | None = None,
    ) -> None:  # fmt: skip
        """Add a mark of what stands between a place and here.

        Args:
            start: Where it begins.
            type_: Its type.
            corrections: What should stand there; None for an error that is only marked.
            line: Its line in the file.
            ahead: The text that it says it covers, which follows; None for a mark that does not overlap others.
            index: How many marks come before it; all if None.
        """
        end = self.length
        if ahead is not None:
            self._ahead.append((start, ahead, line))
            end = start + len(ahead)
        mark = Mark(start, end, type_, corrections, f"line {line}")
        self.marks.insert(len(self.marks) if index is None else index, mark)

    def built(self, document: str, annotator: str) -> tuple[MarkedText, tuple[Mark, ...]]:
        """Return the text without regions, and its marks.

        Raises:
            FormatError: A mark does not cover what it says.
        """
        text = "".join(self.parts)
        for start, covered, line in self._ahead:
            if not text.startswith(covered, start):
                there = shorten(text[start : start + len(covered)])
                problem = f"found {there}, expected {shorten(covered)} as the mark says"
                raise FormatError(self.file, line, problem)
        return MarkedText(self.file, document, annotator, text, remarks=tuple(self.remarks)), tuple(
            self.marks
        )


@dataclass(frozen=True)
class InlineFormat(AnnotatorFiles):
    """A format with marks in running text."""

    text: str = option("auto", "What the text is when it is read.", choices=TEXTS)

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        texts = []
        for file in input_files(path, self.ending, findings):
            with findings.noting():
                texts.append(self.marked(file, *names_of(file, self.ending)))
        yield from placed_texts(texts, self.text)

    def marked(self, file: str, document: str, annotator: str, /) -> tuple[MarkedText, tuple[Mark, ...]]:
        """Return the text of a file without regions, and what is marked in it."""
        raise NotImplementedError


def inline_lines(
    document: Document, annotator: int, text: Callable[[str], str], mark: Callable[[InlineEdit], str],
    *, between: bool = True,
) -> Iterator[str]:  # fmt: skip
    """Yield each sentence of a document with the edits of an annotator set into it.

    Args:
        document: The document.
        annotator: The annotator.
        text: Writes a token.
        mark: Writes an edit.
        between: Whether spaces stand between tokens.

    Raises:
        InputError: The format cannot hold something; names document, sentence and annotator.
    """
    for k, annotation in edits_of(document, annotator):
        pieces = laid_out(document.blocks[k], annotation.edits)
        try:
            yield "".join(
                [
                    mark(p) if isinstance(p, InlineEdit) else text(p)
                    for p in (spaced(pieces) if between else pieces)
                ]
            )
        except InputError as error:
            raise InputError(f"{document.name}, sentence {k + 1}, annotator {annotator}: {error}") from None
