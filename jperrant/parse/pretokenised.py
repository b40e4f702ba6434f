"""The analyser that adds nothing: for text whose analysis is given, and where no model is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jperrant.core.values import Sentence
from jperrant.parse.analyser import Analyser, Language


class PretokenisedParser(Analyser):
    """Takes every sentence as it is; raw text is cut at white space, one sentence a text."""

    def __init__(self, name: str = "", language: Language | None = None) -> None:
        super().__init__(name, language or Language(""))

    def identity(self) -> Iterable[Path | str]:
        """Return nothing: there are no models."""
        return []

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences as they are."""
        return list(sentences)
