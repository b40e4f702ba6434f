"""Hangul as letters (jamo): decomposition into one alphabet, similarity, and pronunciation.

Syllables (한), conjoining jamo (NFD) and compatibility jamo, which analysers use for single letters (ㄴ), all
become compatibility jamo: ``letters("한") == "ㅎㅏㄴ"``. A consonant cluster at the end of a syllable remains one
letter. The pronunciation shows which existing words are slips for others (재일 for 제일).
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

#: Vowels that most speakers today no longer distinguish.
_MERGED = str.maketrans({"ㅐ": "ㅔ", "ㅒ": "ㅔ", "ㅖ": "ㅔ", "ㅙ": "ㅚ", "ㅞ": "ㅚ"})
#: Final consonants to the seven sounds with which they are pronounced.
_FINALS = str.maketrans({
    "ㄲ": "ㄱ", "ㅋ": "ㄱ", "ㄳ": "ㄱ", "ㄺ": "ㄱ", "ㅅ": "ㄷ", "ㅆ": "ㄷ", "ㅈ": "ㄷ", "ㅊ": "ㄷ", "ㅌ": "ㄷ",
    "ㅍ": "ㅂ", "ㅄ": "ㅂ", "ㄿ": "ㅂ", "ㄵ": "ㄴ", "ㄶ": "ㄴ", "ㅀ": "ㄹ", "ㄼ": "ㄹ", "ㄽ": "ㄹ", "ㄾ": "ㄹ",
    "ㄻ": "ㅁ",
})  # fmt: skip
#: Final clusters, whose second letter is pronounced with a following vowel.
_CLUSTERS = {
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ", "ㄾ": "ㄹㅌ", "ㄿ": "ㄹㅍ",
    "ㅄ": "ㅂㅅ", "ㄶ": "ㄴ", "ㅀ": "ㄹ", "ㅎ": "",
}  # fmt: skip
_LINKED = re.compile(f"(?<=[{VOWELS}])([^{VOWELS}ㅇ])ㅇ(?=[{VOWELS}])")
_FINAL = re.compile(f"(?<=[{VOWELS}])([^{VOWELS}])(?![{VOWELS}])")
#: Groups of letters that learners confuse with each other.
_CONFUSED = "ㄱㄲㅋ ㄷㄸㅌ ㅂㅃㅍㅄ ㅅㅆ ㅈㅉㅊ ㅓㅗ ㅡㅜ ㅓㅡ ㅐㅔ ㄴㅇ ㄴㄶ ㄹㅀ".split()  # noqa: SIM905
_SHORTEST = 2


@lru_cache(maxsize=50_000)
def letters(text: str) -> str:
    """Decompose Hangul into letters; other characters are kept."""
    return "".join([_letters(c) for c in text])


def _letters(character: str) -> str:
    if _FIRST <= character <= _LAST:
        n = ord(character) - ord(_FIRST)
        vowel, final = divmod(n % _PER_INITIAL, _PER_VOWEL)
        return f"{INITIALS[n // _PER_INITIAL]}{VOWELS[vowel]}{FINALS[final]}"
    return _CONJOINING.get(ord(character), character)


def compose_letters(text: str) -> str:
    """Compose letters into syllables; letters that form no syllable are kept."""
    return _SYLLABLE.sub(_syllable, text)


def _syllable(match: re.Match[str]) -> str:
    initial, vowel, final = str(match[1]), str(match[2]), str(match[3] or "")
    n = INITIALS.index(initial) * _PER_INITIAL + VOWELS.index(vowel) * _PER_VOWEL + FINALS.index(final)
    return chr(ord(_FIRST) + n)


def similarity(text: str, other: str) -> float:
    """Return the normalised Levenshtein similarity of two texts by letters, in [0, 1]."""
    return Levenshtein.normalized_similarity(letters(text), letters(other))


def initial(text: str) -> int | str:
    """Return the number of the first syllable's initial, or the first character if it is no syllable."""
    first = text[:1]
    return (ord(first) - ord(_FIRST)) // _PER_INITIAL if _FIRST <= first <= _LAST else first


def ends_in_vowel(text: str) -> bool:
    """Whether the last letter of a text is a vowel."""
    return bool(text) and letters(text[-1])[-1] in VOWELS


def compose(text: str) -> str:
    """Return a text in NFC."""
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def is_syllables(text: str) -> bool:
    """Whether a text is one or more whole Hangul syllables."""
    return bool(text) and min(text) >= _FIRST and max(text) <= _LAST


@lru_cache(maxsize=20_000)
def sound(form: str) -> str:
    """Return the letters of a form as pronounced: finals linked or neutralised, and vowels merged."""
    text = _LINKED.sub(lambda m: _CLUSTERS.get(m[1], m[1]) or "ㅇ", letters(form))
    return _FINAL.sub(lambda m: m[1].translate(_FINALS), text).translate(_MERGED)


def sound_alike(form: str, other: str) -> bool:
    """Whether two forms of equal length and with the same initial are pronounced alike."""
    return len(form) == len(other) and initial(form) == initial(other) and sound(form) == sound(other)


def is_real_word_slip(content: str, right: str, same_class: bool) -> bool:
    """Whether an existing word is a slip for another one.

    It is if the two sound alike; words of the same class must then have at least two syllables. Words of
    different classes also count if they differ in one letter that learners confuse; within a class, such a
    difference is more likely a choice of word.

    Args:
        content, right: The contents of two eojeols, which both exist.
        same_class: Whether the two have the same word class.
    """
    if content == right or len(content) != len(right) or (same_class and len(content) < _SHORTEST):
        return False
    if sound_alike(content, right):
        return True
    return not same_class and _is_one_confused(letters(content), letters(right))


def _is_one_confused(text: str, other: str) -> bool:
    if len(text) != len(other) or Levenshtein.distance(text, other, score_cutoff=1) != 1:
        return False
    a, b = next((a, b) for a, b in zip(text, other, strict=True) if a != b)
    return any([a in group and b in group for group in _CONFUSED])
