"""Systems by rank: the main value of a metric with its interval, and the ranks that chance leaves open."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.ranking import RankInterval, rank_intervals
from jperrant.evaluation.statistics.significance import SEED, intervals
from jperrant.reporting.plots.by_type import error_bars
from jperrant.reporting.plots.figure import (
    INK,
    SMALL_SIZE,
    Plot,
    finished,
    new_axes,
    new_figure,
    point_style,
)
from jperrant.reporting.plots.fonts import name_labels
from jperrant.reporting.plots.systems import check_scores, plot_name, signatures, system_names, value_label


def rank_plot(
    scores: Sequence[Score],
    *,
    width: str | float = "column",
    samples: int | None = None,
    seed: int = SEED,
) -> Plot:
    """Return systems, the best on top, each with the metric's main value and the interval of its rank.

    Intervals are 95 % of bootstrap samples: of the value for each system alone, of the rank over samples that draw
    the same sentences for all systems.

    Args:
        scores: Systems scored by one metric over the same references.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: Of the bootstrap.

    Raises:
        UsageError: There are no scores, or they are of several metrics.
        MissingExtraError: matplotlib is not installed.
    """
    check_scores(scores)
    main = scores[0].scorer.main
    ranks = rank_intervals(scores, samples, seed)
    order = sorted(range(len(scores)), key=lambda system: ranks[system].rank)
    names = name_labels(system_names(scores), 24)
    figure = new_figure(width, 0.55 + 0.19 * len(scores))
    better = ", lower is better" if scores[0].scorer.better_lower(main) else ""
    title = value_label(scores[0], main)
    axes = new_axes(figure, f"{title}{better}", grid="both")
    for row, system in enumerate(order):
        value = scores[system].values[main]
        interval = intervals(scores[system], samples, seed).get(main)
        if interval is None or math.isnan(value):
            continue
        reach = error_bars([(value, interval.low, interval.high)])
        axes.errorbar(
            [value], [row], xerr=reach, ecolor=INK, elinewidth=0.8, capsize=2, capthick=0.8, **point_style(0)
        )
    axes.set_yticks(range(len(order)), [names[system] for system in order])
    axes.set_ylim(len(order) - 0.5, -0.5)
    for row, text in enumerate([_ranks(ranks[system]) for system in order]):
        axes.annotate(
            text, (1, row), xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points",
            fontsize=SMALL_SIZE, color=INK, va="center", annotation_clip=False,
        )  # fmt: skip
    axes.annotate(
        "rank", (1, 1), xycoords="axes fraction", xytext=(4, 2), textcoords="offset points", fontsize=SMALL_SIZE,
        color=INK, va="bottom", annotation_clip=False,
    )  # fmt: skip
    return finished(
        figure, plot_name(scores[0].metric, "rank"), f"Systems by {title}{better}", signatures(scores)
    )


def _ranks(rank: RankInterval) -> str:
    """Return the interval of a rank, which usually has its rank inside."""
    return f"{rank.low}" if rank.low == rank.high else f"{rank.low}–{rank.high}"
