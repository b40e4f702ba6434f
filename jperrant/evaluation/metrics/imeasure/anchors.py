"""Words at which every alignment with every combination of corrections must match: places to cut a sentence.

Let r be any reference that the clusters combine to, and F(i, j) the cost of aligning the first i source words, the
first j words of the hypothesis and r up to a word that no cluster touches; let B be that of what follows. The word
is an anchor if each way to take it other than matching it with one pair of words (p, q) costs more, for every r:

    F(i, j) + cost + B(i', j')  >  F(p, q) + 0 + B(p + 1, q + 1)

Since the clusters before and after the word combine freely, it is enough to bound F(i, j) − F(p, q) and
B(i', j') − B(p + 1, q + 1) from below, each over its own clusters. Both bounds follow from one step to the next: a
step adds the least over its alternatives of the least cost it can add, less what it costs along the line of matched
words. Sentences may then be cut at anchors and the pieces aligned on their own, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from jperrant.evaluation.metrics.imeasure.alignment import GAP, MISMATCH, MOVES, Triple, align_all
from jperrant.evaluation.metrics.imeasure.clusters import Cluster

#: The most alternatives of steps that are taken as one.
MOST_ALTERNATIVES = 64
#: The most bounds of a sentence, in each direction, of 4 bytes each; about 300 words.
MOST_BOUNDS = 1 << 25

Slice: TypeAlias = npt.NDArray[np.int32]


class Step(NamedTuple):
    """A source word, a cluster, or a place where the hypothesis inserts words.

    Attributes:
        start, end: Its range of the source.
        line_start, line_end: The range of the hypothesis that faces it.
        alternatives: What stands for it in references.
    """

    start: int
    end: int
    line_start: int
    line_end: int
    alternatives: tuple[tuple[str, ...], ...]

    def turned(self, n_source: int, n_hypothesis: int) -> Step:
        """Return the step of the texts read backwards."""
        return Step(
            n_source - self.end,
            n_source - self.start,
            n_hypothesis - self.line_end,
            n_hypothesis - self.line_start,
            tuple(text[::-1] for text in self.alternatives),
        )


def steps_of(source: Sequence[str], hypothesis: Sequence[str], clusters: Sequence[Cluster]) -> list[Step]:
    """Return the steps of a sentence from its first word to its last; they cover both texts.

    What faces what follows a Levenshtein alignment. Any other would give true bounds as well, less close ones.
    """
    before, after = _facing(source, hypothesis)
    steps: list[Step] = []
    position = line = 0
    for index, cluster in enumerate([*clusters, None]):
        for p in range(position, len(source) if cluster is None else cluster.start):
            if line < before[p]:
                steps.append(Step(p, p, line, before[p], ((),)))
            steps.append(Step(p, p + 1, before[p], after[p], ((source[p],),)))
            line = after[p]
        if cluster is not None:
            shared = index + 1 < len(clusters) and clusters[index + 1].start == cluster.end
            place = len(hypothesis) if cluster.end == len(source) else before[cluster.end]
            end = after[cluster.end - 1] if shared and cluster.end > cluster.start else place
            steps.append(Step(cluster.start, cluster.end, line, end, cluster.alternatives))
            position, line = cluster.end, end
    if line < len(hypothesis):
        steps.append(Step(len(source), len(source), line, len(hypothesis), ((),)))
    return steps


def _facing(source: Sequence[str], hypothesis: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return where the range of the hypothesis that faces each source word begins, and where it ends."""
    before, after = [0] * len(source), [0] * len(source)
    for block in Levenshtein.opcodes(source, hypothesis):
        for offset in range(block.src_end - block.src_start):
            before[block.src_start + offset] = min(block.dest_start + offset, block.dest_end)
            after[block.src_start + offset] = min(block.dest_start + offset + 1, block.dest_end)
    return before, after


def line_triples(
    source: Sequence[str], hypothesis: Sequence[str], steps: Sequence[Step]
) -> list[list[Triple]]:
    """Return what faces each other at each step, with each alternative; ``find_anchors`` needs their costs."""
    return [
        [
            Triple(
                tuple(source[step.start : step.end]), tuple(hypothesis[step.line_start : step.line_end]), text
            )
            for text in step.alternatives
        ]
        for step in steps
    ]


def alignment_cost(triple: Triple, moves: Sequence[int]) -> int:
    """Return what an alignment costs, the sum over its columns of the costs of three pairs."""
    total, position = 0, [0, 0, 0]
    for move in moves:
        takes = MOVES[move]
        words = [
            text[place] if take else None for text, place, take in zip(triple, position, takes, strict=True)
        ]
        position = [place + take for place, take in zip(position, takes, strict=True)]
        for first, second in ((0, 1), (0, 2), (1, 2)):
            if words[first] != words[second]:
                total += MISMATCH if takes[first] and takes[second] else GAP
    return total


def find_anchors(
    source: Sequence[str], hypothesis: Sequence[str], steps: Sequence[Step], costs: dict[Triple, int]
) -> dict[int, int]:
    """Return the anchors: places of source words, with the places of the words of the hypothesis they match.

    Where another way is cheaper than the line of facing words the bounds are loose, from there to the end. The
    steps around such a place are taken as one, with the products of their alternatives, until the line is best or
    there are too many of them.

    Args:
        source, hypothesis: The words.
        steps: Of the sentence.
        costs: The least costs of aligning what faces each other at each step; missing ones are added.
    """
    words = _Words(source, hypothesis)
    while True:
        along_line = _line_costs(source, hypothesis, steps, costs)
        forward = words.bounds(steps, along_line)
        merged = _merge(steps, _leaks(steps, forward))
        if len(merged) == len(steps):
            break
        steps = merged
    turned = [step.turned(len(source), len(hypothesis)) for step in reversed(steps)]
    backward = _Words(source[::-1], hypothesis[::-1]).bounds(turned, along_line[::-1])[::-1]
    return {
        step.start: step.line_start
        for step, before, after in zip(steps, forward, backward, strict=True)
        if _may_match(step, source, hypothesis) and words.is_forced(step, before, after[::-1, ::-1])
    }


def can_be_proven(source: Sequence[str], hypothesis: Sequence[str], steps: Sequence[Step]) -> bool:
    """Return whether the bounds of a sentence are not too many to hold."""
    return len(steps) * (len(source) + 1) * (len(hypothesis) + 1) <= MOST_BOUNDS


def likely_anchors(source: Sequence[str], hypothesis: Sequence[str], steps: Sequence[Step]) -> dict[int, int]:
    """Return the places that ``find_anchors`` would prove first: words amid words that all texts share."""
    matching = [_may_match(step, source, hypothesis) for step in steps]
    return {
        step.start: step.line_start
        for index, step in enumerate(steps)
        if all(matching[max(0, index - 1) : index + 2])
    }


def _line_costs(
    source: Sequence[str], hypothesis: Sequence[str], steps: Sequence[Step], costs: dict[Triple, int]
) -> list[list[int]]:
    triples = line_triples(source, hypothesis, steps)
    add_costs((triple for step in triples for triple in step), costs)
    return [[costs[triple] for triple in step] for step in triples]


def add_costs(triples: Iterable[Triple], costs: dict[Triple, int]) -> None:
    """Add the least costs of aligning triples to ``costs``, those that are not in it yet."""
    missing = list(dict.fromkeys(triple for triple in triples if triple not in costs))
    costs.update((t, alignment_cost(t, moves)) for t, moves in zip(missing, align_all(missing), strict=True))


def _leaks(steps: Sequence[Step], bounds: Sequence[Slice]) -> list[int]:
    """Return the steps at which something is cheaper than the line."""
    on_line = [int(bound[step.start, step.line_start]) for step, bound in zip(steps, bounds, strict=True)]
    return [index for index, (cost, after) in enumerate(pairwise(on_line)) if after < cost]


def _merge(steps: Sequence[Step], leaks: Sequence[int]) -> list[Step]:
    """Return the steps with each leak and its neighbours as one step, where that has not too many alternatives."""
    merged: list[Step] = []
    for index, step in enumerate(steps):
        joins = merged and any(leak - 1 <= index - 1 and index <= leak + 1 for leak in leaks)
        if joins and len(merged[-1].alternatives) * len(step.alternatives) <= MOST_ALTERNATIVES:
            merged[-1] = _joined(merged[-1], step)
        else:
            merged.append(step)
    return merged


def _joined(first: Step, second: Step) -> Step:
    texts = dict.fromkeys(a + b for a in first.alternatives for b in second.alternatives)
    return Step(first.start, second.end, first.line_start, second.line_end, tuple(texts))


def _may_match(step: Step, source: Sequence[str], hypothesis: Sequence[str]) -> bool:
    """Return whether a step is a source word that all references and the hypothesis have."""
    p, q = step.start, step.line_start
    one_word = step.end == p + 1 and step.line_end == q + 1
    return one_word and step.alternatives == ((source[p],),) and hypothesis[q] == source[p]


class _Words:
    """Source and hypothesis as numbers, and what it costs to take a word of a reference with theirs."""

    def __init__(self, source: Sequence[str], hypothesis: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self._numbers = numbers
        self._source = np.array([numbers.setdefault(w, len(numbers)) for w in source], dtype=np.int32)[
            :, None
        ]
        self._hypothesis = np.array([numbers.setdefault(w, len(numbers)) for w in hypothesis], dtype=np.int32)
        self._pair: Slice = MISMATCH * (self._source != self._hypothesis).astype(np.int32)
        rows, columns = np.indices((len(source) + 1, len(hypothesis) + 1), dtype=np.int32)
        self._far: Slice = 2 * GAP * np.maximum(rows, columns)
        self._columns: Slice = 2 * GAP * columns

    def bounds(self, steps: Sequence[Step], costs: Sequence[Sequence[int]]) -> list[Slice]:
        """Return for each step a lower bound of F(i, j) − F(line), F being the cost up to the step."""
        bounds = []
        bound = self._far
        for step, along_line in zip(steps, costs, strict=True):
            bounds.append(bound)
            taken = [
                self._after(bound, text) - cost
                for text, cost in zip(step.alternatives, along_line, strict=True)
            ]
            bound = taken[0] if len(taken) == 1 else np.minimum.reduce(taken)
        return bounds

    def is_forced(self, step: Step, before: Slice, after: Slice) -> bool:
        """Return whether each other way to take the word of a step than matching it costs more.

        Args:
            step: A word that both texts and all references have.
            before, after: Lower bounds as of ``bounds``, up to the word and from the end back to it.
        """
        word = self._numbers_of(step.alternatives[0])[0]
        alone, with_source, with_hypothesis, with_both = self._columns_of(before, word)
        together = with_both + after[1:, 1:]
        together[step.start, step.line_start] = 1
        others = (alone + after, with_source + after[1:], with_hypothesis + after[:, 1:], together)
        return all(bool((ways > 0).all()) for ways in others)

    def _after(self, bound: Slice, text: Sequence[str]) -> Slice:
        for word in self._numbers_of(text):
            alone, with_source, with_hypothesis, with_both = self._columns_of(bound, word)
            np.minimum(alone[1:], with_source, out=alone[1:])
            np.minimum(alone[:, 1:], with_hypothesis, out=alone[:, 1:])
            np.minimum(alone[1:, 1:], with_both, out=alone[1:, 1:])
            bound = self._with_gaps(alone)
        return bound

    def _columns_of(self, bound: Slice, word: int) -> tuple[Slice, Slice, Slice, Slice]:
        """Return the cost after a column with the word alone, with a source word, a hypothesis word, with both."""
        source = MISMATCH * (self._source != word).astype(np.int32)
        hypothesis = MISMATCH * (self._hypothesis != word).astype(np.int32)
        with_gap = bound + 2 * GAP
        both = bound[:-1, :-1] + self._pair + source + hypothesis
        return with_gap, with_gap[:-1] + source, with_gap[:, :-1] + hypothesis, both

    def _with_gaps(self, bound: Slice) -> Slice:
        """Return the least cost when words of source and hypothesis may follow, with a gap in the reference."""
        # Less 2 gaps for each column, so that going on along a row costs nothing.
        bound = bound - self._columns
        for i, row in enumerate(bound):
            if i:
                np.minimum(row, bound[i - 1] + 2 * GAP, out=row)
                np.minimum(row[1:], bound[i - 1, :-1] + self._pair[i - 1], out=row[1:])
            np.minimum.accumulate(row, out=row)
        return bound + self._columns

    def _numbers_of(self, text: Sequence[str]) -> list[int]:
        return [self._numbers.get(word, -1) for word in text]
