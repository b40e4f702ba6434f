"""Alignment and similarity of texts by their characters.

The alignment of two nearly equal texts takes time and memory linear in their lengths. Equal stretches are
skipped by comparing memory. At a difference, a window of both texts is aligned by longest common subsequence,
and the best-scoring beginning of that alignment is kept, as in BLAST's extension: a matched character counts 1,
a character of a gap costs ``gap_cost``. If no beginning scores enough, the window is enlarged. After the
largest window, the search goes on at the next stretch of characters that occurs once in both texts (an anchor).

The similarities are Eq. 2, 3 and 5 of Wang, Qiu, Gu, Huang, Park, "Refined Evaluation for End-to-End
Grammatical Error Correction Using an Alignment-Based Approach". They take texts without white space
(:func:`squeeze`).
"""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from jellyfish import jaro_similarity
from rapidfuzz.distance import Indel, Levenshtein, Postfix, Prefix

#: ``(start in left, start in right, length)`` of a stretch that is equal in both texts.
Run = tuple[int, int, int]

#: Sizes of the windows tried at a difference, in characters.
WINDOWS = (512, 2048, 8192)
#: Least score of the beginning of a window's alignment for it to be accepted.
MIN_SCORE = 8
#: Length of an anchor, a stretch that re-synchronises texts which share nothing for longer than a window.
ANCHOR = 24
#: Least score of the texts that follow an anchor for the anchor to be accepted (less near an end).
ANCHOR_SCORE = 64
#: Least share of the shorter text that an alignment matches if the two texts are related.
LEAST_EQUAL = 0.55
#: Equal runs shorter than this inside larger differences count as chance ("g" in big → large).
SPURIOUS = 8


def matching_runs(left: str, right: str, gap_cost: float = 1.0) -> list[Run]:
    """Align two texts and return their equal runs, in order and without overlap.

    Args:
        left, right: The texts.
        gap_cost: What a differing character costs against a matching one; lower means more tolerant.

    Returns:
        The runs; between neighbouring runs at least one text has further characters, which differ.
    """
    if left == right:
        return [(0, 0, len(left))] if left else []
    a = common_prefix(left, 0, right, 0)
    tail = common_prefix(left[a:][::-1], 0, right[a:][::-1], 0)
    left_end, right_end = len(left) - tail, len(right) - tail
    middle = _march(left[a:left_end], right[a:right_end], gap_cost)
    runs = [(0, 0, a), *((i + a, j + a, n) for i, j, n in middle), (left_end, right_end, tail)]
    return _without_chance(_joined(run for run in runs if run[2]), len(left), len(right))


def common_prefix(left: str, a: int, right: str, b: int) -> int:
    """Return how many characters are equal from ``left[a]`` and ``right[b]`` on."""
    done = 0
    while same := Prefix.similarity(
        left[a + done : a + done + WINDOWS[0]], right[b + done : b + done + WINDOWS[0]]
    ):
        done += same
    return int(done)


def _march(left: str, right: str, gap_cost: float, anchored: bool = True) -> list[Run]:
    """Walk both texts together from their beginnings, collecting equal runs.

    Args:
        left, right: The texts.
        gap_cost: As in ``matching_runs``.
        anchored: Continue after the next anchor where the texts diverge; if False, stop there.
    """
    runs: list[Run] = []
    a = b = 0
    while a < len(left) and b < len(right):
        if same := common_prefix(left, a, right, b):
            extension = [(0, 0, same)]
        else:
            pieces = left[a : a + WINDOWS[-1]], right[b : b + WINDOWS[-1]]
            extension = _extend(*pieces, len(left) - a, len(right) - b, gap_cost)
        if extension:
            runs += [(a + i, b + j, n) for i, j, n in extension]
            i, j, n = runs[-1]
            a, b = i + n, j + n
        elif anchored and (anchor := _next_anchor(left, a, right, b, gap_cost)):
            # Texts may also match just before an anchor, so the stretch before it is aligned backwards.
            i, j = anchor
            back = _march(left[a:i][::-1], right[b:j][::-1], gap_cost, anchored=False)
            runs += [(i - x - n, j - y - n, n) for x, y, n in reversed(back)]
            a, b = anchor
        else:
            break
    return runs


def _extend(left: str, right: str, left_rest: int, right_rest: int, gap_cost: float) -> list[Run]:
    """Align the beginnings of two texts in growing windows; empty if the texts diverge.

    ``left_rest`` and ``right_rest`` are the numbers of characters left in both texts, windows included.
    """
    for size in WINDOWS:
        near_left, near_right = _balanced(left[:size], right[:size])
        runs = _equal_parts(near_left, near_right)
        whole = (len(near_left), len(near_right)) == (left_rest, right_rest)
        if whole and sum(n for _, _, n in runs) >= LEAST_EQUAL * min(left_rest, right_rest):
            return runs
        limits = _trusted(near_left, left_rest), _trusted(near_right, right_rest)
        if best := _best_beginning(runs, *limits, gap_cost)[0]:
            return best
        if left_rest <= size and right_rest <= size:
            return _from_the_end(left, right, gap_cost)
    return []


def _trusted(window: str, rest: int) -> int:
    """Return how many characters of a window can be trusted: three quarters if its far end was cut off."""
    return rest if len(window) == rest else len(window) * 3 // 4


def _balanced(left: str, right: str) -> tuple[str, str]:
    """Cut the longer text, as a short text would otherwise match in pieces all over a much longer one."""
    limit = min(len(left), len(right)) * 5 // 4 + 16
    return left[:limit], right[:limit]


def _equal_parts(left: str, right: str) -> list[Run]:
    """Return the runs of a longest common subsequence.

    Replacing costs as much as deleting and inserting. With Levenshtein's cheaper replacement, a sentence
    missing on one side would be matched with another one missing on the other side.
    """
    blocks = Indel.opcodes(left, right).as_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks if block.size]


def _from_the_end(left: str, right: str, gap_cost: float) -> list[Run]:
    """Align the ends of two texts of very different lengths."""
    far_left, far_right = _balanced(left[::-1], right[::-1])
    limits = _trusted(far_left, len(left)), _trusted(far_right, len(right))
    runs, _ = _best_beginning(_equal_parts(far_left, far_right), *limits, gap_cost)
    return [(len(left) - a - n, len(right) - b - n, n) for a, b, n in reversed(runs)]


def _best_beginning(
    runs: list[Run], left_limit: float, right_limit: float, gap_cost: float, least: float = MIN_SCORE
) -> tuple[list[Run], float]:
    """Return the best-scoring beginning of an alignment and its score; empty if none reaches ``least``."""
    score, best, keep, left_end, right_end = 0.0, least, 0, 0, 0
    for count, (a, b, size) in enumerate(runs, start=1):
        if a >= left_limit or b >= right_limit:
            break
        score += size - gap_cost * max(a - left_end, b - right_end)
        left_end, right_end = a + size, b + size
        if score >= best:
            best, keep = score, count
    return runs[:keep], best


def _next_anchor(left: str, a: int, right: str, b: int, gap_cost: float) -> tuple[int, int] | None:
    """Return the next position in both texts where the same stretch begins, or None.

    The span that is searched grows by a factor of eight only if the smaller one held no anchor. So the anchor
    found lies at least an eighth of the span away, and the cost stays proportional to the distance covered.
    """
    span = 2 * WINDOWS[-1]
    while True:
        for i, j in _common(left[a : a + span], right[b : b + span]):
            # Texts on one subject share phrases, but they go on together only after a true anchor.
            needed = min(ANCHOR_SCORE, (len(left) - a - i) // 2, (len(right) - b - j) // 2)
            near = _balanced(left[a + i : a + i + WINDOWS[0]], right[b + j : b + j + WINDOWS[0]])
            if _best_beginning(_equal_parts(*near), math.inf, math.inf, gap_cost, 0)[1] >= needed:
                return a + i, b + j
        if a + span >= len(left) and b + span >= len(right):
            return None
        span *= 8


def _common(left: str, right: str) -> list[tuple[int, int]]:
    """Return the longest chain of stretches that occur once in both texts."""
    first: dict[str, int] = {}
    repeated: set[str] = set()
    for i in range(0, len(left) - ANCHOR + 1, ANCHOR // 2):
        gram = left[i : i + ANCHOR]
        if first.setdefault(gram, i) != i:
            repeated.add(gram)
    seen: dict[str, int] = {}
    for j in range(len(right) - ANCHOR + 1):
        gram = right[j : j + ANCHOR]
        if gram in first and seen.setdefault(gram, j) != j:
            repeated.add(gram)
    chain = _longest_chain(sorted((first[gram], j) for gram, j in seen.items() if gram not in repeated))
    if chain:
        return chain
    # Only repeated stretches are common (the same sentence over and over): the nearest one will do.
    nearest = min(
        ((first[gram], j) for gram, j in seen.items()), key=lambda link: (sum(link), link), default=None
    )
    return [nearest] if nearest else []


def _longest_chain(links: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest chain of links ascending on both sides, given links ascending on the left."""
    ends: list[int] = []  # right position of the last link of the best chain of each length
    chains: list[Any] = [None]  # the best chain of each length: its last link, and the chain before it
    for link in links:
        length = bisect_left(ends, link[1])
        ends[length : length + 1] = [link[1]]
        chains[length + 1 : length + 2] = [(link, chains[length])]
    found, chain = [], chains[-1]
    while chain:
        link, chain = chain
        found.append(link)
    return found[::-1]


def _joined(runs: Iterable[Run]) -> list[Run]:
    """Join runs that continue each other."""
    joined: list[Run] = []
    for a, b, size in runs:
        if joined and joined[-1][0] + joined[-1][2] == a and joined[-1][1] + joined[-1][2] == b:
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
        else:
            joined.append((a, b, size))
    return joined


def _without_chance(runs: list[Run], left_length: int, right_length: int) -> list[Run]:
    """Drop short runs that stand between larger differences."""
    kept: list[Run] = []
    for run in [*runs, (left_length, right_length, 0)]:
        while kept and kept[-1][2] < SPURIOUS:
            a, b, size = kept[-1]
            a0, b0 = (kept[-2][0] + kept[-2][2], kept[-2][1] + kept[-2][2]) if len(kept) > 1 else (0, 0)
            before, after = max(a - a0, b - b0), max(run[0] - a - size, run[1] - b - size)
            if size >= min(before, after):
                break
            kept.pop()
        kept.append(run)
    kept.pop()
    return kept


#: Winkler's constants: weight of a shared character and the longest prefix that counts.
WINKLER_P = 0.1
WINKLER_CAP = 4
#: Characters on each side of a boundary that Eq. 2 looks at.
CONTEXT = 64
#: Most characters of texts whose edit distance is exact; for longer ones it is that of the linear alignment.
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
    shared = Prefix.similarity(left[:WINKLER_CAP], right[:WINKLER_CAP])
    shared += Postfix.similarity(left[-WINKLER_CAP:], right[-WINKLER_CAP:])
    return float(similarity + shared * WINKLER_P * (1 - similarity) / 2)


def boundary_similarity(left: str, a0: int, a: int, right: str, b0: int, b: int) -> float:
    """Return how well a boundary at ``left[a]`` fits one at ``right[b]`` (Eq. 2).

    Eq. 2 compares the pair of sentences that ends at the boundary and the pair that follows. Here these are the
    ``CONTEXT`` characters before the boundary (but not before ``a0`` and ``b0``, the last boundary found) and
    those after it, so that the cost does not depend on the length of sentences. The ends of both texts match.

    Returns:
        The lower of both similarities, 0 to 1.
    """
    before = affix_jaro(left[max(a0, a - CONTEXT) : a], right[max(b0, b - CONTEXT) : b])
    after = affix_jaro(left[a : a + CONTEXT], right[b : b + CONTEXT])
    return min(before, after)


def text_similarity(left: str, right: str) -> float:
    """Return ``1 - edit distance / length of the longer text``, 1 for two empty texts.

    For texts longer than 2048 characters the distance is that of the linear-time alignment, which can exceed
    the true one.
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
