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
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import takewhile
from typing import NamedTuple

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.values import UNKNOWN, Block, Edit
from jperrant.exchange.base import Findings, Mark, MarkedText, Region
from jperrant.exchange.side_file import Document
from jperrant.exchange.tool import AnnotatorFiles, edits_of

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
#: The index of a mark, the region that it and others became, and what to say of it; a region or a remark.
_Made = tuple[int, Region | None, str]


class _Piece(NamedTuple):
    """A word, white space between words, or a mark (by its index), with its text in the corrected text."""

    start: int
    end: int
    text: str
    mark: int | None = None


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
        return UNKNOWN
    return "M:OTHER" if not covered.strip() else "R:OTHER" if correction.strip() else "U:OTHER"


def placed_texts(texts: Iterable[MarkedText], kind: str) -> Iterator[MarkedText]:
    """Yield texts with their marks as regions of whole tokens.

    In text whose tokens are those of M2, what is put at the edge of a word is a token of its own unless letters
    meet letters; in running text it becomes part of the word. There an edit may cross lines, too, and annotators
    may have changed empty lines. So a document has the lines that all its annotators have and no edit crosses.

    Args:
        texts: The texts with their marks, which may overlap.
        kind: A key of ``TEXTS``.
    """
    by_document: dict[str, list[MarkedText]] = defaultdict(list)
    running = set[str]()
    for text in texts:
        tokenised = kind == "tokens" or (kind == "auto" and is_tokenised(text.text))
        if not tokenised:
            running.add(text.document)
        made = sorted(_on_whole_tokens(text, tokenised), key=lambda one: one[0])
        regions = tuple([region for _, region, _ in made if region])
        remarks = (*text.remarks, *[remark for _, _, remark in made if remark])
        by_document[text.document].append(replace(text, marks=(), regions=regions, remarks=remarks))
    for document, versions in by_document.items():
        yield from with_common_lines(versions) if document in running else versions


def _on_whole_tokens(text: MarkedText, tokenised: bool) -> Iterator[_Made]:
    for layer in _layers(text.marks):
        pieces = list(_pieces(text, layer))
        target, place = "".join([piece.text for piece in pieces]), 0
        group: list[_Piece] = []
        for piece in pieces:
            if group and _is_cut(text, tokenised, target, place, group[-1], piece):
                yield from _region(text, group)
                group = []
            group.append(piece)
            place += len(piece.text)
        yield from _region(text, group)
    for index, mark in enumerate(text.marks):
        if mark.corrections is None:
            yield index, Region(mark.start, mark.end, mark.type or UNKNOWN, None, mark.id), ""


def _layers(marks: Sequence[Mark]) -> list[list[int]]:
    """Return the indices of marks with a correction, in lists of marks that do not overlap, in text order."""
    layers: list[list[int]] = []
    numbered = [k for k, mark in enumerate(marks) if mark.corrections is not None]
    for index in sorted(numbered, key=lambda k: (marks[k].start, marks[k].end)):
        free = (layer for layer in layers if marks[layer[-1]].end <= marks[index].start)
        if (layer := next(free, None)) is None:
            layers.append([index])
        else:
            layer.append(index)
    return layers


def _pieces(text: MarkedText, layer: Sequence[int]) -> Iterator[_Piece]:
    """Yield the words, white space and marks of a text in order."""
    position = 0
    for index in [*layer, None]:
        mark = None if index is None else text.marks[index]
        for match in _WORD_OR_SPACE.finditer(text.text, position, mark.start if mark else len(text.text)):
            yield _Piece(*match.span(), match[0])
        if mark:
            yield _Piece(mark.start, mark.end, (mark.corrections or ("",))[0], index)
            position = mark.end


def _is_cut(text: MarkedText, tokenised: bool, target: str, place: int, left: _Piece, right: _Piece) -> bool:
    """Whether a token ends between two pieces, in the source and, at a place, in the corrected text."""
    if not _is_open(text.text, right.start):
        return False
    if _is_open(target, place):
        return True
    marked = [text.marks[piece.mark] for piece in (left, right) if piece.mark is not None]
    letters_meet = target[place - 1].isalnum() and target[place].isalnum()
    return tokenised and (any(mark.type.startswith("M:") for mark in marked) or not letters_meet)


def _is_open(text: str, place: int) -> bool:
    """Whether no token goes on across a place."""
    return place in (0, len(text)) or text[place - 1].isspace() or text[place].isspace()


def _region(text: MarkedText, group: Sequence[_Piece]) -> Iterator[_Made]:
    """Yield the region that the marks among some pieces make, by the index of the first mark."""
    indices = [piece.mark for piece in group if piece.mark is not None]
    if not indices:
        return
    marks = [text.marks[k] for k in indices]
    tokens = [match.span() for match in _TOKEN.finditer(text.text, group[0].start, group[-1].end)]
    # Of several marks the first corrections count; of one each of its alternatives.
    others = (marks[0].corrections or ())[1:] if len(marks) == 1 else ()
    texts = ["".join([piece.text for piece in group])]
    texts += ["".join([p.text if p.mark is None else other for p in group]) for other in others]
    corrections = [one.split() for one in texts]
    first = last = 0
    if any(piece.mark is None and piece.text.strip() for piece in group):
        sides = [[text.text[start:end] for start, end in tokens], *corrections]
        first = _common(sides)
        last = _common([side[first:][::-1] for side in sides])
        corrections = [words[first : len(words) - last] for words in corrections]
    covered = tokens[first : len(tokens) - last]
    says_something = any(p.mark is not None and (p.start < p.end or p.text) for p in group)
    if not covered and not any(corrections) and says_something:
        yield indices[0], None, "changes nothing but white space, left out"
        return
    gap = group[0].start if not tokens else tokens[first][0] if first < len(tokens) else tokens[-1][1]
    start, end = (covered[0][0], covered[-1][1]) if covered else (gap, gap)
    types = [mark.type or type_of(text.text[start:end], " ".join(corrections[0])) for mark in marks]
    remark = f"{plural(len(marks), 'mark')} in one token joined to one edit" if len(marks) > 1 else ""
    correction = "||".join([" ".join(words) for words in corrections])
    yield indices[0], Region(start, end, JOINER.join(dict.fromkeys(types)), correction, marks[0].id), remark


def _common(lists: Sequence[Sequence[str]]) -> int:
    """Return how many tokens all lists begin with."""
    return sum(1 for _ in takewhile(lambda column: len({*column}) == 1, zip(*lists, strict=False)))


def with_common_lines(versions: Sequence[MarkedText]) -> Iterator[MarkedText]:
    """Yield the texts of a document by several annotators with their common lines.

    Texts that differ in more than white space stay as they are.
    """
    if any(text.text.split() != versions[0].text.split() for text in versions):
        yield from versions
        return
    common = reduce(Counter.__and__, [Counter(_newlines(text).values()) for text in versions])
    for text in versions:
        free, left, characters = _newlines(text), Counter(common), list(text.text)
        for k, character in enumerate(text.text):
            if character == "\n":
                kept = k in free and left[free[k]] > 0
                left[free.get(k, -1)] -= kept
                characters[k] = "\n" if kept else " "
        joined = text.text.count("\n") - characters.count("\n")
        remark = "a line joined to the next: an edit crosses both, or another annotator has them in one"
        yield replace(text, text="".join(characters), remarks=(*text.remarks, *[remark] * joined))


def _newlines(text: MarkedText) -> dict[int, int]:
    """Return the place of each newline that no edit crosses, and the number of tokens before it."""
    crossed = {k for region in text.regions for k in range(region.start, region.end)}
    tokens, places = 0, dict[int, int]()
    for match in _WORD_OR_SPACE.finditer(text.text):
        tokens += not match[0].isspace()
        places |= {k: tokens for k in range(*match.span()) if text.text[k] == "\n" and k not in crossed}
    return places


@dataclass
class InlineText:
    """A text and the marks in it, while a file is read from its beginning.

    Attributes:
        file: The file, for messages.
        parts: The text up to here.
        length: How long that is.
        marks: The marks, an outer one before those inside it.
        remarks: What was left out.
        bad: The lines of marks that cannot be read, and what is wrong there.
    """

    file: str
    parts: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[Mark] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)
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
        if ahead is not None:
            self._ahead.append((start, ahead, line))
        mark = Mark(
            start, self.length if ahead is None else start + len(ahead), type_, corrections, f"line {line}"
        )
        self.marks.insert(len(self.marks) if index is None else index, mark)

    def built(self, document: str, annotator: str) -> MarkedText:
        """Return the text with its marks.

        Raises:
            FormatError: A mark cannot be read, or does not cover what it says; also names the lines of all others.
        """
        text = "".join(self.parts)
        for start, covered, line in self._ahead:
            if not text.startswith(covered, start):
                there = shorten(text[start : start + len(covered)])
                self.bad.append((line, f"found {there}, expected {shorten(covered)} as the mark says"))
        if self.bad:
            line, problem = min(self.bad)
            others = sorted({number for number, _ in self.bad} - {line})
            more = f"; further bad marks in lines {', '.join(map(str, others))}" if others else ""
            raise FormatError(self.file, line, problem + more)
        marks, remarks = tuple(self.marks), tuple(self.remarks)
        return MarkedText(self.file, document, annotator, text, marks=marks, remarks=remarks)


@dataclass(frozen=True)
class InlineFormat(AnnotatorFiles):
    """A format with marks in running text."""

    text: str = option("auto", "What the text is when it is read.", choices=TEXTS)

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        yield from placed_texts(super().texts(path, findings), self.text)


@dataclass(frozen=True, slots=True)
class InlineEdit:
    """An edit set into text.

    Attributes:
        edit: The edit.
        covered: The tokens inside the mark.
        ahead: The tokens behind the mark that an edit covers that overlaps others; None for an edit that does not.
        texts: The corrections as they stand in the text; None where the edit only marks an error.
    """

    edit: Edit
    covered: tuple[str, ...]
    ahead: tuple[str, ...] | None
    texts: tuple[str, ...] | None


def corrections_in_text(edit: Edit, length: int) -> tuple[str, ...] | None:
    """Return the correction of an edit and its alternatives as text; None where it only marks an error.

    An insertion has the space that keeps it apart from the token behind it, or at the end from the one before it.

    Args:
        edit: The edit.
        length: How many tokens the sentence has.
    """
    if edit.correction is None:
        return None
    texts = [" ".join(tokens) for tokens in (edit.correction, *edit.alternatives)]
    if edit.start < edit.end:
        return tuple(texts)
    before, after = (" ", "") if 0 < edit.start == length else ("", " ")
    return tuple([f"{before}{text}{after}" if text else "" for text in texts])


def inline_lines(
    document: Document, annotator: int, text: Callable[[str], str], mark: Callable[[InlineEdit], str],
    between: str = " ",
) -> Iterator[str]:  # fmt: skip
    """Yield each sentence of a document with the edits of an annotator set into it.

    Args:
        document: The document.
        annotator: The annotator.
        text: Writes a token.
        mark: Writes an edit.
        between: What stands between tokens.

    Raises:
        InputError: The format cannot hold something; names document, sentence and annotator.
    """
    for k, annotation in edits_of(document, annotator):
        try:
            *words, last = _set_in(document.blocks[k], annotation.edits, text, mark)
        except InputError as error:
            raise InputError(f"{document.name}, sentence {k + 1}, annotator {annotator}: {error}") from None
        yield between.join(words) + last


def _set_in(
    block: Block, edits: Sequence[Edit], text: Callable[[str], str], mark: Callable[[InlineEdit], str]
) -> Iterator[str]:
    """Yield the words of a sentence, each with the marks before it or around it, and what stands at its end."""
    source, position, begun = block.source, 0, ""
    for edit, following in zip(edits, [*edits[1:], None], strict=False):
        for token in source[position : edit.start]:
            yield begun + text(token)
            begun = ""
        position = edit.start
        covered, texts = source[edit.start : edit.end], corrections_in_text(edit, len(source))
        if not covered:
            begun += mark(InlineEdit(edit, (), None, texts))
        elif following is not None and following.start < edit.end:
            begun += mark(InlineEdit(edit, (), covered, texts))
        else:
            yield begun + mark(InlineEdit(edit, covered, None, texts))
            begun, position = "", edit.end
    for token in source[position:]:
        yield begun + text(token)
        begun = ""
    yield begun
