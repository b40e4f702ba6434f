"""The hooks of the Arabic pack: properties that compare words while ignoring some of their letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext

#: Short vowels, tanwin, shadda, sukun, the dagger alif, and tatweel, which only stretches a word.
_HARAKAT = re.compile("[\u064b-\u0652\u0670\u0640]")
_ARTICLE = re.compile("^([وف]?[بك]?)ال(?=..)")
_ARTICLE_AFTER_LI = re.compile("^([وف]?ل)ل(?=..)")
_PREPOSITION = re.compile("^([وف]?)(?:لل|[بلك])(?=..)")
_PRONOUN = re.compile("(?<=..)(?:هما|كما|هم|هن|كم|كن|ها|نا|ني|ه|ك|ي)$")
#: Letters with hamza to the seat alone; a hamza without a seat is removed.
_SEATS = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ؤ": "و", "ئ": "ي", "ء": None})
_LONG_VOWELS = str.maketrans("", "", "اوي")


def _seats(word: str) -> str:
    """Remove hamzas, keeping their seats: أكثر and اكثر become اكثر."""
    return word.translate(_SEATS)


def _hamzas(word: str) -> str:
    """Remove the seats of hamzas: مسؤول and مسئول become مسءول; شئ and شيء become شء."""
    return re.sub("[أإآٱؤئ]|[يو]ء", "ء", word)


def _indefinite(word: str) -> str:
    """Remove the article: الكتاب becomes كتاب, بالكتاب becomes بكتاب, للكتاب becomes لكتاب."""
    return _ARTICLE_AFTER_LI.sub(r"\1", _ARTICLE.sub(r"\1", word))


def _without_conjunction(word: str) -> str:
    return re.sub("^[وف](?=..)", "", word)


def _without_preposition(word: str) -> str:
    """Remove a preposition and the article: بالبيت and البيت become بيت."""
    bare = _PREPOSITION.sub(r"\1", word)
    return re.sub("^([وف]?)ال(?=..)", r"\1", bare)


def _without_pronoun(word: str) -> str:
    """Remove a suffixed pronoun; a final ta marbuta becomes ta, as it does before a pronoun."""
    bare = _PRONOUN.sub("", word)
    return bare[:-1] + "ت" if bare.endswith("ة") else bare


def _without_person(word: str) -> str:
    """Remove the first letter of an imperfect, which marks the person: يكتب and تكتب become كتب."""
    return re.sub("^[أاينت](?=..)", "", word)


def _without_future(word: str) -> str:
    """Remove the future prefix of an imperfect: سيذهب becomes يذهب."""
    return re.sub("^س(?=[أنيت]..)", "", word)


def _without_long_vowels(word: str) -> str:
    return word.translate(_SEATS).translate(_LONG_VOWELS)


def _sorted_letters(word: str) -> str:
    return "".join(sorted(word))


def _of_letters(read: Callable[[str], str]) -> Callable[[EditContext, Token], str]:
    return lambda _view, token: read(_HARAKAT.sub("", token.form))


PROPERTIES: Mapping[str, Callable[[EditContext, Token], str]] = {
    read.__name__.strip("_"): _of_letters(read)
    for read in (
        _seats, _hamzas, _indefinite, _without_conjunction, _without_preposition, _without_pronoun, _without_person,
        _without_future, _without_long_vowels, _sorted_letters,
    )
}  # fmt: skip
