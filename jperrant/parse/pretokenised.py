"""The parser that adds nothing: for text whose analysis is given, and where no model is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.core.text import sentence_of
from jperrant.core.values import Sentence


class PretokenisedParser:
    """Takes every sentence as it is; raw text is cut at white space, one sentence a text."""

    can_parse = False

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut texts at white space."""
        return [[sentence_of(text)] for text in texts]

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences as they are."""
        return list(sentences)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences as they are."""
        return list(sentences)
