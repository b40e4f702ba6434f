"""Matrix products without rounding: the same bits whatever rows are computed together, by any BLAS.

A sum of floating-point numbers depends on the order of its terms, and a BLAS chooses the order by the shape of a
product and by the processor. Where every term is a whole number of the same small step, and no sum of magnitudes
reaches what the format holds exactly (2^24 steps in single precision, 2^53 in double), nothing is rounded, so the
order does not matter. Activations are rounded to such steps, weights once when a network is loaded, with the finest
power of two that keeps the sums within the limit, for each row of a matrix by itself. Wide products are cut into
parts of a few terms each, whose sums are added one after the other: narrower parts have finer steps.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np


class Precision(NamedTuple):
    """A format of numbers, and how finely activations are rounded in it.

    Attributes:
        dtype: The format.
        held: Bits of a whole number that it holds exactly.
        bits: Steps of an activation from zero to its bound, as a power of two.
        terms: Most terms of a part of a product.
    """

    dtype: Any
    held: int
    bits: int
    terms: int


SINGLE = Precision(np.float32, 24, 10, 64)
WIDE = Precision(np.float32, 24, 9, 256)
"""Faster, with coarser steps: for wide layers, each of whose sums has many terms."""
DOUBLE = Precision(np.float64, 53, 24, 1 << 20)
"""Slower, and as good as no rounding: for small networks whose every decision depends on the one before."""
_BLOCK = 256
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
    """A linear layer over rounded activations, of shape ``(…, size)`` to ``(…, columns)``.

    Args:
        weight: Shape ``(columns, size)``.
        bias: Shape ``(columns,)``; None for none.
        bound: Largest magnitude an activation has, a power of two; None where each row has its own.
        precision: The format of activations and values.
    """

    def __init__(
        self,
        weight: Any,
        bias: Any = None,
        bound: float | None = 1.0,
        precision: Precision = SINGLE,
    ) -> None:
        self.precision = precision
        self.round = Rounding(bound, precision)
        self.columns = len(weight)
        self._parts = parts_of(weight, precision)
        self.bias = None if bias is None else np.asarray(bias, precision.dtype)

    def __call__(self, rows: Any) -> Any:
        """Return the layer's values for rows of activations; the rows stay as they are."""
        return self.of_rounded(self.round(np.array(rows, self.precision.dtype)))

    def of_rounded(self, rows: Any) -> Any:
        """Return the layer's values for rows that ``round`` has rounded."""
        result = np.empty((*rows.shape[:-1], self.columns), self.precision.dtype)
        flat, out = rows.reshape(-1, rows.shape[-1]), result.reshape(-1, self.columns)
        for start in range(0, len(flat), _BLOCK):
            self._compute(flat[start : start + _BLOCK], out[start : start + _BLOCK])
        return result

    def _compute(self, rows: Any, out: Any) -> None:
        first, *others = self._parts
        np.matmul(rows[:, first[0]], first[1], out=out)
        for part, weight in others:
            out += rows[:, part] @ weight
        if self.bias is not None:
            out += self.bias


class Planes:
    """Linear layers over the same rounded activations, of shape ``(rows, size)`` to ``(planes, rows, columns)``.

    The values of each layer lie together in memory: what is then done to them one by one takes a third of the time.

    Args:
        weight: Of one layer after the other, shape ``(planes * columns, size)``.
        planes: How many layers.
        bias: Shape ``(planes * columns,)``; None for none.
        bound, precision: As ``Linear`` takes them.
    """

    def __init__(
        self,
        weight: Any,
        planes: int,
        bias: Any = None,
        bound: float | None = 1.0,
        precision: Precision = SINGLE,
    ) -> None:
        self.precision, self.planes, self.columns = precision, planes, len(weight) // planes
        self.round = Rounding(bound, precision)
        self._parts = [(part, in_planes(table, planes)) for part, table in parts_of(weight, precision)]
        self._bias = None if bias is None else np.asarray(bias, precision.dtype).reshape(planes, 1, -1)

    def __call__(self, rows: Any) -> Any:
        """Return the layers' values for rows of activations; the rows stay as they are."""
        return self.of_rounded(self.round(np.array(rows, self.precision.dtype)))

    def of_rounded(self, rows: Any) -> Any:
        """Return the layers' values for rows that ``round`` has rounded."""
        result = np.empty((self.planes, len(rows), self.columns), self.precision.dtype)
        (first, weight), *others = self._parts
        for start in range(0, len(rows), _BLOCK):
            block, out = rows[start : start + _BLOCK], result[:, start : start + _BLOCK]
            np.matmul(block[:, first], weight, out=out)
            for part, other in others:
                out += block[:, part] @ other
            if self._bias is not None:
                out += self._bias
        return result


def in_planes(table: Any, planes: int) -> Any:
    """Return weights of some layers side by side, shape ``(terms, planes * columns)``, one after the other.

    Returns:
        Shape ``(planes, terms, columns)``.
    """
    terms, columns = table.shape
    return np.ascontiguousarray(table.reshape(terms, planes, columns // planes).swapaxes(0, 1))


def parts_of(weight: Any, precision: Precision = SINGLE) -> list[tuple[slice, Any]]:
    """Return matrices by which parts of rounded activations can be multiplied without rounding.

    Args:
        weight: Shape ``(columns, size)``.
        precision: The format of activations and values.

    Returns:
        For each part its place in a row, and its rounded weights, of shape ``(terms, columns)``.
    """
    size = weight.shape[1]
    count = max(1, -(-size // precision.terms))
    edges = [n * size // count for n in range(count + 1)]
    return [(slice(*edge), _rounded_weights(weight[:, slice(*edge)], precision)) for edge in pairwise(edges)]


def common_weights(weight: Any, precision: Precision) -> Any:
    """Return weights as ``parts_of`` rounds them, in one part, all in whole steps of the same size.

    What they make of a rounded row are 24-bit numbers of steps: up to 512 of them, each times a number of 20 bits,
    sum in double precision without rounding.

    Args:
        weight: Shape ``(columns, size)``.
        precision: Single precision, and its steps.
    """
    return _rounded_weights(weight, precision, common=True)


def _rounded_weights(weight: Any, precision: Precision, common: bool = False) -> Any:
    """Return weights, transposed, in whole steps whose magnitudes sum to what is held exactly in each column."""
    table = np.asarray(weight, np.float64)
    most = 2.0 ** (precision.held - precision.bits)
    total = np.abs(table).sum(axis=1, keepdims=True)
    _, exponent = np.frexp(most / np.where(total > 0, total, 1))
    exponent -= 1  # the power of two at or below
    steps = np.rint(np.ldexp(table, exponent))
    above = np.abs(steps).sum(axis=1, keepdims=True) > most
    exponent = np.where(above, exponent - 1, exponent)
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
    if not values.shape[axis]:
        return np.ones_like(values, shape=(*values.shape[:axis], 1))
    return np.maximum(values.max(axis=axis, keepdims=True), -values.min(axis=axis, keepdims=True))


def _shift(bound: Any, precision: Precision) -> Any:
    """Return what, added to a number and taken away again, rounds it to a step of ``bound / 2 ** bits`` or below.

    Sums near the shift have the step for their last bit. The bound's next power of two counts.
    """
    mantissa, exponent = np.frexp(bound)
    exponent = np.where(mantissa == 0.5, exponent - 1, exponent)  # a power of two is its own bound
    return np.ldexp(precision.dtype(1.5), exponent + (precision.held - 1 - precision.bits)).astype(
        precision.dtype
    )
