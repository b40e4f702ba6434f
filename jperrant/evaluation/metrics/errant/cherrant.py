"""ChERRANT's scorer, for comparison with published figures of Chinese systems.

Zhang et al. (2022), "MuCGEC: a Multi-Reference Multi-Source Evaluation Dataset for Chinese Grammatical Error
Correction"; behaviour of ``compare_m2_for_evaluation.py``. It is ERRANT's with these differences:

- spaces are taken out of corrections before they are compared, so that ``single`` and ``multi`` look at the
  source side only;
- a sentence whose only annotation is ``NA`` is skipped, with all edits of the hypothesis;
- the alternatives of one annotator are one set of edits: an edit that stands in two of them counts twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.m2_format import NONE, NOOP
from jperrant.core.messages import plural
from jperrant.core.selectors import selects
from jperrant.core.values import UNKNOWN, Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, SystemCandidates
from jperrant.evaluation.metrics.errant.scorer import ErrantScorer, Keyed, KeyedBlocks, count_as_errant
from jperrant.io.cherrant import NA, read_cherrant_pooled
from jperrant.io.m2 import FormatDeviations

_WHOLE = (-1, -1)


@dataclass(frozen=True, slots=True)
class CherrantScorer(ErrantScorer):
    """ChERRANT's scorer; the options are those of ERRANT's, types those of the files.

    The blocks are those of ``read_cherrant_pooled``.
    """

    name: ClassVar[str] = "cherrant"

    def check(self) -> None:
        """Check that ChERRANT knows the options."""
        if self.exact:
            raise UsageError("ChERRANT's scorer has no option exact; remove it")
        ErrantScorer.check(self)

    def keyed(self, annotation: Annotation) -> Keyed:
        """Return the edits that take part, by what is compared of them; a noop is one of them."""
        keyed: Keyed = {}
        rows = [(e.start, e.end, e.type, _text(e)) for e in annotation.edits]
        for start, end, type_, text in rows or [(*_WHOLE, NOOP, NONE)]:
            if type_ == NA:
                start, end = _WHOLE
            if not self._drops(start, end, type_):
                for key in self._cherrant_keys(start, end, type_, text):
                    keyed.setdefault(key, []).append(type_)
        return keyed

    def candidates(
        self,
        pairs: Sequence[Pair],
        prepared: Sequence[KeyedBlocks],  # noqa: ARG002
    ) -> list[SystemCandidates]:
        """Return the counts of every hypothesis annotator against every reference annotator."""
        return [
            SystemCandidates(
                [self._sentence(h, r) for h, r in zip(pair.hypothesis, pair.references, strict=True)]
            )
            for pair in pairs
        ]

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:  # noqa: ARG002
        """Say nothing: the habits are what this scorer is for."""
        return []

    def _sentence(self, hypothesis: Block, reference: Block) -> tuple[Candidate, ...]:
        hyps, refs = self._keyed_by(hypothesis), self._keyed_by(reference)
        if len(refs) == 1:
            (only,) = refs.values()
            if len(only) == 1 and next(iter(only.values()))[0] == NA:
                return (Candidate(0, 0, (0, 0, 0)),)
        return tuple([_candidate(h, refs[r], (n, r)) for n, h in hyps.items() for r in refs])

    def _keyed_by(self, block: Block) -> dict[int, Keyed]:
        return {a.annotator: self.keyed(a) for a in block.annotations or (Annotation(0),)}

    def _drops(self, start: int, end: int, type_: str) -> bool:
        if type_ == UNKNOWN and self.mode in ("cs", "cse"):
            return True
        # A correction without spaces is never two tokens.
        long = end - start >= 2
        return (self.single and long) or (self.multi and not long) or selects(self.filter, type_)

    def _cherrant_keys(self, start: int, end: int, type_: str, text: str) -> list[tuple[int | str, ...]]:
        if self.mode == "cs":
            return [(start, end, text)]
        if self.mode == "cse":
            return [(start, end, type_, text)]
        if self.mode == "ds":
            return [(start, end)]
        if start < 0:
            return [(start, start)]
        return [(token, token + 1) for token in range(start, max(end, start + 1))]


def _text(edit: Edit) -> str:
    return "".join(edit.correction) if edit.correction else NONE


def _candidate(hyp: Keyed, ref: Keyed, names: tuple[int, int]) -> Candidate:
    """Count as ERRANT does; a noop hides what has its key and counts for nothing itself."""
    made = {key: types for key, types in hyp.items() if types[0] != NOOP}
    known = {key: types for key, types in ref.items() if key in made or (types[0] != NOOP and key not in hyp)}
    by_type = count_as_errant(made, known)
    totals: Row = tuple([sum(row[n] for row in by_type.values()) for n in range(3)])
    return Candidate(*names, totals, by_type)


def load_cherrant(hypothesis: str, references: str) -> Pair:
    """Read two files of ChERRANT's dialect into a pair.

    Raises:
        FormatError: A file is not M2 or has no sentences.
        InputError: The files do not have the same sentences; ChERRANT compares them by their place.
    """
    sides, notes = [], []
    for path in (hypothesis, references):
        deviations = FormatDeviations()
        blocks = tuple(read_cherrant_pooled(path, deviations))
        if not blocks:
            raise FormatError(path, None, "found no sentences, expected M2 blocks that begin with an S line")
        notes += [summary] if (summary := deviations.summary(path)) else []
        sides.append(blocks)
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"{hypothesis} has {plural(len(sides[0]), 'sentence')} and {references} has {len(sides[1])}; "
            "ChERRANT compares sentences by position; run compare without --compat to align them"
        )
    return Pair(sides[0], sides[1], hypothesis, tuple(notes), varying=True)
