"""A run of neighbouring operations: which rule fires in a range of it, and into which pieces it then falls."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import Indel

from jperrant.alignment.operations import Operation
from jperrant.alignment.tokens import Alignment
from jperrant.edits.merge_rules import MergeRules, Words


class Piece(NamedTuple):
    """Operations ``low..high`` (exclusive); a whole one is an edit, others are looked at again."""

    low: int
    high: int
    whole: bool


class Run:
    """A run of neighbouring deletions, insertions and substitutions.

    Attributes:
        count: The number of operations.
        start, end, target_start, target_end: The tokens of each operation, counted from the run's first.
        substitutions: How many substitutions stand before each operation, and in all.
    """

    def __init__(self, operations: list[Operation], alignment: Alignment, rules: MergeRules) -> None:
        self.operations, self.rules, self.count = operations, rules, len(operations)
        first, last = operations[0], operations[-1]
        self.source = Words(alignment.source.tokens[first.start : last.end], rules)
        self.target = Words(alignment.target.tokens[first.target_start : last.target_end], rules)
        self.start = [op.start - first.start for op in operations]
        self.end = [op.end - first.start for op in operations]
        self.target_start = [op.target_start - first.target_start for op in operations]
        self.target_end = [op.target_end - first.target_start for op in operations]
        self.substitutions = list(accumulate((op.op == "S" for op in operations), initial=0))
        self._deletions = list(accumulate((op.op == "D" for op in operations), initial=0))

    def has_substitution(self, low: int, high: int) -> bool:
        """Whether a substitution is among operations ``low..high`` (exclusive)."""
        return self.substitutions[low] != self.substitutions[high]

    def uniform(self, low: int, high: int) -> bool:
        """Whether there are only deletions or only insertions."""
        deletions = self._deletions[high] - self._deletions[low]
        return not self.has_substitution(low, high) and deletions in (0, high - low)

    def has_content(self, low: int, high: int) -> bool:
        """Whether a substitution and a content word are among the operations."""
        if not self.has_substitution(low, high):
            return False
        content = self.rules.content
        source = self.source.upos[self.start[low] : self.end[high - 1]]
        target = self.target.upos[self.target_start[low] : self.target_end[high - 1]]
        return not content.isdisjoint(source) or not content.isdisjoint(target)

    def split(self, low: int, high: int, first: int, last: int) -> list[Piece]:
        """Return the pieces of ``low..high`` if a rule fires in operations ``first..last`` (inclusive), else none.

        The range holds a substitution, so neither of its sides is empty.
        """
        s, e = self.start[first], self.end[last]
        t, f = self.target_start[first], self.target_end[last]
        if first == low and (self.source.possessive[s] or self.target.possessive[t]):
            return [Piece(low, low + 1, True), Piece(low + 1, high, False)]
        last_two = [
            Piece(low, last - 1, False),
            Piece(last - 1, last + 1, True),
            Piece(last + 1, high, False),
        ]
        if self.source.possessive[e - 1] or self.target.possessive[f - 1]:
            return last_two
        whole = [Piece(low, first, False), Piece(first, last + 1, True), Piece(last + 1, high, False)]
        if self.source.lower[e - 1] == self.target.lower[f - 1]:
            if first == low and self._capital(s, e, t, f):  # [Cat -> The big cat]
                return whole
            if self._punctuated(s, e, t, f):  # [, we -> . We]
                return last_two
        if self._one_edit(s, e, t, f):
            return whole
        if last == first + 1:
            if self.is_part(first):
                return [Piece(low, last, False), Piece(last, high, False)]
            if last == high - 1 and self.ends_in_determiner(last):
                return [Piece(low, last, False), Piece(last, high, True)]
        return []

    def is_part(self, first: int) -> bool:
        """Whether an operation and the next are two edits: two words for two, or similar words at an edge."""
        last, limit = first + 1, self.rules.similar
        s, e, t, f = self.start[first], self.end[last], self.target_start[first], self.target_end[last]
        if e - s == f - t == 2:
            return True
        source, target = self.source.forms, self.target.forms
        return (self.operations[first].op == "S" and _similarity(source[s], target[t]) > limit) or (
            self.operations[last].op == "S" and _similarity(source[e - 1], target[f - 1]) > limit
        )

    def ends_in_determiner(self, last: int) -> bool:
        """Whether an operation is about a determiner."""
        op, determiner = self.operations[last].op, self.rules.determiner
        return (op in "DS" and self.source.upos[self.end[last] - 1] in determiner) or (
            op in "IS" and self.target.upos[self.target_end[last] - 1] in determiner
        )

    def _capital(self, s: int, e: int, t: int, f: int) -> bool:
        return (e - s == 1 and self.target.capital[t]) or (f - t == 1 and self.source.capital[s])

    def _punctuated(self, s: int, e: int, t: int, f: int) -> bool:
        return (e - s > 1 and self.source.punct[e - 2]) or (f - t > 1 and self.target.punct[f - 2])

    def _one_edit(self, s: int, e: int, t: int, f: int) -> bool:
        """Whether both sides are the same letters, or of one class of words and of different length."""
        source, target = self.source, self.target
        if e - s != f - t and (
            (source.only_verbal(s, e) and target.only_verbal(t, f))  # [to eat -> eating]
            or source.one_class(s, e) == target.one_class(t, f) != ""  # [look at -> watch]
        ):
            return True
        return source.joined(s, e) == target.joined(t, f)  # [sub - way -> subway]


def _similarity(form: str, other: str) -> float:
    return 1 - Indel.normalized_distance(form, other)
