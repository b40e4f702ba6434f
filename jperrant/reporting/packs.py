"""The installed language packs, and two of them side by side, as tables and as JSON."""

from __future__ import annotations

import json

from jperrant.core.tables import Cell, Table, render
from jperrant.packs import Pack, iter_packs, known_packs
from jperrant.packs.describe import measured, needs
from jperrant.packs.labels import GROUPS, group_of

NOT_MEASURED = "not on learner text"


def format_packs(format: str = "text") -> str:
    """Return a line for each installed pack: code, name, what it needs and lacks, how it was measured, folder.

    Args:
        format: ``json``, or a format of tables.

    Raises:
        UsageError: The format is unknown.
    """
    known = known_packs()
    packs = [
        (code, name, needs(code, known), measured(code, known), str(folder))
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


def compare_packs(first: Pack, second: Pack, format: str = "text") -> str:
    """Return the labels of two packs side by side, by their group in the table for all languages.

    Args:
        first, second: The packs.
        format: ``json``, or a format of tables. A label that one pack lacks is an empty cell, in JSON null.

    Raises:
        UsageError: The format is unknown.
    """
    labels = {label: group_of(label, (pack.groups)) for pack in (second, first) for label in pack.labels}
    order = list(GROUPS)
    ordered = sorted(labels, key=lambda label: (order.index(labels[label]), label))
    rows = [(labels[label], label, first.labels.get(label), second.labels.get(label)) for label in ordered]
    if format == "json":
        header = ("group", "label", first.code, second.code)
        return (
            json.dumps([dict(zip(header, row, strict=True)) for row in rows], ensure_ascii=False, indent=2)
            + "\n"
        )
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        [(group, label, a or "", b or "") for group, label, a, b in rows]
    )
    shared = sum([a is not None and b is not None for *_, a, b in rows])
    counts = (
        f"{len(first.labels)} labels of {first.code}, {len(second.labels)} of {second.code}, {shared} in both"
    )
    return render([Table(("group", "label", first.code, second.code), cells, notes=(counts,))], format)
