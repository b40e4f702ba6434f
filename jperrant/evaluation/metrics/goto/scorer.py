"""GoToScorer: right and wrong chunks of the reference, weighted by how few systems get them right.

Gotou, Nagata, Mita and Hanawa (2020), "Taking the Correction Difficulty into Account in Grammatical Error
Correction Evaluation"; figures of the published program. Precision, recall and F of counts with the weights of
Eq. 1; 0/0 is 0.

The weights come from the systems that are scored together, so the same system has another score in other company;
a weight file keeps them. Every annotator of a system file counts as a system. Scoring against several references is
an addition to the paper: each annotator's chunks have weights of their own, and each sentence is scored against the
annotator that gives the best F of the totals so far.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError, InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
    annotations_of,
)
from jperrant.evaluation.metrics.fmeasure import beta_option, f_of_totals, fs_of, ratio
from jperrant.evaluation.metrics.goto.chunks import Chunk, chunks_of
from jperrant.evaluation.metrics.goto.counts import COUNTS, weighted_counts
from jperrant.evaluation.metrics.goto.verdicts import Verdict, verdicts
from jperrant.evaluation.metrics.goto.weights import WeightFile, difficulty, read_weights, write_weights
from jperrant.evaluation.metrics.reference_choice import choose_greedily
from jperrant.evaluation.metrics.texts import REFUSED

#: For each annotator of the reference, for each sentence, its chunks.
GoldChunks: TypeAlias = dict[int, list[list[Chunk]]]
#: For each annotator of a system, by number, its chunks; None where nothing was changed.
SystemChunks: TypeAlias = list[tuple[int, list[Chunk] | None]]


@dataclass(frozen=True, slots=True)
class GotoScorer(Scorer):
    """GoToScorer with its options.

    Attributes:
        reference: The annotator of the reference file to score against.
        all_references: Score each sentence against the best of all annotators instead.
        unweighted: Give every chunk the weight 1.
        weight_file: Take the weights from this file.
        save_weight_file: Write the weights to this file.
        beta: Weight of recall in F.

    Raises:
        UsageError: An option is out of its range, or two exclude each other.
    """

    reference: int = option(0, "The annotator of the references to score against.", minimum=0)
    all_references: bool = option(False, "Score each sentence against the best of all annotators.")
    unweighted: bool = option(False, "Give every chunk the weight 1.")
    weight_file: str | None = option(None, "Take the weights from this JSON file.")
    save_weight_file: str | None = option(None, "Write the weights to this JSON file.")
    beta: float = beta_option()

    name: ClassVar[str] = "goto"
    columns: ClassVar[tuple[str, ...]] = COUNTS
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"
    #: Of such edits there are no chunks.
    refuses: ClassVar[tuple[str, ...]] = REFUSED
    joint: ClassVar[bool] = True
    where_missing: ClassVar[str] = "scored as if that annotator had changed nothing there"

    def check(self) -> None:
        """Check that there is one source of weights and one choice of references."""
        if self.unweighted and (self.weight_file or self.save_weight_file):
            raise UsageError("--unweighted and a weight file exclude each other; give only one")
        if self.all_references and self.reference:
            raise UsageError("--reference and --all-references exclude each other; give only one")

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; without a weight file, scores also depend on the systems."""
        weights = "none" if self.unweighted else "file" if self.weight_file else "systems"
        file = (f"file:{Path(self.weight_file).name}",) if self.weight_file else ()
        reference = "all" if self.all_references else str(self.reference)
        return f"ref:{reference}", f"w:{weights}", *file, f"beta:{self.beta:g}"

    @property
    def needs_corpus(self) -> bool:
        """Whether weights come from a file or go to one, or all annotators of the references are needed."""
        return bool(self.all_references or self.weight_file or self.save_weight_file)

    def check_annotators(self, annotators: Collection[int]) -> None:
        """Check that the references have the annotator to score against.

        Raises:
            UsageError: No sentence has.
        """
        if not self.all_references and self.reference not in annotators:
            known = ", ".join(map(str, sorted(annotators)))
            raise UsageError(
                f"found no annotator {self.reference} in the references; expected one of {known}"
            )

    def prepare(self, references: Sequence[Block], first: int = 1) -> GoldChunks:
        """Return the chunks of the annotators that are scored against.

        One who is missing from a sentence changed nothing there.
        """
        present = {a.annotator for block in references for a in annotations_of(block)}
        wanted = sorted(present) if self.all_references else [self.reference]
        return {number: _chunks(references, number, first) for number in wanted}

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[GoldChunks]) -> list[SystemCandidates]:
        """Return the weighted counts of every hypothesis annotator against the annotators scored against.

        Raises:
            InputError: Systems are over different sentences or tokens, or a weight file belongs to another
                reference.
        """
        if not pairs:
            return []
        gold = _shared(pairs, prepared)
        systems = [_system_chunks(pair) for pair in pairs]
        table = read_weights(self.weight_file) if self.weight_file else None
        weights: dict[int, list[Sequence[float]]] = {
            a: list(table.weights(a, chunks)) if table else [] for a, chunks in gold.items()
        }
        sentences: list[list[list[Candidate]]] = [[] for _ in pairs]
        for number, versions in enumerate(zip(*systems, strict=True)):
            for system in sentences:
                system.append([])
            for annotator, rows in weights.items():
                chunks = gold[annotator][number]
                untouched = verdicts(chunks, chunks_of(pairs[0].references[number].source, ()))
                judged = [
                    [(h, untouched if edits is None else verdicts(chunks, edits)) for h, edits in version]
                    for version in versions
                ]
                if table is None:
                    rows.append(self._difficulty(judged, len(chunks)))
                for system, of_system in zip(sentences, judged, strict=True):
                    for hypothesis, verdict in of_system:
                        counts = weighted_counts(chunks, verdict, rows[number])
                        system[-1].append(Candidate(hypothesis, annotator, *counts))
        names = [pair.name for pair in pairs]
        judges = max((sum(map(len, versions)) for versions in zip(*systems, strict=True)), default=0)
        if self.save_weight_file:
            known = table.systems if table else names
            write_weights(self.save_weight_file, known, {a: (gold[a], weights[a]) for a in gold})
        notes = self._company(len(names), judges, table)
        return [SystemCandidates([tuple(sentence) for sentence in system], notes) for system in sentences]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the only candidate of each sentence, or the one of the best F of the totals so far."""
        return choose_greedily(candidates, self._key, before)

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta of weighted counts, not rounded; 0 for 0/0."""
        tp, fp, fn = (totals[..., column] for column in range(3))
        p, r = ratio(tp, tp + fp, 0.0), ratio(tp, tp + fn, 0.0)
        return {"precision": p, "recall": r, "f": fs_of(p, r, self.beta)}

    def _difficulty(
        self, judged: Sequence[Sequence[tuple[int, list[Verdict]]]], chunks: int
    ) -> Sequence[float]:
        if self.unweighted:
            return [1.0] * chunks
        return difficulty([verdict for of_system in judged for _, verdict in of_system])

    def _company(self, systems: int, judges: int, table: WeightFile | None) -> tuple[str, ...]:
        """Return a warning of what the weights come from.

        Args:
            systems: How many are scored together.
            judges: The most annotators of theirs that a sentence has.
            table: The weight file, if there is one.
        """
        if self.unweighted:
            return ()
        if table is not None:
            return (f"weights of {plural(len(table.systems), 'system')} from {Path(table.path).name}",)
        if systems == 1 and judges > 1:
            return (
                f"the weights come from the {judges} annotators of this system alone, each as a system; give "
                "several systems, or a weight file (--weight-file)",
            )
        if systems == 1:
            return (
                "the weights come from this system alone, so whatever it gets right has weight 0; give "
                "several systems, or a weight file (--weight-file)",
            )
        return (
            f"the weights come from the {systems} systems scored together; with other systems its "
            "scores change (--save-weight-file keeps the weights)",
        )

    def _key(self, total: Row, row: Row) -> tuple[float, ...]:
        tp, fp, fn, _ = total
        return f_of_totals(tp, tp + fp, tp + fn, self.beta, 0.0), row[0], -row[1], -row[2]


def _shared(pairs: Sequence[Pair], prepared: Sequence[GoldChunks]) -> GoldChunks:
    """Return the chunks that all systems are compared with.

    Raises:
        InputError: Systems were aligned to the references in different ways.
    """
    first = pairs[0]
    for pair in pairs[1:]:
        if pair.references is not first.references and list(pair.references) != list(first.references):
            raise InputError(
                f"{pair.name}: its sentences or tokens were aligned to the references differently from those of "
                f"{first.name}, so that they share no weights; align both first (jperrant align)"
            )
    return prepared[0]


def _chunks(blocks: Sequence[Block], annotator: int, first: int) -> list[list[Chunk]]:
    """Return the chunks of one annotator in each sentence; where there is none, nothing was changed."""
    chunks = []
    for number, block in enumerate(blocks, first):
        annotation = block.annotation(annotator) or Annotation(annotator)
        chunks.append(_chunks_in(block, annotation, "references", number))
    return chunks


def _system_chunks(pair: Pair) -> list[SystemChunks]:
    """Return for each sentence the chunks of each annotator of a system."""
    return [
        [
            (a.annotator, _chunks_in(block, a, pair.name, number) if a.edits else None)
            for a in sorted(annotations_of(block), key=lambda annotation: annotation.annotator)
        ]
        for number, block in enumerate(pair.hypothesis, pair.first)
    ]


def _chunks_in(block: Block, annotation: Annotation, name: str, number: int) -> list[Chunk]:
    """Return the chunks of one annotator in one sentence.

    Raises:
        EditError: Its edits overlap or reach outside the sentence; names file and sentence.
    """
    try:
        return chunks_of(block.source, annotation.edits)
    except EditError as error:
        raise EditError(f"{name}: sentence {number} (counted from 1): {error}") from None
