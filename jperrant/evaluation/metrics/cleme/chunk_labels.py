"""What each chunk of a hypothesis is against its references: hit, wrong, over, under, or rightly left alone.

Two assumptions (Ye et al. 2023, section 3.2). *Dependent*: the corrections of one reference belong together, so
a hypothesis is labelled against one reference at a time. *Independent*: each chunk may follow another reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from jperrant.evaluation.metrics.cleme.chunks import Partition

ASSUMPTIONS = {"dependent": "against one reference at a time", "independent": "chunk by chunk"}


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


def label_independent(partition: Partition, reference: int = 0) -> LabelledSentence:
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
    return LabelledSentence(partition, reference, tuple(labels), tn)


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
