"""The cheapest path through the arcs of a lattice, as the published scorer finds it.

Dahlmeier and Ng (2012), section 3.3: Bellman and Ford's algorithm, which relaxes arcs in a fixed order and keeps
the first of equal paths. Paths that are equal on paper can differ in the last digit of their sums, so this order
decides which edits are proposed. It stops when a round changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.maxmatch.arcs import Arc, Arcs

#: With more arcs than this, those that enter a vertex are relaxed together.
MOST_SINGLE_ARCS = 10_000

#: For each vertex the predecessors of its longer arcs, in the order of relaxing, and the costs of these arcs.
Incoming: TypeAlias = dict[int, tuple[npt.NDArray[np.int64], FloatArray]]


class PathFinder:
    """The arcs of one lattice, ready to be searched for any number of references.

    Args:
        arcs: All arcs.
        most_single_arcs: With more arcs than this, those that enter a vertex are relaxed together; the paths are
            the same.
    """

    def __init__(self, arcs: Arcs, most_single_arcs: int = MOST_SINGLE_ARCS) -> None:
        self._arcs = arcs
        self._incoming: tuple[Incoming, Incoming] | None = None
        if len(arcs.numbers) > most_single_arcs:
            numbers = np.array(list(arcs.numbers), dtype=np.int64)
            lengths = np.array(arcs.costs, dtype=np.float64)
            steps = sum(len(befores) for befores in arcs.lattice.steps.values())
            single, longer = slice(None, steps), slice(steps, None)
            self._incoming = (
                _grouped(numbers[single], lengths[single]),
                _grouped(numbers[longer], lengths[longer]),
            )

    def best(self, matched: Mapping[Arc, float]) -> list[Arc]:
        """Return the arcs of the cheapest path, from the first vertex to the last.

        Args:
            matched: The costs that differ from those of the arcs.
        """
        if self._incoming is None:
            arrival = self._relax_singly(matched)
        else:
            arrival = self._relax_together(self._incoming, matched)
        path = []
        vertex = self._arcs.lattice.end
        while vertex:
            path.append((arrival[vertex], vertex))
            vertex = arrival[vertex]
        return path[::-1]

    def _relax_singly(self, matched: Mapping[Arc, float]) -> list[int]:
        """Return the predecessor of each vertex on its cheapest path."""
        costs = self._arcs.costs
        if matched:
            costs = costs.copy()
            for arc, cost in matched.items():
                costs[self._arcs.numbers[arc]] = cost
        distance = [float("inf")] * (self._arcs.lattice.end + 1)
        arrival = [-1] * len(distance)
        distance[0] = 0.0
        improved = True
        while improved:
            improved = False
            for (before, vertex), cost in zip(self._arcs.numbers, costs, strict=True):
                total = distance[before] + cost
                if total < distance[vertex]:
                    distance[vertex], arrival[vertex] = total, before
                    improved = True
        return arrival

    def _relax_together(self, incoming: tuple[Incoming, Incoming], matched: Mapping[Arc, float]) -> list[int]:
        """Return the predecessor of each vertex on its cheapest path.

        A round relaxes all steps, then all longer arcs. In either half, all arcs into a vertex come before those
        out of it: a longer arc into it was listed when a predecessor had its turn, one out of it when a successor
        had. So a vertex can take the first of its cheapest arcs at once.
        """
        halves = [_with_costs(half, matched) for half in incoming]
        distance: FloatArray = np.full(self._arcs.lattice.end + 1, np.inf)
        arrival = [-1] * len(distance)
        distance[0] = 0.0
        improved = True
        while improved:
            improved = False
            for half in halves:
                for vertex, (befores, lengths) in half.items():
                    totals = distance[befores] + lengths
                    first = totals.argmin()
                    if totals[first] < distance[vertex]:
                        distance[vertex], arrival[vertex] = totals[first], int(befores[first])
                        improved = True
        return arrival


def _grouped(numbers: npt.NDArray[np.int64], lengths: FloatArray) -> Incoming:
    """Return the arcs into each vertex, in ascending order of vertices."""
    order = np.argsort(numbers[:, 1], kind="stable")  # arcs into a vertex stay in their order
    befores, vertices, lengths = numbers[order, 0], numbers[order, 1], lengths[order]
    starts = np.flatnonzero(np.diff(vertices, prepend=-1))
    parts = zip(np.split(befores, starts[1:]), np.split(lengths, starts[1:]), strict=True)
    return {int(vertex): part for vertex, part in zip(vertices[starts], parts, strict=False)}


def _with_costs(incoming: Incoming, matched: Mapping[Arc, float]) -> Incoming:
    """Return the same arcs with the costs of some of them changed."""
    changed = incoming.copy()
    for (before, vertex), cost in matched.items():
        befores, lengths = changed.get(vertex, (None, None))
        if befores is not None and lengths is not None:
            changed[vertex] = befores, np.where(befores == before, cost, lengths)
    return changed
