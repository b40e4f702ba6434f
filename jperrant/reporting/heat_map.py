"""Tables of figures as heat maps: shaded squares in SVG, and shaded text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from jperrant.core.tables import Cell, Figure, Table

#: Sizes in pixels.
_LABEL, _CELL, _ROW, _TOP, _MARGIN, _LETTER = 9, 84, 26, 64, 8, 7.2
#: From light to dark; black or white figures stand out on all of them (contrast of 4.5 and more).
_LIGHT, _DARK, _INK = (239, 246, 252), (8, 69, 148), "#1a1a1a"
#: From the lowest to the highest figure.
SHADES = " ░▒▓█"
_NOT_IN_XML = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Figures by row and column.

    Attributes:
        title: What stands above.
        rows, columns: The names.
        values: One list for each row; NaN where there is no figure.
        decimals: How many are shown.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    decimals: int = 2

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest figure; 0 and 1 if there is none."""
        known = [value for row in self.values for value in row if not math.isnan(value)]
        return (min(known), max(known)) if known else (0.0, 1.0)


def heat_map_of(table: Table, columns: Sequence[str]) -> HeatMap:
    """Return the heat map of some columns of a table, whose first column names the rows.

    Args:
        table: A table of figures.
        columns: The columns.
    """
    places = [table.header.index(name) for name in columns]
    values = tuple(tuple(_number(row[n]) for n in places) for row in table.rows)
    return HeatMap(table.title, tuple(str(row[0]) for row in table.rows), tuple(columns), values)


def heat_map_svg(heat: HeatMap) -> str:
    """Return a heat map as an SVG picture, ending in a newline; every square also says its figure."""
    left = _MARGIN * 2 + round(max(map(len, heat.rows), default=0) * _LETTER)
    cell = max(_CELL, round(max(map(len, heat.columns), default=0) * _LETTER) + _MARGIN)
    width = max(left + cell * len(heat.columns) + _MARGIN, round(len(heat.title) * _LETTER) + 4 * _MARGIN)
    height = _TOP + _ROW * len(heat.rows) + _MARGIN
    parts = [_text(_MARGIN, 22, heat.title, 'font-weight="bold"')]
    for n, name in enumerate(heat.columns):
        parts.append(_text(left + cell * n + cell // 2, _TOP - 10, name, 'text-anchor="middle"'))
    for line, (name, values) in enumerate(zip(heat.rows, heat.values, strict=True)):
        top = _TOP + _ROW * line
        parts.append(_text(left - _MARGIN, top + 18, name, 'text-anchor="end"'))
        parts += [_square(heat, value, left + cell * n, top, cell) for n, value in enumerate(values)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="13" fill="{_INK}">\n<title>{_xml(heat.title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def shaded_text(heat: HeatMap) -> Table:
    """Return a heat map as a table whose figures have a shade behind them, from light to dark."""
    rows: list[tuple[Cell, ...]] = []
    for name, values in zip(heat.rows, heat.values, strict=True):
        cells = [
            None if math.isnan(value) else f"{value:.{heat.decimals}f} {_shade(heat, value)}"
            for value in values
        ]
        rows.append((name, *cells))
    low, high = heat.range
    note = f"{SHADES[0]!r} to {SHADES[-1]!r}: from {low:.{heat.decimals}f} to {high:.{heat.decimals}f}"
    return Table(("", *heat.columns), tuple(rows), heat.title, (note,))


def _shade(heat: HeatMap, value: float) -> str:
    return SHADES[min(len(SHADES) - 1, int(_share(heat, value) * len(SHADES)))] * 2


def _share(heat: HeatMap, value: float) -> float:
    """Return where a figure stands between the lowest and the highest, from 0 to 1."""
    low, high = heat.range
    return (value - low) / (high - low) if high > low else 0.5


def _square(heat: HeatMap, value: float, left: int, top: int, width: int) -> str:
    size = f'x="{left}" y="{top}" width="{width - 2}" height="{_ROW - 2}"'
    if math.isnan(value):
        return f'<rect {size} fill="none" stroke="#cccccc" stroke-dasharray="3 3"/>'
    share = _share(heat, value)
    color = _color(share)
    ink = max("#000000", "#ffffff", key=lambda ink: contrast(ink, color))
    figure = _text(
        left + width // 2 - 1, top + 17, f"{value:.{heat.decimals}f}", f'text-anchor="middle" fill="{ink}"'
    )
    return f'<rect {size} fill="{color}"/>\n{figure}'


def _color(share: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(_LIGHT, _DARK, strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2, relative luminance).

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    shares = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _text(x: int, y: int, text: str, attributes: str = "") -> str:
    return f'<text x="{x}" y="{y}" {attributes}>{_xml(text)}</text>'


def _xml(text: str) -> str:
    return escape(_NOT_IN_XML.sub(" ", text))


def _number(cell: Cell) -> float:
    if isinstance(cell, Figure):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else math.nan
