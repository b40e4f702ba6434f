"""MaxMatch's lattice of all shortest token alignments, the edits it holds, and the cheapest path through them.

Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction", section 3, as the published scorer
behaves: two Levenshtein matrices, in which a substitution costs 1 and 2. A vertex ``(i, j)`` has read ``i`` source
and ``j`` hypothesis tokens; the edges of the lattice are the steps of all shortest paths of both matrices. A vertex
is one integer, ``i * (hypothesis tokens + 1) + j``, so that vertices sort as the pairs do. Every step goes from a
smaller vertex to a larger one.

An arc joins two vertices if a run of steps between them keeps at most ``max_unchanged_words`` tokens (section 3.2).
As in the published scorer, arcs grow by Floyd and Warshall's rule over vertices in ascending order, and an arc is
replaced only by a shorter one. Since every step goes to a larger vertex, the arcs that leave a vertex when its turn
comes are its steps alone; so one sweep over the vertices does it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rapidfuzz.distance import Indel

#: Costs of a substitution; insertions and deletions cost 1.
SUBSTITUTION_COSTS = (1, 2)
#: Added to the cost of an arc that matches no gold edit, once for each time the published scorer lists the arc.
EPSILON = 0.001
#: More than any distance.
_FAR = 1 << 60

#: An arc: the vertex it leaves and the vertex it enters.
Arc: TypeAlias = tuple[int, int]
#: Rows of distances, one a source position; each holds the diagonals ``low - 1 … high + 1``.
_Band: TypeAlias = list[list[int]]


@dataclass(frozen=True, slots=True)
class Lattice:
    """The union of the shortest paths of both matrices.

    Attributes:
        width: Hypothesis tokens + 1; vertex ``v`` is the pair ``divmod(v, width)``.
        end: The last vertex; the first one is 0.
        steps: For each vertex but the first, in ascending order, its predecessors in ascending order, and in
            how many of the two matrices (1 or 2) the step is.
        unchanged: The steps ``(predecessor, vertex)`` that keep a token.
    """

    width: int
    end: int
    steps: dict[int, dict[int, int]]
    unchanged: frozenset[tuple[int, int]]


def build_lattice(source: Sequence[str], hypothesis: Sequence[str]) -> Lattice:
    """Return the lattice of two token sequences.

    Only diagonals that a shortest path can touch are looked at; time and memory grow with ``places``.
    """
    first, second = _token_numbers(source, hypothesis)
    low, high = _diagonals(first, second)
    width = len(second) + 1
    steps: dict[int, dict[int, int]] = {}
    for cost in SUBSTITUTION_COSTS:
        _add_shortest_paths(steps, first, second, _distances(first, second, cost, low, high), cost, low)
    kept = [
        (before, vertex)
        for vertex, predecessors in steps.items()
        for before in predecessors
        if vertex - before == width + 1 and first[vertex // width - 1] == second[vertex % width - 1]
    ]
    ordered = {vertex: dict(sorted(steps[vertex].items())) for vertex in sorted(steps)}
    return Lattice(width, len(first) * width + len(second), ordered, frozenset(kept))


def places(source: Sequence[str], hypothesis: Sequence[str]) -> int:
    """Return how many vertices are looked at to build the lattice of two token sequences."""
    low, high = _diagonals(*_token_numbers(source, hypothesis))
    return (len(source) + 1) * (high - low + 1)


def _token_numbers(source: Sequence[str], hypothesis: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the tokens of both sides as numbers, equal ones as equal numbers."""
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(token, len(numbers)) for token in source]
    return first, [numbers.setdefault(token, len(numbers)) for token in hypothesis]


def _diagonals(first: Sequence[int], second: Sequence[int]) -> tuple[int, int]:
    """Return the first and the last diagonal, hypothesis minus source position, that a shortest path can touch.

    With ``d`` insertions and deletions in all, at most ``(d + |second| - |first|) / 2`` of them are insertions.
    """
    changes, longer = Indel.distance(first, second), len(second) - len(first)
    return -((changes - longer) // 2), (changes + longer) // 2


def _distances(first: Sequence[int], second: Sequence[int], cost: int, low: int, high: int) -> _Band:
    """Return the distances of all prefixes on the diagonals ``low … high``; column 0 of a row is ``low - 1``."""
    columns = len(second)
    size = high - low + 3
    row = [_FAR] * size
    for j in range(min(columns, high) + 1):
        row[j - low + 1] = j
    rows = [row]
    for i, token in enumerate(first, start=1):
        above, row = row, [_FAR] * size
        left = _FAR
        start, stop = max(0, i + low), min(columns, i + high)
        shift = 1 - low - i
        if start == 0:
            left = row[shift] = i
            start = 1
        for j in range(start, stop + 1):
            column = j + shift
            best = above[column] if token == second[j - 1] else above[column] + cost
            left += 1
            if left < best:
                best = left
            if above[column + 1] + 1 < best:
                best = above[column + 1] + 1
            left = row[column] = best
        rows.append(row)
    return rows


def _add_shortest_paths(
    steps: dict[int, dict[int, int]],
    first: Sequence[int],
    second: Sequence[int],
    rows: _Band,
    cost: int,
    low: int,
) -> None:
    """Count the steps of every shortest path of one matrix, walking back from the end."""
    width = len(second) + 1
    waiting = [(len(first), len(second))]
    seen = set(waiting)
    while waiting:
        i, j = waiting.pop()
        column = j - i - low + 1
        distance = rows[i][column]
        befores = []
        if i and j:
            change = 0 if first[i - 1] == second[j - 1] else cost
            if rows[i - 1][column] + change == distance:
                befores.append((i - 1, j - 1))
        if i and rows[i - 1][column + 1] + 1 == distance:
            befores.append((i - 1, j))
        if j and rows[i][column - 1] + 1 == distance:
            befores.append((i, j - 1))
        if befores:
            counted = steps.setdefault(i * width + j, {})
            for before in befores:
                vertex = before[0] * width + before[1]
                counted[vertex] = counted.get(vertex, 0) + 1
                if before not in seen:
                    seen.add(before)
                    waiting.append(before)


@dataclass(frozen=True, slots=True)
class Arcs:
    """All arcs of one lattice.

    Attributes:
        lattice: The lattice.
        numbers: The arcs ``(predecessor, vertex)`` in the order in which the published scorer relaxes them, each
            once: steps in ascending order, then longer arcs as they were listed; and their places in it.
        costs: What each of them costs where no gold edit matches.
        into: For each vertex the predecessors of its arcs.
        unchanged: The arcs that keep all their tokens, which are not edits.
        copies: How often the published scorer lists an arc ``(predecessor, vertex)``, if not once.
        total: The number of arcs as it lists them, ``|E|``; matching a gold edit earns this much.
    """

    lattice: Lattice
    numbers: dict[Arc, int]
    costs: list[float]
    into: dict[int, list[int]]
    unchanged: set[Arc]
    copies: dict[Arc, int]
    total: int


def build_arcs(lattice: Lattice, max_unchanged_words: int, most: int) -> Arcs | None:
    """Return the arcs of a lattice, None where there are too many.

    Args:
        lattice: The lattice.
        max_unchanged_words: How many kept tokens an edit can hold.
        most: How many arcs of several steps are listed at most.
    """
    grown = _grow(lattice, max_unchanged_words, most)
    if grown is None:
        return None
    sizes, listed = grown
    removed = _removed(sizes, listed)
    by_vertex = lattice.steps.items()
    steps = {(before, vertex): count for vertex, counts in by_vertex for before, count in counts.items()}
    listings = dict(sorted(steps.items()))
    for arc in listed:
        if arc not in removed:
            listings[arc] = listings.get(arc, 0) + 1
    costs: list[float] = []
    kept: set[Arc] = set()
    into: dict[int, list[int]] = {}
    for (before, vertex), count in listings.items():
        length, unchanged = sizes[vertex][before]
        if unchanged == length:
            kept.add((before, vertex))
        costs.append(length if unchanged == length else _raised(length, count))
        into.setdefault(vertex, []).append(before)
    numbers = {arc: number for number, arc in enumerate(listings)}
    copies = {arc: count for arc, count in listings.items() if count > 1}
    total = sum(steps.values()) + len(listed) - len(removed)
    return Arcs(lattice, numbers, costs, into, kept, copies, total)


def _raised(length: float, count: int) -> float:
    """Add epsilon as often as the arc is listed, one after the other: rounding decides between equal paths."""
    for _ in range(count):
        length += EPSILON
    return length


def _grow(
    lattice: Lattice, max_unchanged_words: int, most: int
) -> tuple[dict[int, dict[int, tuple[int, int]]], list[Arc]] | None:
    """Grow every arc by every step that leaves its end; None if that gives too many arcs.

    Returns:
        For each vertex, for each predecessor, the steps and the kept tokens of the arc; and the arcs of several
        steps in the order of listing, again where a shorter one replaced the old.
    """
    sizes: dict[int, dict[int, tuple[int, int]]] = {}
    after: dict[int, list[tuple[int, int]]] = {}
    for vertex, predecessors in lattice.steps.items():
        sizes[vertex] = {before: (1, int((before, vertex) in lattice.unchanged)) for before in predecessors}
        for before, (_, unchanged) in sizes[vertex].items():
            after.setdefault(before, []).append((vertex, unchanged))
    listed: list[Arc] = []
    for middle, arcs in sizes.items():
        following = after.get(middle, ())
        for before, (length, unchanged) in sorted(arcs.items()):
            for vertex, more in following:
                if unchanged + more > max_unchanged_words:
                    continue
                known = sizes[vertex].get(before)
                if known is None or known[0] > length + 1:
                    sizes[vertex][before] = (length + 1, unchanged + more)
                    listed.append((before, vertex))
        if len(listed) > most:
            return None
    return sizes, listed


def _removed(sizes: Mapping[int, Mapping[int, tuple[int, int]]], listed: Sequence[Arc]) -> set[Arc]:
    """Return the arcs of several steps that change nothing and are removed.

    The published scorer removes them from the list it is walking along, and so skips the arc after each.
    """
    removed: set[Arc] = set()
    skip = False
    for before, vertex in listed:
        length, unchanged = sizes[vertex][before]
        skip = not skip and length == unchanged
        if skip:
            removed.add((before, vertex))
    return removed


def best_path(arcs: Arcs, matched: Mapping[Arc, float]) -> list[Arc]:
    """Return the arcs of the cheapest path, from the first vertex to the last.

    Section 3.3: Bellman and Ford's algorithm, which relaxes arcs in a fixed order and keeps the first of equal
    paths. Paths that are equal on paper can differ in the last digit of their sums, so this order decides which
    edits are proposed. It stops when a round changes nothing.

    Args:
        arcs: All arcs.
        matched: The costs that differ from those of the arcs.
    """
    costs = arcs.costs.copy()
    for arc, cost in matched.items():
        costs[arcs.numbers[arc]] = cost
    distance = [float("inf")] * (arcs.lattice.end + 1)
    arrival = [-1] * len(distance)
    distance[0] = 0.0
    improved = True
    while improved:
        improved = False
        for (before, vertex), cost in zip(arcs.numbers, costs, strict=True):
            total = distance[before] + cost
            if total < distance[vertex]:
                distance[vertex], arrival[vertex] = total, before
                improved = True
    path = []
    vertex = arcs.lattice.end
    while vertex:
        path.append((arrival[vertex], vertex))
        vertex = arrival[vertex]
    return path[::-1]
