"""Layers over activations and weights of a byte each, about twice as fast as in single precision.

An activation is rounded to a 127th of its bound, a weight to a 127th of the largest of its row (Jacob et al. 2018,
Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference, section 2.1; here
after training). Products of bytes sum exactly in 32 bits, so the bits are the same whatever rows are computed
together and on any processor, as they are in ``jperrant.compact.exact``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numkong
import numpy as np

from jperrant.compact.exact import SINGLE, WIDE
from jperrant.compact.lstm import GATES, LSTM

_STEPS = 127
"""Steps from zero to the bound of an activation, and to the largest weight of a row."""
_BLOCK = 128
"""Rows that are computed at a time: their sums stay in the processor's cache."""
_TRIED = 37
"""Rows of the trial of a machine: odd, and more than a kernel takes at a time."""


def to_bytes(values: Any, bound: float) -> Any:
    """Return activations as bytes, in steps.

    Args:
        values: Of magnitudes up to the bound.
        bound: Above zero.
    """
    steps = values * np.float32(_STEPS / bound)
    return np.rint(steps, out=steps).astype(np.int8)


class BytePlanes:
    """Linear layers over the same activations in bytes: ``(rows, size)`` to ``(planes, rows, columns)``.

    Attributes:
        bias: What the layers add, shape ``(planes, 1, columns)``; zeros for none.

    Args:
        weight: Of one layer after the other, shape ``(planes * columns, size)``.
        planes: How many layers.
        bias: Shape ``(planes * columns,)``; None for none.
        bound: Of the activations, as ``to_bytes`` takes it.
    """

    def __init__(self, weight: Any, planes: int, bias: Any = None, bound: float = 1.0) -> None:
        table = np.asarray(weight, np.float64)
        largest = np.abs(table).max(axis=1, initial=0, keepdims=True)
        step = np.where(largest > 0, largest, 1) / _STEPS
        self._planes, self._columns = planes, len(table) // planes
        self._product = _Product(np.rint(table / step).astype(np.int8))
        self._scale = self._by_plane(step * (bound / _STEPS))
        self.bias = self._by_plane(np.zeros(len(table)) if bias is None else bias)

    def __call__(self, rows: Any) -> Any:
        """Return the layers' values for activations in bytes."""
        values = np.empty((self._planes, len(rows), self._columns), np.float32)
        for start in range(0, len(rows), _BLOCK):
            block = slice(start, start + _BLOCK)
            self.compute(rows[block], values[:, block])
            values[:, block] += self.bias
        return values

    def compute(self, rows: Any, out: Any) -> None:
        """Compute the layers' values without their bias.

        Args:
            rows: Activations in bytes, each row in one piece of memory.
            out: Takes the values, shape ``(planes, rows, columns)``.
        """
        sums = self._product(rows).reshape(len(rows), self._planes, self._columns)
        np.multiply(sums.swapaxes(0, 1), self._scale, out=out, dtype=np.float32, casting="unsafe")

    def _by_plane(self, values: Any) -> Any:
        return np.asarray(values, np.float32).reshape(self._planes, 1, self._columns)


class ByteLSTM(LSTM):
    """An LSTM that reads its hidden states in bytes, or its inputs too; the states that it returns are not rounded.

    Whole sequences only: it does not ``advance``.

    Args:
        weights, hidden, cell: As ``LSTM`` takes them.
        bound: Of inputs in bytes, which ``run_over`` reads; None where ``run`` reads what ``project`` returns.
    """

    def __init__(
        self,
        weights: Sequence[tuple[Any, Any, Any, Any]],
        hidden: Any = None,
        cell: Any = None,
        bound: float | None = None,
    ) -> None:
        self._input_bound = bound
        super().__init__(weights, None, hidden, cell, WIDE)

    def run_over(self, rows: Any, places: Sequence[Any | None], sizes: Sequence[int]) -> tuple[Any, Any]:
        """Run over a packed batch of inputs in bytes: one product a step for hidden states and inputs.

        Args:
            rows: The inputs, shape ``(rows, inputs)``.
            places, sizes: As ``run`` takes them.

        Returns:
            What ``run`` returns.
        """

        def fill(gates: Any, hidden: Any, packed: slice) -> None:
            for layers, values, states, order in zip(self._layers, gates, hidden, places, strict=True):
                inputs = rows[packed] if order is None else rows[order[packed]]
                layers.compute(np.concatenate([to_bytes(states, 1.0), inputs], axis=1), values)
                values += layers.bias

        return self._run(fill, len(places), sizes)

    def _prepare(self, recurrent: Sequence[Any]) -> None:
        if self._input_bound is None:
            self._layers = [BytePlanes(weight, GATES) for weight in recurrent]
            return
        # The bound of hidden states is 1, so an input's step counts as many times as its bound says.
        self._layers = [
            BytePlanes(np.concatenate([weight, entering * self._input_bound], axis=1), GATES, bias)
            for weight, (entering, bias) in zip(recurrent, self.entering, strict=True)
        ]

    def _multiply(self, hidden: Any, gates: Any, space: Any) -> None:  # noqa: ARG002
        for layers, states, values in zip(self._layers, hidden, gates, strict=True):
            layers.compute(to_bytes(states, 1.0), values)

    def _round(self, hidden: Any) -> None:
        """Leave hidden states as they are: they are rounded where they are multiplied."""


class _Product:
    """Products of bytes with weights in bytes, of shape ``(rows, size)`` to ``(rows, columns)``, exact.

    NumKong has kernels for each kind of processor. Those of this machine are tried once for every matrix; where
    they err, numpy multiplies, in a format that holds the sums.

    Args:
        weight: Shape ``(columns, size)``.
    """

    def __init__(self, weight: Any) -> None:
        self._columns, size = weight.shape
        self._packed = numkong.dots_pack(weight)
        held = np.float32 if size * _STEPS**2 <= 2**SINGLE.held else np.float64
        exact = weight.T.astype(held)
        rows = (np.arange(_TRIED * size) * 7919 % 255 - _STEPS).astype(np.int8).reshape(_TRIED, size)
        self._exact = None if np.array_equal(self._sums(rows), rows.astype(held) @ exact) else exact

    def __call__(self, rows: Any) -> Any:
        """Return the sums, whole numbers."""
        return self._sums(rows) if self._exact is None else rows.astype(self._exact.dtype) @ self._exact

    def _sums(self, rows: Any) -> Any:
        sums = np.empty((len(rows), self._columns), np.int32)
        if len(rows):
            numkong.dots_packed(rows, self._packed, out=numkong.from_dlpack(sums))
        return sums
