"""An edit in words, for people."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.core.values import Edit
from jperrant.core.visible import NOTHING


def edit_words(source: Sequence[str], edit: Edit) -> str:
    """Return an edit in words: every correction it has, ``?`` where it only marks an error.

    >>> edit_words(("He", "go"), Edit(1, 2, ("goes",), "R:VERB:SVA"))
    'go → goes'
    >>> edit_words(("He", "go"), Edit(2, 2, (".",), "M:PUNCT"))
    '∅ → .'
    >>> edit_words(("He", "go"), Edit(1, 2, ("goes",), "R:VERB", alternatives=(("went",), ())))
    'go → goes||went||∅'
    >>> edit_words(("He", "go"), Edit(1, 2, None, "UNK"))
    'go → ?'
    """
    before = " ".join(source[edit.start : edit.end]) or NOTHING
    if edit.correction is None:
        return f"{before} → ?"
    return f"{before} → {'||'.join([' '.join(c) or NOTHING for c in (edit.correction, *edit.alternatives)])}"
