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
from typing import Any

import numpy as np

_SINGLE, _DOUBLE = 24, 53
"""Bits that single and double precision hold exactly."""
_BITS = 10
"""Steps of an activation: 2^10 from zero to its bound."""
_TERMS = 64


class Rounding:
    """Rounds activations to steps, 2^10 from zero to their bound.

    Args:
        bound: Largest magnitude, a power of two; None where it is not known, and each row has its own step.
        bits: Steps from zero to the bound, as a power of two.
    """

    def __init__(self, bound: float | None, bits: int = _BITS) -> None:
        self.bits = bits
        self._shift = None if bound is None else np.float32(_shift(np.float32(bound), bits, np.float32))

    def __call__(self, values: Any) -> Any:
        """Round single-precision values in place; the last axis is that of a row."""
        shift = self._shift if self._shift is not None else _shift(_bounds(values), self.bits, np.float32)
        values += shift
        values -= shift
        return values


class Linear:
    """A linear layer over rounded activations, of shape ``(…, size)`` to ``(…, columns)``.

    Args:
        weight: Shape ``(columns, size)``.
        bias: Shape ``(columns,)``; None for none.
        bound: Largest magnitude an activation has, a power of two; None where each row has its own.
        terms: Most terms of a part.
    """

    def __init__(self, weight: Any, bias: Any = None, bound: float | None = 1.0, terms: int = _TERMS) -> None:
        self.round = Rounding(bound)
        self.columns, size = weight.shape
        count = max(1, -(-size // terms))
        edges = [round(n * size / count) for n in range(count + 1)]
        self._parts = [
            (slice(start, stop), rounded_weights(weight[:, start:stop], self.round.bits))
            for start, stop in pairwise(edges)
        ]
        self.bias = None if bias is None else np.asarray(bias, np.float32)

    def __call__(self, rows: Any) -> Any:
        """Return the layer's values for rows of activations, in single precision; the rows stay as they are."""
        return self.of_rounded(self.round(np.array(rows, np.float32)))

    def of_rounded(self, rows: Any) -> Any:
        """Return the layer's values for rows that ``round`` has rounded."""
        first, *others = self._parts
        result = rows[..., first[0]] @ first[1]
        for part, weight in others:
            result += rows[..., part] @ weight
        if self.bias is not None:
            result += self.bias
        return result


def rounded_weights(weight: Any, bits: int = _BITS) -> Any:
    """Return a matrix by which rounded activations can be multiplied without rounding, transposed.

    Args:
        weight: Shape ``(columns, size)``.
        bits: Steps of the activations from zero to their bound, as a power of two.

    Returns:
        Shape ``(size, columns)``, in single precision; every column in whole steps, their magnitudes summing to at
        most ``2 ** (24 - bits)`` steps.
    """
    table = np.asarray(weight, np.float64)
    most = 2.0 ** (_SINGLE - bits)
    total = np.abs(table).sum(axis=1, keepdims=True)
    _, exponent = np.frexp(most / np.where(total > 0, total, 1))
    exponent -= 1  # the power of two at or below
    steps = np.rint(np.ldexp(table, exponent))
    above = np.abs(steps).sum(axis=1, keepdims=True) > most
    exponent = np.where(above, exponent - 1, exponent)
    steps = np.rint(np.ldexp(table, exponent))
    return np.ascontiguousarray(np.ldexp(steps, -exponent).T, np.float32)


def product(first: Any, second: Any) -> Any:
    """Return the matrix product in double precision, both sides rounded so that sums are exact.

    Rows of the first and columns of the second side are rounded each by itself, to 21 to 23 bits.

    Args:
        first: Shape ``(…, rows, size)``.
        second: Shape ``(…, size, columns)``.
    """
    bits = (_DOUBLE - max(1, first.shape[-1]).bit_length()) // 2
    return _rounded(first, -1, bits) @ _rounded(second, -2, bits)


def _rounded(values: Any, axis: int, bits: int) -> Any:
    table = np.array(values, np.float64)
    shift = _shift(_bounds(table, axis), bits, np.float64)
    table += shift
    table -= shift
    return table


def _bounds(values: Any, axis: int = -1) -> Any:
    """Return the largest magnitude of each row, one axis of size 1 in place of the row."""
    if not values.shape[axis]:
        return np.ones_like(values, shape=(*values.shape[:axis], 1))
    return np.maximum(values.max(axis=axis, keepdims=True), -values.min(axis=axis, keepdims=True))


def _shift(bound: Any, bits: int, dtype: Any) -> Any:
    """Return what, added to a number and taken away again, rounds it to a step of ``bound / 2 ** bits`` or below.

    Sums near the shift have the step for their last bit. The bound's next power of two counts.
    """
    mantissa, exponent = np.frexp(bound)
    exponent = np.where(mantissa == 0.5, exponent - 1, exponent)  # a power of two is its own bound
    held = (_SINGLE if dtype is np.float32 else _DOUBLE) - 1
    return np.ldexp(dtype(1.5), exponent + (held - bits)).astype(dtype)
