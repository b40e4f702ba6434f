"""The best path through a lattice whose arcs are too many to list.

Where source and hypothesis share hardly any token, every vertex can be joined to every later one: 14,000 vertices
make some fifty million arcs. Which path is best can be said without them. A path is a walk over single steps that
is cut into arcs, and its cost is that of ``arcs``: as many gold edits as possible, then as few steps as possible,
then as few edits as possible. So it is enough to know, at each vertex, the best walk on which no edit is open, and
the best ones on which an edit is open that has kept 0, 1, … tokens; time and memory are linear in the vertices.

The published scorer lists some arcs twice, and forgets an arc with fewer kept tokens for an earlier one of the
same length. Both can only decide between paths with as many gold edits and steps; they are not followed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.maxmatch.arcs import EPSILON, Arc
from jperrant.evaluation.metrics.maxmatch.gold import GoldEdit
from jperrant.evaluation.metrics.maxmatch.grid import DIAGONAL, STEPS, Grid, Ints, SmallInts

#: Parts of the lattice with more vertices than this are searched as arrays.
SMALL_PART = 400


def best_run_path(
    grid: Grid, gold: Sequence[GoldEdit], hypothesis: Sequence[str], max_unchanged_words: int
) -> list[Arc]:
    """Return the arcs of the best path, from the first vertex to the last.

    Args:
        grid: The lattice.
        gold: The edits of one annotator.
        hypothesis: The tokens of the hypothesis.
        max_unchanged_words: How many kept tokens an edit can hold.
    """
    limit = min(max_unchanged_words, *(length - 1 for length in grid.same.shape))
    golden: dict[int, list[Arc]] = {}
    for before, vertex in _gold_arcs(grid, gold, hypothesis, max_unchanged_words):
        golden.setdefault(sum(divmod(vertex, grid.width)), []).append((before, vertex))
    walks = _Walks(grid, limit)
    for diagonal in range(1, sum(grid.same.shape) - 1):
        walks.extend(diagonal, golden.get(diagonal, ()))
    return walks.path()


class _Walks:
    """The best walks to each vertex: without an open edit, and with one that has kept 0, 1, … tokens.

    Vertices are visited by the number of tokens they have read on both sides, all of one number at once.
    """

    def __init__(self, grid: Grid, limit: int) -> None:
        self.grid = grid
        size = grid.same.size
        # Row 0: no edit is open; row 1 + u: one is open that has kept u tokens. Vertices as in ``lattice``.
        self.costs: FloatArray = np.full((limit + 2, size), np.inf)
        #: Where the last arc begins, which is open or ends here.
        self.starts: Ints = np.zeros((limit + 2, size), dtype=np.int64)
        self.costs[0, 0] = 0.0
        self.counts = {kind: counts.ravel() for kind, counts in grid.counts.items()}
        self.same = grid.same.ravel()
        self.reward = float(sum(int(counts.sum()) for counts in grid.counts.values()) + 1)

    def extend(self, diagonal: int, golden: Sequence[Arc]) -> None:
        """Extend the walks to the vertices that have read this many tokens on both sides."""
        rows, columns = self.grid.same.shape
        i = np.arange(max(0, diagonal - columns + 1), min(rows - 1, diagonal) + 1)
        vertices = i * columns + diagonal - i
        for before, vertex in golden:
            self._offer(0, np.array([vertex]), self.costs[0, [before]] - self.reward, np.array([before]))
        for kind in STEPS:
            count = self.counts[kind][vertices]
            into = vertices[count > 0]
            if not into.size:
                continue
            before = into - kind[0] * columns - kind[1]
            kept = self.same[into] if kind == DIAGONAL else np.zeros(len(into), dtype=np.bool_)
            self._keep(into[kept], before[kept])
            self._change(into[~kept], before[~kept], count[count > 0][~kept])

    def path(self) -> list[Arc]:
        """Return the arcs of the best walk to the last vertex."""
        path = []
        vertex = self.grid.same.size - 1
        while vertex:
            before = int(self.starts[0, vertex])
            path.append((before, vertex))
            vertex = before
        return path[::-1]

    def _keep(self, into: Ints, before: Ints) -> None:
        """Steps that keep a token: outside an edit, or as one of those that the open edit keeps."""
        if into.size:
            self._offer(0, into, self.costs[0, before] + 1, before)
            for state in range(1, len(self.costs) - 1):
                self._offer(state + 1, into, self.costs[state, before] + 1, self.starts[state, before])

    def _change(self, into: Ints, before: Ints, count: SmallInts) -> None:
        """Steps that change something: an edit of one step, the start of a longer one, or part of the open one."""
        if into.size:
            closed = self.costs[0, before] + 1
            self._offer(0, into, closed + EPSILON * count, before)
            self._offer(1, into, closed + EPSILON, before)
            for state in range(1, len(self.costs)):
                costs, starts = self.costs[state, before] + 1, self.starts[state, before]
                self._offer(state, into, costs, starts)
                self._offer(0, into, costs, starts)  # after a change the edit can end

    def _offer(self, state: int, into: Ints, costs: FloatArray, starts: Ints) -> None:
        """Take walks that are cheaper than those known."""
        better = costs < self.costs[state, into]
        chosen = into[better]
        self.costs[state, chosen] = costs[better]
        self.starts[state, chosen] = starts[better]


def _gold_arcs(
    grid: Grid, gold: Sequence[GoldEdit], hypothesis: Sequence[str], max_unchanged_words: int
) -> Iterator[Arc]:
    """Yield the arcs that equal a gold edit; each insertion of the reference is found at one place at most."""
    inserted: set[Arc] = set()
    for edit in gold:
        arcs = _arcs_of(grid, edit, hypothesis, max_unchanged_words)
        if edit.start < edit.end:
            yield from arcs
        elif arc := next((arc for arc in arcs if arc not in inserted), None):
            inserted.add(arc)
            yield arc


def _arcs_of(
    grid: Grid, edit: GoldEdit, hypothesis: Sequence[str], max_unchanged_words: int
) -> Iterator[Arc]:
    """Yield the arcs that equal one gold edit."""
    rows, width = grid.same.shape
    on_path = grid.vertices
    for correction in edit.corrections if edit.end < rows else ():
        length = len(correction)
        for column in range(width - length):
            if (
                on_path[edit.start, column]
                and on_path[edit.end, column + length]
                and tuple(hypothesis[column : column + length]) == correction
                and _joined(grid, edit.start, edit.end, column, length, max_unchanged_words)
            ):
                yield edit.start * width + column, edit.end * width + column + length


def _joined(grid: Grid, start: int, end: int, column: int, length: int, max_unchanged_words: int) -> bool:
    """Whether steps lead from one vertex to another and keep few enough tokens, but not all of them."""
    part = slice(start, end + 1), slice(column, column + length + 1)
    same = grid.same[part]
    rows, columns = same.shape
    if rows == columns and same.diagonal()[1:].all():
        return False  # the gold edit changes nothing
    if rows * columns <= SMALL_PART:
        return _fewest_kept(grid, start, end, column, length) <= max_unchanged_words
    # Vertices by the number of tokens they have read on both sides, all of one number at once.
    fewest = np.full(same.shape, np.inf)
    fewest[0, 0] = 0
    for diagonal in range(1, rows + columns - 1):
        i = np.arange(max(0, diagonal - columns + 1), min(rows - 1, diagonal) + 1)
        j = diagonal - i
        for kind in STEPS:
            entered = (i >= kind[0]) & (j >= kind[1]) & (grid.counts[kind][part][i, j] > 0)
            here, there = i[entered], j[entered]
            kept = same[here, there] if kind == DIAGONAL else 0
            before = fewest[here - kind[0], there - kind[1]] + kept
            fewest[here, there] = np.minimum(fewest[here, there], before)
    return bool(fewest[-1, -1] <= max_unchanged_words)


def _fewest_kept(grid: Grid, start: int, end: int, column: int, length: int) -> float:
    """Return the fewest tokens that steps from one vertex to another keep, infinity if there are none."""
    fewest: dict[tuple[int, int], float] = {(start, column): 0}
    for i in range(start, end + 1):
        for j in range(column, column + length + 1):
            for kind in STEPS:
                if grid.counts[kind][i, j] and (i - kind[0], j - kind[1]) in fewest:
                    kept = kind == DIAGONAL and bool(grid.same[i, j])
                    before = fewest[i - kind[0], j - kind[1]] + kept
                    fewest[i, j] = min(before, fewest.get((i, j), before))
    return fewest.get((end, column + length), float("inf"))
