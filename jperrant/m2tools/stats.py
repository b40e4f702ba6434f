"""Statistics of an annotated corpus: sentences, tokens, edits of each annotator, agreement."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from jperrant.core.errors import FormatError
from jperrant.core.progress import track
from jperrant.core.values import NOOP, Annotation, Block, Edit
from jperrant.io.m2 import FormatDeviations, read_m2, spooled

if TYPE_CHECKING:
    from jperrant.evaluation.agreement.measure import Agreement
    from jperrant.io.m2 import Spool


@dataclass
class AnnotatorStats:
    """The numbers of sentences, tokens and edits of one annotator.

    Attributes:
        sentences, tokens: Those that the annotator looked at.
        changed: Sentences with an edit.
        edits: All edits.
        operations: Edits that insert (M), delete (U) and replace (R), whatever their type says.
        detection: Edits that mark an error without correcting it.
        types: Edits of each type, and sentences without any under ``noop``.
    """

    sentences: int = 0
    tokens: int = 0
    changed: int = 0
    edits: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    detection: int = 0
    types: Counter[str] = field(default_factory=Counter)

    def add(self, block: Block, annotation: Annotation) -> None:
        """Count an annotation of a block."""
        self.sentences += 1
        self.tokens += len(block.source)
        self.changed += bool(annotation.edits)
        self.edits += len(annotation.edits)
        self.types.update([edit.type for edit in annotation.edits] or [NOOP])
        for edit in annotation.edits:
            self.detection += edit.is_detection
            if not edit.is_detection:
                self.operations[operation_of(edit)] += 1

    @property
    def unchanged(self) -> int:
        """Sentences that were left unchanged."""
        return self.sentences - self.changed

    @property
    def edits_per_100_tokens(self) -> float:
        """Number of edits for 100 tokens; NaN without tokens."""
        return 100 * self.edits / self.tokens if self.tokens else float("nan")


@dataclass
class CorpusStats:
    """The numbers of a file.

    Attributes:
        sentences, tokens: All of them.
        empty: Sentences without tokens.
        repeated: Sentences that occurred before.
        annotators: The numbers of each annotator.
        jointly: Sentences that two annotators or more looked at.
    """

    sentences: int = 0
    tokens: int = 0
    empty: int = 0
    repeated: int = 0
    annotators: dict[int, AnnotatorStats] = field(default_factory=dict)
    jointly: int = 0

    def count(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Count blocks and yield them."""
        # Hashes take the place of sentences: 8 bytes each, with almost no collisions.
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


def operation_of(edit: Edit) -> str:
    """Return whether an edit inserts (M), deletes (U) or replaces (R)."""
    if edit.start == edit.end:
        return "M"
    return "R" if edit.correction or any(edit.alternatives) else "U"


@dataclass(frozen=True)
class FileStats:
    """A file with its numbers and the agreement of its annotators.

    Attributes:
        name: The file.
        stats: Its numbers.
        agreement: The agreement of its annotators; None if no sentence has two.
    """

    name: str
    stats: CorpusStats
    agreement: Agreement | None = None


def corpus_stats(
    path: str, samples: int = 0, strict: bool = False, notes: list[str] | None = None
) -> FileStats:
    """Return the numbers of an M2 file.

    8 bytes are kept for each sentence; for intervals of agreement also its counts, some hundred bytes for each
    pair of annotators.

    Args:
        path: The file, ``-`` meaning standard input.
        samples: Bootstrap samples for the intervals of agreement; 0 for none.
        strict: Make every format deviation of the file an error.
        notes: Gets what was read leniently and what agreement left out, a line each.

    Raises:
        FormatError: The file is not M2, or has no sentences.
        InputError: It cannot be read.
    """
    deviations, stats = FormatDeviations(strict), CorpusStats()
    blocks = stats.count(track(read_m2(path, strict, deviations), f"reading {path} (sentences)"))
    with spooled(blocks) as spool:
        if not spool.count:
            raise FormatError(path, None, "found no sentences, expected M2 blocks that begin with an S line")
        said = [deviations.summary(path)]
        agreement = None
        if stats.jointly:
            agreement = _agreement(spool, samples)
            said += [f"{path}: {note}" for note in agreement.notes]
    if notes is not None:
        notes += [line for line in said if line]
    return FileStats(path, stats, agreement)


def _agreement(spool: Spool, samples: int) -> Agreement:
    from jperrant.evaluation.agreement.annotators import UNSEEN_BY_STATS, Watched
    from jperrant.evaluation.agreement.measure import AgreementOptions, count_agreement

    names = {number: str(number) for number in spool.annotators}
    blocks = Watched(track(spool, "comparing annotators (sentences)", spool.count), names)
    found = count_agreement(blocks, names, AgreementOptions(samples=samples))
    return replace(found, notes=tuple(blocks.notes(UNSEEN_BY_STATS)))
