"""The results of a meta-evaluation as tables and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from jperrant.core.messages import plural
from jperrant.core.tables import Cell, Figure, Layout, Table, check_columns, render
from jperrant.evaluation.meta.evaluation import MetaEvaluation, MetaRequest
from jperrant.evaluation.meta.fit import Fit
from jperrant.evaluation.meta.levels import (
    TIE_RULES,
    CorrelationTest,
    PairAnalysis,
    SentenceAgreement,
    SystemCorrelation,
    WindowAnalysis,
    grouped,
)
from jperrant.evaluation.meta.metric_scores import AGGREGATIONS
from jperrant.reporting.listings import as_json

#: The names of correlations in column headers.
SHORT = {"pearson": "r", "spearman": "rho", "kendall": "tau"}
#: The correlations over windows.
OF_WINDOWS = ("pearson", "spearman")
#: The figures of a set of judgements in the table of sentences.
OF_PAIRS = ("accuracy", "tau", "ties")
#: A function that makes the tables of one analysis from its results.
MakeTables: TypeAlias = Callable[[MetaEvaluation, Sequence[Any], Layout], Iterator[Table]]
#: The first cells of a row, and other cells of it by column header.
Cells: TypeAlias = tuple[tuple[Cell, ...], Mapping[str, Cell]]


def format_meta(found: MetaEvaluation, format: str = "text", layout: Layout | None = None) -> str:
    """Return the results of a meta-evaluation, ending in a newline.

    Args:
        found: The results.
        format: ``json``, or one of the formats of tables.
        layout: The layout of figures in tables.

    Raises:
        UsageError: The format or a column is unknown.
    """
    check_meta_columns(layout.columns if layout else (), found.request)
    if format == "json":
        return as_json(found.to_dict())
    return render(meta_tables(found, layout), format)


def meta_tables(found: MetaEvaluation, layout: Layout | None = None) -> list[Table]:
    """Return the tables of all analyses, for each group of systems; the last table has the signatures as notes."""
    tables = [
        table
        for name, results in found.results.items()
        for table in TABLES[name](found, results, layout or Layout())
    ]
    signatures = tuple(dict.fromkeys(scores.signature for scores in found.metrics if scores.signature))
    return [*tables[:-1], _with_notes(tables[-1], *signatures)] if tables else []


def _system_tables(
    found: MetaEvaluation, results: Sequence[SystemCorrelation], layout: Layout
) -> Iterator[Table]:
    def figures(one: SystemCorrelation) -> dict[str, Cell]:
        return {
            f"{one.human} {short}": layout.figure(one.values[kind], one.intervals.get(kind))
            for kind, short in SHORT.items()
        }

    for own in grouped(results, "group"):
        title = (
            f"{found.dataset.name}, systems: group {own[0].group} ({plural(len(own[0].systems), 'system')}), "
            f"{AGGREGATIONS[found.options.aggregation]}"
        )
        cells = [((one.metric,), figures(one)) for one in own]
        yield _arranged(_pivot(("metric",), cells, title), layout)
        if found.options.samples and not layout.intervals:
            # The ends of intervals are a table of their own, which every format can hold.
            ends = [
                (one.metric, one.human, kind, *map(layout.figure, one.intervals[kind]))
                for one in own
                for kind in SHORT
            ]
            header = ("metric", "human", "correlation", "low", "high")
            yield Table(header, tuple(ends), f"{title}: 95 % intervals")


def _sentence_tables(
    found: MetaEvaluation, results: Sequence[SentenceAgreement], layout: Layout
) -> Iterator[Table]:
    def figures(one: SentenceAgreement) -> dict[str, Cell]:
        shown = (layout.figure(one.accuracy, one.interval), layout.figure(one.kendall), one.ties)
        return {f"{one.judgements} {what}": cell for what, cell in zip(OF_PAIRS, shown, strict=True)}

    rule = found.options.ties
    for own in grouped(results, "group"):
        sets = {one.judgements: one.pairs for one in own}
        pairs = ", ".join(f"{name} {number:,}" for name, number in sets.items())
        title = f"{found.dataset.name}, sentences: group {own[0].group}, pairs judged: {pairs}"
        cells = [((one.metric,), figures(one)) for one in own]
        table = _arranged(_pivot(("metric",), cells, title), layout)
        yield _with_notes(table, f"ties of a metric, rule {rule}: {TIE_RULES[rule]}")


def _test_tables(
    found: MetaEvaluation, results: Sequence[CorrelationTest], layout: Layout
) -> Iterator[Table]:
    for own in grouped(results, "group"):
        cells = []
        for one in own:
            difference = layout.figure(one.difference, signed=True)
            cells.append((one.metric, one.human, difference, layout.figure(one.williams_p)))
        header = ("metric", "human", "difference", "Williams p")
        against = f"Pearson's r against that of {own[0].baseline}"
        yield Table(header, tuple(cells), f"{found.dataset.name}, systems: group {own[0].group}, {against}")


def _window_tables(
    found: MetaEvaluation, results: Sequence[WindowAnalysis], layout: Layout
) -> Iterator[Table]:
    """Yield for each human score one row for each window and two columns for each metric."""
    for own in grouped(results, "group", "human"):
        cells: list[Cells] = []
        for one in own:
            for window in one.windows:
                systems = f"{one.systems[window.first - 1]} … {one.systems[window.last - 1]}"
                ranks = (f"{window.first}-{window.last}", systems)
                values = {f"{one.metric} {SHORT[kind]}": getattr(window, kind) for kind in OF_WINDOWS}
                cells.append((ranks, {head: layout.figure(value) for head, value in values.items()}))
        width = len(own[0].windows[0].systems)
        title = f"{found.dataset.name}, windows of {width} systems by {own[0].human}: group {own[0].group}"
        yield _pivot(("ranks", "systems"), cells, f"{title}, {AGGREGATIONS[found.options.aggregation]}")


def _pair_tables(found: MetaEvaluation, results: Sequence[PairAnalysis], layout: Layout) -> Iterator[Table]:
    """Yield for each set of judgements one row for each pair and two columns for each metric: accuracy, ties."""
    for own in grouped(results, "group", "judgements"):
        cells: list[Cells] = []
        for one in own:
            for pair in one.pairs:
                figures = {one.metric: layout.figure(pair.accuracy), f"{one.metric} ties": pair.ties}
                cells.append(((f"{pair.first} – {pair.second}", pair.pairs), figures))
        where = f"group {own[0].group}, {own[0].judgements}"
        title = f"{found.dataset.name}, accuracy by pair of {own[0].of}: {where}"
        yield _with_notes(_pivot((own[0].of, "pairs"), cells, title), f"ties of a metric: rule {own[0].rule}")


def _fit_tables(found: MetaEvaluation, results: Sequence[Fit], layout: Layout) -> Iterator[Table]:
    """Yield for each metric, group and human score one row for each set of references."""
    for one in results:
        folds = {fold.held_out: fold for fold in one.folds}
        rows = []
        for name, value in one.fitted.items():
            row: list[Cell] = [name, layout.figure(value), layout.figure(one.paper[name])]
            if fold := folds.get(name):
                row += [layout.figure(fold.correlation), _written(fold.factors)]
            rows.append(tuple(row))
        header = ("references", one.correlation, "paper's factors", "held out", "factors of the others")
        notes = [f"factors {_written(one.factors)}: best of {one.tried} on {len(one.systems)} systems"]
        if not folds:
            notes += ["only one set of references: none can be held out, so the factors may fit it by chance"]
        title = f"{found.dataset.name}, factors of {one.metric} fitted to {one.human}: group {one.group}"
        yield Table(header[: len(rows[0])], tuple(rows), title, tuple(notes))


#: The function that makes the tables of each analysis.
TABLES: Mapping[str, MakeTables] = {
    "system": _system_tables,
    "sentence": _sentence_tables,
    "test": _test_tables,
    "windows": _window_tables,
    "rank-pairs": _pair_tables,
    "system-pairs": _pair_tables,
    "fit": _fit_tables,
}


def _pivot(first: tuple[str, ...], cells: Iterable[Cells], title: str) -> Table:
    """Return a table: cells with the same first cells are one row, cells with the same header one column."""
    rows: dict[Cell, Cells] = {}
    for beginning, others in cells:
        kept, figures = rows.get(beginning[0], (beginning, {}))
        rows[beginning[0]] = kept, {**figures, **others}
    heads = list(dict.fromkeys(head for _, figures in rows.values() for head in figures))
    table = tuple((*kept, *(figures.get(head) for head in heads)) for kept, figures in rows.values())
    return Table((*first, *heads), table, title)


def check_meta_columns(columns: Sequence[str], request: MetaRequest) -> None:
    """Check, before metrics are computed, that the tables of systems and sentences have the given columns.

    Raises:
        UsageError: A column is unknown; names the known ones.
    """
    known = ["metric"]
    if columns and "system" in request.wanted:
        known += [f"{name} {short}" for name in request.human for short in SHORT.values()]
    if "sentence" in request.wanted:
        known += [f"{name} {what}" for name in request.judgements for what in OF_PAIRS]
    check_columns(columns, list(dict.fromkeys(known)))


def _arranged(table: Table, layout: Layout) -> Table:
    """Return a table in a layout, with those of the chosen columns that it has."""
    layout = replace(layout, columns=tuple(name for name in layout.columns if name in table.header))
    compared = {
        name: False
        for n, name in enumerate(table.header)
        if any(isinstance(row[n], Figure) for row in table.rows)
    }
    return layout.arrange(table, compared)


def _with_notes(table: Table, *notes: str) -> Table:
    return replace(table, notes=(*table.notes, *notes))


def _written(factors: Sequence[float]) -> str:
    return ",".join(f"{a:g}" for a in factors)
