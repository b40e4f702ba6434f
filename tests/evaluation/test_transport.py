"""Unbalanced transport: the optimality condition, closed forms, and POT where POT has converged."""

from __future__ import annotations

import doctest
import warnings
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jperrant.core.errors import InputError, UsageError
from jperrant.evaluation.metrics.uot import Problem, TransportOptions, solve, solve_many

SIZES = st.integers(1, 6)
MASSES = st.one_of(st.just(0.0), st.floats(1e-6, 5.0))
OPTIONS = st.builds(
    TransportOptions,
    reg=st.sampled_from([0.05, 0.1, 1.0]),
    reg_m=st.sampled_from([0.02, 0.1, 1.0]),
)


def solved_by_pot(problem: Problem, options: TransportOptions | None = None) -> np.ndarray:
    """Return the plan of POT's stabilised solver, which the paper's code calls."""
    from ot.unbalanced import sinkhorn_stabilized_unbalanced

    given = options or TransportOptions()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # about masses of 0
        plan = sinkhorn_stabilized_unbalanced(
            problem.a, problem.b, problem.cost, given.reg, given.reg_m, reg_type="kl"
        )
    return np.asarray(plan)


@st.composite
def problems(draw: st.DrawFn, masses: st.SearchStrategy[float] = MASSES) -> Problem:
    n, m = draw(SIZES), draw(SIZES)
    a = np.array(draw(st.lists(masses, min_size=n, max_size=n)))
    b = np.array(draw(st.lists(masses, min_size=m, max_size=m)))
    return Problem(a, b, draw(arrays(np.float64, (n, m), elements=st.floats(0, 4))))


def residual(problem: Problem, plan: np.ndarray, options: TransportOptions) -> float:
    """How far the optimality condition is from 0, written from the problem's definition."""
    rows, columns = np.flatnonzero(problem.a), np.flatnonzero(problem.b)
    if not len(rows) or not len(columns):
        return 0.0
    a, b = problem.a[rows], problem.b[columns]
    plan = plan[np.ix_(rows, columns)]
    terms = (
        problem.cost[np.ix_(rows, columns)]
        + options.reg * np.log(plan / np.outer(a, b))
        + options.reg_m * np.log(plan.sum(1) / a)[:, None]
        + options.reg_m * np.log(plan.sum(0) / b)
    )
    return float(np.abs(terms).max())


@given(st.lists(problems(), min_size=1, max_size=6), OPTIONS)
def test_optimality(batch: list[Problem], options: TransportOptions) -> None:
    for problem, found in zip(batch, solve_many(batch, options), strict=True):
        assert found.converged
        assert found.residual <= TransportOptions().tolerance
        # The logarithm of a sum of 10⁻⁸⁰ loses digits that the potentials keep.
        assert residual(problem, found.plan, options) <= 1e-9
        assert not found.plan[problem.a == 0].any()
        assert not found.plan[:, problem.b == 0].any()


@given(st.lists(problems(), min_size=2, max_size=5), OPTIONS)
def test_company_changes_nothing(batch: list[Problem], options: TransportOptions) -> None:
    for problem, found in zip(batch, solve_many(batch, options), strict=True):
        [alone] = solve_many([problem], options)
        np.testing.assert_allclose(found.plan, alone.plan, rtol=1e-8, atol=1e-12)


@given(problems(), OPTIONS)
def test_sides_are_alike(problem: Problem, options: TransportOptions) -> None:
    [plan] = solve_many([problem], options)
    [turned] = solve_many([Problem(problem.b, problem.a, problem.cost.T)], options)
    np.testing.assert_allclose(plan.plan, turned.plan.T, rtol=1e-7, atol=1e-12)


@given(problems(st.floats(0.05, 2.5)))
def test_pot_agrees_where_it_has_converged(problem: Problem) -> None:
    """As near as its residual says: that moves the logarithm of a plan by its share of the regularisation."""
    [ours], theirs = solve_many([problem]), solved_by_pot(problem)
    left = residual(problem, np.maximum(theirs, 1e-300), TransportOptions())
    if left < 1e-6:
        near = left / TransportOptions().reg * max(1, ours.plan.max(initial=0)) + 1e-9
        np.testing.assert_allclose(ours.plan, theirs, rtol=0, atol=near)


def test_pot_agrees_on_near_edits() -> None:
    random = np.random.default_rng(0)
    for n, m in [(1, 1), (2, 3), (5, 4), (12, 12)]:
        x, y = random.normal(size=(n, 4)) / 4, random.normal(size=(m, 4)) / 4
        cost = np.linalg.norm(x[:, None] - y, axis=-1)
        problem = Problem(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1), cost)
        for options in (
            TransportOptions(),
            TransportOptions(reg=0.5, reg_m=0.3),
        ):
            [ours], theirs = solve_many([problem], options), solved_by_pot(problem, options)
            np.testing.assert_allclose(ours.plan, theirs, atol=1e-6)


def test_pot_explodes_where_a_mass_is_zero() -> None:
    problem = Problem(
        np.array([1.67, 0.36]),
        np.array([0.0, 1.82, 1.89]),
        np.array([[1.01, 0.08, 3.45], [0.14, 3.21, 3.29]]),
    )
    exploded, [ours] = solved_by_pot(problem), solve_many([problem])
    assert exploded.sum() > 1e6
    assert residual(problem, ours.plan, TransportOptions()) < 1e-9
    assert ours.plan.sum() == pytest.approx(1.607, abs=1e-3)


@pytest.mark.parametrize("mass", [0.05, 0.37, 1.0, 2.0])
def test_one_edit_found_again(mass: float) -> None:
    assert solve([mass], [mass], [[0.0]])[0, 0] == pytest.approx(mass ** (4 / 3), rel=1e-9)


@pytest.mark.parametrize(("reg", "reg_m"), [(0.1, 0.1), (0.01, 1.0), (1.0, 0.02), (0.1, 5.0)])
def test_one_edit_against_one(reg: float, reg_m: float) -> None:
    # C + reg log(T / ab) + reg_m log(T / a) + reg_m log(T / b) = 0
    a, b, cost = 0.3, 0.8, 0.7
    log = ((reg + reg_m) * np.log(a * b) - cost) / (reg + 2 * reg_m)
    found = solve([a], [b], [[cost]], TransportOptions(reg, reg_m))
    assert found[0, 0] == pytest.approx(np.exp(log), rel=1e-7)


def test_extremes_stay_finite() -> None:
    found = solve([1e-300, 1e3], [1e-12, 1.0], [[0.0, 1e4], [1e4, 0.0]])
    assert np.isfinite(found).all()
    assert found[1, 1] > 1


def test_large_problems() -> None:
    random = np.random.default_rng(3)
    problem = Problem(random.random(500), random.random(500), random.random((500, 500)))
    [found] = solve_many([problem])
    assert found.converged
    assert residual(problem, found.plan, TransportOptions()) < 1e-9


def test_empty_sides() -> None:
    assert solve([], [1.0], []).shape == (0, 1)
    assert solve([1.0, 2.0], [], np.zeros((2, 0))).shape == (2, 0)
    assert not solve([0.0], [1.0], [[0.5]]).any()
    assert solve_many([]) == []


@pytest.mark.parametrize(
    ("a", "b", "cost", "message"),
    [
        ([1.0], [1.0], [[np.nan]], "cost has NaN"),
        ([np.inf], [1.0], [[0.0]], "a has NaN or infinite"),
        ([1.0], [-0.1], [[0.0]], "a mass is negative"),
        ([1.0, 2.0], [1.0], [[0.0]], r"need costs of shape \(2, 1\), not \(1, 1\)"),
    ],
)
def test_bad_problems(a: list[float], b: list[float], cost: list[list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(a, b, cost)


@pytest.mark.parametrize(
    "options", [{"reg": 0.0}, {"reg_m": -1.0}, {"reg": float("nan")}, {"tolerance": 0.0}]
)
def test_bad_options(options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        solve([1.0], [1.0], [[0.0]], TransportOptions(**options))  # type: ignore[arg-type]


def test_what_does_not_converge_is_said() -> None:
    with pytest.raises(InputError, match="not converged after 3 iterations"):
        solve([1.0, 2.0], [1.0, 0.5], [[0.0, 1.0], [1.0, 0.1]], TransportOptions(0.01, 10, max_iterations=3))


def test_example() -> None:
    assert doctest.testmod(import_module("jperrant.evaluation.metrics.uot")).failed == 0
