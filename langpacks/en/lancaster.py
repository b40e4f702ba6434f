"""The Lancaster stemmer: removes or replaces endings until no rule fires.

Source: Paice 1990 ("Another Stemmer", SIGIR Forum 24(3)) with its list of rules. The stems are the same as
those of nltk, which ERRANT uses; importing nltk takes longer than annotating a thousand sentences.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

#: Paice's notation of a rule: the ending, written backwards; ``*`` if it applies only to a word that no rule
#: has changed; the number of letters to cut; the letters to append; ``>`` to continue or ``.`` to stop.
RULES = """
    ai*2. a*1. bb1. city3s. ci2> cn1t> dd1. dei3y> deec2ss. dee1. de2> dooh4> e1> feil1v. fi2> gni3> gai3y.
    ga2> gg1. ht*2. hsiug5ct. hsi3> i*1. i1y> ji1d. juf1s. ju1d. jo1d. jeh1r. jrev1t. jsim2t. jn1d. j1s.
    lbaifi6. lbai4y. lba3> lbi3. lib2l> lc1. lufi4y. luf3> lu2. lai3> lau3> la2> ll1. mui3. mu*2. msi3> mm1.
    nois4j> noix4ct. noi3> nai3> na2> nee0. ne2> nn1. pihs4> pp1. re2> rae0. ra2. ro2> ru2> rr1. rt1> rei3y>
    sei3y> sis2. si2> ssen4> ss0. suo3> su*2. s*1> s0. tacilp4y. ta2> tnem4> tne3> tna3> tpir2b. tpro2b.
    tcud1. tpmus2. tpec2iv. tulo2v. tsis0. tsi3> tt1. uqi3. ugo1. vis3j> vie0. vi2> ylb1> yli3y> ylp0. yl2>
    ygo1. yhp1. ymo1. ypo1. yti3> yte3> ytl2. yrtsi5. yra3> yro3> yfi3. ycn2t> yca3> zi2> zy1s.
"""
_RULE = re.compile(r"([a-z]+)(\*?)(\d)([a-z]*)([>.])")
_VOWELS = "aeiouy"
#: Longer strings are not words, and would take long.
_LONGEST = 1000


class _Rule(NamedTuple):
    """A parsed rule."""

    ending: str
    whole: bool
    cut: int
    added: str
    goes_on: bool


#: The rules by the last letter of the ending.
_RULES: dict[str, list[_Rule]] = {}
for _backwards, _whole, _cut, _added, _then in _RULE.findall(RULES):
    _rule = _Rule(_backwards[::-1], bool(_whole), int(_cut), _added, _then == ">")
    _RULES.setdefault(_backwards[0], []).append(_rule)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-cased word."""
    changed = word if len(word) <= _LONGEST else ""
    goes_on = bool(changed)
    while goes_on:
        rule = _first_that_fires(changed, changed == word)
        if rule is None:
            break
        changed, goes_on = changed[: len(changed) - rule.cut] + rule.added, rule.goes_on
    return changed or word


def _first_that_fires(word: str, whole: bool) -> _Rule | None:
    for rule in _RULES.get(_last_letter(word), ()):
        if word.endswith(rule.ending) and (whole or not rule.whole) and _leaves_a_stem(word, rule.cut):
            return rule
    return None


def _last_letter(word: str) -> str:
    """Return the last letter of the initial run of letters of a word."""
    if word.isalpha():
        return word[-1]
    letters = next((n for n, letter in enumerate(word) if not letter.isalpha()), len(word))
    return word[letters - 1] if letters else ""


def _leaves_a_stem(word: str, cut: int) -> bool:
    """Whether enough of a word is left: two letters if it begins with a vowel, else three with a vowel."""
    left = len(word) - cut
    if word[0] in _VOWELS:
        return left >= 2
    return left >= 3 and (word[1] in _VOWELS or word[2] in _VOWELS)
