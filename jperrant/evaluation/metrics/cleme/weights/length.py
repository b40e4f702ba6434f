"""Weights of chunks by their length: CLEME's weights (Ye et al. 2023, section 3.3).

A long chunk that is hit or missed weighs more than a short one, a long one that is wrong less. "Long" is
relative to x0, the mean length of the references' changed chunks. These lie where hypothesis and references
together have edits, so that x0 depends on the system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from jperrant.evaluation.metrics.cleme.chunk_labels import Label, LabelledSentence
from jperrant.evaluation.metrics.cleme.chunks import Partition
from jperrant.evaluation.metrics.cleme.weights.base import SentenceWeights, WeightedSystems


@dataclass(frozen=True, slots=True)
class LengthWeighting:
    """A logistic curve of the length for each kind of chunk, cut off at both ends.

    With L the tokens of the hypothesis's chunk or of the source at its place, whichever are more, the weight is
    ``alpha / (1 + (alpha - 1) * exp(x0 - L))`` for hits and misses and the same with ``exp(L - x0)`` for what is
    wrong or over, between the given bounds. For a missed chunk, too, L looks at the hypothesis, so that a missed
    insertion has L = 0; the reference's length plays no part (as in the published code).

    Attributes:
        alpha: Height of the curves, above 1.
        hit, wrong, missed: Smallest and largest weight of hits; of wrong and over; of misses.
    """

    alpha: float = 2.0
    hit: tuple[float, float] = (0.75, 1.25)
    wrong: tuple[float, float] = (0.75, 1.25)
    missed: tuple[float, float] = (0.75, 1.25)

    @classmethod
    def published(cls, level: str, assumption: str) -> LengthWeighting:
        """Return the parameters that Ye et al. (2023) use at a level and under an assumption."""
        if level == "corpus":
            return cls()
        hit = (1.0, 10.0) if assumption == "dependent" else (2.5, 10.0)
        return cls(10.0, hit, (0.25, 1.0), (1.0, 1.0))

    @property
    def settings(self) -> tuple[str, ...]:
        """The name; the parameters where they are not those of the corpus level."""
        if self == LengthWeighting():
            return ("w:length",)
        numbers = (self.alpha, *self.hit, *self.wrong, *self.missed)
        return ("w:length(" + ",".join(f"{number:g}" for number in numbers) + ")",)

    @property
    def by_reference(self) -> bool:
        """Only the lengths of source and hypothesis count."""
        return False

    def weights_of(self, systems: Sequence[Sequence[LabelledSentence]]) -> WeightedSystems:
        """Return the weights; 1 for all where no reference changes anything, as there is no x0 then."""
        means = [mean_length(_partitions(sentences)) for sentences in systems]
        return WeightedSystems([self._weights_of_system(*both) for both in zip(systems, means, strict=True)])

    def _weights_of_system(
        self, sentences: Sequence[LabelledSentence], x0: float | None
    ) -> list[SentenceWeights]:
        if x0 is None:
            return [SentenceWeights((1.0,) * len(j.labels)) for j in sentences]
        return [
            SentenceWeights(
                tuple([self._weight(m.label, _length(j.partition, m.region), x0) for m in j.labels])
            )
            for j in sentences
        ]

    def _weight(self, label: Label, length: int, x0: float) -> float:
        if label is Label.TP:
            low, high = self.hit
        elif label is Label.FN:
            low, high = self.missed
        else:
            low, high = self.wrong
        beyond = x0 - length if label in (Label.TP, Label.FN) else length - x0
        if beyond > 700:  # exp would not fit into a float; the curve is 0 there
            return low
        return min(high, max(low, self.alpha / (1 + (self.alpha - 1) * exp(beyond))))


def mean_length(partitions: Sequence[Partition]) -> float | None:
    """Return x0: the mean over all changed chunks of all references of the longer side; None without any."""
    lengths = [
        max(end - start, len(chunk.tokens))
        for partition in partitions
        for chunks in partition.references
        for (start, end), chunk in zip(partition.regions, chunks, strict=True)
        if chunk is not None
    ]
    return sum(lengths) / len(lengths) if lengths else None


def _partitions(sentences: Sequence[LabelledSentence]) -> list[Partition]:
    """Return the partitions of labelled sentences, each once."""
    return list({id(labelled.partition): labelled.partition for labelled in sentences}.values())


def _length(partition: Partition, region: int) -> int:
    start, end = partition.regions[region]
    return max(end - start, len(partition.tokens(partition.hypothesis, region)))
