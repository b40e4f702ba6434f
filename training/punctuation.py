"""Sentences as learners punctuate them, for a sentence splitter to learn from: stops left out, doubled, smiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from training.treebank import Treebank, TreebankSentence

_STOPS = frozenset(".!?。！？…")
_SMILES = ("😀", "😂", "👍", "❤️", ":)", ":-)", ":D", ":(", "<3", "xD")
_FORM, _MISC = 1, 9
_CLOSED = "SpaceAfter=No"


def with_loose_punctuation(treebank: Treebank, seed: int) -> Treebank:
    """Return a treebank whose sentences end and begin as learners' do; about a third stay as they are.

    A sentence loses its final stop, has it two or three times, has a smile in its place or no space behind it, or
    begins in lower case. Tokens and sentence boundaries stay known; tags and trees are not meant to be used.

    Args:
        treebank: The treebank.
        seed: What is drawn derives from it.
    """
    random = Random(seed)
    kinds = random.choices(list(_CHANGES), [c[0] for c in _CHANGES.values()], k=len(treebank.sentences))
    made = (_CHANGES[kind][1](s, random) for kind, s in zip(kinds, treebank.sentences, strict=True))
    return Treebank(treebank.name, tuple(made))


def _without_stop(sentence: TreebankSentence, _: Random) -> TreebankSentence:
    rows = sentence.rows
    if not _has_stop(sentence) or len(rows) < 2:
        return sentence
    before = rows[-2]
    misc = [part for part in before[_MISC].split("|") if part not in ("_", _CLOSED)]
    return replace(sentence, rows=(*rows[:-2], (*before[:_MISC], "|".join(misc) or "_")))


def _more_stops(sentence: TreebankSentence, random: Random) -> TreebankSentence:
    if not _has_stop(sentence):
        return sentence
    last = sentence.rows[-1]
    form = last[_FORM] * random.choice((2, 2, 3))
    return replace(sentence, rows=(*sentence.rows[:-1], (last[0], form, *last[2:])))


def _smile(sentence: TreebankSentence, random: Random) -> TreebankSentence:
    shorter = _without_stop(sentence, random)
    if shorter is sentence:
        return sentence
    last = sentence.rows[-1]
    return replace(shorter, rows=(*shorter.rows, (last[0], random.choice(_SMILES), *last[2:_MISC], "_")))


def _no_space(sentence: TreebankSentence, _: Random) -> TreebankSentence:
    if not _has_stop(sentence):
        return sentence
    last = sentence.rows[-1]
    return replace(sentence, rows=(*sentence.rows[:-1], (*last[:_MISC], _CLOSED)))


def _lower_case(sentence: TreebankSentence, _: Random) -> TreebankSentence:
    first, *rest = sentence.rows
    form = first[_FORM]
    return replace(sentence, rows=((first[0], form[:1].lower() + form[1:], *first[2:]), *rest))


def _unchanged(sentence: TreebankSentence, _: Random) -> TreebankSentence:
    return sentence


def _lower_case_without_stop(sentence: TreebankSentence, random: Random) -> TreebankSentence:
    """What is left to split by are words alone, so this is rare."""
    return _lower_case(_without_stop(sentence, random), random)


def _has_stop(sentence: TreebankSentence) -> bool:
    last = sentence.rows[-1]
    return last[_FORM] in _STOPS and not any("-" in row[0] for row in sentence.rows[-2:])


_CHANGES: dict[str, tuple[int, Callable[[TreebankSentence, Random], TreebankSentence]]] = {
    "none": (30, _unchanged),
    "no stop": (25, _without_stop),
    "more stops": (10, _more_stops),
    "smile": (10, _smile),
    "no space": (5, _no_space),
    "lower case": (17, _lower_case),
    "lower case, no stop": (3, _lower_case_without_stop),
}
"""How many of a hundred sentences get each change."""
