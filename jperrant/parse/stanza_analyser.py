"""Stanza's models as an analyser: run by Stanza's own code, loaded on first use, never downloaded."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jperrant.compact.words import Arc, SurfaceToken, Word
from jperrant.core.errors import CorruptModelError, MissingExtraError
from jperrant.core.packages import STANZA, check_extra, import_extra, install_command
from jperrant.parse.analyser import Language
from jperrant.parse.models import (
    DEFAULT,
    ModelFolder,
    check_transformers,
    damaged_file,
    find_models,
    quiet_transformers,
)
from jperrant.parse.word_analyser import WordAnalyser

_TURN = threading.RLock()


@contextmanager
def quiet_stanza() -> Iterator[None]:
    """Let one thread at a time run Stanza, without its log, and restore torch's random state.

    Networks are filled with random numbers before their weights are read, and torch's loaders draw a seed for each
    pass.
    """
    common, torch = import_extra("stanza.resources.common", STANZA), import_extra("torch", STANZA)
    with _TURN, torch.random.fork_rng(devices=[]), common.logging_level_context("CRITICAL", None):
        yield


class StanzaAnalyser(WordAnalyser):
    """Tokenises, tags and parses with one package of Stanza models; threads may share it.

    The analysis of a sentence does not depend on the others of a call. Texts are tokenised and sentences
    lemmatised one by one, as Stanza's results depend on which are given together.
    Taggers and parsers take all sentences at once and compute in double precision: torch chooses the order of a sum
    by the shape of a batch, which in double precision changes nothing but ties.

    Args:
        name: ``default`` (if empty), a package, or a folder, as ``find_models`` takes it; ``compact`` for the
            pack's own models, run by Stanza.
        language: The language.

    Raises:
        MissingModelError: The models are not on this machine.
        CorruptModelError: ``resources.json`` is damaged.
    """

    def __init__(self, name: str, language: Language) -> None:
        super().__init__(name or DEFAULT, language)
        self.models = find_models(self.name, language.stanza, language.compact, language.code)
        self._pipelines: dict[str, Any] = {}

    @property
    def can_parse(self) -> bool:
        """Whether the package has a dependency parser."""
        return "depparse" in self.models.files

    def identity(self) -> Iterable[Path | str]:
        """Return the files of the models."""
        return [*self.models.every_file, *self.models.processors]

    def check(self) -> None:
        """Check that Stanza and torch are installed."""
        check_extra((STANZA, "torch"), STANZA)

    def cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        """Return the tokens of each sentence of each text."""
        stages = ["tokenize", "mwt"] if "mwt" in self.models.files else ["tokenize"]
        found = []
        for text in texts:
            document = self._run(stages, [], text=text)
            found.append([[_surface(token) for token in s.tokens] for s in document.sentences])
        return found

    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        """Return the forms of sentences with tags and lemmas; a lemma is empty where the package has none."""
        if not forms:
            return []
        tagged = self._run(["pos"], [_rows([Word(form, "", "", "", "") for form in s]) for s in forms])
        found = [
            [Word(w.text, "", w.upos or "", w.xpos or "", w.feats or "") for w in s.words]
            for s in tagged.sentences
        ]
        return [self._lemmatised(words) for words in found]

    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the arcs of each sentence's words."""
        given = [_rows([Word(*(value or "_" for value in word)) for word in words]) for words in rows]
        return [
            [Arc(w.head, w.deprel or "") for w in s.words] for s in self._run(["depparse"], given).sentences
        ]

    def _lemmatised(self, words: Sequence[Word]) -> list[Word]:
        if "lemma" not in self.models.files:
            return [word._replace(lemma=word.form if self.models.identity else "") for word in words]
        (sentence,) = self._run(["lemma"], [_rows(words)]).sentences
        return [word._replace(lemma=w.lemma or "") for word, w in zip(words, sentence.words, strict=True)]

    def _run(self, stages: Sequence[str], rows: Sequence[Any], text: str | None = None) -> Any:
        """Return the document of a text or of rows of words after some stages."""
        with quiet_stanza():
            from stanza.models.common.doc import Document

            pipeline, document = self._pipeline(stages), Document(rows, text=text)
            for stage in stages:
                document = pipeline.processors[stage].process(document)
            return document

    def _pipeline(self, stages: Sequence[str]) -> Any:
        # Each network has its own pipeline: two that share a base model would both convert it to double
        # precision.
        name = stages[0]
        if name not in self._pipelines:
            if name == "tokenize":
                self._pipelines[name] = self._loaded(stages)
            else:
                options = {"tokenize_pretokenized": True, f"{name}_pretagged": True}
                self._pipelines[name] = self._loaded(["tokenize", *stages], **options)
            if name in ("pos", "depparse"):
                double(self._pipelines[name].processors[name].trainer.model)
        return self._pipelines[name]

    def _loaded(self, stages: Sequence[str], **options: object) -> Any:
        check_transformers(self.models, stages)
        with quiet_transformers(self.models, stages):
            return load_pipeline(self.models, stages, **options)


def load_pipeline(models: ModelFolder, stages: Sequence[str], **options: object) -> Any:
    """Return Stanza's pipeline of some stages of a package.

    Raises:
        MissingExtraError: Stanza, or a package that a model needs, is not installed.
        CorruptModelError: A model cannot be loaded.
    """
    stanza = import_extra("stanza", STANZA)
    try:
        return stanza.Pipeline(
            models.lang, dir=str(models.folder), package=models.package, processors=",".join(stages),
            download_method=None,  # else Stanza goes online first, even if all files are there
            use_gpu=False,  # other devices round differently
            **options,
        )  # fmt: skip
    except ImportError as error:
        raise MissingExtraError(
            f"models {models.package!r} ({models.lang}) require a package that is not installed ({error}); run: "
            f"{install_command([error.name or 'stanza[transformers]'])}"
        ) from None
    except Exception as error:  # a damaged file may raise anything
        damaged = damaged_file(models)
        what = f"model file {damaged}" if damaged else f"models {models.package!r} in {models.folder}"
        reason = (str(error).splitlines() or [""])[0][:200]
        if isinstance(error, pickle.UnpicklingError):  # torch's message advises to run the code in the file
            reason = "it holds other content than weights, none of which was run"
        raise CorruptModelError(
            f"{what} cannot be loaded ({type(error).__name__}: {reason}); download it again"
        ) from None


def _surface(token: Any) -> SurfaceToken:
    return SurfaceToken(token.start_char, token.end_char, tuple([word.text for word in token.words]))


def _rows(words: Sequence[Word]) -> list[dict[str, object]]:
    """Return words as Stanza takes them; tags where they are known."""
    return [
        {"id": (n,), "text": w.form}
        | ({"lemma": w.lemma, "upos": w.upos, "xpos": w.xpos, "feats": w.feats or None} if w.upos else {})
        for n, w in enumerate(words, start=1)
    ]


def double(network: Any) -> None:
    """Make a network compute in double precision, and cast the inputs of its layers."""
    torch = import_extra("torch", STANZA)
    network.double()
    for module in network.modules():
        has_weights = next(module.parameters(recurse=False), None) is not None
        if has_weights and not isinstance(module, torch.nn.Embedding):
            module.register_forward_pre_hook(_cast, with_kwargs=True)


def _cast(module: Any, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, Any]:  # noqa: ARG001
    return _doubled(args), _doubled(options)


def _doubled(value: Any) -> Any:
    """Return tensors of floating-point numbers, wherever they are in a value, in double precision."""
    from torch import Tensor
    from torch.nn.utils.rnn import PackedSequence

    if isinstance(value, PackedSequence):
        return value._replace(data=value.data.double())
    if isinstance(value, Tensor):
        return value.double() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _doubled(part) for key, part in value.items()}
    return type(value)(map(_doubled, value)) if isinstance(value, list | tuple) else value
