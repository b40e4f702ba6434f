"""The tables of a study: systems, languages, metrics, error types."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from jperrant.core.layout import Layout
from jperrant.core.tables import Cell, Table
from jperrant.evaluation.analysis import rows_by_category
from jperrant.evaluation.metrics.base import values_of
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.significance import Interval
from jperrant.evaluation.studies.crosslingual import GroupedScores, macro_averages
from jperrant.evaluation.studies.run import StudyResult
from jperrant.packs.labels import GROUPS

#: The column of the mean over datasets.
MACRO = "macro"


class StudyTables:
    """Makes the tables of a study.

    Args:
        result: The results.
        groups: The scores by group of error types; None if no metric knows types.
        layout: How figures are shown.
    """

    def __init__(self, result: StudyResult, groups: GroupedScores | None, layout: Layout) -> None:
        self.result, self.groups, self.layout = result, groups, layout
        self.several = len(result.study.datasets) > 1

    def tables(self) -> Iterator[tuple[str, tuple[str, ...], Table]]:
        """Yield the tables that are wanted: the kind of each, what it is about, and the table."""
        study = self.result.study
        wanted = set(study.tables)
        if "languages" in wanted and self.several:
            yield from (("languages", (metric,), self.languages(metric)) for metric in self.metric_labels())
        if "metrics" in wanted and self.several:
            yield "metrics", (), self.metrics()
        if "groups" in wanted and self.several and self.groups is not None:
            yield from (("groups", (system,), self.of_groups(system)) for system in self.systems())
        if "systems" in wanted:
            yield from (("systems", (name,), self.of_dataset(name)) for name in study.datasets)
        if "types" in wanted:
            for name in study.datasets:
                if (table := self.types(name)) is not None:
                    yield "types", (name,), table
        if "comparisons" in wanted and self.result.comparisons:
            yield "comparisons", (), self.comparisons()

    def metric_labels(self) -> list[str]:
        """Return the labels of the metrics that score datasets, in their order."""
        scored = {metric for own in self.result.scores.values() for metric in own}
        return [metric.label for metric in self.result.study.metrics if metric.label in scored]

    def systems(self) -> list[str]:
        """Return the systems of all datasets, each once, in their order."""
        return list(dict.fromkeys(s for one in self.result.study.datasets.values() for s in one.systems))

    def languages(self, metric: str) -> Table:
        """Return one row for each system: a metric's main value by dataset, and the macro average."""
        own = {name: scores[metric] for name, scores in self.result.scores.items() if metric in scores}
        macro = macro_averages(self.result, metric)
        rows: list[dict[str, Cell]] = []
        first = next(iter(next(iter(own.values())).values()))
        for system in self.systems():
            row: dict[str, Cell] = {"system": system}
            for name, scores in own.items():
                if system in scores:
                    row |= self._cells(name, name, metric, scores[system])
            if system in macro:
                row[MACRO] = self._figure(macro[system], first)
            if len(row) > 1:
                rows.append(row)
        notes = list(dict.fromkeys(score.signature for systems in own.values() for score in systems.values()))
        if macro:
            lacking = "; empty for systems that are not in all of them" if len(macro) < len(rows) else ""
            notes.append(f"{MACRO}: mean over {len(own)} datasets{lacking}")
        lower = first.scorer.lower_is_better
        notes += _lower_notes({metric: lower})
        columns = [*own, MACRO]
        title = f"{metric} {first.scorer.main}" if first.scorer.main not in metric else metric
        table = _table(
            rows, title, notes, ("system", *(part for n in own for part in (n, f"{n} low", f"{n} high")))
        )
        return self._arranged(table, dict.fromkeys(columns, lower))

    def metrics(self) -> Table:
        """Return one row for each system: the macro average of every metric that scores several datasets."""
        rows: dict[str, dict[str, Cell]] = {system: {"system": system} for system in self.systems()}
        lower: dict[str, bool] = {}
        for metric in self.metric_labels():
            macro = macro_averages(self.result, metric)
            score = self._any_score(metric)
            lower[metric] = score.scorer.lower_is_better
            for system, value in macro.items():
                rows[system][metric] = self._figure(value, score)
        filled = [row for row in rows.values() if len(row) > 1]
        notes = _lower_notes(lower)
        return self._arranged(
            _table(filled or list(rows.values()), "macro averages over datasets", notes), lower
        )

    def of_dataset(self, dataset: str) -> Table:
        """Return one row for each system of a dataset: the main value of every metric."""
        scores = self.result.scores[dataset]
        rows: dict[str, dict[str, Cell]] = {}
        lower, notes = {}, []
        for metric, own in scores.items():
            for system, score in own.items():
                row = rows.setdefault(system, {"system": system})
                row |= self._cells(metric, dataset, metric, score)
                lower[metric] = score.scorer.lower_is_better
                notes.append(score.signature)
        notes += _lower_notes(lower)
        if self.result.intervals:
            notes.append(f"intervals: 95 %, bootstrap over sentences, {self.result.study.intervals} samples")
        return self._arranged(_table(list(rows.values()), dataset, list(dict.fromkeys(notes))), lower)

    def of_groups(self, system: str) -> Table:
        """Return one row for each group of error types: a system's figures by dataset, and edits of references."""
        assert self.groups is not None
        datasets = {name: own[system] for name, own in self.groups.scores.items() if system in own}
        rows: list[dict[str, Cell]] = []
        for group in _in_order({group for score in datasets.values() for group in score.by_type}):
            row: dict[str, Cell] = {"group": group}
            support = 0.0
            for name, score in datasets.items():
                if group in score.by_type:
                    row[name] = self._figure(self._value(score, group), score)
                    support += _support(score, group) or 0.0
                else:
                    row[name] = None
            row["reference edits"] = int(support) if support == int(support) else support
            rows.append(row)
        score = next(iter(datasets.values()))
        notes = [f"no group in {name}, counted as other: {', '.join(labels)}"
                 for name, labels in self.groups.unknown.items() if name in datasets]  # fmt: skip
        return _table(
            rows, f"{system}: {self.groups.metric} {score.scorer.main} by group of error types", notes
        )

    def types(self, dataset: str) -> Table | None:
        """Return one row for each error type: the systems side by side; None if no metric knows types there."""
        typed = [
            (metric, own)
            for metric, own in self.result.scores[dataset].items()
            if any(score.by_type for score in own.values())
        ]
        if not typed:
            return None
        metric, scores = typed[0]
        types = sorted({type_ for score in scores.values() for type_ in score.by_type})
        rows: list[dict[str, Cell]] = []
        for type_ in types:
            row: dict[str, Cell] = {"type": type_}
            for system, score in scores.items():
                known = type_ in score.by_type
                row[system] = self._figure(self._value(score, type_), score) if known else None
            supports = [_support(score, type_) for score in scores.values() if type_ in score.by_type]
            most = max((support for support in supports if support is not None), default=None)
            row["reference edits"] = int(most) if most is not None and most == int(most) else most
            rows.append(row)
        main = next(iter(scores.values())).scorer.main
        return _table(rows, f"{dataset}: {metric} {main} by error type", [])

    def comparisons(self) -> Table:
        """Return one row for each difference between two systems that were compared."""
        rows: list[dict[str, Cell]] = []
        lower: dict[str, bool] = {}
        for compared in self.result.comparisons:
            values = {score.hypothesis: score.values[score.scorer.main] for score in compared.scores}
            score = compared.scores[0]
            lower[compared.metric] = score.scorer.lower_is_better
            for one in compared.comparisons:
                difference = one.differences[score.scorer.main]
                rows.append(
                    {
                        "dataset": compared.dataset,
                        "metric": compared.metric,
                        "system": one.hypothesis,
                        "baseline": one.baseline,
                        "value": self._figure(values[one.hypothesis], score),
                        "baseline value": self._figure(values[one.baseline], score),
                        "difference": self._figure(difference.value, score),
                        "low": self._figure(difference.low, score),
                        "high": self._figure(difference.high, score),
                        "p": difference.p,
                        "p corrected": difference.p_corrected,
                    }
                )
        made = {
            f"p: {one.test}, two-sided, {one.samples} samples, seed {one.seed}, corrected by {one.correction}"
            for compared in self.result.comparisons
            for one in compared.comparisons
        }
        notes = [*made] if len(made) == 1 else []
        return _table(rows, "systems compared", [*notes, *_lower_notes(lower)])

    def _cells(self, column: str, dataset: str, metric: str, score: Score) -> dict[str, Cell]:
        """Return the cell of a metric's main value, and those of its interval's ends where these stand apart."""
        main = score.scorer.main
        interval: Interval | None = self.result.intervals.get((dataset, metric, score.hypothesis), {}).get(
            main
        )
        ends = (interval.low, interval.high) if interval else None
        cells: dict[str, Cell] = {column: self._figure(score.values[main], score, ends)}
        if ends is not None and not self.layout.intervals:
            cells |= {
                f"{column} low": self._figure(ends[0], score),
                f"{column} high": self._figure(ends[1], score),
            }
        return cells

    def _figure(self, value: float, score: Score, ends: tuple[float, float] | None = None) -> Cell:
        if math.isnan(value):
            return None
        if self.layout.plain:
            return float(value)
        return self.layout.of_metric(score.scorer.needs_references).figure(value, ends)

    def _value(self, score: Score, type_: str) -> float:
        row = rows_by_category(score.by_type)[type_]
        return values_of(score.scorer, row)[score.scorer.main]

    def _any_score(self, metric: str) -> Score:
        return next(score for own in self.result.scores.values() for score in own.get(metric, {}).values())

    def _arranged(self, table: Table, lower: Mapping[str, bool]) -> Table:
        return self.layout.arrange(table, lower)


def _lower_notes(lower: Mapping[str, bool]) -> list[str]:
    """Return a note for each metric of which lower figures are better."""
    return [f"{metric}: lower is better" for metric, is_lower in lower.items() if is_lower]


def _support(score: Score, type_: str) -> float | None:
    """Return the number (or weight) of the edits of the chosen references of a type."""
    counts = dict(zip(score.scorer.columns, score.by_type[type_], strict=True))
    return counts["tp"] + counts["fn"] if {"tp", "fn"} <= counts.keys() else None


def _in_order(groups: set[str]) -> list[str]:
    """Return groups in the order of the table of all labels, others last."""
    known = [group for group in GROUPS if group in groups]
    return [*known, *sorted(groups - set(known))]


def _table(
    rows: Sequence[Mapping[str, Cell]], title: str, notes: Sequence[str], order: Sequence[str] = ()
) -> Table:
    """Return rows of named cells as a table; the columns of ``order`` come first, as far as there are any."""
    names = dict.fromkeys(name for row in rows for name in row)
    header = tuple(dict.fromkeys([*(name for name in order if name in names), *names]))
    return Table(header, tuple(tuple(row.get(name) for name in header) for row in rows), title, tuple(notes))
