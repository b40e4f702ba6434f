"""``jperrant metrics``: which metrics there are, what each needs, and its options."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import Format, ShortJson, metric_names


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("metrics")(metrics)


def metrics(
    name: Annotated[
        str | None,
        typer.Argument(help="A metric, to show its options; all if left out.", autocompletion=metric_names),
    ] = None,
    format: Format = None,
    json: ShortJson = False,
) -> None:
    """List the metrics and what each needs, or show the options of one.

    Example: jperrant metrics cleme2
    """
    from jperrant.cli.output import say, show
    from jperrant.core.tables import format_of
    from jperrant.evaluation.scorers import importable
    from jperrant.reporting.options import format_metric, format_metrics

    kind = format_of(format, json=json)
    if name is None:
        say(importable()[1])
    show(format_metrics(kind) if name is None else format_metric(name, kind))
