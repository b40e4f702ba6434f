"""Segmenting a corrected text into words as its source is, for languages written without spaces.

Models segment a learner's text and its correction separately, and often differently where both are equal. Here the
correction takes the source's words wherever the texts agree, so that only what was changed differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

from jperrant.alignment.characters import Run, matching_runs
from jperrant.core.values import Sentence, Token

#: Whether a stretch of the source is a misspelling of what stands in its place, so that words may be broken.
Misspelt = Callable[[str, str], bool]


def resegment(source: Sequence[Sentence], target: Sequence[Sentence], misspelt: Misspelt) -> list[Sentence]:
    """Return the sentences of a corrected text with other words, over the same text.

    Words are those of the source where both texts are equal. Where words of the source were replaced by as
    many characters, or left out, the words beside them are not joined. All other borders stay.

    Args:
        source: The sentences of the source.
        target: The sentences of the correction, not analysed.
        misspelt: Says where a replaced stretch is a misspelling: there the correction's words stay.
    """
    old = [len(t.form) for sentence in target for t in sentence.tokens]
    text = "".join([t.form for sentence in source for t in sentence.tokens])
    other = "".join([t.form for sentence in target for t in sentence.tokens])
    borders = {0, *accumulate([len(t.form) for sentence in source for t in sentence.tokens])}
    own_borders = {0, *accumulate(old)}
    new = _borders(text, other, borders, own_borders, misspelt)
    return list(target) if new == own_borders else _segmented(target, new)


def _borders(text: str, other: str, borders: set[int], own_borders: set[int], misspelt: Misspelt) -> set[int]:
    projected: set[int] = set()
    runs: list[Run] = [(0, 0, 0), *matching_runs(text, other), (len(text), len(other), 0)]
    for a, b, size in runs:
        projected |= {b + mark - a for mark in range(a + 1, a + size) if mark in borders}
    for (a, b, size), (next_a, next_b, _) in pairwise(runs):
        start, target_start = a + size, b + size
        projected |= {mark for mark in range(target_start, next_b + 1) if mark in own_borders}
        gap, target_gap = text[start:next_a], other[target_start:next_b]
        if gap and start in borders and next_a in borders:
            replaced = len(gap) == len(target_gap) and not misspelt(gap, target_gap)
            if replaced or not target_gap:
                projected |= {target_start, next_b}
    return projected | {0, len(other)}


def _segmented(sentences: Sequence[Sentence], borders: set[int]) -> list[Sentence]:
    """Return the sentences with words that end at some offsets, counted in characters without white space."""
    segmented, offset = [], 0
    for sentence in sentences:
        tokens: list[Token] = []
        for token in sentence.tokens:
            end = offset + len(token.form)
            marks = [0, *(mark - offset for mark in range(offset + 1, end) if mark in borders), end - offset]
            joins = bool(tokens) and offset not in borders and tokens[-1].end == token.start
            for first, last in pairwise(marks):
                start = token.start + first
                if joins and first == 0:
                    start = tokens.pop().start
                stop = token.start + last
                tokens.append(Token(sentence.text[start:stop], start=start, end=stop))
            offset = end
        segmented.append(Sentence(tuple(tokens), sentence.text, sentence.id))
    return segmented
