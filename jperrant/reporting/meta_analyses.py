"""Windows, pairs, sets of references and costs of metrics, as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from jperrant.core.tables import Cell, Figure, Table
from jperrant.evaluation.efficiency import Timing
from jperrant.evaluation.meta.pairwise import PairAccuracy
from jperrant.evaluation.meta.reference_sets import ReferenceResult
from jperrant.evaluation.meta.windows import WindowAnalysis

#: How correlations are called in the header of a table.
R, RHO = "r", "ρ"


def window_table(analyses: Sequence[WindowAnalysis]) -> Table:
    """Return one row for each window and two columns for each metric, of one human score.

    Args:
        analyses: One for each metric, over the same human score and systems.
    """
    first = analyses[0]
    header = ["ranks", "systems"]
    for analysis in analyses:
        header += [f"{analysis.metric} {R}", f"{analysis.metric} {RHO}"]
    rows: list[tuple[Cell, ...]] = []
    for n, window in enumerate(first.windows):
        inside = first.systems[window.first - 1 : window.last]
        figures = [f for a in analyses for f in (a.windows[n].pearson, a.windows[n].spearman)]
        rows.append((f"{window.first}-{window.last}", f"{inside[0]} … {inside[-1]}", *figures))
    return Table(tuple(header), tuple(rows), f"{len(first.windows[0].systems)} neighbours by {first.human}")


def pair_table(by_metric: Mapping[str, Sequence[PairAccuracy]], title: str, of: str, rule: str) -> Table:
    """Return one row for each pair of ranks or systems and two columns for each metric: accuracy and ties.

    Args:
        by_metric: The pairs of each metric, the same ones in the same order.
        title: What stands above the table.
        of: What the pairs are of: ``ranks`` or ``systems``.
        rule: The rule for ties.
    """
    metrics = list(by_metric)
    header = [of, "pairs"]
    for metric in metrics:
        header += [metric, f"{metric} ties"]
    rows: list[tuple[Cell, ...]] = []
    for same in zip(*by_metric.values(), strict=True):
        figures: list[Cell] = []
        for one in same:
            figures += [one.accuracy, one.ties]
        rows.append((f"{same[0].first} – {same[0].second}", same[0].pairs, *figures))
    return Table(tuple(header), tuple(rows), title, (f"accuracy; ties: {rule}",))


def reference_table(results: Sequence[ReferenceResult], title: str) -> Table:
    """Return one row for each metric and two columns for each set of references, as the papers print them.

    Args:
        results: Those of :func:`by_reference_set`.
        title: What stands above the table.
    """
    sets = list(dict.fromkeys(result.set for result in results))
    numbers = {result.set: result.references for result in results}
    named = {(result.metric, result.set): result for result in results}
    header = ["metric", *(f"{name} {kind}" for name in sets for kind in (R, RHO))]
    rows: list[tuple[Cell, ...]] = []
    for metric in dict.fromkeys(result.metric for result in results):
        row: list[Cell] = [metric]
        for name in sets:
            result = named[metric, name]
            row += [result.pearson, result.spearman]
        rows.append(tuple(row))
    counted = ", ".join(f"{name} {number}" for name, number in numbers.items())
    return Table(tuple(header), tuple(rows), title, (f"references a sentence: {counted}",))


def reference_number_table(results: Sequence[ReferenceResult], title: str) -> Table:
    """Return one row for each number of references and two columns for each metric, with standard deviations.

    Args:
        results: Those of :func:`by_number_of_references` for one set.
        title: What stands above the table.
    """
    metrics = list(dict.fromkeys(result.metric for result in results))
    named = {(result.metric, result.references): result for result in results}
    header = ["references", "draws", *(f"{metric} {kind}" for metric in metrics for kind in (R, RHO))]
    rows: list[tuple[Cell, ...]] = []
    for number in dict.fromkeys(result.references for result in results):
        row: list[Cell] = [number, named[metrics[0], number].draws]
        for metric in metrics:
            result = named[metric, number]
            row += [
                _deviating(result.pearson, result.pearson_deviation, result.draws),
                _deviating(result.spearman, result.spearman_deviation, result.draws),
            ]
        rows.append(tuple(row))
    return Table(tuple(header), tuple(rows), title, ("mean ± standard deviation over draws of references",))


def timing_table(timings: Sequence[Timing]) -> Table:
    """Return one row for each metric: milliseconds for a sentence, seconds for all of them and for the first."""
    rows = [(t.name, 1000 * t.per_sentence, t.seconds, t.cpu, t.start) for t in timings]
    notes: tuple[str, ...] = ()
    if timings:
        notes = (f"{timings[0].systems} systems of {timings[0].sentences} sentences, as M2 in memory",)
    header = ("metric", "ms a sentence", "seconds", "CPU seconds", "start")
    return Table(header, tuple(rows), notes=(*notes, *(t.metric for t in timings)))


def _deviating(mean: float, deviation: float, draws: int) -> Figure | None:
    if math.isnan(mean):
        return None
    return Figure(f"{mean:.4f}" + (f" ± {deviation:.4f}" if draws > 1 else ""), mean)
