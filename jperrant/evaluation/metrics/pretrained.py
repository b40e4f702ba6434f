"""PT-ERRANT and PT-M2: edits weighted by their effect on the similarity of source and reference.

Gong, Liu, Huang and Zhang (2022), "Revisiting Grammatical Error Correction Evaluation and Beyond". With S the
source, R the corrected reference and S + e the source with the edit e alone applied::

    w(e) = |BERTScore(S, R) − BERTScore(S + e, R)|

    P = Σ w(e ∈ H ∩ R) / Σ w(e ∈ H)        R = Σ w(e ∈ H ∩ R) / Σ w(e ∈ R)

PT-ERRANT compares the edits of M2 files like ERRANT: edits are equal if span and correction are (Goto, Sakai and
Watanabe, Eq. 13, and the program gec-metrics). PT-M2 takes the edits of MaxMatch, where a correct edit has the same
weight on both sides; a missed gold edit with alternative corrections has the weight of the first one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, NamedTuple, TypeAlias

from jperrant.core.option import option, option_group, told
from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders.bertscore import BertScore
from jperrant.encoders.options import EncoderOptions
from jperrant.encoders.vectors import Encoder
from jperrant.evaluation.metrics.base import Candidate, Pair, SystemCandidates, annotations_of
from jperrant.evaluation.metrics.corrected_texts import applied, changing, corrected_texts, of_sentences
from jperrant.evaluation.metrics.errant import correction_text
from jperrant.evaluation.metrics.fmeasure import Level, beta_option
from jperrant.evaluation.metrics.maxmatch import (
    Extractor,
    GoldBlocks,
    Matching,
    Proposed,
    applied_alone,
    gold_of,
    match_edits,
    unmatched_type,
)
from jperrant.evaluation.metrics.reference_choice import MassScorer

#: The columns of counts.
TP, FP, FN = range(3)


class CountedEdit(NamedTuple):
    """An edit of the hypothesis or the reference.

    Attributes:
        type: The error type.
        column: The column it counts in: ``TP``, ``FP`` or ``FN``.
        text: The source with only this edit applied.
    """

    type: str
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class CountedPair:
    """The edits of one hypothesis annotator and one reference annotator in one sentence.

    Attributes:
        hypothesis, reference: The numbers of the annotators.
        source: The text of the source.
        corrected: The text of the reference.
        edits: The edits of both sides; an edit of both counts once.
    """

    hypothesis: int
    reference: int
    source: str
    corrected: str
    edits: tuple[CountedEdit, ...]


#: The pairs of annotators of a system and its references, for each sentence.
CountedPairs: TypeAlias = Sequence[Sequence[CountedPair]]


@dataclass(frozen=True, slots=True)
class PretrainedScorer(MassScorer):
    """A metric that weights edits by their effect on the similarity of source and reference.

    Attributes:
        encoding: The encoder and its options; that of gec-metrics by default. BERTScore's baseline scales all
            weights equally, so figures do not depend on it.
        level: ``corpus`` sums weights over sentences; ``sentence`` takes the mean of the sentences' scores.
        beta: Weight of recall in F.

    Raises:
        UsageError: An option is out of its range.
    """

    encoding: EncoderOptions = option_group(EncoderOptions(), without=("pooling", "cache"))
    level: Level = option("corpus", "Totals over the corpus, or means over sentences.")
    beta: float = beta_option()

    @abstractmethod
    def counted(self, pair: Pair, prepared: Any) -> CountedPairs:
        """Return the edits of each sentence of a system, each with its column.

        Args:
            pair: The system with its references.
            prepared: The result of ``prepare`` for the references.
        """

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only if they are not at their default."""
        first, layer, *rare = self.encoding.bertscore_settings
        base = [setting for setting in rare if setting.startswith("base:")]
        rest = [setting for setting in rare if setting not in base]
        return (first, layer, *base, f"lvl:{self.level}", f"beta:{self.beta:g}", *rest)

    def load(self) -> Encoder:
        """Return the encoder, which is loaded once."""
        return self.encoding.for_bertscore().load()

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[SystemCandidates]:
        """Return the weighted edits of every hypothesis annotator against every reference annotator."""
        systems = [self.counted(*both) for both in zip(pairs, prepared, strict=True)]
        asked = dict.fromkeys(
            (text, met.corrected)
            for system in systems
            for sentence in system
            for met in sentence
            if met.edits
            for text in (met.source, *(edit.text for edit in met.edits))
        )
        notes: list[str] = []
        similarity = BertScore(self.load(), self.encoding.baseline)
        texts, references = [text for text, _ in asked], [reference for _, reference in asked]
        measured = dict(zip(asked, similarity(texts, references, notes), strict=True))
        return [
            SystemCandidates(
                [tuple([self._candidate(met, measured) for met in sentence]) for sentence in system],
                tuple(notes),
            )
            for system in systems
        ]

    def _candidate(self, pair: CountedPair, similarity: dict[tuple[str, str], float]) -> Candidate:
        by_type: dict[str, list[float]] = {}
        for edit in pair.edits:
            weight = abs(similarity[edit.text, pair.corrected] - similarity[pair.source, pair.corrected])
            by_type.setdefault(edit.type, [0.0, 0.0, 0.0])[edit.column] += weight
        total = [sum(column) for column in zip(*by_type.values(), strict=True)] or [0.0, 0.0, 0.0]
        rows = {type_: self.row(*row) for type_, row in by_type.items()}
        return Candidate(pair.hypothesis, pair.reference, self.row(*total), rows)


@dataclass(frozen=True, slots=True)
class PtErrantScorer(PretrainedScorer):
    """PT-ERRANT: ERRANT's edits, weighted by their effect on the similarity of source and reference."""

    name: ClassVar[str] = "pt-errant"

    def counted(self, pair: Pair, prepared: object) -> CountedPairs:  # noqa: ARG002
        """Return the edits of both files, each with its column and text."""
        references = iter(pair.references)

        def of_sentence(block: Block) -> list[CountedPair]:
            reference = next(references)
            sides = product(annotations_of(block), annotations_of(reference))
            return [_met(block, reference, *annotations) for annotations in sides]

        return of_sentences(pair.hypothesis, pair.name, pair.first, of_sentence)


def _met(hyp: Block, ref: Block, ours: Annotation, theirs: Annotation) -> CountedPair:
    """Return the edits of two annotators.

    Every hypothesis edit, also a repeated one, is a tp or an fp; a tp has the type of the hypothesis edit.
    """
    made, wanted = ({_key(edit): None for edit in changing(side)} for side in (ours, theirs))
    edits = [
        CountedEdit(edit.type, TP if _key(edit) in wanted else FP, applied(hyp.source, [edit]))
        for edit in changing(ours)
    ]
    edits += [
        CountedEdit(edit.type, FN, applied(ref.source, [edit]))
        for edit in changing(theirs)
        if _key(edit) not in made
    ]
    source, corrected = applied(hyp.source, ()), applied(ref.source, changing(theirs))
    return CountedPair(ours.annotator, theirs.annotator, source, corrected, tuple(edits))


def _key(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, correction_text(edit)


@dataclass(frozen=True, slots=True)
class PtM2Scorer(PretrainedScorer):
    """PT-M2: the edits of MaxMatch, weighted by their effect on the similarity of source and reference.

    Attributes:
        max_unchanged_words: The most unchanged tokens inside an edit.
        ignore_whitespace_casing: Whether to leave out edits of the system that change only case or white space.
    """

    max_unchanged_words: int = option(2, "The most unchanged tokens inside an edit.", minimum=0)
    ignore_whitespace_casing: bool = option(
        False, "Leave out edits of the system that change only case or white space."
    )

    name: ClassVar[str] = "pt-m2"

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only if they are not at their default."""
        rare = told(self, max_unchanged_words="unchanged:{}", ignore_whitespace_casing="casing:ignored")
        # super() without arguments fails in dataclasses with slots.
        return (*super(PtM2Scorer, self).settings, *rare)

    def prepare(self, references: Sequence[Block], first: int = 1) -> tuple[GoldBlocks, list[dict[int, str]]]:
        """Return the edits and the corrected text of every annotator of each sentence."""
        gold = [gold_of(block) for block in references]
        return gold, of_sentences(references, "references", first, _corrected)

    def counted(self, pair: Pair, prepared: tuple[GoldBlocks, list[dict[int, str]]]) -> CountedPairs:
        """Return the edits of MaxMatch, each with its column and text."""
        texts = corrected_texts(pair.hypothesis, pair.name, pair.first)
        sentences = []
        for block, versions, annotators, corrected in zip(pair.references, texts, *prepared, strict=True):
            counted = []
            for hypothesis, text in versions:
                extractor = Extractor(block.source, text, self.max_unchanged_words)
                for reference, gold in annotators:
                    matching = match_edits(extractor, gold, self.ignore_whitespace_casing)
                    edits = tuple(_counted_edits(block.source, matching))
                    source = " ".join(block.source)
                    counted.append(CountedPair(hypothesis, reference, source, corrected[reference], edits))
            sentences.append(counted)
        return sentences


def _corrected(block: Block) -> dict[int, str]:
    return {a.annotator: applied(block.source, changing(a)) for a in annotations_of(block)}


def _counted_edits(source: Sequence[str], matching: Matching) -> list[CountedEdit]:
    edits = []
    for edit, matches in zip(matching.proposed, matching.matches, strict=True):
        type_ = matching.gold[matches[0]].type if matches else unmatched_type(source, edit)
        edits.append(CountedEdit(type_, TP if matches else FP, " ".join(applied_alone(source, edit))))
    right = {number for matches in matching.matches for number in matches}
    for number, gold in enumerate(matching.gold):
        if number not in right:
            missed = Proposed(gold.start, gold.end, gold.corrections[0])
            edits.append(CountedEdit(gold.type, FN, " ".join(applied_alone(source, missed))))
    return edits
