"""The texts behind blocks: what metrics that compare texts, and edits one by one, are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jperrant.core.apply import apply_edits
from jperrant.core.errors import EditError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import annotations_of

#: Format deviations that leave an annotation without one corrected text.
REFUSED = ("overlapping edits",)


def corrected_texts(
    blocks: Sequence[Block], name: str, first: int = 1
) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Return for each sentence the number and the corrected tokens of every annotator.

    An annotator who changed nothing has the source's tokens; so has a block without annotations, as annotator 0.

    Args:
        blocks: The sentences.
        name: What to call the file in messages.
        first: The number of the first sentence in the file, from 1.

    Raises:
        EditError: Edits of an annotator overlap or reach outside the sentence; names file and sentence.
    """
    texts = []
    for number, block in enumerate(blocks, first):
        try:
            texts.append(
                [(a.annotator, tuple(apply_edits(block.source, changing(a)))) for a in annotations_of(block)]
            )
        except EditError as error:
            raise EditError(f"{name}: sentence {number} (counted from 1): {error}") from None
    return texts


def applied(source: Sequence[str], edits: Iterable[Edit]) -> str:
    """Return the text with edits applied, tokens joined by spaces; of two that overlap only the first counts.

    Raises:
        EditError: An edit reaches outside the sentence.
    """
    return " ".join(apply_edits(source, without_overlaps(edits)))


def changing(annotation: Annotation) -> tuple[Edit, ...]:
    """Return the edits that propose a correction, in the order of the file."""
    return tuple([edit for edit in annotation.edits if not edit.is_detection])


def without_overlaps(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits in the order of the text; of two that overlap, the one that begins first.

    Insertions at one place do not overlap.
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept
