"""Where two long token sequences are cut, so that each block can be searched by itself.

Cuts stand in the middle of stretches that are equal in both, far from what differs, so that they seldom change the
result. Where the sequences have nothing in common for long, both are cut into the same number of even pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jperrant.alignment.characters import matching_runs

#: A position in both sequences.
Point = tuple[int, int]

#: Equal tokens needed for a cut between them.
SHORTEST_RUN = 16
#: Tokens of a block on either side, unless the next cut is farther away.
BLOCK = 1_000
#: Tokens of a piece on the longer side.
PIECE = 500
#: Characters that stand for tokens: as many as there are above ASCII.
_FIRST, _CHARACTERS = 0x80, 0x10FFFF - 0x80


def anchored_cuts(source: Sequence[str], target: Sequence[str]) -> Iterator[Point]:
    """Yield the ends of the blocks of two sequences of forms, in order; the last is the end of both."""
    numbers: dict[str, int] = {}
    left, right = (
        "".join([chr(_FIRST + numbers.setdefault(form, len(numbers)) % _CHARACTERS) for form in forms])
        for forms in (source, target)
    )
    runs = matching_runs(left, right)
    points = [(i + size // 2, j + size // 2) for i, j, size in runs if size >= SHORTEST_RUN]
    start = last = (0, 0)
    for point in [*points, (len(source), len(target))]:
        if last != start and max(point[0] - start[0], point[1] - start[1]) > BLOCK:
            yield last
            start = last
        last = point
    yield last


def even_cuts(source: int, target: int) -> Iterator[Point]:
    """Yield the ends of the pieces of two sequences of these lengths, in order."""
    pieces = max(1, -(-max(source, target) // PIECE))
    for n in range(1, pieces + 1):
        yield source * n // pieces, target * n // pieces
