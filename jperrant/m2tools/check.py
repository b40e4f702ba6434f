"""Checking M2 files: every deviation from the dialect and every mistake of annotators, with file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.m2_format import format_block
from jperrant.core.progress import track
from jperrant.io.files import read_lines
from jperrant.io.m2 import FormatDeviations, LineKind, NumberedBlock, kind_of, parse_numbered_m2, visible
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
    findings = _Findings(lines)
    for numbered in parse_numbered_m2(lines, path, findings, findings.unreadable):
        try:
            format_block(numbered.block)
        except InputError as error:
            findings.note(path, numbered.line, str(error))
        if content is not None:
            findings.keep(content.block(numbered))
        yield from findings.drain()
    yield from findings.drain()
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
            if isinstance(expected, FormatError) or isinstance(found, FormatError):
                break
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


def _numbered(path: str) -> Iterator[NumberedBlock | FormatError]:
    """Yield blocks with their lines; at the first line that cannot be read the error, which is the last."""
    try:
        yield from parse_numbered_m2(read_lines(path), path, FormatDeviations())
    except FormatError as error:
        yield error


class _Findings(FormatDeviations):
    """Keeps each deviation where the reader counts them, beside what is found in the lines themselves."""

    def __init__(self, lines: _Lines) -> None:
        super().__init__()
        self._lines, self._findings = lines, lines.odd
        #: Whether a line could not be read; without a sentence before it, all up to the first one are passed over.
        self._is_broken = False

    def add(self, file: str, line: int, kind: str, example: str = "") -> None:
        """Keep a deviation."""
        if self._lines.sentences or not self._is_broken:
            self.note(file, line, f"{kind}: {example}" if example else kind)

    def unreadable(self, error: FormatError) -> None:
        """Keep a line that cannot be read."""
        self.add(error.file, error.line or 0, error.problem)
        self._is_broken = True

    def note(self, file: str, line: int, problem: str) -> None:
        """Keep a finding."""
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
    """The lines of a file, counted.

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
        self.count, self.sentences = 0, False
        self.unreadable: Finding | None = None

    def __iter__(self) -> Iterator[str]:
        try:
            for line in self._lines:
                self.count += 1
                self.sentences = self.sentences or kind_of(visible(line)) is LineKind.SOURCE
                yield line
        except FormatError as error:
            self.unreadable = Finding(self._path, error.line or 0, error.problem)
