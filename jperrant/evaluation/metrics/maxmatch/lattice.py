"""The lattice of all shortest token alignments of a source and a hypothesis.

Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction", section 3, as the published scorer
behaves: two Levenshtein matrices, in which a substitution costs 1 and 2. A vertex ``(i, j)`` has read ``i`` source
and ``j`` hypothesis tokens; the edges of the lattice are the steps of all shortest paths of both matrices.

A vertex is one integer, ``i * (hypothesis tokens + 1) + j``, so that vertices sort as the pairs do. Every step goes
from a smaller vertex to a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rapidfuzz.distance import Indel

#: Costs of a substitution; insertions and deletions cost 1.
SUBSTITUTION_COSTS = (1, 2)
#: More than any distance.
_FAR = 1 << 60

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
    first, second = token_numbers(source, hypothesis)
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
    low, high = _diagonals(*token_numbers(source, hypothesis))
    return (len(source) + 1) * (high - low + 1)


def token_numbers(source: Sequence[str], hypothesis: Sequence[str]) -> tuple[list[int], list[int]]:
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
