"""From the options of a scorer to weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics.cleme.weights.base import Weights
from jperrant.evaluation.metrics.cleme.weights.length import LengthWeights

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.cleme.chunk_scorer import ChunkScorer


def no_weights(_: ChunkScorer) -> None:
    """Count chunks."""


def length_weights(scorer: ChunkScorer) -> Weights:
    """Weigh by length, with the published parameters of the scorer's level and assumption."""
    return LengthWeights.published(scorer.level, scorer.assumption)


def similarity_weights(scorer: ChunkScorer) -> Weights:
    """Weigh by BERTScore with the scorer's encoder, which is loaded when it is first needed.

    Raises:
        UsageError: The baseline is not below 1.
    """
    from jperrant.evaluation.metrics.cleme.weights.similarity import EncoderSimilarity, SimilarityWeights

    return SimilarityWeights(
        EncoderSimilarity(
            scorer.encoder,
            scorer.layer,
            scorer.baseline,
            scorer.dtype,
            scorer.device,
            scorer.batch_size,
        )
    )


def llm_weights(scorer: ChunkScorer) -> Weights:
    """Weigh by a language model, at the scorer's endpoint or on this machine.

    Raises:
        UsageError: No model is named, or an option is out of its range.
    """
    from jperrant.evaluation.metrics.cleme.weights.llm import LlmWeights
    from jperrant.llm.chat import Chat
    from jperrant.llm.local import LocalModel

    if not scorer.llm_model:
        raise UsageError(
            "weights llm need a language model: give --llm-model, and --llm-endpoint if it is not here"
        )
    model: Chat | LocalModel
    if scorer.llm_endpoint:
        model = Chat(scorer.llm_model, scorer.llm_endpoint, scorer.llm_jobs)
    else:
        model = LocalModel(scorer.llm_model)
    cache = Path(scorer.llm_cache) if scorer.llm_cache else None
    return LlmWeights(model, scorer.llm_prompt, cache, scorer.llm_limit)
