"""Groups in which whole sentences are missing on one side are split into what is there and what is not.

The character alignment matches as many characters as it can, so a missing sentence may lose a few letters to its
neighbour (both begin with "It is") and the boundary between the two is not found. Here the sentences of such a
group are aligned by dynamic programming over their boundaries, as in Gale and Church 1993, with the characters in
common in the place of lengths.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

#: What a character that is not in both sides of a block costs; one that is in both counts 1. A block is better
#: than its sides alone if more than 0.6 of its characters are common (unrelated English has 0.5 to 0.6).
GAP = 1.5
#: Blocks tried, besides a sentence that is missing on the other side.
SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1))
#: Larger groups stay as they are, so that time stays linear in the text.
MOST_SENTENCES, MOST_CHARACTERS = 12, 8192
#: Two long texts that share a smaller part of their characters than this are unrelated.
LEAST_SHARED = 0.2
#: Two texts that are both shorter than this are a pair whatever they hold: a quotation mark may be another one.
SHORTEST_UNRELATED = 10


class Block(NamedTuple):
    """Numbers of left and right sentences that belong together."""

    left: int
    right: int

    @property
    def is_missing(self) -> bool:
        """Whether a side is empty."""
        return not (self.left and self.right)


def split_group(lefts: Sequence[str], rights: Sequence[str], one_sided: bool) -> list[Block]:
    """Return the blocks of a group of sentences; a single one where no sentence is missing.

    Args:
        lefts, rights: The sentences without white space.
        one_sided: Do not split where sentences are missing on both sides.
    """
    whole = [Block(len(lefts), len(rights))]
    if not _may_lack_a_sentence(lefts, rights):
        return whole
    blocks, best = _best_blocks(lefts, rights)
    if best <= similarity_score("".join(lefts), "".join(rights)):
        return whole
    sides = {block.left > block.right for block in blocks if block.is_missing}
    if not sides or all(block.is_missing for block in blocks) or (one_sided and len(sides) > 1):
        return whole
    return blocks


def _may_lack_a_sentence(lefts: Sequence[str], rights: Sequence[str]) -> bool:
    """Whether as many characters differ as the shortest sentence has."""
    if (
        len(lefts) + len(rights) < 3
        or not lefts
        or not rights
        or max(len(lefts), len(rights)) > MOST_SENTENCES
    ):
        return False
    left, right = "".join(lefts), "".join(rights)
    if left == right or len(left) + len(right) > MOST_CHARACTERS:
        return False
    return Indel.distance(left, right) >= min(map(len, [*lefts, *rights]))


def _best_blocks(lefts: Sequence[str], rights: Sequence[str]) -> tuple[list[Block], float]:
    """Return the blocks with the highest sum of scores, and the sum; those missing on the right come first."""
    best: dict[tuple[int, int], tuple[float, Block]] = {(0, 0): (0.0, Block(0, 0))}
    for i in range(len(lefts) + 1):
        for j in range(len(rights) + 1):
            for score, block in _steps(lefts, rights, i, j, best):
                if score > best.get((i, j), (-math.inf, block))[0]:
                    best[i, j] = score, block
    blocks, i, j = [], len(lefts), len(rights)
    while (i, j) != (0, 0):
        block = best[i, j][1]
        blocks.append(block)
        i, j = i - block.left, j - block.right
    return blocks[::-1], best[len(lefts), len(rights)][0]


def _steps(
    lefts: Sequence[str],
    rights: Sequence[str],
    i: int,
    j: int,
    best: dict[tuple[int, int], tuple[float, Block]],
) -> Iterator[tuple[float, Block]]:
    """Yield each block that ends at a pair of boundaries, with the score up to there."""
    for m, n in (*SHAPES, (0, 1), (1, 0)):
        if i >= m and j >= n:
            before, _ = best[i - m, j - n]
            gain = similarity_score("".join(lefts[i - m : i]), "".join(rights[j - n : j])) if m and n else 0.0
            yield before + gain, Block(m, n)


def are_unrelated(left: str, right: str, matched: int) -> bool:
    """Whether two texts have no more in common than any two texts of one language.

    Args:
        left, right: Texts without white space.
        matched: How many of their characters are matched in the alignment of the whole texts. It decides if
            they have more than 8192 characters together.
    """
    total = len(left) + len(right)
    if left == right or max(len(left), len(right)) < SHORTEST_UNRELATED:
        return False
    if total > MOST_CHARACTERS:
        return 2 * matched < LEAST_SHARED * total
    return similarity_score(left, right) < 0


def similarity_score(left: str, right: str) -> float:
    """Return the characters in common less ``GAP`` times the others, those of both sides counted.

    Below 0 the texts are unrelated: less than 0.6 of their characters are common.
    """
    differing = Indel.distance(left, right)
    return len(left) + len(right) - differing - GAP * differing
