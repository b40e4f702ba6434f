"""How often each error type was annotated, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from jperrant.core.values import Block

NOOP = "noop"


def count_types(blocks: Iterable[Block]) -> dict[int, Counter[str]]:
    """Count types by annotator; sentences that an annotator left alone count under ``noop``."""
    counts: dict[int, Counter[str]] = {}
    for block in blocks:
        for annotation in block.annotations:
            counter = counts.setdefault(annotation.annotator, Counter())
            counter.update([edit.type for edit in annotation.edits] or [NOOP])
    return counts


def types_table(counts: Mapping[int, Counter[str]]) -> str:
    """Return a table with one row a type, the most frequent first, and one column an annotator."""
    annotators = sorted(counts)
    total = sum(counts.values(), Counter[str]())
    total.pop(NOOP, None)
    names = sorted(total, key=lambda name: (-total[name], name))
    rows = [
        ["Type", *(f"Annotator {a}" for a in annotators)],
        *([name, *(str(counts[a][name]) for a in annotators)] for name in names),
        ["all edits", *(str(sum(n for t, n in counts[a].items() if t != NOOP)) for a in annotators)],
        ["unchanged", *(str(counts[a][NOOP]) for a in annotators)],
    ]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.rjust(w) if k else cell.ljust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    rule = "-" * len(lines[0])
    return "\n".join([lines[0], rule, *lines[1:-2], rule, *lines[-2:]]) + "\n"
