"""Scores by error type and their macro average, for any metric whose rows know types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from jperrant.core.errors import UsageError
from jperrant.core.values import UNKNOWN
from jperrant.evaluation.metrics.base import Candidate, Row, add_rows, values_of
from jperrant.evaluation.metrics.packed import PackedCombined
from jperrant.evaluation.metrics.score import Score

#: What a category level keeps of a type such as ``R:NOUN:NUM``, as ERRANT's ``-cat``.
LEVELS = {1: "operation (R)", 2: "category (NOUN:NUM)", 3: "full type (R:NOUN:NUM)"}
FULL = 3


def check_level(level: int) -> None:
    """Raise a UsageError unless the category level exists."""
    if level not in LEVELS:
        levels = ", ".join(f"{number} = {what}" for number, what in LEVELS.items())
        raise UsageError(f"found category {level}, expected one of {levels}")


def category(type_: str, level: int = FULL) -> str:
    """Return what one level keeps of a type; ``UNK`` stays whole.

    A type without operation (``WS``) is cut by levels 1 and 2 all the same, as ERRANT does.

    >>> [category("R:NOUN:NUM", level) for level in (1, 2, 3)]
    ['R', 'NOUN:NUM', 'R:NOUN:NUM']

    Raises:
        UsageError: There is no such level.
    """
    check_level(level)
    if level == FULL or type_ == UNKNOWN:
        return type_
    return type_[:1] if level == 1 else type_[2:]


def rows_by_category(by_type: Mapping[str, Row], level: int = FULL) -> dict[str, Row]:
    """Return the summed rows of each category, sorted by name.

    Raises:
        UsageError: There is no such level.
    """
    check_level(level)
    grouped: dict[str, list[Row]] = {}
    for type_, row in by_type.items():
        grouped.setdefault(category(type_, level), []).append(row)
    return {name: add_rows(grouped[name], len(grouped[name][0])) for name in sorted(grouped)}


def values_by_category(score: Score, level: int = FULL) -> dict[str, dict[str, float]]:
    """Return the values of each category, not rounded."""
    rows = rows_by_category(score.by_type, level)
    return {name: values_of(score.scorer, row) for name, row in rows.items()}


def grouped(score: Score, group: Callable[[str], str]) -> Score:
    """Return the same score with the figures of its types added up under the names ``group`` gives them."""

    def regroup(candidate: Candidate) -> Candidate:
        rows: dict[str, list[Row]] = {}
        for type_, row in candidate.by_type.items():
            rows.setdefault(group(type_), []).append(row)
        columns = len(score.scorer.columns)
        return replace(candidate, by_type={name: add_rows(held, columns) for name, held in rows.items()})

    if isinstance(score.combined, PackedCombined):
        return replace(score, combined=score.combined.mapped(regroup, len(score.scorer.columns)))
    combined = tuple([regroup(candidate) for candidate in score.combined])
    # A chosen candidate stays one of its sentence's: rankings tell it so from one that was made of several.
    candidates = [
        [new if candidate is old else candidate for candidate in sentence]
        for sentence, old, new in zip(score.candidates, score.combined, combined, strict=True)
    ]
    return replace(score, candidates=candidates, combined=combined)


def grouped_by_packs(scores: Sequence[Score]) -> tuple[list[Score], list[str]]:
    """Return scores by the groups of types that all languages share, and a line for labels that belong to none."""
    from jperrant.packs.groups import Grouping, common_groups  # which read every pack

    grouping = Grouping(common_groups())
    regrouped = [grouped(score, grouping) for score in scores]
    unknown = ", ".join(sorted(grouping.unknown))
    return regrouped, ([f"labels that no installed pack has, counted as other: {unknown}"] if unknown else [])


def macro_average(score: Score, level: int = FULL) -> dict[str, float]:
    """Return the mean of each value over the categories that occur, all weighing the same.

    The mean of F is not the F of the means. Empty if no category occurs.
    """
    by_category = list(values_by_category(score, level).values())
    if not by_category:
        return {}
    return {name: sum(v[name] for v in by_category) / len(by_category) for name in by_category[0]}
