"""What no tool carries put back: the order of edits at one place, alternatives, fields that were emptied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jperrant.core.minimise import minimise
from jperrant.core.values import Annotation, Edit
from jperrant.exchange.corrections import correction_text, edit_of


@dataclass(frozen=True, slots=True)
class Mark:
    """A region on the tokens of its sentence.

    Attributes:
        start, end: Half-open range of tokens.
        type: The error type.
        correction: The text of the correction, or None where the tool has none.
        place: File and id, for messages.
    """

    start: int
    end: int
    type: str
    correction: str | None
    place: str

    def edit(self) -> Edit:
        """Return the edit that it stands for by itself."""
        return edit_of(self.start, self.end, self.type, self.correction)

    def stands_for(self, edit: Edit) -> bool:
        """Whether it may be this edit of the original, unchanged."""
        if (self.start, self.end, self.type) != (edit.start, edit.end, edit.type):
            return False
        if self.correction is None:  # a tool that drops empty fields holds a deletion and a mark alike
            return not edit.correction and not edit.alternatives
        return self.correction == correction_text(edit) or self.edit() == edit

    def stands_for_first(self, edit: Edit) -> bool:
        """Whether it may be this edit of the original in a tool that carries no alternatives."""
        return (
            bool(edit.alternatives)
            and (self.start, self.end, self.type) == (edit.start, edit.end, edit.type)
            and edit.correction == self.edit().correction
        )


@dataclass(frozen=True, slots=True)
class Restored:
    """An annotation, and which of its marks are new.

    Attributes:
        annotation: The annotation.
        added: The marks that are no edits of the original, each with the edit it became.
    """

    annotation: Annotation
    added: tuple[tuple[Mark, Edit], ...]


def restore(
    annotator: int,
    marks: Sequence[Mark],
    original: Annotation | None,
    source: Sequence[str] | None = None,
    *,
    first_only: bool = False,
    keeps_order: bool = False,
) -> Restored:
    """Return the annotation that marks stand for, those that nobody changed as they were.

    Args:
        annotator: Who marked.
        marks: What was marked, in the order of the tool's file.
        original: What the annotator had before the export.
        source: The tokens of the sentence, for marks that repeat the word beside an insertion.
        first_only: Whether the tool holds only the first of alternative corrections.
        keeps_order: Whether marks of one place stand in the order in which their edits apply.
    """
    left = list(enumerate(marks))
    kept: list[tuple[int, Edit]] = []
    for edit in original.edits if original else ():
        found = next((one for one in left if one[1].stands_for(edit)), None)
        if found is None and first_only:
            found = next((one for one in left if one[1].stands_for_first(edit)), None)
        if found is not None:
            left.remove(found)
            kept.append((found[0], edit))
    added = [(place, mark, _insertion(mark.edit(), source)) for place, mark in left]
    placed = [*kept, *[(place, edit) for place, _, edit in added]]
    if keeps_order:
        placed.sort(key=lambda one: one[0])
    edits = sorted([edit for _, edit in placed], key=lambda edit: (edit.start, edit.end))
    return Restored(Annotation(annotator, tuple(edits)), tuple([(mark, edit) for _, mark, edit in added]))


def _insertion(edit: Edit, source: Sequence[str] | None) -> Edit:
    """Return the insertion where an edit only repeats its words beside new ones, any other edit as it is."""
    if source is None or edit.is_detection:
        return edit
    shorter = minimise(edit, source)
    return shorter if shorter.start == shorter.end and shorter.correction else edit
