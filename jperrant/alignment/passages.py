"""Aligning the sentences of a raw text with those of its corrections, which may join and split sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jperrant.alignment.sentences import align_sentences


class Passage(NamedTuple):
    """Sentences of a source and what each correction made of them: ranges of sentence indices."""

    source: range
    corrections: tuple[range, ...]


def align_passages(source: Sequence[str], corrections: Sequence[Sequence[str]]) -> list[Passage]:
    """Return the finest passages whose ends all corrections share, in order.

    Args:
        source: The sentences of the source.
        corrections: The sentences of each correction.

    Returns:
        Passages that cover all sentences; at least one, which may be empty. What a correction adds between
        two sentences goes to the passage before it, what it adds at the start to the first one.
    """
    ends = []
    for correction in corrections:
        groups = align_sentences(source, correction, tolerant=True).groups
        # Of several groups that end with one source sentence the last counts.
        ends.append({group.left_end: group.right_end for group in groups if group.left_end})
    passages = []
    start, starts = 0, [0] * len(corrections)
    for end in range(1, len(source)):
        if all(end in known for known in ends):
            stops = [known[end] for known in ends]
            passages.append(_passage(start, end, starts, stops))
            start, starts = end, stops
    return [*passages, _passage(start, len(source), starts, [len(c) for c in corrections])]


def _passage(start: int, end: int, starts: Sequence[int], stops: Sequence[int]) -> Passage:
    return Passage(range(start, end), tuple(range(a, b) for a, b in zip(starts, stops, strict=True)))
