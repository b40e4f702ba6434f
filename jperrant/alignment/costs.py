"""What aligning two tokens costs: a value that each language pack fills in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AlignmentCosts:
    """Costs of the linguistically enhanced Damerau-Levenshtein alignment.

    Source: Felice, Bryant and Briscoe 2016, section 3, with the constants of ERRANT 3. A substitution costs
    ``(lemma + class) + characters``, where characters is the normalised Indel distance of the forms, in
    [0, 1]; with the constants given here that is always less than a deletion and an insertion together.

    Attributes:
        insertion, deletion: Cost of one token on one side only; positive.
        lemma: Cost of different lemmas.
        open_class: Cost of different UPOS tags that are both in ``open_classes``.
        other_class: Cost of any other different UPOS tags.
        open_classes: UPOS tags of content words.
        ignore_case: Forms that differ only in case cost nothing to substitute.
    """

    insertion: float = 1.0
    deletion: float = 1.0
    lemma: float = 0.499
    open_class: float = 0.25
    other_class: float = 0.5
    open_classes: frozenset[str] = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
    ignore_case: bool = True


ERRANT_COSTS = AlignmentCosts()
