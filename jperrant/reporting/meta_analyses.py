"""Windows, pairs, sets and numbers of references, and costs of metrics, as tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from jperrant.core.layout import Layout
from jperrant.core.messages import plural
from jperrant.core.tables import Cell, Table
from jperrant.evaluation.efficiency import Timing
from jperrant.evaluation.meta.evaluation import MetaEvaluation
from jperrant.evaluation.meta.metric_scores import AGGREGATIONS
from jperrant.evaluation.meta.pairwise import PairAnalysis
from jperrant.evaluation.meta.reference_sets import ReferenceResult
from jperrant.evaluation.meta.windows import WindowAnalysis

T = TypeVar("T")
#: What a correlation is called in the head of a column.
SHORT = {"pearson": "r", "spearman": "rho"}


def window_tables(found: MetaEvaluation, results: Sequence[WindowAnalysis], layout: Layout) -> list[Table]:
    """Return for each human score one row for each window and two columns for each metric."""
    tables = []
    for analyses in _grouped(results, lambda one: (one.group, one.human)):
        first = analyses[0]
        header = [
            "ranks",
            "systems",
            *(f"{one.metric} {short}" for one in analyses for short in SHORT.values()),
        ]
        rows: list[tuple[Cell, ...]] = []
        for n, window in enumerate(first.windows):
            inside = first.systems[window.first - 1 : window.last]
            figures = [layout.figure(getattr(one.windows[n], kind)) for one in analyses for kind in SHORT]
            rows.append((f"{window.first}-{window.last}", f"{inside[0]} … {inside[-1]}", *figures))
        width = len(first.windows[0].systems)
        title = f"{found.dataset.name}, windows of {width} systems by {first.human}: group {first.group}"
        tables.append(
            Table(tuple(header), tuple(rows), f"{title}, {AGGREGATIONS[found.options.aggregation]}")
        )
    return tables


def pair_tables(found: MetaEvaluation, results: Sequence[PairAnalysis], layout: Layout) -> list[Table]:
    """Return for each set of judgements one row for each pair and two columns for each metric: accuracy, ties."""
    tables = []
    for analyses in _grouped(results, lambda one: (one.group, one.judgements)):
        first = analyses[0]
        header = [
            first.of,
            "pairs",
            *(head for one in analyses for head in (one.metric, f"{one.metric} ties")),
        ]
        rows: list[tuple[Cell, ...]] = []
        for n, pair in enumerate(first.pairs):
            same = [one.pairs[n] for one in analyses]
            figures = [cell for one in same for cell in (layout.figure(one.accuracy), one.ties)]
            rows.append((f"{pair.first} – {pair.second}", pair.pairs, *figures))
        title = (
            f"{found.dataset.name}, accuracy by pair of {first.of}: group {first.group}, {first.judgements}"
        )
        tables.append(Table(tuple(header), tuple(rows), title, (f"ties of a metric: rule {first.rule}",)))
    return tables


def reference_tables(
    found: MetaEvaluation, results: Sequence[ReferenceResult], layout: Layout
) -> list[Table]:
    """Return for each human score one row for each metric and two columns for each set, as papers do."""
    tables = []
    for own in _grouped(results, lambda one: (one.group, one.human)):
        numbers = {one.set: one.references for one in own}
        header = ["metric", *(f"{name} {short}" for name in numbers for short in SHORT.values())]
        rows: dict[str, dict[str, Cell]] = {}
        for one in own:
            for kind, short in SHORT.items():
                rows.setdefault(one.metric, {})[f"{one.set} {short}"] = layout.figure(getattr(one, kind))
        cells = tuple((metric, *(row.get(head) for head in header[1:])) for metric, row in rows.items())
        title = f"{found.dataset.name}, sets of references: group {own[0].group}, {own[0].human}"
        counted = ", ".join(f"{name} {number}" for name, number in numbers.items())
        tables.append(
            Table(
                tuple(header),
                cells,
                f"{title}, {AGGREGATIONS[found.options.aggregation]}",
                (f"references a sentence: {counted}",),
            )
        )
    return tables


def reference_number_tables(
    found: MetaEvaluation, results: Sequence[ReferenceResult], layout: Layout
) -> list[Table]:
    """Return for each set one row for each number of references, with standard deviations over the choices."""
    tables = []
    for own in _grouped(results, lambda one: (one.group, one.human, one.set)):
        metrics = list(dict.fromkeys(one.metric for one in own))
        heads = [head for short in SHORT.values() for head in (short, f"{short} sd")]
        header = ["references", "draws", *(f"{metric} {head}" for metric in metrics for head in heads)]
        rows: list[tuple[Cell, ...]] = []
        for same in _grouped(own, lambda one: one.references):
            figures = [
                layout.figure(value)
                for one in same
                for value in (one.pearson, one.pearson_deviation, one.spearman, one.spearman_deviation)
            ]
            rows.append((same[0].references, same[0].draws, *figures))
        title = f"{found.dataset.name}, numbers of references of {own[0].set}: group {own[0].group}, {own[0].human}"
        note = "mean and standard deviation over draws of references"
        tables.append(Table(tuple(header), tuple(rows), title, (note,)))
    return tables


def timing_tables(found: MetaEvaluation, results: Sequence[Timing], _: Layout) -> list[Table]:
    """Return one row for each metric: milliseconds for a sentence, seconds for all of them and for the first."""
    rows = [(one.name, 1000 * one.per_sentence, one.seconds, one.cpu, one.start) for one in results]
    first = results[0]
    header = ("metric", "ms a sentence", "seconds", "CPU seconds", "start")
    title = (
        f"{found.dataset.name}, time: {plural(first.systems, 'system')} of {plural(first.sentences, 'sentence')}, "
        "annotated before"
    )
    return [Table(header, tuple(rows), title)]


def _grouped(values: Sequence[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    """Return values in lists of equal keys, in the order in which keys come first."""
    groups: dict[Any, list[T]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return list(groups.values())
