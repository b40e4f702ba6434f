"""Weights of chunks by what they do to the meaning: PTScore (Gong et al. 2022; Ye et al. 2025, section 3.3).

The weight of a chunk is ``|sim(X', R) - sim(X, R)|`` with X the source, R the reference and X' the source with
this one chunk put in: the hypothesis's for TP, FPne and FPun, the reference's for FN. (Eq. 7 of the paper has
the hypothesis's everywhere, which would give every FN the weight 0; this is what the published code does.) The
direction of the change is dropped, as there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from jperrant.core.errors import InputError
from jperrant.core.messages import plural
from jperrant.encoders.bertscore import BertScore
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.cleme.chunk_labels import ChunkLabel, Label, LabelledSentence
from jperrant.evaluation.metrics.cleme.weights.base import WeightedSystems, checked

#: From candidates and references, as many, to their similarity; tokens are joined by one space.
Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[float]]


@runtime_checkable
class NotedSimilarity(Protocol):
    """A similarity that has something to tell people."""

    def measure(
        self, candidates: Sequence[str], references: Sequence[str]
    ) -> tuple[Sequence[float], tuple[str, ...]]:
        """Return the similarities and the notes, one line each."""


@dataclass(frozen=True, slots=True)
class EncoderSimilarity:
    """F of BERTScore with an encoder, which is loaded when it is first asked.

    Attributes:
        encoding: Which encoder, and how.
    """

    encoding: EncoderOptions

    def __call__(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        """Return F of each candidate with the reference at the same place."""
        return self.measure(candidates, references)[0]

    def measure(
        self, candidates: Sequence[str], references: Sequence[str]
    ) -> tuple[list[float], tuple[str, ...]]:
        """Return F of each candidate with the reference at the same place, and what users should know."""
        notes: list[str] = []
        score = BertScore(self.encoding.for_bertscore().load(), self.encoding.baseline)
        return score(candidates, references, notes), tuple(notes)

    @property
    def labels(self) -> tuple[str, ...]:
        """What F depends on, for the signature."""
        return self.encoding.bertscore_settings


@dataclass(frozen=True, slots=True)
class SimilarityWeighting:
    """Weights by any similarity of sentences.

    Attributes:
        similarity: Is asked once for all systems, for each distinct pair of sentences. It may have ``labels``,
            what it depends on, as ``name:value`` for the signature, and ``measure``, which also returns notes for
            people.
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

    def weights_of(self, systems: Sequence[Sequence[LabelledSentence]]) -> WeightedSystems:
        """Return the weights; 0 for a chunk that leaves no text.

        Raises:
            InputError: A similarity is not a finite number, or there are not as many as pairs.
        """
        asked: dict[tuple[str, str], int] = {}
        numbered = [[_numbers(sentence, asked) for sentence in sentences] for sentences in systems]
        candidates, references = [c for c, _ in asked], [r for _, r in asked]
        similarities, notes = self._measure(candidates, references) if asked else ([], ())
        if len(similarities) != len(asked):
            raise InputError(
                f"the similarity gave {plural(len(similarities), 'number')} for {plural(len(asked), 'pair')} "
                "of sentences"
            )
        weighted = [
            [
                checked(
                    [abs(similarities[number] - similarities[numbers[0]]) for number in numbers[1:]], sentence
                )
                for sentence, numbers in zip(sentences, theirs, strict=True)
            ]
            for sentences, theirs in zip(systems, numbered, strict=True)
        ]
        return WeightedSystems(weighted, notes)

    def _measure(
        self, candidates: Sequence[str], references: Sequence[str]
    ) -> tuple[Sequence[float], tuple[str, ...]]:
        if isinstance(self.similarity, NotedSimilarity):
            return self.similarity.measure(candidates, references)
        return self.similarity(candidates, references), ()


def _numbers(sentence: LabelledSentence, asked: dict[tuple[str, str], int]) -> list[int]:
    """Return which pairs are needed: source and reference, then one for each mark; nothing without labels."""
    if not sentence.labels:
        return []
    partition = sentence.partition
    reference = " ".join(partition.corrected(partition.references[sentence.reference]))
    source = " ".join(partition.source)
    texts = [source, *(_text(sentence, mark) or source for mark in sentence.labels)]
    return [asked.setdefault((text, reference), len(asked)) for text in texts]


def _text(sentence: LabelledSentence, mark: ChunkLabel) -> str:
    """Return X': the source with one chunk put in."""
    partition = sentence.partition
    of_reference = mark.label is Label.FN
    chunks = partition.references[sentence.reference] if of_reference else partition.hypothesis
    return " ".join(partition.put(mark.region, partition.tokens(chunks, mark.region)))
