"""Intervals, paired tests and rankings against other programs, exhaustive samples and definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import trueskill as package
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.analysis import analyse
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Scorer, SystemCandidates
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics import significance
from jperrant.evaluation.statistics.ranking import expected_wins, rank_systems, sentence_points, trueskill
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


DATA = Path(__file__).parents[1] / "data" / "conll14"
POINTS = st.integers(2, 4).flatmap(
    lambda systems: st.lists(
        st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=systems, max_size=systems),
        min_size=1,
        max_size=12,
    )
)


def by_the_package(points: np.ndarray) -> list[float]:
    world = package.TrueSkill(mu=0, sigma=0.5, beta=0.25, tau=0, draw_probability=0.25)
    ratings = [world.create_rating() for _ in points]
    for sentence in points.T:
        for one in range(len(sentence)):
            for other in range(one + 1, len(sentence)):
                drawn = bool(sentence[one] == sentence[other])
                first, second = (other, one) if sentence[other] > sentence[one] else (one, other)
                ratings[first], ratings[second] = package.rate_1vs1(
                    ratings[first], ratings[second], drawn=drawn, env=world
                )
    return [rating.mu for rating in ratings]


@given(POINTS)
def test_trueskill_is_that_of_the_package(sentences: list[list[float]]) -> None:
    points = np.array(sentences).T
    # The package's inverse of the normal distribution is exact to 10⁻⁸.
    np.testing.assert_allclose(trueskill(points), by_the_package(points), atol=1e-6)


@pytest.mark.parametrize("systems", [3, 6, 8])
def test_trueskill_of_systems_far_apart_is_that_of_the_package(systems: int) -> None:
    wins = np.tile(np.arange(systems)[::-1, None], 60).astype(float)
    points = np.concatenate([wins, np.zeros((systems, 2)), wins[::-1, :2]], axis=1)
    np.testing.assert_allclose(trueskill(points), by_the_package(points), atol=1e-6)


def test_a_result_that_can_hardly_be_moves_systems_together() -> None:
    wins = np.tile(np.arange(15)[::-1, None], 200).astype(float)
    apart = trueskill(wins)
    for last in (np.zeros((15, 1)), wins[::-1, :1]):  # a draw, and the worst system winning
        found = trueskill(np.concatenate([wins, last], axis=1))
        assert np.isfinite(found).all()
        assert found[0] - found[-1] < apart[0] - apart[-1]


def test_expected_wins() -> None:
    points = np.array([[1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
    # 0 against 1: two wins, one loss; 0 against 2: one win; 1 against 2: one win, one loss.
    np.testing.assert_allclose(expected_wins(points), [(2 / 3 + 1) / 2, (1 / 3 + 1 / 2) / 2, (0 + 1 / 2) / 2])


def test_who_only_draws_has_no_share() -> None:
    found = expected_wins(np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]))
    assert found.tolist() == [1.0, 1.0, 0.0]
    assert all(math.isnan(share) for share in expected_wins(np.zeros((2, 3))))


def test_the_best_reference_counts(short_conll: Path) -> None:
    systems = [short_conll / name for name in ("conll14-AMU.errant", "conll14-INPUT.errant")]
    scores = jperrant.score(systems, short_conll / "conll14.errant")
    points = sentence_points(scores)
    for own, score in zip(points, scores, strict=True):
        for point, candidates in zip(own[:50], score.candidates, strict=False):
            best = max(score.scorer.values(np.array(c.row, dtype=float))["f"] for c in candidates)
            assert point == pytest.approx(best, abs=1e-9)


def test_aligned_systems_are_ranked_by_shared_stretches() -> None:
    blocks = list(jperrant.read_m2(str(DATA / "conll14-AMU.errant")))[:40]
    gold = list(jperrant.read_m2(str(DATA / "conll14.errant")))[:40]
    first, second = blocks[0], blocks[1]
    joined = jperrant.Block(first.source + second.source, ())
    ranks = rank_systems(jperrant.score([blocks, [joined, *blocks[2:]]], gold))
    assert len(ranks) == 2


def edited(*places: int) -> jperrant.Annotation:
    return jperrant.Annotation(0, tuple([jperrant.Edit(n, n + 1, (f"x{n}",), "R:OTHER") for n in places]))


def test_scores_that_are_equal_on_paper_draw() -> None:
    """Of 1 hit and 2 misses F0.5 is 5/7, and so it is of 2 hits and 1 edit too many; the last bits differ."""
    source = tuple("abcdefgh")
    one, two = [jperrant.Block(source, (edited(0),))], [jperrant.Block(source, (edited(5, 6, 7),))]
    second = jperrant.Annotation(1, edited(5, 6).edits)
    scores = jperrant.score([one, two], [jperrant.Block(source, (edited(0, 1, 2), second))])
    exact = [score.scorer.values(np.array([row], dtype=float))["f"][0] for score, row in
             zip(scores, [(1, 0, 2), (2, 1, 0)], strict=True)]  # fmt: skip
    assert exact[0] != exact[1]
    assert exact[0] == pytest.approx(5 / 7)
    first, other = rank_systems(scores)
    assert first.expected_wins is other.expected_wins is None
    assert first.trueskill == pytest.approx(other.trueskill)


def test_one_system_has_no_rank(short_conll: Path) -> None:
    with pytest.raises(UsageError, match="two or more systems"):
        rank_systems(jperrant.score(short_conll / "conll14-AMU.errant", short_conll / "conll14.errant"))
