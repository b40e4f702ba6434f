"""Window analysis: how well a metric ranks systems that people find similarly good.

Systems are sorted by their human scores, best first; the correlation of metric and people is taken over each run of
neighbours (Kobayashi, Mita and Komachi 2024, Section 6.2, with 4 to 8 systems a window). A correlation over all
systems also rewards a metric for telling the best from the worst; a window shows whether it tells neighbours apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.statistics.correlation import FEWEST, correlation

#: The correlations that the papers print.
REPORTED = ("pearson", "spearman")


@dataclass(frozen=True, slots=True)
class Window:
    """The correlation of a metric with people over neighbouring systems.

    Attributes:
        first, last: Human ranks of the best and the worst system of the window, from 1, both included.
        systems: Indices of its systems, best first.
        pearson, spearman: The correlations, in [-1, 1]; NaN where the metric or people give all the same score.
    """

    first: int
    last: int
    systems: tuple[int, ...]
    pearson: float
    spearman: float


@dataclass(frozen=True, slots=True)
class WindowAnalysis:
    """The windows of one metric over one human score.

    Attributes:
        metric: The metric.
        human: The human score that sorts the systems.
        group: The group of systems.
        systems: The systems, best first.
        windows: Each run of neighbours.
    """

    metric: str
    human: str
    group: str
    systems: tuple[str, ...]
    windows: tuple[Window, ...]


def window_analysis(
    scores: MetricScores,
    human: FloatArray,
    systems: Sequence[str],
    width: int = 4,
    *,
    aggregation: str = "corpus",
    human_name: str = "",
    group: str = "",
) -> WindowAnalysis:
    """Return the windows of a metric over a human score.

    Args:
        scores: The metric.
        human: The human score of each system; systems without one (NaN) are left out.
        systems: The systems.
        width: Systems in a window.
        aggregation: How scores of systems come from sentences, one of ``AGGREGATIONS``.
        human_name, group: What the human score and the systems are called.

    Raises:
        UsageError: As :func:`windows`, or the metric has no scores that the aggregation needs.
    """
    known = ~np.isnan(human)
    names = [system for system, has in zip(systems, known, strict=True) if has]
    chosen = scores.select(names)
    ours = chosen.aggregate_sign(aggregation) * chosen.aggregate(aggregation)
    order = np.argsort(-human[known], kind="stable")
    return WindowAnalysis(
        scores.name,
        human_name,
        group,
        tuple(names[n] for n in order),
        # Sorted before, so that indices are those of the systems beside them.
        tuple(windows(ours[order].tolist(), human[known][order].tolist(), width)),
    )


def windows(metric: Sequence[float], human: Sequence[float], width: int = 4) -> list[Window]:
    """Return the correlation over ranks 1 to ``width``, 2 to ``width + 1``, and so on.

    >>> [round(w.spearman, 1) for w in windows([4, 3, 1, 2], [9, 8, 7, 6], 3)]
    [1.0, 0.5]

    Args:
        metric: The score of each system, higher being better.
        human: What people gave each system; equal scores keep the order of the systems.
        width: Systems in a window.

    Raises:
        UsageError: Fewer than three systems a window, or fewer systems than that.
    """
    if width < FEWEST:
        raise UsageError(f"found windows of {width} systems, expected {FEWEST} or more")
    if len(human) < width:
        raise UsageError(f"found windows of {width} systems, expected at most {len(human)}")
    order = np.argsort(-np.asarray(human, dtype=np.float64), kind="stable")
    ours, theirs = _sorted(metric, order), _sorted(human, order)
    return [
        Window(
            first + 1,
            first + width,
            tuple(int(system) for system in order[first : first + width]),
            *(
                float(correlation(kind, ours[first : first + width], theirs[first : first + width]))
                for kind in REPORTED
            ),
        )
        for first in range(len(order) - width + 1)
    ]


def _sorted(scores: Sequence[float], order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> FloatArray:
    return np.asarray(scores, dtype=np.float64)[order]
