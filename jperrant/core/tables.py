"""Tables of figures, and how they are shown as text, TSV, CSV, LaTeX, Markdown or HTML, every cell escaped."""

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
        text: The number, and its interval, as it is shown: ``32.1 ± 2.1``.
        value: The number itself, which TSV holds.
        bold: Whether it stands out in LaTeX and Markdown.
        marks: Signs of significance behind it, such as ``†``.
    """

    text: str
    value: float
    bold: bool = False
    marks: str = ""


#: What stands in a table; None and NaN leave the cell empty.
Cell: TypeAlias = str | int | float | Figure | None
#: Decimals shown of a number that is not a count; TSV holds all of them.
DECIMALS = 4
#: Formats for programs: rows with unrounded figures, without titles and notes.
EXACT = ("tsv", "csv")
#: The formats of tables, and JSON.
FORMATS = ("text", "tsv", "csv", "latex", "md", "html", "json")
#: What the ending of a file stands for; a file with the ending of another format would not hold what it says.
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
#: Signs that LaTeX's fonts join to another one with the next, such as the two hyphens of a token ``--`` to a dash.
_LIGATURE = re.compile(r"([-'`,])(?=\1)|[?!](?=`)")
#: Characters that end a line or do worse somewhere: control characters and the line ends of Unicode.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
#: What a cell of CSV is quoted for.
_CSV = re.compile('[,"\r\n]')
_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_MARKDOWN = str.maketrans({c: "\\" + c for c in "\\|`*_[]<>#~&"})


@dataclass(frozen=True, slots=True)
class Table:
    """A table of named columns.

    Attributes:
        header: The names of the columns.
        rows: The cells, as many in a row as there are columns.
        title: What stands above it; empty for nothing.
        notes: Lines that stand below it.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()


def render(tables: Sequence[Table], format: str) -> str:
    """Return tables one below the other, ending in a newline.

    Args:
        tables: What to show.
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
    """Return the format of a result: the one asked for, else the one that its file is named for, else text.

    >>> format_of(None, "table.tex"), format_of(None, "table.tsv.gz"), format_of(None)
    ('latex', 'tsv', 'text')

    Args:
        asked: The format; None if none was asked for.
        out: Where the result goes.
        json: Whether JSON was asked for beside it.
        known: The formats there are.

    Raises:
        UsageError: The format is unknown, or is another than that of the file.
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
        raise UsageError(f"{out} is named for {named}, but --format={asked} was given; change one of them")
    return asked or named or "text"


def as_text(table: Table) -> str:
    """Return aligned columns; words to the left, numbers to the right.

    Widths are counted in cells of a terminal, of which a Chinese, Japanese or Korean letter takes two.
    """
    columns = []
    for name, word, *cells in zip(table.header, _word_columns(table), *table.rows, strict=True):
        # Numbers stay below one another without their marks.
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
        width: Cells it takes in the end; a text that is wider stays as it is.
        right: Put the text at the right.
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
    # Python's writer leaves a carriage return alone that its reader takes for a line end.
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
    # Two spaces at its end keep a line of its own.
    above += [*(f"{_markdown(line)}  " for line in others), ""] if others else []
    below = ["", *map(_code, table.notes)] if table.notes else []
    return "\n".join([*above, body[0], rule, *body[1:], *below]) + "\n"


def as_html(table: Table) -> str:
    """Return a table of HTML; title and notes are its caption and paragraphs below it."""
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
    # Behind \\ and \midrule LaTeX takes [ as theirs and eats *.
    body = [("{}" if line.lstrip().startswith(("[", "*")) else "") + line + r" \\" for line in lines]
    columns = "".join("l" if word else "r" for word in _word_columns(table))
    lines_of_text = (*table.title.splitlines(), *table.notes)
    comments = ["% " + " ".join(line.split()) for line in lines_of_text if line]
    begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
    ruled = [begin, r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule", end]
    return "\n".join([*comments, *ruled]) + "\n"


def latex_text(text: str) -> str:
    """Return text in which nothing has a meaning to LaTeX, and no signs become another one."""
    return _LIGATURE.sub(r"\g<0>{}", one_line(text).translate(_LATEX))


def one_line(text: str) -> str:
    """Return a text with a space for each control character and line end, as a cell and a comment need it."""
    return _CONTROL.sub(" ", text)


#: The formats other than JSON.
RENDERERS: dict[str, Callable[[Table], str]] = dict(
    zip(FORMATS, (as_text, as_tsv, as_csv, as_latex, as_markdown, as_html), strict=False)
)


def _shown(cell: Cell, whole: bool = False) -> str:
    """Return a cell without marks and bold; ``whole`` figures have all decimals."""
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
        escaped: Returns a text in which nothing has a meaning to the format.
        bold: What puts ``{}`` in bold.
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
    """Return a text as code of Markdown, between more backticks than stand together in it."""
    text = one_line(text)
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _word_columns(table: Table) -> list[bool]:
    """Return for each column whether it holds words."""
    columns = range(len(table.header))
    return [any(isinstance(row[column], str) for row in table.rows) for column in columns]


def plain(value: Any) -> Any:
    """Return a result as JSON has it: dataclasses and named tuples as objects, None for what is not a number.

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
        if self.intervals:
            check_known("intervals", self.intervals, INTERVALS)
        if self.decimals is not None and not 0 <= self.decimals <= 15:
            raise UsageError(f"found {self.decimals} decimals, expected 0 to 15")

    def check(self, format: str) -> None:
        """Refuse what a format that holds unrounded figures cannot show.

        Raises:
            UsageError: Names the option.
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
            columns = zip(table.header, zip(*table.rows, strict=True), strict=False)
            best = [self.best(cells, lower[name]) if name in lower else cells for name, cells in columns]
            table = replace(table, rows=tuple(zip(*best, strict=True)))
        return chosen_columns(table, self.columns)

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
