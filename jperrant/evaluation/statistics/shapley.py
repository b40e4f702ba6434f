"""The worth of each part of a whole: alone, on top of the others, or its mean over all orders (Shapley).

A value is known for every set of parts: v(S). A *design* says which sets must be valued; the values of these give
each part its worth. A set is an integer whose bit ``i`` says whether part ``i`` is in; sets that several orders
have in common are valued once.

- ``add``: v({i}) - v({}), the part alone.
- ``sub``: v(all) - v(all without i), what is lost without it.
- ``shapley``: the mean of what the part adds over all orders in which the parts can come (Shapley 1953). The worths
  sum to v(all) - v({}). With many parts the orders are sampled, each also backwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import factorial
from operator import or_
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import check_known

METHODS = ("add", "sub", "shapley")
#: Parts whose worth is computed from all sets, of which there are 2 to the power of this.
EXACT = 8
#: Orders that are sampled where there are more parts.
ORDERS = 64


@dataclass(frozen=True, slots=True)
class Design:
    """Which sets must be valued.

    Attributes:
        method: ``add``, ``sub`` or ``shapley``.
        parts: How many parts there are.
        sets: The sets, each once, sorted; the empty and the full one are always there.
        orders: The sampled orders, each followed by the same one backwards; empty where all sets are valued.
    """

    method: str
    parts: int
    sets: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...] = ()

    @property
    def whole(self) -> int:
        """The set of all parts."""
        return (1 << self.parts) - 1


class Worths(NamedTuple):
    """What the parts are worth.

    Attributes:
        values: The worth of each part.
        errors: The standard error of each; 0 where no orders were sampled.
    """

    values: tuple[float, ...]
    errors: tuple[float, ...]


def design(
    parts: int,
    method: str = "shapley",
    *,
    exact: int = EXACT,
    orders: int = ORDERS,
    seed: int | tuple[int, ...] = 0,
) -> Design:
    """Return which sets of parts must be valued.

    Args:
        parts: How many parts there are.
        method: ``add``, ``sub`` or ``shapley``.
        exact: Up to so many parts Shapley values are exact, from all 2**parts sets.
        orders: How many orders are sampled where there are more, backwards ones included; an odd number is
            raised by one.
        seed: Of the sampling.

    Raises:
        UsageError: The method is unknown.
    """
    check_method(method)
    whole, sampled = (1 << parts) - 1, tuple[tuple[int, ...], ...]()
    if method == "add":
        sets = {1 << part for part in range(parts)}
    elif method == "sub":
        sets = {whole ^ (1 << part) for part in range(parts)}
    elif parts <= max(exact, 1):
        sets = set(range(whole + 1))
    else:
        sampled = _orders(parts, orders, seed)
        sets = {prefix for order in sampled for prefix in _prefixes(order)}
    return Design(method, parts, tuple(sorted({0, whole, *sets})), sampled)


def check_method(method: str) -> None:
    """Refuse a method that does not exist.

    Raises:
        UsageError: Names the known ones.
    """
    check_known("method", method, METHODS)


def worths(design: Design, values: Mapping[int, float]) -> Worths:
    """Return what each part is worth.

    >>> pair = design(2)
    >>> worths(pair, {0b00: 0.0, 0b01: 0.25, 0b10: 0.5, 0b11: 1.0}).values
    (0.375, 0.625)

    Args:
        design: Says how.
        values: The value of each of its sets.
    """
    parts, whole = range(design.parts), design.whole
    if design.method == "add":
        return _exact([values[1 << part] - values[0] for part in parts])
    if design.method == "sub":
        return _exact([values[whole] - values[whole ^ (1 << part)] for part in parts])
    if design.orders:
        return _sampled(design, values)
    return _exact(_shapley(design.parts, np.array([values[s] for s in design.sets], dtype=np.float64)))


def _orders(parts: int, orders: int, seed: int | tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    generator = np.random.default_rng(seed)
    forwards = [tuple(generator.permutation(parts).tolist()) for _ in range((orders + 1) // 2)]
    return tuple([order for one in forwards for order in (one, one[::-1])])


def _prefixes(order: tuple[int, ...]) -> list[int]:
    return [0, *accumulate((1 << part for part in order), or_)]


def _exact(values: list[float]) -> Worths:
    return Worths(tuple(values), (0.0,) * len(values))


def _shapley(parts: int, values: FloatArray) -> list[float]:
    """Return exact Shapley values of all sets' values, the set being the index."""
    sets = np.arange(1 << parts)
    sizes: npt.NDArray[np.int64] = np.sum([sets >> part & 1 for part in range(parts)], axis=0, dtype=np.int64)
    orders = factorial(parts)
    weights = np.array([factorial(s) * factorial(parts - s - 1) / orders for s in range(parts)])
    out = []
    for part in range(parts):
        without = sets[sets >> part & 1 == 0]
        gains = values[without | 1 << part] - values[without]
        out.append(float(weights[sizes[without]] @ gains))
    return out


def _sampled(design: Design, values: Mapping[int, float]) -> Worths:
    gains = np.zeros((len(design.orders), design.parts))
    for row, order in zip(gains, design.orders, strict=True):
        along = np.array([values[prefix] for prefix in _prefixes(order)])
        row[list(order)] = np.diff(along)
    # An order and its reverse are not independent: the error is that of their means.
    pairs = gains.reshape(-1, 2, design.parts).mean(axis=1)
    errors = pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
    return Worths(tuple(pairs.mean(axis=0).tolist()), tuple(errors.tolist()))
