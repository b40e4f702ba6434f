"""CLEME: precision, recall and F over chunks, so that several references cost no edit twice.

Ye et al. (2023), "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction". Precision,
recall, F and accuracy are rounded to 4 decimals where they are made, as in the published code: also while
references are chosen, and before sentences are averaged. ``exact`` rounds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.option import option
from jperrant.evaluation.metrics.base import Candidate, Candidates, Row
from jperrant.evaluation.metrics.cleme.chunk_scorer import ChunkScorer, Sums
from jperrant.evaluation.metrics.cleme.weights import WEIGHTS
from jperrant.evaluation.metrics.fmeasure import beta_option, f_measure, f_measures, ratio
from jperrant.evaluation.metrics.reference_choice import choose_greedily, choose_per_sentence

COUNTS = ("tp", "fp", "fn", "tn")
VALUES = ("precision", "recall", "f", "accuracy")
DECIMALS = 4


@dataclass(frozen=True, slots=True)
class ClemeScorer(ChunkScorer):
    """CLEME with its options.

    Attributes:
        beta: Weight of recall in F, at both levels.

    Raises:
        UsageError: An option is out of its range.
    """

    weights: str = option("length", "How chunks are weighted.", choices=list(WEIGHTS), open=True)
    beta: float = beta_option()

    name: ClassVar[str] = "cleme"
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"

    @property
    def columns(self) -> tuple[str, ...]:
        """Counts; at sentence level also the sentence's values and 1, the number of sentences."""
        return COUNTS if self.level == "corpus" else (*COUNTS, *VALUES, "sentences")

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature."""
        return (f"beta:{self.beta:g}", *self.shared_settings)

    def row(self, sums: Sums) -> Row:
        """Return the row of a sentence, or of what it has of one type."""
        tp, ne, un, fn, tn = sums
        counts = (tp, ne + un, fn, tn)
        if self.level == "corpus":
            return counts
        return (*counts, *self._values(counts), 1)

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the candidate of the reference with the best F of each sentence.

        At corpus level that is the F of the totals so far, in the order of the sentences; exactly, and at
        sentence level, the sentence's own. Ties go by the chunks, or the other values, then to the first.
        """
        if self.level == "sentence":
            return choose_per_sentence(candidates, lambda _, row: (row[6], row[4], row[5], row[7]))
        if self.exact:
            return choose_per_sentence(candidates, self.corpus_key)
        return choose_greedily(candidates, self.corpus_key, before)

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall, F and accuracy, each in [0, 1]; at sentence level their means."""
        if self.level == "sentence":
            return {
                name: ratio(totals[..., len(COUNTS) + column], totals[..., -1], 0.0)
                for column, name in enumerate(VALUES)
            }
        tp, fp, fn, tn = (totals[..., column] for column in range(4))
        measures = f_measures(tp, fp, fn, self.beta)
        measures["accuracy"] = ratio(tp + tn, tp + fp + fn + tn, 0.0)
        if self.exact:
            return measures
        return {name: _rounded(value) for name, value in measures.items()}

    def corpus_key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Return the F of the totals so far, then what decides between equal ones."""
        tp, fp, fn, tn = row
        return self._values(total)[2], tp, -fp, -fn, tn

    def _values(self, counts: Row) -> tuple[float, float, float, float]:
        tp, fp, fn, tn = counts
        p, r, f = f_measure(tp, fp, fn, beta=self.beta)
        every = tp + fp + fn + tn
        accuracy = (tp + tn) / every if every else 0.0
        if self.exact:
            return p, r, f, accuracy
        return round(p, DECIMALS), round(r, DECIMALS), round(f, DECIMALS), round(accuracy, DECIMALS)


def _rounded(values: FloatArray) -> FloatArray:
    """Round as Python does; numpy multiplies first and errs in some halves."""
    flat = [round(float(value), DECIMALS) for value in np.ravel(values)]
    return np.array(flat, dtype=np.float64).reshape(np.shape(values))
