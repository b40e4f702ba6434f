"""Splits changed stretches into edits: first by spacing, then eojeol by eojeol.

Between two unchanged words, source and target are split into the pieces with the lowest total cost. A piece is
an insertion or deletion of an eojeol, a replacement of one eojeol by another, or several eojeols for one that
differ only in spaces (한국 에 and 한국에) or are nearly equal (안녕 하새요 and 안녕하세요). Neighbouring
replacements remain separate; neighbouring insertions become one edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from jperrant.alignment.tokens import Alignment, Operation
from jperrant.core.values import Span, Token
from jperrant.langpacks.ko.jamo import compose, similarity
from jperrant.langpacks.ko.morphemes import analyse

#: The cost of an eojeol on one side only.
_ALONE = 1.0
#: The costs of replacing an eojeol: base cost, different letters, another class, other content. In total less
#: than a deletion and an insertion.
_OTHER, _LETTERS, _CLASS, _CONTENT = 0.1, 1.0, 0.3, 0.3
#: The cost of each inserted or removed space.
_SPACE = 0.15
#: Limits of a respaced piece that is nearly equal: the lowest similarity by letters, the most eojeols.
_NEARLY, _WIDEST = 0.7, 4
#: The most eojeols of a stretch in which words only move.
_MOVED = 8
#: The most pairs of eojeols of a run that is split here; a larger run keeps its given spans.
_LARGEST = 900


def spans(given: tuple[Span, ...], alignment: Alignment) -> tuple[Span, ...]:
    """Return the spans of the edits.

    Args:
        given: The spans of the merge strategy ``rules``, kept for runs that are too large to be split here.
        alignment: The alignment.
    """
    source, target = alignment.source.tokens, alignment.target.tokens
    found: list[Span] = []
    runs = list(_runs(alignment.operations))
    if len(runs) > 1 and len(source) != len(target):
        # The alignment may have matched the wrong one of repeated words: 가 가 가 → 가 가가.
        whole = Span(runs[0].start, runs[-1].end, runs[0].target_start, runs[-1].target_end)
        if _spells(source, whole.start, whole.end) == _spells(target, whole.target_start, whole.target_end):
            return tuple(_respaced(source, target, whole))
    for run in _with_moves(runs, source, target):
        size, target_size = run.end - run.start, run.target_end - run.target_start
        if not size or not target_size or size == target_size == 1:
            found.append(run)
        elif size * target_size > _LARGEST:
            found += [span for span in given if _inside(span, run)]
        else:
            found += _cut(source, target, run)
    return tuple(found)


def _with_moves(runs: Sequence[Span], source: Sequence[Token], target: Sequence[Token]) -> Iterator[Span]:
    """Yield the runs; those that are the two ends of a move are joined.

    If a verb moves over two or more words, the alignment has a deletion and an insertion: 마셨어요 커피를 저는
    → 저는 커피를 마셨어요.
    """
    at = 0
    while at < len(runs):
        first, end = runs[at], at + 1
        for last in range(at + 1, len(runs)):
            window = Span(first.start, runs[last].end, first.target_start, runs[last].target_end)
            if window.end - window.start > _MOVED:
                break
            if _is_move(source, target, window):
                first, end = window, last + 1
                break
        yield first
        at = end


def _spells(tokens: Sequence[Token], start: int, end: int) -> str:
    return compose("".join([t.form for t in tokens[start:end]]))


def _respaced(source: Sequence[Token], target: Sequence[Token], whole: Span) -> Iterator[Span]:
    """Yield the smallest pieces of two stretches that differ only in spaces."""
    left, right = [compose(t.form) for t in source], [compose(t.form) for t in target]
    i, j = whole.start, whole.target_start
    while i < whole.end:
        end = _equal_stretch(left, right, i, j)
        if end is None:  # a syllable is split across tokens: only the whole is equal
            end = whole.end, whole.target_end
        span = Span(i, end[0], j, end[1])
        if not _is_equal(source, target, span):  # decomposed letters make another token
            yield span
        i, j = end


def _runs(operations: Iterable[Operation]) -> Iterator[Span]:
    """Yield the stretches between matches; each transposition is one of its own."""
    run: list[Operation] = []
    for op in operations:
        if op.op in "SDI":
            run.append(op)
            continue
        if run:
            yield _span(run)
            run = []
        if op.op != "M":
            yield op.span
    if run:
        yield _span(run)


def _span(run: Sequence[Operation]) -> Span:
    first, last = run[0], run[-1]
    return Span(first.start, last.end, first.target_start, last.target_end)


def _inside(span: Span, run: Span) -> bool:
    if span.start < run.start or span.end > run.end:
        return False
    return run.target_start <= span.target_start and span.target_end <= run.target_end


def _cut(source: Sequence[Token], target: Sequence[Token], run: Span) -> Iterator[Span]:
    """Yield the pieces of a run with the lowest cost, without equal words."""
    if _is_move(source, target, run):
        yield run
        return
    n, m = run.end - run.start, run.target_end - run.target_start
    a, b = source[run.start : run.end], target[run.target_start : run.target_end]
    spaced = dict(_spacings(a, b))
    if n == m and not spaced:
        yield from _spans_of(source, target, run, [(i, i) for i in range(n + 1)])
        return
    costs = {(0, 0): 0.0}
    back: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(n + 1):
        for j in range(m + 1):
            if (i, j) == (0, 0):
                continue
            options = list(_pieces(a, b, i, j, spaced))
            costs[i, j], back[i, j] = min((costs[at] + cost, at) for cost, at in options)
    cuts = [(n, m)]
    while cuts[-1] != (0, 0):
        cuts.append(back[cuts[-1]])
    yield from _spans_of(source, target, run, cuts[::-1])


def _is_move(source: Sequence[Token], target: Sequence[Token], run: Span) -> bool:
    """Whether a run only reorders words."""
    forms = [t.form for t in source[run.start : run.end]]
    return sorted(forms) == sorted([t.form for t in target[run.target_start : run.target_end]])


def _pieces(
    a: Sequence[Token], b: Sequence[Token], i: int, j: int, spaced: dict[tuple[int, int], tuple[int, int]]
) -> Iterator[tuple[float, tuple[int, int]]]:
    """Yield the possible pieces that end at a pair of positions: cost and start."""
    if i and j:
        yield _substitution(a[i - 1], b[j - 1]), (i - 1, j - 1)
        if (i, j) in spaced:
            x, y = spaced[i, j]
            yield _SPACE * (i - x + j - y - 2), (x, y)
        for width in range(2, _WIDEST + 1):
            if i >= width:
                yield _nearly(a[i - width : i], b[j - 1 : j]), (i - width, j - 1)
            if j >= width:
                yield _nearly(a[i - 1 : i], b[j - width : j]), (i - 1, j - width)
    if i:
        yield _ALONE, (i - 1, j)
    if j:
        yield _ALONE, (i, j - 1)


def _spacings(a: Sequence[Token], b: Sequence[Token]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the ends and starts of the shortest stretches that differ only in spaces."""
    left, right = [compose(t.form) for t in a], [compose(t.form) for t in b]
    for i in range(len(a)):
        for j in range(len(b)):
            end = _equal_stretch(left, right, i, j)
            if end is not None and end != (i + 1, j + 1):
                yield end, (i, j)


def _equal_stretch(a: Sequence[str], b: Sequence[str], i: int, j: int) -> tuple[int, int] | None:
    """Return the first positions at which the texts of two sequences, from i and j on, are equal; or None."""
    text, other = a[i], b[j]
    while text != other:
        if other.startswith(text) and i + 1 < len(a):
            i += 1
            text += a[i]
        elif text.startswith(other) and j + 1 < len(b):
            j += 1
            other += b[j]
        else:
            return None
    return i + 1, j + 1


@lru_cache(maxsize=50_000)
def _substitution(a: Token, b: Token) -> float:
    """Return the cost of replacing one eojeol by another."""
    if a.form == b.form:
        return 0.0
    one, other = analyse(a), analyse(b)
    if one.is_punctuation != other.is_punctuation:
        return 2 * _ALONE
    unlike = _LETTERS * (1 - similarity(a.form, b.form))
    return (
        _OTHER
        + unlike
        + _CLASS * (one.word_class != other.word_class)
        + _CONTENT * (one.content != other.content)
    )


def _nearly(side: Sequence[Token], other: Sequence[Token]) -> float:
    """Return the cost of several eojeols for one; prohibitive if they are not similar.

    It is prohibitive, too, if some of them alone are equal except for spaces: in 의 이 름 이 → 이름이 the first
    is not part of the piece.
    """
    forms, others = [t.form for t in side], [t.form for t in other]
    text, other_text = "".join(forms), "".join(others)
    never = 2 * _ALONE * (len(side) + len(other))
    if min(len(text), len(other_text)) < _NEARLY * max(len(text), len(other_text)) - 1:
        return never
    letters = similarity(text, other_text)
    if letters < _NEARLY or _part_equal(forms, other_text) or _part_equal(others, text):
        return never
    if _part_is_nearer(forms, other_text, letters) or _part_is_nearer(others, text, letters):
        return never
    return _SPACE * (len(side) + len(other) - 2) + _OTHER + _LETTERS * (1 - letters)


def _part_is_nearer(forms: Sequence[str], text: str, letters: float) -> bool:
    """Whether a text is at least as similar to several words without the first or the last one.

    That word is then an edit of its own: 됑장국은 → 된장국은 이 세상에서 is a misspelling beside missing words.
    """
    if len(forms) == 1:
        return False
    shorter = ("".join(forms[1:]), "".join(forms[:-1]))
    return any([similarity(part, text) >= letters for part in shorter])


def _part_equal(forms: Sequence[str], text: str) -> bool:
    """Whether a text equals the first few, or the last few, of several words, joined."""
    return any(["".join(forms[n:]) == text or "".join(forms[:n]) == text for n in range(1, len(forms))])


def _spans_of(
    source: Sequence[Token], target: Sequence[Token], run: Span, cuts: Sequence[tuple[int, int]]
) -> Iterator[Span]:
    """Yield the spans between cuts, without equal words; neighbouring insertions or deletions are joined."""
    last: Span | None = None
    for (i, j), (k, m) in pairwise(cuts):
        span = Span(run.start + i, run.start + k, run.target_start + j, run.target_start + m)
        if last and _is_one_sided(last) == _is_one_sided(span) != "":
            last = Span(last.start, span.end, last.target_start, span.target_end)
            continue
        if last:
            yield last
        last = None if _is_equal(source, target, span) else span
    if last:
        yield last


def _is_one_sided(span: Span) -> str:
    return "U" if span.target_start == span.target_end else "M" if span.start == span.end else ""


def _is_equal(source: Sequence[Token], target: Sequence[Token], span: Span) -> bool:
    left, right = source[span.start : span.end], target[span.target_start : span.target_end]
    return [t.form for t in left] == [t.form for t in right]
