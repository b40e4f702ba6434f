"""Joint preprocessing: groups of sentences that hold the same text in two segmentations of it.

Algorithm 1 of Wang, Qiu, Gu, Huang, Park, "Refined Evaluation for End-to-End Grammatical Error Correction
Using an Alignment-Based Approach", made exact and linear (docs/sentence-alignment.md). Texts are compared by
their characters in NFC without white space. Where they are equal, a cut stands wherever both sides have
consumed the same number of characters; where they differ, their characters are aligned first, and boundaries
inside a differing stretch are the same if Eq. 2's similarity is high enough.

The character alignment matches as many characters as it can, so a missing sentence may lose a few letters to its
neighbour (both begin with "It is") and the boundary between the two is not found. So a group is split into
what is there and what is not by dynamic programming over its sentences, as in Gale and Church 1993, with the
characters in common in the place of lengths.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import Indel

from jperrant.alignment.characters import (
    Run,
    boundary_similarity,
    common_prefix,
    matching_runs,
    mean_similarity,
    squeeze,
    text_similarity,
)
from jperrant.core.errors import InputError, UsageError

#: A position in the left and in the right text.
Point = tuple[int, int]

#: How far an insertion or deletion may be slid along repeated characters to meet a boundary.
MAX_SLIDE = 64
#: Boundaries of the right side tried for one of the left inside a differing stretch.
CANDIDATES = 4


def find_cuts(
    left: str,
    left_bounds: Sequence[int],
    right: str,
    right_bounds: Sequence[int],
    runs: list[Run],
    threshold: float,
) -> list[Point]:
    """Return the points where both texts have a boundary and the alignment says it is the same one.

    Args:
        left, right: The texts.
        left_bounds, right_bounds: Offsets of their sentence boundaries, ascending, each once.
        runs: Their equal runs.
        threshold: Boundaries inside a differing stretch are the same if their Eq. 2 similarity reaches this.

    Returns:
        Points ascending on both sides, each once, without the two ends of the texts.
    """
    known = set(right_bounds)
    cuts: list[Point] = []
    a = b = 0
    for i, j, size in _slid(left, left_bounds, right, right_bounds, runs):
        if (i, j) != (a, b):
            _extend(cuts, _gap_cuts(left, left_bounds, right, right_bounds, (a, b, i, j), cuts, threshold))
        shift = j - i
        inside = left_bounds[bisect_left(left_bounds, i) : bisect_right(left_bounds, i + size)]
        _extend(cuts, [(x, x + shift) for x in inside if x + shift in known])
        a, b = i + size, j + size
    if (a, b) != (len(left), len(right)):
        gap = (a, b, len(left), len(right))
        _extend(cuts, _gap_cuts(left, left_bounds, right, right_bounds, gap, cuts, threshold))
    ends = {(0, 0), (len(left), len(right))}
    return [cut for cut in cuts if cut not in ends]


def _extend(cuts: list[Point], more: Iterable[Point]) -> None:
    """Append points; a run and the gap beside it share a corner."""
    for point in more:
        if not cuts or point != cuts[-1]:
            cuts.append(point)


def _slid(
    left: str, left_bounds: Sequence[int], right: str, right_bounds: Sequence[int], runs: list[Run]
) -> Iterator[Run]:
    """Yield the runs with insertions and deletions slid to boundaries.

    Between "a.|a.b." and "a.|b." either "a." may be the one deleted; where the characters leave the choice,
    the place is taken that makes most boundaries meet.
    """
    previous: Run | None = None
    for run in runs:
        if previous is not None:
            (a, b, size), (i, j, n) = previous, run
            if a + size == i:
                shift = _best_slide(right, b + size, j, right_bounds, i, left_bounds, size, n)
            elif b + size == j:
                shift = _best_slide(left, a + size, i, left_bounds, j, right_bounds, size, n)
            else:
                shift = 0
            previous = (a, b, size + shift)
            run = (i + shift, j + shift, n - shift)
            yield previous
        previous = run
    if previous is not None:
        yield previous


def _best_slide(
    text: str,
    start: int,
    end: int,
    bounds: Sequence[int],
    boundary: int,
    other_bounds: Sequence[int],
    before: int,
    after: int,
) -> int:
    """Return how far to move the inserted ``text[start:end]``, which stands at ``at`` of the other text."""
    back, ahead = min(before, MAX_SLIDE), min(after, MAX_SLIDE)
    near = other_bounds[
        bisect_left(other_bounds, boundary - back) : bisect_right(other_bounds, boundary + ahead)
    ]
    best, most = 0, 0
    for x in sorted(near, key=lambda x: abs(x - boundary)):
        shift = x - boundary
        if shift < 0 and text[start + shift : start] != text[end + shift : end]:
            continue
        if shift > 0 and text[start : start + shift] != text[end : end + shift]:
            continue
        met = _has(bounds, start + shift) + _has(bounds, end + shift)
        if met > most:
            best, most = shift, met
    return best


def _has(bounds: Sequence[int], offset: int) -> bool:
    index = bisect_left(bounds, offset)
    return index < len(bounds) and bounds[index] == offset


def _gap_cuts(
    left: str,
    left_bounds: Sequence[int],
    right: str,
    right_bounds: Sequence[int],
    gap: tuple[int, int, int, int],
    cuts: list[Point],
    threshold: float,
) -> list[Point]:
    """Return the cuts in and on the corners of a stretch ``(a0, b0, a1, b1)`` where the texts differ."""
    a0, b0, a1, b1 = gap
    lefts = left_bounds[bisect_left(left_bounds, a0) : bisect_right(left_bounds, a1)]
    rights = right_bounds[bisect_left(right_bounds, b0) : bisect_right(right_bounds, b1)]
    if not lefts or not rights:
        return []
    if a0 == a1 or b0 == b1:  # text on one side only: it meets the other side in one point
        return [(x, y) for x in lefts for y in rights]
    points: list[Point] = []
    first = lefts[0] == a0 and rights[0] == b0
    last = lefts[-1] == a1 and rights[-1] == b1
    if first:
        points.append((a0, b0))
    lefts, rights = lefts[first : len(lefts) - last], rights[first : len(rights) - last]
    if lefts and rights:
        start = points[-1] if points else cuts[-1] if cuts else (0, 0)
        points += _similar_bounds(left, lefts, right, rights, gap, start, threshold)
    if last:
        points.append((a1, b1))
    return points


def _similar_bounds(
    left: str,
    lefts: Sequence[int],
    right: str,
    rights: Sequence[int],
    gap: tuple[int, int, int, int],
    start: Point,
    threshold: float,
) -> Iterator[Point]:
    """Yield pairs of boundaries inside a differing stretch that satisfy Eq. 2, in order."""
    a0, b0, a1, b1 = gap
    opposite = {(a0, b1), (a1, b0)}  # all the text of one side before the boundary, of the other after it
    for x in lefts:
        # Lengths of a text and its variant are proportional, as in Gale and Church.
        expected = b0 + (x - a0) * (b1 - b0) / (a1 - a0)
        middle = bisect_left(rights, expected)
        near = [
            y for y in rights[max(0, middle - CANDIDATES // 2) : middle + CANDIDATES // 2] if y > start[1]
        ]
        scored = [
            (boundary_similarity(left, start[0], x, right, start[1], y), -abs(y - expected), y)
            for y in near
            if (x, y) not in opposite
        ]
        if scored and x > start[0] and max(scored)[0] >= threshold:
            start = (x, max(scored)[2])
            yield start


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
