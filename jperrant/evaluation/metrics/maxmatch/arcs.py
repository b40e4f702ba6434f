"""The arcs of a lattice: its steps, and runs of steps that make one edit.

Dahlmeier and Ng (2012), section 3.2: an arc joins two vertices if a run of steps between them keeps at most
``max_unchanged_words`` tokens. As in the published scorer, arcs grow by Floyd and Warshall's rule over vertices
in ascending order, and an arc is replaced only by a shorter one. Since every step goes to a larger vertex, the
arcs that leave a vertex when its turn comes are its steps alone; so one sweep over the vertices does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from jperrant.evaluation.metrics.maxmatch.lattice import Lattice

#: Arcs of several steps that are listed at most: less than half a second of work.
MOST_ARCS = 400_000
#: Added to the cost of an arc that matches no gold edit, once for each time the published scorer lists the arc.
EPSILON = 0.001

#: An arc: the vertex it leaves and the vertex it enters.
Arc: TypeAlias = tuple[int, int]


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


def build_arcs(lattice: Lattice, max_unchanged_words: int, most: int = MOST_ARCS) -> Arcs | None:
    """Return the arcs of a lattice, None where there are too many.

    Args:
        lattice: The lattice.
        max_unchanged_words: How many kept tokens an edit can hold.
        most: How many arcs of several steps are listed at most.
    """
    growth = _Growth(lattice, max_unchanged_words, most)
    if not growth.sweep():
        return None
    removed = growth.removed()
    total = sum(sum(counts.values()) for counts in lattice.steps.values())
    total += len(growth.listed) - len(removed)
    copies: dict[Arc, int] = {}
    kept: set[Arc] = set()
    costs: dict[Arc, float] = {}
    into: dict[int, list[int]] = {}
    steps = sorted(
        ((before, vertex), count)
        for vertex, counts in lattice.steps.items()
        for before, count in counts.items()
    )
    longer = ((arc, growth.repeated.get(arc, 1)) for arc in growth.listed if arc not in removed)
    for arc, count in (*steps, *longer):
        length, unchanged = growth.into[arc[1]][arc[0]]
        if count > 1:
            copies[arc] = count
        if unchanged == length:
            kept.add(arc)
            costs[arc] = length
        else:
            costs[arc] = _raised(length, count)
        into.setdefault(arc[1], []).append(arc[0])
    numbers = {arc: number for number, arc in enumerate(costs)}
    return Arcs(lattice, numbers, list(costs.values()), into, kept, copies, total)


def _raised(length: float, count: int) -> float:
    """Add epsilon as often as the arc is listed, one after the other: rounding decides between equal paths."""
    for _ in range(count):
        length += EPSILON
    return length


class _Growth:
    """Arcs while they grow.

    Attributes:
        into: For each vertex, for each predecessor: steps and kept tokens of the arc.
        listed: The arcs of several steps in the order of listing, again where a shorter one replaced the old.
        repeated: Of those, the ones listed several times, and how often.
    """

    def __init__(self, lattice: Lattice, max_unchanged_words: int, most: int) -> None:
        self.limit, self.most = max_unchanged_words, most
        self.into: dict[int, dict[int, tuple[int, int]]] = {}
        self.after: dict[int, list[tuple[int, int]]] = {}
        self.listed: list[Arc] = []
        self.repeated: dict[Arc, int] = {}
        kept = lattice.unchanged
        for vertex, predecessors in lattice.steps.items():
            arcs = self.into[vertex] = {}
            for before in predecessors:
                unchanged = 1 if (before, vertex) in kept else 0
                arcs[before] = (1, unchanged)
                self.after.setdefault(before, []).append((vertex, unchanged))

    def sweep(self) -> bool:
        """Grow every arc by every step that leaves its end; False if that gives too many."""
        limit, listed, into_all = self.limit, self.listed, self.into
        for middle, arcs in into_all.items():
            following = self.after.get(middle, ())
            for before, (length, unchanged) in sorted(arcs.items()):
                for vertex, more in following:
                    if unchanged + more > limit:
                        continue
                    into = into_all[vertex]
                    known = into.get(before)
                    if known is not None:
                        if known[0] <= length + 1:
                            continue
                        key = before, vertex
                        self.repeated[key] = self.repeated.get(key, 1) + 1
                    into[before] = (length + 1, unchanged + more)
                    listed.append((before, vertex))
            if len(listed) > self.most:
                return False
        return True

    def removed(self) -> set[Arc]:
        """Return the arcs of several steps that change nothing and are removed.

        The published scorer removes them from the list it is walking along, and so skips the arc after each.
        """
        removed: set[Arc] = set()
        skip = False
        for before, vertex in self.listed:
            if skip:
                skip = False
                continue
            length, unchanged = self.into[vertex][before]
            if length == unchanged:
                removed.add((before, vertex))
                skip = True
        return removed
