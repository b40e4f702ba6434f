"""``jperrant meta``: how well metrics agree with people."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jperrant.cli.groups import (
    STATISTICS,
    TEXTS,
    BoldLook,
    Cache,
    Drawing,
    Lang,
    Metric,
    Models,
    Output,
    Several,
    Statistics,
    option,
    switch,
    takes_groups,
)

DATA, COMPARED = "Data", "What is compared"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("meta")(takes_groups(meta))


def meta(
    dataset: Annotated[
        str,
        typer.Argument(
            metavar="DATASET",
            help="seeda, seeda-e, seeda-s, seeda-whole, gjg15, gmeg-wiki, gmeg-fce, FILE.json, or a table of human "
            "scores of the systems in --edits.",
        ),
    ],
    statistics: Statistics,
    output: Output,
    look: BoldLook,
    drawing: Drawing,
    metric: Metric = None,
    data: Annotated[
        str | None, option("--data", metavar="FOLDER", help="Read what its authors distribute there.", panel=DATA)
    ] = None,
    ref: Annotated[
        Several, option("--ref", metavar="FILE", help="Score against these files, or a folder's.", panel=DATA)
    ] = None,
    sets: Annotated[Several, option("--set", metavar="NAME", panel=DATA, help="Use these references.")] = None,
    scores: Annotated[
        Several, option("--scores", metavar="FILE.tsv", panel=DATA, help="Add other metrics' scores.")
    ] = None,
    lower: Annotated[
        Several, option("--lower", metavar="NAME", help="Say that lower is better for this metric.", panel=DATA)
    ] = None,
    analysis: Annotated[Several, option(
        "--analysis", metavar="NAME", panel=COMPARED,
        help="Compare by system, sentence, test, windows, rank-pairs, system-pairs, references, reference-numbers, "
        "or fit; repeatable.",
    )] = None,
    human: Annotated[Several, option(
        "--human", metavar="NAME", help="Take these human scores: TS_edit; or ew:edit, recomputed.", panel=COMPARED
    )] = None,
    group: Annotated[Several, option(
        "--group", metavar="NAME", help="Take these systems: base, +fluency, all ...", panel=COMPARED
    )] = None,
    judgements: Annotated[
        Several, option("--judgements", metavar="NAME", panel=COMPARED, help="Use these: edit, sent ...")
    ] = None,
    aggregation: Annotated[str, option(
        "--aggregation", metavar="corpus|mean|trueskill|ew", panel=COMPARED,
        help="Choose how scores of sentences become a system's.",
    )] = "corpus",
    ties: Annotated[str, option(
        "--ties", metavar="seeda|wrong|half|skip", help="Choose how ties of a metric count.", panel=COMPARED
    )] = "half",
    width: Annotated[int, option("--width", metavar="N", help="Put N systems in a window.", panel=COMPARED)] = 4,
    number: Annotated[list[int] | None, option(
        "--number", metavar="N", help="Take so many references; 1 to all if left out.", panel=COMPARED
    )] = None,
    draws: Annotated[
        int, option("--draws", metavar="N", help="Choose references so often for each number.", panel=COMPARED)
    ] = 5,
    fit: Annotated[str | None, option(
        "--fit", metavar="pearson|spearman|kendall", panel=COMPARED,
        help="Fit the factors of cleme2 to this correlation.",
    )] = None,
    edits: Annotated[Several, option(
        "--edits", metavar="FILE.m2", help="Read systems' edits; a pattern with * names several.", panel=TEXTS
    )] = None,
    lang: Lang = None,
    models: Models = "compact",
    cache: Cache = "",
    test: Annotated[bool, switch("--test", help="Add Williams' and permutation tests.", panel=STATISTICS)] = False,
) -> None:  # fmt: skip
    """Compare metrics with human judgements, by system and by sentence.

    Example: jperrant meta seeda-e --data SEEDA --ref grammaticality-metrics --set NUCLE -m gleu -m length
    """
    from jperrant.cli.output import check_plots, input_paths, say, show, with_files_inside, write_plots
    from jperrant.evaluation.analysis import check_samples
    from jperrant.evaluation.meta.evaluation import load_dataset, meta_requested
    from jperrant.evaluation.meta.references import matching_files
    from jperrant.evaluation.statistics.significance import SAMPLES
    from jperrant.io.files import check_output
    from jperrant.reporting.meta import check_meta_columns, format_meta
    from jperrant.reporting.plots.meta import meta_plots

    kind = output.kind()
    layout = look.layout(kind)
    drawn_width = check_plots(drawing.plots, drawing.plot_width)
    samples, seed, out = statistics.samples, statistics.seed, output.out
    corrected = matching_files(edits or ())
    loaded = load_dataset(dataset, data, corrected)
    inputs = [*with_files_inside(input_paths(ref, scores)), *corrected, *loaded.files]
    check_output(out, inputs)
    check_samples(samples, seed)
    drawn: dict[str, Any] = {} if samples is None else {"exchanges": samples}
    if statistics.ci or look.intervals:
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
    write_plots(drawing.plots, lambda: meta_plots(found, width=drawn_width), inputs)
