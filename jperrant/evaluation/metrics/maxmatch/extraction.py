"""The edits of a hypothesis that agree best with one reference: the cheapest path through the lattice.

Dahlmeier and Ng (2012), section 3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jperrant.evaluation.metrics.maxmatch.arcs import MOST_ARCS, Arc, Arcs, build_arcs
from jperrant.evaluation.metrics.maxmatch.gold import GoldEdit, matched_costs
from jperrant.evaluation.metrics.maxmatch.grid import Grid, build_grid
from jperrant.evaluation.metrics.maxmatch.lattice import Lattice, build_lattice, places
from jperrant.evaluation.metrics.maxmatch.paths import PathFinder
from jperrant.evaluation.metrics.maxmatch.runs import best_run_path

#: The lattice is built place by place up to so many places, and as arrays beyond.
MOST_PLACES = 60_000
#: Vertices of a lattice whose arcs are listed at most.
MOST_VERTICES = 5_000


class Proposed(NamedTuple):
    """One edit of a hypothesis: the source tokens ``start … end`` become ``correction``."""

    start: int
    end: int
    correction: tuple[str, ...]


class Extractor:
    """The lattice of one source and one hypothesis, ready for any number of references.

    >>> gold = GoldEdit(1, 2, (("x",),)), GoldEdit(2, 3, (("y",),))
    >>> Extractor("a b c d".split(), "a x y d".split()).edits(gold)
    [Proposed(start=1, end=2, correction=('x',)), Proposed(start=2, end=3, correction=('y',))]
    >>> Extractor("a b c d".split(), "a x y d".split()).edits(())
    [Proposed(start=1, end=3, correction=('x', 'y'))]
    """

    def __init__(
        self,
        source: Sequence[str],
        hypothesis: Sequence[str],
        max_unchanged_words: int = 2,
        most_arcs: int = MOST_ARCS,
    ) -> None:
        self.source, self.hypothesis = tuple(source), tuple(hypothesis)
        self.max_unchanged_words = max_unchanged_words
        #: The lattice as arrays, where its arcs are too many to list.
        self._grid: Grid | None = None
        self._arcs: Arcs | None = None
        self._paths: PathFinder | None = None
        if self.source == self.hypothesis:
            return
        lattice = self._small_lattice()
        if lattice is not None:
            self._arcs = build_arcs(lattice, max_unchanged_words, most_arcs)
        if self._arcs is not None:
            self._paths = PathFinder(self._arcs)
        elif self._grid is None:
            self._grid = build_grid(self.source, self.hypothesis)

    @property
    def listed(self) -> bool:
        """Whether all arcs could be listed, so that equal paths are chosen between as in the published scorer."""
        return self._grid is None

    def edits(self, gold: Sequence[GoldEdit]) -> list[Proposed]:
        """Return the edits of the hypothesis that agree best with one reference, in the order of the text."""
        width = len(self.hypothesis) + 1
        return [
            Proposed(before // width, vertex // width, self.hypothesis[before % width : vertex % width])
            for before, vertex in self._changes(gold)
        ]

    def _small_lattice(self) -> Lattice | None:
        """Return the lattice, None where it is so large that its arcs are nearly always too many."""
        if places(self.source, self.hypothesis) <= MOST_PLACES:
            lattice = build_lattice(self.source, self.hypothesis)
            return lattice if len(lattice.steps) <= MOST_VERTICES else None
        self._grid = build_grid(self.source, self.hypothesis)
        if np.count_nonzero(self._grid.vertices) > MOST_VERTICES:
            return None
        lattice, self._grid = self._grid.lattice(), None
        return lattice

    def _changes(self, gold: Sequence[GoldEdit]) -> list[Arc]:
        """Return those arcs of the best path that change something."""
        if self._grid is not None:
            path = best_run_path(self._grid, gold, self.hypothesis, self.max_unchanged_words)
            same = self._grid.same.ravel()
            step = self._grid.width + 1
            return [
                (before, vertex) for before, vertex in path if vertex - before != step or not same[vertex]
            ]
        if self._arcs is None or self._paths is None:
            return []
        path = self._paths.best(matched_costs(self._arcs, gold, self.hypothesis))
        return [arc for arc in path if arc not in self._arcs.unchanged]


def match_gold(proposed: Sequence[Proposed], gold: Sequence[GoldEdit]) -> list[tuple[int, ...]]:
    """Return for each proposed edit the indices of the gold edits it equals.

    Both sides are read once, from left to right, as in the published scorer: a gold edit that stands in the file
    before one that has matched already is lost, and one proposed edit matches every equal gold edit after it.
    """
    matches: list[tuple[int, ...]] = []
    first = 0
    for edit in proposed:
        numbers = tuple([number for number in range(first, len(gold)) if gold[number].matches(*edit)])
        matches.append(numbers)
        if numbers:
            first = numbers[-1] + 1
    return matches


def changes_more_than_case(source: Sequence[str], edit: Proposed) -> bool:
    """Whether an edit changes more than case and white space."""
    return "".join(source[edit.start : edit.end]).lower() != "".join(edit.correction).lower()
