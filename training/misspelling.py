"""Misspelt words: slips of the keyboard, letters doubled, dropped and swapped, and spelling by sound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

_SLIPS = ("drop", "double", "swap", "neighbour", "sound", "sound")


def misspelt(form: str, random: Random, rows: Sequence[str], sounds: Sequence[tuple[str, str]]) -> str:
    """Return a word with one letter or sound written otherwise; itself where the slip drawn does not fit.

    Args:
        form: The word; its first letter stays, unless it is part of a longer sound: *phone*, *fone*.
        random: Draws the slip.
        rows: The rows of a keyboard.
        sounds: Regular expressions, and what learners write instead.
    """
    slip = random.choice(_SLIPS)
    if slip == "sound":
        return _by_sound(form, random, sounds)
    places = [n for n in range(1, len(form)) if form[n].isalpha()]
    if slip == "swap":
        places = [n for n in places if n + 1 < len(form) and form[n + 1].isalpha() and form[n] != form[n + 1]]
    if not places:
        return form
    place = random.choice(places)
    before, letter, after = form[:place], form[place], form[place + 1 :]
    if slip == "drop":
        return before + after
    if slip == "double":
        return before + letter + letter + after
    if slip == "swap":
        return before + after[0] + letter + after[1:]
    return before + random.choice(_near(letter, rows) or [letter]) + after


def lemma_of_misspelt(form: str, lemma: str, wrong: str) -> str:
    """Return the lemma as it would be misspelt, too: *recieved*, of *receive*, gives *recieve*.

    Where what is inflected is misspelt, the word is its own lemma: nobody can tell which one is meant.
    """
    stem = 0
    while stem < min(len(form), len(lemma)) and form[stem].lower() == lemma[stem].lower():
        stem += 1
    ending = form[stem:]
    if not wrong.endswith(ending) or len(wrong) - len(ending) < 2:
        return wrong.lower() if lemma.islower() else wrong
    kept = wrong[: len(wrong) - len(ending)]
    kept = kept.lower() if lemma.islower() else kept
    return kept + lemma[stem:]


def _by_sound(form: str, random: Random, sounds: Sequence[tuple[str, str]]) -> str:
    found = [(match, new) for old, new in sounds for match in re.finditer(old, form) if match.end() > 1]
    if not found:
        return form
    match, new = random.choice(found)
    return form[: match.start()] + match.expand(new) + form[match.end() :]


def _near(letter: str, rows: Sequence[str]) -> list[str]:
    """Return the letters beside a letter on a keyboard, those above and below included."""
    small = letter.lower()
    for number, row in enumerate(rows):
        place = row.find(small)
        if place >= 0:
            near = [row[n] for n in (place - 1, place + 1) if 0 <= n < len(row)]
            for other in (*rows[max(0, number - 1) : number], *rows[number + 1 : number + 2]):
                near += other[place : place + 1]
            return near
    return []
