"""Splitting raw text into units as the user asks, before an analyser splits sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jperrant.core.text import Splitting, join_sentences, places_of
from jperrant.core.values import Sentence
from jperrant.parse.analyser import Parser

#: The end of a line; ``\r\n`` is one, never two.
_END = r"(?:\r\n|\r(?!\n)|\n)"
_BLANK = re.compile(rf"{_END}[^\S\r\n]*(?:{_END}\s*)+")
_NEWLINE = re.compile(r"(?:\r\n?|\n)\s*")
_BREAK = re.compile(r"[\r\n\v\f\x85\u2028\u2029]")


class SplittingParser:
    """An analyser whose raw texts are cut into units first; threads may share it.

    Args:
        parser: The analyser.
        splitting: Where texts are cut.
    """

    def __init__(self, parser: Parser, splitting: Splitting) -> None:
        self.parser, self.splitting = parser, splitting

    @property
    def can_parse(self) -> bool:
        """Whether the analyser can."""
        return self.parser.can_parse

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut texts into units, and units into sentences and tokens."""
        if self.splitting is Splitting.MODEL:
            # One character replaces one character, so that offsets stay the same.
            plain = [_BREAK.sub(" ", text) for text in texts]
            return list(map(_over, texts, plain, self.parser.tokenize(plain)))
        units = [list(_units(text, self.splitting)) for text in texts]
        found = iter(self.parser.tokenize([unit for text in units for unit in text]))
        return [[s for unit in text for s in self._sentences(unit, next(found))] for text in units]

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences tagged."""
        return self.parser.tag(sentences)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences parsed."""
        return self.parser.parse(sentences)

    def _sentences(self, unit: str, found: list[Sentence]) -> list[Sentence]:
        if self.splitting is Splitting.ONE_PER_LINE and len(found) > 1:
            return [join_sentences(found, unit)]
        return found


def _units(text: str, splitting: Splitting) -> Iterator[str]:
    """Yield the units of a text that are not blank."""
    ends = _BLANK if splitting is Splitting.BLANK else _NEWLINE
    return (unit for unit in ends.split(text) if unit.strip())


def _over(text: str, plain: str, sentences: list[Sentence]) -> list[Sentence]:
    """Return sentences of a text whose line ends were replaced, as sentences of the text itself."""
    places = places_of(sentences, plain)
    return [
        Sentence(s.tokens, text[place : place + len(s.text)], s.id)
        for s, place in zip(sentences, places, strict=True)
    ]
