r"""Unbalanced optimal transport, solved exactly in the log domain, for many small problems at once.

For masses a, b and costs C, find the plan T ≥ 0 that minimises

    <T, C> + reg · KL(T | a bᵀ) + reg_m · KL(T1 | a) + reg_m · KL(Tᵀ1 | b),   KL(x|y) = Σ x log(x/y) − x + y

(``reg_type="kl"``: UOT-ERRANT as its code has it, with POT ≥ 0.9.5), or with Σ T log T − T in place of the first
KL (``reg_type="entropy"``: as the paper prints it). Both are strictly convex: there is one plan.

- Chizat, Peyré, Schmitzer and Vialard (2018), "Scaling Algorithms for Unbalanced Optimal Transport Problems":
  T = p qᵀ ∘ exp((f ⊕ g − C) / reg), where f = −reg_m log(T1 / a) and g = −reg_m log(Tᵀ1 / b), found by
  updating f and g in turn; p, q are a, b for ``kl`` and ones for ``entropy``.
- Séjourné, Vialard and Peyré (2022), "Faster Unbalanced Optimal Transport": plain iterations converge like
  (reg_m / (reg_m + reg))², slowly where reg_m is large, in the one direction (f + k, g − k), in which the best
  step has a closed form.

A mass of 0 takes no part: its row or column of the plan is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.option import check_options, option

#: The forms of the entropic term.
REG_TYPES = {"kl": "against the product of the masses", "entropy": "against 1"}
#: Beyond these, weights and costs no longer fit into one float.
MIN_REG, MAX_REG = 1e-6, 1e6
#: Cells of a batch, so that memory is bounded and its parts stay in the processor's cache.
_CELLS = 1 << 16


@dataclass(frozen=True, slots=True)
class Problem:
    """Masses on both sides and what it costs to bring one to the other.

    Attributes:
        a: Masses of one side, shape ``(n,)``, 0 or more.
        b: Masses of the other side, shape ``(m,)``, 0 or more.
        cost: Costs, shape ``(n, m)``, finite.

    Raises:
        InputError: Shapes do not fit, or a number is negative, NaN or infinite.
    """

    a: FloatArray
    b: FloatArray
    cost: FloatArray

    def __post_init__(self) -> None:
        for name in ("a", "b", "cost"):
            values = np.asarray(getattr(self, name), dtype=np.float64)
            if not np.isfinite(values).all():
                raise InputError(f"transport: {name} has NaN or infinite numbers")
            object.__setattr__(self, name, values)
        n, m = self.a.size, self.b.size
        # No edits on one side: an empty list of costs has lost its second dimension.
        if self.cost.size == 0 and n * m == 0:
            object.__setattr__(self, "cost", np.zeros((n, m)))
        if self.a.shape != (n,) or self.b.shape != (m,) or self.cost.shape != (n, m):
            raise InputError(
                f"transport: masses of shapes {self.a.shape} and {self.b.shape} need costs of shape ({n}, {m}), "
                f"not {self.cost.shape}"
            )
        if (self.a < 0).any() or (self.b < 0).any():
            raise InputError("transport: a mass is negative")


@dataclass(frozen=True, slots=True)
class Solution:
    """The plan of one problem.

    Attributes:
        plan: Transported mass, shape ``(n, m)``.
        residual: How far the optimality condition is from 0, at the worst cell.
        iterations: What it took.
        converged: Whether the residual is within the tolerance.
    """

    plan: FloatArray
    residual: float
    iterations: int
    converged: bool


@dataclass(frozen=True, slots=True)
class TransportOptions:
    """The options of the problem and of its solver.

    Attributes:
        reg: Weight of the entropic term.
        reg_m: Weight of the marginal terms.
        reg_type: ``kl`` or ``entropy``.
        tolerance: How far C + reg log(T/pq) + reg_m log(T1/a) + reg_m log(T'1/b) may be from 0, in the unit of the
            costs.
        max_iterations: Where to stop all the same.

    Raises:
        UsageError: An option is out of its range.
    """

    reg: float = option(
        0.1, "Weight of the entropic term of the transport.", minimum=MIN_REG, maximum=MAX_REG
    )
    reg_m: float = option(
        0.1, "Weight of the marginal terms of the transport.", minimum=MIN_REG, maximum=MAX_REG
    )
    reg_type: Literal["kl", "entropy"] = option("kl", "Form of the entropic term.", choices=REG_TYPES)
    tolerance: float = option(1e-11, "How far the optimality condition may be from 0.", above=0)
    max_iterations: int = option(100_000, "Where to stop all the same.", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)


def solve(
    a: npt.ArrayLike, b: npt.ArrayLike, cost: npt.ArrayLike, settings: TransportOptions | None = None
) -> FloatArray:
    """Return the plan of one problem, shape ``(n, m)``.

    >>> solve([0.5], [0.5], [[0.0]]).round(6)  # one edit found again: 0.5 ** (4 / 3)
    array([[0.39685]])

    Args:
        a, b: Masses, shapes ``(n,)`` and ``(m,)``, 0 or more.
        cost: Costs, shape ``(n, m)``.
        settings: The options; those of the paper's code if None.

    Raises:
        InputError: Shapes do not fit, a number is negative, NaN or infinite, or the tolerance is not reached.
    """
    [solution] = solve_many([Problem(np.asarray(a), np.asarray(b), np.asarray(cost))], settings)
    if not solution.converged:
        raise InputError(
            f"transport: not converged after {solution.iterations} iterations (residual {solution.residual:.1e}); "
            "reg is very small against reg_m"
        )
    return solution.plan


def solve_many(problems: Sequence[Problem], settings: TransportOptions | None = None) -> list[Solution]:
    """Return the plan of each problem; problems of similar size are solved together.

    Args:
        problems: Masses and costs.
        settings: The options; those of the paper's code if None.
    """
    settings = settings or TransportOptions()
    solutions = [Solution(np.zeros(p.cost.shape), 0.0, 0, True) for p in problems]
    sides = [(np.flatnonzero(p.a), np.flatnonzero(p.b)) for p in problems]
    grouped: dict[tuple[int, int], list[int]] = {}
    for number, (rows, columns) in enumerate(sides):
        if len(rows) and len(columns):
            grouped.setdefault((_padded(len(rows)), _padded(len(columns))), []).append(number)
    for (n, m), members in grouped.items():
        together = max(1, _CELLS // (n * m))
        for start in range(0, len(members), together):
            chosen = members[start : start + together]
            # Filled up to one size with masses of 0; the problems are the last axis, which makes it quick.
            log_a, log_b = (np.full((size, len(chosen)), -np.inf) for size in (n, m))
            cost = np.zeros((n, m, len(chosen)))
            for place, number in enumerate(chosen):
                problem, (rows, columns) = problems[number], sides[number]
                log_a[: len(rows), place] = np.log(problem.a[rows])
                log_b[: len(columns), place] = np.log(problem.b[columns])
                cost[: len(rows), : len(columns), place] = problem.cost[np.ix_(rows, columns)]
            for number, solution in zip(chosen, _solve_batch(log_a, log_b, cost, settings), strict=True):
                plan, (rows, columns) = solutions[number].plan, sides[number]
                plan[np.ix_(rows, columns)] = solution.plan[: len(rows), : len(columns)]
                solutions[number] = replace(solution, plan=plan)
    return solutions


def _padded(size: int) -> int:
    """Return the size that problems of a size are filled up to: up to 4 their own, then within a third."""
    if size <= 4:
        return size
    step = 1 << (size - 1).bit_length() - 3
    return -(-size // step) * step


def _solve_batch(
    log_a: FloatArray, log_b: FloatArray, cost: FloatArray, settings: TransportOptions
) -> list[Solution]:
    """Return the solutions of a batch; plans have the padded size.

    Args:
        log_a, log_b: Logarithms of masses, shapes ``(n, problems)`` and ``(m, problems)``.
        cost: Shape ``(n, m, problems)``.
        settings: The options.
    """
    size = cost.shape[-1]
    plans = np.empty((size, *cost.shape[:2]))
    residuals, iterations = np.empty(size), np.empty(size, dtype=int)
    left = np.arange(size)
    state = _Iteration.start(log_a, log_b, cost, settings)
    for done in range(1, settings.max_iterations + 1):
        residual, f = state.check()
        finished = residual <= settings.tolerance
        last = done == settings.max_iterations
        # Leaving finished problems out costs a copy: when half of them are.
        if last or 2 * finished.sum() >= len(left):
            out = np.ones_like(finished) if last else finished
            plans[left[out]] = np.moveaxis(state.of(out).plan(), -1, 0)
            residuals[left[out]], iterations[left[out]] = residual[out], done
            if out.all():
                break
            left = left[~out]
            state, f = state.of(~out), f[:, ~out]
        state.step(f)
    numbers = zip(plans, residuals.tolist(), iterations.tolist(), strict=True)
    return [
        Solution(plan, residual, done, residual <= settings.tolerance) for plan, residual, done in numbers
    ]


@dataclass(slots=True)
class _Iteration:
    """The potentials of a batch, in units of ``reg``: ``f`` as it is, ``g`` the best one for it.

    Attributes:
        settings: The options.
        log_a, log_b: Logarithms of masses.
        kernel: −C / reg.
        log_p, offset_a, log_q, offset_b: Logarithms of p and p / a, and of q and q / b.
        f, g: The potentials.
    """

    settings: TransportOptions
    log_a: FloatArray
    log_b: FloatArray
    kernel: FloatArray
    log_p: FloatArray
    offset_a: FloatArray
    log_q: FloatArray
    offset_b: FloatArray
    f: FloatArray
    g: FloatArray

    @classmethod
    def start(
        cls, log_a: FloatArray, log_b: FloatArray, cost: FloatArray, settings: TransportOptions
    ) -> _Iteration:
        """Return the state with an ``f`` of 0."""
        weights = (*_weights(log_a, settings.reg_type), *_weights(log_b, settings.reg_type))
        state = cls(settings, log_a, log_b, -cost / settings.reg, *weights, np.zeros_like(log_a), log_b)
        state.g = state._best_g()
        return state

    @property
    def _share(self) -> float:
        return self.settings.reg_m / (self.settings.reg_m + self.settings.reg)

    def check(self) -> tuple[FloatArray, FloatArray]:
        """Return the residual of each problem, and the best ``f`` for the present ``g``.

        ``g`` is the best one for ``f``, so the optimality condition holds but for f + reg_m log(T1 / a), which
        is ``f`` minus its best value, times (reg + reg_m) / reg.
        """
        inner = (self.log_q + self.g)[None] + self.kernel
        f = -self._share * (_log_sum(inner, axis=1) + self.offset_a)
        apart = np.where(np.isfinite(self.log_a), np.abs(f - self.f), 0.0).max(axis=0)
        return apart * (self.settings.reg + self.settings.reg_m), f

    def step(self, f: FloatArray) -> None:
        """Go on with the best ``f``, moved along (f + k, g − k) to the best k, and the best ``g`` for it."""
        ratio = self.settings.reg / self.settings.reg_m
        over = _log_sum(self.log_a - ratio * f, axis=0)
        under = _log_sum(self.log_b - ratio * self.g, axis=0)
        self.f = f + (over - under) / (2 * ratio)
        self.g = self._best_g()

    def plan(self) -> FloatArray:
        """Return the plans, shape ``(n, m, problems)``."""
        plan: FloatArray = np.exp((self.log_p + self.f)[:, None] + (self.log_q + self.g)[None] + self.kernel)
        return plan

    def of(self, places: npt.NDArray[np.bool_]) -> _Iteration:
        """Return the state of some problems."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        return replace(self, **{name: array[..., places] for name, array in arrays.items()})

    def _best_g(self) -> FloatArray:
        inner = (self.log_p + self.f)[:, None] + self.kernel
        return -self._share * (_log_sum(inner, axis=0) + self.offset_b)


def _weights(log_mass: FloatArray, reg_type: str) -> tuple[FloatArray, FloatArray]:
    """Return the logarithm of p for a, and of p / a; the latter is 0 where there is no mass."""
    if reg_type == "kl":
        return log_mass, np.zeros_like(log_mass)
    there = np.isfinite(log_mass)
    return np.where(there, 0.0, -np.inf), np.where(there, -log_mass, 0.0)


def _log_sum(logs: FloatArray, axis: int) -> FloatArray:
    """Return the logarithm of the sum of exponentials; along the axis there is a finite number."""
    largest = logs.max(axis=axis, keepdims=True)
    total: FloatArray = np.log(np.exp(logs - largest).sum(axis=axis)) + largest.squeeze(axis)
    return total
