"""What the Chinese pack cannot say in YAML: sound and shape, word classes, and how operations merge.

The taxonomy covers those of ChERRANT (Zhang et al. 2022) and of jp-errant's Chinese classifier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext
from jperrant.langpacks.zh.characters import character_cost, is_han, is_punctuation, plain, similarity
from jperrant.langpacks.zh.classes import word_class, word_of, words_of
from jperrant.langpacks.zh.merging import merge_characters, merge_words, moved

#: Classes with few members, where a look-alike is rather another word than a slip of the pen (呢 for 吧).
_CLOSED = frozenset(("PRON", "DET", "NUM", "QUANT", "PREP", "CONJ", "AUX", "PART", "DE"))
_DE = frozenset("的地得")


def _text(side: Sequence[Token]) -> str:
    return side[0].form if len(side) == 1 else "".join([token.form for token in side])


def _other_order(view: EditContext) -> bool:
    """The same tokens in another order; at character level the characters of one word are not such tokens."""
    forms, others = [t.form for t in view.source], [t.form for t in view.target]
    if len(forms) > 1 and len(others) > 1:
        if sorted(forms) == sorted(others):
            return words_of(view.target) > 1
        return moved(tuple(forms), tuple(others))
    return False


def _punctuation(view: EditContext) -> bool:
    return is_punctuation(_text(view.source)) and is_punctuation(_text(view.target))


def _variant(view: EditContext) -> bool:
    """The same but for width, case, and traditional, Japanese or other variants of characters."""
    return not plain(_text(view.source)).isdisjoint(plain(_text(view.target)))


def _swapped(view: EditContext) -> bool:
    """The characters of one word in another order."""
    source, target = _text(view.source), _text(view.target)
    return (
        len(source) == len(target)
        and is_han(source)
        and is_han(target)
        and words_of(view.target) == 1
        and sorted(source) == sorted(target)
    )


def _spelt_alike(view: EditContext) -> bool:
    """Every character is like the one it should be; one character of a closed class must sound like it."""
    source, target = _text(view.source), _text(view.target)
    sound, _, any_way = similarity(source, target)
    if not any_way or sound or len(source) > 1:
        return any_way
    shared = word_class(view, view.source[0])
    return shared not in _CLOSED or shared != word_class(view, view.target[0])


def _sounds_alike(view: EditContext) -> bool:
    return similarity(_text(view.source), _text(view.target))[0]


def _sounds_and_looks_alike(view: EditContext) -> bool:
    return similarity(_text(view.source), _text(view.target))[:2] == (True, True)


def _de(view: EditContext) -> bool:
    """Only 的, 地 and 得 stand for each other, one of them as a word of its own."""
    source, target = _text(view.source), _text(view.target)
    if len(source) != len(target) or source == target:
        return False
    if not all([a == b or (a in _DE and b in _DE) for a, b in zip(source, target, strict=True)]):
        return False
    return any([word_class(view, token) == "DE" for token in (*view.source, *view.target)])


def _edited_class(view: EditContext, token: Token) -> str:
    """Return the class of a token's word; of the source's, if that is a word and the target part of one."""
    if view.operation == "R" and not _is_word(view.target) and _is_word(view.source):
        return word_class(view, view.source[-1])
    return word_class(view, token)


def _is_word(side: Sequence[Token]) -> bool:
    return words_of(side) == 1 and _text(side) == word_of(side[0])


def _one_word(view: EditContext) -> bool:
    """One word for one word; at character level it may have several characters."""
    return words_of(view.source) == 1 and words_of(view.target) == 1


def _misspelt(source: str, target: str) -> bool:
    """Whether characters are like those they stand for; a variant or another 的, 地 or 得 breaks no word."""
    return (
        similarity(source, target)[2]
        and not _DE.issuperset(source + target)
        and plain(source).isdisjoint(plain(target))
    )


CONDITIONS: Mapping[str, Callable[[EditContext], bool]] = {
    "other order": _other_order,
    "punctuation": _punctuation,
    "variant": _variant,
    "swapped": _swapped,
    "de": _de,
    "spelt alike": _spelt_alike,
    "sounds alike": _sounds_alike,
    "sounds and looks alike": _sounds_and_looks_alike,
    "one word": _one_word,
}
PROPERTIES: Mapping[str, Callable[[EditContext, Token], str]] = {
    "class": word_class,
    "edited_class": _edited_class,
}
MERGE = merge_words
MERGE_CHARACTERS = merge_characters
CHARACTER_COST = character_cost
MISSPELT = _misspelt
