"""CLEME's chunk partition: source, hypothesis and references cut at the same places, with labels for the chunks.

Ye et al. (2023), "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction", section 3.1.
Edits of any annotation that overlap or touch fall into one *region*; between regions lie unchanged stretches.
Regions and stretches are the chunks, the same for the hypothesis and every reference::

    source       This are        a        sentence
    reference 0  This is         a        sentence .
    hypothesis   This [is an]             sentence
                      └ one region, 1 3 ┘          └ region 4 4, empty in the source

Detection edits (``UNK``) and edits that change nothing are left out; the published code counts the latter as hits.

Each chunk of the hypothesis gets a label: TP (hit), FPne (wrong), FPun (over-corrected), FN (missed), or TN
(correctly left unchanged). Section 3.2 has two assumptions. *Dependent*: the corrections of one reference belong
together, so the hypothesis is labelled against one reference at a time. *Independent*: each chunk can follow
another reference.
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
    """A region as one annotation changes it.

    Attributes:
        tokens: The region's tokens with these edits applied.
        types: The types of the edits, in their order.
    """

    tokens: tuple[str, ...]
    types: tuple[str, ...]


#: The regions of one annotation; None for a region that it leaves unchanged.
Chunks: TypeAlias = tuple[Changed | None, ...]


class Corrections(NamedTuple):
    """The edits of one annotation, without those that change nothing.

    Attributes:
        annotator: The number of the annotator.
        edits: The edits, sorted and without overlaps.
        ignored: The number of edits left out, as they change nothing.
    """

    annotator: int
    edits: tuple[Edit, ...]
    ignored: int = 0


@dataclass(frozen=True, slots=True)
class Partition:
    """A source, a hypothesis and references, cut into the same chunks.

    Attributes:
        source: The tokens of the source.
        regions: The regions in order; at least one source token lies between neighbours.
        hypothesis: The regions of the hypothesis.
        references: The regions of each reference.
        annotators: The number of the annotator of each reference.
        ignored: The number of edits of all annotations left out, as they change nothing.
    """

    source: tuple[str, ...]
    regions: tuple[Region, ...]
    hypothesis: Chunks
    references: tuple[Chunks, ...]
    annotators: tuple[int, ...]
    ignored: int = 0

    @property
    def unchanged(self) -> int:
        """The number of unchanged stretches; an empty sentence without edits has one."""
        if not self.regions:
            return 1
        return len(self.regions) - 1 + (self.regions[0][0] > 0) + (self.regions[-1][1] < len(self.source))

    @property
    def spans(self) -> list[tuple[int, int, int | None]]:
        """All chunks in order: start, end, and the index of the region (None for an unchanged stretch)."""
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
        """Return the tokens of one annotation at a region: those of the source if the region is unchanged."""
        changed = chunks[region]
        return self.source[slice(*self.regions[region])] if changed is None else changed.tokens

    def put(self, region: int, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the source with the tokens of one region replaced."""
        start, end = self.regions[region]
        return (*self.source[:start], *tokens, *self.source[end:])

    def corrected(self, chunks: Chunks) -> tuple[str, ...]:
        """Return the corrected tokens of one annotation."""
        text: list[str] = []
        for start, end, number in self.spans:
            text += self.source[start:end] if number is None else self.tokens(chunks, number)
        return tuple(text)


def corrections_of(source: Sequence[str], annotation: Annotation) -> Corrections:
    """Return the edits of an annotation, without those that change nothing.

    Of alternative corrections (``||`` in M2) the first is used.

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
    """Return the references to score against, at least one if there are any.

    A reference whose corrected text is empty is dropped if another is not empty.

    Args:
        source: The tokens of the source.
        references: The corrections of each annotator.
        exclude_unchanged: Whether references equal to the source are dropped first; if all are, the first is kept.
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
        references: The corrections of the references, from :func:`kept_references`.
        merge_distance: The most source tokens between two edits of one region; 0 merges edits that overlap or
            touch.
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
    """Return the regions, and the edits in each by row."""
    # A stable sort: the order of one annotator's edits at one place is meaningful.
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
    """The label of a chunk."""

    TP = 0
    """Hit: changed as in a reference."""
    FP_NE = 1
    """Wrong: a necessary change, but to other tokens than in the reference."""
    FP_UN = 2
    """Over-correction: an unnecessary change."""
    FN = 3
    """Missed: a necessary change that was not made."""

    @property
    def letters(self) -> str:
        """The label as the papers write it."""
        return ("TP", "FPne", "FPun", "FN")[self]


class ChunkLabel(NamedTuple):
    """The label of one region.

    Attributes:
        region: The index of the region.
        label: The label.
        reference: The index of the reference behind the label: the first with the same tokens (TP) or with another
            change (FPne, FN); meaningless for FPun.
    """

    region: int
    label: Label
    reference: int


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A hypothesis labelled against one reference (dependent) or all of them (independent).

    Attributes:
        partition: The chunks.
        reference: The index of the reference of the labels; under independence, the reference of the weights.
        labels: The labels of the regions in order, without TN.
        tn: The number of TN chunks, unchanged stretches included.
        weights: The weight of each label, 0 or more; None if chunks are counted.
        deviations: A phrase for each weight that had to be corrected.
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
    """Label the hypothesis against one reference, given by its index."""
    labels = []
    tn = partition.unchanged
    for region, (ours, theirs) in enumerate(
        zip(partition.hypothesis, partition.references[reference], strict=True)
    ):
        if ours is None:
            # Reference edits that undo each other leave the source unchanged, so nothing is missed.
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

    TP: the tokens of any reference. FPne: another change than that of any reference. FN: unchanged although all
    references change the chunk. The papers leave this open; the rule is that of their code.
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
    """Return the labelled sentences that become candidates.

    Of equal references only the first is used, as the others have the same score.

    Args:
        partition: The chunks, with at least one reference.
        assumption: One of ``ASSUMPTIONS``.
        every: Whether to return one sentence for each reference under independence too, as their weights differ.
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
    """Return the error types of a label, one for each edit in the chunk.

    They are those of the reference, or those of the hypothesis if the reference leaves the chunk unchanged.
    """
    theirs = sentence.partition.references[mark.reference][mark.region]
    ours = sentence.partition.hypothesis[mark.region]
    if mark.label is not Label.FP_UN and theirs is not None:
        return theirs.types
    return ours.types if ours is not None else ()
