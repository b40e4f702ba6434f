"""Scores of systems that people's judgements give: as a data set has them, or recomputed from the judgements.

Recomputed ones are named by how and from what: ``ew:edit``, ``ts:edit``, ``mean:wiki``. Expected Wins and TrueSkill
are those of Grundkiewicz, Junczys-Dowmunt and Gillian (2015), "Human Evaluation of Grammatical Error Correction
Systems", section 4. Expected Wins equals their table in every digit. TrueSkill has the constants of the
published script, and goes through all judgements once, in their order; that script draws them at random, 1,000
times, so it differs a little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.meta.dataset import JudgementSet, MetaDataset
from jperrant.evaluation.statistics.ranking import TrueSkill, expected_wins, trueskill

#: How scores come from judgements.
RECOMPUTED = {"ew": "Expected Wins", "ts": "TrueSkill", "mean": "the mean of ratings"}


def human_names(dataset: MetaDataset) -> list[str]:
    """Return the names of all human scores of a data set: those given, and those that judgements can give."""
    return [
        *dataset.human,
        *(
            f"{how}:{name}"
            for name, judged in dataset.judgements.items()
            for how in RECOMPUTED
            if how != "mean" or judged.ratings
        ),
    ]


def default_human(dataset: MetaDataset) -> list[str]:
    """Return the human scores that are used where none are named: those given, else TrueSkill of each set."""
    return list(dataset.human) or [f"ts:{name}" for name in dataset.judgements]


def human_scores(dataset: MetaDataset, name: str, systems: Sequence[str]) -> FloatArray:
    """Return the human score of each system, shape ``(systems,)``; NaN for one that was not judged.

    Args:
        dataset: The data set.
        name: A score that the data set has (``TS_edit``), or how and from what it is recomputed (``ew:edit``).
        systems: The systems. Recomputed scores look at matches between these only.

    Raises:
        UsageError: There is no such score.
    """
    if name in dataset.human:
        given: Mapping[str, float] = dataset.human[name]
        return np.array([given.get(system, np.nan) for system in systems])
    how, _, of = name.partition(":")
    if name not in human_names(dataset):
        known = human_names(dataset)
        raise UsageError(
            f"{dataset.name} has no human score {name!r}{nearest(name, known)}; it has: "
            f"{', '.join(known) or 'none'}"
        )
    points = judged_points(dataset.judgements[of], systems)
    if how == "mean":
        known_marks = (~np.isnan(points)).sum(axis=1)
        means: FloatArray = np.full(len(points), np.nan)
        np.divide(np.nansum(points, axis=1), known_marks, out=means, where=known_marks > 0)
        return means
    return _trueskill(points) if how == "ts" else expected_wins(points)


def judged_points(judged: JudgementSet, systems: Sequence[str]) -> FloatArray:
    """Return what each judgement gave each system, shape ``(systems, judgements)``; more is better, NaN is none."""
    sign = 1 if judged.ratings else -1
    points = np.full((len(systems), len(judged.judgements)), np.nan)
    for column, judgement in zip(points.T, judged.judgements, strict=True):
        for row, system in enumerate(systems):
            if system in judgement.marks:
                column[row] = sign * judgement.marks[system]
    return points


def _trueskill(points: FloatArray) -> FloatArray:
    """Return the skill of each system, on the scale of the published tables."""
    judged = (~np.isnan(points)).sum(axis=0)
    matches = int((judged * (judged - 1)).sum()) // 2
    # A judgement says little about a system's skill: in wmt-trueskill, beta is sigma times a fortieth of the
    # matches.
    return trueskill(points, TrueSkill(beta=TrueSkill().sigma * max(matches, 1) / 40))
