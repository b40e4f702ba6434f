"""Figures by error type at every level, for all systems, and how sure the difference of any two is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.values import UNKNOWN
from jperrant.evaluation.metrics.base import Pair, Row, annotations_of, counts_of, values_of
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.differences import bootstrap_values
from jperrant.evaluation.statistics.significance import LEVEL, paired_rows
from jperrant.packs.groups import Grouping, common_groups

#: What stands for a type at each level.
LEVELS = ("operation", "category", "type", "group")
#: What stands for the operation of types that have none.
NO_OPERATION = "none"


@dataclass(frozen=True, slots=True)
class TypeRow:
    """One type at one level.

    Attributes:
        name: Its name there.
        references: How many edits each annotator of the references has of it.
        values: The metric's values of each system; None for a system to which it never happens.
        counts: The metric's counts of each system.
    """

    name: str
    references: tuple[int, ...]
    values: tuple[dict[str, float] | None, ...]
    counts: tuple[dict[str, float], ...]


@dataclass(frozen=True, slots=True)
class TypeFigures:
    """Figures by type of all systems by one metric.

    Attributes:
        scores: The scores.
        annotators: The annotators of the references.
        levels: The rows of each level, sorted by name.
        intervals: For each two systems (first before second) the ends of the 95 % bootstrap interval of the first's
            main value minus the second's, shape ``(rows, 2)``: the whole text, then the rows of all levels.
        samples: How many samples were drawn.
        unknown: Labels that belong to no group.
    """

    scores: tuple[Score, ...]
    annotators: tuple[int, ...]
    levels: dict[str, tuple[TypeRow, ...]]
    intervals: dict[tuple[int, int], FloatArray]
    samples: int
    unknown: tuple[str, ...]


def type_figures(
    scores: Sequence[Score], pairs: Sequence[Pair], samples: int, seed: int, groups: Mapping[str, str]
) -> TypeFigures:
    """Return the figures by type of systems scored by one metric.

    Args:
        scores: The systems; some have figures by type.
        pairs: Their blocks, for the types of the references.
        samples, seed: What is drawn.
        groups: The group of each label; those of all packs if empty.
    """
    grouping = Grouping(groups or common_groups())
    names = _level_names(grouping)
    support = _support(pairs[0])
    types = sorted(
        {*(t for score in scores for t in score.by_type), *(t for own in support.values() for t in own)}
    )
    parts = {level: sorted({name(type_) for type_ in types}) for level, name in names.items()}
    rows = _rows(scores, types, [(names[level], parts[level]) for level in LEVELS])
    totals = [own.sum(axis=0) for own in rows]
    levels: dict[str, tuple[TypeRow, ...]] = {}
    position = 1
    for level in LEVELS:
        levels[level] = tuple(
            [
                _type_row(scores, part, names[level], support, [total[position + n] for total in totals])
                for n, part in enumerate(parts[level])
            ]
        )
        position += len(parts[level])
    main = scores[0].scorer.main
    drawn = bootstrap_values(scores[0].scorer, rows, [main], samples, seed) if len(scores) > 1 else []
    intervals = {
        (a, b): _ends(drawn[a][main] - drawn[b][main]) for a, b in combinations(range(len(drawn)), 2)
    }
    unknown = tuple(sorted(grouping.unknown))
    return TypeFigures(tuple(scores), tuple(support), levels, intervals, samples, unknown)


def _level_names(grouping: Grouping) -> dict[str, Callable[[str], str]]:
    """Return what names a type at each level; a type without operation (``WS``, ``G/Case``) stays whole."""

    def has_operation(type_: str) -> bool:
        return type_[:2] in ("M:", "U:", "R:")

    return {
        "operation": lambda type_: type_[0] if has_operation(type_) else NO_OPERATION,
        "category": lambda type_: type_[2:] if has_operation(type_) else type_,
        "type": lambda type_: type_,
        "group": lambda type_: type_ if type_ == UNKNOWN else grouping(type_).rpartition(":")[2],
    }


def _support(pair: Pair) -> dict[int, dict[str, int]]:
    """Return how often each annotator of the references has each type."""
    counts: dict[int, dict[str, int]] = {}
    for block in pair.references:
        for annotation in annotations_of(block):
            own = counts.setdefault(annotation.annotator, {})
            for edit in annotation.edits:
                own[edit.type] = own.get(edit.type, 0) + 1
    return dict(sorted(counts.items()))


def _rows(
    scores: Sequence[Score],
    types: Sequence[str],
    levels: Sequence[tuple[Callable[[str], str], Sequence[str]]],
) -> list[FloatArray]:
    """Return for each system its rows, shape ``(passages, parts, columns)``: the whole, then the levels."""
    places: dict[str, list[int]] = {type_: [] for type_ in types}
    first = 1
    for name, parts in levels:
        number = {part: n for n, part in enumerate(parts, start=first)}
        for type_ in types:
            places[type_].append(number[name(type_)])
        first += len(parts)
    columns = len(scores[0].scorer.columns)
    flat = []
    for score in scores:
        rows = np.zeros((score.sentences, first, columns))
        rows[:, 0] = score.rows
        for sentence, candidate in enumerate(score.combined):
            for type_, row in candidate.by_type.items():
                rows[sentence, places[type_]] += np.asarray(row, dtype=np.float64)
        flat.append(rows.reshape(score.sentences, -1))
    return [rows.reshape(len(rows), first, columns) for rows in paired_rows(scores, flat)]


def _type_row(
    scores: Sequence[Score],
    part: str,
    name: Callable[[str], str],
    support: dict[int, dict[str, int]],
    totals: Sequence[FloatArray],
) -> TypeRow:
    references = [sum(n for type_, n in own.items() if name(type_) == part) for own in support.values()]
    rows: list[Row] = [tuple(total.tolist()) for total in totals]
    scorer = scores[0].scorer
    return TypeRow(
        part,
        tuple(references),
        tuple([values_of(scorer, row) if any(row) else None for row in rows]),
        tuple([counts_of(scorer, row) for row in rows]),
    )


def _ends(differences: FloatArray) -> FloatArray:
    """Return the ends of the middle 95 % of each column; not a number where a sample has none."""
    ordered = np.sort(differences, axis=0)  # what is not a number goes last
    cut = int(len(ordered) * (1 - LEVEL) / 2)
    ends: FloatArray = np.stack([ordered[cut], ordered[len(ordered) - cut - 1]], axis=1)
    ends[np.isnan(ordered[-1])] = np.nan
    return ends
