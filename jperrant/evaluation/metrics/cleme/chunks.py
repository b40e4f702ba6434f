"""Cutting a source and all its corrections at the same places, CLEME's chunk partition, and labelling the chunks.

Ye et al. (2023), "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction", section 3.1.
Everyone's edits that overlap or touch fall into one *region*; between regions lie stretches that nobody
changes. Regions and stretches are the chunks, the same ones for the hypothesis and for every reference::

    source       This are        a        sentence
    reference 0  This is         a        sentence .
    hypothesis   This [is an]             sentence
                      └ one region, 1 3 ┘          └ region 4 4, empty in the source

Edits that only mark an error (``UNK``) and edits that change nothing are left out; the published code counts
the latter as hits.

Then each chunk of a hypothesis is labelled: hit, wrong, over, under, or rightly left alone, under one of two
assumptions (section 3.2). *Dependent*: the corrections of one reference belong together, so a hypothesis is
labelled against one reference at a time. *Independent*: each chunk may follow another reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Edit
from jperrant.evaluation.metrics.corrected_texts import disjoint

ASSUMPTIONS = {"dependent": "against one reference at a time", "independent": "chunk by chunk"}
#: Half-open range of source tokens; empty where something is only inserted.
Region: TypeAlias = tuple[int, int]


class Changed(NamedTuple):
    """What one annotation makes of a region in which it has edits.

    Attributes:
        tokens: The region's tokens with these edits applied.
        types: The types of the edits, in their order.
    """

    tokens: tuple[str, ...]
    types: tuple[str, ...]


#: One annotation's chunks at the regions; None where it changes nothing.
Chunks: TypeAlias = tuple[Changed | None, ...]


class Corrections(NamedTuple):
    """The edits of one annotation that change something.

    Attributes:
        annotator: The number of the annotator.
        edits: Sorted, without overlaps.
        ignored: How many edits were left out because they change nothing.
    """

    annotator: int
    edits: tuple[Edit, ...]
    ignored: int = 0


@dataclass(frozen=True, slots=True)
class Partition:
    """A source, a hypothesis and references, cut into the same chunks.

    Attributes:
        source: The tokens of the source.
        regions: Where anyone changes something, in order; neighbours have a source token between them.
        hypothesis: The chunks of the hypothesis at the regions.
        references: Those of each reference.
        annotators: The annotator of each reference.
        ignored: How many edits of all of them were left out because they change nothing.
    """

    source: tuple[str, ...]
    regions: tuple[Region, ...]
    hypothesis: Chunks
    references: tuple[Chunks, ...]
    annotators: tuple[int, ...]
    ignored: int = 0

    @property
    def unchanged(self) -> int:
        """The number of chunks that nobody changes; one, empty, for a sentence without tokens or edits."""
        if not self.regions:
            return 1
        return len(self.regions) - 1 + (self.regions[0][0] > 0) + (self.regions[-1][1] < len(self.source))

    @property
    def spans(self) -> list[tuple[int, int, int | None]]:
        """All chunks in order: start, end, and the index of the region, None for an unchanged stretch."""
        spans: list[tuple[int, int, int | None]] = []
        position = 0
        for index, (start, end) in enumerate(self.regions):
            if position < start:
                spans.append((position, start, None))
            spans.append((start, end, index))
            position = end
        if position < len(self.source) or not spans:
            spans.append((position, len(self.source), None))
        return spans

    def tokens(self, chunks: Chunks, region: int) -> tuple[str, ...]:
        """Return what one annotation has at a region: its own tokens, or the source's."""
        changed = chunks[region]
        return self.source[slice(*self.regions[region])] if changed is None else changed.tokens

    def put(self, region: int, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the source with other tokens at one region."""
        start, end = self.regions[region]
        return (*self.source[:start], *tokens, *self.source[end:])

    def corrected(self, chunks: Chunks) -> tuple[str, ...]:
        """Return the text of one annotation."""
        text: list[str] = []
        for start, end, number in self.spans:
            text += self.source[start:end] if number is None else self.tokens(chunks, number)
        return tuple(text)


def corrections_of(source: Sequence[str], annotation: Annotation) -> Corrections:
    """Return the edits of an annotation that change something.

    Of alternatives (``||`` in M2) the first is taken, as everywhere where edits are applied.

    Raises:
        EditError: An edit reaches outside the source, or two edits overlap.
    """
    if not annotation.edits:
        return Corrections(annotation.annotator, ())
    ordered = sorted(annotation.edits, key=attrgetter("start", "end"))
    proposed = disjoint(source, ordered, f"annotator {annotation.annotator}: ")
    edits = tuple([edit for edit in proposed if edit.correction != source[edit.start : edit.end]])
    return Corrections(annotation.annotator, edits, len(annotation.edits) - len(edits))


def kept_references(
    source: Sequence[str], references: Sequence[Corrections], exclude_unchanged: bool = False
) -> list[Corrections]:
    """Return the references that take part; at least one if there is any.

    A reference that leaves no token is dropped where another leaves some.

    Args:
        source: The tokens of the source.
        references: The corrections of each annotator.
        exclude_unchanged: Also drop, before that, references equal to the source where there are several; the
            first one stays if all are.
    """
    kept = list(references)
    if exclude_unchanged and len(kept) > 1:
        kept = [r for r in kept if apply_edits(source, r.edits) != tuple(source)] or kept[:1]
    if len(kept) > 1:
        kept = [r for r in kept if _length(source, r)] or kept[:1]
    return kept


def partition(
    source: tuple[str, ...],
    hypothesis: Corrections,
    references: Sequence[Corrections],
    merge_distance: int = 0,
) -> Partition:
    """Cut a source and its corrections into the same chunks.

    >>> from jperrant.core.values import Edit
    >>> hyp = Corrections(0, (Edit(1, 3, ("is", "an"), "R:OTHER"),))
    >>> ref = Corrections(0, (Edit(1, 2, ("is",), "R:VERB:SVA"), Edit(4, 4, (".",), "M:PUNCT")))
    >>> found = partition(("This", "are", "a", "sentence"), hyp, [ref])
    >>> found.regions
    ((1, 3), (4, 4))
    >>> found.references[0][0]
    Changed(tokens=('is', 'a'), types=('R:VERB:SVA',))

    Args:
        source: The tokens of the source.
        hypothesis: The corrections of the system.
        references: Those of the references, already without the ones to drop.
        merge_distance: Source tokens between two edits that still fall into one region; 0 merges those that
            overlap or touch.
    """
    rows = (hypothesis, *references)
    regions, edits_by_row = _regions(rows, merge_distance)
    chunks: list[list[Changed | None]] = [[None] * len(regions) for _ in rows]
    for number, (region, edits_of_region) in enumerate(zip(regions, edits_by_row, strict=True)):
        for row, edits in edits_of_region.items():
            chunks[row][number] = _changed(source, region, edits)
    ours, *theirs = map(tuple, chunks)
    annotators = tuple([r.annotator for r in references])
    ignored = sum([row.ignored for row in rows])
    return Partition(source, tuple(regions), ours, tuple(theirs), annotators, ignored)


def _regions(
    rows: Sequence[Corrections], merge_distance: int
) -> tuple[list[Region], list[dict[int, list[Edit]]]]:
    """Return the regions in which anyone changes something, and for each the edits by row."""
    # Stable: the order of one annotator's edits at one place is meaningful.
    edits = sorted(
        [
            (edit.start, edit.end, row, edit)
            for row, corrections in enumerate(rows)
            for edit in corrections.edits
        ],
        key=itemgetter(0),
    )
    regions: list[Region] = []
    edits_by_row: list[dict[int, list[Edit]]] = []
    first = last = -1
    for start, end, row, edit in edits:
        if regions and start <= last + merge_distance:
            last = max(last, end)
            regions[-1] = (first, last)
        else:
            first, last = start, end
            regions.append((start, end))
            edits_by_row.append({})
        edits_by_row[-1].setdefault(row, []).append(edit)
    return regions, edits_by_row


def _changed(source: tuple[str, ...], region: Region, edits: Sequence[Edit]) -> Changed:
    position, end = region
    if len(edits) == 1 and edits[0].start == position and edits[0].end == end:
        return Changed(edits[0].correction or (), (edits[0].type,))
    tokens: list[str] = []
    for edit in edits:
        tokens += source[position : edit.start]
        tokens += edit.correction or ()
        position = edit.end
    tokens += source[position:end]
    return Changed(tuple(tokens), tuple([e.type for e in edits]))


def _length(source: Sequence[str], corrections: Corrections) -> int:
    return len(source) + sum([len(e.correction or ()) - (e.end - e.start) for e in corrections.edits])


class Label(IntEnum):
    """What a chunk is; the letters are those of the chunk tables."""

    TP = 0
    """Hit: changed as a reference has it."""
    FP_NE = 1
    """Wrong: changed where a change was needed, but not to that (necessary)."""
    FP_UN = 2
    """Over: changed where none was needed (unnecessary)."""
    FN = 3
    """Under: not changed although needed."""

    @property
    def letters(self) -> str:
        """The label as papers write it."""
        return ("TP", "FPne", "FPun", "FN")[self]


class ChunkLabel(NamedTuple):
    """The label of one region.

    Attributes:
        region: The index of the region.
        label: What it is.
        reference: The index of the reference that says so: the first that has the same tokens (TP) or another
            change (FPne, FN). For FPun it says nothing.
    """

    region: int
    label: Label
    reference: int


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A hypothesis labelled against one reference or, independently, all of them.

    Attributes:
        partition: The chunks.
        reference: The index of the reference it is labelled against; independently, the one that weights look at.
        labels: The labels of the regions, in order, but for those rightly left alone.
        tn: How many chunks were rightly left alone, unchanged stretches included.
        weights: One for each label, 0 or more; None where chunks are counted.
        deviations: What was corrected in the weights, a few words for each time.
    """

    partition: Partition
    reference: int
    labels: tuple[ChunkLabel, ...]
    tn: int
    weights: tuple[float, ...] | None = None
    deviations: tuple[str, ...] = ()

    @property
    def annotator(self) -> int:
        """The number of the reference's annotator."""
        return self.partition.annotators[self.reference]


def label_dependent(partition: Partition, reference: int) -> LabelledSentence:
    """Label the hypothesis against one reference (an index)."""
    labels = []
    tn = partition.unchanged
    for region, (ours, theirs) in enumerate(
        zip(partition.hypothesis, partition.references[reference], strict=True)
    ):
        if ours is None:
            # Edits that undo one another leave the tokens of the source: nothing was missed.
            if theirs is None or theirs.tokens == partition.tokens(partition.hypothesis, region):
                tn += 1
            else:
                labels.append(ChunkLabel(region, Label.FN, reference))
        elif theirs is not None:
            label = Label.TP if ours.tokens == theirs.tokens else Label.FP_NE
            labels.append(ChunkLabel(region, label, reference))
        else:
            same = ours.tokens == partition.tokens(partition.references[reference], region)
            labels.append(ChunkLabel(region, Label.TP if same else Label.FP_UN, reference))
    return LabelledSentence(partition, reference, tuple(labels), tn)


def label_independent(partition: Partition) -> LabelledSentence:
    """Label each chunk of the hypothesis against all references.

    A hit has the tokens of any reference, and a change is wrong rather than over if any reference changes the
    chunk; but it is missed only where all of them do. The papers do not say so, their code does.
    """
    labels = []
    tn = partition.unchanged
    for region, ours in enumerate(partition.hypothesis):
        theirs = [chunks[region] for chunks in partition.references]
        if ours is None:
            if None in theirs:
                tn += 1
            else:
                labels.append(ChunkLabel(region, Label.FN, 0))
            continue
        same = [ours.tokens == partition.tokens(chunks, region) for chunks in partition.references]
        changed = [chunk is not None for chunk in theirs]
        if True in same:
            labels.append(ChunkLabel(region, Label.TP, same.index(True)))
        elif True in changed:
            labels.append(ChunkLabel(region, Label.FP_NE, changed.index(True)))
        else:
            labels.append(ChunkLabel(region, Label.FP_UN, 0))
    return LabelledSentence(partition, 0, tuple(labels), tn)


def label_chunks(partition: Partition, assumption: str, every: bool) -> list[LabelledSentence]:
    """Return the sentences among which one is chosen.

    A reference that equals one before it is left out: it scores the same, and the first one is taken then.

    Args:
        partition: The chunks; it has at least one reference.
        assumption: One of ``ASSUMPTIONS``.
        every: Independently, return one for each reference although labels do not differ, since weights do.
    """
    first_ones = {chunks: index for index, chunks in reversed(list(enumerate(partition.references)))}
    references = sorted(first_ones.values())
    if assumption == "dependent":
        return [label_dependent(partition, reference) for reference in references]
    first = label_independent(partition)
    if not every:
        return [first]
    return [LabelledSentence(partition, reference, first.labels, first.tn) for reference in references]


def types_of(sentence: LabelledSentence, mark: ChunkLabel) -> tuple[str, ...]:
    """Return the types that a mark counts for: those of the reference, or the hypothesis's where it has none.

    One for each edit in the chunk, so that types share a chunk by their edits.
    """
    theirs = sentence.partition.references[mark.reference][mark.region]
    ours = sentence.partition.hypothesis[mark.region]
    if mark.label is not Label.FP_UN and theirs is not None:
        return theirs.types
    return ours.types if ours is not None else ()
