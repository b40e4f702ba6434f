"""Similarity of texts: Eq. 2, 3 and 5 of the jp-errant paper and the affix-boosted Jaro measure.

Wang, Qiu, Gu, Huang, Park, "Refined Evaluation for End-to-End Grammatical Error Correction Using an
Alignment-Based Approach". All texts are meant without white space (see :func:`squeeze`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from jellyfish import jaro_similarity
from rapidfuzz.distance import Levenshtein

from jperrant.alignment.characters import matching_runs

#: Winkler's constants: weight of a shared character and the longest prefix that counts.
WINKLER_P = 0.1
WINKLER_CAP = 4
#: Characters on each side of a boundary that Eq. 2 looks at.
CONTEXT = 64
#: Longest texts whose edit distance is computed exactly; longer ones use the linear alignment's.
EXACT_DISTANCE = 2048


def squeeze(text: str) -> str:
    """Return a text in NFC without any Unicode white space: the form in which texts are compared."""
    bare = "".join(text.split())
    return bare if bare.isascii() else unicodedata.normalize("NFC", bare)


def affix_jaro(left: str, right: str) -> float:
    """Return Jaro's similarity, raised for a shared prefix and a shared suffix (Eq. 3).

    ``s = sim + (l + l')·p·(1 - sim) / 2`` with l and l' the lengths of the common prefix and suffix, at most
    4 each, and p = 0.1. The paper prints a minus sign, which would lower the score of strings that share
    affixes; the plus is what its text says. A character of Jaro's measure is a grapheme: a letter with its
    combining marks.

    Returns:
        0 (nothing in common) to 1 (equal; two empty texts are equal).

    Example:
        >>> round(affix_jaro("Ican'tgo.", "Icannotgo."), 4)
        0.9128
    """
    if left == right:  # jellyfish calls two empty texts different
        return 1.0
    similarity = jaro_similarity(left, right)
    prefix = _shared(left[:WINKLER_CAP], right[:WINKLER_CAP])
    suffix = _shared(left[: -WINKLER_CAP - 1 : -1], right[: -WINKLER_CAP - 1 : -1])
    return float(similarity + (prefix + suffix) * WINKLER_P * (1 - similarity) / 2)


def _shared(left: str, right: str) -> int:
    """Return the length of the common prefix."""
    differing = (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    return next(differing, min(len(left), len(right)))


def boundary_similarity(left: str, a0: int, a: int, right: str, b0: int, b: int) -> float:
    """Return how well a boundary at ``left[a]`` fits one at ``right[b]`` (Eq. 2).

    Eq. 2 wants the pair that ends at the boundary similar and the next pair too; here both are the text up to
    ``CONTEXT`` characters before (not reaching back before ``a0`` and ``b0``, the last boundary found) and
    after it, so that the cost does not depend on the length of sentences. The ends of both texts match.

    Returns:
        The lower of both similarities, 0 to 1.
    """
    before = affix_jaro(left[max(a0, a - CONTEXT) : a], right[max(b0, b - CONTEXT) : b])
    after = affix_jaro(left[a : a + CONTEXT], right[b : b + CONTEXT])
    return min(before, after)


def text_similarity(left: str, right: str) -> float:
    """Return ``1 - edit distance / length of the longer text``, 1 for two empty texts.

    The distance of texts longer than 2048 characters is that of the linear-time alignment, which can be
    larger than the least one.
    """
    if left == right:
        return 1.0
    longest = max(len(left), len(right))
    if longest <= EXACT_DISTANCE:
        return 1 - Levenshtein.distance(left, right) / longest
    distance, a, b = 0, 0, 0
    for i, j, size in [*matching_runs(left, right), (len(left), len(right), 0)]:
        distance += max(i - a, j - b)
        a, b = i + size, j + size
    return 1 - distance / longest


def mean_similarity(pairs: Iterable[tuple[str, str]]) -> float:
    """Return the mean similarity of aligned groups (Eq. 5 read as 1 - distance ratio).

    Args:
        pairs: Both sides of each group, squeezed; a side is empty in an unaligned group.

    Returns:
        0 to 1; 1 if there is no group.
    """
    total, count = 0.0, 0
    for left, right in pairs:
        total += text_similarity(left, right)
        count += 1
    return total / count if count else 1.0
