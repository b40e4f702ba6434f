"""M2, the one annotation format: a lenient or strict reader and a writer, both streaming.

The dialect written (see docs/m2.md)::

    S This are a sentence .
    A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

with one blank line after each block. What other tools write is read too, and each deviation is counted.
"""

from __future__ import annotations

import pickle
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import Enum
from os import PathLike, fspath
from tempfile import TemporaryFile
from typing import IO, NamedTuple, TextIO

from jperrant.core.display import shorten
from jperrant.core.edits import clip_span
from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.core.values import (
    ANNOTATOR_DIGITS,
    DETECTION_TYPES,
    NONE,
    NOOP,
    SEPARATOR,
    Annotation,
    Block,
    Edit,
    alternatives_of,
    format_block,
    line_of,
)
from jperrant.io.files import open_output, read_lines, reason
from jperrant.io.recognise import READ_BY, recognise

#: The kind of deviation of an edit that reaches outside its sentence; see ``core/edits.py``.
OUTSIDE = "span outside the sentence, clipped to it"
_SPAN = re.compile(r"A\s*(-?\d+)\s+(-?\d+)\s*\Z")
#: Stands for the edit before the first one.
_NOTHING = Edit(0, 0, (), "")


#: The kind of deviation of the lines that only ChERRANT's files have.
TARGET_SKIPPED = "ChERRANT's T line skipped"


class FormatDeviationWarning(UserWarning):
    """An M2 file had lines outside the dialect, which were read leniently."""


@dataclass
class FormatDeviations:
    """Counts the deviations of an M2 file from the dialect, by kind.

    Attributes:
        strict: Raise a FormatError at the first deviation instead of counting it.
        expected: Kinds that are ignored.
        counts: Number of lines by kind of deviation.
        first: 1-based line number of the first of each kind.
    """

    strict: bool = False
    expected: frozenset[str] = frozenset()
    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, file: str, line: int, kind: str, example: str = "") -> None:
        """Count a deviation, or raise it as a FormatError when strict."""
        if kind in self.expected:
            return
        if self.strict:
            raise FormatError(file, line, f"{kind}: {example}" if example else kind)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.first.setdefault(kind, line)

    def unreadable(self, error: FormatError) -> None:
        """Raise the error of a line that cannot be read; a subclass that skips such lines overrides this."""
        raise error

    def summary(self, file: str) -> str:
        """Return one line naming every kind, how often it was met and where first; empty if there is none."""
        if not self.counts:
            return ""
        kinds = (f"{kind} ({n}×, first in line {self.first[kind]})" for kind, n in self.counts.items())
        return f"{file}: read leniently: " + "; ".join(kinds)


def read_m2(
    path: str | PathLike[str], strict: bool = False, deviations: FormatDeviations | None = None
) -> Iterator[Block]:
    """Yield the blocks of an M2 file, ``-`` meaning standard input, in constant memory.

    Args:
        path: The file.
        strict: Make every deviation from the dialect an error.
        deviations: Collects what was read leniently. Without it a FormatDeviationWarning sums it up at the end.

    Raises:
        FormatError: A line cannot be read at all, or deviates from the dialect and ``strict`` is set.
        InputError: The file cannot be opened.
    """
    path = fspath(path)
    collected = deviations if deviations is not None else FormatDeviations(strict)
    yield from parse_m2(read_lines(path, collected.add), path, collected)
    if deviations is None and (summary := collected.summary(path)):
        warnings.warn(summary, FormatDeviationWarning, stacklevel=2)


class NumberedBlock(NamedTuple):
    """A block and where it stands in its file; lines count from 1.

    Attributes:
        block: The block.
        line: The line of its sentence.
        edit_lines: For each annotator the line of each edit, in the order of the annotation's edits.
    """

    block: Block
    line: int
    edit_lines: Mapping[int, tuple[int, ...]]


def parse_m2(lines: Iterable[str], file: str, deviations: FormatDeviations) -> Iterator[Block]:
    """Yield blocks from lines without line ends, as :func:`parse_numbered_m2` does.

    Raises:
        FormatError: A line cannot be read, or deviates and ``deviations.strict`` is set.
    """
    return (numbered.block for numbered in parse_numbered_m2(lines, file, deviations))


def parse_numbered_m2(
    lines: Iterable[str], file: str, deviations: FormatDeviations
) -> Iterator[NumberedBlock]:
    """Yield blocks and their lines from lines without line ends; ``file`` is the name used in messages.

    A block ends where the next ``S`` line or the text ends. An edit belongs to the ``S`` line above it, so a line
    that could be a damaged ``S`` line is an error: skipping it would give its edits to the sentence before.

    Args:
        lines: The lines.
        file: The name used in messages.
        deviations: Collects what was read leniently, and decides what becomes of lines that cannot be read.

    Raises:
        FormatError: A line cannot be read, or deviates and ``deviations.strict`` is set.
    """
    reader: _BlockReader | None = None
    blank = 0
    for number, raw in enumerate(lines, start=1):
        line = visible(raw)
        kind = kind_of(line)
        if kind is LineKind.BLANK:
            blank += 1
            if raw:
                deviations.add(file, number, "white space on a blank line")
            elif blank > 1 or reader is None:
                deviations.add(file, number, "several blank lines between blocks")
            continue
        if line is not raw:
            deviations.add(file, number, "invisible characters at the beginning of a line")
        if kind is LineKind.SOURCE:
            if reader is not None:
                if not blank:
                    deviations.add(file, number, "no blank line before an S line")
                yield reader.numbered()
            reader = _BlockReader(file, deviations, number, line)
        else:
            try:
                if reader is None or kind is LineKind.UNKNOWN:
                    raise _misplaced(file, number, line, kind)
                reader.add(number, kind, line, blank)
            except FormatError as error:
                deviations.unreadable(error)
        blank = 0
    if reader is not None:
        yield reader.numbered()


def _misplaced(file: str, number: int, line: str, kind: LineKind) -> FormatError:
    """Return the error for a line that is not M2, or that stands before the first S line."""
    expected = "an S line first; is this an M2 file?"
    if kind is LineKind.UNKNOWN:
        what = recognise([line])
        hint = f"; this is {what}: {READ_BY[what]}" if what in READ_BY else ""
        expected = f"a line that begins with 'S ' or 'A '{hint}"
    return FormatError(file, number, f"found {shorten(line)}, expected {expected}")


class _BlockReader:
    """Collects the lines of one block."""

    def __init__(self, file: str, deviations: FormatDeviations, number: int, s_line: str) -> None:
        self.file, self.deviations, self.line = file, deviations, number
        self.source = tuple(s_line[1:].split())
        #: The edits of each annotator, each with its line.
        self.edits: dict[int, list[tuple[Edit, int]]] = {}
        self.noops: set[int] = set()
        #: Whether two lines of the block follow each other without a blank line.
        self._together = False
        if line_of(self.source) != s_line:
            deviations.add(file, number, "unusual white space in an S line")

    def add(self, number: int, kind: LineKind, line: str, blank: int) -> None:
        """Add a line that comes after ``blank`` blank lines."""
        # Blank lines between all lines are harmless, but a single blank line may be where an S line was lost.
        if blank and (self._together or kind is LineKind.REMARK):
            expected = "expected an S line after a blank line"
            raise FormatError(self.file, number, f"found {shorten(line)}, {expected}")
        if blank:
            self._deviates(number, "blank line inside a block")
        self._together = not blank
        if kind is LineKind.EDIT:
            self._add_edit(number, line)
        elif kind is LineKind.TARGET:
            self._deviates(number, TARGET_SKIPPED)
        else:
            self._deviates(number, "I line skipped", shorten(line))

    def _add_edit(self, number: int, line: str) -> None:
        start, end, type_, correction, annotator = self._fields(number, line)
        edits = self.edits.setdefault(annotator, [])
        if type_ == NOOP or (start, end) == (-1, -1):
            if type_ != NOOP:
                self._deviates(number, "span -1 -1 with a type other than noop, read as noop", type_)
            elif (start, end) != (-1, -1):
                self._deviates(number, "noop with a span, read as noop", f"{start} {end}")
            elif correction not in (NONE, ""):
                self._deviates(number, "noop with a correction, read as noop", correction)
            if annotator in self.noops:
                self._deviates(number, "second noop of one annotator")
            self.noops.add(annotator)
        else:
            if not 0 <= start <= end <= len(self.source):
                self._deviates(number, OUTSIDE, f"{start} {end} of {plural(len(self.source), 'token')}")
                start, end = clip_span(start, end, len(self.source))
            if edits and (start, end) < (edits[-1][0].start, edits[-1][0].end):
                self._deviates(number, "edits out of order")
            edits.append((self._edit(number, start, end, type_, correction), number))
        if edits and annotator in self.noops:
            self._deviates(number, "noop beside edits of the same annotator, noop ignored")
        if annotator < max(self.edits):
            self._deviates(number, "annotators out of order")

    def _fields(self, number: int, line: str) -> tuple[int, int, str, str, int]:
        """Split an A line; the correction may begin or end with a bar, so fields count from both ends."""
        parts = line.split(SEPARATOR, 2)
        tail = parts[2].rsplit(SEPARATOR, 3) if len(parts) == 3 else []
        if len(tail) == 3 and tail[:2] != ["REQUIRED", NONE]:  # the comment is missing, not the type
            self._deviates(number, "five fields instead of six")
            tail.insert(2, NONE)
        span = _SPAN.match(parts[0])
        if len(tail) != 4 or span is None:
            expected = "'A start end|||type|||correction|||REQUIRED|||-NONE-|||annotator'"
            raise FormatError(self.file, number, f"found {shorten(line)}, expected {expected}")
        start, end = bounded_int(span[1]), bounded_int(span[2])
        if parts[0] != f"A {start} {end}" and FAR not in (abs(start), abs(end)):
            self._deviates(number, "unusual white space in the span")
        type_ = parts[1].strip()
        if type_ != parts[1]:
            self._deviates(number, "white space around a type")
        if tail[1:3] != ["REQUIRED", NONE]:
            self._deviates(number, "fields other than REQUIRED and -NONE- dropped", SEPARATOR.join(tail[1:3]))
        return start, end, type_, tail[0], self._annotator(number, tail[3])

    def _annotator(self, number: int, text: str) -> int:
        annotator = number_of(text)
        if annotator is None or not 0 <= annotator < 10**ANNOTATOR_DIGITS:
            problem = f"annotator {shorten(text)} is not a number of at most {ANNOTATOR_DIGITS} digits"
            raise FormatError(self.file, number, f"{problem}; expected 0, 1, 2 …")
        if text != str(annotator):
            self._deviates(number, "unusual annotator number", shorten(text))
        return annotator

    def _edit(self, number: int, start: int, end: int, type_: str, text: str) -> Edit:
        if text == NONE:
            if type_ in DETECTION_TYPES:
                return Edit(start, end, None, type_)
            self._deviates(number, "-NONE- as the correction of a deletion")
            return Edit(start, end, (), type_)
        corrections = alternatives_of(text)
        if len(corrections) > 1:
            self._deviates(number, "alternative corrections (||)")
        elif " ".join(corrections[0]) != text:
            self._deviates(number, "unusual white space in a correction")
        return Edit(start, end, corrections[0], type_, alternatives=corrections[1:])

    def numbered(self) -> NumberedBlock:
        annotations, lines = [], {}
        for annotator in self.edits:
            # Sorting is stable: the order of insertions at one place is meaningful.
            edits = sorted(self.edits[annotator], key=lambda e: (e[0].start, e[0].end))
            self._check_overlap(edits)
            annotations.append(Annotation(annotator, tuple([edit for edit, _ in edits])))
            lines[annotator] = tuple([number for _, number in edits])
        return NumberedBlock(Block(self.source, tuple(annotations)), self.line, lines)

    def _check_overlap(self, edits: list[tuple[Edit, int]]) -> None:
        furthest, before = _NOTHING, 0
        for edit, number in edits:
            if edit.is_detection:  # it replaces nothing, so it may lie over others
                continue
            if furthest.end > edit.start:
                place = f"{furthest.start} {furthest.end} and {edit.start} {edit.end}"
                self._deviates(max(before, number), "overlapping edits", place)
            if edit.end >= furthest.end:
                furthest, before = edit, number

    def _deviates(self, number: int, kind: str, example: str = "") -> None:
        self.deviations.add(self.file, number, kind, example)


def write_m2(blocks: Iterable[Block], out: TextIO | str | PathLike[str]) -> int:
    """Write blocks to a text stream, or to a file, and return how many there were.

    Args:
        blocks: The blocks.
        out: The stream, or a file, which appears complete when all blocks are written, or not at all. A file
            whose name ends in ``.gz``, ``.xz`` or ``.bz2`` is compressed; ``-`` is standard output.

    Raises:
        InputError: The file cannot be written.
    """
    count = 0
    with open_output(fspath(out)) if isinstance(out, str | PathLike) else nullcontext(out) as stream:
        for count, block in enumerate(blocks, start=1):  # noqa: B007
            stream.write(format_block(block))
    return count


#: A position after the end of any sentence; larger numbers are read as this one.
FAR = 10**18
_LONGEST = 19
_KIND = re.compile(r"A|[SI](?=\s|\Z)|T(?=\d+(?:-A\d+)?(?:\s|\Z))")
_NUMBER = re.compile(r"\s*([+-]?\d+)\s*\Z")


class LineKind(Enum):
    """The kind of a line of an M2 file.

    Attributes:
        SOURCE: ``S`` and the tokens of a sentence.
        EDIT: ``A`` and an edit.
        TARGET: ``T0-A0`` and a corrected sentence, as ChERRANT writes it.
        REMARK: ``I`` and a remark, which MaxMatch's scorer skips.
        BLANK: No visible character.
        UNKNOWN: Anything else.
    """

    SOURCE = "S"
    EDIT = "A"
    TARGET = "T"
    REMARK = "I"
    BLANK = ""
    UNKNOWN = "?"


def visible(line: str) -> str:
    """Return a line from its first visible character on.

    White space of any kind, control characters and format characters are skipped. One of these is the
    byte-order mark, which is inside a file where two files were joined.

    >>> visible("\\ufeff\\u3000 S a"), visible("S a")
    ('S a', 'S a')
    """
    for index, character in enumerate(line):
        if not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf"):
            return line[index:] if index else line
    return ""


def kind_of(line: str) -> LineKind:
    """Return the kind of a line that begins with a visible character, or is empty."""
    found = _KIND.match(line)
    return LineKind(found[0]) if found else LineKind.UNKNOWN if line else LineKind.BLANK


def bounded_int(digits: str) -> int:
    """Return the number written by a sign and decimal digits, limited to ``FAR`` in size.

    Python refuses to read numbers of thousands of digits.
    """
    size = min(int(digits.lstrip("+-0")[:_LONGEST] or 0), FAR)
    return -size if digits.startswith("-") else size


def number_of(text: str) -> int | None:
    """Parse a whole number as :func:`bounded_int` does, or return None if the text is not one."""
    match = _NUMBER.match(text)
    return bounded_int(match[1]) if match else None


class Spool:
    """Blocks in a temporary file, for work that needs all of them before the first output, or two passes.

    The file has no name, so nothing is left of it however the program ends. Each iteration begins with the
    first block; only one may run at a time.

    Attributes:
        count: The number of blocks.
        annotators: The annotators of all blocks, in ascending order.
    """

    def __init__(self, stream: IO[bytes], blocks: Iterable[Block]) -> None:
        self._stream, self.count = stream, 0
        annotators: set[int] = set()
        for block in blocks:
            self.count += 1
            pickle.dump(block, stream, pickle.HIGHEST_PROTOCOL)
            annotators.update(a.annotator for a in block.annotations)
        stream.flush()
        self.annotators = sorted(annotators)

    def __iter__(self) -> Iterator[Block]:
        self._stream.seek(0)
        for _ in range(self.count):
            block: Block = pickle.load(self._stream)
            yield block


@contextmanager
def spooled(blocks: Iterable[Block]) -> Iterator[Spool]:
    """Put blocks into a file until the end of the ``with`` block.

    Raises:
        InputError: There is no room for temporary files.
    """
    try:
        with TemporaryFile() as stream:
            spool = Spool(stream, blocks)
            yield spool
    except OSError as error:  # readers and writers of other files raise errors of their own
        raise InputError(
            f"temporary file: cannot be written ({reason(error)}); "
            "set TMPDIR to a folder with room for a copy of the input"
        ) from None
