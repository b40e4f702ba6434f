"""What MaxMatch counts in one sentence against one reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jperrant.evaluation.metrics.maxmatch.extraction import (
    Extractor,
    Proposed,
    changes_more_than_case,
    match_gold,
)
from jperrant.evaluation.metrics.maxmatch.gold import GoldEdit


@dataclass(frozen=True, slots=True)
class Matching:
    """The edits of a hypothesis beside those of one reference.

    Attributes:
        proposed: The edits of the hypothesis, in the order of the text.
        gold: The edits of the reference, in the order of the file.
        matches: For each proposed edit the indices of the gold edits it equals: none, one, or as many as the
            reference has the same edit.
    """

    proposed: tuple[Proposed, ...]
    gold: tuple[GoldEdit, ...]
    matches: tuple[tuple[int, ...], ...]

    @property
    def correct(self) -> int:
        """How many gold edits are proposed."""
        return sum(len(numbers) for numbers in self.matches)

    @property
    def repeated(self) -> bool:
        """Whether a proposed edit equals several gold edits and so counts several times."""
        return any(len(numbers) > 1 for numbers in self.matches)


def match_edits(
    extractor: Extractor, gold: Sequence[GoldEdit], ignore_whitespace_casing: bool = False
) -> Matching:
    """Return the edits of a hypothesis that agree best with one reference, and what they match.

    Args:
        extractor: The source and the hypothesis.
        gold: The edits of the reference.
        ignore_whitespace_casing: Leave out proposed edits that change only case and white space. Gold edits
            stay, so that a right one of them is missed, as in the published scorer.
    """
    proposed = extractor.edits(gold)
    if ignore_whitespace_casing:
        proposed = [edit for edit in proposed if changes_more_than_case(extractor.source, edit)]
    return Matching(tuple(proposed), tuple(gold), tuple(match_gold(proposed, gold)))
