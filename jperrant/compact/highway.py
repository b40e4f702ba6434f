"""What taggers and parsers read words with: an LSTM over characters, and Stanza's highway LSTM over words.

Highway LSTM: Zhang et al. 2016, Highway Long Short-Term Memory RNNs for Distant Speech Recognition.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from jperrant.compact.exact import SINGLE, ByteLinear, Linear, Rounding, product, to_bytes
from jperrant.compact.lstm import GATES, ByteLSTM, Packing, batches, directions
from jperrant.compact.weights import Vocabulary

ROOT_FORM = ""
"""Stands for the root before the first word, which a parser reads as a word of its own."""
BOUND = 2.0
"""Largest magnitude of an output: a hidden state and a gated tanh, each below 1."""
READS_WORDS = {
    "pretrain": None, "charlm": None, "bert_model": None, "use_peft": None, "char_bidirectional": None,
    "char_num_layers": 1,
}  # fmt: skip
"""Settings of networks that can be read word by word: no parts but embeddings and characters of their own."""
_CELLS = 8_000
"""Characters that are read at a time."""
_KEPT = 30_000
"""Words whose characters are remembered."""
_QUESTIONS = frozenset("?\uff1f\ufe16\ufe56\u2047")
_MARKS = _QUESTIONS | frozenset("!\uff01\ufe15\ufe57\u203c")
_Key = TypeVar("_Key", bound=Hashable)
_Found = TypeVar("_Found")


def simple_mark(form: str) -> str:
    """Return ``?`` or ``!`` for a run of such marks, which is how Stanza's taggers and parsers read it."""
    if len(form) < 2 or not _MARKS.issuperset(form):
        return form
    return "?" if form[0] in _QUESTIONS else "!"


class Memory(Generic[_Key, _Found]):
    """Finds things once; threads may share it.

    Args:
        find: Finds what belongs to some keys, in their order.
        most: Keys that are remembered: memory stays bounded on endless input.
    """

    def __init__(self, find: Callable[[list[_Key]], Iterable[_Found]], most: int) -> None:
        self._find, self._most = find, most
        self._known: dict[_Key, _Found] = {}

    def __call__(self, keys: Iterable[_Key]) -> dict[_Key, _Found]:
        """Return what belongs to the keys, and maybe to others."""
        distinct = list(dict.fromkeys(keys))
        known = self._known
        new = [key for key in distinct if key not in known]
        if len(known) + len(new) > self._most:
            known, new = {}, distinct
        if new:
            known.update(zip(new, self._find(new), strict=True))
        self._known = known
        return known


class CharacterVectors:
    """What a network's character model makes of words; threads may share it.

    Args:
        state: Arrays by their names.
        vocabulary: The characters.
        root: Number of the character that stands for the root.
    """

    def __init__(self, state: Mapping[str, Any], vocabulary: Vocabulary, root: int) -> None:
        hidden, cell = (state[f"charmodel.charlstm_{kind}_init"][:, 0] for kind in ("h", "c"))
        self._lstm = ByteLSTM(directions(state, "charmodel.charlstm.lstm."), hidden, cell)
        self._attention = Linear(state["charmodel.char_attn.weight"])
        self._characters = self._lstm.project(state["charmodel.char_emb.weight"])
        self._vocabulary, self._root = vocabulary, root
        self._memory = Memory(self._read, _KEPT)

    def vectors(self, forms: Sequence[str]) -> Any:
        """Return the vector of each form, shape ``(forms, size)``; those not seen before are read."""
        known = self._memory(forms)
        return np.array([known[form] for form in forms], np.float32).reshape(-1, self._lstm.size)

    def _read(self, forms: Sequence[str]) -> Any:
        ids = [self._vocabulary.numbers(form) if form != ROOT_FORM else [self._root] for form in forms]
        vectors = np.empty((len(ids), self._lstm.size), np.float32)
        for rows in batches(list(map(len, ids)), _CELLS):
            vectors[rows] = self._sums([ids[row] for row in rows])
        return vectors

    def _sums(self, ids: Sequence[Sequence[int]]) -> Any:
        """Return the vectors of words given by their characters, longest first: weighted sums over them."""
        packing = Packing(list(map(len, ids)))
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


Projection = tuple[list[Any], Any]
"""What a layer computes of its inputs before it looks at their neighbours: for each direction what they add to the
gates, shape ``(4, rows, size)``, and what passes the LSTM by, shape ``(rows, 2 * size)``."""


class HighwayLSTM:
    """Bidirectional layers, each adding a gated function of its inputs to its LSTM's outputs.

    The first layer reads vectors in single precision, those of each distinct word once; the others read the outputs
    before them in bytes. Its inputs are concatenated parts, such as the embedding of a word and the vector of its
    characters, each projected by itself: a part may be made of other vectors by a matrix, which is multiplied into
    the weights.

    Args:
        state: Arrays by their names.
        name: Name of the network, such as ``taggerlstm``.
        parts: For each part of the inputs its size, and the matrix that makes it of other vectors, of shape
            ``(size, other size)``, or None.
    """

    # Finer than bytes: what the last layer says is what decides.
    _round = Rounding(BOUND)

    def __init__(self, state: Mapping[str, Any], name: str, parts: Sequence[tuple[int, Any]]) -> None:
        self._first, skip = _layer(state, name, 0, None)
        self._parts, start = [], 0
        for number, (size, matrix) in enumerate(parts):
            layers = []
            for planes, (weight, bias) in zip((GATES, GATES, 2), [*self._first.entering, skip], strict=True):
                of_part = weight[:, start : start + size]
                if matrix is not None:
                    of_part = product(of_part, matrix)
                layers.append(Linear(of_part, None if number else bias, None, SINGLE, planes))
            self._parts.append(layers)
            start += size
        if start != skip[0].shape[1]:
            raise ValueError(f"inputs of {skip[0].shape[1]} numbers, expected {start}")
        self._further = []
        for number in range(1, len(state[f"{name}_h_init"]) // 2):
            lstm, (weight, bias) = _layer(state, name, number, BOUND)
            self._further.append((lstm, ByteLinear(weight, 2, bias, BOUND)))

    def project(self, parts: Sequence[Any]) -> Projection:
        """Return what the first layer computes of each input.

        Args:
            parts: The vectors of each part, shape ``(rows, size)`` each.
        """
        sums: list[Any] = []
        for layers, vectors in zip(self._parts, parts, strict=True):
            rounded = layers[0].round(np.array(vectors, np.float32))
            values = [layer.of_rounded(rounded) for layer in layers]
            for total, value in zip(sums, values, strict=False):
                total += value
            sums = sums or values
        return sums[:-1], _gated(sums[-1])

    def run(self, projection: Projection, rows: Any, packing: Packing) -> Any:
        """Return the outputs of the last layer for sequences.

        Args:
            projection: What ``project`` returns.
            rows: For each packed place its row of the projection.
            packing: The order of the places.

        Returns:
            Shape ``(places, 2 * size)`` in packed order, rounded as ``Linear`` with ``BOUND`` rounds.
        """
        gates, skip = projection
        states, _ = self._first.run(gates, [rows, rows[packing.reversal]], packing.sizes)
        outputs = _joined(np.take(skip, rows, axis=0), states, packing)
        for lstm, passing in self._further:
            inputs = to_bytes(outputs, BOUND)
            states, _ = lstm.run_over(inputs, [np.arange(len(inputs)), packing.reversal], packing.sizes)
            outputs = _joined(_gated(passing(inputs)), states, packing)
        return self._round(outputs)


def _layer(
    state: Mapping[str, Any], name: str, number: int, bound: float | None
) -> tuple[ByteLSTM, tuple[Any, Any]]:
    """Return the LSTM of a layer, and weight and bias of the gate and the function that pass it by."""
    hidden, cell = (state[f"{name}_{kind}_init"][2 * number : 2 * number + 2, 0] for kind in ("h", "c"))
    lstm = ByteLSTM(directions(state, f"{name}.lstm.{number}.lstm."), hidden, cell, bound)
    # A logistic function is a tanh of half its argument.
    weight, bias = (
        np.concatenate(
            [
                np.asarray(state[f"{name}.gate.{number}.{end}"], np.float64) * 0.5,
                state[f"{name}.highway.{number}.{end}"],
            ]
        )
        for end in ("weight", "bias")
    )
    return lstm, (weight, bias)


def _joined(skip: Any, states: Any, packing: Packing) -> Any:
    """Return the outputs of a layer.

    Args:
        skip: What passes its LSTM by, shape ``(places, 2 * size)``; overwritten.
        states: Of both directions, each in the order in which it reads.
        packing: The order of the places.
    """
    forward, backward = states
    size = forward.shape[1]
    skip[:, :size] += forward
    skip[:, size:] += np.take(backward, packing.reversal, axis=0)
    return skip


def _gated(values: Any) -> Any:
    """Return the product of a gate and a function, given the arguments of both, shape ``(2, rows, size)``."""
    gate, function = np.tanh(values, out=values)
    gate += 1
    gate *= 0.5
    gate *= function
    return gate
