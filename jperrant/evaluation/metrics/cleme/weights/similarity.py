"""Weighing chunks by what they do to the meaning: PTScore (Gong et al. 2022; Ye et al. 2025, section 3.3).

The weight of a chunk is ``|sim(X', R) - sim(X, R)|`` with X the source, R the reference and X' the source with
this one chunk put in: the hypothesis's for TP, FPne and FPun, the reference's for FN. (Eq. 7 of the paper has
the hypothesis's everywhere, which would give every FN the weight 0; this is what the published code does.) The
direction of the change is dropped, as there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from jperrant.core.errors import InputError, UsageError
from jperrant.encoders.bertscore import BertScore, default_layer
from jperrant.evaluation.metrics.cleme.chunk_labels import ChunkLabel, Label, LabelledSentence
from jperrant.evaluation.metrics.cleme.weights.base import Weighed, checked

if TYPE_CHECKING:
    from jperrant.encoders import Encoder

#: From candidates and references, as many, to how alike they are; tokens are joined by one space.
Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class EncoderSimilarity:
    """F of BERTScore with an encoder, which is loaded when it is first asked.

    Attributes:
        encoder: ``minilm``, a folder, or a name on the Hugging Face hub; see ``load_encoder``.
        layer: Whose output is compared; the one ``bert_score`` takes of this model if None.
        baseline: F of unrelated sentences, below 1, to rescale by.
        dtype, device, batch_size: As in ``load_encoder``.

    Raises:
        UsageError: The baseline is not below 1.
    """

    encoder: str
    layer: int | None = None
    baseline: float = 0.0
    dtype: str = "float32"
    device: str = "auto"
    batch_size: int = 32

    def __post_init__(self) -> None:
        if not (math.isfinite(self.baseline) and self.baseline < 1):
            raise UsageError(
                f"baseline {self.baseline}: expected the similarity of unrelated sentences, below 1"
            )
        if self.layer is None:
            object.__setattr__(self, "layer", default_layer(self.encoder))

    def __call__(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        """Return F of each candidate with the reference at the same place."""
        return BertScore(self._load(), self.baseline)(candidates, references)

    @property
    def labels(self) -> tuple[str, ...]:
        """What F depends on, for the signature: encoder, layer, and what is not at its default."""
        from jperrant.encoders import encoder_label

        parts = [
            f"enc:{encoder_label(self.encoder)}",
            f"layer:{'last' if self.layer is None else self.layer}",
        ]
        if self.baseline:
            parts.append(f"base:{self.baseline:g}")
        if self.dtype != "float32":
            parts.append(f"dtype:{self.dtype}")
        return tuple(parts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the encoder met, one line each."""
        return self._load().notes

    def _load(self) -> Encoder:
        from jperrant.encoders import load_encoder

        return load_encoder(
            self.encoder,
            layer=self.layer,
            dtype=self.dtype,
            device=self.device,
            batch_size=self.batch_size,
        )


@dataclass(frozen=True, slots=True)
class SimilarityWeights:
    """Weights by any similarity of sentences.

    Attributes:
        similarity: Is asked once for all systems, for each distinct pair of sentences. It may have ``labels``,
            what it depends on, as ``name:value`` for the signature, and ``notes`` for people.
    """

    similarity: Similarity

    @property
    def settings(self) -> tuple[str, ...]:
        """The name and what the similarity depends on."""
        return ("w:similarity", *getattr(self.similarity, "labels", ()))

    @property
    def by_reference(self) -> bool:
        """Every chunk is measured against the whole reference."""
        return True

    @property
    def notes(self) -> tuple[str, ...]:
        """What the similarity has to say."""
        notes: tuple[str, ...] = getattr(self.similarity, "notes", ())
        return notes

    def weigh(self, systems: Sequence[Sequence[LabelledSentence]]) -> list[list[Weighed]]:
        """Return the weights; 0 for a chunk that leaves no text.

        Raises:
            InputError: A similarity is not a finite number, or there are not as many as pairs.
        """
        asked: dict[tuple[str, str], int] = {}
        numbered = [[_numbers(judgement, asked) for judgement in own] for own in systems]
        candidates, references = [c for c, _ in asked], [r for _, r in asked]
        found = self.similarity(candidates, references) if asked else []
        if len(found) != len(asked):
            raise InputError(f"the similarity gave {len(found)} numbers for {len(asked)} pairs of sentences")
        return [
            [
                checked([abs(found[at] - found[numbers[0]]) for at in numbers[1:]], judgement)
                for judgement, numbers in zip(own, theirs, strict=True)
            ]
            for own, theirs in zip(systems, numbered, strict=True)
        ]


def _numbers(judgement: LabelledSentence, asked: dict[tuple[str, str], int]) -> list[int]:
    """Return which pairs are needed: source and reference, then one for each mark; nothing without marks."""
    if not judgement.marks:
        return []
    found = judgement.partition
    reference = " ".join(found.corrected(found.references[judgement.reference]))
    source = " ".join(found.source)
    texts = [source, *(_text(judgement, mark) or source for mark in judgement.marks)]
    return [asked.setdefault((text, reference), len(asked)) for text in texts]


def _text(judgement: LabelledSentence, mark: ChunkLabel) -> str:
    """Return X': the source with one chunk put in."""
    found = judgement.partition
    of_reference = mark.label is Label.FN
    chunks = found.references[judgement.reference] if of_reference else found.hypothesis
    return " ".join(found.put(mark.at, found.tokens(chunks, mark.at)))
