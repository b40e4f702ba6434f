"""From M2 back to text: the sentences as they were, and as an annotator corrected them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jperrant.core.apply import corrected
from jperrant.core.errors import FormatError
from jperrant.core.messages import plural
from jperrant.core.values import Block


def source_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the source of each block, tokens joined by spaces."""
    for block in blocks:
        yield " ".join(block.source)


def corrected_lines(
    blocks: Iterable[Block], annotator: int = 0, *, file: str = "M2", notes: list[str] | None = None
) -> Iterator[str]:
    """Yield each sentence as one annotator corrected it, tokens joined by spaces.

    Detection edits change nothing; of alternative corrections the first is used. Sentences without an
    annotation by the annotator stay as they are.

    Args:
        blocks: The blocks.
        annotator: Whose edits to apply.
        file: Name of the file in messages.
        notes: Gets a line when the annotator is missing in some sentences where others are not.

    Raises:
        FormatError: Edits overlap or reach outside their sentence; or, at the end, other annotators were met
            and this one never.
    """
    missing = 0
    others: set[int] = set()
    known = False
    for number, block in enumerate(blocks, start=1):
        annotation = block.annotation(annotator)
        if annotation is not None:
            known = True
            yield " ".join(corrected(block.source, annotation.edits, file, number, annotator))
            continue
        missing += bool(block.annotations)
        others.update(a.annotator for a in block.annotations)
        yield " ".join(block.source)
    if others and not known:
        names = ", ".join(map(str, sorted(others)))
        raise FormatError(file, None, f"found no annotator {annotator}; annotators in this file: {names}")
    if missing and notes is not None:
        notes.append(
            f"{file}: annotator {annotator} is missing in {plural(missing, 'sentence')}, left unchanged"
        )
