"""UOT-ERRANT: the worked sample, its conventions, unbalanced transport, and input that is odd."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.corrected_texts import without_overlaps
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.evaluation.metrics.uot import Problem, TransportOptions, UotScorer, edit_texts, solve_many
from tests.commands import printed, refused
from tests.strategies import annotations as random_annotations

from .conftest import Letters

DATA = Path(__file__).parents[1] / "data"
SAMPLE: dict[str, Any] = json.loads((DATA / "uot" / "sample_minilm.json").read_text(encoding="utf-8"))
ITEMS: list[dict[str, Any]] = SAMPLE["items"]
#: How far an independent computation may be off; batch layouts move embeddings by 10⁻⁶.
NEAR = 1e-5


def annotation(number: int, edits: Sequence[Sequence[Any]]) -> Annotation:
    return Annotation(number, tuple(Edit(s, e, tuple(text.split()), type_) for s, e, text, type_ in edits))


def block(source: str, *annotators: Sequence[Sequence[Any]]) -> Block:
    return Block(tuple(source.split()), tuple(annotation(n, edits) for n, edits in enumerate(annotators)))


HYPOTHESIS = [block(item["source"], item["hyp_edits"]) for item in ITEMS]
REFERENCES = [block(item["source"], *item["ref_edits"]) for item in ITEMS]


def score(scorer: UotScorer, hypothesis: Sequence[Block], references: Sequence[Block]) -> Score:
    [found] = evaluate(scorer, [Pair(hypothesis, references)])
    return found


@pytest.fixture(scope="module")
def sample() -> Score:
    return score(make_scorer("uot", encoder="minilm", plans=True, level="sentence"), HYPOTHESIS, REFERENCES)


@pytest.mark.ci
@pytest.mark.models
@pytest.mark.parametrize("at", range(len(ITEMS)))
def test_masses_costs_plans_and_choices(sample: Score, at: int) -> None:
    for candidate, expected in zip(sample.candidates[at], ITEMS[at]["per_reference"], strict=True):
        told: dict[str, Any] = dict(candidate.details)
        names = {"hypothesis_mass": "hyp_mass", "reference_mass": "ref_mass", "cost": "cost", "plan": "plan"}
        for name, key in names.items():
            if key in expected:
                np.testing.assert_allclose(told[name], expected[key], atol=NEAR)
        figures = [expected[name] for name in ("tp", "fp", "fn", "precision", "recall", "f05")]
        np.testing.assert_allclose(candidate.row[:6], figures, atol=NEAR)
    assert sample.combined[at].reference == ITEMS[at]["best_ref"]
    assert sample.rows[at, 5] == pytest.approx(ITEMS[at]["f05"], abs=NEAR)
    assert sample.values["f"] == pytest.approx(SAMPLE["corpus"]["mean_sentence_f"], abs=NEAR)


@pytest.mark.ci
@pytest.mark.models
def test_corpus_totals() -> None:
    found = score(make_scorer("uot", encoder="minilm"), HYPOTHESIS, REFERENCES)
    expected = SAMPLE["corpus"]
    assert found.counts == pytest.approx({name: expected[name] for name in ("tp", "fp", "fn")}, abs=NEAR)
    named = {"precision": "p", "recall": "r", "f": "f"}
    assert found.values == pytest.approx({name: expected[key] for name, key in named.items()}, abs=NEAR)
    assert found.signature.startswith(
        "uot|enc:minilm@6fceb341|vec:remove|mass:norm|cost:euclidean|reg:0.1|reg_m:0.1|lvl:corpus|beta:0.5|refs:2|"
    )


ONE, UNSEEN = [[0, 1, "bb", "R:OTHER"]], [[0, 1, "A", "R:ORTH"]]
TWO = [*ONE, [2, 2, "c", "M:NOUN"]]


MANY = [[n, n + 1, chr(97 + (n * 7 + 3) % 26), "R:OTHER"] for n in range(500)]
TWICE = [[0, 1, "bb", "R:OTHER"], [0, 1, "bb", "R:OTHER"], [1, 1, "c", "M:X"], [1, 1, "c", "M:X"]]


@pytest.mark.parametrize(
    ("hyp", "ref", "figures"),
    [([], [], (1, 1, 1)), (ONE, [], (0, 1, 0)), ([], ONE, (1, 0, 0)), (UNSEEN, [], (1, 1, 1)),
     (UNSEEN, ONE, (1, 0, 0)), (ONE, UNSEEN, (0, 1, 0))],
)  # fmt: skip
def test_empty_sides(letters: Letters, hyp: Any, ref: Any, figures: tuple[float, ...]) -> None:
    for level in ("corpus", "sentence"):
        found = score(UotScorer(level=level), [block("a b", hyp)], [block("a b", ref)])
        assert tuple(found.values.values()) == figures


@pytest.mark.parametrize("letters_more", [2, 12])
def test_one_edit_found_again(letters: Letters, letters_more: int) -> None:
    """Its figure follows from its mass, and may be above 1."""
    edits = [[0, 1, "b" * letters_more, "R:OTHER"]]
    found = score(UotScorer(), [block("a b", edits)], [block("a b", edits)])
    mass = np.sqrt(1 + letters_more**2) / 4  # an a less, so many b more
    assert found.counts["tp"] == pytest.approx(mass ** (4 / 3))
    assert found.values["f"] == pytest.approx(mass ** (1 / 3))
    assert (found.values["f"] > 1) == (letters_more == 12)


def test_uniform_masses_and_cosine(letters: Letters) -> None:
    sides = [block("a b", TWO)], [block("a b", [*ONE, [2, 2, "B", "M:NOUN"]])]
    [[candidate]] = score(UotScorer(mass="uniform", cost="cosine", plans=True), *sides).candidates
    told: dict[str, Any] = dict(candidate.details)
    assert told["hypothesis_mass"] == told["reference_mass"] == [0.5, 0.5]
    # From a to bb, an added c, an added b: 1 - the cosine.
    expected = [[0, 1 - 2 / np.sqrt(5)], [1, 1]]
    np.testing.assert_allclose(told["cost"], expected, atol=1e-12)


def test_references_are_encoded_once_for_all_systems(letters: Letters) -> None:
    gold = [block("a b", TWO), block("c d", ONE)]
    systems = [[block("a b", ONE), block("c d", ONE)], [block("a b", []), block("c d", TWO)]]
    evaluate(UotScorer(), [Pair(system, gold) for system in systems])
    [asked] = letters.asked
    assert len(asked) == len(set(asked))


def test_edits_that_change_nothing_weigh_nothing(letters: Letters) -> None:
    same = [[0, 1, "a", "R:OTHER"], [1, 2, "bb", "R:OTHER"]]
    found = score(UotScorer(plans=True), [block("a b", same)], [block("a b", same[1:])])
    assert found.combined[0].details["hypothesis_mass"] == [0.0, 0.25]
    [warning] = found.warnings
    assert "1 sentence has edits that do not change the encoding; their mass is 0" in warning


@pytest.mark.parametrize(
    ("source", "hyp", "ref", "warning"),
    [
        ("a b", TWICE, ONE, "1 sentence has overlapping edits, of which only the one that begins first is"),
        (" ".join(chr(97 + n % 26) * 2 for n in range(500)), MANY, MANY[::2], "over 100 edits (up to 500)"),
        ("a b", [[0, 2, "", "U:OTHER"]], ONE, ""),
        ("", [], [], ""),
    ],
)
def test_odd_edits_have_figures(letters: Letters, source: str, hyp: Any, ref: Any, warning: str) -> None:
    for vector in ("remove", "add"):
        found = score(UotScorer(vector=vector), [block(source, hyp)], [block(source, ref)])
        assert np.isfinite(found.total).all()
        assert warning in "".join(found.warnings)


def test_overlapping_edits_apply_the_first() -> None:
    edits = annotation(0, [[0, 3, "x", "R:A"], [1, 2, "y", "R:B"], [3, 3, "z", "M:C"]]).edits
    assert [e.type for e in without_overlaps(edits)] == ["R:A", "M:C"]
    assert edit_texts(tuple("abcd"), edits) == [("x z d", "a y c z d"), ("x z d", "x z d"), ("x z d", "x d")]
    assert edit_texts(tuple("abcd"), edits, "add")[1] == ("a y c d", "a b c d")


@given(random_annotations(0, 6))
def test_removing_every_edit_but_one_is_adding_it(found: Annotation) -> None:
    source, edits = tuple("abcdef"), tuple(e for e in found.edits if not e.is_detection)
    for edit, texts in zip(edits, edit_texts(source, edits), strict=True):
        kept = (edits, [e for e in edits if e is not edit])
        assert texts == tuple(" ".join(apply_edits(source, some)) for some in kept)
    if len(edits) == 1:
        assert edit_texts(source, edits, "add") == edit_texts(source, edits)


def test_the_command_writes_plans_as_json(tmp_path: Path, letters: Letters) -> None:
    for name, blocks in (("system", HYPOTHESIS), ("ref", REFERENCES)):
        jperrant.write_m2(blocks, tmp_path / name)
    words = [
        "score",
        tmp_path / "system",
        "--ref",
        tmp_path / "ref",
        "-m",
        "uot:plans",
        "--ci",
        "--samples",
        20,
    ]
    out = tmp_path / "sentences.jsonl"
    found = json.loads(printed(*words, "--json", "--per-sentence", out))
    assert set(found["values"]) == set(found["intervals"]) == {"precision", "recall", "f"}
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(ITEMS)
    chosen = REFERENCES[0].annotations[lines[0]["chosen_reference"]]
    assert np.array(lines[0]["plan"]).shape == (3, len(chosen.edits))
    assert "plans are written as JSON" in refused(*words)


@pytest.mark.models
def test_the_cache_of_the_command_holds_encodings_in_a_folder_of_their_own(tmp_path: Path) -> None:
    path, kept = tmp_path / "system.m2", tmp_path / "kept"
    path.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    printed("score", path, "--ref", path, "-m", "uot:encoder=minilm", "--cache", kept)
    assert [path.name for path in kept.iterdir()] == ["encodings"], "as from Python"


DEFAULT = TransportOptions()
SIZES = st.integers(0, 6)
MASSES = st.one_of(st.just(0.0), st.floats(1e-6, 5.0))
OPTIONS = st.builds(
    TransportOptions, reg=st.sampled_from([0.05, 0.1, 1.0]), reg_m=st.sampled_from([0.02, 0.1, 1.0])
)


def solved_by_pot(problem: Problem, options: TransportOptions = DEFAULT) -> np.ndarray:
    """Return the plan of POT's stabilised solver, which the paper's code calls."""
    from ot.unbalanced import sinkhorn_stabilized_unbalanced

    given = (problem.a, problem.b, problem.cost, options.reg, options.reg_m)
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):  # about masses of 0
        return np.asarray(sinkhorn_stabilized_unbalanced(*given, reg_type="kl"))


@st.composite
def problems(draw: st.DrawFn, masses: st.SearchStrategy[float] = MASSES) -> Problem:
    n, m = draw(SIZES), draw(SIZES)
    a = np.array(draw(st.lists(masses, min_size=n, max_size=n)))
    b = np.array(draw(st.lists(masses, min_size=m, max_size=m)))
    return Problem(a, b, draw(arrays(np.float64, (n, m), elements=st.floats(0, 4))))


def residual(problem: Problem, plan: np.ndarray, options: TransportOptions = DEFAULT) -> float:
    """How far the optimality condition is from 0, written from the problem's definition."""
    rows, columns = np.flatnonzero(problem.a), np.flatnonzero(problem.b)
    if not len(rows) or not len(columns):
        return 0.0
    a, b, plan = problem.a[rows], problem.b[columns], plan[np.ix_(rows, columns)]
    terms = (
        problem.cost[np.ix_(rows, columns)]
        + options.reg * np.log(plan / np.outer(a, b))
        + options.reg_m * np.log(plan.sum(1) / a)[:, None]
        + options.reg_m * np.log(plan.sum(0) / b)
    )
    return float(np.abs(terms).max())


@given(st.lists(problems(), min_size=1, max_size=5), OPTIONS)
def test_plans_are_optimal_whatever_the_company_and_the_side(
    batch: list[Problem], options: TransportOptions
) -> None:
    for problem, found in zip(batch, solve_many(batch, options), strict=True):
        assert found.converged
        assert found.residual <= DEFAULT.tolerance
        # The logarithm of a sum of 10⁻⁸⁰ loses digits that the potentials keep.
        assert residual(problem, found.plan, options) <= 1e-9
        assert not found.plan[problem.a == 0].any()
        assert not found.plan[:, problem.b == 0].any()
        [alone] = solve_many([problem], options)
        np.testing.assert_allclose(found.plan, alone.plan, rtol=1e-8, atol=1e-12)
        [turned] = solve_many([Problem(problem.b, problem.a, problem.cost.T)], options)
        np.testing.assert_allclose(found.plan, turned.plan.T, rtol=1e-7, atol=1e-12)


@given(problems(st.floats(0.05, 2.5)))
def test_pot_agrees_where_it_has_converged(problem: Problem) -> None:
    """As near as its residual says: that moves the logarithm of a plan by its share of the regularisation."""
    assume(problem.cost.size)
    [ours], theirs = solve_many([problem]), solved_by_pot(problem)
    left = residual(problem, np.maximum(theirs, 1e-300))
    if left < 1e-6:
        near = left / DEFAULT.reg * max(1, ours.plan.max()) + 1e-9
        np.testing.assert_allclose(ours.plan, theirs, rtol=0, atol=near)


@pytest.mark.parametrize("options", [DEFAULT, TransportOptions(reg=0.5, reg_m=0.3)])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 3), (5, 4), (12, 12)])
def test_pot_agrees_on_near_edits(n: int, m: int, options: TransportOptions) -> None:
    random = np.random.default_rng(n)
    x, y = random.normal(size=(n, 4)) / 4, random.normal(size=(m, 4)) / 4
    cost = np.linalg.norm(x[:, None] - y, axis=-1)
    problem = Problem(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1), cost)
    [ours], theirs = solve_many([problem], options), solved_by_pot(problem, options)
    np.testing.assert_allclose(ours.plan, theirs, atol=1e-6)


def test_pot_explodes_where_a_mass_is_zero() -> None:
    a, b = np.array([1.67, 0.36]), np.array([0.0, 1.82, 1.89])
    problem = Problem(a, b, np.array([[1.01, 0.08, 3.45], [0.14, 3.21, 3.29]]))
    exploded, [ours] = solved_by_pot(problem), solve_many([problem])
    assert exploded.sum() > 1e6
    assert residual(problem, ours.plan) < 1e-9
    assert ours.plan.sum() == pytest.approx(1.607, abs=1e-3)


def test_transport_of_extremes() -> None:
    problem = Problem(np.array([1e-300, 1e3]), np.array([1e-12, 1.0]), np.array([[0.0, 1e4], [1e4, 0.0]]))
    [found] = solve_many([problem])
    assert found.converged
    assert found.plan.sum() == pytest.approx(100.0)


def test_what_does_not_converge_is_said() -> None:
    problem = Problem(np.array([1.0, 2.0]), np.array([1.0, 0.5]), np.array([[0.0, 1.0], [1.0, 0.1]]))
    [found] = solve_many([problem], TransportOptions(0.01, 10, max_iterations=3))
    assert not found.converged
