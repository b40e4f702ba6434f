"""``jperrant score``: any metric, for one system or several, over M2 or texts."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import ScoredInputs, takes_groups
from jperrant.cli.input_options import (
    OUTPUT,
    STATISTICS,
    Out,
    ResultFormat,
    ResultJson,
    Samples,
    Seed,
    with_files_inside,
)
from jperrant.cli.layout_options import BoldBest, Columns, Decimals, Intervals, Percent
from jperrant.cli.options import Quiet
from jperrant.cli.plot_options import Plots, PlotWidth


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("score")(takes_groups(score))


def score(
    inputs: ScoredInputs,
    ci: Annotated[
        bool, typer.Option("--ci", help="95 % bootstrap intervals.", rich_help_panel=STATISTICS)
    ] = False,
    baseline: Annotated[
        str,
        typer.Option(
            "--baseline", metavar="NAME", help="Test the others against it.", rich_help_panel=STATISTICS
        ),
    ] = "",
    paired_bs: Annotated[
        bool, typer.Option("--paired-bs", help="By paired bootstrap.", rich_help_panel=STATISTICS)
    ] = False,
    paired_ar: Annotated[
        bool, typer.Option("--paired-ar", help="By paired randomisation.", rich_help_panel=STATISTICS)
    ] = False,
    rank: Annotated[
        bool, typer.Option("--rank", help="TrueSkill and Expected Wins.", rich_help_panel=STATISTICS)
    ] = False,
    samples: Samples = None,
    seed: Seed = 12345,
    category: Annotated[
        int | None,
        typer.Option(
            "--category",
            metavar="1|2|3",
            help="By operation, category or full type.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    by_type: Annotated[
        bool, typer.Option("--by-type", help="Short for --category 3.", rich_help_panel=OUTPUT)
    ] = False,
    groups: Annotated[
        bool, typer.Option("--groups", help="Types in groups all languages share.", rich_help_panel=OUTPUT)
    ] = False,
    macro: Annotated[
        bool, typer.Option("--macro", help="Add the mean over types.", rich_help_panel=OUTPUT)
    ] = False,
    per_sentence: Annotated[
        str | None,
        typer.Option(
            "--per-sentence",
            metavar="FILE",
            help="Each sentence, as .tsv, .csv or .jsonl.",
            rich_help_panel=OUTPUT,
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
    _quiet: Quiet = False,
) -> None:
    """Score systems with any metric, over M2 files or over texts.

    Example: jperrant score a.txt b.txt --ref r.txt --source s.txt -m errant -m gleu
    """
    import jperrant
    from jperrant.cli.layout_options import layout_of
    from jperrant.cli.output import say, show
    from jperrant.cli.plot_options import check_plot_options, score_plots, write_plots
    from jperrant.core.tables import EXACT, format_of
    from jperrant.evaluation.analysis import FULL, check_level, tests_of
    from jperrant.evaluation.score_tables import (
        SENTENCE_FORMATS,
        check_columns,
        check_plans,
        format_scores,
        sentence_lines,
    )
    from jperrant.evaluation.statistics.differences import check_baseline
    from jperrant.io.files import STDIO, check_outputs, open_output

    paths = with_files_inside(inputs.paths(), "*.m2*")
    check_outputs([path for path in (per_sentence, out) if path and path != STDIO], paths)
    kind = format_of(format, out, json=json)
    layout = layout_of(columns, intervals, percent, decimals, bold_best)
    layout.check(kind)
    width = check_plot_options(plots, plot_width)
    level = FULL if by_type else (2 if groups else None) if category is None else category
    if level is not None:
        check_level(level)
    each = format_of(None, per_sentence, known=SENTENCE_FORMATS) if per_sentence else ""
    asked = inputs.arguments()
    whole = check_plans(asked["metrics"], kind, each)
    check_baseline([*asked["systems"]], baseline)
    if layout.columns:
        tests = tests_of(paired_bs, paired_ar, baseline)
        check_columns(
            layout,
            asked["metrics"],
            long=level is not None and kind in EXACT and not tests,
            ci=ci or bool(intervals),
            macro=macro,
            tests=tests,
            others=len(asked["systems"]) - 1,
            rank=rank,
        )
    scores = jperrant.score(**asked)
    if groups:
        scores, warnings = scores.in_groups()
        say(warnings)
    analyses = scores.analyse(
        level=FULL if level is None else level,
        per_sentence=per_sentence is not None or whole,
        macro=macro,
        ci=ci or bool(intervals),
        paired_bs=paired_bs,
        paired_ar=paired_ar,
        baseline=baseline,
        types=level is not None,
        differing=bool(baseline) and kind == "json",
        samples=samples,
        seed=seed,
        rank=rank,
    )
    text = format_scores(scores, analyses, kind, types=level is not None, layout=layout)
    say(scores.warnings())
    if per_sentence is not None:
        with open_output(per_sentence, paths) as stream:
            for line in sentence_lines(scores, "tsv" if each == "text" else each):
                stream.write(line)
    write_plots(
        plots,
        lambda: score_plots(
            scores,
            baseline=baseline,
            level=FULL if level is None else level,
            width=width,
            samples=samples,
            seed=seed,
        ),
        paths,
    )
    show(text, out, paths)
