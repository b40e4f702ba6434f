"""Spans kept inside their sentence: the one rule for edits that reach outside it.

An edit is cut to the part of its span that lies in the sentence. What lies past the end becomes an insertion at the
end, what lies before the start an insertion at the start, and a span that ends before it starts is empty at its
start. The correction stays. Every reader does so, and so does everything that takes blocks from memory.
"""

from __future__ import annotations

from dataclasses import replace

from jperrant.core.values import Annotation, Block, Edit


def is_inside(start: int, end: int, length: int) -> bool:
    """Whether a half-open span lies in a sentence of ``length`` tokens."""
    return 0 <= start <= end <= length


def clip_span(start: int, end: int, length: int) -> tuple[int, int]:
    """Return the part of a span that lies in a sentence.

    >>> [clip_span(*span, 3) for span in [(1, 2), (2, 9), (7, 9), (-4, 1), (2, 1)]]
    [(1, 2), (2, 3), (3, 3), (0, 1), (2, 2)]
    """
    start = max(0, min(start, length))
    return start, max(start, min(end, length))


def clip_block(block: Block) -> tuple[Block, int]:
    """Return a block whose edits lie inside its sentence, and how many had to be clipped."""
    length = len(block.source)
    outside = sum(
        not is_inside(edit.start, edit.end, length)
        for annotation in block.annotations
        for edit in annotation.edits
    )
    if not outside:
        return block, 0
    clipped = tuple([replace(a, edits=_clipped(a, length)) for a in block.annotations])
    return replace(block, annotations=clipped), outside


def _clipped(annotation: Annotation, length: int) -> tuple[Edit, ...]:
    edits = []
    for edit in annotation.edits:
        start, end = clip_span(edit.start, edit.end, length)
        edits.append(replace(edit, start=start, end=end))
    # Sorting is stable: the order of insertions at one place is meaningful.
    return tuple(sorted(edits, key=lambda e: (e.start, e.end)))
