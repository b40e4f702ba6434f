"""ERRANT's scorer: edits of the hypothesis found among the edits of a reference.

Bryant, Felice and Briscoe (2017), "Automatic Annotation and Evaluation of Error Types for Grammatical Error
Correction". The figures equal those of ``errant_compare`` 3.0.2, including two of its properties:

- A hypothesis edit counts as one true positive for each equal edit of the reference (errant issue 49).
- The reference of a sentence is chosen greedily by the F of the running totals, rounded to 4 decimals, so totals
  can depend on the order of sentences.

The option ``exact`` avoids both: equal edits match one to one, and each sentence chooses by its own F.

ChERRANT's scorer (``compare --compat cherrant``) is at the end of the module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.edits import check_selectors, selectors_of, selects
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import option, told
from jperrant.core.values import NONE, NOOP, UNKNOWN, Annotation, Block, Edit
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    SystemCandidates,
    annotations_of,
)
from jperrant.evaluation.metrics.fmeasure import beta_option, f_measure, f_measures
from jperrant.evaluation.metrics.reference_choice import BestReference, detail_notes
from jperrant.io.dialects import NA, read_cherrant
from jperrant.io.m2 import FormatDeviations

#: The parts of edits that are compared in each mode.
MODES = {"cs": "span and correction", "cse": "span, correction and type", "ds": "span", "dt": "tokens"}
#: Decimals of the F that ERRANT compares when it chooses a reference.
DECIMALS = 4

#: The compared parts of an edit: the span, and by mode correction and type.
EditKey: TypeAlias = tuple[int | str, ...]
#: The edits of one annotation by key, each key with the types of all edits that have it.
Keyed: TypeAlias = dict[EditKey, list[str]]
#: The number and the compared edits of each annotator of a sentence.
KeyedBlock: TypeAlias = list[tuple[int, Keyed]]


@dataclass(frozen=True, slots=True)
class ErrantScorer(BestReference):
    """ERRANT's scorer: edits of the hypothesis found among the edits of a reference.

    Attributes:
        mode: ``cs`` correction spans, ``cse`` correction spans with types, ``ds`` detection spans, ``dt``
            detection tokens.
        beta: Weight of recall in F; 0.5 weighs precision twice as much.
        single: Only edits of at most one token on either side.
        multi: Only edits of two tokens or more on one side.
        filter: Selectors of the types to leave out, as in ``core.edits``.
        exact: Match edits one to one, and choose the reference of each sentence by its own figures.

    Raises:
        UsageError: An option is out of its range, or two exclude each other.
    """

    mode: Literal["cs", "cse", "ds", "dt"] = option("cs", "The compared parts of edits.", choices=MODES)
    beta: float = beta_option()
    single: bool = option(False, "Only edits of at most one token a side.")
    multi: bool = option(False, "Only edits of two or more tokens on a side.")
    filter: tuple[str, ...] = option((), "Leave out a type, category or pattern (R:SPELL, DET, R:VERB*).")
    exact: bool = option(False, "Match edits one to one; choose each sentence's reference by itself.")

    name: ClassVar[str] = "errant"
    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn")
    counts: ClassVar[tuple[str, ...]] = columns
    main: ClassVar[str] = "f"
    per_reference: ClassVar[bool] = True

    def check(self) -> None:
        """Check that ``single`` and ``multi`` are not combined, and parse ``filter``."""
        if self.single and self.multi:
            raise UsageError(
                "single and multi exclude each other: together they leave out every edit; give only one"
            )
        object.__setattr__(self, "filter", selectors_of(self.filter))

    def check_types(self, types: Collection[str]) -> None:
        """Check that every selector of ``filter`` matches some edits."""
        check_selectors(self.filter, types, "--filter")

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature: mode, beta, and the others that are not at their default."""
        filtered = ("filter:" + ",".join(sorted(set(self.filter))),) if self.filter else ()
        sizes = told(self, single="edits:single", multi="edits:multi")
        return (f"mode:{self.mode}", f"beta:{self.beta:g}", *sizes, *filtered, *told(self, exact="exact:yes"))

    def keyed(self, annotation: Annotation) -> Keyed:
        """Return the compared edits by key, in the order of the file."""
        keyed: Keyed = {}
        for edit in annotation.edits:
            self._add(keyed, edit.start, edit.end, edit.type, correction_text(edit))
        return keyed

    def prepare(self, references: Sequence[Block], first: int = 1) -> list[KeyedBlock]:  # noqa: ARG002
        """Return the compared edits of every annotator of each sentence."""
        return [self._annotators(block) for block in references]

    def candidates(
        self, pairs: Sequence[Pair], prepared: Sequence[list[KeyedBlock]]
    ) -> list[SystemCandidates]:
        """Return the counts of every hypothesis annotator against every reference annotator."""
        return [
            SystemCandidates(
                [
                    self.of_sentence(self._annotators(block), sentence)
                    for block, sentence in zip(pair.hypothesis, references, strict=True)
                ]
            )
            for pair, references in zip(pairs, prepared, strict=True)
        ]

    def of_sentence(self, hypothesis: KeyedBlock, references: KeyedBlock) -> tuple[Candidate, ...]:
        """Return the candidates of one sentence."""
        count = count_exact if self.exact else count_as_errant
        candidates = []
        for hyp_id, hyp in hypothesis:
            for ref_id, ref in references:
                by_type = count(hyp, ref)
                # The only case in which counting one to one gives other figures.
                repeated = any(key in ref and len(ref[key]) != len(types) for key, types in hyp.items())
                details = {"repeated": True} if repeated else {}
                candidates.append(Candidate(hyp_id, ref_id, _sum(by_type), by_type, details))
        return tuple(candidates)

    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Prefer the best F (rounded as in ERRANT unless exact), then more tp, fewer fp, fewer fn."""
        tp, fp, fn = row
        f = f_measure(*total, beta=self.beta)[2]
        return f if self.exact else round(f, DECIMALS), tp, -fp, -fn

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta, each in [0, 1]; 0/0 is 1."""
        return f_measures(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:
        """Return notes where these properties of ERRANT affect the figures; none if exact."""
        if self.exact:
            return []
        what = "equal edits that are not counted one to one (errant issue 49)"
        repeated = detail_notes(combined, "repeated", what, "; the option exact counts each once")
        return repeated + self.order_notes(candidates, combined)

    def _annotators(self, block: Block) -> KeyedBlock:
        return [(a.annotator, self.keyed(a)) for a in annotations_of(block)]

    def _add(self, keyed: Keyed, start: int, end: int, type_: str, text: str) -> None:
        """Add an edit, unless it is left out."""
        if type_ == UNKNOWN and self.mode in ("cs", "cse"):
            return  # it marks an error and corrects nothing
        long = end - start >= 2 or len(text.split()) >= 2
        if (self.single and long) or (self.multi and not long) or selects(self.filter, type_):
            return
        if self.mode == "dt":  # an insertion is an error of the token to its right
            for token in range(start, max(end, start + 1)):
                keyed.setdefault((token, token + 1), []).append(type_)
            return
        key: EditKey = (start, end)
        if self.mode == "cs":
            key = start, end, text
        elif self.mode == "cse":
            key = start, end, type_, text
        keyed.setdefault(key, []).append(type_)


def correction_text(edit: Edit) -> str:
    """Return the correction as M2 has it; alternatives are compared as one text, as in ERRANT."""
    if edit.correction is None:
        return NONE
    return "||".join(" ".join(tokens) for tokens in (edit.correction, *edit.alternatives))


def count_as_errant(hyp: Keyed, ref: Keyed) -> dict[str, Row]:
    """Return ``(tp, fp, fn)`` by type as ERRANT counts: one tp for each equal edit of the reference.

    True positives have the types of the reference.
    """
    counts: dict[str, list[int]] = {}
    for key, types in hyp.items():
        column, counted = (0, ref[key]) if key in ref else (1, types)
        for type_ in counted:
            counts.setdefault(type_, [0, 0, 0])[column] += 1
    for key, types in ref.items():
        if key not in hyp:
            for type_ in types:
                counts.setdefault(type_, [0, 0, 0])[2] += 1
    return _rows(counts)


def count_exact(hyp: Keyed, ref: Keyed) -> dict[str, Row]:
    """Return ``(tp, fp, fn)`` by type with equal edits matched one to one, those of equal types first.

    True positives have the types of the reference. ``tp + fp`` is the number of hypothesis edits, ``tp + fn`` that
    of reference edits.
    """
    counts: dict[str, list[int]] = {}
    for key in {**hyp, **ref}:
        ours, theirs = hyp.get(key, []), ref.get(key, [])
        same = Counter(ours) & Counter(theirs)
        spare_ours, spare_theirs = _without(ours, same), _without(theirs, same)
        mixed = min(len(spare_ours), len(spare_theirs))
        for column, types in (
            (0, [*same.elements(), *spare_theirs[:mixed]]),
            (1, spare_ours[mixed:]),
            (2, spare_theirs[mixed:]),
        ):
            for type_ in types:
                counts.setdefault(type_, [0, 0, 0])[column] += 1
    return _rows(counts)


def _without(types: list[str], taken: Counter[str]) -> list[str]:
    """Return the types without those taken, which are removed from the beginning."""
    left, rest = Counter(taken), []
    for type_ in types:
        if left[type_]:
            left[type_] -= 1
        else:
            rest.append(type_)
    return rest


def _rows(counts: dict[str, list[int]]) -> dict[str, Row]:
    return {type_: tuple(row) for type_, row in counts.items()}


def _sum(by_type: dict[str, Row]) -> Row:
    return tuple(map(sum, zip((0, 0, 0), *by_type.values(), strict=True)))


@dataclass(frozen=True, slots=True)
class CherrantScorer(ErrantScorer):
    """ChERRANT's scorer, with the options of ERRANT's scorer and the error types of the files.

    Zhang et al. (2022), "MuCGEC: a Multi-Reference Multi-Source Evaluation Dataset for Chinese Grammatical Error
    Correction". The figures equal those of ``compare_m2_for_evaluation.py``, with which results of Chinese systems
    are published. It differs from ERRANT's scorer:

    - Corrections are compared without spaces, so ``single`` and ``multi`` depend on the source side only.
    - A sentence whose only annotation is ``NA`` is skipped, with all edits of the hypothesis.
    - The alternatives of one annotator form one set of edits, so an edit of two alternatives counts twice.

    The blocks are those of ``read_cherrant`` without letters.
    """

    name: ClassVar[str] = "cherrant"

    def check(self) -> None:
        """Check that ChERRANT knows the options."""
        if self.exact:
            raise UsageError("ChERRANT's scorer has no option exact; remove it")
        ErrantScorer.check(self)

    def keyed(self, annotation: Annotation) -> Keyed:
        """Return the compared edits by key; a noop counts as an edit."""
        keyed: Keyed = {}
        rows = [
            (e.start, e.end, e.type, "".join(e.correction) if e.correction else NONE)
            for e in annotation.edits
        ]
        for start, end, type_, text in rows or [(-1, -1, NOOP, NONE)]:
            self._add(keyed, *((-1, -1) if type_ == NA else (start, end)), type_, text)
        return keyed

    def of_sentence(self, hypothesis: KeyedBlock, references: KeyedBlock) -> tuple[Candidate, ...]:
        """Return the candidates of one sentence; a noop removes edits with its key and is not counted."""
        if len(references) == 1:
            ((_, only),) = references
            if len(only) == 1 and next(iter(only.values()))[0] == NA:
                return (Candidate(0, 0, (0, 0, 0)),)
        candidates = []
        for hyp_id, hyp in hypothesis:
            made = {key: types for key, types in hyp.items() if types[0] != NOOP}
            for ref_id, ref in references:
                known = {
                    k: types for k, types in ref.items() if k in made or (types[0] != NOOP and k not in hyp)
                }
                by_type = count_as_errant(made, known)
                candidates.append(Candidate(hyp_id, ref_id, _sum(by_type), by_type))
        return tuple(candidates)

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:  # noqa: ARG002
        """Return no notes: this scorer reproduces ChERRANT's figures on purpose."""
        return []


def load_cherrant(hypothesis: str, references: str) -> Pair:
    """Read two files of ChERRANT's dialect into a pair.

    Raises:
        FormatError: A file is not M2, or has no sentences.
        InputError: The numbers of sentences differ, which ChERRANT compares by position.
    """
    sides, notes = [], []
    for path in (hypothesis, references):
        deviations = FormatDeviations()
        blocks = tuple(read_cherrant(path, "", deviations))
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
