import math
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.alignment.gale_church import COUNTS, MOST, SHAPES, align_gale_church, length_cost, shape_costs

SENTENCES = st.lists(st.text(alphabet="ab ", max_size=12), max_size=8)


def test_priors_are_smoothed_after_laplace():
    costs = shape_costs(COUNTS)
    total = sum(COUNTS.values())
    assert total == 1904
    assert math.exp(-costs[1, 1]) == pytest.approx((1805 + 1) / (1904 + len(SHAPES)))
    assert sum(math.exp(-cost) for cost in costs.values()) == pytest.approx(1)
    assert all(cost > 0 for cost in costs.values())


def test_shapes_reach_eleven_sentences():
    assert {(1, MOST), (MOST, 1), (1, 1), (2, 2)} <= set(SHAPES)
    assert all(m >= 1 and n >= 1 and m + n <= MOST + 1 for m, n in SHAPES)


def test_length_cost_is_the_two_sided_tail_of_the_normal_distribution():
    delta = (120 - 100) / math.sqrt(6.8 * 110)
    assert length_cost(100, 120) == pytest.approx(
        -math.log(2 * (1 - 0.5 * (1 + math.erf(delta / math.sqrt(2)))))
    )
    assert length_cost(0, 0) == length_cost(7, 7) == 0
    assert length_cost(10, 10_000) > 100


def compositions(count):
    """All ways to cut a number of sentences into groups of at least one."""
    for marks in product((False, True), repeat=max(count - 1, 0)):
        yield [0, *[i for i, mark in enumerate(marks, start=1) if mark], count]


def path_cost(left, right, lefts, rights):
    costs = shape_costs(COUNTS)
    total = 0.0
    for (a, b), (c, d) in zip(pairwise(lefts), pairwise(rights), strict=True):
        size = [sum(map(len, side)) for side in (left[a:b], right[c:d])]
        total += costs[b - a, d - c] + length_cost(*size)
    return total


@given(*[st.lists(st.integers(0, 60).map("x".__mul__), min_size=1, max_size=5)] * 2)
def test_the_search_finds_the_least_cost(left, right):
    alignment = align_gale_church(left, right)
    assert alignment.unaligned == 0
    best = min(
        path_cost(left, right, a, b)
        for a in compositions(len(left))
        for b in compositions(len(right))
        if len(a) == len(b)
    )
    lefts = [0, *[g.left_end for g in alignment.groups]]
    rights = [0, *[g.right_end for g in alignment.groups]]
    assert path_cost(left, right, lefts, rights) == pytest.approx(best)


@given(SENTENCES, SENTENCES, st.integers(1, 3))
def test_both_sides_are_covered_in_order(left, right, band):
    alignment = align_gale_church(left, right, band=band)
    assert [i for g in alignment.groups for i in g.left] == list(range(len(left)))
    assert [j for g in alignment.groups for j in g.right] == list(range(len(right)))


def test_unaligned_only_where_nothing_else_covers():
    assert align_gale_church(["a"], []).shapes == {"1-0": 1}
    assert align_gale_church(["ab"] * 30, ["ab" * 30]).shapes == {"1-0": 19, "11-1": 1}
    assert align_gale_church(["abcdefgh" * 4], ["abcdefgh"] * 4).shapes == {"1-4": 1}
