"""Joint preprocessing: groups of sentences that hold the same text in two segmentations.

Algorithm 1 of Wang, Qiu, Gu, Huang, Park, "Refined Evaluation for End-to-End Grammatical Error Correction
Using an Alignment-Based Approach", made exact and linear (docs/sentence-alignment.md). Texts are compared by
their characters in NFC without white space. Where they are equal, a cut stands wherever both sides have a
boundary after the same number of characters. Where they differ, their characters are aligned first, and
boundaries inside a differing stretch are the same if their similarity by Eq. 2 is high enough.

The character alignment matches as many characters as it can, so a missing sentence may lose a few letters to its
neighbour (both begin with "It is") and the boundary between the two is not found. Therefore a group is split
into matched and missing sentences by dynamic programming, as in Gale and Church 1993, with characters in common
instead of lengths.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from rapidfuzz.distance import Indel

from jperrant.alignment.characters import (
    Run,
    boundary_similarity,
    common_prefix,
    matching_runs,
    squeeze,
    text_similarity,
)
from jperrant.core.errors import InputError, UsageError

#: A position in the left and in the right text.
Point = tuple[int, int]

#: Most characters by which an insertion or deletion is slid along repeated characters to meet a boundary.
MAX_SLIDE = 64
#: Most right boundaries tried for a left boundary inside a differing stretch.
CANDIDATES = 4


class _Side(NamedTuple):
    """A text and the offsets of its sentence boundaries, ascending, each once, both ends included."""

    text: str
    bounds: list[int]

    @classmethod
    def of(cls, sentences: Sequence[str]) -> _Side:
        """Return the side that sentences make."""
        return cls("".join(sentences), list(dict.fromkeys([0, *accumulate(map(len, sentences))])))

    def within(self, start: int, end: int) -> list[int]:
        """Return the boundaries of a stretch, its ends included."""
        return self.bounds[bisect_left(self.bounds, start) : bisect_right(self.bounds, end)]


def _find_cuts(left: _Side, right: _Side, runs: list[Run], threshold: float) -> list[Point]:
    """Return the points where both texts have a boundary and the alignment says it is the same one.

    Args:
        left, right: The texts.
        runs: Their equal runs.
        threshold: Least similarity (Eq. 2) of boundaries that are the same inside a differing stretch.

    Returns:
        Points ascending on both sides, each once, the two ends of the texts included.
    """
    known = set(right.bounds)
    ends = len(left.text), len(right.text)
    cuts: list[Point] = [(0, 0)]
    a = b = 0
    for i, j, size in (*_slid(left, right, runs), (*ends, 0)):
        if (i, j) != (a, b):
            cuts += _gap_cuts(left, right, (a, b, i, j), cuts[-1], threshold)
        cuts += [(x, x + j - i) for x in left.within(i, i + size) if x + j - i in known]
        a, b = i + size, j + size
    return list(dict.fromkeys([*cuts, ends]))  # a run and the gap beside it share a corner


def _slid(left: _Side, right: _Side, runs: Iterable[Run]) -> list[Run]:
    """Return the runs with insertions and deletions slid to boundaries.

    Between "a.|a.b." and "a.|b." either "a." may be the one deleted; if the characters allow several places,
    the one where most boundaries meet is taken.
    """
    slid: list[Run] = []
    for i, j, n in runs:
        shift = 0
        if slid:
            a, b, size = slid[-1]
            back, ahead = min(size, MAX_SLIDE), min(n, MAX_SLIDE)
            if a + size == i:
                shift = _best_slide(right, b + size, j, i, left.within(i - back, i + ahead))
            elif b + size == j:
                shift = _best_slide(left, a + size, i, j, right.within(j - back, j + ahead))
            slid[-1] = a, b, size + shift
        slid.append((i + shift, j + shift, n - shift))
    return slid


def _best_slide(side: _Side, start: int, end: int, boundary: int, near: Sequence[int]) -> int:
    """Return how far to slide the insertion from ``start`` to ``end`` so that most boundaries meet.

    Args:
        side: The text with the insertion.
        start, end: The range of the insertion.
        boundary: Its place in the other text.
        near: Boundaries of the other text to which it may be moved.
    """
    text, best, most = side.text, 0, 0
    for x in sorted(near, key=lambda x: abs(x - boundary)):
        shift = x - boundary
        first, last = min(0, shift), max(0, shift)
        if text[start + first : start + last] == text[end + first : end + last]:
            met = sum(len(side.within(n, n)) for n in (start + shift, end + shift))
            if met > most:
                best, most = shift, met
    return best


def _gap_cuts(
    left: _Side, right: _Side, gap: tuple[int, int, int, int], before: Point, threshold: float
) -> list[Point]:
    """Return the cuts in and on the corners of a stretch ``(a0, b0, a1, b1)`` where the texts differ."""
    a0, b0, a1, b1 = gap
    lefts, rights = left.within(a0, a1), right.within(b0, b1)
    if not lefts or not rights:
        return []
    if a0 == a1 or b0 == b1:  # text on one side only: it meets the other side in one point
        return [(x, y) for x in lefts for y in rights]
    first = lefts[0] == a0 and rights[0] == b0
    last = lefts[-1] == a1 and rights[-1] == b1
    points = [(a0, b0)] * first
    lefts, rights = lefts[first : len(lefts) - last], rights[first : len(rights) - last]
    if lefts and rights:
        start = points[-1] if points else before
        points += _similar_bounds((left.text, lefts), (right.text, rights), gap, start, threshold)
    return points + [(a1, b1)] * last


def _similar_bounds(
    left: tuple[str, Sequence[int]],
    right: tuple[str, Sequence[int]],
    gap: tuple[int, int, int, int],
    start: Point,
    threshold: float,
) -> Iterator[Point]:
    """Yield pairs of boundaries inside a differing stretch that satisfy Eq. 2, in order."""
    a0, b0, a1, b1 = gap
    rights = right[1]
    opposite = {(a0, b1), (a1, b0)}  # all the text of one side before the boundary, of the other after it
    for x in left[1]:
        # Lengths of a text and its variant are proportional, as in Gale and Church.
        expected = b0 + (x - a0) * (b1 - b0) / (a1 - a0)
        middle = bisect_left(rights, expected)
        scored = [
            (boundary_similarity(left[0], start[0], x, right[0], start[1], y), -abs(y - expected), y)
            for y in rights[max(0, middle - CANDIDATES // 2) : middle + CANDIDATES // 2]
            if y > start[1] and (x, y) not in opposite
        ]
        if scored and x > start[0] and max(scored)[0] >= threshold:
            start = (x, max(scored)[2])
            yield start


#: Cost of a character that only one side of a pair has; a character of a sentence without a counterpart costs
#: 1. So a pair is cheaper than its two sides alone if more than 0.6 of its characters are common (0.5 to 0.6 in
#: unrelated English).
UNSHARED = 2.5
#: Shapes (left, right sentences) of the parts of a group; the last two are a sentence missing on the other
#: side.
SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (0, 1), (1, 0))
#: Larger groups stay as they are, so that time stays linear in the text.
MOST_SENTENCES, MOST_CHARACTERS = 12, 8192
#: Least share of common characters in two related long texts.
LEAST_SHARED = 0.2
#: Texts that are both shorter than this always count as related: a quotation mark may be replaced by another
#: one.
SHORTEST_UNRELATED = 10


def _are_unrelated(left: str, right: str) -> bool:
    """Whether two texts without white space have no more in common than any two texts of one language."""
    total = len(left) + len(right)
    if left == right or max(len(left), len(right)) < SHORTEST_UNRELATED:
        return False
    if total > MOST_CHARACTERS:
        return 2 * sum(size for _, _, size in matching_runs(left, right)) < LEAST_SHARED * total
    return UNSHARED * Indel.distance(left, right) > total


#: Least similarity (Eq. 2) from which two boundaries inside a differing stretch are the same.
THRESHOLD = 0.75
#: The same for a source against its correction, which may rewrite more.
TOLERANT_THRESHOLD = 0.7
#: Cost of a differing character in the alignment of a source and its correction (1 otherwise).
TOLERANT_GAP_COST = 0.6
#: Least share of the shorter file's characters that is in the other file if both hold the same text.
SAME_TEXT = 0.5
_SHOWN = 20


class Group(NamedTuple):
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

    def texts(self, lefts: Sequence[str], rights: Sequence[str]) -> tuple[str, str]:
        """Return the text of each side, given all sentences."""
        return "".join(lefts[self.left_start : self.left_end]), "".join(
            rights[self.right_start : self.right_end]
        )


@dataclass(frozen=True, slots=True)
class SentenceAlignment:
    """Groups that cover both sides completely and in order.

    Attributes:
        groups: The groups; none is empty on both sides.
        coverage: Share of the shorter side's characters that match, without white space, 0 to 1; 1 if a side is
            empty.
    """

    groups: tuple[Group, ...]
    coverage: float


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
        The finest groups whose boundaries are in both texts. Whole sentences on one side only make an unaligned
        group. No sentence is lost, repeated or moved.

    Raises:
        UsageError: The threshold is not from 0 to 1.

    Example:
        >>> align_sentences(["A b .", "C d ."], ["A b. C", "d."]).groups
        (Group(left_start=0, left_end=2, right_start=0, right_end=2),)
    """
    if threshold is not None and not 0 <= threshold <= 1:
        raise UsageError(f"found threshold {threshold}, expected 0 to 1")
    lefts, rights = comparable(left, right)
    left_side, right_side = _Side.of(lefts), _Side.of(rights)
    if threshold is None:
        threshold = TOLERANT_THRESHOLD if tolerant else THRESHOLD
    runs = matching_runs(left_side.text, right_side.text, TOLERANT_GAP_COST if tolerant else 1.0)
    cuts = _find_cuts(left_side, right_side, runs, threshold)
    whole = _groups(cuts, list(accumulate(map(len, lefts))), list(accumulate(map(len, rights))))
    groups: Iterator[Group] = (part for group in whole for part in _parts(group, lefts, rights, tolerant))
    if not tolerant:
        groups = _unrelated_apart(groups, lefts, rights)
    return SentenceAlignment(tuple(groups), coverage(left_side.text, right_side.text, runs))


def coverage(left: str, right: str, runs: Iterable[Run]) -> float:
    """Return the share of the shorter text that is in the equal runs of both, 0 to 1; 1 if a text is empty."""
    shorter = min(len(left), len(right))
    return sum(size for _, _, size in runs) / shorter if shorter else 1.0


def comparable(left: Sequence[str], right: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return both sides without white space, and in NFC where they differ.

    Equal texts are left as they are: a boundary may stand before a combining character, and then the sentences
    in NFC would not join to the text in NFC.
    """
    lefts, rights = ["".join(s.split()) for s in left], ["".join(s.split()) for s in right]
    if "".join(lefts) == "".join(rights):
        return lefts, rights
    return [squeeze(s) for s in lefts], [squeeze(s) for s in rights]


def _groups(cuts: list[Point], left_ends: list[int], right_ends: list[int]) -> Iterator[Group]:
    """Yield the groups between cuts; sentences without characters form groups of their own."""
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


def _parts(group: Group, lefts: Sequence[str], rights: Sequence[str], one_sided: bool) -> list[Group]:
    """Split a group in which whole sentences are missing on one side.

    Args:
        group: The group.
        lefts, rights: All sentences without white space.
        one_sided: Do not split where sentences are missing on both sides.
    """
    i, j = group.left_start, group.right_start
    left, right = group.texts(lefts, rights)
    lefts, rights = lefts[i : group.left_end], rights[j : group.right_end]
    small = len(left) + len(right) <= MOST_CHARACTERS and max(map(len, (lefts, rights))) <= MOST_SENTENCES
    if left == right or group.is_unaligned or not small:
        return [group]
    distance = Indel.distance(left, right)
    if distance < min(map(len, [*lefts, *rights])):  # fewer characters differ than the shortest sentence has
        return [group]

    def cost(part: Group) -> float:
        one, other = part.texts(lefts, rights)
        return len(one + other) if part.is_unaligned else UNSHARED * Indel.distance(one, other)

    rows = [range(len(rights) + 1)] * (len(lefts) + 1)
    parts, least = cheapest_groups(rows, dict.fromkeys(SHAPES, 0.0), cost)
    sides = {bool(part.left) for part in parts if part.is_unaligned}
    mixed = one_sided and len(sides) > 1
    if least >= UNSHARED * distance or mixed or not sides or all(part.is_unaligned for part in parts):
        return [group]
    return [Group(i + a, i + b, j + c, j + d) for a, b, c, d in parts]


def cheapest_groups(
    rows: Iterable[range], shapes: Mapping[tuple[int, int], float], cost: Callable[[Group], float]
) -> tuple[list[Group], float]:
    """Return the cheapest groups that cover all sentences, and their cost, by dynamic programming.

    Args:
        rows: For each number of left sentences from 0, the numbers of right sentences that may go with them.
        shapes: The shapes (left, right sentences) that a group may have, with the cost of each. Of groups with
            the same cost, the one whose shape comes first is taken.
        cost: The cost of a group in addition to that of its shape, 0 or more.
    """
    best: dict[tuple[int, int], tuple[float, Group]] = {(0, 0): (0.0, Group(0, 0, 0, 0))}
    for i, row in enumerate(rows):
        for j in row:
            least = best.get((i, j), (math.inf, Group(0, 0, 0, 0)))
            for (m, n), prior in shapes.items():
                before = best.get((i - m, j - n))
                if before is not None and before[0] + prior < least[0]:
                    group = Group(i - m, i, j - n, j)
                    total = before[0] + prior + cost(group)
                    least = (total, group) if total < least[0] else least
            best[i, j] = least
    groups, total = [], least[0]
    while i or j:
        groups.append(best[i, j][1])
        i, j = groups[-1].left_start, groups[-1].right_start
    return groups[::-1], total


def _unrelated_apart(groups: Iterable[Group], lefts: Sequence[str], rights: Sequence[str]) -> Iterator[Group]:
    """Yield groups; a group whose sides are unrelated is split into single unaligned sentences."""
    for group in groups:
        if _are_unrelated(*group.texts(lefts, rights)):
            yield from (Group(k, k + 1, group.right_start, group.right_start) for k in group.left)
            yield from (Group(group.left_end, group.left_end, k, k + 1) for k in group.right)
        else:
            yield group


def group_similarity(left: Sequence[str], right: Sequence[str], groups: Sequence[Group]) -> float:
    """Return the mean similarity of the two sides of each group (Eq. 5 read as 1 - distance ratio), 0 to 1."""
    scores = [text_similarity(*map(squeeze, group.texts(left, right))) for group in groups]
    return sum(scores) / len(scores) if scores else 1.0


def require_same_text(
    left: Sequence[str],
    right: Sequence[str],
    alignment: SentenceAlignment,
    left_name: str = "the first text",
    right_name: str = "the second text",
    least: float = SAME_TEXT,
) -> None:
    """Raise an error if two sides are not the same text.

    They are the same text if at least ``least`` of the shorter side's characters match: the longer side may
    have much more text, but it must contain that of the shorter one. (In two different parts of CoNLL-14 a
    share of 0.01 matches.)

    Args:
        left, right: The sentences that were aligned.
        alignment: Their alignment.
        left_name, right_name: Names of the sides in messages, such as file names.
        least: Least share of the shorter side that matches, 0 to 1.

    Raises:
        InputError: The texts differ; the message shows the first 20 characters that differ on each side, and
            where.
    """
    if alignment.coverage >= least:
        return
    lefts, rights = [squeeze(s) for s in left], [squeeze(s) for s in right]
    left_text, right_text = "".join(lefts), "".join(rights)
    offset = common_prefix(left_text, 0, right_text, 0)
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


#: Lines are out of step if fewer characters differ after alignment than this share of those that differ when
#: lines are compared by number.
OUT_OF_STEP = 0.5


class Passage(NamedTuple):
    """Sentences of a source and the matching sentences of each correction, as ranges of indices."""

    source: range
    corrections: tuple[range, ...]


def align_passages(source: Sequence[str], corrections: Sequence[Sequence[str]]) -> list[Passage]:
    """Return the finest passages whose ends all corrections share, in order.

    Args:
        source: The sentences of the source.
        corrections: The sentences of each correction.

    Returns:
        Passages that cover all sentences; at least one, which may be empty. Sentences that a correction adds
        belong to the passage before them; at the start, to the first passage.
    """
    ends = []
    for correction in corrections:
        groups = align_sentences(source, correction, tolerant=True).groups
        # Of several groups that end with the same source sentence, the last counts.
        ends.append({group.left_end: group.right_end for group in groups if group.left_end})
    inner = [n for n in range(1, len(source)) if all(n in known for known in ends)]
    marks = [[n, *(known[n] for known in ends)] for n in inner]
    return _between([[0] * (1 + len(corrections)), *marks, [len(source), *map(len, corrections)]])


def _between(marks: Sequence[Sequence[int]]) -> list[Passage]:
    """Return the passages between marks; a mark is the numbers of sentences before it in all texts."""
    return [
        Passage(range(start, end), tuple(map(range, starts, ends)))
        for (start, *starts), (end, *ends) in pairwise(marks)
    ]


def align_lines(source: Sequence[str], corrections: Sequence[Sequence[str]]) -> list[Passage]:
    """Return passages of raw texts with equally many lines: single lines wherever they are in step.

    A correction that splits one line and joins two others has as many lines as its source, but the lines
    between these places no longer correspond by number. Only there are passages those of
    :func:`align_passages`.

    Args:
        source: The lines of the source.
        corrections: The lines of each correction, as many as the source has.
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
    """Return the passages as they are if their lines are out of step, or else one passage per line."""
    first, last = passages[0].source.start, passages[-1].source.stop
    if last - first < 2:
        return passages
    singly = _between([[n] * (1 + len(corrections)) for n in range(first, last + 1)])
    aligned, differing = (sum(_distances(way, source, corrections)) for way in (passages, singly))
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
