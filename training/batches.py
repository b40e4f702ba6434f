"""Batches of encoded sentences: similar length together, so that little is padded, and a number of words each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from training.fast_layers import length_groups
from training.treebank import Treebank

# Sentences are sorted by their length and this share of it more or less, for other company each time.
_SPREAD = 0.15
_LEAST_WORDS, _LEAST_BATCHES = 150, 20
#: Words of a batch where a recipe does not say.
BATCH_WORDS = 1500


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences as numbers, longest first, padded with 0.

    Attributes:
        numbers: Which sentences these are.
        lengths: Their words, shape ``(sentences,)``.
        columns: Numbers by the name of the column, shape ``(words of the longest, sentences)`` or, for columns of
            several parts, one more.
        characters: Groups of distinct words; see ``Layers.characters``.
        turned: For each place in the flattened words its place when sentences are turned round.
    """

    numbers: tuple[int, ...]
    lengths: Any
    columns: Mapping[str, Any]
    characters: Sequence[Any]
    turned: Any


class Encoded:
    """Sentences encoded by the vocabularies of a network.

    Args:
        columns: For each sentence numbers by the name of the column, shape ``(words,)`` or ``(words, parts)``.
        forms: For each sentence the numbers of its words' characters, as tuples.
    """

    def __init__(
        self, columns: Sequence[Mapping[str, Any]], forms: Sequence[Sequence[tuple[int, ...]]]
    ) -> None:
        self.columns = columns
        numbers: dict[tuple[int, ...], int] = {}
        self._forms = [
            np.array([numbers.setdefault(form, len(numbers)) for form in s], dtype=np.int64) for s in forms
        ]
        self._characters = [np.array(form, dtype=np.int64) for form in numbers]
        self._sizes = np.array([len(form) for form in numbers], dtype=np.int64)
        self.lengths = np.array([len(s) for s in self._forms], dtype=np.int64)

    def __len__(self) -> int:
        """Number of sentences."""
        return len(self.lengths)

    def ordered(self, words: int) -> list[list[int]]:
        """Return the numbers of all sentences, in batches of at most so many words, padding counted."""
        return ordered(self.lengths, words)

    def shuffled(self, numbers: Any, words: int, draw: np.random.Generator) -> Iterator[list[int]]:
        """Yield batches of some sentences at random, each as places among their numbers."""
        return shuffled(self.lengths[numbers], words, draw)

    def batch(self, numbers: Sequence[int]) -> Batch:
        """Return a batch of some sentences."""
        ordered = sorted(numbers, key=lambda n: -self.lengths[n])
        lengths = self.lengths[ordered]
        width = int(lengths[0])
        columns = {name: _padded([self.columns[n][name] for n in ordered], width) for name in self.columns[0]}
        every, places = np.unique(np.concatenate([self._forms[n] for n in ordered]), return_inverse=True)
        falling = np.argsort(-self._sizes[every], kind="stable")
        rank = np.empty_like(falling)
        rank[falling] = np.arange(len(falling))
        parts = np.split(rank[places.reshape(-1)], np.cumsum(lengths)[:-1])
        columns["form"] = _padded(parts, width)
        steps = np.arange(width)[:, None]
        turned = np.where(steps < lengths, lengths - 1 - steps, steps) * len(ordered) + np.arange(
            len(ordered)
        )
        return Batch(
            tuple(ordered),
            torch.from_numpy(lengths),
            columns,
            self._groups(every[falling]),
            torch.from_numpy(turned.reshape(-1)),
        )

    def _groups(self, forms: Any) -> list[Any]:
        """Return the characters of forms, longest first, in groups of similar length."""
        groups = []
        for start, end in length_groups(self._sizes[forms].tolist()):
            width = int(self._sizes[forms[start]])
            groups.append(_padded([self._characters[form] for form in forms[start:end]], width))
        return groups


def _padded(rows: Sequence[Any], width: int) -> Any:
    """Return rows of numbers as columns of a tensor, shape ``(width, rows)`` or with parts one more."""
    table = np.zeros((width, len(rows), *rows[0].shape[1:]), dtype=np.int64)
    for number, row in enumerate(rows):
        table[: len(row), number] = row
    return torch.from_numpy(table)


def ordered(lengths: Any, words: int) -> list[list[int]]:
    """Return the numbers of sentences of these lengths, in batches of at most so many words, padding counted."""
    return _cut(np.argsort(-lengths, kind="stable"), lengths, words)


def shuffled(lengths: Any, words: int, draw: np.random.Generator) -> Iterator[list[int]]:
    """Yield the same in random order, each batch of sentences of similar length in other company each time."""
    near = lengths * draw.uniform(1 - _SPREAD, 1 + _SPREAD, len(lengths))
    batches = _cut(np.argsort(-near, kind="stable"), lengths, words)
    for number in draw.permutation(len(batches)):
        yield batches[number]


def _cut(ordered: Any, lengths: Any, words: int) -> list[list[int]]:
    """Cut sentences in their order into batches of at most so many words, or of one sentence."""
    batches: list[list[int]] = []
    longest = 0
    for number in ordered.tolist():
        longest = max(longest, int(lengths[number]))
        if batches and (len(batches[-1]) + 1) * longest <= words:
            batches[-1].append(number)
        else:
            batches.append([number])
            longest = int(lengths[number])
    return batches


def batch_words(most: int, treebank: Treebank) -> int:
    """Return how many words a batch has: fewer in small treebanks, so that an epoch has some batches there, too."""
    return min(most, max(_LEAST_WORDS, treebank.word_count // _LEAST_BATCHES))
