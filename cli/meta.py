"""``jperrant meta``: how well metrics agree with people."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

from jperrant.cli.completion import languages, metric_names
from jperrant.cli.input_options import (
    STATISTICS,
    TEXTS,
    Cache,
    Out,
    ResultFormat,
    ResultJson,
    Samples,
    Seed,
    under,
)
from jperrant.cli.layout_options import BoldBest, Columns, Decimals, Intervals, Percent
from jperrant.cli.plot_options import Plots, PlotWidth

DATA, COMPARED = "Data", "What is compared"
#: Values of an option that may be repeated.
Several: TypeAlias = list[str] | None


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("meta")(meta)


def meta(
    dataset: Annotated[
        str,
        typer.Argument(
            metavar="DATASET",
            help="seeda, seeda-e, seeda-s, seeda-whole, gjg15, gmeg-wiki, gmeg-fce, FILE.json, or a table of human "
            "scores of the systems in --edits.",
        ),
    ],
    metric: Annotated[Several, under(
        DATA, "--metric", "-m", metavar="NAME[:OPTION=VALUE,...]", complete=metric_names,
        help="As in score; also length. Repeatable.",
    )] = None,
    data: Annotated[
        str | None, under(DATA, "--data", metavar="FOLDER", help="What its authors distribute.")
    ] = None,
    ref: Annotated[
        Several, under(DATA, "--ref", "--references", metavar="FILE", help="References, or a folder.")
    ] = None,
    sets: Annotated[Several, under(DATA, "--set", metavar="NAME", help="Which set of references.")] = None,
    scores: Annotated[
        Several, under(DATA, "--scores", metavar="FILE.tsv", help="Scores of other metrics.")
    ] = None,
    lower: Annotated[
        Several, under(DATA, "--lower", metavar="NAME", help="A metric for which lower is better.")
    ] = None,
    analysis: Annotated[Several, under(
        COMPARED, "--analysis", metavar="NAME",
        help="system, sentence, test, windows, rank-pairs, system-pairs, references, reference-numbers, fit; "
        "repeatable.",
    )] = None,
    human: Annotated[
        Several, under(COMPARED, "--human", metavar="NAME", help="TS_edit; or ew:edit: recomputed.")
    ] = None,
    group: Annotated[
        Several, under(COMPARED, "--group", metavar="NAME", help="base, +fluency, all, …")
    ] = None,
    judgements: Annotated[
        Several, under(COMPARED, "--judgements", metavar="NAME", help="edit, sent, …")
    ] = None,
    aggregation: Annotated[str, under(
        COMPARED, "--aggregation", metavar="corpus|mean|trueskill|ew", help="From sentences to systems."
    )] = "corpus",
    ties: Annotated[str, under(
        COMPARED, "--ties", metavar="seeda|wrong|half|skip", help="What a metric's tie counts."
    )] = "half",
    width: Annotated[int, under(COMPARED, "--width", metavar="N", help="Systems in a window.")] = 4,
    number: Annotated[
        list[int] | None, under(COMPARED, "--number", metavar="N", help="Of references; 1 to all.")
    ] = None,
    draws: Annotated[int, under(COMPARED, "--draws", help="Choices of so many references.")] = 5,
    fit: Annotated[str | None, under(
        COMPARED, "--fit", metavar="pearson|spearman|kendall",
        help="Fit the factors of cleme2 to this correlation.",
    )] = None,
    edits: Annotated[
        Several, under(TEXTS, "--edits", metavar="FILE.m2", help="Systems' edits; or a pattern with *.")
    ] = None,
    lang: Annotated[str | None, under(
        TEXTS, "--lang", "-l", help="Language, if the data set names none.", complete=languages
    )] = None,
    models: Annotated[str, under(TEXTS, "--models", help="As in annotate.")] = "compact",
    cache: Cache = "",
    ci: Annotated[bool, under(STATISTICS, "--ci", help="95 % bootstrap intervals.")] = False,
    test: Annotated[bool, under(STATISTICS, "--test", help="Williams' and permutation tests.")] = False,
    samples: Samples = None,
    seed: Seed = 12345,
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
) -> None:  # fmt: skip
    """Compare metrics with human judgements, by system and by sentence.

    Example: jperrant meta seeda-e --data SEEDA --ref grammaticality-metrics --set NUCLE -m gleu -m length
    """
    from jperrant.cli.input_options import input_paths, with_files_inside
    from jperrant.cli.layout_options import layout_of
    from jperrant.cli.output import say, show
    from jperrant.cli.plot_options import check_plot_options, write_plots
    from jperrant.core.tables import format_of
    from jperrant.evaluation.analysis import check_samples
    from jperrant.evaluation.meta.evaluation import load_dataset, meta_requested
    from jperrant.evaluation.meta.references import matching_files
    from jperrant.evaluation.statistics.significance import SAMPLES
    from jperrant.io.files import check_output
    from jperrant.reporting.meta import check_meta_columns, format_meta
    from jperrant.reporting.plots.meta import meta_plots

    kind = format_of(format, out, json=json)
    layout = layout_of(columns, intervals, percent, decimals, bold_best)
    layout.check(kind)
    drawn_width = check_plot_options(plots, plot_width)
    corrected = matching_files(edits or ())
    loaded = load_dataset(dataset, data, corrected)
    inputs = [*with_files_inside(input_paths(ref, scores)), *corrected, *loaded.files]
    check_output(out, inputs)
    check_samples(samples, seed)
    drawn: dict[str, Any] = {} if samples is None else {"exchanges": samples}
    if ci or intervals:
        drawn["samples"] = SAMPLES["bootstrap"] if samples is None else samples
    request = meta_requested(
        loaded,
        metric or (),
        references=ref or (),
        sets=sets or (),
        scores=scores or (),
        lower=lower or (),
        analyses=analysis or (),
        edits=corrected,
        width=width,
        numbers=number or (),
        draws=draws,
        lang=lang,
        models=models,
        cache=cache,
        human=human or (),
        groups=group or (),
        judgements=judgements or (),
        aggregation=aggregation,
        ties=ties,
        tested=test,
        fit=fit,
        seed=seed,
        **drawn,
    )
    check_meta_columns(layout.columns, request)
    found = request.evaluate(request.computation.all_scores(request.dataset))
    say(found.notes)
    show(format_meta(found, kind, layout), out, inputs)
    write_plots(plots, lambda: meta_plots(found, width=drawn_width), inputs)
