"""Which character is likeliest where a network can take one from its vocabulary or copy one that it has read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from jperrant.compact.vocabularies import UNKNOWN


class Copies(NamedTuple):
    """The characters that words of one length can copy.

    Attributes:
        source: Their numbers, shape ``(words, characters)``.
        known: How many characters the vocabulary has; larger numbers are of characters that it lacks.
        first: For each character the place of the first such one in its word, same shape as ``source``.
    """

    source: Any
    known: int
    first: Any

    @classmethod
    def in_words(cls, source: Any, known: int) -> Copies:
        """Return the characters of words."""
        length = source.shape[1]
        first = np.empty_like(source)
        for place in range(length):
            first[:, place] = (source == source[:, place : place + 1]).argmax(axis=1)
        return cls(source, known, first)

    def of(self, rows: Any) -> Copies:
        """Return those of some of the words."""
        return Copies(self.source[rows], self.known, self.first[rows])

    def likeliest(
        self, weights: Any, gate: Any, states: Any, scores: Callable[[Any], Any], unknown: bool
    ) -> Any:
        """Return the likeliest character of each word.

        Where copying one character is likelier than all else can be together, the vocabulary is not looked at.

        Args:
            weights: Attention to each character, whole numbers, shape ``(words, characters)``.
            gate: Score of copying, shape ``(words,)``.
            states: The decoder's states, shape ``(words, size)``.
            scores: Returns the scores of the vocabulary for some states.
            unknown: Whether it may be the one that stands for unknown characters.
        """
        count, length = self.source.shape
        places = self.first + np.arange(count)[:, None] * length
        copied = np.bincount(places.ravel(), weights.ravel(), count * length).reshape(count, length)
        written = 1 / (1 + np.exp(gate.astype(np.float64)))  # the probability of not copying
        copied *= ((1 - written) / weights.sum(axis=1))[:, None]
        best = copied.argmax(axis=1)
        every = np.arange(count)
        found = self.source[every, best]
        highest = copied[every, best]
        rest = copied.copy()
        rest[every, best] = 0
        [doubtful] = np.nonzero(highest <= rest.max(axis=1) + written)
        if len(doubtful):
            found[doubtful] = self.of(doubtful)._compared(
                copied[doubtful], written[doubtful], scores(states[doubtful]), unknown
            )
        return found

    def _compared(self, copied: Any, written: Any, scores: Any, unknown: bool) -> Any:
        """Return the likeliest characters by the probabilities of copying and of writing each."""
        every = np.arange(len(copied))
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        share = written / chances.sum(axis=1)
        base = np.where(self.source < self.known, self.source, UNKNOWN)
        both = copied + share[:, None] * chances[every[:, None], base]
        if not unknown:
            chances[:, UNKNOWN] = -1
        new = chances.argmax(axis=1)
        best = both.argmax(axis=1)
        is_copied = both[every, best] >= share * chances[every, new]
        return np.where(is_copied, self.source[every, best], new)
