"""``jperrant agree``: how far annotators agree."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.completion import languages, metric_names
from jperrant.cli.input_options import (
    INPUTS,
    OUTPUT,
    STATISTICS,
    Out,
    ResultFormat,
    ResultJson,
    Samples,
    Seed,
    StrictInputs,
    under,
)
from jperrant.cli.layout_options import Columns, Decimals, Intervals, Percent
from jperrant.cli.options import Quiet


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("agree")(agree)


def agree(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE.m2...", help="A file for each annotator, or one with several."),
    ],
    names: Annotated[str, under(INPUTS, "--names", metavar="A,B", help="Names of the annotators.")] = "",
    missing: Annotated[str, under(
        INPUTS, "--missing", metavar="left-out|unchanged",
        help="What a sentence without an annotation by an annotator is.",
    )] = "left-out",
    strict: StrictInputs = False,
    metric: Annotated[list[str] | None, under(
        STATISTICS, "--metric", "-m", metavar="NAME[:OPTION=VALUE,...]", complete=metric_names,
        help="Score each annotator against the others; repeatable; none: by no metric.",
    )] = None,
    lang: Annotated[str | None, under(
        STATISTICS, "--lang", "-l", help="Language, for the encoder of a metric.", complete=languages
    )] = None,
    items: Annotated[
        str, under(STATISTICS, "--items", metavar="tokens|gaps", help="Items of kappa and alpha.")
    ] = "tokens",
    category: Annotated[int, under(
        STATISTICS, "--category", metavar="1|2|3",
        help="Types by operation (1), category (2) or full type (3).",
    )] = 3,
    beta: Annotated[float, under(STATISTICS, "--beta", help="Weight of recall in F.")] = 0.5,
    ci: Annotated[bool, under(STATISTICS, "--ci", help="95 % bootstrap intervals.")] = False,
    samples: Samples = None,
    seed: Seed = 12345,
    subsets: Annotated[int, under(
        STATISTICS, "--subsets", help="Sets of others of one size that an annotator is scored against at most."
    )] = 100,
    table: Annotated[list[str] | None, under(
        OUTPUT, "--table", metavar="agreement|edits|ceiling|types|confusion|sentences",
        help="Only this table; repeatable.",
    )] = None,
    top: Annotated[
        int | None, under(OUTPUT, "--top", metavar="N", help="Types, and sentences that differ.")
    ] = None,
    format: ResultFormat = None,
    json: ResultJson = False,
    out: Out = "-",
    columns: Columns = "",
    intervals: Intervals = "",
    percent: Percent = False,
    decimals: Decimals = None,
    _quiet: Quiet = False,
) -> None:  # fmt: skip
    """Measure how far annotators agree: on edits, tokens, sentences, by type and by metrics.

    Example: jperrant agree anna.m2 ben.m2 -m errant -m gleu --ci
    """
    from jperrant.cli.layout_options import layout_of, listed
    from jperrant.cli.output import say, show
    from jperrant.core.tables import check_columns, format_of
    from jperrant.evaluation.agreement.measure import agreement
    from jperrant.evaluation.analysis import check_samples
    from jperrant.evaluation.statistics.significance import SAMPLES
    from jperrant.io.files import check_output
    from jperrant.reporting.agreement import agreement_header, check_tables, format_agreement

    kind = format_of(format, out, json=json)
    layout = layout_of(columns, intervals, percent, decimals, False)
    layout.check(kind)
    check_tables(table or (), top, kind)
    check_output(out, files)
    check_samples(samples, seed)
    drawn = (SAMPLES["bootstrap"] if samples is None else samples) if ci or intervals else 0
    check_columns(layout.columns, agreement_header(bool(drawn), kind))
    agreed = agreement(
        *files,
        names=listed(names),
        metrics=[] if metric == ["none"] else metric or "errant",
        lang=lang,
        items=items,
        level=category,
        beta=beta,
        missing=missing,
        samples=drawn,
        seed=seed,
        subsets=subsets,
        strict=strict,
    )
    say(agreed.notes)
    show(format_agreement(agreed, kind, layout=layout, tables=table or (), top=top), out, files)
