"""The forms of Korean morphemes: particles and endings, their allomorphs, and contractions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from jperrant.langpacks.ko.jamo import VOWELS, is_syllables, letters

_DATA = Path(__file__).parent / "data"


def _words(name: str) -> list[str]:
    """Return the words of a file of the pack, without its comments."""
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


#: Particles as they are written; several may follow each other (에서는).
PARTICLES = frozenset(_words("particles.txt"))
_SUFFIXES_BY_LENGTH = sorted((p for p in PARTICLES if is_syllables(p)), key=len, reverse=True)


@lru_cache(maxsize=20_000)
def normal_ending(text: str) -> str:
    """Return the letters of an ending with its allomorphs made one.

    Vowel harmony (아 여 어), the past tense (았 였 ㅆ 었), what stands after a consonant (으면, 습니다, 는다)
    and after a vowel (면, ㅂ니다, ㄴ다). 는 and ㄴ stay apart: they are different endings of verbs.
    """
    text = letters(text)
    if text.startswith(("ㅇㅏ", "ㅇㅕ")) and text[2:3] not in ("", *"ㄴㅁㄹㅂㅎ"):
        text = f"ㅇㅓ{text[2:]}"
    elif text in ("ㅇㅏ", "ㅇㅕ"):
        text = "ㅇㅓ"
    if text.startswith("ㅆ"):
        text = f"ㅇㅓ{text}"
    if text.startswith("ㅇㅡ") and len(text) > 2:
        text = text[2:]
    if text.startswith("ㅅㅡㅂ"):
        text = text[2:]
    if text.startswith("ㄴㅡㄴㄷㅏ"):
        text = text[2:]
    return text


def join_endings(morphemes: list[str]) -> str:
    """Return what a row of endings says, however it is cut into morphemes."""
    joined = "".join([normal_ending(m) for m in morphemes])
    for pattern, short in _JOINED:
        joined = joined.replace(pattern, short)
    # 되요 for 돼요, and analysers that give 가+요 for 가요
    return "ㅇㅓㅇㅛ" if joined == "ㅇㅛ" else joined


#: Honorific 시 with an ending: 시어요, 셔요 and 세요 are one, as are 시었 and 셨; 이에요 and 이어요.
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
    """Whether a text is a row of known particles; an empty one is."""
    if not text or text in PARTICLES:
        return True
    return any([text.endswith(p) and are_particles(text[: -len(p)]) for p in _SUFFIXES_BY_LENGTH])


def particle_suffixes(text: str) -> list[str]:
    """Return the rows of particles a text ends in, the longest first; none is the whole text."""
    return [text[n:] for n in range(1, len(text)) if are_particles(text[n:])]


#: Optional contractions inside a word, by letters. Obligatory ones (가아요 → 가요, 오아요 → 와요) are not here:
#: there the long form is a mistake.
_VOWELS = f"[{VOWELS}]"
_CONTRACTIONS = tuple(
    (re.compile(pattern), short)
    for pattern, short in (
        ("ㅁㅜㅇㅓㅅ", "ㅁㅝ"),
        ("ㅎㅏㅇㅕ", "ㅎㅐ"),
        ("ㅅㅣㅇㅓㅇㅛ$|ㅅㅕㅇㅛ$", "ㅅㅔㅇㅛ"),
        ("ㅚㅇㅓ", "ㅙ"),
        ("(?<!ㅇ)ㅗㅇㅏ", "ㅘ"),
        ("ㅜㅇㅓ", "ㅝ"),
        (f"(?<={_VOWELS})ㅇㅣㅇㅓㅇㅛ", "ㅇㅖㅇㅛ"),
        (f"((?<={_VOWELS})ㅇ|ㄴ)ㅣㅇㅔㅇㅛ", r"\1ㅖㅇㅛ"),
        ("ㅇㅕㅇㅛ$", "ㅇㅖㅇㅛ"),
        ("(?<!^ㅇ)ㅣㅇㅓ", "ㅕ"),
        ("ㅐㅇㅓ", "ㅐ"),
        ("ㅔㅇㅓ", "ㅔ"),
        ("ㅈㅣㅇㅛ$", "ㅈㅛ"),
        ("ㅈㅣㅇㅏㄶ", "ㅈㅏㄶ"),
        ("ㅎㅏㅈㅣ", "ㅊㅣ"),
        # 것 and 무엇 with their particles
        ("ㄱㅓㅅ", "ㄱㅓ"),
        ("(ㄱㅓ|ㅁㅝ)(ㅇㅡㄹ|ㄹㅡㄹ)(?=$|ㄹ)", r"\1ㄹ"),
        ("(ㄱㅓ|ㅁㅝ)(ㅇㅡㄴ|ㄴㅡㄴ)$", r"\1ㄴ"),
        ("ㄱㅓㅇㅡㄹㅗ", "ㄱㅓㄹㄹㅗ"),
        ("ㄱㅓㅇㅣ$|ㄱㅓㄱㅏ$", "ㄱㅔ"),
        ("^(ㄴㅏ|ㅈㅓ|ㄴㅓ|ㄴㅜㄱㅜ|ㅇㅜㄹㅣ|ㅇㅕㄱㅣ|ㄱㅓㄱㅣ|ㅈㅓㄱㅣ|ㅇㅓㄷㅣ)ㄴㅡㄴ$", r"\1ㄴ"),
        ("^(ㄴㅏ|ㅈㅓ|ㄴㅓ|ㄴㅜㄱㅜ|ㅇㅜㄹㅣ|ㅇㅕㄱㅣ|ㄱㅓㄱㅣ|ㅈㅓㄱㅣ|ㅇㅓㄷㅣ)ㄹㅡㄹ$", r"\1ㄹ"),
        # pronouns with 의 and 에게
        ("^(ㄴㅏ|ㄴㅐ)(ㅇㅢ|ㅇㅔ(?=ㄱㅔ))", "ㄴㅐ"),
        ("^(ㅈㅓ|ㅈㅔ)(ㅇㅢ|ㅇㅔ(?=ㄱㅔ))", "ㅈㅔ"),
        ("^(ㄴㅓ|ㄴㅔ)(ㅇㅢ|ㅇㅔ(?=ㄱㅔ))", "ㄴㅔ"),
    )
)
#: What learners leave undone when they inflect, by letters: obligatory contractions, irregular stems, harmony.
_INFLECTIONS = tuple(
    (re.compile(pattern), right)
    for pattern, right in (
        ("ㅏㅇㅏ", "ㅏ"), ("ㅓㅇㅓ", "ㅓ"), ("ㅡㅇㅓ", "ㅓ"), ("ㅡㅇㅏ", "ㅏ"), ("ㅡㅇㅓ", "ㅏ"),
        ("ㅗㅇㅏ", "ㅘ"), ("ㅚㅇㅛ", "ㅙㅇㅛ"), ("ㄹㅡㅇㅏ", "ㄹㄹㅏ"), ("ㄹㅡㅇㅓ", "ㄹㄹㅓ"),
        ("ㅂㅇㅓ", "ㅇㅝ"), ("ㅂㅇㅏ", "ㅇㅝ"), ("ㅂㅇㅏ", "ㅇㅘ"), ("ㅂㅇㅡ", "ㅇㅜ"),
        ("ㄷㅇㅓ", "ㄹㅇㅓ"), ("ㄷㅇㅏ", "ㄹㅇㅏ"), ("ㄷㅇㅡ", "ㄹㅇㅡ"), ("ㅅㅇㅓ", "ㅇㅓ"),
        ("ㅅㅇㅏ", "ㅇㅏ"), ("ㅅㅇㅡ", "ㅇㅡ"), ("[ㅏㅓ]ㅎㅇ[ㅏㅓ]", "ㅐ"),
        ("ㅎㅇㅡㄴ", "ㄴ"), ("ㅎㅇㅡㄹ", "ㄹ"), ("ㅎㅅㅡㅂ", "ㅂ"), ("ㄹㄴㅡㄴ", "ㄴㅡㄴ"),
        ("ㄹㅇㅡㄴ", "ㄴ"), ("ㄹㅅㅔ", "ㅅㅔ"), ("ㄹㅅㅡㅂ", "ㅂ"), ("ㄹㅇㅡㅅㅣ", "ㅅㅣ"),
        (f"(?<={_VOWELS})ㅅㅡㅂㄴㅣ", "ㅂㄴㅣ"), (f"(?<={_VOWELS})ㄴㅡㄴㄷㅏ", "ㄴㄷㅏ"),
        (f"(?<={_VOWELS})ㅇㅡ(?=[ㄴㄹㅁ])", ""), ("ㅇㅓ(?=[ㅆㅇㅅㅈ]|$)", "ㅇㅏ"),
        ("ㅇㅏ(?=[ㅆㅇㅅㅈ]|$)", "ㅇㅓ"),
    )
)  # fmt: skip
#: Common misspellings of endings, by letters.
_ENDING_SLIPS = tuple(
    (re.compile(pattern), right)
    for pattern, right in (
        ("ㄹㄲㅔ", "ㄹㄱㅔ"), ("ㅇㅡㅂㄴㅣ", "ㅅㅡㅂㄴㅣ"), ("ㅅㅣㅇㅛ$", "ㅅㅣㅇㅗ"), ("ㄹㄹㅕ", "ㄹㅕ"),
        ("ㄹㄲㅓ", "ㄹㄱㅓ"), ("ㅇㅖㅇㅛ$", "ㅇㅣㅇㅔㅇㅛ"), ("ㄷㅐㅇㅛ$", "ㄷㅔㅇㅛ"),
        ("ㅅㅓㅇㅛ$", "ㅇㅓㅇㅛ"), ("ㅆㅇㅓㅅㅓㅇㅛ$", "ㅆㅇㅓㅇㅛ"),
    )
)  # fmt: skip


def is_wrong_inflection(form: str, right: str) -> bool:
    """Whether a form is another without one of the changes that inflecting asks for (덥어요, 더워요)."""
    return _mends(form, right, _INFLECTIONS)


def has_misspelt_ending(form: str, right: str) -> bool:
    """Whether a form is another with a common misspelling of its ending (할께요, 할게요)."""
    return _mends(form, right, _ENDING_SLIPS)


def _mends(form: str, right: str, rules: Iterable[tuple[re.Pattern[str], str]]) -> bool:
    text, wanted = letters(form), contracted(right)
    if text[:1] != wanted[:1]:
        return False
    return any(
        [contracted(contraction) == wanted for p, new in rules if (contraction := p.sub(new, text)) != text]
    )


#: Words with a short form, longer forms first.
SHORT_WORDS = {
    "이야기": "얘기", "아이": "애", "사이": "새", "마음": "맘", "처음": "첨", "다음": "담", "조금": "좀",
    "그런데": "근데", "그러면": "그럼", "그러하": "그렇", "이러하": "이렇", "저러하": "저렇",
    "어떠하": "어떻", "가지": "갖", "머무르": "머물", "서두르": "서둘", "서투르": "서툴", "무엇": "뭐",
    "것": "거", "이것": "이거", "그것": "그거", "저것": "저거", "그만두": "관두", "어제저녁": "엊저녁",
    "무슨": "뭔",
}  # fmt: skip


@lru_cache(maxsize=20_000)
def contracted(form: str) -> str:
    """Return the letters of a word with every optional contraction made; two spellings of one word give one."""
    text = letters(form)
    for pattern, short in _CONTRACTIONS:
        text = pattern.sub(short, text)
    return text


_TOPIC_OBJECT = {"은": "ㄴ", "는": "ㄴ", "을": "ㄹ", "를": "ㄹ"}
_FULL = ("은", "는", "을", "를")


def shortened_particle(form: str, other: str, particle: str, other_particle: str) -> bool:
    """Whether two forms of one noun differ in that one has its topic or object particle contracted (저는, 전)."""
    if _last_short(particle) != _last_short(other_particle):
        return False
    return form.endswith(_FULL) != other.endswith(_FULL)


def _last_short(particle: str) -> str:
    return particle[:-1] + _TOPIC_OBJECT.get(particle[-1:], particle[-1:])
