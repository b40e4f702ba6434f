"""The hooks of the Chinese pack: conditions on sound and shape, word classes, and merging.

The taxonomy covers those of ChERRANT (Zhang et al. 2022) and of jp-errant's Chinese classifier. Word classes
follow the tags of UD Chinese-GSD, but closed lists of words take precedence, because some of these tags are
unusual: 但 and 所以 are subordinating conjunctions, like the adverbs 也 and 都; 因为 and 虽然 are prepositions;
是 is an auxiliary; measure words are nouns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext
from jperrant.langpacks.zh import han
from jperrant.langpacks.zh.merging import merge_characters, merge_words, moved

#: Closed classes, in which a look-alike is more likely another word than a misspelling (呢 for 吧).
_CLOSED = frozenset(("PRON", "DET", "NUM", "QUANT", "PREP", "CONJ", "AUX", "PART", "DE"))
_DE = frozenset("的地得")
MISSING = "[缺失成分]"
_ASPECT = frozenset("了着过")
_LINES = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").splitlines()
_LISTS = [(name, words.split()) for name, _, words in (line.partition(": ") for line in _LINES)]
#: The class of words that belong to only one.
_CERTAIN = {word: name for name, words in _LISTS for word in words if name.isupper()}


def _listed(wanted: str) -> frozenset[str]:
    return frozenset(word for name, words in _LISTS if name == wanted for word in words)


_CONNECTIVES, _TWO_FACED, _LOCALISERS = _listed("connectives"), _listed("two-faced"), _listed("localisers")
_LINKING = _listed("linking")
_MEASURES, _COVERBS, _TIME_UNITS = _listed("measures"), _listed("coverbs"), _listed("times")
#: Relations of units of time that are not used as measure words.
_TIMES = frozenset(("nmod", "obl"))
#: Relations of a preposition that is tagged as a verb: it accompanies another verb.
_BESIDE = frozenset(("advcl", "mark", "case"))
#: Word classes by UPOS or XPOS tag; PFA and PFN are prefixes (大, 新), SFN suffixes of nouns (长, 岛).
_CLASSES = {
    "NOUN": "NOUN", "PROPN": "NOUN", "VERB": "VERB", "ADJ": "ADJ", "ADV": "ADV", "PRON": "PRON", "DET": "DET",
    "NUM": "NUM", "ADP": "PREP", "CCONJ": "CONJ", "SCONJ": "CONJ", "AUX": "VERB", "PART": "PART", "PUNCT": "PUNCT",
    "PFA": "ADJ", "PFN": "NOUN", "SFN": "NOUN",
}  # fmt: skip


def _text(side: Sequence[Token]) -> str:
    return side[0].form if len(side) == 1 else "".join([token.form for token in side])


def _other_order(view: EditContext) -> bool:
    """Whether the tokens are the same in another order.

    At character level, another order of the characters of a single word does not count.
    """
    forms, others = [t.form for t in view.source], [t.form for t in view.target]
    if sorted(forms) == sorted(others):
        return words_of(view.target) > 1
    return len(forms) > 1 < len(others) and moved(tuple(forms), tuple(others))


def _punctuation(view: EditContext) -> bool:
    return han.is_punctuation(_text(view.source)) and han.is_punctuation(_text(view.target))


def _variant(view: EditContext) -> bool:
    """Whether the sides differ only in width, case, or traditional, Japanese or other variants of characters."""
    return not han.plain(_text(view.source)).isdisjoint(han.plain(_text(view.target)))


def _swapped(view: EditContext) -> bool:
    """Whether the sides are one word with its characters in another order."""
    source, target = _text(view.source), _text(view.target)
    return han.is_han(source) and sorted(source) == sorted(target) and words_of(view.target) == 1


def _spelt_alike(view: EditContext) -> bool:
    """Whether each character resembles the right one in sound or shape.

    A single character in place of one of the same closed class must sound like it.
    """
    source, target = _text(view.source), _text(view.target)
    sound, _, any_way = han.similarity(source, target)
    if not any_way:
        return words_of(view.target) == 1 and han.nearly_alike(source, target)
    if sound or len(source) > 1:
        return True
    shared = word_class(view, view.source[0])
    return shared not in _CLOSED or shared != word_class(view, view.target[0])


def _sounds_alike(view: EditContext) -> bool:
    return han.similarity(_text(view.source), _text(view.target))[0]


def _sounds_and_looks_alike(view: EditContext) -> bool:
    return han.similarity(_text(view.source), _text(view.target))[:2] == (True, True)


def _de(view: EditContext) -> bool:
    """Whether only 的, 地 and 得 replace each other, and one of them is a word of its own."""
    source, target = _text(view.source), _text(view.target)
    if len(source) != len(target) or source == target:
        return False
    if not all([a == b or (a in _DE and b in _DE) for a, b in zip(source, target, strict=True)]):
        return False
    return any([word_class(view, token) == "DE" for token in (*view.source, *view.target)])


def _edited_class(view: EditContext, token: Token) -> str:
    """Return the class of a token's word.

    If the source is a whole word and the target only part of one, it is the source's class.
    """
    if view.operation == "R" and not _is_word(view.target) and _is_word(view.source):
        return word_class(view, view.source[-1])
    return word_class(view, token)


def _is_word(side: Sequence[Token]) -> bool:
    return words_of(side) == 1 and _text(side) == word_of(side[0])


def _one_word(view: EditContext) -> bool:
    """Whether one word replaces one or two words; more is a rephrasing.

    At character level the words may have several characters.
    """
    return words_of(view.target) == 1 and words_of(view.source) <= 2


def _misspelt(source: str, target: str) -> bool:
    """Whether characters resemble the right ones, other than as variants or as 的, 地 and 得."""
    return (
        han.similarity(source, target)[2]
        and not _DE.issuperset(source + target)
        and han.plain(source).isdisjoint(han.plain(target))
    )


def word_class(view: EditContext, token: Token) -> str:
    """Return the class of a token's word; without tags, by its form alone.

    At character level, a token that is part of a longer word has the class of that word.
    """
    form, upos, xpos = token.form, token.upos, token.xpos
    if form == MISSING:
        return "MC"
    if upos == "PUNCT" or han.is_punctuation(form):
        return "PUNCT"
    word = han.simplified(word_of(token))
    if upos and word in _CERTAIN:
        return _CERTAIN[word]
    if word in _DE and (not upos or upos == "SCONJ" or (upos == "PART" and xpos != "AS")):
        return "DE"
    if word == "了" or (word in _ASPECT and upos != "VERB"):
        return "AUX"
    if upos == "VERB" and word in _COVERBS and view.deprel(token) in _BESIDE:
        return "PREP"
    if upos == "VERB" or xpos == "VC":
        return "VERB"
    if upos == "NOUN" and _measures(view, token, word):
        return "QUANT"
    if upos in ("ADP", "CCONJ", "SCONJ", "ADV"):
        return _connecting(word, upos, xpos)
    return _CLASSES.get(xpos) or _CLASSES.get(upos, "OTHER")


def word_of(token: Token) -> str:
    """Return the word of a token; at character level, the word that contains it."""
    form, lemma = token.form, token.lemma
    return lemma if len(form) == 1 and len(lemma) > 1 and form in lemma else form


def words_of(tokens: Sequence[Token]) -> int:
    """Return the number of words that neighbouring tokens belong to."""
    count, left = 0, ""
    for token in tokens:
        if left and left.startswith(token.form) and word_of(token) != token.form:
            left = left[len(token.form) :]
            continue
        word = word_of(token)
        count += 1
        left = word[word.find(token.form) + len(token.form) :] if word != token.form else ""
    return count


def _measures(view: EditContext, token: Token, word: str) -> bool:
    """Whether a noun is a measure word: 个, 本, 次; but not 年 in 我学了两年, which gives a time.

    The relation is tested only for units of time; for other measure words it is not reliable: GSD also has 个 in
    这个 as ``nmod``.
    """
    if token.xpos == "NNB":
        if word not in _TIME_UNITS:
            return True
        relation = view.deprel(token)
        return relation == "clf" or relation.partition(":")[0] not in _TIMES
    # Reading the relation requires a parse, so not every noun is tested.
    return (len(word) == 1 or word in _MEASURES) and view.deprel(token) == "clf"


def _connecting(word: str, upos: str, xpos: str) -> str:
    """Return the class of a word that GSD tags as a preposition, conjunction or adverb."""
    if upos == "ADV":
        return "CONJ" if word in _LINKING else "ADV"
    if upos == "ADP":
        linking = word in _CONNECTIVES and word not in _TWO_FACED
        return "CONJ" if linking else "NOUN" if word in _LOCALISERS else "PREP"
    if word in "来去":  # before another verb
        return "VERB"
    return "CONJ" if word in _CONNECTIVES or upos == "CCONJ" or xpos != "RB" else "ADV"


CONDITIONS: Mapping[str, Callable[[EditContext], bool]] = {
    condition.__name__.strip("_").replace("_", " "): condition
    for condition in (
        _other_order, _punctuation, _variant, _swapped, _de, _spelt_alike, _sounds_alike, _sounds_and_looks_alike,
        _one_word,
    )
}  # fmt: skip
PROPERTIES: Mapping[str, Callable[[EditContext, Token], str]] = {
    "class": word_class,
    "edited_class": _edited_class,
}
MERGE = merge_words
MERGE_CHARACTERS = merge_characters
CHARACTER_COST = han.character_cost
MISSPELT = _misspelt
