"""Multisets of the n-grams of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

#: The n-grams of one order and how often each occurs; words stand for themselves, longer n-grams are tuples.
NgramCounts: TypeAlias = Mapping[object, int]


def count_ngrams(units: Sequence[str], order: int) -> tuple[NgramCounts, ...]:
    """Return the n-grams of a text for n = 1 … ``order``, one multiset for each n.

    Args:
        units: The words or the characters of the text.
        order: The largest n, at least 1.

    >>> [dict(counts) for counts in count_ngrams(("a", "b", "a"), 2)]
    [{'a': 2, 'b': 1}, {('a', 'b'): 1, ('b', 'a'): 1}]
    """
    longer: list[Counter[object]] = [
        Counter(zip(*(units[i:] for i in range(n)), strict=False)) for n in range(2, order + 1)
    ]
    return (Counter[object](units), *longer)
