"""Uses a list of stems to check whether words exist and to correct the analysis of eojeols.

The list has nouns and adverbs as they are, verbs and adjectives with 다. An analysis whose stems are in the list
is kept. Otherwise the stem of an irregular verb is restored from its changed form (더우 → 덥), and a noun is
separated from its particles or the copula if that leaves a known noun.

An analyser may read one form of a verb correctly and another one wrongly (비싼데 as 비싸+ㄴ데, but 비싸는데 as
a noun), which hides that only the ending differs. If both forms have a reading with the same stem, both get it.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from jperrant.core.values import Token
from jperrant.edits.edit_context import Words
from jperrant.langpacks.ko.affixes import are_particles, is_ending, join_endings, particle_suffixes
from jperrant.langpacks.ko.jamo import compose, compose_letters, initial, is_syllables, letters
from jperrant.langpacks.ko.morphemes import Eojeol, Morpheme, analyse, class_of_tag, particles_known
from jperrant.langpacks.ko.morphemes import is_numeral_or_sign as is_sign

#: Final letters of a stem contracted with 어, and without the contraction.
_CONTRACTED = (
    ("ㅇㅝ", "ㅂ"), ("ㅇㅘ", "ㅂ"), ("ㄹㄹㅓ", "ㄹㅡ"), ("ㄹㄹㅏ", "ㄹㅡ"), ("ㅓ", "ㅡ"), ("ㅏ", "ㅡ"),
    ("ㅝ", "ㅜ"), ("ㅘ", "ㅗ"), ("ㅕ", "ㅣ"), ("ㅙ", "ㅚ"), ("ㅎㅐ", "ㅎㅏ"),
)  # fmt: skip
#: Vowels that absorb 어, so that what follows 어 directly follows the stem (가서, 갔다).
_SWALLOWING = "ㅏㅓㅐㅔㅕ"
#: Prefinal endings, as letters: honorific, past, conjecture.
_PREFINAL = ("ㅇㅡㅅㅣ", "ㅅㅣ", "ㅇㅓㅆ", "ㅇㅏㅆ", "ㅇㅕㅆ", "ㅅㅕㅆ", "ㄱㅔㅆ")
#: The stem of the copula, which is not a verb.
_COPULA = "이"

_VERBAL = ("VERB", "ADJ", "AUX")
#: Suffixes that turn an adjective into a verb of showing the feeling: 싶어하다, 예뻐하다.
_SHOWN = ("어하", "아하")
#: The shortest part of a compound noun; a compound is known if both its parts are.
_COMPOUND_PART = 2

_ADJECTIVES = Path(__file__).parent / "data" / "adjectives.txt.gz"
#: Final letters of a stem before a vowel, and otherwise: ㅂ irregular, 르, 으, and contracted vowels.
_CHANGES = (("ㅇㅜ", "ㅂ"), ("ㄹㄹ", "ㄹㅡ"), *_CONTRACTED)
#: Adjectives that are verbs only with 는 and ㄴ다 (크다 and 큰다), and these endings as letters.
_MOSTLY_ADJECTIVES = frozenset("크 밝 길 늦 굳".split())  # noqa: SIM905
_ENDINGS_OF_VERBS = ("ㄴㅡㄴ", "ㄴㄷㅏ")
_CASE_PARTICLES = frozenset("이가은는을를의에도만와과로") | {"에서", "에게", "으로", "까지", "부터", "하고"}
#: Contractions of copula and ending.
_COPULA_FORMS = {"야", "예요", "여요", "였다", "였어요", "였습니다", "여서", "였던"}
#: Pronouns with another form before 가 and before 게 (short for 에게), by form: pronoun and particle.
_PRONOUNS = {
    short + after: (pronoun, particle)
    for short, pronoun in zip("제내네니", "저나너너", strict=True)
    for after, particle in (("가", "가"), ("게", "에게"))
}

Readings = dict[str, tuple[str, ...]]


def shared_stem(form: str, other: str, stems: Words) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Return the longest stem that two forms may share, and the endings of each; None if there is none.

    Args:
        form, other: Forms of whole syllables; the first may be inflected wrongly (춥는데, 덥어요).
        stems: The list of stems.
    """
    if initial(form) != initial(other):
        return None
    right = readings(other, stems)
    wrong = readings(form, stems) if right else {}
    stem = max((s for s in wrong if s in right), key=len, default="")
    return (stem, wrong[stem], right[stem]) if stem else None


@lru_cache(maxsize=20_000)
def readings(form: str, stems: Words) -> Readings:
    """Return the possible known stems of a form, each with the endings that follow it."""
    if not is_syllables(form):
        return {}
    text = letters(form)
    found: Readings = {}
    for cut in range(len(text), 1, -1):
        for stem_letters, rest in _cuts(text[:cut], text[cut:]):
            stem = compose_letters(stem_letters)
            if stem not in found and stem != _COPULA and f"{stem}다" in stems and (parts := _endings(rest)):
                found[stem] = parts
    return found


def _cuts(stem: str, rest: str) -> Iterator[tuple[str, str]]:
    """Yield the possible stems and endings of letters that are cut in two."""
    swallowed = stem[-1] in _SWALLOWING
    if rest.startswith("ㅆ") or rest == "ㅅㅓ":
        if swallowed:
            yield stem, f"ㅇㅓ{rest}"
    elif rest and (not rest.startswith("ㅇㅕ") or stem.endswith("ㅎㅏ")):
        yield stem, rest
        yield from _irregular(stem, rest)
    for changed, original in _CONTRACTED:
        if stem.endswith(changed):
            yield stem[: -len(changed)] + original, f"ㅇㅓ{rest}"


def _irregular(stem: str, rest: str) -> Iterator[tuple[str, str]]:
    """Yield the irregular stems that lose or change their last letter before an ending."""
    if stem.endswith("ㅇㅜ"):
        yield f"{stem[:-2]}ㅂ", rest
    if rest[0] == "ㅇ":
        yield f"{stem}ㅅ", rest
        if stem[-1] == "ㄹ":
            yield f"{stem[:-1]}ㄷ", rest
    elif rest[0] in "ㄴㅂㅅ":
        yield f"{stem}ㄹ", rest


@lru_cache(maxsize=20_000)
def _endings(text: str) -> tuple[str, ...]:
    """Split letters into known endings; empty if that is not possible."""
    if is_ending(text):
        return (text,)
    for first in _PREFINAL:
        if text.startswith(first) and len(text) > len(first) and (rest := _endings(text[len(first) :])):
            return (first, *rest)
    return ()


@lru_cache(maxsize=50_000)
def is_known(eojeol: Eojeol, stems: Words | None) -> bool:
    """Whether the content of an eojeol consists of known stems.

    Without a list everything is known, and so are digits and signs. The bare stem of a verb or adjective (많) is
    not a word.
    """
    if stems is None or eojeol.is_punctuation or not eojeol.parts or is_sign(eojeol.parts):
        return True
    content = eojeol.content
    if eojeol.tagged and class_of_tag(eojeol.parts[0][1]) in _VERBAL:
        return bool(eojeol.endings) and (
            f"{content}다" in stems
            or (content.endswith(_SHOWN) and f"{content[:-2]}다" in stems)
            or all([_part_known(part, stems) for part in eojeol.parts])
        )
    if (
        content in stems
        or content.removesuffix("들") in stems
        or (eojeol.is_verbal and f"{content}다" in stems)
    ):
        return True
    return all([_part_known(part, stems) for part in eojeol.parts])


def _part_known(part: Morpheme, stems: Words) -> bool:
    text, tag = part
    if tag[:1] in ("x", "X") and tag != "XR":
        return True
    if class_of_tag(tag) in _VERBAL:
        return f"{text}다" in stems
    return text in stems or f"{text}하다" in stems or text.isdecimal() or _is_compound(text, stems)


def _is_compound(text: str, stems: Words) -> bool:
    if not is_syllables(text):
        return False
    cuts = range(_COMPOUND_PART, len(text) - _COMPOUND_PART + 1)
    return any([text[:n] in stems and text[n:] in stems for n in cuts])


def endings_known(parts: Sequence[str]) -> bool:
    """Whether endings exist, one by one or joined into one."""
    return all([is_ending(part) for part in parts]) or is_ending("".join(parts))


def read(token: Token, stems: Words | None) -> Eojeol:
    """Analyse a token and correct the analysis by the list of stems.

    Args:
        token: The token, with or without an analysis.
        stems: The list of stems; if None, the analysis is kept as it is.
    """
    return _read(token.form, token.lemma, token.xpos, token.upos, stems)


@lru_cache(maxsize=50_000)
def _read(form: str, lemma: str, xpos: str, upos: str, stems: Words | None) -> Eojeol:
    found = analyse(Token(form, lemma, upos, xpos))
    if found.form in _PRONOUNS:
        return _noun(found, *_PRONOUNS[found.form])._replace(word_class="PRON")
    if stems is None or found.is_punctuation:
        return found
    if found.tagged or found.word_class:
        if found.word_class in ("NOUN", "PRON"):
            found = _whole_noun(found, compose(lemma), stems)
        if not is_known(found, stems) or not particles_known(found):
            found = _mended(found, stems)
        if found.word_class == "VERB" and _is_adjective(found):
            found = found._replace(word_class="ADJ")
        return found
    noun, verb = _unsplit_noun(found, stems), _split_verb(found, stems)
    # 말은 is more likely a noun with a particle, 먹고 a verb with an ending.
    return (verb if verb and noun and noun.particles not in _CASE_PARTICLES else noun) or verb or found


@lru_cache(maxsize=10_000)
def reconciled(source: Eojeol, target: Eojeol, stems: Words | None) -> tuple[Eojeol, Eojeol]:
    """Return two eojeols with consistent analyses, if the analyser split the same noun in two ways.

    If the other eojeol begins with the noun of one, and only particles follow, it is the noun of both.
    """
    if source.content == target.content or source.is_punctuation or target.is_punctuation:
        return source, target
    for noun, other in ((target, source), (source, target)):
        if not other.is_verbal and other.has_particles_only and is_known(other, stems):
            continue
        if noun.word_class not in ("NOUN", "PRON", "NUM") or not noun.has_particles_only:
            continue
        rest = other.form.removeprefix(noun.content)
        whole = noun.form in _PRONOUNS or noun.form == noun.content + noun.particles
        if whole and rest != other.form and are_particles(rest):
            split = _noun(other, noun.content, particles=rest)._replace(
                parts=noun.parts, word_class=noun.word_class
            )
            return (split, noun) if other is source else (noun, split)
    return _with_shared_stem(source, target, stems)


def _with_shared_stem(source: Eojeol, target: Eojeol, stems: Words | None) -> tuple[Eojeol, Eojeol]:
    """Return two eojeols as forms of one verb, if both can be and at least one was read as a verb."""
    if stems is None or initial(source.form) != initial(target.form) or source.later or target.later:
        return source, target
    untagged = not source.tagged and not target.tagged and not source.particles and not target.particles
    if not (source.is_verbal or target.is_verbal or untagged):
        return source, target
    if (shared := shared_stem(source.form, target.form, stems)) is None:
        return source, target
    stem, endings, right = shared
    word_class = "ADJ" if f"{stem}다" in _adjectives() else "VERB"
    parts = ((stem, ""),)
    one, other = [
        eojeol._replace(
            word_class=word_class, content=stem, parts=parts, endings=join_endings(list(row)), ending_parts=row,
            particles="",
        )
        for eojeol, row in ((source, endings), (target, right))
    ]  # fmt: skip
    return one, other


def _mended(eojeol: Eojeol, stems: Words) -> Eojeol:
    """Return an eojeol with a known stem in place of its unknown one, if one can be found."""
    if eojeol.is_verbal:
        stem = next((s for s in _restored(eojeol.content) if f"{s}다" in stems), "")
        if not stem or not eojeol.endings:
            return eojeol
        return eojeol._replace(content=stem, parts=((stem, eojeol.parts[0][1]),))
    if eojeol.word_class not in ("NOUN", "PRON"):
        return eojeol
    whole = _unsplit_noun(eojeol, stems)
    return eojeol if whole is None else whole._replace(parts=((whole.content, eojeol.parts[0][1]),))


def _whole_noun(eojeol: Eojeol, lemma: str, stems: Words) -> Eojeol:
    """Return a noun as one word if the analyser split it by mistake.

    The split is a mistake if the lemma and the list of stems have the whole word (사과, not 사 + 과), or if what
    follows is not an ending.
    """
    ends_oddly = eojeol.ending_parts and not endings_known(eojeol.ending_parts)
    if (lemma == eojeol.form and eojeol.form in stems) or (ends_oddly and not eojeol.particles):
        parts = ((eojeol.form, eojeol.parts[0][1]),)
        return eojeol._replace(content=eojeol.form, parts=parts, particles="", endings="", ending_parts=())
    return eojeol


def _restored(content: str) -> Iterator[str]:
    text = letters(content)
    for changed, original in _CHANGES:
        if text.endswith(changed):
            yield compose_letters(text[: -len(changed)] + original)


def _unsplit_noun(eojeol: Eojeol, stems: Words) -> Eojeol | None:
    """Split a form into the longest known noun and its particles or copula."""
    form = eojeol.form
    if not is_syllables(form) or form in stems:
        return None
    suffixes = particle_suffixes(form)
    for at in range(len(form) - 1, 0, -1):
        noun, rest = form[:at], form[at:]
        if noun not in stems and noun.removesuffix("들") not in stems:  # 친구들, the plural
            continue
        if rest in suffixes:
            return _noun(eojeol, noun, particles=rest)
        copula = len(rest) > 1 and letters(rest).startswith("ㅇㅣ") and is_ending(letters(rest)[2:])
        if copula or rest in _COPULA_FORMS:
            return _noun(eojeol, noun, endings=("이", letters(rest)[2:]))._replace(
                endings=join_endings([rest])
            )
    return None


def _noun(eojeol: Eojeol, noun: str, particles: str = "", endings: tuple[str, ...] = ()) -> Eojeol:
    """Return an eojeol as a noun with particles or endings."""
    return eojeol._replace(
        content=noun, parts=((noun, ""),), particles=particles, endings="", ending_parts=endings, later=""
    )


def _split_verb(eojeol: Eojeol, stems: Words) -> Eojeol | None:
    """Split a form into the longest known stem and an ending."""
    form = eojeol.form
    for at in range(len(form) - 1, 0, -1):
        stem, rest = form[:at], form[at:]
        if f"{stem}다" in stems and is_ending(rest):
            return eojeol._replace(
                content=stem, parts=((f"{stem}다", ""),), endings=join_endings([rest]), ending_parts=(rest,)
            )
    return None


def _is_adjective(eojeol: Eojeol) -> bool:
    """Whether the stem is an adjective.

    A stem that can also be a verb (크다) is an adjective unless its ending is only used with verbs.
    """
    if f"{eojeol.content}다" in _adjectives():
        return True
    return eojeol.content in _MOSTLY_ADJECTIVES and not eojeol.endings.startswith(_ENDINGS_OF_VERBS)


@lru_cache(maxsize=1)
def _adjectives() -> frozenset[str]:
    """Return the adjectives that are not also verbs."""
    return frozenset(gzip.decompress(_ADJECTIVES.read_bytes()).decode("utf-8").split())
