"""What GLEU and GREEN share: the n-grams of sources, references and hypotheses, compared sentence by sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from jperrant.core.option import option
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, Scorer, SystemCandidates
from jperrant.evaluation.metrics.ngrams.counting import NgramCounts, count_ngrams
from jperrant.evaluation.metrics.text_units import UNIT, units_of
from jperrant.evaluation.metrics.texts import REFUSED, corrected_texts

#: The counts of each n of one text.
Ngrams: TypeAlias = tuple[NgramCounts, ...]
#: For each sentence the n-grams of the source and of each reference, with its annotator.
ReferenceNgrams: TypeAlias = list[tuple[Ngrams, list[tuple[int, Ngrams]]]]


@dataclass(frozen=True, slots=True)
class NgramScorer(Scorer):
    """A metric over the n-grams of source, hypothesis and reference.

    Attributes:
        unit: ``words`` or ``characters``.
    """

    unit: Literal["words", "characters"] = option("words", UNIT)

    needs_edits: ClassVar[bool] = False
    per_reference: ClassVar[bool] = True
    refuses: ClassVar[tuple[str, ...]] = REFUSED

    @property
    @abstractmethod
    def longest(self) -> int:
        """The largest n."""

    @abstractmethod
    def row(self, source: Ngrams, hypothesis: Ngrams, reference: Ngrams) -> Row:
        """Return the statistics of a hypothesis against one reference."""

    def prepare(self, references: Sequence[Block], first: int = 1) -> ReferenceNgrams:
        """Return the n-grams of every source and reference."""
        texts = corrected_texts(references, "references", first)
        return [
            (self._ngrams(block.source), [(number, self._ngrams(text)) for number, text in sentence])
            for block, sentence in zip(references, texts, strict=True)
        ]

    def candidates(
        self, pairs: Sequence[Pair], prepared: Sequence[ReferenceNgrams]
    ) -> list[SystemCandidates]:
        """Return the statistics of every hypothesis against every reference."""
        return [
            SystemCandidates(self._of_pair(pair, ngrams))
            for pair, ngrams in zip(pairs, prepared, strict=True)
        ]

    def _ngrams(self, tokens: Sequence[str]) -> Ngrams:
        return count_ngrams(units_of(tokens, self.unit), self.longest)

    def _of_pair(self, pair: Pair, references: ReferenceNgrams) -> Candidates:
        texts = corrected_texts(pair.hypothesis, pair.name, pair.first)
        return [
            [
                Candidate(hypothesis, number, self.row(source, ours, theirs))
                for hypothesis, text in sentence
                for ours in [self._ngrams(text)]
                for number, theirs in those
            ]
            for sentence, (source, those) in zip(texts, references, strict=True)
        ]
