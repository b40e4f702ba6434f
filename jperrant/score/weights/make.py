"""From the options of a scorer to weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jperrant.score.weights.base import Weights
from jperrant.score.weights.length import LengthWeights

if TYPE_CHECKING:
    from jperrant.score.chunk_scorer import ChunkScorer


def no_weights(_: ChunkScorer) -> None:
    """Count chunks."""


def length_weights(scorer: ChunkScorer) -> Weights:
    """Weigh by length, with the published parameters of the scorer's level and assumption."""
    return LengthWeights.published(scorer.level, scorer.assumption)
