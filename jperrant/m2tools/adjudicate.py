"""Combining annotators into one version: what they agree on, what a person decided, what is still open.

``adjudicate`` decides the sentences on which the annotators agree, and writes the others, with all versions, to a
second file. There a person leaves one annotator in each sentence (in a text editor, an annotation tool or the
review page). The next run takes these decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.messages import agree, plural
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import Annotators

#: The ways to decide a sentence.
KINDS = {
    "decided": "by a decision",
    "alone": "by the one annotator who looked at them",
    "agreed": "as all annotators agree",
    "majority": "by the majority, edit by edit",
    "preferred": "by the preferred annotator",
}


@dataclass
class Adjudication:
    """The outcome; complete when all blocks have been read.

    Attributes:
        counts: Sentences by how they were decided.
        open: The sentences that nobody decided, with the versions of all annotators.
    """

    counts: Counter[str] = field(default_factory=Counter)
    open: list[Block] = field(default_factory=list)

    def lines(self, name: str) -> list[str]:
        """Return the numbers of decided and open sentences, a line each.

        Args:
            name: The text in messages.
        """
        parts = [f"{self.counts[kind]} {how}" for kind, how in KINDS.items() if self.counts[kind]]
        total = sum(self.counts.values())
        lines = [f"{name}: {plural(total, 'sentence')} decided: {', '.join(parts)}"] if parts else []
        if self.open:
            count = len(self.open)
            verbs = agree(count, "is open and written", "are open and written")
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
        result: Gets the counts and the open sentences.
        decisions: The decisions of a person: sentences with one annotator are decided, others still open. Equal
            sentences are taken in their order.
        decisions_file: The name of the decisions in messages.
        majority: In sentences of three annotators or more, keep the edits that more than half of them have.
        prefer: The index of the annotator whose version is taken if nothing else decides a sentence.

    Raises:
        FormatError: A decision is about a sentence that the text does not have, or that is decided already.
    """
    blocks = annotators.blocks
    placed = _placed(
        decisions, blocks, decisions_file, lambda block: _decide(block, None, majority, prefer)[1] is None
    )
    for k, block in enumerate(blocks):
        kind, edits = _decide(block, placed.get(k), majority, prefer)
        if edits is None:
            result.open.append(block)
            yield Block(block.source)
        else:
            result.counts[kind] += 1
            yield Block(block.source, (Annotation(0, edits),))


def _decide(
    block: Block, decision: Block | None, majority: bool, prefer: int | None
) -> tuple[str, tuple[Edit, ...] | None]:
    """Return how a sentence is decided, and its edits; None if it is open."""
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

    An edit is kept as often as more than half have it, as an insertion may be repeated on purpose (very very).
    """
    counts = Counter[tuple[Edit, int]]()
    for edits in versions:
        counts.update([(edit, edits[:k].count(edit)) for k, edit in enumerate(edits)])
    kept = [edit for (edit, _), count in counts.items() if 2 * count > len(versions)]
    return tuple(sorted(kept, key=lambda edit: (edit.start, edit.end)))


def _placed(
    decisions: Iterable[Block], blocks: Sequence[Block], file: str, is_open: Callable[[Block], bool]
) -> dict[int, Block]:
    """Return decisions by the index of the sentence that they are about.

    A sentence may stand in the text more often than in the decisions. Then the decisions belong to the places that
    would be open without them, in their order; if there are more decisions than such places, to all places where
    annotators differ.

    Args:
        decisions: The decisions.
        blocks: The sentences of the text.
        file: The name of the decisions in messages.
        is_open: Whether a sentence is open without a decision.

    Raises:
        FormatError: A decision is about no sentence of the text, or about one that needs none; names the first.
    """
    waiting: dict[tuple[str, ...], list[tuple[int, Block]]] = {}
    for number, decision in enumerate(decisions, start=1):
        waiting.setdefault(decision.source, []).append((number, decision))
    places: dict[tuple[str, ...], list[int]] = {source: [] for source in waiting}
    for k, block in enumerate(blocks):
        if block.source in places:
            places[block.source].append(k)
    placed: dict[int, Block] = {}
    left: list[tuple[int, Block]] = []
    for source, own in waiting.items():
        chosen = places[source]
        if len(own) != len(chosen):
            opened = [k for k in chosen if is_open(blocks[k])]
            contested = [k for k in chosen if len({a.edits for a in blocks[k].annotations}) != 1]
            chosen = opened if len(own) <= len(opened) else contested
        placed |= zip(chosen, [decision for _, decision in own], strict=False)
        left += own[len(chosen) :]
    for number, decision in sorted(left, key=lambda one: one[0])[:1]:
        what = "is none of the sentences to be decided"
        problem = f"sentence {number} (counted from 1) {what}: {shorten(' '.join(decision.source))}"
        raise FormatError(file, None, problem)
    return placed
