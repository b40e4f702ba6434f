"""The exchange formats and their options, as tables and as JSON."""

from __future__ import annotations

import json
from typing import Any

from jperrant.core.option import options_of
from jperrant.core.tables import Cell, Table, render
from jperrant.exchange.base import ExchangeFormat
from jperrant.exchange.registry import format_class, importable
from jperrant.reporting.option_tables import option_object, option_row


def format_exchange_formats(format: str = "text") -> str:
    """Return one line for each format that can be used: what it can, what it writes and needs, and what it is.

    Raises:
        UsageError: The format of the table is unknown.
    """
    described = [exchange_object(name, format_class(name)) for name in importable()[0]]
    if format == "json":
        return json.dumps(described, ensure_ascii=False, indent=2) + "\n"
    rows: list[tuple[Cell, ...]] = [
        (d["format"], " and ".join(d["directions"]), d["writes"], d["extra"], d["description"])
        for d in described
    ]
    notes = (
        "jperrant m2 export FORMAT --list shows the options of one; give them as FORMAT:OPTION=VALUE,...",
    )
    return render([Table(("format", "can", "writes", "extra", "tool"), tuple(rows), notes=notes)], format)


def format_exchange_format(name: str, format: str = "text") -> str:
    """Return the options of one format.

    Raises:
        UsageError: The format is unknown.
    """
    factory = format_class(name)
    described = exchange_object(name, factory)
    options = list(options_of(factory))
    if format == "json":
        objects = [option_object(option) for option in options]
        return json.dumps({**described, "options": objects}, ensure_ascii=False, indent=2) + "\n"
    title = f"{name}: {described['description']}"
    notes = tuple([described["loses"]] if described["loses"] else [])
    rows = tuple([option_row(option) for option in options])
    return render([Table(("option", "default", "values", "meaning"), rows, title, notes)], format)


def exchange_object(name: str, factory: type[ExchangeFormat]) -> dict[str, Any]:
    """Return what a format says of itself."""
    directions = {"export": factory.can_export, "import": factory.can_import}
    return {
        "format": name,
        "description": factory.description,
        "directions": [direction for direction, possible in directions.items() if possible],
        "writes": factory.files,
        "extra": factory.extra,
        "loses": factory.loses,
    }
