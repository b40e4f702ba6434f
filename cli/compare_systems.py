"""``jperrant compare-systems``: why one system is better than another."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import NamedInputs, takes_groups
from jperrant.cli.input_options import (
    OUTPUT,
    STATISTICS,
    Out,
    ResultFormat,
    ResultJson,
    Samples,
    Seed,
)
from jperrant.cli.layout_options import BoldBest, Columns, Decimals, Intervals, Percent
from jperrant.cli.plot_options import Plots, PlotWidth
from jperrant.cli.score import ScoreCommand


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("compare-systems", cls=ScoreCommand)(takes_groups(compare_systems))


def compare_systems(
    ctx: typer.Context,
    inputs: NamedInputs,
    test: Annotated[
        str,
        typer.Option(
            "--test", metavar="randomisation|bootstrap", help="The paired test.", rich_help_panel=STATISTICS
        ),
    ] = "randomisation",
    correction: Annotated[
        str,
        typer.Option(
            "--correction",
            metavar="holm|bh|none",
            help="Of p for many tests: Holm, Benjamini-Hochberg.",
            rich_help_panel=STATISTICS,
        ),
    ] = "holm",
    samples: Samples = None,
    seed: Seed = 12345,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="types|edits|sentences",
            help="Only this table; repeatable.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="type|support|difference|p",
            help="Order of the types.",
            rich_help_panel=OUTPUT,
        ),
    ] = "type",
    top: Annotated[
        int | None,
        typer.Option(
            "--top", metavar="N", help="Types, and sentences with A ahead and behind.", rich_help_panel=OUTPUT
        ),
    ] = None,
    format: ResultFormat = None,
    json: ResultJson = False,
    out: Out = "-",
    columns: Columns = "",
    intervals: Intervals = "",
    percent: Percent = False,
    decimals: Decimals = None,
    bold_best: BoldBest = False,
    plots: Plots = None,
    plot_width: PlotWidth = "column",
) -> None:
    """Compare a system with others: by error type, sentence by sentence, edit by edit.

    Example: jperrant compare-systems a.m2 b.m2 --ref gold.m2 --sort p --top 10
    """
    from jperrant.cli.layout_options import layout_of
    from jperrant.cli.output import say, show
    from jperrant.cli.plot_options import check_plot_options, score_plots, write_plots
    from jperrant.core.tables import format_of
    from jperrant.evaluation.comparison import check_comparison, check_one_metric, compare_pairs
    from jperrant.evaluation.run import read_pairs
    from jperrant.io.files import check_output
    from jperrant.reporting.system_comparison import check_request, format_comparison

    check_one_metric(inputs.metric or ["errant"])
    kind = format_of(format, out, json=json)
    layout = layout_of(columns, intervals, percent, decimals, bold_best)
    layout.check(kind)
    width = check_plot_options(plots, plot_width)
    check_request(table or (), sort, top, kind)
    statistics = check_comparison(test, samples, seed, correction)
    paths = inputs.paths()
    check_output(out, paths)
    scorers, pairs = read_pairs(**inputs.arguments(ctx))
    found = compare_pairs(scorers, pairs, statistics)
    text = format_comparison(found, kind, layout=layout, tables=table or (), sort=sort, top=top)
    say(line for score in found.scores for line in score.warnings)
    write_plots(plots, lambda: score_plots(found, width=width, seed=seed), paths)
    show(text, out, paths)
