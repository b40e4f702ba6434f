"""GoToScorer: right and wrong chunks of the reference, weighted by the share of systems that get them wrong.

Gotou, Nagata, Mita and Hanawa (2020), "Taking the Correction Difficulty into Account in Grammatical Error
Correction Evaluation". The figures equal those of the published program: precision, recall and F of counts with the
weights of Eq. 1; 0/0 is 0.

A sentence is divided into chunks (section 3.1): every edit, every other token, and every empty place where a system
could insert something. An empty chunk stands before each chunk and at the end of the sentence, unless there is an
insertion. The weight of a chunk is the share of systems that get it wrong.

The weights come from the systems that are scored together, so the score of a system depends on the others. Every
annotator of a system file counts as a system.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.option import option
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Candidate, Pair, Row, SystemCandidates, annotations_of
from jperrant.evaluation.metrics.corrected_texts import REFUSED, disjoint, of_sentences
from jperrant.evaluation.metrics.fmeasure import beta_option, f_of_totals, fs_of, ratio
from jperrant.evaluation.metrics.reference_choice import BestReference

COUNTS = ("tp", "fp", "fn", "tn")

#: The chunks of the reference for each sentence.
GoldChunks: TypeAlias = "list[list[Chunk]]"
#: The chunks of each annotator of a system in one sentence; None for an annotator without edits.
SystemChunks: TypeAlias = "list[tuple[int, list[Chunk] | None]]"


@dataclass(frozen=True, slots=True)
class GotoScorer(BestReference):
    """GoToScorer: right and wrong chunks of the reference, weighted by the share of systems that get them wrong.

    Attributes:
        reference: The annotator of the reference file to score against.
        unweighted: Give every chunk the weight 1.
        beta: Weight of recall in F.

    Raises:
        UsageError: An option is out of its range.
    """

    reference: int = option(0, "The annotator of the references to score against.", minimum=0)
    unweighted: bool = option(False, "Give every chunk the weight 1.")
    beta: float = beta_option()

    name: ClassVar[str] = "goto"
    columns: ClassVar[tuple[str, ...]] = COUNTS
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"
    #: Overlapping edits cannot be divided into chunks.
    refuses: ClassVar[tuple[str, ...]] = REFUSED
    joint: ClassVar[bool] = True
    where_missing: ClassVar[str] = "scored as if that annotator had changed nothing there"

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; ``w:systems`` says that scores depend on the other systems."""
        weights = "none" if self.unweighted else "systems"
        return f"ref:{self.reference}", f"w:{weights}", f"beta:{self.beta:g}"

    def check_annotators(self, annotators: Collection[int]) -> None:
        """Check that the references have the annotator to score against.

        Raises:
            UsageError: They lack this annotator; names the annotators that they have.
        """
        if self.reference not in annotators:
            known = ", ".join(map(str, sorted(annotators)))
            raise UsageError(f"the references have no annotator {self.reference}; expected one of {known}")

    def prepare(self, references: Sequence[Block], first: int = 1) -> GoldChunks:
        """Return the chunks of the annotator to score against; a sentence without this annotator is unchanged."""
        return of_sentences(references, "references", first, partial(_chunks, annotator=self.reference))

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[GoldChunks]) -> list[SystemCandidates]:
        """Return the weighted counts of every hypothesis annotator against the reference.

        Raises:
            InputError: Systems are over different sentences or tokens.
        """
        if not pairs:
            return []
        gold = _shared(pairs, prepared)
        systems = [of_sentences(pair.hypothesis, pair.name, pair.first, _system_chunks) for pair in pairs]
        sentences: list[list[tuple[Candidate, ...]]] = [[] for _ in pairs]
        for block, chunks, versions in zip(
            pairs[0].references, gold, zip(*systems, strict=True), strict=True
        ):
            untouched = verdicts(chunks, chunks_of(block.source, ()))
            judged = [
                [(h, untouched if edits is None else verdicts(chunks, edits)) for h, edits in version]
                for version in versions
            ]
            every = [verdict for of_system in judged for _, verdict in of_system]
            weights = (1.0,) * len(chunks) if self.unweighted else difficulty(every)
            for system, of_system in zip(sentences, judged, strict=True):
                counted = [(h, weighted_counts(chunks, verdict, weights)) for h, verdict in of_system]
                system.append(tuple([Candidate(h, self.reference, *counts) for h, counts in counted]))
        judges = max((sum(map(len, versions)) for versions in zip(*systems, strict=True)), default=0)
        notes = self._company(len(pairs), judges)
        return [SystemCandidates(system, notes) for system in sentences]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta of weighted counts, not rounded; 0 for 0/0."""
        tp, fp, fn = (totals[..., column] for column in range(3))
        p, r = ratio(tp, tp + fp, 0.0), ratio(tp, tp + fn, 0.0)
        return {"precision": p, "recall": r, "f": fs_of(p, r, self.beta)}

    def _company(self, systems: int, judges: int) -> tuple[str, ...]:
        """Return a warning about the origin of the weights.

        Args:
            systems: The number of systems scored together.
            judges: The largest number of annotators of these systems in a sentence.
        """
        if self.unweighted:
            return ()
        if systems > 1:
            together = f"the weights come from the {systems} systems scored together"
            return (f"{together}; with other systems its scores change",)
        alone = "this system alone, so every chunk that it gets right has weight 0"
        if judges > 1:
            alone = f"the {judges} annotators of this system alone, each as a system"
        return (f"the weights come from {alone}; give several systems, or -m goto:unweighted",)

    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Prefer the best F of the running totals, then more tp, less fp, less fn."""
        tp, fp, fn, _ = total
        return f_of_totals(tp, tp + fp, tp + fn, self.beta, 0.0), row[0], -row[1], -row[2]


def _shared(pairs: Sequence[Pair], prepared: Sequence[GoldChunks]) -> GoldChunks:
    """Return the chunks of the references that all systems share.

    Raises:
        InputError: Systems were aligned to the references differently.
    """
    first = pairs[0]
    for pair in pairs[1:]:
        if pair.references is not first.references and list(pair.references) != list(first.references):
            raise InputError(
                f"{pair.name}: its sentences or tokens were aligned to the references differently from those of "
                f"{first.name}, so they cannot share weights; align both first (jperrant align)"
            )
    return prepared[0]


def _chunks(block: Block, annotator: int) -> list[Chunk]:
    """Return the chunks of one annotator in a sentence; without an annotation, those of the unchanged sentence."""
    return chunks_of(block.source, (block.annotation(annotator) or Annotation(annotator)).edits)


def _system_chunks(block: Block) -> SystemChunks:
    """Return the chunks of each annotator of a system in a sentence."""
    annotations = sorted(annotations_of(block), key=lambda annotation: annotation.annotator)
    return [(a.annotator, chunks_of(block.source, a.edits) if a.edits else None) for a in annotations]


class Chunk(NamedTuple):
    """One chunk: the source tokens ``start … end`` and their correction.

    Attributes:
        start, end: Half-open range of source tokens; equal for an insertion and for an empty chunk.
        correction: The corrected tokens; those of the source without an edit.
        edited: Whether the chunk is an edit.
        type: The type of the edit; empty without one.
    """

    start: int
    end: int
    correction: tuple[str, ...]
    edited: bool = False
    type: str = ""

    @property
    def empty(self) -> bool:
        """Whether the chunk covers no source token."""
        return self.start == self.end


def chunks_of(source: Sequence[str], edits: Iterable[Edit]) -> list[Chunk]:
    """Return the chunks of a sentence and one annotator's edits, in the order of the text.

    >>> [(c.start, c.end, c.correction) for c in chunks_of(("a", "b"), [Edit(1, 2, (), "U:NOUN")])]
    [(0, 0, ()), (0, 1, ('a',)), (1, 1, ()), (1, 2, ()), (2, 2, ())]

    Args:
        source: The tokens of the sentence.
        edits: The sorted edits; detection edits are left out.

    Raises:
        EditError: Two edits overlap, or one reaches outside the sentence.
    """
    chunks: list[Chunk] = []
    position, filled = 0, False  # whether the last chunk is empty
    for edit in (*disjoint(source, edits), None):
        for at in range(position, len(source) if edit is None else edit.start):
            if not filled:
                chunks.append(Chunk(at, at, ()))
            chunks.append(Chunk(at, at + 1, (source[at],)))
            filled = False
        if edit is not None:
            if not filled and edit.start < edit.end:
                chunks.append(Chunk(edit.start, edit.start, ()))
            chunks.append(Chunk(edit.start, edit.end, edit.correction or (), True, edit.type))
            position, filled = edit.end, edit.start == edit.end
    if not filled:
        chunks.append(Chunk(len(source), len(source), ()))
    return chunks


class Verdict(NamedTuple):
    """The comparison of a system with one chunk of the reference.

    Attributes:
        right: Whether the system has the same tokens as the reference.
        modified: Whether the system has an edit there.
        type: The type of the system's edit; empty without one.
    """

    right: bool
    modified: bool
    type: str = ""


def verdicts(gold: Sequence[Chunk], system: Sequence[Chunk]) -> list[Verdict]:
    """Return the verdict on each chunk of the reference.

    A chunk is right if the system has a chunk with the same span and correction, and wrong if a chunk of the system
    overlaps it otherwise. An empty chunk overlaps only a chunk with the same span. Without any overlap (an empty
    place inside a longer edit of the system), it is right if the reference has no edit there.

    Args:
        gold, system: The chunks of the same sentence, in the order of the text.
    """
    starts = [chunk.start for chunk in system]
    equal = {chunk[:3]: chunk for chunk in reversed(system)}
    found = []
    for chunk in gold:
        if same := equal.get(chunk[:3]):
            found.append(Verdict(True, same.edited, same.type))
        elif others := _overlapping(chunk, system, starts):
            edits = [other for other in others if other.edited]
            found.append(Verdict(False, bool(edits), edits[0].type if edits else ""))
        else:
            found.append(Verdict(not chunk.edited, False))
    return found


def _overlapping(chunk: Chunk, system: Sequence[Chunk], starts: Sequence[int]) -> list[Chunk]:
    """Return the chunks of the system that overlap one of the reference, in the order of the text."""
    first = bisect_left(starts, chunk.start)
    if chunk.empty:
        return [other for other in system[first : bisect_right(starts, chunk.start)] if other.empty]
    first -= first > 0 and system[first - 1].end > chunk.start
    return list(system[first : bisect_left(starts, chunk.end)])


def weighted_counts(
    chunks: Sequence[Chunk], verdicts: Sequence[Verdict], weights: Sequence[float]
) -> tuple[tuple[float, ...], dict[str, tuple[float, ...]]]:
    """Return tp, fp, fn and tn of a sentence, in total and by error type (section 3.3).

    An edited chunk of weight w adds w to tp if it is right. If it is wrong, it adds w to fp, and also to fn if the
    reference edits it. An unedited chunk adds w to tn if it is right, and to fn if it is wrong.

    Figures by type have only chunks that one of both sides edits, with the type of the reference's edit or, without
    one, of the system's edit.

    Args:
        chunks: The chunks of the reference.
        verdicts: The verdict on each chunk.
        weights: The weight of each chunk.
    """
    total = [0.0] * len(COUNTS)
    by_type: dict[str, list[float]] = {}
    for chunk, verdict, weight in zip(chunks, verdicts, weights, strict=True):
        type_ = chunk.type or verdict.type
        rows = [total, by_type.setdefault(type_, [0.0] * len(COUNTS))] if type_ else [total]
        for row in rows:
            for column in _columns(chunk, verdict):
                row[column] += weight
    return tuple(total), {type_: tuple(row) for type_, row in by_type.items()}


def _columns(chunk: Chunk, verdict: Verdict) -> tuple[int, ...]:
    """Return the columns that a chunk adds to: 0 tp, 1 fp, 2 fn, 3 tn."""
    if verdict.modified:
        if verdict.right:
            return (0,)
        return (1, 2) if chunk.edited else (1,)
    return (3,) if verdict.right else (2,)


def difficulty(verdicts: Sequence[Sequence[Verdict]]) -> tuple[float, ...]:
    """Return the weights of the chunks of a sentence (Eq. 1).

    >>> difficulty([[Verdict(True, False), Verdict(False, True)], [Verdict(True, True), Verdict(True, True)]])
    (0.0, 0.5)

    Args:
        verdicts: The verdicts of each system on each chunk.
    """
    systems = len(verdicts)
    columns = zip(*verdicts, strict=True)
    return tuple([1 - sum(verdict.right for verdict in column) / systems for column in columns])
