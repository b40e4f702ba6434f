"""Tables of figures, rendered as text, TSV, CSV, LaTeX, Markdown or HTML, with every cell escaped."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from html import escape
from pathlib import PurePath
from typing import Any, TypeAlias

from rich.cells import cell_len

from jperrant.core.display import printable
from jperrant.core.errors import UsageError, check_known, nearest


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as a paper prints it.

    Attributes:
        text: The number as it is shown, with its interval if any: ``32.1 ± 2.1``.
        value: The unrounded number, which TSV and CSV hold.
        bold: Whether it is in bold in LaTeX, Markdown and HTML.
        marks: Signs of significance after it, such as ``†``.
    """

    text: str
    value: float
    bold: bool = False
    marks: str = ""


#: The content of a cell; None and NaN leave it empty.
Cell: TypeAlias = str | int | float | Figure | None
#: Decimals shown of a number that is not a count; TSV and CSV hold all of them.
DECIMALS = 4
#: Formats for programs: rows with unrounded figures, without titles and notes.
EXACT = ("tsv", "csv")
#: The formats of tables, and JSON.
FORMATS = ("text", "tsv", "csv", "latex", "md", "html", "json")
#: The format that a file's ending names. Formats that are never written are known too, so that their endings
#: are refused.
_OTHERS = ["jsonl", "svg", "m2", "pdf", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "png", "jpg"]
_ENDINGS = {name: name for name in (*FORMATS[1:], *_OTHERS)} | {"tex": "latex", "htm": "html"}
_COMPRESSED = frozenset([".gz", ".xz", ".bz2"])
_STYLE = "body{font-family:sans-serif}td,th{padding:.1em .6em;text-align:right}td.w,th.w{text-align:left}"

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
        "→": r"$\rightarrow$", "∅": r"$\emptyset$", "±": r"$\pm$",
        "†": r"\textsuperscript{\textdagger}", "‡": r"\textsuperscript{\textdaggerdbl}",
    }
)  # fmt: skip
#: Characters that LaTeX's fonts join with the next one, such as the two hyphens of a token ``--`` into a dash.
_LIGATURE = re.compile(r"([-'`,])(?=\1)|[?!](?=`)")
#: Control characters and the line ends of Unicode, which would break the line of a cell.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
#: Characters that a cell of CSV must be quoted for.
_CSV = re.compile('[,"\r\n]')
_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_MARKDOWN = str.maketrans({c: "\\" + c for c in "\\|`*_[]<>#~&"})


@dataclass(frozen=True, slots=True)
class Table:
    """A table of named columns.

    Attributes:
        header: The names of the columns.
        rows: The rows, each with one cell per column.
        title: Text above the table; may be empty.
        notes: Lines below the table.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()


def render(tables: Sequence[Table], format: str) -> str:
    """Return tables one below the other, ending in a newline.

    Args:
        tables: The tables.
        format: ``text``, ``tsv``, ``csv``, ``latex``, ``md`` or ``html``, which is a whole page.

    Raises:
        UsageError: The format is unknown.
    """
    check_known("format", format, RENDERERS)
    shown = "\n".join(RENDERERS[format](table) for table in tables)
    if format != "html":
        return shown
    title = escape(next((table.title for table in tables if table.title), "jperrant").partition("\n")[0])
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{shown}</body></html>\n'


def format_of(
    asked: str | None, out: str = "-", *, json: bool = False, known: Sequence[str] = FORMATS
) -> str:
    """Return the format of a result: the one asked for, else the one that its file's ending names, else text.

    >>> format_of(None, "table.tex"), format_of(None, "table.tsv.gz"), format_of(None)
    ('latex', 'tsv', 'text')

    Args:
        asked: The format asked for, or None.
        out: The file for the result; ``-`` is standard output.
        json: Whether ``--json`` was given.
        known: The formats that the result can have.

    Raises:
        UsageError: The format is unknown, or differs from the one that the file's ending names.
    """
    if json and asked not in (None, "json"):
        raise UsageError(f"--json and --format={asked} exclude each other; give only one")
    asked = "json" if json else asked
    if asked is not None:
        check_known("format", asked, known)
    name = PurePath(out)
    ending = (name.with_suffix("") if name.suffix in _COMPRESSED else name).suffix.lower()
    named = _ENDINGS.get(ending[1:])
    if named and named not in known:
        raise UsageError(f"{out}: this result is not written as {ending}; expected one of {', '.join(known)}")
    if named and asked not in (None, named):
        raise UsageError(f"the name {out} means {named}, but --format={asked} was given; change one of them")
    return asked or named or "text"


def as_text(table: Table) -> str:
    """Return aligned columns, words to the left and numbers to the right.

    Widths are counted in cells of a terminal; a Chinese, Japanese or Korean character takes two.
    """
    columns = []
    for name, word, *cells in zip(table.header, _word_columns(table), *table.rows, strict=True):
        # Marks get columns of their own, so that the numbers before them stay aligned.
        room = max(len(_marks(cell)) for cell in ("", *cells))
        column = [name + " " * room, *(_shown(cell) + _marks(cell).ljust(room) for cell in cells)]
        width = max(cell_len(one_line(text)) for text in column)
        columns.append([pad(one_line(text), width, right=not word) for text in column])
    lines = ["  ".join(line).rstrip() for line in zip(*columns, strict=True)]
    return "\n".join([*filter(None, [table.title]), *lines, *map(one_line, table.notes)]) + "\n"


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return a text filled with spaces to a width in cells of a terminal.

    >>> pad("猫", 4) + "|"
    '猫  |'

    Args:
        text: One line.
        width: The width in cells; a wider text stays as it is.
        right: Align the text to the right.
    """
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def as_tsv(table: Table) -> str:
    r"""Return tab-separated values with all decimals; tabs and newlines in cells become ``\t`` and ``\n``.

    Titles and notes are left out, so that every line has the same columns.
    """
    return _separated(table, "\t", lambda text: text.translate(_TSV))


def as_csv(table: Table) -> str:
    """Return comma-separated values with all decimals, cells quoted where they need it (RFC 4180).

    Titles and notes are left out, so that every line has the same columns.
    """
    # Python's csv writer does not quote a carriage return, which its reader takes for a line end.
    quoted = str.maketrans({'"': '""'})
    return _separated(table, ",", lambda text: f'"{text.translate(quoted)}"' if _CSV.search(text) else text)


def _separated(table: Table, separator: str, written: Callable[[str], str]) -> str:
    """Return lines of cells with all decimals."""
    lines = [[_shown(cell, whole=True) for cell in line] for line in (table.header, *table.rows)]
    return "".join([separator.join(map(written, line)) + "\n" for line in lines])


def as_markdown(table: Table) -> str:
    """Return a pipe table of GitHub-flavoured Markdown."""
    body = ["| " + " | ".join(line) + " |" for line in _escaped(table, _markdown, "**{}**")]
    rule = "| " + " | ".join("---" if word else "---:" for word in _word_columns(table)) + " |"
    first, *others = table.title.splitlines() if table.title else [""]
    above = [f"**{_markdown(first)}**", ""] if first else []
    # Two spaces at the end of a line are a line break in Markdown.
    above += [*(f"{_markdown(line)}  " for line in others), ""] if others else []
    below = ["", *map(_code, table.notes)] if table.notes else []
    return "\n".join([*above, body[0], rule, *body[1:], *below]) + "\n"


def as_html(table: Table) -> str:
    """Return an HTML table; the title is its caption, the notes are paragraphs below it."""
    kinds = [' class="w"' if word else "" for word in _word_columns(table)]

    def line(tag: str, cells: Sequence[str]) -> str:
        shown = [f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)]
        return f"<tr>{''.join(shown)}</tr>"

    title = f"<caption>{_html(table.title)}</caption>\n" if table.title else ""
    header, *rows = _escaped(table, lambda text: _html(one_line(text)), "<b>{}</b>")
    body = "\n".join([line("td", row) for row in rows])
    notes = "".join(f"<p>{_html(note)}</p>\n" for note in table.notes)
    return f"<table>\n{title}{line('th', header)}\n{body}\n</table>\n{notes}"


def as_latex(table: Table) -> str:
    """Return a tabular with the rules of the booktabs package; title and notes become comments."""
    lines = [" & ".join(line) for line in _escaped(table, latex_text, r"\textbf{{{}}}")]
    # After \\ and \midrule LaTeX reads [ as the beginning of their argument, and * as part of them.
    body = [("{}" if line.lstrip().startswith(("[", "*")) else "") + line + r" \\" for line in lines]
    columns = "".join("l" if word else "r" for word in _word_columns(table))
    lines_of_text = (*table.title.splitlines(), *table.notes)
    comments = ["% " + " ".join(line.split()) for line in lines_of_text if line]
    begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
    ruled = [begin, r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule", end]
    return "\n".join([*comments, *ruled]) + "\n"


def latex_text(text: str) -> str:
    """Return a text with its special characters escaped for LaTeX, and with ligatures prevented."""
    return _LIGATURE.sub(r"\g<0>{}", one_line(text).translate(_LATEX))


def one_line(text: str) -> str:
    """Replace each control character and line end by a space, as a cell or comment must be one line."""
    return _CONTROL.sub(" ", text)


#: The renderer of each format except JSON.
RENDERERS: dict[str, Callable[[Table], str]] = dict(
    zip(FORMATS, (as_text, as_tsv, as_csv, as_latex, as_markdown, as_html), strict=False)
)


def _shown(cell: Cell, whole: bool = False) -> str:
    """Return the text of a cell without marks and bold; ``whole`` keeps all decimals of figures."""
    if isinstance(cell, Figure):
        cell = cell.value if whole else cell.text
    if cell is None or cell != cell:  # NaN alone is not equal to itself
        return ""
    return f"{cell:.{DECIMALS}f}" if isinstance(cell, float) and not whole else str(cell)


def _marks(cell: Cell) -> str:
    return cell.marks if isinstance(cell, Figure) else ""


def _escaped(table: Table, escaped: Callable[[str], str], bold: str) -> list[list[str]]:
    """Return the header and the rows as a format writes them.

    Args:
        table: The table.
        escaped: A function that escapes a text for the format.
        bold: The template that puts ``{}`` in bold.
    """

    def written(cell: Cell) -> str:
        text = escaped(_shown(cell))
        return (bold.format(text) if isinstance(cell, Figure) and cell.bold else text) + escaped(_marks(cell))

    return [[written(cell) for cell in line] for line in (table.header, *table.rows)]


def _markdown(text: str) -> str:
    return one_line(text).translate(_MARKDOWN)


def _html(text: str) -> str:
    return escape(printable(text))


def _code(text: str) -> str:
    """Return a text as code of Markdown, between more backticks than follow each other in it."""
    text = one_line(text)
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _word_columns(table: Table) -> list[bool]:
    """Return for each column whether it holds words."""
    columns = range(len(table.header))
    return [any(isinstance(row[column], str) for row in table.rows) for column in columns]


def plain(value: Any) -> Any:
    """Return a result ready for JSON: dataclasses and named tuples become dicts, NaN becomes None.

    >>> plain({"mean": float("nan"), "systems": ("a", "b")})
    {'mean': None, 'systems': ['a', 'b']}
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


#: The ways to print an interval.
INTERVALS = ("pm", "brackets")
#: A p-value below this gets a mark.
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
        decimals: The number of decimals; None means 4, or 2 if ``percent``.
        columns: The columns to keep, in this order, after the first one; all if empty.
        bold_best: Print the best figure of each column in bold (LaTeX, Markdown and HTML).
        marks: Show paired tests as marks beside the figures; columns of p-values appear only if chosen.

    Raises:
        UsageError: ``intervals`` is unknown, or ``decimals`` is not from 0 to 15.
    """

    intervals: str = ""
    percent: bool = False
    decimals: int | None = None
    columns: tuple[str, ...] = ()
    bold_best: bool = False
    marks: bool = False

    def __post_init__(self) -> None:
        if self.intervals:
            check_known("intervals", self.intervals, INTERVALS)
        if self.decimals is not None and not 0 <= self.decimals <= 15:
            raise UsageError(f"found {self.decimals} decimals, expected 0 to 15")

    def check(self, format: str) -> None:
        """Raise an error if the format cannot show an option of this layout.

        Raises:
            UsageError: The format cannot show an option; the message names the option.
        """
        asked = [
            ("--intervals", self.intervals), ("--percent", self.percent), ("--decimals", self.decimals is not None),
            ("--bold-best", self.bold_best), ("--columns", self.columns and format == "json"),
        ]  # fmt: skip
        if format in ("json", *EXACT) and (option := next((name for name, given in asked if given), "")):
            raise UsageError(
                f"{option} needs text, latex, md or html, as {format} holds unrounded figures; remove it"
            )
        if self.bold_best and format == "text":
            raise UsageError("--bold-best needs latex, md or html, as text has no bold; remove it")

    @property
    def plain(self) -> bool:
        """Whether figures are shown in the default way."""
        return not (self.intervals or self.percent or self.decimals is not None or self.bold_best)

    def of_metric(self, needs_references: bool) -> Layout:
        """Return the layout for a metric: never in per cent without references, as scales differ there."""
        return self if needs_references else replace(self, percent=False)

    def number(self, value: float, *, signed: bool = False) -> str:
        """Return a figure as text."""
        decimals = (2 if self.percent else DECIMALS) if self.decimals is None else self.decimals
        scaled = 100 * value if self.percent else value
        return f"{scaled:{'+' if signed else ''}.{decimals}f}"

    def figure(
        self, value: float, ends: tuple[float, float] | None = None, *, marks: str = "", signed: bool = False
    ) -> Figure | None:
        """Return a figure as a cell, or None for an empty cell if the figure is NaN.

        Args:
            value: The figure.
            ends: The lower and upper end of its interval, shown as ``intervals`` says.
            marks: Signs after it.
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
            table: The table, with one system per row.
            lower: The columns of figures to compare, each with whether a lower figure is better.

        Raises:
            UsageError: A column does not exist.
        """
        if self.bold_best:
            columns = zip(table.header, zip(*table.rows, strict=True), strict=False)
            best = [self.best(cells, lower[name]) if name in lower else cells for name, cells in columns]
            table = replace(table, rows=tuple(zip(*best, strict=True)))
        return chosen_columns(table, self.columns)

    def best(self, cells: Sequence[Cell], lower: bool) -> list[Cell]:
        """Return cells with the best figures in bold, including ties as printed; a single figure is never bold.

        Args:
            cells: The cells of a column; those that are not figures are left unchanged.
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
        UsageError: A column does not exist.
    """
    if not columns:
        return table
    check_columns(columns, table.header)
    kept = [0, *(table.header.index(name) for name in columns if name != table.header[0])]
    rows: tuple[tuple[Cell, ...], ...] = tuple(tuple(row[n] for n in kept) for row in table.rows)
    return replace(table, header=tuple(table.header[n] for n in kept), rows=rows)


def check_columns(columns: Sequence[str], header: Sequence[str]) -> None:
    """Raise an error for columns that a table will not have, before long work begins.

    Args:
        columns: The chosen columns.
        header: The columns of the table.

    Raises:
        UsageError: A column does not exist; the message lists those that do.
    """
    known = header[1:]
    for name in columns:
        if name not in header:
            listed = ", ".join(known) or "none that can be chosen"
            raise UsageError(f"found no column {name!r}{nearest(name, known)}; columns: {listed}")
