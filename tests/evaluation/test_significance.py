"""Intervals, paired tests, rankings and baselines against other programs, exhaustive samples, definitions."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import trueskill as package
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Candidate
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.score_tables import format_scores
from jperrant.evaluation.statistics import significance
from jperrant.evaluation.statistics.ranking import expected_wins, rank_systems, sentence_points, trueskill
from jperrant.evaluation.statistics.significance import (
    corrected,
    intervals,
    paired_tests,
    sentence_differences,
    swapped_values,
)
from tests.commands import printed
from tests.strategies import examples


def errant(rows: Iterable[tuple[int, int, int]], name: str = "system") -> Score:
    sentences = [(Candidate(0, 0, row),) for row in rows]
    return Score(ErrantScorer(), "", name, sentences, tuple(c for (c,) in sentences))


def with_recalls(hits: Sequence[int], name: str = "system") -> Score:
    """Return a system whose recall is a mean: that of its hits among 100 in each sentence."""
    return errant([(hit, 0, 100 - hit) for hit in hits], name)


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
    ours, theirs = [3, 1, 4, 1, 5, 9], [2, 0, 1, 2, 3, 5]
    gaps = np.array(ours) - np.array(theirs)
    extreme = [
        abs(np.mean(gaps * signs)) >= abs(np.mean(gaps)) - 1e-12 for signs in product((1, -1), repeat=6)
    ]
    systems = [with_recalls(theirs, "old"), with_recalls(ours, "new")]
    [found] = paired_tests(systems, "randomisation", samples=20000)
    assert found.differences["recall"].p == pytest.approx(sum(extreme) / len(extreme), abs=0.01)
    assert found.differences["recall"].value == pytest.approx(np.mean(gaps) / 100)
    assert (found.baseline, found.hypothesis, found.samples) == ("old", "new", 20000)


def test_differences_by_part_against_all_exchanges() -> None:
    values = ErrantScorer().values
    both = np.random.default_rng(4).integers(0, 4, size=(2, 6, 2, 3)).astype(np.float64)
    [own] = swapped_values([*both], values, 3000, seed=1)  # sentences, parts, tp fp fn
    assert own["f"].shape == (3000, 2)
    for part in range(2):
        possible = set()
        for swaps in product((0, 1), repeat=6):
            ours, theirs = (both[own, range(6), part].sum(axis=0) for own in (swaps, np.subtract(1, swaps)))
            possible.add(round(float(values(ours)["f"] - values(theirs)["f"]), 9))
        assert {round(float(difference), 9) for difference in own["f"][:, part]} == possible


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_p_of_a_mean_is_that_of_the_normal_distribution(test: str) -> None:
    random = np.random.default_rng(2)
    theirs = random.integers(20, 80, size=300)
    gap = random.integers(-9, 11, size=300)
    z = abs(gap.mean()) / (gap.std() / np.sqrt(len(gap)))
    [found] = paired_tests([with_recalls(theirs), with_recalls(theirs + gap)], test, samples=4000)
    assert found.differences["recall"].p == pytest.approx(math.erfc(z / math.sqrt(2)), abs=0.03)


ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8)


@examples(25)
@given(ROWS)
def test_equal_systems_do_not_differ_and_clear_differences_are_found(
    rows: list[tuple[int, int, int]],
) -> None:
    good, bad = errant([(1, 0, 0)] * 100), errant([(0, 1, 1)] * 50 + [(1, 0, 0)] * 50)
    for test in ("bootstrap", "randomisation"):
        [found] = paired_tests([errant(rows), errant(rows)], test, samples=50)
        assert {(one.value, one.p) for one in found.differences.values()} == {(0.0, 1.0)}
        [found] = paired_tests([bad, good], test, samples=50)
        assert found.differences["f"].p == pytest.approx(1 / 51)


@examples(25)
@given(ROWS, st.integers(0, 2**32))
def test_the_seed_decides_and_order_of_ends(rows: list[tuple[int, int, int]], seed: int) -> None:
    found = intervals(errant(rows), samples=40, seed=seed)
    assert found == intervals(errant(rows), samples=40, seed=seed)
    for interval in found.values():
        assert 0 <= interval.low <= interval.high <= 1
        # With few sentences the outer samples can pull the mean out of the interval.
        assert -1e-12 <= interval.mean <= 1 + 1e-12


ONE = errant([(1, 0, 0)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_tests([ONE]), "two or more systems"),
        (lambda: rank_systems([ONE]), "two or more systems"),
        (lambda: paired_tests([ONE, errant([(1, 0, 0)] * 2)]), "errant, 2 .* cannot be paired; give"),
        (lambda: paired_tests([ONE, ONE], "t-test"), "unknown test 't-test'"),
        (lambda: paired_tests([ONE, ONE], correction="bonf"), "unknown correction 'bonf'"),
        (lambda: paired_tests([ONE, ONE], baseline="b"), "found no system 'b' for the baseline"),
        (lambda: intervals(ONE, samples=0), "0 samples"),
        (lambda: intervals(errant([])), "no sentences"),
        (lambda: intervals(ONE, seed=2**32), "seed 4294967296"),
        (lambda: corrected([0.1], "holmes"), "did you mean 'holm'"),
    ],
)
def test_what_cannot_be_tested(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


@given(st.integers(0, 40), st.integers(1, 60), st.integers(0, 5), st.integers(1, 80))
def test_a_sample_is_the_same_however_many_are_drawn_together(sentences, samples, seed, together):
    random = np.random.default_rng(seed)
    numbers = [[int(random.integers(sentences)) for _ in range(sentences)] for _ in range(samples)]
    expected = [[sample.count(sentence) for sentence in range(sentences)] for sample in numbers]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(significance, "_TOGETHER", together)
        drawn = significance.draws(sentences, samples, seed)
        assert [times for several in drawn for times in several.tolist()] == expected


SHARE = st.sampled_from([0.0, 0.5, 1.0])
POINTS = st.integers(2, 4).flatmap(lambda n: st.lists(st.tuples(*[SHARE] * n), min_size=1, max_size=12))


def by_the_package(points: np.ndarray) -> list[float]:
    world = package.TrueSkill(mu=0, sigma=0.5, beta=0.25, tau=0, draw_probability=0.25)
    ratings = [world.create_rating() for _ in points]
    for sentence in points.T:
        for pair in combinations(range(len(sentence)), 2):
            first, second = sorted(pair, key=lambda system: -sentence[system])
            drawn = bool(sentence[first] == sentence[second])
            rated = package.rate_1vs1(ratings[first], ratings[second], drawn=drawn, env=world)
            ratings[first], ratings[second] = rated
    return [rating.mu for rating in ratings]


@given(POINTS)
def test_trueskill_is_that_of_the_package(sentences: list[tuple[float, ...]]) -> None:
    points = np.array(sentences).T
    # The package's inverse of the normal distribution is exact to 10⁻⁸.
    np.testing.assert_allclose(trueskill(points), by_the_package(points), atol=1e-6)


@pytest.mark.parametrize("systems", [3, 8])
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
    # Who only draws has no share.
    assert expected_wins(np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]])).tolist() == [1.0, 1.0, 0.0]
    assert all(math.isnan(share) for share in expected_wins(np.zeros((2, 3))))


def test_the_best_reference_counts(scores: Scores) -> None:
    for own, score in zip(sentence_points(scores), scores, strict=True):
        for point, candidates in zip(own, score.candidates, strict=True):
            best = max(score.scorer.values(np.array(c.row, dtype=float))["f"] for c in candidates)
            assert point == pytest.approx(best, abs=1e-9)


def test_scores_that_are_equal_on_paper_draw() -> None:
    """Of 1 hit and 2 misses F0.5 is 5/7, and so it is of 2 hits and 1 edit too many; the last bits differ."""
    first, other = errant([(1, 0, 2)]), errant([(2, 1, 0)])
    assert first.values["f"] != other.values["f"]
    assert first.values["f"] == pytest.approx(5 / 7)
    ranks = rank_systems([first, other])
    assert [rank.expected_wins for rank in ranks] == [None, None]
    assert ranks[0].trueskill == pytest.approx(ranks[1].trueskill)


@pytest.fixture(scope="module")
def scores(short_conll: Path) -> Scores:
    files = {name: short_conll / f"conll14-{name}.errant" for name in ("AMU", "CAMB", "IITB")}
    return jperrant.score(files, short_conll / "conll14.errant")


def test_corrections_as_r_does_them() -> None:
    # p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") and "BH" of R
    assert corrected([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected([0.01, 0.04, 0.03, 0.005], "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])


@pytest.mark.ci
@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=20))
@examples(100)
def test_laws_of_corrections(p: list[float]) -> None:
    from scipy.stats import false_discovery_control  # which takes a second to import

    holm, bh = corrected(p), corrected(p, "bh")
    assert bh == pytest.approx(false_discovery_control(p, method="bh"))
    assert all(a <= b + 1e-12 <= c + 1e-9 for a, b, c in zip(p, bh, holm, strict=True))
    assert all(c <= min(1, len(p) * a) + 1e-12 for a, c in zip(p, holm, strict=True))
    in_order = np.array(holm)[np.argsort(p, kind="stable")]
    assert (np.diff(in_order) >= -1e-12).all()
    assert corrected(p, "none") == p


def test_figures_are_those_of_score(scores: Scores) -> None:
    for test in ("bootstrap", "randomisation"):
        found, _ = paired_tests(scores, test, samples=200, baseline="CAMB", by_type=True)
        alone, _ = paired_tests(scores, test, samples=200, baseline="CAMB")
        assert found.differences == alone.differences
        assert alone.types == {}
    amu, camb, _ = scores
    assert (found.baseline, found.hypothesis) == ("CAMB", "AMU")
    assert {name: one.value for name, one in found.differences.items()} == {
        name: amu.values[name] - camb.values[name] for name in ("precision", "recall", "f")
    }
    types = [score.to_dataframe("type")["f"] for score in (amu, camb)]
    assert set(found.types) == {name for score in scores for name in score.by_type}
    assert found.types["R:SPELL"].value == pytest.approx(types[0]["R:SPELL"] - types[1]["R:SPELL"])


def test_types_of_all_systems_are_one_family(scores: Scores) -> None:
    compared = paired_tests(scores, samples=50, baseline="CAMB", correction="bh", by_type=True)
    types = [one for own in compared for one in own.types.values()]
    for family in (types, [own.differences["f"] for own in compared]):
        assert [one.p_corrected for one in family] == corrected([one.p for one in family], "bh")


def test_sentences_are_those_whose_values_differ(scores: Scores) -> None:
    ours, theirs = ([one["values"]["f"] for one in score.sentence_dicts()] for score in scores[:2])
    expected = {(n,): a - b for n, (a, b) in enumerate(zip(ours, theirs, strict=True), start=1) if a != b}
    found = sentence_differences(*scores[:2])
    assert {s.sentences: s.difference for s in found} == expected
    assert [s.difference for s in found] == sorted(expected.values(), reverse=True)
    assert found[0].difference == found[0].value - found[0].baseline
    assert sentence_differences(scores[0], scores[0]) == []


def test_the_largest_lead_comes_first_where_lower_is_better() -> None:
    gold, worse = ["a b c d", "e f g h"], ["a b c x", "x y g h"]
    good, bad = jperrant.score({"good": gold, "bad": worse}, gold, source=gold, metrics="wer")
    leads = [(s.sentences, s.difference) for s in sentence_differences(good, bad)]
    assert leads == [((2,), -0.5), ((1,), -0.25)]


def test_the_effect_of_a_sentence_is_what_falls_without_it(scores: Scores, short_conll: Path) -> None:
    one = sentence_differences(*scores[:2])[0]
    amu, camb, gold = (
        [*jperrant.read_m2(short_conll / f"{name}.errant")]
        for name in ("conll14-AMU", "conll14-CAMB", "conll14")
    )
    for blocks in (amu, camb, gold):
        del blocks[one.sentences[0] - 1]
    (a, b, _), (c, d) = (
        [s.values["f"] for s in some] for some in (scores, jperrant.score([amu, camb], gold))
    )
    assert one.effect == pytest.approx((a - b) - (c - d))


def compare(folder: Path, *options: str) -> str:
    """Compare three systems of CoNLL-2014 with the second of them, by type."""
    systems = [folder / f"conll14-{name}.errant" for name in ("AMU", "CAMB", "IITB")]
    words = (*systems, "--ref", folder / "conll14.errant", "--names", "a,b,c", "--baseline", "b", "--by-type")
    return printed("score", *words, "--samples", "50", *options)


def test_comparisons_of_three_systems(short_conll: Path) -> None:
    first, baseline, third = json.loads(compare(short_conll, "--json", "--rank"))
    wins = [one["ranking"]["expected_wins"] for one in (first, baseline, third)]
    assert sum(wins) == pytest.approx(3 / 2), "of every match one wins"
    assert "comparisons" not in baseline
    assert third["comparisons"][0]["baseline"] == "b"
    [tested] = first["comparisons"]
    assert (tested["test"], tested["samples"], tested["correction"]) == ("randomisation", 50, "holm")
    assert tested["differences"]["f"]["value"] == first["values"]["f"] - baseline["values"]["f"]
    assert {*tested["by_type"]} == {*first["by_type"], *baseline["by_type"], *third["by_type"]}
    assert first["differing_sentences"][0]["difference"] == 1
    whole, *rows = csv.DictReader(compare(short_conll, "--format", "tsv").splitlines(), delimiter="\t")
    assert (whole["type"], float(whole["difference a"])) == ("all", tested["differences"]["f"]["value"])
    assert int(whole["n b"]) == baseline["counts"]["tp"] + baseline["counts"]["fn"]
    # The better of two p decides the order.
    p = [min(float(r["p a"] or 1), float(r["p c"] or 1)) for r in rows]
    assert p == sorted(p)
    bold = compare(short_conll, "--format", "latex", "--bold-best", "--columns", "f")
    assert [line for line in bold.splitlines() if line.startswith("all & ") and r"\textbf{" in line]


def test_several_metrics_have_a_table_each(short_conll: Path) -> None:
    shown = compare(short_conll, "-m", "errant", "-m", "cleme2", "-m", "wer")
    assert [block.splitlines()[0] for block in shown.split("\n\n")[1:]] == ["errant", "cleme2"]
    assert "metric 'wer' has no figures by type" in shown


def test_a_type_of_which_a_system_has_no_edit_shows_no_difference() -> None:
    """A needless edit of one system alone: its F is 0, the other's ratios of nothing are no figure."""
    wrong, right = Edit(0, 1, ("x",), "R:ADJ"), Edit(2, 3, ("y",), "R:NOUN")
    sides = [[Block(("a", "b", "c"), (Annotation(0, own),))] * 9 for own in ((wrong, right), (right,))]
    scores = jperrant.score({"A": sides[0], "B": sides[1]}, sides[1])
    extras = scores.analyse(baseline="B", types=True, samples=100)
    [line] = [s for s in format_scores(extras, types=True).splitlines() if s.startswith("R:ADJ")]
    assert line.split() == ["R:ADJ", "0", "0", "0.0000"]
    found = json.loads(format_scores(extras, "json"))[0]["comparisons"][0]["by_type"]
    assert [found["R:ADJ"][name] for name in ("value", "low", "p")] == [None, None, 1]
    assert found["R:NOUN"]["value"] == 0
