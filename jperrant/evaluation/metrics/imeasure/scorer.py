"""I-measure: by how much a system improves on leaving the text as it is (Felice and Briscoe 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.messages import CountedNote
from jperrant.core.option import option
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
    annotations_of,
)
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.metrics.imeasure.alignment import Triple, align_all, is_too_long
from jperrant.evaluation.metrics.imeasure.clusters import find_clusters
from jperrant.evaluation.metrics.imeasure.counts import COLUMNS, Counts, count_columns, imeasure, preference
from jperrant.evaluation.metrics.imeasure.mixing import MixedSentence, best_mixtures, prepare_mixing
from jperrant.evaluation.metrics.texts import REFUSED, corrected_texts

VALUES = ("i", "wacc", "precision", "recall", "f")


@dataclass(frozen=True, slots=True)
class Reference:
    """One annotator's text, and how the untouched source does against it.

    Attributes:
        annotator: The number.
        tokens: The corrected tokens.
        untouched: The true negatives and the false negatives of the source.
    """

    annotator: int
    tokens: tuple[str, ...]
    untouched: tuple[int, int]


#: What is derived from references: each annotator's text, or what mixing them needs.
Prepared: TypeAlias = list[list[Reference]] | list[MixedSentence]


@dataclass(frozen=True, slots=True)
class ImeasureScorer(Scorer):
    """I-measure with its options.

    Attributes:
        mixing: ``none`` scores each sentence against the best annotator; ``exact`` against the best of all texts
            that combine the annotators' corrections, each cluster of overlapping ones on its own.
        level: ``corpus`` sums counts over sentences; ``sentence`` takes the mean of the sentences' values.

    Raises:
        UsageError: An option is not among its choices.
    """

    mixing: Literal["none", "exact"] = option(
        "none",
        "Whether a reference may take corrections from several annotators.",
        choices={"none": "the best annotator", "exact": "the best combination of their corrections"},
    )
    level: Literal["corpus", "sentence"] = option("corpus", "Summed counts, or the mean of sentence values.")

    name: ClassVar[str] = "imeasure"
    counts: ClassVar[tuple[str, ...]] = ("tp", "tn", "fp", "fn", "fpn")
    main: ClassVar[str] = "i"
    needs_edits: ClassVar[bool] = False
    refuses: ClassVar[tuple[str, ...]] = REFUSED

    @property
    def columns(self) -> tuple[str, ...]:
        """The counts of the system and of the untouched source; at sentence level the values, too."""
        return COLUMNS if self.level == "corpus" else (*COLUMNS, *VALUES, "sentences")

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature."""
        return (f"mix:{self.mixing}", f"lvl:{self.level}")

    @property
    def uses_edits(self) -> bool:
        """Whether annotators' corrections are combined."""
        return self.mixing == "exact"

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def prepare(self, references: Sequence[Block], first: int = 1) -> Prepared:
        """Return each annotator's text, or the clusters of their corrections."""
        if self.mixing == "exact":
            corrected_texts(references, "references", first)  # names the sentence whose edits overlap
            clusters = [find_clusters(block.source, annotations_of(block)) for block in references]
            return prepare_mixing([block.source for block in references], clusters)
        texts = _reference_texts(references, first)
        triples = [
            Triple(block.source, block.source, text)
            for block, sentence in zip(references, texts, strict=True)
            for _, text in sentence
        ]
        aligned = zip(triples, align_all(triples), strict=True)
        prepared = []
        for sentence in texts:
            counts = [count_columns(*next(aligned)) for _ in sentence]
            prepared.append([Reference(*ref, (c[1], c[3])) for ref, c in zip(sentence, counts, strict=True)])
        return prepared

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Prepared]) -> list[SystemCandidates]:
        """Return the counts of every hypothesis against every reference, or against the best combination."""
        systems = []
        for pair, references in zip(pairs, prepared, strict=True):
            texts, first = corrected_texts(pair.hypothesis, pair.name, pair.first), pair.first
            if self.mixing == "exact":
                systems.append(
                    self._mixed(texts, [s for s in references if isinstance(s, MixedSentence)], first)
                )
            else:
                sources = [block.source for block in pair.references]
                systems.append(
                    self._whole(sources, texts, [s for s in references if isinstance(s, list)], first)
                )
        return systems

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return the best candidate of each sentence by weighted accuracy, I, accuracy; then for detection."""
        return [
            sentence[0] if len(sentence) == 1 else max(sentence, key=lambda c: preference(_counts(c.row)))
            for sentence in candidates
        ]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return I in −1 … 1, and weighted accuracy, precision, recall and F1 of the corrections in 0 … 1."""
        if self.level == "corpus":
            return imeasure(totals)
        sentences = totals[..., -1]
        return {name: ratio(totals[..., len(COLUMNS) + i], sentences, 0.0) for i, name in enumerate(VALUES)}

    def _whole(
        self,
        sources: Sequence[tuple[str, ...]],
        texts: Sequence[Sequence[tuple[int, tuple[str, ...]]]],
        references: Sequence[Sequence[Reference]],
        first: int,
    ) -> SystemCandidates:
        """Return the candidates of every hypothesis against every annotator."""
        triples = [
            [(number, ref, Triple(source, text, ref.tokens)) for number, text in sentence for ref in those]
            for source, sentence, those in zip(sources, texts, references, strict=True)
        ]
        flat = [triple for sentence in triples for _, _, triple in sentence]
        moves = iter(align_all(flat))
        candidates = [
            [
                self._candidate(
                    number, ref.annotator, Counts(*count_columns(triple, next(moves)), *ref.untouched)
                )
                for number, ref, triple in sentence
            ]
            for sentence in triples
        ]
        long = [n for n, those in enumerate(triples, start=first) if any(is_too_long(t) for _, _, t in those)]
        return SystemCandidates(candidates, _too_long(long))

    def _mixed(
        self,
        texts: Sequence[Sequence[tuple[int, tuple[str, ...]]]],
        sentences: Sequence[MixedSentence],
        first: int,
    ) -> SystemCandidates:
        """Return the candidates of every hypothesis against its best combination."""
        each = [(mixed, text) for mixed, those in zip(sentences, texts, strict=True) for _, text in those]
        mixtures = iter(best_mixtures([mixed for mixed, _ in each], [text for _, text in each]))
        candidates, rough = [], []
        for number, those in enumerate(texts, start=first):
            best = [(annotator, next(mixtures)) for annotator, _ in those]
            candidates.append(
                [
                    self._candidate(
                        annotator, None, mixture.counts, {"reference": " ".join(mixture.reference)}
                    )
                    for annotator, mixture in best
                ]
            )
            if not all(mixture.exact for _, mixture in best):
                rough.append(number)
        return SystemCandidates(candidates, _inexact(rough))

    def _candidate(
        self, hypothesis: int, reference: int | None, counts: Counts, details: dict[str, object] | None = None
    ) -> Candidate:
        row: Row = counts
        if self.level == "sentence":
            values = imeasure(np.array(counts, dtype=np.float64))
            row = (*counts, *(float(values[name]) for name in VALUES), 1)
        return Candidate(hypothesis, reference, row, details=details or {})


def _counts(row: Row) -> Counts:
    return Counts(*(int(number) for number in row[: len(COLUMNS)]))


def _reference_texts(references: Sequence[Block], first: int) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Return the corrected tokens of each annotator; the source where the corrections leave nothing of it.

    NUCLE marks sentences that its annotators could not correct with an edit that deletes them.
    """
    texts = corrected_texts(references, "references", first)
    return [
        [(number, text or block.source) for number, text in sentence]
        for block, sentence in zip(references, texts, strict=True)
    ]


def _too_long(sentences: Sequence[int]) -> tuple[str, ...]:
    if not sentences:
        return ()
    where = "too long to align at once, first sentence {first} (counted from 1)"
    why = "cut at words that source, hypothesis and reference share, so that the alignment may not be the cheapest"
    one, many = (
        f"{{count}} sentence is {where}; it was {why}",
        f"{{count}} sentences are {where}; they were {why}",
    )
    return (CountedNote(len(sentences), one, many, sentences[0]),)


def _inexact(sentences: Sequence[int]) -> tuple[str, ...]:
    if not sentences:
        return ()
    what = (
        "too many combinations of corrections that depend on each other, first sentence {first} (counted from 1); "
        "there the combination may not be the best"
    )
    one, many = (
        f"{{count}} sentence is very long or has {what}",
        f"{{count}} sentences are very long or have {what}",
    )
    return (CountedNote(len(sentences), one, many, sentences[0]),)
