"""Analyses eojeols into content (what the word means) and function (particles and endings).

In the UD treebanks, lemma and XPOS are the morphemes and their tags, joined by ``+`` (저+는, npp+jxt). If the two
do not match, the surface form is used; this happens with auxiliaries, whose lemma has no endings in KAIST.

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
from jperrant.langpacks.ko.affixes import are_particles, join_endings, pairs, particle_suffixes
from jperrant.langpacks.ko.jamo import compose, letters

Morpheme = tuple[str, str]
#: Determiners derived from adjectives, which taggers confuse with these.
_DETERMINERS = frozenset("어떤 이런 그런 저런 다른 모든 무슨".split())  # noqa: SIM905
#: Unicode categories of punctuation marks, emoji, and the joiners and modifiers of emoji.
_MARKS = frozenset(["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "So", "Sk", "Cf", "Mn"])

#: Word class by the prefix of a tag, longer prefixes first.
_CLASSES = pairs("tags.txt")
#: Derivational suffixes determine the class of their word: 공부+하 is a verb, 조용+히 an adverb.
_SUFFIXES = {"xsv": "VERB", "XSV": "VERB", "xsm": "ADJ", "XSA": "ADJ", "xsa": "ADV"}
_PREFIXES = ("xp", "XP")
#: Word class by UPOS tag, for tokens without morpheme tags.
_UNIVERSAL = {
    "NOUN": "NOUN", "PROPN": "NOUN", "PRON": "PRON", "NUM": "NUM", "VERB": "VERB", "ADJ": "ADJ", "ADV": "ADV",
    "DET": "DET", "CCONJ": "CONJ", "SCONJ": "CONJ", "AUX": "AUX", "INTJ": "INTJ", "PART": "PART",
    "ADP": "PART", "PUNCT": "PUNCT", "SYM": "PUNCT",
}  # fmt: skip
#: Numerals before a counter (세 시), which Sejong tags as determiners.
_COUNTING = frozenset("한두세네석넉서너닷엿열") | {"스무", "다섯", "여섯", "일곱", "여덟", "아홉"}


class Eojeol(NamedTuple):
    """The parts of an eojeol that rules compare.

    Attributes:
        form: The form in NFC, without punctuation at its edges.
        word_class: The word class, by its first content morpheme; empty if unknown.
        content: The content morphemes up to the first particle or ending, joined.
        parts: The same morphemes one by one, with their tags.
        endings: The copula and endings as letters, with one form for all allomorphs; empty if there are none.
        ending_parts: The same endings as the analysis gives them.
        particles: The particles in their written forms, joined.
        later: Content morphemes after an ending (보 in 먹어보세요), joined.
        tagged: Whether the analysis gives tags of morphemes.
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
        """Whether it is only punctuation."""
        return self.word_class == "PUNCT"

    @property
    def is_verbal(self) -> bool:
        """Whether its content is a verb, adjective or auxiliary."""
        return self.word_class in ("VERB", "ADJ", "AUX")

    @property
    def has_particles_only(self) -> bool:
        """Whether only particles follow the content, if anything."""
        return not self.endings and not self.later


def analyse(token: Token) -> Eojeol:
    """Analyse a token."""
    return _analyse(token.form, token.lemma, token.xpos, token.upos)


@lru_cache(maxsize=50_000)
def _analyse(form: str, lemma: str, xpos: str, upos: str) -> Eojeol:
    core = _without_punctuation(compose(form))
    if not core:
        return Eojeol(compose(form), "PUNCT", "", (), "", (), "", "", bool(xpos))
    if xpos in ("", "_"):
        return _build(core, ((core, ""),), upos)
    if is_punctuation(xpos):  # a symbol, emoji or smiley that is not in ``_MARKS``
        return _build(core, ((core, ""),), upos)._replace(word_class="OTHER", tagged=True)
    return _build(core, _morphemes(core, lemma, xpos), upos)


def joined(side: Sequence[Token]) -> Eojeol | None:
    """Analyse tokens as one eojeol (사과 를 as 사과를); None if they are several words."""
    if len(side) == 1:
        return analyse(side[0])
    if not side or not all([t.xpos and t.lemma for t in side]):
        return None
    lemma, xpos = "+".join([t.lemma for t in side]), "+".join([t.xpos for t in side])
    found = _analyse("".join([t.form for t in side]), lemma, xpos, side[0].upos)
    return None if found.later else found


def _without_punctuation(form: str) -> str:
    """Remove punctuation and emoji at the edges of a form."""
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
        else:  # a particle after an ending is part of it, except after a nominaliser: 먹어도
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
    """Return the tagged morphemes of a form, without punctuation at the edges."""
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
    """Return the tagged morphemes of a form whose lemma has more or fewer parts than its tag."""
    count = next((n for n, tag in enumerate(tags) if is_functional(tag)), len(tags))
    functional = tags[count:]
    if not functional or not count:
        return ((core, tags[0]),)
    if all([is_particle(tag) for tag in functional]):
        return _noun_with_particles(core, tags[:count], functional)
    content = "".join(texts[:count]) or core
    if len(texts) > len(tags):
        return ((content, tags[0]), ("".join(texts[count:]), functional[0]))
    # If the stem changes in the form (하 in 한다), the rest begins where the two differ.
    rest, stem = letters(core), letters(content)
    same = Prefix.similarity(rest, stem)
    return ((content, tags[0]), (rest[same:], functional[0]))


def _noun_with_particles(core: str, tags: list[str], functional: list[str]) -> tuple[Morpheme, ...]:
    """Split a form into noun and particles, by the list of particles alone."""
    suffix = next(iter(particle_suffixes(core)), "")
    if not suffix:
        return ((core, tags[0]),)
    return ((core[: -len(suffix)], tags[0]), (suffix, functional[0]))


def is_numeral_or_sign(parts: Sequence[Morpheme]) -> bool:
    """Whether content cannot be misspelt: digits, single jamo (ㅋㅋㅋ) or emoji."""
    text = "".join([part for part, _ in parts])
    return not any([c.isalpha() and not "ㄱ" <= c <= "ㆎ" for c in text])


def particles_known(eojeol: Eojeol) -> bool:
    """Whether the particles of an eojeol exist, if it has any."""
    return are_particles(eojeol.particles)


@lru_cache(maxsize=1_000)
def class_of_tag(tag: str) -> str:
    """Return the word class of a morpheme tag, or an empty string if unknown."""
    return next((name for beginning, name in _CLASSES.items() if tag.startswith(beginning)), "")


def class_of(morphemes: tuple[tuple[str, str], ...], upos: str) -> str:
    """Return the word class of an eojeol: that of its derivational suffix or first content morpheme.

    Morpheme tags take precedence over UPOS, which depends on the particle in KAIST (도서관에 is an ADV).
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
    """Whether a tag is that of a particle, an ending or the copula."""
    return tag[:1] in ("j", "J", "e", "E") or tag == "VCP"


def is_particle(tag: str) -> bool:
    """Whether a tag is that of a particle."""
    return tag[:1] in ("j", "J") and tag != "jp"


def is_nominaliser(tag: str) -> bool:
    """Whether a tag is that of a nominaliser, which turns a verb into a noun that can take particles."""
    return tag[:3] in ("etn", "ETN")


def is_punctuation(tag: str) -> bool:
    """Whether a tag is that of punctuation or a symbol."""
    return class_of_tag(tag) == "PUNCT"
