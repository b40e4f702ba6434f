"""Stanza's highway LSTM (Zhang et al. 2016, Highway Long Short-Term Memory RNNs for Distant Speech Recognition)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from jperrant.parse.networks.exact import WIDE, Planes, Rounding, product
from jperrant.parse.networks.lstm import GATES, LSTM, Packing, directions

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

    def __init__(self, state: Mapping[str, Any], name: str, parts: Sequence[tuple[int, Any]]) -> None:
        count = sum(1 for key in state if key.startswith(f"{name}.gate.") and key.endswith(".weight"))
        firsts = [np.asarray(state[f"{name}_{kind}_init"], np.float32) for kind in ("h", "c")]
        self.layers = []
        for number in range(count):
            weights = directions(state, f"{name}.lstm.{number}.lstm.")
            of_layer = slice(2 * number, 2 * number + 2)
            hidden, cell = (first[of_layer, 0] for first in firsts)
            self.layers.append(_Layer(state, name, number, LSTM(weights, BOUND, hidden, cell, WIDE)))
        self.parts = _first_parts(self.layers[0], parts)

    def project(self, parts: Sequence[Any]) -> Projection:
        """Return what the first layer computes of each input.

        Args:
            parts: The vectors of each part, shape ``(rows, size)`` each.
        """
        sums: list[Any] = []
        for layers, vectors in zip(self.parts, parts, strict=True):
            rounded = layers[0].round(np.array(vectors, np.float32))
            values = [layer.of_rounded(rounded) for layer in layers]
            if sums:
                for total, value in zip(sums, values, strict=True):
                    total += value
            else:
                sums = values
        return Projection(sums[:-1], _gated(sums[-1]))

    def run(self, projection: Projection, rows: Any, packing: Packing) -> Any:
        """Return the outputs of the last layer for sequences.

        Args:
            projection: What ``project`` returns.
            rows: For each packed place its row of the projection.
            packing: The order of the places.

        Returns:
            Shape ``(places, 2 * size)`` in packed order, rounded as ``Linear`` with bound 2 rounds.
        """
        outputs = self.layers[0].run(projection, rows, packing)
        for layer in self.layers[1:]:
            outputs = layer.run(layer.project(outputs), None, packing)
        return outputs


class _Layer:
    """One layer: its LSTM, and the gate and the function that pass it by."""

    round = Rounding(BOUND, WIDE)

    def __init__(self, state: Mapping[str, Any], name: str, number: int, lstm: LSTM) -> None:
        self.lstm = lstm
        gate, highway = (f"{name}.{kind}.{number}." for kind in ("gate", "highway"))
        # A logistic function is a tanh of half its argument.
        self.weight, self.bias = (
            np.concatenate([np.asarray(state[gate + end], np.float64) * 0.5, state[highway + end]])
            for end in ("weight", "bias")
        )
        self.skip = Planes(self.weight, _SIDES, self.bias, BOUND, WIDE)

    def project(self, rows: Any) -> Projection:
        gates = [projection.of_rounded(rows) for projection in self.lstm.projections]
        return Projection(gates, _gated(self.skip.of_rounded(rows)))

    def run(self, projection: Projection, rows: Any, packing: Packing) -> Any:
        size = self.lstm.size
        places = [rows, packing.reversal if rows is None else rows[packing.reversal]]
        (forward, backward), _ = self.lstm.run(projection.gates, places, packing.sizes)
        outputs = projection.skip if rows is None else np.take(projection.skip, rows, axis=0)
        outputs[:, :size] += forward
        outputs[:, size:] += np.take(backward, packing.reversal, axis=0)
        return self.round(outputs)


def _gated(values: Any) -> Any:
    """Return the product of a gate and a function, given the arguments of both, shape ``(2, rows, size)``."""
    gate, function = np.tanh(values, out=values)
    gate += 1
    gate *= 0.5
    gate *= function
    return gate


def _first_parts(layer: _Layer, parts: Sequence[tuple[int, Any]]) -> list[list[Planes]]:
    """Return the layers that project each part of the first inputs: both directions' gates, and what skips."""
    weights = [(weight, bias) for weight, bias in layer.lstm.entering] + [(layer.weight, layer.bias)]
    projected, start = [], 0
    for number, (size, matrix) in enumerate(parts):
        columns = slice(start, start + size)
        layers = []
        for planes, (weight, bias) in zip((GATES, GATES, _SIDES), weights, strict=True):
            of_part = weight[:, columns] if matrix is None else product(weight[:, columns], matrix)
            layers.append(Planes(of_part, planes, None if number else bias, None, WIDE))
        projected.append(layers)
        start += size
    if start != weights[0][0].shape[1]:
        raise ValueError(f"inputs of {weights[0][0].shape[1]} numbers, expected {start}")
    return projected
