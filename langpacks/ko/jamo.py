"""Hangul letter by letter, in one alphabet whatever the text is made of.

A syllable (한), its conjoining jamo (NFD) and compatibility jamo, as analysers write them for single letters (ㄴ),
all become compatibility jamo: ``letters("한") == "ㅎㅏㄴ"``. Clusters at the end of a syllable stay one letter. And
the sounds of letters, by which words that exist stand for others (재일 for 제일).
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

#: Letters that speakers of today no longer tell apart.
_MERGED = str.maketrans({"ㅐ": "ㅔ", "ㅒ": "ㅔ", "ㅖ": "ㅔ", "ㅙ": "ㅚ", "ㅞ": "ㅚ"})
#: What stands at the end of a syllable is spoken as one of seven sounds.
_FINALS = str.maketrans({
    "ㄲ": "ㄱ", "ㅋ": "ㄱ", "ㄳ": "ㄱ", "ㄺ": "ㄱ", "ㅅ": "ㄷ", "ㅆ": "ㄷ", "ㅈ": "ㄷ", "ㅊ": "ㄷ", "ㅌ": "ㄷ",
    "ㅍ": "ㅂ", "ㅄ": "ㅂ", "ㄿ": "ㅂ", "ㄵ": "ㄴ", "ㄶ": "ㄴ", "ㅀ": "ㄹ", "ㄼ": "ㄹ", "ㄽ": "ㄹ", "ㄾ": "ㄹ",
    "ㄻ": "ㅁ",
})  # fmt: skip
#: Two letters at the end of a syllable, of which the second is spoken with the vowel that follows.
_CLUSTERS = {
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ", "ㄾ": "ㄹㅌ", "ㄿ": "ㄹㅍ",
    "ㅄ": "ㅂㅅ", "ㄶ": "ㄴ", "ㅀ": "ㄹ", "ㅎ": "",
}  # fmt: skip
_LINKED = re.compile(f"(?<=[{VOWELS}])([^{VOWELS}ㅇ])ㅇ(?=[{VOWELS}])")
_FINAL = re.compile(f"(?<=[{VOWELS}])([^{VOWELS}])(?![{VOWELS}])")
#: Letters that learners take for each other, each group by itself.
_CONFUSED = "ㄱㄲㅋ ㄷㄸㅌ ㅂㅃㅍㅄ ㅅㅆ ㅈㅉㅊ ㅓㅗ ㅡㅜ ㅓㅡ ㅐㅔ ㄴㅇ ㄴㄶ ㄹㅀ".split()  # noqa: SIM905
_SHORTEST = 2


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


@lru_cache(maxsize=20_000)
def sound(form: str) -> str:
    """Return the letters of a form as they are spoken: finals linked and neutralised, merged vowels one."""
    text = _LINKED.sub(lambda m: _CLUSTERS.get(m[1], m[1]) or "ㅇ", letters(form))
    return _FINAL.sub(lambda m: m[1].translate(_FINALS), text).translate(_MERGED)


def sound_alike(form: str, other: str) -> bool:
    """Whether two forms are spoken alike; they begin with the same letter and have as many syllables then."""
    return len(form) == len(other) and initial(form) == initial(other) and sound(form) == sound(other)


def is_real_word_slip(content: str, right: str, same_class: bool) -> bool:
    """Whether a word that exists is a slip for another one.

    Words that sound alike always are, of two syllables or of another class. Words of different classes are, too, if
    one letter was taken for one of its neighbours in sound; of one class they are rather another choice of word.

    Args:
        content, right: The contents of two eojeols, both known.
        same_class: Whether they are of the same class.
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
