"""The installed language packs, and two of them side by side, as tables and as JSON."""

from __future__ import annotations

import json
from typing import Any

from jperrant.core.tables import Cell, Table, render
from jperrant.packs import iter_packs, known_packs, pack_keys
from jperrant.packs.describe import measured, needs
from jperrant.packs.discovery import folder_of
from jperrant.packs.labels import GROUPS, check_tables, group_of
from jperrant.packs.problems import raise_first
from jperrant.packs.yaml_loader import FILE

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


def compare_packs(first: str, second: str, format: str = "text") -> str:
    """Return the labels of two packs side by side, by their group in the table for all languages.

    No Python of the packs is run.

    Args:
        first, second: The packs: a code, or a folder.
        format: ``json``, or a format of tables. A label that one pack lacks is an empty cell, in JSON null.

    Raises:
        PackError: There is no such pack, or it is wrong.
        UsageError: The format is unknown.
    """
    one, other = _read(first), _read(second)
    groups = {
        label: group_of(label, keys.get("groups", {}))
        for keys in (other, one)
        for label in keys.get("labels", {})
    }
    # A pack may extend the installed one of the same code, and be compared with it.
    names = (one["code"], other["code"]) if one["code"] != other["code"] else (first, second)
    labels, other_labels = one.get("labels", {}), other.get("labels", {})
    order = list(GROUPS)
    ordered = sorted(groups, key=lambda label: (order.index(groups[label]), label))
    rows = [(groups[label], label, labels.get(label), other_labels.get(label)) for label in ordered]
    header = ("group", "label", *names)
    if format == "json":
        objects = [dict(zip(header, row, strict=True)) for row in rows]
        return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        [(group, label, a or "", b or "") for group, label, a, b in rows]
    )
    shared = sum([a is not None and b is not None for *_, a, b in rows])
    counts = f"{len(labels)} labels of {names[0]}, {len(other_labels)} of {names[1]}, {shared} in both"
    return render([Table(header, cells, notes=(counts,))], format)


def _read(name: str) -> dict[str, Any]:
    keys, problems = pack_keys(name, folder_of(name))
    wrong = check_tables(keys, str(keys["folder"] / FILE))
    raise_first([*problems, *wrong])
    return keys
