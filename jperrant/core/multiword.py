"""The analysis of a multi-word token (``del``: ``de``, ``il``) from those of its words.

Where the words spell the token they are tokens. Else it is one, which takes lemma, tags and place in the tree from
one word, its head, and features from all of them, so that rules see the article's gender in ``nel`` → ``nella``.
"""

from __future__ import annotations

from collections.abc import Sequence

#: Classes whose words carry the meaning of a token: a Hebrew noun with its prefixes is a noun, while a contracted
#: preposition and article (``zum``) are the preposition.
_OPEN = frozenset(["ADJ", "ADV", "NOUN", "NUM", "PROPN", "VERB"])
_VERBAL = frozenset(["AUX", "VERB"])
#: What a pronoun agrees in with what it stands for. On another word it has a layer, as in Universal Dependencies.
_AGREEMENT = frozenset(["Gender", "Number", "Person"])


def are_tokens(form: str, words: Sequence[str]) -> bool:
    """Whether the words of a multi-word token are tokens of their own, because they spell it (``do``, ``n't``)."""
    return all(words) and "".join(words) == form


def head_word(upos: Sequence[str]) -> int:
    """Return the place of the word whose lemma, tags and relation a token takes, from 0.

    It is the first word of an open class, else the first. Tags alone decide, so that types do not depend on
    whether a sentence is parsed.

    Args:
        upos: The UPOS of the words, at least one.
    """
    return next((n for n, tag in enumerate(upos) if tag in _OPEN), 0)


def token_feats(upos: Sequence[str], feats: Sequence[str], token: str = "") -> str:
    """Return the features of a token: those of its head, and what the other words agree on.

    Gender, number and person of a pronoun at a verb or noun are told from those of the head by a layer:
    ``Gender[obj]`` at verbs, ``Gender[psor]`` at other words of open classes.

    >>> token_feats(["ADP", "DET"], ["", "Definite=Def|Gender=Masc"])
    'Definite=Def|Gender=Masc'
    >>> token_feats(["VERB", "PRON"], ["Number=Sing|VerbForm=Fin", "Gender=Fem|Number=Plur"])
    'Gender[obj]=Fem|Number=Sing|Number[obj]=Plur|VerbForm=Fin'

    Args:
        upos: The UPOS of the words.
        feats: Their FEATS as in CoNLL-U, empty for none.
        token: FEATS of the token itself, such as ``Typo=Yes``.
    """
    head = head_word(upos)
    others: dict[str, set[str]] = {}
    for number, (tag, each) in enumerate(zip(upos, feats, strict=True)):
        if number != head:
            for name, value in _features(each).items():
                others.setdefault(_layered(name, tag, upos[head]), set()).add(value)
    merged = {name: values.pop() for name, values in others.items() if len(values) == 1}
    merged |= _features(feats[head]) | _features(token)
    return "|".join(f"{name}={merged[name]}" for name in sorted(merged, key=str.lower))


def _layered(name: str, upos: str, head: str) -> str:
    if upos != "PRON" or name not in _AGREEMENT or head not in _OPEN | _VERBAL:
        return name
    return f"{name}[{'obj' if head in _VERBAL else 'psor'}]"


def _features(feats: str) -> dict[str, str]:
    pairs = (feature.partition("=") for feature in feats.split("|") if "=" in feature)
    return {name: value for name, _, value in pairs}


def token_arcs(heads: Sequence[int], upos: Sequence[str], sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the head of each token of a parsed sentence, and the word whose relation it takes.

    A token hangs by the word that is nearest to the root, of several its head word. So there is never a cycle: each
    token's head is nearer to the root than the token.

    Args:
        heads: The heads of the words, from 1, 0 for a root; without cycles.
        upos: The UPOS of the words.
        sizes: How many words each token has.

    Returns:
        For each token its head's number from 1, 0 for a root, and the place of the word, from 0.
    """
    owner = [number for number, size in enumerate(sizes, start=1) for _ in range(size)]
    depths = _depths(heads)
    arcs, start = [], 0
    for size in sizes:
        first = start + head_word(upos[start : start + size])
        word = min(range(start, start + size), key=lambda n: (depths[n], n != first, n))
        arcs.append((owner[heads[word] - 1] if heads[word] else 0, word))
        start += size
    return arcs


def _depths(heads: Sequence[int]) -> list[int]:
    """Return how far each word is from its root."""
    depths = [0] * len(heads)
    for number in range(len(heads)):
        path, word = [], number
        while not depths[word]:
            path.append(word)
            if not heads[word]:
                break
            word = heads[word] - 1
        above = depths[word]
        for depth, each in enumerate(reversed(path), start=above + 1):
            depths[each] = depth
    return depths
