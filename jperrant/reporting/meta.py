"""The results of a meta-evaluation as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from jperrant.core.layout import Layout
from jperrant.core.messages import plural
from jperrant.core.tables import Cell, Figure, Table, render
from jperrant.evaluation.meta.evaluation import MetaEvaluation
from jperrant.evaluation.meta.judged_pairs import TIE_RULES
from jperrant.evaluation.meta.metric_scores import AGGREGATIONS
from jperrant.evaluation.meta.sentence_level import SentenceAgreement
from jperrant.evaluation.meta.system_level import CorrelationTest, SystemCorrelation
from jperrant.reporting.meta_analyses import (
    pair_tables,
    reference_number_tables,
    reference_tables,
    timing_tables,
    window_tables,
)

#: What a correlation is called in the head of a column.
SHORT = {"pearson": "r", "spearman": "rho", "kendall": "tau"}
#: Makes the tables of one analysis from its results.
MakeTables: TypeAlias = Callable[[MetaEvaluation, Sequence[Any], Layout], list[Table]]


def format_meta(found: MetaEvaluation, format: str = "text", layout: Layout | None = None) -> str:
    """Return the results of a meta-evaluation, ending in a newline.

    Args:
        found: The results.
        format: ``json``, or one of the formats of tables.
        layout: How figures stand in tables.

    Raises:
        UsageError: The format is unknown, or there is no such column.
    """
    if format == "json":
        return json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n"
    return render(meta_tables(found, layout), format)


def meta_tables(found: MetaEvaluation, layout: Layout | None = None) -> list[Table]:
    """Return the tables of all analyses, group by group of systems; the signatures stand below the last."""
    layout = layout or Layout()
    tables = [
        table
        for name, results in found.results.items()
        if results
        for table in TABLES[name](found, results, layout)
    ]
    signatures = tuple(dict.fromkeys(scores.signature for scores in found.metrics if scores.signature))
    return [*tables[:-1], _with_notes(tables[-1], signatures)] if tables else []


def _system_tables(
    found: MetaEvaluation, results: Sequence[SystemCorrelation], layout: Layout
) -> list[Table]:
    tables = []
    for group, rows in _by_group(results).items():
        columns = list(dict.fromkeys(one.human for one in rows))
        header = tuple(f"{human} {short}" for human in columns for short in SHORT.values())
        figures: dict[str, list[Cell]] = {one.metric: [] for one in rows}
        for one in rows:
            figures[one.metric] += [
                layout.figure(one.values[kind], one.intervals.get(kind)) for kind in SHORT
            ]
        title = (
            f"{found.dataset.name}, systems: group {group} ({plural(len(rows[0].systems), 'system')}), "
            f"{AGGREGATIONS[found.options.aggregation]}"
        )
        tables.append(_table(("metric", *header), figures, layout, title))
        if found.options.samples and not layout.intervals:
            tables.append(_intervals(rows, layout, title))
    return tables


def _intervals(rows: Sequence[SystemCorrelation], layout: Layout, title: str) -> Table:
    """Return the ends of intervals as a table of their own, which every format can hold."""
    cells: list[tuple[Cell, ...]] = [
        (one.metric, one.human, kind, *(layout.figure(end) for end in one.intervals[kind]))
        for one in rows
        for kind in SHORT
    ]
    return Table(("metric", "human", "correlation", "low", "high"), tuple(cells), f"{title}: 95 % intervals")


def _sentence_tables(
    found: MetaEvaluation, results: Sequence[SentenceAgreement], layout: Layout
) -> list[Table]:
    tables = []
    for group, rows in _by_group(results).items():
        sets = {one.judgements: one.pairs for one in rows}
        header = tuple(f"{name} {column}" for name in sets for column in ("accuracy", "tau", "ties"))
        figures: dict[str, list[Cell]] = {one.metric: [] for one in rows}
        for one in rows:
            figures[one.metric] += [
                layout.figure(one.accuracy, one.interval),
                layout.figure(one.kendall),
                one.ties,
            ]
        pairs = ", ".join(f"{name} {number:,}" for name, number in sets.items())
        title = f"{found.dataset.name}, sentences: group {group}, pairs judged: {pairs}"
        rule = found.options.ties
        table = _table(("metric", *header), figures, layout, title)
        tables.append(_with_notes(table, (f"ties of a metric, rule {rule}: {TIE_RULES[rule]}",)))
    return tables


def _test_tables(found: MetaEvaluation, results: Sequence[CorrelationTest], layout: Layout) -> list[Table]:
    tables = []
    for group, rows in _by_group(results).items():
        permutation = rows[0].permutation
        cells: list[tuple[Cell, ...]] = [
            (
                one.metric,
                one.human,
                layout.figure(one.difference, signed=True),
                layout.figure(one.williams_p),
                layout.figure(one.permutation_p),
            )
            for one in rows
        ]
        title = (
            f"{found.dataset.name}, systems: group {group}, Pearson's r against that of {rows[0].baseline}"
        )
        header = ("metric", "human", "difference", "Williams p", f"{permutation} p")
        tables.append(Table(header, tuple(cells), title))
    return tables


#: What makes the tables of each analysis.
TABLES: Mapping[str, MakeTables] = {
    "system": _system_tables,
    "sentence": _sentence_tables,
    "test": _test_tables,
    "windows": window_tables,
    "rank-pairs": pair_tables,
    "system-pairs": pair_tables,
    "references": reference_tables,
    "reference-numbers": reference_number_tables,
    "efficiency": timing_tables,
}


def _table(header: tuple[str, ...], figures: Mapping[str, list[Cell]], layout: Layout, title: str) -> Table:
    """Return one row for each metric, in the layout that was asked for."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((metric, *cells) for metric, cells in figures.items())
    compared = {
        name: False for n, name in enumerate(header) if any(isinstance(row[n], Figure) for row in rows)
    }
    return layout.arrange(Table(header, rows, title), compared)


def _by_group(results: Sequence[Any]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for one in results:
        groups.setdefault(one.group, []).append(one)
    return groups


def _with_notes(table: Table, notes: Sequence[str]) -> Table:
    return Table(table.header, table.rows, table.title, (*table.notes, *notes))
