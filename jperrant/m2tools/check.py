"""Checking an M2 file against the dialect: every deviation, with file and line."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from jperrant.core.errors import FormatError, InputError
from jperrant.core.m2_format import format_block, line_of
from jperrant.io.files import read_lines
from jperrant.io.m2 import FormatDeviations, parse_m2
from jperrant.io.m2_lines import LineKind, kind_of, visible


class Finding(NamedTuple):
    """One deviation from the dialect.

    Attributes:
        file, line: Where it is; lines count from 1.
        problem: What it is.
    """

    file: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.problem}"


def check_m2(path: str) -> Iterator[Finding]:
    """Yield everything in an M2 file, ``-`` meaning standard input, that is not in the dialect.

    A line that cannot be read at all is a finding too, and so is a sentence that could not be written again.
    Only what follows a line that is not UTF-8 is left unread.

    Raises:
        InputError: The file cannot be opened.
    """
    lines = _Lines(path)
    yield from _check_blocks(lines, path)
    while lines.resume():
        yield from _check_blocks(lines, path)
    if lines.unreadable is not None:
        yield lines.unreadable
    elif not lines.sentences:
        yield Finding(path, lines.count or 1, "no sentences, expected blocks that begin with an S line")


def _check_blocks(lines: _Lines, path: str) -> Iterator[Finding]:
    """Check blocks up to the first line that cannot be read."""
    findings = _Findings(lines.count, lines.odd)
    try:
        for block in parse_m2(lines, path, findings):
            # A block comes out when the S line after it was read, or the file has ended.
            start = lines.first_of_block()
            try:
                format_block(block)
            except InputError as error:
                findings.note(path, start, str(error))
            yield from findings.drain()
    except FormatError as error:
        findings.add(path, error.line or 0, error.problem)
    yield from findings.drain()


class _Findings(FormatDeviations):
    """Keeps each deviation where the reader counts them, beside what is found in the lines themselves."""

    def __init__(self, offset: int, findings: list[Finding]) -> None:
        super().__init__()
        self._offset, self._findings = offset, findings

    def add(self, file: str, line: int, kind: str, example: str = "") -> None:
        """Keep a deviation."""
        self.note(file, line + self._offset, f"{kind}: {example}" if example else kind)

    def note(self, file: str, line: int, problem: str) -> None:
        """Keep a finding whose line counts in the whole file."""
        self._findings.append(Finding(file, line, problem))

    def drain(self) -> list[Finding]:
        """Return what was kept since the last time, by line."""
        findings = sorted(self._findings, key=lambda finding: finding.line)
        self._findings.clear()
        return findings


class _Lines:
    """The lines of a file, counted, and where its sentences begin.

    Attributes:
        count: Lines given so far.
        sentences: Whether an S line was given.
        odd: Line ends and marks that the dialect has not, as they are met.
        unreadable: The line that ended the file early because it is not UTF-8.
    """

    def __init__(self, path: str) -> None:
        self.odd: list[Finding] = []
        self._path = path
        self._lines = read_lines(path, lambda line, kind: self.odd.append(Finding(path, line, kind)))
        # A line to give again, and the line at which its sentence begins.
        self._again: list[tuple[str, int]] = []
        self._starts: deque[int] = deque()
        self._source = ""
        self.count, self.sentences = 0, False
        self.unreadable: Finding | None = None

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line, start = self._again.pop() if self._again else (self._read(), self.count + 1)
        self.count += 1
        bare = visible(line)
        if kind_of(bare) is LineKind.SOURCE:
            self._source, self.sentences = bare, True
            self._starts.append(start)
        return line

    def first_of_block(self) -> int:
        """Return the line at which the oldest block not asked for begins."""
        return self._starts.popleft()

    def resume(self) -> bool:
        """Go on after a line that cannot be read; False if there is nothing more.

        The line is given again as the S line of its sentence, so that what follows still has one. Before the
        first sentence all lines up to it are passed over.
        """
        if not self._starts:
            while not self._starts:
                if next(self, None) is None:
                    return False
            source = self._source
        else:
            source = line_of(self._source[1:].split())
        self._again.append((source, self._starts.popleft()))
        self.count -= 1
        return True

    def _read(self) -> str:
        try:
            return next(self._lines)
        except FormatError as error:
            self.unreadable = Finding(self._path, error.line or 0, error.problem)
            raise StopIteration from None
