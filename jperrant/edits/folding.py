"""Foldings: what two texts may differ in and still count as the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby

Fold = Callable[[str], str]

#: Marks that are written over, under or through a letter, by block; not vowel signs, which spell sounds of
#: their own, and not the marks of the Japanese syllabaries.
_MARKS = (
    range(0x0300, 0x0370),  # Latin, Greek, Cyrillic
    range(0x0483, 0x0488),
    range(0x0591, 0x05C8),  # Hebrew points
    range(0x0610, 0x061B),  # Arabic
    range(0x064B, 0x0660),
    range(0x0670, 0x0671),
    range(0x06D6, 0x06EE),
    range(0x1AB0, 0x1B00),
    range(0x1DC0, 0x1E00),
    range(0x20D0, 0x2100),
)
#: Accents that stand for themselves beside Latin, Greek and Cyrillic letters.
_ACCENTS = frozenset(map(chr, range(0x0300, 0x0370)))
#: Unicode's combining class of nuktas, the dots of Indic scripts that make another consonant of one.
_NUKTA = 7
#: Letters with a stroke and the like, which Unicode does not take apart.
_LETTERS = str.maketrans("łŁøØđĐħĦŧŦıɨƀɉ", "lLoOdDhHtTiibj")

#: Modifier letters that stand for an apostrophe, or are it (Ukrainian).
_APOSTROPHES = frozenset("ʻʼʽˈʹ")


@lru_cache(maxsize=50_000)
def without_diacritics(text: str) -> str:
    """Return a text with the plain letters for those with marks (``č`` → ``c``, ``ø`` → ``o``)."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    kept = "".join([c for c in parts if not _is_diacritic(c)])
    return unicodedata.normalize("NFC", kept).translate(_LETTERS)


def _is_diacritic(character: str) -> bool:
    if any(ord(character) in block for block in _MARKS):
        return True
    return unicodedata.combining(character) == _NUKTA


@lru_cache(maxsize=50_000)
def without_marks(text: str) -> str:
    """Return a text without its combining marks, vowel signs included (``कि`` → ``क``)."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join([c for c in parts if not is_mark(c)]))


def is_mark(character: str) -> bool:
    """Whether a character is a combining mark (Unicode's categories M)."""
    return unicodedata.category(character).startswith("M")


@lru_cache(maxsize=50_000)
def without_punctuation(text: str) -> str:
    """Return a text without its punctuation marks (Unicode's categories P, and apostrophes that are letters)."""
    if text.isalnum() and (text.isascii() or _APOSTROPHES.isdisjoint(text)):
        return text
    return "".join([c for c in text if not unicodedata.category(c).startswith("P") and c not in _APOSTROPHES])


def one_width(text: str) -> str:
    """Return a text with plain characters for full-width, half-width and other compatible ones (NFKC)."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=50_000)
def without_doubled(text: str) -> str:
    """Return a text with one letter for two or more of the same in a row (``nonno`` → ``nono``)."""
    return "".join([c for c, _ in groupby(text)])


def is_word(text: str) -> bool:
    """Whether a text is nothing but letters and the vowel signs and marks that belong to them.

    As ``str.isalpha``, which ERRANT asks, but for the signs of scripts that write vowels as marks (``किताब``).
    """
    return text.isalpha() or (
        not text.isascii()
        and any(map(str.isalpha, text))
        and all([c.isalpha() or (is_mark(c) and c not in _ACCENTS) for c in text])
    )


def is_punctuation(text: str) -> bool:
    """Whether a text is nothing but punctuation marks (Unicode's categories P)."""
    return not text.isalnum() and all([unicodedata.category(c).startswith("P") for c in text])


#: Foldings by name and what they leave out of a comparison. ``spaces`` is about the gaps between tokens.
FOLDINGS: dict[str, tuple[Fold, str]] = {
    "case": (str.lower, "upper and lower case"),
    "spaces": (str, "token boundaries"),
    "diacritics": (
        without_diacritics,
        "accents, dots, strokes and nuktas: `č` = `c`, `ø` = `o`, `ё` = `е`",
    ),
    "marks": (without_marks, "all combining marks (Unicode categories M), including vowel signs and points"),
    "width": (one_width, "full-width and half-width forms and other compatibility characters (NFKC)"),
    "punctuation": (
        without_punctuation,
        "punctuation marks (Unicode categories P), and the letter apostrophe `ʼ`",
    ),
    "doubled": (without_doubled, "repeated letters: `nn` = `n`"),
}


#: In this order, as one folding makes work for the next: the letters of ``Aa`` are the same without their case.
_ORDER = ("width", "case", "diacritics", "marks", "punctuation", "doubled")


def folding(names: Sequence[str]) -> Fold:
    """Return the function that does all of some foldings, in whichever order they are given.

    ``spaces`` is left to the caller.

    Args:
        names: Keys of ``FOLDINGS``.
    """
    folds = [FOLDINGS[name][0] for name in _ORDER if name in names]
    if not folds:
        return str
    if len(folds) == 1:
        return folds[0]

    def fold(text: str) -> str:
        for step in folds:
            text = step(text)
        return text

    return fold
