"""The scores of several systems by several metrics, as one value with tables and exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jperrant.core.display import labels, printable
from jperrant.core.errors import UsageError, check_known
from jperrant.core.messages import plural
from jperrant.core.packages import import_extra
from jperrant.core.tables import Cell, Layout, Table, as_html, render
from jperrant.evaluation.analysis import Analysis, analyse, grouped_by_packs
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.score_tables import (
    by_metric,
    format_scores,
    labels_of,
    main_label,
    signatures_of,
    warnings_of,
)
from jperrant.evaluation.statistics.significance import check_test

#: The most rows, and the most notes, that ``repr`` shows.
MOST_SHOWN = 20


class Scores(tuple[Score, ...]):
    """A tuple of :class:`Score`: system by system, and for each system metric by metric.

    >>> scores = jperrant.score(["a.m2", "b.m2"], "gold.m2", metrics=["errant", "cleme2"])
    >>> scores["a.m2", "cleme2"].values["score"]
    """

    __slots__ = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The distinct names of the systems."""
        return tuple(dict.fromkeys(score.hypothesis for score in self))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The distinct labels of the metrics."""
        return tuple(dict.fromkeys(self.labels()))

    def labels(self) -> tuple[str, ...]:
        """Return the label of the metric of each score; see :func:`labels_of`."""
        return labels_of(self)

    def warnings(self) -> tuple[str, ...]:
        """Return the distinct warnings of all scores; see :func:`warnings_of`."""
        return warnings_of(self)

    def signatures(self) -> tuple[str, ...]:
        """Return the signatures of the metrics; see :func:`signatures_of`."""
        return signatures_of(self)

    def by_metric(self) -> dict[str, list[Score]]:
        """Return the scores of all systems by metric."""
        return by_metric(self)

    def in_groups(self) -> tuple[Scores, list[str]]:
        """Return the scores by the groups of types that all languages share, and notes about labels without one."""
        grouped, lines = grouped_by_packs(self)
        return Scores(grouped), lines

    def __getitem__(self, key: Any) -> Any:
        """Return the score at an index, the only score of a system, or the score of a system by a metric."""
        if isinstance(key, int | slice):
            return super().__getitem__(key)
        system, metric = key if isinstance(key, tuple) else (key, None)
        check_known("system", system, self.systems)
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
        """Return a table of systems with all values of one metric, or with the main values of several."""
        metrics = self.by_metric()
        if len(metrics) == 1:
            [scores] = metrics.values()
            header = tuple(scores[0].values)
            rows: list[tuple[Cell, ...]] = [(s.hypothesis, *s.values.values()) for s in scores]
        else:
            header = tuple(main_label(metric, scores[0]) for metric, scores in metrics.items())
            columns = [{s.hypothesis: s.values[s.scorer.main] for s in scores} for scores in metrics.values()]
            rows = [(system, *(column.get(system) for column in columns)) for system in self.systems]
        notes = (*self.signatures(), *(f"warning: {line}" for line in self.warnings()))
        return Table(("hypothesis", *header), tuple(rows), notes=notes)

    def analyse(self, **asked: Any) -> list[Analysis]:
        """Return the analysis of each score, in their order; systems are compared within a metric.

        Args:
            **asked: As in :func:`jperrant.evaluation.analysis.analyse`.

        Raises:
            UsageError: As in ``analyse``.
        """
        found: dict[int, Analysis] = {}
        for own in self.by_metric().values():
            found |= {id(score): one for score, one in zip(own, analyse(own, **asked), strict=True)}
        return [found[id(score)] for score in self]

    def to_dict(self, per_sentence: bool = False) -> list[dict[str, Any]]:
        """Return the JSON objects that ``jperrant score --json`` prints.

        Args:
            per_sentence: Whether to add the figures of each sentence.
        """
        return [score.to_dict(per_sentence) for score in self]

    def to_latex(self, columns: Sequence[str] = (), **how: Any) -> str:
        """Return a LaTeX table for a paper (booktabs), with intervals and marks of significance.

        Comments above the table hold the signatures, the tests and the warnings.

        Args:
            columns: The columns to keep, in order; if empty the values of one metric, or the main value of several.
            **how: The layout. ``intervals``: ``pm`` (default) for ``.321 ± .021``, ``brackets`` for
                ``.321 [.299, .343]``, empty for none. ``test``: the paired test behind the marks, ``bootstrap``
                (default), ``randomisation``, or empty for none; p-values are corrected by Holm's procedure.
                ``baseline``: the system that the others are tested against, the first if empty. ``percent``:
                figures times 100. ``decimals``: 4 if None, or 2 with ``percent``. ``bold_best``: True by default.
                ``samples`` and ``seed``: as in :func:`jperrant.intervals`.

        Raises:
            UsageError: A column, test or style of intervals is unknown.
        """
        return self._paper("latex", columns, **how)

    def to_markdown(self, columns: Sequence[str] = (), **how: Any) -> str:
        """Return a Markdown table with notes below it; see :meth:`to_latex`."""
        return self._paper("md", columns, **how)

    def _paper(
        self,
        format: str,
        columns: Sequence[str],
        intervals: str = "pm",
        test: str = "bootstrap",
        baseline: str = "",
        percent: bool = False,
        decimals: int | None = None,
        bold_best: bool = True,
        **drawn: Any,
    ) -> str:
        if not self:
            raise UsageError("found no scores to show")
        chosen = tuple(columns) or (tuple(self[0].values) if len(self.metrics) == 1 else ())
        check_test(test or "bootstrap")
        paired = test if len(self.systems) > 1 else ""
        analyses = self.analyse(
            ci=bool(intervals),
            paired_bs=paired == "bootstrap",
            paired_ar=paired == "randomisation",
            baseline=baseline if paired else "",
            **drawn,
        )
        return format_scores(analyses, format, layout=Layout(intervals, percent, decimals, chosen, bold_best))

    def to_dataframe(self) -> Any:
        """Return a pandas DataFrame with one row for each system and metric.

        Values that a metric lacks are NaN. ``attrs`` holds ``signatures`` and ``warnings``.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        pandas = import_extra("pandas", "pandas")
        rows = [
            {"hypothesis": s.hypothesis, "metric": label, "sentences": s.sentences, **s.values, **s.counts}
            for label, s in zip(self.labels(), self, strict=True)
        ]
        frame = pandas.DataFrame(rows)
        frame.attrs |= {"signatures": list(self.signatures()), "warnings": list(self.warnings())}
        return frame

    def __repr__(self) -> str:
        if not self:
            return "Scores()"
        table = self.table()
        more = [f"… and {len(table.rows) - MOST_SHOWN} more"] if len(table.rows) > MOST_SHOWN else []
        names = labels([printable(str(row[0])) for row in table.rows])
        rows = tuple((name, *row[1:]) for name, row in zip(names, table.rows, strict=True))
        # Notes are never shortened, as signatures are copied into papers.
        notes = [printable(note).replace("\n", "\u240a") for note in table.notes[:MOST_SHOWN]]
        if left_out := len(table.notes) - len(notes):
            notes.append(f"… and {plural(left_out, 'more line')}")
        kept = replace(table, rows=rows[:MOST_SHOWN], notes=(*more, *notes))
        return render([kept], "text").rstrip("\n")

    def _repr_html_(self) -> str:
        """Return the table of systems and metrics as HTML for a notebook."""
        if not self:
            return "<p>no scores</p>"
        return as_html(self.table())
