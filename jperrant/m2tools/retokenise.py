"""Carrying M2 files from words to characters and back, by character offsets.

A sentence is the same text on both sides; only where it is cut differs. Edits of words are cut down to the
characters they change. Edits of characters widen to whole words, and their corrections are completed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, zip_longest
from typing import NamedTuple

from jperrant.alignment.projection import project_block, witnesses
from jperrant.core.clip import clip_block
from jperrant.core.errors import InputError
from jperrant.core.m2_format import shorten
from jperrant.core.messages import plural
from jperrant.core.minimise import minimise
from jperrant.core.values import Annotation, Block, Edit
from jperrant.parse.characters import split_characters


def to_characters(blocks: Iterable[Block], unbroken: Sequence[str] = ()) -> Iterator[Block]:
    """Yield blocks whose every character is a token, in sources and corrections.

    Edits are cut down to what they change; one that only cut the same text otherwise is dropped.

    Args:
        blocks: The blocks.
        unbroken: Strings that stay one token.
    """
    for original in blocks:
        block, _ = clip_block(original)
        tokens = split_characters(block.source, unbroken)
        starts = [0]
        for token in block.source:
            starts.append(starts[-1] + len(split_characters((token,), unbroken)))
        annotations = []
        for annotation in block.annotations:
            edits = [minimise(_split(edit, starts, unbroken), tokens) for edit in annotation.edits]
            kept = [edit for edit in edits if edit.is_detection or edit.start < edit.end or edit.correction]
            annotations.append(Annotation(annotation.annotator, tuple(map(_relettered, kept))))
        yield Block(tokens, tuple(annotations))


def to_tokens_of(blocks: Iterable[Block], models: Iterable[Block], file: str, model: str) -> Iterator[Block]:
    """Yield blocks with the tokens of other blocks, which have the same text.

    An edit that makes the same change as one of the other block gets that one's span and correction. Of other
    edits, what is written in one stretch of single characters becomes one token.

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
            raise InputError(f"{shorter} ends after {plural(number, 'sentence')}, but {longer} has more")
        if "".join(block.source) != "".join(other.source):
            raise InputError(
                f"sentence {number + 1} is {shorten(''.join(block.source))} in {file} and "
                f"{shorten(''.join(other.source))} in {model}"
            )
        block, other = clip_block(block)[0], clip_block(other)[0]
        yield block if block.source == other.source else _on_tokens_of(block, other)


def _on_tokens_of(block: Block, other: Block) -> Block:
    known = _changes(other)
    starts = _starts(block.source)
    token_at = {offset: token for token, offset in reversed(list(enumerate(starts)))}
    annotations = []
    for annotation in block.annotations:
        edits = [_joined(edit) for edit in annotation.edits]
        for n, edit in enumerate(edits):
            change = known.get(_change(edit, block.source, starts))
            if change is None or change.start not in token_at or change.end not in token_at:
                continue
            # Widened to the other's span only where no neighbour is in the way.
            start, end = token_at[change.start], token_at[change.end]
            before = n == 0 or edits[n - 1].end < start or (edits[n - 1].end == start < edit.start)
            after = n + 1 == len(edits) or end < edits[n + 1].start or (end == edits[n + 1].start > edit.end)
            if (before or start == edit.start) and (after or end == edit.end):
                edits[n] = replace(edit, start=start, end=end, correction=change.correction)
        annotations.append(replace(annotation, edits=tuple(edits)))
    projected = project_block(Block(block.source, tuple(annotations)), other.source, witnesses(other)).block
    return Block(
        projected.source,
        tuple([replace(a, edits=tuple(map(_relettered, a.edits))) for a in projected.annotations]),
    )


class _Change(NamedTuple):
    """An edit by the characters of its sentence."""

    start: int
    end: int
    correction: tuple[str, ...]


def _changes(block: Block) -> dict[_Change, _Change]:
    """Return the edits of a block by what they change, character by character."""
    starts = _starts(block.source)
    return {
        _change(edit, block.source, starts): _Change(starts[edit.start], starts[edit.end], edit.correction)
        for annotation in block.annotations
        for edit in annotation.edits
        if edit.correction is not None
    }


def _change(edit: Edit, source: Sequence[str], starts: Sequence[int]) -> _Change:
    """Return what an edit changes: characters that both sides begin or end with are not part of it."""
    last = len(starts) - 1
    start, end = starts[min(edit.start, last)], starts[min(edit.end, last)]
    text = tuple("".join(source[edit.start : edit.end]))
    least = minimise(Edit(0, end - start, tuple("".join(edit.correction or ())), ""), text)
    return _Change(start + least.start, start + least.end, least.correction or ())


def _starts(tokens: Sequence[str]) -> list[int]:
    return [0, *accumulate(map(len, tokens))]


def _split(edit: Edit, starts: Sequence[int], unbroken: Sequence[str]) -> Edit:
    last = len(starts) - 1
    start, end = starts[min(edit.start, last)], starts[min(edit.end, last)]
    if edit.correction is None:
        return replace(edit, start=start, end=end)
    correction, *others = [split_characters(text, unbroken) for text in (edit.correction, *edit.alternatives)]
    return replace(edit, start=start, end=end, correction=correction, alternatives=tuple(others))


def _joined(edit: Edit) -> Edit:
    """Return the edit with a correction of single characters as one token."""
    if not edit.correction or max(map(len, edit.correction)) > 1:
        return edit
    return replace(edit, correction=("".join(edit.correction),))


def _relettered(edit: Edit) -> Edit:
    """Return the edit with the letter that its tokens have now."""
    letter, colon, label = edit.type.partition(":")
    if letter not in ("M", "U", "R") or edit.is_detection:
        return edit
    operation = "M" if edit.start == edit.end else "R" if edit.correction else "U"
    return edit if operation == letter else replace(edit, type=f"{operation}{colon}{label}")
