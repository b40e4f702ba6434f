"""The words that networks read, and what they say of them."""

from __future__ import annotations

from typing import NamedTuple


class Tags(NamedTuple):
    """The tags of a word; what there is none of is empty."""

    upos: str
    xpos: str
    feats: str


class Word(NamedTuple):
    """A word with its tags; what there is none of is empty."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str


class Arc(NamedTuple):
    """The head of a word, 0 for the root, and the relation to it."""

    head: int
    deprel: str
