"""Character vectors of words, each distinct word read once and kept for the batches to come."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jperrant.compact.byte_layers import ByteLSTM
from jperrant.compact.exact import WIDE, Linear
from jperrant.compact.lstm import Packing, directions
from jperrant.compact.vocabularies import Vocabulary

_KEPT = 30_000
_CELLS = 8_000
"""Characters that are read at a time."""
ROOT = ""
"""Stands for the root before the first word, which a parser reads as a word of its own."""


class CharacterVectors:
    """What a network's character model makes of words; threads may share it.

    Args:
        state: Arrays by their names.
        vocabulary: The characters.
        root: Number of the character that stands for the root.
    """

    def __init__(self, state: Mapping[str, Any], vocabulary: Vocabulary, root: int) -> None:
        weights = directions(state, "charmodel.charlstm.lstm.")
        hidden, cell = (state[f"charmodel.charlstm_{kind}_init"][:, 0] for kind in ("h", "c"))
        self._lstm = ByteLSTM(weights, hidden, cell)
        self._attention = Linear(state["charmodel.char_attn.weight"], precision=WIDE)
        self._characters = self._lstm.project(state["charmodel.char_emb.weight"])
        self._vocabulary, self._root = vocabulary, root
        self._lock = threading.Lock()
        self._rows: dict[str, int] = {}
        self._table = np.empty((0, self._lstm.size), np.float32)

    def vectors(self, forms: Sequence[str]) -> Any:
        """Return the vector of each form, shape ``(forms, size)``; those not seen before are read."""
        with self._lock:
            new = [form for form in dict.fromkeys(forms) if form not in self._rows]
            if len(self._rows) + len(new) > _KEPT and self._rows:  # memory stays bounded on endless input
                self._rows, self._table = {}, self._table[:0]
                new = list(dict.fromkeys(forms))
            if new:
                self._table = np.concatenate([self._table, self._read(new)])
                self._rows.update(zip(new, range(len(self._rows), len(self._table)), strict=True))
            return self._table[[self._rows[form] for form in forms]]

    def _read(self, forms: Sequence[str]) -> Any:
        ids = [self._vocabulary.numbers(form) if form != ROOT else [self._root] for form in forms]
        order = sorted(range(len(ids)), key=lambda n: -len(ids[n]))
        vectors = np.empty((len(ids), self._lstm.size), np.float32)
        start = 0
        while start < len(order):
            stop = start + max(1, _CELLS // len(ids[order[start]]))
            vectors[order[start:stop]] = self._vectors([ids[n] for n in order[start:stop]])
            start = stop
        return vectors

    def _vectors(self, ids: Sequence[Sequence[int]]) -> Any:
        """Return the vectors of words given by their characters, longest first: weighted sums over them."""
        packing = Packing([len(word) for word in ids])
        characters = np.array([number for word in ids for number in word])[packing.order]
        (outputs,), _ = self._lstm.run(self._characters, [characters], packing.sizes)
        weights = np.tanh(self._attention(outputs) * np.float32(0.5))
        outputs *= weights * np.float32(0.5) + np.float32(0.5)
        sums = np.zeros((len(ids), self._lstm.size), np.float32)
        stop = 0
        for count in packing.sizes:  # one after the other: the same order for every word
            start, stop = stop, stop + count
            sums[:count] += outputs[start:stop]
        return sums
