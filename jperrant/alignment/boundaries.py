"""Where two segmentations of a text can be cut together, given the alignment of its characters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from jperrant.alignment.characters import Run
from jperrant.alignment.similarity import boundary_similarity

#: A position in the left and in the right text.
Point = tuple[int, int]

#: How far an insertion or deletion may be slid along repeated characters to meet a boundary.
MAX_SLIDE = 64
#: Boundaries of the right side tried for one of the left inside a differing stretch.
CANDIDATES = 4


def find_cuts(
    left: str,
    left_bounds: Sequence[int],
    right: str,
    right_bounds: Sequence[int],
    runs: list[Run],
    threshold: float,
) -> list[Point]:
    """Return the points where both texts have a boundary and the alignment says it is the same one.

    Args:
        left, right: The texts.
        left_bounds, right_bounds: Offsets of their sentence boundaries, ascending, each once.
        runs: Their equal runs.
        threshold: Boundaries inside a differing stretch are the same if their Eq. 2 similarity reaches this.

    Returns:
        Points ascending on both sides, each once, without the two ends of the texts.
    """
    known = set(right_bounds)
    cuts: list[Point] = []
    a = b = 0
    for i, j, size in _slid(left, left_bounds, right, right_bounds, runs):
        if (i, j) != (a, b):
            _extend(cuts, _gap_cuts(left, left_bounds, right, right_bounds, (a, b, i, j), cuts, threshold))
        shift = j - i
        inside = left_bounds[bisect_left(left_bounds, i) : bisect_right(left_bounds, i + size)]
        _extend(cuts, [(x, x + shift) for x in inside if x + shift in known])
        a, b = i + size, j + size
    if (a, b) != (len(left), len(right)):
        gap = (a, b, len(left), len(right))
        _extend(cuts, _gap_cuts(left, left_bounds, right, right_bounds, gap, cuts, threshold))
    ends = {(0, 0), (len(left), len(right))}
    return [cut for cut in cuts if cut not in ends]


def _extend(cuts: list[Point], more: Iterable[Point]) -> None:
    """Append points; a run and the gap beside it share a corner."""
    for point in more:
        if not cuts or point != cuts[-1]:
            cuts.append(point)


def _slid(
    left: str, left_bounds: Sequence[int], right: str, right_bounds: Sequence[int], runs: list[Run]
) -> Iterator[Run]:
    """Yield the runs with insertions and deletions slid to boundaries.

    Between "a.|a.b." and "a.|b." either "a." may be the one deleted; where the characters leave the choice,
    the place is taken that makes most boundaries meet.
    """
    previous: Run | None = None
    for run in runs:
        if previous is not None:
            (a, b, size), (i, j, n) = previous, run
            if a + size == i:
                shift = _best_slide(right, b + size, j, right_bounds, i, left_bounds, size, n)
            elif b + size == j:
                shift = _best_slide(left, a + size, i, left_bounds, j, right_bounds, size, n)
            else:
                shift = 0
            previous = (a, b, size + shift)
            run = (i + shift, j + shift, n - shift)
            yield previous
        previous = run
    if previous is not None:
        yield previous


def _best_slide(
    text: str,
    start: int,
    end: int,
    bounds: Sequence[int],
    boundary: int,
    other_bounds: Sequence[int],
    before: int,
    after: int,
) -> int:
    """Return how far to move the inserted ``text[start:end]``, which stands at ``at`` of the other text."""
    back, ahead = min(before, MAX_SLIDE), min(after, MAX_SLIDE)
    near = other_bounds[
        bisect_left(other_bounds, boundary - back) : bisect_right(other_bounds, boundary + ahead)
    ]
    best, most = 0, 0
    for x in sorted(near, key=lambda x: abs(x - boundary)):
        shift = x - boundary
        if shift < 0 and text[start + shift : start] != text[end + shift : end]:
            continue
        if shift > 0 and text[start : start + shift] != text[end : end + shift]:
            continue
        met = _has(bounds, start + shift) + _has(bounds, end + shift)
        if met > most:
            best, most = shift, met
    return best


def _has(bounds: Sequence[int], offset: int) -> bool:
    index = bisect_left(bounds, offset)
    return index < len(bounds) and bounds[index] == offset


def _gap_cuts(
    left: str,
    left_bounds: Sequence[int],
    right: str,
    right_bounds: Sequence[int],
    gap: tuple[int, int, int, int],
    cuts: list[Point],
    threshold: float,
) -> list[Point]:
    """Return the cuts in and on the corners of a stretch ``(a0, b0, a1, b1)`` where the texts differ."""
    a0, b0, a1, b1 = gap
    lefts = left_bounds[bisect_left(left_bounds, a0) : bisect_right(left_bounds, a1)]
    rights = right_bounds[bisect_left(right_bounds, b0) : bisect_right(right_bounds, b1)]
    if not lefts or not rights:
        return []
    if a0 == a1 or b0 == b1:  # text on one side only: it meets the other side in one point
        return [(x, y) for x in lefts for y in rights]
    points: list[Point] = []
    first = lefts[0] == a0 and rights[0] == b0
    last = lefts[-1] == a1 and rights[-1] == b1
    if first:
        points.append((a0, b0))
    lefts, rights = lefts[first : len(lefts) - last], rights[first : len(rights) - last]
    if lefts and rights:
        start = points[-1] if points else cuts[-1] if cuts else (0, 0)
        points += _similar_bounds(left, lefts, right, rights, gap, start, threshold)
    if last:
        points.append((a1, b1))
    return points


def _similar_bounds(
    left: str,
    lefts: Sequence[int],
    right: str,
    rights: Sequence[int],
    gap: tuple[int, int, int, int],
    start: Point,
    threshold: float,
) -> Iterator[Point]:
    """Yield pairs of boundaries inside a differing stretch that satisfy Eq. 2, in order."""
    a0, b0, a1, b1 = gap
    opposite = {(a0, b1), (a1, b0)}  # all the text of one side before the boundary, of the other after it
    for x in lefts:
        # Lengths of a text and its variant are proportional, as in Gale and Church.
        expected = b0 + (x - a0) * (b1 - b0) / (a1 - a0)
        middle = bisect_left(rights, expected)
        near = [
            y for y in rights[max(0, middle - CANDIDATES // 2) : middle + CANDIDATES // 2] if y > start[1]
        ]
        scored = [
            (boundary_similarity(left, start[0], x, right, start[1], y), -abs(y - expected), y)
            for y in near
            if (x, y) not in opposite
        ]
        if scored and x > start[0] and max(scored)[0] >= threshold:
            start = (x, max(scored)[2])
            yield start
