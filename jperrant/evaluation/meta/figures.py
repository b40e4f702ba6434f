"""Figures in the tables of people: one reading for scores of metrics, of systems and of sentences."""

from __future__ import annotations

import math

from jperrant.core.errors import FormatError
from jperrant.core.m2_format import shorten


def figure_of(path: str, number: int, cell: str) -> float:
    """Return the figure in a cell of a table.

    Args:
        path, number: The file and its line, counted from 1, for errors.
        cell: The cell.

    Raises:
        FormatError: It is not a finite number.
    """
    try:
        figure = float(cell)
    except ValueError:
        figure = math.nan
    if not math.isfinite(figure):
        raise FormatError(path, number, f"found {shorten(cell)}, expected a number")
    return figure
