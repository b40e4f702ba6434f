"""Checking M2 files: deviations from the dialect and annotators' mistakes, with file, line and safe fixes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.progress import track
from jperrant.core.text import ADVICE, RunningText, corrected_passages
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.io.files import read_lines
from jperrant.io.m2 import FormatDeviations, LineKind, NumberedBlock, kind_of, parse_numbered_m2, visible
from jperrant.packs.read import pack_keys

#: The kinds of findings, and their meanings.
CODES = {
    "dialect": "not in the dialect of M2",
    "unknown-label": "a type that the pack does not have",
    "operation": "M, U or R that the span and the correction do not allow",
    "no-change": "an edit that changes nothing",
    "duplicate": "the same edit twice by one annotator",
    "missing-annotator": "a sentence without an annotation by an annotator of the file",
    "raw-text": "running text given as tokens",
}
#: The fix of an edit that should not exist.
REMOVE = "remove it"
#: The verb for an edit, by the only operation that it allows.
_MEANS = {"M": "inserts", "U": "deletes", "R": "replaces"}
_BETWEEN = re.compile(r"[\s:_/.-]+")


class Finding(NamedTuple):
    """One problem, or possible problem.

    Attributes:
        file, line: Its place; lines count from 1.
        problem: Its description.
        code: Its kind, one of ``CODES``.
        sentence: The sentence, counted from 1; None if it is not known.
        annotator: The annotator of the edit; None if no edit is concerned.
        is_warning: Whether the content may be right; then the check does not fail.
        fix: The fix that keeps the annotator's intention; empty if only a person can decide.
        fixed: The fixed edit; None if there is no fix or the fix removes the edit.
    """

    file: str
    line: int
    problem: str
    code: str = "dialect"
    sentence: int | None = None
    annotator: int | None = None
    is_warning: bool = False
    fix: str = ""
    fixed: Edit | None = None

    def __str__(self) -> str:
        warning, fix = "warning: " if self.is_warning else "", f"; fix: {self.fix}" if self.fix else ""
        return f"{self.file}:{self.line}: {warning}{self.problem}{fix}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding ready for JSON."""
        record = self._asdict()
        return {
            **{name: record[name] for name in ("file", "line", "sentence", "annotator", "code", "problem")},
            "severity": "warning" if self.is_warning else "error",
            "fix": self.fix or None,
        }


class LabelCheck:
    """The labels that edits may have.

    Args:
        labels: The labels, without operations.
    """

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels = frozenset(labels)
        plain: dict[str, set[str]] = {}
        for label in self.labels:
            plain.setdefault(_plain(label), set()).add(label)
        self._by_plain = {name: labels.pop() for name, labels in plain.items() if len(labels) == 1}

    def problem(self, edit: Edit, source: Sequence[str]) -> Finding | None:
        """Return the problem with the type of an edit that changes something, without its place."""
        if edit.is_detection:
            return None
        allowed = allowed_operations(edit, source)
        operation, _, label = edit.type.partition(":")
        problem, code = f"type {shorten(edit.type)} is not a type of the pack", "unknown-label"
        if operation in _MEANS and label in self.labels:
            if operation in allowed:
                return None
            before, after = " ".join(source[edit.start : edit.end]), " ".join(edit.correction or ())
            what = f"{_MEANS[allowed[0]]} ({shorten(before)} to {shorten(after)})"
            problem, code = f"type {edit.type} on an edit that {what}", "operation"
        else:
            operation, label = self._parts(edit.type)
        if not label:
            return Finding("", 0, problem + self._nearest(edit.type, allowed), code)
        right = f"{operation if operation in allowed else allowed[0]}:{label}"
        return Finding("", 0, problem, code, fix=right, fixed=replace(edit, type=right))

    def _parts(self, type_: str) -> tuple[str, str]:
        """Return the operation and label that a type means in any spelling; empty if unknown."""
        if whole := self._by_plain.get(_plain(type_)):
            return "", whole
        first, _, rest = _BETWEEN.sub(":", type_.strip(), count=1).partition(":")
        label = self._by_plain.get(_plain(rest), "")
        return (first.upper(), label) if first.upper() in _MEANS and label else ("", "")

    def _nearest(self, type_: str, allowed: Sequence[str]) -> str:
        operation = type_[:1] if type_[:1] in allowed else allowed[0]
        label = type_.partition(":")[2] if type_[:1] in _MEANS else type_
        return nearest(f"{operation}:{label.upper()}", [f"{operation}:{known}" for known in self.labels])


def allowed_operations(edit: Edit, source: Sequence[str]) -> tuple[str, ...]:
    """Return the operations that span and correction allow, the most obvious first.

    As in ERRANT, a replacement that keeps all tokens of the source, capitals aside, and adds some may be called
    missing (``she`` to ``. She`` is ``M:PUNCT``), and one that only leaves tokens out unnecessary.

    >>> allowed_operations(Edit(0, 1, (".", "She"), "M:PUNCT"), ["she"])
    ('R', 'M')
    """
    span = tuple(source[edit.start : edit.end])
    corrections = [tokens for tokens in (edit.correction, *edit.alternatives) if tokens is not None]
    if not span:
        return ("M",)
    if not any(corrections):
        return ("U",)
    more = any(_within(span, tokens) for tokens in corrections)
    less = any(_within(tokens, span) for tokens in corrections)
    return ("R", *(["M"] if more else []), *(["U"] if less else []))


def _within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Return whether tokens are a subsequence of others, ignoring case."""
    rest = iter([token.casefold() for token in many])
    return all(token.casefold() in rest for token in few)


def _plain(name: str) -> str:
    """Return a type without case, spaces and separators, which people write in different ways."""
    return _BETWEEN.sub("", name).casefold()


class ContentCheck:
    """Checks the blocks of one file, in their order.

    Args:
        file: Name of the file.
        labels: The labels of a pack; None where types are not checked.
        allowed: Kinds of problems that are neither reported nor fixed.
    """

    def __init__(
        self, file: str, labels: LabelCheck | None = None, allowed: Collection[str] = frozenset()
    ) -> None:
        self.file, self.labels, self.allowed = file, labels, allowed
        self._running, self._corrected = RunningText(), RunningText()
        #: Line and set of annotators of each sentence, by its number.
        self._lines, self._present = array("q"), array("l")
        self._sets: dict[frozenset[int], int] = {}

    def block(self, numbered: NumberedBlock) -> list[Finding]:
        """Return the problems of a block."""
        return self.fixed(numbered)[1]

    def fixed(self, numbered: NumberedBlock) -> tuple[Block, list[Finding]]:
        """Return a block with its safe fixes made, and its problems, at most one for each edit."""
        block = numbered.block
        present = frozenset([annotation.annotator for annotation in block.annotations])
        self._lines.append(numbered.line)
        self._present.append(self._sets.setdefault(present, len(self._sets)))
        self._running.add(block.source)
        self._corrected.add(*corrected_passages(block))
        annotations, findings = [], []
        for annotation in block.annotations:
            met, kept = set[Edit](), list[Edit]()
            for edit, line in zip(annotation.edits, numbered.edit_lines[annotation.annotator], strict=True):
                problem = self._problem(edit, block.source)
                right = (problem and problem.fixed) or edit  # fixes of other edits may have changed it
                may_repeat = "duplicate" in self.allowed or (edit.start == edit.end and not edit.is_detection)
                if right in met and not may_repeat:
                    problem = _removable(edit, "is given twice", "duplicate")
                met.add(right)
                if problem is None or problem.fix != REMOVE:
                    kept.append(right)
                if problem is not None:
                    who = annotation.annotator
                    problem = problem._replace(
                        file=self.file, line=line, sentence=len(self._lines), annotator=who
                    )
                    findings.append(problem)
            annotations.append(replace(annotation, edits=tuple(kept)))
        return replace(block, annotations=tuple(annotations)), findings

    def _problem(self, edit: Edit, source: Sequence[str]) -> Finding | None:
        is_same = edit.correction == tuple(source[edit.start : edit.end]) and not edit.alternatives
        if is_same and not edit.is_detection and "no-change" not in self.allowed:
            return _removable(edit, "changes nothing", "no-change")
        problem = self.labels.problem(edit, source) if self.labels else None
        return None if problem and problem.code in self.allowed else problem

    def end(self) -> Iterator[Finding]:
        """Yield the problems of the file as a whole: annotators missing in sentences, and running text."""
        everyone = frozenset[int]().union(*self._sets)
        sets = [sorted(everyone - present) for present in self._sets]
        for sentence, (line, number) in enumerate(zip(self._lines, self._present, strict=True), start=1):
            if missing := sets[number]:
                names = ", ".join(map(str, missing))
                problem = f"no annotation by annotator {names}; add a noop line if nothing is to be changed"
                yield Finding(self.file, line, problem, "missing-annotator", sentence, missing[0])
        source, corrected = self._running.finding, self._corrected.finding
        if problem := source or (corrected and f"in its corrections {corrected}"):
            sentence = (self._running if source else self._corrected).first or 1
            line = self._lines[sentence - 1]
            yield Finding(
                self.file, line, f"{problem}; {ADVICE}", "raw-text", sentence, None, is_warning=True
            )


def _removable(edit: Edit, why: str, code: str) -> Finding:
    return Finding("", 0, f"edit {edit.start} {edit.end} ({edit.type}) {why}", code, fix=REMOVE)


def labels_of_pack(lang: str, pack: str | None = None, names: str = "pack") -> LabelCheck:
    """Return the labels of a pack; none of its Python is run.

    Args:
        lang: Code of the language; ignored where ``pack`` is given.
        pack: A folder with a pack.
        names: ``pack`` for the pack's own labels, or the name of another set of them (``ud``).

    Raises:
        PackError: There is no such pack, or it is wrong.
        UsageError: The pack has no such set of labels.
    """
    return LabelCheck({type_[2:] for type_ in pack_keys(lang, pack).names_in(names).names.values()})


def check_codes(codes: Iterable[str]) -> frozenset[str]:
    """Return kinds of findings.

    Raises:
        UsageError: One does not exist.
    """
    chosen = frozenset(codes)
    for code in sorted(chosen - CODES.keys()):
        raise UsageError(f"unknown kind {code!r}{nearest(code, CODES)}; expected one of {', '.join(CODES)}")
    return chosen


def check_m2(path: str, content: ContentCheck | None = None) -> Iterator[Finding]:
    """Yield every deviation of an M2 file from the dialect.

    Unreadable lines and sentences that could not be written again are findings, too. Reading ends
    early only at a line that is not UTF-8.

    Args:
        path: The file.
        content: Also checks the annotations; None to check the dialect alone.

    Raises:
        InputError: The file cannot be opened.
    """
    reading = _Reading(path)
    for numbered in parse_numbered_m2(reading.lines(), path, reading):
        try:
            format_block(numbered.block)
        except InputError as error:
            reading.note(numbered.line, str(error))
        yield from reading.drain(content.block(numbered) if content else ())
    yield from reading.drain()
    if content is not None:
        yield from content.end()
    if reading.ending is not None:
        yield reading.ending
    elif not reading.sentences:
        yield Finding(
            path, reading.count or 1, "found no sentences, expected blocks that begin with an S line"
        )


class _Reading(FormatDeviations):
    """One reading of a file: counts its lines and collects findings in their order.

    Attributes:
        count: Number of lines read so far.
        sentences: Whether an S line was read.
        ending: The line that ended the file early because it is not UTF-8.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._findings: list[Finding] = []
        self.count, self.sentences = 0, False
        self.ending: Finding | None = None
        #: Whether a line could not be read. If no sentence stood before it, all lines up to the first sentence are
        #: skipped.
        self._is_broken = False

    def lines(self) -> Iterator[str]:
        """Yield the lines up to one that is not UTF-8."""
        try:
            lines = read_lines(self._path, lambda _, number, problem: self.note(number, problem))
            for line in track(lines, f"checking {self._path} (lines)"):
                self.count += 1
                self.sentences = self.sentences or kind_of(visible(line)) is LineKind.SOURCE
                yield line
        except FormatError as error:
            self.ending = Finding(self._path, error.line or 0, error.problem)

    def add(self, file: str, line: int, kind: str, example: str = "") -> None:  # noqa: ARG002
        """Keep a deviation that the reader counts."""
        if self.sentences or not self._is_broken:
            self.note(line, f"{kind}: {example}" if example else kind)

    def unreadable(self, error: FormatError) -> None:
        """Keep an unreadable line."""
        self.add(error.file, error.line or 0, error.problem)
        self._is_broken = True

    def note(self, line: int, problem: str) -> None:
        """Keep a finding."""
        self._findings.append(Finding(self._path, line, problem))

    def drain(self, others: Iterable[Finding] = ()) -> list[Finding]:
        """Return the findings kept since the last call, and others, by line."""
        findings = sorted([*self._findings, *others], key=lambda finding: finding.line)
        self._findings.clear()
        return findings


@dataclass
class Fixes:
    """The problems that were fixed and those that were not; complete when all blocks have been read.

    Attributes:
        fixed: Problems that were fixed.
        left: Problems that only a person can fix.
        dialect: Fixes of the dialect, a line each.
    """

    fixed: list[Finding] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)
    dialect: list[str] = field(default_factory=list)


def fix_m2(
    path: str, labels: LabelCheck | None, fixes: Fixes, allowed: Collection[str] = frozenset()
) -> Iterator[Block]:
    """Yield the blocks of a file in the dialect, with the safe fixes made.

    Args:
        path: The file, ``-`` meaning standard input.
        labels: The labels of a pack; None where types are not looked at.
        fixes: Gets the fixes.
        allowed: Kinds of problems that are left as they are.

    Raises:
        FormatError: A line cannot be read.
        InputError: The file cannot be opened, or a sentence cannot be written.
    """
    read, left = FormatDeviations(), FormatDeviations()
    content = ContentCheck(path, labels, allowed)
    numbered_blocks = parse_numbered_m2(read_lines(path, read.add), path, read)
    for numbered in track(numbered_blocks, f"fixing {path} (sentences)"):
        changed, findings = content.fixed(numbered)
        for one in findings:
            (fixes.fixed if one.fix else fixes.left).append(one)
        cleaned = in_dialect(changed)
        for _ in parse_numbered_m2(format_block(cleaned).rstrip("\n").split("\n"), "", left):
            pass
        yield cleaned
    fixes.left.extend(content.end())
    kept = left.counts
    made = {kind: count - kept.get(kind, 0) for kind, count in read.counts.items()}
    for what, counts in (("fixed", made), ("left as it is", kept)):
        kinds = [
            f"{kind} ({count}×, first in line {read.first[kind]})"
            for kind, count in counts.items()
            if count > 0 and kind in read.first
        ]
        fixes.dialect += [f"{path}: {what}: {'; '.join(kinds)}"] if kinds else []
    fixes.left.extend(Finding(path, read.first.get(kind, 0), kind) for kind in kept)


def in_dialect(block: Block) -> Block:
    """Return a block with annotators and edits in the dialect's order.

    The reader has fixed the rest, except overlapping edits and alternative corrections, which only a person can
    fix.
    """
    annotations = sorted(block.annotations, key=lambda a: a.annotator)
    edits = [tuple(sorted(a.edits, key=lambda e: (e.start, e.end))) for a in annotations]
    return Block(block.source, tuple(map(Annotation, [a.annotator for a in annotations], edits)))
