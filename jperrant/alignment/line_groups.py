"""Matching of the lines of a text and its correction where lines are missing, added, split or joined."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import TypeAlias

from rapidfuzz.distance import Indel, LCSseq

from jperrant.alignment.sentences import Group, align_sentences, cheapest_groups

#: Indices of lines of a text, and of the matching lines of its correction.
LineGroup: TypeAlias = tuple[Sequence[int], Sequence[int]]
#: Word similarities: below the first, two texts do not belong together; from the second on, they certainly do.
UNLIKE, SAME = 0.3, 0.8
#: Least share of a line's words that occur in the lines that it is grouped with.
_COVERED = 0.3
#: Most characters of a line that are compared, and most words of lines that are compared word by word.
_COMPARED, _MOST_WORDS = 50_000, 20_000
#: Most pairs of lines that are compared with each other.
_MOST_PAIRS = 40_000
#: Scripts of which each character counts as a word: Thai to Khmer, kana, Han, Hangul.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+|[^\w\s]")


def words_of(text: str) -> list[str]:
    """Return the words and punctuation marks of a text, case-folded and in NFKC, whatever its spacing."""
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _WORD.findall(text.casefold())


def squeezed(text: str) -> str:
    """Return the words and punctuation marks of a text as one string, without spaces."""
    return "".join(words_of(text))


def word_similarity(one: str, other: str) -> float:
    """Return the similarity of two texts by words, from 0 to 1."""
    return Indel.normalized_similarity(words_of(one), words_of(other))


def group_lines(source: Sequence[str], answers: Sequence[str]) -> list[LineGroup]:
    """Match the lines of a text with those of its correction, in order.

    Single lines between the same neighbours are matched even if they share nothing.

    Args:
        source: The lines of a text.
        answers: The lines of its correction; some may be missing, and others added.

    Returns:
        Groups of indices on both sides, at least one on each; lines without a counterpart are in no group.

    Example:
        >>> groups = group_lines(["He go .", "Yes !", "I sleeps ."], ["Here it is:", "He goes .", "I sleep ."])
        >>> [(list(left), list(right)) for left, right in groups]
        [([0], [1]), ([2], [2])]
    """
    texts, others = ([line[:_COMPARED] for line in lines] for lines in (source, answers))
    found = align_sentences(texts, others, tolerant=True).groups
    groups = [group for one in found for group in _refined(one, texts, others)]
    if len(source) == len(answers) or len(source) * len(answers) > _MOST_PAIRS:
        return groups
    lefts, rights = [words_of(line) for line in texts], [words_of(line) for line in others]
    if sum(map(len, lefts)) * sum(map(len, rights)) > _MOST_WORDS**2:
        return groups
    # Where many lines are missing, an alignment by characters may match a line with parts of several.
    together = (([*chain(*(lefts[n] for n in a))], [*chain(*(rights[n] for n in b))]) for a, b in groups)
    grouped = sum(_worth(LCSseq.similarity(*two), sum(map(len, two))) for two in together)
    worth, pairs = _pairs(lefts, rights)
    return pairs if worth > grouped else groups


def _worth(shared: int, words: int) -> float:
    """Return the worth of grouping lines, given the words shared and all words; 0 at a similarity of 1/6."""
    return 3 * shared - words / 4


def _pairs(lefts: Sequence[Sequence[str]], rights: Sequence[Sequence[str]]) -> tuple[float, list[LineGroup]]:
    """Return the highest total worth of pairs of lines, and these pairs in order."""
    most, lefts, rights = 1.5 * sum(map(len, [*lefts, *rights])), lefts[::-1], rights[::-1]

    def cost(group: Group) -> float:
        """Return 1.5 times the words of a group minus its worth: positive, and lowest for the best group."""
        lines = [*lefts[group.left_start : group.left_end], *rights[group.right_start : group.right_end]]
        words = sum(map(len, lines))
        return 1.5 * words - (0 if group.is_unaligned else _worth(LCSseq.similarity(*lines), words))

    # Lines are taken from the end, so that of pairs with the same worth the last ones are chosen.
    rows = [range(len(rights) + 1)] * (len(lefts) + 1)
    groups, least = cheapest_groups(rows, dict.fromkeys([(1, 0), (0, 1), (1, 1)], 0.0), cost)
    pairs = [(len(lefts) - g.left_end, len(rights) - g.right_end) for g in groups[::-1] if not g.is_unaligned]
    # Equally many lines between two pairs are matched too, even if they share nothing.
    for (a, b), (c, d) in pairwise([(-1, -1), *pairs, (len(lefts), len(rights))]):
        if c - a == d - b:
            pairs += zip(range(a + 1, c), range(b + 1, d), strict=True)
    return most - least, [(range(i, i + 1), range(j, j + 1)) for i, j in sorted(pairs)]


def _refined(group: Group, source: Sequence[str], answers: Sequence[str]) -> list[LineGroup]:
    """Refine a group of the alignment by characters into groups of lines, by their words."""
    a, b, c, d = group
    if group.is_unaligned:
        return []
    if b - a == d - c == 1:
        return [(group.left, group.right)]
    lefts, rights = [words_of(line) for line in source[a:b]], [words_of(line) for line in answers[c:d]]
    if sum(map(len, [*lefts, *rights])) > _MOST_WORDS:
        return [(group.left, group.right)]
    singly = sum(Indel.distance(x, y) for x, y in zip(lefts, rights, strict=False))
    if b - a == d - c and 2 * Indel.distance([*chain(*lefts)], [*chain(*rights)]) >= singly:
        return [(range(n, n + 1), range(c + n - a, c + n - a + 1)) for n in group.left]
    left, right = (
        [n for n, share in zip(lines, shares, strict=True) if share >= _COVERED]
        for lines, shares in zip((group.left, group.right), _kept(lefts, rights), strict=True)
    )
    if len(left) > 1 and len(right) > 1:  # a line of a few words may have been rewritten
        left, right = [*range(left[0], left[-1] + 1)], [*range(right[0], right[-1] + 1)]
    return [(left, right)] if left and right else []


def _kept(lefts: Sequence[Sequence[str]], rights: Sequence[Sequence[str]]) -> Iterator[list[float]]:
    """Yield, for either side, the share (0 to 1) of each line's words that the other side's text has, too."""
    blocks = Indel.opcodes([*chain(*lefts)], [*chain(*rights)]).as_matching_blocks()
    for lines, starts in ((lefts, [block.a for block in blocks]), (rights, [block.b for block in blocks])):
        found = {
            n for start, block in zip(starts, blocks, strict=True) for n in range(start, start + block.size)
        }
        ends = accumulate(map(len, lines), initial=0)
        yield [len(found & set(range(p, q))) / max(q - p, 1) for p, q in pairwise(ends)]
