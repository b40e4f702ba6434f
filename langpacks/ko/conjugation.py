"""Verbs and adjectives taken apart by the list of stems: which stem and endings a form may be made of.

An analyser that reads one form of a verb right and another one wrong (비싼데 as 비싸+ㄴ데, 비싸는데 as a noun)
hides that only the ending differs. Where both forms have a reading with one stem in common, both are read so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from jperrant.edits.edit_context import Words
from jperrant.langpacks.ko.forms import is_ending
from jperrant.langpacks.ko.jamo import compose_letters, initial, is_syllables, letters

#: How a stem's letters end where 어 has run together with it, and how they end otherwise.
_CONTRACTED = (
    ("ㅇㅝ", "ㅂ"), ("ㅇㅘ", "ㅂ"), ("ㄹㄹㅓ", "ㄹㅡ"), ("ㄹㄹㅏ", "ㄹㅡ"), ("ㅓ", "ㅡ"), ("ㅏ", "ㅡ"),
    ("ㅝ", "ㅜ"), ("ㅘ", "ㅗ"), ("ㅕ", "ㅣ"), ("ㅙ", "ㅚ"), ("ㅎㅐ", "ㅎㅏ"),
)  # fmt: skip
#: Vowels into which 어 disappears, so that what follows 어 follows the stem (가서, 갔다).
_SWALLOWING = "ㅏㅓㅐㅔㅕ"
#: Endings that stand before others, by letters: honour, past, conjecture.
_PREFINAL = ("ㅇㅡㅅㅣ", "ㅅㅣ", "ㅇㅓㅆ", "ㅇㅏㅆ", "ㅇㅕㅆ", "ㅅㅕㅆ", "ㄱㅔㅆ")
#: The stem of the copula, which is no verb.
_COPULA = "이"

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
    for changed, original in _CONTRACTED:
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
