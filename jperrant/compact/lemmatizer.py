"""Stanza's lemmatizer: a dictionary, and a network that spells the lemmas of words that are not in it.

An encoder reads a tag and the characters, both ways. A classifier says whether there is anything to spell. A
decoder writes character by character, each time attending to what was read (Luong et al. 2015, the general score of
section 3.1), and takes the likeliest: from its vocabulary, or from what was read (See et al. 2017, equation 9).
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
"""The version of the dictionary in the model file: JSON, packed."""
_LARGEST = 1 << 28
_SPELLED, _IDENTITY, _LOWER = range(3)
"""What becomes of a word: its lemma is spelt, it is the lemma, its lower case is."""
_CHARACTERS = 20_000
_BITS = 30
_KIND = {
    "ensemble_dict": True, "caseless": False, "edit": True, "pos": True, "copy": True, "num_layers": 1,
    "attn_type": "soft", "beam_size": 1, "charlm": None,
}  # fmt: skip


class Lemmatizer:
    """Finds lemmas of words with their UPOS; threads may share it.

    Args:
        model: What ``read_model`` returns.

    Raises:
        OtherFormatError: It is a lemmatizer of another kind, such as one that reads the words around.
        ValueError: Its dictionary is damaged.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        check_settings(model, _KIND)
        if model.get("dicts_version") != _FORMAT or model.get("contextual"):
            raise OtherFormatError(
                "found a lemmatizer of another version, or one that reads the words around"
            )
        self._dictionary = _dictionary(model["dicts"])
        self._speller = None if model["config"]["dict_only"] else Speller(model)

    def lemmas(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the lemma of each form with its UPOS; "" where the model knows none."""
        found = {key: self._looked_up(*key) for key in keys}
        unknown = [key for key, lemma in found.items() if lemma is None]
        found |= self._speller.lemmas(unknown) if self._speller else {key: key[0] for key in unknown}
        # As in Stanza's documents: an underscore is not a lemma, except of itself.
        return {key: "" if lemma is None or lemma == "_" != key[0] else lemma for key, lemma in found.items()}

    def _looked_up(self, form: str, upos: str) -> str | None:
        of_tag, of_any = (self._dictionary.get(tag, {}).get(form) for tag in (upos, "*"))
        return of_tag if of_tag is not None else of_any


def _dictionary(packed: bytes) -> dict[str, dict[str, str]]:
    """Return the lemmas of a model's dictionary, by tag and form.

    Raises:
        ValueError: It is too large, or not such a dictionary.
    """
    content = gzip.GzipFile(fileobj=io.BytesIO(packed)).read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError("the dictionary is too large")
    dictionary = json.loads(content)
    if not isinstance(dictionary, dict) or not all(isinstance(part, dict) for part in dictionary.values()):
        raise ValueError("the dictionary is not one of forms by tags")
    return dictionary


class Speller:
    """Spells lemmas greedily; threads may share it.

    Args:
        model: What ``read_model`` returns of a lemmatizer that has a network.
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
        """Return the lemma of each form with its UPOS."""
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
        """Yield what becomes of words, longest first: the kind of edit, and what was spelt."""
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
        """Yield the numbers of a word's characters; those that the vocabulary lacks get numbers of their own."""
        for character, number in zip(word, self.vocabulary.numbers(word), strict=True):
            if number == UNKNOWN:
                number = added.setdefault(character, len(self.vocabulary.units) + len(added))
            yield number

    def _known(self, characters: Any) -> Any:
        """Return the numbers that have embeddings: that of unknown characters for those that were added."""
        return np.where(characters < len(self._embeddings), characters, UNKNOWN)

    def _encode(self, source: Sequence[Sequence[int]], tags: Sequence[int]) -> tuple[Any, Packing, Any, Any]:
        """Return the states of each packed place, their order, and the last hidden and cell states."""
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
        """Spell words of one length, each until its end.

        Args:
            rows: Which words.
            source: The numbers of their characters, which can be copied, shape ``(words, characters)``.
            context: What was read, shape ``(words, places, size)``.
            hidden: The decoder's hidden states, shape ``(words, size)``.
            cells: Its cell states, same shape.
            spelt: Where the characters go.
        """
        going, written = np.array(rows), np.full(len(rows), START)
        # For each character the place of the first such one in its word.
        first = (source[:, None] == source[:, :, None]).argmax(axis=2)
        for _ in range(self._longest):
            self._decoder.advance(self._written[:, self._known(written)], cells, hidden)
            weights, attended = self._attend(hidden, context)
            # The first place is the tag's.
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
        """Return the weight of each place, a whole number, and the decoder's state with what they hold."""
        target = rounded(self._target(hidden), -1, _BITS)
        scores = np.einsum("nld,nd->nl", context, target)
        weights = np.rint(np.ldexp(np.exp(scores - scores.max(axis=1, keepdims=True)), _BITS))
        shares = np.ldexp(np.rint(np.ldexp(weights / weights.sum(axis=1, keepdims=True), _BITS)), -_BITS)
        read = np.einsum("nl,nld->nd", shares, context)
        return weights, np.tanh(self._attended(np.concatenate([read, hidden], axis=1)))

    def _likeliest(self, source: Any, first: Any, weights: Any, states: Any) -> Any:
        """Return the likeliest character of each word, by the probabilities of copying and of writing each.

        Args:
            source: The numbers of the characters that can be copied, shape ``(words, characters)``.
            first: For each the place of the first such one in its word, same shape.
            weights: Attention to each character, whole numbers, same shape.
            states: The decoder's states, shape ``(words, size)``.
        """
        count, length = source.shape
        every = np.arange(count)
        places = first + every[:, None] * length
        copied = np.bincount(places.ravel(), weights.ravel(), count * length).reshape(count, length)
        written = 1 / (1 + np.exp(self._gate(states)[:, 0]))  # the probability of not copying
        copied *= ((1 - written) / weights.sum(axis=1))[:, None]
        found = source[every, copied.argmax(axis=1)]
        # Where copying one character is likelier than all else can be together, the vocabulary is not looked at.
        largest = np.partition(copied, -2)
        rows = np.flatnonzero(largest[:, -1] <= largest[:, -2] + written)
        if len(rows):
            scores = self._scores(states[rows])
            found[rows] = self._compared(source[rows], copied[rows], written[rows], scores)
        return found

    def _compared(self, source: Any, copied: Any, written: Any, scores: Any) -> Any:
        """Return the likeliest characters, given the probabilities of copying each and of writing any."""
        every = np.arange(len(source))
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        share = written / chances.sum(axis=1)
        both = copied + share[:, None] * chances[every[:, None], self._known(source)]
        new, best = chances.argmax(axis=1), both.argmax(axis=1)
        is_copied = both[every, best] >= share * chances[every, new]
        return np.where(is_copied, source[every, best], new)
