"""A metric over a corpus of which only a part is in memory: of each sentence, its rows are kept, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

from jperrant.core.messages import CountedNote, merged_notes
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, Scope, Scorer, add_rows
from jperrant.evaluation.metrics.packed import (
    PackedCandidates,
    PackedCombined,
    Part,
    pack,
    pack_combined,
)
from jperrant.evaluation.metrics.score import prepare_references


@dataclass(frozen=True, slots=True)
class SystemRows:
    """What is kept of one system and one metric.

    Attributes:
        candidates: The candidates of each sentence, without their types.
        combined: The one that counts for each sentence.
        notes: What users should know about this system's figures, one line each.
    """

    candidates: PackedCandidates
    combined: PackedCombined
    notes: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, in bytes."""
        return self.candidates.nbytes + self.combined.nbytes

    @classmethod
    def joined(cls, rows: Sequence[SystemRows]) -> SystemRows:
        """Return the rows of parts of a corpus, one behind the other; their notes count from their own 1."""
        before = [0, *accumulate(len(own.candidates) for own in rows)]
        return cls(
            PackedCandidates(part for own in rows for part in own.candidates.parts),
            PackedCombined(part for own in rows for part in own.combined.parts),
            merged_notes(
                _further(note, n) for own, n in zip(rows, before, strict=False) for note in own.notes
            ),
        )


def _further(note: str, before: int) -> str:
    return note.further(before) if isinstance(note, CountedNote) else note


class PartScorer:
    """Scores systems by one metric, a part of the corpus after the other.

    Args:
        scorer: The metric; its scope is not the corpus.
        systems: The number of systems.
    """

    def __init__(self, scorer: Scorer, systems: int) -> None:
        if scorer.scope is Scope.CORPUS:
            raise ValueError(f"{scorer.name} needs the whole corpus at once")
        self._scorer = scorer
        self._carried = scorer.scope is Scope.TOTALS
        self._totals: list[Row | None] = [None] * systems
        self._candidates: list[list[Part]] = [[] for _ in range(systems)]
        self._combined: list[list[Part]] = [[] for _ in range(systems)]
        self._notes: list[list[tuple[str, ...]]] = [[] for _ in range(systems)]

    def add(self, pairs: Sequence[Pair]) -> None:
        """Score the next sentences of all systems."""
        columns = len(self._scorer.columns)
        prepared: Sequence[Any] = prepare_references(self._scorer, pairs)
        for number, system in enumerate(self._scorer.candidates(pairs, prepared)):
            combined = self._combine(number, system.sentences)
            self._candidates[number].append(pack(system.sentences, columns, types=False))
            self._combined[number].append(pack_combined(combined, system.sentences, columns))
            self._notes[number].append(system.notes)

    def rows(self) -> list[SystemRows]:
        """Return what is kept of each system."""
        return [
            SystemRows(PackedCandidates(own), PackedCombined(chosen), merged_notes(chain(*notes)))
            for own, chosen, notes in zip(self._candidates, self._combined, self._notes, strict=True)
        ]

    def _combine(self, number: int, candidates: Candidates) -> list[Candidate]:
        """Return one candidate for each sentence, chosen as if those before were there."""
        if not self._carried:
            return self._scorer.combine(candidates)
        total = self._totals[number]
        before = [] if total is None else [(Candidate(0, None, total),)]  # one sentence with all their rows
        combined = self._scorer.combine([*before, *candidates])[len(before) :]
        rows = [c.row for c in combined]
        self._totals[number] = add_rows(rows if total is None else [total, *rows], len(self._scorer.columns))
        return combined


class Survey:
    """What a metric must know of a whole corpus before it scores a part of it, gathered part after part.

    Args:
        scorer: The metric.
        systems: The number of systems.
    """

    def __init__(self, scorer: Scorer, systems: int) -> None:
        self.scorer = scorer
        self.totals: list[Row] = [()] * systems

    def add(self, pairs: Sequence[Pair]) -> None:
        """Look at the next sentences of all systems."""
        found = self.scorer.survey(pairs, prepare_references(self.scorer, pairs))
        self.totals = joined_surveys([self.totals, found])


def joined_surveys(surveys: Iterable[Sequence[Row]]) -> list[Row]:
    """Return the surveys of parts of a corpus added up, for each system."""
    return [
        add_rows((row for row in rows if row), max(map(len, rows))) for rows in zip(*surveys, strict=True)
    ]
