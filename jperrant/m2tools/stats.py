"""What an annotated corpus holds: sentences, tokens, and the edits of each annotator."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jperrant.core.m2_format import NOOP
from jperrant.core.values import Annotation, Block, Edit


@dataclass
class AnnotatorStats:
    """What one annotator did; numbers of sentences, tokens and edits.

    Attributes:
        sentences, tokens: What the annotator looked at.
        changed: Sentences with an edit.
        edits: All edits.
        operations: Edits that insert (M), delete (U) and replace (R), by what they do, whatever their type says.
        detection: Edits that mark an error and correct nothing.
        touched: Source tokens inside an edit.
        alternatives: Edits with several corrections.
        types: Edits of each type, and sentences without any under ``noop``.
    """

    sentences: int = 0
    tokens: int = 0
    changed: int = 0
    edits: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    detection: int = 0
    touched: int = 0
    alternatives: int = 0
    types: Counter[str] = field(default_factory=Counter)

    def add(self, block: Block, annotation: Annotation) -> None:
        """Count an annotation of a block."""
        self.sentences += 1
        self.tokens += len(block.source)
        self.changed += bool(annotation.edits)
        self.edits += len(annotation.edits)
        self.types.update(types_of(annotation))
        self.touched += len({token for edit in annotation.edits for token in range(edit.start, edit.end)})
        for edit in annotation.edits:
            self.detection += edit.is_detection
            self.alternatives += bool(edit.alternatives)
            if not edit.is_detection:
                self.operations[operation_of(edit)] += 1

    @property
    def unchanged(self) -> int:
        """Sentences that were looked at and left alone."""
        return self.sentences - self.changed

    @property
    def edits_per_100_tokens(self) -> float:
        """The density of edits; NaN without tokens."""
        return 100 * self.edits / self.tokens if self.tokens else float("nan")


@dataclass
class CorpusStats:
    """What a file holds.

    Attributes:
        sentences, tokens: All of them.
        empty: Sentences without tokens.
        repeated: Sentences that were there before.
        annotators: What each annotator did.
        jointly: Sentences that two annotators or more looked at.
    """

    sentences: int = 0
    tokens: int = 0
    empty: int = 0
    repeated: int = 0
    annotators: dict[int, AnnotatorStats] = field(default_factory=dict)
    jointly: int = 0

    def count(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Count blocks while they pass."""
        # Hashes instead of sentences: 8 bytes each, and equal ones by chance are very rare.
        import numpy as np  # which counting types does without

        met = array("q")
        for block in blocks:
            self.sentences += 1
            self.tokens += len(block.source)
            self.empty += not block.source
            met.append(hash(block.source))
            self.jointly += len(block.annotations) > 1
            for annotation in block.annotations:
                self.annotators.setdefault(annotation.annotator, AnnotatorStats()).add(block, annotation)
            yield block
        self.repeated += len(met) - len(np.unique(np.frombuffer(met, dtype=np.int64)) if met else ())


def count_types(blocks: Iterable[Block]) -> dict[int, Counter[str]]:
    """Count types by annotator; sentences that an annotator left alone count under ``noop``."""
    counts: dict[int, Counter[str]] = {}
    for block in blocks:
        for annotation in block.annotations:
            counts.setdefault(annotation.annotator, Counter()).update(types_of(annotation))
    return counts


def types_of(annotation: Annotation) -> list[str]:
    """Return the types of the edits of an annotation, ``noop`` if it has none."""
    return [edit.type for edit in annotation.edits] or [NOOP]


def operation_of(edit: Edit) -> str:
    """Return whether an edit inserts (M), deletes (U) or replaces (R)."""
    if edit.start == edit.end:
        return "M"
    return "R" if edit.correction or any(edit.alternatives) else "U"
