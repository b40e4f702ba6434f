"""Stanza's processors, each loaded when it is first needed, never online, with reproducible networks."""

from __future__ import annotations

import pickle
import struct
import threading
import zipfile
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from jperrant.core.errors import CorruptModelError, MissingError, MissingExtraError
from jperrant.core.extras import STANZA, import_extra, install_command
from jperrant.core.progress import remark
from jperrant.parse.models import ModelFolder, damaged_file
from jperrant.parse.quiet import quiet_stanza
from jperrant.parse.transformers import check_transformers, quiet_transformers

MADE_BY = (1, 15)
"""The Stanza that made the models of the packs; older ones cannot read them."""
_LEMMAS = 500
_BROKEN = (
    OSError, ValueError, KeyError, RuntimeError, EOFError, pickle.UnpicklingError, struct.error, zipfile.BadZipFile,
    TypeError, AttributeError, AssertionError,
)  # fmt: skip


class Processors:
    """The processors of a package of models; threads may share them.

    Attributes:
        models: The package.
        single: The processors whose networks compute in single precision.
        double: Those whose networks compute in double precision.
    """

    def __init__(self, models: ModelFolder) -> None:
        self.models = models
        self.single: set[str] = set()
        self.double: set[str] = set()
        self._said: set[str] = set()
        self._lock = threading.RLock()
        self._pipelines: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """What messages call the models."""
        return f"models {self.models.package!r} ({self.models.lang})"

    @property
    def tokenizer(self) -> Any:
        """The pipeline of the tokenizer and the expander of multi-word tokens."""
        return self._loaded("tokenize", ["tokenize", *self._where_present("mwt")])

    # One pipeline for each network: what two networks share they would make double, or not, for each other.

    @property
    def tagger(self) -> Any:
        """The pipeline of the tagger."""
        return self._loaded("pos", ["tokenize", "pos"], tokenize_pretokenized=True)

    @property
    def lemmatizer(self) -> Any:
        """The pipeline of the lemmatizer."""
        return self._loaded(
            "lemma", ["tokenize", "lemma"], tokenize_pretokenized=True, lemma_pretagged=True,
            lemma_batch_size=_LEMMAS,
        )  # fmt: skip

    @property
    def parser(self) -> Any:
        """The pipeline of the dependency parser."""
        return self._loaded(
            "depparse", ["tokenize", "depparse"], tokenize_pretokenized=True, depparse_pretagged=True
        )

    def run(self, pipeline: Any, stage: str, document: Any) -> Any:
        """Return a document after a processor of a pipeline."""
        from jperrant.parse.reproducible import ReproducibleFunctions

        self._say_once(stage)
        with quiet_stanza(), ReproducibleFunctions():
            return pipeline.processors[stage].process(document)

    def _say_once(self, stage: str) -> None:
        with self._lock:
            if stage not in self._said:
                self._said.add(stage)
                double = ", in double precision" if stage in self.double else ""
                remark(f"{self.name}: {stage} runs through Stanza's own code{double}, which is slower")

    def trainer(self, pipeline: Any, stage: str) -> Any:
        """Return what Stanza calls a trainer, a network with its vocabulary; None where there is none."""
        return getattr(pipeline.processors.get(stage), "trainer", None)

    def _where_present(self, stage: str) -> list[str]:
        return [stage] if stage in self.models.files else []

    def _loaded(self, name: str, stages: list[str], **options: object) -> Any:
        with self._lock:
            if name not in self._pipelines:
                pipeline = self._pipeline(stages, **options)
                for stage in stages:
                    self._prepare(stage, self.trainer(pipeline, stage))
                self._pipelines[name] = pipeline
            return self._pipelines[name]

    def _pipeline(self, stages: list[str], **options: object) -> Any:
        stanza = import_extra("stanza", STANZA)
        from jperrant.parse.reproducible import ReproducibleFunctions

        load = partial(
            stanza.Pipeline,
            self.models.lang,
            dir=str(self.models.folder),
            package=self.models.package,
            processors=",".join(stages),
            download_method=None,  # else Stanza goes online first, even with every file at hand
            use_gpu=False,  # other devices round otherwise
            **options,
        )
        check_transformers(self.models, stages)
        try:
            with quiet_stanza(), quiet_transformers(self.models, stages), ReproducibleFunctions():
                return load()
        except ImportError as error:
            raise MissingExtraError(
                f"{self.name} require a package that is not installed ({error}); run: "
                f"{install_command([error.name or 'stanza[transformers]'])}"
            ) from None
        except _BROKEN as error:
            raise self._unreadable(error) from None

    def _prepare(self, stage: str, trainer: Any) -> None:
        from jperrant.parse.reproducible import reproducible
        from jperrant.parse.reproducible_spelling import decide_by_length, spell_by_length

        classifiers = list(getattr(trainer, "contextual_lemmatizers", None) or ())
        # Lemmatizers may be mere dictionaries.
        networks = [n for n in (getattr(trainer, "model", None), *classifiers) if n is not None]
        if not networks:
            return
        if all([reproducible(network.eval()) for network in networks]):
            self.single.add(stage)
        else:
            self.double.add(stage)
        for network in networks:
            if hasattr(network, "predict_greedy"):
                spell_by_length(network)
        for classifier in classifiers:
            decide_by_length(classifier)

    def _unreadable(self, error: Exception) -> MissingError:
        damaged = damaged_file(self.models)
        reason = (str(error).splitlines() or [""])[0][:200]
        if damaged:
            return CorruptModelError(
                f"model file {damaged} cannot be loaded ({type(error).__name__}: {reason}); download it again"
            )
        version = _version()
        if version < MADE_BY:
            here, made_by = (".".join(map(str, parts)) for parts in (version, MADE_BY))
            return MissingExtraError(
                f"models {self.models.package!r} in {self.models.folder} cannot be read by Stanza {here} "
                f"({type(error).__name__}: {reason}); jperrant's models were made with Stanza {made_by}; "
                f"run: {install_command([f'stanza>={made_by},<2'])}"
            )
        return CorruptModelError(
            f"models {self.models.package!r} in {self.models.folder} cannot be loaded "
            f"({type(error).__name__}: {reason}); download them again"
        )


def _version() -> tuple[int, ...]:
    stanza = import_extra("stanza", STANZA)
    return tuple(int(part) for part in stanza.__version__.split(".")[:2])


def document_of(sentences: Sequence[Sequence[Mapping[str, object]]] = (), text: str | None = None) -> Any:
    """Return a document of Stanza's, of analysed words or of a text."""
    from stanza.models.common.doc import Document

    return Document(sentences, text=text)
