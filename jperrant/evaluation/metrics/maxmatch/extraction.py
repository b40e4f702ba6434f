"""The edits of a hypothesis that agree best with one reference: the cheapest path through the lattice.

Dahlmeier and Ng (2012), section 3.3.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from jperrant.evaluation.metrics.maxmatch.arcs import MOST_ARCS, Arc, Arcs, build_arcs
from jperrant.evaluation.metrics.maxmatch.gold import GoldEdit, matched_costs
from jperrant.evaluation.metrics.maxmatch.lattice import Lattice, build_lattice
from jperrant.evaluation.metrics.maxmatch.paths import PathFinder
from jperrant.evaluation.metrics.maxmatch.runs import best_run_path


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
        self._lattice: Lattice | None = None
        self._arcs: Arcs | None = None
        self._paths: PathFinder | None = None
        if self.source != self.hypothesis:
            self._lattice = build_lattice(source, hypothesis)
            self._arcs = build_arcs(self._lattice, max_unchanged_words, most_arcs)
            if self._arcs is not None:
                self._paths = PathFinder(self._arcs)

    @property
    def listed(self) -> bool:
        """Whether all arcs could be listed, so that equal paths are chosen between as in the published scorer."""
        return self._lattice is None or self._arcs is not None

    def edits(self, gold: Sequence[GoldEdit]) -> list[Proposed]:
        """Return the edits of the hypothesis that agree best with one reference, in the order of the text."""
        if self._lattice is None:
            return []
        if self._arcs is None or self._paths is None:
            path = best_run_path(self._lattice, gold, self.hypothesis, self.max_unchanged_words)
            unchanged: Collection[Arc] = self._lattice.unchanged
        else:
            path = self._paths.best(matched_costs(self._arcs, gold, self.hypothesis))
            unchanged = self._arcs.unchanged
        width = self._lattice.width
        return [
            Proposed(before // width, vertex // width, self.hypothesis[before % width : vertex % width])
            for before, vertex in path
            if (before, vertex) not in unchanged
        ]


def match_gold(proposed: Sequence[Proposed], gold: Sequence[GoldEdit]) -> list[tuple[int, ...]]:
    """Return for each proposed edit the indices of the gold edits it equals.

    Both sides are read once, from left to right, as in the published scorer: a gold edit that stands in the file
    before one that has matched already is lost, and one proposed edit matches every equal gold edit after it.
    """
    matches: list[tuple[int, ...]] = []
    first = 0
    for edit in proposed:
        found = tuple([number for number in range(first, len(gold)) if gold[number].matches(*edit)])
        matches.append(found)
        if found:
            first = found[-1] + 1
    return matches


def changes_more_than_case(source: Sequence[str], edit: Proposed) -> bool:
    """Whether an edit changes more than case and white space."""
    return "".join(source[edit.start : edit.end]).lower() != "".join(edit.correction).lower()
