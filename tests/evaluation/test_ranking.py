"""Rankings of systems: against the package trueskill, and by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import trueskill as package
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.evaluation.statistics.ranking import expected_wins, rank_systems, sentence_points, trueskill

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


def test_order_of_systems_in_the_table(short_conll: Path) -> None:
    systems = [str(DATA / f"conll14-{name}.errant") for name in ("INPUT", "AMU")]
    found = CliRunner().invoke(
        app, ["score", *systems, "--ref", str(DATA / "conll14.errant"), "--rank", "--json"]
    )
    assert found.exit_code == 0, found.output
    worse, better = json.loads(found.stdout)
    assert worse["ranking"]["trueskill"] < better["ranking"]["trueskill"]
    assert worse["ranking"]["expected_wins"] + better["ranking"]["expected_wins"] == pytest.approx(1)
    few = [str(short_conll / Path(name).name) for name in (*systems, "conll14.errant")]
    table = CliRunner().invoke(app, ["score", *few[:-1], "--ref", few[-1], "--rank"])
    assert "trueskill  expected_wins" in table.stdout


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
