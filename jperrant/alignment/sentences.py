"""Joint preprocessing: groups of sentences that hold the same text in two segmentations of it.

Algorithm 1 of Wang, Qiu, Gu, Huang, Park, "Refined Evaluation for End-to-End Grammatical Error Correction
Using an Alignment-Based Approach", made exact and linear (docs/sentence-alignment.md). Texts are compared by
their characters in NFC without white space. Where they are equal, a cut stands wherever both sides have
consumed the same number of characters; where they differ, their characters are aligned first, and boundaries
inside a differing stretch are the same if Eq. 2's similarity is high enough.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from jperrant.alignment.boundaries import Point, find_cuts
from jperrant.alignment.characters import Run, common_prefix, matching_runs
from jperrant.alignment.missing import are_unrelated, split_group
from jperrant.alignment.similarity import mean_similarity, squeeze
from jperrant.core.errors import InputError, UsageError

#: Eq. 2's threshold; from the sweep in docs/sentence-alignment.md.
THRESHOLD = 0.75
#: The same for a source against its correction, which may rewrite more.
TOLERANT_THRESHOLD = 0.7
#: Cost of a differing character in the alignment of a source and its correction (1 otherwise).
TOLERANT_GAP_COST = 0.6
#: Two files share at least this part of the shorter one's characters if they are the same text.
SAME_TEXT = 0.5
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences of both sides that hold the same text: half-open ranges of sentence indices."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int

    @property
    def left(self) -> range:
        """Indices of the left sentences."""
        return range(self.left_start, self.left_end)

    @property
    def right(self) -> range:
        """Indices of the right sentences."""
        return range(self.right_start, self.right_end)

    @property
    def is_unaligned(self) -> bool:
        """Whether one side is empty: its text is missing there."""
        return self.left_start == self.left_end or self.right_start == self.right_end

    @property
    def shape(self) -> str:
        """Numbers of left and right sentences, such as ``1-2``."""
        return f"{self.left_end - self.left_start}-{self.right_end - self.right_start}"


@dataclass(frozen=True, slots=True)
class SentenceAlignment:
    """Groups that cover both sides completely and in order.

    Attributes:
        groups: The groups; none is empty on both sides.
        left_characters, right_characters: Characters without white space on each side.
        matched: How many of them are equal in both.
    """

    groups: tuple[Group, ...]
    left_characters: int
    right_characters: int
    matched: int

    @property
    def shapes(self) -> dict[str, int]:
        """How many groups there are of each shape (``1-1``, ``1-2`` …), smallest shapes first."""
        counts = Counter((g.left_end - g.left_start, g.right_end - g.right_start) for g in self.groups)
        return {f"{left}-{right}": counts[left, right] for left, right in sorted(counts)}

    @property
    def unaligned(self) -> int:
        """Number of groups with an empty side."""
        return sum(group.is_unaligned for group in self.groups)

    @property
    def coverage(self) -> float:
        """Matched part of the shorter side's characters, 0 to 1; 1 if a side has none."""
        shorter = min(self.left_characters, self.right_characters)
        return self.matched / shorter if shorter else 1.0


def align_sentences(
    left: Sequence[str], right: Sequence[str], *, threshold: float | None = None, tolerant: bool = False
) -> SentenceAlignment:
    """Align two segmentations of one text, in time and memory linear in the text.

    Args:
        left, right: Sentences, with or without spaces between their tokens; may be empty.
        threshold: Least similarity (Eq. 2 and 3, 0 to 1) of boundaries inside a differing stretch; None means
            0.75, or 0.7 when tolerant.
        tolerant: The right side is a correction of the left, not the same text: more may differ, and
            rewritten sentences stay groups instead of becoming unaligned.

    Returns:
        The finest groups whose boundaries stand in both texts. Text on one side only makes an unaligned group
        where it is whole sentences. Nothing is lost, repeated or reordered.

    Raises:
        UsageError: The threshold is not from 0 to 1.

    Example:
        >>> [g.shape for g in align_sentences(["A b .", "C d ."], ["A b. C", "d."]).groups]
        ['2-2']
    """
    if threshold is not None and not 0 <= threshold <= 1:
        raise UsageError(f"found threshold {threshold}, expected 0 to 1")
    lefts, rights = comparable(left, right)
    left_ends, right_ends = list(accumulate(map(len, lefts))), list(accumulate(map(len, rights)))
    left_text, right_text = "".join(lefts), "".join(rights)
    if threshold is None:
        threshold = TOLERANT_THRESHOLD if tolerant else THRESHOLD
    runs = matching_runs(left_text, right_text, TOLERANT_GAP_COST if tolerant else 1.0)
    bounds, other_bounds = _bounds(left_ends), _bounds(right_ends)
    cuts = find_cuts(left_text, bounds, right_text, other_bounds, runs, threshold)
    cuts = [(0, 0), *cuts, (len(left_text), len(right_text))]
    groups: Iterator[Group] = (
        part
        for group in _groups(cuts, left_ends, right_ends)
        for part in _parts(group, lefts, rights, tolerant)
    )
    if not tolerant:
        groups = _unrelated_apart(groups, lefts, rights, runs)
    return SentenceAlignment(tuple(groups), len(left_text), len(right_text), sum(size for _, _, size in runs))


def comparable(left: Sequence[str], right: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return both sides without white space, and in NFC where they differ.

    A boundary may stand before a combining character, so that sentences in NFC do not join to a text in NFC;
    texts that are equal as they are must not differ by that.
    """
    lefts, rights = ["".join(s.split()) for s in left], ["".join(s.split()) for s in right]
    if "".join(lefts) == "".join(rights):
        return lefts, rights
    return [squeeze(s) for s in lefts], [squeeze(s) for s in rights]


def _bounds(ends: list[int]) -> list[int]:
    """Return the offsets of sentence boundaries, ascending, each once, both ends of the text included."""
    return list(dict.fromkeys([0, *ends]))


def _groups(cuts: list[Point], left_ends: list[int], right_ends: list[int]) -> Iterator[Group]:
    """Yield the groups between cuts; sentences without characters make groups of their own."""
    a = b = i = j = 0
    for x, y in cuts:
        i0, j0 = i, j
        i = bisect_left(left_ends, x, i) + 1 if x > a else i
        j = bisect_left(right_ends, y, j) + 1 if y > b else j
        if (i, j) != (i0, j0):
            yield Group(i0, i, j0, j)
        left_blank, right_blank = bisect_right(left_ends, x, i), bisect_right(right_ends, y, j)
        while i < left_blank or j < right_blank:
            i0, j0 = i, j
            i, j = min(i + 1, left_blank), min(j + 1, right_blank)
            yield Group(i0, i, j0, j)
        a, b = x, y


def _parts(group: Group, lefts: Sequence[str], rights: Sequence[str], tolerant: bool) -> Iterator[Group]:
    """Yield the parts of a group in which whole sentences are missing on one side."""
    i, j = group.left_start, group.right_start
    texts = lefts[i : group.left_end], rights[j : group.right_end]
    if texts[0] == texts[1] or group.is_unaligned:
        yield group
        return
    for m, n in split_group(*texts, one_sided=tolerant):
        yield Group(i, i + m, j, j + n)
        i, j = i + m, j + n


def _unrelated_apart(
    groups: Iterable[Group], lefts: Sequence[str], rights: Sequence[str], runs: Sequence[Run]
) -> Iterator[Group]:
    """Yield groups; where both sides have nothing to do with each other, each sentence alone."""
    a = b = index = 0
    for group in groups:
        left = "".join(lefts[group.left_start : group.left_end])
        right = "".join(rights[group.right_start : group.right_end])
        x, y = a + len(left), b + len(right)
        matched, index = _matched(runs, index, a, x)
        if are_unrelated(left, right, matched):
            yield from (Group(k, k + 1, group.right_start, group.right_start) for k in group.left)
            yield from (Group(group.left_end, group.left_end, k, k + 1) for k in group.right)
        else:
            yield group
        a, b = x, y


def _matched(runs: Sequence[Run], first: int, start: int, end: int) -> tuple[int, int]:
    """Return how many characters of a range of the left text are matched, and the last run looked at."""
    matched = 0
    while first < len(runs) and runs[first][0] < end:
        i, _, size = runs[first]
        matched += max(0, min(i + size, end) - max(i, start))
        if i + size > end:
            break
        first += 1
    return matched, first


def group_similarity(left: Sequence[str], right: Sequence[str], groups: Sequence[Group]) -> float:
    """Return the mean similarity of the two sides of each group (Eq. 5), 0 to 1."""
    return mean_similarity(
        (
            "".join([squeeze(s) for s in left[g.left_start : g.left_end]]),
            "".join([squeeze(s) for s in right[g.right_start : g.right_end]]),
        )
        for g in groups
    )


def require_same_text(
    left: Sequence[str],
    right: Sequence[str],
    alignment: SentenceAlignment,
    left_name: str = "the first text",
    right_name: str = "the second text",
    least: float = SAME_TEXT,
) -> None:
    """Refuse two sides that are not the same text.

    They are the same text if the characters that match make at least ``least`` of the shorter side: a side
    may lack much of the other, but what it has must be there. (Different parts of CoNLL-14 reach 0.01.)

    Args:
        left, right: The sentences that were aligned.
        alignment: Their alignment.
        left_name, right_name: How messages call the sides (file names).
        least: The part of the shorter side, 0 to 1.

    Raises:
        InputError: They are not; shows the first 20 characters that differ on each side and where.
    """
    if alignment.coverage >= least:
        return
    lefts, rights = [squeeze(s) for s in left], [squeeze(s) for s in right]
    left_text, right_text = "".join(lefts), "".join(rights)
    offset = common_prefix(left_text, 0, len(left_text), right_text, 0, len(right_text))
    raise InputError(
        f"{left_name} and {right_name} are not the same text (only {alignment.coverage:.0%} of the shorter "
        f"one is in the other); they first differ at {_place(lefts, offset)} of {left_name}: "
        f"{_shown(left_text, offset)} and {_place(rights, offset)} of {right_name}: {_shown(right_text, offset)}"
    )


def _place(sentences: list[str], offset: int) -> str:
    ends = list(accumulate(map(len, sentences)))
    index = min(bisect_right(ends, offset), len(ends) - 1)
    return f"sentence {index + 1}, character {offset - (ends[index] - len(sentences[index])) + 1}"


def _shown(text: str, offset: int) -> str:
    return repr(text[offset : offset + _SHOWN]) if offset < len(text) else "the end of the text"
