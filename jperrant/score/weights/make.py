"""From the options of a scorer to weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jperrant.errors import UsageError
from jperrant.score.bertscore import BertScore, default_layer
from jperrant.score.weights.base import Weights
from jperrant.score.weights.length import LengthWeights

if TYPE_CHECKING:
    from jperrant.score.chunk_scorer import ChunkScorer


def no_weights(_: ChunkScorer) -> None:
    """Count chunks."""


def length_weights(scorer: ChunkScorer) -> Weights:
    """Weigh by length, with the published parameters of the scorer's level and assumption."""
    return LengthWeights.published(scorer.level, scorer.assumption)


def similarity_weights(scorer: ChunkScorer) -> Weights:
    """Weigh by BERTScore with the scorer's encoder, which is loaded when it is first needed.

    Raises:
        UsageError: The baseline is not below 1, or the layer is negative.
    """
    from jperrant.score.weights.similarity import SimilarityWeights

    if not (math.isfinite(scorer.baseline) and scorer.baseline < 1):
        raise UsageError(f"baseline {scorer.baseline}: expected the similarity of unrelated sentences, below 1")
    layer = default_layer(scorer.encoder) if scorer.layer is None else scorer.layer
    labels = [f"enc:{scorer.encoder.rstrip('/').rsplit('/', 1)[-1]}", f"layer:{'last' if layer is None else layer}"]
    if scorer.baseline:
        labels.append(f"base:{scorer.baseline:g}")

    def similarity(candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        from jperrant.score.encoders import load_encoder

        return BertScore(load_encoder(scorer.encoder, layer=layer), scorer.baseline)(candidates, references)

    return SimilarityWeights(similarity, tuple(labels))
