"""Token alignment: a Damerau-Levenshtein search with linguistic costs.

Source: Felice, Bryant and Briscoe 2016 ("Automatic Extraction of Learner Errors in ESL Sentences Using
Linguistically Enhanced Alignments"), as ERRANT 3 implements it. The result is ERRANT's to the last tie; how
it is reached differs:

* Equal tokens at the end are matched without a search. (Equal tokens at the start must not be: the trace goes
  backwards, and of ``a a b`` against ``a b`` it deletes the first token.)
* Only a band around the diagonal is searched. A cell ``d`` diagonals off costs at least ``d`` insertions or
  deletions, so if the result costs no more than the band allows, no cell outside it can be on the path or
  tie with one that is. Otherwise the band is widened.
* A transposition moves the same words within a window. Every word gets a random number; two windows that
  end on one diagonal hold the same words where the running sums of both sides differ by the same amount at
  both ends, which one table per diagonal finds in constant time (and errs once in 2**61).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import Indel

from jperrant.align.costs import ERRANT_COSTS, AlignmentCosts
from jperrant.data import Sentence, Span, Token

MATCH, SUBSTITUTION, INSERTION, DELETION, TRANSPOSITION = "M", "S", "I", "D", "T"

_INFINITY = float("inf")
_distance = Indel.normalized_distance
# Operations inside the search; a transposition is the length of its window, 2 or more.
_M, _S, _I, _D = 0, -1, -2, -3


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


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two sentences and the cheapest operations that turn the source into the target, in text order."""

    source: Sentence
    target: Sentence
    operations: tuple[Operation, ...]
    cost: float


def align_tokens(
    source: Sentence, target: Sentence, costs: AlignmentCosts = ERRANT_COSTS, lev: bool = False
) -> Alignment:
    """Align two sentences token by token.

    Args:
        source, target: Analysed sentences; lemma and UPOS take part in the costs.
        costs: The pack's costs; ERRANT's by default.
        lev: Plain Levenshtein: substitutions cost 1 and nothing is transposed (ERRANT's ``-lev``).

    Returns:
        The alignment, whose operations cover every token of both sides in order.
    """
    a, b = source.tokens, target.tokens
    n, m = len(a), len(b)
    suffix = 0
    while suffix < n and suffix < m and a[n - suffix - 1].form == b[m - suffix - 1].form:
        suffix += 1
    n, m = n - suffix, m - suffix
    cells, cost = _search(a[:n], b[:m], costs, lev)
    operations = _trace(cells, n, m)
    operations += [Operation(MATCH, n + k, n + k + 1, m + k, m + k + 1) for k in range(suffix)]
    return Alignment(source, target, tuple(operations), cost)


def _search(
    a: Sequence[Token], b: Sequence[Token], costs: AlignmentCosts, lev: bool
) -> tuple[list[list[int]], float]:
    """Return the operations of a band of cells that is certain to hold the path, and the path's cost."""
    n, m = len(a), len(b)
    same = 0
    while same < n and same < m and a[same].form == b[same].form:
        same += 1
    unit = min(costs.insertion, costs.deletion)
    # Most changed tokens cost less than 1 each; where they cost more, a second, wider round is needed.
    width = abs(n - m) + 1 + (min(n, m) - same) // 2
    while width < max(n, m):
        band = _Band(a, b, costs, lev, width, width * unit)
        if band.fill() <= band.limit and not band.uncertain:
            return band.cells, band.rows[n][m]
        width *= 2
    band = _Band(a, b, costs, lev, max(n, m), _INFINITY)
    return band.cells, band.fill()


class _Band:
    """The cells ``|i - j| <= width`` of the dynamic programme over two token sequences.

    Cells that cost at most ``limit`` are exact, all others are only known to cost more.

    Attributes:
        rows: Cost of each cell; row and column 0 stand for "nothing yet". Infinite outside the band.
        cells: Operation of each cell.
        windows: For each diagonal, where a transposition may begin: a row by the balance there (sum of the
            numbers of the source words so far, less that of the target words), since the last step on this
            diagonal that cost nothing or met a word the other side lacks. None if there is no such row yet.
        doubts: For each diagonal, the last row where it is not known whether the step to it cost nothing.
        uncertain: A transposition hung on such a row; the band has to be widened.
    """

    def __init__(
        self, a: Sequence[Token], b: Sequence[Token], costs: AlignmentCosts, lev: bool, width: int, limit: float
    ) -> None:
        self.costs, self.lev, self.width, self.limit = costs, lev, width, limit
        self.n, self.m = len(a), len(b)
        self.source, self.target = _columns(a, costs), _columns(b, costs)
        shared = {c.folded for c in self.source} & {c.folded for c in self.target}
        numbers = dict(zip(sorted(shared), _numbers(len(shared)), strict=False))
        self.sums = _running_sums(self.source, numbers)
        self.target_sums = _running_sums(self.target, numbers)
        self.lonely = [column.folded not in numbers for column in self.target]
        self.rows = [[j * costs.insertion for j in range(self.m + 1)]]
        self.cells: list[list[int]] = [[_I] * (self.m + 1)]
        self.windows: list[dict[int, int] | None] = [None] * (self.n + self.m + 1)
        self.doubts = [0] * (self.n + self.m + 1)
        self.uncertain = False
        self.shared = numbers

    def fill(self) -> float:
        """Fill every row and return the cost of the last cell."""
        for i in range(1, self.n + 1):
            self._fill_row(i)
        return self.rows[self.n][self.m]

    def _fill_row(self, i: int) -> None:
        # One piece, with everything in local names: a call in this loop would cost a third of its time.
        costs, lev, limit, width = self.costs, self.lev, self.limit, self.width
        insertion, deletion, fold = costs.insertion, costs.deletion, costs.ignore_case
        target, windows, rows, target_sums, lonely = (
            self.target, self.windows, self.rows, self.target_sums, self.lonely
        )
        form, folded, lemma, upos, is_open = self.source[i - 1]
        alone = lev or folded not in self.shared
        total, total_before = self.sums[i], self.sums[i - 1]
        above, row, ops = rows[i - 1], [_INFINITY] * (self.m + 1), [_D] * (self.m + 1)
        if i <= width:
            row[0] = i * deletion
        for j in range(max(1, i - width), min(self.m, i + width) + 1):
            other_form, other_folded, other_lemma, other_upos, other_open = target[j - 1]
            diagonal, index = above[j - 1], i - j
            if form == other_form:
                row[j], ops[j], windows[index] = diagonal, _M, None
                continue
            # The first of the cheapest counts, in the order T, S, I, D: so the last of these is tried first.
            best, op = row[j - 1] + insertion, _I
            cost = above[j] + deletion
            if cost < best:
                best, op = cost, _D
            if lev:
                cost = diagonal + 1
            elif fold and folded == other_folded:
                cost = diagonal + 0.0
            else:
                cost = 0.0 if lemma == other_lemma else costs.lemma
                if upos != other_upos:
                    cost += costs.open_class if is_open and other_open else costs.other_class
                # Characters only add to that: no need to compare them where it has lost already. The order
                # of the sum is part of the definition, because rounding decides ties.
                cost = diagonal + (cost + _distance(form, other_form)) if diagonal + cost <= best else _INFINITY
            if cost <= best:
                best, op = cost, _S
            if alone or lonely[j - 1]:
                windows[index] = None
            else:
                window = windows[index]
                if window is None:
                    windows[index] = {total_before - target_sums[j - 1]: i - 1}
                else:
                    start = window.get(total - target_sums[j])
                    if start is not None and (cost := rows[start][start - index] + (i - start - 1)) <= best:
                        best, op = cost, i - start
                        if self.doubts[index] > start and cost <= limit:
                            self.uncertain = True
                    window[total_before - target_sums[j - 1]] = i - 1
                if best > limit and diagonal > limit:
                    self.doubts[index] = i
                elif best == diagonal:
                    windows[index] = None
            row[j], ops[j] = best, op
        rows.append(row)
        self.cells.append(ops)


class _Column(NamedTuple):
    """What the search looks at in a token."""

    form: str
    folded: str
    lemma: str
    upos: str
    is_open: bool


def _columns(tokens: Sequence[Token], costs: AlignmentCosts) -> list[_Column]:
    opens, fold = costs.open_classes, costs.ignore_case
    return [
        _Column(t.form, t.form.lower() if fold else t.form, t.lemma, t.upos, t.upos in opens) for t in tokens
    ]


def _running_sums(columns: list[_Column], numbers: dict[str, int]) -> list[int]:
    """Return the sums of the words' numbers up to each position: one more than there are words."""
    return list(accumulate((numbers.get(c.folded, 0) for c in columns), initial=0))


_POOL: list[int] = []


def _numbers(count: int) -> list[int]:
    """Return at least ``count`` random numbers, always the same ones."""
    if len(_POOL) < count:
        generator = random.Random(0)
        _POOL[:] = [generator.getrandbits(61) for _ in range(max(2 * count, 256))]
    return _POOL


def _trace(cells: list[list[int]], i: int, j: int) -> list[Operation]:
    """Follow the operations back from the last cell and return them in text order."""
    operations = []
    while i or j:
        op = cells[i][j] if i else _I
        if op == _M:
            step = Operation(MATCH, i - 1, i, j - 1, j)
        elif op == _S:
            step = Operation(SUBSTITUTION, i - 1, i, j - 1, j)
        elif op == _D or not j:
            step = Operation(DELETION, i - 1, i, j, j)
        elif op == _I:
            step = Operation(INSERTION, i, i, j - 1, j)
        else:
            step = Operation(f"{TRANSPOSITION}{op}", i - op, i, j - op, j)
        operations.append(step)
        i, j = step.start, step.target_start
    operations.reverse()
    return operations
