"""From sentences to the numbers that a teacher reads, and batches of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from training.encoding import TAG_COLUMNS
from training.finetuning import Trainable
from training.teacher.labels import DEPREL, FORM, HEAD, Labels
from training.treebank import TreebankSentence

#: Marks what a treebank does not say; torch's losses pass over it.
UNSAID = -100
#: Marks what a treebank says and a teacher does not know; only dev treebanks have such.
_NEVER = -1
#: Characters at the end of a word that are read.
SPELLED = 16
_OTHER_CHARACTER = 1
#: Number of ways in which capitals are distributed over a word.
SHAPES = 6


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as numbers.

    Attributes:
        pieces: What the encoder reads, special tokens included, shape ``(pieces,)``.
        words: For each word its first and last piece, shape, and last characters, shape ``(words, 3 + SPELLED)``.
        gold: Numbers of labels by column, ``head`` one of them, each of shape ``(words,)``; empty for plain text.
    """

    pieces: Any
    words: Any
    gold: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples together, padded with 0, gold labels with ``UNSAID``.

    Attributes:
        pieces: Shape ``(sentences, pieces)``.
        known: 1 for pieces, 0 for padding, of the same shape.
        words: Shape ``(sentences, words, 3 + SPELLED)``.
        lengths: Words of each sentence, shape ``(sentences,)``.
        gold: By column, each of shape ``(sentences, words)``.
    """

    pieces: Any
    known: Any
    words: Any
    lengths: Any
    gold: Mapping[str, Any]


class Reader:
    """Turns sentences into numbers.

    Args:
        encoder: Whose pieces and limit count.
        labels: The labels to learn.
    """

    def __init__(self, encoder: Trainable, labels: Labels) -> None:
        self._pieces, self._limit, self._labels = encoder.pieces, encoder.limit, labels

    def example(self, sentence: TreebankSentence, gold: bool = True) -> Example | None:
        """Return a sentence as numbers, or None where it is longer than the encoder takes.

        Args:
            sentence: The sentence.
            gold: Whether its labels are wanted, too.
        """
        forms = [row[FORM] for row in sentence.words]
        inner = self._pieces.of(forms)
        ends = np.cumsum([len(self._pieces.opening), *map(len, inner)])
        ids = (*self._pieces.opening, *(piece for word in inner for piece in word), *self._pieces.closing)
        if len(ids) > self._limit:
            return None
        words = np.zeros((len(forms), 3 + SPELLED), dtype=np.int32)
        words[:, 0], words[:, 1] = ends[:-1], ends[1:] - 1
        words[:, 2] = [capitals(form) for form in forms]
        for number, form in enumerate(forms):
            words[number, -len(form[-SPELLED:]) :] = self._spelled(form)
        return Example(np.array(ids, dtype=np.int32), words, self._gold(sentence) if gold else {})

    def _spelled(self, form: str) -> list[int]:
        known = self._labels.character_numbers
        return [known.get(character, _OTHER_CHARACTER) for character in form[-SPELLED:]]

    def _gold(self, sentence: TreebankSentence) -> dict[str, Any]:
        numbers, rows, found = self._labels.numbers, sentence.words, {}
        for name in self._labels.tags:
            known, place = numbers[name], TAG_COLUMNS[name]
            said = name not in sentence.lacks
            found[name] = [known.get(row[place], _NEVER) if said else UNSAID for row in rows]
        if self._labels.relations:
            found["head"] = [int(row[HEAD]) if row[HEAD] != "_" else UNSAID for row in rows]
            known = numbers["deprel"]
            found["deprel"] = [known.get(row[DEPREL], _NEVER) if row[HEAD] != "_" else UNSAID for row in rows]
        return {name: np.array(values, dtype=np.int32) for name, values in found.items()}


def capitals(form: str) -> int:
    """Return how capitals are distributed over a word, which uncased encoders do not see; below ``SHAPES``."""
    if form.isupper():
        return 1 if len(form) > 1 else 2
    if form[:1].isupper():
        return 3
    if form.islower():
        return 4
    return 5 if any(character.isupper() for character in form) else 0


def batch_of(examples: Sequence[Example]) -> Batch:
    """Return examples together."""
    known = _padded([np.ones_like(e.pieces) for e in examples])
    return Batch(
        _padded([e.pieces for e in examples]),
        known,
        _padded([e.words for e in examples]),
        torch.tensor([len(e.words) for e in examples]),
        {name: _padded([e.gold[name] for e in examples], UNSAID) for name in examples[0].gold},
    )


def _padded(rows: Sequence[Any], value: int = 0) -> Any:
    table = np.full((len(rows), max(map(len, rows)), *rows[0].shape[1:]), value, dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return torch.from_numpy(table)
