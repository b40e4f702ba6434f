"""Merges the operations of a Chinese alignment into edits by ChERRANT's rules (Zhang et al. 2022).

Neighbouring operations are first merged into pieces. Then two pieces around a run of matches become one edit if
they are a move. Finally, pieces lose what both of their sides begin or end with. At word level, two things
differ from ChERRANT: words that together have the same number of similar characters are one piece, whatever
their boundaries (``工 做`` → ``工作``), and a punctuation mark beside changed words is a piece of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from jperrant.alignment.tokens import Alignment, AlignmentCosts, Operation, align_tokens
from jperrant.core.values import Sentence, Span
from jperrant.langpacks.zh.han import character_cost, is_punctuation, similarity

#: The longest span that is searched for a move with a small change in it.
_LONGEST_MOVE = 80
#: The most pieces, including matches, that are tried as one move.
_MOST_PIECES = 8
#: The most characters that a move across words may also change: one on each side.
_EXCHANGED = 2
#: The costs of character alignment, as in the pack.
_COSTS = AlignmentCosts(ignore_case=False)
#: The kinds of pieces that are changes.
_CHANGED = frozenset("DIS")
#: The most operations of a run that are tried as one misspelling.
_WIDEST = 6


class _Piece(NamedTuple):
    """A stretch of both sentences: matches (``M``), a transposition (``T``) or a change (``D``, ``I``, ``S``)."""

    kind: str
    span: Span


_Run = Sequence[Operation]


def merge_characters(_: tuple[Span, ...], alignment: Alignment) -> tuple[Span, ...]:
    """Return the spans of the edits of a character alignment."""
    return _edits(alignment, lambda run: _merged(run, split_substitutions=False))


def merge_words(_: tuple[Span, ...], alignment: Alignment) -> tuple[Span, ...]:
    """Return the spans of the edits of a word alignment."""

    def pieces(run: _Run) -> Iterator[_Piece]:
        if {op.op for op in run} in ({"D"}, {"I"}):
            yield from _merged(run, split_substitutions=True)
            return
        for part in _parts(run, alignment):
            yield from part if isinstance(part, tuple) else _merged(part, split_substitutions=True)

    return _edits(alignment, pieces, across_words=True)


def _edits(
    alignment: Alignment, pieces_of: Callable[[_Run], Iterator[_Piece]], across_words: bool = False
) -> tuple[Span, ...]:
    source, target = [t.form for t in alignment.source.tokens], [t.form for t in alignment.target.tokens]
    pieces: list[_Piece] = []
    for kind, group in groupby(alignment.operations, key=lambda op: op.op[0] if op.op[0] in "MT" else ""):
        run = list(group)
        if kind == "T":
            pieces += [_Piece("T", op.span) for op in run]
        elif kind == "M":
            pieces.append(_joined("M", run))
        else:
            pieces += pieces_of(run)
    pieces = list(_with_moves(pieces, source, target))
    if across_words:
        pieces = list(_with_moves_across_words(pieces, source, target))
    changed = [
        (kind, span) for kind, span in pieces if kind != "M" and len({*_texts(span, source, target)}) == 2
    ]
    return tuple([_shed(span, source, target) if kind == "S" else span for kind, span in changed])


def _joined(kind: str, run: _Run) -> _Piece:
    return _Piece(kind, _from_to(run[0].span, run[-1].span))


def _merged(run: _Run, split_substitutions: bool) -> Iterator[_Piece]:
    """Yield the pieces of a run.

    It is one piece, except that deletions beside insertions stay separate, and so do substituted words.
    """
    kinds = {op.op for op in run}
    if kinds == {"D", "I"} or (split_substitutions and kinds == {"S"}):
        yield from [_joined(op.op, [op]) for op in run]
    else:
        yield _joined(kinds.pop() if len(kinds) == 1 else "S", run)


# Moves


def _with_moves(pieces: Sequence[_Piece], source: list[str], target: list[str]) -> Iterator[_Piece]:
    """Yield the pieces; two that are the two ends of a move are joined, with the matches between them."""
    at = 0
    while at < len(pieces):
        three = pieces[at : at + 3]
        if len(three) == 3 and _is_move(three, source, target):
            yield _Piece("T", _from_to(three[0].span, three[2].span))
            at += 3
        else:
            yield pieces[at]
            at += 1


def _is_move(three: Sequence[_Piece], source: list[str], target: list[str]) -> bool:
    """Whether the outer pieces swap places (S M S), or one moves over the middle (D M I, I M D)."""
    kinds = "".join([piece.kind for piece in three])
    if kinds not in ("SMS", "DMI", "IMD", "DTI", "ITD"):
        return False
    left, new_left = _texts(three[0].span, source, target)
    right, new_right = _texts(three[2].span, source, target)
    if kinds == "SMS":
        return _swap(left, right, new_left, new_right)
    return _went_over(left or right, new_left or new_right)


def _with_moves_across_words(
    pieces: Sequence[_Piece], source: list[str], target: list[str]
) -> Iterator[_Piece]:
    """Yield the pieces; those that together are a move of characters are joined.

    The moved text need not consist of whole words on both sides: 见 他 之后 过 → 见过 他 之后,
    每 都 互相 天 → 每天 都 互相.
    """
    at = 0
    while at < len(pieces):
        first, end = pieces[at], at + 1
        if first.kind in _CHANGED and not _same_characters(first.span, source, target):
            for last in range(at + 1, min(at + _MOST_PIECES, len(pieces))):
                if pieces[last].kind == "T":
                    break
                span = _from_to(first.span, pieces[last].span)
                if pieces[last].kind != "M" and _moves_across_words(span, source, target):
                    first, end = _Piece("T", span), last + 1
                    break
        yield first
        at = end


def _from_to(first: Span, last: Span) -> Span:
    return Span(first.start, last.end, first.target_start, last.target_end)


def _sides(span: Span, source: list[str], target: list[str]) -> tuple[list[str], list[str]]:
    return source[span.start : span.end], target[span.target_start : span.target_end]


def _texts(span: Span, source: list[str], target: list[str]) -> tuple[str, str]:
    left, right = _sides(span, source, target)
    return "".join(left), "".join(right)


def _same_characters(span: Span, source: list[str], target: list[str]) -> bool:
    """Whether a piece only reorders its characters (绍介 → 介绍)."""
    left, right = _texts(span, source, target)
    return sorted(left) == sorted(right)


def _moves_across_words(span: Span, source: list[str], target: list[str]) -> bool:
    """Whether a stretch differs by a move of characters, which need not be the same words on both sides."""
    left, right = _sides(span, source, target)
    if min(len(left), len(right)) < 2:
        return False
    changed = Counter("".join(left))
    changed.subtract("".join(right))
    if any([abs(count) > 1 for count in changed.values()]) or sum(map(abs, changed.values())) > _EXCHANGED:
        return False
    if not any(changed.values()):
        return True
    return moved(tuple(left), tuple(right)) and _one_edit_of_characters("".join(left), "".join(right))


@lru_cache(maxsize=10_000)
def _one_edit_of_characters(text: str, other: str) -> bool:
    """Whether two texts differ by a single edit at character level."""
    source, target = [Sentence.from_forms(list(side)) for side in _without_shared_ends(text, other)]
    alignment = align_tokens(source, target, _COSTS, substitution=character_cost)
    return len(merge_characters((), alignment)) == 1


def _swap(left: str, right: str, new_left: str, new_right: str) -> bool:
    if min(map(len, (left, right, new_left, new_right))) == 1:
        return left == new_right and right == new_left
    return _nearly(left, new_right) and _nearly(right, new_left)


def _went_over(text: str, other: str) -> bool:
    """Whether two texts can be one moved text: they are equal up to a rotation or a change of one character."""
    if abs(len(text) - len(other)) > 1 or _lone_mark(text) or _lone_mark(other):
        return False
    if min(len(text), len(other)) == 1:
        return text == other
    return _nearly(text, other) or (len(text) == len(other) and other in text + text)


def _nearly(text: str, other: str) -> bool:
    return Levenshtein.distance(text, other, score_cutoff=1) <= 1


def _lone_mark(text: str) -> bool:
    return len(text) == 1 and is_punctuation(text)


@lru_cache(maxsize=10_000)
def moved(source: tuple[str, ...], target: tuple[str, ...]) -> bool:
    """Whether an edit is a move, by the rules that join the pieces of a move."""
    text, other = _without_shared_ends("".join(source), "".join(target))
    if sorted(text) == sorted(other):
        return True
    n, m = len(text), len(other)
    if abs(n - m) > 2 or max(n, m) > _LONGEST_MOVE:
        return False
    for i in range(1, n):
        # A text at the beginning of one side is at the end of the other.
        if other.startswith(text[i:]) and _went_over(text[:i], other[n - i :]):
            return True
        if other.endswith(text[:i]) and _went_over(text[i:], other[: m - i]):
            return True
    return any([_swapped_around(text, other, i, j) for i in range(1, n - 1) for j in range(i + 1, n)])


def _without_shared_ends(text: str, other: str) -> tuple[str, str]:
    """Return two texts without their common prefix and suffix."""
    start = Prefix.similarity(text, other)
    end = Postfix.similarity(text[start:], other[start:])
    return text[start : len(text) - end], other[start : len(other) - end]


def _swapped_around(text: str, other: str, start: int, end: int) -> bool:
    """Whether the texts before and after a stretch swap places in the other text."""
    for first in range(max(1, len(text) - end - 1), len(text) - end + 2):  # one character may differ
        middle = first + end - start
        if (
            middle < len(other)
            and other[first:middle] == text[start:end]
            and _swap(text[:start], text[end:], other[:first], other[middle:])
        ):
            return True
    return False


# Words


def _parts(run: _Run, alignment: Alignment) -> Iterator[_Run | tuple[_Piece, ...]]:
    """Yield the pieces that are certain, and the rest of the run between them."""
    source, target = [t.form for t in alignment.source.tokens], [t.form for t in alignment.target.tokens]
    texts = [_texts(op.span, source, target) for op in run]
    begun = at = 0
    while at < len(run):
        width = _certain(texts[at:])
        if not width:
            at += 1
            continue
        if begun < at:
            yield run[begun:at]
        kind = run[at].op if width == 1 else "S"
        yield (_joined(kind, run[at : at + width]),)
        begun = at = at + width
    if begun < len(run):
        yield run[begun:]


def _certain(texts: Sequence[tuple[str, str]]) -> int:
    """Return how many operations at the start of a run are certainly an edit of their own; 0 for none.

    These are the fewest whose two sides have the same or similar characters; or the first, if its two words
    share half of their characters; or the first, if it is punctuation and others are not.
    """
    if _half_equal(*texts[0]):
        return 1
    text = other = ""
    for width, (a, b) in enumerate(texts[:_WIDEST], start=1):
        text, other = text + a, other + b
        if text and (text == other or similarity(text, other)[2]):
            return width
    if len(texts) > 1 and _only_punctuation(texts[0]) and not all(map(_only_punctuation, texts)):
        return 1
    return 0


def _half_equal(text: str, other: str) -> bool:
    """Whether two words of several characters have at least half of them in common, place by place."""
    same = sum([a == b for a, b in zip(text, other, strict=False)])
    return len(text) == len(other) > 1 and 2 * same >= len(text)


def _only_punctuation(texts: tuple[str, str]) -> bool:
    return all([not text or is_punctuation(text) for text in texts])


# Common beginnings and ends


def _shed(span: Span, source: list[str], target: list[str]) -> Span:
    """Return the span without the tokens that spell a common prefix or suffix of both sides."""
    start, end, target_start, target_end = span
    size, target_size = _shared(source[start:end], target[target_start:target_end])
    start, target_start = start + size, target_start + target_size
    size, target_size = _shared(
        [form[::-1] for form in reversed(source[start:end])],
        [form[::-1] for form in reversed(target[target_start:target_end])],
    )
    return Span(start, end - size, target_start, target_end - target_size)


def _shared(source: Sequence[str], target: Sequence[str]) -> tuple[int, int]:
    """Return how many tokens of each side spell their longest common prefix."""
    ends = {len("".join(source[:i])): i for i in range(len(source) + 1)}
    other_ends = {len("".join(target[:j])): j for j in range(len(target) + 1)}
    longest = Prefix.similarity("".join(source), "".join(target))
    end = max(end for end in ends if end <= longest and end in other_ends)
    return ends[end], other_ends[end]
