"""Merging the operations of an alignment into the spans of edits.

Source: Felice, Bryant and Briscoe 2016, section 4, as ERRANT 3 implements it. ERRANT looks at every range of
a run again after each split, which grows with the fourth power of the run's length. Here each range is looked
at once and what fires there is kept, because only three conditions depend on the run a range is in.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import NamedTuple

from rapidfuzz.distance import Indel

from jperrant.alignment.operations import Operation
from jperrant.alignment.tokens import Alignment
from jperrant.core.errors import UsageError, nearest
from jperrant.core.values import Span, Token

STRATEGIES = ("rules", "all-split", "all-merge", "all-equal")


@dataclass(frozen=True, slots=True)
class MergeRules:
    """What the strategy ``rules`` knows of a language.

    Attributes:
        possessive: XPOS tags of possessive suffixes, which merge with the word before them.
        bridges: Characters that may join or part a word: ``sub - way`` → ``subway`` is one edit.
        content: UPOS tags of content words; a run with one of them is one edit if no rule splits it.
        verbal: UPOS tags that form verb phrases: ``to eat`` → ``eating`` is one edit.
        determiner: UPOS tags of words that are split off the end of a run.
        similar: Indel similarity above which two words at the edge of a range are a pair of their own.
    """

    possessive: frozenset[str] = frozenset()
    bridges: str = "'-"
    content: frozenset[str] = frozenset({"ADJ", "AUX", "ADV", "NOUN", "VERB"})
    verbal: frozenset[str] = frozenset({"AUX", "PART", "VERB"})
    determiner: frozenset[str] = frozenset({"DET"})
    similar: float = 0.75


DEFAULT_RULES = MergeRules()


def merge(
    alignment: Alignment, strategy: str = "rules", rules: MergeRules = DEFAULT_RULES
) -> tuple[Span, ...]:
    """Return the spans of the edits in text order; matches belong to none.

    Args:
        alignment: The alignment.
        strategy: ``all-split`` (every operation is an edit), ``all-merge`` (a run of neighbouring operations
            is one), ``all-equal`` (a run of the same operation is one) or ``rules``.
        rules: The language's part in the strategy ``rules``.

    Raises:
        UsageError: The strategy is not known.
    """
    if strategy not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        raise UsageError(
            f"unknown merge strategy {strategy!r}; known: {known}{nearest(strategy, STRATEGIES)}"
        )
    operations = alignment.operations
    if strategy == "all-split":
        return tuple([op.span for op in operations if op.op != "M"])
    if strategy == "all-equal":
        return _runs(operations, lambda op: op.op)
    if strategy == "all-merge":
        return _runs(operations, lambda op: "M" if op.op == "M" else "")
    spans: list[Span] = []
    run: list[Operation] = []
    for op in operations:  # matches and transpositions end a run; a transposition is an edit of its own
        if op.op in "SDI":
            run.append(op)
            continue
        if run:
            spans += _by_rules(run, alignment, rules)
            run = []
        if op.op != "M":
            spans.append(op.span)
    return tuple(spans + _by_rules(run, alignment, rules) if run else spans)


def _runs(operations: Iterable[Operation], key: Callable[[Operation], str]) -> tuple[Span, ...]:
    return tuple([_join(list(run)) for kind, run in groupby(operations, key=key) if kind != "M"])


def _join(run: Sequence[Operation]) -> Span:
    first, last = run[0], run[-1]
    return Span(first.start, last.end, first.target_start, last.target_end)


def _by_rules(run: list[Operation], alignment: Alignment, rules: MergeRules) -> list[Span]:
    if len(run) == 1:
        return [run[0].span]
    if len({op.op for op in run}) == 1 and run[0].op != "S":
        return [_join(run)]
    return _Run(run, alignment, rules).spans()


class _Firing(NamedTuple):
    """What fires in the range of operations ``first..last`` (inclusive), in the order of trial.

    ``if_first`` and ``if_last`` hold only where the range begins or ends the run it is looked at in.
    """

    first: int
    last: int
    possessive_if_first: bool
    possessive: bool
    case_if_first: bool
    rule: str
    determiner_if_last: bool


class _Run:
    """A run of neighbouring deletions, insertions and substitutions."""

    def __init__(self, operations: list[Operation], alignment: Alignment, rules: MergeRules) -> None:
        self.operations, self.rules = operations, rules
        first, last = operations[0], operations[-1]
        self.source = _Words(alignment.source.tokens[first.start : last.end], rules)
        self.target = _Words(alignment.target.tokens[first.target_start : last.target_end], rules)
        self.bounds = [
            (op.start - first.start, op.end - first.start, op.target_start - first.target_start,
             op.target_end - first.target_start)
            for op in operations
        ]  # fmt: skip
        self.substitutions = list(accumulate((op.op == "S" for op in operations), initial=0))

    def spans(self) -> list[Span]:
        """Split the run by the rules; return the spans of the pieces in order."""
        spans: list[Span] = []
        # Not recursive: a run can be as long as a document.
        stack = [(0, len(self.operations), list(self._firings()), False)]
        while stack:
            low, high, firings, whole = stack.pop()
            if whole:
                spans.append(_join(self.operations[low:high]))
                continue
            firings = [f for f in firings if low <= f.first and f.last < high]
            for piece_low, piece_high, piece_whole in reversed(self._split(low, high, firings)):
                if piece_low < piece_high:
                    stack.append((piece_low, piece_high, firings, piece_whole))
        return spans

    def _split(self, low: int, high: int, firings: list[_Firing]) -> list[tuple[int, int, bool]]:
        """Return the pieces of operations ``low..high``; those marked True are edits, others are split on."""
        if high - low == 1 or self._uniform(low, high):
            return [(low, high, True)]
        for first, last, possessive_if_first, possessive, case_if_first, rule, determiner_if_last in firings:
            if possessive_if_first and first == low:
                return [(low, low + 1, True), (low + 1, high, False)]
            if possessive or (rule == "last two" and not (case_if_first and first == low)):
                return [(low, last - 1, False), (last - 1, last + 1, True), (last + 1, high, False)]
            if (case_if_first and first == low) or rule == "range":
                return [(low, first, False), (first, last + 1, True), (last + 1, high, False)]
            if rule == "part":
                return [(low, first + 1, False), (first + 1, high, False)]
            if determiner_if_last and last == high - 1:
                return [(low, last, False), (last, high, True)]
        if self._has_content(low, high):
            return [(low, high, True)]
        return [(k, k + 1, True) for k in range(low, high)]

    def _uniform(self, low: int, high: int) -> bool:
        """Whether there are only deletions or only insertions."""
        kinds = {op.op for op in self.operations[low:high]}
        return len(kinds) == 1 and "S" not in kinds

    def _has_content(self, low: int, high: int) -> bool:
        if self.substitutions[low] == self.substitutions[high]:
            return False
        start, _, target_start, _ = self.bounds[low]
        _, end, _, target_end = self.bounds[high - 1]
        content = self.rules.content
        return not content.isdisjoint(self.source.upos[start:end]) or not content.isdisjoint(
            self.target.upos[target_start:target_end]
        )

    def _firings(self) -> Iterator[_Firing]:
        """Yield the ranges where a rule may fire, the widest first, those of one width from left to right."""
        count = len(self.operations)
        for width in range(count - 1, 0, -1):
            for first in range(count - width):
                last = first + width
                if self.substitutions[first] != self.substitutions[last + 1]:
                    firing = self._look(first, last)
                    if any(firing[2:]):
                        yield firing

    def _look(self, first: int, last: int) -> _Firing:
        """Test every rule on one range; it holds a substitution, so neither side is empty."""
        source, target = self.source, self.target
        s, _, t, _ = self.bounds[first]
        _, e, _, f = self.bounds[last]
        size, target_size = e - s, f - t
        same_end = source.lower[e - 1] == target.lower[f - 1]
        rule = ""
        # [, we -> . We]
        if same_end and ((size > 1 and source.punct[e - 2]) or (target_size > 1 and target.punct[f - 2])):
            rule = "last two"
        # [sub - way -> subway], [to eat -> eating], [look at -> watch]
        elif source.joined(s, e) == target.joined(t, f) or (
            size != target_size and (source.only_verbal(s, e) and target.only_verbal(t, f))
        ) or (size != target_size and source.one_class(s, e) == target.one_class(t, f) != ""):  # fmt: skip
            rule = "range"
        elif last == first + 1 and (size == target_size == 2 or self._similar_edge(first, last, s, e, t, f)):
            rule = "part"
        capital = (size == 1 and target.capital[t]) or (target_size == 1 and source.capital[s])
        return _Firing(
            first,
            last,
            possessive_if_first=source.possessive[s] or target.possessive[t],
            possessive=source.possessive[e - 1] or target.possessive[f - 1],
            case_if_first=same_end and capital,  # [Cat -> The big cat]
            rule=rule,
            determiner_if_last=last == first + 1 and self._ends_in_determiner(last, e, f),
        )

    def _similar_edge(self, first: int, last: int, s: int, e: int, t: int, f: int) -> bool:
        operations, limit = self.operations, self.rules.similar
        source, target = self.source.forms, self.target.forms
        return (operations[first].op == "S" and _similarity(source[s], target[t]) > limit) or (
            operations[last].op == "S" and _similarity(source[e - 1], target[f - 1]) > limit
        )

    def _ends_in_determiner(self, last: int, e: int, f: int) -> bool:
        op, determiner = self.operations[last].op, self.rules.determiner
        return (op in "DS" and self.source.upos[e - 1] in determiner) or (
            op in "IS" and self.target.upos[f - 1] in determiner
        )


def _similarity(form: str, other: str) -> float:
    return 1 - Indel.normalized_distance(form, other)


class _Words:
    """One side of a run, laid out so that a question about any range of it takes constant time."""

    def __init__(self, tokens: Sequence[Token], rules: MergeRules) -> None:
        self.forms = [t.form for t in tokens]
        self.lower = [f.lower() for f in self.forms]
        self.upos = [t.upos for t in tokens]
        self.possessive = [t.xpos in rules.possessive for t in tokens]
        self.capital = [f[0].isupper() for f in self.forms]
        self.punct = [t.upos == "PUNCT" or t.form in string.punctuation for t in tokens]
        bare = str.maketrans("", "", rules.bridges)
        letters = [f.translate(bare) for f in self.lower]
        self._text = "".join(letters)
        self._offsets = list(accumulate(map(len, letters), initial=0))
        self._other = list(accumulate((u not in rules.verbal for u in self.upos), initial=0))
        self._same_since = list(
            accumulate(
                range(1, len(tokens)), lambda at, k: at if self.upos[k] == self.upos[k - 1] else k, initial=0
            )
        )

    def joined(self, start: int, end: int) -> str:
        """Return the lower-cased words as one, without bridging characters."""
        return self._text[self._offsets[start] : self._offsets[end]]

    def only_verbal(self, start: int, end: int) -> bool:
        """Whether all words belong to a verb phrase."""
        return self._other[start] == self._other[end]

    def one_class(self, start: int, end: int) -> str:
        """Return the UPOS tag that all words share, or an empty string."""
        return self.upos[start] if self._same_since[end - 1] <= start else ""
