"""MaxMatch: edits of the shortest alignments of source and hypothesis, chosen to agree best with a reference.

Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction". Counts, chosen annotators and figures
equal those of the published M2 scorer. Only the corrected text of the system matters, not the edits in its file.

- An annotator without an annotation of a sentence is not a possible reference of that sentence.
- The corpus level chooses the annotator of a sentence by the F of the running totals, so the choice depends on the
  order of sentences. The sentence level (SentM2) takes the mean of the best F of each sentence.
- 0/0 is 1 for precision and recall, and 0 for F.

Section 3 finds the edits in a lattice of all shortest token alignments. A vertex ``(i, j)`` has read ``i`` source
and ``j`` hypothesis tokens. As in the published scorer, the edges (*steps*) are those of all shortest paths in two
Levenshtein matrices, with a substitution cost of 1 and of 2. A vertex is stored as the integer
``i * (hypothesis tokens + 1) + j``; every step goes to a larger vertex.

An *arc*, a possible edit, joins two vertices if a path of steps between them keeps at most ``max_unchanged_words``
tokens (section 3.2). As in the published scorer, arcs grow by Floyd and Warshall's rule over ascending vertices,
and an arc is replaced only by a shorter one. One sweep over the vertices suffices, since the arcs that leave a
vertex at its turn are its steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar, NamedTuple, TypeAlias

from rapidfuzz.distance import Indel

from jperrant.core.arrays import FloatArray
from jperrant.core.edits import minimise
from jperrant.core.option import option, told
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Candidate, Pair, Row, SystemCandidates, annotations_of
from jperrant.evaluation.metrics.corrected_texts import corrected_texts, middle_cut
from jperrant.evaluation.metrics.fmeasure import (
    MEASURES,
    Level,
    beta_option,
    f_measure,
    f_measures,
    f_of_totals,
    means,
)
from jperrant.evaluation.metrics.reference_choice import BestReference, detail_notes

#: The costs of a substitution in the two matrices; insertions and deletions cost 1.
SUBSTITUTION_COSTS = (1, 2)
#: Added to the cost of an unmatched arc, once for each time that the published scorer lists the arc.
EPSILON = 0.001
#: A number above any distance.
_FAR = 1 << 60

#: An arc: the vertex it leaves and the vertex it enters.
Arc: TypeAlias = tuple[int, int]
#: Distances by source position; each row holds the diagonals ``low - 1 … high + 1``.
_Band: TypeAlias = list[list[int]]


@dataclass(frozen=True, slots=True)
class Lattice:
    """The union of the shortest paths of both matrices.

    Attributes:
        width: The number of hypothesis tokens + 1; vertex ``v`` is the pair ``divmod(v, width)``.
        end: The last vertex; the first one is 0.
        steps: The predecessors of each vertex, both in ascending order, with the number of matrices (1 or 2) that
            have the step.
        unchanged: The steps ``(predecessor, vertex)`` that keep a token.
    """

    width: int
    end: int
    steps: dict[int, dict[int, int]]
    unchanged: frozenset[tuple[int, int]]


def build_lattice(source: Sequence[str], hypothesis: Sequence[str]) -> Lattice:
    """Return the lattice of two token sequences.

    Only diagonals that a shortest path can touch are computed; time and memory grow with ``places``.
    """
    first, second = _token_numbers(source, hypothesis)
    low, high = _diagonals(first, second)
    width = len(second) + 1
    steps: dict[int, dict[int, int]] = {}
    for cost in SUBSTITUTION_COSTS:
        _add_shortest_paths(steps, first, second, _distances(first, second, cost, low, high), cost, low)
    kept = [
        (before, vertex)
        for vertex, predecessors in steps.items()
        for before in predecessors
        if vertex - before == width + 1 and first[vertex // width - 1] == second[vertex % width - 1]
    ]
    ordered = {vertex: dict(sorted(steps[vertex].items())) for vertex in sorted(steps)}
    return Lattice(width, len(first) * width + len(second), ordered, frozenset(kept))


def places(source: Sequence[str], hypothesis: Sequence[str]) -> int:
    """Return the number of vertices that are computed for the lattice of two token sequences."""
    low, high = _diagonals(*_token_numbers(source, hypothesis))
    return (len(source) + 1) * (high - low + 1)


def _token_numbers(source: Sequence[str], hypothesis: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the tokens of both sides as numbers."""
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(token, len(numbers)) for token in source]
    return first, [numbers.setdefault(token, len(numbers)) for token in hypothesis]


def _diagonals(first: Sequence[int], second: Sequence[int]) -> tuple[int, int]:
    """Return the first and last diagonal (hypothesis minus source position) that a shortest path can touch.

    Of ``d`` insertions and deletions, at most ``(d + |second| - |first|) / 2`` are insertions.
    """
    changes, longer = Indel.distance(first, second), len(second) - len(first)
    return -((changes - longer) // 2), (changes + longer) // 2


def _distances(first: Sequence[int], second: Sequence[int], cost: int, low: int, high: int) -> _Band:
    """Return the distances of prefixes on the diagonals ``low … high``; column 0 of a row is ``low - 1``."""
    columns = len(second)
    size = high - low + 3
    row = [_FAR] * size
    for j in range(min(columns, high) + 1):
        row[j - low + 1] = j
    rows = [row]
    for i, token in enumerate(first, start=1):
        above, row = row, [_FAR] * size
        left = _FAR
        start, stop = max(0, i + low), min(columns, i + high)
        shift = 1 - low - i
        if start == 0:
            left = row[shift] = i
            start = 1
        for j in range(start, stop + 1):
            column = j + shift
            best = above[column] if token == second[j - 1] else above[column] + cost
            left += 1
            if left < best:
                best = left
            if above[column + 1] + 1 < best:
                best = above[column + 1] + 1
            left = row[column] = best
        rows.append(row)
    return rows


def _add_shortest_paths(
    steps: dict[int, dict[int, int]],
    first: Sequence[int],
    second: Sequence[int],
    rows: _Band,
    cost: int,
    low: int,
) -> None:
    """Count the steps of all shortest paths of one matrix, from the end backwards."""
    width = len(second) + 1
    waiting = [(len(first), len(second))]
    seen = set(waiting)
    while waiting:
        i, j = waiting.pop()
        column = j - i - low + 1
        distance = rows[i][column]
        befores = []
        if i and j:
            change = 0 if first[i - 1] == second[j - 1] else cost
            if rows[i - 1][column] + change == distance:
                befores.append((i - 1, j - 1))
        if i and rows[i - 1][column + 1] + 1 == distance:
            befores.append((i - 1, j))
        if j and rows[i][column - 1] + 1 == distance:
            befores.append((i, j - 1))
        if befores:
            counted = steps.setdefault(i * width + j, {})
            for before in befores:
                vertex = before[0] * width + before[1]
                counted[vertex] = counted.get(vertex, 0) + 1
                if before not in seen:
                    seen.add(before)
                    waiting.append(before)


@dataclass(frozen=True, slots=True)
class Arcs:
    """All arcs of one lattice.

    Attributes:
        lattice: The lattice.
        numbers: The distinct arcs ``(predecessor, vertex)`` with their index in the order in which the published
            scorer relaxes them: steps in ascending order, then longer arcs in the order of listing.
        costs: The cost of each arc if it matches no gold edit.
        into: The predecessors of the arcs into each vertex.
        unchanged: The arcs that keep all their tokens, which are not edits.
        copies: How often the published scorer lists an arc, if more than once.
        total: ``|E|``, the number of arcs that the published scorer lists; the reward of matching a gold edit.
    """

    lattice: Lattice
    numbers: dict[Arc, int]
    costs: list[float]
    into: dict[int, list[int]]
    unchanged: set[Arc]
    copies: dict[Arc, int]
    total: int


def build_arcs(lattice: Lattice, max_unchanged_words: int, most: int) -> Arcs | None:
    """Return the arcs of a lattice; None if there are too many.

    Args:
        lattice: The lattice.
        max_unchanged_words: The most unchanged tokens inside an edit.
        most: The most arcs of several steps.
    """
    grown = _grow(lattice, max_unchanged_words, most)
    if grown is None:
        return None
    sizes, listed = grown
    removed = _removed(sizes, listed)
    by_vertex = lattice.steps.items()
    steps = {(before, vertex): count for vertex, counts in by_vertex for before, count in counts.items()}
    listings = dict(sorted(steps.items()))
    for arc in listed:
        if arc not in removed:
            listings[arc] = listings.get(arc, 0) + 1
    costs: list[float] = []
    kept: set[Arc] = set()
    into: dict[int, list[int]] = {}
    for (before, vertex), count in listings.items():
        length, unchanged = sizes[vertex][before]
        if unchanged == length:
            kept.add((before, vertex))
        costs.append(length if unchanged == length else _raised(length, count))
        into.setdefault(vertex, []).append(before)
    numbers = {arc: number for number, arc in enumerate(listings)}
    copies = {arc: count for arc, count in listings.items() if count > 1}
    total = sum(steps.values()) + len(listed) - len(removed)
    return Arcs(lattice, numbers, costs, into, kept, copies, total)


def _raised(length: float, count: int) -> float:
    """Add epsilon ``count`` times, one by one, as rounding decides between equal paths."""
    for _ in range(count):
        length += EPSILON
    return length


def _grow(
    lattice: Lattice, max_unchanged_words: int, most: int
) -> tuple[dict[int, dict[int, tuple[int, int]]], list[Arc]] | None:
    """Extend every arc by every step that leaves its end; None if that gives too many arcs.

    Returns:
        The numbers of steps and of kept tokens of each arc, by vertex and predecessor; and the arcs of several
        steps in the order of listing, repeated if a shorter one replaces an arc.
    """
    sizes: dict[int, dict[int, tuple[int, int]]] = {}
    after: dict[int, list[tuple[int, int]]] = {}
    for vertex, predecessors in lattice.steps.items():
        sizes[vertex] = {before: (1, int((before, vertex) in lattice.unchanged)) for before in predecessors}
        for before, (_, unchanged) in sizes[vertex].items():
            after.setdefault(before, []).append((vertex, unchanged))
    listed: list[Arc] = []
    for middle, arcs in sizes.items():
        following = after.get(middle, ())
        for before, (length, unchanged) in sorted(arcs.items()):
            for vertex, more in following:
                if unchanged + more > max_unchanged_words:
                    continue
                known = sizes[vertex].get(before)
                if known is None or known[0] > length + 1:
                    sizes[vertex][before] = (length + 1, unchanged + more)
                    listed.append((before, vertex))
        if len(listed) > most:
            return None
    return sizes, listed


def _removed(sizes: Mapping[int, Mapping[int, tuple[int, int]]], listed: Sequence[Arc]) -> set[Arc]:
    """Return the arcs of several steps that are removed, as they change nothing.

    The published scorer removes them from the list that it iterates over, and so skips the arc after each.
    """
    removed: set[Arc] = set()
    skip = False
    for before, vertex in listed:
        length, unchanged = sizes[vertex][before]
        skip = not skip and length == unchanged
        if skip:
            removed.add((before, vertex))
    return removed


def best_path(arcs: Arcs, matched: Mapping[Arc, float]) -> list[Arc]:
    """Return the arcs of the cheapest path, from the first vertex to the last.

    Section 3.3: Bellman and Ford's algorithm relaxes arcs in a fixed order until nothing changes, and keeps the
    first of equal paths. The sums of equal paths can differ in the last digit, so this order decides between edits.

    Args:
        arcs: The arcs.
        matched: The costs of arcs that match gold edits, and of insertions.
    """
    costs = arcs.costs.copy()
    for arc, cost in matched.items():
        costs[arcs.numbers[arc]] = cost
    distance = [float("inf")] * (arcs.lattice.end + 1)
    arrival = [-1] * len(distance)
    distance[0] = 0.0
    improved = True
    while improved:
        improved = False
        for (before, vertex), cost in zip(arcs.numbers, costs, strict=True):
            total = distance[before] + cost
            if total < distance[vertex]:
                distance[vertex], arrival[vertex] = total, before
                improved = True
    path = []
    vertex = arcs.lattice.end
    while vertex:
        path.append((arrival[vertex], vertex))
        vertex = arrival[vertex]
    return path[::-1]


COUNTS = ("correct", "proposed", "gold")
#: The error type of a proposed edit without a matching gold edit, after its operation.
UNMATCHED = "UNMATCHED"
#: The warnings about sentences.
REPEATED = (
    "equal gold edits of one annotator; as in the published scorer, a proposed edit is correct once for each"
)
CUT = "too many possible edits to compare at once; they are cut in pieces, an edit across a cut counts as two"
#: The largest lattice that is not cut in pieces, which takes less than half a second; and the most arcs of a piece.
MOST_PLACES, MOST_VERTICES, MOST_ARCS, MOST_ARCS_OF_A_PIECE = 60_000, 5_000, 400_000, 10_000

#: The number and the edits of each annotator, for each sentence.
GoldBlocks: TypeAlias = "list[list[tuple[int, tuple[GoldEdit, ...]]]]"


@dataclass(frozen=True, slots=True)
class MaxMatchScorer(BestReference):
    """MaxMatch: edits of the shortest alignments of source and hypothesis, chosen to agree best with a reference.

    Attributes:
        max_unchanged_words: The most unchanged tokens inside an edit.
        ignore_whitespace_casing: Whether to leave out edits of the system that change only case or white space.
        level: ``corpus`` sums counts over sentences; ``sentence`` takes means over sentences (SentM2).
        beta: Weight of recall in F.

    Raises:
        UsageError: An option is out of its range.
    """

    max_unchanged_words: int = option(2, "The most unchanged tokens inside an edit.", minimum=0)
    ignore_whitespace_casing: bool = option(
        False, "Leave out edits of the system that change only case or white space."
    )
    level: Level = option("corpus", "Totals over the corpus, or means over sentences.")
    beta: float = beta_option()

    name: ClassVar[str] = "m2"
    columns: ClassVar[tuple[str, ...]] = (*COUNTS, *MEASURES, "sentences")
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"
    per_reference: ClassVar[bool] = True
    remedy: ClassVar[str] = "-m m2:level=sentence does not depend on it"

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only if they are not at their default."""
        rare = told(self, max_unchanged_words="unchanged:{}", ignore_whitespace_casing="casing:ignored")
        return f"lvl:{self.level}", f"beta:{self.beta:g}", *rare

    def prepare(self, references: Sequence[Block], first: int = 1) -> GoldBlocks:  # noqa: ARG002
        """Return the edits of every annotator of each sentence."""
        return [gold_of(block) for block in references]

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[GoldBlocks]) -> list[SystemCandidates]:
        """Return the counts of every hypothesis annotator against every reference annotator."""
        systems = []
        for pair, gold in zip(pairs, prepared, strict=True):
            texts = corrected_texts(pair.hypothesis, pair.name, pair.first)
            both = zip(pair.references, texts, gold, strict=True)
            found = [tuple(self._of_sentence(block.source, ours, theirs)) for block, ours, theirs in both]
            systems.append(SystemCandidates(found))
        return systems

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta of summed counts, or their means over sentences."""
        if self.level == "sentence":
            return means(totals, MEASURES, 3)
        correct, proposed, gold = (totals[..., column] for column in range(3))
        return f_measures(correct, proposed - correct, gold - correct, self.beta)

    def notes(self, candidates: Sequence[Sequence[Candidate]], combined: Sequence[Candidate]) -> list[str]:
        """Return notes where repeated gold edits, long sentences or the order of sentences affect the figures."""
        return [
            *detail_notes(combined, "repeated", REPEATED),
            *detail_notes(combined, "cut", CUT),
            *self.order_notes(candidates, combined),
        ]

    def _of_sentence(
        self,
        source: Sequence[str],
        versions: Sequence[tuple[int, tuple[str, ...]]],
        annotators: Sequence[tuple[int, tuple[GoldEdit, ...]]],
    ) -> Iterable[Candidate]:
        for hypothesis, text in versions:
            extractor = Extractor(source, text, self.max_unchanged_words)
            for reference, gold in annotators:
                matching = match_edits(extractor, gold, self.ignore_whitespace_casing)
                counts = (matching.correct, len(matching.proposed), len(gold))
                details: dict[str, object] = {} if extractor.whole else {"cut": True}
                if matching.repeated:
                    details["repeated"] = True
                yield Candidate(
                    hypothesis, reference, self._row(*counts), self._by_type(source, matching), details
                )

    def _row(self, correct: int, proposed: int, gold: int) -> Row:
        values = f_measure(correct, proposed - correct, gold - correct, beta=self.beta)
        return (correct, proposed, gold, *values, 1)

    def _by_type(self, source: Sequence[str], matching: Matching) -> dict[str, Row]:
        counts: dict[str, list[int]] = {}
        for edit, matches in zip(matching.proposed, matching.matches, strict=True):
            types = [matching.gold[match].type for match in matches] or [unmatched_type(source, edit)]
            counts.setdefault(types[0], [0, 0, 0])[1] += 1
            for type_ in types if matches else ():
                counts.setdefault(type_, [0, 0, 0])[0] += 1
        for gold in matching.gold:
            counts.setdefault(gold.type, [0, 0, 0])[2] += 1
        return {type_: self._row(*row) for type_, row in counts.items()}

    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Prefer the best F, then more correct edits, then fewer others, like the published scorer."""
        correct, proposed, gold = total[:3]
        size = self.beta**2 * gold + proposed
        f = row[5] if self.by_sentence else f_of_totals(correct, proposed, gold, self.beta, 1.0)
        return f, correct, -size


def gold_of(block: Block) -> list[tuple[int, tuple[GoldEdit, ...]]]:
    """Return the number and the edits of each annotator of a sentence, by number."""
    annotations = sorted(annotations_of(block), key=lambda annotation: annotation.annotator)
    return [(annotation.annotator, gold_edits(annotation, block.source)) for annotation in annotations]


def unmatched_type(source: Sequence[str], edit: Proposed) -> str:
    """Return the error type of a proposed edit without a matching gold edit (``R:UNMATCHED``)."""
    return f"{operation(source, *edit)}:{UNMATCHED}"


@dataclass(frozen=True, slots=True)
class Matching:
    """The edits of a hypothesis matched with those of one reference.

    Attributes:
        proposed: The edits of the hypothesis, in the order of the text.
        gold: The edits of the reference, in the order of the file.
        matches: The indices of the equal gold edits for each proposed edit; several if the reference repeats an
            edit.
    """

    proposed: tuple[Proposed, ...]
    gold: tuple[GoldEdit, ...]
    matches: tuple[tuple[int, ...], ...]

    @property
    def correct(self) -> int:
        """The number of matched gold edits."""
        return sum(len(numbers) for numbers in self.matches)

    @property
    def repeated(self) -> bool:
        """Whether a proposed edit matches several gold edits, and so counts several times."""
        return any(len(numbers) > 1 for numbers in self.matches)


def match_edits(
    extractor: Extractor, gold: Sequence[GoldEdit], ignore_whitespace_casing: bool = False
) -> Matching:
    """Return the edits of a hypothesis that agree best with one reference, matched with its edits.

    Args:
        extractor: The source and the hypothesis.
        gold: The edits of the reference.
        ignore_whitespace_casing: Whether to leave out proposed edits that change only case or white space. As in
            the published scorer, such gold edits stay and count as missed.
    """
    proposed = extractor.edits(gold)
    if ignore_whitespace_casing:
        proposed = [edit for edit in proposed if changes_more_than_case(extractor.source, edit)]
    return Matching(tuple(proposed), tuple(gold), tuple(match_gold(proposed, gold)))


class Proposed(NamedTuple):
    """One edit of a hypothesis: the source tokens ``start … end`` become ``correction``."""

    start: int
    end: int
    correction: tuple[str, ...]


class Extractor:
    """The lattice of one source and one hypothesis, ready for any number of references.

    >>> gold = GoldEdit(1, 2, (("x",),)), GoldEdit(2, 3, (("y",),))
    >>> Extractor("a b c d".split(), "a x y d".split()).edits(gold)
    [Proposed(start=1, end=2, correction=('x',)), Proposed(start=2, end=3, correction=('y',))]
    >>> Extractor("a b c d".split(), "a x y d".split()).edits(())
    [Proposed(start=1, end=4, correction=('x', 'y', 'd'))]
    """

    def __init__(
        self,
        source: Sequence[str],
        hypothesis: Sequence[str],
        max_unchanged_words: int = 2,
        most_arcs: int = MOST_ARCS,
    ) -> None:
        self.source, self.hypothesis = tuple(source), tuple(hypothesis)
        self._limits = max_unchanged_words, most_arcs
        #: The arcs of the lattice; of a sentence cut in pieces only the first two, to save memory.
        self._kept = list(islice(self._pieces(), 2))

    @property
    def whole(self) -> bool:
        """Whether the sentence is not cut, so that its edits equal those of the published scorer."""
        return len(self._kept) < 2

    def edits(self, gold: Sequence[GoldEdit]) -> list[Proposed]:
        """Return the edits of the hypothesis that agree best with one reference, in the order of the text."""
        if not self.whole:
            for edit in gold:
                made = [Proposed(edit.start, edit.end, correction) for correction in edit.corrections]
                if alone := [one for one in made if applied_alone(self.source, one) == self.hypothesis]:
                    return alone[:1]  # one edit rewrites the sentence
        pieces = self._kept if self.whole else self._pieces()
        return [edit for piece in pieces for edit in self._edits_of_piece(gold, *piece)]

    def _pieces(self) -> Iterator[tuple[int, int, Arcs]]:
        """Yield the arcs of the lattice, or of its pieces, with the position of each in both texts."""
        if self.source != self.hypothesis:
            yield from _pieces(self.source, self.hypothesis, *self._limits)

    def _edits_of_piece(
        self, gold: Sequence[GoldEdit], row: int, column: int, arcs: Arcs
    ) -> Iterator[Proposed]:
        width, height = arcs.lattice.width, arcs.lattice.end // arcs.lattice.width
        hypothesis = self.hypothesis[column : column + width - 1]
        inside = [
            replace(edit, start=edit.start - row, end=edit.end - row) if row else edit
            for edit in gold
            if row <= edit.start and edit.end <= row + height
        ]
        for before, vertex in best_path(arcs, matched_costs(arcs, inside, hypothesis)):
            if (before, vertex) not in arcs.unchanged:
                start, end = before // width, vertex // width
                yield Proposed(row + start, row + end, hypothesis[before % width : vertex % width])


def _pieces(
    source: Sequence[str], hypothesis: Sequence[str], max_unchanged_words: int, most_arcs: int
) -> Iterator[tuple[int, int, Arcs]]:
    """Yield the first tokens and the arcs of a lattice, or of its pieces if it is too large."""
    arcs = None
    if places(source, hypothesis) <= MOST_PLACES:
        lattice = build_lattice(source, hypothesis)
        if len(lattice.steps) <= MOST_VERTICES:
            arcs = build_arcs(lattice, max_unchanged_words, most_arcs)
    if arcs is not None:
        yield 0, 0, arcs
        return
    row, column = middle_cut(source, hypothesis)
    most = min(most_arcs, MOST_ARCS_OF_A_PIECE)
    yield from _pieces(source[:row], hypothesis[:column], max_unchanged_words, most)
    for further_row, further_column, piece in _pieces(
        source[row:], hypothesis[column:], max_unchanged_words, most
    ):
        yield row + further_row, column + further_column, piece


def match_gold(proposed: Sequence[Proposed], gold: Sequence[GoldEdit]) -> list[tuple[int, ...]]:
    """Return the indices of the gold edits that each proposed edit equals.

    As in the published scorer, both sides are read once from left to right. A gold edit before one that has already
    matched cannot match any more, and a proposed edit matches all equal gold edits that follow.
    """
    matches: list[tuple[int, ...]] = []
    first = 0
    for edit in proposed:
        numbers = tuple([number for number in range(first, len(gold)) if gold[number].matches(*edit)])
        matches.append(numbers)
        if numbers:
            first = numbers[-1] + 1
    return matches


def applied_alone(source: Sequence[str], edit: Proposed) -> tuple[str, ...]:
    """Return the source with one edit applied."""
    return (*source[: edit.start], *edit.correction, *source[edit.end :])


def changes_more_than_case(source: Sequence[str], edit: Proposed) -> bool:
    """Whether an edit changes more than case and white space."""
    return "".join(source[edit.start : edit.end]).lower() != "".join(edit.correction).lower()


@dataclass(frozen=True, slots=True)
class GoldEdit:
    """One edit of a reference: a span of the source and the corrections that are accepted.

    Attributes:
        start, end: Half-open range of source tokens.
        corrections: The accepted corrections, as tokens.
        type: The error type with its operation (``R:ArtOrDet`` for ``ArtOrDet`` in the file).
    """

    start: int
    end: int
    corrections: tuple[tuple[str, ...], ...]
    type: str = "R:OTHER"

    def matches(self, start: int, end: int, correction: tuple[str, ...]) -> bool:
        """Whether an edit has this span and one of these corrections."""
        return start == self.start and end == self.end and correction in self.corrections


def gold_edits(annotation: Annotation, source: Sequence[str]) -> tuple[GoldEdit, ...]:
    """Return the edits of one annotator; as in the published scorer, an edit without correction is a deletion.

    Args:
        annotation: The annotator's edits.
        source: The tokens of the sentence.
    """
    gold = []
    for edit in annotation.edits:
        correction, type_ = edit.correction or (), edit.type
        if type_[:2] not in ("M:", "U:", "R:"):
            type_ = f"{operation(source, edit.start, edit.end, correction)}:{type_}"
        gold.append(GoldEdit(edit.start, edit.end, (correction, *edit.alternatives), type_))
    return tuple(gold)


def operation(source: Sequence[str], start: int, end: int, correction: tuple[str, ...]) -> str:
    """Return ``M`` for an insertion, ``U`` for a deletion, ``R`` for a replacement, after trimming equal ends."""
    edit = minimise(Edit(start, end, correction, ""), source)
    if edit.start == edit.end:
        return "M"
    return "R" if edit.correction else "U"


def matched_costs(arcs: Arcs, gold: Sequence[GoldEdit], hypothesis: Sequence[str]) -> dict[Arc, float]:
    """Return the changed costs of arcs: ``-|E|`` for each arc that equals a gold edit.

    Insertions at one place are paired with gold insertions in order, from both ends alternately.

    Args:
        arcs: All arcs.
        gold: The edits of one annotator, in the order of the file.
        hypothesis: The tokens of the hypothesis.
    """
    costs: dict[Arc, float] = {}
    width = arcs.lattice.width
    spans: dict[tuple[int, int], list[GoldEdit]] = {}
    for edit in gold:
        spans.setdefault((edit.start, edit.end), []).append(edit)
    for (start, end), edits in spans.items():
        row = range(end * width, (end + 1) * width)
        if start == end:
            costs |= _pair_insertions(arcs, row, edits, hypothesis)
            continue
        wanted = {correction for edit in edits for correction in edit.corrections}
        lengths = {len(correction) for correction in wanted}
        for vertex in row:
            for before in arcs.into.get(vertex, ()):
                column = before % width
                if (
                    before // width == start
                    and vertex % width - column in lengths
                    and tuple(hypothesis[column : vertex % width]) in wanted
                ):
                    costs[before, vertex] = -arcs.total
    return costs


def _pair_insertions(
    arcs: Arcs, row: range, gold: Sequence[GoldEdit], hypothesis: Sequence[str]
) -> dict[Arc, float]:
    """Return the costs of the insertions at one place, paired with the gold insertions there.

    The next insertion after a match must begin where the matched one ended.
    """
    width = arcs.lattice.width
    plain = [
        (before, vertex)
        for vertex in row
        for before in arcs.into.get(vertex, ())
        if before // width == vertex // width
    ]
    costs: dict[Arc, float] = {(before, vertex): vertex - before for before, vertex in plain}
    # The order of the published scorer: ascending, with repeated arcs side by side.
    listed = [arc for arc in sorted(plain) for _ in range(arcs.copies.get(arc, 1))]
    places, numbers = [0, len(listed) - 1], [0, len(gold) - 1]
    side = 0
    while places[0] <= places[1]:
        # The last insertion is both ends; it counts as the left one.
        side = 0 if places[0] == places[1] else side
        step = 1 - 2 * side
        arc = listed[places[side]]
        inserted = tuple(hypothesis[arc[0] % width : arc[1] % width])
        known = range(numbers[0], numbers[1] + 1)[::step]
        match = next((n for n in known if inserted in gold[n].corrections), None)
        places[side] += step
        if match is None:
            costs[arc] += EPSILON
            side = 1 - side
            continue
        costs[arc] = -arcs.total
        numbers[side] = match + step
        while 0 <= places[side] < len(listed) and listed[places[side]][side] != arc[1 - side]:
            costs[listed[places[side]]] += EPSILON
            places[side] += step
    return costs
