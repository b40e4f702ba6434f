"""A weighting of chunks: labelled sentences in, one number for each labelled chunk out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from jperrant.core.errors import InputError
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.cleme.chunk_labels import LabelledSentence
from jperrant.llm.options import LlmOptions


class SentenceWeights(NamedTuple):
    """The weights of one sentence.

    Attributes:
        weights: One for each label, 0 or more. Chunks rightly left unchanged always have the weight 1.
        deviations: What was corrected in the weights, a few words for each time, such as ``negative weights``.
    """

    weights: tuple[float, ...]
    deviations: tuple[str, ...] = ()


class WeightedSystems(NamedTuple):
    """The weights of every labelled sentence of every system.

    Attributes:
        systems: In the order they were given.
        notes: What users should know about the weighting, one line each.
    """

    systems: list[list[SentenceWeights]]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WeightingOptions:
    """What a weighting is made of: the options of the metric that concern it.

    Attributes:
        level, assumption: Of the metric.
        encoding: Of weights by similarity.
        llm: Of weights by a language model.
        prompt: What the language model is asked.
    """

    level: str
    assumption: str
    encoding: EncoderOptions
    llm: LlmOptions
    prompt: str


class Weighting(Protocol):
    """Gives chunks weights; holds no state."""

    @property
    def settings(self) -> tuple[str, ...]:
        """What the weights depend on, as ``name:value`` for the signature; the first is ``w:NAME``."""

    @property
    def by_reference(self) -> bool:
        """Whether the weight of a hypothesis's chunk depends on the reference it is labelled against."""

    def weights_of(self, systems: Sequence[Sequence[LabelledSentence]]) -> WeightedSystems:
        """Return the weights of every sentence of every system, in their order.

        All systems come at once, so that what they share is computed once.
        """


def checked(
    weights: Sequence[float], sentence: LabelledSentence, deviations: tuple[str, ...] = ()
) -> SentenceWeights:
    """Return the weights of one sentence, negative ones as 0 and counted.

    Raises:
        InputError: A weight is not a finite number; names the sentence and the chunk.
    """
    for weight, mark in zip(weights, sentence.labels, strict=True):
        if not math.isfinite(weight):
            partition = sentence.partition
            chunk = " ".join(partition.tokens(partition.hypothesis, mark.region))
            raise InputError(
                f"found weight {weight} for the chunk {chunk!r} ({mark.label.letters}), expected a finite "
                f"number (in the sentence {' '.join(partition.source)!r})"
            )
    negative = tuple("negative weights, taken as 0" for weight in weights if weight < 0)
    return SentenceWeights(tuple([max(0.0, weight) for weight in weights]), (*deviations, *negative))
