"""Typing edits whose spans and corrections are given, such as those of M2 files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jperrant.annotation.annotator import Annotator
from jperrant.core.minimise import place
from jperrant.core.values import UNKNOWN, Annotation, Block, Edit, Parallel, Sentence, Span


def parallels_of(blocks: Sequence[Block], targets: Sequence[Sequence[tuple[str, ...]]]) -> list[Parallel]:
    """Return the sources of blocks with the corrected tokens of every annotator."""
    return [
        Parallel(Sentence.from_forms(block.source), tuple([Sentence.from_forms(text) for text in texts]))
        for block, texts in zip(blocks, targets, strict=True)
    ]


def typed_blocks(
    blocks: Sequence[Block], targets: Sequence[Sequence[tuple[str, ...]]], annotator: Annotator
) -> Iterator[Block]:
    """Yield blocks with their edits typed by an annotator; those that change nothing become ``UNK``.

    Args:
        blocks: The blocks, edits in order.
        targets: For each block the corrected tokens of every annotator.
        annotator: Types the edits.
    """
    if not blocks:
        return
    spans = [
        [tuple(given_spans(block.source, a.edits).values()) for a in block.annotations] for block in blocks
    ]
    typed = annotator.classify_many(zip(parallels_of(blocks, targets), spans, strict=True), batch=len(blocks))
    for block, new in zip(blocks, typed, strict=True):
        pairs = zip(block.annotations, new.annotations, strict=True)
        annotations = [Annotation(a.annotator, _with_types(block.source, a.edits, b.edits)) for a, b in pairs]
        yield Block(block.source, tuple(annotations))


def given_spans(source: Sequence[str], edits: Sequence[Edit]) -> dict[int, Span]:
    """Return the spans of the edits that change the text, by their numbers."""
    applied = [n for n, edit in enumerate(edits) if not edit.is_detection]
    spans = zip(applied, place([edits[n] for n in applied]), strict=True)
    return {n: span for n, span in spans if tuple(source[span.start : span.end]) != edits[n].correction}


def _with_types(source: Sequence[str], edits: Sequence[Edit], typed: Sequence[Edit]) -> tuple[Edit, ...]:
    """Give each edit that changes the text the type of its counterpart, and ``UNK`` to the others."""
    new = dict(zip(given_spans(source, edits), typed, strict=True))
    return tuple(
        [
            replace(edit, type=new[n].type, detail=new[n].detail) if n in new else replace(edit, type=UNKNOWN)
            for n, edit in enumerate(edits)
        ]
    )
