"""All plots of scores: one by its kind, or every one that suits, as files of a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.analysis import FULL
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.statistics.significance import SEED
from jperrant.reporting.plots.by_type import by_type_plot
from jperrant.reporting.plots.differences import differences_plot
from jperrant.reporting.plots.figure import Plot
from jperrant.reporting.plots.picture import make_folder, write_pictures
from jperrant.reporting.plots.precision_recall import has_precision_and_recall, precision_recall_plot
from jperrant.reporting.plots.ranks import rank_plot
from jperrant.reporting.plots.rates import has_rates, rates_plot
from jperrant.reporting.plots.systems import plot_name

#: Formats that a folder of plots has.
FOLDER_FORMATS = ("svg", "png")
#: Plots of scores by kind.
SCORE_PLOTS: dict[str, Callable[..., Plot]] = {
    "by-type": by_type_plot,
    "precision-recall": precision_recall_plot,
    "rank": rank_plot,
    "rates": rates_plot,
    "differences": differences_plot,
}


def plot(results: Score | Sequence[Score], kind: str = "", *, metric: str = "", **options: Any) -> Plot:
    """Draw scores for a paper or a notebook.

    Args:
        results: What :func:`jperrant.score` returned, or some of its scores.
        kind: ``by-type`` (bars with intervals), ``precision-recall`` (with lines of equal F), ``rank`` (with
            intervals), ``rates`` (CLEME2.0's four), ``differences`` (to a baseline, by type). If empty, ``rank``
            of several systems, ``by-type`` of one.
        metric: Which of several metrics (``Scores.metrics``).
        **options: ``width`` (``column``, ``text`` or inches); ``samples`` and ``seed`` of the bootstrap
            (all but ``rates``); ``top`` (``by-type``, ``differences``); ``baseline`` (``differences``); ``value``
            (``by-type``); ``level`` (``by-type``, ``differences``).

    Returns:
        A :class:`Plot`: a notebook shows it, ``save("x.svg")`` writes it, ``figure`` is matplotlib's.

    Raises:
        UsageError: There is no such kind or option, or the metric has nothing for it.
        MissingExtraError: matplotlib is not installed.

    Example:
        >>> scores = jperrant.score("a.m2", "b.m2", "gold.m2")
        >>> jperrant.plot(scores, "by-type", width="text").save("by-type.svg")
    """
    if kind and kind not in SCORE_PLOTS:
        known = ", ".join(SCORE_PLOTS)
        raise UsageError(f"unknown plot {kind!r}{nearest(kind, SCORE_PLOTS)}; expected one of {known}")
    scores = _of_one_metric(Scores((results,) if isinstance(results, Score) else results), metric)
    kind = kind or ("rank" if len(scores) > 1 else "by-type")
    return _drawn(kind, SCORE_PLOTS[kind], scores, options)


def plots_of(
    results: Sequence[Score],
    *,
    baseline: str = "",
    level: int = FULL,
    width: str | float = "column",
    samples: int | None = None,
    seed: int = SEED,
) -> list[Plot]:
    """Return every plot that suits scores; each has a name of its own.

    Args:
        results: Scores of one metric or several.
        baseline: A system: draw the differences of the others to it.
        level: What stands for a type: 1 operation, 2 category, 3 full type.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: Of the bootstrap.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    plots: list[Plot] = []
    drawn: dict[str, Any] = {"width": width, "samples": samples, "seed": seed}
    for metric, scores in Scores(results).by_metric().items():
        if not scores[0].sentences:
            continue
        own = [rank_plot(scores, **drawn)] if len(scores) > 1 else []
        if has_precision_and_recall(scores[0]):
            own.append(precision_recall_plot(scores, **drawn))
        if has_rates(scores[0]):
            own.append(rates_plot(scores, width=width))
        if any(score.by_type for score in scores):
            own.append(by_type_plot(scores, level=level, **drawn))
        if baseline:
            own.append(differences_plot(scores, baseline=baseline, level=level, **drawn))
        prefix = plot_name(scores[0].metric)
        plots += [replace(p, name=plot_name(metric) + p.name.removeprefix(prefix)) for p in own]
    return with_different_names(plots)


def save_plots(
    plots: Sequence[Plot], folder: str, inputs: Iterable[str] = (), formats: Sequence[str] = FOLDER_FORMATS
) -> list[str]:
    """Write plots to a folder, each in every format; return the files.

    Args:
        plots: Plots of different names.
        folder: Made if it is not there.
        inputs: Files that must not be overwritten.
        formats: Among ``svg``, ``png`` and ``pdf``.

    Raises:
        InputError: The folder cannot be made, or a file cannot be written.
        UsageError: A file is one of the inputs.
    """
    pictures = {f"{one.name}.{format}": one.to_bytes(format) for one in plots for format in formats}
    place = make_folder(folder)
    files = {str(place / name): content for name, content in pictures.items()}
    write_pictures(files, inputs)
    return list(files)


def _drawn(kind: str, draw: Callable[..., Plot], results: object, options: dict[str, Any]) -> Plot:
    """Draw one kind, refusing options that it does not have."""
    known = tuple(signature(draw).parameters)[1:]
    for name in options:
        if name not in known:
            raise UsageError(
                f"plot {kind!r} has no option {name!r}{nearest(name, known)}; options: {', '.join(known)}"
            )
    return draw(results, **options)


def _of_one_metric(scores: Scores, metric: str) -> list[Score]:
    by_metric = scores.by_metric()
    if metric and metric not in by_metric:
        raise UsageError(
            f"found no metric {metric!r}{nearest(metric, by_metric)}; expected one of {', '.join(by_metric)}"
        )
    if not metric and len(by_metric) != 1:
        raise UsageError(f"several metrics were scored; give the one to plot: {', '.join(by_metric)}")
    return by_metric[metric or next(iter(by_metric))]


def with_different_names(plots: Sequence[Plot]) -> list[Plot]:
    """Return plots of which no two have one name: a later one gets a number."""
    times: dict[str, int] = {}
    named = []
    for one in plots:
        times[one.name] = times.get(one.name, 0) + 1
        named.append(replace(one, name=f"{one.name}-{times[one.name]}") if times[one.name] > 1 else one)
    return named
