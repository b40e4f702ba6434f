"""An edit in words, for people."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.core.values import Edit
from jperrant.core.visible import NOTHING


def edit_words(source: Sequence[str], edit: Edit) -> str:
    """Return an edit in words.

    >>> edit_words(("He", "go"), Edit(1, 2, ("goes",), "R:VERB:SVA"))
    'go → goes'
    >>> edit_words(("He", "go"), Edit(2, 2, (".",), "M:PUNCT"))
    '∅ → .'
    """
    before = " ".join(source[edit.start : edit.end]) or NOTHING
    return f"{before} → {' '.join(edit.correction or ()) or NOTHING}"
