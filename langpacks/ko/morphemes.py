"""An eojeol taken apart: what it means (content) and what its particles and endings say (function).

Lemma and XPOS of the UD treebanks are morphemes and their tags joined by ``+`` (저+는, npp+jxt). Where the two do
not match, which happens with auxiliaries, whose lemma KAIST gives without endings, the surface form fills in.

Tags are KAIST's (``ncn``), Sejong's (``NNG``) and those of Kkma. The tagsets share letters with other meanings
(Sejong ``SL`` is a foreign word, KAIST ``sl`` a bracket), so case matters throughout.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Prefix

from jperrant.core.values import Token
from jperrant.langpacks.ko.forms import are_particles, join_endings, pairs, particle_suffixes
from jperrant.langpacks.ko.jamo import compose, letters

Morpheme = tuple[str, str]
#: Determiners that come from adjectives, which taggers take for these.
_DETERMINERS = frozenset("어떤 이런 그런 저런 다른 모든 무슨".split())  # noqa: SIM905
#: Categories of punctuation marks, of emoji, and of what joins and varies emoji.
_MARKS = frozenset(["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "So", "Sk", "Cf", "Mn"])

#: Word class by the beginning of a tag, longer beginnings first.
_CLASSES = pairs("tags.txt")
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


class Eojeol(NamedTuple):
    """What is compared of an eojeol.

    Attributes:
        form: The form in NFC, without punctuation at its edges.
        word_class: Its class, by its first content morpheme; empty where nothing is known.
        content: Its content morphemes up to the first particle or ending, joined.
        parts: The same one by one, with their tags.
        endings: Copula and endings, allomorphs made one, as letters; empty if there are none.
        ending_parts: The same as the analysis gives them.
        particles: Its particles as they are written, joined.
        later: Content morphemes after an ending (보 in 먹어보세요), joined.
        tagged: Whether the analysis knows morphemes.
    """

    form: str
    word_class: str
    content: str
    parts: tuple[Morpheme, ...]
    endings: str
    ending_parts: tuple[str, ...]
    particles: str
    later: str
    tagged: bool

    @property
    def is_punctuation(self) -> bool:
        """Whether it is nothing but punctuation."""
        return self.word_class == "PUNCT"

    @property
    def is_verbal(self) -> bool:
        """Whether its content is conjugated."""
        return self.word_class in ("VERB", "ADJ", "AUX")

    @property
    def has_particles_only(self) -> bool:
        """Whether nothing but particles follows the content."""
        return not self.endings and not self.later


def analyse(token: Token) -> Eojeol:
    """Return the parts of a token."""
    return _analyse(token.form, token.lemma, token.xpos, token.upos)


@lru_cache(maxsize=50_000)
def _analyse(form: str, lemma: str, xpos: str, upos: str) -> Eojeol:
    core = _without_punctuation(compose(form))
    if not core:
        return Eojeol(compose(form), "PUNCT", "", (), "", (), "", "", bool(xpos))
    if xpos in ("", "_"):
        return _build(core, ((core, ""),), upos)
    if is_punctuation(xpos):  # a symbol, an emoji or a smiley that no tagset names
        return _build(core, ((core, ""),), upos)._replace(word_class="OTHER", tagged=True)
    return _build(core, _morphemes(core, lemma, xpos), upos)


def joined(side: Sequence[Token]) -> Eojeol | None:
    """Return some tokens as one eojeol (사과 를 as 사과를); None if they are several words."""
    if len(side) == 1:
        return analyse(side[0])
    if not side or not all([t.xpos and t.lemma for t in side]):
        return None
    lemma, xpos = "+".join([t.lemma for t in side]), "+".join([t.xpos for t in side])
    found = _analyse("".join([t.form for t in side]), lemma, xpos, side[0].upos)
    return None if found.later else found


def _without_punctuation(form: str) -> str:
    """Return a form without the punctuation, emoji included, at its edges."""
    start, end = 0, len(form)
    while start < end and unicodedata.category(form[start]) in _MARKS:
        start += 1
    while end > start and unicodedata.category(form[end - 1]) in _MARKS:
        end -= 1
    return form[start:end]


def _build(core: str, morphemes: tuple[Morpheme, ...], upos: str) -> Eojeol:
    at = next((n for n, (_, tag) in enumerate(morphemes) if is_functional(tag)), len(morphemes))
    content, functional = morphemes[:at], morphemes[at:]
    endings, particles, later = list[str](), list[str](), list[str]()
    nominal = True
    for text, tag in functional:
        if not is_functional(tag) and not (text == "요" and endings):
            later.append(text)
        elif is_particle(tag) and nominal and (text != "요" or not endings):
            particles.append(text)
        else:  # a particle after an ending other than a nominaliser is part of the ending: 먹어도
            endings.append(text)
            nominal = is_nominaliser(tag)
    return Eojeol(
        core,
        "DET" if core in _DETERMINERS else class_of(morphemes, upos),
        "".join([text for text, _ in content]),
        content,
        join_endings(endings),
        tuple(endings),
        "".join(particles),
        "".join(later),
        any([tag for _, tag in morphemes]),
    )


def _morphemes(core: str, lemma: str, xpos: str) -> tuple[Morpheme, ...]:
    """Return the morphemes of a form with their tags, without punctuation at the edges."""
    tags = xpos.split("+")
    texts = [] if lemma in ("", "_") else compose(lemma).split("+")
    if len(texts) == len(tags) and all(texts):
        found = list(zip(texts, tags, strict=True))
        while len(found) > 1 and is_punctuation(found[-1][1]):
            found.pop()
        while len(found) > 1 and is_punctuation(found[0][1]):
            found.pop(0)
        return tuple(found)
    tags = [tag for tag in tags if not is_punctuation(tag)] or tags
    return _repaired(core, [text for text in texts if text], tags)


def _repaired(core: str, texts: list[str], tags: list[str]) -> tuple[Morpheme, ...]:
    """Return the morphemes of a form whose lemma has too few or too many parts for its tags."""
    count = next((n for n, tag in enumerate(tags) if is_functional(tag)), len(tags))
    functional = tags[count:]
    if not functional or not count:
        return ((core, tags[0]),)
    if all([is_particle(tag) for tag in functional]):
        return _noun_with_particles(core, tags[:count], functional)
    content = "".join(texts[:count]) or core
    if len(texts) > len(tags):
        return ((content, tags[0]), ("".join(texts[count:]), functional[0]))
    # Where a stem changes (하 in 한다), the rest begins with what changed.
    rest, stem = letters(core), letters(content)
    same = Prefix.similarity(rest, stem)
    return ((content, tags[0]), (rest[same:], functional[0]))


def _noun_with_particles(core: str, tags: list[str], functional: list[str]) -> tuple[Morpheme, ...]:
    """Part a noun from its particles by the list of particles alone."""
    suffix = next(iter(particle_suffixes(core)), "")
    if not suffix:
        return ((core, tags[0]),)
    return ((core[: -len(suffix)], tags[0]), (suffix, functional[0]))


def is_numeral_or_sign(parts: Sequence[Morpheme]) -> bool:
    """Whether content holds no letters to spell wrongly: digits, single jamo (ㅋㅋㅋ), emoji."""
    text = "".join([part for part, _ in parts])
    return not any([c.isalpha() and not "ㄱ" <= c <= "ㆎ" for c in text])


def particles_known(eojeol: Eojeol) -> bool:
    """Whether the particles of an eojeol exist."""
    return are_particles(eojeol.particles)


@lru_cache(maxsize=1_000)
def class_of_tag(tag: str) -> str:
    """Return the word class of one morpheme's tag, an empty string for an unknown one."""
    return next((name for beginning, name in _CLASSES.items() if tag.startswith(beginning)), "")


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
