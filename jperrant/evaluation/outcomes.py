"""Whether each edit of a system was right, needless or wrong, and which edits of the reference it missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from jperrant.core.values import Edit


class Outcome(StrEnum):
    """What became of an edit.

    Attributes:
        RIGHT: The reference has the same span and correction; ERRANT's true positive.
        WRONG: The reference corrects this place otherwise; one of ERRANT's false positives.
        NEEDLESS: The reference changes nothing here; the other kind of false positive.
        MISSED: An edit of the reference that the system does not have; ERRANT's false negative.
    """

    RIGHT = "right"
    WRONG = "wrong"
    NEEDLESS = "needless"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class JudgedEdits:
    """The edits of a system beside those of a reference.

    Attributes:
        outcomes: Of each edit of the system; None for one that only marks an error.
        missed: The positions of the reference's edits that the system does not have.
    """

    outcomes: tuple[Outcome | None, ...]
    missed: tuple[int, ...]


def judge(edits: Sequence[Edit], reference: Sequence[Edit]) -> JudgedEdits:
    """Return the outcomes of a system's edits by one reference.

    Edits that only mark an error count on neither side.

    >>> a, b = Edit(0, 1, ("A",), "R:DET"), Edit(3, 4, ("is",), "R:VERB")
    >>> judge([a, Edit(3, 4, ("was",), "R:VERB")], [a, b])
    JudgedEdits(outcomes=(<Outcome.RIGHT: 'right'>, <Outcome.WRONG: 'wrong'>), missed=(1,))
    """
    correcting = [edit for edit in reference if not edit.is_detection]
    wanted = {edit_key(edit) for edit in correcting}
    proposed = {edit_key(edit) for edit in edits if not edit.is_detection}
    outcomes = tuple([_outcome(edit, correcting, wanted) for edit in edits])
    missed = [
        n for n, edit in enumerate(reference) if not edit.is_detection and edit_key(edit) not in proposed
    ]
    return JudgedEdits(outcomes, tuple(missed))


def edit_key(edit: Edit) -> tuple[object, ...]:
    """Return what two edits must share to be the same: span and correction."""
    return edit.start, edit.end, edit.correction, edit.alternatives


def share_place(first: Edit, second: Edit) -> bool:
    """Whether two edits are about the same place.

    They are if they share a token, insert at the same place, or one inserts inside the other.
    """
    if (first.start, first.end) == (second.start, second.end):
        return True
    if first.start == first.end:
        return second.start < first.start < second.end
    if second.start == second.end:
        return first.start < second.start < first.end
    return max(first.start, second.start) < min(first.end, second.end)


def _outcome(edit: Edit, reference: Sequence[Edit], wanted: set[tuple[object, ...]]) -> Outcome | None:
    if edit.is_detection:
        return None
    if edit_key(edit) in wanted:
        return Outcome.RIGHT
    if any(share_place(edit, other) for other in reference):
        return Outcome.WRONG
    return Outcome.NEEDLESS
