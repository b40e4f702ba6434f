"""What annotators did checked, beyond the dialect: types, edits without effect, sentences left out, raw text."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from jperrant.core.errors import UsageError, nearest
from jperrant.core.text import RunningText, corrected_passages
from jperrant.core.values import Annotation, Edit
from jperrant.io.m2 import NumberedBlock
from jperrant.m2tools.edit_check import EditProblem, LabelCheck, changes_nothing
from jperrant.m2tools.findings import CODES, REMOVE, Finding
from jperrant.packs import pack_keys


class ContentCheck:
    """Checks the blocks of one file, in their order.

    Args:
        file: Name of the file.
        labels: The labels of a pack; None where types are not checked.
        allowed: Kinds of problems that edits may have: they are not found, and so not fixed.
    """

    def __init__(
        self, file: str, labels: LabelCheck | None = None, allowed: Collection[str] = frozenset()
    ) -> None:
        self.file, self.labels, self.allowed = file, labels, allowed
        self.sentences = 0
        self._running, self._corrected = RunningText(), RunningText()
        #: For each sentence its line and its set of annotators, by its number.
        self._lines, self._present = array("q"), array("l")
        self._sets: dict[frozenset[int], int] = {}

    def block(self, numbered: NumberedBlock) -> Iterator[Finding]:
        """Yield what is wrong with a block."""
        self.sentences += 1
        block = numbered.block
        present = frozenset([annotation.annotator for annotation in block.annotations])
        self._lines.append(numbered.line)
        self._present.append(self._sets.setdefault(present, len(self._sets)))
        self._running.add(block.source)
        self._corrected.add(*corrected_passages(block))
        for annotation in block.annotations:
            lines = numbered.edit_lines[annotation.annotator]
            for line, _, problem in self._problems(block.source, annotation, lines):
                yield self._finding(line, problem, annotation.annotator, self.sentences)

    def end(self) -> Iterator[Finding]:
        """Yield what only the whole file shows: annotators missing in sentences, and running text."""
        everyone = frozenset[int]().union(*self._sets)
        sets = [sorted(everyone - present) for present in self._sets]
        for sentence, (line, number) in enumerate(zip(self._lines, self._present, strict=True), start=1):
            if missing := sets[number]:
                names = ", ".join(map(str, missing))
                problem = f"no annotation by annotator {names}; add a noop line if nothing is to be changed"
                yield Finding(self.file, line, problem, "missing-annotator", sentence, missing[0])
        source, corrected = self._running.problem, self._corrected.problem
        if problem := source or (corrected and f"in its corrections {corrected}"):
            sentence = (self._running if source else self._corrected).first or 1
            line = self._lines[sentence - 1]
            yield Finding(self.file, line, problem, "raw-text", sentence, None, is_warning=True)

    def fixed(self, numbered: NumberedBlock) -> tuple[NumberedBlock, list[Finding]]:
        """Return the next block with what can be fixed safely, and what was fixed."""
        block, fixes = numbered.block, []
        annotations, all_lines = [], {}
        for annotation in block.annotations:
            lines = numbered.edit_lines[annotation.annotator]
            changed = dict(enumerate(annotation.edits))
            for line, index, problem in self._problems(block.source, annotation, lines):
                if not problem.is_safe:
                    continue
                fixes.append(self._finding(line, problem, annotation.annotator, self.sentences + 1))
                if problem.fixed is None:
                    del changed[index]
                else:
                    changed[index] = problem.fixed
            annotations.append(replace(annotation, edits=tuple(changed.values())))
            all_lines[annotation.annotator] = tuple([lines[index] for index in changed])
        return NumberedBlock(replace(block, annotations=tuple(annotations)), numbered.line, all_lines), fixes

    def _problems(
        self, source: Sequence[str], annotation: Annotation, lines: Sequence[int]
    ) -> Iterator[tuple[int, int, EditProblem]]:
        """Yield line, index and problem of edits; at most one problem for each edit."""
        met: set[Edit] = set()
        for index, (edit, line) in enumerate(zip(annotation.edits, lines, strict=True)):
            problem = self._problem(edit, source)
            right = (problem and problem.fixed) or edit  # what a fix of another edit makes of it counts, too
            may_repeat = "duplicate" in self.allowed or (edit.start == edit.end and not edit.is_detection)
            if right in met and not may_repeat:
                what = f"edit {edit.start} {edit.end} ({edit.type}) is given twice"
                problem = EditProblem("duplicate", what, REMOVE, None, True)
            met.add(right)
            if problem is not None:
                yield line, index, problem

    def _problem(self, edit: Edit, source: Sequence[str]) -> EditProblem | None:
        if "no-change" not in self.allowed and changes_nothing(edit, source):
            what = f"edit {edit.start} {edit.end} ({edit.type}) changes nothing"
            return EditProblem("no-change", what, REMOVE, None, True)
        problem = self.labels.problem(edit, source) if self.labels else None
        return None if problem and problem.code in self.allowed else problem

    def _finding(self, line: int, problem: EditProblem, annotator: int, sentence: int) -> Finding:
        return Finding(
            self.file, line, problem.problem, problem.code, sentence, annotator,
            fix=problem.fix, is_safe=problem.is_safe,
        )  # fmt: skip


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
    keys = pack_keys(lang, pack)
    labels, sets = keys.labels, keys.label_sets
    if names != "pack" and names not in sets:
        known = ("pack", *sets)
        raise UsageError(
            f"the pack has no label set {names!r}{nearest(names, known)}; expected one of {', '.join(known)}"
        )
    table = sets.get(names, {})
    return LabelCheck(table.get(label, label) for label in labels)


def check_codes(codes: Iterable[str]) -> frozenset[str]:
    """Return kinds of findings.

    Raises:
        UsageError: One does not exist.
    """
    chosen = frozenset(codes)
    for code in sorted(chosen):
        if code not in CODES:
            raise UsageError(
                f"unknown kind {code!r}{nearest(code, CODES)}; expected one of {', '.join(CODES)}"
            )
    return chosen
