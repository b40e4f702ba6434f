"""Figures of each error type with bootstrap intervals, for several systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.analysis import check_samples
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.differences import (
    bootstrap_values,
    interval,
    rows_by_type,
    support_of,
    types_of,
)
from jperrant.evaluation.statistics.significance import SAMPLES, SEED


@dataclass(frozen=True, slots=True)
class TypeFigure:
    """One value of a metric for one error type of one system.

    Attributes:
        value: The figure; not a number if neither the system nor its references have an edit of the type.
        low, high: Its bootstrap interval (95 %) over the samples that have an edit of the type; not a number where
            none has.
        support: The number (or weight) of the edits of the references that were chosen for the system; None if the
            metric has no tp and fn.
    """

    value: float
    low: float
    high: float
    support: float | None


def type_figures(
    scores: Sequence[Score], value: str = "", samples: int | None = None, seed: int = SEED
) -> dict[str, list[TypeFigure]]:
    """Return for each error type the figure of every system, sorted by type.

    Args:
        scores: Systems scored by one metric over the same references.
        value: A value of the metric; its main one if empty.
        samples, seed: Of the bootstrap, which draws the same sentences for all systems and types; 1,000 samples if
            None.

    Raises:
        UsageError: The metric has no such value, or an impossible number of samples.
    """
    check_samples(samples, seed)
    scorer, name = scores[0].scorer, checked_value(scores[0], value)
    types = types_of(scores)
    if not types or not scores[0].sentences:
        return {}
    rows = rows_by_type(scores, types)
    drawn = bootstrap_values(scorer, rows, [name], samples or SAMPLES["bootstrap"], seed, only_known=True)
    return {
        type_: [
            _figure(scorer, own[:, number].sum(axis=0), values[name][:, number], name)
            for own, values in zip(rows, drawn, strict=True)
        ]
        for number, type_ in enumerate(types)
    }


def checked_value(score: Score, value: str = "") -> str:
    """Return a value of a metric, its main one if none is named.

    Raises:
        UsageError: The metric has no such value.
    """
    if value and value not in score.values:
        known = tuple(score.values)
        raise UsageError(
            f"metric {score.metric!r} has no value {value!r}{nearest(value, known)}; expected one of "
            f"{', '.join(known)}"
        )
    return value or score.scorer.main


def _figure(scorer: Scorer, total: FloatArray, drawn: FloatArray, name: str) -> TypeFigure:
    support = support_of(scorer, total)
    if not total.any():  # ratios of nothing are 1 by convention, which is no figure of the type
        return TypeFigure(math.nan, math.nan, math.nan, support)
    return TypeFigure(float(scorer.values(total)[name]), *interval(drawn), support)
