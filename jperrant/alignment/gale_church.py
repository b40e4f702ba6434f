"""The extended Gale-Church aligner: a baseline that looks at lengths only.

Eq. 4 of Wang, Qiu, Gu, Huang, Park, "Refined Evaluation for End-to-End Grammatical Error Correction Using an
Alignment-Based Approach", after Gale and Church, "A Program for Aligning Sentences in Bilingual Corpora"
(Computational Linguistics 19:1, 1993): dynamic programming over the prior of a group's shape and the
probability of its two lengths. A side of a group may have up to 11 sentences instead of two.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from jperrant.alignment.characters import matching_runs
from jperrant.alignment.sentences import Group, SentenceAlignment, cheapest_groups, comparable, coverage

#: Characters of the right side per character of the left, and the variance per character (Gale and Church).
C = 1.0
S2 = 6.8
#: Most sentences on one side of a group; m left and n right ones make a group if m + n <= MOST + 1.
MOST = 11
SHAPES = tuple((m, n) for m in range(1, MOST + 1) for n in range(1, MOST + 2 - m))
#: Counts of shapes. The paper gives 1805 of 1904 for 1-1; how the other 99 spread is our assumption.
COUNTS: Mapping[tuple[int, int], int] = {
    (1, 1): 1805, (1, 2): 25, (2, 1): 25, (1, 3): 12, (3, 1): 12,
    (2, 2): 11, (1, 4): 6, (4, 1): 6, (1, 5): 1, (5, 1): 1,
}  # fmt: skip
#: Sentences on either side of the diagonal that are searched.
BAND = 12
#: Cost of leaving a sentence unaligned. There is no prior for it (Eq. 4 excludes 1-0 and 0-1), so the cost is
#: prohibitive: a sentence stays unaligned only where no other groups cover both sides.
UNALIGNED = 1e6
#: Cost of lengths so far apart that their probability underflows.
_FARTHEST = 745.0


def align_gale_church(left: Sequence[str], right: Sequence[str], band: int = BAND) -> SentenceAlignment:
    """Align two segmentations by the lengths of their sentences, in time linear in their number.

    Args:
        left, right: Sentences; may be empty.
        band: Sentences to search on either side of where proportional lengths put the path, 1 or more.

    Returns:
        Groups that cover both sides; unaligned ones only where no shape fits (an empty side, or more than
        11 sentences for one).
    """
    lefts, rights = comparable(left, right)
    left_ends, right_ends = [0, *accumulate(map(len, lefts))], [0, *accumulate(map(len, rights))]

    def cost(group: Group) -> float:
        a, b, c, d = group
        return (
            0.0
            if group.is_unaligned
            else length_cost(left_ends[b] - left_ends[a], right_ends[d] - right_ends[c])
        )

    costs = {(1, 0): UNALIGNED, (0, 1): UNALIGNED, **shape_costs(COUNTS)}
    groups, _ = cheapest_groups(_rows(left_ends, right_ends, band), costs, cost)
    texts = "".join(lefts), "".join(rights)
    return SentenceAlignment(tuple(groups), coverage(*texts, matching_runs(*texts)))


def shape_costs(counts: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], float]:
    """Return ``-log`` of the prior of every shape, cheapest first.

    Priors are smoothed after Laplace: ``(count + 1) / (N + V)`` with N all counts and V the 66 shapes.

    Args:
        counts: How often each shape ``(m, n)`` was seen; shapes not named count 0.
    """
    total = sum(counts.get(shape, 0) for shape in SHAPES) + len(SHAPES)
    costs = {shape: -math.log((counts.get(shape, 0) + 1) / total) for shape in SHAPES}
    return dict(sorted(costs.items(), key=lambda pair: pair[1]))


def length_cost(left: int, right: int) -> float:
    """Return ``-log P`` that texts of these lengths belong together (Gale and Church's two-sided delta)."""
    mean = (left + right / C) / 2
    if not mean:
        return 0.0
    delta = abs(left * C - right) / math.sqrt(S2 * mean)
    probability = math.erfc(delta / math.sqrt(2))
    return -math.log(probability) if probability > 0 else _FARTHEST


def _rows(left_ends: list[int], right_ends: list[int], band: int) -> Iterator[range]:
    """Yield, for each number of left sentences, the numbers of right sentences that are searched."""
    scale = right_ends[-1] / left_ends[-1] if left_ends[-1] else 0.0
    last = len(right_ends) - 1
    # Sentences without characters at the end do not move the path by length, so it is led to the end.
    centres = [0, *(min(bisect_left(right_ends, end * scale), last) for end in left_ends[1:])]
    centres[-1] = last
    for i, (centre, after) in enumerate(pairwise([*centres, last])):
        yield range(max(0, centre - band) if i else 0, min(last, after + band) + 1)
