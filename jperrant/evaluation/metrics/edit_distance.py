"""Word and character error rate: the Levenshtein distance from a reference by the length of the reference.

Baselines rather than metrics of correction: they say how far a text is from a reference, so that a system which
changes nothing is often best. Lower is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from rapidfuzz.distance import Levenshtein

from jperrant.core.arrays import FloatArray
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, Scorer, SystemCandidates
from jperrant.evaluation.metrics.text_units import TextUnit, units_of
from jperrant.evaluation.metrics.texts import REFUSED, corrected_texts

#: For each sentence the units of each reference, with its annotator.
ReferenceUnits: TypeAlias = list[list[tuple[int, Sequence[str]]]]


def error_counts(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[int, int]:
    """Return the Levenshtein distance of two texts and the length of the reference, both in units.

    Insertion, deletion and substitution cost 1 each.

    >>> error_counts("a c".split(), "a b c".split())
    (1, 3)
    """
    return Levenshtein.distance(hypothesis, reference), len(reference)


def error_rate(distance: float, length: float) -> float:
    """Return distance by length; an empty reference is counted as one of length 1, so that 0/0 is 0."""
    return distance / max(length, 1.0)


@dataclass(frozen=True, slots=True)
class _ErrorRate(Scorer):
    """An error rate; a sentence counts against the reference with the lowest one, of equal ones the shortest."""

    columns: ClassVar[tuple[str, ...]] = ("distance", "length")
    counts: ClassVar[tuple[str, ...]] = ("distance", "length")
    lower_is_better: ClassVar[bool] = True
    per_reference: ClassVar[bool] = True
    refuses: ClassVar[tuple[str, ...]] = REFUSED
    unit: ClassVar[TextUnit]

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def prepare(self, references: Sequence[Block], first: int = 1) -> ReferenceUnits:
        """Return the units of every reference."""
        return [
            [(number, units_of(text, self.unit)) for number, text in sentence]
            for sentence in corrected_texts(references, "references", first)
        ]

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[ReferenceUnits]) -> list[SystemCandidates]:
        """Return distance and length of every hypothesis against every reference."""
        return [
            SystemCandidates(self._of_pair(pair, units)) for pair, units in zip(pairs, prepared, strict=True)
        ]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return the candidate with the lowest rate of each sentence, of equal ones the shortest."""
        return [min(sentence, key=lambda c: (error_rate(*c.row), c.row)) for sentence in candidates]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return summed distances by summed lengths; lower is better, above 1 where much is inserted."""
        return {self.name: totals[..., 0] / np.maximum(totals[..., 1], 1.0)}

    def _of_pair(self, pair: Pair, references: ReferenceUnits) -> Candidates:
        texts = corrected_texts(pair.hypothesis, pair.name, pair.first)
        return [
            [
                Candidate(hypothesis, number, error_counts(ours, theirs))
                for hypothesis, text in sentence
                for ours in [units_of(text, self.unit)]
                for number, theirs in those
            ]
            for sentence, those in zip(texts, references, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class WerScorer(_ErrorRate):
    """Word error rate: inserted, deleted and replaced words by the words of the reference."""

    name: ClassVar[str] = "wer"
    description: ClassVar[str] = (
        "Word error rate: the edit distance to the nearest reference by its length, in words"
    )
    needs_edits: ClassVar[bool] = False
    main: ClassVar[str] = "wer"
    unit: ClassVar[TextUnit] = "words"


@dataclass(frozen=True, slots=True)
class CerScorer(_ErrorRate):
    """Character error rate: the same over characters, spaces between words among them."""

    name: ClassVar[str] = "cer"
    description: ClassVar[str] = (
        "Character error rate: the edit distance to the nearest reference by its length, in characters"
    )
    needs_edits: ClassVar[bool] = False
    main: ClassVar[str] = "cer"
    unit: ClassVar[TextUnit] = "characters"
