"""Stanza's models as an analyser: found at once, read when there is text; Stanza itself runs only what has to."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jperrant.compact.relation_classes import relation_file
from jperrant.core.extras import STANZA, check_extra, import_extra, missing_modules
from jperrant.core.values import Sentence
from jperrant.parse.analyser import Analyser, Language
from jperrant.parse.models import COMPACT, find_models

if TYPE_CHECKING:
    from jperrant.parse.stanza import StanzaParser

_LIBRARIES = (STANZA, "torch")


class StanzaAnalyser(Analyser):
    """Tokenises, tags and parses with one package of Stanza models; those of packs need neither Stanza nor torch.

    Args:
        name: ``compact`` (if empty), ``default``, a package, or a folder, as ``find_models`` takes it.
        language: The language.

    Raises:
        MissingModelError: The models are not on this machine.
        CorruptModelError: ``resources.json`` is damaged.
    """

    tokenizes = True

    def __init__(self, name: str, language: Language) -> None:
        super().__init__(name or COMPACT, language)
        self.models = find_models(self.name, language.stanza, language.compact, language.code)
        self._lock = threading.Lock()
        self._parser: StanzaParser | None = None

    @property
    def can_parse(self) -> bool:
        """Whether the package has a dependency parser."""
        return "depparse" in self.models.files

    def identity(self) -> Iterable[Path | str]:
        """Return the files of the models."""
        files = self.models.every_file
        return [*files, *filter(Path.is_file, map(relation_file, files)), *self.models.processors]

    def check(self) -> None:
        """Check that Stanza and torch are installed, where the models need them."""
        if missing_modules(_LIBRARIES) and self.parser.needs_stanza:
            check_extra(_LIBRARIES, STANZA)

    def use_one_thread(self) -> None:
        """Have numpy's products, and torch where the models need it, use one thread."""
        from threadpoolctl import threadpool_limits

        threadpool_limits(1)
        if self.parser.needs_stanza:
            import_extra("torch", STANZA).set_num_threads(1)

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens."""
        return self.parser.tokenize(texts)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add lemma, UPOS, XPOS and FEATS."""
        return self.parser.tag(sentences)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add heads and relations to tagged sentences."""
        return self.parser.parse(sentences)

    def relations_of(self, upos: str) -> frozenset[str] | None:
        """Return the relations of words of a UPOS tag, where the parser keeps to those it can have."""
        return self.parser.relations_of(upos)

    @property
    def parser(self) -> StanzaParser:
        """Stanza behind the parser protocol, made when it is first asked for."""
        from jperrant.parse.stanza import StanzaParser

        with self._lock:
            if self._parser is None:
                self._parser = StanzaParser(self.models)
            return self._parser
