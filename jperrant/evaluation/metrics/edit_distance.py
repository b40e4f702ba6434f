"""Word and character error rate: the Levenshtein distance to a reference, divided by its length.

These are baselines rather than GEC metrics: a system that changes nothing is often best. Lower is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import Levenshtein

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.base import Candidate, Candidates, Row
from jperrant.evaluation.metrics.corrected_texts import TextScorer, TextUnit, units_of


def error_counts(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[int, int]:
    """Return the Levenshtein distance (insertion, deletion and substitution cost 1) and the reference's length.

    >>> error_counts("a c".split(), "a b c".split())
    (1, 3)
    """
    return Levenshtein.distance(hypothesis, reference), len(reference)


def error_rate(distance: float, length: float) -> float:
    """Return distance / length; an empty reference counts as length 1, so 0/0 is 0."""
    return distance / max(length, 1.0)


@dataclass(frozen=True, slots=True)
class WerScorer(TextScorer):
    """Word error rate: the edit distance to the nearest reference in words, divided by the reference's length.

    Each sentence is scored against the reference with the lowest rate; among equal rates, the shortest reference.
    """

    name: ClassVar[str] = "wer"
    columns: ClassVar[tuple[str, ...]] = ("distance", "length")
    counts: ClassVar[tuple[str, ...]] = columns
    main: ClassVar[str] = "wer"
    lower_is_better: ClassVar[bool] = True
    uses_source: ClassVar[bool] = False
    unit: ClassVar[TextUnit] = "words"

    def derived(self, tokens: Sequence[str]) -> Sequence[str]:
        """Return the units of a text."""
        return units_of(tokens, self.unit)

    def row(self, source: object, hypothesis: Sequence[str], reference: Sequence[str]) -> Row:  # noqa: ARG002
        """Return distance and length."""
        return error_counts(hypothesis, reference)

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return the candidate of each sentence with the lowest rate, among equals the shortest reference."""
        return [min(sentence, key=lambda c: (error_rate(*c.row), c.row)) for sentence in candidates]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the summed distances divided by the summed lengths: 0 or more, above 1 if much is inserted."""
        return {self.name: totals[..., 0] / np.maximum(totals[..., 1], 1.0)}


@dataclass(frozen=True, slots=True)
class CerScorer(WerScorer):
    """Character error rate: the same as word error rate, in characters."""

    name: ClassVar[str] = "cer"
    main: ClassVar[str] = "cer"
    unit: ClassVar[TextUnit] = "characters"
