"""Words that exist but stand for others that sound, or are written, nearly like them (재일 for 제일)."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from jperrant.langpacks.ko.jamo import VOWELS, initial, letters

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
_CONFUSED = (
    "ㄱㄲㅋ",
    "ㄷㄸㅌ",
    "ㅂㅃㅍㅄ",
    "ㅅㅆ",
    "ㅈㅉㅊ",
    "ㅓㅗ",
    "ㅡㅜ",
    "ㅓㅡ",
    "ㅐㅔ",
    "ㄴㅇ",
    "ㄴㄶ",
    "ㄹㅀ",
)
_SHORTEST = 2


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
