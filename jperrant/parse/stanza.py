"""Stanza behind the parser protocol: batched, each stage loaded when it is first needed, never online."""

from __future__ import annotations

import pickle
import zipfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from jperrant.data import Sentence, Token
from jperrant.errors import CorruptModelError
from jperrant.parse.models import ModelFolder, damaged_file
from jperrant.parse.surface import SurfaceToken, sentences_over
from jperrant.parse.trees import quick_trees

_BROKEN = (OSError, ValueError, KeyError, RuntimeError, EOFError, pickle.UnpicklingError, zipfile.BadZipFile)
_LEMMAS_KEPT = 500_000


class StanzaParser:
    """Tokenises, tags and parses with one package of Stanza models.

    Networks run in double precision: sums over a batch round differently with its size, and in single
    precision that could, once in some million tokens, turn a tag. So the analysis of a sentence does not
    depend on what it is batched with. (Models with parts that cannot be doubled, such as transformers, run as
    they are.)
    """

    def __init__(self, models: ModelFolder) -> None:
        self.models = models
        self._single: set[str] = set()
        self._lemmas: dict[tuple[str, str], str] = {}

    @property
    def can_parse(self) -> bool:
        """Whether the package has a dependency parser."""
        return "depparse" in self.models.files

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens."""
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        if not distinct:
            return [[] for _ in texts]
        # A blank line parts texts, as it parts paragraphs.
        document = self._run(self._tokenizer, "tokenize", _document(text="\n\n".join(distinct)))
        if "mwt" in self._tokenizer.processors:
            document = self._run(self._tokenizer, "mwt", document)
        found = dict(zip(distinct, _by_text(distinct, document.sentences), strict=True))
        return [sentences_over(text, found.get(text, [])) for text in texts]

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add lemma, UPOS, XPOS and FEATS."""
        return self._analyse(sentences, self._tag, _tagged)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add heads and relations to tagged sentences."""
        return self._analyse(sentences, self._parse, _parsed) if self.can_parse else list(sentences)

    def _analyse(
        self,
        sentences: Sequence[Sentence],
        run: Callable[[Any], None],
        result: Callable[[Sentence, Sequence[Any]], tuple[Token, ...]],
    ) -> list[Sentence]:
        full = [s for s in sentences if s.tokens]
        if not full:
            return list(sentences)
        document = _document([_rows(s) for s in full])
        run(document)
        analysed = iter(document.sentences)
        return [replace(s, tokens=result(s, next(analysed).words)) if s.tokens else s for s in sentences]

    def _tag(self, document: Any) -> None:
        self._run(self._tagger, "pos", document)
        self._lemmatize(document)

    def _parse(self, document: Any) -> None:
        if any(not word.upos for sentence in document.sentences for word in sentence.words):
            self._tag(document)  # of a multi-word token only the first word's tags were kept
        self._run(self._parser, "depparse", document)

    # Stages, each loaded when first used

    @cached_property
    def _tokenizer(self) -> Any:
        stages = ["tokenize", *(["mwt"] if "mwt" in self.models.files else [])]
        return self._doubled(self._pipeline(stages), stages, _document(text="A b."))

    @cached_property
    def _tagger(self) -> Any:
        stages = ["pos", *(["lemma"] if "lemma" in self.models.files else [])]
        pipeline = self._pipeline(["tokenize", *stages], tokenize_pretokenized=True)
        return self._doubled(pipeline, stages, _document([[{"id": (1,), "text": "a"}]]))

    @cached_property
    def _parser(self) -> Any:
        pipeline = self._pipeline(
            ["tokenize", "depparse"], tokenize_pretokenized=True, depparse_pretagged=True
        )
        word = {"id": (1,), "text": "a", "lemma": "a", "upos": "X", "xpos": "X"}
        return self._doubled(pipeline, ["depparse"], _document([[word]]))

    def _pipeline(self, stages: list[str], **options: object) -> Any:
        import stanza

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
                probe = self._run(pipeline, stage, probe)
        except RuntimeError:
            for model in models:
                model.float()
            self._single.update(stages)
        return pipeline

    def _run(self, pipeline: Any, stage: str, document: Any) -> Any:
        with nullcontext() if stage in self._single else _double_precision(), quick_trees():
            return pipeline.processors[stage].process(document)

    def _lemmatize(self, document: Any) -> None:
        """Set lemmas; a lemma depends on form and tag alone, so each pair is looked at once in a run."""
        lemmatizer = self._tagger.processors.get("lemma")
        if lemmatizer is None:
            return
        trainer = getattr(lemmatizer, "trainer", None)
        if trainer is not None and trainer.has_contextual_lemmatizers():
            self._run(self._tagger, "lemma", document)
            return
        words = [word for sentence in document.sentences for word in sentence.words]
        if len(self._lemmas) > _LEMMAS_KEPT:  # memory stays bounded on endless input
            self._lemmas.clear()
        new = [key for key in dict.fromkeys((w.text, w.upos) for w in words) if key not in self._lemmas]
        if new:
            found = _document([[{"id": (1,), "text": form, "upos": upos}] for form, upos in new])
            self._run(self._tagger, "lemma", found)
            self._lemmas.update(zip(new, (s.words[0].lemma for s in found.sentences), strict=True))
        for word in words:
            word.lemma = self._lemmas[word.text, word.upos]


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


def _document(sentences: Sequence[Sequence[Mapping[str, object]]] = (), text: str | None = None) -> Any:
    from stanza.models.common.doc import Document

    return Document(sentences, text=text)


def _by_text(texts: Sequence[str], sentences: Iterable[Any]) -> list[list[list[SurfaceToken]]]:
    """Sort the sentences of the texts joined by blank lines into their texts, offsets counting in each."""
    found: list[list[list[SurfaceToken]]] = [[] for _ in texts]
    starts = list(accumulate((len(text) + 2 for text in texts), initial=0))
    for sentence in sentences:
        number = -1
        for token in sentence.tokens:
            at = bisect_right(starts, token.start_char) - 1
            if at != number:  # also where a sentence reaches from one text into the next
                number = at
                found[number].append([])
            words = tuple(word.text for word in token.words)
            start = starts[number]
            found[number][-1].append(SurfaceToken(token.start_char - start, token.end_char - start, words))
    return found


def _rows(sentence: Sentence) -> list[dict[str, object]]:
    """Return the words of a sentence as Stanza takes them; tags where they are known."""
    rows: list[dict[str, object]] = []
    for token in sentence.tokens:
        for form in token.words or (token.form,):
            row: dict[str, object] = {"id": (len(rows) + 1,), "text": form}
            if token.upos and not token.words:
                row |= {
                    "lemma": token.lemma,
                    "upos": token.upos,
                    "xpos": token.xpos,
                    "feats": token.feats or None,
                }
            rows.append(row)
    return rows


def _first_words(sentence: Sentence, words: Sequence[Any]) -> Iterator[tuple[Token, Any]]:
    at = 0
    for token in sentence.tokens:
        yield token, words[at]
        at += len(token.words) or 1


def _tagged(sentence: Sentence, words: Sequence[Any]) -> tuple[Token, ...]:
    return tuple(
        [
            replace(
                token,
                lemma=word.lemma or "",
                upos=word.upos or "",
                xpos=word.xpos or "",
                feats=word.feats or "",
            )
            for token, word in _first_words(sentence, words)
        ]
    )


def _parsed(sentence: Sentence, words: Sequence[Any]) -> tuple[Token, ...]:
    """Return tokens with the head and relation of the word by which each hangs on the others."""
    owner = [n for n, token in enumerate(sentence.tokens, start=1) for _ in token.words or (token.form,)]
    tokens = []
    for number, (token, word) in enumerate(_first_words(sentence, words), start=1):
        while word.head and owner[word.head - 1] == number:
            word = words[word.head - 1]
        tokens.append(replace(token, head=owner[word.head - 1] if word.head else 0, deprel=word.deprel or ""))
    return tuple(tokens)
