"""The networks of one model package: from texts to tokens, tags, lemmas and trees."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from jperrant.compact.layers import Memory
from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.compact.parser import GraphParser
from jperrant.compact.tagger import Tagger
from jperrant.compact.tokenizer import Expander, Tokenizer
from jperrant.compact.weights import DAMAGE, OtherFormatError, damaged, read_model
from jperrant.compact.words import Arc, SurfaceToken, Word, read_relation_classes
from jperrant.core.errors import CorruptModelError

_Network = TypeVar("_Network")
_KEPT = 500_000
"""The most lemmas that are cached."""


class Networks:
    """Analyses texts and words; thread-safe.

    The analysis of a sentence does not depend on what is analysed with it. Each network is read on first use.

    Args:
        files: The model file of each available stage: ``tokenize``, ``mwt``, ``pos``, ``lemma``, ``depparse``.
        identity: Whether every word is its own lemma if there is no lemma model.

    Raises:
        CorruptModelError: A model is missing, damaged, or of a kind that is not supported here.
    """

    def __init__(self, files: Mapping[str, Path], identity: bool = False) -> None:
        self.files, self.identity = files, identity
        self._lemmas = Memory(self._new_lemmas, _KEPT)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer and sentence splitter."""
        return self._read("tokenize", Tokenizer)

    @cached_property
    def expander(self) -> Expander | None:
        """The expander of multi-word tokens; None if the package has none."""
        return self._read("mwt", Expander) if "mwt" in self.files else None

    @cached_property
    def tagger(self) -> Tagger:
        """The tagger."""
        return self._read("pos", Tagger)

    @cached_property
    def lemmatizer(self) -> Lemmatizer:
        """The lemmatizer."""
        return self._read("lemma", Lemmatizer)

    @cached_property
    def parser(self) -> GraphParser:
        """The dependency parser."""
        classes = read_relation_classes(self.files["depparse"])
        return self._read("depparse", partial(GraphParser, classes=classes))

    def cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        """Split texts into sentences and tokens; return the tokens of each sentence of each text."""
        with _one_thread():
            segments = self.tokenizer.segments(texts)
            several = {s.form for text in segments for sentence in text for s in sentence if s.several}
            words = self.expander.words(sorted(several)) if self.expander else {}
        return [
            [
                [SurfaceToken(s.start, s.end, words.get(s.form, ()) if s.several else ()) for s in found]
                for found in text
            ]
            for text in segments
        ]

    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        """Tag and lemmatise sentences of forms."""
        with _one_thread():
            tags = self.tagger.tag(forms)
            tagged = [list(zip(*pair, strict=True)) for pair in zip(forms, tags, strict=True)]
            distinct = dict.fromkeys(chain.from_iterable(tagged))
            lemmas = self._lemmas((form, tag.upos) for form, tag in distinct)
        words = {(form, tag): Word(form, lemmas[form, tag.upos], *tag) for form, tag in distinct}
        return [[words[pair] for pair in sentence] for sentence in tagged]

    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the head and relation of each word of tagged sentences."""
        with _one_thread():
            return self.parser.parse(rows)

    def _new_lemmas(self, keys: list[tuple[str, str]]) -> list[str]:
        if "lemma" not in self.files:
            return [form if self.identity else "" for form, _ in keys]
        found = self.lemmatizer.lemmas(keys)
        return [found[key] for key in keys]

    def _read(self, stage: str, make: Callable[[Mapping[str, Any]], _Network]) -> _Network:
        """Load the network of a stage."""
        if stage not in self.files:
            raise CorruptModelError(
                f"found no {stage} model beside {next(iter(self.files.values()), 'any other')}"
            )
        try:
            return make(read_model(self.files[stage]))
        except OtherFormatError as error:
            raise CorruptModelError(
                f"model file {self.files[stage]} is of a kind that only Stanza's own code runs ({error}); use "
                "--models stanza:FOLDER"
            ) from None
        except DAMAGE as error:
            raise damaged(self.files[stage], error) from None


_lock = threading.Lock()
_computing: list[Any] = []
"""The thread limits of the computations in progress; the first one remembers the original limits."""


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit numpy's matrix products to one thread until the last such call ends.

    The products are small: several threads would wait for each other longer than they compute, and keep
    processors busy while they wait. The number of threads changes no result, since the products are exact.
    """
    with _lock:
        _computing.append(_computing[0] if _computing else _controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _lock:
            limit = _computing.pop()
            if not _computing:
                limit.restore_original_limits()
