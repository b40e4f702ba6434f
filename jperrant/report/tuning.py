"""The result of a search for factors, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from jperrant.core.tables import Cell, Table, render
from jperrant.evaluation.meta.tuning import Tuning


def format_tuning(found: Tuning, format: str = "text") -> str:
    """Return the result of a search, ending in a newline.

    Args:
        found: The result.
        format: ``json``, or one of the formats of tables.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        fields = asdict(found)
        del fields["notes"]
        return json.dumps(fields, ensure_ascii=False, indent=2) + "\n"
    kind = found.correlation
    rows: list[tuple[Cell, ...]] = [
        (name, value, found.paper[name], *_held_out(found, name)) for name, value in found.fitted.items()
    ]
    header: tuple[str, ...] = ("references", kind, "paper's factors", "held out", "factors of the others")
    if not found.folds:
        header, rows = header[:3], [row[:3] for row in rows]
    return render([Table(header, tuple(rows), notes=tuple(lines_of(found)))], format)


def lines_of(found: Tuning) -> list[str]:
    """Return in words which factors were found, and what to beware of."""
    notes = [f"factors {_written(found.factors)}: best of {found.tried} on {len(found.systems)} systems"]
    if not found.folds:
        notes.append("one reference set only: nothing to hold out, so that the factors may fit it by chance")
    return notes


def _held_out(found: Tuning, name: str) -> tuple[Cell, Cell]:
    for fold in found.folds:
        if fold.held_out == name:
            return fold.correlation, _written(fold.factors)
    return None, None


def _written(factors: Sequence[float]) -> str:
    return ",".join(f"{a:g}" for a in factors)
