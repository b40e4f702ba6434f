"""I-measure: the improvement of a system over leaving the text unchanged.

Felice and Briscoe (2015), "Towards a standard evaluation method for grammatical error detection and correction".
Source, hypothesis and reference are aligned with the least sum of the costs of their three pairs: 0 for a match, 2
for a gap, 3 for a mismatch (section 4). Among equal alignments, the order of ``MOVES`` decides from the last column
backwards, like the trace-back of the published program. Cells (i, j, k) of the three-dimensional table depend only
on cells with a smaller i + j + k, so all cells with one sum, for a whole batch, are computed in one array
operation.

Each column of the alignment counts (section 5): a true negative if all texts agree; a false positive if only the
hypothesis differs; a false negative if only the reference differs; a true positive if only the source differs; and
both a false positive and a false negative (``fpn``) if all differ: an error that was detected but corrected
wrongly.

Each sentence is scored against its best annotator. The published program can also mix the corrections of several
annotators, up to 10¹³ combinations in a sentence; jperrant does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.messages import CountedNote
from jperrant.core.option import option
from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import Candidate, Candidates, LevelScorer, Pair, Row, SystemCandidates
from jperrant.evaluation.metrics.corrected_texts import REFUSED, corrected_texts, middle_cut
from jperrant.evaluation.metrics.fmeasure import Level, f_measures, ratio
from jperrant.evaluation.metrics.reference_choice import choose_by_keys

GAP = 2
MISMATCH = 3
#: The possible columns: which of source, hypothesis and reference have a token; in the order of preference.
MOVES = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
#: The moves of a reduced problem (see ``_reduced``) as indices of ``MOVES``, by the two texts that are equal.
_OF_PAIRS = {(0, 1): {2: 0, 4: 1, 6: 6}, (0, 2): {2: 0, 4: 2, 6: 5}, (1, 2): {2: 0, 4: 3, 6: 4}}

#: The most cells of a batch: one byte each, and three planes of 2 or 4 bytes a cell.
BATCH_CELLS = 1 << 23
#: The most cells of one problem (256 MB: three texts of about 430 words, or two different ones of 11,500), and
#: those of the pieces of a larger one, so that a line of 25,000 words takes seconds.
MOST_CELLS, MOST_CELLS_OF_A_PIECE = 1 << 28, 1 << 22

IntArray: TypeAlias = npt.NDArray[np.signedinteger[Any]]
TokenArray: TypeAlias = npt.NDArray[np.int32]
#: The weight of TP and FP in the weighted accuracy; TN and FN weigh 1.
WEIGHT = 2
#: The counts of a sentence: those of the hypothesis, then those of the unchanged source.
COLUMNS = ("tp", "tn", "fp", "fn", "fpn", "untouched_tn", "untouched_fn")
VALUES = ("i", "wacc", "precision", "recall", "f")
#: The decimals of the keys for the choice of references.
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Reference:
    """The text of one annotator, and the counts of the unchanged source against it.

    Attributes:
        annotator: The number of the annotator.
        tokens: The corrected tokens.
        untouched: The true negatives and the false negatives of the unchanged source.
    """

    annotator: int
    tokens: tuple[str, ...]
    untouched: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ImeasureScorer(LevelScorer):
    """I-measure: the improvement of a system over leaving the text unchanged.

    Attributes:
        level: ``corpus`` sums counts over sentences; ``sentence`` takes the mean of the sentences' values.

    Raises:
        UsageError: An option is not among its choices.
    """

    level: Level = option("corpus", "Summed counts, or the mean of sentence values.")

    name: ClassVar[str] = "imeasure"
    counts: ClassVar[tuple[str, ...]] = ("tp", "tn", "fp", "fn", "fpn")
    summed: ClassVar[tuple[str, ...]] = COLUMNS
    measured: ClassVar[tuple[str, ...]] = VALUES
    main: ClassVar[str] = "i"
    needs_edits: ClassVar[bool] = False
    refuses: ClassVar[tuple[str, ...]] = REFUSED
    needs_corpus: ClassVar[bool] = False

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature."""
        return (f"lvl:{self.level}",)

    def prepare(self, references: Sequence[Block], first: int = 1) -> list[list[Reference]]:
        """Return the text of each annotator, with the counts of the unchanged source."""
        texts = _reference_texts(references, first)
        triples = [
            Triple(block.source, block.source, text)
            for block, sentence in zip(references, texts, strict=True)
            for _, text in sentence
        ]
        aligned = zip(triples, align_all(triples), strict=True)
        prepared = []
        for sentence in texts:
            counts = [count_columns(*next(aligned)) for _ in sentence]
            prepared.append([Reference(*ref, (c[1], c[3])) for ref, c in zip(sentence, counts, strict=True)])
        return prepared

    def candidates(
        self, pairs: Sequence[Pair], prepared: Sequence[list[list[Reference]]]
    ) -> list[SystemCandidates]:
        """Return the counts of every hypothesis against every reference."""
        return [self._of_pair(pair, references) for pair, references in zip(pairs, prepared, strict=True)]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return the best candidate of each sentence; see :func:`preferences`."""
        return choose_by_keys(candidates, preferences, len(COLUMNS))

    def measure(self, counts: FloatArray) -> dict[str, FloatArray]:
        """Return ``i`` in −1 … 1, and ``wacc``, ``precision``, ``recall`` and ``f`` in 0 … 1."""
        return imeasure(counts)

    def _of_pair(self, pair: Pair, references: Sequence[Sequence[Reference]]) -> SystemCandidates:
        texts = corrected_texts(pair.hypothesis, pair.name, pair.first)
        triples = [
            [
                (number, ref, Triple(block.source, text, ref.tokens))
                for number, text in sentence
                for ref in those
            ]
            for block, sentence, those in zip(pair.references, texts, references, strict=True)
        ]
        moves = iter(align_all([triple for sentence in triples for _, _, triple in sentence]))
        candidates = [
            [
                Candidate(n, ref.annotator, self._row((*count_columns(triple, next(moves)), *ref.untouched)))
                for n, ref, triple in sentence
            ]
            for sentence in triples
        ]
        long = [
            n for n, those in enumerate(triples, start=pair.first) if any(is_too_long(t) for _, _, t in those)
        ]
        return SystemCandidates(candidates, _too_long(long))

    def _row(self, counts: Row) -> Row:
        if self.level == "corpus":
            return counts
        values = imeasure(np.array(counts, dtype=np.float64))
        return (*counts, *(float(values[name]) for name in VALUES), 1)


def _reference_texts(references: Sequence[Block], first: int) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Return the corrected tokens of each annotator; those of the source for an annotator who deletes everything.

    Annotators of NUCLE deleted sentences that they could not correct.
    """
    texts = corrected_texts(references, "references", first)
    return [
        [(number, text or block.source) for number, text in sentence]
        for block, sentence in zip(references, texts, strict=True)
    ]


def _too_long(sentences: Sequence[int]) -> tuple[str, ...]:
    if not sentences:
        return ()
    line = (
        "too long to align at once, first sentence {first} (counted from 1); cut at words that source, hypothesis "
        "and reference share, so another alignment may have lower costs"
    )
    one, many = f"{{count}} sentence is {line}", f"{{count}} sentences are {line}"
    return (CountedNote(len(sentences), one, many, sentences[0]),)


def count_columns(triple: Triple, moves: Sequence[int]) -> tuple[int, int, int, int, int]:
    """Return tp, tn, fp, fn and fpn of an alignment.

    Args:
        triple: Source, hypothesis and reference.
        moves: The columns of the alignment, as indices of ``MOVES``.
    """
    source, hypothesis, reference = triple
    i = j = k = 0
    tp = tn = fp = fn = fpn = 0
    for move in moves:
        step = MOVES[move]
        s = source[i] if step[0] else None
        h = hypothesis[j] if step[1] else None
        r = reference[k] if step[2] else None
        i, j, k = i + step[0], j + step[1], k + step[2]
        if s == h:
            if s == r:
                tn += 1
            else:
                fn += 1
        elif s == r:
            fp += 1
        elif h == r:
            tp += 1
        else:
            fpn += 1
    return tp, tn, fp + fpn, fn + fpn, fpn


def weighted_accuracy(
    tp: FloatArray, tn: FloatArray, fp: FloatArray, fn: FloatArray, fpn: FloatArray
) -> FloatArray:
    """Return WAcc = (w·TP + TN) / (w·(TP + FP) + TN + FN − (w + 1)·FPN/2), w = 2; 1 for empty texts."""
    return ratio(WEIGHT * tp + tn, WEIGHT * (tp + fp) + tn + fn - (WEIGHT + 1) * fpn / 2, 1.0)


def imeasure(totals: FloatArray) -> dict[str, FloatArray]:
    """Return the values of summed counts.

    ``i`` compares the weighted accuracy x of the system with b, that of the unchanged source: (x − b)/(1 − b) if x
    is greater, x/b − 1 if it is smaller, and 0 if they are equal (1 if both are 1).

    Args:
        totals: The counts, shape ``(…, 7)``, in the order of ``COLUMNS``.

    Returns:
        ``i`` in −1 … 1, and ``wacc``, ``precision``, ``recall``, ``f`` (β = 1) in 0 … 1.
    """
    tp, tn, fp, fn, fpn, untouched_tn, untouched_fn = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    x = weighted_accuracy(tp, tn, fp, fn, fpn)
    b = ratio(untouched_tn, untouched_tn + untouched_fn, 1.0)
    gain = ratio(x - b, 1.0 - b, 0.0)
    loss = ratio(x, b, 1.0) - 1.0
    i = np.where(x == b, np.floor(x), np.where(x > b, gain, loss))
    return {"i": i, "wacc": x, **f_measures(tp, fp, fn, 1.0)}


def preferences(counts: FloatArray) -> FloatArray:
    """Return the keys for the choice of the reference, compared from left to right; greater is better.

    The keys are weighted accuracy, I and accuracy of correction, then the same figures of detection, which counts
    any change of an error as right. Keys are rounded, so that equal figures compare equal.

    Args:
        counts: The counts, shape ``(candidates, 7)``, in the order of ``COLUMNS``.

    Returns:
        The keys, shape ``(candidates, 6)``.
    """
    tp, tn, fp, fn, fpn, *untouched = counts.T
    columns = tp + tn + fp + fn - fpn
    keys = []
    for right, wrong, missed, both in ((tp, fp, fn, fpn), (tp + fpn, fp - fpn, fn - fpn, np.zeros_like(fpn))):
        values = imeasure(np.stack([right, tn, wrong, missed, both, *untouched], axis=-1))
        keys += [values["wacc"], values["i"], ratio(right + tn, columns, 1.0)]
    rounded: FloatArray = np.stack(keys, axis=-1).round(_DIGITS)
    return rounded


class Triple(NamedTuple):
    """Three texts to align."""

    source: tuple[str, ...]
    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]


def is_too_long(triple: Triple, most: int = MOST_CELLS) -> bool:
    """Whether the alignment of three texts has more than ``most`` cells."""
    core, _ = _without_common_end(triple)
    i, j, k = (len(text) for text in _reduced(core, _equal_sides(core)))
    return (i + j + k + 1) * (i + 1) * (j + 1) > most


def align_all(triples: Sequence[Triple], most: int = MOST_CELLS) -> list[list[int]]:
    """Return the columns of each alignment, first to last, as indices of ``MOVES``.

    Args:
        triples: The texts; alignments do not depend on each other.
        most: The most cells of an alignment; larger ones are cut in pieces.
    """
    cut = [_without_common_end(triple) for triple in triples]
    columns: dict[Triple, list[int]] = {core: [] for core, _ in cut}
    kinds: dict[tuple[int, int] | None, dict[Triple, Triple]] = {}
    for core in columns:
        if is_too_long(core, most):
            columns[core] = _align_long(core)
        elif any(core):
            equal = _equal_sides(core)
            kinds.setdefault(equal, {})[_reduced(core, equal)] = core
    for equal, cores in kinds.items():
        for batch in _batches(list(cores)):
            for texts, moves in zip(batch, _align_batch(batch, equal), strict=True):
                columns[cores[texts]] = moves
    return [columns[core] + [0] * tail for core, tail in cut]


def _align_long(triple: Triple) -> list[int]:
    """Return the columns of texts that are too long, which are cut in two."""
    cuts = middle_cut(*triple)
    left = Triple(*(text[:cut] for text, cut in zip(triple, cuts, strict=True)))
    right = Triple(*(text[cut:] for text, cut in zip(triple, cuts, strict=True)))
    return [move for half in (left, right) for move in align_all([half], MOST_CELLS_OF_A_PIECE)[0]]


def _equal_sides(triple: Triple) -> tuple[int, int] | None:
    """Return the indices of two equal texts; None if all differ."""
    return next((pair for pair in _OF_PAIRS if triple[pair[0]] == triple[pair[1]]), None)


def _reduced(triple: Triple, equal: tuple[int, int] | None) -> Triple:
    """Return the texts of a reduced problem: if two texts are equal, one of them, an empty text, and the third.

    In the best alignment equal texts stay side by side, so two texts remain to be aligned: a match costs 0, a
    mismatch 2 · 3, a gap 2 · 2. The order of preference of columns is the same as for three texts.
    """
    return triple if equal is None else Triple(triple[equal[0]], (), triple[3 - sum(equal)])


def _without_common_end(triple: Triple) -> tuple[Triple, int]:
    """Return the texts without their common last tokens, and the number of these.

    The trace-back always matches common last tokens: with these costs no alignment is cheaper, and a column without
    gaps is preferred.
    """
    shortest = min(len(text) for text in triple)
    source, hypothesis, reference = triple
    tail = 0
    while tail < shortest and source[-1 - tail] == hypothesis[-1 - tail] == reference[-1 - tail]:
        tail += 1
    return Triple(*(text[: len(text) - tail] for text in triple)), tail


def _batches(triples: Sequence[Triple]) -> Iterator[list[Triple]]:
    """Yield batches of triples of similar lengths."""
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


def _align_batch(triples: Sequence[Triple], equal: tuple[int, int] | None) -> list[list[int]]:
    codes = _best_moves(*_token_numbers(triples), paired=equal is not None)
    names = range(len(MOVES)) if equal is None else _OF_PAIRS[equal]
    return [
        [names[move] for move in _trace_back(codes[:, b], [len(text) for text in triple])]
        for b, triple in enumerate(triples)
    ]


def _token_numbers(triples: Sequence[Triple]) -> list[TokenArray]:
    """Return the tokens of each side as numbers, shape (problems, longest text), padded with -1."""
    numbers: dict[str, int] = {}
    sides = []
    for texts in zip(*triples, strict=True):
        side = np.full((len(triples), max(len(text) for text in texts)), -1, dtype=np.int32)
        for b, text in enumerate(texts):
            side[b, : len(text)] = [numbers.setdefault(token, len(numbers)) for token in text]
        sides.append(side)
    return sides


def _best_moves(
    source: TokenArray, hypothesis: TokenArray, reference: TokenArray, *, paired: bool
) -> npt.NDArray[np.uint8]:
    """Return the move into each cell, shape (planes, problems, i, j); plane d holds the cells with k = d − i − j.

    A cell is computed as 8 · cost + move, so that the minimum has the least cost, and the preferred move among
    equals. If ``paired``, the problem is reduced: the hypothesis is empty, and the source stands for two equal
    texts.
    """
    gap, mismatch = (0, 2 * MISMATCH) if paired else (2 * GAP, MISMATCH)
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
        # Rows and columns outside these have k > n_reference.
        rows = slice(max(0, d - n_hypothesis - n_reference - 1), min(n_source, d) + 1)
        columns = slice(max(0, d - n_source - n_reference - 1), min(n_hypothesis, d) + 1)
        part = _plane(
            [plane[:, rows, columns] for plane in before],
            pair[:, rows.start : rows.stop - 1, columns.start : columns.stop - 1],
            source[:, rows.start : rows.stop - 1],
            hypothesis[:, columns.start : columns.stop - 1],
            window(d)[:, rows, columns],
            8 * gap,
            dtype(8 * mismatch),
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
    source: TokenArray,
    hypothesis: TokenArray,
    reference: TokenArray,
    gap: int,
    mismatch: np.signedinteger[Any],
) -> IntArray:
    """Return one plane from the three planes before it.

    Args:
        before: The planes d − 1, d − 2 and d − 3, shape (problems, i, j).
        pair: 8 · cost of aligning source and hypothesis tokens, shape (problems, i, j).
        source, hypothesis: The tokens, shapes (problems, i) and (problems, j).
        reference: Token k − 1 of the reference with k = d − i − j, shape (problems, i, j).
        gap: 8 · cost of the gap in a column of a reference token and one other token.
        mismatch: 8 · cost of a mismatch with the reference.
    """
    first, second, third = before
    from_source = mismatch * (source[:, :, None] != reference[:, 1:, :])
    from_hypothesis = mismatch * (hypothesis[:, None, :] != reference[:, :, 1:])
    alone = 8 * 2 * GAP
    plane: IntArray = first + (alone + 6)
    inner, rows, columns = plane[:, 1:, 1:], plane[:, 1:, :], plane[:, :, 1:]
    np.minimum(rows, first[:, :-1, :] + (alone + 4), out=rows)
    np.minimum(columns, first[:, :, :-1] + (alone + 5), out=columns)
    np.minimum(columns, second[:, :, :-1] + from_hypothesis + (gap + 3), out=columns)
    np.minimum(rows, second[:, :-1, :] + from_source + (gap + 2), out=rows)
    np.minimum(inner, second[:, :-1, :-1] + pair + (alone + 1), out=inner)
    np.minimum(
        inner, third[:, :-1, :-1] + pair + from_source[:, :, 1:] + from_hypothesis[:, 1:, :], out=inner
    )
    return plane


def _reference_windows(
    reference: TokenArray, n_source: int, n_hypothesis: int
) -> Callable[[int], TokenArray]:
    """Return a function from d to an array with token d − i − j − 1 of each reference at (problem, i, j).

    Outside the reference the array has a number that no token has. It is a view with negative strides.
    """
    problems, length = reference.shape
    width = n_source + n_hypothesis
    padded = np.full((problems, width + 1 + length + width), -2, dtype=np.int32)
    padded[:, width + 1 : width + 1 + length] = reference
    by_problem, by_token = padded.strides
    strides = (by_problem, -by_token, -by_token)

    def window(d: int) -> TokenArray:
        start = padded[:, width + d :]
        return np.lib.stride_tricks.as_strided(
            start, (problems, n_source + 1, n_hypothesis + 1), strides, writeable=False
        )

    return window


def _trace_back(codes: npt.NDArray[np.uint8], lengths: Sequence[int]) -> list[int]:
    """Return the moves of one problem, first to last.

    Args:
        codes: The move into each cell, shape (planes, i, j).
        lengths: The lengths of the three texts.
    """
    _, rows, columns = codes.shape
    cells = np.ascontiguousarray(codes).data.cast("B")
    # The offset in memory of one more token of each text.
    weights = rows * columns + columns, rows * columns + 1, rows * columns
    jumps = [sum(w for w, taken in zip(weights, move, strict=True) if taken) for move in MOVES]
    place = sum(w * length for w, length in zip(weights, lengths, strict=True))
    found = []
    while place:
        found.append(cells[place])
        place -= jumps[found[-1]]
    return found[::-1]
