"""Edits of the reference as MaxMatch sees them, and the costs of arcs that match them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jperrant.core.minimise import minimise
from jperrant.core.values import Annotation, Edit
from jperrant.evaluation.metrics.maxmatch.arcs import EPSILON, Arc, Arcs


@dataclass(frozen=True, slots=True)
class GoldEdit:
    """One edit of a reference: a span of the source and the corrections that are accepted.

    Attributes:
        start, end: Half-open range of source tokens.
        corrections: Each as tokens; any of them matches.
        type: The error type, with its operation first (``R:ArtOrDet`` where the file says ``ArtOrDet``).
    """

    start: int
    end: int
    corrections: tuple[tuple[str, ...], ...]
    type: str = "R:OTHER"

    def matches(self, start: int, end: int, correction: tuple[str, ...]) -> bool:
        """Whether an edit has this span and one of these corrections."""
        return start == self.start and end == self.end and correction in self.corrections


def gold_edits(annotation: Annotation, source: Sequence[str]) -> tuple[GoldEdit, ...]:
    """Return the edits of one annotator; an edit without correction stands for a deletion, as in the scorer.

    Args:
        annotation: The annotator's edits.
        source: The tokens of the sentence.
    """
    return tuple(
        GoldEdit(
            edit.start,
            edit.end,
            (edit.correction or (), *edit.alternatives),
            _typed(edit.type, operation(source, edit.start, edit.end, edit.correction or ())),
        )
        for edit in annotation.edits
    )


def _typed(type_: str, operation: str) -> str:
    """Return an error type that begins with its operation."""
    return type_ if type_[:2] in ("M:", "U:", "R:") else f"{operation}:{type_}"


def operation(source: Sequence[str], start: int, end: int, correction: tuple[str, ...]) -> str:
    """Return ``M`` for an insertion, ``U`` for a deletion, ``R`` for a replacement.

    Tokens that the edit keeps at its ends do not count.
    """
    edit = minimise(Edit(start, end, correction, ""), source)
    if edit.start == edit.end:
        return "M"
    return "R" if edit.correction else "U"


def matched_costs(arcs: Arcs, gold: Sequence[GoldEdit], hypothesis: Sequence[str]) -> dict[Arc, float]:
    """Return the costs that differ from those without gold edits: ``-|E|`` for each arc that equals one.

    Insertions at one place are paired with those of the reference in order, from both ends in turn.

    Args:
        arcs: All arcs.
        gold: The edits of one annotator, in the order of the file.
        hypothesis: The tokens of the hypothesis.
    """
    costs: dict[Arc, float] = {}
    width = arcs.lattice.width
    spans: dict[tuple[int, int], list[GoldEdit]] = {}
    for edit in gold:
        spans.setdefault((edit.start, edit.end), []).append(edit)
    for (start, end), edits in spans.items():
        row = range(end * width, (end + 1) * width)
        if start == end:
            _Insertions(arcs, row, edits, hypothesis, costs).pair()
            continue
        wanted = {correction for edit in edits for correction in edit.corrections}
        lengths = {len(correction) for correction in wanted}
        for vertex in row:
            for before in arcs.into.get(vertex, ()):
                column = before % width
                if (
                    before // width == start
                    and vertex % width - column in lengths
                    and tuple(hypothesis[column : vertex % width]) in wanted
                ):
                    costs[before, vertex] = -arcs.total
    return costs


class _Insertions:
    """The insertions at one place, paired with those of the reference from both ends in turn."""

    def __init__(
        self,
        arcs: Arcs,
        row: range,
        gold: Sequence[GoldEdit],
        hypothesis: Sequence[str],
        costs: dict[Arc, float],
    ) -> None:
        self.arcs, self.gold, self.hypothesis, self.costs = arcs, gold, hypothesis, costs
        width = arcs.lattice.width
        plain = [
            (before, vertex)
            for vertex in row
            for before in arcs.into.get(vertex, ())
            if before // width == vertex // width
        ]
        #: As the published scorer lists them: in ascending order, repeated ones side by side.
        self.listed = [arc for arc in sorted(plain) for _ in range(arcs.copies.get(arc, 1))]
        for before, vertex in plain:
            costs[before, vertex] = self._length((before, vertex))

    def pair(self) -> None:
        """Give every insertion its cost; a matched one is followed by one that begins where it ended."""
        left, right = 0, len(self.listed) - 1
        first, last = 0, len(self.gold) - 1
        from_left = True
        while left <= right:
            # With one insertion left both ends are the same, and it counts as the left one.
            from_left = from_left or left == right
            arc = self.listed[left if from_left else right]
            numbers = range(first, last + 1)
            match = self._match(arc, numbers if from_left else numbers[::-1])
            if match is None:
                self.costs[arc] += EPSILON
                left, right = (left + 1, right) if from_left else (left, right - 1)
                from_left = not from_left
                continue
            self.costs[arc] = -self.arcs.total
            if from_left:
                first = match + 1
                left = self._skip(left + 1, 1, arc)
            else:
                last = match - 1
                right = self._skip(right - 1, -1, arc)

    def _match(self, arc: Arc, numbers: range) -> int | None:
        width = self.arcs.lattice.width
        inserted = tuple(self.hypothesis[arc[0] % width : arc[1] % width])
        return next((n for n in numbers if inserted in self.gold[n].corrections), None)

    def _skip(self, index: int, direction: int, arc: Arc) -> int:
        """Return the next insertion that continues a matched one, raising the cost of those between."""
        end = 0 if direction > 0 else 1
        while 0 <= index < len(self.listed) and self.listed[index][end] != arc[1 - end]:
            self.costs[self.listed[index]] += EPSILON
            index += direction
        return index

    def _length(self, arc: Arc) -> int:
        return arc[1] - arc[0]
