"""Stanza's network that spells one string from another: a lemma from a word, words from a token of several.

An encoder reads the characters, both ways, after a tag if there is one. Where it has a classifier of edits, that
says whether there is anything to spell. A decoder writes character by character, each time attending to what was
read (Luong et al. 2015, the general score of section 3.1), and takes the likeliest: from its vocabulary or, where
it can copy (See et al. 2017, equation 9), from what was read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from jperrant.compact.copying import Copies
from jperrant.compact.exact import DOUBLE, Linear, rounded
from jperrant.compact.lstm import LSTM, Packing, directions
from jperrant.compact.vocabularies import UNKNOWN, Vocabulary

START, END = 2, 3
SPELLED = 0
"""The edit of words that are to be spelt."""
_CHARACTERS = 20_000
_BITS = 30


class Spelling(NamedTuple):
    """What was made of a word.

    Attributes:
        edit: The kind of edit, ``SPELLED`` where the network has no classifier.
        characters: What was spelt; empty where nothing was to be. Marks are as in the vocabulary: ``<UNK>``.
    """

    edit: int
    characters: list[str]


class Speller:
    """Spells greedily; threads may share it.

    Args:
        state: The arrays of the network by their names.
        settings: Stanza's settings, which ``fits`` accepts.
        vocabulary: The characters.
        unknown: Whether it may write the character that stands for unknown ones.
    """

    def __init__(
        self, state: Mapping[str, Any], settings: Mapping[str, Any], vocabulary: Vocabulary, unknown: bool
    ) -> None:
        def linear(name: str, bound: float | None = 1.0) -> Linear:
            return Linear(state[f"{name}.weight"], state.get(f"{name}.bias"), bound, DOUBLE)

        self.vocabulary, self.unknown = vocabulary, unknown
        self.longest = int(settings["max_dec_len"])
        self._embeddings = np.asarray(state["embedding.weight"], np.float32)
        tags = state.get("pos_embedding.weight") if settings.get("pos") else None
        self._tags = None if tags is None else np.asarray(tags, np.float32)
        self._encoder = [
            LSTM(directions(state, "encoder.", layer), None if layer == 0 else 1.0, precision=DOUBLE)
            for layer in range(settings["num_layers"])
        ]
        edits = settings.get("edit")
        self._edits = (linear("edit_clf.0"), linear("edit_clf.2", None)) if edits else None
        cell = "decoder.lstm_cell."
        self._decoder = LSTM(
            [tuple(state[cell + name] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))],
            precision=DOUBLE,
        )
        self._written = self._decoder.project(self._embeddings)[0]
        self._target = linear("decoder.attention_layer.linear_in")
        self._attended = linear("decoder.attention_layer.linear_out")
        self._scores = linear("dec2vocab")
        self._gate = linear("copy_gate") if settings.get("copy") else None

    @staticmethod
    def fits(settings: Mapping[str, Any]) -> bool:
        """Whether a network is of the kind this knows: greedy, without a character language model."""
        return settings["attn_type"] == "soft" and settings["beam_size"] == 1 and not settings.get("charlm")

    def spell(self, words: Sequence[str], tags: Sequence[int] | None = None) -> list[Spelling]:
        """Return what becomes of words, given the numbers of their tags if the network reads them."""
        found: list[Spelling] = [Spelling(SPELLED, [])] * len(words)
        for numbers in _batches(words):
            part = None if self._tags is None or tags is None else [tags[n] for n in numbers]
            batch = self._batch([words[n] for n in numbers], part)
            for number, spelling in zip(numbers, batch, strict=True):
                found[number] = spelling
        return found

    def _batch(self, words: Sequence[str], tags: Sequence[int] | None) -> list[Spelling]:
        """Return what becomes of words, longest first."""
        added: dict[str, int] = {}
        source = [[START, *self._numbers(word, added), END] for word in words]
        units = [*self.vocabulary.units, *added]
        states, packing, hidden, cells = self._encode(source, tags)
        edits = self._kinds(hidden)
        spelt: list[list[int]] = [[] for _ in words]
        for rows in _same_length([n for n, edit in enumerate(edits) if edit == SPELLED], source):
            starts = np.cumsum(packing.sizes) - packing.sizes
            length = len(source[rows[0]]) + (tags is not None)
            context = states[starts[:length] + np.array(rows)[:, None]]
            characters = np.array([source[n] for n in rows])
            self._write(rows, characters, context, hidden[rows], cells[rows], spelt)
        return [
            Spelling(edit, [units[n] for n in characters])
            for edit, characters in zip(edits, spelt, strict=True)
        ]

    def _numbers(self, word: str, added: dict[str, int]) -> Iterator[int]:
        """Yield the numbers of a word's characters; those that the vocabulary lacks get numbers of their own."""
        for character in word:
            number = self.vocabulary.number(character)
            if number == UNKNOWN:
                number = added.setdefault(character, len(self.vocabulary) + len(added))
            yield number

    def _known(self, characters: Any) -> Any:
        """Return the numbers that have embeddings: that of unknown characters for those that were added."""
        return np.where(characters < len(self._embeddings), characters, UNKNOWN)

    def _encode(
        self, source: Sequence[Sequence[int]], tags: Sequence[int] | None
    ) -> tuple[Any, Packing, Any, Any]:
        """Return the states of each packed place, their order, and the last hidden and cell states."""
        characters, which = np.unique(self._known(np.concatenate(source)), return_inverse=True)
        rows = self._embeddings[characters]
        places = np.split(which, np.cumsum([len(word) for word in source])[:-1])
        if self._tags is not None and tags is not None:
            places = [
                np.concatenate([[len(rows) + tag], word]) for tag, word in zip(tags, places, strict=True)
            ]
            rows = np.concatenate([rows, self._tags])
        packing = Packing([len(word) for word in places])
        taken = np.concatenate(places)[packing.order]
        for layer in self._encoder:
            (first, second), cells = layer.run(
                layer.project(rows), [taken, taken[packing.reversal]], packing.sizes
            )
            rows, taken = np.concatenate([first, second[packing.reversal]], axis=1), np.arange(len(taken))
        hidden = np.concatenate([second[packing.last], first[packing.last]], axis=1)
        return rows, packing, hidden, np.concatenate([cells[1], cells[0]], axis=1)

    def _kinds(self, hidden: Any) -> list[int]:
        if self._edits is None:
            return [SPELLED] * len(hidden)
        first, second = self._edits
        kinds: list[int] = second(np.maximum(first(hidden), 0)).argmax(axis=1).tolist()
        return kinds

    def _write(
        self, rows: Sequence[int], source: Any, context: Any, hidden: Any, cells: Any, spelt: list[list[int]]
    ) -> None:
        """Spell words of one length, each until its end.

        Args:
            rows: Which words.
            source: Their characters, shape ``(words, characters)``.
            context: What was read, shape ``(words, places, size)``.
            hidden: The decoder's hidden states, shape ``(words, size)``.
            cells: Its cell states, same shape.
            spelt: Where the characters go.
        """
        copies = Copies.in_words(source, len(self._embeddings)) if self._gate is not None else None
        going, written = np.array(rows), np.full(len(rows), START)
        context = context.astype(np.float64)
        for _ in range(self.longest):
            self._decoder.advance(self._written[:, self._known(written)], cells, hidden)
            weights, attended = self._attend(hidden, context)
            if copies is None or self._gate is None:
                written = self._likeliest(self._scores(attended))
            else:
                weights = weights[:, weights.shape[1] - source.shape[1] :]
                written = copies.likeliest(
                    weights, self._gate(attended)[:, 0], attended, self._scores, self.unknown
                )
            more = written != END
            for row, character in zip(going[more].tolist(), written[more].tolist(), strict=True):
                spelt[row].append(character)
            if not more.all():
                going, written, cells, hidden, context = (
                    part[more] for part in (going, written, cells, hidden, context)
                )
                copies = None if copies is None else copies.of(more)
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

    def _likeliest(self, scores: Any) -> Any:
        if not self.unknown:
            scores[:, UNKNOWN] = -np.inf
        return scores.argmax(axis=1)


def _batches(words: Sequence[str]) -> Iterator[list[int]]:
    """Yield the places of words of similar length, longest first."""
    batch: list[int] = []
    size = 0
    for number in sorted(range(len(words)), key=lambda n: -len(words[n])):
        if batch and size + len(words[number]) > _CHARACTERS:
            yield batch
            batch, size = [], 0
        batch.append(number)
        size += len(words[number]) + 3
    if batch:
        yield batch


def _same_length(rows: Sequence[int], source: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return rows of each length together."""
    groups: dict[int, list[int]] = {}
    for row in rows:
        groups.setdefault(len(source[row]), []).append(row)
    return list(groups.values())
