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

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from jperrant.evaluation.metrics.maxmatch.arcs import EPSILON, Arc
from jperrant.evaluation.metrics.maxmatch.gold import GoldEdit
from jperrant.evaluation.metrics.maxmatch.lattice import Lattice

#: The kept tokens of the edit that is open at a vertex; CLOSED where none is.
_State: TypeAlias = int
CLOSED = -1
#: The best walk in each state: its cost, and where its last arc begins, which is open or ends here.
_Walks: TypeAlias = dict[_State, tuple[float, int]]


def best_run_path(
    lattice: Lattice, gold: Sequence[GoldEdit], hypothesis: Sequence[str], max_unchanged_words: int
) -> list[Arc]:
    """Return the arcs of the best path, from the first vertex to the last.

    Args:
        lattice: The lattice.
        gold: The edits of one annotator.
        hypothesis: The tokens of the hypothesis.
        max_unchanged_words: How many kept tokens an edit can hold.
    """
    reward = float(sum(len(predecessors) for predecessors in lattice.steps.values()) + 1)
    golden: dict[int, list[int]] = {}
    for before, vertex in _gold_arcs(lattice, gold, hypothesis, max_unchanged_words):
        golden.setdefault(vertex, []).append(before)
    walks: dict[int, _Walks] = {0: {CLOSED: (0.0, 0)}}
    for vertex, predecessors in lattice.steps.items():
        best: _Walks = {}
        for before in golden.get(vertex, ()):
            _keep(best, CLOSED, walks[before][CLOSED][0] - reward, before)
        for before, count in predecessors.items():
            kept = (before, vertex) in lattice.unchanged
            for state, (cost, start) in walks[before].items():
                if state != CLOSED:
                    _keep_open(best, cost + 1, start, state + kept, kept, max_unchanged_words)
                elif kept:
                    _keep(best, CLOSED, cost + 1, before)
                else:
                    _keep(best, CLOSED, cost + 1 + EPSILON * count, before)
                    _keep(best, 0, cost + 1 + EPSILON, before)
        walks[vertex] = best
    path = []
    vertex = lattice.end
    while vertex:
        before = walks[vertex][CLOSED][1]
        path.append((before, vertex))
        vertex = before
    return path[::-1]


def _keep(best: _Walks, state: _State, cost: float, start: int) -> None:
    known = best.get(state)
    if known is None or cost < known[0]:
        best[state] = cost, start


def _keep_open(best: _Walks, cost: float, start: int, state: _State, kept: bool, limit: int) -> None:
    """Keep a walk whose edit goes on; after a change it can also end."""
    if state > limit:
        return
    _keep(best, state, cost, start)
    if not kept:
        _keep(best, CLOSED, cost, start)


def _gold_arcs(
    lattice: Lattice, gold: Sequence[GoldEdit], hypothesis: Sequence[str], max_unchanged_words: int
) -> Iterator[Arc]:
    """Yield the arcs that equal a gold edit."""
    vertices = [0, *lattice.steps]
    rows: dict[int, list[int]] = {}
    for vertex in vertices:
        rows.setdefault(vertex // lattice.width, []).append(vertex)
    for edit in gold:
        for correction in edit.corrections:
            ends = set(rows.get(edit.end, ()))
            for before in rows.get(edit.start, ()):
                column = before % lattice.width
                vertex = edit.end * lattice.width + column + len(correction)
                if (
                    vertex in ends
                    and vertex > before
                    and tuple(hypothesis[column : column + len(correction)]) == correction
                    and _joined(lattice, vertices, before, vertex, max_unchanged_words)
                ):
                    yield before, vertex


def _joined(
    lattice: Lattice, order: Sequence[int], before: int, vertex: int, max_unchanged_words: int
) -> bool:
    """Whether steps lead from one vertex to another and keep few enough tokens, but not all of them.

    Args:
        lattice: The lattice.
        order: All its vertices in ascending order.
        before, vertex: The two vertices.
        max_unchanged_words: How many tokens can be kept.
    """
    columns = range(before % lattice.width, vertex % lattice.width + 1)
    # For each vertex on the way back: the fewest kept tokens, and minus the number of changes.
    fewest: dict[int, tuple[int, int]] = {vertex: (0, 0)}
    for place in order[bisect_right(order, vertex) - 1 : bisect_left(order, before) : -1]:
        if place not in fewest:
            continue
        kept, changes = fewest[place]
        for earlier in lattice.steps[place]:
            if earlier >= before and earlier % lattice.width in columns:
                same = (earlier, place) in lattice.unchanged
                label = kept + same, changes - (not same)
                if label[0] <= max_unchanged_words and label < fewest.get(earlier, (label[0] + 1, 0)):
                    fewest[earlier] = label
    return before in fewest and fewest[before][1] < 0
