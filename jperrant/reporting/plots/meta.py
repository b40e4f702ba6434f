"""Metrics against people: correlation by window, agreement by pair, and systems as points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from rich.cells import cell_len

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.extras import import_extra
from jperrant.evaluation.meta.evaluation import MetaEvaluation
from jperrant.evaluation.meta.levels import PairAccuracy, ReferenceResult, SystemCorrelation, WindowAnalysis
from jperrant.reporting.plots.figure import (
    GREY,
    INK,
    SMALL_SIZE,
    Plot,
    add_legend,
    finished,
    line_style,
    new_axes,
    new_figure,
    point_style,
)
from jperrant.reporting.plots.fonts import EXTRA, name_labels
from jperrant.reporting.plots.kinds import with_different_names
from jperrant.reporting.plots.systems import plot_name

#: The correlations of a window, as the axes call them.
CORRELATIONS = {"pearson": "Pearson r", "spearman": "Spearman ρ"}
#: Accuracies that a heat map tells apart: below one half a metric is worse than a coin.
_LOW, _HIGH = 0.3, 1.0
_DARK = 0.72
_LONGEST = 12
#: How far bars of different metrics stand apart, so that they do not cover each other.
_APART = 0.12
#: Inches of a scatter plot that its axes take, sideways and upwards.
_FRAME = (0.55, 0.45)
#: Sizes in points: of the letters of names, of the width of one, and of the markers' half.
_NAME_SIZE, _LETTER, _MARKER = SMALL_SIZE - 1, 3.5, 3.0


def window_plot(
    analyses: Sequence[WindowAnalysis],
    correlation: str = "pearson",
    *,
    width: str | float = "column",
    description: str = "",
) -> Plot:
    """Return one curve for each metric: its correlation with people over neighbouring systems.

    Args:
        analyses: One for each metric, over the same human score, systems and width of windows.
        correlation: ``pearson`` or ``spearman``.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: What the file says of itself: the metrics' signatures.

    Raises:
        UsageError: No metric, or an unknown correlation.
        MissingExtraError: matplotlib is not installed.
    """
    if not analyses or correlation not in CORRELATIONS:
        raise UsageError(
            f"found no metric to plot, or the unknown correlation {correlation!r}; expected one of "
            f"{', '.join(CORRELATIONS)}"
        )
    first = analyses[0]
    size = len(first.windows[0].systems)
    figure = new_figure(width, 2.3)
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
    """Return a heat map of the accuracy of one metric by pair of ranks or of systems.

    Args:
        pairs: The accuracy of each pair.
        metric: The metric.
        of: What the pairs are of: ``ranks`` or ``systems``.
        judgements: The set of judgements.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: What the file says of itself: the metric's signature.

    Raises:
        UsageError: There are no pairs.
        MissingExtraError: matplotlib is not installed.
    """
    if not pairs:
        raise UsageError("found no pairs to plot")
    names = list(dict.fromkeys([*(pair.first for pair in pairs), *(pair.second for pair in pairs)]))
    index = {name: n for n, name in enumerate(names)}
    shades = np.full((len(names), len(names)), np.nan)
    figure = new_figure(width, max(1.6, 0.2 * len(names) + 1.1))
    axes = new_axes(figure)
    for pair in pairs:
        row, column = index[pair.first], index[pair.second]
        shades[row, column] = pair.accuracy
        if not math.isnan(pair.accuracy):
            axes.text(
                column + 0.5, row + 0.5, f"{100 * pair.accuracy:.0f}", ha="center", va="center",
                fontsize=_NAME_SIZE, color="white" if pair.accuracy > _DARK else INK,
            )  # fmt: skip
    colours = import_extra("matplotlib", EXTRA).colormaps["Blues"]
    mesh = axes.pcolormesh(np.ma.masked_invalid(shades), cmap=colours, vmin=_LOW, vmax=_HIGH)
    middles, shown = np.arange(len(names)) + 0.5, name_labels(names, _LONGEST)
    axes.set_xticks(middles, shown, rotation=90 if of == "systems" else 0)
    axes.set_yticks(middles, shown)
    axes.set_ylim(len(names), 0)
    bar = figure.colorbar(mesh, ax=axes)
    bar.ax.tick_params(labelsize=SMALL_SIZE, colors=INK, width=0.6, length=2.5)
    title = f"{metric}: accuracy in % by pair of {of}" + (f", {judgements}" if judgements else "")
    return finished(figure, plot_name("pairs", of, judgements, metric), title, description)


def scatter_plot(
    systems: Sequence[str],
    metric_scores: Sequence[float],
    human_scores: Sequence[float],
    metric: str,
    human: str,
    *,
    width: str | float = "column",
    description: str = "",
) -> Plot:
    """Return systems as points of a metric's and people's scores, each with its name.

    Args:
        systems: The names of the systems.
        metric_scores, human_scores: The scores of each; those that are not numbers are left out.
        metric, human: What the scores are called.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: What the file says of itself: the metric's signature.

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
        raise UsageError("no system has a score of the metric and of people")
    figure = new_figure(width, 2.8)
    axes = new_axes(figure, human, metric, grid="both")
    axes.margins(x=0.18, y=0.12)
    axes.plot([p[2] for p in points], [p[1] for p in points], **point_style(0))
    names = name_labels([name for name, _, _ in points], 2 * _LONGEST)
    inches = [figure.get_figwidth() - _FRAME[0], figure.get_figheight() - _FRAME[1]]
    spread = np.array([(theirs, ours) for _, ours, theirs in points])
    low = np.array([axes.get_xlim()[0], axes.get_ylim()[0]])
    span = np.array([axes.get_xlim()[1], axes.get_ylim()[1]]) - low
    for name, (x, y), (right, up) in zip(
        names, spread, label_places(names, (spread - low) / span * inches * 72), strict=True
    ):
        axes.annotate(
            name, (x, y), xytext=(right, up), textcoords="offset points", fontsize=_NAME_SIZE, color=INK,
            ha="center", va="center",
        )  # fmt: skip
    return finished(figure, plot_name("systems", metric, human), f"{metric} against {human}", description)


def label_places(names: Sequence[str], points: FloatArray) -> list[tuple[float, float]]:
    """Return where the middle of each point's name stands, so that names cover neither points nor each other.

    For each name, from the left to the right, the first of eight places around its point that is free is taken, and
    the first one where none is.

    Args:
        names: The names.
        points: Where the points are, in points of print, shape ``(names, 2)``.

    Returns:
        How far right and up of its point each name stands, in points of print.
    """
    high, taken = _NAME_SIZE, [(x - _MARKER, y - _MARKER, x + _MARKER, y + _MARKER) for x, y in points]
    places = [(0.0, 0.0)] * len(names)
    for n in sorted(range(len(names)), key=lambda n: (points[n][0], points[n][1])):
        half, (x, y) = _LETTER * cell_len(names[n]) / 2, points[n]
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


def reference_number_plot(
    results: Sequence[ReferenceResult],
    correlation: str = "pearson",
    *,
    width: str | float = "column",
    description: str = "",
) -> Plot:
    """Return one curve for each metric: its correlation with people over numbers of references.

    Bars are standard deviations over the choices of so many references.

    Args:
        results: Of one human score and one set of references.
        correlation: ``pearson`` or ``spearman``.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: What the file says of itself: the metrics' signatures.

    Raises:
        UsageError: No result, or an unknown correlation.
        MissingExtraError: matplotlib is not installed.
    """
    if not results or correlation not in CORRELATIONS:
        raise UsageError(
            f"found nothing to plot, or the unknown correlation {correlation!r}; expected one of "
            f"{', '.join(CORRELATIONS)}"
        )
    figure = new_figure(width, 2.3)
    axes = new_axes(figure, f"references of {results[0].set}", CORRELATIONS[correlation], grid="y")
    curves: dict[str, list[ReferenceResult]] = {}
    for one in results:
        curves.setdefault(one.metric, []).append(one)
    handles = [
        axes.errorbar(
            [one.references + _APART * (number - (len(curves) - 1) / 2) for one in own],
            [getattr(one, correlation) for one in own],
            yerr=[getattr(one, f"{correlation}_deviation") for one in own],
            ecolor=INK, elinewidth=0.5, capsize=1.2, capthick=0.5, **line_style(number),
        )
        for number, own in enumerate(curves.values())
    ]  # fmt: skip
    axes.set_xticks(sorted({one.references for one in results}))
    add_legend(figure, handles, list(curves))
    title = f"{CORRELATIONS[correlation]} with {results[0].human} over numbers of references"
    name = plot_name("reference-numbers", correlation, results[0].set, results[0].human)
    return finished(figure, name, title, description)


def meta_plots(found: MetaEvaluation, *, width: str | float = "column") -> list[Plot]:
    """Return a plot of each analysis that has one, each with a name of its own.

    Systems as points for ``system``, curves for ``windows`` and ``reference-numbers``, heat maps for ``rank-pairs``
    and ``system-pairs``.

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
    curves: dict[tuple[str, str], list[WindowAnalysis]] = {}
    for one in found.results.get("windows", ()):
        curves.setdefault((one.group, one.human), []).append(one)
    for (group, _), own in curves.items():
        said = "; ".join(signatures[one.metric] for one in own)
        plots += [
            _of_group(window_plot(own, kind, width=width, description=said), group) for kind in CORRELATIONS
        ]
    for one in (*found.results.get("rank-pairs", ()), *found.results.get("system-pairs", ())):
        said = signatures[one.metric]
        drawn = pair_plot(
            one.pairs, one.metric, one.of, judgements=one.judgements, width=width, description=said
        )
        plots.append(_of_group(drawn, one.group))
    numbers: dict[tuple[str, str, str], list[ReferenceResult]] = {}
    for one in found.results.get("reference-numbers", ()):
        numbers.setdefault((one.group, one.human, one.set), []).append(one)
    for (group, _, _), of_set in numbers.items():
        said = _signatures(found, of_set)
        plots += [
            _of_group(reference_number_plot(of_set, kind, width=width, description=said), group)
            for kind in CORRELATIONS
        ]
    return with_different_names(plots)


def _signatures(found: MetaEvaluation, results: Sequence[ReferenceResult]) -> str:
    """Return the signatures of metrics over a whole set of references."""
    # Where there are several sets, the names of scores end in theirs.
    known = {(s.name.removesuffix(f" {s.references}"), s.references): s.signature for s in found.metrics}
    return "; ".join(dict.fromkeys(known[one.metric, one.set] for one in results))


def _scatter_of(found: MetaEvaluation, one: SystemCorrelation, width: str | float, signature: str) -> Plot:
    scores = next(scores for scores in found.metrics if scores.name == one.metric).select(one.systems)
    theirs = found.dataset.human_scores(one.human, one.systems)
    figures = scores.aggregate(one.aggregation)
    drawn = scatter_plot(
        one.systems,
        figures.tolist(),
        theirs.tolist(),
        one.metric,
        one.human,
        width=width,
        description=signature,
    )
    return _of_group(drawn, one.group)


def _of_group(plot: Plot, group: str) -> Plot:
    return replace(plot, name=plot_name(plot.name, group), title=f"{plot.title}, group {group}")
