"""Weighing chunks by what they do to the meaning: PTScore (Gong et al. 2022; Ye et al. 2025, section 3.3).

The weight of a chunk is ``|sim(X', R) - sim(X, R)|`` with X the source, R the reference and X' the source with
this one chunk put in: the hypothesis's for TP, FPne and FPun, the reference's for FN. (Eq. 7 of the paper has
the hypothesis's everywhere, which would give every FN the weight 0; this is what the published code does.) The
direction of the change is dropped, as there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from jperrant.errors import InputError
from jperrant.score.judge import Judgement, Label, Mark
from jperrant.score.weights.base import Weighed, checked

#: From candidates and references, as many, to how alike they are; tokens are joined by one space.
Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class SimilarityWeights:
    """Weights by any similarity of sentences.

    Attributes:
        similarity: Is asked once for all systems, for each distinct pair of sentences.
        labels: What it depends on, as ``name:value`` for the signature.
    """

    similarity: Similarity
    labels: tuple[str, ...] = ()

    @property
    def settings(self) -> tuple[str, ...]:
        """The name and what the similarity depends on."""
        return ("w:similarity", *self.labels)

    @property
    def by_reference(self) -> bool:
        """Every chunk is measured against the whole reference."""
        return True

    def weigh(self, systems: Sequence[Sequence[Judgement]]) -> list[list[Weighed]]:
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


def _numbers(judgement: Judgement, asked: dict[tuple[str, str], int]) -> list[int]:
    """Return which pairs are needed: source and reference, then one for each mark; nothing without marks."""
    if not judgement.marks:
        return []
    found = judgement.partition
    reference = " ".join(found.corrected(found.references[judgement.reference]))
    source = " ".join(found.source)
    texts = [source, *(_text(judgement, mark) or source for mark in judgement.marks)]
    return [asked.setdefault((text, reference), len(asked)) for text in texts]


def _text(judgement: Judgement, mark: Mark) -> str:
    """Return X': the source with one chunk put in."""
    found = judgement.partition
    of_reference = mark.label is Label.FN
    chunks = found.references[judgement.reference] if of_reference else found.hypothesis
    return " ".join(found.put(mark.at, found.tokens(chunks, mark.at)))
