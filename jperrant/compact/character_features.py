"""What tokenizers are told of a character beside which one it is: Stanza's features, and words of a lexicon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

_OF_CHARACTER = {"space_before": " ".__eq__, "capitalized": str.isupper, "numeric": str.isdecimal}
_OF_PLACE = ("end_of_para", "start_of_para")
_MONTHS = "January February March April May June July August September October November December"
# Text of tables and signatures. Sources: the features of these names in Stanza 1.15.
_OF_STRETCH = {
    "labeled_field": re.compile(r"\b[A-Z][a-zA-Z]*(?:\s[A-Z][a-zA-Z]*){0,2}\s*:"),
    "phone_id": re.compile(r"\(\d{3}\)\s?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b|\bx\d{3,5}\b"),
    "date_pattern": re.compile(
        rf"\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b|\b(?:{_MONTHS.replace(' ', '|')})\s+\d{{1,2}},?\s+\d{{4}}\b"
    ),
    "currency": re.compile(r"\$\s?\d[\d,]*(?:\.\d+)?"),
}
KNOWN = frozenset({*_OF_CHARACTER, *_OF_PLACE, *_OF_STRETCH})
"""Names of the features that a tokenizer may have."""


class CharacterFeatures:
    """Computes the features of a tokenizer.

    Args:
        names: The features, all ``KNOWN``.
        lexicon: Words; each character is marked with those that begin or end there. None for no such marks.
        reach: Most further characters of a word, and half the number of the marks.
    """

    def __init__(self, names: Sequence[str], lexicon: Sequence[str] | None, reach: int) -> None:
        self._characters = [_OF_CHARACTER[name] for name in names if name in _OF_CHARACTER]
        self._places = [name for name in _OF_PLACE if name in names]
        self._stretches = [pattern for name, pattern in _OF_STRETCH.items() if name in names]
        self._lexicon = None if lexicon is None else frozenset(word for word in lexicon if len(word) > 1)
        self._reach = 0 if lexicon is None else reach

    @property
    def size(self) -> int:
        """Number of features."""
        return len(self._characters) + len(self._places) + len(self._stretches) + 2 * self._reach

    def of_character(self, character: str) -> list[bool]:
        """Return what holds of a character wherever it stands: the first features."""
        return [test(character) for test in self._characters]

    def of_places(self, text: str) -> Any:
        """Return what depends on the place: the features that follow, shape ``(characters, features)``."""
        marks = np.zeros((len(text), self.size - len(self._characters)), dtype=np.float32)
        for column, name in enumerate(self._places):
            marks[-1 if name == "end_of_para" else 0, column] = 1
        for column, pattern in enumerate(self._stretches, start=len(self._places)):
            for match in pattern.finditer(text):
                marks[match.start() : match.end(), column] = 1
        if self._lexicon is not None:
            self._mark_words(text, marks[:, -2 * self._reach :])
        return marks

    def _mark_words(self, text: str, marks: Any) -> None:
        """Mark words of the lexicon where they begin (first half of the columns) and end (second half).

        The character that has the mark is looked up as it is written, the others in lower case.
        """
        lower = [character.lower() for character in text]
        words = self._lexicon or frozenset()
        same = "".join(lower) == text
        for further in range(1, self._reach + 1):
            for start in range(len(text) - further):
                end = start + further
                if same:
                    if text[start : end + 1] in words:
                        marks[start, further - 1] = marks[end, self._reach + further - 1] = 1
                    continue
                if text[start] + "".join(lower[start + 1 : end + 1]) in words:
                    marks[start, further - 1] = 1
                if "".join(lower[start:end]) + text[end] in words:
                    marks[end, self._reach + further - 1] = 1
