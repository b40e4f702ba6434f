"""Merges the operations of an alignment into the spans of edits.

Source: Felice, Bryant and Briscoe 2016, section 4, as implemented in ERRANT 3. A run of neighbouring operations
is split at the widest range in which a rule fires (the leftmost of equal width), and its pieces are split in
the same way. Inside a piece, a range wider than the one that split it off can fire only through a rule about
the beginning of the piece, so wider ranges are tried only there. The time therefore grows with the square of
the length of a run. A run of more than ``LONGEST_RUN`` operations is merged in parts.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from rapidfuzz.distance import Indel

from jperrant.alignment.tokens import Alignment, Operation
from jperrant.core.errors import check_known
from jperrant.core.values import Span, Token

STRATEGIES = ("rules", "all-split", "all-merge", "all-equal")
#: The longest run that is merged as a whole. ERRANT has no limit and takes minutes for such a run.
LONGEST_RUN = 500


@dataclass(frozen=True, slots=True)
class MergeRules:
    """The language-specific settings of the strategy ``rules``.

    Attributes:
        possessive: XPOS tags of possessive suffixes, which merge with the word before them.
        bridges: Characters that may join or separate the parts of a word: ``sub - way`` → ``subway`` is one
            edit.
        content: UPOS tags of content words; a run with a content word is one edit if no rule splits it.
        verbal: UPOS tags that form verb phrases: ``to eat`` → ``eating`` is one edit.
        determiner: UPOS tags of words that are split off at the end of a run.
        similar: Indel similarity, from 0 to 1, above which two words at the edge of a range are an edit of
            their own.
    """

    possessive: frozenset[str] = frozenset()
    bridges: str = "'-"
    content: frozenset[str] = frozenset({"ADJ", "AUX", "ADV", "NOUN", "VERB"})
    verbal: frozenset[str] = frozenset({"AUX", "PART", "VERB"})
    determiner: frozenset[str] = frozenset({"DET"})
    similar: float = 0.75


DEFAULT_RULES = MergeRules()
#: Operations ``low..high`` (exclusive), and whether they are an edit; other pieces are split further.
_Piece = tuple[int, int, bool]


def merge(
    alignment: Alignment, strategy: str = "rules", rules: MergeRules = DEFAULT_RULES
) -> tuple[Span, ...]:
    """Return the spans of the edits in text order; a match belongs to no edit.

    Args:
        alignment: The alignment.
        strategy: ``all-split`` (each operation is an edit), ``all-merge`` (each run of operations is an edit),
            ``all-equal`` (each run of the same operation is an edit) or ``rules``.
        rules: The language-specific settings of the strategy ``rules``.

    Raises:
        UsageError: The strategy is unknown.
    """
    check_known("merge strategy", strategy, STRATEGIES)
    operations = alignment.operations
    if strategy == "all-split":
        return tuple([op.span for op in operations if op.op != "M"])
    if strategy == "all-equal":
        return _runs(operations, lambda op: op.op)
    if strategy == "all-merge":
        return _runs(operations, lambda op: "M" if op.op == "M" else "")
    spans: list[Span] = []
    run: list[Operation] = []
    for op in operations:  # matches and transpositions end a run; each transposition is an edit
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
    parts = [run[start : start + LONGEST_RUN] for start in range(0, len(run), LONGEST_RUN)]
    return [_join(part[low:high]) for part in parts for low, high in _Run(part, alignment, rules).edits()]


class _Words:
    """One side of a run, indexed so that queries about a range of its words take constant time."""

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
        changes = [upos != before for before, upos in zip(self.upos, self.upos[1:], strict=False)]
        self._changes = list(accumulate(changes, initial=0))

    def joined(self, start: int, end: int) -> str:
        """Return the words of a range joined in lower case, without bridging characters."""
        return self._text[self._offsets[start] : self._offsets[end]]

    def only_verbal(self, start: int, end: int) -> bool:
        """Whether all words of a range have tags of verb phrases."""
        return self._other[start] == self._other[end]

    def one_class(self, start: int, end: int) -> str:
        """Return the UPOS tag that all words of a range share, or an empty string."""
        return self.upos[start] if self._changes[start] == self._changes[end - 1] else ""


class _Run:
    """A run of neighbouring deletions, insertions and substitutions."""

    def __init__(self, operations: Sequence[Operation], alignment: Alignment, rules: MergeRules) -> None:
        first, last, self.rules = operations[0], operations[-1], rules
        #: The operations, with token positions relative to the run.
        self.operations = [
            Operation(op, s - first.start, e - first.start, t - first.target_start, f - first.target_start)
            for op, s, e, t, f in operations
        ]
        self.source = _Words(alignment.source.tokens[first.start : last.end], rules)
        self.target = _Words(alignment.target.tokens[first.target_start : last.target_end], rules)
        self._substitutions = list(accumulate((op.op == "S" for op in operations), initial=0))

    def edits(self) -> Iterator[tuple[int, int]]:
        """Yield the operations ``low..high`` (exclusive) of each edit, in order."""
        # A stack of pieces, leftmost on top; each says whether it is an edit, and up to what width all its
        # ranges are tried.
        pieces = [(0, len(self.operations), False, len(self.operations))]
        while pieces:
            low, high, whole, width = pieces.pop()
            whole = whole or high - low == 1 or {op.op for op in self.operations[low:high]} in ({"D"}, {"I"})
            split, width = ([], 0) if whole else self._split(low, high, width)
            if split:
                pieces += [(a, b, is_edit, width) for a, b, is_edit in reversed(split) if a < b]
            elif whole or self._has_content(low, high):
                yield low, high
            else:
                yield from ((k, k + 1) for k in range(low, high))

    def _split(self, low: int, high: int, width: int) -> tuple[list[_Piece], int]:
        """Split a piece at the widest range in which a rule fires; return the pieces and the range's width."""
        for size in range(high - low, 1, -1):
            for first in range(low, high - size + 1) if size <= width else (low,):
                if self._has_substitution(first, first + size) and (
                    pieces := self._pieces(low, high, first, first + size - 1)
                ):
                    return pieces, size
        return [], 0

    def _pieces(self, low: int, high: int, first: int, last: int) -> list[_Piece]:
        """Split ``low..high`` if a rule fires for ``first..last`` (inclusive); else return no pieces.

        The range holds a substitution, so neither of its sides is empty.
        """
        source, target = self.source, self.target
        s, e, t, f = _join((self.operations[first], self.operations[last]))
        if first == low and (source.possessive[s] or target.possessive[t]):
            return [(low, low + 1, True), (low + 1, high, False)]
        last_two = [(low, last - 1, False), (last - 1, last + 1, True), (last + 1, high, False)]
        if source.possessive[e - 1] or target.possessive[f - 1]:
            return last_two
        whole = [(low, first, False), (first, last + 1, True), (last + 1, high, False)]
        if source.lower[e - 1] == target.lower[f - 1]:
            if first == low and ((e - s == 1 and target.capital[t]) or (f - t == 1 and source.capital[s])):
                return whole  # [Cat -> The big cat]
            if (e - s > 1 and source.punct[e - 2]) or (f - t > 1 and target.punct[f - 2]):
                return last_two  # [, we -> . We]
        if self._one_edit(s, e, t, f):
            return whole
        if last == first + 1:
            if self._is_part(first):
                return [(low, last, False), (last, high, False)]
            if last == high - 1 and self._ends_in_determiner(last):
                return [(low, last, False), (last, high, True)]
        return []

    def _one_edit(self, s: int, e: int, t: int, f: int) -> bool:
        """Whether a range is one edit: the same letters on both sides, or one word class and different lengths."""
        source, target = self.source, self.target
        if e - s != f - t and (
            (source.only_verbal(s, e) and target.only_verbal(t, f))  # [to eat -> eating]
            or source.one_class(s, e) == target.one_class(t, f) != ""  # [look at -> watch]
        ):
            return True
        return source.joined(s, e) == target.joined(t, f)  # [sub - way -> subway]

    def _is_part(self, first: int) -> bool:
        """Whether two neighbouring operations are separate edits.

        They are if two words replace two, or if the words at either edge are similar.
        """
        pair, limit = self.operations[first : first + 2], self.rules.similar
        s, e, t, f = _join(pair)
        if e - s == f - t == 2:
            return True
        source, target, similarity = self.source.forms, self.target.forms, Indel.normalized_similarity
        return (pair[0].op == "S" and similarity(source[s], target[t]) > limit) or (
            pair[1].op == "S" and similarity(source[e - 1], target[f - 1]) > limit
        )

    def _ends_in_determiner(self, last: int) -> bool:
        """Whether an operation ends in a determiner on one of its sides."""
        (op, _, e, _, f), determiner = self.operations[last], self.rules.determiner
        return (op in "DS" and self.source.upos[e - 1] in determiner) or (
            op in "IS" and self.target.upos[f - 1] in determiner
        )

    def _has_substitution(self, low: int, high: int) -> bool:
        return self._substitutions[low] != self._substitutions[high]

    def _has_content(self, low: int, high: int) -> bool:
        """Whether the operations include a substitution and a content word."""
        if not self._has_substitution(low, high):
            return False
        s, e, t, f = _join(self.operations[low:high])
        return not self.rules.content.isdisjoint([*self.source.upos[s:e], *self.target.upos[t:f]])
