"""The networks of one package: texts to tokens, words to tags and lemmas, tagged words to trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from jperrant.compact.expander import Expander
from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.compact.parser import GraphParser
from jperrant.compact.relation_classes import read_relation_classes
from jperrant.compact.tagger import Tagger
from jperrant.compact.threads import one_thread
from jperrant.compact.tokenizer import Tokenizer
from jperrant.compact.weights import DAMAGE, OtherFormatError, read_model
from jperrant.compact.words import Arc, Word
from jperrant.core.errors import CorruptModelError

_Network = TypeVar("_Network")
_KEPT = 500_000
"""Lemmas that are remembered."""


class Networks:
    """Analyses texts and words; threads may share it. What it finds does not depend on what else is asked.

    Args:
        files: The model of each stage there is: ``tokenize``, ``mwt``, ``pos``, ``lemma``, ``depparse``.
        identity: Whether every word is its own lemma where there is no model of lemmas.
    """

    def __init__(self, files: Mapping[str, Path], identity: bool = False) -> None:
        self.files, self.identity = files, identity
        self._lemmas: dict[tuple[str, str], str] = {}

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer and sentence splitter."""
        return self._read("tokenize", Tokenizer)

    @cached_property
    def expander(self) -> Expander | None:
        """The expander of multi-word tokens; None where the package has none."""
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
        return self._read(
            "depparse", GraphParser, lambda path: GraphParser(read_model(path), read_relation_classes(path))
        )

    def cut(self, texts: Sequence[str]) -> list[list[list[tuple[int, int, tuple[str, ...]]]]]:
        """Return the tokens of each sentence of each text: start, end, and its words if it stands for several."""
        with one_thread():
            segments = self.tokenizer.segments(texts)
            several = {s.form for text in segments for sentence in text for s in sentence if s.several}
            words = self.expander.words(sorted(several)) if self.expander and several else {}
        return [
            [
                [(s.start, s.end, words.get(s.form, ()) if s.several else ()) for s in sentence]
                for sentence in text
            ]
            for text in segments
        ]

    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        """Return the tagged and lemmatised words of sentences."""
        with one_thread():
            tagged = [
                list(zip(sentence, tags, strict=True))
                for sentence, tags in zip(forms, self.tagger.tag(forms), strict=True)
            ]
            lemmas = self._lemmas_of({(form, tags.upos) for sentence in tagged for form, tags in sentence})
        return [[Word(form, lemmas[form, tags.upos], *tags) for form, tags in words] for words in tagged]

    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the head and relation of each word of tagged sentences."""
        with one_thread():
            return self.parser.parse(rows)

    def _lemmas_of(self, keys: set[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
        """Return the lemma of each form with its UPOS, each looked for once."""
        if "lemma" not in self.files:
            return {(form, upos): form if self.identity else "" for form, upos in keys}
        known = self._lemmas
        new = [key for key in keys if key not in known]
        if len(known) + len(new) > _KEPT:  # memory stays bounded on endless input
            known, new = {}, list(keys)
        known.update(self.lemmatizer.lemmas(new))
        self._lemmas = known
        return known

    def _read(
        self, stage: str, kind: type[_Network], make: Callable[[Path], _Network] | None = None
    ) -> _Network:
        """Return the network of a stage.

        Raises:
            CorruptModelError: There is no such model, it is damaged, or none that these networks compute.
        """
        if stage not in self.files:
            raise CorruptModelError(
                f"found no {stage} model among {', '.join(map(str, self.files.values()))}"
            )
        path = self.files[stage]
        try:
            model = read_model(path)
            return make(path) if make else kind(model)
        except (OtherFormatError, *DAMAGE) as error:
            reason = (str(error).splitlines() or [""])[0][:200]
            raise CorruptModelError(
                f"model file {path} cannot be loaded ({type(error).__name__}: {reason}); download it again"
            ) from None
