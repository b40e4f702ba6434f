"""The choice of the reference that each sentence is scored against, and base classes of metrics that choose."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import add
from typing import ClassVar, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.messages import agree, plural
from jperrant.evaluation.metrics.base import Candidate, Candidates, Row, Scorer, add_rows
from jperrant.evaluation.metrics.fmeasure import MEASURES, f_measure, f_measures, means

#: A function that returns the tuple to maximise. Its arguments: the totals including a candidate, and its row.
Key: TypeAlias = Callable[[Row, Row], tuple[float, ...]]


def choose_greedily(candidates: Candidates, key: Key, before: Row | None = None) -> list[Candidate]:
    """Choose for each sentence, in the order of the text, the candidate with the best running totals.

    This is the choice of the M2 scorer (Dahlmeier and Ng 2012), ERRANT and CLEME. It depends on the order of
    sentences. The first of equal candidates is taken.

    Args:
        candidates: The candidates of each sentence.
        key: The function to maximise.
        before: The totals of the sentences before these.
    """
    places = _greedy_places(candidates, key, before)
    return [sentence[place] for sentence, place in zip(candidates, places, strict=True)]


def choose_per_sentence(candidates: Candidates, key: Key) -> list[Candidate]:
    """Choose for each sentence the candidate with the best row; the first of equal candidates."""
    chosen = []
    for sentence in candidates:
        keys = [key(c.row, c.row) for c in sentence]
        chosen.append(sentence[keys.index(max(keys))])
    return chosen


def choose_by_keys(
    candidates: Candidates, keys_of: Callable[[FloatArray], FloatArray], columns: int
) -> list[Candidate]:
    """Choose for each sentence the candidate with the greatest key; the first of equal candidates.

    Args:
        candidates: The candidates of each sentence.
        keys_of: A function from rows, shape ``(candidates, columns)``, to keys, shape ``(candidates, keys)``, which
            are compared from left to right.
        columns: The number of leading columns that ``keys_of`` gets.
    """
    rows = [candidate.row[:columns] for sentence in candidates for candidate in sentence]
    keys = iter(keys_of(np.array(rows, dtype=np.float64).reshape(len(rows), columns)).tolist())
    chosen = []
    for sentence in candidates:
        own = [next(keys) for _ in sentence]
        chosen.append(sentence[own.index(max(own))])
    return chosen


def mean_candidate(candidates: Sequence[Candidate]) -> Candidate:
    """Return the only candidate of a sentence, or one with the mean row of several."""
    if len(candidates) == 1:
        return candidates[0]
    columns = zip(*(candidate.row for candidate in candidates), strict=True)
    return Candidate(candidates[0].hypothesis, None, tuple([sum(c) / len(candidates) for c in columns]))


def backwards_total(candidates: Candidates, key: Key, columns: int) -> Row:
    """Return the summed rows of a greedy choice from the last sentence to the first.

    A difference from the choice in text order shows that the order of sentences matters. Rows are summed in text
    order, so that rounding is the same.

    Args:
        candidates: The candidates of each sentence.
        key: The function to maximise.
        columns: The length of the rows.
    """
    places = array("L", _greedy_places(reversed(candidates), key))
    both = zip(candidates, reversed(places), strict=True)
    return add_rows((sentence[place].row for sentence, place in both), columns)


def _greedy_places(
    candidates: Iterable[Sequence[Candidate]], key: Key, before: Row | None = None
) -> Iterator[int]:
    """Yield the index of the candidate of each sentence that makes the running totals best."""
    total = before
    for sentence in candidates:
        rows = [c.row if total is None else tuple(map(add, total, c.row)) for c in sentence]
        best = 0
        if len(rows) > 1:
            keys = [key(row, c.row) for row, c in zip(rows, sentence, strict=True)]
            best = keys.index(max(keys))
        total = rows[best]
        yield best


def detail_notes(combined: Iterable[Candidate], key: str, what: str, rest: str = "") -> list[str]:
    """Return a line with the number of sentences whose details have a key; no line if there are none.

    Args:
        combined: The candidate of each sentence.
        key: The key in the details.
        what: What these sentences have, as the line says it.
        rest: The end of the line.
    """
    numbers = [number for number, candidate in enumerate(combined, start=1) if candidate.details.get(key)]
    if not numbers:
        return []
    return [
        f"{plural(len(numbers), 'sentence')} {agree(len(numbers), 'has', 'have')} {what}, first sentence "
        f"{numbers[0]} (counted from 1){rest}"
    ]


class BestReference(Scorer):
    """A metric that chooses for each sentence the candidate with the greatest key.

    Attributes:
        remedy: The advice in the warning that the choice depends on the order of sentences.
    """

    remedy: ClassVar[str] = "the option exact chooses for each sentence by itself"

    @abstractmethod
    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Return the tuple that the choice maximises.

        Args:
            total: The running totals including the candidate; its row if each sentence chooses independently.
            row: The row of the candidate.
        """

    @property
    def by_sentence(self) -> bool:
        """Whether each sentence chooses independently: with the option ``exact``, or at sentence level."""
        return getattr(self, "exact", False) or getattr(self, "level", "") == "sentence"

    @property
    def needs_corpus(self) -> bool:
        """False: sentences are scored independently."""
        return False

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the candidate of each sentence with the greatest key, of running totals or of its own row."""
        if self.by_sentence:
            return choose_per_sentence(candidates, self.key)
        return choose_greedily(candidates, self.key, before)

    def order_notes(self, candidates: Candidates, combined: Iterable[Candidate]) -> list[str]:
        """Return a warning if the counts depend on the order of sentences."""
        if self.by_sentence:
            return []
        columns, counted = len(self.columns), len(self.counts)
        ours = add_rows((c.row for c in combined), columns)[:counted]
        theirs = backwards_total(candidates, self.key, columns)[:counted]
        if ours == theirs:
            return []
        return [
            f"the choice of references depends on the order of sentences: {'/'.join(self.counts)} "
            f"{_slashed(ours)}, backwards {_slashed(theirs)}; {self.remedy}"
        ]


class MassScorer(BestReference):
    """A metric whose tp, fp and fn are real numbers. A row holds them, the values of the sentence, and a 1.

    A subclass has the options ``level`` and ``beta``.
    """

    level: str
    beta: float

    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn", *MEASURES, "sentences")
    counts: ClassVar[tuple[str, ...]] = columns[:3]
    main: ClassVar[str] = "f"

    def row(self, tp: float, fp: float, fn: float) -> Row:
        """Return the row of one sentence, or of one error type in it."""
        return tp, fp, fn, *f_measure(tp, fp, fn, beta=self.beta), 1

    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Prefer the best F, then more tp, less fp, less fn."""
        tp, fp, fn = row[:3]
        return f_measure(*total[:3], beta=self.beta)[2], tp, -fp, -fn

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta of summed masses, or their means over sentences."""
        if self.level == "corpus":
            return f_measures(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)
        return means(totals, MEASURES, 3)


def _slashed(row: Row) -> str:
    return "/".join(str(number) if isinstance(number, int) else f"{number:g}" for number in row)
