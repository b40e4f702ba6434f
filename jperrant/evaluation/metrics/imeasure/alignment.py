"""Exact alignment of three texts, as the I-measure uses it.

Felice and Briscoe, "Towards a standard evaluation method for grammatical error detection and correction" (NAACL
2015), section 4: source, hypothesis and reference are aligned so that the sum of the costs of their three pairs is
least, where a match costs 0, a gap 2 and a mismatch 3. Of equal alignments the one whose columns, from the last to
the first, come first in the order of ``MOVES`` is taken, which is what the published program's trace-back does.

Many alignments are computed at once: cells (i, j, k) of one sum i + j + k depend only on cells of smaller sums,
so a whole plane of them, for all problems of a batch, is one array operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from jperrant.evaluation.metrics.imeasure.pairs import align_pairs

GAP = 2
MISMATCH = 3
#: The columns by what they take from source, hypothesis and reference, in the order of preference.
MOVES = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
#: For texts of which two are equal: what a column of both and of the other text is for the three.
_OF_PAIRS = {(0, 1): (0, 1, 6), (0, 2): (0, 2, 5), (1, 2): (0, 3, 4)}

#: The most cells of a batch; one byte each is kept, and three planes of 2 or 4 bytes.
BATCH_CELLS = 1 << 23
#: The most cells of one problem; about 430 words on each side, a second of computing.
MOST_CELLS = 1 << 28

IntArray: TypeAlias = npt.NDArray[np.signedinteger[Any]]


class Triple(NamedTuple):
    """Three texts to align."""

    source: tuple[str, ...]
    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]


def is_too_long(triple: Triple) -> bool:
    """Return whether three texts are too long to be aligned at once."""
    i, j, k = (len(text) for text in _without_common_end(triple)[0])
    return (i + j + k + 1) * (i + 1) * (j + 1) > MOST_CELLS and _equal_sides(triple) is None


def align_all(triples: Sequence[Triple]) -> list[list[int]]:
    """Return the columns of each alignment, first to last, as indices of ``MOVES``.

    Args:
        triples: Texts of any length; each is aligned on its own, whatever the others are.
    """
    cut = [_without_common_end(triple) for triple in triples]
    columns: dict[Triple, list[int]] = {core: [] for core, _ in cut}
    kinds: dict[tuple[int, int] | None, list[Triple]] = {}
    for core in columns:
        if is_too_long(core):
            columns[core] = _align_long(core)
        elif any(core):
            kinds.setdefault(_equal_sides(core), []).append(core)
    for kind, cores in kinds.items():
        for batch in _batches(cores):
            aligned = _align_batch(batch) if kind is None else _align_pairs(batch, kind)
            columns.update(zip(batch, aligned, strict=True))
    return [columns[core] + [0] * tail for core, tail in cut]


def _align_long(triple: Triple) -> list[int]:
    """Return the columns of texts that are too long, cut in two at the word that all share nearest the middle.

    Without such a word each text is cut in its middle.
    """
    middle = len(triple.source) / 2
    with_hypothesis, with_reference = (_matches(triple.source, text) for text in triple[1:])
    shared = with_hypothesis.keys() & with_reference.keys()
    if not shared:
        halves = [(text[: len(text) // 2], text[len(text) // 2 :]) for text in triple]
        left, right = (Triple(*side) for side in zip(*halves, strict=True))
        return [move for moves in align_all([left, right]) for move in moves]
    p = min(shared, key=lambda place: (abs(place - middle), place))
    places = (p, with_hypothesis[p], with_reference[p])
    left = Triple(*(text[:place] for text, place in zip(triple, places, strict=True)))
    right = Triple(*(text[place + 1 :] for text, place in zip(triple, places, strict=True)))
    first, second = align_all([left, right])
    return [*first, 0, *second]


def _matches(source: Sequence[str], text: Sequence[str]) -> dict[int, int]:
    """Return the places of source words with those of the equal words of a text that they are aligned with."""
    blocks = Levenshtein.opcodes(source, text)
    return {
        block.src_start + offset: block.dest_start + offset
        for block in blocks
        if block.tag == "equal"
        for offset in range(block.src_end - block.src_start)
    }


def _equal_sides(triple: Triple) -> tuple[int, int] | None:
    """Return which two texts are equal, or None if none are."""
    return next((pair for pair in _OF_PAIRS if triple[pair[0]] == triple[pair[1]]), None)


def _align_pairs(triples: Sequence[Triple], equal: tuple[int, int]) -> list[list[int]]:
    numbers = _token_numbers(triples)
    first, other = equal[0], 3 - sum(equal)
    lengths = [(len(triple[first]), len(triple[other])) for triple in triples]
    moves = _OF_PAIRS[equal]
    aligned = align_pairs(numbers[first], numbers[other], lengths)
    return [[moves[step] for step in steps] for steps in aligned]


def _without_common_end(triple: Triple) -> tuple[Triple, int]:
    """Return the texts without the tokens that all three end in, and how many these are.

    The trace-back takes these as matches: with a gap of 2 and a mismatch of 3 no alignment is cheaper than one that
    matches equal last tokens, and a column without a gap is preferred.
    """
    shortest = min(len(text) for text in triple)
    source, hypothesis, reference = triple
    tail = 0
    while tail < shortest and source[-1 - tail] == hypothesis[-1 - tail] == reference[-1 - tail]:
        tail += 1
    return Triple(*(text[: len(text) - tail] for text in triple)), tail


def _batches(triples: Sequence[Triple]) -> Iterator[list[Triple]]:
    """Yield the triples in batches of about equal lengths."""
    batch: list[Triple] = []
    widest = [0, 0, 0]
    for triple in sorted(triples, key=lambda triple: [len(text) for text in triple]):
        wider = [max(w, len(text)) for w, text in zip(widest, triple, strict=True)]
        if batch and (len(batch) + 1) * (sum(wider) + 1) * (wider[0] + 1) * (wider[1] + 1) > BATCH_CELLS:
            yield batch
            batch, wider = [], [len(text) for text in triple]
        batch.append(triple)
        widest = wider
    if batch:
        yield batch


def _align_batch(triples: Sequence[Triple]) -> list[list[int]]:
    codes = _best_moves(*_token_numbers(triples))
    return [_trace_back(codes[:, b], triple) for b, triple in enumerate(triples)]


def _token_numbers(triples: Sequence[Triple]) -> list[npt.NDArray[np.int32]]:
    """Return the tokens as numbers, for each side an array of shape (problems, longest text)."""
    numbers: dict[str, int] = {}
    sides = []
    for texts in zip(*triples, strict=True):
        side = np.full((len(triples), max(len(text) for text in texts)), -1, dtype=np.int32)
        for b, text in enumerate(texts):
            side[b, : len(text)] = [numbers.setdefault(token, len(numbers)) for token in text]
        sides.append(side)
    return sides


def _best_moves(
    source: npt.NDArray[np.int32], hypothesis: npt.NDArray[np.int32], reference: npt.NDArray[np.int32]
) -> npt.NDArray[np.uint8]:
    """Return the move into each cell, shape (planes, problems, i, j); plane d holds the cells of k = d − i − j.

    A cell holds 8 times its cost plus its move, so that the least number is the least cost and of equal ones the
    move that is preferred.
    """
    problems, n_source = source.shape
    n_hypothesis, n_reference = hypothesis.shape[1], reference.shape[1]
    planes = n_source + n_hypothesis + n_reference + 1
    short = planes * 8 * 2 * GAP < 29_000
    dtype: type[np.signedinteger[Any]] = np.int16 if short else np.int32
    infinite = 30_000 if short else 1 << 29
    shape = (problems, n_source + 1, n_hypothesis + 1)
    moves = np.zeros((planes, *shape), dtype=np.uint8)
    sums = np.add.outer(np.arange(n_source + 1), np.arange(n_hypothesis + 1))
    pair = (8 * MISMATCH * (source[:, :, None] != hypothesis[:, None, :])).astype(dtype)
    window = _reference_windows(reference, n_source, n_hypothesis)
    empty = np.full(shape, infinite, dtype=dtype)
    before = [empty, empty, empty]  # planes d − 1, d − 2, d − 3
    for d in range(planes):
        # Rows and columns outside these have k > n_reference: nothing follows from them.
        rows = slice(max(0, d - n_hypothesis - n_reference - 1), min(n_source, d) + 1)
        columns = slice(max(0, d - n_source - n_reference - 1), min(n_hypothesis, d) + 1)
        part = _plane(
            [plane[:, rows, columns] for plane in before],
            pair[:, rows.start : rows.stop - 1, columns.start : columns.stop - 1],
            source[:, rows.start : rows.stop - 1],
            hypothesis[:, columns.start : columns.stop - 1],
            window(d)[:, rows, columns],
            dtype,
        )
        if d == 0:
            part[:, 0, 0] = 0
        moves[d, :, rows, columns] = part & 7
        part &= ~7
        part[:, sums[rows, columns] > d] = infinite
        plane = empty.copy()
        plane[:, rows, columns] = part
        before = [plane, *before[:2]]
    return moves


def _plane(
    before: Sequence[IntArray],
    pair: IntArray,
    source: npt.NDArray[np.int32],
    hypothesis: npt.NDArray[np.int32],
    reference: npt.NDArray[np.int32],
    dtype: type[np.signedinteger[Any]],
) -> IntArray:
    """Return one plane from the three before it.

    Args:
        before: The planes d − 1, d − 2 and d − 3, shape (problems, i, j).
        pair: 8 · cost of aligning source and hypothesis tokens.
        source, hypothesis: Their tokens.
        reference: At (problem, i, j) the token k − 1 of the reference, k = d − i − j.
        dtype: Of the result.
    """
    first, second, third = before
    from_source = (8 * MISMATCH * (source[:, :, None] != reference[:, 1:, :])).astype(dtype)
    from_hypothesis = (8 * MISMATCH * (hypothesis[:, None, :] != reference[:, :, 1:])).astype(dtype)
    alone = 8 * 2 * GAP
    plane: IntArray = first + (alone + 6)
    inner, rows, columns = plane[:, 1:, 1:], plane[:, 1:, :], plane[:, :, 1:]
    np.minimum(rows, first[:, :-1, :] + (alone + 4), out=rows)
    np.minimum(columns, first[:, :, :-1] + (alone + 5), out=columns)
    np.minimum(columns, second[:, :, :-1] + from_hypothesis + (alone + 3), out=columns)
    np.minimum(rows, second[:, :-1, :] + from_source + (alone + 2), out=rows)
    np.minimum(inner, second[:, :-1, :-1] + pair + (alone + 1), out=inner)
    np.minimum(
        inner, third[:, :-1, :-1] + pair + from_source[:, :, 1:] + from_hypothesis[:, 1:, :], out=inner
    )
    return plane


def _reference_windows(
    reference: npt.NDArray[np.int32], n_source: int, n_hypothesis: int
) -> Callable[[int], npt.NDArray[np.int32]]:
    """Return a function of d that gives token d − i − j − 1 of each reference at (problem, i, j).

    Outside the reference it gives a number that no token has. The result is a view: along i and along j it goes
    back by one token.
    """
    problems, length = reference.shape
    width = n_source + n_hypothesis
    padded = np.full((problems, width + 1 + length + width), -2, dtype=np.int32)
    padded[:, width + 1 : width + 1 + length] = reference
    by_problem, by_token = padded.strides
    strides = (by_problem, -by_token, -by_token)

    def window(d: int) -> npt.NDArray[np.int32]:
        start = padded[:, width + d :]
        return np.lib.stride_tricks.as_strided(
            start, (problems, n_source + 1, n_hypothesis + 1), strides, writeable=False
        )

    return window


def _trace_back(codes: npt.NDArray[np.uint8], triple: Triple) -> list[int]:
    """Return the moves of one problem from its moves into each cell, shape (planes, i, j)."""
    i, j, k = (len(text) for text in triple)
    height, width = codes.shape[1:]
    cells = codes.tobytes()
    moves = []
    while i or j or k:
        move = cells[((i + j + k) * height + i) * width + j]
        moves.append(move)
        step = MOVES[move]
        i, j, k = i - step[0], j - step[1], k - step[2]
    moves.reverse()
    return moves
