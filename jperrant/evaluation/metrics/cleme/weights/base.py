"""What a way to weigh chunks is: judgements in, one number for each marked chunk out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from jperrant.core.errors import InputError
from jperrant.evaluation.metrics.cleme.chunk_labels import LabelledSentence


class Weighed(NamedTuple):
    """The weights of one judgement.

    Attributes:
        weights: One for each mark, 0 or more. Chunks rightly left alone always weigh 1.
        oddities: What was put right on the way, a few words for each time, such as ``negative weights``.
    """

    weights: tuple[float, ...]
    oddities: tuple[str, ...] = ()


class Weights(Protocol):
    """A way to weigh chunks; may keep what is dear to compute, and nothing that changes its numbers."""

    @property
    def settings(self) -> tuple[str, ...]:
        """What the weights depend on, as ``name:value`` for the signature; the first is ``w:NAME``."""

    @property
    def by_reference(self) -> bool:
        """Whether the weight of a hypothesis's chunk depends on the reference it is judged against."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know after weighing, one line each."""

    def weigh(self, systems: Sequence[Sequence[LabelledSentence]]) -> list[list[Weighed]]:
        """Return the weights of every judgement of every system, in their order.

        All systems come at once, so that what they share is worked out once.
        """


def checked(weights: Sequence[float], judgement: LabelledSentence, oddities: tuple[str, ...] = ()) -> Weighed:
    """Return the weights of one judgement, negative ones as 0 and counted.

    Raises:
        InputError: A weight is not a finite number; names the sentence and the chunk.
    """
    for weight, mark in zip(weights, judgement.marks, strict=True):
        if not math.isfinite(weight):
            found = judgement.partition
            chunk = " ".join(found.tokens(found.hypothesis, mark.at))
            raise InputError(
                f"the weight of the chunk {chunk!r} ({mark.label.letters}) is {weight}, expected a finite "
                f"number; in the sentence {' '.join(found.source)!r}"
            )
    negative = tuple("negative weights, taken as 0" for weight in weights if weight < 0)
    return Weighed(tuple([max(0.0, weight) for weight in weights]), (*oddities, *negative))
