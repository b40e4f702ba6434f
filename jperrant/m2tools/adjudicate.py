"""Combining annotators into one version: what they agree on, what a person decided, what is still open.

The loop: ``adjudicate`` decides what needs nobody and writes the rest, with the versions of all annotators, to a
file of its own; a person leaves one annotator in each sentence there (in a text editor, an annotation tool, the
review page); the next run takes these decisions.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.messages import agree, plural
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import Annotators

#: How a sentence was decided.
KINDS = {
    "decided": "by a decision",
    "alone": "by the one annotator who looked at them",
    "agreed": "as all annotators agree",
    "majority": "by the majority, edit by edit",
    "preferred": "by the preferred annotator",
}


@dataclass
class Adjudication:
    """What came of it; complete when all blocks were taken.

    Attributes:
        counts: Sentences by how they were decided.
        open: The sentences that nobody decided, with the versions of all annotators.
    """

    counts: Counter[str] = field(default_factory=Counter)
    open: list[Block] = field(default_factory=list)

    def lines(self, name: str) -> list[str]:
        """Return what was decided and what is open, a line each.

        Args:
            name: The text in messages.
        """
        parts = [f"{self.counts[kind]} {how}" for kind, how in KINDS.items() if self.counts[kind]]
        total = sum(self.counts.values())
        lines = [f"{name}: {plural(total, 'sentence')} decided: {', '.join(parts)}"] if parts else []
        if self.open:
            count = len(self.open)
            verbs = agree(count, "is open and stands", "are open and stand")
            lines.append(f"{name}: {plural(count, 'sentence')} {verbs} without annotation")
        return lines


def adjudicate_m2(
    annotators: Annotators,
    result: Adjudication,
    *,
    decisions: Iterable[Block] = (),
    decisions_file: str = "decisions",
    majority: bool = False,
    prefer: int | None = None,
) -> Iterator[Block]:
    """Yield every sentence with one version, of annotator 0, or without annotation where none was decided.

    Args:
        annotators: The annotators of the text.
        result: Gets what was decided and what is open.
        decisions: Sentences that a person decided: those with one annotator; others are still open. Equal
            sentences are taken in their order.
        decisions_file: Their name in messages.
        majority: Where three annotators or more looked, keep the edits that more than half of them have.
        prefer: The index of the annotator whose version is taken where nothing else decides.

    Raises:
        FormatError: A decision is about a sentence that the text does not have, or that needs none.
    """
    decided = _Decisions(
        decisions,
        annotators.blocks,
        decisions_file,
        lambda block: _decide(block, None, majority, prefer)[1] is None,
    )
    for block in annotators.blocks:
        kind, edits = _decide(block, decided.take(block), majority, prefer)
        if edits is None:
            result.open.append(block)
            yield Block(block.source)
        else:
            result.counts[kind] += 1
            yield Block(block.source, (Annotation(0, edits),))
    decided.check_all_taken()


def _is_contested(block: Block) -> bool:
    """Whether annotators differ, or none looked."""
    versions = {annotation.edits for annotation in block.annotations}
    return len(versions) != 1


def _decide(
    block: Block, decision: Block | None, majority: bool, prefer: int | None
) -> tuple[str, tuple[Edit, ...] | None]:
    """Return how a sentence is decided and the edits that it gets; None if it is open."""
    versions = [annotation.edits for annotation in block.annotations]
    if decision is not None and len(decision.annotations) == 1:
        return "decided", decision.annotations[0].edits
    if len(versions) == 1:
        return "alone", versions[0]
    if versions and all(edits == versions[0] for edits in versions):
        return "agreed", versions[0]
    if majority and len(versions) > 2:
        return "majority", _majority(versions)
    preferred = None if prefer is None else block.annotation(prefer)
    return "preferred", None if preferred is None else preferred.edits


def _majority(versions: Sequence[tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """Return the edits that more than half of the annotators have, in the order of the text.

    An edit is kept as often as more than half have it: an insertion that is repeated may be meant (very very).
    """
    counts = Counter(numbered for edits in versions for numbered in _numbered(edits))
    kept = [edit for (edit, _), count in counts.items() if 2 * count > len(versions)]
    return tuple(sorted(kept, key=lambda edit: (edit.start, edit.end)))


def _numbered(edits: Sequence[Edit]) -> Iterator[tuple[Edit, int]]:
    """Yield edits, each with how many equal ones come before it."""
    met: Counter[Edit] = Counter()
    for edit in edits:
        yield edit, met[edit]
        met[edit] += 1


class _Decisions:
    """Decisions by their sentences.

    Where a text has a sentence more often than there are decisions of it, these are about those places that would
    be open without them, in their order; where there are too many for these, about all where annotators differ.

    Args:
        decisions: The decisions.
        blocks: The sentences of the text.
        file: The name of the decisions in messages.
        is_open: Whether nothing but a decision decides a sentence.
    """

    def __init__(
        self,
        decisions: Iterable[Block],
        blocks: Sequence[Block],
        file: str,
        is_open: Callable[[Block], bool],
    ) -> None:
        self._file, self._is_open = file, is_open
        self._waiting: dict[tuple[str, ...], deque[tuple[int, Block]]] = {}
        for number, block in enumerate(decisions, start=1):
            self._waiting.setdefault(block.source, deque()).append((number, block))
        places = [block for block in blocks if block.source in self._waiting]
        every = Counter(block.source for block in places)
        opened = Counter(block.source for block in places if is_open(block))
        self._for_each = {source for source, own in self._waiting.items() if len(own) == every[source]}
        self._for_open = {source for source, own in self._waiting.items() if len(own) <= opened[source]}

    def take(self, block: Block) -> Block | None:
        """Return the decision about a sentence of the text; None if there is none."""
        waiting = self._waiting.get(block.source)
        return waiting.popleft()[1] if waiting and self._is_decided(block) else None

    def _is_decided(self, block: Block) -> bool:
        if block.source in self._for_each:
            return True
        return self._is_open(block) if block.source in self._for_open else _is_contested(block)

    def check_all_taken(self) -> None:
        """Refuse decisions that no sentence took.

        Raises:
            FormatError: Names the first one.
        """
        left = min(
            [waiting[0] for waiting in self._waiting.values() if waiting],
            default=None,
            key=lambda one: one[0],
        )
        if left is not None:
            number, block = left
            raise FormatError(
                self._file,
                None,
                f"sentence {number} (counted from 1) is no sentence of the text that is to be decided: "
                f"{shorten(' '.join(block.source))}",
            )
