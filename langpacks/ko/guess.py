"""A guess at the parts of an eojeol without an analysis, by the list of stems and the closed lists of forms."""

from __future__ import annotations

from collections.abc import Set

from jperrant.langpacks.ko.forms import is_ending, join_endings, particle_suffixes
from jperrant.langpacks.ko.jamo import is_syllables, letters
from jperrant.langpacks.ko.morphemes import Eojeol


def guess(eojeol: Eojeol, stems: Set[str] | None) -> Eojeol:
    """Return an eojeol with the longest noun before particles, or else the longest stem before an ending, parted.

    Its word class stays unknown; what cannot be parted comes back as it is.
    """
    form = eojeol.form
    if stems is None or not is_syllables(form):
        return eojeol
    if form in stems:
        return eojeol
    for suffix in reversed(particle_suffixes(form)):  # the shortest particles leave the longest noun
        noun = form[: -len(suffix)]
        if noun in stems:
            return eojeol._replace(content=noun, parts=((noun, ""),), particles=suffix)
    for at in range(len(form) - 1, 0, -1):
        stem, rest = form[:at], form[at:]
        if f"{stem}다" in stems and is_ending(rest):
            return eojeol._replace(
                content=stem, parts=((f"{stem}다", ""),), endings=join_endings([rest]), ending_parts=(letters(rest),)
            )
    return eojeol
