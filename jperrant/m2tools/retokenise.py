"""Carrying M2 files from words to characters and back, by character offsets.

A sentence is the same text on both sides; only where it is cut differs. Edits of words are cut down to the
characters they change. Edits of characters widen to whole words, and their corrections are completed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from jperrant.align.project import project_block, witnesses
from jperrant.data import Annotation, Block, Edit
from jperrant.edits.minimise import minimise
from jperrant.errors import InputError
from jperrant.io.m2 import shorten
from jperrant.parse.characters import split_characters


def to_characters(blocks: Iterable[Block], unbroken: Sequence[str] = ()) -> Iterator[Block]:
    """Yield blocks whose every character is a token, in sources and corrections.

    Edits are cut down to what they change; one that only cut the same text otherwise is dropped.

    Args:
        blocks: The blocks.
        unbroken: Strings that stay one token.
    """
    for block in blocks:
        tokens = split_characters(block.source, unbroken)
        starts = [0]
        for token in block.source:
            starts.append(starts[-1] + len(split_characters((token,), unbroken)))
        annotations = []
        for annotation in block.annotations:
            edits = [minimise(_split(edit, starts, unbroken), tokens) for edit in annotation.edits]
            kept = [edit for edit in edits if edit.is_detection or edit.start < edit.end or edit.correction]
            annotations.append(Annotation(annotation.annotator, tuple(kept)))
        yield Block(tokens, tuple(annotations))


def to_tokens_of(blocks: Iterable[Block], models: Iterable[Block], file: str, model: str) -> Iterator[Block]:
    """Yield blocks with the tokens of other blocks, which have the same text.

    Where a correction has the text of one that the other block has at the same place, it is cut as that one is;
    else what an edit of characters writes in one stretch is one token.

    Args:
        blocks: The blocks.
        models: The same sentences on the tokens to be used.
        file, model: The names of both in messages.

    Raises:
        InputError: The two are not the same sentences; names the first that differs.
    """
    for number, (block, other) in enumerate(zip_longest(blocks, models)):
        if block is None or other is None:
            shorter, longer = (file, model) if block is None else (model, file)
            raise InputError(f"{shorter} ends after sentence {number - 1} (counted from 0), {longer} goes on")
        if "".join(block.source) != "".join(other.source):
            raise InputError(
                f"sentence {number} (counted from 0) is {shorten(''.join(block.source))} in {file} and "
                f"{shorten(''.join(other.source))} in {model}"
            )
        joined = block if block.source == other.source else _joined(block)
        yield project_block(joined, other.source, witnesses(other)).block


def _split(edit: Edit, starts: Sequence[int], unbroken: Sequence[str]) -> Edit:
    last = len(starts) - 1
    start, end = starts[min(edit.start, last)], starts[min(edit.end, last)]
    if edit.correction is None:
        return replace(edit, start=start, end=end)
    correction, *others = [split_characters(text, unbroken) for text in (edit.correction, *edit.alternatives)]
    return replace(edit, start=start, end=end, correction=correction, alternatives=tuple(others))


def _joined(block: Block) -> Block:
    """Return the block with each correction of characters as one token."""

    def joined(edit: Edit) -> Edit:
        if not edit.correction or max(map(len, edit.correction)) > 1:
            return edit
        return replace(edit, correction=("".join(edit.correction),))

    return Block(
        block.source, tuple([replace(a, edits=tuple(map(joined, a.edits))) for a in block.annotations])
    )
