"""What the tags of Korean morphemes say: KAIST's (``ncn``), Sejong's (``NNG``) and those of Kkma.

The tagsets share letters with other meanings (Sejong ``SL`` is a foreign word, KAIST ``sl`` a bracket), so case
matters throughout.
"""

from __future__ import annotations

from functools import lru_cache

#: Word class by the beginning of a tag, longer beginnings first.
_CLASSES = (
    # KAIST
    ("np", "PRON"), ("nn", "NUM"), ("n", "NOUN"), ("f", "NOUN"), ("pv", "VERB"), ("pa", "ADJ"), ("px", "AUX"),
    ("maj", "CONJ"), ("ma", "ADV"), ("mm", "DET"), ("ii", "INTJ"), ("jp", "VERB"), ("j", "PART"), ("e", "PART"),
    ("s", "PUNCT"), ("x", "NOUN"),
    # Sejong and Kkma
    ("NP", "PRON"), ("NR", "NUM"), ("NV", "VERB"), ("NA", "OTHER"), ("N", "NOUN"), ("VV", "VERB"),
    ("VA", "ADJ"), ("VCN", "ADJ"), ("VCP", "VERB"), ("VX", "AUX"), ("MAJ", "CONJ"), ("MAC", "CONJ"),
    ("MA", "ADV"), ("MM", "DET"), ("MD", "DET"), ("IC", "INTJ"), ("J", "PART"), ("E", "PART"), ("SL", "NOUN"),
    ("SH", "NOUN"), ("SN", "NUM"), ("S", "PUNCT"), ("OL", "NOUN"), ("OH", "NOUN"), ("ON", "NUM"),
    ("X", "NOUN"),
)  # fmt: skip
#: Derivational suffixes decide the class of the word they make: 공부+하 is a verb, 조용+히 an adverb.
_SUFFIXES = {"xsv": "VERB", "XSV": "VERB", "xsm": "ADJ", "XSA": "ADJ", "xsa": "ADV"}
_PREFIXES = ("xp", "XP")
#: Word class by universal tag, for tokens without tags of morphemes.
_UNIVERSAL = {
    "NOUN": "NOUN", "PROPN": "NOUN", "PRON": "PRON", "NUM": "NUM", "VERB": "VERB", "ADJ": "ADJ", "ADV": "ADV",
    "DET": "DET", "CCONJ": "CONJ", "SCONJ": "CONJ", "AUX": "AUX", "INTJ": "INTJ", "PART": "PART",
    "ADP": "PART", "PUNCT": "PUNCT", "SYM": "PUNCT",
}  # fmt: skip
#: Numerals before a counter (세 시), which Sejong calls determiners.
_COUNTING = frozenset("한두세네석넉서너닷엿열") | {"스무", "다섯", "여섯", "일곱", "여덟", "아홉"}


@lru_cache(maxsize=1_000)
def class_of_tag(tag: str) -> str:
    """Return the word class of one morpheme's tag, an empty string for an unknown one."""
    return next((name for beginning, name in _CLASSES if tag.startswith(beginning)), "")


def class_of(morphemes: tuple[tuple[str, str], ...], upos: str) -> str:
    """Return the word class of an eojeol: that of its first content morpheme, as suffixes change it.

    The universal tag is not asked if there are others: KAIST's depends on the particle (도서관에 is an ADV).
    """
    tags = [tag for _, tag in morphemes]
    for tag in tags:
        if is_functional(tag):
            break
        if tag in _SUFFIXES:
            return _SUFFIXES[tag]
    at = next((n for n, tag in enumerate(tags) if not tag.startswith(_PREFIXES)), 0)
    found = class_of_tag(tags[at]) if tags else ""
    if upos == "DET" and tags[-1] in ("etm", "ETM"):  # 어떤, 그런
        return "DET"
    if found == "DET" and morphemes[at][0] in _COUNTING:
        return "NUM"
    return found or _UNIVERSAL.get(upos, "")


def is_functional(tag: str) -> bool:
    """Whether a morpheme with this tag is a particle, an ending or the copula."""
    return tag[:1] in ("j", "J", "e", "E") or tag == "VCP"


def is_particle(tag: str) -> bool:
    """Whether a morpheme with this tag is a particle."""
    return tag[:1] in ("j", "J") and tag != "jp"


def is_nominaliser(tag: str) -> bool:
    """Whether a morpheme with this tag makes a noun of a verb, so that particles follow it as they do a noun."""
    return tag[:3] in ("etn", "ETN")


def is_punctuation(tag: str) -> bool:
    """Whether a morpheme with this tag is punctuation or a symbol."""
    return class_of_tag(tag) == "PUNCT"
