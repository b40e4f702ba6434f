"""The sentences of a page: each edit once, with its systems and outcomes, compact enough for thousands."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from jperrant.core.progress import track
from jperrant.core.values import Edit
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.statistics.significance import paired_rows, stretches

#: Decimals of a sentence's value.
_DECIMALS = 4
#: Annotator of the references, positions of both sides' edits, their masses, and the plan.
PlanRow: TypeAlias = list[Any]


@dataclass(frozen=True, slots=True)
class Passage:
    """The blocks of each system for one sentence of the references, or for several if systems were aligned.

    Attributes:
        start, end: Half-open range of the reference file's sentences, from 0.
        blocks: For each system the numbers of its blocks.
    """

    start: int
    end: int
    blocks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SystemSentence:
    """What one system did in a passage.

    Attributes:
        tokens: The tokens of the source in the system's file.
        edits: The edits of the system, with spans over these tokens.
        annotator: The annotator of the references against whom they are judged; None without references.
        reference: The edits of that annotator, with spans over the same tokens.
    """

    tokens: tuple[str, ...]
    edits: tuple[Edit, ...]
    annotator: int | None
    reference: tuple[Edit, ...]


def passages(scores: Sequence[Score]) -> list[Passage]:
    """Return the passages that all systems share, in the order of the text."""
    ranges = stretches(scores)
    ends = [end for _, end in ranges]
    by_system: list[list[list[int]]] = []
    for score in scores:
        blocks: list[list[int]] = [[] for _ in ranges]
        for number, (_, end) in enumerate(score.spans or [(n, n + 1) for n in range(score.sentences)]):
            blocks[min(bisect_left(ends, end), len(ranges) - 1)].append(number)
        by_system.append(blocks)
    return [
        Passage(start, end, tuple([tuple(blocks[n]) for blocks in by_system]))
        for n, (start, end) in enumerate(ranges)
    ]


def system_sentence(score: Score, pair: Pair, blocks: Sequence[int]) -> SystemSentence:
    """Return the edits of a system in some of its blocks, joined to one sentence."""
    tokens: list[str] = []
    edits: list[Edit] = []
    reference: list[Edit] = []
    annotator: int | None = None
    for number in blocks:
        block, offset = pair.hypothesis[number], len(tokens)
        chosen = block.annotation(score.combined[number].hypothesis) or annotations_of(block)[0]
        edits += moved(chosen.edits, offset)
        if pair.references:
            by = pair.references[number].annotation(score.combined[number].reference or 0)
            by = by or annotations_of(pair.references[number])[0]
            annotator = by.annotator if annotator is None else annotator
            reference += moved(by.edits, offset)
        tokens += block.source
    return SystemSentence(tuple(tokens), tuple(edits), annotator, tuple(reference))


def references_of(pair: Pair, blocks: Sequence[int]) -> dict[int, tuple[Edit, ...]]:
    """Return the edits of every annotator of the references in some blocks, joined to one sentence."""
    edits: dict[int, list[Edit]] = {}
    offset = 0
    for number in blocks if pair.references else ():
        for annotation in annotations_of(pair.references[number]):
            edits.setdefault(annotation.annotator, []).extend(moved(annotation.edits, offset))
        offset += len(pair.references[number].source)
    return {annotator: tuple(held) for annotator, held in sorted(edits.items())}


def moved(edits: Sequence[Edit], offset: int) -> list[Edit]:
    """Return edits with their spans shifted to the right."""
    if not offset:
        return list(edits)
    return [replace(edit, start=edit.start + offset, end=edit.end + offset) for edit in edits]


class SentenceData:
    """The sentences in the form that a page's script reads.

    A sentence is ``[number, source, edits, references, systems]``; a sixth element holds the sources of systems
    whose tokens differ. An edit is ``[start, end, type, correction]``; a fifth element holds alternatives. A type
    is an index of ``types``; a correction is its tokens joined by spaces, or null if an error is only marked. A
    reference is ``[annotator, edits]``, a system ``[annotator, edits, outcomes, missed]``. Their edits are indices
    of the list of edits, and the outcome of an edit is ``r``, ``w``, ``n`` or a space.

    Args:
        scores: The score of each system by the metric that chooses the reference of each sentence.
        pairs: The blocks of each system.
        transported: The scores of the same systems by UOT with plans, if plans are shown.
    """

    def __init__(
        self, scores: Sequence[Score], pairs: Sequence[Pair], transported: Sequence[Score] = ()
    ) -> None:
        self.scores, self.pairs, self.transported = scores, pairs, transported
        self.types: dict[str, int] = {}
        self.passages = passages(scores)
        self.plans: list[list[list[PlanRow]]] = []

    def rows(self, most: int) -> list[list[Any]]:
        """Return the first sentences.

        Args:
            most: The most sentences.
        """
        shown = self.passages[:most]
        return [self._row(passage) for passage in track(shown, "laying out sentences", len(shown))]

    def _row(self, passage: Passage) -> list[Any]:
        table = _Edits(self.types)
        own = [
            system_sentence(score, pair, blocks)
            for score, pair, blocks in zip(self.scores, self.pairs, passage.blocks, strict=True)
        ]
        references = [
            [annotator, table.positions(edits)]
            for annotator, edits in references_of(self.pairs[0], passage.blocks[0]).items()
        ]
        systems = [_system(table, one) for one in own]
        source = own[0].tokens
        others = {n: " ".join(one.tokens) for n, one in enumerate(own) if one.tokens != source}
        row = [passage.start + 1, " ".join(source), table.rows, references, systems]
        if self.transported:
            self.plans.append(
                [
                    list(_plan_rows(table, score, pair, blocks))
                    for score, pair, blocks in zip(self.transported, self.pairs, passage.blocks, strict=True)
                ]
            )
        return [*row, others] if others else row


class _Edits:
    """The edits of one sentence, each once."""

    def __init__(self, types: dict[str, int]) -> None:
        self.rows: list[list[Any]] = []
        self._types = types
        self._positions: dict[Edit, int] = {}

    def positions(self, edits: Sequence[Edit]) -> list[int]:
        return [self._position(edit) for edit in edits]

    def written(self, edits: Sequence[Sequence[Any]], offset: int) -> list[int]:
        """Return the positions of edits as metrics write them in their details; unknown ones are added."""
        return [
            self._position(Edit(start + offset, end + offset, tuple(words.split()), type_))
            for start, end, words, type_ in edits
        ]

    def _position(self, edit: Edit) -> int:
        if edit not in self._positions:
            self._positions[edit] = len(self.rows)
            correction = None if edit.correction is None else " ".join(edit.correction)
            type_ = self._types.setdefault(edit.type, len(self._types))
            others = [[" ".join(words) for words in edit.alternatives]] if edit.alternatives else []
            self.rows.append([edit.start, edit.end, type_, correction, *others])
        return self._positions[edit]


def _system(table: _Edits, own: SystemSentence) -> list[Any]:
    if own.annotator is None:
        return [None, table.positions(own.edits), "", []]
    letters, missed = outcomes(own.edits, own.reference)
    return [own.annotator, table.positions(own.edits), letters, table.positions(missed)]


def outcomes(edits: Sequence[Edit], reference: Sequence[Edit]) -> tuple[str, list[Edit]]:
    """Return the outcome of each edit of a system by one reference, and the edits that the system missed.

    Returns:
        A letter for each edit: r (right) if the reference has the same span and correction, ERRANT's true positive;
        w (wrong) if the reference corrects this place differently, and n (needless) if it changes nothing here,
        both ERRANT's false positives; a space for an edit that only marks an error, which is not counted. The
        missed edits are ERRANT's false negatives.

    >>> a, b = Edit(0, 1, ("A",), "R:DET"), Edit(3, 4, ("is",), "R:VERB")
    >>> outcomes([a, Edit(3, 4, ("was",), "R:VERB")], [a, b]) == ("rw", [b])
    True
    """
    wanted = {_edit_key(edit): edit for edit in reference if not edit.is_detection}
    letters = ""
    for edit in edits:
        if edit.is_detection:
            letters += " "
        elif _edit_key(edit) in wanted:
            letters += "r"
        else:
            letters += "w" if any(share_place(edit, other) for other in wanted.values()) else "n"
    proposed = {_edit_key(edit) for edit in edits if not edit.is_detection}
    return letters, [e for e in reference if not e.is_detection and _edit_key(e) not in proposed]


def _edit_key(edit: Edit) -> tuple[object, ...]:
    """Return the key by which two edits are the same: span and correction."""
    return edit.start, edit.end, edit.correction, edit.alternatives


def share_place(first: Edit, second: Edit) -> bool:
    """Whether two edits share a token, insert at the same place, or one inserts inside the other."""
    if (first.start, first.end) == (second.start, second.end):
        return True
    if first.start == first.end:
        return second.start < first.start < second.end
    if second.start == second.end:
        return first.start < second.start < first.end
    return max(first.start, second.start) < min(first.end, second.end)


def _plan_rows(table: _Edits, score: Score, pair: Pair, blocks: Sequence[int]) -> Iterator[PlanRow]:
    """Yield the transport plan of each block in which both sides have edits."""
    offset = 0
    for number in blocks:
        told = cast(Mapping[str, Any], score.combined[number].details)
        if told.get("hypothesis_edits") and told.get("reference_edits"):
            sides = [table.written(told[f"{side}_edits"], offset) for side in ("hypothesis", "reference")]
            masses = [[round(mass, 3) for mass in told[f"{s}_mass"]] for s in ("hypothesis", "reference")]
            plan = [[round(mass, 3) for mass in row] for row in told["plan"]]
            yield [score.combined[number].reference, *sides, *masses, plan]
        offset += len(pair.hypothesis[number].source)


def sentence_values(scores: Sequence[Score], most: int) -> list[list[float | None]]:
    """Return the main value of every system for each passage; None where the metric has none.

    Args:
        scores: Systems scored by one metric.
        most: The most passages.
    """
    scorer = scores[0].scorer
    columns = [scorer.values(rows[:most])[scorer.main].tolist() for rows in paired_rows(scores)]
    return [[round(v, _DECIMALS) if math.isfinite(v) else None for v in column] for column in columns]
