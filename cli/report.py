"""``jperrant report``: one page that shows systems side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import (
    OUTPUT,
    Drawing,
    NamedInputs,
    Out,
    Quiet,
    Samples,
    Seed,
    Title,
    option,
    takes_groups,
)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report")(takes_groups(report))


def report(
    inputs: NamedInputs,
    drawing: Drawing,
    samples: Samples = None,
    seed: Seed = 12345,
    title: Title = "",
    sentences: Annotated[
        int,
        option("--sentences", metavar="N", min=0, help="Show at most so many sentences.", panel=OUTPUT),
    ] = 5000,
    out: Out = "-",
    _quiet: Quiet = False,
) -> None:
    """Write one page that shows systems side by side: figures, error types, and every sentence.

    Example: jperrant report a.m2 b.m2 --ref gold.m2 --lang en -o report.html
    """
    from jperrant.cli.output import check_plots, say, score_plots, to_terminal, write_plots
    from jperrant.core.errors import UsageError
    from jperrant.io.files import check_output
    from jperrant.reporting.html.page import check_page
    from jperrant.reporting.html.report import METRICS, SAMPLES, ReportOptions
    from jperrant.reporting.html.report import report as make

    drawn = SAMPLES if samples is None else samples
    ReportOptions(title, samples=drawn, seed=seed, sentences=sentences)  # refused before anything takes long
    width = check_plots(drawing.plots, drawing.plot_width)
    paths = inputs.paths()
    check_output(out, paths)
    check_page(out)
    if out == "-" and to_terminal():
        raise UsageError("the page is HTML, which a terminal does not show; give -o FILE.html, or a pipe")
    page = make(**inputs.arguments(METRICS), title=title, samples=drawn, seed=seed, sentences=sentences)
    say(page.warnings)
    write_plots(
        drawing.plots,
        lambda: score_plots(page.scores, width=width, samples=drawn, seed=seed),
        paths,
    )
    page.save(out, paths)
