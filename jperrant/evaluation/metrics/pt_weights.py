"""Edits that weigh what they do to the similarity of source and reference: what PT-ERRANT and PT-M2 share.

Gong, Liu, Huang and Zhang (2022), "Revisiting Grammatical Error Correction Evaluation and Beyond". With S the
source, R the corrected reference and S + e the source with the edit e alone applied::

    w(e) = |BERTScore(S, R) − BERTScore(S + e, R)|

    P = Σ w(e ∈ H ∩ R) / Σ w(e ∈ H)        R = Σ w(e ∈ H ∩ R) / Σ w(e ∈ R)

An edit that leaves the similarity as it is weighs nothing. The metrics differ in what the edits of H and R are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.option import option, option_group
from jperrant.encoders import Encoder
from jperrant.encoders.bertscore import BertScore
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
)
from jperrant.evaluation.metrics.fmeasure import beta_option
from jperrant.evaluation.metrics.reference_choice import choose_greedily, choose_per_sentence
from jperrant.evaluation.metrics.weighted_counts import COLUMNS, COUNTS, best_f, weighted_row, weighted_values

#: The columns an edit can count in.
TP, FP, FN = range(len(COUNTS))


class CountedEdit(NamedTuple):
    """An edit of one of the two sides.

    Attributes:
        type: Its error type.
        column: Where it counts: ``TP``, ``FP`` or ``FN``.
        text: The source with this edit alone applied.
    """

    type: str
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class CountedPair:
    """The edits of one hypothesis annotator and one reference annotator in one sentence.

    Attributes:
        hypothesis, reference: The annotators' numbers.
        source: The source as text.
        corrected: The corrected reference as text.
        edits: The edits of both sides; those that both have once.
    """

    hypothesis: int
    reference: int
    source: str
    corrected: str
    edits: tuple[CountedEdit, ...]


#: For each sentence of a system, its annotators paired with those of the reference.
CountedPairs: TypeAlias = Sequence[Sequence[CountedPair]]
#: The similarity of a text and a corrected reference.
Similarities: TypeAlias = Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class PretrainedScorer(Scorer):
    """A metric whose edits weigh what they do to the similarity of source and reference.

    Attributes:
        encoding: Which encoder, and how; that of gec-metrics by default. The baseline changes the weights but
            no ratio of them.
        level: ``corpus`` adds weights up over sentences; ``sentence`` takes the mean of the sentences' scores.
        beta: Weight of recall in F.

    Raises:
        UsageError: An option is out of its range.
    """

    encoding: EncoderOptions = option_group(EncoderOptions(), without=("pooling", "cache"))
    level: Literal["corpus", "sentence"] = option(
        "corpus", "Totals over the corpus, or means over sentences."
    )
    beta: float = beta_option()

    columns: ClassVar[tuple[str, ...]] = COLUMNS
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"

    @abstractmethod
    def counted(self, pair: Pair, prepared: Any) -> CountedPairs:
        """Return the edits of each sentence of a system and in which column each counts.

        Args:
            pair: The system and its references.
            prepared: What ``prepare`` returned for the references.
        """

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only where they are not at their default."""
        first, layer, *rare = self.encoding.bertscore_settings
        base = [setting for setting in rare if setting.startswith("base:")]
        rest = [setting for setting in rare if setting not in base]
        return (first, layer, *base, f"lvl:{self.level}", f"beta:{self.beta:g}", *rest)

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def load(self) -> Encoder:
        """Return the encoder; loaded once."""
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

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the candidate of the best F: of the totals so far, or, for sentence level, of its own."""
        if self.level == "corpus":
            return choose_greedily(candidates, best_f(self.beta), before)
        return choose_per_sentence(candidates, best_f(self.beta))

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta: of the summed weights, or the mean over sentences."""
        return weighted_values(totals, self.level, self.beta)

    def _candidate(self, pair: CountedPair, similarity: Similarities) -> Candidate:
        by_type: dict[str, list[float]] = {}
        for edit in pair.edits:
            weight = abs(similarity[edit.text, pair.corrected] - similarity[pair.source, pair.corrected])
            by_type.setdefault(edit.type, [0.0, 0.0, 0.0])[edit.column] += weight
        total = [sum(column) for column in zip(*by_type.values(), strict=True)] or [0.0, 0.0, 0.0]
        rows: dict[str, Row] = {type_: weighted_row(*row, beta=self.beta) for type_, row in by_type.items()}
        row = weighted_row(*total, beta=self.beta)
        return Candidate(pair.hypothesis, pair.reference, row, rows)
