"""What CLEME and CLEME2.0 share: from pairs to judged and weighed chunks, and from these to candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError, InputError, UsageError, nearest
from jperrant.core.option import option
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Score,
    annotations_of,
    scores_of,
)
from jperrant.evaluation.metrics.cleme.chunk_labels import (
    ASSUMPTIONS,
    Label,
    LabelledSentence,
    judge,
    types_of,
)
from jperrant.evaluation.metrics.cleme.chunks import (
    Corrections,
    check_merge_distance,
    corrections_of,
    kept_references,
    partition,
)
from jperrant.evaluation.metrics.cleme.weights import WEIGHTS, make_weights
from jperrant.evaluation.metrics.cleme.weights.base import Weighed, Weights

#: For each pair and sentence the ways to judge it, among which one is chosen.
LabelledSystems: TypeAlias = list[list[list[LabelledSentence]]]
#: For what most sentences have none of; one for all saves time.
NOTHING: Mapping[str, Any] = {}
LEVELS = {"corpus": "of summed chunks", "sentence": "the mean over sentences"}
#: The sums of weights by label, and of chunks rightly left alone.
Sums: TypeAlias = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class ChunkScorer(ABC):
    """The options that CLEME and CLEME2.0 share.

    Attributes:
        assumption: ``dependent`` or ``independent``.
        level: ``corpus`` or ``sentence``.
        weights: The name of a way to weigh chunks.
        merge_distance: Source tokens between two edits that still fall into one chunk.
        exclude_unchanged: Leave out references equal to the source where another differs from it.
        exact: Choose the reference of each sentence by its own figures, worked out without rounding.
        encoder, layer, baseline, dtype, device, batch_size: Of weights by similarity.
        llm_model, llm_endpoint, llm_prompt, llm_cache, llm_limit, llm_jobs: Of weights by a language model.
        weigher: A way to weigh chunks that has no name; goes before ``weights``.
        way: How chunks are weighed; None if they are counted.

    Raises:
        UsageError: An option is out of its range.
    """

    assumption: str = option("dependent", "How references are used.", list(ASSUMPTIONS))
    level: str = option("corpus", "Figures of summed chunks, or means over sentences.", list(LEVELS))
    weights: str = option("none", "How chunks are weighed.", list(WEIGHTS))
    merge_distance: int = option(0, "Unchanged tokens between edits that still share a chunk.")
    exclude_unchanged: bool = option(False, "Leave out references equal to the source, if others differ.")
    exact: bool = option(False, "Choose each sentence's reference by itself, without rounding.")
    encoder: str = option("bert-base-uncased", "minilm, a folder, or a model of the Hugging Face hub.")
    layer: int | None = option(None, "Layer of the encoder; that of BERTScore if left out.")
    baseline: float = option(0.0, "Similarity of unrelated sentences, to rescale by.")
    dtype: str = option("float32", "Precision of the encoder.", ["float32", "bfloat16", "float16"])
    device: str = option("auto", "Where the encoder runs: auto, cpu, cuda, cuda:1 …")
    batch_size: int = option(32, "Sentences encoded together; changes speed and memory only.")
    llm_model: str = option("", "Language model: a name at the endpoint, or a folder.")
    llm_endpoint: str = option("", "URL of an OpenAI-compatible endpoint; a local model if left out.")
    llm_prompt: str = option("edit", "What the language model is asked.", ["edit", "single-error"])
    llm_cache: str = option("", "File that keeps the answers of the language model.")
    llm_limit: int | None = option(None, "Refuse to ask the language model more often; 0 shows the costs.")
    llm_jobs: int = option(4, "Questions to the endpoint at one time.")
    weigher: Weights | None = None
    way: Weights | None = field(init=False)

    name: ClassVar[str] = ""
    counts: ClassVar[tuple[str, ...]] = ()
    main: ClassVar[str] = ""
    #: Such edits have no corrected text.
    refuses: ClassVar[tuple[str, ...]] = ("overlapping edits",)

    def __post_init__(self) -> None:
        _check_choice("assumption", self.assumption, ASSUMPTIONS)
        _check_choice("level", self.level, LEVELS)
        check_merge_distance(self.merge_distance)
        object.__setattr__(self, "way", self.weigher or make_weights(self))

    @property
    def shared_settings(self) -> tuple[str, ...]:
        """The shared options for the signature; the later ones only where they are not at their default."""
        short = {"dependent": "dep", "independent": "ind"}[self.assumption]
        parts = [f"asm:{short}", f"lvl:{self.level}"]
        parts += self.way.settings if self.way else ("w:none",)
        if self.merge_distance:
            parts.append(f"dist:{self.merge_distance}")
        if self.exclude_unchanged:
            parts.append("excl:unchanged")
        if self.exact:
            parts.append("exact:yes")
        return tuple(parts)

    def judged(self, pairs: Sequence[Pair]) -> LabelledSystems:
        """Return for each pair and sentence the ways to judge it, without weights; never none.

        Raises:
            InputError: A hypothesis has several annotators, a source differs from that of the references, or
                edits overlap; names file, sentence and edit.
        """
        references: dict[int, list[list[Corrections]]] = {}
        for pair in pairs:  # references that pairs share are one object
            if id(pair.references) not in references:
                references[id(pair.references)] = list(_all_corrections(pair.references, "references"))
        return [list(self._judged_pair(pair, references[id(pair.references)])) for pair in pairs]

    def weighed(self, judged: LabelledSystems) -> LabelledSystems:
        """Return judgements with their weights.

        Raises:
            InputError: A weight is not a finite number.
        """
        if self.way is None:
            return judged
        flat = [[one for sentence in own for one in sentence] for own in judged]
        weights = [iter(own) for own in self.way.weigh(flat)]
        return [
            [[_with_weights(one, next(given)) for one in sentence] for sentence in own]
            for own, given in zip(judged, weights, strict=True)
        ]

    def candidates(self, pairs: Sequence[Pair]) -> list[Candidates]:
        """Return one candidate for each way to judge a sentence."""
        return self.candidates_of(self.weighed(self.judged(pairs)), pairs)

    def candidates_of(self, judged: LabelledSystems, pairs: Sequence[Pair]) -> list[Candidates]:
        """Return one candidate for each judgement."""
        found: list[Candidates] = []
        for own, pair in zip(judged, pairs, strict=True):
            numbers = [annotations_of(block)[0].annotator for block in pair.hypothesis]
            found.append(
                [
                    tuple([self.candidate(one, number) for one in sentence])
                    for sentence, number in zip(own, numbers, strict=True)
                ]
            )
        return found

    def candidate(self, judged: LabelledSentence, hypothesis: int = 0) -> Candidate:
        """Return the statistics of one way to judge a sentence."""
        details: dict[str, object] = {}
        if judged.oddities:
            details["oddities"] = list(judged.oddities)
        if judged.partition.ignored:
            details["ignored_edits"] = judged.partition.ignored
        by_type = RowsByType(self, judged) if judged.marks else NOTHING
        row = self.row(sums_of(judged))
        return Candidate(hypothesis, judged.annotator, row, by_type, details or NOTHING)

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics in a row; counts first."""

    @property
    @abstractmethod
    def settings(self) -> tuple[str, ...]:
        """The options for the signature."""

    @abstractmethod
    def row(self, sums: Sums) -> Row:
        """Return the row of a sentence, or of what it has of one type."""

    @abstractmethod
    def choose(self, candidates: Candidates) -> list[int]:
        """Return the index of the chosen candidate of each sentence."""

    @abstractmethod
    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the values of summed rows."""

    def warnings(self, candidates: Candidates, chosen: Sequence[int]) -> list[str]:
        """Say where conventions changed the figures, and what weighing met."""
        lines = list(self.way.notes) if self.way else []
        choices = [sentence[at] for sentence, at in zip(candidates, chosen, strict=True)]
        if where := [n for n, choice in enumerate(choices) if "ignored_edits" in choice.details]:
            lines.append(
                f"edits that change nothing (such as UNK) are left out in {len(where)} sentences, first sentence "
                f"{where[0]} (counted from 0); CLEME's own code counts them"
            )
        odd: Counter[str] = Counter()
        for choice in choices:
            odd.update(_strings(choice.details, "oddities"))
        lines += [f"{number} {what}" for what, number in odd.items()]
        if not self.exact and self.level == "corpus":
            backwards = self.choose(candidates[::-1])[::-1]
            ours, theirs = (self._sum(candidates, at) for at in (chosen, backwards))
            if ours != theirs:
                names = "/".join(self.counts)
                lines.append(
                    f"the choice of references depends on the order of sentences: {names} {_slashed(ours)}, "
                    f"backwards {_slashed(theirs)}; --exact chooses for each sentence alone"
                )
        return lines

    def _sum(self, candidates: Candidates, chosen: Sequence[int]) -> Row:
        rows = [sentence[at].row for sentence, at in zip(candidates, chosen, strict=True)]
        return tuple(map(sum, zip(*rows, strict=True)))[: len(self.counts)]

    def _judged_pair(
        self, pair: Pair, references: Sequence[Sequence[Corrections]]
    ) -> Iterator[list[LabelledSentence]]:
        every = self.way is not None and self.way.by_reference
        ours = _all_corrections(pair.hypothesis, pair.name)
        for number, (hyps, refs) in enumerate(zip(ours, references, strict=True)):
            source = pair.references[number].source
            if len(hyps) > 1:
                raise InputError(
                    f"{pair.name}: sentence {number} (counted from 0) has {len(hyps)} annotators, but a system "
                    "has one; jperrant m2 split writes a file for each"
                )
            if pair.hypothesis[number].source != source:
                raise InputError(
                    f"{pair.name}: the source of sentence {number} (counted from 0) is not that of the "
                    "references; align the files first (jperrant align)"
                )
            kept = kept_references(source, refs, self.exclude_unchanged)
            found = partition(source, hyps[0], kept, self.merge_distance)
            yield judge(found, self.assumption, every)


def evaluate_levels(scorer: ChunkScorer, pairs: Sequence[Pair]) -> dict[str, list[Score]]:
    """Return the scores of each pair at corpus and at sentence level; sentences are cut and judged once.

    Args:
        scorer: The metric; its level plays no part.
        pairs: Systems and their references.
    """
    judged = scorer.judged(pairs)
    weighed: dict[tuple[str, ...], LabelledSystems] = {}
    found = {}
    for level in LEVELS:
        own = replace(scorer, level=level)
        same = own.way.settings if own.way else ()
        if same not in weighed:  # length weights depend on the level, similarity does not
            weighed[same] = own.weighed(judged)
        found[level] = scores_of(own, pairs, own.candidates_of(weighed[same], pairs))
    return found


class RowsByType(Mapping[str, Row]):
    """The rows of a sentence by error type, worked out when they are asked for: few candidates ever are.

    Args:
        scorer: Makes the rows.
        judged: The sentence.
    """

    __slots__ = ("_judged", "_scorer")

    def __init__(self, scorer: ChunkScorer, judged: LabelledSentence) -> None:
        self._scorer, self._judged = scorer, judged

    def __getitem__(self, type_: str) -> Row:
        return self._rows()[type_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows())

    def __len__(self) -> int:
        return len(self._rows())

    def items(self) -> ItemsView[str, Row]:
        """Return types and rows, worked out once."""
        return self._rows().items()

    def _rows(self) -> dict[str, Row]:
        return {type_: self._scorer.row(sums) for type_, sums in sums_by_type(self._judged).items()}


def sums_of(judged: LabelledSentence) -> Sums:
    """Return the sums of weights by label, whole numbers where chunks are counted."""
    sums: list[float] = [0, 0, 0, 0, judged.tn]
    if judged.weights is None:
        for mark in judged.marks:
            sums[mark.label] += 1
    else:
        for mark, weight in zip(judged.marks, judged.weights, strict=True):
            sums[mark.label] += weight
    return sums[0], sums[1], sums[2], sums[3], sums[4]


def sums_by_type(judged: LabelledSentence) -> dict[str, Sums]:
    """Return the sums by error type.

    A chunk with several edits is shared by their types, so that the sums of all types are those of the
    sentence; chunks rightly left alone have no type.
    """
    sums: dict[str, list[float]] = {}
    for mark, weight in zip(judged.marks, _weights(judged), strict=True):
        types = types_of(judged, mark)
        share = weight if len(types) == 1 else weight / len(types)
        for type_ in types:
            sums.setdefault(type_, [0, 0, 0, 0])[mark.label] += share
    return {type_: (s[Label.TP], s[Label.FP_NE], s[Label.FP_UN], s[Label.FN], 0) for type_, s in sums.items()}


def _weights(judged: LabelledSentence) -> Sequence[float]:
    return [1] * len(judged.marks) if judged.weights is None else judged.weights


def _with_weights(judged: LabelledSentence, weighed: Weighed) -> LabelledSentence:
    return replace(judged, weights=weighed.weights, oddities=weighed.oddities)


def _all_corrections(blocks: Sequence[Block], name: str) -> Iterator[list[Corrections]]:
    for number, block in enumerate(blocks):
        try:
            yield [corrections_of(block.source, a) for a in annotations_of(block)]
        except EditError as error:
            raise EditError(f"{name}: sentence {number} (counted from 0): {error}") from None


def _strings(details: Mapping[str, object], name: str) -> list[str]:
    found = details.get(name, [])
    return [str(one) for one in found] if isinstance(found, list) else []


def _check_choice(option: str, value: str, known: Mapping[str, str]) -> None:
    if value not in known:
        choices = ", ".join(f"{name} ({what})" for name, what in known.items())
        raise UsageError(f"unknown {option} {value!r}{nearest(value, known)}; choose {choices}")


def _slashed(row: Row) -> str:
    return "/".join(f"{number:g}" for number in row)
