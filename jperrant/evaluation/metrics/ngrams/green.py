"""GREEN: F-beta over the n-grams that were rightly or wrongly kept, deleted and inserted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.option import option
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row
from jperrant.evaluation.metrics.fmeasure import beta_option, ratio
from jperrant.evaluation.metrics.ngrams.green_counts import (
    KINDS,
    green,
    green_columns,
    green_counts,
    green_keys,
)
from jperrant.evaluation.metrics.ngrams.scorer import Ngrams, NgramScorer, ReferenceNgrams

VALUES = ("green", "precision", "recall")


@dataclass(frozen=True, slots=True)
class GreenScorer(NgramScorer):
    """GREEN with its options.

    Attributes:
        beta: Weight of recall in F; the paper's is 2.
        level: ``corpus`` sums counts over sentences; ``sentence`` takes the mean of the sentences' values.
        order: The largest n.
        short: What the recall of an n is where source, hypothesis and reference are all too short for it (or have
            nothing to recall): 0 as in the published tool, so that a right sentence of three words scores 0;
            1 as in gec-metrics; or such an n is left out of the means.

    Raises:
        UsageError: An option is out of its range.
    """

    beta: float = beta_option(2.0)
    level: Literal["corpus", "sentence"] = option("corpus", "Summed counts, or the mean of sentence values.")
    order: int = option(4, "The largest n of the n-grams.", minimum=1, maximum=16)
    short: Literal["zero", "one", "skip"] = option(
        "zero",
        "Recall where a sentence is too short for an n.",
        choices={"zero": "0, the published tool", "one": "1, gec-metrics", "skip": "leave n out"},
    )

    name: ClassVar[str] = "green"
    main: ClassVar[str] = "green"

    @property
    def columns(self) -> tuple[str, ...]:
        """The counts of each n; at sentence level the values and the number of sentences, too."""
        counts = green_columns(self.order)
        return counts if self.level == "corpus" else (*counts, *VALUES, "sentences")

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature."""
        return (
            f"beta:{self.beta:g}",
            f"lvl:{self.level}",
            f"unit:{self.unit}",
            f"n:{self.order}",
            f"short:{self.short}",
        )

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return the candidate of each sentence with the highest F over all n, then over fewer, then the first."""
        if not candidates:
            return []
        rows = np.array(
            [candidate.row for sentence in candidates for candidate in sentence], dtype=np.float64
        )
        keys = green_keys(rows[:, : self.order * len(KINDS)], self.beta, self.short).tolist()
        combined, start = [], 0
        for sentence in candidates:
            those = keys[start : start + len(sentence)]
            combined.append(sentence[those.index(max(those))])
            start += len(sentence)
        return combined

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return F-beta, precision and recall of the n-grams, each in 0 … 1."""
        if self.level == "corpus":
            return green(totals, self.beta, self.short)
        first = self.order * len(KINDS)
        sentences = totals[..., -1]
        return {name: ratio(totals[..., first + i], sentences, 0.0) for i, name in enumerate(VALUES)}

    @property
    def longest(self) -> int:
        """The largest n."""
        return self.order

    def row(self, source: Ngrams, hypothesis: Ngrams, reference: Ngrams) -> Row:
        """Return the counts."""
        return green_counts(source, hypothesis, reference)

    def _of_pair(self, pair: Pair, references: ReferenceNgrams) -> Candidates:
        # Without arguments super() does not find the class: slots make a new one.
        candidates = NgramScorer._of_pair(self, pair, references)
        return candidates if self.level == "corpus" else self._with_values(candidates)

    def _with_values(self, candidates: Candidates) -> Candidates:
        rows = [candidate.row for sentence in candidates for candidate in sentence]
        counts = np.array(rows, dtype=np.float64).reshape(len(rows), self.order * len(KINDS))
        values = green(counts, self.beta, self.short)
        of_candidates = zip(*(values[name].tolist() for name in VALUES), strict=True)
        return [
            [Candidate(c.hypothesis, c.reference, (*c.row, *next(of_candidates), 1)) for c in sentence]
            for sentence in candidates
        ]
