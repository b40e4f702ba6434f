"""How values show themselves: in one short line, and as HTML in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from reprlib import Repr

from jperrant.core.m2_format import AnnotationFields, BlockFields, EditFields

#: Characters of a text that are shown in a line.
LONGEST = 60
#: Rows of a table that are shown in a notebook.
MOST_ROWS = 50
#: Annotators, and edits of each, that are drawn.
MOST_ANNOTATORS, MOST_EDITS = 20, 200
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = LONGEST
_SHORT.maxtuple = _SHORT.maxlist = 8

# Deleted text is struck through and inserted text underlined, so that nothing depends on seeing colours.
_DELETED = "color:#a11;text-decoration:line-through"
_INSERTED = "color:#060;text-decoration:underline"
_TYPE = "font-size:75%;color:#555"


def short(text: str) -> str:
    """Return a text in quotes, its end cut off if it is long."""
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def shown(value: object) -> str:
    """Return the representation of a value, with the middle of long ones left out."""
    text = _SHORT.repr(value)
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}…{text[-LONGEST:]}"


def named(name: str, *values: object, **fields: object) -> str:
    """Return a call that makes a value, long arguments shortened.

    Example:
        >>> named("Edit", 1, 2, ("is",), type="R:VERB:SVA")
        "Edit(1, 2, ('is',), type='R:VERB:SVA')"
    """
    arguments = [*map(shown, values), *(f"{field}={shown(value)}" for field, value in fields.items())]
    return f"{name}({', '.join(arguments)})"


def block_html(block: BlockFields) -> str:
    """Return a block as HTML: for each annotator the sentence with deletions, insertions and types.

    Args:
        block: The block. All text is escaped; past ``MOST_ANNOTATORS`` annotators and ``MOST_EDITS`` edits
            the rest is counted.
    """
    lines = [
        f"<p>annotator {a.annotator}: {annotation_html(block.source, a)}</p>"
        for a in block.annotations[:MOST_ANNOTATORS]
    ]
    if len(block.annotations) > MOST_ANNOTATORS:
        lines.append(f"<p>… and {len(block.annotations) - MOST_ANNOTATORS} more annotators</p>")
    body = "".join(lines) or f"<p>{_text(block.source)}</p>"
    return f'<div class="jperrant-block">{body}</div>'


def annotation_html(source: Sequence[str], annotation: AnnotationFields) -> str:
    """Return a sentence with the edits of one annotator as HTML."""
    edits = sorted(annotation.edits, key=lambda edit: (edit.start, edit.end))[:MOST_EDITS]
    left_out = len(annotation.edits) - len(edits)
    pieces = [*_pieces(source, edits), *([f"<em>… and {left_out} more edits</em>"] if left_out else [])]
    if not annotation.edits:
        pieces.append("<em>(no changes)</em>")
    return f'<span dir="auto">{" ".join(pieces)}</span>'


def table_html(
    header: Sequence[str], rows: Sequence[Sequence[object]], notes: Sequence[str] = (), caption: str = ""
) -> str:
    """Return a table as HTML.

    Args:
        header: The names of the columns.
        rows: The cells; floats are shown with four decimals. Past ``MOST_ROWS`` rows the rest is counted.
        notes: Lines that stand below it.
        caption: What stands above it.
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in islice(rows, MOST_ROWS))
    more = [f"… and {len(rows) - MOST_ROWS} more rows"] if len(rows) > MOST_ROWS else []
    below = "".join(f"<p><small>{escape(note)}</small></p>" for note in (*more, *notes))
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    table = f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="jperrant-table">{table}{below}</div>'


def _pieces(source: Sequence[str], edits: Sequence[EditFields]) -> Iterator[str]:
    position = 0
    for edit in edits:
        if edit.start > position:
            yield _text(source[position : edit.start])
        yield _edit_html(source[max(position, edit.start) : edit.end], edit)
        position = max(position, edit.end)
    if source[position:]:
        yield _text(source[position:])


def _edit_html(replaced: Sequence[str], edit: EditFields) -> str:
    correction = edit.correction
    deleted = (
        f'<del style="{_DELETED}">{_text(replaced)}</del>' if replaced and correction is not None else ""
    )
    marked = f"<mark>{_text(replaced)}</mark>" if correction is None else ""
    inserted = f'<ins style="{_INSERTED}">{_text(correction)}</ins>' if correction else ""
    others = "".join(f" or <ins>{_text(other)}</ins>" for other in edit.alternatives)
    parts = [part for part in (deleted, marked, inserted + others) if part]
    return f'{" ".join(parts)}<sub style="{_TYPE}">{escape(edit.type)}</sub>'


def _text(tokens: Sequence[str]) -> str:
    return escape(" ".join(tokens))


def _cell(value: object) -> str:
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    text = "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
    return f'<td style="text-align:right">{escape(text)}</td>'
