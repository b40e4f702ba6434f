"""The tokens and sentences of an M2 file for running texts that it holds, such as the essays it was made from."""

from __future__ import annotations

from itertools import accumulate

from jperrant.core.errors import FormatError
from jperrant.exchange.base import MarkedText
from jperrant.exchange.offsets import difference
from jperrant.io.m2 import FormatDeviations, read_m2


def given_tokens(path: str) -> GivenTokens | None:
    """Return the tokens of an M2 file, or None where no file is named.

    Raises:
        FormatError: It is not M2.
        InputError: It cannot be read.
    """
    return GivenTokens(path) if path else None


class GivenTokens:
    """Finds the sentences of texts in an M2 file; white space does not count.

    Args:
        path: The M2 file. Between texts it may hold other sentences, such as headings.

    Raises:
        FormatError: It is not M2.
        InputError: It cannot be read.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.sentences = [block.source for block in read_m2(path, deviations=FormatDeviations())]
        solid = ["".join(tokens) for tokens in self.sentences]
        self.text = "".join(solid)
        #: By the place where it begins or ends: the first sentence that begins there.
        self.first: dict[int, int] = {}
        for k, place in enumerate([0, *accumulate(map(len, solid))]):
            self.first.setdefault(place, k)
        self.position = 0
        self.known: dict[str, list[tuple[str, ...]]] = {}

    def of(self, text: MarkedText) -> list[tuple[str, ...]]:
        """Return the sentences of a text.

        Raises:
            FormatError: The file does not hold the text.
        """
        solid = "".join(text.text.split())
        if solid not in self.known:
            self.known[solid] = self._search(solid, text)
        return self.known[solid]

    def _search(self, solid: str, text: MarkedText) -> list[tuple[str, ...]]:
        for begin in (self.position, 0):  # texts come in the order of the file, mostly
            place = self.text.find(solid, begin)
            while place >= 0:
                if place in self.first and place + len(solid) in self.first:
                    self.position = place + len(solid)
                    return self.sentences[self.first[place] : self.first[self.position]]
                place = self.text.find(solid, place + 1)
        there = difference(solid, self.text[self.position :])
        raise FormatError(text.file, None, f"its text is not among the sentences of {self.path}: {there}")
