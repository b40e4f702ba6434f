"""CLEME and CLEME2.0: figures from labelled and weighted chunks.

CLEME: Ye et al. (2023), "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction". As in the
published code, precision, recall, F and accuracy are always rounded to 4 decimals, also for the choice of
references and before sentences are averaged. The option ``exact`` rounds nothing.

CLEME2.0: Ye et al. (2025), "CLEME2.0: Towards Interpretable Evaluation by Disentangling Edits for Grammatical Error
Correction". With TP, FPne, FPun and FN chunks and N = TP + FPne + FN, the chunks that need a change::

    hit = TP / N    wrong = FPne / N    under = FN / N    over = FPun / (TP + FPne + FPun)
    score = a1 hit + a2 (1 - wrong) + a3 (1 - under) + a4 (1 - over)

0/0 is 0, so a sentence that is correctly left unchanged scores a2 + a3 + a4. Counts equal those of the published
code; ``docs/cleme.md`` lists the intended differences.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias, cast

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import option, option_group, told
from jperrant.core.values import Block
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    LevelScorer,
    Pair,
    Row,
    SystemCandidates,
    annotations_of,
)
from jperrant.evaluation.metrics.cleme.chunk_weights import WEIGHTS, Weighting, make_weighting, with_weights
from jperrant.evaluation.metrics.cleme.chunks import (
    ASSUMPTIONS,
    Corrections,
    Label,
    LabelledSentence,
    corrections_of,
    kept_references,
    label_chunks,
    partition,
    types_of,
)
from jperrant.evaluation.metrics.corrected_texts import of_sentences
from jperrant.evaluation.metrics.fmeasure import Level, beta_option, f_measure, f_measures, ratio
from jperrant.evaluation.metrics.reference_choice import BestReference
from jperrant.llm.questions import LlmOptions

#: The labelled sentences of each pair and sentence; one of them is chosen.
LabelledSystems: TypeAlias = list[list[list[LabelledSentence]]]
#: The shared empty details of most candidates; sharing saves time.
NOTHING: Mapping[str, Any] = {}
#: The weightings in which the weights of a sentence do not depend on other sentences.
BY_SENTENCE = ("none", "similarity")
LEVELS = {"corpus": "of summed chunks", "sentence": "the mean over sentences"}
#: The sums of weights by label (TP, FPne, FPun, FN), and the number of TN chunks.
Sums: TypeAlias = tuple[float, float, float, float, float]
CLEME_COUNTS = ("tp", "fp", "fn", "tn")
CLEME_VALUES = ("precision", "recall", "f", "accuracy")
#: The decimals of CLEME's figures.
DECIMALS = 4
#: The decimals to which scores are rounded before an exact comparison.
_DIGITS = 12
#: Weights of hit, 1 - wrong, 1 - under and 1 - over.
Factors: TypeAlias = tuple[float, float, float, float]

COUNTS = ("tp", "fp", "fp_ne", "fp_un", "fn", "tn")
RATES = ("hit", "wrong", "under", "over", "score")
#: The factors that Ye et al. (2025) state for each level; they reproduce their correlations.
PAPER: dict[str, Factors] = {"corpus": (0.45, 0.35, 0.15, 0.05), "sentence": (0.35, 0.25, 0.20, 0.20)}
#: The default factors of the published code; they reproduce Table 12 of the paper at both levels.
TABLE12: Factors = (0.50, 0.40, 0.05, 0.05)
NAMED = {"paper": PAPER, "table12": {"corpus": TABLE12, "sentence": TABLE12}}


@dataclass(frozen=True, slots=True)
class ChunkScorer(LevelScorer, BestReference):
    """The options that CLEME and CLEME2.0 share.

    Attributes:
        assumption: ``dependent`` or ``independent``.
        level: ``corpus`` or ``sentence``.
        weights: The name of a weighting.
        merge_distance: The most source tokens between two edits of one chunk.
        exclude_unchanged: Whether to leave out references equal to the source if another one differs.
        exact: Whether to choose the reference of each sentence by its own figures, without rounding.
        encoding: The encoder of the weighting ``similarity``.
        llm: The language model of the weighting ``llm``.
        custom_weighting: A weighting from Python, used instead of ``weights``.
        weighting: The weighting that is used; None if chunks are counted.

    Raises:
        UsageError: An option is out of its range.
    """

    assumption: Literal["dependent", "independent"] = option(
        "dependent", "How references are used.", choices=ASSUMPTIONS
    )
    level: Level = option("corpus", "Figures of summed chunks, or means over sentences.", choices=LEVELS)
    weights: str = option("none", "How chunks are weighted.", choices=list(WEIGHTS))
    merge_distance: int = option(0, "The most unchanged tokens between edits of one chunk.", minimum=0)
    exclude_unchanged: bool = option(False, "Leave out references equal to the source, if others differ.")
    exact: bool = option(False, "Choose each sentence's reference by itself, without rounding.")
    encoding: EncoderOptions = option_group(EncoderOptions(), without=("pooling", "cache"))
    llm: LlmOptions = option_group(LlmOptions(), prefix="llm_")
    custom_weighting: Weighting | None = None
    weighting: Weighting | None = field(init=False)

    name: ClassVar[str] = ""
    counts: ClassVar[tuple[str, ...]] = ()
    main: ClassVar[str] = ""
    #: Overlapping edits have no defined corrected text.
    refuses: ClassVar[tuple[str, ...]] = ("overlapping edits",)

    def check(self) -> None:
        """Make the weighting.

        Raises:
            UsageError: The weighting is unknown, or its options are out of their range.
        """
        object.__setattr__(self, "weighting", self.custom_weighting or make_weighting(self.weights, self))

    @property
    def shared_settings(self) -> tuple[str, ...]:
        """The shared options for the signature; rare ones only if they are not at their default."""
        short = {"dependent": "dep", "independent": "ind"}[self.assumption]
        parts = (f"asm:{short}", f"lvl:{self.level}")
        weights = self.weighting.settings if self.weighting else ("w:none",)
        rare = told(self, merge_distance="dist:{}", exclude_unchanged="excl:unchanged", exact="exact:yes")
        return (*parts, *weights, *rare)

    @property
    def needs_corpus(self) -> bool:
        """Whether weights depend on other sentences."""
        return self.custom_weighting is not None or self.weights not in BY_SENTENCE

    def prepare(self, references: Sequence[Block], first: int = 1) -> list[list[Corrections]]:
        """Return the corrections of every annotator of each sentence."""
        return of_sentences(references, "references", first, _corrections)

    def labelled(self, pairs: Sequence[Pair], prepared: Sequence[list[list[Corrections]]]) -> LabelledSystems:
        """Return the labelled sentences of each pair and sentence, at least one each, without weights.

        Raises:
            InputError: A hypothesis has several annotators, a source differs from that of the references, or edits
                overlap; names file, sentence and edit.
        """
        both = zip(pairs, prepared, strict=True)
        return [list(self._labelled_pair(pair, references)) for pair, references in both]

    def weighted(self, labelled: LabelledSystems) -> tuple[LabelledSystems, tuple[str, ...]]:
        """Return labelled sentences with weights, and notes about the weights.

        Raises:
            InputError: A weight is not a finite number.
        """
        if self.weighting is None:
            return labelled, ()
        flat = [[labelling for sentence in sentences for labelling in sentence] for sentences in labelled]
        found, notes = self.weighting.weights_of(flat)
        weights = iter([own for system in found for own in system])
        weighted = [
            [[with_weights(one, next(weights)) for one in sentence] for sentence in sentences]
            for sentences in labelled
        ]
        return weighted, notes

    def candidates(
        self, pairs: Sequence[Pair], prepared: Sequence[list[list[Corrections]]]
    ) -> list[SystemCandidates]:
        """Return one candidate for each labelled sentence."""
        labelled, notes = self.weighted(self.labelled(pairs, prepared))
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
        """Return the candidate of a labelled sentence."""
        details: dict[str, object] = {}
        if labelled.deviations:
            details["deviations"] = list(labelled.deviations)
        if labelled.partition.ignored:
            details["ignored_edits"] = labelled.partition.ignored
        by_type = {type_: self.row(sums) for type_, sums in sums_by_type(labelled).items()}
        row = self.row(sums_of(labelled))
        return Candidate(hypothesis, labelled.annotator, row, by_type, details or NOTHING)

    @abstractmethod
    def row(self, sums: Sums) -> Row:
        """Return the row of a sentence, or of its chunks of one error type."""

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:
        """Return notes where conventions or corrected weights affect the figures."""
        lines = []
        ignored = [n for n, candidate in enumerate(combined, start=1) if "ignored_edits" in candidate.details]
        if ignored:
            lines.append(
                f"edits that change nothing (such as UNK) are left out in {plural(len(ignored), 'sentence')}, "
                f"first sentence {ignored[0]} (counted from 1); CLEME's own code counts them"
            )
        deviations: Counter[str] = Counter()
        for candidate in combined:
            deviations.update(cast("Sequence[str]", candidate.details.get("deviations", ())))
        lines += [f"{what}: {number}" for what, number in deviations.items()]
        return lines + self.order_notes(candidates, combined)

    def _labelled_pair(
        self, pair: Pair, references: Sequence[Sequence[Corrections]]
    ) -> Iterator[list[LabelledSentence]]:
        every = self.weighting is not None and self.weighting.by_reference
        ours = of_sentences(pair.hypothesis, pair.name, pair.first, _corrections)
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


def sums_of(labelled: LabelledSentence) -> Sums:
    """Return the sums of weights by label; integers if chunks are counted."""
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

    The types of several edits in a chunk share its weight equally, so the sums over types are those of the
    sentence. TN chunks have no type.
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


def _corrections(block: Block) -> list[Corrections]:
    return [corrections_of(block.source, a) for a in annotations_of(block)]


@dataclass(frozen=True, slots=True)
class ClemeScorer(ChunkScorer):
    """CLEME: precision, recall and F over chunks that the hypothesis and all references share.

    Attributes:
        beta: Weight of recall in F, at both levels.

    Raises:
        UsageError: An option is out of its range.
    """

    weights: str = option("length", "How chunks are weighted.", choices=list(WEIGHTS))
    beta: float = beta_option()

    name: ClassVar[str] = "cleme"
    counts: ClassVar[tuple[str, ...]] = CLEME_COUNTS
    summed: ClassVar[tuple[str, ...]] = CLEME_COUNTS
    measured: ClassVar[tuple[str, ...]] = CLEME_VALUES
    main: ClassVar[str] = "f"

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature."""
        return (f"beta:{self.beta:g}", *self.shared_settings)

    def row(self, sums: Sums) -> Row:
        """Return the row of a sentence, or of its chunks of one error type."""
        tp, ne, un, fn, tn = sums
        counts = (tp, ne + un, fn, tn)
        if self.level == "corpus":
            return counts
        return (*counts, *self._values(counts), 1)

    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Prefer the best F, then at sentence level the other values, at corpus level the counts."""
        if self.level == "sentence":
            return row[6], row[4], row[5], row[7]
        tp, fp, fn, tn = row
        return self._values(total)[2], tp, -fp, -fn, tn

    def measure(self, counts: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall, F and accuracy, each in [0, 1]."""
        tp, fp, fn, tn = (counts[..., column] for column in range(4))
        measures = f_measures(tp, fp, fn, self.beta)
        measures["accuracy"] = ratio(tp + tn, tp + fp + fn + tn, 0.0)
        if self.exact:
            return measures
        return {name: _rounded(value) for name, value in measures.items()}

    def _values(self, counts: Row) -> tuple[float, float, float, float]:
        tp, fp, fn, tn = counts
        p, r, f = f_measure(tp, fp, fn, beta=self.beta)
        every = tp + fp + fn + tn
        accuracy = (tp + tn) / every if every else 0.0
        if self.exact:
            return p, r, f, accuracy
        return round(p, DECIMALS), round(r, DECIMALS), round(f, DECIMALS), round(accuracy, DECIMALS)


def _rounded(values: FloatArray) -> FloatArray:
    """Round as Python does; numpy rounds some halves differently."""
    flat = [round(float(value), DECIMALS) for value in np.ravel(values)]
    return np.array(flat, dtype=np.float64).reshape(np.shape(values))


@dataclass(frozen=True, slots=True)
class Cleme2Scorer(ChunkScorer):
    """CLEME2.0: rates of right, wrong, missing and unnecessary corrections, and one score of all four.

    Attributes:
        factors: ``paper``, ``table12``, or four numbers separated by commas, each in (0, 1), that sum to 1; from
            Python also as a tuple of numbers.
        numbers: The factors as numbers.

    Raises:
        UsageError: An option is out of its range.
    """

    factors: str = option("paper", "Weights of hit, wrong, under, over: paper, table12, or a1,a2,a3,a4.")
    numbers: Factors = field(init=False)

    name: ClassVar[str] = "cleme2"
    counts: ClassVar[tuple[str, ...]] = COUNTS
    summed: ClassVar[tuple[str, ...]] = COUNTS
    measured: ClassVar[tuple[str, ...]] = RATES
    main: ClassVar[str] = "score"
    lower_values: ClassVar[tuple[str, ...]] = ("wrong", "under", "over")

    def check(self) -> None:
        """Make the weighting and parse the factors."""
        # super() without arguments fails in dataclasses with slots.
        ChunkScorer.check(self)
        object.__setattr__(self, "numbers", parse_factors(self.factors, self.level))

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; the factors only if they are not the paper's."""
        named = (
            () if self.numbers == PAPER[self.level] else ("f:" + ",".join(f"{a:g}" for a in self.numbers),)
        )
        return (*self.shared_settings, *named)

    def row(self, sums: Sums) -> Row:
        """Return the row of a sentence, or of its chunks of one error type."""
        tp, ne, un, fn, tn = sums
        counts = (tp, ne + un, ne, un, fn, tn)
        if self.level == "corpus":
            return counts
        sentence_rates = rates(tp, ne, un, fn)
        return (*counts, *sentence_rates, overall(sentence_rates, self.numbers), 1)

    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Prefer the best score, then at sentence level the rates, at corpus level the counts.

        If exact, scores are rounded to 12 decimals, so that equal scores compare equal.
        """
        if self.level == "sentence":
            hit, wrong, under, over, score = row[6:11]
            rest: tuple[float, ...] = (hit, -wrong, -under, -over)
        else:
            score, rest = overall(rates(total[0], *total[2:5]), self.numbers), count_key(row)
        return (round(score, _DIGITS) if self.exact else score, *rest)

    def measure(self, counts: FloatArray) -> dict[str, FloatArray]:
        """Return the four rates, each in [0, 1], and the score."""
        tp, _, ne, un, fn = (counts[..., column] for column in range(5))
        needed = tp + ne + fn
        found = [ratio(part, needed, 0.0) for part in (tp, ne, fn)]
        found.append(ratio(un, tp + ne + un, 0.0))
        return dict(zip(RATES, (*found, np.asarray(overall(found, self.numbers))), strict=True))


def parse_factors(factors: str | Sequence[float], level: str) -> Factors:
    """Return the factors from a name, a text of four numbers, or four numbers.

    >>> parse_factors(".5,.3,.1,.1", "corpus")
    (0.5, 0.3, 0.1, 0.1)

    Raises:
        UsageError: They are not four numbers, one is outside (0, 1), or they do not sum to 1.
    """
    text = factors if isinstance(factors, str) else ",".join(map(str, factors))
    if text in NAMED:
        return NAMED[text][level]
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 4 or not all(0 < a < 1 for a in numbers) or abs(math.fsum(numbers) - 1) > 1e-9:
        raise UsageError(
            f"found factors {text!r}, expected {' or '.join(NAMED)}, or four numbers between 0 and 1 that sum "
            "to 1, "
            "for hit, wrong, under and over, such as .45,.35,.15,.05"
        )
    return numbers[0], numbers[1], numbers[2], numbers[3]


def rates(tp: float, ne: float, un: float, fn: float) -> tuple[float, float, float, float]:
    """Return hit, wrong, under and over, each in [0, 1]; 0/0 is 0."""
    needed, proposed = tp + ne + fn, tp + ne + un
    over = un / proposed if proposed else 0.0
    if not needed:
        return 0.0, 0.0, 0.0, over
    return tp / needed, ne / needed, fn / needed, over


def overall(rates_of_sentence: Sequence[Any], factors: Factors) -> Any:
    """Return the score of four rates: numbers, or arrays of one shape."""
    hit, wrong, under, over = rates_of_sentence
    a1, a2, a3, a4 = factors
    # The order of operations of the published code, as rounding decides between equal references.
    return a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)


def count_key(row: Row) -> tuple[float, ...]:
    """Return the key that decides between references of equal scores at corpus level; greater is better."""
    tp, fp, _, _, fn, tn = row[:6]
    return tp, -fp, -fn, tn
