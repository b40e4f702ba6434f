"""The result of a search for factors, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from jperrant.core.tables import Cell, Table, render
from jperrant.evaluation.meta.tuning import Tuning


def format_tuning(tuning: Tuning, format: str = "text") -> str:
    """Return the result of a search, ending in a newline.

    Args:
        tuning: The result.
        format: ``json``, or one of the formats of tables.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        fields = asdict(tuning)
        del fields["notes"]
        return json.dumps(fields, ensure_ascii=False, indent=2) + "\n"
    kind = tuning.correlation
    rows: list[tuple[Cell, ...]] = [
        (name, value, tuning.paper[name], *_held_out(tuning, name)) for name, value in tuning.fitted.items()
    ]
    header: tuple[str, ...] = ("references", kind, "paper's factors", "held out", "factors of the others")
    if not tuning.folds:
        header, rows = header[:3], [row[:3] for row in rows]
    return render([Table(header, tuple(rows), notes=tuple(lines_of(tuning)))], format)


def lines_of(tuning: Tuning) -> list[str]:
    """Return in words which factors were found, and what to beware of."""
    notes = [f"factors {_written(tuning.factors)}: best of {tuning.tried} on {len(tuning.systems)} systems"]
    if not tuning.folds:
        notes.append("one reference set only: nothing to hold out, so that the factors may fit it by chance")
    return notes


def _held_out(tuning: Tuning, name: str) -> tuple[Cell, Cell]:
    for fold in tuning.folds:
        if fold.held_out == name:
            return fold.correlation, _written(fold.factors)
    return None, None


def _written(factors: Sequence[float]) -> str:
    return ",".join(f"{a:g}" for a in factors)
