"""Options that say how a table of scores looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from jperrant.core.tables import Layout

_PANEL = "Output"

Names: TypeAlias = Annotated[
    str,
    typer.Option("--names", metavar="A,B", help="Names of systems; stems: of files.", rich_help_panel=_PANEL),
]
Columns: TypeAlias = Annotated[
    str, typer.Option("--columns", metavar="f,...", help="Columns to show.", rich_help_panel=_PANEL)
]
Intervals: TypeAlias = Annotated[
    str,
    typer.Option(
        "--intervals",
        metavar="pm|brackets",
        help="32.1 ± 2.1, or 32.1 [29.9, 34.3].",
        rich_help_panel=_PANEL,
    ),
]
Percent: TypeAlias = Annotated[
    bool, typer.Option("--percent", help="Show figures times 100.", rich_help_panel=_PANEL)
]
Decimals: TypeAlias = Annotated[
    int | None, typer.Option("--decimals", metavar="N", help="Number of decimals.", rich_help_panel=_PANEL)
]
BoldBest: TypeAlias = Annotated[
    bool,
    typer.Option("--bold-best", help="Best in bold (latex, md).", rich_help_panel=_PANEL),
]


def layout_of(columns: str, intervals: str, percent: bool, decimals: int | None, bold_best: bool) -> Layout:
    """Return the layout that the options ask for.

    Raises:
        UsageError: A value that does not exist.
    """
    from jperrant.core.tables import Layout

    return Layout(intervals, percent, decimals, listed(columns), bold_best)


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a text that are separated by commas."""
    return tuple([part.strip() for part in text.split(",") if part.strip()])
