"""``jperrant compare-systems``: why one system is better than another."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.layout_options import BoldBest, Columns, Decimals, Intervals, Names, Percent
from jperrant.cli.metric_options import flags_given, shared_flags
from jperrant.cli.score import ScoreCommand

_WHAT, _TEXTS, _MORE, _OUT = "What is compared", "Texts", "Statistics", "Output"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("compare-systems", cls=ScoreCommand)(compare_systems)


def compare_systems(
    ctx: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="A B... [REF]", help="Systems and, last, the references, unless --ref is given."
        ),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            "-m",
            metavar="NAME[:OPTION=VALUE,...]",
            help="The metric; 'jperrant metrics' lists them.",
            rich_help_panel=_WHAT,
        ),
    ] = "errant",
    hyp: Annotated[
        list[str] | None,
        typer.Option("--hyp", metavar="FILE", help="A system; repeatable.", rich_help_panel=_WHAT),
    ] = None,
    ref: Annotated[
        list[str] | None,
        typer.Option("--ref", metavar="FILE", help="References; repeatable.", rich_help_panel=_WHAT),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Make every format deviation an error.", rich_help_panel=_WHAT),
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="FILE",
            help="The text that was corrected, a sentence a line.",
            rich_help_panel=_TEXTS,
        ),
    ] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", help="Language of texts and encoder (en).", rich_help_panel=_TEXTS)
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Texts are not tokenised.", rich_help_panel=_TEXTS)
    ] = False,
    tokens: Annotated[
        str,
        typer.Option(metavar="given|words|characters", help="What tokens are.", rich_help_panel=_TEXTS),
    ] = "given",
    models: Annotated[
        str | None,
        typer.Option(help="As in annotate: compact, default, none, a folder.", rich_help_panel=_TEXTS),
    ] = None,
    pack: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="A language pack.", rich_help_panel=_TEXTS)
    ] = None,
    cache: Annotated[
        str,
        typer.Option(
            "--cache", metavar="FOLDER", help="Keep annotations and encodings there.", rich_help_panel=_TEXTS
        ),
    ] = "",
    test: Annotated[
        str,
        typer.Option(
            "--test", metavar="randomisation|bootstrap", help="The paired test.", rich_help_panel=_MORE
        ),
    ] = "randomisation",
    correction: Annotated[
        str,
        typer.Option(
            "--correction",
            metavar="holm|bh|none",
            help="Of p for many tests: Holm, Benjamini-Hochberg.",
            rich_help_panel=_MORE,
        ),
    ] = "holm",
    samples: Annotated[
        int | None, typer.Option("--samples", help="Samples drawn; 10,000.", rich_help_panel=_MORE)
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of random numbers.", rich_help_panel=_MORE)] = 12345,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="types|edits|sentences",
            help="Only this table; repeatable.",
            rich_help_panel=_OUT,
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="type|support|difference|p",
            help="Order of the types.",
            rich_help_panel=_OUT,
        ),
    ] = "type",
    top: Annotated[
        int | None,
        typer.Option(
            "--top", metavar="N", help="Types, and sentences with A ahead and behind.", rich_help_panel=_OUT
        ),
    ] = None,
    format: Annotated[
        str,
        typer.Option(
            "--format", metavar="text|json|tsv|latex|md", help="Layout of the result.", rich_help_panel=_OUT
        ),
    ] = "text",
    json: Annotated[
        bool, typer.Option("--json", help="Short for --format json.", rich_help_panel=_OUT)
    ] = False,
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="FILE", help="Where it goes; - is stdout.", rich_help_panel=_OUT),
    ] = "-",
    names: Names = "stems",
    columns: Columns = "",
    intervals: Intervals = "",
    percent: Percent = False,
    decimals: Decimals = None,
    bold_best: BoldBest = False,
) -> None:
    """Compare a system with others: by error type, sentence by sentence, edit by edit.

    Example: jperrant compare-systems a.m2 b.m2 --ref gold.m2 --sort p --top 10
    """
    from jperrant.cli.layout_options import layout_of, listed
    from jperrant.cli.output import say, show
    from jperrant.core.tables import check_format
    from jperrant.evaluation.comparison import check_comparison, compare_pairs
    from jperrant.evaluation.run import load_files
    from jperrant.io.files import check_output
    from jperrant.report.system_comparison import check_request, format_comparison

    kind = "json" if json else format
    check_format(kind)
    layout = layout_of(columns, intervals, percent, decimals, bold_best)
    layout.check(kind)
    check_request(table or (), sort, top, kind)
    statistics = check_comparison(test, samples, seed, correction)
    inputs = [path for path in (*(files or ()), *(hyp or ()), *(ref or ()), source) if path]
    check_output(out, inputs)
    scorers, pairs = load_files(
        files or (),
        hypotheses=hyp or (),
        references=ref or (),
        source=source,
        metrics=[metric],
        options=flags_given(ctx),
        shared=shared_flags(ctx),
        lang=lang,
        raw=raw,
        tokens=tokens,
        models=models,
        pack=pack,
        cache=cache,
        strict=strict,
        names=listed(names),
    )
    found = compare_pairs(scorers, pairs, statistics)
    text = format_comparison(found, kind, layout=layout, tables=table or (), sort=sort, top=top)
    say(line for score in found.scores for line in score.warnings)
    show(text, out, inputs)
