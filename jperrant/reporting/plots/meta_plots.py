"""Plots of meta-evaluation: correlation by window, accuracy by pair, and metric scores against human scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.meta.evaluation import MetaEvaluation
from jperrant.evaluation.meta.levels import PairAccuracy, SystemCorrelation, WindowAnalysis, grouped
from jperrant.reporting.plots.figure import (
    GREY,
    INK,
    SMALL_SIZE,
    TINY_SIZE,
    Plot,
    add_legend,
    draw_heat_map,
    finished,
    fitted,
    line_style,
    name_labels,
    new_axes,
    new_figure,
    plot_name,
    point_style,
    text_width,
    with_different_names,
)

#: The correlations of a window, as axes name them.
CORRELATIONS = {"pearson": "Pearson r", "spearman": "Spearman ρ"}
#: The range of accuracies in a heat map. Below one half a metric is worse than chance.
_ACCURACIES = (0.3, 1.0)
#: The largest width of system names: on axes, in inches, and at points, in letters.
_NAMES, _LONGEST = 0.75, 24
#: The size of names at points relative to labels.
_TINIER = TINY_SIZE / SMALL_SIZE
#: The size of the axes of a scatter plot in inches, sideways and upwards, and half the size of a marker in
#: points.
_FRAME, _MARKER = (0.55, 0.45), 3.0


def window_plot(
    analyses: Sequence[WindowAnalysis],
    correlation: str = "pearson",
    *,
    width: str | float = "column",
    description: str = "",
) -> Plot:
    """Return one curve for each metric: its correlation with human scores over neighbouring systems.

    Args:
        analyses: One for each metric, over the same human score, systems and width of windows.
        correlation: ``pearson`` or ``spearman``.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: The description in the file's metadata: the metrics' signatures.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    first = analyses[0]
    size = len(first.windows[0].systems)
    figure = new_figure(width, 2.1)
    axes = new_axes(figure, f"ranks by {first.human}", CORRELATIONS[correlation], grid="y")
    ranks = [window.first for window in first.windows]
    lines = []
    for number, analysis in enumerate(analyses):
        figures = [getattr(window, correlation) for window in analysis.windows]
        lines += axes.plot(ranks, figures, **line_style(number))
    axes.axhline(0, color=GREY, linewidth=0.6, zorder=0)
    axes.set_xticks(ranks, [f"{window.first}–{window.last}" for window in first.windows])
    axes.tick_params(axis="x", labelrotation=45 if len(ranks) > 6 else 0)
    axes.set_ylim(-1.05, 1.05)
    add_legend(figure, lines, [analysis.metric for analysis in analyses])
    title = f"{CORRELATIONS[correlation]} over {size} neighbouring systems"
    return finished(figure, plot_name("windows", str(size), correlation, first.human), title, description)


def pair_plot(
    pairs: Sequence[PairAccuracy],
    metric: str,
    of: str,
    *,
    judgements: str = "",
    width: str | float = "column",
    description: str = "",
) -> Plot:
    """Return a heat map of the accuracy of one metric by pair of ranks or of systems, in per cent.

    Args:
        pairs: The accuracy of each pair.
        metric: The metric.
        of: The kind of pairs: ``ranks`` or ``systems``.
        judgements: The set of judgements.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: The description in the file's metadata: the metric's signature.

    Raises:
        UsageError: There are no pairs.
        MissingExtraError: matplotlib is not installed.
    """
    if not pairs:
        raise UsageError("found no pairs to plot")
    names = list(dict.fromkeys([*(pair.first for pair in pairs), *(pair.second for pair in pairs)]))
    shades = np.full((len(names), len(names)), np.nan)
    for pair in pairs:
        shades[names.index(pair.first), names.index(pair.second)] = pair.accuracy
    figure = new_figure(width, max(1.6, 0.2 * len(names) + 1.1))
    shown, upright = fitted(names, _NAMES), of == "systems"
    draw_heat_map(new_axes(figure), shades, shown, shown, _ACCURACIES, per_cent=True, upright=upright)
    title = f"{metric}: accuracy in % by pair of {of}" + (f", {judgements}" if judgements else "")
    return finished(figure, plot_name("pairs", of, judgements, metric), title, description)


def scatter_plot(
    systems: Sequence[str],
    metric_scores: Sequence[float] | FloatArray,
    human_scores: Sequence[float] | FloatArray,
    metric: str,
    human: str,
    *,
    width: str | float = "column",
    description: str = "",
) -> Plot:
    """Return systems as points, each with its name: the score of a metric and the human score.

    Args:
        systems: The names of the systems.
        metric_scores, human_scores: The scores of each system; systems with NaN are left out.
        metric, human: The names of the two scores.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: The description in the file's metadata: the metric's signature.

    Raises:
        UsageError: No system has both scores.
        MissingExtraError: matplotlib is not installed.
    """
    points = [
        (name, ours, theirs)
        for name, ours, theirs in zip(systems, metric_scores, human_scores, strict=True)
        if math.isfinite(ours) and math.isfinite(theirs)
    ]
    if not points:
        raise UsageError("no system has both a metric score and a human score")
    figure = new_figure(width, 2.8)
    axes = new_axes(figure, human, metric, grid="both")
    axes.margins(x=0.18, y=0.12)
    axes.plot([p[2] for p in points], [p[1] for p in points], **point_style(0))
    names = name_labels([name for name, _, _ in points], _LONGEST)
    inches = [figure.get_figwidth() - _FRAME[0], figure.get_figheight() - _FRAME[1]]
    spread = np.array([(theirs, ours) for _, ours, theirs in points])
    low = np.array([axes.get_xlim()[0], axes.get_ylim()[0]])
    span = np.array([axes.get_xlim()[1], axes.get_ylim()[1]]) - low
    for name, (x, y), (right, up) in zip(
        names, spread, label_places(names, (spread - low) / span * inches * 72), strict=True
    ):
        axes.annotate(
            name, (x, y), xytext=(right, up), textcoords="offset points", fontsize=TINY_SIZE, color=INK,
            ha="center", va="center",
        )  # fmt: skip
    return finished(figure, plot_name("systems", metric, human), f"{metric} against {human}", description)


def label_places(names: Sequence[str], points: FloatArray) -> list[tuple[float, float]]:
    """Return the position of the middle of each point's name, so that names cover neither points nor each other.

    Each name, from left to right, takes the first free place of eight around its point, or the first place if
    none is free.

    Args:
        names: The names.
        points: The positions of the points, in typographic points, shape ``(names, 2)``.

    Returns:
        The distance of each name from its point, to the right and upwards, in typographic points.
    """
    high, taken = TINY_SIZE, [(x - _MARKER, y - _MARKER, x + _MARKER, y + _MARKER) for x, y in points]
    places = [(0.0, 0.0)] * len(names)
    for n in sorted(range(len(names)), key=lambda n: (points[n][0], points[n][1])):
        half, (x, y) = text_width(names[n]) * _TINIER / 2, points[n]
        up, right = _MARKER + high / 2 + 0.5, _MARKER + half + 1.5
        tried = [(0.0, up), (0.0, -up), (right, 0.0), (-right, 0.0)]
        tried += [(side, height) for height in (up, -up) for side in (right, -right)]
        boxes = [(x + r - half, y + u - high / 2, x + r + half, y + u + high / 2) for r, u in tried]
        free = [place for place, box in enumerate(boxes) if not any(_overlap(box, other) for other in taken)]
        chosen = free[0] if free else 0
        places[n] = tried[chosen]
        taken.append(boxes[chosen])
    return places


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def meta_plots(found: MetaEvaluation, *, width: str | float = "column") -> list[Plot]:
    """Return the plots of all analyses that have one, with distinct names.

    ``system`` has systems as points, ``windows`` curves, ``rank-pairs`` and ``system-pairs`` heat maps.

    Args:
        found: The meta-evaluation.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    signatures = {scores.name: scores.signature for scores in found.metrics}
    plots = [
        _scatter_of(found, one, width, signatures[one.metric]) for one in found.results.get("system", ())
    ]
    for own in grouped(found.results.get("windows", ()), "group", "human"):
        of: dict[str, Any] = {"width": width, "description": "; ".join(signatures[one.metric] for one in own)}
        plots += [_of_group(window_plot(own, kind, **of), own[0].group) for kind in CORRELATIONS]
    for one in (*found.results.get("rank-pairs", ()), *found.results.get("system-pairs", ())):
        of = {"judgements": one.judgements, "width": width, "description": signatures[one.metric]}
        plots.append(_of_group(pair_plot(one.pairs, one.metric, one.of, **of), one.group))
    return with_different_names(plots)


def _scatter_of(found: MetaEvaluation, one: SystemCorrelation, width: str | float, signature: str) -> Plot:
    scores = next(scores for scores in found.metrics if scores.name == one.metric).select(one.systems)
    theirs = found.dataset.human_scores(one.human, one.systems)
    figures = scores.aggregate(one.aggregation)
    names = (one.metric, one.human)
    drawn = scatter_plot(one.systems, figures, theirs, *names, width=width, description=signature)
    return _of_group(drawn, one.group)


def _of_group(plot: Plot, group: str) -> Plot:
    return replace(plot, name=plot_name(plot.name, group), title=f"{plot.title}, group {group}")
