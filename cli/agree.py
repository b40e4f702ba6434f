"""``jperrant agree``: how far annotators agree."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import (
    INPUTS,
    OUTPUT,
    STATISTICS,
    Beta,
    Lang,
    Look,
    Metric,
    Names,
    Output,
    Quiet,
    Several,
    Statistics,
    Strict,
    option,
    takes_groups,
)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("agree")(takes_groups(agree))


def agree(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE.m2...", help="A file for each annotator, or one with several."),
    ],
    statistics: Statistics,
    output: Output,
    look: Look,
    metric: Metric = None,
    names: Names = "",
    missing: Annotated[str, option(
        "--missing", metavar="left-out|unchanged", panel=INPUTS,
        help="Say what a sentence that an annotator does not have is.",
    )] = "left-out",
    strict: Strict = False,
    lang: Lang = None,
    items: Annotated[
        str, option("--items", metavar="tokens|gaps", help="Compute kappa and alpha over these.", panel=STATISTICS)
    ] = "tokens",
    category: Annotated[
        int, option("--category", metavar="1|2|3", help="Group by operation, category or type.", panel=OUTPUT)
    ] = 3,
    beta: Beta = 0.5,
    subsets: Annotated[int, option(
        "--subsets", metavar="N", help="Score against at most so many sets of others of one size.", panel=STATISTICS
    )] = 100,
    table: Annotated[Several, option(
        "--table", metavar="agreement|edits|ceiling|types|confusion|sentences", panel=OUTPUT,
        help="Show only this table; repeatable.",
    )] = None,
    top: Annotated[int | None, option(
        "--top", metavar="N", help="Show so many types, and sentences that differ.", panel=OUTPUT
    )] = None,
    _quiet: Quiet = False,
) -> None:  # fmt: skip
    """Measure how far annotators agree: on edits, tokens, sentences, by type and by metrics.

    Example: jperrant agree anna.m2 ben.m2 -m errant -m gleu --ci
    """
    from jperrant.cli.groups import listed
    from jperrant.cli.output import say, show
    from jperrant.core.tables import check_columns
    from jperrant.evaluation.agreement.measure import agreement
    from jperrant.evaluation.analysis import check_samples
    from jperrant.evaluation.statistics.significance import SAMPLES
    from jperrant.io.files import check_output
    from jperrant.reporting.agreement import agreement_header, check_tables, format_agreement

    kind = output.kind()
    layout = look.layout(kind)
    samples, out = statistics.samples, output.out
    check_tables(table or (), top, kind)
    check_output(out, files)
    check_samples(samples, statistics.seed)
    drawn = (SAMPLES["bootstrap"] if samples is None else samples) if statistics.ci or look.intervals else 0
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
        seed=statistics.seed,
        subsets=subsets,
        strict=strict,
    )
    say(agreed.notes)
    show(format_agreement(agreed, kind, layout=layout, tables=table or (), top=top), out, files)
