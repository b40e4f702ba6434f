"""PT-ERRANT: ERRANT's edits, each weighing what it does to the similarity of source and reference.

Gong, Liu, Huang and Zhang (2022), "Revisiting Grammatical Error Correction Evaluation and Beyond", over ERRANT's
edits, as in Goto, Sakai and Watanabe (Eq. 13) and the program gec-metrics. With S the source, R the corrected
reference and S + e the source with the edit e alone applied::

    w(e) = |BERTScore(S, R) − BERTScore(S + e, R)|

    P = Σ w(e ∈ H ∩ R) / Σ w(e ∈ H)        R = Σ w(e ∈ H ∩ R) / Σ w(e ∈ R)

Edits are equal if span and correction are. An edit that leaves the similarity as it is weighs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Literal, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError
from jperrant.core.option import option, option_group
from jperrant.core.values import Annotation, Block, Edit
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
    annotations_of,
)
from jperrant.evaluation.metrics.errant.scorer import correction_text
from jperrant.evaluation.metrics.fmeasure import BETA, MAX_BETA
from jperrant.evaluation.metrics.reference_choice import choose_greedily, choose_per_sentence
from jperrant.evaluation.metrics.texts import applied, changing
from jperrant.evaluation.metrics.weighted_counts import COLUMNS, COUNTS, best_f, weighted_row, weighted_values

#: A candidate and a reference whose similarity is wanted.
TextPair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class AnnotationPair:
    """The edits of one annotator of each side in one sentence, and the texts that weigh them.

    Attributes:
        hypothesis, reference: The annotations.
        source: Source and corrected reference, whose similarity is the anchor.
        ours, theirs: For each edit, the source with it alone applied, and the corrected reference.
    """

    hypothesis: Annotation
    reference: Annotation
    source: TextPair
    ours: tuple[TextPair, ...]
    theirs: tuple[TextPair, ...]


@dataclass(frozen=True, slots=True)
class PtErrantScorer(Scorer):
    """PT-ERRANT with its options.

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
    beta: float = option(0.5, BETA, above=0, maximum=MAX_BETA)

    name: ClassVar[str] = "pt-errant"
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only where they are not at their default."""
        first, layer, *rare = self.encoding.bertscore_settings
        base = [setting for setting in rare if setting.startswith("base:")]
        rest = [setting for setting in rare if setting not in base]
        return (first, layer, *base, f"lvl:{self.level}", f"beta:{self.beta:g}", *rest)

    def load(self) -> Encoder:
        """Return the encoder; loaded once."""
        return self.encoding.for_bertscore().load()

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[object]) -> list[SystemCandidates]:  # noqa: ARG002
        """Return the weighted edits of every hypothesis annotator against every reference annotator."""
        systems = [_annotation_pairs(pair) for pair in pairs]
        asked = dict.fromkeys(
            texts
            for system in systems
            for sentence in system
            for met in sentence
            if met.ours or met.theirs
            for texts in (met.source, *met.ours, *met.theirs)
        )
        notes: list[str] = []
        similarity = BertScore(self.load(), self.encoding.baseline)
        sources, references = [one for one, _ in asked], [other for _, other in asked]
        measured = dict(zip(asked, similarity(sources, references, notes), strict=True))
        return [
            SystemCandidates(
                [tuple([self._candidate(met, measured) for met in sentence]) for sentence in system],
                tuple(notes),
            )
            for system in systems
        ]

    def combine(self, candidates: Candidates) -> list[Candidate]:
        """Return the candidate of the best F: of the totals so far, or, for sentence level, of its own."""
        choose = choose_greedily if self.level == "corpus" else choose_per_sentence
        return choose(candidates, best_f(self.beta))

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta: of the summed weights, or the mean over sentences."""
        return weighted_values(totals, self.level, self.beta)

    def _candidate(self, pair: AnnotationPair, similarity: Mapping[TextPair, float]) -> Candidate:
        by_type: dict[str, list[float]] = {}
        for edit, column, texts in _counted(pair):
            weight = abs(similarity[texts] - similarity[pair.source])
            by_type.setdefault(edit.type, [0.0, 0.0, 0.0])[column] += weight
        total = [sum(column) for column in zip(*by_type.values(), strict=True)] or [0.0, 0.0, 0.0]
        rows: dict[str, Row] = {type_: weighted_row(*row, beta=self.beta) for type_, row in by_type.items()}
        row = weighted_row(*total, beta=self.beta)
        return Candidate(pair.hypothesis.annotator, pair.reference.annotator, row, rows)


def _counted(pair: AnnotationPair) -> list[tuple[Edit, int, TextPair]]:
    """Return each edit with the column it counts in (tp, fp, fn) and the texts that weigh it.

    Every hypothesis edit is a tp or an fp, also where it stands there twice; tp have the hypothesis' type.
    """
    ours, theirs = changing(pair.hypothesis), changing(pair.reference)
    keys, wanted = [_key(edit) for edit in ours], [_key(edit) for edit in theirs]
    found = [
        (edit, 0 if key in wanted else 1, texts)
        for edit, key, texts in zip(ours, keys, pair.ours, strict=True)
    ]
    missed = [
        (edit, 2, texts)
        for edit, key, texts in zip(theirs, wanted, pair.theirs, strict=True)
        if key not in keys
    ]
    return found + missed


def _key(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, correction_text(edit)


def _annotation_pairs(pair: Pair) -> list[list[AnnotationPair]]:
    sentences = []
    for number, (hyp, ref) in enumerate(zip(pair.hypothesis, pair.references, strict=True), start=1):
        try:
            sides = product(annotations_of(hyp), annotations_of(ref))
            sentences.append([_annotation_pair(hyp, ref, *annotations) for annotations in sides])
        except EditError as error:
            raise EditError(f"{pair.name}: sentence {number} (counted from 1): {error}") from error
    return sentences


def _annotation_pair(hyp: Block, ref: Block, ours: Annotation, theirs: Annotation) -> AnnotationPair:
    reference = applied(ref.source, changing(theirs))
    return AnnotationPair(
        ours,
        theirs,
        (applied(hyp.source, ()), reference),
        tuple([(applied(hyp.source, [edit]), reference) for edit in changing(ours)]),
        tuple([(applied(ref.source, [edit]), reference) for edit in changing(theirs)]),
    )
