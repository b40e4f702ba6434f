"""What the list of stems says: whether a word exists, and which stem and endings a form may be made of.

The list has nouns and adverbs as they are, verbs and adjectives with 다.

An analyser that reads one form of a verb right and another one wrong (비싼데 as 비싸+ㄴ데, 비싸는데 as a noun)
hides that only the ending differs. Where both forms have a reading with one stem in common, both are read so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from jperrant.edits.edit_context import Words
from jperrant.langpacks.ko.forms import is_ending
from jperrant.langpacks.ko.jamo import compose_letters, initial, is_syllables, letters
from jperrant.langpacks.ko.morphemes import Eojeol, Morpheme, class_of_tag, is_numeral_or_sign

#: How a stem's letters end where 어 has run together with it, and how they end otherwise.
CONTRACTED = (
    ("ㅇㅝ", "ㅂ"), ("ㅇㅘ", "ㅂ"), ("ㄹㄹㅓ", "ㄹㅡ"), ("ㄹㄹㅏ", "ㄹㅡ"), ("ㅓ", "ㅡ"), ("ㅏ", "ㅡ"),
    ("ㅝ", "ㅜ"), ("ㅘ", "ㅗ"), ("ㅕ", "ㅣ"), ("ㅙ", "ㅚ"), ("ㅎㅐ", "ㅎㅏ"),
)  # fmt: skip
#: Vowels into which 어 disappears, so that what follows 어 follows the stem (가서, 갔다).
_SWALLOWING = "ㅏㅓㅐㅔㅕ"
#: Endings that stand before others, by letters: honour, past, conjecture.
_PREFINAL = ("ㅇㅡㅅㅣ", "ㅅㅣ", "ㅇㅓㅆ", "ㅇㅏㅆ", "ㅇㅕㅆ", "ㅅㅕㅆ", "ㄱㅔㅆ")
#: The stem of the copula, which is no verb.
_COPULA = "이"

_VERBAL = ("VERB", "ADJ", "AUX")
#: What makes a verb of an adjective that others show: 싶어하다, 예뻐하다 where the stem does not change.
_SHOWN = ("어하", "아하")
#: A compound noun is known if both its parts are, which must not be shorter than this.
_COMPOUND_PART = 2

Readings = dict[str, tuple[str, ...]]


def shared_stem(form: str, other: str, stems: Words) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Return the longest stem of which both forms may be made, and the endings of each; None if there is none.

    Args:
        form, other: Whole syllables. The first may be inflected wrongly (춥는데, 덥어요).
        stems: The list of stems, verbs with 다.
    """
    if initial(form) != initial(other):
        return None
    right = readings(other, stems)
    wrong = readings(form, stems) if right else {}
    stem = max((s for s in wrong if s in right), key=len, default="")
    return (stem, wrong[stem], right[stem]) if stem else None


@lru_cache(maxsize=20_000)
def readings(form: str, stems: Words) -> Readings:
    """Return the endings of a form by each known stem that it may be made of."""
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
    """Yield what a stem may be, and its endings, where letters are cut in two."""
    swallowed = stem[-1] in _SWALLOWING
    if rest.startswith("ㅆ") or rest == "ㅅㅓ":
        if swallowed:
            yield stem, f"ㅇㅓ{rest}"
    elif rest and (not rest.startswith("ㅇㅕ") or stem.endswith("ㅎㅏ")):
        yield stem, rest
        yield from _irregular(stem, rest)
    for changed, original in CONTRACTED:
        if stem.endswith(changed):
            yield stem[: -len(changed)] + original, f"ㅇㅓ{rest}"


def _irregular(stem: str, rest: str) -> Iterator[tuple[str, str]]:
    """Yield the stems that lose or change their last letter before such an ending."""
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
    """Return letters cut into known endings; nothing if they are none."""
    if is_ending(text):
        return (text,)
    for first in _PREFINAL:
        if text.startswith(first) and len(text) > len(first) and (rest := _endings(text[len(first) :])):
            return (first, *rest)
    return ()


@lru_cache(maxsize=50_000)
def is_known(eojeol: Eojeol, stems: Words | None) -> bool:
    """Whether the content of an eojeol is made of known stems.

    Without a list, and of digits and signs, everything is. A bare stem of a verb or adjective (많) is not a word.
    """
    if stems is None or eojeol.is_punctuation or not eojeol.parts or is_numeral_or_sign(eojeol.parts):
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
    """Whether endings exist, one by one or all together as one."""
    return all([is_ending(part) for part in parts]) or is_ending("".join(parts))
