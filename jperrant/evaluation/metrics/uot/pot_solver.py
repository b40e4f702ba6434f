"""The transport problem as the paper's code solves it: by POT, one problem at a time.

For comparison. POT's stabilised solver quits before it has converged where a mass is 0, and can then return masses
of 10⁴ and more (``docs/uot.md``); ``transport`` has neither fault.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.extras import import_extra
from jperrant.evaluation.metrics.uot.transport import Problem, TransportOptions


def solve_with_pot(problems: Sequence[Problem], settings: TransportOptions | None = None) -> list[FloatArray]:
    """Return the plan of each problem by ``ot.unbalanced.sinkhorn_stabilized_unbalanced``.

    Args:
        problems: Masses and costs; masses of 0 stay in, as in the paper's code.
        settings: ``reg``, ``reg_m`` and ``reg_type``; tolerance and iterations are POT's own.

    Raises:
        MissingExtraError: POT is not installed.
        InputError: POT gives numbers that are not finite.
    """
    unbalanced = import_extra("ot.unbalanced", "pot")
    settings = settings or TransportOptions()
    plans = []
    for problem in problems:
        if not problem.cost.size:
            plans.append(np.zeros(problem.cost.shape))
            continue
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # about the masses of 0
            plan = unbalanced.sinkhorn_stabilized_unbalanced(
                problem.a, problem.b, problem.cost, settings.reg, settings.reg_m, reg_type=settings.reg_type
            )
        if not np.isfinite(plan).all():
            n, m = problem.cost.shape
            raise InputError(f"POT gives NaN or infinite masses for {n} x {m} edits; use --solver=exact")
        plans.append(np.asarray(plan, dtype=np.float64))
    return plans
