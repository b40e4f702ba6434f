"""A value of a metric by error type, with intervals: bars for a few systems, points for many."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jperrant.core.errors import UsageError
from jperrant.evaluation.analysis import FULL, TypeFigure, category, checked_value, grouped, type_figures
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.significance import SEED
from jperrant.reporting.plots.figure import (
    INK,
    Plot,
    add_legend,
    bar_style,
    finished,
    new_axes,
    new_figure,
    point_style,
)
from jperrant.reporting.plots.fonts import label
from jperrant.reporting.plots.systems import check_scores, plot_name, signatures, system_names, value_label

#: Types that are shown, those with most edits in the references first.
TOP = 20
#: Systems that get bars; more get points.
_MOST_BARS = 4
#: Inches of a bar or of a line of points, and of everything around them.
_BAR, _POINT, _AROUND = 0.09, 0.055, 0.75


def by_type_plot(
    scores: Sequence[Score],
    *,
    value: str = "",
    level: int = FULL,
    top: int = TOP,
    width: str | float = "column",
    samples: int | None = None,
    seed: int = SEED,
) -> Plot:
    """Return a value of a metric by error type for each system, with 95 % bootstrap intervals.

    The numbers behind the types count the edits of the references; they are those of the first system, whose
    references may be chosen sentence by sentence.

    Args:
        scores: Systems scored by one metric that knows error types.
        value: Which value; the metric's main one if empty.
        level: What stands for a type: 1 operation, 2 category, 3 full type.
        top: How many types, those with most edits in the references first.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: Of the bootstrap.

    Raises:
        UsageError: The metric has no figures by type or no such value, or no type is asked for.
        MissingExtraError: matplotlib is not installed.
    """
    check_scores(scores)
    if top < 1:
        raise UsageError(f"found {top} types to show, expected 1 or more")
    name = checked_value(scores[0], value)
    if level != FULL:
        scores = [grouped(score, lambda type_: category(type_, level)) for score in scores]
    figures = type_figures(scores, name, samples, seed)
    if not figures:
        raise UsageError(f"metric {scores[0].metric!r} has no figures by type here")
    shown = dict(sorted(figures.items(), key=_by_support)[:top])
    figure = new_figure(width, _height(len(shown), len(scores)))
    axes = new_axes(figure, value_label(scores[0], name), grid="x")
    handles = _draw(axes, shown, len(scores))
    axes.set_yticks(range(len(shown)), [_type_label(*one) for one in shown.items()])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    if len(scores) > 1:
        add_legend(figure, handles, system_names(scores))
    title = f"{value_label(scores[0], name)} by error type" + (
        f", the {top} most frequent of {len(figures)}" if len(figures) > top else ""
    )
    return finished(figure, plot_name(scores[0].metric, "by-type"), title, signatures(scores))


def _by_support(figure: tuple[str, Sequence[TypeFigure]]) -> tuple[float, str]:
    type_, systems = figure
    return -(systems[0].support or 0.0), type_


def _height(types: int, systems: int) -> float:
    each = _BAR * systems if systems <= _MOST_BARS else _POINT * systems
    return _AROUND + types * max(0.16, each + 0.06)


def _type_label(type_: str, systems: Sequence[TypeFigure]) -> str:
    support = systems[0].support
    return label(type_, longest=24) + ("" if support is None else f" ({support:.4g})")


def _draw(axes: Any, figures: Mapping[str, Sequence[TypeFigure]], systems: int) -> list[Any]:
    """Draw the figures of each system, the first one on top of each type; return what the legend shows."""
    handles = []
    step = 0.8 / systems
    for number in range(systems):
        own = [of_type[number] for of_type in figures.values()]
        places = np.arange(len(own)) - 0.4 + step * (number + 0.5)
        values = np.array([one.value for one in own])
        ends = error_bars([(one.value, one.low, one.high) for one in own])
        line = {"ecolor": INK, "elinewidth": 0.6, "capsize": 1.2, "capthick": 0.6}
        if systems <= _MOST_BARS:
            handles.append(axes.barh(places, np.nan_to_num(values), height=step, **bar_style(number)))
            axes.errorbar(values, places, xerr=ends, fmt="none", **line)
        else:
            handles.append(
                axes.errorbar(values, places, xerr=ends, **point_style(number) | {"markersize": 3}, **line)
            )
    return handles


def error_bars(figures: Sequence[tuple[float, float, float]]) -> Any:
    """Return how far intervals reach below and above their values, shape ``(2, values)``; 0 where there is none.

    Args:
        figures: Value, low and high.
    """
    reach = [
        (max(0.0, value - low), max(0.0, high - value)) if math.isfinite(value - low + high) else (0.0, 0.0)
        for value, low, high in figures
    ]
    return np.array(reach).reshape(-1, 2).T
