"""Choosing the reference each sentence is scored against."""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from typing import TypeAlias

from jperrant.evaluation.metrics.base import Candidate, Candidates, Row

#: What to maximise, compared from left to right: gets the totals including a candidate, and its own row.
Key: TypeAlias = Callable[[Row, Row], tuple[float, ...]]


def choose_greedily(candidates: Candidates, key: Key) -> list[Candidate]:
    """Choose in the order of the sentences, each time what makes the totals so far best.

    The corpus choice of the M2 scorer (Dahlmeier and Ng 2012), ERRANT and CLEME. It depends on the order of
    the sentences. Of equal candidates the first is taken.
    """
    total: Row | None = None
    chosen = []
    for sentence in candidates:
        rows = [c.row if total is None else tuple(map(add, total, c.row)) for c in sentence]
        best = 0
        if len(rows) > 1:
            keys = [key(row, c.row) for row, c in zip(rows, sentence, strict=True)]
            best = keys.index(max(keys))
        total = rows[best]
        chosen.append(sentence[best])
    return chosen


def choose_per_sentence(candidates: Candidates, key: Key) -> list[Candidate]:
    """Choose for each sentence what is best by its own row, whatever the other sentences are.

    Of equal candidates the first is taken.
    """
    chosen = []
    for sentence in candidates:
        keys = [key(c.row, c.row) for c in sentence]
        chosen.append(sentence[keys.index(max(keys))])
    return chosen
