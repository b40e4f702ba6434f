"""Stanza's lemmatizer: a dictionary, and a network that spells the lemmas of words that are not in it.

A bidirectional encoder reads the tag and the characters of a word. A classifier decides whether the lemma is
the word, its lower case, or must be spelt. A decoder spells it character by character, with attention to the
encoder's states (Luong et al. 2015, general score of section 3.1). It takes the likeliest character, from its
vocabulary or copied from the word (See et al. 2017, equation 9).
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from jperrant.compact.layers import DOUBLE, LSTM, WEIGHTS, Linear, Packing, batches, directions, rounded
from jperrant.compact.weights import END, START, UNKNOWN, OtherFormatError, Vocabulary, check_settings

_FORMAT = 3
"""The version of the dictionary in the model file: gzipped JSON."""
_LARGEST = 1 << 28
_SPELLED, _IDENTITY, _LOWER = range(3)
"""The classes of the edit classifier: the lemma is spelt, is the word itself, or is its lower case."""
_CHARACTERS = 20_000
_BITS = 30
_KIND = {
    "ensemble_dict": True, "caseless": False, "edit": True, "pos": True, "copy": True, "num_layers": 1,
    "attn_type": "soft", "beam_size": 1, "charlm": None,
}  # fmt: skip


class Lemmatizer:
    """Finds the lemmas of words with UPOS tags; thread-safe.

    Args:
        model: The result of ``read_model``.

    Raises:
        OtherFormatError: The model is of another kind, such as one that reads the context of a word.
        ValueError: The dictionary is damaged.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        check_settings(model, _KIND)
        if model.get("dicts_version") != _FORMAT or model.get("contextual"):
            raise OtherFormatError("found a lemmatizer of another version, or one that reads the context")
        self._dictionary = _dictionary(model["dicts"])
        self._speller = None if model["config"]["dict_only"] else Speller(model)

    def lemmas(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the lemma of each pair of form and UPOS tag; "" if the model gives none."""
        found = {key: self._looked_up(*key) for key in keys}
        unknown = [key for key, lemma in found.items() if lemma is None]
        found |= self._speller.lemmas(unknown) if self._speller else {key: key[0] for key in unknown}
        # As in Stanza, an underscore means no lemma, except for the word "_".
        return {key: "" if lemma is None or lemma == "_" != key[0] else lemma for key, lemma in found.items()}

    def _looked_up(self, form: str, upos: str) -> str | None:
        of_tag, of_any = (self._dictionary.get(tag, {}).get(form) for tag in (upos, "*"))
        return of_tag if of_tag is not None else of_any


def _dictionary(packed: bytes) -> dict[str, dict[str, str]]:
    """Unpack the dictionary of a model: lemmas by tag and form.

    Raises:
        ValueError: The dictionary is too large or malformed.
    """
    content = gzip.GzipFile(fileobj=io.BytesIO(packed)).read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError("the dictionary is too large")
    dictionary = json.loads(content)
    if not isinstance(dictionary, dict) or not all(isinstance(part, dict) for part in dictionary.values()):
        raise ValueError("the dictionary is not a mapping from tags to forms")
    return dictionary


class Speller:
    """Spells lemmas by greedy decoding; thread-safe.

    Args:
        model: The result of ``read_model`` for a lemmatizer that has a network.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        state = model["model"]

        def linear(name: str, bound: float | None = 1.0) -> Linear:
            return Linear(state[f"{name}.weight"], state.get(f"{name}.bias"), bound, DOUBLE)

        self.vocabulary, self._upos = Vocabulary(model["vocab"]["char"]), Vocabulary(model["vocab"]["pos"])
        self._longest = int(model["config"]["max_dec_len"])
        self._embeddings, self._tags = (
            np.asarray(state[f"{name}.weight"], np.float32) for name in ("embedding", "pos_embedding")
        )
        self._encoder = LSTM(directions(state, "encoder."), precision=DOUBLE)
        self._first, self._second = linear("edit_clf.0"), linear("edit_clf.2", None)
        cell = "decoder.lstm_cell."
        self._decoder = LSTM([tuple(state[cell + name] for name in WEIGHTS)], precision=DOUBLE)
        self._written = self._decoder.project(self._embeddings)[0]
        self._target = linear("decoder.attention_layer.linear_in")
        self._attended = linear("decoder.attention_layer.linear_out")
        self._scores, self._gate = linear("dec2vocab"), linear("copy_gate")

    def lemmas(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the lemma of each pair of form and UPOS tag."""
        found = {}
        for numbers in batches([len(form) + 3 for form, _ in keys], _CHARACTERS):
            batch = [keys[n] for n in numbers]
            spellings = self._batch(
                [form for form, _ in batch], [self._upos.number(upos) for _, upos in batch]
            )
            for (form, upos), (edit, spelt) in zip(batch, spellings, strict=True):
                lemma = spelt if edit == _SPELLED else form.lower() if edit == _LOWER else form
                found[form, upos] = form if not lemma or "<UNK>" in lemma else lemma
        return found

    def _batch(self, words: Sequence[str], tags: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Yield the edit class and the spelt lemma of each word; words are given longest first."""
        added: dict[str, int] = {}
        source = [[START, *self._numbers(word, added), END] for word in words]
        units = [*self.vocabulary.units, *added]
        states, packing, hidden, cells = self._encode(source, tags)
        edits = self._second(np.maximum(self._first(hidden), 0)).argmax(axis=1).tolist()
        spelt: list[list[int]] = [[] for _ in words]
        starts = np.cumsum(packing.sizes) - packing.sizes
        by_length: dict[int, list[int]] = {}
        for row, edit in enumerate(edits):
            if edit == _SPELLED:
                by_length.setdefault(len(source[row]), []).append(row)
        for length, rows in by_length.items():
            context = states[starts[: length + 1] + np.array(rows)[:, None]].astype(np.float64)
            characters = np.array([source[n] for n in rows])
            self._write(rows, characters, context, hidden[rows], cells[rows], spelt)
        return zip(edits, ("".join(units[n] for n in characters) for characters in spelt), strict=True)

    def _numbers(self, word: str, added: dict[str, int]) -> Iterator[int]:
        """Yield the numbers of a word's characters; unknown characters get new numbers, added to ``added``."""
        for character, number in zip(word, self.vocabulary.numbers(word), strict=True):
            if number == UNKNOWN:
                number = added.setdefault(character, len(self.vocabulary.units) + len(added))
            yield number

    def _known(self, characters: Any) -> Any:
        """Replace added numbers, which have no embedding, by that of unknown characters."""
        return np.where(characters < len(self._embeddings), characters, UNKNOWN)

    def _encode(self, source: Sequence[Sequence[int]], tags: Sequence[int]) -> tuple[Any, Packing, Any, Any]:
        """Return the states of the packed places, their packing, and the last hidden and cell states."""
        distinct, which = np.unique(self._known(np.concatenate(source)), return_inverse=True)
        rows = np.concatenate([self._embeddings[distinct], self._tags])
        places = np.split(which, np.cumsum(list(map(len, source)))[:-1])
        places = [np.array([len(distinct) + tag, *word]) for tag, word in zip(tags, places, strict=True)]
        packing = Packing(list(map(len, places)))
        states, hidden, cells = self._encoder.both(rows, np.concatenate(places)[packing.order], packing)
        return states, packing, hidden, cells

    def _write(
        self, rows: Sequence[int], source: Any, context: Any, hidden: Any, cells: Any, spelt: list[list[int]]
    ) -> None:
        """Spell the lemmas of words of equal length, each until the end symbol.

        Args:
            rows: The numbers of the words in the batch.
            source: The numbers of their characters, from which it can copy, shape ``(words, characters)``.
            context: The states of the encoder, shape ``(words, places, size)``.
            hidden: The decoder's hidden states, shape ``(words, size)``.
            cells: The decoder's cell states, same shape.
            spelt: Receives the numbers of the spelt characters, by word.
        """
        going, written = np.array(rows), np.full(len(rows), START)
        # For each character, the place of its first occurrence in the word.
        first = (source[:, None] == source[:, :, None]).argmax(axis=2)
        for _ in range(self._longest):
            self._decoder.advance(self._written[:, self._known(written)], cells, hidden)
            weights, attended = self._attend(hidden, context)
            # The first place holds the tag, which cannot be copied.
            written = self._likeliest(source, first, weights[:, 1:], attended)
            more = written != END
            for row, character in zip(going[more].tolist(), written[more].tolist(), strict=True):
                spelt[row].append(character)
            if not more.all():
                parts = (going, written, cells, hidden, context, source, first)
                going, written, cells, hidden, context, source, first = (part[more] for part in parts)
            if not len(going):
                return

    def _attend(self, hidden: Any, context: Any) -> tuple[Any, Any]:
        """Return the attention to each place, as whole numbers, and the attentional state of the decoder."""
        target = rounded(self._target(hidden), -1, _BITS)
        scores = np.einsum("nld,nd->nl", context, target)
        weights = np.rint(np.ldexp(np.exp(scores - scores.max(axis=1, keepdims=True)), _BITS))
        shares = np.ldexp(np.rint(np.ldexp(weights / weights.sum(axis=1, keepdims=True), _BITS)), -_BITS)
        read = np.einsum("nl,nld->nd", shares, context)
        return weights, np.tanh(self._attended(np.concatenate([read, hidden], axis=1)))

    def _likeliest(self, source: Any, first: Any, weights: Any, states: Any) -> Any:
        """Return the likeliest next character of each word, copied or from the vocabulary.

        Args:
            source: The numbers of the word's characters, shape ``(words, characters)``.
            first: The place of the first occurrence of each character in its word, same shape.
            weights: The attention to each character, as whole numbers, same shape.
            states: The attentional states of the decoder, shape ``(words, size)``.
        """
        count, length = source.shape
        every = np.arange(count)
        places = first + every[:, None] * length
        copied = np.bincount(places.ravel(), weights.ravel(), count * length).reshape(count, length)
        written = 1 / (1 + np.exp(self._gate(states)[:, 0]))  # the probability of not copying
        copied *= ((1 - written) / weights.sum(axis=1))[:, None]
        found = source[every, copied.argmax(axis=1)]
        # The vocabulary is scored only where it could outweigh the character that is likeliest to be copied.
        largest = np.partition(copied, -2)
        rows = np.flatnonzero(largest[:, -1] <= largest[:, -2] + written)
        if len(rows):
            scores = self._scores(states[rows])
            found[rows] = self._compared(source[rows], copied[rows], written[rows], scores)
        return found

    def _compared(self, source: Any, copied: Any, written: Any, scores: Any) -> Any:
        """Return the likeliest characters, given the probability of copying each and of using the vocabulary."""
        every = np.arange(len(source))
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        share = written / chances.sum(axis=1)
        both = copied + share[:, None] * chances[every[:, None], self._known(source)]
        new, best = chances.argmax(axis=1), both.argmax(axis=1)
        is_copied = both[every, best] >= share * chances[every, new]
        return np.where(is_copied, source[every, best], new)
