"""The stages of a package of models that run without Stanza and torch, each read when it is first needed."""

from __future__ import annotations

import threading
from typing import Any

from jperrant.compact.expander import Expander
from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.compact.parser import GraphParser
from jperrant.compact.relation_classes import read_relation_classes
from jperrant.compact.tagger import Tagger
from jperrant.compact.tokenizer import Tokenizer
from jperrant.compact.weights import DAMAGE, OtherFormatError, read_model
from jperrant.core.errors import CorruptModelError
from jperrant.parse.models import ModelFolder, damaged_file

_KINDS: dict[str, Any] = {
    "tokenize": Tokenizer,
    "mwt": Expander,
    "pos": Tagger,
    "lemma": Lemmatizer,
    "depparse": GraphParser,
}
#: Round what they compute, so that of answers that almost tie another may come first than in Stanza.
_ROUNDING = frozenset(["pos", "depparse"])


class Stages:
    """The stages of a package; threads may share them.

    Args:
        models: The package.
    """

    def __init__(self, models: ModelFolder) -> None:
        self.models = models
        self._lock = threading.RLock()
        self._stages: dict[str, Any] = {}

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer and sentence splitter; None where the package has none, or one of another kind."""
        tokenizer: Tokenizer | None = self._stage("tokenize")
        return tokenizer

    @property
    def expander(self) -> Expander | None:
        """The expander of multi-word tokens; None where the package has none, or one of another kind."""
        expander: Expander | None = self._stage("mwt")
        return expander

    @property
    def lemmatizer(self) -> Lemmatizer | None:
        """The lemmatizer; None where the package has none, or one of another kind."""
        lemmatizer: Lemmatizer | None = self._stage("lemma")
        return lemmatizer

    @property
    def tagger(self) -> Tagger | None:
        """The tagger; None where the package has none, or one of another kind."""
        tagger: Tagger | None = self._stage("pos")
        return tagger

    @property
    def parser(self) -> GraphParser | None:
        """The dependency parser; None where the package has none, or one of another kind."""
        parser: GraphParser | None = self._stage("depparse")
        return parser

    @property
    def complete(self) -> bool:
        """Whether every stage of the package is of a known kind."""
        return all(self._stage(name) is not None for name in self.models.files)

    def _stage(self, name: str) -> Any:
        with self._lock:
            if name not in self._stages:
                self._stages[name] = self._read(name) if name in self.models.files else None
            return self._stages[name]

    def _read(self, name: str) -> Any:
        if self.models.published and name in _ROUNDING:
            return None
        kind, path = _KINDS[name], self.models.files[name]
        try:
            model = read_model(path)
            more = [read_relation_classes(path)] if name == "depparse" else []
            return kind(model, *more) if kind.fits(model) else None
        except OtherFormatError:
            return None
        except DAMAGE as error:
            # What another version of Stanza wrote is Stanza's to read.
            if damaged_file(self.models) != path:
                return None
            reason = (str(error).splitlines() or [""])[0][:200]
            raise CorruptModelError(
                f"model file {path} cannot be loaded ({type(error).__name__}: {reason}); download it again"
            ) from None
