"""What the merging of operations knows of a language, and of the words of a run of operations."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from jperrant.core.values import Token


@dataclass(frozen=True, slots=True)
class MergeRules:
    """What the strategy ``rules`` knows of a language.

    Attributes:
        possessive: XPOS tags of possessive suffixes, which merge with the word before them.
        bridges: Characters that may join or part a word: ``sub - way`` → ``subway`` is one edit.
        content: UPOS tags of content words; a run with one of them is one edit if no rule splits it.
        verbal: UPOS tags that form verb phrases: ``to eat`` → ``eating`` is one edit.
        determiner: UPOS tags of words that are split off the end of a run.
        similar: Indel similarity above which two words at the edge of a range are a pair of their own.
    """

    possessive: frozenset[str] = frozenset()
    bridges: str = "'-"
    content: frozenset[str] = frozenset({"ADJ", "AUX", "ADV", "NOUN", "VERB"})
    verbal: frozenset[str] = frozenset({"AUX", "PART", "VERB"})
    determiner: frozenset[str] = frozenset({"DET"})
    similar: float = 0.75


class Words:
    """One side of a run, laid out so that a question about any range of it takes constant time."""

    def __init__(self, tokens: Sequence[Token], rules: MergeRules) -> None:
        self.forms = [t.form for t in tokens]
        self.lower = [f.lower() for f in self.forms]
        self.upos = [t.upos for t in tokens]
        self.possessive = [t.xpos in rules.possessive for t in tokens]
        self.capital = [f[0].isupper() for f in self.forms]
        self.punct = [t.upos == "PUNCT" or t.form in string.punctuation for t in tokens]
        bare = str.maketrans("", "", rules.bridges)
        letters = [f.translate(bare) for f in self.lower]
        self.text = "".join(letters)
        self.offsets = list(accumulate(map(len, letters), initial=0))
        self._other = list(accumulate((u not in rules.verbal for u in self.upos), initial=0))
        self._same_since = list(
            accumulate(
                range(1, len(tokens)), lambda at, k: at if self.upos[k] == self.upos[k - 1] else k, initial=0
            )
        )

    def joined(self, start: int, end: int) -> str:
        """Return the lower-cased words as one, without bridging characters."""
        return self.text[self.offsets[start] : self.offsets[end]]

    def only_verbal(self, start: int, end: int) -> bool:
        """Whether all words belong to a verb phrase."""
        return self._other[start] == self._other[end]

    def one_class(self, start: int, end: int) -> str:
        """Return the UPOS tag that all words share, or an empty string."""
        return self.upos[start] if self._same_since[end - 1] <= start else ""
