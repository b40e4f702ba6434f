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
from jperrant.core.display import shorten
from jperrant.core.edits import clip_block, minimise
from jperrant.core.errors import InputError
from jperrant.core.messages import plural
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
            edits = [_least(_split(edit, starts, unbroken), tokens) for edit in annotation.edits]
            kept = [edit for edit in edits if edit.is_detection or edit.start < edit.end or edit.correction]
            kept.sort(
                key=lambda edit: (edit.start, edit.end)
            )  # an edit cut down may begin behind the next one
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
        yield _on_tokens_of(block, other)


def _on_tokens_of(block: Block, other: Block) -> Block:
    is_same, annotations = block.source == other.source, []
    for annotation in block.annotations:
        # How this annotator wrote a change counts before how others did.
        own_first = sorted(other.annotations, key=lambda a: a.annotator != annotation.annotator)
        model, joined = replace(other, annotations=tuple(own_first)), annotation
        corrected = [edit for edit in annotation.edits if not edit.is_detection]
        texts = [block.source, *[tokens for edit in corrected for tokens in _corrections(edit)]]
        # On the same tokens words are told from characters only where a token has more than one.
        if not is_same or all(len(token) == 1 for tokens in texts for token in tokens):
            joined = replace(annotation, edits=tuple(map(_joined, annotation.edits)))
        carried = _as_in(joined, block.source, model)
        if is_same:
            pairs = zip(annotation.edits, carried.edits, strict=True)
            moved = [e if (e.start, e.end) == (old.start, old.end) else _relettered(e) for old, e in pairs]
            edits = sorted(moved, key=lambda edit: (edit.start, edit.end))
        else:
            lone = replace(block, annotations=(carried,))
            [projected] = project_block(lone, other.source, witnesses(model)).block.annotations
            edits = list(map(_relettered, projected.edits))
        annotations.append(replace(annotation, edits=tuple(edits)))
    return Block(other.source, tuple(annotations))


def _as_in(annotation: Annotation, source: Sequence[str], model: Block) -> Annotation:
    """Return an annotation with the spans and corrections of edits of another block that make the same change."""
    known = _changes(model)
    starts = _starts(source)
    token_at = {offset: token for token, offset in reversed(list(enumerate(starts)))}
    edits = list(annotation.edits)
    real = [n for n, edit in enumerate(edits) if not edit.is_detection]  # the others are in nobody's way
    for k, n in enumerate(real):
        edit, change = edits[n], known.get(_change(edits[n], source, starts))
        if change is None or change.start not in token_at or change.end not in token_at:
            continue
        # Widened to the other's span only where no neighbour is in the way.
        start, end = token_at[change.start], token_at[change.end]
        left = edits[real[k - 1]] if k else None
        right = edits[real[k + 1]] if k + 1 < len(real) else None
        before = left is None or left.end < start or (left.end == start < edit.start)
        after = right is None or end < right.start or (end == right.start > edit.end)
        if (before or start == edit.start) and (after or end == edit.end):
            correction, *others = change.corrections
            edits[n] = replace(edit, start=start, end=end, correction=correction, alternatives=tuple(others))
    return replace(annotation, edits=tuple(edits))


class _Change(NamedTuple):
    """An edit by the characters of its sentence, with all its alternatives."""

    start: int
    end: int
    corrections: tuple[tuple[str, ...], ...]


def _changes(block: Block) -> dict[_Change, _Change]:
    """Return the edits of a block by what they change, character by character; of equal changes the first."""
    starts = _starts(block.source)
    changes: dict[_Change, _Change] = {}
    for annotation in block.annotations:
        for edit in annotation.edits:
            if not edit.is_detection:
                own = _Change(starts[edit.start], starts[edit.end], _corrections(edit))
                changes.setdefault(_change(edit, block.source, starts), own)
    return changes


def _change(edit: Edit, source: Sequence[str], starts: Sequence[int]) -> _Change:
    """Return what an edit changes: characters that all sides begin or end with are not part of it."""
    last = len(starts) - 1
    start, end = starts[min(edit.start, last)], starts[min(edit.end, last)]
    text = tuple("".join(source[edit.start : edit.end]))
    correction, *others = [tuple("".join(tokens)) for tokens in _corrections(edit)]
    least = minimise(Edit(0, end - start, correction, "", alternatives=tuple(others)), text)
    return _Change(start + least.start, start + least.end, _corrections(least))


def _corrections(edit: Edit) -> tuple[tuple[str, ...], ...]:
    return (edit.correction or (), *edit.alternatives)


def _starts(tokens: Sequence[str]) -> list[int]:
    return [0, *accumulate(map(len, tokens))]


def _split(edit: Edit, starts: Sequence[int], unbroken: Sequence[str]) -> Edit:
    last = len(starts) - 1
    start, end = starts[min(edit.start, last)], starts[min(edit.end, last)]
    if edit.is_detection:  # a remark is no text of the sentence
        return replace(edit, start=start, end=end)
    correction, *others = [split_characters(text, unbroken) for text in _corrections(edit)]
    return replace(edit, start=start, end=end, correction=correction, alternatives=tuple(others))


def _least(edit: Edit, source: Sequence[str]) -> Edit:
    """Return an edit cut down, but not to an insertion of nothing that only its alternatives make anything of."""
    least = minimise(edit, source)
    return edit if least.alternatives and least.start == least.end and not least.correction else least


def _joined(edit: Edit) -> Edit:
    """Return the edit with each correction of single characters as one token."""
    if edit.is_detection:
        return edit
    correction, *others = [
        ("".join(tokens),) if tokens and max(map(len, tokens)) == 1 else tokens
        for tokens in _corrections(edit)
    ]
    return replace(edit, correction=correction, alternatives=tuple(others))


def _relettered(edit: Edit) -> Edit:
    """Return the edit with the letter that its tokens have now."""
    letter, colon, label = edit.type.partition(":")
    if letter not in ("M", "U", "R") or edit.is_detection:
        return edit
    operation = "M" if edit.start == edit.end else "R" if edit.correction else "U"
    return edit if operation == letter else replace(edit, type=f"{operation}{colon}{label}")
