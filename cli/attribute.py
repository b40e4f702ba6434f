"""``jperrant attribute``: what each edit is worth to a metric."""

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
    ResultFormat,
    ResultJson,
    Seed,
    Source,
    SplitOn,
    StrictInputs,
    Tokens,
    input_paths,
)
from jperrant.cli.layout_options import Names
from jperrant.cli.metric_options import flags_given, shared_flags
from jperrant.cli.score import ScoreCommand
from jperrant.core.splitting import Splitting

_PANEL = "Attribution"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("attribute", cls=ScoreCommand)(attribute)


def attribute(
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
            help="Repeatable; 'jperrant metrics' lists them.",
            rich_help_panel=INPUTS,
        ),
    ] = None,
    hyp: Hyp = None,
    ref: Ref = None,
    strict: StrictInputs = False,
    source: Source = None,
    lang: Lang = None,
    raw: Raw = False,
    split_on: SplitOn = None,
    one_sentence_per_line: OnePerLine = False,
    tokens: Tokens = "given",
    models: Models = None,
    pack: Pack = None,
    cache: Cache = "",
    sentence: Annotated[
        list[int] | None,
        typer.Option(
            "--sentence", metavar="N", help="Only this one, from 1; repeatable.", rich_help_panel=_PANEL
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="shapley|add|sub",
            help="Mean over orders; alone; on top of the others.",
            rich_help_panel=_PANEL,
        ),
    ] = "shapley",
    exact: Annotated[
        int,
        typer.Option(
            "--exact", metavar="N", help="Edits up to which Shapley is exact.", rich_help_panel=_PANEL
        ),
    ] = 8,
    orders: Annotated[
        int,
        typer.Option("--orders", metavar="N", help="Orders sampled beyond.", rich_help_panel=_PANEL),
    ] = 64,
    scale: Annotated[
        bool,
        typer.Option("--scale", help="Make add and sub sum to the sentence's gain.", rich_help_panel=_PANEL),
    ] = False,
    seed: Seed = 12345,
    by_type: Annotated[
        bool, typer.Option("--by-type", help="The mean of each error type.", rich_help_panel=OUTPUT)
    ] = False,
    format: ResultFormat = "text",
    json: ResultJson = False,
    out: Out = "-",
    names: Names = "stems",
) -> None:
    """Show how much each edit of a system contributes to the score of its sentence.

    Example: jperrant attribute system.m2 gold.m2 -m errant -m gleu --sentence 3
    """
    from jperrant.cli.layout_options import listed
    from jperrant.cli.output import say, show
    from jperrant.core.tables import check_format
    from jperrant.evaluation.attribution import AttributionOptions, attribute_pairs
    from jperrant.evaluation.run import load_files
    from jperrant.io.files import check_output
    from jperrant.reporting.attribution import format_attributions

    kind = "json" if json else format
    check_format(kind)
    options = AttributionOptions(method, exact, orders, seed, scale)
    inputs = input_paths(files, hyp, ref, source, pack=pack)
    check_output(out, inputs)
    scorers, pairs = load_files(
        files or (),
        hypotheses=hyp or (),
        references=ref or (),
        source=source,
        metrics=metric or ["errant"],
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
    say(note for pair in pairs for note in pair.notes)
    attributions = attribute_pairs(scorers, pairs, options, sentence or ())
    show(format_attributions(attributions, kind, by_type), out, inputs)
