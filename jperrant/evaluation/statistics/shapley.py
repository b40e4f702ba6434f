"""Attribution of a value to parts: by adding a part, by removing it, or by Shapley values.

The function v(S) gives the value of a set S of parts. A *design* lists the sets whose values are needed, and the
worth of each part follows from these. A set is an integer whose bit ``i`` is 1 if it contains part ``i``.

- ``add``: v({i}) - v({}), the gain from the part alone.
- ``sub``: v(all) - v(all without i), the loss without the part.
- ``shapley``: the mean gain from the part over all orders of adding parts (Shapley 1953). The worths sum to
  v(all) - v({}). With many parts a sample of orders is used, and the reverse of each order.
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
#: The largest number of parts with exact Shapley values, from all 2**8 sets.
EXACT = 8
#: The number of sampled orders if there are more parts.
ORDERS = 64


@dataclass(frozen=True, slots=True)
class Design:
    """The sets whose values are needed.

    Attributes:
        method: ``add``, ``sub`` or ``shapley``.
        parts: The number of parts.
        sets: The sets, sorted and distinct, among them the empty and the full set.
        orders: The sampled orders, each followed by its reverse; empty if nothing is sampled.
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
    """The worths of the parts.

    Attributes:
        values: The worth of each part.
        errors: The standard error of each worth; 0 if nothing is sampled.
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
    """Return the sets of parts whose values are needed.

    Args:
        parts: The number of parts.
        method: ``add``, ``sub`` or ``shapley``.
        exact: The largest number of parts with exact Shapley values.
        orders: The number of sampled orders if there are more parts, reversed ones included; an odd number is
            raised by one.
        seed: Seed of the sampling.

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
    """Check that a method exists.

    Raises:
        UsageError: The method is unknown; names the known ones.
    """
    check_known("method", method, METHODS)


def worths(design: Design, values: Mapping[int, float]) -> Worths:
    """Return the worth of each part.

    >>> pair = design(2)
    >>> worths(pair, {0b00: 0.0, 0b01: 0.25, 0b10: 0.5, 0b11: 1.0}).values
    (0.375, 0.625)

    Args:
        design: The design.
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
    """Return exact Shapley values from the values of all sets, indexed by the set."""
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
