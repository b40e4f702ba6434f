"""``jperrant report``: one page that shows systems side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.completion import metric_names
from jperrant.cli.input_options import (
    INPUTS,
    OUTPUT,
    Cache,
    Hyp,
    Lang,
    Models,
    OnePerLine,
    Out,
    Pack,
    Raw,
    Ref,
    Samples,
    Seed,
    Source,
    SplitOn,
    StrictInputs,
    Tokens,
    input_paths,
)
from jperrant.cli.layout_options import Names
from jperrant.cli.metric_options import flags_given, shared_flags
from jperrant.cli.options import Quiet
from jperrant.cli.output import to_terminal
from jperrant.cli.plot_options import Plots, PlotWidth
from jperrant.cli.score import ScoreCommand
from jperrant.core.splitting import Splitting


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report", cls=ScoreCommand)(report)


def report(
    ctx: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HYP... REF]", help="Systems and, last, the references, unless --ref is given."
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            autocompletion=metric_names,
            metavar="NAME[:OPTION=VALUE,...]",
            help="Repeatable; errant and cleme2 if left out.",
            rich_help_panel=INPUTS,
        ),
    ] = None,
    hyp: Hyp = None,
    ref: Ref = None,
    source: Source = None,
    lang: Lang = None,
    raw: Raw = False,
    split_on: SplitOn = None,
    one_sentence_per_line: OnePerLine = False,
    tokens: Tokens = "given",
    models: Models = None,
    pack: Pack = None,
    strict: StrictInputs = False,
    cache: Cache = "",
    samples: Samples = None,
    seed: Seed = 12345,
    title: Annotated[str, typer.Option("--title", help="Title of the page.", rich_help_panel=OUTPUT)] = "",
    sentences: Annotated[
        int,
        typer.Option(
            "--sentences", min=0, help="The most sentences that the page holds.", rich_help_panel=OUTPUT
        ),
    ] = 5000,
    names: Names = "stems",
    plots: Plots = None,
    plot_width: PlotWidth = "column",
    out: Out = "-",
    _quiet: Quiet = False,
) -> None:
    """Write one page that shows systems side by side: figures, error types, and every sentence.

    Example: jperrant report a.m2 b.m2 --ref gold.m2 --lang en -o report.html
    """
    from jperrant.cli.layout_options import listed
    from jperrant.cli.output import say
    from jperrant.cli.plot_options import check_plot_options, score_plots, write_plots
    from jperrant.core.errors import UsageError
    from jperrant.evaluation.run import load_files, roles_of
    from jperrant.io.files import check_output
    from jperrant.reporting.html.inputs import input_files
    from jperrant.reporting.html.report import METRICS, SAMPLES, ReportOptions, make_report

    options = ReportOptions(title, lang, pack, SAMPLES if samples is None else samples, seed, sentences)
    width = check_plot_options(plots, plot_width)
    inputs = input_paths(files, hyp, ref, source, pack=pack)
    check_output(out, inputs)
    if out == "-" and to_terminal():
        raise UsageError("the page is HTML, which a terminal does not show; give -o FILE.html, or a pipe")
    scorers, pairs = load_files(
        files or (),
        hypotheses=hyp or (),
        references=ref or (),
        source=source,
        metrics=metric or METRICS,
        options=flags_given(ctx),
        shared=shared_flags(ctx),
        lang=lang,
        raw=raw,
        split_on=Splitting.of_options(split_on, one_sentence_per_line),
        tokens=tokens,
        models=models,
        pack=pack,
        cache=cache,
        strict=strict,
        names=listed(names),
    )
    systems, references, _ = roles_of(scorers, files or (), hyp or (), ref or ())
    read = input_files(systems, [pair.name for pair in pairs], references, source)
    page = make_report(scorers, pairs, options, read)
    say(page.warnings)
    write_plots(
        plots,
        lambda: score_plots(page.scores, width=width, samples=options.samples, seed=seed),
        inputs,
    )
    page.save(out, inputs)
