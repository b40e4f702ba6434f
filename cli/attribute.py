"""``jperrant attribute``: what each edit is worth to a metric."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import NamedInputs, takes_groups
from jperrant.cli.input_options import (
    OUTPUT,
    Out,
    ResultFormat,
    ResultJson,
    Seed,
)
from jperrant.cli.score import ScoreCommand

_PANEL = "Attribution"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("attribute", cls=ScoreCommand)(takes_groups(attribute))


def attribute(
    ctx: typer.Context,
    inputs: NamedInputs,
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
    format: ResultFormat = None,
    json: ResultJson = False,
    out: Out = "-",
) -> None:
    """Show how much each edit of a system contributes to the score of its sentence.

    Example: jperrant attribute system.m2 --ref gold.m2 -m errant -m gleu --sentence 3
    """
    from jperrant.cli.output import say, show
    from jperrant.core.tables import format_of
    from jperrant.evaluation.attribution import AttributionOptions, attribute_pairs
    from jperrant.evaluation.scoring import read_pairs
    from jperrant.io.files import check_output
    from jperrant.reporting.attribution import format_attributions

    kind = format_of(format, out, json=json)
    options = AttributionOptions(method, exact, orders, seed, scale)
    paths = inputs.paths()
    check_output(out, paths)
    scorers, pairs = read_pairs(**inputs.arguments(ctx))
    say(note for pair in pairs for note in pair.notes)
    attributions = attribute_pairs(scorers, pairs, options, sentence or ())
    show(format_attributions(attributions, kind, by_type), out, paths)
