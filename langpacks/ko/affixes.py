"""The forms of Korean morphemes: particles and endings, their allomorphs, and contractions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from jperrant.langpacks.ko.jamo import VOWELS, is_syllables, letters

_DATA = Path(__file__).parent / "data"


def _words(name: str) -> list[str]:
    """Read the words of a data file of the pack, without comments."""
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


def pairs(name: str) -> dict[str, str]:
    """Read a data file of word pairs into a mapping from the first word to the second."""
    words = _words(name)
    return dict(zip(words[::2], words[1::2], strict=True))


#: Particles in their written forms; several may follow each other (에서는).
PARTICLES = frozenset(_words("particles.txt"))
_SUFFIXES_BY_LENGTH = sorted((p for p in PARTICLES if is_syllables(p)), key=len, reverse=True)


@lru_cache(maxsize=20_000)
def normal_ending(text: str) -> str:
    """Return the letters of an ending, with one form for all its allomorphs.

    Allomorphs are due to vowel harmony (아 여 어), also in the past tense (았 였 ㅆ 었), and to the preceding
    letter: a consonant (으면, 습니다, 는다) or a vowel (면, ㅂ니다, ㄴ다). 는 and ㄴ remain distinct: they are
    different endings of verbs.
    """
    text = letters(text)
    if text.startswith(("ㅇㅏ", "ㅇㅕ")) and text[2:3] not in ("", *"ㄴㅁㄹㅂㅎ"):
        text = f"ㅇㅓ{text[2:]}"
    elif text in ("ㅇㅏ", "ㅇㅕ"):
        text = "ㅇㅓ"
    if text.startswith("ㅆ"):
        text = f"ㅇㅓ{text}"
    for after_consonant, longer_than in (("ㅇㅡ", 2), ("ㅅㅡㅂ", 0), ("ㄴㅡㄴㄷㅏ", 0)):
        if text.startswith(after_consonant) and len(text) > longer_than:
            text = text[2:]
    return text


def join_endings(morphemes: list[str]) -> str:
    """Join endings into one normal form, however they are segmented into morphemes."""
    joined = "".join([normal_ending(m) for m in morphemes])
    for pattern, short in _JOINED:
        joined = joined.replace(pattern, short)
    # 되요 for 돼요, and analysers that give 가+요 for 가요
    return "ㅇㅓㅇㅛ" if joined == "ㅇㅛ" else joined


#: Honorific 시 with an ending (시어요 and 셔요 become 세요, 시었 becomes 셨), and 이에요 as 이어요.
_JOINED = (
    ("ㅅㅣㅇㅓㅇㅛ", "ㅅㅔㅇㅛ"), ("ㅅㅕㅇㅛ", "ㅅㅔㅇㅛ"), ("ㅅㅣㅇㅓ", "ㅅㅕ"), ("ㅇㅣㅇㅔㅇㅛ", "ㅇㅣㅇㅓㅇㅛ"),
    ("ㅇㅖㅇㅛ", "ㅇㅣㅇㅓㅇㅛ"), ("ㅇㅕㅆ", "ㅇㅣㅇㅓㅆ"), ("ㅈㅣㅇㅛ", "ㅈㅛ"),
)  # fmt: skip
_KNOWN_ENDINGS = frozenset(normal_ending(e) for e in _words("endings.txt"))


def is_ending(text: str) -> bool:
    """Whether a morpheme is a known ending, alone or before 요."""
    normal = normal_ending(text)
    return normal in _KNOWN_ENDINGS or (normal.endswith("ㅇㅛ") and normal[:-2] in _KNOWN_ENDINGS)


@lru_cache(maxsize=5_000)
def are_particles(text: str) -> bool:
    """Whether a text is a sequence of known particles, which may be empty."""
    if not text or text in PARTICLES:
        return True
    return any([text.endswith(p) and are_particles(text[: -len(p)]) for p in _SUFFIXES_BY_LENGTH])


def particle_suffixes(text: str) -> list[str]:
    """Return the sequences of particles that a text ends in, longest first, without the text itself."""
    return [text[n:] for n in range(1, len(text)) if are_particles(text[n:])]


def _changes(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Read a data file of letter changes: a pattern, in which V is any vowel, and its replacement."""
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    rows = [line.partition("\t") for line in lines if not line.startswith("#")]
    return tuple([(re.compile(pattern.replace("V", VOWELS)), becomes) for pattern, _, becomes in rows])


_CONTRACTIONS = _changes("contractions.txt")
_INFLECTIONS, _ENDING_SLIPS = _changes("inflections.txt"), _changes("ending_slips.txt")
#: Short forms of words, by the long form.
SHORT_WORDS = pairs("short_words.txt")


def is_wrong_inflection(form: str, right: str) -> bool:
    """Whether a form lacks one of the changes of a correct inflection (덥어요 for 더워요)."""
    return _mends(form, right, _INFLECTIONS)


def has_misspelt_ending(form: str, right: str) -> bool:
    """Whether a form has a common misspelling of the right form's ending (할께요 for 할게요)."""
    return _mends(form, right, _ENDING_SLIPS)


def _mends(form: str, right: str, rules: Iterable[tuple[re.Pattern[str], str]]) -> bool:
    text, wanted = letters(form), contracted(right)
    if text[:1] != wanted[:1]:
        return False
    return any(
        [contracted(contraction) == wanted for p, new in rules if (contraction := p.sub(new, text)) != text]
    )


@lru_cache(maxsize=20_000)
def contracted(form: str) -> str:
    """Return the letters of a word with all optional contractions applied, equal for all its spellings."""
    text = letters(form)
    for pattern, short in _CONTRACTIONS:
        text = pattern.sub(short, text)
    return text


_TOPIC_OBJECT = {"은": "ㄴ", "는": "ㄴ", "을": "ㄹ", "를": "ㄹ"}
_FULL = ("은", "는", "을", "를")


def shortened_particle(form: str, other: str, particle: str, other_particle: str) -> bool:
    """Whether two forms of a noun differ only in a contracted topic or object particle (저는, 전)."""
    if _last_short(particle) != _last_short(other_particle):
        return False
    return form.endswith(_FULL) != other.endswith(_FULL)


def _last_short(particle: str) -> str:
    return particle[:-1] + _TOPIC_OBJECT.get(particle[-1:], particle[-1:])
