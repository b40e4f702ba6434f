"""The packs' own models as an analyser: in numpy, without Stanza and torch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jperrant.compact.words import Arc, SurfaceToken, Word, relation_file
from jperrant.parse.analyser import Language
from jperrant.parse.models import COMPACT, find_models
from jperrant.parse.word_analyser import WordAnalyser

if TYPE_CHECKING:
    from jperrant.compact.pipeline import Networks


class CompactAnalyser(WordAnalyser):
    """Tokenises, tags and parses with a pack's own models, or others of the same kind.

    Threads may share it.

    Args:
        name: ``compact`` (if empty), a package of the pack's own models, or a folder.
        language: The language.

    Raises:
        MissingModelError: The models are not on this machine.
        CorruptModelError: ``resources.json`` is damaged.
    """

    def __init__(self, name: str, language: Language) -> None:
        super().__init__(name or COMPACT, language)
        self.models = find_models(self.name, language.stanza, language.compact, language.code)
        self._networks: Networks | None = None

    @property
    def networks(self) -> Networks:
        """The networks; each is read on first use."""
        from jperrant.compact.pipeline import Networks  # imports numpy's libraries

        if self._networks is None:
            self._networks = Networks(self.models.files, self.models.identity)
        return self._networks

    @property
    def can_parse(self) -> bool:
        """Whether the package has a dependency parser."""
        return "depparse" in self.models.files

    def identity(self) -> Iterable[Path | str]:
        """Return the files of the models."""
        files = self.models.every_file
        return [*files, *filter(Path.is_file, map(relation_file, files)), *self.models.processors]

    def cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        """Return the tokens of each sentence of each text."""
        return self.networks.cut(texts)

    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        """Return the tagged and lemmatised words of sentences."""
        return self.networks.words(forms)

    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the head and relation of each word of tagged sentences."""
        return self.networks.arcs(rows)

    def relations_of(self, upos: str) -> frozenset[str] | None:
        """Return the relations of words of a UPOS tag."""
        return self.networks.parser.relations_of(upos) if self.can_parse else None
