"""A metric over a corpus of which only a part is in memory: of each sentence, its rows are kept, as arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, Scope, Scorer, add_rows
from jperrant.evaluation.metrics.packed import (
    PackedCandidates,
    PackedCombined,
    Part,
    pack,
    pack_combined,
)
from jperrant.evaluation.metrics.score import prepare_references

_NUMBER = re.compile(r"\d+")
#: A line about some of the sentences begins with their number.
_COUNT = re.compile(r"\d+(?= )")


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
        """Return the rows of parts of a corpus, one behind the other."""
        return cls(
            PackedCandidates(part for own in rows for part in own.candidates.parts),
            PackedCombined(part for own in rows for part in own.combined.parts),
            merged_notes([own.notes for own in rows]),
        )


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
            SystemRows(PackedCandidates(own), PackedCombined(chosen), merged_notes(notes))
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


def merged_notes(notes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the notes of parts of a corpus as those of the whole.

    Of lines that differ in numbers only, one is kept; a count at its beginning is added up.

    >>> merged_notes([("2 texts are too long, first 7",), (), ("3 texts are too long, first 90",)])
    ('5 texts are too long, first 7',)
    """
    merged: dict[str, str] = {}
    for line in (line for lines in notes for line in lines):
        key = _NUMBER.sub("#", line)
        if key not in merged:
            merged[key] = line
        elif (more := _COUNT.match(line)) and (count := _COUNT.match(merged[key])):
            merged[key] = f"{int(count[0]) + int(more[0])}{merged[key][count.end() :]}"
    return tuple(merged.values())
