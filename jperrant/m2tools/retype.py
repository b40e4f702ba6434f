"""Typing the edits of M2 files anew, as ``errant_m2 -auto`` and ``errant_m2 -gold`` do.

Detection edits (``UNK``, ``Um``) change no text, so alignment and minimisation leave them out; their
corrections are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from jperrant.annotation.annotator import (
    BATCH,
    Annotator,
    Batch,
    annotator_of,
    batches,
    characters_needed,
    in_script,
    parallels_of,
    typed_blocks,
)
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.edits import corrected, minimise
from jperrant.core.errors import UsageError
from jperrant.core.text import TokenMode
from jperrant.core.values import UNKNOWN, Annotation, Block, Edit


def retype_m2(
    blocks: Iterable[Block],
    options: AnnotatorOptions,
    *,
    auto: bool = False,
    gold: bool = False,
    minimal: bool = True,
    old_types: bool = False,
    file: str = "M2",
    batch: int = BATCH,
) -> Iterator[Block]:
    """Yield retyped blocks; models are needed only for new types.

    Args:
        blocks: The blocks.
        options: How to annotate.
        auto, gold: Whether to run ``retype_auto`` or ``retype_gold``.
        minimal, old_types, file, batch: As there; without new types ``retype_gold`` needs no annotator.

    Raises:
        UsageError: Not exactly one of ``auto`` and ``gold``, or a batch of no blocks.
        JperrantError: Loading or annotating failed, or the text is in another script than the language.
    """
    if auto == gold:
        raise UsageError(f"{'both' if auto else 'neither'} of --auto and --gold given; choose one")
    if options.tokens == TokenMode.WORDS:
        raise UsageError("--tokens=words cannot be used with M2, which has its own tokens; remove it")
    if gold and old_types:
        return retype_gold(blocks, None, minimal=minimal, file=file, batch=batch)
    annotator = annotator_of(options)
    blocks = in_script(annotator.pack, blocks, lambda block: " ".join(block.source))
    if auto:
        return retype_auto(blocks, annotator, old_types=old_types, file=file, batch=batch)
    return retype_gold(blocks, annotator, minimal=minimal, file=file, batch=batch)


def retype_auto(
    blocks: Iterable[Block],
    annotator: Annotator,
    *,
    old_types: bool = False,
    file: str = "M2",
    batch: int = BATCH,
) -> Iterator[Block]:
    """Yield the blocks with edits found anew: source and corrected text are aligned, merged and classified.

    Detection edits are put among the new edits by ``(start, end)``, before new ones at the same place. Of
    alternative corrections the first is used, and annotators keep their numbers.

    Args:
        blocks: The blocks.
        annotator: Finds and types the edits.
        old_types: Keep the types of detection edits, else they become ``UNK``.
        file: Name of the file in messages.
        batch: Blocks processed together; changes speed and memory only.

    Raises:
        FormatError: Edits overlap or reach outside their sentence; names file, sentence and annotator.
        InputError: The annotator works on characters, and a token has several.
    """
    for numbered in batches(enumerate(blocks, start=1), batch):
        chunk = [block for _, block in numbered]
        records = parallels_of(chunk, _targets(numbered, file))
        for block, typed in zip(chunk, Batch(annotator, records).blocks(), strict=True):
            if typed.source != block.source:
                raise characters_needed(block.source)
            annotations = []
            for old, new in zip(block.annotations, typed.annotations, strict=True):
                kept = [e if old_types else replace(e, type=UNKNOWN) for e in old.edits if e.is_detection]
                annotations.append(Annotation(old.annotator, _in_order([*kept, *new.edits])))
            yield Block(block.source, tuple(annotations))


def retype_gold(
    blocks: Iterable[Block],
    annotator: Annotator | None,
    *,
    minimal: bool = True,
    file: str = "M2",
    batch: int = BATCH,
) -> Iterator[Block]:
    """Yield the blocks with the edits they have, minimised and typed anew.

    An edit that changes nothing gets the type ``UNK``; minimised, it becomes an empty edit at its place.

    Args:
        blocks: The blocks.
        annotator: Types the edits; None keeps the types they have.
        minimal: Strip equal leading, then trailing tokens from both sides of each edit.
        file: Name of the file in messages.
        batch: Blocks processed together; changes speed and memory only.

    Raises:
        FormatError: Edits overlap or reach outside their sentence; names file, sentence and annotator.
    """
    for numbered in batches(enumerate(blocks, start=1), batch):
        targets = _targets(numbered, file)
        ordered = [_ordered(block, minimal) for _, block in numbered]
        yield from ordered if annotator is None else typed_blocks(ordered, targets, annotator)


def _targets(numbered: Iterable[tuple[int, Block]], file: str) -> list[list[tuple[str, ...]]]:
    """Return the corrected sentence of each annotator for each sentence, numbered from 1."""
    return [
        [corrected(block.source, a.edits, file, number, a.annotator) for a in block.annotations]
        for number, block in numbered
    ]


def _ordered(block: Block, minimal: bool) -> Block:
    """Return the block with its edits in order, minimised if asked for."""
    annotations = []
    for annotation in block.annotations:
        edits = _in_order(annotation.edits)
        if minimal:  # sorted again, as a detection edit may span reduced edits
            edits = _in_order([minimise(edit, block.source) for edit in edits])
        annotations.append(Annotation(annotation.annotator, edits))
    return Block(block.source, tuple(annotations))


def _in_order(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Sort edits by span; stable, as the order of insertions at one place is meaningful."""
    return tuple(sorted(edits, key=lambda e: (e.start, e.end)))
