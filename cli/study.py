"""The commands for human judgements and experiments: ``meta``, ``agree``, ``study``."""

from __future__ import annotations

import typer

from jperrant.cli.groups import (
    BETA,
    CACHE,
    CLUSTER,
    JOBS,
    LANG,
    METRIC,
    MODELS,
    NAMES,
    OUTPUT,
    QUIET,
    STATISTICS,
    STRICT,
    TEXTS,
    BoldLook,
    Drawing,
    Look,
    Output,
    Several,
    Statistics,
    argument,
    listed,
    option,
    switch,
)

INPUTS, DATA, COMPARED = "What is scored", "Data", "What is compared"
DATASET = (
    "seeda, seeda-e, seeda-s, gjg15, gmeg-wiki, gmeg-fce, FILE.json, or a table of human scores "
    "of the systems in --edits."
)
ANALYSES = "Compare by system, sentence, test, windows, rank-pairs, or system-pairs; repeatable."
TABLES = "agreement|edits|ceiling|types|confusion|sentences"


def meta(
    statistics: Statistics,
    output: Output,
    look: BoldLook,
    drawing: Drawing,
    dataset: str = argument("DATASET", DATASET),
    metric: Several = METRIC,
    data: str | None = option(None, "--data", "Read the data set from this folder.", "FOLDER", DATA),
    ref: Several = option(None, "--ref", "Score against these files, or those of a folder.", "FILE", DATA),
    sets: Several = option(None, "--set", "Use this set of references.", "NAME", DATA),
    scores: Several = option(None, "--scores", "Add scores of other metrics.", "FILE.tsv", DATA),
    lower: Several = option(None, "--lower", "Say that lower is better for this metric.", "NAME", DATA),
    analysis: Several = option(None, "--analysis", ANALYSES, "NAME", COMPARED),
    human: Several = option(
        None, "--human", "Take these human scores: given (TS_edit) or recomputed (ew:edit).", "NAME", COMPARED
    ),
    group: Several = option(None, "--group", "Compare this group: base, +fluency, all ...", "NAME", COMPARED),
    judgements: Several = option(
        None, "--judgements", "Use this set of judgements: edit, sent ...", "NAME", COMPARED
    ),
    aggregation: str = option(
        "corpus",
        "--aggregation",
        "Choose how scores of sentences become a system's.",
        "corpus|mean|trueskill|ew",
        COMPARED,
    ),
    ties: str = option(
        "half", "--ties", "Choose how ties of a metric count.", "seeda|wrong|half|skip", COMPARED
    ),
    width: int = option(4, "--width", "Put N systems in a window.", "N", COMPARED),
    fit: str | None = option(
        None, "--fit", "Fit the factors of cleme2 by this correlation.", "pearson|spearman|kendall", COMPARED
    ),
    edits: Several = option(
        None, "--edits", "Read the edits of systems; * matches several files.", "FILE.m2", TEXTS
    ),
    lang: str | None = LANG,
    models: str = MODELS,
    cache: str = CACHE,
) -> None:
    """Compare metrics with human judgements, by system and by sentence.

    Example: jperrant meta seeda-e --data SEEDA --ref grammaticality-metrics --set NUCLE -m gleu -m length
    """
    from jperrant.cli.output import check_plots, input_paths, say, show, with_files_inside, write_plots
    from jperrant.evaluation.meta.data_files import matching_files
    from jperrant.evaluation.meta.evaluation import load_dataset, meta_requested
    from jperrant.evaluation.statistics.significance import SAMPLES, check_samples
    from jperrant.io.files import check_outputs
    from jperrant.reporting.meta_tables import check_meta_columns, format_meta
    from jperrant.reporting.plots.meta_plots import meta_plots

    kind = output.kind()
    layout = look.layout(kind)
    drawn_width = check_plots(drawing.plots, drawing.plot_width)
    samples, seed, out = statistics.samples, statistics.seed, output.out
    corrected = matching_files(edits or ())
    loaded = load_dataset(dataset, data, corrected)
    inputs = [*with_files_inside(input_paths(ref, scores)), *corrected, *loaded.files]
    check_outputs([out], inputs)
    check_samples(samples, seed)
    drawn = (SAMPLES["bootstrap"] if samples is None else samples) if statistics.ci or look.intervals else 0
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
        lang=lang,
        models=models,
        cache=cache,
        human=human or (),
        groups=group or (),
        judgements=judgements or (),
        aggregation=aggregation,
        ties=ties,
        fit=fit,
        seed=seed,
        samples=drawn,
    )
    check_meta_columns(layout.columns, request)
    found = request.evaluate()
    say(found.notes)
    show(format_meta(found, kind, layout), out, inputs)
    write_plots(drawing.plots, lambda: meta_plots(found, width=drawn_width), inputs)


def agree(
    statistics: Statistics,
    output: Output,
    look: Look,
    files: list[str] = argument("FILE.m2...", "A file for each annotator, or one with several."),
    metric: Several = METRIC,
    names: str = NAMES,
    missing: str = option(
        "left-out",
        "--missing",
        "Leave out sentences that an annotator did not annotate, or count them as unchanged.",
        "left-out|unchanged",
        INPUTS,
    ),
    strict: bool = STRICT,
    lang: str | None = LANG,
    category: int = option(3, "--category", "Group by operation, category or type.", "1|2|3", OUTPUT),
    beta: float = BETA,
    subsets: int = option(
        100, "--subsets", "Score against at most N sets of other annotators of each size.", "N", STATISTICS
    ),
    table: Several = option(None, "--table", "Show only this table; repeatable.", TABLES, OUTPUT),
    top: int | None = option(None, "--top", "Show at most N types and N sentences that differ.", "N", OUTPUT),
    _quiet: bool = QUIET,
) -> None:
    """Measure how far annotators agree: on edits, tokens, sentences, by type and by metrics.

    Example: jperrant agree anna.m2 ben.m2 -m errant -m gleu --ci
    """
    from jperrant.cli.output import say, show
    from jperrant.core.tables import check_columns
    from jperrant.evaluation.agreement.measure import agreement
    from jperrant.evaluation.statistics.significance import SAMPLES, check_samples
    from jperrant.io.files import check_outputs
    from jperrant.reporting.agreement_tables import agreement_header, check_tables, format_agreement

    kind = output.kind()
    layout = look.layout(kind)
    samples, out = statistics.samples, output.out
    check_tables(table or (), top, kind)
    check_outputs([out], files)
    check_samples(samples, statistics.seed)
    drawn = (SAMPLES["bootstrap"] if samples is None else samples) if statistics.ci or look.intervals else 0
    check_columns(layout.columns, agreement_header(bool(drawn), kind))
    agreed = agreement(
        *files,
        names=listed(names),
        metrics=[] if metric == ["none"] else metric or "errant",
        lang=lang,
        level=category,
        beta=beta,
        missing=missing,
        samples=drawn,
        seed=statistics.seed,
        subsets=subsets,
        strict=strict,
    )
    say(agreed.notes)
    show(format_agreement(agreed, kind, layout=layout, tables=table or (), top=top), out, files)


def study(
    file: str = argument("FILE.yaml", "The study file."),
    out: str | None = option(None, "--out -o", "Write the output to this folder.", "OUT/"),
    check: bool = switch("--check", "Report every problem in the file without running it."),
    folders: Several = option(None, "--set", "Set a folder of the study file; repeatable.", "NAME=FOLDER"),
    jobs: int = JOBS,
    cluster: str | None = CLUSTER,
    quiet: bool = QUIET,
) -> None:
    """Run the experiment that a study file describes; steps that are done are not repeated.

    Tables, plots and a manifest are written to the folder of the output.

    Example: jperrant study examples/languages/study.yaml -o results/
    """
    from jperrant.cli.output import say, show
    from jperrant.core.errors import UsageError
    from jperrant.evaluation.studies.study_file import check_study
    from jperrant.reporting.study import described, overview, run_study

    given = _folders(folders)
    if check:
        found, problems = check_study(file, given)
        show(
            "".join(f"{problem}\n" for problem in problems) if found is None or problems else described(found)
        )
        raise typer.Exit(1 if problems else 0)
    if out is None:
        raise UsageError("found no folder for the output; give it with -o OUT/ (or only --check the file)")
    report = None if quiet else _line
    result = run_study(file, out, folders=given, jobs=jobs, report=report, cluster=cluster)
    say(result.warnings())
    show(overview(result))


def _folders(given: Several) -> dict[str, str]:
    """Return folders by name.

    Raises:
        UsageError: Something is not of the form NAME=FOLDER, or a name is given twice.
    """
    from jperrant.core.errors import UsageError

    folders: dict[str, str] = {}
    for one in given or ():
        name, equals, folder = one.partition("=")
        if not equals or not name or not folder:
            raise UsageError(f"--set {one}: expected NAME=FOLDER")
        if name in folders:
            raise UsageError(f"--set {one}: {name} is given twice; give it once")
        folders[name] = folder
    return folders


def _line(step: object, seconds: float | None) -> None:
    """Print a step that is done, on stderr."""
    from jperrant.core.display import printable

    done = "reused" if seconds is None else f"done {seconds:.1f} s"
    typer.echo(f"{printable(str(step))}: {done}", err=True)
