"""A parser that keeps its latest results, so that repeated sentences are analysed once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import attrgetter

from jperrant.core.values import Sentence, Token
from jperrant.parse.analyser import Parser

_Key = Hashable
_all_but_place = attrgetter("form", "words", "lemma", "upos", "xpos", "feats", "head", "deprel")
_place = attrgetter("start", "end")


class CachedParser:
    """Keeps the most recently used analyses, by the tokens of sentences; threads may share it.

    Args:
        parser: Analyses sentences that are not in the cache.
        size: Number of sentences kept; bounds memory on endless input.
    """

    def __init__(self, parser: Parser, size: int = 5_000) -> None:
        self.parser, self.size = parser, size
        self._tagged, self._parsed = _Recent(size), _Recent(size)

    @property
    def can_parse(self) -> bool:
        """Whether the inner parser adds dependencies."""
        return self.parser.can_parse

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens, without the cache."""
        return self.parser.tokenize(texts)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences tagged."""
        # Tagging keeps tags that a file or a tokenizer has given, so they belong to the key.
        keys: list[_Key] = [s.tokens if s.tagged else _forms_and_given(s.tokens) for s in sentences]
        return _look_up(sentences, keys, self._tagged, self.parser.tag)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences parsed."""
        # A parse depends on the tags, which may be given and differ from the models'. A sentence that is parsed
        # stays as it is.
        keys: list[_Key] = [s.tokens if s.parsed else tuple(map(_all_but_place, s.tokens)) for s in sentences]
        return _look_up(sentences, keys, self._parsed, self.parser.parse)


def _forms_and_given(tokens: Sequence[Token]) -> _Key:
    """Return the key of a sentence for tagging: its forms, and tags that it already has."""
    forms = tuple([t.form for t in tokens])
    if not any(
        [t.upos or t.lemma or t.xpos or t.feats or t.words or t.deprel or t.head is not None for t in tokens]
    ):
        return forms
    return tuple(map(_all_but_place, tokens))


class _Recent:
    """The most recently used analyses. Each method holds a lock; no lock is held while a parser works."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, threading.Lock()
        self._tokens: OrderedDict[_Key, tuple[Token, ...]] = OrderedDict()

    def known(self, keys: Iterable[_Key]) -> dict[_Key, tuple[Token, ...]]:
        """Return the analyses that are in the cache."""
        with self._lock:
            kept = {key: self._tokens[key] for key in keys if key in self._tokens}
            for key in kept:
                self._tokens.move_to_end(key)
            return kept

    def keep(self, analyses: dict[_Key, tuple[Token, ...]]) -> None:
        """Add analyses, and remove the least recently used."""
        with self._lock:
            self._tokens.update(analyses)
            while len(self._tokens) > self._size:
                self._tokens.popitem(last=False)


def _look_up(
    sentences: Sequence[Sentence],
    keys: Sequence[_Key],
    recent: _Recent,
    analyse: Callable[[Sequence[Sentence]], list[Sentence]],
) -> list[Sentence]:
    known = recent.known(dict.fromkeys(keys))
    unknown = {key: s for key, s in zip(keys, sentences, strict=True) if key not in known}
    if unknown:
        analysed = analyse(list(unknown.values()))
        new = {key: s.tokens for key, s in zip(unknown, analysed, strict=True)}
        recent.keep(new)
        known |= new
    return [
        Sentence(
            known[key] if unknown.get(key) is sentence else _placed(known[key], sentence.tokens),
            sentence.text,
            sentence.id,
        )
        for key, sentence in zip(keys, sentences, strict=True)
    ]


def _placed(analysed: tuple[Token, ...], tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return analysed tokens with the offsets of equal tokens of a text that may have other spaces."""
    if list(map(_place, analysed)) == list(map(_place, tokens)):
        return analysed
    return tuple([a._replace(start=t.start, end=t.end) for a, t in zip(analysed, tokens, strict=True)])
