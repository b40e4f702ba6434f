"""UOT-ERRANT's transport problem for two sets of edits, and what its plan says of each error type."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.uot.edit_vectors import EditVectors
from jperrant.evaluation.metrics.uot.transport import Problem

MASSES = {"norm": "the length of its vector", "uniform": "1 / number of edits"}
COSTS = {"euclidean": "distance of the vectors", "cosine": "1 - cosine of their angle"}


def masses(edits: EditVectors, mass: str = "norm") -> FloatArray:
    """Return what each edit weighs, shape ``(edits,)``."""
    if mass == "norm":
        return edits.norms
    return np.full(len(edits.edits), 1 / max(1, len(edits.edits)))


def costs(vectors: FloatArray, other_vectors: FloatArray, cost: str = "euclidean") -> FloatArray:
    """Return the distances of vectors, shape ``(n, m)``, for shapes ``(n, dim)`` and ``(m, dim)``.

    A vector of length 0 has no direction; its cosine with any other counts as 0.
    """
    if cost == "euclidean":
        # Row by row: |x|² − 2xy + |y|² would leave equal vectors a distance of 10⁻⁸.
        rows = [np.sqrt(np.square(other_vectors - vector).sum(axis=1)) for vector in vectors]
        return np.array(rows).reshape(len(vectors), len(other_vectors))
    lengths = np.linalg.norm(vectors, axis=1)[:, None] * np.linalg.norm(other_vectors, axis=1)
    cosine = np.divide(vectors @ other_vectors.T, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    distance: FloatArray = 1 - cosine
    return distance


def problem_of(
    hypothesis: EditVectors, reference: EditVectors, mass: str = "norm", cost: str = "euclidean"
) -> Problem:
    """Return the transport problem that brings the edits of a hypothesis to those of a reference."""
    return Problem(
        masses(hypothesis, mass), masses(reference, mass), costs(hypothesis.vectors, reference.vectors, cost)
    )


def shares(problem: Problem, plan: FloatArray) -> tuple[float, float, float]:
    """Return tp, fp and fn: what is transported, and what each side has besides (below 0 if it has less)."""
    tp = float(plan.sum())
    return tp, float(problem.a.sum()) - tp, float(problem.b.sum()) - tp


def shares_by_type(
    hypothesis: EditVectors, reference: EditVectors, problem: Problem, plan: FloatArray
) -> Mapping[str, tuple[float, float, float]]:
    """Return tp, fp and fn by type: tp and fp under the hypothesis edit's type, fn under the reference's.

    As in the paper's code; where the sides name an error differently its tp and fn stand under two types.
    """
    shares: dict[str, list[float]] = {}
    for edit, tp, mass in zip(hypothesis.edits, plan.sum(axis=1), problem.a, strict=True):
        row = shares.setdefault(edit.type, [0.0, 0.0, 0.0])
        row[0] += float(tp)
        row[1] += float(mass - tp)
    for edit, tp, mass in zip(reference.edits, plan.sum(axis=0), problem.b, strict=True):
        shares.setdefault(edit.type, [0.0, 0.0, 0.0])[2] += float(mass - tp)
    return {type_: (tp, fp, fn) for type_, (tp, fp, fn) in shares.items()}
