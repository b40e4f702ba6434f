"""Lemmas of words by the lemmatizer of a package: without Stanza where it is of a known kind."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from jperrant.parse.processors import Processors, document_of
from jperrant.parse.stages import Stages

_KEPT = 500_000


class Lemmas:
    """Finds lemmas, each once; threads may share them.

    Args:
        stages: The stages of the package that need no Stanza.
        processors: Stanza's, for a lemmatizer of another kind.
    """

    def __init__(self, stages: Stages, processors: Processors) -> None:
        self.stages, self.processors = stages, processors
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], str] = {}

    def of(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the lemma of each form with its UPOS; "" where the package knows none."""
        if "lemma" not in self.stages.models.files:
            return {(form, upos): form if self.stages.models.identity else "" for form, upos in keys}
        known = self._known
        lemmas = {key: lemma for key in keys if (lemma := known.get(key)) is not None}
        new = self._found([key for key in keys if key not in lemmas])
        with self._lock:
            if len(self._known) > _KEPT:  # memory stays bounded on endless input
                self._known = {}
            self._known |= new
        return lemmas | new

    def _found(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        lemmatizer = self.stages.lemmatizer
        if lemmatizer is not None or not keys:
            return lemmatizer.lemmas(keys) if lemmatizer is not None else {}
        # Words of similar length together: a batch is as wide as its longest word.
        ordered = sorted(keys, key=lambda key: (len(key[0]), key))
        document = document_of([[{"id": (1,), "text": form, "upos": upos}] for form, upos in ordered])
        self.processors.run(self.processors.lemmatizer, "lemma", document)
        return {key: s.words[0].lemma or "" for key, s in zip(ordered, document.sentences, strict=True)}

    @property
    def contextual(self) -> bool:
        """Whether a lemma also depends on the words around it."""
        if "lemma" not in self.stages.models.files or self.stages.lemmatizer is not None:
            return False
        trainer = getattr(self.processors.lemmatizer.processors.get("lemma"), "trainer", None)
        return bool(trainer is not None and trainer.has_contextual_lemmatizers())

    def in_context(self, sentences: Sequence[Sequence[dict[str, Any]]]) -> list[list[str]]:
        """Return the lemma of each word of sentences that are tagged, as Stanza takes them."""
        document = document_of(sentences)
        self.processors.run(self.processors.lemmatizer, "lemma", document)
        return [[word.lemma or "" for word in sentence.words] for sentence in document.sentences]
