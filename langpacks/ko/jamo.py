"""Hangul letter by letter, in one alphabet whatever the text is made of.

A syllable (한), its conjoining jamo (NFD) and compatibility jamo, as analysers write them for single letters (ㄴ),
all become compatibility jamo: ``letters("한") == "ㅎㅏㄴ"``. Clusters at the end of a syllable stay one letter.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
_FIRST, _LAST = "가", "힣"
_PER_INITIAL, _PER_VOWEL = 588, 28
_SYLLABLE = re.compile(f"([{INITIALS}])([{VOWELS}])([{''.join(FINALS)}](?![{VOWELS}]))?")
#: Conjoining jamo of modern Hangul.
_CONJOINING: dict[int, str] = {
    **{0x1100 + n: letter for n, letter in enumerate(INITIALS)},
    **{0x1161 + n: letter for n, letter in enumerate(VOWELS)},
    **{0x11A7 + n: letter for n, letter in enumerate(FINALS) if n},
}


@lru_cache(maxsize=50_000)
def letters(text: str) -> str:
    """Return a text with its Hangul taken apart; other characters stay."""
    return "".join([_letters(c) for c in text])


def _letters(character: str) -> str:
    if _FIRST <= character <= _LAST:
        n = ord(character) - ord(_FIRST)
        vowel, final = divmod(n % _PER_INITIAL, _PER_VOWEL)
        return f"{INITIALS[n // _PER_INITIAL]}{VOWELS[vowel]}{FINALS[final]}"
    return _CONJOINING.get(ord(character), character)


def compose_letters(text: str) -> str:
    """Return letters put together into syllables; what makes no syllable stays as it is."""
    return _SYLLABLE.sub(_syllable, text)


def _syllable(match: re.Match[str]) -> str:
    initial, vowel, final = str(match[1]), str(match[2]), str(match[3] or "")
    n = INITIALS.index(initial) * _PER_INITIAL + VOWELS.index(vowel) * _PER_VOWEL + FINALS.index(final)
    return chr(ord(_FIRST) + n)


def similarity(text: str, other: str) -> float:
    """Return the Levenshtein similarity of two texts by letters, in [0, 1]."""
    return Levenshtein.normalized_similarity(letters(text), letters(other))


def initial(text: str) -> int | str:
    """Return what tells the first letter of a text: a syllable's initial by number, any other character itself."""
    first = text[:1]
    return (ord(first) - ord(_FIRST)) // _PER_INITIAL if _FIRST <= first <= _LAST else first


def ends_in_vowel(text: str) -> bool:
    """Whether the last letter of a text is a vowel."""
    return bool(text) and letters(text[-1])[-1] in VOWELS


def compose(text: str) -> str:
    """Return a text in NFC; what is composed already comes back as it is."""
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def is_syllables(text: str) -> bool:
    """Whether a text is one or more whole Hangul syllables."""
    return bool(text) and min(text) >= _FIRST and max(text) <= _LAST
