"""What CLEME and CLEME2.0 share: from pairs to labelled and weighted chunks, and from these to candidates."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from jperrant.core.errors import EditError, InputError
from jperrant.core.messages import plural
from jperrant.core.option import option, option_group
from jperrant.core.values import Block
from jperrant.encoders.options import EncoderOptions
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
from jperrant.evaluation.metrics.cleme.chunk_labels import (
    ASSUMPTIONS,
    Label,
    LabelledSentence,
    label_chunks,
    types_of,
)
from jperrant.evaluation.metrics.cleme.chunks import Corrections, corrections_of, kept_references, partition
from jperrant.evaluation.metrics.cleme.weights import WEIGHTS, make_weighting
from jperrant.evaluation.metrics.cleme.weights.base import (
    SentenceWeights,
    Weighting,
    WeightingOptions,
)
from jperrant.evaluation.metrics.reference_choice import backwards_total
from jperrant.evaluation.metrics.score import Score, prepare_references, scores_of
from jperrant.llm.options import LlmOptions

#: For each pair and sentence the ways to judge it, among which one is chosen.
LabelledSystems: TypeAlias = list[list[list[LabelledSentence]]]
#: For what most sentences have none of; one for all saves time.
NOTHING: Mapping[str, Any] = {}
#: Weightings that give a sentence its weights whatever the other sentences are.
BY_SENTENCE = ("none", "similarity")
Level: TypeAlias = Literal["corpus", "sentence"]
LEVELS = {"corpus": "of summed chunks", "sentence": "the mean over sentences"}
#: The sums of weights by label, and of chunks rightly left alone.
Sums: TypeAlias = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class ChunkScorer(Scorer):
    """The options that CLEME and CLEME2.0 share.

    Attributes:
        assumption: ``dependent`` or ``independent``.
        level: ``corpus`` or ``sentence``.
        weights: The name of a weighting.
        merge_distance: Source tokens between two edits that still fall into one chunk.
        exclude_unchanged: Leave out references equal to the source where another differs from it.
        exact: Choose the reference of each sentence by its own figures, computed without rounding.
        encoding: The encoder of weights by similarity.
        llm, llm_prompt: The language model of weights by one, and what it is asked.
        custom_weighting: A weighting that has no name; goes before ``weights``.
        weighting: Gives chunks their weights; None if they are counted.

    Raises:
        UsageError: An option is out of its range.
    """

    assumption: Literal["dependent", "independent"] = option(
        "dependent", "How references are used.", choices=ASSUMPTIONS
    )
    level: Level = option("corpus", "Figures of summed chunks, or means over sentences.", choices=LEVELS)
    weights: str = option("none", "How chunks are weighted.", choices=list(WEIGHTS), open=True)
    merge_distance: int = option(0, "Unchanged tokens between edits that still share a chunk.", minimum=0)
    exclude_unchanged: bool = option(False, "Leave out references equal to the source, if others differ.")
    exact: bool = option(False, "Choose each sentence's reference by itself, without rounding.")
    encoding: EncoderOptions = option_group(EncoderOptions(), without=("pooling", "cache"))
    llm: LlmOptions = option_group(LlmOptions(), prefix="llm_")
    llm_prompt: Literal["edit", "single-error"] = option("edit", "What the language model is asked.")
    custom_weighting: Weighting | None = None
    weighting: Weighting | None = field(init=False)

    name: ClassVar[str] = ""
    counts: ClassVar[tuple[str, ...]] = ()
    main: ClassVar[str] = ""
    #: Such edits have no corrected text.
    refuses: ClassVar[tuple[str, ...]] = ("overlapping edits",)

    def check(self) -> None:
        """Make the weighting.

        Raises:
            UsageError: There is no such weighting, or its options are out of their range.
        """
        options = WeightingOptions(self.level, self.assumption, self.encoding, self.llm, self.llm_prompt)
        weighting = self.custom_weighting or make_weighting(self.weights, options)
        object.__setattr__(self, "weighting", weighting)

    @property
    def shared_settings(self) -> tuple[str, ...]:
        """The shared options for the signature; the later ones only where they are not at their default."""
        short = {"dependent": "dep", "independent": "ind"}[self.assumption]
        parts = [f"asm:{short}", f"lvl:{self.level}"]
        parts += self.weighting.settings if self.weighting else ("w:none",)
        if self.merge_distance:
            parts.append(f"dist:{self.merge_distance}")
        if self.exclude_unchanged:
            parts.append("excl:unchanged")
        if self.exact:
            parts.append("exact:yes")
        return tuple(parts)

    @property
    def needs_corpus(self) -> bool:
        """Whether weights depend on more than their sentence."""
        return self.custom_weighting is not None or self.weights not in BY_SENTENCE

    def prepare(self, references: Sequence[Block], first: int = 1) -> list[list[Corrections]]:
        """Return the corrections of every annotator of each sentence."""
        return list(_all_corrections(references, "references", first))

    def labelled(self, pairs: Sequence[Pair], prepared: Sequence[list[list[Corrections]]]) -> LabelledSystems:
        """Return for each pair and sentence the ways to label it, without weights; never none.

        Raises:
            InputError: A hypothesis has several annotators, a source differs from that of the references, or
                edits overlap; names file, sentence and edit.
        """
        both = zip(pairs, prepared, strict=True)
        return [list(self._labelled_pair(pair, references)) for pair, references in both]

    def weighted(self, labelled: LabelledSystems) -> tuple[LabelledSystems, tuple[str, ...]]:
        """Return labelled sentences with their weights, and what users should know about these.

        Raises:
            InputError: A weight is not a finite number.
        """
        if self.weighting is None:
            return labelled, ()
        flat = [[labelling for sentence in sentences for labelling in sentence] for sentences in labelled]
        systems, notes = self.weighting.weights_of(flat)
        weights = [iter(sentences) for sentences in systems]
        with_weights = [
            [
                [_with_weights(labelling, next(weights_of_system)) for labelling in sentence]
                for sentence in sentences
            ]
            for sentences, weights_of_system in zip(labelled, weights, strict=True)
        ]
        return with_weights, notes

    def candidates(
        self, pairs: Sequence[Pair], prepared: Sequence[list[list[Corrections]]]
    ) -> list[SystemCandidates]:
        """Return one candidate for each way to label a sentence."""
        return self.candidates_of(*self.weighted(self.labelled(pairs, prepared)), pairs)

    def candidates_of(
        self, labelled: LabelledSystems, notes: tuple[str, ...], pairs: Sequence[Pair]
    ) -> list[SystemCandidates]:
        """Return one candidate for each labelled sentence."""
        systems: list[SystemCandidates] = []
        for labelled_sentences, pair in zip(labelled, pairs, strict=True):
            numbers = [annotations_of(block)[0].annotator for block in pair.hypothesis]
            sentences = [
                tuple([self.candidate(labelling, number) for labelling in sentence])
                for sentence, number in zip(labelled_sentences, numbers, strict=True)
            ]
            systems.append(SystemCandidates(sentences, notes))
        return systems

    def candidate(self, labelled: LabelledSentence, hypothesis: int = 0) -> Candidate:
        """Return the statistics of one way to judge a sentence."""
        details: dict[str, object] = {}
        if labelled.deviations:
            details["deviations"] = list(labelled.deviations)
        if labelled.partition.ignored:
            details["ignored_edits"] = labelled.partition.ignored
        by_type = RowsByType(self, labelled) if labelled.labels else NOTHING
        row = self.row(sums_of(labelled))
        return Candidate(hypothesis, labelled.annotator, row, by_type, details or NOTHING)

    @abstractmethod
    def corpus_key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Return what the choice of references maximises at corpus level, unless it is exact."""

    @abstractmethod
    def row(self, sums: Sums) -> Row:
        """Return the row of a sentence, or of what it has of one type."""

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:
        """Say where conventions changed the figures, and what was corrected in the weights."""
        lines = []
        ignored = [n for n, candidate in enumerate(combined, start=1) if "ignored_edits" in candidate.details]
        if ignored:
            lines.append(
                f"edits that change nothing (such as UNK) are left out in {plural(len(ignored), 'sentence')}, "
                f"first sentence {ignored[0]} (counted from 1); CLEME's own code counts them"
            )
        deviations: Counter[str] = Counter()
        for candidate in combined:
            deviations.update(_strings(candidate.details, "deviations"))
        lines += [f"{what}: {number}" for what, number in deviations.items()]
        if not self.exact and self.level == "corpus":
            columns, counted = len(self.columns), len(self.counts)
            ours = add_rows((c.row for c in combined), columns)[:counted]
            theirs = backwards_total(candidates, self.corpus_key, columns)[:counted]
            if ours != theirs:
                names = "/".join(self.counts)
                lines.append(
                    f"the choice of references depends on the order of sentences: {names} {_slashed(ours)}, "
                    f"backwards {_slashed(theirs)}; --exact chooses for each sentence by itself"
                )
        return lines

    def _labelled_pair(
        self, pair: Pair, references: Sequence[Sequence[Corrections]]
    ) -> Iterator[list[LabelledSentence]]:
        every = self.weighting is not None and self.weighting.by_reference
        ours = _all_corrections(pair.hypothesis, pair.name, pair.first)
        both = zip(enumerate(pair.hypothesis, pair.first), pair.references, ours, references, strict=True)
        for (number, block), reference, hyps, refs in both:
            source = reference.source
            if len(hyps) > 1:
                raise InputError(
                    f"{pair.name}: sentence {number} (counted from 1) has {len(hyps)} annotators, expected "
                    "one, the system; write a file for each with jperrant m2 split"
                )
            if block.source != source:
                raise InputError(
                    f"{pair.name}: the source of sentence {number} (counted from 1) differs from that of the "
                    "references; align the files first (jperrant align)"
                )
            kept = kept_references(source, refs, self.exclude_unchanged)
            chunks = partition(source, hyps[0], kept, self.merge_distance)
            yield label_chunks(chunks, self.assumption, every)


def evaluate_levels(scorer: ChunkScorer, pairs: Sequence[Pair]) -> dict[str, list[Score]]:
    """Return the scores of each pair at corpus and at sentence level; sentences are cut and labelled once.

    Args:
        scorer: The metric; its level plays no part.
        pairs: Systems and their references.
    """
    labelled = scorer.labelled(pairs, prepare_references(scorer, pairs))
    by_settings: dict[tuple[str, ...], tuple[LabelledSystems, tuple[str, ...]]] = {}
    scores = {}
    for level in get_args(Level):
        level_scorer = replace(scorer, level=level)
        same = level_scorer.weighting.settings if level_scorer.weighting else ()
        if same not in by_settings:  # length weights depend on the level, similarity does not
            by_settings[same] = level_scorer.weighted(labelled)
        scores[level] = scores_of(level_scorer, pairs, level_scorer.candidates_of(*by_settings[same], pairs))
    return scores


class RowsByType(Mapping[str, Row]):
    """The rows of a sentence by error type, computed when they are asked for: few candidates ever are.

    Args:
        scorer: Makes the rows.
        labelled: The sentence.
    """

    __slots__ = ("_judged", "_scorer")

    def __init__(self, scorer: ChunkScorer, labelled: LabelledSentence) -> None:
        self._scorer, self._judged = scorer, labelled

    def __getitem__(self, type_: str) -> Row:
        return self._rows()[type_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows())

    def __len__(self) -> int:
        return len(self._rows())

    def items(self) -> ItemsView[str, Row]:
        """Return types and rows, computed once."""
        return self._rows().items()

    def _rows(self) -> dict[str, Row]:
        return {type_: self._scorer.row(sums) for type_, sums in sums_by_type(self._judged).items()}


def sums_of(labelled: LabelledSentence) -> Sums:
    """Return the sums of weights by label, whole numbers where chunks are counted."""
    sums: list[float] = [0, 0, 0, 0, labelled.tn]
    if labelled.weights is None:
        for mark in labelled.labels:
            sums[mark.label] += 1
    else:
        for mark, weight in zip(labelled.labels, labelled.weights, strict=True):
            sums[mark.label] += weight
    return sums[0], sums[1], sums[2], sums[3], sums[4]


def sums_by_type(labelled: LabelledSentence) -> dict[str, Sums]:
    """Return the sums by error type.

    A chunk with several edits is shared by their types, so that the sums of all types are those of the
    sentence; chunks rightly left alone have no type.
    """
    sums: dict[str, list[float]] = {}
    for mark, weight in zip(labelled.labels, _weights(labelled), strict=True):
        types = types_of(labelled, mark)
        share = weight if len(types) == 1 else weight / len(types)
        for type_ in types:
            sums.setdefault(type_, [0, 0, 0, 0])[mark.label] += share
    return {type_: (s[Label.TP], s[Label.FP_NE], s[Label.FP_UN], s[Label.FN], 0) for type_, s in sums.items()}


def _weights(labelled: LabelledSentence) -> Sequence[float]:
    return [1] * len(labelled.labels) if labelled.weights is None else labelled.weights


def _with_weights(labelled: LabelledSentence, sentence_weights: SentenceWeights) -> LabelledSentence:
    return replace(labelled, weights=sentence_weights.weights, deviations=sentence_weights.deviations)


def _all_corrections(blocks: Sequence[Block], name: str, first: int) -> Iterator[list[Corrections]]:
    for number, block in enumerate(blocks, first):
        try:
            yield [corrections_of(block.source, a) for a in annotations_of(block)]
        except EditError as error:
            raise EditError(f"{name}: sentence {number} (counted from 1): {error}") from None


def _strings(details: Mapping[str, object], name: str) -> list[str]:
    values = details.get(name, [])
    return [str(value) for value in values] if isinstance(values, list) else []


def _slashed(row: Row) -> str:
    return "/".join(f"{number:g}" for number in row)
