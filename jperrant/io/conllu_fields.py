"""The tags of a CoNLL-U word checked: what is not in the format would spoil error types without a word.

https://universaldependencies.org/format.html names the columns; UPOS are those of Universal Dependencies 2. FEATS
are read as they are written, also unsorted and in a treebank's own names, as long as each is a name and a value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jperrant.core.errors import nearest
from jperrant.core.m2_format import shorten
from jperrant.core.values import UPOS

_LEMMA, _UPOS, _XPOS, _FEATS, _HEAD, _DEPREL = 2, 3, 4, 5, 6, 7
_NONE = "_"
_FEATURE = re.compile(r"[A-Za-z][A-Za-z0-9]*(\[[A-Za-z0-9]+\])?=[^=|\s]+")


def field_problem(columns: Sequence[str]) -> str:
    """Return what is wrong with the tags, features and relation of a word; empty if nothing is.

    >>> field_problem("1 goes go VBZ VERB _ 0 root _ _".split())
    "UPOS 'VBZ' does not exist; the columns UPOS (4) and XPOS (5) seem to be swapped"

    Args:
        columns: The ten columns of the word.
    """
    return _upos_problem(columns) or _feats_problem(columns) or _deprel_problem(columns)


def _upos_problem(columns: Sequence[str]) -> str:
    upos = columns[_UPOS]
    if upos == _NONE or upos in UPOS:
        return ""
    found = f"unknown UPOS {shorten(upos)}"
    for name, column in (("LEMMA (3)", _LEMMA), ("XPOS (5)", _XPOS), ("FEATS (6)", _FEATS)):
        if columns[column] in UPOS:
            return f"{found}; the columns UPOS (4) and {name} seem to be swapped"
    hint = " (it is CCONJ since UD 2)" if upos == "CONJ" else nearest(upos.upper(), sorted(UPOS))
    return f"{found}{hint}; expected one of {', '.join(sorted(UPOS))}, or _ for none"


def _feats_problem(columns: Sequence[str]) -> str:
    feats = columns[_FEATS]
    if _are_features(columns[_XPOS]):
        return (
            f"found the features {shorten(columns[_XPOS])} as XPOS; the columns XPOS (5) and FEATS (6) seem "
            "to be swapped"
        )
    if feats == _NONE:
        return ""
    if not _are_features(feats):
        return f"found FEATS {shorten(feats)}, expected Name=Value|Name=Value, or _ for none"
    names = [feature.partition("=")[0] for feature in feats.split("|")]
    twice = next((name for name in names if names.count(name) > 1), "")
    return (
        f"FEATS {shorten(feats)} give {twice} twice; separate several values of one feature by commas"
        if twice
        else ""
    )


def _deprel_problem(columns: Sequence[str]) -> str:
    deprel, head = columns[_DEPREL], columns[_HEAD]
    if deprel.isdecimal():
        swapped = "" if head.isdecimal() else "; the columns HEAD (7) and DEPREL (8) seem to be swapped"
        return (
            f"found the number {shorten(deprel)} as "
            f"DEPREL{swapped or ', expected a relation such as nsubj, or _'}"
        )
    if not deprel or len(deprel.split()) != 1:
        return f"found DEPREL {shorten(deprel)}, expected a relation such as nsubj, or _"
    return ""


def _are_features(text: str) -> bool:
    return all(_FEATURE.fullmatch(feature) for feature in text.split("|"))
