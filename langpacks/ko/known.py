"""Whether a word exists, by the list of stems: nouns and adverbs as they are, verbs and adjectives with 다."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jperrant.edits.edit_context import Words
from jperrant.langpacks.ko.forms import is_ending
from jperrant.langpacks.ko.jamo import is_syllables
from jperrant.langpacks.ko.morphemes import Eojeol, Morpheme, is_numeral_or_sign
from jperrant.langpacks.ko.tags import class_of_tag

_VERBAL = ("VERB", "ADJ", "AUX")
#: What makes a verb of an adjective that others show: 싶어하다, 예뻐하다 where the stem does not change.
_SHOWN = ("어하", "아하")
#: A compound noun is known if both its parts are, which must not be shorter than this.
_COMPOUND_PART = 2


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
