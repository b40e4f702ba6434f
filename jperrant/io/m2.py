"""M2, the one annotation format: a lenient or strict reader and a writer, both streaming.

The dialect written (see docs/m2.md)::

    S This are a sentence .
    A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

with one blank line after each block. What other tools write is read too, each oddity counted.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TextIO

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import DETECTION_TYPES, Annotation, Block, Edit
from jperrant.io.files import read_lines

SEPARATOR = "|||"
NONE = "-NONE-"
NOOP = "noop"
_SPAN = re.compile(r"A\s*(-?\d+)\s+(-?\d+)\s*\Z")
# ``||`` parts alternatives; standing free between spaces it is a token of the text.
_ALTERNATIVES = re.compile(r"(?<=\S)\|\||\|\|(?=\S)")


class FormatDeviationWarning(UserWarning):
    """An M2 file had lines that are not in the dialect and were read all the same."""


class FormatDeviations:
    """Counts, by kind, what in an M2 file departs from the dialect.

    Attributes:
        strict: Raise a FormatError at the first oddity instead of counting it.
        counts: Number of lines by kind of oddity.
        first: 1-based line number of the first of each kind.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.counts: dict[str, int] = {}
        self.first: dict[str, int] = {}

    def add(self, file: str, line: int, kind: str, found: str = "") -> None:
        """Count an oddity, or raise it as a FormatError when strict."""
        if self.strict:
            raise FormatError(file, line, f"{kind}: {found}" if found else kind)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.first.setdefault(kind, line)

    def summary(self, file: str) -> str:
        """Return one line naming every kind, how often it was met and where first; empty if there is none."""
        if not self.counts:
            return ""
        kinds = (f"{kind} ({n}, first in line {self.first[kind]})" for kind, n in self.counts.items())
        return f"{file}: read leniently: " + "; ".join(kinds)


def read_m2(path: str, strict: bool = False, oddities: FormatDeviations | None = None) -> Iterator[Block]:
    """Yield the blocks of an M2 file, ``-`` meaning standard input, in constant memory.

    Args:
        path: The file.
        strict: Make every departure from the dialect an error.
        oddities: Collects what was read leniently. Without it an FormatDeviationWarning sums it up at the end.

    Raises:
        FormatError: A line cannot be read at all, or any oddity if strict.
        InputError: The file cannot be opened.
    """
    collected = oddities if oddities is not None else FormatDeviations(strict)
    lines = read_lines(path, lambda line, kind: collected.add(path, line, kind))
    yield from parse_m2(lines, path, collected)
    if oddities is None and (summary := collected.summary(path)):
        warnings.warn(summary, FormatDeviationWarning, stacklevel=2)


def parse_m2(lines: Iterable[str], file: str, oddities: FormatDeviations) -> Iterator[Block]:
    """Yield blocks from lines without line ends; ``file`` is the name used in messages.

    A block ends where the next ``S`` line or the text ends; blank lines matter only to a strict reading.
    """
    reader: _BlockReader | None = None
    blank = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            blank += 1
            if line:
                oddities.add(file, number, "white space on a blank line")
            elif blank > 1 or reader is None:
                oddities.add(file, number, "more blank lines than one between blocks")
            continue
        if line == "S" or line.startswith(("S ", "S\t")):
            if reader is not None:
                if not blank:
                    oddities.add(file, number, "no blank line before an S line")
                yield reader.block()
            reader = _BlockReader(file, oddities, number, line)
        elif reader is None:
            raise FormatError(
                file, number, f"expected an S line first, found {shorten(line)}; is this an M2 file?"
            )
        else:
            if blank:
                oddities.add(file, number, "blank line inside a block")
            reader.add(number, line)
        blank = 0
    if reader is not None:
        yield reader.block()


class _BlockReader:
    """Collects the lines of one block."""

    def __init__(self, file: str, oddities: FormatDeviations, number: int, s_line: str) -> None:
        self.file, self.oddities = file, oddities
        self.source = tuple(s_line[1:].split())
        #: The edits of each annotator, each with its line.
        self.edits: dict[int, list[tuple[Edit, int]]] = {}
        self.noops: set[int] = set()
        if line_of(self.source) != s_line:
            oddities.add(file, number, "unusual white space in an S line")

    def add(self, number: int, line: str) -> None:
        if line.startswith("A"):
            self._add_edit(number, line)
        elif re.match(r"T\d+(-A\d+)?(\s|\Z)", line):
            self._odd(number, "ChERRANT's T line skipped")
        else:
            self._odd(number, "line of unknown kind skipped", shorten(line))

    def _add_edit(self, number: int, line: str) -> None:
        start, end, type_, correction, annotator = self._fields(number, line)
        edits = self.edits.setdefault(annotator, [])
        if type_ == NOOP or (start, end) == (-1, -1):
            if type_ != NOOP:
                self._odd(number, "span -1 -1 on another type than noop, read as noop", type_)
            elif (start, end) != (-1, -1):
                self._odd(number, "noop with a span, read as noop", f"{start} {end}")
            elif correction not in (NONE, ""):
                self._odd(number, "noop with a correction, read as noop", correction)
            if annotator in self.noops:
                self._odd(number, "second noop of one annotator")
            self.noops.add(annotator)
        else:
            if not 0 <= start <= end <= len(self.source):
                self._odd(number, "span outside the sentence", f"{start} {end} of {len(self.source)} tokens")
            if edits and (start, end) < (edits[-1][0].start, edits[-1][0].end):
                self._odd(number, "edits out of order")
            edits.append((self._edit(number, start, end, type_, correction), number))
        if edits and annotator in self.noops:
            self._odd(number, "noop beside edits of the same annotator, noop ignored")
        if annotator < max(self.edits):
            self._odd(number, "annotators out of order")

    def _fields(self, number: int, line: str) -> tuple[int, int, str, str, int]:
        """Split an A line; the correction may begin or end with a bar, so fields count from both ends."""
        parts = line.split(SEPARATOR, 2)
        tail = parts[2].rsplit(SEPARATOR, 3) if len(parts) == 3 else []
        if len(tail) == 3:  # five fields: the comment is missing
            self._odd(number, "five fields instead of six")
            tail.insert(2, NONE)
        span = _SPAN.match(parts[0])
        if len(tail) != 4 or span is None:
            raise FormatError(
                self.file,
                number,
                f"found {shorten(line)}, expected "
                "'A start end|||type|||correction|||REQUIRED|||-NONE-|||annotator'",
            )
        start, end = int(span[1]), int(span[2])
        if parts[0] != f"A {start} {end}":
            self._odd(number, "unusual white space in the span")
        type_ = parts[1].strip()
        if type_ != parts[1]:
            self._odd(number, "white space around a type")
        if tail[1:3] != ["REQUIRED", NONE]:
            self._odd(number, "fields other than REQUIRED and -NONE- dropped", SEPARATOR.join(tail[1:3]))
        return start, end, type_, tail[0], self._annotator(number, tail[3])

    def _annotator(self, number: int, text: str) -> int:
        try:
            annotator = int(text)
        except ValueError:
            raise FormatError(
                self.file, number, f"annotator {shorten(text)} is no number; annotators are 0, 1, 2 …"
            ) from None
        if annotator < 0:
            raise FormatError(
                self.file, number, f"annotator {annotator} is negative; annotators are 0, 1, 2 …"
            )
        if text != str(annotator):
            self._odd(number, "unusual annotator number", text)
        return annotator

    def _edit(self, number: int, start: int, end: int, type_: str, text: str) -> Edit:
        if text == NONE:
            if type_ in DETECTION_TYPES:
                return Edit(start, end, None, type_)
            self._odd(number, "-NONE- as the correction of a deletion")
            return Edit(start, end, (), type_)
        corrections = _alternatives(text)
        if len(corrections) > 1:
            self._odd(number, "alternative corrections (||)")
        elif " ".join(corrections[0]) != text:
            self._odd(number, "unusual white space in a correction")
        return Edit(start, end, corrections[0], type_, alternatives=corrections[1:])

    def block(self) -> Block:
        annotations = []
        for annotator in self.edits:
            # Sorting is stable: the order of insertions at one place is meaningful.
            edits = sorted(self.edits[annotator], key=lambda e: (e[0].start, e[0].end))
            self._check_overlap(edits)
            annotations.append(Annotation(annotator, tuple([edit for edit, _ in edits])))
        return Block(self.source, tuple(annotations))

    def _check_overlap(self, edits: list[tuple[Edit, int]]) -> None:
        # Detection edits replace nothing, so they may lie over others.
        real = [(edit, number) for edit, number in edits if not edit.is_detection]
        for (left, before), (right, after) in pairwise(real):
            if left.end > right.start:
                place = f"{left.start} {left.end} and {right.start} {right.end}"
                self._odd(max(before, after), "overlapping edits", place)

    def _odd(self, number: int, kind: str, found: str = "") -> None:
        self.oddities.add(self.file, number, kind, found)


def format_block(block: Block) -> str:
    """Return a block as M2 text, ending in a blank line.

    Raises:
        InputError: A token or type cannot be written in M2; the message names it.
    """
    lines = [line_of(_writable(token, block) for token in block.source)]
    for annotation in block.annotations:
        tail = f"REQUIRED{SEPARATOR}{NONE}{SEPARATOR}{annotation.annotator}"
        if not annotation.edits:
            lines.append(f"A -1 -1{SEPARATOR}{NOOP}{SEPARATOR}{NONE}{SEPARATOR}{tail}")
        for edit in annotation.edits:
            lines.append(
                f"A {edit.start} {edit.end}{SEPARATOR}{_type(edit.type, block)}{SEPARATOR}"
                f"{_correction(edit, block)}{SEPARATOR}{tail}"
            )
    return "\n".join(lines) + "\n\n"


def write_m2(blocks: Iterable[Block], stream: TextIO) -> int:
    """Write blocks to a text stream and return how many there were."""
    count = 0
    for block in blocks:
        stream.write(format_block(block))
        count += 1
    return count


def line_of(tokens: Iterable[str]) -> str:
    """Return the S line of some tokens; an empty sentence is a bare ``S``."""
    return " ".join(("S", *tokens))


def _type(name: str, block: Block) -> str:
    if SEPARATOR in name or "\n" in name or not name or name != name.strip() or name.endswith("|"):
        raise InputError(
            f"error type {name!r} is empty, holds '|||' or a newline, or ends in a bar or a space "
            f"(in {_where(block)})"
        )
    return name


def _correction(edit: Edit, block: Block) -> str:
    if edit.correction is None:
        return NONE
    corrections = (edit.correction, *edit.alternatives)
    text = "||".join([" ".join([_writable(t, block) for t in c]) for c in corrections])
    if text == NONE:
        raise InputError(
            f"the correction {NONE} cannot be written: it means a deletion in M2 (in {_where(block)})"
        )
    if "||" in text and (SEPARATOR in text or _alternatives(text) != corrections):
        raise InputError(
            f"the correction {shorten(text)} cannot be written: '||' parts alternatives in M2 (in {_where(block)})"
        )
    return text


def _alternatives(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple([tuple(part.split()) for part in _ALTERNATIVES.split(text)])


def _writable(token: str, block: Block) -> str:
    if SEPARATOR in token:
        raise InputError(f"token {token!r} holds '|||', which parts the fields of M2 (in {_where(block)})")
    if not token or len(token.split()) != 1 or token.strip() != token:
        raise InputError(f"{token!r} is empty or holds white space, so it is no token (in {_where(block)})")
    return token


def _where(block: Block) -> str:
    return f"the sentence {shorten(' '.join(block.source))}"


def shorten(text: str, limit: int = 60) -> str:
    """Return a text in quotes, cut to ``limit`` characters, for messages."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
