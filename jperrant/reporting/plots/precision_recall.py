"""Systems by precision and recall, over lines of equal F."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics.fmeasure import f_of
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.significance import SEED, intervals
from jperrant.reporting.plots.by_type import error_bars
from jperrant.reporting.plots.figure import (
    GREY,
    INK,
    SMALL_SIZE,
    Plot,
    add_legend,
    finished,
    new_axes,
    new_figure,
    point_style,
)
from jperrant.reporting.plots.systems import check_scores, plot_name, signatures, system_names

_NEEDED = ("precision", "recall")
#: Beta where a metric has none.
_BETA = 0.5
#: Room around the points, as a share of what they span, and the least that the axes show.
_MARGIN, _LEAST = 0.12, 0.1


def has_precision_and_recall(score: Score) -> bool:
    """Whether a metric has precision and recall."""
    return set(_NEEDED) <= score.values.keys()


def precision_recall_plot(
    scores: Sequence[Score],
    *,
    width: str | float = "column",
    samples: int | None = None,
    seed: int = SEED,
) -> Plot:
    """Return systems as points of recall and precision with 95 % bootstrap intervals, over lines of equal F.

    A system that changes nothing has no precision; it is not drawn, and a note says so. A line of equal F solves
    ``F = (1 + b²) P R / (b² P + R)`` for P; b is the metric's beta.

    Args:
        scores: Systems scored by one metric that has precision and recall.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: Of the bootstrap.

    Raises:
        UsageError: The metric has no precision and recall.
        MissingExtraError: matplotlib is not installed.
    """
    check_scores(scores)
    if not has_precision_and_recall(scores[0]):
        raise UsageError(f"metric {scores[0].metric!r} has no precision and recall to plot")
    scores, notes = _with_edits(scores)
    beta = float(getattr(scores[0].scorer, "beta", _BETA))
    figure = new_figure(width, 2.8)
    axes = new_axes(figure, "recall", "precision")
    ends = [intervals(score, samples, seed) for score in scores]
    points = np.array([[score.values[name] for name in ("recall", "precision")] for score in scores])
    handles = []
    for number, (score, own) in enumerate(zip(scores, ends, strict=True)):
        reach = {
            name: error_bars([(score.values[name], own[name].low, own[name].high)] if name in own else [])
            for name in _NEEDED
        }
        handles.append(
            axes.errorbar(
                [score.values["recall"]], [score.values["precision"]],
                xerr=reach["recall"] if "recall" in own else None,
                yerr=reach["precision"] if "precision" in own else None,
                ecolor=INK, elinewidth=0.5, capsize=1.2, capthick=0.5, zorder=3, **point_style(number),
            )
        )  # fmt: skip
    _limit(axes, points, ends)
    _draw_lines(axes, beta)
    add_legend(figure, handles, system_names(scores))
    title = f"{scores[0].metric}: precision and recall, lines of equal F{beta:g}"
    drawn = finished(figure, plot_name(scores[0].metric, "precision-recall"), title, signatures(scores))
    return replace(drawn, notes=(*drawn.notes, *notes))


def _with_edits(scores: Sequence[Score]) -> tuple[Sequence[Score], list[str]]:
    """Return the systems that propose edits, and a line for each other one; all if none does."""
    kept = [score for score in scores if _proposed(score)]
    if not kept:
        return scores, []
    without = [score.hypothesis for score in scores if not _proposed(score)]
    return kept, [f"{name} proposes no edits: it has no precision and is not in the plot" for name in without]


def _proposed(score: Score) -> float:
    """Return how many edits, or how much of them, a system proposes; 1 if the metric does not say."""
    counts = dict(zip(score.scorer.columns, score.total, strict=True))
    return counts["tp"] + counts["fp"] if {"tp", "fp"} <= counts.keys() else 1.0


def equal_f(recall: FloatArray, f: float, beta: float) -> FloatArray:
    """Return the precision at which a recall gives F; not a number where none in [0, 1] does.

    Args:
        recall: Values in [0, 1].
        f: F-beta, in (0, 1).
        beta: The weight of recall.
    """
    below = (1 + beta**2) * recall - f * beta**2
    precision: FloatArray = np.full(recall.shape, np.nan)
    np.divide(f * recall, below, out=precision, where=below > 0)
    precision[precision > 1] = np.nan
    return precision


def _limit(axes: Any, points: FloatArray, ends: Sequence[Any]) -> None:
    """Show all points and intervals with some room around them."""
    for column, name in enumerate(("recall", "precision")):
        values = [*points[:, column]]
        for own in ends:
            values += (own[name].low, own[name].high) if name in own else ()
        low, high = min(values), max(values)
        room = max(_MARGIN * (high - low), (_LEAST - (high - low)) / 2)
        # A little beyond 0 and 1, so that points on the edge stay whole.
        limits = (max(-0.01, low - room), min(1.01, high + room))
        axes.set(**{"xy"[column] + "lim": limits})


def _draw_lines(axes: Any, beta: float) -> None:
    """Draw lines of equal F where the axes show them, each with its F at an end."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    recall = np.linspace(max(left, 1e-6), right, 400)
    for f in _steps(left, right, bottom, top, beta):
        precision = equal_f(recall, f, beta)
        inside = np.flatnonzero((precision >= bottom) & (precision <= top))
        if len(inside) < 2:
            continue
        axes.plot(recall[inside], precision[inside], color=GREY, linewidth=0.5, linestyle="-", zorder=1)
        _name_line(axes, f"{f:.2g}", recall[inside], precision[inside])
    axes.set(xlim=(left, right), ylim=(bottom, top))


def _name_line(axes: Any, text: str, recall: FloatArray, precision: FloatArray) -> None:
    """Write the F of a line at its right end; above it where it leaves the axes at the bottom."""
    at_right = recall[-1] >= axes.get_xlim()[1]
    end, offset = (-1, (1, 0)) if at_right else (0, (0, 1))
    axes.annotate(
        text, (recall[end], precision[end]), xytext=offset, textcoords="offset points", fontsize=SMALL_SIZE - 1,
        color=GREY, va="center" if at_right else "bottom", ha="left" if at_right else "center",
        annotation_clip=False,
    )  # fmt: skip


def _steps(left: float, right: float, bottom: float, top: float, beta: float) -> FloatArray:
    """Return round values of F between those of the corners of the axes, about six of them."""
    low, high = (f_of(max(p, 0.0), max(r, 0.0), beta) for r, p in ((left, bottom), (right, top)))
    step = next((s for s in (0.01, 0.02, 0.05, 0.1) if (high - low) / s <= 7), 0.2)
    values: FloatArray = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    return values[(values > 0) & (values < 1)]
