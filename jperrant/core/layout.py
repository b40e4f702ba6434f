"""How figures stand in a table for a paper: per cent, decimals, intervals, bold, marks of significance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from jperrant.core.errors import UsageError, nearest
from jperrant.core.tables import DECIMALS, EXACT, Cell, Figure, Table

#: The ways to print an interval.
INTERVALS = ("pm", "brackets")
#: Below it a p-value gets a mark.
ALPHA = 0.05
#: The sign of each paired test.
MARKS = {"bootstrap": "†", "randomisation": "‡"}


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table shows its figures.

    Attributes:
        intervals: ``pm`` for ``32.1 ± 2.1`` (half of the interval's width), ``brackets`` for ``32.1 [29.9, 34.3]``;
            empty for columns of their own.
        percent: Show figures times 100.
        decimals: How many; 4, or 2 of per cent, if None.
        columns: The columns to keep, in this order, after the first one; all if empty.
        bold_best: Print the best figure of each column in bold (LaTeX and Markdown).
        marks: Show paired tests as marks beside the figures, without columns of p-values unless they are chosen.

    Raises:
        UsageError: There is no such way to print intervals, or an impossible number of decimals.
    """

    intervals: str = ""
    percent: bool = False
    decimals: int | None = None
    columns: tuple[str, ...] = ()
    bold_best: bool = False
    marks: bool = False

    def __post_init__(self) -> None:
        if self.intervals and self.intervals not in INTERVALS:
            raise UsageError(
                f"unknown intervals {self.intervals!r}{nearest(self.intervals, INTERVALS)}; choose "
                f"{' or '.join(INTERVALS)}"
            )
        if self.decimals is not None and not 0 <= self.decimals <= 15:
            raise UsageError(f"found {self.decimals} decimals, expected 0 to 15")

    def check(self, format: str) -> None:
        """Refuse what a format that holds unrounded figures cannot show.

        Raises:
            UsageError: Names the option.
        """
        asked = {
            "--intervals": bool(self.intervals),
            "--percent": self.percent,
            "--decimals": self.decimals is not None,
            "--bold-best": self.bold_best,
            "--columns": bool(self.columns) and format == "json",
        }
        options = [name for name, given in asked.items() if given]
        if options and format in ("json", *EXACT):
            raise UsageError(
                f"{options[0]} needs text, latex, md or html, as {format} holds unrounded figures; remove it"
            )
        if self.bold_best and format == "text":
            raise UsageError("--bold-best needs latex, md or html, as text has no bold; remove it")

    @property
    def plain(self) -> bool:
        """Whether figures stand as they do where nothing was asked for."""
        return not (self.intervals or self.percent or self.decimals is not None or self.bold_best)

    def of_metric(self, needs_references: bool) -> Layout:
        """Return the layout for a metric: those without references have scales of their own, and no per cent."""
        return self if needs_references else replace(self, percent=False)

    def number(self, value: float, *, signed: bool = False) -> str:
        """Return a figure as text."""
        decimals = (2 if self.percent else DECIMALS) if self.decimals is None else self.decimals
        scaled = 100 * value if self.percent else value
        return f"{scaled:{'+' if signed else ''}.{decimals}f}"

    def figure(
        self, value: float, ends: tuple[float, float] | None = None, *, marks: str = "", signed: bool = False
    ) -> Figure | None:
        """Return a figure as a cell, which is empty if the figure is not a number.

        Args:
            value: The figure.
            ends: The ends of its interval, which is shown as ``intervals`` says.
            marks: Signs behind it.
            signed: Show the sign of a positive number.
        """
        if math.isnan(value):
            return None
        text = self.number(value, signed=signed)
        if ends is not None and self.intervals == "pm":
            text += f" ± {self.number((ends[1] - ends[0]) / 2)}"
        elif ends is not None and self.intervals == "brackets":
            text += f" [{self.number(ends[0])}, {self.number(ends[1])}]"
        return Figure(text, value, marks=marks)

    def arrange(self, table: Table, lower: Mapping[str, bool]) -> Table:
        """Return a table with the best figures in bold and the chosen columns.

        Args:
            table: One system a row.
            lower: The columns of figures that can be compared, and whether a lower one is better.

        Raises:
            UsageError: There is no such column.
        """
        if self.bold_best:
            table = self._bold(table, lower)
        return chosen_columns(table, self.columns)

    def _bold(self, table: Table, lower: Mapping[str, bool]) -> Table:
        columns = [
            self.best([row[n] for row in table.rows], lower[name])
            if name in lower
            else [row[n] for row in table.rows]
            for n, name in enumerate(table.header)
        ]
        return replace(table, rows=tuple(zip(*columns, strict=True)))

    def best(self, cells: Sequence[Cell], lower: bool) -> list[Cell]:
        """Return cells with the best figures in bold: all that look like the best one; none of a figure alone.

        Args:
            cells: Figures of systems, and cells that are none.
            lower: Whether a lower figure is better.
        """
        values = [cell.value for cell in cells if isinstance(cell, Figure)]
        if len(values) < 2:
            return list(cells)
        best = self.number((min if lower else max)(values))
        return [
            replace(cell, bold=True) if isinstance(cell, Figure) and self.number(cell.value) == best else cell
            for cell in cells
        ]


def chosen_columns(table: Table, columns: Sequence[str]) -> Table:
    """Return a table with its first column and the chosen ones, in their order; all if none are chosen.

    Raises:
        UsageError: There is no such column.
    """
    if not columns:
        return table
    check_columns(columns, table.header)
    kept = [0, *(table.header.index(name) for name in columns if name != table.header[0])]
    rows: tuple[tuple[Cell, ...], ...] = tuple(tuple(row[n] for n in kept) for row in table.rows)
    return replace(table, header=tuple(table.header[n] for n in kept), rows=rows)


def check_columns(columns: Sequence[str], header: Sequence[str]) -> None:
    """Refuse columns that a table will not have, so that a command can do so before it has worked for long.

    Args:
        columns: Those that were chosen.
        header: Those of the table.

    Raises:
        UsageError: Names the columns there are.
    """
    known = header[1:]
    for name in columns:
        if name not in header:
            listed = ", ".join(known) or "none that can be chosen"
            raise UsageError(f"found no column {name!r}{nearest(name, known)}; columns: {listed}")
