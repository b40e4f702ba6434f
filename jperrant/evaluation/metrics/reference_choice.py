"""Choosing the reference each sentence is scored against."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import add
from typing import TypeAlias

from jperrant.evaluation.metrics.base import Candidate, Candidates, Row, add_rows

#: What to maximise, compared from left to right: gets the totals including a candidate, and its own row.
Key: TypeAlias = Callable[[Row, Row], tuple[float, ...]]


def choose_greedily(candidates: Candidates, key: Key, before: Row | None = None) -> list[Candidate]:
    """Choose in the order of the sentences, each time what makes the totals so far best.

    Args:
        candidates: Those of each sentence.
        key: What to maximise.
        before: The totals of the sentences before these.

    The corpus choice of the M2 scorer (Dahlmeier and Ng 2012), ERRANT and CLEME. It depends on the order of
    the sentences. Of equal candidates the first is taken.
    """
    places = _greedy_places(candidates, key, before)
    return [sentence[place] for sentence, place in zip(candidates, places, strict=True)]


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


def choose_per_sentence(candidates: Candidates, key: Key) -> list[Candidate]:
    """Choose for each sentence what is best by its own row, whatever the other sentences are.

    Of equal candidates the first is taken.
    """
    chosen = []
    for sentence in candidates:
        keys = [key(c.row, c.row) for c in sentence]
        chosen.append(sentence[keys.index(max(keys))])
    return chosen
