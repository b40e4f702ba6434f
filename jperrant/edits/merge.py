"""Merging the operations of an alignment into the spans of edits.

Source: Felice, Bryant and Briscoe 2016, section 4, as ERRANT 3 implements it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from jperrant.alignment.operations import Operation
from jperrant.alignment.tokens import Alignment
from jperrant.core.errors import UsageError, nearest
from jperrant.core.values import Span
from jperrant.edits.merge_rules import MergeRules
from jperrant.edits.merge_run import Run
from jperrant.edits.merge_search import split_run

STRATEGIES = ("rules", "all-split", "all-merge", "all-equal")

DEFAULT_RULES = MergeRules()


def merge(
    alignment: Alignment, strategy: str = "rules", rules: MergeRules = DEFAULT_RULES
) -> tuple[Span, ...]:
    """Return the spans of the edits in text order; matches belong to none.

    Args:
        alignment: The alignment.
        strategy: ``all-split`` (every operation is an edit), ``all-merge`` (a run of neighbouring operations
            is one), ``all-equal`` (a run of the same operation is one) or ``rules``.
        rules: The language's part in the strategy ``rules``.

    Raises:
        UsageError: The strategy is not known.
    """
    if strategy not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        raise UsageError(
            f"unknown merge strategy {strategy!r}; expected one of {known}{nearest(strategy, STRATEGIES)}"
        )
    operations = alignment.operations
    if strategy == "all-split":
        return tuple([op.span for op in operations if op.op != "M"])
    if strategy == "all-equal":
        return _runs(operations, lambda op: op.op)
    if strategy == "all-merge":
        return _runs(operations, lambda op: "M" if op.op == "M" else "")
    spans: list[Span] = []
    run: list[Operation] = []
    for op in operations:  # matches and transpositions end a run; a transposition is an edit of its own
        if op.op in "SDI":
            run.append(op)
            continue
        if run:
            spans += _by_rules(run, alignment, rules)
            run = []
        if op.op != "M":
            spans.append(op.span)
    return tuple(spans + _by_rules(run, alignment, rules) if run else spans)


def _runs(operations: Iterable[Operation], key: Callable[[Operation], str]) -> tuple[Span, ...]:
    return tuple([_join(list(run)) for kind, run in groupby(operations, key=key) if kind != "M"])


def _join(run: Sequence[Operation]) -> Span:
    first, last = run[0], run[-1]
    return Span(first.start, last.end, first.target_start, last.target_end)


def _by_rules(run: list[Operation], alignment: Alignment, rules: MergeRules) -> list[Span]:
    if len(run) == 1:
        return [run[0].span]
    if len({op.op for op in run}) == 1 and run[0].op != "S":
        return [_join(run)]
    return [_join(run[low:high]) for low, high in split_run(Run(run, alignment, rules))]
