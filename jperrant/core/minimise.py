"""Edits given rather than found: cut down to what they change, and placed in the corrected text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jperrant.core.values import Edit, Span


def minimise(edit: Edit, source: Sequence[str]) -> Edit:
    """Return the edit without the tokens it leaves alone: equal leading ones first, then equal trailing ones.

    Tokens count as equal by their exact form, as in ERRANT; where there are alternative corrections, by that
    of all of them. What is left of an edit that changes nothing is empty on both sides. Detection edits stay.
    """
    if edit.is_detection or edit.correction is None:
        return edit
    sides = [tuple(source[edit.start : edit.end]), edit.correction, *edit.alternatives]
    first = _shared(sides)
    sides = [side[first:] for side in sides]
    last = _shared([side[::-1] for side in sides])
    _, correction, *alternatives = [side[: len(side) - last] for side in sides]
    return replace(
        edit,
        start=edit.start + first,
        end=edit.end - last,
        correction=correction,
        alternatives=tuple(alternatives),
    )


def place(edits: Iterable[Edit]) -> tuple[Span, ...]:
    """Return where each edit stands in the source and in the corrected text.

    Args:
        edits: Edits that can be applied, in text order, none of them a detection edit.
    """
    spans, shift = [], 0
    for edit in edits:
        length = len(edit.correction or ())
        start = edit.start + shift
        spans.append(Span(edit.start, edit.end, start, start + length))
        shift += length - (edit.end - edit.start)
    return tuple(spans)


def _shared(sides: Sequence[Sequence[str]]) -> int:
    """Return how many leading tokens all sides share."""
    count = 0
    for tokens in zip(*sides, strict=False):
        if any(token != tokens[0] for token in tokens):
            break
        count += 1
    return count
