"""Checking M2 files: every deviation from the dialect and every mistake of annotators, with file and line."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest

from jperrant.core.errors import FormatError, InputError
from jperrant.core.m2_format import format_block, line_of, shorten
from jperrant.core.progress import track
from jperrant.io.files import read_lines
from jperrant.io.m2 import FormatDeviations, NumberedBlock, parse_numbered_m2
from jperrant.io.m2_lines import LineKind, kind_of, visible
from jperrant.m2tools.content_check import ContentCheck
from jperrant.m2tools.findings import Finding

#: Sentences that differ between two files of which each one is listed.
_DIFFERING = 20


def check_m2(path: str, content: ContentCheck | None = None) -> Iterator[Finding]:
    """Yield everything in an M2 file, ``-`` meaning standard input, that is not in the dialect.

    A line that cannot be read at all is a finding too, and so is a sentence that could not be written again.
    Only what follows a line that is not UTF-8 is left unread.

    Args:
        path: The file.
        content: Checks what annotators did as well; None for the dialect alone.

    Raises:
        InputError: The file cannot be opened.
    """
    lines = _Lines(path)
    yield from _check_blocks(lines, path, content)
    while lines.resume():
        yield from _check_blocks(lines, path, content)
    if content is not None:
        yield from content.end()
    if lines.unreadable is not None:
        yield lines.unreadable
    elif not lines.sentences:
        yield Finding(path, lines.count or 1, "found no sentences, expected blocks that begin with an S line")


def check_together(paths: Sequence[str]) -> Iterator[Finding]:
    """Yield the sentences of files, one for each annotator of a text, that are not those of the first file.

    What comes after a line that cannot be read is not compared.

    Args:
        paths: Two files or more.

    Raises:
        InputError: A file cannot be opened.
    """
    for path in paths[1:]:
        differing = 0
        both = track(zip_longest(_numbered(paths[0]), _numbered(path)), f"comparing {path} (sentences)")
        for sentence, (expected, found) in enumerate(both, start=1):
            if found is not None and expected is not None and found.block.source == expected.block.source:
                continue
            differing += 1
            if differing <= _DIFFERING:
                yield _other_sentence(path, paths[0], sentence, found, expected)
        if differing > _DIFFERING:
            problem = f"{differing} sentences in total differ from {paths[0]}"
            yield Finding(path, 0, problem, "other-sentence")


def _other_sentence(
    path: str, first: str, sentence: int, found: NumberedBlock | None, expected: NumberedBlock | None
) -> Finding:
    line = found.line if found else 0
    ours, theirs = (
        shorten(" ".join(numbered.block.source)) if numbered else "nothing" for numbered in (found, expected)
    )
    problem = f"sentence {sentence} is {ours}, expected {theirs} as in {first}"
    return Finding(path, line, problem, "other-sentence", sentence)


def _numbered(path: str) -> Iterator[NumberedBlock]:
    """Yield blocks with their lines up to the first line that cannot be read."""
    with suppress(FormatError):
        yield from parse_numbered_m2(read_lines(path), path, FormatDeviations())


def _check_blocks(lines: _Lines, path: str, content: ContentCheck | None) -> Iterator[Finding]:
    """Check blocks up to the first line that cannot be read."""
    offset = lines.count
    findings = _Findings(offset, lines.odd)
    try:
        for numbered in parse_numbered_m2(lines, path, findings):
            # A block comes out when the S line after it was read, or the file has ended.
            start = lines.first_of_block()
            try:
                format_block(numbered.block)
            except InputError as error:
                findings.note(path, start, str(error))
            if content is not None:
                findings.keep(content.block(numbered, start, offset))
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

    def keep(self, findings: Iterable[Finding]) -> None:
        """Keep findings of another check."""
        self._findings.extend(findings)

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
        lines = read_lines(path, lambda line, kind: self.odd.append(Finding(path, line, kind)))
        self._lines = track(lines, f"checking {path} (lines)")
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
