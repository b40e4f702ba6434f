"""From texts to vectors: each distinct sequence of tokens is encoded once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import CountedNote, plural
from jperrant.core.progress import track
from jperrant.encoders.sequences import Batches, Ids, Network, Tokens, TokenVectors, Vectors, cut, join

if TYPE_CHECKING:
    from jperrant.core.store import Store

POOLINGS = ("mean", "cls")
#: Vectors that an interruption may lose.
_KEEP_AFTER = 1000
#: Letters of a text shown in a message.
_SHOWN = 80


class Encoder:
    """Gives texts and their tokens vectors.

    Texts are encoded by their token numbers: two texts that the tokenizer cannot tell apart get the same
    vector, to the last bit. Texts longer than the model takes are encoded in overlapping windows.

    Args:
        name: For messages.
        tokenize: From texts to tokens.
        network: From tokens to vectors.
        limit: Tokens the network takes at most, special ones included.
        pooling: ``mean`` over all tokens, special ones included, or ``cls``, the first token's vector.
        batch_size: Texts encoded together; changes speed and memory only.
        batch_tokens: Tokens encoded together at most; None for any number.
        cache: Keeps sentence vectors from run to run.
        identity: What vectors depend on besides the tokens, for the cache.

    Raises:
        UsageError: An option is out of its range.
    """

    def __init__(
        self,
        name: str,
        tokenize: Callable[[Sequence[str]], list[Tokens]],
        network: Network,
        *,
        limit: int,
        pooling: str = "mean",
        batch_size: int = 32,
        batch_tokens: int | None = None,
        cache: Store | None = None,
        identity: str = "",
    ) -> None:
        if pooling not in POOLINGS:
            raise UsageError(f"unknown pooling {pooling!r}; expected one of {' or '.join(POOLINGS)}")
        if batch_size < 1:
            raise UsageError(f"found a batch size of {batch_size}, expected 1 or more")
        self.name, self.pooling, self.limit = name, pooling, limit
        self._tokenize, self._network, self._cache, self._identity = tokenize, network, cache, identity
        self._batch_size, self._batch_tokens = batch_size, batch_tokens

    def embed(self, texts: Sequence[str], notes: list[str] | None = None) -> FloatArray:
        """Return one vector a text, shape ``(texts, dim)``.

        Args:
            texts: The texts.
            notes: Where to put what users should know about this call, one line each.

        Raises:
            InputError: The model gives numbers that are not finite; names the text.
        """
        tokens = self._tokenize(texts)
        distinct = dict(zip(tokens, texts, strict=True))
        known = self._kept([t.ids for t in distinct])
        new: dict[Ids, Vectors] = {}
        for sentence_tokens, vectors in self._encoded([t for t in distinct if t.ids not in known], notes):
            new[sentence_tokens.ids] = self._pooled(vectors)
            self._check(new[sentence_tokens.ids], distinct[sentence_tokens])
            if len(new) >= _KEEP_AFTER:
                self._keep(new, known)
        self._keep(new, known)
        if not tokens:
            return np.zeros((0, self._network.dimension))
        return np.array([known[t.ids] for t in tokens], dtype=np.float64)

    def embed_tokens(self, texts: Sequence[str], notes: list[str] | None = None) -> list[TokenVectors]:
        """Return the vectors of the tokens of each text; equal texts share one object.

        Args:
            texts: The texts.
            notes: Where to put what users should know about this call, one line each.

        Raises:
            InputError: The model gives numbers that are not finite; names the text.
        """
        tokens = self._tokenize(texts)
        distinct = dict(zip(tokens, texts, strict=True))
        embedded = {}
        for sentence_tokens, vectors in self._encoded(list(distinct), notes):
            self._check(vectors, distinct[sentence_tokens])
            embedded[sentence_tokens] = TokenVectors(
                vectors, np.array(sentence_tokens.special, dtype=np.bool_)
            )
        return [embedded[t] for t in tokens]

    def _encoded(
        self, distinct: Sequence[Tokens], notes: list[str] | None
    ) -> Iterator[tuple[Tokens, Vectors]]:
        """Yield the token vectors of each text as soon as all its windows are there."""
        owners: list[tuple[int, int]] = []
        windows: list[Ids] = []
        waiting: list[list[Vectors | None]] = []
        long = 0
        for index, tokens in enumerate(distinct):
            windows_of_text = cut(tokens, self.limit)
            long += len(windows_of_text) > 1
            owners += [(index, number) for number in range(len(windows_of_text))]
            windows += windows_of_text
            waiting.append([None] * len(windows_of_text))
        batches = Batches(self._network.run, self._batch_size, self._batch_tokens)
        # How many there are is said before: sentences with hundreds of edits are encoded hundreds of times.
        what = f"encoding {plural(len(windows), 'text')}"
        for index, vectors in track(batches.run(windows), what, len(windows)):
            owner, number = owners[index]
            waiting[owner][number] = vectors
            ready = [window for window in waiting[owner] if window is not None]
            if len(ready) == len(waiting[owner]):
                waiting[owner] = []
                yield distinct[owner], join(distinct[owner], ready, self.limit)
        if notes is not None:
            if long:
                than = f"longer than the {self.limit} tokens of encoder {self.name}; encoded in overlapping windows"
                notes.append(CountedNote(long, f"{{count}} text is {than}", f"{{count}} texts are {than}"))
            notes += [f"{self.name}: {note}" for note in batches.notes]

    def _kept(self, sequences: Sequence[Ids]) -> dict[Ids, Vectors]:
        """Return the vectors that the cache has, by token numbers."""
        if self._cache is None:
            return {}
        keys = {_key(sequence): sequence for sequence in sequences}
        found = self._cache.get_many(self._identity, list(keys))
        return {keys[key]: np.frombuffer(value, dtype="<f4") for key, value in found.items()}

    def _keep(self, new: dict[Ids, Vectors], known: dict[Ids, Vectors]) -> None:
        """Move vectors to those that were found, and into the cache."""
        if self._cache and new:
            self._cache.put(self._identity, {_key(s): v.astype("<f4").tobytes() for s, v in new.items()})
        known |= new
        new.clear()

    def _pooled(self, vectors: Vectors) -> Vectors:
        if not len(vectors):  # an empty text, without special tokens
            return np.zeros(self._network.dimension, dtype=np.float32)
        vector: Vectors = vectors[0].copy()  # a view would keep the vectors of the whole batch
        if self.pooling == "mean":
            vector = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        return vector

    def _check(self, vectors: Vectors, text: str) -> None:
        if not np.isfinite(vectors).all():
            shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
            raise InputError(f"encoder {self.name} gives NaN or infinite numbers for the sentence {shown!r}")


def _key(sequence: Ids) -> str:
    return hashlib.sha256(np.array(sequence, dtype="<i8").tobytes()).hexdigest()
