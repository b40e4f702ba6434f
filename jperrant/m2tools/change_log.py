"""What changed between an export and its import: edits added, removed and changed, and what people wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from jperrant.core.messages import plural
from jperrant.core.tables import Cell, Table, render
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Document, MarkedText
from jperrant.exchange.corrections import correction_text

HEADER = ("sentence", "annotator", "change", "before", "after")


class ChangeLog:
    """The changes of one import, sentence by sentence.

    Args:
        documents: What was exported.
        texts: What was imported, for its comments.
    """

    def __init__(self, documents: Iterable[Document], texts: Iterable[MarkedText]) -> None:
        documents = tuple(documents)
        self._before = iter([block for document in documents for block in document.blocks])
        first = {document.name: document.first for document in documents}
        self._comments: dict[int, list[str]] = {}
        for text in texts:
            for comment in text.comments:
                number = first.get(text.document, 0) + (text.sentence or 0)
                self._comments.setdefault(number, []).append(comment)
        self._count = 0
        self.rows: list[tuple[Cell, ...]] = []

    def add(self, after: Block) -> None:
        """Take the next sentence of the import."""
        for row in block_changes(next(self._before), after):
            self.rows.append((self._count + 1, *row))
        for comment in dict.fromkeys(self._comments.get(self._count, ())):
            self.rows.append((self._count + 1, "", "comment", "", comment))
        self._count += 1

    def table(self) -> str:
        """Return the table in TSV."""
        return render([Table(HEADER, tuple(self.rows))], "tsv")

    def summary(self) -> str:
        """Return how many changes of each kind there are."""
        counts = Counter(str(row[2]) for row in self.rows)
        sentences = plural(len({row[0] for row in self.rows}), "sentence")
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        return f"{sentences} changed: {kinds}" if kinds else "nothing changed"


def block_changes(before: Block, after: Block) -> Iterator[tuple[str, str, str, str]]:
    """Yield annotator, change, and the edit before and after; annotators in ascending order.

    A change is ``added``, ``removed``, ``type``, ``correction``, ``span`` or several of these three, or ``version
    added`` and ``version removed`` where an annotator has a sentence only afterwards or only before.
    """
    for annotator in sorted({a.annotator for block in (before, after) for a in block.annotations}):
        old, new = before.annotation(annotator), after.annotation(annotator)
        if old is None or new is None:
            change = "version added" if old is None else "version removed"
            yield str(annotator), change, _shown(before, old), _shown(after, new)
            continue
        for left, right in _pairs(old.edits, new.edits):
            yield str(annotator), _change(left, right), _edit(before, left), _edit(after, right)


def _pairs(old: Sequence[Edit], new: Sequence[Edit]) -> Iterator[tuple[Edit | None, Edit | None]]:
    """Yield what differs: edits of both sides that touch one place together, all others alone."""
    kept = Counter(old) & Counter(new)
    removed, added = list((Counter(old) - kept).elements()), list((Counter(new) - kept).elements())
    for left in removed:
        right = next((edit for edit in added if _touch(left, edit)), None)
        if right is not None:
            added.remove(right)
        yield left, right
    for right in added:
        yield None, right


def _touch(left: Edit, right: Edit) -> bool:
    if left.start == right.start:
        return True
    return left.start < right.end and right.start < left.end


def _change(left: Edit | None, right: Edit | None) -> str:
    if left is None or right is None:
        return "added" if left is None else "removed"
    parts = {
        "span": (left.start, left.end) != (right.start, right.end),
        "correction": correction_text(left) != correction_text(right),
        "type": left.type != right.type,
    }
    return " ".join([name for name, differs in parts.items() if differs])


def _shown(block: Block, annotation: Annotation | None) -> str:
    if annotation is None:
        return ""
    return "; ".join([_edit(block, edit) for edit in annotation.edits]) or "noop"


def _edit(block: Block, edit: Edit | None) -> str:
    """Return an edit as people read it: its span, type, the words before and after."""
    if edit is None:
        return ""
    words = " ".join(block.source[edit.start : edit.end]) or "∅"
    correction = correction_text(edit)
    after = "?" if correction is None else correction or "∅"
    return f"{edit.start} {edit.end} {edit.type}: {words} → {after}"
