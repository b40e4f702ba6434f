"""Stanza's processors, each loaded when it is first needed, never online, in double precision."""

from __future__ import annotations

import pickle
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from typing import Any

from jperrant.core.errors import CorruptModelError
from jperrant.core.extras import STANZA, import_extra
from jperrant.parse.lemmas import fast_lemmas
from jperrant.parse.models import ModelFolder, damaged_file
from jperrant.parse.trees import fast_trees

_LEMMAS = 500
_BROKEN = (
    OSError, ValueError, KeyError, RuntimeError, EOFError, pickle.UnpicklingError, struct.error, zipfile.BadZipFile,
)  # fmt: skip


class Stages:
    """The processors of a package of models.

    Networks run in double precision: sums over a batch round differently with its size, and in single precision
    that could, once in some million tokens, turn a tag. (Models with parts that cannot be doubled, such as
    transformers, run as they are.)
    """

    def __init__(self, models: ModelFolder) -> None:
        self.models = models
        self.single: set[str] = set()

    @cached_property
    def tokenizer(self) -> Any:
        """The pipeline of the tokenizer and the expander of multi-word tokens."""
        stages = ["tokenize", *(["mwt"] if "mwt" in self.models.files else [])]
        return self._doubled(self._pipeline(stages), stages, document_of(text="A b."))

    @cached_property
    def tagger(self) -> Any:
        """The pipeline of the tagger and the lemmatizer."""
        stages = ["pos", *(["lemma"] if "lemma" in self.models.files else [])]
        pipeline = self._pipeline(["tokenize", *stages], tokenize_pretokenized=True, lemma_batch_size=_LEMMAS)
        return self._doubled(pipeline, stages, document_of([[{"id": (1,), "text": "a"}]]))

    @cached_property
    def parser(self) -> Any:
        """The pipeline of the dependency parser."""
        pipeline = self._pipeline(
            ["tokenize", "depparse"], tokenize_pretokenized=True, depparse_pretagged=True
        )
        word = {"id": (1,), "text": "a", "lemma": "a", "upos": "X", "xpos": "X"}
        return self._doubled(pipeline, ["depparse"], document_of([[word]]))

    def run(self, pipeline: Any, stage: str, document: Any) -> Any:
        """Return a document after a stage of a pipeline."""
        precision = nullcontext() if stage in self.single else _double_precision()
        with precision, fast_trees(), fast_lemmas():
            return pipeline.processors[stage].process(document)

    def _pipeline(self, stages: list[str], **options: object) -> Any:
        stanza = import_extra("stanza", STANZA)
        try:
            return stanza.Pipeline(
                self.models.lang,
                dir=str(self.models.folder),
                package=self.models.package,
                processors=",".join(stages),
                download_method=None,  # else Stanza goes online first, even with every file at hand
                verbose=False,
                **options,
            )
        except _BROKEN as error:
            raise self._corrupt(error) from None

    def _corrupt(self, error: Exception) -> CorruptModelError:
        damaged = damaged_file(self.models)
        reason = (str(error).splitlines() or [""])[0][:200]
        what = (
            f"model file {damaged}" if damaged else f"models {self.models.package!r} in {self.models.folder}"
        )
        return CorruptModelError(
            f"{what} cannot be loaded ({type(error).__name__}: {reason}); get them again"
        )

    def _doubled(self, pipeline: Any, stages: Sequence[str], probe: Any) -> Any:
        """Make the networks of some stages double, if a small document then goes through."""
        trainers = (getattr(pipeline.processors[stage], "trainer", None) for stage in stages)
        # Lemmatizers may be mere dictionaries.
        models = [m for m in (getattr(trainer, "model", None) for trainer in trainers) if m is not None]
        for model in models:
            model.double()
        try:
            for stage in stages:
                probe = self.run(pipeline, stage, probe)
        except RuntimeError:
            for model in models:
                model.float()
            self.single.update(stages)
        return pipeline


@contextmanager
def _double_precision() -> Iterator[None]:
    """Make torch's new tensors double for a while."""
    import torch

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def document_of(sentences: Sequence[Sequence[Mapping[str, object]]] = (), text: str | None = None) -> Any:
    """Return a document of Stanza's, of analysed words or of a text."""
    from stanza.models.common.doc import Document

    return Document(sentences, text=text)
