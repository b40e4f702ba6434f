"""Stanza's highway LSTM (Zhang et al. 2016, Highway Long Short-Term Memory RNNs for Distant Speech Recognition)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from jperrant.compact.byte_layers import ByteLSTM, BytePlanes, to_bytes
from jperrant.compact.exact import WIDE, Planes, Rounding, product
from jperrant.compact.lstm import GATES, Packing, directions

_SIDES = 2
"""What passes an LSTM by: a gate and a function."""
BOUND = 2.0
"""Largest magnitude of an output: a hidden state and a gated tanh, each below 1."""


class Projection(NamedTuple):
    """What a layer computes of its inputs before it looks at their neighbours, a row for each input.

    Attributes:
        gates: What they add to the gates of each direction, shape ``(4, rows, size)`` each.
        skip: What passes the LSTM by, shape ``(rows, 2 * size)``.
    """

    gates: list[Any]
    skip: Any


class HighwayLSTM:
    """Bidirectional layers, each adding a gated function of its inputs to its LSTM's outputs.

    The inputs of the first layer are concatenated parts, such as the embedding of a word and the vector of its
    characters, each projected by itself: a part may be made of other vectors by a matrix, which is multiplied into
    the weights.

    Args:
        state: Arrays by their names.
        name: Name of the network, such as ``taggerlstm``.
        parts: For each part of the inputs its size, and the matrix that makes it of other vectors, of shape
            ``(size, other size)``, or None.
    """

    # Finer than bytes: what the last layer says is what decides.
    _round = Rounding(BOUND, WIDE)

    def __init__(self, state: Mapping[str, Any], name: str, parts: Sequence[tuple[int, Any]]) -> None:
        count = sum(1 for key in state if key.startswith(f"{name}.gate.") and key.endswith(".weight"))
        self._first = _FirstLayer(state, name, parts)
        self._further = [_FurtherLayer(state, name, number) for number in range(1, count)]

    def project(self, parts: Sequence[Any]) -> Projection:
        """Return what the first layer computes of each input.

        Args:
            parts: The vectors of each part, shape ``(rows, size)`` each.
        """
        return self._first.project(parts)

    def run(self, projection: Projection, rows: Any, packing: Packing) -> Any:
        """Return the outputs of the last layer for sequences.

        Args:
            projection: What ``project`` returns.
            rows: For each packed place its row of the projection.
            packing: The order of the places.

        Returns:
            Shape ``(places, 2 * size)`` in packed order, rounded as ``Linear`` with ``BOUND`` rounds.
        """
        outputs = self._first.run(projection, rows, packing)
        for layer in self._further:
            outputs = layer.run(outputs, packing)
        return self._round(outputs)


class _Layer:
    """One layer: its LSTM, and the gate and the function that pass it by.

    Attributes:
        lstm: The LSTM.
        weight, bias: Of the gate and of the function, one after the other.
    """

    def __init__(self, state: Mapping[str, Any], name: str, number: int, bound: float | None) -> None:
        of_layer = slice(2 * number, 2 * number + 2)
        hidden, cell = (
            np.asarray(state[f"{name}_{kind}_init"], np.float32)[of_layer, 0] for kind in ("h", "c")
        )
        self.lstm = ByteLSTM(directions(state, f"{name}.lstm.{number}.lstm."), hidden, cell, bound)
        gate, highway = (f"{name}.{kind}.{number}." for kind in ("gate", "highway"))
        # A logistic function is a tanh of half its argument.
        self.weight, self.bias = (
            np.concatenate([np.asarray(state[gate + end], np.float64) * 0.5, state[highway + end]])
            for end in ("weight", "bias")
        )

    def joined(self, skip: Any, states: Any, packing: Packing) -> Any:
        """Return the outputs.

        Args:
            skip: What passes the LSTM by, shape ``(places, 2 * size)``; overwritten.
            states: Of both directions, each in the order in which it reads.
            packing: The order of the places.
        """
        forward, backward = states
        skip[:, : self.lstm.size] += forward
        skip[:, self.lstm.size :] += np.take(backward, packing.reversal, axis=0)
        return skip


class _FirstLayer(_Layer):
    """Reads vectors, in single precision: those of each distinct word are projected once."""

    def __init__(self, state: Mapping[str, Any], name: str, parts: Sequence[tuple[int, Any]]) -> None:
        super().__init__(state, name, 0, None)
        weights = [*self.lstm.entering, (self.weight, self.bias)]
        size = weights[0][0].shape[1]
        if sum(part for part, _ in parts) != size:
            raise ValueError(f"inputs of {size} numbers, expected {sum(part for part, _ in parts)}")
        self._parts: list[list[Planes]] = []
        start = 0
        for number, (part, matrix) in enumerate(parts):
            columns = slice(start, start + part)
            layers = []
            for planes, (weight, bias) in zip((GATES, GATES, _SIDES), weights, strict=True):
                of_part = weight[:, columns] if matrix is None else product(weight[:, columns], matrix)
                layers.append(Planes(of_part, planes, None if number else bias, None, WIDE))
            self._parts.append(layers)
            start += part

    def project(self, parts: Sequence[Any]) -> Projection:
        sums: list[Any] = []
        for layers, vectors in zip(self._parts, parts, strict=True):
            rounded = layers[0].round(np.array(vectors, np.float32))
            values = [layer.of_rounded(rounded) for layer in layers]
            if sums:
                for total, value in zip(sums, values, strict=True):
                    total += value
            else:
                sums = values
        return Projection(sums[:-1], _gated(sums[-1]))

    def run(self, projection: Projection, rows: Any, packing: Packing) -> Any:
        states, _ = self.lstm.run(projection.gates, [rows, rows[packing.reversal]], packing.sizes)
        return self.joined(np.take(projection.skip, rows, axis=0), states, packing)


class _FurtherLayer(_Layer):
    """Reads the outputs of a layer in bytes."""

    def __init__(self, state: Mapping[str, Any], name: str, number: int) -> None:
        super().__init__(state, name, number, BOUND)
        self._skip = BytePlanes(self.weight, _SIDES, self.bias, BOUND)

    def run(self, inputs: Any, packing: Packing) -> Any:
        rows = to_bytes(inputs, BOUND)
        states, _ = self.lstm.run_over(rows, [None, packing.reversal], packing.sizes)
        return self.joined(_gated(self._skip(rows)), states, packing)


def _gated(values: Any) -> Any:
    """Return the product of a gate and a function, given the arguments of both, shape ``(2, rows, size)``."""
    gate, function = np.tanh(values, out=values)
    gate += 1
    gate *= 0.5
    gate *= function
    return gate
