"""Choosing the reference that each sentence is scored against, and metrics that do so."""

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

#: What to maximise, compared from left to right: gets the totals including a candidate, and its own row.
Key: TypeAlias = Callable[[Row, Row], tuple[float, ...]]


def choose_greedily(candidates: Candidates, key: Key, before: Row | None = None) -> list[Candidate]:
    """Choose in the order of the sentences, each time what makes the totals so far best.

    The corpus choice of the M2 scorer (Dahlmeier and Ng 2012), ERRANT and CLEME. It depends on the order of
    the sentences. Of equal candidates the first is taken.

    Args:
        candidates: Those of each sentence.
        key: What to maximise.
        before: The totals of the sentences before these.
    """
    places = _greedy_places(candidates, key, before)
    return [sentence[place] for sentence, place in zip(candidates, places, strict=True)]


def choose_per_sentence(candidates: Candidates, key: Key) -> list[Candidate]:
    """Choose for each sentence what is best by its own row, whatever the other sentences are.

    Of equal candidates the first is taken.
    """
    chosen = []
    for sentence in candidates:
        keys = [key(c.row, c.row) for c in sentence]
        chosen.append(sentence[keys.index(max(keys))])
    return chosen


def choose_by_keys(
    candidates: Candidates, keys_of: Callable[[FloatArray], FloatArray], columns: int
) -> list[Candidate]:
    """Choose for each sentence the candidate with the greatest key; of equal candidates the first is taken.

    Args:
        candidates: Those of each sentence.
        keys_of: From all rows, shape ``(candidates, columns)``, to their keys, compared from left to right.
        columns: How many columns of a row, from the first on, keys are made of.
    """
    rows = [candidate.row[:columns] for sentence in candidates for candidate in sentence]
    keys = iter(keys_of(np.array(rows, dtype=np.float64).reshape(len(rows), columns)).tolist())
    chosen = []
    for sentence in candidates:
        own = [next(keys) for _ in sentence]
        chosen.append(sentence[own.index(max(own))])
    return chosen


def mean_candidate(candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate of a sentence: the only one, or the mean of the rows of several."""
    if len(candidates) == 1:
        return candidates[0]
    columns = zip(*(candidate.row for candidate in candidates), strict=True)
    return Candidate(candidates[0].hypothesis, None, tuple([sum(c) / len(candidates) for c in columns]))


def backwards_total(candidates: Candidates, key: Key, columns: int) -> Row:
    """Return the summed rows of what is chosen greedily from the last sentence to the first.

    Where they are not those of the choice from the first to the last, the choice depends on the order. Rows are
    summed in the order of the text, as weights round.

    Args:
        candidates: Those of each sentence.
        key: What to maximise.
        columns: The length of the rows.
    """
    places = array("L", _greedy_places(reversed(candidates), key))
    both = zip(candidates, reversed(places), strict=True)
    return add_rows((sentence[place].row for sentence, place in both), columns)


def _greedy_places(
    candidates: Iterable[Sequence[Candidate]], key: Key, before: Row | None = None
) -> Iterator[int]:
    """Yield for each sentence the place of the candidate that makes the totals so far best."""
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
    """Return a line that counts the sentences whose details have a key; no line for none.

    Args:
        combined: The candidate of each sentence.
        key: Of the details.
        what: What these sentences have.
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
    """A metric that takes for each sentence the candidate with the greatest key.

    Attributes:
        remedy: What users can do where that depends on the order of sentences.
    """

    remedy: ClassVar[str] = "the option exact chooses for each sentence by itself"

    @abstractmethod
    def key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Return what is maximised, compared from left to right.

        Args:
            total: The sum of the rows chosen so far and of the candidate's; its row where sentences choose alone.
            row: The row of the candidate.
        """

    @property
    def by_sentence(self) -> bool:
        """Whether each sentence chooses by itself: where it is to be exact, or at the level of sentences."""
        return getattr(self, "exact", False) or getattr(self, "level", "") == "sentence"

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the candidate of each sentence that makes the key of the totals so far, or its own, greatest."""
        if self.by_sentence:
            return choose_per_sentence(candidates, self.key)
        return choose_greedily(candidates, self.key, before)

    def order_notes(self, candidates: Candidates, combined: Iterable[Candidate]) -> list[str]:
        """Say where the counts depend on the order of sentences."""
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
    """A metric whose tp, fp and fn are masses: rows hold them, the sentence's own values, and 1 to divide by.

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
        """Return precision, recall and F-beta: of the summed masses, or the means over sentences."""
        if self.level == "corpus":
            return f_measures(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)
        return means(totals, MEASURES, 3)


def _slashed(row: Row) -> str:
    return "/".join(str(number) if isinstance(number, int) else f"{number:g}" for number in row)
