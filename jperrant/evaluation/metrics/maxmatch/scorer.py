"""MaxMatch: the edits of a system that agree best with each reference, found among all its shortest alignments.

Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction"; counts, chosen annotators and figures
of the published M2 scorer. The system counts as a text: which edits its own file has does not matter.

- An annotator who is missing from a sentence is not an alternative there.
- The corpus level chooses the annotator of a sentence by the F of the totals so far, so that the choice depends
  on the order of sentences; the sentence level (SentM2) takes the mean of the best F of each sentence.
- 0/0 is 1 for precision and recall; F is 0 where both are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.edits import minimise
from jperrant.core.option import option, told
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Candidate, Pair, Row, SystemCandidates, annotations_of
from jperrant.evaluation.metrics.fmeasure import (
    MEASURES,
    Level,
    beta_option,
    f_measure,
    f_measures,
    f_of_totals,
    means,
)
from jperrant.evaluation.metrics.maxmatch.lattice import (
    EPSILON,
    Arc,
    Arcs,
    best_path,
    build_arcs,
    build_lattice,
    places,
)
from jperrant.evaluation.metrics.reference_choice import BestReference, detail_notes
from jperrant.evaluation.metrics.texts import corrected_texts, middle_cut

COUNTS = ("correct", "proposed", "gold")
#: What a proposed edit that matches no gold edit has in place of an error type, after its operation.
UNMATCHED = "UNMATCHED"
#: What users should know of sentences.
REPEATED = (
    "equal gold edits of one annotator; as in the published scorer, one proposed edit is right once for each"
)
CUT = "too many possible edits to compare at once; cut in pieces, an edit across a cut counts as two"
#: Larger lattices are cut: those that look at more places, have more vertices, or more arcs of several steps; less
#: than half a second of work. Of the pieces the arcs are fewer.
MOST_PLACES, MOST_VERTICES, MOST_ARCS, MOST_ARCS_OF_A_PIECE = 60_000, 5_000, 400_000, 10_000

#: For each sentence, the number and the edits of each annotator, by number.
GoldBlocks: TypeAlias = "list[list[tuple[int, tuple[GoldEdit, ...]]]]"


@dataclass(frozen=True, slots=True)
class MaxMatchScorer(BestReference):
    """MaxMatch: the edits of a system that agree best with each reference, among all its shortest alignments.

    Attributes:
        max_unchanged_words: How many tokens an edit can keep between those it changes.
        ignore_whitespace_casing: Leave out edits of the system that change only case or white space.
        level: ``corpus`` adds counts up over sentences; ``sentence`` takes means over sentences (SentM2).
        beta: Weight of recall in F.

    Raises:
        UsageError: An option is out of its range.
    """

    max_unchanged_words: int = option(
        2, "Most tokens that an edit keeps between those it changes.", minimum=0
    )
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
        """The options for the signature; rare ones only where they are not at their default."""
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
        """Return precision, recall and F-beta: of the summed counts, or the means over sentences."""
        if self.level == "sentence":
            return means(totals, MEASURES, 3)
        correct, proposed, gold = (totals[..., column] for column in range(3))
        return f_measures(correct, proposed - correct, gold - correct, self.beta)

    def notes(self, candidates: Sequence[Sequence[Candidate]], combined: Sequence[Candidate]) -> list[str]:
        """Say where the order of sentences, repeated gold edits or large sentences bear on the figures."""
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
        """Prefer the best F, then more correct edits, then fewer of the rest (Dahlmeier and Ng's scorer)."""
        correct, proposed, gold = total[:3]
        size = self.beta**2 * gold + proposed
        f = row[5] if self.by_sentence else f_of_totals(correct, proposed, gold, self.beta, 1.0)
        return f, correct, -size


def gold_of(block: Block) -> list[tuple[int, tuple[GoldEdit, ...]]]:
    """Return the number and the edits of each annotator of a sentence, by number."""
    annotations = sorted(annotations_of(block), key=lambda annotation: annotation.annotator)
    return [(annotation.annotator, gold_edits(annotation, block.source)) for annotation in annotations]


def unmatched_type(source: Sequence[str], edit: Proposed) -> str:
    """Return what stands for the error type of a proposed edit that matches no gold edit (``R:UNMATCHED``)."""
    return f"{operation(source, *edit)}:{UNMATCHED}"


@dataclass(frozen=True, slots=True)
class Matching:
    """The edits of a hypothesis beside those of one reference.

    Attributes:
        proposed: The edits of the hypothesis, in the order of the text.
        gold: The edits of the reference, in the order of the file.
        matches: For each proposed edit the indices of the gold edits it equals: none, one, or as many as the
            reference has the same edit.
    """

    proposed: tuple[Proposed, ...]
    gold: tuple[GoldEdit, ...]
    matches: tuple[tuple[int, ...], ...]

    @property
    def correct(self) -> int:
        """How many gold edits are proposed."""
        return sum(len(numbers) for numbers in self.matches)

    @property
    def repeated(self) -> bool:
        """Whether a proposed edit equals several gold edits and so counts several times."""
        return any(len(numbers) > 1 for numbers in self.matches)


def match_edits(
    extractor: Extractor, gold: Sequence[GoldEdit], ignore_whitespace_casing: bool = False
) -> Matching:
    """Return the edits of a hypothesis that agree best with one reference, and what they match.

    Args:
        extractor: The source and the hypothesis.
        gold: The edits of the reference.
        ignore_whitespace_casing: Leave out proposed edits that change only case and white space. Gold edits
            stay, so that a right one of them is missed, as in the published scorer.
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
    [Proposed(start=1, end=3, correction=('x', 'y'))]
    """

    def __init__(
        self,
        source: Sequence[str],
        hypothesis: Sequence[str],
        max_unchanged_words: int = 2,
        most_arcs: int = MOST_ARCS,
    ) -> None:
        self.source, self.hypothesis = tuple(source), tuple(hypothesis)
        #: The lattice as its arcs; as those of pieces, each with its place in both texts, where they are too many.
        self._pieces: list[tuple[int, int, Arcs]] = []
        if self.source != self.hypothesis:
            self._pieces += _pieces(self.source, self.hypothesis, max_unchanged_words, most_arcs)

    @property
    def whole(self) -> bool:
        """Whether the sentence did not have to be cut, so that its edits are those of the published scorer."""
        return len(self._pieces) < 2

    def edits(self, gold: Sequence[GoldEdit]) -> list[Proposed]:
        """Return the edits of the hypothesis that agree best with one reference, in the order of the text."""
        if not self.whole:
            for edit in gold:
                made = [Proposed(edit.start, edit.end, correction) for correction in edit.corrections]
                if alone := [one for one in made if applied_alone(self.source, one) == self.hypothesis]:
                    return alone[:1]  # one edit rewrites the sentence
        return [edit for piece in self._pieces for edit in self._edits_of_piece(gold, *piece)]

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
    """Yield the arcs of a lattice; those of pieces, with their first tokens on both sides, if they are too many."""
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
    """Return for each proposed edit the indices of the gold edits it equals.

    Both sides are read once, from left to right, as in the published scorer: a gold edit that stands in the file
    before one that has matched already is lost, and one proposed edit matches every equal gold edit after it.
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
        corrections: Each as tokens; any of them matches.
        type: The error type, with its operation first (``R:ArtOrDet`` where the file says ``ArtOrDet``).
    """

    start: int
    end: int
    corrections: tuple[tuple[str, ...], ...]
    type: str = "R:OTHER"

    def matches(self, start: int, end: int, correction: tuple[str, ...]) -> bool:
        """Whether an edit has this span and one of these corrections."""
        return start == self.start and end == self.end and correction in self.corrections


def gold_edits(annotation: Annotation, source: Sequence[str]) -> tuple[GoldEdit, ...]:
    """Return the edits of one annotator; an edit without correction stands for a deletion, as in the scorer.

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
    """Return ``M`` for an insertion, ``U`` for a deletion, ``R`` for a replacement.

    Tokens that the edit keeps at its ends do not count.
    """
    edit = minimise(Edit(start, end, correction, ""), source)
    if edit.start == edit.end:
        return "M"
    return "R" if edit.correction else "U"


def matched_costs(arcs: Arcs, gold: Sequence[GoldEdit], hypothesis: Sequence[str]) -> dict[Arc, float]:
    """Return the costs that differ from those without gold edits: ``-|E|`` for each arc that equals one.

    Insertions at one place are paired with those of the reference in order, from both ends in turn.

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
    """Return the costs of the insertions at one place, paired with those of the reference.

    A matched insertion is followed by one that begins where it ended.
    """
    width = arcs.lattice.width
    plain = [
        (before, vertex)
        for vertex in row
        for before in arcs.into.get(vertex, ())
        if before // width == vertex // width
    ]
    costs: dict[Arc, float] = {(before, vertex): vertex - before for before, vertex in plain}
    # As the published scorer lists them: in ascending order, repeated ones side by side.
    listed = [arc for arc in sorted(plain) for _ in range(arcs.copies.get(arc, 1))]
    places, numbers = [0, len(listed) - 1], [0, len(gold) - 1]
    side = 0
    while places[0] <= places[1]:
        # With one insertion left both ends are the same, and it counts as the left one.
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
