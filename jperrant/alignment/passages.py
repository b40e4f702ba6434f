"""Aligning the sentences, or lines, of a raw text with those of its corrections, which may join and split them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jperrant.alignment.sentences import align_sentences
from jperrant.alignment.similarity import squeeze, text_similarity

#: Lines are out of step if aligned ones differ in less than this part of what differs line by line.
OUT_OF_STEP = 0.5


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


def align_lines(source: Sequence[str], corrections: Sequence[Sequence[str]]) -> list[Passage]:
    """Return passages of raw texts with equally many lines: single lines wherever they are in step.

    A correction that splits one line and joins two others has as many lines as its source, and between these
    places none stands beside its own. There, and nowhere else, passages are those of :func:`align_passages`.

    Args:
        source: The lines of the source.
        corrections: As many lines of each correction.
    """
    passages: list[Passage] = []
    begun: list[Passage] = []
    for passage in align_passages(source, corrections):
        begun.append(passage)
        if all(lines.stop == passage.source.stop for lines in passage.corrections):
            passages += _in_step(begun, source, corrections)
            begun = []
    return passages


def _in_step(
    passages: Sequence[Passage], source: Sequence[str], corrections: Sequence[Sequence[str]]
) -> Sequence[Passage]:
    """Return passages between two places where all texts are in step, or their lines one by one."""
    places = range(passages[0].source.start, passages[-1].source.stop)
    singly = [_passage(n, n + 1, [n] * len(corrections), [n + 1] * len(corrections)) for n in places]
    if len(places) < 2:
        return passages
    differing = sum(_distances(singly, source, corrections))
    aligned = sum(_distances(passages, source, corrections))
    return passages if aligned < OUT_OF_STEP * differing else singly


def _distances(
    passages: Sequence[Passage], source: Sequence[str], corrections: Sequence[Sequence[str]]
) -> Iterator[float]:
    """Yield how many characters differ between the two sides of each passage, white space left out."""
    for passage in passages:
        left = squeeze("".join(source[passage.source.start : passage.source.stop]))
        for lines, others in zip(corrections, passage.corrections, strict=True):
            right = squeeze("".join(lines[others.start : others.stop]))
            yield (1 - text_similarity(left, right)) * max(len(left), len(right))


def _passage(start: int, end: int, starts: Sequence[int], stops: Sequence[int]) -> Passage:
    return Passage(range(start, end), tuple(range(a, b) for a, b in zip(starts, stops, strict=True)))
