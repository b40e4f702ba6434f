"""Values as HTML in a notebook: the elements and classes that the report page has, with a style of their own.

Every fragment brings its style, which applies inside it alone, and colours that suit a light page and a dark one.
Nothing depends on seeing colours: deletions are struck out, insertions underlined, outcomes have a sign. All text
is escaped, and characters that would hide or turn around other text are shown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice

from jperrant.core.display import NOTHING, visible_text
from jperrant.core.m2_format import AnnotationFields, BlockFields, EditFields
from jperrant.core.tables import Figure

#: Rows of a table that are shown.
MOST_ROWS = 50
#: Annotators, and edits of each, that are drawn.
MOST_ANNOTATORS, MOST_EDITS = 20, 200
#: Letters of a text whose changed letters are marked.
_LONGEST_MARKED = 200
#: The class of everything that is shown, which the style is bound to.
_ROOT = "jperrant"
_RULES = """
 .text{margin:.2em 0;line-height:1.85;unicode-bidi:isolate;text-align:start;overflow-wrap:anywhere}
 .who{font-size:85%;opacity:.75;margin:.4em 0 0}
 .edit{background:rgba(128,128,128,.13);border-radius:3px;padding:.1em .15em;unicode-bidi:isolate}
 del{text-decoration:line-through;color:color-mix(in srgb,#c62828 70%,currentColor);background:none}
 ins{text-decoration:underline;color:color-mix(in srgb,#00773d 70%,currentColor);background:none}
 mark{background:none;color:inherit;text-decoration:underline double}
 .letters{background:rgba(214,148,0,.28);border-radius:2px}
 .type{font:500 70%/1 monospace;opacity:.8;margin-inline-start:.3em;white-space:nowrap;vertical-align:.2em}
 .type,bdi{unicode-bidi:isolate}
 .unchanged,.note{font-size:85%;opacity:.75;margin:.2em 0}
 .scroll{overflow-x:auto}
 table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0}
 caption{text-align:start;opacity:.75;padding-bottom:.3em;caption-side:top;white-space:nowrap}
 th, td{padding:.2em .6em;text-align:start;border-bottom:1px solid rgba(128,128,128,.3);white-space:nowrap}
 th{font-weight:600}
 .number{text-align:end}
 .best{font-weight:700;text-decoration:underline dotted}
 .changed{font-weight:600;text-decoration:underline}
 .right{background:rgba(0,150,90,.2)}
 .wrong{background:rgba(220,140,0,.25)}
 .needless{background:rgba(210,50,50,.2)}
 .missed{background:rgba(80,100,220,.2)}
 .mass{background:color-mix(in srgb,#1f5fa8 calc(var(--mass)*60%),transparent)}
"""


def _scoped(rules: str) -> str:
    """Return rules that apply inside our elements alone."""
    lines = []
    for line in rules.strip().splitlines():
        selectors, _, rest = line.strip().partition("{")
        lines.append(f"{','.join(f'.{_ROOT} {one.strip()}' for one in selectors.split(','))}{{{rest}")
    return "".join(lines)


STYLE = f"<style>{_scoped(_RULES)}</style>"


def fragment(*parts: str) -> str:
    """Return markup with the style that shows it; a notebook takes it as the HTML of a value."""
    return f'<div class="{_ROOT}">{STYLE}{"".join(parts)}</div>'


def text_markup(text: str) -> str:
    """Return any text as markup that shows it, character by character."""
    return escape(visible_text(text))


def block_html(block: BlockFields) -> str:
    """Return a block as HTML: for each annotator the sentence with deletions, insertions and types.

    Args:
        block: The block. Past ``MOST_ANNOTATORS`` annotators and ``MOST_EDITS`` edits the rest is counted.
    """
    lines = []
    for annotation in block.annotations[:MOST_ANNOTATORS]:
        lines.append(f'<p class="who">annotator {annotation.annotator}</p>')
        lines.append(annotation_markup(block.source, annotation))
    if len(block.annotations) > MOST_ANNOTATORS:
        lines.append(f'<p class="note">… and {len(block.annotations) - MOST_ANNOTATORS} more annotators</p>')
    return fragment(*(lines or [f'<p class="text" dir="auto">{_words(block.source)}</p>']))


def annotation_markup(source: Sequence[str], annotation: AnnotationFields) -> str:
    """Return a sentence with the edits of one annotator as markup."""
    edits = annotation.edits[:MOST_EDITS]
    left_out = len(annotation.edits) - len(edits)
    more = f'<p class="note">… and {left_out} more edits</p>' if left_out else ""
    unchanged = "" if annotation.edits else '<p class="unchanged">no changes</p>'
    return f'<p class="text" dir="auto">{diff_markup(source, edits)}</p>{more}{unchanged}'


def diff_markup(source: Sequence[str], edits: Sequence[EditFields]) -> str:
    """Return a sentence with its edits as markup, in the elements that the report page draws.

    Args:
        source: The tokens.
        edits: In any order.
    """
    return " ".join(_pieces(source, sorted(edits, key=lambda edit: (edit.start, edit.end))))


def _pieces(source: Sequence[str], edits: Sequence[EditFields]) -> Iterator[str]:
    position = 0
    for edit in edits:
        if edit.start > position:
            yield _words(source[position : edit.start])
        yield _edit(source[edit.start : edit.end], edit)
        position = max(position, edit.end)
    if source[position:]:
        yield _words(source[position:])


def _edit(replaced: Sequence[str], edit: EditFields) -> str:
    old, correction = " ".join(replaced), edit.correction
    parts = []
    if correction is None:
        parts.append(f"<mark>{text_markup(old)}</mark>" if old else "")
    else:
        new = " ".join(correction)
        before, after = marked_letters(old, new)
        parts.append(f"<del>{before}</del>" if old else "")
        parts.append(f"<ins>{after}</ins>" if new else "")
    shown = " ".join(filter(None, parts))
    for other in edit.alternatives:
        shown += f" or <ins>{_words(other)}</ins>" if other else f" or {NOTHING}"
    name = text_markup(edit.type)
    return f'<span class="edit" title="{name}">{shown}<span class="type" dir="ltr" lang="en">{name}</span></span>'


def marked_letters(old: str, new: str) -> tuple[str, str]:
    """Return two texts as markup in which the letters that differ are marked, if most of them agree.

    What the texts begin with and what they end with is the same; letters are marked with their diacritics.

    >>> marked_letters("informations", "information")
    ('information<span class="letters">s</span>', 'information')
    """
    start, end = _shared(old, new)
    if not old or not new or 2 * (start + end) < max(len(old), len(new)) or len(old) > _LONGEST_MARKED:
        return text_markup(old), text_markup(new)
    return _with_marked(old, start, len(old) - end), _with_marked(new, start, len(new) - end)


def _shared(old: str, new: str) -> tuple[int, int]:
    """Return how many letters two texts share at the start and, behind these, at the end."""
    shorter = min(len(old), len(new))
    start = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    while start and any(_joins(text, start) for text in (old, new)):
        start -= 1
    room = shorter - start
    end = next((n for n in range(room) if old[-1 - n] != new[-1 - n]), room)
    while end and any(_joins(text, len(text) - end) for text in (old, new)):
        end -= 1
    return start, end


def _joins(text: str, position: int) -> bool:
    """Whether the character at a position belongs to the letter before it: a diacritic, or a joiner."""
    if not 0 < position < len(text):
        return False
    return unicodedata.category(text[position])[0] == "M" or "\u200d" in text[position - 1 : position + 1]


def _with_marked(text: str, start: int, end: int) -> str:
    middle = f'<span class="letters">{text_markup(text[start:end])}</span>' if start < end else ""
    return f"{text_markup(text[:start])}{middle}{text_markup(text[end:])}"


def _words(tokens: Sequence[str]) -> str:
    return text_markup(" ".join(tokens))


def table_html(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    notes: Sequence[str] = (),
    caption: str = "",
    best: Collection[tuple[int, int]] = (),
) -> str:
    """Return a table as HTML.

    Args:
        header: The names of the columns.
        rows: The cells; floats are shown with four decimals. Past ``MOST_ROWS`` rows the rest is counted.
        notes: Lines that stand below it.
        caption: What stands above it.
        best: Row and column of the figures that stand out, counted from 0.
    """
    numeric = {
        n for row in rows for n, value in enumerate(row) if value is not None and not isinstance(value, str)
    }
    head = "".join(_header(name, n in numeric) for n, name in enumerate(header))
    body = "".join(
        f"<tr>{''.join(_cell(value, n, (number, n) in best) for n, value in enumerate(row))}</tr>"
        for number, row in enumerate(islice(rows, MOST_ROWS))
    )
    more = [f"… and {len(rows) - MOST_ROWS} more rows"] if len(rows) > MOST_ROWS else []
    below = "".join(f'<p class="note">{text_markup(note)}</p>' for note in (*more, *notes))
    title = f"<caption>{text_markup(caption)}</caption>" if caption else ""
    table = f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return fragment(f'<div class="scroll">{table}</div>{below}')


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a grid.

    Attributes:
        text: What it shows.
        kind: Classes of the style: ``changed``, ``number``, ``right``, ``wrong``, ``needless``, ``missed``.
        share: How strong its background is, 0 to 1; None for none.
    """

    text: str
    kind: str = ""
    share: float | None = None


def grid_html(
    rows: Sequence[tuple[str, Sequence[GridCell]]], caption: str = "", notes: Sequence[str] = ()
) -> str:
    """Return named rows of cells as HTML, such as a sentence cut into chunks.

    Args:
        rows: The name and the cells of each row.
        caption: What stands above it.
        notes: Lines that stand below it.
    """
    body = "".join(
        f'<tr><th scope="row" dir="auto">{text_markup(name)}</th>{"".join(map(_grid_cell, cells))}</tr>'
        for name, cells in rows
    )
    title = f"<caption>{text_markup(caption)}</caption>" if caption else ""
    below = "".join(f'<p class="note">{text_markup(note)}</p>' for note in notes)
    return fragment(f'<div class="scroll"><table>{title}<tbody>{body}</tbody></table></div>{below}')


def _grid_cell(cell: GridCell) -> str:
    kind = f"{cell.kind} mass".strip() if cell.share is not None else cell.kind
    named = f' class="{escape(kind)}"' if kind else ""
    style = "" if cell.share is None else f' style="--mass:{cell.share:.3f}"'
    return f'<td{named}{style} dir="auto">{text_markup(cell.text)}</td>'


def _header(name: str, numeric: bool) -> str:
    return f'<th scope="col"{" class=number" if numeric else ""}>{text_markup(name)}</th>'


def _cell(value: object, column: int, best: bool) -> str:
    if isinstance(value, str):
        tag = 'th scope="row"' if column == 0 else "td"
        return f'<{tag} dir="auto">{text_markup(value)}</{tag[:2]}>'
    if isinstance(value, Figure):
        text = value.text + value.marks
    else:
        text = (
            ""
            if value is None or value != value
            else f"{value:.4f}"
            if isinstance(value, float)
            else str(value)
        )
    return f'<td class="number{" best" if best else ""}">{text_markup(text)}</td>'
