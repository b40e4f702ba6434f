"""The operations of a token alignment."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

from jperrant.core.values import Span

MATCH, SUBSTITUTION, INSERTION, DELETION, TRANSPOSITION = "M", "S", "I", "D", "T"


class Operation(NamedTuple):
    """One step of an alignment.

    Attributes:
        op: ``M``, ``S``, ``I``, ``D``, or ``T`` with the number of tokens moved (``T3``).
        start, end: Source tokens covered, half-open.
        target_start, target_end: Target tokens covered, half-open.
    """

    op: str
    start: int
    end: int
    target_start: int
    target_end: int

    @property
    def span(self) -> Span:
        """The tokens covered, without the operation."""
        return Span(self.start, self.end, self.target_start, self.target_end)


def matches(start: int, target_start: int, count: int) -> Iterable[Operation]:
    """Return ``count`` matches in a row."""
    ends = range(start + 1, start + count + 1), range(target_start + 1, target_start + count + 1)
    return map(
        Operation._make, zip(repeat(MATCH), range(start, start + count), ends[0],
                             range(target_start, target_start + count), ends[1], strict=False)
    )  # fmt: skip
