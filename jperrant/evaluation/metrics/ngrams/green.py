"""GREEN: F-beta over the n-grams that were rightly or wrongly kept, deleted and inserted (``green_counts``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.option import option
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Scorer, SystemCandidates
from jperrant.evaluation.metrics.fmeasure import BETA, MAX_BETA, ratio
from jperrant.evaluation.metrics.ngrams.counting import NgramCounts, count_ngrams
from jperrant.evaluation.metrics.ngrams.green_counts import (
    KINDS,
    green,
    green_columns,
    green_counts,
    green_keys,
)
from jperrant.evaluation.metrics.text_units import UNIT, units_of
from jperrant.evaluation.metrics.texts import REFUSED, corrected_texts

VALUES = ("green", "precision", "recall")
#: For each sentence the n-grams of the source and of each reference, with its annotator.
ReferenceNgrams: TypeAlias = list[tuple[Sequence[NgramCounts], list[tuple[int, Sequence[NgramCounts]]]]]


@dataclass(frozen=True, slots=True)
class GreenScorer(Scorer):
    """GREEN with its options.

    Attributes:
        beta: Weight of recall in F; the paper's is 2.
        level: ``corpus`` sums counts over sentences; ``sentence`` takes the mean of the sentences' values.
        unit: ``words`` or ``characters``.
        order: The largest n.
        short: What the recall of an n is where source, hypothesis and reference are all too short for it (or have
            nothing to recall): 0 as in the published tool, so that a right sentence of three words scores 0;
            1 as in gec-metrics; or such an n is left out of the means.

    Raises:
        UsageError: An option is out of its range.
    """

    beta: float = option(2.0, BETA, above=0, maximum=MAX_BETA)
    level: Literal["corpus", "sentence"] = option("corpus", "Summed counts, or the mean of sentence values.")
    unit: Literal["words", "characters"] = option("words", UNIT)
    order: int = option(4, "The largest n of the n-grams.", minimum=1, maximum=16)
    short: Literal["zero", "one", "skip"] = option(
        "zero",
        "Recall where a sentence is too short for an n.",
        choices={"zero": "0, the published tool", "one": "1, gec-metrics", "skip": "leave n out"},
    )

    name: ClassVar[str] = "green"
    needs_edits: ClassVar[bool] = False
    main: ClassVar[str] = "green"
    refuses: ClassVar[tuple[str, ...]] = REFUSED

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

    def prepare(self, references: Sequence[Block]) -> ReferenceNgrams:
        """Return the n-grams of every source and reference."""
        texts = corrected_texts(references, "references")
        return [
            (self._ngrams(block.source), [(number, self._ngrams(text)) for number, text in sentence])
            for block, sentence in zip(references, texts, strict=True)
        ]

    def candidates(
        self, pairs: Sequence[Pair], prepared: Sequence[ReferenceNgrams]
    ) -> list[SystemCandidates]:
        """Return the counts of every hypothesis against every reference."""
        return [
            SystemCandidates(self._of_pair(pair, ngrams))
            for pair, ngrams in zip(pairs, prepared, strict=True)
        ]

    def combine(self, candidates: Candidates) -> list[Candidate]:
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

    def _ngrams(self, tokens: Sequence[str]) -> tuple[NgramCounts, ...]:
        return count_ngrams(units_of(tokens, self.unit), self.order)

    def _of_pair(self, pair: Pair, references: ReferenceNgrams) -> Candidates:
        texts = corrected_texts(pair.hypothesis, pair.name)
        candidates = [
            [
                Candidate(hypothesis, number, green_counts(source, ours, theirs))
                for hypothesis, text in sentence
                for ours in [self._ngrams(text)]
                for number, theirs in those
            ]
            for sentence, (source, those) in zip(texts, references, strict=True)
        ]
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
