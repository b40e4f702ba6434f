"""Intervals and paired tests, against theory and against counting all possibilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.analysis import analyse
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Scorer, SystemCandidates
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics import significance
from jperrant.evaluation.statistics.significance import intervals, p_value, paired_tests, swapped_values
from tests.strategies import examples


@dataclass(frozen=True)
class MeanScorer(Scorer):
    """A metric that is a mean over sentences: rows hold the sentence's value and a 1."""

    name: ClassVar[str] = "mean"
    columns: ClassVar[tuple[str, ...]] = ("sum", "sentences")
    counts: ClassVar[tuple[str, ...]] = ()
    main: ClassVar[str] = "mean"

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[object]) -> list[SystemCandidates]:
        raise NotImplementedError

    def combine(self, candidates: Candidates) -> list[Candidate]:
        return [sentence[0] for sentence in candidates]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        return {"mean": totals[..., 0] / totals[..., 1]}


def means(numbers: Sequence[float], name: str = "system") -> Score:
    sentences = [(Candidate(0, 0, (number, 1)),) for number in numbers]
    return Score(MeanScorer(), "", name, sentences, tuple(c for (c,) in sentences))


def errant(rows: Sequence[tuple[int, int, int]], name: str = "system") -> Score:
    sentences = [(Candidate(0, 0, row),) for row in rows]
    return Score(ErrantScorer(), "", name, sentences, tuple(c for (c,) in sentences))


def test_interval_of_a_mean_is_that_of_the_normal_distribution() -> None:
    numbers = np.random.default_rng(1).normal(3.0, 2.0, size=400)
    found = intervals(means(list(numbers)), samples=4000)["mean"]
    half = 1.96 * numbers.std() / np.sqrt(len(numbers))
    assert found.low == pytest.approx(numbers.mean() - half, abs=0.03)
    assert found.high == pytest.approx(numbers.mean() + half, abs=0.03)
    assert found.mean == pytest.approx(numbers.mean(), abs=0.02)


def test_interval_against_all_samples_of_a_tiny_corpus() -> None:
    rows = [(1, 0, 0), (0, 1, 0), (1, 1, 3), (2, 0, 1)]
    scorer = ErrantScorer()
    every = sorted(
        float(scorer.values(np.sum([rows[i] for i in drawn], axis=0, dtype=np.float64))["f"])
        for drawn in product(range(4), repeat=4)
    )
    found = intervals(errant(rows), samples=20000)["f"]
    assert found.mean == pytest.approx(sum(every) / len(every), abs=0.005)
    # 256 equally likely samples; drawing may fall one step beside the exact percentile.
    assert every[4] <= found.low <= every[8]
    assert every[-9] <= found.high <= every[-5]


def test_randomisation_against_all_exchanges() -> None:
    ours, theirs = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0], [2.0, 0.0, 1.0, 2.0, 3.0, 5.0]
    observed = abs(np.mean(ours) - np.mean(theirs))
    gaps = np.array(ours) - np.array(theirs)
    extreme = [abs(np.mean(gaps * signs)) >= observed - 1e-12 for signs in product((1, -1), repeat=6)]
    [found] = paired_tests([means(theirs, "old"), means(ours, "new")], "randomisation", samples=20000)
    assert found.differences["mean"].p == pytest.approx(sum(extreme) / len(extreme), abs=0.01)
    assert found.differences["mean"].value == pytest.approx(np.mean(ours) - np.mean(theirs))
    assert (found.baseline, found.hypothesis, found.samples) == ("old", "new", 20000)


def test_differences_by_part_against_all_exchanges() -> None:
    random = np.random.default_rng(4)
    first, other = random.integers(0, 4, size=(2, 6, 2, 3)).astype(np.float64)  # sentences, parts, tp fp fn
    scorer = ErrantScorer()
    for part in range(2):
        possible = set()
        for swaps in product((0, 1), repeat=6):
            pairs = [(o, f) if swap else (f, o) for swap, f, o in zip(swaps, first, other, strict=True)]
            ours, theirs = (np.sum([pair[side][part] for pair in pairs], axis=0) for side in (0, 1))
            difference = scorer.values(ours)["f"] - scorer.values(theirs)["f"]
            possible.add(round(float(difference), 9))
        [own] = swapped_values([first, other], scorer.values, 3000, seed=1)
        drawn = own["f"][:, part]
        assert len(drawn) == 3000
        assert {round(float(difference), 9) for difference in drawn} == possible


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_p_of_a_mean_is_that_of_the_normal_distribution(test: str) -> None:
    random = np.random.default_rng(2)
    theirs = random.normal(0.0, 1.0, size=300)
    ours = theirs + random.normal(0.1, 1.0, size=300)
    gap = ours - theirs
    z = abs(gap.mean()) / (gap.std() / np.sqrt(len(gap)))
    from math import erfc, sqrt

    [found] = paired_tests([means(list(theirs)), means(list(ours))], test, samples=4000)
    assert found.differences["mean"].p == pytest.approx(erfc(z / sqrt(2)), abs=0.03)


ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8)


@examples(25)
@given(ROWS)
def test_equal_systems_do_not_differ(rows: list[tuple[int, int, int]]) -> None:
    for test in ("bootstrap", "randomisation"):
        [found] = paired_tests([errant(rows), errant(rows)], test, samples=50)
        assert {(one.value, one.p) for one in found.differences.values()} == {(0.0, 1.0)}


@examples(25)
@given(ROWS, st.integers(0, 2**32))
def test_the_seed_decides_and_order_of_ends(rows: list[tuple[int, int, int]], seed: int) -> None:
    found = intervals(errant(rows), samples=40, seed=seed)
    assert found == intervals(errant(rows), samples=40, seed=seed)
    for interval in found.values():
        assert 0 <= interval.low <= interval.high <= 1
        # With few sentences the outer samples can pull the mean out of the interval.
        assert -1e-12 <= interval.mean <= 1 + 1e-12


def test_a_clear_difference_is_found() -> None:
    good, bad = errant([(1, 0, 0)] * 100), errant([(0, 1, 1)] * 50 + [(1, 0, 0)] * 50)
    for test in ("bootstrap", "randomisation"):
        [found] = paired_tests([bad, good], test, samples=200)
        assert found.differences["f"].p == pytest.approx(1 / 201)


def test_what_is_no_number_differs_from_nothing() -> None:
    assert p_value(np.array([0.1, -0.2, 0.3]), math.nan) == 1


def test_what_cannot_be_tested() -> None:
    one, other = errant([(1, 0, 0)]), errant([(1, 0, 0)] * 2)
    with pytest.raises(UsageError, match="two or more systems"):
        paired_tests([one])
    with pytest.raises(UsageError, match="cannot be paired"):
        paired_tests([one, other])
    with pytest.raises(UsageError, match="unknown test"):
        paired_tests([one, one], "t-test")
    with pytest.raises(UsageError, match="0 samples"):
        intervals(one, samples=0)
    with pytest.raises(UsageError, match="no sentences"):
        intervals(errant([]))
    for test in ("bootstrap", "randomisation"):
        with pytest.raises(UsageError, match="seed -1"):
            paired_tests([one, one], test, seed=-1)
    with pytest.raises(UsageError, match="seed 4294967296"):
        intervals(one, seed=2**32)


def test_extras_belong_to_their_system() -> None:
    scores = [errant([(1, 0, 1)], name) for name in "abc"]
    extras = analyse(scores, ci=True, paired_bs=True, paired_ar=True, samples=10)
    assert [[(c.test, c.hypothesis) for c in e.comparisons] for e in extras] == [
        [],
        [("bootstrap", "b"), ("randomisation", "b")],
        [("bootstrap", "c"), ("randomisation", "c")],
    ]
    assert all(set(e.intervals) == {"precision", "recall", "f"} for e in extras)


@given(st.integers(0, 40), st.integers(1, 60), st.integers(0, 5), st.integers(1, 80))
def test_a_sample_is_the_same_however_many_are_drawn_together(sentences, samples, seed, together):
    random = np.random.default_rng(seed)
    numbers = [[int(random.integers(sentences)) for _ in range(sentences)] for _ in range(samples)]
    expected = [[sample.count(sentence) for sentence in range(sentences)] for sample in numbers]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(significance, "_TOGETHER", together)
        drawn = significance.draws(sentences, samples, seed)
        assert [times for several in drawn for times in several.tolist()] == expected
