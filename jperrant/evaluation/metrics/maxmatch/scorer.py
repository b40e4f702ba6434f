"""MaxMatch: the edits of a system that agree best with each reference, found among all its shortest alignments.

Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction"; counts, chosen annotators and figures
of the published M2 scorer. The system counts as a text: which edits its own file has does not matter.

- An annotator who is missing from a sentence is not an alternative there.
- The corpus level chooses the annotator of a sentence by the F of the totals so far, so that the choice depends
  on the order of sentences; the sentence level (SentM2) takes the mean of the best F of each sentence.
- 0/0 is 1 for precision and recall; F is 0 where both are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.messages import agree, plural
from jperrant.core.option import option
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
    add_rows,
    annotations_of,
)
from jperrant.evaluation.metrics.fmeasure import beta_option, f_measure, f_measures, f_of_totals
from jperrant.evaluation.metrics.maxmatch.counts import Matching, match_edits
from jperrant.evaluation.metrics.maxmatch.extraction import Extractor, Proposed
from jperrant.evaluation.metrics.maxmatch.gold import GoldEdit, gold_edits, operation
from jperrant.evaluation.metrics.reference_choice import (
    backwards_total,
    choose_greedily,
    choose_per_sentence,
)
from jperrant.evaluation.metrics.texts import corrected_texts

COUNTS = ("correct", "proposed", "gold")
VALUES = ("precision", "recall", "f")
#: What a proposed edit that matches no gold edit has in place of an error type, after its operation.
UNMATCHED = "UNMATCHED"

#: For each sentence, the number and the edits of each annotator, by number.
GoldBlocks: TypeAlias = list[list[tuple[int, tuple[GoldEdit, ...]]]]


@dataclass(frozen=True, slots=True)
class MaxMatchScorer(Scorer):
    """MaxMatch with its options.

    Attributes:
        max_unchanged_words: How many tokens an edit can keep between those it changes.
        ignore_whitespace_casing: Leave out edits of the system that change only case or white space.
        level: ``corpus`` adds counts up over sentences; ``sentence`` takes means over sentences (SentM2).
        beta: Weight of recall in F.

    Raises:
        UsageError: An option is out of its range.
    """

    max_unchanged_words: int = option(
        2, "Most tokens that an edit keeps between those it changes.", minimum=0
    )
    ignore_whitespace_casing: bool = option(
        False, "Leave out edits of the system that change only case or white space."
    )
    level: Literal["corpus", "sentence"] = option(
        "corpus", "Totals over the corpus, or means over sentences."
    )
    beta: float = beta_option()

    name: ClassVar[str] = "m2"
    columns: ClassVar[tuple[str, ...]] = (*COUNTS, *VALUES, "sentences")
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"
    per_reference: ClassVar[bool] = True

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only where they are not at their default."""
        parts = [f"lvl:{self.level}", f"beta:{self.beta:g}"]
        if self.max_unchanged_words != 2:
            parts.append(f"unchanged:{self.max_unchanged_words}")
        if self.ignore_whitespace_casing:
            parts.append("casing:ignored")
        return tuple(parts)

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def prepare(self, references: Sequence[Block], first: int = 1) -> GoldBlocks:  # noqa: ARG002
        """Return the edits of every annotator of each sentence."""
        return [gold_of(block) for block in references]

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[GoldBlocks]) -> list[SystemCandidates]:
        """Return the counts of every hypothesis annotator against every reference annotator."""
        both = zip(pairs, prepared, strict=True)
        return [SystemCandidates(self._pair_candidates(pair, gold)) for pair, gold in both]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the best candidate of each sentence: of the totals so far, or of its own F."""
        if self.level == "sentence":
            return choose_per_sentence(candidates, self._sentence_key)
        return choose_greedily(candidates, self._corpus_key, before)

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta: of the summed counts, or the means over sentences."""
        if self.level == "sentence":
            sentences = np.maximum(totals[..., -1], 1)  # no sentence: 0
            return {name: totals[..., column] / sentences for column, name in enumerate(VALUES, start=3)}
        correct, proposed, gold = (totals[..., column] for column in range(3))
        return f_measures(correct, proposed - correct, gold - correct, self.beta)

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:
        """Say where the order of sentences, repeated gold edits or large sentences bear on the figures."""
        notes = _sentence_notes(combined)
        if self.level == "corpus":
            ours = _slashed(add_rows((c.row for c in combined), len(self.columns)))
            theirs = _slashed(backwards_total(candidates, self._corpus_key, len(self.columns)))
            if ours != theirs:
                notes.append(
                    "the choice of annotators depends on the order of sentences: correct/proposed/gold "
                    f"{ours}, backwards {theirs}; --level=sentence does not depend on it"
                )
        return notes

    def match(self, source: Sequence[str], text: Sequence[str], gold: Sequence[GoldEdit]) -> Matching:
        """Return the edits of one text beside those of one reference."""
        return match_edits(
            Extractor(source, text, self.max_unchanged_words), gold, self.ignore_whitespace_casing
        )

    def _pair_candidates(self, pair: Pair, gold: GoldBlocks) -> Candidates:
        texts = corrected_texts(pair.hypothesis, pair.name, pair.first)
        return [
            tuple(self._sentence_candidates(block.source, versions, annotators))
            for block, versions, annotators in zip(pair.references, texts, gold, strict=True)
        ]

    def _sentence_candidates(
        self,
        source: Sequence[str],
        versions: Sequence[tuple[int, tuple[str, ...]]],
        annotators: Sequence[tuple[int, tuple[GoldEdit, ...]]],
    ) -> Iterable[Candidate]:
        for hypothesis, text in versions:
            extractor = Extractor(source, text, self.max_unchanged_words)
            for reference, gold in annotators:
                matching = match_edits(extractor, gold, self.ignore_whitespace_casing)
                counts = (matching.correct, len(matching.proposed), len(gold))
                details: dict[str, object] = {} if extractor.listed else {"unlisted": True}
                if matching.repeated:
                    details["repeated"] = True
                yield Candidate(
                    hypothesis, reference, self._row(*counts), self._by_type(source, matching), details
                )

    def _row(self, correct: int, proposed: int, gold: int) -> Row:
        values = f_measure(correct, proposed - correct, gold - correct, beta=self.beta)
        return (correct, proposed, gold, *values, 1)

    def _by_type(self, source: Sequence[str], matching: Matching) -> dict[str, Row]:
        counts: dict[str, list[int]] = {}
        for edit, matches in zip(matching.proposed, matching.matches, strict=True):
            types = [matching.gold[match].type for match in matches] or [unmatched_type(source, edit)]
            counts.setdefault(types[0], [0, 0, 0])[1] += 1
            for type_ in types if matches else ():
                counts.setdefault(type_, [0, 0, 0])[0] += 1
        for gold in matching.gold:
            counts.setdefault(gold.type, [0, 0, 0])[2] += 1
        return {type_: self._row(*row) for type_, row in counts.items()}

    def _corpus_key(self, total: Row, row: Row) -> tuple[float, ...]:  # noqa: ARG002
        """Best F, then more correct edits, then fewer of the rest (Dahlmeier and Ng's scorer)."""
        correct, proposed, gold = total[:3]
        size = self.beta**2 * gold + proposed
        return f_of_totals(correct, proposed, gold, self.beta, 1.0), correct, -size

    def _sentence_key(self, total: Row, row: Row) -> tuple[float, ...]:  # noqa: ARG002
        correct, proposed, gold = row[:3]
        return row[5], correct, -(self.beta**2 * gold + proposed)


def gold_of(block: Block) -> list[tuple[int, tuple[GoldEdit, ...]]]:
    """Return the number and the edits of each annotator of a sentence, by number."""
    annotations = sorted(annotations_of(block), key=lambda annotation: annotation.annotator)
    return [(annotation.annotator, gold_edits(annotation, block.source)) for annotation in annotations]


def unmatched_type(source: Sequence[str], edit: Proposed) -> str:
    """Return what stands for the error type of a proposed edit that matches no gold edit (``R:UNMATCHED``)."""
    return f"{operation(source, *edit)}:{UNMATCHED}"


def _sentence_notes(combined: Sequence[Candidate]) -> list[str]:
    """Return a line for each kind of sentences that users should know about."""
    kinds = {
        "repeated": "equal gold edits of one annotator; as in the published scorer, one proposed edit is right "
        "once for each",
        "unlisted": "more possible edits than can be listed; of equally good analyses the published scorer may "
        "take another one",
    }
    notes = []
    for kind, what in kinds.items():
        numbers = [number for number, c in enumerate(combined, start=1) if kind in c.details]
        if numbers:
            notes.append(
                f"{plural(len(numbers), 'sentence')} {agree(len(numbers), 'has', 'have')} {what}; first sentence "
                f"{numbers[0]} (counted from 1)"
            )
    return notes


def _slashed(total: Row) -> str:
    return "/".join(f"{number:g}" for number in total[: len(COUNTS)])
