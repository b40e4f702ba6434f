"""The installed language packs as a table and as JSON."""

from __future__ import annotations

import json

from jperrant.core.tables import Cell, Table, render
from jperrant.packs import iter_packs
from jperrant.packs.describe import needs
from jperrant.packs.discovery import said

NOT_MEASURED = "not on learner text"


def format_packs(format: str = "text") -> str:
    """Return a line for each installed pack: code, name, what it needs and lacks, how it was measured, folder.

    Args:
        format: ``json``, or a format of tables.

    Raises:
        UsageError: The format is unknown.
    """
    packs = [
        (code, name, needs(code), str(said(folder).get("measured", "")), str(folder))
        for code, name, folder in iter_packs()
    ]
    header = ("code", "name", "needs", "measured", "folder")
    if format == "json":
        objects = [dict(zip(header, pack, strict=True)) for pack in packs]
        return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        [(code, name, missing, how or NOT_MEASURED, folder) for code, name, missing, how, folder in packs]
    )
    return render([Table(header, rows)], format)
