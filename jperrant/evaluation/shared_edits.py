"""Which edits systems share, and which of them the references have."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.metrics.score import Score


@dataclass(frozen=True, slots=True)
class SystemEdit:
    """An edit of one system or of several.

    Attributes:
        edit: Its span, counted in the tokens of the sentences compared, and its correction and type, as the first
            system that has it says.
        systems: The numbers of the systems that have it, from 0.
        right: Whether an annotator of the references has the same span and correction; None without references.
    """

    edit: Edit
    systems: tuple[int, ...]
    right: bool | None


@dataclass(frozen=True, slots=True)
class EditCounts:
    """How many edits two systems share.

    Attributes:
        shared, first, second: Right, wrong and all edits of both systems, of the first alone, and of the second
            alone. Without references nothing is right or wrong.
    """

    shared: tuple[int, int, int]
    first: tuple[int, int, int]
    second: tuple[int, int, int]


def count_shared(edits: Sequence[SystemEdit], first: int, second: int) -> EditCounts:
    """Return how many edits two of the systems share.

    Args:
        edits: The edits of all systems.
        first, second: The numbers of the two.
    """

    def count(ours: bool, theirs: bool) -> tuple[int, int, int]:
        own = [e for e in edits if (first in e.systems, second in e.systems) == (ours, theirs)]
        return sum(e.right is True for e in own), sum(e.right is False for e in own), len(own)

    return EditCounts(count(True, True), count(True, False), count(False, True))


def stretches(scores: Sequence[Score]) -> list[tuple[int, int]]:
    """Return the half-open ranges of reference sentences that ``paired_rows`` sums, in the order of its rows."""
    if not any(score.spans for score in scores):
        return [(n, n + 1) for n in range(scores[0].sentences)]
    ends = sorted(set.intersection(*({end for _, end in _spans(score) if end} for score in scores)))
    return list(zip([0, *ends[:-1]], ends, strict=True)) if ends else [(0, 0)]


def edits_by_sentence(
    scores: Sequence[Score], pairs: Sequence[Pair], ranges: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple[str, ...], tuple[SystemEdit, ...]]]:
    """Yield for each stretch its tokens and the edits of all systems; neither where the tokens differ.

    Args:
        scores: Say which annotator of a system counts in each sentence.
        pairs: The blocks of each system and its references.
        ranges: As :func:`stretches` returns them.
    """
    ends = [end for _, end in ranges]
    blocks: list[list[list[int]]] = []
    for score in scores:
        own: list[list[int]] = [[] for _ in ranges]
        for n, (_, end) in enumerate(_spans(score)):
            own[min(bisect_left(ends, end), len(ranges) - 1)].append(n)
        blocks.append(own)
    for n in range(len(ranges)):
        numbers = [own[n] for own in blocks]
        sources = {
            tuple(token for k in ours for token in pair.hypothesis[k].source)
            for ours, pair in zip(numbers, pairs, strict=True)
        }
        if len(sources) != 1:
            yield (), ()
            continue
        yield sources.pop(), tuple(_edits(scores, pairs, numbers))


def _edits(
    scores: Sequence[Score], pairs: Sequence[Pair], numbers: Sequence[Sequence[int]]
) -> Iterator[SystemEdit]:
    """Yield the edits of one stretch, in the order of the text."""
    shown: dict[tuple[object, ...], Edit] = {}
    systems: dict[tuple[object, ...], set[int]] = {}
    gold: set[tuple[object, ...]] = set()
    for system, (score, pair, own) in enumerate(zip(scores, pairs, numbers, strict=True)):
        offset = 0
        for k in own:
            block = pair.hypothesis[k]
            chosen = block.annotation(score.combined[k].hypothesis) or Annotation(0)
            for edit in chosen.edits:
                shown.setdefault(_key(edit, offset), _moved(edit, offset))
                systems.setdefault(_key(edit, offset), set()).add(system)
            if pair.references:
                gold |= {_key(edit, offset) for edit in _all_edits(pair.references[k])}
            offset += len(block.source)
    judged = bool(pairs[0].references)
    for key in sorted(shown, key=lambda key: (shown[key].start, shown[key].end)):
        yield SystemEdit(shown[key], tuple(sorted(systems[key])), key in gold if judged else None)


def _key(edit: Edit, offset: int) -> tuple[object, ...]:
    return edit.start + offset, edit.end + offset, edit.correction


def _moved(edit: Edit, offset: int) -> Edit:
    return edit if not offset else Edit(edit.start + offset, edit.end + offset, edit.correction, edit.type)


def _all_edits(block: Block) -> Iterator[Edit]:
    for annotation in annotations_of(block):
        yield from annotation.edits


def _spans(score: Score) -> Sequence[tuple[int, int]]:
    return score.spans or [(n, n + 1) for n in range(score.sentences)]
