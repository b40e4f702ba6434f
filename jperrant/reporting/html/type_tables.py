"""Tables by error type of a page: a heat map of systems and types, and the differences of two systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from jperrant.reporting.html.drawings import count_bar, difference_bar
from jperrant.reporting.html.type_figures import LEVELS, TypeFigures, TypeRow

#: Steps of shading of the heat map.
_STEPS = 10
#: Edits of a system and those that it missed, below which together a figure says little.
FEW = 10
_TITLES = {
    "operation": "operation",
    "category": "category",
    "type": "full type",
    "group": "group of all languages",
}


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A system and a type.

    Attributes:
        text: The main value; empty where the system and its references have no such edit.
        others: The other values, such as precision and recall.
        step: How dark, 0 to 10.
        few: Whether fewer than ``FEW`` edits are behind it.
        counts: The counts, in words.
    """

    text: str
    others: str
    step: int
    few: bool
    counts: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A type: its name, its edits in the references, a bar for these, and a cell for each system."""

    name: str
    references: tuple[int, ...]
    bar: Markup
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A type and the difference of the first two systems."""

    name: str
    difference: str
    interval: str
    bar: Markup
    sure: bool


@dataclass(frozen=True, slots=True)
class TypeLevel:
    """One level of types.

    Attributes:
        name: ``operation``, ``category``, ``type`` or ``group``.
        title: The same in words.
        rows: The heat map.
        differences: The first two systems; empty for one system.
    """

    name: str
    title: str
    rows: tuple[HeatRow, ...]
    differences: tuple[DifferenceRow, ...]


@dataclass(frozen=True, slots=True)
class TypeSection:
    """All that is shown by type.

    Attributes:
        metric: The metric's name.
        main: The value that is shaded.
        others: The values beside it.
        annotators: The annotators of the references.
        levels: The levels.
        samples: Behind the intervals.
        unknown: Labels that belong to no group.
    """

    metric: str
    main: str
    others: tuple[str, ...]
    annotators: tuple[int, ...]
    levels: tuple[TypeLevel, ...]
    samples: int
    unknown: tuple[str, ...]


def type_levels(figures: TypeFigures) -> TypeSection:
    """Return what a page shows by type, before a script changes anything."""
    scorer = figures.scores[0].scorer
    others = tuple([name for name in figures.scores[0].values if name != scorer.main])
    position = 1
    levels = []
    for level in LEVELS:
        rows = figures.levels[level]
        levels.append(
            TypeLevel(
                level, _TITLES[level], _heat(rows, scorer.main, others), _differences(figures, rows, position)
            )
        )
        position += len(rows)
    return TypeSection(
        scorer.name, scorer.main, others, figures.annotators, tuple(levels), figures.samples, figures.unknown
    )


def difference_data(figures: TypeFigures) -> dict[str, Any]:
    """Return what a page's script needs to show the differences of any two systems.

    ``levels``: of each level rows of name, edits of the references, and every system's main value; ``intervals``:
    by ``"first second"`` the ends for the rows of all levels, in their order.
    """
    main = figures.scores[0].scorer.main
    levels = [
        [
            [
                row.name,
                round(_mean(row.references), 1),
                [_rounded(v[main]) if v else None for v in row.values],
            ]
            for row in figures.levels[level]
        ]
        for level in LEVELS
    ]
    intervals = {
        f"{a} {b}": [[_rounded(end) for end in row] for row in ends[1:].tolist()]
        for (a, b), ends in figures.intervals.items()
    }
    return {"levels": levels, "names": list(LEVELS), "intervals": intervals}


def _heat(rows: Sequence[TypeRow], main: str, others: Sequence[str]) -> tuple[HeatRow, ...]:
    largest = max((max(row.references, default=0) for row in rows), default=0)
    known = [values[main] for row in rows for values in row.values if values and not math.isnan(values[main])]
    low, high = (0.0, 1.0) if all(0 <= v <= 1 for v in known) else (min(known), max(known))
    return tuple(
        [
            HeatRow(
                row.name,
                row.references,
                count_bar(_mean(row.references), largest),
                tuple(
                    [
                        _cell(values, counts, main, others, (low, high))
                        for values, counts in zip(row.values, row.counts, strict=True)
                    ]
                ),
            )
            for row in rows
        ]
    )


def _cell(
    values: dict[str, float] | None,
    counts: dict[str, float],
    main: str,
    others: Sequence[str],
    ends: tuple[float, float],
) -> HeatCell:
    if values is None or math.isnan(values[main]):
        return HeatCell("", "", 0, False, "")
    share = (values[main] - ends[0]) / (ends[1] - ends[0]) if ends[1] > ends[0] else 0.0
    behind = sum(counts.get(name, 0) for name in ("tp", "fp", "fn"))
    return HeatCell(
        f"{values[main]:.3f}",
        " / ".join([f"{values[name]:.2f}" for name in others]),
        round(share * _STEPS),
        bool(counts) and behind < FEW,
        ", ".join([f"{name} {count:g}" for name, count in counts.items()]),
    )


def _differences(figures: TypeFigures, rows: Sequence[TypeRow], position: int) -> tuple[DifferenceRow, ...]:
    if (0, 1) not in figures.intervals:
        return ()
    main = figures.scores[0].scorer.main
    ends = figures.intervals[0, 1][position : position + len(rows)]
    largest = max((abs(float(end)) for end in ends.flat if not math.isnan(end)), default=0.0)
    shown = []
    for row, (low, high) in zip(rows, ends.tolist(), strict=True):
        first, second = [values[main] if values else math.nan for values in row.values[:2]]
        value = first - second
        known = not math.isnan(value + low + high)
        shown.append(
            DifferenceRow(
                row.name,
                _signed(value) if known else "",
                f"{_signed(low)} … {_signed(high)}" if known else "",
                difference_bar(value, low, high, largest),
                known and (low > 0 or high < 0),
            )
        )
    return tuple(shown)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _mean(counts: Sequence[int]) -> float:
    return sum(counts) / len(counts) if counts else 0.0


def _rounded(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
