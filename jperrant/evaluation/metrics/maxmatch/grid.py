"""The lattice of a long sentence, as arrays.

The same steps as in ``lattice``. A step is on a shortest path if the distance before it, its cost and the distance
after it add up to the distance of the two sentences; the distances are computed row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from jperrant.evaluation.metrics.maxmatch.lattice import SUBSTITUTION_COSTS, Lattice, token_numbers

Ints: TypeAlias = npt.NDArray[np.int64]
SmallInts: TypeAlias = npt.NDArray[np.int8]

#: The three kinds of steps: how many source and hypothesis tokens each reads.
DIAGONAL, DELETION, INSERTION = STEPS = ((1, 1), (1, 0), (0, 1))


@dataclass(frozen=True, slots=True)
class Grid:
    """The union of the shortest paths of both matrices; arrays of shape ``(source + 1, hypothesis + 1)``.

    Attributes:
        counts: For each kind of steps, in how many of the matrices the step into a vertex is: 0, 1 or 2.
        same: Whether the source token and the hypothesis token before a vertex are equal.
    """

    counts: dict[tuple[int, int], SmallInts]
    same: npt.NDArray[np.bool_]

    @property
    def width(self) -> int:
        """Hypothesis tokens + 1."""
        return int(self.same.shape[1])

    @property
    def vertices(self) -> npt.NDArray[np.bool_]:
        """Which vertices are on a path; all but the first are entered by a step."""
        entered = np.zeros(self.same.shape, dtype=np.bool_)
        entered[0, 0] = True
        for counts in self.counts.values():
            entered |= counts > 0
        return entered

    def lattice(self) -> Lattice:
        """Return the same steps as a lattice."""
        width = self.width
        steps: dict[int, dict[int, int]] = {}
        unchanged = []
        for i, j in np.argwhere(self.vertices)[1:].tolist():
            into = steps[i * width + j] = {}
            for kind in STEPS:
                count = int(self.counts[kind][i, j])
                if count:
                    into[(i - kind[0]) * width + j - kind[1]] = count
            if self.counts[DIAGONAL][i, j] and self.same[i, j]:
                unchanged.append(((i - 1) * width + j - 1, i * width + j))
        return Lattice(width, self.same.size - 1, steps, frozenset(unchanged))


def build_grid(source: Sequence[str], hypothesis: Sequence[str]) -> Grid:
    """Return the lattice of two token sequences as arrays; time and memory are their product."""
    first, second = (np.array(numbers, dtype=np.int64) for numbers in token_numbers(source, hypothesis))
    shape = len(first) + 1, len(second) + 1
    same = np.zeros(shape, dtype=np.bool_)
    same[1:, 1:] = first[:, None] == second[None, :]
    counts = {kind: np.zeros(shape, dtype=np.int8) for kind in STEPS}
    for substitution in SUBSTITUTION_COSTS:
        there = _distances(same[1:, 1:], substitution)
        back = _distances(same[:0:-1, :0:-1], substitution)[::-1, ::-1]
        for di, dj in STEPS:
            into = slice(di, None), slice(dj, None)
            before = there[: shape[0] - di, : shape[1] - dj]
            cost = np.where(same[into], 0, substitution) if di and dj else 1
            counts[di, dj][into] += before + cost + back[into] == there[-1, -1]
    return Grid(counts, same)


def _distances(same: npt.NDArray[np.bool_], substitution: int) -> Ints:
    """Return the distances of all prefixes."""
    rows, columns = same.shape
    numbers = np.arange(columns + 1, dtype=np.int64)
    table = np.empty((rows + 1, columns + 1), dtype=np.int64)
    table[0] = numbers
    for i in range(rows):
        row = table[i] + 1
        changed = table[i, :-1] + np.where(same[i], 0, substitution)
        np.minimum(row[1:], changed, out=row[1:])
        # Insertions: each place takes the cheapest place before it and one more for each token between.
        table[i + 1] = np.minimum.accumulate(row - numbers) + numbers
    return table
