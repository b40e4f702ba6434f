"""Token alignment: a Damerau-Levenshtein search with linguistic costs.

Source: Felice, Bryant and Briscoe 2016 ("Automatic Extraction of Learner Errors in ESL Sentences Using
Linguistically Enhanced Alignments"), as ERRANT 3 implements it. The result equals ERRANT's, ties included; the
way to it differs:

* Equal tokens at the end are matched without a search. (This would be wrong at the start: the trace goes
  backwards, and of ``a a b`` against ``a b`` it deletes the first token.)
* Only a band around the diagonal is searched, see :class:`_Band`.
* Two very long sequences are cut into blocks that are searched one by one. Cuts are in the middle of equal
  stretches, far from differences, so that they seldom change the result. Sequences without such a stretch are
  cut in halves.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from typing import NamedTuple, TypeAlias

from rapidfuzz.distance import Indel, Levenshtein

from jperrant.core.values import Block, Edit, Sentence, Span, Token


@dataclass(frozen=True, slots=True)
class AlignmentCosts:
    """Costs of the linguistically enhanced Damerau-Levenshtein alignment.

    Source: Felice, Bryant and Briscoe 2016, section 3, with the constants of ERRANT 3. A substitution costs
    ``(lemma + class) + characters``, where characters is the normalised Indel distance of the forms, in
    [0, 1]; with the constants given here that is always less than a deletion and an insertion together.

    Attributes:
        insertion, deletion: Cost of one token on one side only; positive.
        lemma: Cost of different lemmas.
        open_class: Cost of different UPOS tags that are both in ``open_classes``.
        other_class: Cost of any other different UPOS tags.
        open_classes: UPOS tags of content words.
        ignore_case: Forms that differ only in case cost nothing to substitute.
    """

    insertion: float = 1.0
    deletion: float = 1.0
    lemma: float = 0.499
    open_class: float = 0.25
    other_class: float = 0.5
    open_classes: frozenset[str] = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
    ignore_case: bool = True


ERRANT_COSTS = AlignmentCosts()


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


#: Returns the cost of substituting one form by another; more than 0.
Substitution: TypeAlias = Callable[[str, str], float]
#: Costs, lev and substitution, as in ``align_tokens``.
_Options: TypeAlias = tuple[AlignmentCosts, bool, Substitution | None]

#: What the search compares of a token: form, lower-cased form, lemma, UPOS, whether that is an open class.
_Column = tuple[str, str, str, str, bool]
# Operations inside the search; a transposition is the length of its window, 2 or more.
_M, _S, _I, _D = 0, -1, -2, -3
_NAMES = {_M: MATCH, _S: SUBSTITUTION, _I: INSERTION, _D: DELETION}
#: Most cells of a band that is searched; two sentences of up to 2,000 tokens never need more.
MOST_CELLS = 5_000_000
#: Most cells of a band that is searched in a block of longer sentences.
BLOCK_CELLS = 250_000
#: Fewest equal tokens in a row that can be cut in the middle.
SHORTEST_RUN = 16
#: A margin above any rounding error in the cost of a path.
_ROUNDED = 1e-9


class _Band:
    """The cells of the dynamic programme over two token sequences that can lie on a path within a cost limit.

    From a cell on diagonal ``d = i - j`` at least ``|n - m - d|`` insertions or deletions follow, so a cell on
    such a path costs at most the limit less their cost. Cells that cost no more than that are exact; of the
    others it is only known that they cost more.

    Attributes:
        offsets: The column at which each row begins.
        rows: Cost of each cell; row and column 0 stand for "nothing yet". Infinite at the edges of the band.
        cells: Operation of each cell.
        limits: The limit for each diagonal.
        windows: For each diagonal, the rows where a transposition may begin, by their balance (sum of the
            hashes of the source words so far, less that of the target words). They come after the last step on
            this diagonal that cost nothing or met a word the other side lacks. None if there is no such row
            yet.
        doubts: For each diagonal, the last row where it is not known whether the step to it cost nothing.
        uncertain: Whether a transposition depends on such a row, so that the band has to be widened.
    """

    def __init__(self, a: Sequence[Token], b: Sequence[Token], options: _Options, limit: float) -> None:
        self.costs, self.lev, self.substitution = costs, _, _ = options
        unit, longer = min(costs.insertion, costs.deletion), len(a) - len(b)
        spare = max(len(a), len(b)) if limit == math.inf else int((limit / unit - abs(longer)) / 2)
        self.low, self.high = min(0, longer) - spare, max(0, longer) + spare  # the band's diagonals
        self.source, self.target = _columns(a, costs), _columns(b, costs)
        n, m = self.n, self.m = len(self.source), len(self.target)
        self.shared = {column[1] for column in self.source} & {column[1] for column in self.target}
        self.sums, self.target_sums = _sums(self.source, self.shared), _sums(self.target, self.shared)
        # Lists by diagonal: negative ones count from the end.
        self.limits = [limit] * (n + m + 1)
        for d in range(max(-m, self.low), min(n, self.high) + 1):
            self.limits[d] -= unit * abs(longer - d)
        self.windows: list[dict[int, int] | None] = [None] * (n + m + 1)
        self.doubts = [0] * (n + m + 1)
        self.uncertain = False
        self.rows: list[Sequence[float]] = [[]] * (n + 1)
        self.cells: list[Sequence[int]] = [[]] * (n + 1)
        self.offsets = [max(0, i - self.high - 1) for i in range(n + 1)]

    def fill(self) -> float:
        """Fill the band and return the cost of the last cell."""
        # One long function with local names only: a call in these loops would cost a third of the time.
        n, m, low = self.n, self.m, self.low
        costs, lev, target, shared = self.costs, self.lev, self.target, self.shared
        substitution, distance = self.substitution, Indel.normalized_distance
        insertion, deletion, fold = costs.insertion, costs.deletion, costs.ignore_case
        lemma_cost, open_cost, class_cost = costs.lemma, costs.open_class, costs.other_class
        rows, cells, windows, limits = self.rows, self.cells, self.windows, self.limits
        sums, target_sums = self.sums, self.target_sums
        offsets = self.offsets
        above = rows[0] = [j * insertion for j in range(min(m, -low) + 1)] + [math.inf] * (-low < m)
        for i in range(1, n + 1):
            row = [math.inf] * (min(m, i - low + 1) - offsets[i] + 1)
            if i <= self.high:
                row[0] = i * deletion
            ops = [_D] * len(row)
            form, folded, lemma, upos, is_open = self.source[i - 1]
            alone = lev or folded not in shared
            offset = offsets[i]
            j, k = offset, 0  # k is the index of the cell in its row, k + shift that of the cell above it
            shift = offset - offsets[i - 1]
            diagonal, best = above[shift], row[0]
            for other_form, other_folded, other_lemma, other_upos, other_open in target[j : i - low]:
                j += 1
                k += 1
                up, index = above[k + shift], i - j
                if form == other_form:
                    row[k] = best = diagonal
                    ops[k], windows[index] = _M, None
                    diagonal = up
                    continue
                # Of equally cheap operations the first in the order T, S, I, D is taken.
                best, op = best + insertion, _I
                cost = up + deletion
                if cost < best:
                    best, op = cost, _D
                limit, window = limits[index], windows[index]
                if best > limit and diagonal > limit and window is None:
                    best, diagonal = math.inf, up  # costs too much already
                    continue
                if diagonal <= best:
                    if lev:
                        cost = diagonal + 1
                    elif fold and folded == other_folded:
                        cost = diagonal + 0.0
                    elif substitution is not None:
                        cost = diagonal + substitution(form, other_form)
                    else:
                        cost = 0.0 if lemma == other_lemma else lemma_cost
                        if upos != other_upos:
                            cost += open_cost if is_open and other_open else class_cost
                        # The order of this sum is part of the definition, because rounding decides ties.
                        # Characters only add to the cost, so they are not compared where it is too high
                        # already.
                        cost = diagonal + (
                            cost + distance(form, other_form) if diagonal + cost <= best else math.inf
                        )
                    if cost <= best:
                        best, op = cost, _S
                if alone or other_folded not in shared:
                    windows[index] = None
                else:
                    if window is None:
                        window = windows[index] = {}
                    elif (start := window.get(sums[i] - target_sums[j])) is not None:
                        cost = rows[start][start - index - offsets[start]] + (i - start - 1)
                        if cost <= best:
                            best, op = cost, i - start
                            if self.doubts[index] > start and cost <= limit:
                                self.uncertain = True
                    window[sums[i - 1] - target_sums[j - 1]] = i - 1
                    if best > limit and diagonal > limit:
                        self.doubts[index] = i
                    elif best == diagonal:
                        windows[index] = None
                row[k], ops[k] = best, op
                diagonal = up
            above = row
            rows[i], cells[i] = array("d", row), array("i", ops)  # a fifth of the memory of lists
        return above[m - offsets[n]]

    def cell_count(self) -> int:
        """Return how many cells the band has at most."""
        return self.n * min(self.m + 1, self.high - self.low + 3)

    def trace(self) -> list[Operation]:
        """Follow the operations back from the last cell and return them in text order."""
        i, j = self.n, self.m
        operations = []
        while i or j:
            op = self.cells[i][j - self.offsets[i]] if i and j else _D if i else _I
            rows = columns = op if op > 1 else 1
            if op <= _I:
                rows, columns = (0, 1) if op == _I else (1, 0)
            name = _NAMES.get(op) or f"{TRANSPOSITION}{op}"
            operations.append(Operation(name, i - rows, i, j - columns, j))
            i, j = i - rows, j - columns
        operations.reverse()
        return operations


def _columns(tokens: Sequence[Token], costs: AlignmentCosts) -> list[_Column]:
    opens, fold = costs.open_classes, costs.ignore_case
    return [(t.form, t.form.lower() if fold else t.form, t.lemma, t.upos, t.upos in opens) for t in tokens]


def _sums(columns: list[_Column], shared: set[str]) -> list[int]:
    """Return the sums of the hashes of shared words up to each position: one more than there are words."""
    return list(accumulate([hash(column[1]) * (column[1] in shared) for column in columns], initial=0))


#: The detail of edits whose alignment is not exact.
BLOCKWISE = "aligned block by block"


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two sentences and the cheapest operations that turn the source into the target, in text order.

    Attributes:
        source, target: The sentences.
        operations: The operations, which cover every token of both sides in order.
        cost: Their cost.
        exact: Whether no other operations cost less, as in ERRANT; False for sentences so long that they were
            aligned block by block.
    """

    source: Sentence
    target: Sentence
    operations: tuple[Operation, ...]
    cost: float
    exact: bool = True


def align_tokens(
    source: Sentence,
    target: Sentence,
    costs: AlignmentCosts = ERRANT_COSTS,
    lev: bool = False,
    substitution: Substitution | None = None,
) -> Alignment:
    """Align two sentences token by token.

    Args:
        source, target: Analysed sentences; lemma and UPOS take part in the costs.
        costs: The pack's costs; ERRANT's by default.
        lev: Plain Levenshtein: substitutions cost 1 and nothing is transposed (ERRANT's ``-lev``).
        substitution: Returns the cost of a substitution, instead of the cost of lemmas, tags and characters;
            positive.

    Returns:
        The alignment, whose operations cover every token of both sides in order.
    """
    options = costs, lev, substitution
    a, b = source.tokens, target.tokens
    if (path := _path(a, b, options, MOST_CELLS)) is not None:
        return Alignment(source, target, tuple(path[0]), path[1])
    operations, cost = _path_by_blocks(a, b, options)
    return Alignment(source, target, tuple(operations), cost, exact=False)


def mark_blockwise(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return edits with ``BLOCKWISE`` as their detail: their alignment is not exact."""
    return tuple([replace(edit, detail=BLOCKWISE) for edit in edits])


def is_blockwise(block: Block) -> bool:
    """Whether edits of a block come from an alignment that is not exact."""
    return any(edit.detail == BLOCKWISE for annotation in block.annotations for edit in annotation.edits)


def _path(
    a: Sequence[Token], b: Sequence[Token], options: _Options, most_cells: float
) -> tuple[list[Operation], float] | None:
    """Search ever wider bands until one is certain to hold the cheapest path.

    Args:
        a, b: Tokens.
        options: Costs, lev and substitution, as in ``align_tokens``.
        most_cells: A band that may have more cells is not searched.

    Returns:
        The path and its cost, or None if it needs a larger band.
    """
    costs, _, _ = options
    pairs = zip(reversed(a), reversed(b), strict=False)
    suffix = sum(1 for _ in takewhile(lambda pair: pair[0].form == pair[1].form, pairs))
    n, m = len(a) - suffix, len(b) - suffix
    # To delete and insert all that differs is one path, so the cheapest path costs no more.
    differing = Indel.distance([t.form for t in a[:n]], [t.form for t in b[:m]])
    limit = differing * max(costs.insertion, costs.deletion) + _ROUNDED
    while True:
        certain = limit >= max(n, m) * min(costs.insertion, costs.deletion)
        band = _Band(a[:n], b[:m], options, math.inf if certain else limit)
        if band.cell_count() > most_cells:
            return None
        cost = band.fill()
        if certain or not band.uncertain:
            equal = [Operation(MATCH, n + k, n + k + 1, m + k, m + k + 1) for k in range(suffix)]
            return band.trace() + equal, cost
        limit *= 2


def _path_by_blocks(
    a: Sequence[Token], b: Sequence[Token], options: _Options
) -> tuple[list[Operation], float]:
    """Return operations found block by block, in memory that grows with the number of tokens."""
    common = Levenshtein.opcodes([t.form for t in a], [t.form for t in b]).as_matching_blocks()
    cuts = [(n.a + n.size // 2, n.b + n.size // 2) for n in common if n.size >= SHORTEST_RUN]
    operations: list[Operation] = []
    total, i, j = 0.0, 0, 0
    for x, y in [*(cuts or [(len(a) // 2, len(b) // 2)]), (len(a), len(b))]:
        block = a[i:x], b[j:y], options
        path, cost = _path(*block, BLOCK_CELLS) or _path_by_blocks(*block)
        operations += [
            Operation(op, start + i, end + i, target_start + j, target_end + j)
            for op, start, end, target_start, target_end in path
        ]
        total, i, j = total + cost, x, y
    return operations, total
