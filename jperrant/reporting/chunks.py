"""Chunk tables as text, HTML, LaTeX or JSON: labels by letter and by colour."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape

from rich.cells import cell_len

from jperrant.core.errors import UsageError, nearest
from jperrant.core.tables import latex_text, one_line
from jperrant.core.visible import printable
from jperrant.evaluation.metrics.cleme.chunk_tables import ChunkRow, ChunkTable

FORMATS = ("text", "html", "latex", "json")
#: What stands in a cell without tokens.
EMPTY = "∅"
CHOSEN = " *"
#: Of each label: what it means, the colour on terminals (ANSI), in HTML and in LaTeX (xcolor).
LABELS = {
    "TP": ("hit", "32", "#b7e4c7", "green!25"),
    "FPne": ("wrong", "33", "#ffe08a", "yellow!45"),
    "FPun": ("over", "31", "#f5b5b0", "red!25"),
    "FN": ("under", "34", "#b3d4fc", "blue!20"),
}
_STYLE = """body { font: 15px/1.4 sans-serif; margin: 2em; color: #222; }
.chunks { overflow-x: auto; margin-bottom: 2em; }
table { border-collapse: collapse; }
caption { text-align: left; padding-bottom: .3em; }
th, td { border: 1px solid #ccc; padding: .2em .5em; text-align: left; white-space: nowrap; }
th { font-weight: normal; color: #555; }
.changed { font-weight: bold; }
"""


def format_chunks(
    tables: Sequence[ChunkTable], format: str = "text", width: int = 100, color: bool = False
) -> str:
    """Return tables in one of the formats, ending in a newline.

    Args:
        tables: What to show.
        format: One of ``FORMATS``.
        width: Of text: columns of the screen that a table may take; chunks that do not fit go below. 0 for any.
        color: Of text: colour labels and the hypothesis.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        return json.dumps([asdict(t) for t in tables], ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if format == "html":
        return _html(tables)
    if format == "latex":
        return "\n".join(_latex(table) for table in tables)
    if format != "text":
        raise UsageError(
            f"unknown format {format!r}{nearest(format, FORMATS)}; expected one of {', '.join(FORMATS)}"
        )
    return "\n".join(_text(table, width, color) for table in tables)


def _title(table: ChunkTable) -> str:
    values = " ".join(f"{name} {value:.4f}" for name, value in table.values.items())
    return f"{table.hypothesis}, sentence {table.sentence}: {values}"


def _shown(tokens: Sequence[str]) -> str:
    return " ".join(tokens) or EMPTY


def _lines(table: ChunkTable) -> list[tuple[str, list[str]]]:
    """Return every line of a table: its name and its cells."""
    lines = [
        (row.name + (CHOSEN if row.chosen else ""), [_shown(cell) for cell in row.cells])
        for row in table.rows
    ]
    lines.append(("label", list(table.labels)))
    if table.weights:
        lines.append(("weight", [f"{weight:.3f}" for weight in table.weights]))
    return lines


def _text(table: ChunkTable, width: int, color: bool) -> str:
    lines = _lines(table)
    title = _title(table)
    if color:  # a terminal gets it as it is: its control sequences are ours alone
        lines = [(name, [printable(cell) for cell in cells]) for name, cells in lines]
        title = printable(title)
    names = max(cell_len(name) for name, _ in lines)
    widths = [max(cell_len(cells[column]) for _, cells in lines) for column in range(len(table.spans))]
    out = [title]
    for band in _bands(widths, width - names if width else 0):
        for name, cells in lines:
            placed = [_padded(cells[column], widths[column]) for column in band]
            if color and name in ("hypothesis", "label"):
                placed = [
                    _colored(cell, table.labels[column]) for cell, column in zip(placed, band, strict=True)
                ]
            out.append(" | ".join([_padded(name, names), *placed]).rstrip())
        out.append("")
    return "\n".join(out[:-1]) + "\n"


def _bands(widths: Sequence[int], width: int) -> Iterator[range]:
    """Yield the columns that go beside one another, at least one; all if the width is 0."""
    start, used = 0, 0
    for column, needed in enumerate(widths):
        used += needed + len(" | ")
        if width and used > width and column > start:
            yield range(start, column)
            start, used = column, needed + len(" | ")
    yield range(start, len(widths))


def _padded(cell: str, width: int) -> str:
    # Chinese, Japanese and Korean letters take two columns of a screen.
    return cell + " " * (width - cell_len(cell))


def _colored(cell: str, label: str) -> str:
    return f"\x1b[{LABELS[label][1]}m{cell}\x1b[0m" if label in LABELS else cell


def _html(tables: Sequence[ChunkTable]) -> str:
    colors = "".join(f".{label} {{ background: {about[2]}; }}\n" for label, about in LABELS.items())
    legend = " ".join(f'<span class="{label}">{label}: {about[0]}</span>' for label, about in LABELS.items())
    body = "\n".join(_html_table(table) for table in tables)
    return (
        '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>Chunks</title>\n'
        f"<style>\n{_STYLE}{colors}</style>\n</head>\n<body>\n"
        f"<p>{legend} (TN: rightly left alone; * the reference that counts)</p>\n{body}\n</body>\n</html>\n"
    )


def _html_table(table: ChunkTable) -> str:
    lines = [
        f"<tr><th>{escape(row.name)}{CHOSEN if row.chosen else ''}</th>{_html_cells(row, table)}</tr>"
        for row in table.rows
    ]
    labels = "".join(f'<td class="{label}">{label}</td>' for label in table.labels)
    lines.append(f"<tr><th>label</th>{labels}</tr>")
    if table.weights:
        weights = "".join(f"<td>{weight:.3f}</td>" for weight in table.weights)
        lines.append(f"<tr><th>weight</th>{weights}</tr>")
    caption = f"<caption>{escape(_title(table))}</caption>"
    return '<div class="chunks"><table>\n' + "\n".join([caption, *lines]) + "\n</table></div>"


def _html_cells(row: ChunkRow, table: ChunkTable) -> str:
    cells = []
    for tokens, changed, label in zip(row.cells, row.changed, table.labels, strict=True):
        classes = [*(["changed"] if changed else []), *([label] if row.name == "hypothesis" else [])]
        named = f' class="{" ".join(classes)}"' if classes else ""
        cells.append(f"<td{named}>{escape(_shown(tokens))}</td>")
    return "".join(cells)


def _latex(table: ChunkTable) -> str:
    lines = []
    for name, cells in _lines(table):
        shown = [latex_text(cell) for cell in cells]
        if name in ("hypothesis", "label"):
            shown = [_latex_colored(cell, label) for cell, label in zip(shown, table.labels, strict=True)]
        lines.append(" & ".join([latex_text(name), *shown]) + r" \\")
    columns = "l|" + "l" * len(table.spans)
    return "\n".join(
        [
            f"% {one_line(_title(table))}",
            r"% needs \usepackage{booktabs} and \usepackage[table]{xcolor}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *lines[: len(table.rows)],
            r"\midrule",
            *lines[len(table.rows) :],
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _latex_colored(cell: str, label: str) -> str:
    return rf"\cellcolor{{{LABELS[label][3]}}}{cell}" if label in LABELS else cell
