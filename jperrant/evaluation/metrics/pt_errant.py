"""PT-ERRANT: ERRANT's edits, each weighing what it does to the likeness of source and reference.

Gong, Liu, Huang and Zhang (2022), "Revisiting Grammatical Error Correction Evaluation and Beyond", over ERRANT's
edits, as in Goto, Sakai and Watanabe (Eq. 13) and the program gec-metrics. With S the source, R the corrected
reference and S + e the source with the edit e alone applied::

    w(e) = |BERTScore(S, R) − BERTScore(S + e, R)|

    P = Σ w(e ∈ H ∩ R) / Σ w(e ∈ H)        R = Σ w(e ∈ H ∩ R) / Σ w(e ∈ R)

Edits are equal if span and correction are. An edit that leaves the likeness as it is weighs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError, UsageError, nearest
from jperrant.core.option import option
from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders import Encoder, encoder_label, load_encoder
from jperrant.encoders.bertscore import BertScore, default_layer
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, annotations_of
from jperrant.evaluation.metrics.errant.scorer import correction_text
from jperrant.evaluation.metrics.fmeasure import check_beta
from jperrant.evaluation.metrics.reference_choice import choose_greedily, choose_per_sentence
from jperrant.evaluation.metrics.uot.edit_vectors import applied, changing
from jperrant.evaluation.metrics.weighted_counts import (
    COLUMNS,
    COUNTS,
    LEVELS,
    best_f,
    weighted_row,
    weighted_values,
)

#: A candidate and a reference whose likeness is wanted.
TextPair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class AnnotationPair:
    """The edits of one annotator of each side in one sentence, and the texts that weigh them.

    Attributes:
        hypothesis, reference: The annotations.
        source: Source and corrected reference, whose likeness is the anchor.
        ours, theirs: For each edit, the source with it alone applied, and the corrected reference.
    """

    hypothesis: Annotation
    reference: Annotation
    source: TextPair
    ours: tuple[TextPair, ...]
    theirs: tuple[TextPair, ...]


@dataclass(frozen=True, slots=True)
class PtErrantScorer:
    """PT-ERRANT with its options.

    Attributes:
        encoder: ``minilm``, a folder, or a name on the Hugging Face hub; that of gec-metrics by default.
        layer: Whose output BERTScore compares; the one ``bert_score`` takes of this model if None.
        baseline: Likeness of unrelated sentences, to rescale by; changes the weights but no ratio of them.
        level: ``corpus`` adds weights up over sentences; ``sentence`` takes the mean of the sentences' scores.
        beta: Weight of recall in F.
        dtype, device, batch_size: Of the encoder; see ``load_encoder``.

    Raises:
        UsageError: An option is out of its range.
    """

    encoder: str = option("bert-base-uncased", "minilm, a folder, or a model of the Hugging Face hub.")
    layer: int | None = option(None, "Layer of the encoder; that of BERTScore if left out.")
    baseline: float = option(0.0, "Similarity of unrelated sentences, to rescale by.")
    level: str = option("corpus", "Totals over the corpus, or means over sentences.", list(LEVELS))
    beta: float = option(0.5, "Weight of recall in F; 0.5 favours precision.")
    dtype: str = option("float32", "Precision of the encoder.", ["float32", "bfloat16", "float16"])
    device: str = option("auto", "Where the encoder runs: auto, cpu, cuda, cuda:1 …")
    batch_size: int = option(32, "Sentences encoded together; changes speed and memory only.")

    name: ClassVar[str] = "pt-errant"
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise UsageError(
                f"unknown level {self.level!r}{nearest(self.level, LEVELS)}; choose {' or '.join(LEVELS)}"
            )
        if not (math.isfinite(self.baseline) and self.baseline < 1):
            raise UsageError(
                f"baseline {self.baseline}: expected the likeness of unrelated sentences, below 1"
            )
        check_beta(self.beta)

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only where they are not at their default."""
        layer = self._layer()
        parts = [f"enc:{encoder_label(self.encoder)}", f"layer:{'last' if layer is None else layer}"]
        if self.baseline:
            parts.append(f"base:{self.baseline:g}")
        parts += [f"lvl:{self.level}", f"beta:{self.beta:g}"]
        if self.dtype != "float32":
            parts.append(f"dtype:{self.dtype}")
        return tuple(parts)

    def load(self) -> Encoder:
        """Return the encoder; loaded once."""
        return load_encoder(
            self.encoder,
            layer=self._layer(),
            dtype=self.dtype,
            device=self.device,
            batch_size=self.batch_size,
        )

    def candidates(self, pairs: Sequence[Pair]) -> list[Candidates]:
        """Return the weighed edits of every hypothesis annotator against every reference annotator."""
        meetings = [_meetings(pair) for pair in pairs]
        asked = dict.fromkeys(
            texts
            for system in meetings
            for sentence in system
            for one in sentence
            if one.ours or one.theirs
            for texts in (one.source, *one.ours, *one.theirs)
        )
        encoder = self.load()
        encoder.clear_notes()
        likeness = BertScore(encoder, self.baseline)
        sources, references = [one for one, _ in asked], [other for _, other in asked]
        found = dict(zip(asked, likeness(sources, references), strict=True))
        return [
            [tuple([self._candidate(one, found) for one in sentence]) for sentence in system]
            for system in meetings
        ]

    def choose(self, candidates: Candidates) -> list[int]:
        """Return the candidate of the best F: of the totals so far, or, for sentence level, of its own."""
        choose = choose_greedily if self.level == "corpus" else choose_per_sentence
        return choose(candidates, best_f(self.beta))

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta: of the summed weights, or the mean over sentences."""
        return weighted_values(totals, self.level, self.beta)

    def warnings(self, candidates: Candidates, chosen: Sequence[int]) -> list[str]:  # noqa: ARG002
        """Say what the encoder met."""
        return list(self.load().notes)

    def _layer(self) -> int | None:
        return default_layer(self.encoder) if self.layer is None else self.layer

    def _candidate(self, one: AnnotationPair, likeness: Mapping[TextPair, float]) -> Candidate:
        by_type: dict[str, list[float]] = {}
        for edit, column, texts in _judged(one):
            weight = abs(likeness[texts] - likeness[one.source])
            by_type.setdefault(edit.type, [0.0, 0.0, 0.0])[column] += weight
        total = [sum(column) for column in zip(*by_type.values(), strict=True)] or [0.0, 0.0, 0.0]
        rows: dict[str, Row] = {type_: weighted_row(*row, beta=self.beta) for type_, row in by_type.items()}
        row = weighted_row(*total, beta=self.beta)
        return Candidate(one.hypothesis.annotator, one.reference.annotator, row, rows)


def _judged(one: AnnotationPair) -> list[tuple[Edit, int, TextPair]]:
    """Return each edit with the column it counts in (tp, fp, fn) and the texts that weigh it.

    Every hypothesis edit is a tp or an fp, also where it stands there twice; tp have the hypothesis' type.
    """
    ours, theirs = changing(one.hypothesis), changing(one.reference)
    keys, wanted = [_key(edit) for edit in ours], [_key(edit) for edit in theirs]
    found = [
        (edit, 0 if key in wanted else 1, texts)
        for edit, key, texts in zip(ours, keys, one.ours, strict=True)
    ]
    missed = [
        (edit, 2, texts)
        for edit, key, texts in zip(theirs, wanted, one.theirs, strict=True)
        if key not in keys
    ]
    return found + missed


def _key(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, correction_text(edit)


def _meetings(pair: Pair) -> list[list[AnnotationPair]]:
    found = []
    for number, (hyp, ref) in enumerate(zip(pair.hypothesis, pair.references, strict=True)):
        try:
            sides = product(annotations_of(hyp), annotations_of(ref))
            found.append([_meeting(hyp, ref, *annotations) for annotations in sides])
        except EditError as error:
            raise EditError(f"{pair.name}: sentence {number} (counted from 0): {error}") from error
    return found


def _meeting(hyp: Block, ref: Block, ours: Annotation, theirs: Annotation) -> AnnotationPair:
    reference = applied(ref.source, changing(theirs))
    return AnnotationPair(
        ours,
        theirs,
        (applied(hyp.source, ()), reference),
        tuple([(applied(hyp.source, [edit]), reference) for edit in changing(ours)]),
        tuple([(applied(ref.source, [edit]), reference) for edit in changing(theirs)]),
    )
