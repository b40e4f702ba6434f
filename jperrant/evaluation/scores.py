"""Scores of several systems by several metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jperrant.core.display import labels
from jperrant.core.errors import UsageError, nearest
from jperrant.core.extras import import_extra
from jperrant.core.markup import table_html
from jperrant.core.tables import Cell, Table, render
from jperrant.core.visible import visible_text
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.significance import (
    SEED,
    Comparison,
    Interval,
    Test,
    intervals,
    paired_tests,
)

if TYPE_CHECKING:
    from jperrant.evaluation.statistics.ranking import Rank

#: Rows, and lines below them, that ``repr`` shows.
MOST_SHOWN = 20


class Scores(tuple[Score, ...]):
    """The scores of systems by metrics, system by system, each with all metrics; a tuple of :class:`Score`.

    >>> scores = jperrant.score("a.m2", "b.m2", "gold.m2", metric=["errant", "cleme2"])
    >>> scores["a.m2", "cleme2"].values["score"]
    """

    __slots__ = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, each once."""
        return tuple(dict.fromkeys(score.hypothesis for score in self))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics: their names, with their settings where one name stands for several."""
        return tuple(dict.fromkeys(self.labels()))

    def warnings(self) -> tuple[str, ...]:
        """Return the warnings of all scores, each once; of several metrics each is named in what it said itself."""
        labels, several = self.labels(), len(self.metrics) > 1
        lines = [
            line
            for label, score in zip(labels, self, strict=True)
            for line in score.warnings_of(label if several else "")
        ]
        return tuple(dict.fromkeys(lines))

    def signatures(self) -> tuple[str, ...]:
        """Return the signature of each metric; with their systems where these differ, as some were aligned."""
        lines: dict[str, None] = {}
        for scores in self.by_metric().values():
            systems: dict[str, list[str]] = {}
            for score in scores:
                systems.setdefault(score.signature, []).append(score.hypothesis)
            several = len(systems) > 1
            lines |= {
                f"{line} ({', '.join(own)})" if several else line: None for line, own in systems.items()
            }
        return tuple(lines)

    def by_metric(self) -> dict[str, list[Score]]:
        """Return the scores of all systems for each metric."""
        labels = self.labels()
        return {
            metric: [score for n, score in enumerate(self) if labels[n] == metric] for metric in self.metrics
        }

    def __getitem__(self, key: Any) -> Any:
        """Return the score at an index, or of a system, or of a system by a metric."""
        if isinstance(key, int | slice):
            return super().__getitem__(key)
        system, metric = key if isinstance(key, tuple) else (key, None)
        if system not in self.systems:
            names = ", ".join(self.systems)
            raise UsageError(
                f"unknown system {system!r}{nearest(system, self.systems)}; expected one of {names}"
            )
        labels = self.labels()
        scores = [
            score
            for n, score in enumerate(self)
            if score.hypothesis == system and metric in (None, labels[n])
        ]
        if len(scores) != 1:
            raise UsageError(f"found metric {metric!r}, expected one of {', '.join(self.metrics)}")
        return scores[0]

    def table(self) -> Table:
        """Return one row for each system, with all values of a metric or, of several, the main value of each."""
        metrics = self.by_metric()
        if len(metrics) == 1:
            [scores] = metrics.values()
            header = tuple(scores[0].values)
            rows: list[tuple[Cell, ...]] = [(s.hypothesis, *s.values.values()) for s in scores]
        else:
            header = tuple(main_label(metric, scores[0]) for metric, scores in metrics.items())
            columns = [{s.hypothesis: s.values[s.scorer.main] for s in scores} for scores in metrics.values()]
            rows = [(system, *(column.get(system) for column in columns)) for system in self.systems]
        return Table(("hypothesis", *header), tuple(rows), notes=self.signatures())

    def intervals(self, samples: int | None = None, seed: int = SEED) -> list[dict[str, Interval]]:
        """Return a 95 % bootstrap interval for each value of each score, in their order.

        Args:
            samples, seed: As in :func:`jperrant.intervals`.
        """
        return [intervals(score, samples, seed) for score in self]

    def compare(
        self, test: Test = "bootstrap", samples: int | None = None, seed: int = SEED
    ) -> dict[str, list[Comparison]]:
        """Return for each metric the paired test of every system but the first against the first.

        Args:
            test, samples, seed: As in :func:`jperrant.paired_tests`.
        """
        return {
            metric: paired_tests(scores, test, samples, seed) for metric, scores in self.by_metric().items()
        }

    def rank(self) -> dict[str, dict[str, Rank]]:
        """Return for each metric how each system stands, best first by TrueSkill."""
        from jperrant.evaluation.statistics.ranking import rank_systems

        ranks = {}
        for metric, scores in self.by_metric().items():
            named = zip((score.hypothesis for score in scores), rank_systems(scores), strict=True)
            ranks[metric] = dict(sorted(named, key=lambda pair: -pair[1].trueskill))
        return ranks

    def to_dict(self, per_sentence: bool = False) -> list[dict[str, Any]]:
        """Return the scores as the objects that ``jperrant score --json`` prints.

        Args:
            per_sentence: Add each sentence.
        """
        return [score.to_dict(per_sentence) for score in self]

    def to_dataframe(self) -> Any:
        """Return a pandas DataFrame with one row for each system and metric.

        What one metric has and another lacks is not a number (NaN).

        Raises:
            MissingExtraError: pandas is not installed.
        """
        pandas = import_extra("pandas", "pandas")
        labels = self.labels()
        rows = [
            {"hypothesis": score.hypothesis, "metric": labels[n], "sentences": score.sentences}
            | score.values
            | score.counts
            for n, score in enumerate(self)
        ]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        if not self:
            return "Scores()"
        table = self.table()
        more = [f"… and {len(table.rows) - MOST_SHOWN} more"] if len(table.rows) > MOST_SHOWN else []
        names = labels([visible_text(str(row[0])) for row in table.rows])
        rows = tuple((name, *row[1:]) for name, row in zip(names, table.rows, strict=True))
        # Whole: a signature is what one copies into a paper.
        notes = tuple(visible_text(note).replace("\n", "\u240a") for note in table.notes[:MOST_SHOWN])
        kept = replace(table, rows=rows[:MOST_SHOWN], notes=(*more, *notes))
        return render([kept], "text").rstrip("\n")

    def _repr_html_(self) -> str:
        """Return the table of systems and metrics as HTML for a notebook."""
        if not self:
            return "<p>no scores</p>"
        table = self.table()
        return table_html(table.header, table.rows, table.notes, best=self._best(table))

    def _best(self, table: Table) -> set[tuple[int, int]]:
        """Return row and column of the best figures of a table of systems that are not all alike."""
        metrics = self.by_metric()
        columns = [(scores[0].scorer, scores[0].scorer.main) for scores in metrics.values()]
        if len(metrics) == 1:
            columns = [(self[0].scorer, name) for name in self[0].values]
        best: set[tuple[int, int]] = set()
        for column, (scorer, name) in enumerate(columns, start=1):
            figures = {row: cells[column] for row, cells in enumerate(table.rows)}
            known = {row: x for row, x in figures.items() if isinstance(x, float) and not math.isnan(x)}
            if len({*known.values()}) > 1:
                top = (min if scorer.better_lower(name) else max)(known.values())
                best |= {(row, column) for row, x in known.items() if x == top}
        return best

    def labels(self) -> tuple[str, ...]:
        """Return what each score's metric is called; with its settings where a name stands for several."""
        settings: dict[str, set[tuple[str, ...]]] = {}
        for score in self:
            settings.setdefault(score.metric, set()).add(score.scorer.settings)
        return tuple(
            score.metric if len(settings[score.metric]) == 1 else _label(score, settings[score.metric])
            for score in self
        )


def main_label(metric: str, score: Score) -> str:
    """Return what the column of a metric's main value is called; its own name is not said twice."""
    main = score.scorer.main
    return metric if main == score.metric else f"{metric} {main}"


def _label(score: Score, settings: Sequence[tuple[str, ...]] | set[tuple[str, ...]]) -> str:
    """Return the name of a metric with what sets it apart from itself with other options."""
    shared = set.intersection(*map(set, settings))
    own = [setting for setting in score.scorer.settings if setting not in shared]
    return f"{score.metric} {' '.join(own)}".strip()
