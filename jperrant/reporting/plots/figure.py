"""What all plots share: size, fonts, colours, markers, and how a plot becomes a file.

Nothing here touches pyplot or ``rcParams``, so a plot changes nothing of the program that asks for it.

    figure = new_figure("column", 2.2)
    axes = new_axes(figure, "window", "correlation")
    lines = [axes.plot(x, y, **line_style(n))[0] for n, (x, y) in enumerate(curves)]
    add_legend(figure, lines, names)
    return finished(figure, "windows", "Correlation by window", signatures)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

from rich.cells import cell_len

from jperrant.core.errors import UsageError, nearest
from jperrant.core.extras import check_extra, import_extra
from jperrant.reporting.plots.fonts import (
    EXTRA,
    LONGEST_LABEL,
    NO_GLYPH,
    Fonts,
    fonts_for,
    label,
    name_labels,
    plain,
)
from jperrant.reporting.plots.picture import picture_bytes, write_picture

#: Widths by name, in inches: a column, and both columns of a page of two.
WIDTHS = {"column": 3.3, "text": 6.8}
#: Sizes of letters, in points.
FONT_SIZE, SMALL_SIZE = 8.0, 7.0
_LETTERS_AN_INCH = 13
INK, GRID, GREY = "#222222", "#d9d9d9", "#8c8c8c"
#: Colours that people who see no red or no green tell apart (Okabe and Ito 2008), neighbours unlike in grey too.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#f0e442")
#: The same, half white: intervals are seen on bars of them.
BAR_COLOURS = ("#80b9d9", "#f3cf80", "#80cfb9", "#e6bcd3", "#abdaf4", "#eaaf80", "#808080", "#f8f2a1")
#: Signs beside the colours, so that nothing depends on seeing these.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
DASHES = ("-", "--", "-.", ":", (0, (3, 1, 1, 1, 1, 1)), (0, (6, 2)), (0, (1, 3)))
HATCHES = ("", "////", "..", "xxx", "\\\\\\\\", "---", "+++", "oo")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """A figure for a paper; a notebook shows it.

    Attributes:
        name: What its files are called: letters a to z, digits and hyphens.
        figure: The ``matplotlib.figure.Figure``, to be changed as you like.
        title, description: What the files say of themselves: the description holds the metrics' signatures.
        notes: What a person should know, one line each.
    """

    name: str
    figure: Any = field(repr=False)
    title: str = ""
    description: str = field(default="", repr=False)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                f"{self.name!r} cannot be the name of a plot; expected a to z, 0 to 9 and hyphens"
            )

    def save(self, path: str | PathLike[str], inputs: Iterable[str | PathLike[str]] = ()) -> None:
        """Write the plot to a file; the same plot always gives the same bytes.

        Args:
            path: The file; its ending says which format: ``.svg``, ``.pdf`` or ``.png`` (300 dots an inch).
            inputs: Files that must not be overwritten.

        Raises:
            InputError: The format is unknown, or the file cannot be written.
            UsageError: The file is one of the inputs.
        """
        write_picture(
            self.figure, fspath(path), self.title, self.description, [fspath(one) for one in inputs]
        )

    def to_bytes(self, format: str) -> bytes:
        """Return the plot as the bytes of a file.

        Args:
            format: ``svg``, ``pdf`` or ``png``.

        Raises:
            InputError: The format is unknown.
        """
        return picture_bytes(self.figure, format, self.title, self.description)

    def _repr_svg_(self) -> str:
        """Return the plot for a notebook."""
        return self.to_bytes("svg").decode("utf-8")


def check_plots() -> None:
    """Raise a MissingExtraError if matplotlib is not installed, before anything is computed."""
    check_extra(["matplotlib"], EXTRA)


def width_in_inches(width: str | float) -> float:
    """Return a width that is named (``column``, ``text``) or given in inches.

    >>> width_in_inches("column"), width_in_inches("4.5")
    (3.3, 4.5)

    Raises:
        UsageError: There is no such name, or no page is that wide.
    """
    if width in WIDTHS:
        return WIDTHS[str(width)]
    try:
        inches = float(width)
    except ValueError:
        known = f"{', '.join(WIDTHS)}, or inches"
        raise UsageError(
            f"unknown width of plots {width!r}{nearest(str(width), WIDTHS)}; expected one of {known}"
        ) from None
    if not 1 <= inches <= 30:
        raise UsageError(f"found a width of {width} inches, expected 1 to 30")
    return inches


def new_figure(width: str | float = "column", height: float = 2.2) -> Any:
    """Return an empty white figure.

    Args:
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        height: Inches.

    Raises:
        MissingExtraError: matplotlib is not installed.
        UsageError: The width is impossible.
    """
    figure_class = import_extra("matplotlib.figure", EXTRA).Figure
    size = (width_in_inches(width), height)
    return figure_class(figsize=size, facecolor="white", edgecolor="white", layout="constrained")


def new_axes(figure: Any, x: str = "", y: str = "", *, grid: str = "", **where: Any) -> Any:
    """Return axes in the style of all plots.

    Args:
        figure: Where they are drawn.
        x, y: What the axes show.
        grid: ``x``, ``y`` or ``both`` for lines behind the data.
        **where: As for ``Figure.add_subplot``; all of the figure if left out.
    """
    axes = figure.add_subplot(facecolor="white", **where)
    for side, spine in axes.spines.items():
        spine.set(visible=side in ("left", "bottom"), color=INK, linewidth=0.6)
    axes.tick_params(labelsize=SMALL_SIZE, colors=INK, width=0.6, length=2.5, pad=2)
    axes.set_axisbelow(True)
    axes.grid(visible=False)
    if grid:
        axes.grid(visible=True, axis=grid, color=GRID, linewidth=0.5, linestyle="-")
    axes.set_xlabel(label(x), fontsize=FONT_SIZE, color=INK, labelpad=2)
    axes.set_ylabel(label(y), fontsize=FONT_SIZE, color=INK, labelpad=2)
    return axes


def point_style(number: int) -> dict[str, Any]:
    """Return the marker of the series with a number, for ``Axes.plot`` and ``Axes.errorbar``."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "markersize": 4.5,
        "markeredgecolor": INK,
        "markeredgewidth": 0.4,
        "linestyle": "none",
    }


def line_style(number: int) -> dict[str, Any]:
    """Return marker and line of the series with a number, for ``Axes.plot``."""
    return point_style(number) | {
        "linestyle": DASHES[number % len(DASHES)],
        "linewidth": 1.0,
        "markersize": 3.5,
    }


def bar_style(number: int) -> dict[str, Any]:
    """Return colour and hatching of the series with a number, for ``Axes.bar`` and ``Axes.barh``."""
    return {
        "color": BAR_COLOURS[number % len(BAR_COLOURS)],
        "hatch": HATCHES[number % len(HATCHES)],
        "edgecolor": INK,
        "linewidth": 0.4,
    }


def add_legend(figure: Any, handles: Sequence[Any], names: Sequence[str]) -> Any:
    """Add a legend above the axes of a figure.

    Args:
        figure: Where the legend stands.
        handles: What was drawn for each name.
        names: Any texts, also such as begin with ``_``, which matplotlib would leave out.
    """
    letters = int(figure.get_figwidth() * _LETTERS_AN_INCH)
    texts = name_labels(names, max(8, min(LONGEST_LABEL, letters - 5)))
    widest = max(map(cell_len, texts), default=1)
    legend = figure.legend(
        list(handles), ["x"] * len(texts), loc="outside upper left", ncols=max(1, letters // (widest + 5)),
        frameon=False, fontsize=SMALL_SIZE, labelcolor=INK, handlelength=2.0,
        handletextpad=0.5, columnspacing=1.0, borderaxespad=0.2, borderpad=0.2, alignment="left",
    )  # fmt: skip
    for text, name in zip(legend.get_texts(), texts, strict=True):
        text.set_text(name)
    return legend


def finished(figure: Any, name: str, title: str = "", description: str = "") -> Plot:
    """Return a figure as a plot: with fonts that have the characters of its labels, and its layout fixed.

    Args:
        figure: Everything is drawn.
        name, title, description: As in :class:`Plot`.
    """
    texts = figure.findobj(import_extra("matplotlib.text", EXTRA).Text)
    fonts = fonts_for(text.get_text() for text in texts)
    for text in texts:
        text.set(fontfamily=list(fonts.families), usetex=False, text=_drawable(text.get_text(), fonts))
    for axes in figure.axes:
        axes.tick_params(labelfontfamily=list(fonts.families))
    # Each layout starts from the one before, so only a layout that is made once gives the same bytes.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return Plot(name, figure, plain(title), plain(description), fonts.notes)


def _drawable(text: str, fonts: Fonts) -> str:
    for character in fonts.missing:
        text = text.replace(character, NO_GLYPH)
    return text
