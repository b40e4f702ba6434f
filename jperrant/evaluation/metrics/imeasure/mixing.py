"""The best of all references that annotators' corrections combine to, without listing them.

Felice and Briscoe (2015), section 3, score each sentence against the best combination. There can be 10¹³ of them.
A sentence is cut at its anchors (see ``anchors``): what stands between two is aligned on its own, with each
combination of its few clusters. What is left is to choose one combination for each piece so that ratios of summed
counts are greatest, which Dinkelbach's method (1967) does exactly: a ratio is greatest where the sum over pieces of
the greatest ``numerator − ratio · denominator`` is 0. All combinations with that ratio are those that take one of
the greatest in each piece, so the next value that breaks ties is maximised over these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import TypeAlias

from jperrant.evaluation.metrics.imeasure.alignment import Triple, align_all, is_too_long
from jperrant.evaluation.metrics.imeasure.anchors import (
    add_costs,
    can_be_proven,
    find_anchors,
    likely_anchors,
    line_triples,
    steps_of,
)
from jperrant.evaluation.metrics.imeasure.clusters import Cluster, combinations_of
from jperrant.evaluation.metrics.imeasure.counts import WEIGHT, Counts, count_columns, preference

#: Up to so many combinations the whole sentence is aligned with each of them.
FEW = 16
#: Up to so many the best of a piece is exact; beyond, the choice for each cluster is improved.
MOST_COMBINATIONS = 4096
#: How often all clusters of a piece with more are gone through.
MOST_ROUNDS = 8

#: A numerator and a denominator of summed counts, as integers.
Ratio: TypeAlias = Callable[[Counts], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class MixedSentence:
    """A source, its clusters, and where it may be cut whatever the hypothesis.

    Attributes:
        source: The words.
        clusters: In order.
        anchors: Places of source words that match in every alignment of the untouched source.
        proven: Whether they are proven to; of very long sentences they are only likely.
    """

    source: tuple[str, ...]
    clusters: tuple[Cluster, ...]
    anchors: frozenset[int]
    proven: bool = True


@dataclass(frozen=True, slots=True)
class Mixture:
    """The best combination for one hypothesis.

    Attributes:
        counts: Of the hypothesis against it.
        reference: Its words.
        exact: Whether it is proven that no combination is better; False where a piece had too many to try, or the
            sentence is very long.
    """

    counts: Counts
    reference: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands between two anchors.

    Attributes:
        source, hypothesis: The words.
        start: Where it begins in the source.
        clusters: Those of the piece.
        whole: Whether it is the whole sentence.
    """

    source: tuple[str, ...]
    hypothesis: tuple[str, ...]
    start: int
    clusters: tuple[Cluster, ...]
    whole: bool

    def reference(self, choice: Sequence[int]) -> tuple[str, ...]:
        """Return the words of the piece with one alternative for each cluster."""
        words: list[str] = []
        position = self.start
        for cluster, number in zip(self.clusters, choice, strict=True):
            words += self.source[position - self.start : cluster.start - self.start]
            words += cluster.alternatives[number]
            position = cluster.end
        words += self.source[position - self.start :]
        # A correction that leaves nothing of a sentence is one of NUCLE's marks for a sentence without correction.
        return tuple(words) or (self.source if self.whole else ())


def prepare_mixing(
    sources: Sequence[tuple[str, ...]], clusters: Sequence[Sequence[Cluster]]
) -> list[MixedSentence]:
    """Return what the hypotheses of a reference file share, one for each sentence."""
    anchors = _anchors(sources, sources, clusters)
    return [
        MixedSentence(source, tuple(those), frozenset(places), proven)
        for source, those, (places, proven) in zip(sources, clusters, anchors, strict=True)
    ]


def best_mixtures(sentences: Sequence[MixedSentence], hypotheses: Sequence[tuple[str, ...]]) -> list[Mixture]:
    """Return the best combination for each sentence; of equal ones the first in the order of the annotators.

    They are compared as whole annotators are, by ``counts.preference``.
    """
    sources, clusters = [s.source for s in sentences], [s.clusters for s in sentences]
    anchors = _anchors(sources, hypotheses, clusters)
    pieces = [
        _pieces(sentence, hypothesis, {p: q for p, q in places.items() if p in sentence.anchors})
        for sentence, hypothesis, (places, _) in zip(sentences, hypotheses, anchors, strict=True)
    ]
    counter = _Counter()
    counter.add(
        (piece, choice)
        for those in pieces
        for piece in those
        if _is_small(piece)
        for choice in _choices(piece)
    )
    proven = [sentence.proven and ours for sentence, (_, ours) in zip(sentences, anchors, strict=True)]
    return [_best(those, counter, sure) for those, sure in zip(pieces, proven, strict=True)]


def _anchors(
    sources: Sequence[tuple[str, ...]],
    hypotheses: Sequence[tuple[str, ...]],
    clusters: Sequence[Sequence[Cluster]],
) -> list[tuple[dict[int, int], bool]]:
    """Return the anchors of sentences with many combinations, none for the others, and whether they are proven."""
    many = [i for i, those in enumerate(clusters) if combinations_of(those) > FEW]
    steps = {i: steps_of(sources[i], hypotheses[i], clusters[i]) for i in many}
    proven = [i for i in many if can_be_proven(sources[i], hypotheses[i], steps[i])]
    costs: dict[Triple, int] = {}
    add_costs(
        (t for i in proven for step in line_triples(sources[i], hypotheses[i], steps[i]) for t in step), costs
    )
    anchors: list[tuple[dict[int, int], bool]] = [({}, True) for _ in clusters]
    for i in many:
        anchors[i] = likely_anchors(sources[i], hypotheses[i], steps[i]), False
    for i in proven:
        anchors[i] = find_anchors(sources[i], hypotheses[i], steps[i], costs), True
    return anchors


def _pieces(sentence: MixedSentence, hypothesis: tuple[str, ...], anchors: dict[int, int]) -> list[_Piece]:
    """Return the pieces of a sentence in order; anchors are pieces of one word."""
    ends = [(-1, -1), *sorted(anchors.items()), (len(sentence.source), len(hypothesis))]
    pieces = []
    for (p, q), (next_p, next_q) in pairwise(ends):
        if p >= 0:
            pieces.append(_Piece((sentence.source[p],), (hypothesis[q],), p, (), False))
        inside = tuple(c for c in sentence.clusters if p < c.start and c.end <= next_p)
        stretch, facing = sentence.source[p + 1 : next_p], hypothesis[q + 1 : next_q]
        if stretch or facing or inside:
            pieces.append(_Piece(stretch, facing, p + 1, inside, len(ends) == 2))
    return pieces


def _is_small(piece: _Piece) -> bool:
    return combinations_of(piece.clusters) <= MOST_COMBINATIONS


def _choices(piece: _Piece) -> Iterator[tuple[int, ...]]:
    return product(*(range(len(cluster.alternatives)) for cluster in piece.clusters))


class _Counter:
    """Counts of texts that were aligned, each once."""

    def __init__(self) -> None:
        self._counts: dict[Triple, tuple[int, int, int, int, int]] = {}

    def add(self, chosen: Iterator[tuple[_Piece, tuple[int, ...]]]) -> None:
        """Align pieces with combinations, all at once."""
        triples = dict.fromkeys(
            t for piece, choice in chosen for t in _triples(piece, piece.reference(choice))
        )
        missing = [triple for triple in triples if triple not in self._counts]
        for triple, moves in zip(missing, align_all(missing), strict=True):
            self._counts[triple] = count_columns(triple, moves)

    def counts(self, piece: _Piece, choice: tuple[int, ...]) -> Counts:
        """Return the counts of a piece with a combination that was added."""
        hypothesis, untouched = _triples(piece, piece.reference(choice))
        baseline = self._counts[untouched]
        return Counts(*self._counts[hypothesis], baseline[1], baseline[3])


def _triples(piece: _Piece, reference: tuple[str, ...]) -> tuple[Triple, Triple]:
    return Triple(piece.source, piece.hypothesis, reference), Triple(piece.source, piece.source, reference)


def _best(pieces: Sequence[_Piece], counter: _Counter, proven: bool) -> Mixture:
    """Return the best combination of a sentence that may be cut into these pieces, as is proven or only likely."""
    options = []
    for piece in pieces:
        choices = list(_choices(piece)) if _is_small(piece) else _improved(piece, counter)
        first: dict[Counts, tuple[int, ...]] = {}
        for choice in choices:
            first.setdefault(counter.counts(piece, choice), choice)
        options.append(first)
    best = _maximise([list(first) for first in options])
    reference: list[str] = []
    exact = proven
    for piece, first, counts in zip(pieces, options, best, strict=True):
        words = piece.reference(first[counts])
        reference += words
        exact = exact and _is_small(piece) and not any(is_too_long(t) for t in _triples(piece, words))
    return Mixture(_total(best), tuple(reference), exact)


def _improved(piece: _Piece, counter: _Counter) -> list[tuple[int, ...]]:
    """Return combinations of a piece with too many to try, each round better than the one before.

    A round tries each alternative of each cluster alone, and the best ones of all clusters together.
    """
    best = (0,) * len(piece.clusters)
    tried: dict[tuple[int, ...], None] = {}

    def worth(choice: tuple[int, ...]) -> tuple[Fraction, ...]:
        return preference(counter.counts(piece, choice))

    for _ in range(MOST_ROUNDS):
        near = [
            [(*best[:place], number, *best[place + 1 :]) for number in range(len(cluster.alternatives))]
            for place, cluster in enumerate(piece.clusters)
        ]
        counter.add((piece, choice) for those in near for choice in those)
        alone = [max(those, key=worth) for those in near]
        together = tuple(choice[place] for place, choice in enumerate(alone))
        counter.add(iter([(piece, together)]))
        tried.update(dict.fromkeys([*(choice for those in near for choice in those), together]))
        better = max([best, *alone, together], key=worth)
        if better == best:
            break
        best = better
    return sorted(tried)


def _total(counts: Sequence[Counts]) -> Counts:
    return Counts(*(sum(column) for column in zip(*counts, strict=True))) if counts else Counts()


def _maximise(options: Sequence[Sequence[Counts]]) -> list[Counts]:
    """Return the counts of each piece with which ``preference`` of their sum is greatest, the first if equal."""
    if len(options) == 1:
        return [max(options[0], key=preference)]
    for accuracy, plain in ((_weighted, _accuracy), (_weighted_detection, _detection_accuracy)):
        options, value = _with_greatest(options, accuracy)
        options = _with_best_improvement(options, value)
        options, _ = _with_greatest(options, plain)
    return [piece[0] for piece in options]


def _with_best_improvement(
    options: Sequence[Sequence[Counts]], value: Fraction
) -> Sequence[Sequence[Counts]]:
    """Return the options with the greatest I among those of one weighted accuracy.

    The less the untouched source is worth, the more the system improves on it; but perfect texts have I = 1, and
    worthless ones I = −1 unless the source is worthless too.
    """
    if value == 1:
        return options
    fewest, share = _with_greatest(options, _untouched_errors)
    return fewest if value > 0 or share == 1 else options


def _with_greatest(
    options: Sequence[Sequence[Counts]], ratio: Ratio
) -> tuple[Sequence[Sequence[Counts]], Fraction]:
    """Return the options of each piece with which the ratio of sums is greatest, and that ratio.

    A ratio of two zeros is 1. Numerators and denominators are not negative.
    """
    terms = [[ratio(counts) for counts in piece] for piece in options]
    if sum(min(below for _, below in piece) for piece in terms) == 0:
        value = Fraction(1)
    else:
        first = [piece[0] for piece in terms]
        value = Fraction(sum(above for above, _ in first), max(1, sum(below for _, below in first)))
    while True:
        top, bottom = value.numerator, value.denominator
        gains = [[above * bottom - top * below for above, below in piece] for piece in terms]
        greatest = [max(piece) for piece in gains]
        if sum(greatest) <= 0:
            kept = [
                [counts for counts, gain in zip(piece, those, strict=True) if gain == most]
                for piece, those, most in zip(options, gains, greatest, strict=True)
            ]
            return kept, value
        taken = [piece[those.index(most)] for piece, those, most in zip(terms, gains, greatest, strict=True)]
        value = Fraction(sum(above for above, _ in taken), sum(below for _, below in taken))


def _weighted(counts: Counts) -> tuple[int, int]:
    """Return twice numerator and denominator of the weighted accuracy of the correction."""
    tp, tn, fp, fn, fpn, _, _ = counts
    return 2 * (WEIGHT * tp + tn), 2 * (WEIGHT * (tp + fp) + tn + fn) - (WEIGHT + 1) * fpn


def _weighted_detection(counts: Counts) -> tuple[int, int]:
    tp, tn, fp, fn, fpn, _, _ = counts
    return WEIGHT * (tp + fpn) + tn, WEIGHT * (tp + fp) + tn + fn - fpn


def _accuracy(counts: Counts) -> tuple[int, int]:
    tp, tn, fp, fn, fpn, _, _ = counts
    return tp + tn, tp + tn + fp + fn - fpn


def _detection_accuracy(counts: Counts) -> tuple[int, int]:
    tp, tn, fp, fn, fpn, _, _ = counts
    return tp + fpn + tn, tp + tn + fp + fn - fpn


def _untouched_errors(counts: Counts) -> tuple[int, int]:
    return counts.untouched_fn, counts.untouched_tn + counts.untouched_fn
