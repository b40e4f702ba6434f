"""The forms of Korean morphemes: particles and endings, their allomorphs, and contractions."""

from __future__ import annotations

import re
from functools import lru_cache

from jperrant.langpacks.ko.jamo import VOWELS, letters

#: Particles as they are written; several may follow each other (에서는).
PARTICLES = frozenset(
    """
    이 가 께서 은 는 ㄴ 을 를 ㄹ 의 에 에서 에게 에게서 한테 한테서 께 더러 보고 으로 로 ㄹ로 으로서 로서 으로써 로써
    와 과 하고 이랑 랑 도 만 까지 부터 조차 마저 마다 밖에 뿐 뿐만 대로 만큼 만치 처럼 같이 보다 이나 나 이나마 나마
    이라도 라도 이야 야 이야말로 야말로 이든 든 이든지 든지 이든가 든가 이라든가 라든가 이라든지 라든지 이란 란 이며 며
    이고 고 이라고 라고 이라는 라는 이라 라 이랴 서 에다 에다가 다가 로부터 으로부터 에로 에게로 커녕 은커녕 는커녕 치고
    마냥 따라 씩 께로 이여 여 아 이시여 시여 요 이요 엔 에겐 에선 한텐 론 으론 건 게 서부터 이서 이자 토록 깨나 들
    그려 그래 마는 만은 이라야 라야 에야 에야말로 까지도 까지만 조차도 마저도 말고 이라면 라면 이면 면 이니 니 이거나 거나
    """.split()
)
_SUFFIXES_BY_LENGTH = sorted(PARTICLES - {"ㄴ", "ㄹ", "ㄹ로"}, key=len, reverse=True)

#: Endings, without what ``normal_ending`` levels out. Learners' mistakes (ㅂ시요, ㄹ께) are not here.
_ENDINGS = """
    다 어 었 는 고 ㄴ ㄹ ㄴ다 게 기 지 어서 면 ㅁ 라 던 ㅂ니다 어야 며 라는 면서 지만 이 다는 겠 는데 ㄴ가 ㄴ다는 자 거나
    도록 오 어도 ㄹ까 는가 ㄴ다면 시 서 나 소 라고 려는 고자 니 다고 ㄴ지 듯이 려고 다가 는지 라면 다면 려 ㄴ데 란 ㄹ수록
    므로 더라 ㄴ다고 ㅂ니까 ㅂ시다 더 듯 셔 었었 느냐 든 곤 려면 어라 죠 야 리라 어다 ㄹ지 ㄹ지도 자면 든지 더니 니까
    ㄹ지라도 냐 러 자는 고서 건 자마자 던가 다시피 지요 어야겠 되 었더 군 라도 어서야 더라도 었겠 시어요 랴 리라는 구나 는구나
    ㄴ데도 에요 네 단다 라야 게끔 거니와 답니다 ㄴ답니다 다니 거든 든가 ㄹ는지 ㄴ지도 나마 자고 느라 리요 어야지 라며 건대
    ㄹ까요 라니 려던 지마는 ㄹ세 다가도 다든가 ㄹ지언정 다든지 다느니 더라면 다네 ㄴ다네 고는 다더라 게도 되 는지도 라네 십시오 시오
    느라고 노라 건만 라든지 랍니다 는데도 다며 거니 리 자니까 라서 니까요 는지요 라거나 ㄹ걸 ㄹ걸요 ㄴ데요 는데요 는군 려니 는군요
    군요 ㄴ즉 어서라도 로다 려다 려다가 느냐고 냐고 노니 느니 다면서 ㄴ다면서 너라 거라 옵소서 래도 고도 야지 야죠 구려 려는지
    고야 노라고 다지만 ㄴ고 ㄹ게 ㄹ게요 ㄹ래 ㄹ래요 네요 거든요 잖아 잖아요 나요 ㄴ가요 는가요 ㄹ까 고요 구요 지 지요 죠 세 어요 요
    라고요 다고요 ㄴ다고요 대 ㄴ대 대요 ㄴ대요 래 래요 냬요 재요 자고요 더라고요 더라고 더군요 던데 던데요 던지 었던 었는데 었지만
    다거나 ㄴ다거나 게요 려고요 려구요 으러 을 은 음 습 는 서요 어서요 ㄹ수록 ㄹ텐데 ㄹ뿐더러 고서야 고서는 다만 답시고 ㄴ답시고
    세요 셔요 십시다 ㅂ시오 ㅂ쇼 시지요 시죠 실까요 신 실 십니다 십니까 시고 시면 시는 어지 어하
    """.split()


@lru_cache(maxsize=20_000)
def normal_ending(text: str) -> str:
    """Return the letters of an ending with its allomorphs made one.

    Vowel harmony (아 여 어), the past tense (았 였 ㅆ 었), what stands after a consonant (으면, 습니다, 는다) and after a
    vowel (면, ㅂ니다, ㄴ다). 는 and ㄴ stay apart: they are different endings of verbs.
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
_KNOWN_ENDINGS = frozenset(normal_ending(e) for e in _ENDINGS)


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


#: Optional contractions inside a word, by letters. Obligatory ones (가아요 → 가요, 오아요 → 와요) are not here: there
#: the long form is a mistake.
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
#: Words with a short form, longer forms first.
SHORT_WORDS = {
    "이야기": "얘기", "아이": "애", "사이": "새", "마음": "맘", "처음": "첨", "다음": "담", "조금": "좀", "그런데": "근데",
    "그러면": "그럼", "그러하": "그렇", "이러하": "이렇", "저러하": "저렇", "어떠하": "어떻", "가지": "갖", "머무르": "머물",
    "서두르": "서둘", "서투르": "서툴", "무엇": "뭐", "것": "거", "이것": "이거", "그것": "그거", "저것": "저거", "요새": "요사이",
    "그만두": "관두", "어제저녁": "엊저녁", "무슨": "뭔",
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
