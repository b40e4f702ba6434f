"""Which lines of a text and of its correction belong together, where lines are missing, added, split or joined."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TypeAlias

#: Indices of lines of a text, and of those of its correction.
LineGroup: TypeAlias = tuple[Sequence[int], Sequence[int]]
#: Similarity, by words, of unlike texts; of texts that stand in step; of texts that certainly belong together.
UNLIKE, _IN_STEP, SAME = 0.3, 0.5, 0.8
#: A line that was split, or lines that were joined, are as similar as this to the other side when put together.
_JOINED = 0.6
#: Most lines that are put together, most cells of a table in which lines are aligned, and of one of their words.
_MOST_JOINED, _MOST_CELLS, _MOST_WORDS = 30, 1_000_000, 400_000_000
#: Characters of a line that are compared.
_COMPARED = 50_000
#: Part of a line that is in the line it was joined into; part of one that has words of it by chance.
_COVERED, _LOST = 0.3, 0.2
#: Characters that are words by themselves where no spaces are written: Thai to Khmer, kana, Han, Hangul.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+|[^\w\s]")


def words_of(text: str) -> list[str]:
    """Return the words and marks of a text, small and in compatible forms, whatever spaces are between them."""
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _WORD.findall(text.casefold())


def squeezed(text: str) -> str:
    """Return the words and marks of a text without what is between them."""
    return "".join(words_of(text))


def word_similarity(one: str, other: str) -> float:
    """Return the similarity of two texts by words, from 0 to 1."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(words_of(one), words_of(other))


def group_lines(source: Sequence[str], answers: Sequence[str]) -> list[LineGroup]:
    """Return which lines of two texts belong together, in order.

    Lines that are equal and occur once are anchors; between them lines belong together that share words, also one
    line with several that make it up. Lines between the same others belong together even if they share nothing.

    Args:
        source: The lines of a text.
        answers: The lines of its correction, which may lack some and have others between them.

    Returns:
        Groups of indices on both sides, at least one on each; lines without a counterpart are in none.

    Example:
        >>> groups = group_lines(["He go .", "Yes .", "I sleeps ."], ["Here it is:", "He goes .", "I sleep ."])
        >>> [(list(left), list(right)) for left, right in groups]
        [([0], [1]), ([2], [2])]
    """
    code = _Code()
    texts, others = ([code.of(line[:_COMPARED]) for line in lines] for lines in (source, answers))
    groups: list[LineGroup] = []
    i = j = 0
    for a, b in [*_anchors(texts, others), (len(source), len(answers))]:
        groups += _between(texts, others, range(i, a), range(j, b))
        if a < len(source):
            groups.append((range(a, a + 1), range(b, b + 1)))
        i, j = a + 1, b + 1
    return groups


def _anchors(source: Sequence[str], answers: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest row of lines that are equal on both sides and occur once on each."""
    once = Counter(source), Counter(answers)
    places = {line: n for n, line in enumerate(answers)}
    pairs = [
        (n, places[line])
        for n, line in enumerate(source)
        if len(line) > 2 and once[0][line] == 1 and once[1][line] == 1
    ]
    ends: list[int] = []
    before: list[int] = []
    last: list[int] = []
    for k, (_, place) in enumerate(pairs):
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
        last[at : at + 1] = [k]
        before.append(last[at - 1] if at else -1)
    row, k = [], last[-1] if last else -1
    while k >= 0:
        row.append(pairs[k])
        k = before[k]
    return row[::-1]


def _between(source: Sequence[str], answers: Sequence[str], left: range, right: range) -> list[LineGroup]:
    """Return the groups of the lines between two anchors."""
    from rapidfuzz.distance import Indel

    if not left or not right:
        return []
    alike = [Indel.normalized_similarity(source[a], answers[b]) for a, b in zip(left, right, strict=False)]
    if len(left) == len(right):
        return _where_in_step(source, answers, left, right, alike)
    start = next((n for n, one in enumerate(alike) if one < SAME), len(alike))
    back = list(zip(reversed(left[start:]), reversed(right[start:]), strict=False))
    apart = (n for n, (a, b) in enumerate(back) if Indel.normalized_similarity(source[a], answers[b]) < SAME)
    end = next(apart, len(back))
    inner = left[start : len(left) - end], right[start : len(right) - end]
    head, tail = (
        _singly(left[:start], right[:start]),
        _singly(left[len(left) - end :], right[len(right) - end :]),
    )
    return [*head, *_aligned(source, answers, *inner), *tail]


def _where_in_step(
    source: Sequence[str], answers: Sequence[str], left: range, right: range, alike: Sequence[float]
) -> list[LineGroup]:
    """Return the groups of equally many lines: those that are alike in pairs, and between them a single one."""
    groups: list[LineGroup] = []
    start = 0
    for n, one in enumerate([*alike, 1.0]):
        if one >= _IN_STEP:
            run = slice(start, n)
            groups += (
                _singly(left[run], right[run])
                if n - start < 2
                else _aligned(source, answers, left[run], right[run])
            )
            groups += _singly(left[n : n + 1], right[n : n + 1])
            start = n + 1
    return groups


def _singly(left: range, right: range) -> list[LineGroup]:
    return [(range(a, a + 1), range(b, b + 1)) for a, b in zip(left, right, strict=False)]


def _aligned(source: Sequence[str], answers: Sequence[str], left: range, right: range) -> list[LineGroup]:
    """Return the groups of lines that are not in step."""
    if not left or not right:
        return []
    words = sum(len(source[n]) for n in left) * sum(len(answers[n]) for n in right)
    if len(left) * len(right) > _MOST_CELLS or words > _MOST_WORDS:
        return _singly(left, right)
    table = _Table([source[n] for n in left], [answers[n] for n in right])
    found = [([left[n] for n in a], [right[n] for n in b]) for a, b in table.groups()]
    return _wrapped(source, answers, found, left, right) or _with_rewritten(found, left, right)


def _wrapped(
    source: Sequence[str], answers: Sequence[str], groups: Sequence[LineGroup], left: range, right: range
) -> list[LineGroup]:
    """Return one group of lines that are the same text in lines of other lengths; none if they are not."""
    sides = left, right
    spare = [len(sides[k]) - len({n for group in groups for n in group[k]}) for k in (0, 1)]
    if not any(spare):
        return []
    texts = [source[n] for n in left], [answers[n] for n in right]
    shares = _kept(*texts)
    # A single word, such as a full stop, is shared by chance.
    lost = [
        sum(share < _IN_STEP or share * len(line) < 2 for share, line in zip(own, lines, strict=True))
        for own, lines in zip(shares, texts, strict=True)
    ]
    if any(2 * n > m for n, m in zip(lost, spare, strict=True) if m):
        return []
    # A line of a few words may have been written anew.
    kept = [
        [n for n, share in zip(*both, strict=True) if share >= _LOST]
        for both in zip(sides, shares, strict=True)
    ]
    return [(kept[0], kept[1])] if all(kept) else []


def _with_rewritten(groups: Sequence[LineGroup], left: range, right: range) -> list[LineGroup]:
    """Add pairs of lines that have nothing in common but their place between the same others.

    What comes before the first answer is rather an introduction, what comes after the last a closing remark.
    """
    filled: list[LineGroup] = []
    i, j = left.start, right.start
    for a, b in [*groups, ((left.stop,), (right.stop,))]:
        both = min(a[0] - i, b[0] - j)
        first = (a[0] - both, b[0] - both) if (i, j) == (left.start, right.start) and groups else (i, j)
        filled += _singly(range(first[0], first[0] + both), range(first[1], first[1] + both))
        filled.append((a, b))
        i, j = a[-1] + 1, b[-1] + 1
    return filled[:-1]


class _Table:
    """Aligns a few lines by the words that they share: single ones, or one with several that make it up."""

    def __init__(self, source: Sequence[str], answers: Sequence[str]) -> None:
        from rapidfuzz.distance import LCSseq
        from rapidfuzz.process import cdist

        self._source, self._answers = source, answers
        self._shared = cdist(source, answers, scorer=LCSseq.similarity).tolist()

    def groups(self) -> list[LineGroup]:
        rows, columns = len(self._source), len(self._answers)
        best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
        step = [[(0, 0)] * (columns + 1) for _ in range(rows + 1)]
        for i in range(rows - 1, -1, -1):
            for j in range(columns - 1, -1, -1):
                options = [(best[i + 1][j], (1, 0)), (best[i][j + 1], (0, 1))]
                options += [(best[i + a][j + b] + gain, (a, b)) for a, b, gain in self._steps(i, j)]
                best[i][j], step[i][j] = max(options)
        found, i, j = [], 0, 0
        while i < rows and j < columns:
            a, b = step[i][j]
            if a and b:
                found.append(self._covered(range(i, i + a), range(j, j + b)))
            i, j = i + a, j + b
        return found

    def _steps(self, i: int, j: int) -> Iterator[tuple[int, int, float]]:
        """Yield how many lines of both sides may belong together from a place on, and what that is worth."""
        size, shared = len(self._source[i]) + len(self._answers[j]), self._shared[i][j]
        if not shared:
            return
        yield 1, 1, _worth(shared, size)
        if shared * 10 < 6 * min(len(self._source[i]), len(self._answers[j])) or 2 * shared > 0.85 * size:
            return
        for a in self._fitting(self._source, i, self._answers[j]):
            if gain := self._joined(range(i, i + a), range(j, j + 1)):
                yield a, 1, gain
        for b in self._fitting(self._answers, j, self._source[i]):
            if gain := self._joined(range(i, i + 1), range(j, j + b)):
                yield 1, b, gain

    def _fitting(self, lines: Sequence[str], first: int, whole: str) -> list[int]:
        """Return how many lines are together about as long as a whole."""
        sizes = accumulate(len(line) for line in lines[first : first + _MOST_JOINED])
        return [
            n
            for n, size in enumerate(sizes, start=1)
            if n > 1 and 0.6 * len(whole) <= size <= 1.6 * len(whole)
        ]

    def _joined(self, left: range, right: range) -> float:
        from rapidfuzz.distance import LCSseq

        one = "".join([self._source[n] for n in left])
        other = "".join([self._answers[n] for n in right])
        shared, size = LCSseq.similarity(one, other), len(one) + len(other)
        alone = max(
            2 * self._shared[a][b] / (len(self._source[a]) + len(self._answers[b]))
            for a in left
            for b in right
        )
        similarity = 2 * shared / size
        return _worth(shared, size) if similarity >= _JOINED and similarity > alone else 0.0

    def _covered(self, left: range, right: range) -> LineGroup:
        """Return a group without the source lines that have hardly a word in its answer."""
        if len(left) == 1:
            return left, right
        shares, _ = _kept([self._source[n] for n in left], [self._answers[n] for n in right])
        return [n for n, share in zip(left, shares, strict=True) if share >= _COVERED], right


def _kept(source: Sequence[str], answers: Sequence[str]) -> tuple[list[float], list[float]]:
    """Return the part of each line's words, from 0 to 1, that is on the other side, taken as running text."""
    from rapidfuzz.distance import LCSseq

    kept = [0] * sum(map(len, source)), [0] * sum(map(len, answers))
    for code in LCSseq.opcodes("".join(source), "".join(answers)):
        if code.tag == "equal":
            kept[0][code.src_start : code.src_end] = [1] * (code.src_end - code.src_start)
            kept[1][code.dest_start : code.dest_end] = [1] * (code.dest_end - code.dest_start)
    ends = [[0, *accumulate(map(len, lines))] for lines in (source, answers)]
    left, right = (
        [sum(own[a:b]) / max(b - a, 1) for a, b in pairwise(places)]
        for own, places in zip(kept, ends, strict=True)
    )
    return left, right


def _worth(shared: int, size: int) -> float:
    """Return what it is worth to put lines together, by words shared and words on both sides; 0 at 1 in 6 alike."""
    return 3 * shared - size / 4


class _Code:
    """Writes texts with a character for each word, so that they are compared fast."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, text: str) -> str:
        known = self._known
        # Surrogates are left out.
        return "".join(
            [
                known.setdefault(word, chr(len(known) + 1 + 0x800 * (len(known) > 0xD700)))
                for word in words_of(text)
            ]
        )
