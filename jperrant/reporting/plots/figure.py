"""The common parts of plots: sizes, fonts, colours, labels, legends and files.

The module uses neither pyplot nor ``rcParams``, so a plot changes no settings of the calling program.

    figure = new_figure("column", 2.2)
    axes = new_axes(figure, "window", "correlation")
    lines = [axes.plot(x, y, **line_style(n))[0] for n, (x, y) in enumerate(curves)]
    add_legend(figure, lines, names)
    return finished(figure, "windows", "Correlation by window", signatures)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from rich.cells import cell_len, set_cell_size

from jperrant.core.arrays import FloatArray
from jperrant.core.display import labels
from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.packages import check_extra, import_extra
from jperrant.io.files import check_outputs, reason, write_bytes

#: The extra that installs matplotlib.
EXTRA = "plots"
#: The file extensions of formats, and the formats of a folder of plots.
FORMATS, FOLDER_FORMATS = ("svg", "pdf", "png"), ("svg", "png")
#: Dots per inch of PNG pictures, as journals ask for.
DOTS = 300
#: Widths by name, in inches: one column of a two-column page, and the text of the whole page.
WIDTHS = {"column": 3.3, "text": 6.8}
#: Sizes of letters, in points.
FONT_SIZE, SMALL_SIZE, TINY_SIZE = 8.0, 7.0, 6.0
INK, GRID, GREY = "#222222", "#d9d9d9", "#8c8c8c"
#: Colours that colour-blind people can distinguish (Okabe and Ito 2008); neighbours also differ in grey.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#f0e442")
#: The same colours mixed with white, so that intervals are visible on them.
BAR_COLOURS = ("#80b9d9", "#f3cf80", "#80cfb9", "#e6bcd3", "#abdaf4", "#eaaf80", "#808080", "#f8f2a1")
#: Markers, lines and hatching beside the colours, so that plots can be read without colours.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
DASHES = ("-", "--", "-.", ":", (0, (3, 1, 1, 1, 1, 1)), (0, (6, 2)), (0, (1, 3)))
HATCHES = ("", "////", "..", "xxx", "\\\\\\\\", "---", "+++", "oo")
#: Lines of intervals.
INTERVAL = {"ecolor": INK, "elinewidth": 0.6, "capsize": 1.2, "capthick": 0.6}
#: matplotlib's own font, which is always installed, and the fonts that are tried first for characters it lacks.
MAIN_FONT, PREFERRED_FONTS = "DejaVu Sans", ("Noto Sans CJK", "Source Han Sans", "Noto Sans")
#: The substitute for characters that no installed font has.
NO_GLYPH = "\ufffd"
#: The largest and the smallest width of a label, in letters.
LONGEST_LABEL, _SHORTEST_LABEL = 40, 8
#: The least number of names, and the least width of a figure in inches, for a legend beside the axes.
_MANY, _WIDE = 5, 5.0
#: Characters that XML cannot hold (XML 1.0, section 2.2), surrogates, and marks that change the direction of text.
_NOT_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
#: An identifier that matplotlib draws at random unless ``rcParams`` has a salt.
_RANDOM_ID = re.compile(r'(?<=\bid=")\w*?[0-9a-f]{10}(?=")')


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """A figure for a paper; a notebook shows it.

    Attributes:
        name: The name of its files: letters a to z, digits and hyphens.
        figure: The ``matplotlib.figure.Figure``, to be changed as you like.
        title, description: The metadata of the files; the description holds the metrics' signatures.
        notes: Notes for the reader, a line each.
    """

    name: str
    figure: Any = field(repr=False)
    title: str = ""
    description: str = field(default="", repr=False)
    notes: tuple[str, ...] = ()

    def save(self, path: str | PathLike[str], inputs: Iterable[str | PathLike[str]] = ()) -> None:
        """Write the plot to a file; the same plot always gives the same bytes.

        Args:
            path: The file; its extension is the format: ``.svg``, ``.pdf`` or ``.png`` (300 dots per inch).
            inputs: Files that must not be overwritten.

        Raises:
            InputError: The format is unknown, or the file cannot be written.
            UsageError: The file is one of the inputs, or standard output.
        """
        content = self.to_bytes(_format_of(fspath(path)))
        write_bytes(fspath(path), content, [fspath(one) for one in inputs])

    def to_bytes(self, format: str) -> bytes:
        """Return the plot as the bytes of a file, without dates, versions and random names.

        Args:
            format: ``svg``, ``pdf`` or ``png``.

        Raises:
            InputError: The format is unknown.
        """
        format, stream = _format_of(f"picture.{format}"), BytesIO()
        said = {"Title": self.title, "Subject" if format == "pdf" else "Description": self.description}
        left_out = {"svg": ("Date", "Creator"), "pdf": ("CreationDate", "Creator", "Producer")}
        metadata: dict[str, str | None] = {key: plain(text) for key, text in said.items() if text}
        metadata |= dict.fromkeys(left_out.get(format, ("Software",)))
        self.figure.savefig(stream, format=format, dpi=DOTS, facecolor="white", metadata=metadata)
        return _with_fixed_ids(stream.getvalue()) if format == "svg" else stream.getvalue()

    def _repr_svg_(self) -> str:
        """Return the plot for a notebook."""
        return self.to_bytes("svg").decode("utf-8")


def _format_of(path: str) -> str:
    """Return the format of a file by its extension.

    Raises:
        InputError: There is no such format.
    """
    format = Path(path).suffix.lstrip(".").lower()
    if format not in FORMATS:
        raise InputError(
            f"{path}: unknown image format {format!r}{nearest(format, FORMATS)}; expected one of "
            f"{', '.join(FORMATS)}"
        )
    return format


def _with_fixed_ids(svg: bytes) -> bytes:
    """Return an SVG picture with fixed identifiers, a digest of the content and a number, instead of random ones.

    The digest makes the identifiers of several pictures in one page different.
    """
    text = svg.decode("utf-8")
    ids = {one: str(number) for number, one in enumerate(dict.fromkeys(_RANDOM_ID.findall(text)))}
    if not ids:
        return svg
    anywhere = re.compile("|".join(ids))
    numbered = anywhere.sub(lambda found: f"x{ids[found[0]]}", text)
    digest = sha256(numbered.encode("utf-8")).hexdigest()[:8]
    return anywhere.sub(lambda found: f"x{digest}-{ids[found[0]]}", text).encode("utf-8")


def save_plots(plots: Sequence[Plot], folder: str, inputs: Iterable[str] = ()) -> None:
    """Write plots to a folder, each in every format of ``FOLDER_FORMATS``.

    Args:
        plots: Plots with different names.
        folder: The folder; it is created if it is missing.
        inputs: Files that must not be overwritten.

    Raises:
        InputError: The folder cannot be created, or a file cannot be written.
        UsageError: A file is one of the inputs.
    """
    files = {str(Path(folder, f"{one.name}.{format}")): one for one in plots for format in FOLDER_FORMATS}
    kept = list(inputs)
    check_outputs(list(files), kept)
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: the folder for plots cannot be created ({reason(error)})") from None
    for path, one in files.items():
        one.save(path, kept)


def check_plots(folder: str | None = None) -> None:
    """Check, before anything is computed, that plots can be drawn and written.

    Args:
        folder: The folder of the plots; None to check only whether plots can be drawn.

    Raises:
        MissingExtraError: matplotlib is not installed.
        InputError: The folder is a file, or lies in one.
    """
    check_extra(["matplotlib"], EXTRA)
    place = Path(folder or ".")
    there = next((p for p in (place, *place.parents) if p.exists()), None)
    if there is not None and not there.is_dir():
        raise InputError(f"{folder}: plots are written to a folder, but {there} is a file; give another name")


def with_different_names(plots: Sequence[Plot]) -> list[Plot]:
    """Return plots with distinct names; a later plot of the same name gets a number."""
    named: dict[str, Plot] = {}
    for one in plots:
        number = 1 + sum(other.name == one.name for other in plots[: len(named)])
        name = one.name if number == 1 else f"{one.name}-{number}"
        named[name] = replace(one, name=name)
    return list(named.values())


def plot_name(*parts: str) -> str:
    """Return a file name made from texts: letters a to z, digits and hyphens.

    >>> plot_name("errant beta:0.5", "by-type")
    'errant-beta-0-5-by-type'
    """
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")


def width_in_inches(width: str | float) -> float:
    """Return a width in inches, given by name (``column``, ``text``) or as a number.

    >>> width_in_inches("column"), width_in_inches("4.5")
    (3.3, 4.5)

    Raises:
        UsageError: The name is unknown, or the number is outside 1 to 30.
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
        figure: The figure to draw in.
        x, y: The labels of the axes.
        grid: ``x``, ``y`` or ``both`` for lines behind the data.
        **where: Arguments of ``Figure.add_subplot``; by default the axes fill the figure.
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
    dashes = DASHES[number % len(DASHES)]
    return point_style(number) | {"linestyle": dashes, "linewidth": 1.0, "markersize": 3.5}


def bar_style(number: int) -> dict[str, Any]:
    """Return colour and hatching of the series with a number, for ``Axes.bar`` and ``Axes.barh``."""
    return {
        "color": BAR_COLOURS[number % len(BAR_COLOURS)],
        "hatch": HATCHES[number % len(HATCHES)],
        "edgecolor": INK,
        "linewidth": 0.4,
    }


def draw_rows(
    axes: Any,
    rows: Sequence[str],
    series: Sequence[FloatArray],
    *,
    bars: bool = False,
    certain: Sequence[Collection[int]] = (),
) -> list[Any]:
    """Draw a value with its interval for each series and row, the first row on top; return handles for a legend.

    Args:
        axes: The axes to draw in.
        rows: The label of each row.
        series: Value, low and high of each row, shape ``(rows, 3)``; NaN is left out.
        bars: Whether to draw bars and not points.
        certain: The rows of each series whose points are filled; all if not given.
    """
    handles, step = [], 0.8 / len(series)
    for number, figures in enumerate(series):
        value, low, high = figures.T
        places = np.arange(len(rows)) - 0.4 + step * (number + 0.5)
        reach = np.maximum(np.nan_to_num([value - low, high - value]), 0)
        style = point_style(number) | ({"markersize": 3.5} if len(series) > 1 else {})
        if bars:
            handles.append(axes.barh(places, np.nan_to_num(value), height=step, **bar_style(number)))
            style = {"fmt": "none"}
        hollow = {"markerfacecolor": "white"} if certain else {}
        drawn = axes.errorbar(value, places, xerr=reach, **style | hollow, **INTERVAL)
        if certain:
            filled = list(certain[number])
            drawn = axes.plot(value[filled], places[filled], zorder=3, **style)[0]
        if not bars:
            handles.append(drawn)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    return handles


def draw_heat_map(
    axes: Any,
    values: FloatArray,
    rows: Sequence[str],
    columns: Sequence[str],
    ends: tuple[float, float],
    *,
    title: str = "",
    signed: bool = False,
    per_cent: bool = False,
    upright: bool = False,
    certain: Any = None,
) -> None:
    """Draw a table as coloured cells with figures in them; if cells are too narrow, with a colour scale instead.

    Args:
        axes: The axes to draw in.
        values: Shape ``(rows, columns)``; cells with NaN stay empty.
        rows, columns: The labels of rows and columns.
        ends: The values of the lightest and the darkest colour; if the first is below 0, colours diverge from 0.
        title: The title above the table: what the figures are.
        signed: Write a plus sign before figures above 0.
        per_cent: Write figures times 100, without decimals; else with two, and ``0.`` loses its 0.
        upright: Write the names of columns from the bottom to the top.
        certain: Which figures are bold, shape ``(rows, columns)``; if figures do not fit, these cells have a dot.
    """
    figure, (low, high) = axes.figure, ends
    name = "PuOr" if low < 0 else "Blues"
    colours = import_extra("matplotlib", EXTRA).colormaps[name]
    mesh = axes.pcolormesh(np.ma.masked_invalid(values), cmap=colours, vmin=low, vmax=high)
    beside = max(map(text_width, rows), default=0) + 12
    shown = {}
    for row, column in np.argwhere(~np.isnan(values)).tolist():
        text = f"{100 * values[row, column]:.0f}" if per_cent else f"{values[row, column]:{'+' * signed}.2f}"
        shown[row, column] = re.sub(r"(?<!\d)0\.", ".", text)
    widest = max(map(len, shown.values()), default=0) * TINY_SIZE * 0.6
    if (72 * figure.get_figwidth() - beside) / len(columns) < widest:
        bar = figure.colorbar(mesh, ax=axes, fraction=0.05)
        bar.ax.tick_params(labelsize=SMALL_SIZE, colors=INK, width=0.6, length=2.5)
        shown = {cell: "•" for cell in shown if certain is not None and certain[cell]}
    for (row, column), text in shown.items():
        shade = colours((values[row, column] - low) / ((high - low) or 1))
        light = sum(part * weight for part, weight in zip(shade, (0.3, 0.59, 0.11), strict=False)) > 0.45
        weight = "bold" if certain is not None and certain[row, column] else "normal"
        axes.text(
            column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=TINY_SIZE,
            color=INK if light else "white", fontweight=weight,
        )  # fmt: skip
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=90 if upright else 0)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.set_ylim(len(rows), 0)
    figure.suptitle(title, fontsize=FONT_SIZE, color=INK, x=0.01, ha="left")


def add_legend(figure: Any, handles: Sequence[Any], names: Sequence[str]) -> Any:
    """Add a legend above the axes (the figure grows), or beside them in a wide figure with many names.

    Args:
        figure: The figure of the legend.
        handles: The drawn object of each name.
        names: The names; unlike in matplotlib they can begin with ``_``.
    """
    beside = figure.get_figwidth() >= _WIDE and len(names) > _MANY
    share = 0.33 if beside else 0.38 if len(names) > _MANY else 0.85
    texts = fitted(names, share * figure.get_figwidth())
    fonts = fonts_for(texts)
    font = {"family": list(fonts.families), "size": SMALL_SIZE}
    for columns in range(1 if beside else len(texts), 0, -1):
        legend = figure.legend(
            list(handles), ["x"] * len(texts), loc=f"outside {'right upper' if beside else 'upper left'}",
            ncols=columns, frameon=False, prop=font, labelcolor=INK, handlelength=1.4, handletextpad=0.5,
            columnspacing=1.0, borderaxespad=0.2, borderpad=0.2, alignment="left",
        )  # fmt: skip
        for text, name in zip(legend.get_texts(), texts, strict=True):
            text.set_text(fonts.drawable(name))
        box = legend.get_window_extent()
        if columns == 1 or box.width <= figure.bbox.width:
            break
        legend.remove()
    for text, name in zip(legend.get_texts(), texts, strict=True):
        text.set_text(name)  # characters that no font has are noted later
    height = box.height / figure.dpi
    figure.set_figheight(max(figure.get_figheight(), height) if beside else figure.get_figheight() + height)
    return legend


def finished(
    figure: Any, name: str, title: str = "", description: str = "", optional: Sequence[Any] = ()
) -> Plot:
    """Return a figure as a plot, with fonts that have the characters of its labels and with a fixed layout.

    Args:
        figure: The figure, with everything drawn.
        name, title, description: As in :class:`Plot`.
        optional: Texts in axes that are hidden if they would cover another text or be cut.
    """
    texts = figure.findobj(import_extra("matplotlib.text", EXTRA).Text)
    fonts = fonts_for(text.get_text() for text in texts)
    for text in texts:
        text.set(fontfamily=list(fonts.families), usetex=False, text=fonts.drawable(text.get_text()))
    for axes in figure.axes:
        axes.tick_params(labelfontfamily=list(fonts.families))
    # A layout starts from the one before, so only a layout that is computed once gives the same bytes.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:  # the layout does not look at how long their labels are
        box, where = axes.xaxis.label.get_window_extent(), axes.get_window_extent()
        shift = min(0.0, figure.bbox.x1 - 2 - box.x1) or max(0.0, 2 - box.x0)
        axes.xaxis.label.set_x(axes.xaxis.label.get_position()[0] + shift / where.width)
    taken = [text.get_window_extent() for text in texts if text not in optional and text.get_text()]
    for text in optional:
        box = text.get_window_extent()
        inside = all(text.axes.bbox.contains(*corner) for corner in box.corners())
        text.set_visible(inside and not any(box.overlaps(other) for other in taken))
        taken += [box] if text.get_visible() else []
    return Plot(name, figure, plain(title), plain(description), fonts.notes)


def label(text: str, longest: int | None = LONGEST_LABEL) -> str:
    r"""Return a text as a label: in one line, cut to a width, and never read as mathematics.

    Args:
        text: A name of a system, a type or a file, which cannot be trusted.
        longest: The largest width of the text, in letters.

    >>> label("cost\n $x^2$")
    'cost \\$x^2\\$'
    """
    return plain(text, longest).replace("$", r"\$")


def name_labels(names: Sequence[str], longest: int = LONGEST_LABEL) -> list[str]:
    """Return names, such as those of systems, as labels; different names get different labels.

    Args:
        names: The names, which cannot be trusted.
        longest: The largest width of a label, in letters.
    """
    return [label(name, longest) for name in labels([plain(name) for name in names], longest)]


def fitted(names: Sequence[str], inches: float) -> list[str]:
    """Return names as labels of limited width; different names get different labels.

    Args:
        names: The names, which cannot be trusted.
        inches: The largest width of a drawn label; a label keeps at least 8 letters.
    """
    longest = LONGEST_LABEL
    while True:
        texts = name_labels(names, longest)
        widest = max(map(text_width, texts), default=0)
        if widest <= 72 * inches or longest == _SHORTEST_LABEL:
            return texts
        longest = max(_SHORTEST_LABEL, min(longest - 1, int(longest * 72 * inches / widest)))


def text_width(text: str) -> float:
    """Return the width of a drawn label, in points."""
    fonts, drawn = fonts_for([text]), import_extra("matplotlib.textpath", EXTRA).text_to_path
    properties = import_extra("matplotlib.font_manager", EXTRA).FontProperties
    font = properties(family=list(fonts.families), size=SMALL_SIZE)
    width, _, _ = drawn.get_text_width_height_descent(fonts.drawable(text), font, ismath=False)
    return float(width)


def plain(text: str, longest: int | None = None) -> str:
    """Return a text in one line, without characters that a picture cannot hold.

    Args:
        text: Any text.
        longest: The largest width, in letters; None for no limit.
    """
    shown = " ".join(_NOT_SHOWN.sub(NO_GLYPH, text).split())
    if longest is None or cell_len(shown) <= longest:
        return shown
    return set_cell_size(shown, longest - 1).rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of one picture.

    Attributes:
        families: Names of installed fonts; a character is drawn with the first font that has it.
        missing: The characters that none of these fonts has.
    """

    families: tuple[str, ...] = (MAIN_FONT,)
    missing: frozenset[str] = frozenset()

    def drawable(self, text: str) -> str:
        """Return a text with a substitute for each character that no font has."""
        return "".join(NO_GLYPH if character in self.missing else character for character in text)

    @property
    def notes(self) -> tuple[str, ...]:
        """One line about the missing characters, if there are any."""
        if not self.missing:
            return ()
        listed = " ".join(sorted(self.missing)[:10])
        return (
            f"no installed font contains {listed}, drawn as {NO_GLYPH}; install one that does, such as Noto "
            "Sans CJK",
        )


def fonts_for(texts: Iterable[str]) -> Fonts:
    """Return the fonts that have the characters of texts.

    Args:
        texts: The texts to draw.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    folder = Path(import_extra("matplotlib", EXTRA).get_data_path())
    wanted = {ord(character) for text in texts for character in plain(text) if not character.isspace()}
    wanted -= _characters(str(folder / "fonts" / "ttf" / "DejaVuSans.ttf"))
    families = [MAIN_FONT]
    for name, path in _installed() if wanted else ():
        if own := wanted & _characters(path):
            families.append(name)
            wanted -= own
    return Fonts(tuple(dict.fromkeys(families)), frozenset(map(chr, wanted)))


def _installed() -> list[tuple[str, str]]:
    """Return name and file of every upright installed font, those with most characters first."""
    manager = import_extra("matplotlib.font_manager", EXTRA).fontManager
    # A font named Last Resort draws a box for every character.
    fonts = {
        entry.name: entry.fname
        for entry in manager.ttflist
        if entry.style == "normal" and not entry.name.startswith("Last Resort")
    }
    return sorted(fonts.items(), key=lambda font: (not font[0].startswith(PREFERRED_FONTS), font[0]))


@cache
def _characters(path: str) -> frozenset[int]:
    """Return the code points that a font file has; none if it cannot be read."""
    font = import_extra("matplotlib.ft2font", EXTRA).FT2Font
    try:
        return frozenset(font(path).get_charmap())
    except (OSError, RuntimeError):
        return frozenset()
