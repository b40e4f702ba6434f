"""Matrix products without rounding: the same bits whatever rows are computed together, by any BLAS.

A sum of floating-point numbers depends on the order of its terms, and a BLAS chooses the order by the shape of a
product and by the processor. Where every term is a whole number of the same small step, and no sum of magnitudes
reaches what the format holds exactly (2^24 steps in single precision, 2^53 in double), nothing is rounded, so the
order does not matter. Activations are rounded to such steps, weights once when a network is loaded, with the finest
power of two that keeps the sums within the limit, for each row of a matrix by itself.

Products of bytes are about twice as fast as those in single precision. An activation is rounded to a 127th of its
bound, a weight to a 127th of the largest of its row (Jacob et al. 2018, Quantization and Training of Neural
Networks for Efficient Integer-Arithmetic-Only Inference, section 2.1; here after training). They sum exactly in 32
bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numkong
import numpy as np


class Precision(NamedTuple):
    """A format of numbers, and how finely activations are rounded in it.

    Attributes:
        dtype: The format.
        held: Bits of a whole number that it holds exactly.
        bits: Steps of an activation from zero to its bound, as a power of two.
    """

    dtype: Any
    held: int
    bits: int


SINGLE = Precision(np.float32, 24, 9)
DOUBLE = Precision(np.float64, 53, 24)
"""Slower, and as good as no rounding: for small networks whose every decision depends on the one before."""
_ROWS = 256
"""Rows that are computed at a time: their sums stay in the processor's cache."""


class Rounding:
    """Rounds activations to steps.

    Args:
        bound: Largest magnitude, a power of two; None where it is not known, and each row has its own step.
        precision: The format of the activations, and their steps.
    """

    def __init__(self, bound: float | None, precision: Precision = SINGLE) -> None:
        self.precision = precision
        self._shift = None if bound is None else _shift(precision.dtype(bound), precision)

    def __call__(self, values: Any) -> Any:
        """Round values in place; the last axis is that of a row."""
        shift = self._shift if self._shift is not None else _shift(_bounds(values), self.precision)
        values += shift
        values -= shift
        return values


class Linear:
    """Linear layers over the same rounded activations, of shape ``(rows, size)`` to ``(planes, rows, columns)``.

    The values of each layer, a plane, lie together in memory: what is then done to them one by one takes a third of
    the time.

    Args:
        weight: Of one layer after the other, shape ``(planes * columns, size)``.
        bias: Shape ``(planes * columns,)``; None for none.
        bound: Largest magnitude an activation has, a power of two; None where each row has its own.
        precision: The format of activations and values.
        planes: How many layers; 0 for one whose values have the shape ``(rows, columns)``.
    """

    def __init__(
        self,
        weight: Any,
        bias: Any = None,
        bound: float | None = 1.0,
        precision: Precision = SINGLE,
        planes: int = 0,
    ) -> None:
        self.precision, self.planes = precision, planes
        self.round = Rounding(bound, precision)
        by_plane = rounded_weights(weight, precision).reshape(weight.shape[1], planes or 1, -1)
        self._weight = np.ascontiguousarray(by_plane.swapaxes(0, 1))
        self._bias = None if bias is None else np.asarray(bias, precision.dtype).reshape(planes or 1, 1, -1)

    def __call__(self, rows: Any) -> Any:
        """Return the values for rows of activations; the rows stay as they are."""
        return self.of_rounded(self.round(np.array(rows, self.precision.dtype)))

    def of_rounded(self, rows: Any) -> Any:
        """Return the values for rows that ``round`` has rounded."""
        result = np.empty((self.planes or 1, len(rows), self._weight.shape[2]), self.precision.dtype)
        for start in range(0, len(rows), _ROWS):
            out = result[:, start : start + _ROWS]
            self.compute(rows[start : start + _ROWS], out)
            if self._bias is not None:
                out += self._bias
        return result if self.planes else result[0]

    def compute(self, rows: Any, out: Any) -> None:
        """Compute the values of rounded rows without the bias; ``out``: shape ``(planes, rows, columns)``."""
        np.matmul(rows, self._weight, out=out)


def rounded_weights(weight: Any, precision: Precision = SINGLE, common: bool = False) -> Any:
    """Return weights in whole steps by which rounded activations can be multiplied without rounding.

    Args:
        weight: Shape ``(columns, terms)``.
        precision: The format of activations and values.
        common: Whether all steps have the same size. What they make of a rounded row are then 24-bit numbers of
            steps: up to 512 of them, each times a number of 20 bits, sum in double precision without rounding.

    Returns:
        Shape ``(terms, columns)``; the magnitudes of each column sum to what is held exactly.
    """
    table = np.asarray(weight, np.float64)
    most = 2.0 ** (precision.held - precision.bits)
    total = np.abs(table).sum(axis=1, keepdims=True)
    exponent = np.frexp(most / np.where(total > 0, total, 1))[1] - 1  # the power of two at or below
    steps = np.rint(np.ldexp(table, exponent))
    exponent -= np.abs(steps).sum(axis=1, keepdims=True) > most
    if common:
        exponent = exponent.min()
    steps = np.rint(np.ldexp(table, exponent))
    return np.ascontiguousarray(np.ldexp(steps, -exponent).T, precision.dtype)


def product(first: Any, second: Any) -> Any:
    """Return the matrix product in double precision, both sides rounded so that sums are exact.

    Rows of the first and columns of the second side are rounded each by itself, to 21 to 23 bits.

    Args:
        first: Shape ``(…, rows, size)``.
        second: Shape ``(…, size, columns)``.
    """
    bits = (DOUBLE.held - max(1, first.shape[-1]).bit_length()) // 2
    return rounded(first, -1, bits) @ rounded(second, -2, bits)


def rounded(values: Any, axis: int = -1, bits: int = 20) -> Any:
    """Return numbers in double precision, along an axis in steps, 2^bits from zero to the largest magnitude."""
    # As long as a format holds the steps and the shift it rounds alike; of the smaller one there is less to read.
    precision = SINGLE if values.dtype == np.float32 and bits <= SINGLE.held - 4 else DOUBLE
    table = np.array(values, precision.dtype)
    shift = _shift(_bounds(table, axis), precision._replace(bits=bits))
    table += shift
    table -= shift
    return table.astype(np.float64, copy=False)


def _bounds(values: Any, axis: int = -1) -> Any:
    """Return the largest magnitude of each row, one axis of size 1 in place of the row."""
    return np.maximum(
        values.max(axis=axis, initial=0, keepdims=True), -values.min(axis=axis, initial=0, keepdims=True)
    )


def _shift(bound: Any, precision: Precision) -> Any:
    """Return what, added to a number and taken away again, rounds it to a step of ``bound / 2 ** bits`` or below.

    Sums near the shift have the step for their last bit. The bound's next power of two counts.
    """
    mantissa, exponent = np.frexp(bound)
    exponent = np.where(mantissa == 0.5, exponent - 1, exponent)  # a power of two is its own bound
    shift = np.ldexp(precision.dtype(1.5), exponent + (precision.held - 1 - precision.bits))
    return shift.astype(precision.dtype)


# Bytes

_STEPS = 127
"""Steps from zero to the bound of an activation, and to the largest weight of a row."""
_BYTE_ROWS = 128
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


class ByteLinear:
    """Linear layers over the same activations in bytes: ``(rows, size)`` to ``(planes, rows, columns)``.

    NumKong has kernels for each kind of processor. Those of this machine are tried once for every matrix; where
    they err, numpy multiplies, in a format that holds the sums.

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
        self._shape = (planes, 1, -1)
        self._scale = np.asarray(step * (bound / _STEPS), np.float32).reshape(self._shape)
        self.bias = np.asarray(np.zeros(len(table)) if bias is None else bias, np.float32).reshape(
            self._shape
        )
        weights = np.rint(table / step).astype(np.int8)
        self._packed = numkong.dots_pack(weights)
        held = np.float32 if table.shape[1] * _STEPS**2 <= 2**SINGLE.held else np.float64
        self._exact, exact = None, weights.T.astype(held)
        rows: Any = (np.arange(_TRIED * len(exact)) * 7919 % 255 - _STEPS).astype(np.int8).reshape(_TRIED, -1)
        if not np.array_equal(self._sums(rows), rows.astype(held) @ exact):
            self._exact = exact

    def __call__(self, rows: Any) -> Any:
        """Return the values for activations in bytes."""
        values = np.empty((self._shape[0], len(rows), self.bias.shape[2]), np.float32)
        for start in range(0, len(rows), _BYTE_ROWS):
            out = values[:, start : start + _BYTE_ROWS]
            self.compute(rows[start : start + _BYTE_ROWS], out)
            out += self.bias
        return values

    def compute(self, rows: Any, out: Any) -> None:
        """Compute the values without the bias.

        Args:
            rows: Activations in bytes, each row in one piece of memory.
            out: Takes the values, shape ``(planes, rows, columns)``.
        """
        sums = self._sums(rows).reshape(len(rows), *self._shape[::2])
        np.multiply(sums.swapaxes(0, 1), self._scale, out=out, dtype=np.float32, casting="unsafe")

    def _sums(self, rows: Any) -> Any:
        """Return the products with the weights, whole numbers, shape ``(rows, planes * columns)``."""
        if self._exact is not None:
            return rows.astype(self._exact.dtype) @ self._exact
        sums = np.empty((len(rows), self.bias.size), np.int32)
        if len(rows):
            numkong.dots_packed(rows, self._packed, out=numkong.from_dlpack(sums))
        return sums
