"""Plots of scores: systems by rank, precision and recall, error types, CLEME2.0's rates, and differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import PurePath
from typing import Any

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, check_known, nearest
from jperrant.core.packages import import_extra
from jperrant.core.tables import ALPHA
from jperrant.evaluation.analysis import FULL, category, checked_value, grouped, type_figures
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.statistics.significance import SEED, intervals, paired_tests, support_of
from jperrant.reporting.plots.figure import (
    EXTRA,
    GREY,
    INK,
    INTERVAL,
    LONGEST_LABEL,
    TINY_SIZE,
    Plot,
    add_legend,
    bar_style,
    draw_heat_map,
    draw_rows,
    finished,
    fitted,
    label,
    name_labels,
    new_axes,
    new_figure,
    plot_name,
    point_style,
    with_different_names,
)

#: The default number of types; those with most edits in the references come first.
TOP = 20
#: The most systems that are shown by type with intervals; more become a table of coloured cells.
_MOST_SYSTEMS = 4
#: The largest length of upright names, in inches.
_UPRIGHT = 1.3
#: Names with more letters are shortened to the last part of the path, if that distinguishes the systems.
_LONG_NAME = 24
#: The name of the row for the whole text.
_WHOLE = "all"
#: The beta of lines of equal F for metrics without the option beta.
_BETA = 0.5
#: The margin around points of precision and recall, as a share of their range, and the smallest range of the axes.
_MARGIN, _LEAST = 0.12, 0.1
#: Lines of equal F between these quantiles of the F in the axes are long enough for a label.
_ROOM = (0.04, 0.96)
#: CLEME2.0's rates of the chunks that need a change, which add up to 1 at corpus level; the fourth has another
#: divisor.
_NEEDED, _OVER = ("hit", "wrong", "under"), "over"


def plot(results: Score | Sequence[Score], kind: str = "", *, metric: str = "", **options: Any) -> Plot:
    """Draw scores for a paper or a notebook.

    Args:
        results: The result of :func:`jperrant.score`, or some of its scores.
        kind: ``by-type`` (with intervals of up to four systems), ``precision-recall`` (with lines of equal F),
            ``rank`` (with intervals), ``rates`` (CLEME2.0's four), ``differences`` (to a baseline, by type). If
            empty, ``rank`` of several systems, ``by-type`` of one.
        metric: The label of the metric to plot (one of ``Scores.metrics``), if several were scored.
        **options: Options of the plot. All kinds: ``width`` (``column``, ``text`` or inches); all but ``rates``:
            ``samples`` and ``seed`` of the bootstrap; ``by-type`` and ``differences``: ``top`` and ``level``;
            ``by-type``: ``value``; ``differences``: ``baseline``.

    Returns:
        A :class:`Plot`: a notebook shows it, ``save("x.svg")`` writes it, ``figure`` is matplotlib's.

    Raises:
        UsageError: The kind or an option is unknown, or the metric lacks the figures of the plot.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> scores = jperrant.score(["a.m2", "b.m2"], "gold.m2")
        >>> jperrant.plot(scores, "by-type", width="text").save("by-type.svg")
    """
    if kind:
        check_known("plot", kind, SCORE_PLOTS)
    scores = _of_one_metric(Scores((results,) if isinstance(results, Score) else results), metric)
    kind = kind or ("rank" if len(scores) > 1 else "by-type")
    draw = SCORE_PLOTS[kind]
    known_options = tuple(signature(draw).parameters)[1:]
    for name in options:
        if name not in known_options:
            raise UsageError(
                f"plot {kind!r} has no option {name!r}{nearest(name, known_options)}; options: "
                f"{', '.join(known_options)}"
            )
    return draw(scores, **options)


def _of_one_metric(scores: Scores, metric: str) -> list[Score]:
    by_metric = scores.by_metric()
    if metric and metric not in by_metric:
        raise UsageError(
            f"found no metric {metric!r}{nearest(metric, by_metric)}; expected one of {', '.join(by_metric)}"
        )
    if not metric and len(by_metric) != 1:
        raise UsageError(f"several metrics were scored; give the one to plot: {', '.join(by_metric)}")
    return by_metric[metric or next(iter(by_metric))]


def plots_of(
    results: Sequence[Score],
    *,
    baseline: str = "",
    level: int = FULL,
    width: str | float = "column",
    samples: int | None = None,
    seed: int = SEED,
) -> list[Plot]:
    """Return every plot that is possible for scores, with distinct names.

    Args:
        results: Scores of one metric or several.
        baseline: The system that a plot of differences compares the others with; empty for no such plot.
        level: The part of an error type that is shown: operation (1), category (2) or the full type (3).
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: The number of bootstrap samples, and the seed.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    plots: list[Plot] = []
    drawn: dict[str, Any] = {"width": width, "samples": samples, "seed": seed}
    for metric, scores in Scores(results).by_metric().items():
        if not scores[0].sentences:
            continue
        own = [rank_plot(scores, **drawn)] if len(scores) > 1 else []
        if _has_precision_and_recall(scores[0]):
            own.append(precision_recall_plot(scores, **drawn))
        if _has_rates(scores[0]):
            own.append(rates_plot(scores, width=width))
        if any(score.by_type for score in scores):
            own.append(by_type_plot(scores, level=level, **drawn))
        if baseline:
            own.append(differences_plot(scores, baseline=baseline, level=level, **drawn))
        prefix = plot_name(scores[0].metric)
        plots += [replace(p, name=plot_name(metric) + p.name.removeprefix(prefix)) for p in own]
    return with_different_names(plots)


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
    """Return a value of a metric by error type: bars with 95 % bootstrap intervals, or cells for many systems.

    The numbers after the types count the edits of the references of the first system, which may be chosen sentence
    by sentence.

    Args:
        scores: Systems scored by one metric that knows error types.
        value: The name of a value of the metric; its main value if empty.
        level: The part of an error type that is shown: operation (1), category (2) or the full type (3).
        top: The number of types; those with most edits in the references are shown.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: The number of bootstrap samples, and the seed.

    Raises:
        UsageError: The metric has no figures by type or no such value, or no type is asked for.
        MissingExtraError: matplotlib is not installed.
    """
    _check_scores(scores, top)
    name = checked_value(scores[0], value)
    if level != FULL:
        scores = [grouped(score, lambda type_: category(type_, level)) for score in scores]
    many = len(scores) > _MOST_SYSTEMS
    figures = type_figures(scores, name, 1 if many else samples, seed)
    if not figures:
        raise UsageError(f"metric {scores[0].metric!r} has no figures by type here")
    support = {type_: of_type[0].support for type_, of_type in figures.items()}
    types = sorted(figures, key=lambda type_: (-(support[type_] or 0.0), type_))[:top]
    rows = [_type_label(type_, support[type_]) for type_ in types]
    shown = [
        np.array([(one.value, one.low, one.high) for one in own])
        for own in zip(*(figures[type_] for type_ in types), strict=True)
    ]
    measure = _value_label(scores[0], name)
    figure = _figure_of_types(width, len(rows), len(scores))
    if many:
        values = np.stack([own[:, 0] for own in shown], axis=1)
        ends = (min(0.0, float(np.nanmin(values))), max(1e-9, float(np.nanmax(values))))
        columns = fitted(_names(scores), _UPRIGHT)
        draw_heat_map(new_axes(figure), values, rows, columns, ends, title=label(measure), upright=True)
    else:
        handles = draw_rows(new_axes(figure, measure, grid="x"), rows, shown, bars=True)
        if len(scores) > 1:
            add_legend(figure, handles, _names(scores))
    title = f"{measure} by error type" + (
        f", the {top} most frequent of {len(figures)}" if len(figures) > top else ""
    )
    return finished(figure, plot_name(scores[0].metric, "by-type"), title, _signatures(scores))


def _figure_of_types(width: str | float, rows: int, systems: int) -> Any:
    """Return a figure for rows of types, high enough for bars of few systems, or cells and upright names."""
    if systems > _MOST_SYSTEMS:
        return new_figure(width, 0.35 + _UPRIGHT + 0.155 * rows)
    return new_figure(width, 0.55 + rows * max(0.16, 0.05 + 0.075 * systems))


def _type_label(type_: str, support: float | None) -> str:
    return label(type_, longest=24) + ("" if support is None else f" ({support:.4g})")


def differences_plot(
    scores: Sequence[Score],
    *,
    baseline: str = "",
    level: int = FULL,
    top: int = TOP,
    width: str | float = "column",
    samples: int | None = None,
    seed: int = SEED,
) -> Plot:
    """Return the difference of each system from the baseline, for the whole text and by error type.

    Intervals are 95 % bootstrap intervals. A filled marker is a difference whose p-value, by paired randomisation
    and corrected by Holm, is below 0.05. With many systems the plot is a table of coloured cells without intervals,
    where such a difference is bold or has a dot. The numbers after the types count the edits of the baseline's
    references.

    Args:
        scores: Two systems or more, scored by one metric.
        baseline: The name of a system; the first if empty.
        level: The part of an error type that is shown: operation (1), category (2) or the full type (3).
        top: The number of types; those with most edits in the references are shown.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: As in :func:`jperrant.paired_tests`.

    Raises:
        UsageError: Fewer than one type is asked for, or fewer than two systems.
        MissingExtraError: matplotlib is not installed.
    """
    _check_scores(scores, top)
    if level != FULL:
        scores = [grouped(score, lambda type_: category(type_, level)) for score in scores]
    found = paired_tests(scores, samples=samples, seed=seed, baseline=baseline, by_type=True)
    scorer, names = scores[0].scorer, _names(scores)
    first = [score.hypothesis for score in scores].index(found[0].baseline)
    others = [*names[:first], *names[first + 1 :]]
    support = {name: support_of(scorer, row) for name, row in scores[first].by_type.items()}
    frequent = sorted(found[0].types, key=lambda name: (-(support.get(name) or 0.0), name))[:top]
    support[_WHOLE] = support_of(scorer, scores[first].total)
    leads = [[one.differences[scorer.main], *(one.types[name] for name in frequent)] for one in found]
    rows = [_type_label(name, support.get(name)) for name in (_WHOLE, *frequent)]
    shown = [np.array([(one.value, one.low, one.high) for one in own]) for own in leads]
    certain = [[row for row, one in enumerate(own) if one.p_corrected < ALPHA] for own in leads]
    measure = _value_label(scores[0], scorer.main)
    [name] = name_labels(names[first : first + 1], max(8, LONGEST_LABEL - len(f"{measure}: … minus ")))
    compared, mark = f"{label(measure)}: … minus {name}", "filled"
    figure = _figure_of_types(width, len(rows), len(others))
    axes = new_axes(figure)
    if len(others) > _MOST_SYSTEMS:
        values = np.stack([own[:, 0] for own in shown], axis=1)
        bold = np.array([[row in own for own in certain] for row in range(len(rows))])
        end, mark = float(np.nanmax(np.abs(values))) or 1.0, "bold or dot"
        cells: dict[str, Any] = {"title": compared, "signed": True, "upright": True, "certain": bold}
        draw_heat_map(axes, values, rows, fitted(others, _UPRIGHT), (-end, end), **cells)
    else:
        axes.set_xlabel(compared)
        axes.axvline(0, color=INK, linewidth=0.6, linestyle="-", zorder=1)
        add_legend(figure, draw_rows(axes, rows, shown, certain=certain), [f"{one} …" for one in others])
    title = f"{measure}: other systems minus {names[first]}; {mark}: p < {ALPHA}, corrected"
    return finished(figure, plot_name(scorer.name, "differences"), title, _signatures(scores))


def rank_plot(
    scores: Sequence[Score], *, width: str | float = "column", samples: int | None = None, seed: int = SEED
) -> Plot:
    """Return systems, the best on top, each with the metric's main value and its bootstrap interval (95 %).

    Args:
        scores: Systems scored by one metric over the same references.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: The number of bootstrap samples, and the seed.

    Raises:
        UsageError: There are no scores, or they are of several metrics.
        MissingExtraError: matplotlib is not installed.
    """
    _check_scores(scores)
    main = scores[0].scorer.main
    sign = 1 if scores[0].scorer.better_lower(main) else -1
    figures = [sign * score.values[main] for score in scores]
    order = sorted(range(len(scores)), key=lambda n: math.inf if math.isnan(figures[n]) else figures[n])
    figure = new_figure(width, 0.55 + 0.17 * len(scores))
    better = ", lower is better" if sign > 0 else ""
    title = _value_label(scores[0], main) + better
    axes = new_axes(figure, title, grid="both")
    names = fitted(_names(scores), 0.4 * figure.get_figwidth())
    values = []
    for system in order:
        found = intervals(scores[system], samples, seed).get(main)
        low, high = (found.low, found.high) if found else (math.nan, math.nan)
        values.append((scores[system].values[main] if found else math.nan, low, high))
    draw_rows(axes, [names[system] for system in order], [np.array(values)])
    return finished(figure, plot_name(scores[0].metric, "rank"), f"Systems by {title}", _signatures(scores))


def rates_plot(scores: Sequence[Score], *, width: str | float = "column") -> Plot:
    """Return hit, wrong and under-correction of each system as a stacked bar, and over-correction beside it.

    The first three are shares of the chunks that need a change (TP + FPne + FN). Over-correction is a share of the
    chunks that the system changed (TP + FPne + FPun), so it has a bar of its own (Ye et al. 2025, section 3).

    Args:
        scores: Systems scored by CLEME2.0.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.

    Raises:
        UsageError: The metric has other values.
        MissingExtraError: matplotlib is not installed.
    """
    _check_scores(scores)
    if not _has_rates(scores[0]):
        raise UsageError(f"metric {scores[0].metric!r} has no rates of hits and over-correction to plot")
    figure = new_figure(width, 0.7 + 0.17 * len(scores))
    grid = figure.add_gridspec(1, 2, width_ratios=(3, 2))
    left = new_axes(figure, subplotspec=grid[0])
    right = new_axes(figure, subplotspec=grid[1], sharey=left)
    left.set_xlabel("share of\nneeded changes")
    right.set_xlabel("share of\nchanges made")
    rows = np.arange(len(scores))
    handles, start = [], np.zeros(len(scores))
    for number, name in enumerate(_NEEDED):
        values = np.array([score.values[name] for score in scores])
        handles.append(left.barh(rows, values, left=start, height=0.65, **bar_style(number)))
        start += values
    over = [score.values[_OVER] for score in scores]
    handles.append(right.barh(rows, over, height=0.65, **bar_style(len(_NEEDED))))
    left.set_yticks(rows, fitted(_names(scores), 0.36 * figure.get_figwidth()))
    left.set(ylim=(len(scores) - 0.5, -0.5), xlim=(0, 1))
    right.tick_params(labelleft=False)
    right.set_xlim(0, max([*over, 0.05]) * 1.1)
    add_legend(figure, handles, ("hit", "wrong", "under-correction", "over-correction"))
    title = f"{scores[0].metric}: hits, wrong, under- and over-correction"
    return finished(figure, plot_name(scores[0].metric, "rates"), title, _signatures(scores))


def _has_rates(score: Score) -> bool:
    return {*_NEEDED, _OVER} <= score.values.keys()


def precision_recall_plot(
    scores: Sequence[Score], *, width: str | float = "column", samples: int | None = None, seed: int = SEED
) -> Plot:
    """Return systems as points of recall and precision with 95 % bootstrap intervals, and lines of equal F.

    A system that changes nothing has no precision; it is not drawn, and a note says so. A line of equal F solves
    ``F = (1 + b²) P R / (b² P + R)`` for P; b is the metric's beta.

    Args:
        scores: Systems scored by one metric that has precision and recall.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: The number of bootstrap samples, and the seed.

    Raises:
        UsageError: The metric has no precision and recall.
        MissingExtraError: matplotlib is not installed.
    """
    _check_scores(scores)
    if not _has_precision_and_recall(scores[0]):
        raise UsageError(f"metric {scores[0].metric!r} has no precision and recall to plot")
    without = [score.hypothesis for score in scores if not _proposed(score)]
    notes = [f"{name} proposes no edits: it has no precision and is not in the plot" for name in without]
    if len(without) == len(scores):
        notes = []
    else:
        scores = [score for score in scores if _proposed(score)]
    figure = new_figure(width, 2.8)
    axes = new_axes(figure, "recall", "precision")
    handles, spans = [], []
    for number, score in enumerate(scores):
        found = intervals(score, samples, seed)
        span = np.array(
            [
                (value, *((own.low, own.high) if (own := found.get(name)) else (value, value)))
                for name in ("recall", "precision")
                for value in [score.values[name]]
            ]
        )
        reach = np.maximum(np.nan_to_num([span[:, 0] - span[:, 1], span[:, 2] - span[:, 0]]), 0)
        ends = {"xerr": reach[:, :1], "yerr": reach[:, 1:]}
        handles.append(axes.errorbar(*span[:, :1], **ends, zorder=3, **point_style(number), **INTERVAL))
        spans.append(span)
    axes.set(**dict(zip(("xlim", "ylim"), map(_limits, np.concatenate(spans, axis=1)), strict=True)))
    beta = float(getattr(scores[0].scorer, "beta", _BETA))
    lines = _draw_lines(axes, beta)
    add_legend(figure, handles, _names(scores))
    title = f"{scores[0].metric}: precision and recall, lines of equal F{beta:g}"
    name = plot_name(scores[0].metric, "precision-recall")
    drawn = finished(figure, name, title, _signatures(scores), lines)
    return replace(drawn, notes=(*drawn.notes, *notes))


def _has_precision_and_recall(score: Score) -> bool:
    return {"precision", "recall"} <= score.values.keys()


def _proposed(score: Score) -> float:
    """Return the number or mass of the edits that a system proposes; 1 if the metric does not count them."""
    counts = dict(zip(score.scorer.columns, score.total, strict=True))
    return counts["tp"] + counts["fp"] if {"tp", "fp"} <= counts.keys() else 1.0


def _limits(values: FloatArray) -> tuple[float, float]:
    """Return the ends of an axis around values, with a margin."""
    low, high = float(values.min()), float(values.max())
    room = max(_MARGIN * (high - low), (_LEAST - (high - low)) / 2)
    # A little beyond 0 and 1, so that points on the edge are not cut.
    return max(-0.01, low - room), min(1.01, high + room)


def _draw_lines(axes: Any, beta: float) -> list[Any]:
    """Draw lines of equal F, about six of them, where the axes show them; return the texts that name their F."""
    ends = [np.linspace(max(low, 1e-6), high, 200) for low, high in (axes.get_xlim(), axes.get_ylim())]
    recall, precision = np.meshgrid(*ends)
    f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    rounds = import_extra("matplotlib.ticker", EXTRA).MaxNLocator(6, steps=[1, 2, 5, 10])
    low, high = np.quantile(f, _ROOM)
    levels = [level for level in rounds.tick_values(low, high) if low < level < high]
    if not levels:
        return []
    drawn = axes.contour(recall, precision, f, levels, colors=GREY, linewidths=0.5, zorder=1)
    return list(axes.clabel(drawn, fmt="%.2g", fontsize=TINY_SIZE, colors=GREY, inline_spacing=1))


#: Plots of scores by kind.
SCORE_PLOTS: Mapping[str, Callable[..., Plot]] = {
    "by-type": by_type_plot,
    "precision-recall": precision_recall_plot,
    "rank": rank_plot,
    "rates": rates_plot,
    "differences": differences_plot,
}


def _names(scores: Sequence[Score]) -> list[str]:
    """Return the names of systems in a plot; long paths become file names."""
    names = [score.hypothesis for score in scores]
    last = [PurePath(name).name for name in names]
    return last if max(map(len, names), default=0) > _LONG_NAME and len({*last}) == len({*names}) else names


def _value_label(score: Score, value: str) -> str:
    """Return the name of a metric's value on an axis: ``errant F0.5``, ``cleme2 score``, ``gleu``."""
    beta = getattr(score.scorer, "beta", None)
    name = f"F{beta:g}" if value == "f" and isinstance(beta, float | int) else value
    return name if name == score.metric else f"{score.metric} {name}"


def _signatures(scores: Sequence[Score]) -> str:
    """Return the signatures of scores, each once, for the description of a picture."""
    return "; ".join(dict.fromkeys(score.signature for score in scores))


def _check_scores(scores: Sequence[Score], top: int = 1) -> None:
    """Check that there are scores of one metric with sentences, and that at least one type is wanted."""
    if not scores or not all(score.sentences for score in scores):
        raise UsageError("found no sentences to plot")
    if any(score.scorer != scores[0].scorer for score in scores):
        raise UsageError("a plot shows one metric; give the scores of one (Scores.by_metric)")
    if top < 1:
        raise UsageError(f"found {top} types to show, expected 1 or more")
