"""Which words can have a relation, as Universal Dependencies define them: an auxiliary is tagged AUX.

The parser of a pack keeps to it, so that rules that ask for such a relation know the answer for other words without
a parse. Source: https://universaldependencies.org/u/dep and UD's validator, level 3; more classes are allowed here
where treebanks of English, Chinese and Korean have them more than a few times.
"""

from __future__ import annotations

_EVERY = frozenset(
    ["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
     "SYM", "VERB", "X"]
)  # fmt: skip
_CLASSES = {
    "aux": frozenset(["AUX"]),
    "punct": frozenset(["NUM", "PUNCT", "SYM", "X"]),
    "det": frozenset(["DET", "NUM", "PRON", "X"]),
    "case": _EVERY - {"AUX", "DET", "INTJ", "NOUN", "NUM", "PRON", "PROPN", "PUNCT", "SCONJ"},
    "advmod": _EVERY - {"AUX", "NOUN", "PRON", "PROPN", "PUNCT", "SCONJ", "VERB"},
    "amod": _EVERY - {"ADP", "AUX", "DET", "INTJ", "PART", "PRON", "PUNCT"},
    "compound:prt": frozenset(["ADP", "ADV", "ADJ", "NOUN", "PART", "SCONJ", "VERB", "X"]),
}


def may_have(relation: str, upos: str) -> bool:
    """Whether words of a class can have a relation; True where nothing is known of the class.

    Args:
        relation: A relation of Universal Dependencies, with its subtype if it has one.
        upos: A universal part-of-speech tag.
    """
    classes = _CLASSES.get(relation) or _CLASSES.get(relation.partition(":")[0])
    return classes is None or upos in classes or upos not in _EVERY
