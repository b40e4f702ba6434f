"""What the annotator asks of a parser, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from jperrant.core.values import Sentence


class Parser(Protocol):
    """Turns text into analysed sentences, many at a time.

    The analysis of a sentence must not depend on the other sentences of a call.
    """

    @property
    def can_parse(self) -> bool:
        """Whether ``parse`` adds dependencies; where False rules do without."""
        ...

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens: one list of sentences for each text, in order.

        Without white space the tokens of a text, joined, are the text; their offsets count from the start of
        their sentence's own text.
        """
        ...

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences, in order, with lemma, UPOS, XPOS and FEATS; tokens stay as they are.

        Of a token with a UPOS nothing changes, and whatever else a token comes with is kept.
        """
        ...

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences, in order, with head and deprel."""
        ...
