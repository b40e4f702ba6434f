"""From options to weightings."""

from __future__ import annotations

from jperrant.evaluation.metrics.cleme.weights.base import Weighting, WeightingOptions
from jperrant.evaluation.metrics.cleme.weights.length import LengthWeighting


def no_weights(_: WeightingOptions) -> None:
    """Count chunks."""


def length_weights(options: WeightingOptions) -> Weighting:
    """Weights by length, with the published parameters of the level and the assumption."""
    return LengthWeighting.published(options.level, options.assumption)


def similarity_weights(options: WeightingOptions) -> Weighting:
    """Weights by BERTScore with an encoder, which is loaded when it is first needed."""
    from jperrant.evaluation.metrics.cleme.weights.similarity import EncoderSimilarity, SimilarityWeighting

    return SimilarityWeighting(EncoderSimilarity(options.encoding))


def llm_weights(options: WeightingOptions) -> Weighting:
    """Weights by a language model, at an endpoint or on this machine.

    Raises:
        UsageError: No model is named, or an option is out of its range.
    """
    from jperrant.evaluation.metrics.cleme.weights.llm import LlmWeighting

    llm = options.llm
    return LlmWeighting(llm.load(), options.prompt, llm.cache_path, llm.limit)
