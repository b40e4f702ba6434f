"""What is noted of the blocks of a file while they pass: who annotated what, and the types of edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jperrant.core.values import Block
from jperrant.evaluation.metrics.base import annotations_of


@dataclass(slots=True)
class Side:
    """The annotators of one side; memory does not grow with the sentences.

    Attributes:
        sentences: The number of sentences.
        sets: For each set of annotators how many sentences it has, and the first of them, from 1.
        types: The types of all edits.
    """

    sentences: int = 0
    sets: dict[frozenset[int], tuple[int, int]] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Side:
        """Return what is noted of blocks."""
        side = cls()
        side.add(blocks)
        return side

    def add(self, blocks: Sequence[Block]) -> None:
        """Note more blocks of the file."""
        first = self.sentences + 1
        for number, block in enumerate(blocks, first):
            annotators = frozenset([a.annotator for a in annotations_of(block)])
            count, first = self.sets.get(annotators, (0, number))
            self.sets[annotators] = count + 1, first
            self.types.update([edit.type for a in block.annotations for edit in a.edits])
        self.sentences += len(blocks)

    @classmethod
    def joined(cls, sides: Iterable[Side]) -> Side:
        """Return what is noted of parts of a corpus together, their sentences counted on."""
        whole = cls()
        for side in sides:
            for annotators, (count, first) in side.sets.items():
                before, earliest = whole.sets.get(annotators, (0, whole.sentences + first))
                whole.sets[annotators] = before + count, earliest
            whole.sentences += side.sentences
            whole.types |= side.types
        return whole

    @property
    def everyone(self) -> frozenset[int]:
        """All annotators."""
        return frozenset[int]().union(*self.sets)

    @property
    def sizes(self) -> set[int]:
        """The numbers of annotators that sentences have."""
        return {len(annotators) for annotators in self.sets}

    def lacking(self) -> tuple[int, int, list[int]]:
        """Return how many sentences lack an annotator, the first of them, and who is missing there."""
        everyone = self.everyone
        gaps = {own: found for own, found in self.sets.items() if own != everyone}
        if not gaps:
            return 0, 0, []
        first, own = min((first, own) for own, (_, first) in gaps.items())
        return sum(count for count, _ in gaps.values()), first, sorted(everyone - own)
