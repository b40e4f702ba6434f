"""The tables of a study: systems, languages, metrics, error types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import cast

from jperrant.core.tables import Cell, Layout, Table
from jperrant.evaluation.analysis import rows_by_category
from jperrant.evaluation.metrics.base import values_of
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.statistics.significance import support_of
from jperrant.evaluation.studies.run import GroupedScores, StudyResult
from jperrant.packs.labels import GROUPS

#: The names of two columns: the mean over datasets, and the number of edits of the references.
MACRO, SUPPORT = "macro", "reference edits"
#: Cells by row and column; columns are in the order of their first cell.
Cells = dict[tuple[str, str], Cell]


class StudyTables:
    """Makes the tables of a study.

    Args:
        result: The results.
        layout: The layout of figures.
    """

    def __init__(self, result: StudyResult, layout: Layout) -> None:
        self.result, self.layout = result, layout
        self.several = len(result.study.datasets) > 1

    @cached_property
    def systems(self) -> list[str]:
        """The systems of all datasets, each once, in their order."""
        return list(dict.fromkeys(s for one in self.result.study.datasets.values() for s in one.systems))

    def tables(self, wanted: Iterable[str]) -> Iterator[tuple[str, str, Table]]:
        """Yield the tables that the study asks for: kind, subject and table."""
        datasets, wanted = self.result.scores, set(wanted)
        if "languages" in wanted and self.several:
            yield from (("languages", metric, self.languages(metric)) for metric in self.result.study.metrics)
        if "metrics" in wanted and self.several:
            yield "metrics", "", self.metrics()
        if "groups" in wanted and self.several and self.result.groups is not None:
            yield from (("groups", system, self.of_groups(system)) for system in self.systems)
        if "systems" in wanted:
            yield from (("systems", name, self.of_dataset(name)) for name in datasets)
        if "types" in wanted:
            made = ((name, self.types(name)) for name in datasets)
            yield from (("types", name, table) for name, table in made if table is not None)

    def languages(self, metric: str) -> Table:
        """Return one row for each system: a metric's main value by dataset, and the macro average."""
        own = {name: scores[metric] for name, scores in self.result.scores.items()}
        macro, cells = self.result.macro(metric), Cells()
        for name, scores in own.items():
            for system, score in scores.items():
                cells |= self._figures(system, name, (name, metric, system), score)
        first = next(score for scores in own.values() for score in scores.values())
        cells |= {(system, MACRO): self._figure(value, first) for system, value in macro.items()}
        notes = [score.signature for systems in own.values() for score in systems.values()]
        if macro:
            lacking = (
                "; empty for systems that are not in all of them" if len(macro) < len(self.systems) else ""
            )
            notes.append(f"{MACRO}: mean over {len(own)} datasets{lacking}")
        title = metric if first.scorer.main in metric else f"{metric} {first.scorer.main}"
        lower = dict.fromkeys([*own, MACRO], first.scorer.lower_is_better)
        return self._arranged(cells, title, [*notes, *_lower_notes({metric: lower[MACRO]})], lower)

    def metrics(self) -> Table:
        """Return one row for each system: the macro average of every metric."""
        cells, lower = Cells(), {}
        for metric in self.result.study.metrics:
            score = next(one for own in self.result.scores.values() for one in own[metric].values())
            lower[metric] = score.scorer.lower_is_better
            macro = self.result.macro(metric)
            cells |= {(system, metric): self._figure(value, score) for system, value in macro.items()}
        return self._arranged(cells, "macro averages over datasets", _lower_notes(lower), lower)

    def of_dataset(self, dataset: str) -> Table:
        """Return one row for each system of a dataset: the main value of every metric."""
        cells, lower, notes = Cells(), {}, []
        for metric, own in self.result.scores[dataset].items():
            for system, score in own.items():
                cells |= self._figures(system, metric, (dataset, metric, system), score)
                lower[metric] = score.scorer.lower_is_better
                notes.append(score.signature)
        notes += _lower_notes(lower)
        if self.result.intervals:
            notes.append(f"intervals: 95 %, bootstrap over sentences, {self.result.study.intervals} samples")
        return self._arranged(cells, dataset, notes, lower)

    def of_groups(self, system: str) -> Table:
        """Return one row for each group of error types: a system's figures by dataset, and edits of references."""
        groups = cast(GroupedScores, self.result.groups)
        own = {name: scores[system] for name, scores in groups.scores.items() if system in scores}
        cells, found = Cells(), {group for score in own.values() for group in score.by_type}
        rows = [*(group for group in GROUPS if group in found), *sorted(found - {*GROUPS})]
        for name, score in own.items():
            cells |= {(group, name): self._of_type(score, group) for group in rows}
        for group in rows:
            cells[group, SUPPORT] = _whole(sum(_supports(own.values(), group)))
        unknown = {name: labels for name, labels in groups.unknown.items() if name in own}
        notes = [f"no group in {name}, counted as other: {', '.join(s)}" for name, s in unknown.items()]
        main = next(iter(own.values())).scorer.main
        title = f"{system}: {groups.metric} {main} by group of error types"
        return _table("group", rows, cells, title, notes)

    def types(self, dataset: str) -> Table | None:
        """Return one row for each error type: the systems side by side; None if no metric knows types there."""
        for metric, own in self.result.scores[dataset].items():
            if rows := sorted({type_ for score in own.values() for type_ in score.by_type}):
                cells: Cells = {(t, s): self._of_type(score, t) for s, score in own.items() for t in rows}
                for t in rows:
                    known = _supports(own.values(), t)
                    cells[t, SUPPORT] = _whole(max(known)) if known else None
                main = next(iter(own.values())).scorer.main
                return _table("type", rows, cells, f"{dataset}: {metric} {main} by error type", [])
        return None

    def _figures(self, row: str, column: str, of: tuple[str, str, str], score: Score) -> Cells:
        """Return the cell of a metric's main value, and those of its interval's ends if these have columns."""
        main = score.scorer.main
        interval = self.result.intervals.get(of, {}).get(main)
        ends = (interval.low, interval.high) if interval else None
        cells: Cells = {(row, column): self._figure(score.values[main], score, ends)}
        if ends and not self.layout.intervals:
            cells |= {
                (row, f"{column} {name}"): self._figure(end, score)
                for name, end in zip(("low", "high"), ends, strict=True)
            }
        return cells

    def _figure(self, value: float, score: Score, ends: tuple[float, float] | None = None) -> Cell:
        if self.layout.plain:
            return None if value != value else float(value)
        return self.layout.of_metric(score.scorer.needs_references).figure(value, ends)

    def _of_type(self, score: Score, type_: str) -> Cell:
        row = rows_by_category(score.by_type).get(type_)
        return None if row is None else self._figure(values_of(score.scorer, row)[score.scorer.main], score)

    def _arranged(self, cells: Cells, title: str, notes: Sequence[str], lower: Mapping[str, bool]) -> Table:
        return self.layout.arrange(_table("system", self.systems, cells, title, notes), lower)


def _table(first: str, rows: Iterable[str], cells: Cells, title: str, notes: Iterable[str]) -> Table:
    """Return cells as a table whose first column names the rows, without empty rows."""
    columns, filled = list(dict.fromkeys(column for _, column in cells)), {row for row, _ in cells}
    lines = [(row, *(cells.get((row, column)) for column in columns)) for row in rows if row in filled]
    return Table((first, *columns), tuple(lines), title, tuple(dict.fromkeys(notes)))


def _lower_notes(lower: Mapping[str, bool]) -> list[str]:
    """Return a note for each metric whose lower figures are better."""
    return [f"{metric}: lower is better" for metric, is_lower in lower.items() if is_lower]


def _supports(scores: Iterable[Score], type_: str) -> list[float]:
    """Return the number (or weight) of a type's edits in the chosen references, for scores that count them."""
    found = [support_of(one.scorer, one.by_type[type_]) for one in scores if type_ in one.by_type]
    return [number for number in found if number is not None]


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number
