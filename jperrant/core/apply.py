"""Applying the edits of an annotation to its source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jperrant.core.errors import EditError, FormatError
from jperrant.core.messages import plural
from jperrant.core.values import Edit


def apply_edits(source: Sequence[str], edits: Iterable[Edit]) -> tuple[str, ...]:
    """Return the corrected tokens.

    Edits are applied by ``(start, end)``, those at one place in the order given, so that an insertion at a
    position comes before a replacement that begins there. Detection edits change nothing.

    Raises:
        EditError: An edit reaches outside the source, or two edits overlap.
    """
    corrected: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.is_detection or edit.correction is None:
            continue
        if not 0 <= edit.start <= edit.end <= len(source):
            raise EditError(
                f"edit {edit.start} {edit.end} reaches outside the sentence of {plural(len(source), 'token')}"
            )
        if edit.start < position:
            raise EditError(
                f"edit {edit.start} {edit.end} ({edit.type}) overlaps the edit before it, which ends at {position}"
            )
        corrected += source[position : edit.start]
        corrected += edit.correction
        position = edit.end
    corrected += source[position:]
    return tuple(corrected)


def corrected(
    source: Sequence[str], edits: Iterable[Edit], file: str, number: int, annotator: int
) -> tuple[str, ...]:
    """Return the corrected tokens of sentence ``number`` (counted from 1) of a file.

    Raises:
        FormatError: The edits cannot be applied; names file, sentence and annotator.
    """
    try:
        return apply_edits(source, edits)
    except EditError as error:
        raise FormatError(
            file, None, f"sentence {number}, annotator {annotator}: {error}; "
            "run 'jperrant m2 check' to list all such lines"
        ) from None  # fmt: skip
