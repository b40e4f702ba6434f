"""Merging the operations of an alignment into the spans of edits.

Source: Felice, Bryant and Briscoe 2016, section 4, as ERRANT 3 implements it.
"""

from __future__ import annotations

import string
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate, groupby
from typing import NamedTuple, Protocol

from rapidfuzz.distance import Indel

from jperrant.alignment.tokens import Alignment, Operation
from jperrant.core.errors import UsageError, nearest
from jperrant.core.values import Span, Token


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


class Words:
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
        self.text = "".join(letters)
        self.offsets = list(accumulate(map(len, letters), initial=0))
        self._other = list(accumulate((u not in rules.verbal for u in self.upos), initial=0))
        self._same_since = list(
            accumulate(
                range(1, len(tokens)), lambda at, k: at if self.upos[k] == self.upos[k - 1] else k, initial=0
            )
        )

    def joined(self, start: int, end: int) -> str:
        """Return the lower-cased words as one, without bridging characters."""
        return self.text[self.offsets[start] : self.offsets[end]]

    def only_verbal(self, start: int, end: int) -> bool:
        """Whether all words belong to a verb phrase."""
        return self._other[start] == self._other[end]

    def one_class(self, start: int, end: int) -> str:
        """Return the UPOS tag that all words share, or an empty string."""
        return self.upos[start] if self._same_since[end - 1] <= start else ""


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


class Region(Protocol):
    """Ranges of operations in which a rule fires."""

    def widest(self, low: int, high: int) -> tuple[int, int] | None:
        """Return the first and last operation of the widest range in ``low..high``, the leftmost of several."""


class _Stretch:
    """Operations ``low..high`` on words of one class: one edit where the sides differ in length."""

    def __init__(self, run: Run, low: int, high: int) -> None:
        self._run, self._low, self._high = run, low, high
        #: Operations on one side only, in order.
        self._one_sided = [k for k in range(low, high) if not run.has_substitution(k, k + 1)]

    def widest(self, low: int, high: int) -> tuple[int, int] | None:
        run, low, high = self._run, max(low, self._low), min(high, self._high)
        first = bisect_left(self._one_sided, low)
        last = bisect_left(self._one_sided, high) - 1
        if high - low < 2 or last < first:
            return None
        if _excess(run, low) != _excess(run, high):
            ranges = [(low, high)]
        else:  # any range in between whose sides differ in length can be widened to one of these
            ranges = [(low, self._one_sided[last]), (self._one_sided[first] + 1, high)]
        valid = [(b - a, -a) for a, b in ranges if b - a > 1 and run.has_substitution(a, b)]
        if not valid:
            return None
        length, minus_first = max(valid)
        return -minus_first, length - minus_first - 1


class _Chain:
    """Boundaries of operations between any two of which both sides have the same letters."""

    def __init__(self, run: Run, boundaries: Sequence[int]) -> None:
        self._run, self._boundaries = run, boundaries

    def widest(self, low: int, high: int) -> tuple[int, int] | None:
        left = bisect_left(self._boundaries, low)
        right = bisect_right(self._boundaries, high) - 1
        if left >= right:
            return None
        first, end = self._boundaries[left], self._boundaries[right]
        if end - first < 2 or not self._run.has_substitution(first, end):
            return None
        return first, end - 1


def word_classes(run: Run) -> Iterator[Region]:
    """Yield the stretches of words of verb phrases and those of words of one UPOS tag."""
    for classes in (_verbal(run), _one_tag(run)):
        for tag, group in groupby(range(run.count), key=classes.__getitem__):
            stretch = list(group)
            if tag and len(stretch) > 1 and run.has_substitution(stretch[0], stretch[-1] + 1):
                yield _Stretch(run, stretch[0], stretch[-1] + 1)


def letter_chains(run: Run) -> Iterator[Region]:
    """Yield the chains: boundaries where the same number of letters more stands on one side than on the other.

    Between two neighbours of a chain the letters are compared; between others they follow.
    """
    source, target = run.source, run.target
    chains: list[list[int]] = []
    latest: dict[int, list[int]] = {}
    for boundary in range(run.count + 1):
        here, there = _letters_before(run, boundary)
        chain = latest.get(here - there)
        if chain is not None:
            before, other = _letters_before(run, chain[-1])
            if source.text[before:here] == target.text[other:there]:
                chain.append(boundary)
                continue
        latest[here - there] = chain = [boundary]
        chains.append(chain)
    return (_Chain(run, chain) for chain in chains if chain[-1] - chain[0] > 1)


def _letters_before(run: Run, boundary: int) -> tuple[int, int]:
    """Return how many letters of source and target stand before an operation."""
    if boundary == run.count:
        return len(run.source.text), len(run.target.text)
    return run.source.offsets[run.start[boundary]], run.target.offsets[run.target_start[boundary]]


def _excess(run: Run, boundary: int) -> int:
    """Return how many more words the source has than the target before an operation."""
    if boundary == run.count:
        return run.end[-1] - run.target_end[-1]
    return run.start[boundary] - run.target_start[boundary]


def _verbal(run: Run) -> list[str]:
    verbal = run.rules.verbal
    return ["verbal" if verbal.issuperset(_tags(run, k)) else "" for k in range(run.count)]


def _one_tag(run: Run) -> list[str]:
    """Return the UPOS tag that all words of an operation share, or an empty string."""
    tags = [set(_tags(run, k)) for k in range(run.count)]
    return [next(iter(t)) if len(t) == 1 else "" for t in tags]


def _tags(run: Run, k: int) -> list[str]:
    source = run.source.upos[run.start[k] : run.end[k]]
    return source + run.target.upos[run.target_start[k] : run.target_end[k]]


def split_run(run: Run) -> list[tuple[int, int]]:
    """Return the operations ``low..high`` (exclusive) of each edit, in order."""
    return _Splitter(run).edits()


class _Splitter:
    """The pieces of a run, and a queue of the ranges in which a rule may fire, the widest first."""

    def __init__(self, run: Run) -> None:
        self._run, self._ends = run, _Ends(run)
        self._lows: list[int] = []
        self._pieces: dict[int, Piece] = {}
        # Minus the width, first operation, number of the entry, and where the region is looked at.
        self._queue: list[tuple[int, int, int, int, int, Region | None]] = []
        self._entries = 0
        for first in range(run.count - 1):
            if run.has_substitution(first, first + 2) and run.is_part(first):
                self._push(first, first + 1)
        for region in (*word_classes(run), *letter_chains(run)):
            self._push_region(0, run.count, region)
        self._place(Piece(0, run.count, False))

    def edits(self) -> list[tuple[int, int]]:
        """Split as long as a rule fires; then a piece with a content word is one edit."""
        while self._queue:
            width, first, _, low, high, region = heappop(self._queue)
            self._try(first, first - width)
            if region is not None:
                self._push_parts(low, high, self._piece_at(first), region)
        edits: list[tuple[int, int]] = []
        for low in self._lows:
            _, high, whole = self._pieces[low]
            if whole or self._run.has_content(low, high):
                edits.append((low, high))
            else:
                edits += [(k, k + 1) for k in range(low, high)]
        return edits

    def _try(self, first: int, last: int) -> None:
        """Split the piece that holds a range if a rule fires there; what was split in between is no range."""
        low, high, whole = self._piece_at(first)
        if not whole and last < high:
            for part in self._run.split(low, high, first, last):
                if part.low < part.high:
                    self._place(part)

    def _piece_at(self, operation: int) -> Piece:
        return self._pieces[self._lows[bisect_right(self._lows, operation) - 1]]

    def _place(self, piece: Piece) -> None:
        """Note a piece, and the range from its beginning that comes first."""
        low, high, whole = piece
        if low not in self._pieces:
            insort(self._lows, low)
        whole = whole or high - low == 1 or self._run.uniform(low, high)
        self._pieces[low] = Piece(low, high, whole)
        if not whole and self._run.has_substitution(low, high):
            self._push(low, self._ends.widest(low, high))
            if self._run.has_substitution(high - 2, high):
                self._push(high - 2, high - 1)  # it may end in a determiner

    def _push(self, first: int, last: int) -> None:
        if last > first:
            self._entries += 1
            heappush(self._queue, (first - last, first, self._entries, first, last + 1, None))

    def _push_region(self, low: int, high: int, region: Region) -> None:
        if high - low > 1 and (widest := region.widest(low, high)):
            first, last = widest
            self._entries += 1
            heappush(self._queue, (first - last, first, self._entries, low, high, region))

    def _push_parts(self, low: int, high: int, piece: Piece, region: Region) -> None:
        """Push the parts of a region before, in and after a piece."""
        self._push_region(low, min(high, piece.low), region)
        if not piece.whole and (piece.low, piece.high) != (low, high):
            self._push_region(max(low, piece.low), min(high, piece.high), region)
        self._push_region(max(low, piece.high), high, region)


class _Ends:
    """The rules that look at the end of a range, which fire first in a range from the beginning of a piece."""

    def __init__(self, run: Run) -> None:
        self._run = run
        source, target, ends = run.source, run.target, list(zip(run.end, run.target_end, strict=True))
        same = [e > 0 < f and source.lower[e - 1] == target.lower[f - 1] for e, f in ends]
        self._same = _latest(same)
        self._possessive = _latest(
            [(e > 0 and source.possessive[e - 1]) or (f > 0 and target.possessive[f - 1]) for e, f in ends]
        )
        self._source_punct = _latest(
            [equal and e > 1 and source.punct[e - 2] for equal, (e, _) in zip(same, ends, strict=True)]
        )
        self._target_punct = _latest(
            [equal and f > 1 and target.punct[f - 2] for equal, (_, f) in zip(same, ends, strict=True)]
        )

    def widest(self, low: int, high: int) -> int:
        """Return the last operation of the widest range from ``low`` in which such a rule fires, else ``low``.

        A later range from the same operation holds all of an earlier one: what does not fire for want of
        a substitution or of a second word in the latest range fires in none before it.
        """
        run, source, target = self._run, self._run.source, self._run.target
        s, t = run.start[low], run.target_start[low]
        if (s < len(source.forms) and source.possessive[s]) or (
            t < len(target.forms) and target.possessive[t]
        ):
            return high - 1
        lasts = [self._possessive[high]]
        for latest, ends, start in (
            (self._source_punct, run.end, s),
            (self._target_punct, run.target_end, t),
        ):
            last = latest[high]
            if last > low and ends[last] - start > 1:
                lasts.append(last)
        if t < len(target.forms) and target.capital[t]:
            lasts.append(self._same[min(high, bisect_right(run.end, s + 1))])
        if s < len(source.forms) and source.capital[s]:
            lasts.append(self._same[min(high, bisect_right(run.target_end, t + 1))])
        return max([low, *(last for last in lasts if last > low and run.has_substitution(low, last + 1))])


def _latest(holds: list[bool]) -> list[int]:
    """Return for each place the last operation before it for which something holds, or -1."""
    latest = [-1]
    for number, true in enumerate(holds):
        latest.append(number if true else latest[-1])
    return latest


STRATEGIES = ("rules", "all-split", "all-merge", "all-equal")

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
            f"unknown merge strategy {strategy!r}; expected one of {known}{nearest(strategy, STRATEGIES)}"
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
    return [_join(run[low:high]) for low, high in split_run(Run(run, alignment, rules))]
