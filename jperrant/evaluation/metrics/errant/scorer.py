"""ERRANT's scorer: edits of the hypothesis found among the edits of a reference.

Bryant, Felice and Briscoe (2017), "Automatic Annotation and Evaluation of Error Types for Grammatical Error
Correction"; behaviour and figures of ``errant_compare`` 3.0.2. By default it is reproduced with its habits:

- a hypothesis edit counts as many true positives as the reference has equal edits (errant issue 49);
- the reference of a sentence is chosen greedily, so that totals can depend on the order of sentences, by an
  F that is rounded to 4 decimals.

``exact`` avoids both: equal edits match one to one, and each sentence chooses by its own F.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.m2_format import NONE
from jperrant.core.messages import agree, plural
from jperrant.core.option import option
from jperrant.core.selectors import check_selectors, selectors_of, selects
from jperrant.core.values import UNKNOWN, Annotation, Block, Edit
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
    add_rows,
    annotations_of,
)
from jperrant.evaluation.metrics.fmeasure import beta_option, f_measure, f_measures
from jperrant.evaluation.metrics.reference_choice import (
    Key,
    backwards_total,
    choose_greedily,
    choose_per_sentence,
)

#: What is compared in each mode.
MODES = {
    "cs": "span and correction",
    "cse": "span, correction and type",
    "ds": "span",
    "dt": "tokens",
}
#: Decimals of the F that ERRANT compares when it chooses a reference.
DECIMALS = 4

#: What two edits must share to match, ending or beginning as ERRANT prints it: span first.
EditKey: TypeAlias = tuple[int | str, ...]
#: The compared edits of one annotation, each with the types of all edits that have the same key.
Keyed: TypeAlias = dict[EditKey, list[str]]
#: For each sentence the number and the compared edits of each annotator.
KeyedBlocks: TypeAlias = list[list[tuple[int, Keyed]]]


@dataclass(frozen=True, slots=True)
class ErrantScorer(Scorer):
    """ERRANT's scorer with its options.

    Attributes:
        mode: ``cs`` correction spans, ``cse`` correction spans with types, ``ds`` detection spans, ``dt``
            detection tokens.
        beta: Weight of recall in F; 0.5 weighs precision twice as much.
        single: Only edits of at most one token on either side.
        multi: Only edits of two tokens or more on one side.
        filter: Which edits to leave out, as in ``core.selectors``.
        exact: Match one to one and choose each sentence's reference by its own figures.

    Raises:
        UsageError: An option is out of its range, or two exclude each other.
    """

    mode: Literal["cs", "cse", "ds", "dt"] = option("cs", "What two edits must share.", choices=MODES)
    beta: float = beta_option()
    single: bool = option(False, "Only edits of at most one token a side.")
    multi: bool = option(False, "Only edits of two or more tokens on a side.")
    filter: tuple[str, ...] = option((), "Leave out a type, category or pattern (R:SPELL, DET, R:VERB*).")
    exact: bool = option(False, "Match edits one to one; choose each sentence's reference by itself.")

    name: ClassVar[str] = "errant"
    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn")
    counts: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn")
    main: ClassVar[str] = "f"
    per_reference: ClassVar[bool] = True

    def check(self) -> None:
        """Check that some edits can take part."""
        if self.single and self.multi:
            raise UsageError(
                "single and multi exclude each other: together they leave out every edit; give only one"
            )
        object.__setattr__(self, "filter", selectors_of(self.filter))

    def check_types(self, types: Collection[str]) -> None:
        """Check that every selector of ``filter`` selects some edits."""
        check_selectors(self.filter, types, "--filter")

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; those at their default are left out, but for mode and beta."""
        parts = [f"mode:{self.mode}", f"beta:{self.beta:g}"]
        if self.single or self.multi:
            parts.append(f"edits:{'single' if self.single else 'multi'}")
        if self.filter:
            parts.append("filter:" + ",".join(sorted(set(self.filter))))
        if self.exact:
            parts.append("exact:yes")
        return tuple(parts)

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def keyed(self, annotation: Annotation) -> Keyed:
        """Return the edits that take part, by what is compared of them, in the order of the file."""
        keyed: Keyed = {}
        for edit in annotation.edits:
            if not self._left_out(edit):
                for key in self._keys(edit):
                    keyed.setdefault(key, []).append(edit.type)
        return keyed

    def prepare(self, references: Sequence[Block], first: int = 1) -> KeyedBlocks:  # noqa: ARG002
        """Return the compared edits of every annotator of each sentence."""
        return [self._annotators(block) for block in references]

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[KeyedBlocks]) -> list[SystemCandidates]:
        """Return the counts of every hypothesis annotator against every reference annotator."""
        both = zip(pairs, prepared, strict=True)
        return [SystemCandidates(self._pair_candidates(pair, references)) for pair, references in both]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the best candidate of each sentence, greedily over the corpus or, if exact, by itself."""
        if self.exact:
            return choose_per_sentence(candidates, self._key(lambda f: f))
        return choose_greedily(candidates, self._greedy_key, before)

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta, not rounded; 1 where there was nothing to be wrong about."""
        return f_measures(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:
        """Say where ERRANT's habits changed the figures; nothing if exact."""
        if self.exact:
            return []
        notes = []
        repeated = [n for n, candidate in enumerate(combined, start=1) if "repeated" in candidate.details]
        if repeated:
            notes.append(
                f"{plural(len(repeated), 'sentence')} {agree(len(repeated), 'has', 'have')} equal edits that are "
                f"not counted one to one (errant issue 49), first sentence {repeated[0]} (counted from 1); "
                "--exact counts each once"
            )
        ours = add_rows((c.row for c in combined), len(self.columns))
        theirs = backwards_total(candidates, self._greedy_key, len(self.columns))
        if ours != theirs:
            notes.append(
                f"the choice of references depends on the order of sentences: tp/fp/fn {_slashed(ours)}, "
                f"backwards {_slashed(theirs)}; --exact chooses for each sentence by itself"
            )
        return notes

    @property
    def _greedy_key(self) -> Key:
        return self._key(lambda f: round(f, DECIMALS))

    def _left_out(self, edit: Edit) -> bool:
        if edit.type == UNKNOWN and self.mode in ("cs", "cse"):
            return True  # it marks an error and corrects nothing
        long = edit.end - edit.start >= 2 or len(correction_text(edit).split()) >= 2
        return (self.single and long) or (self.multi and not long) or selects(self.filter, edit.type)

    def _keys(self, edit: Edit) -> list[EditKey]:
        if self.mode == "cs":
            return [(edit.start, edit.end, correction_text(edit))]
        if self.mode == "cse":
            return [(edit.start, edit.end, edit.type, correction_text(edit))]
        if self.mode == "ds":
            return [(edit.start, edit.end)]
        # An insertion is an error of the token to its right.
        return [(token, token + 1) for token in range(edit.start, max(edit.end, edit.start + 1))]

    def _annotators(self, block: Block) -> list[tuple[int, Keyed]]:
        return [(a.annotator, self.keyed(a)) for a in annotations_of(block)]

    def _pair_candidates(self, pair: Pair, references: KeyedBlocks) -> Candidates:
        count = count_exact if self.exact else count_as_errant
        return [
            tuple(
                _candidate(hyp_id, hyp, ref_id, ref, count)
                for hyp_id, hyp in self._annotators(block)
                for ref_id, ref in sentence
            )
            for block, sentence in zip(pair.hypothesis, references, strict=True)
        ]

    def _key(self, rounded: Callable[[float], float]) -> Key:
        def key(total: Row, row: Row) -> tuple[float, ...]:
            tp, fp, fn = row
            return rounded(f_measure(*total, beta=self.beta)[2]), tp, -fp, -fn

        return key


def correction_text(edit: Edit) -> str:
    """Return the correction as it stands in M2: alternatives are compared as one text, as ERRANT does."""
    if edit.correction is None:
        return NONE
    return "||".join(" ".join(tokens) for tokens in (edit.correction, *edit.alternatives))


def count_as_errant(hyp: Keyed, ref: Keyed) -> dict[str, Row]:
    """Return ``(tp, fp, fn)`` by type as ERRANT counts: a hit counts each equal edit of the reference.

    Hits have the reference's types.
    """
    counts: dict[str, list[int]] = {}
    for key, types in hyp.items():
        column, hit = (0, ref[key]) if key in ref else (1, types)
        for type_ in hit:
            counts.setdefault(type_, [0, 0, 0])[column] += 1
    for key, types in ref.items():
        if key not in hyp:
            for type_ in types:
                counts.setdefault(type_, [0, 0, 0])[2] += 1
    return _rows(counts)


def count_exact(hyp: Keyed, ref: Keyed) -> dict[str, Row]:
    """Return ``(tp, fp, fn)`` by type, equal edits matched one to one, those of the same type first.

    Hits have the reference's types; ``tp + fp`` is the number of edits of the hypothesis, ``tp + fn`` that of
    the reference.
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
    """Return the types that are left when the taken ones are struck out, first ones first."""
    left, rest = Counter(taken), []
    for type_ in types:
        if left[type_]:
            left[type_] -= 1
        else:
            rest.append(type_)
    return rest


def _candidate(
    hyp_id: int, hyp: Keyed, ref_id: int, ref: Keyed, count: Callable[[Keyed, Keyed], dict[str, Row]]
) -> Candidate:
    by_type = count(hyp, ref)
    # Only here do the two ways of counting part: counted one to one, some would be left over.
    repeated = any(key in ref and len(ref[key]) != len(types) for key, types in hyp.items())
    return Candidate(hyp_id, ref_id, _sum(by_type.values()), by_type, {"repeated": True} if repeated else {})


def _rows(counts: dict[str, list[int]]) -> dict[str, Row]:
    return {type_: tuple(row) for type_, row in counts.items()}


def _sum(rows: Iterable[Row]) -> Row:
    return tuple(map(sum, zip((0, 0, 0), *rows, strict=True)))


def _slashed(row: Row) -> str:
    return "/".join(str(number) for number in row)
