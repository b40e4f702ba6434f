"""LabelledSystems of people: a table of systems and scores, and which file is which system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.evaluation.meta.figures import figure_of
from jperrant.io.files import read_lines


def read_human(path: str, column: str | None = None) -> dict[str, float]:
    """Return the score of each system in a tab-separated file: names first, one or more columns of scores.

    Args:
        path: The file; its first line has the names of the columns.
        column: Which scores to take; the first if None.

    Raises:
        FormatError: A line has no score, or a system is there twice.
        UsageError: There is no such column.
    """
    scores: dict[str, float] = {}
    score_column = 1
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.split("\t")
        if number == 1:
            if column is not None and column not in cells[1:]:
                known = ", ".join(cells[1:])
                raise UsageError(
                    f"{path}: found no column {column!r}{nearest(column, cells[1:])}; columns: {known}"
                )
            score_column = 1 if column is None else cells.index(column)
        elif line.strip():
            if cells[0] in scores:
                raise FormatError(path, number, f"system {cells[0]!r} is given twice; remove one")
            scores[cells[0]] = _number(path, number, cells, score_column)
    if not scores:
        raise FormatError(path, None, "found no systems, expected a line of names and a line for each system")
    return scores


def match_systems(files: Sequence[str], human: dict[str, float]) -> list[str]:
    """Return the name of the system in each file: the file's name, or one word of it (``conll14-AMU.m2``).

    Raises:
        InputError: A file fits none or several of the systems, or two files fit one.
    """
    matched: list[str] = []
    for file in files:
        name = PurePath(file).name
        words = {name, PurePath(file).stem, *re.split(r"[^\w+-]|_", name), *re.split(r"[\W_]", name)}
        # The longest name wins: GECToR-BERT over BERT.
        fitting = sorted((system for system in human if system in words), key=len, reverse=True)
        if not fitting:
            raise InputError(
                f"{file}: its name is none of the judged systems ({', '.join(human)}); rename it after one of them"
            )
        if fitting[0] in matched:
            raise InputError(f"{file}: found a second file of the system {fitting[0]!r}; give one for each")
        matched.append(fitting[0])
    return matched


def _number(path: str, line: int, cells: Sequence[str], column: int) -> float:
    if column >= len(cells):
        raise FormatError(
            path, line, f"found no score in column {column + 1}, expected a system, a tab and numbers"
        )
    return figure_of(path, line, cells[column])
