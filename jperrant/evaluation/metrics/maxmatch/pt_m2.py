"""PT-M2: the edits of MaxMatch, each weighing what it does to the similarity of source and reference.

Gong, Liu, Huang and Zhang (2022), "Revisiting Grammatical Error Correction Evaluation and Beyond"; for the weights
see ``pt_weights``. Which edits a system proposes and which of them are right is MaxMatch's answer; a right edit
weighs the same on both sides. Of a gold edit with alternative corrections that the system missed, the first weighs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from jperrant.core.errors import EditError
from jperrant.core.option import option
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.metrics.maxmatch.counts import Matching, match_edits
from jperrant.evaluation.metrics.maxmatch.extraction import Extractor
from jperrant.evaluation.metrics.maxmatch.gold import GoldEdit
from jperrant.evaluation.metrics.maxmatch.scorer import GoldBlocks, gold_of, unmatched_type
from jperrant.evaluation.metrics.pt_weights import (
    FN,
    FP,
    TP,
    CountedEdit,
    CountedPair,
    CountedPairs,
    PretrainedScorer,
)
from jperrant.evaluation.metrics.texts import applied, changing, corrected_texts

#: For each sentence, for each annotator by number, the edits; and the corrected text of each annotator.
Prepared = tuple[GoldBlocks, list[dict[int, str]]]


@dataclass(frozen=True, slots=True)
class PtM2Scorer(PretrainedScorer):
    """PT-M2 with its options: those of ``PretrainedScorer``, and two of MaxMatch.

    Attributes:
        max_unchanged_words: How many tokens an edit can keep between those it changes.
        ignore_whitespace_casing: Leave out edits of the system that change only case or white space.
    """

    max_unchanged_words: int = option(
        2, "Most tokens that an edit keeps between those it changes.", minimum=0
    )
    ignore_whitespace_casing: bool = option(
        False, "Leave out edits of the system that change only case or white space."
    )

    name: ClassVar[str] = "pt-m2"
    per_reference: ClassVar[bool] = False

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only where they are not at their default."""
        # super() without arguments knows the class as it was before it had slots.
        parts = list(super(PtM2Scorer, self).settings)
        if self.max_unchanged_words != 2:
            parts.append(f"unchanged:{self.max_unchanged_words}")
        if self.ignore_whitespace_casing:
            parts.append("casing:ignored")
        return tuple(parts)

    def prepare(self, references: Sequence[Block], first: int = 1) -> Prepared:
        """Return the edits and the corrected text of every annotator of each sentence."""
        corrected = [_corrected(*both) for both in enumerate(references, first)]
        return [gold_of(block) for block in references], corrected

    def counted(self, pair: Pair, prepared: Prepared) -> CountedPairs:
        """Return the edits of MaxMatch, in which column each counts, and their texts."""
        texts = corrected_texts(pair.hypothesis, pair.name, pair.first)
        sentences = []
        for block, versions, annotators, corrected in zip(pair.references, texts, *prepared, strict=True):
            counted = []
            for hypothesis, text in versions:
                extractor = Extractor(block.source, text, self.max_unchanged_words)
                for reference, gold in annotators:
                    matching = match_edits(extractor, gold, self.ignore_whitespace_casing)
                    edits = tuple(_counted_edits(block.source, matching))
                    source = " ".join(block.source)
                    counted.append(CountedPair(hypothesis, reference, source, corrected[reference], edits))
            sentences.append(counted)
        return sentences


def _corrected(number: int, block: Block) -> dict[int, str]:
    """Return the corrected text of each annotator of a sentence.

    Raises:
        EditError: An edit reaches outside the sentence.
    """
    try:
        return {a.annotator: applied(block.source, changing(a)) for a in annotations_of(block)}
    except EditError as error:
        raise EditError(f"references: sentence {number} (counted from 1): {error}") from None


def _counted_edits(source: Sequence[str], matching: Matching) -> list[CountedEdit]:
    edits = []
    for edit, matches in zip(matching.proposed, matching.matches, strict=True):
        type_ = matching.gold[matches[0]].type if matches else unmatched_type(source, edit)
        edits.append(CountedEdit(type_, TP if matches else FP, _alone(source, *edit)))
    right = {number for matches in matching.matches for number in matches}
    for number, gold in enumerate(matching.gold):
        if number not in right:
            edits.append(CountedEdit(gold.type, FN, _first_alone(source, gold)))
    return edits


def _first_alone(source: Sequence[str], gold: GoldEdit) -> str:
    return _alone(source, gold.start, gold.end, gold.corrections[0])


def _alone(source: Sequence[str], start: int, end: int, correction: Sequence[str]) -> str:
    """Return the source with one edit applied."""
    return " ".join([*source[:start], *correction, *source[end:]])
