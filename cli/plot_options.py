"""Options that write plots to a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from jperrant.cli.input_options import OUTPUT

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.score import Score
    from jperrant.reporting.plots.figure import Plot

_WIDTH = "column"
Plots: TypeAlias = Annotated[
    str | None,
    typer.Option("--plots", metavar="DIR", help="Plots, as SVG and PNG files.", rich_help_panel=OUTPUT),
]
PlotWidth: TypeAlias = Annotated[
    str,
    typer.Option(
        "--plot-width", metavar="column|text|INCHES", help="How wide plots are.", rich_help_panel=OUTPUT
    ),
]


def check_plot_options(folder: str | None, width: str = _WIDTH) -> float:
    """Return how wide plots are, in inches, after checking before anything is computed that they can be drawn.

    Where none are asked for that is 0, and nothing of what draws them is imported.

    Raises:
        UsageError: The width is impossible.
        InputError: The folder is a file, or lies in one.
        MissingExtraError: matplotlib is not installed.
    """
    if folder is None and width == _WIDTH:
        return 0.0
    from jperrant.reporting.plots.figure import check_plots, width_in_inches

    if folder is not None:
        check_plots(folder)
    return width_in_inches(width)


def write_plots(folder: str | None, draw: Callable[[], Sequence[Plot]], inputs: Iterable[str]) -> None:
    """Draw plots and write them to a folder, if one was asked for.

    Raises:
        InputError: A file cannot be written.
        UsageError: A file is one of the inputs.
    """
    if folder is None:
        return
    from jperrant.cli.output import say
    from jperrant.reporting.plots.figure import save_plots

    plots = draw()
    say(note for plot in plots for note in plot.notes)
    save_plots(plots, folder, inputs)


def score_plots(results: Sequence[Score], **settings: Any) -> list[Plot]:
    """Return the plots of scores, as ``plots_of``; what draws them is imported only here."""
    from jperrant.reporting.plots.scores import plots_of

    return plots_of(results, **settings)
