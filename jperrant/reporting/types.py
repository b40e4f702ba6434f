"""How often each error type was annotated, as a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from jperrant.core.m2_format import NOOP
from jperrant.core.tables import Cell, Table, render


def types_table(counts: Mapping[int, Counter[str]]) -> Table:
    """Return a table with one row a type, the most frequent first, and one column an annotator."""
    annotators = sorted(counts)
    total = sum(counts.values(), Counter[str]())
    total.pop(NOOP, None)
    names = sorted(total, key=lambda name: (-total[name], name))
    rows: list[tuple[Cell, ...]] = [(name, *(counts[a][name] for a in annotators)) for name in names]
    edits = [sum(n for type_, n in counts[a].items() if type_ != NOOP) for a in annotators]
    rows += [("all edits", *edits), ("unchanged", *(counts[a][NOOP] for a in annotators))]
    return Table(("type", *(f"annotator {a}" for a in annotators)), tuple(rows))


def format_types(counts: Mapping[int, Counter[str]], format: str = "text") -> str:
    """Return how often each annotator used each type, ending in a newline.

    Args:
        counts: As ``m2tools.stats.count_types`` returns them.
        format: ``json``, one object by annotator and type (``noop``: sentences left alone), or a format of tables.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        named = {str(a): dict(sorted(counts[a].items())) for a in sorted(counts)}
        return json.dumps(named, ensure_ascii=False, indent=2) + "\n"
    return render([types_table(counts)], format)
