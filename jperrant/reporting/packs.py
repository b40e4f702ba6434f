"""The installed language packs as a table and as JSON."""

from __future__ import annotations

import json

from jperrant.core.tables import Cell, Table, render
from jperrant.packs import iter_packs
from jperrant.packs.describe import needs


def format_packs(format: str = "text") -> str:
    """Return one line for each installed pack: code, name, what it needs and lacks, and folder.

    Args:
        format: ``json``, or a format of tables.

    Raises:
        UsageError: The format is unknown.
    """
    packs = [(code, name, needs(code), str(folder)) for code, name, folder in iter_packs()]
    header = ("code", "name", "needs", "folder")
    if format == "json":
        objects = [dict(zip(header, pack, strict=True)) for pack in packs]
        return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"
    rows: tuple[tuple[Cell, ...], ...] = tuple(packs)
    return render([Table(header, rows)], format)
