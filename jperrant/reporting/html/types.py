"""Figures by error type at every level for all systems, with intervals of the difference between any two."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.values import UNKNOWN
from jperrant.evaluation.metrics.base import Pair, Row, annotations_of, counts_of, values_of
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.statistics.significance import bootstrap_values, interval, paired_rows
from jperrant.packs.labels import Grouping
from jperrant.packs.read import common_groups
from jperrant.reporting.html.page import operation_and_label, shade_ends, value_name

#: The levels, and their titles on pages.
LEVELS = {
    "operation": "operation",
    "category": "category",
    "type": "full type",
    "group": "group of all languages",
}
#: The operation shown for types that have none.
NO_OPERATION = "none"


@dataclass(frozen=True, slots=True)
class TypeRow:
    """One type at one level.

    Attributes:
        name: The name of the type at this level.
        references: The number of edits of this type by each annotator of the references.
        values: The metric's values of each system; None for a system without edits of the type.
        counts: The metric's counts of each system.
    """

    name: str
    references: tuple[int, ...]
    values: tuple[dict[str, float] | None, ...]
    counts: tuple[dict[str, float], ...]

    @property
    def support(self) -> float:
        """The mean number of edits of the annotators; 0 without references."""
        return sum(self.references) / len(self.references) if self.references else 0.0


@dataclass(frozen=True, slots=True)
class TypeLevel:
    """Types at one level.

    Attributes:
        name, title: A key and a value of ``LEVELS``.
        rows: The types, sorted by name.
        ends: The main values of the lightest and the darkest shade.
        intervals: For each two systems (first before second) the ends of the 95 % bootstrap interval of the
            first's main value minus the second's, shape ``(rows, 2)``.
    """

    name: str
    title: str
    rows: tuple[TypeRow, ...]
    ends: tuple[float, float]
    intervals: Mapping[tuple[int, int], FloatArray]


@dataclass(frozen=True, slots=True)
class TypeFigures:
    """Figures by type of all systems by one metric.

    Attributes:
        metric: The metric's name.
        main, main_name: The value that is shaded, and its name on the page.
        others: The values that are shown with it.
        annotators: The annotators of the references.
        levels: The levels.
        samples: The number of bootstrap samples of the intervals.
        unknown: Labels that belong to no group.
    """

    metric: str
    main: str
    main_name: str
    others: tuple[str, ...]
    annotators: tuple[int, ...]
    levels: tuple[TypeLevel, ...]
    samples: int
    unknown: tuple[str, ...]

    def differences(self) -> dict[str, Any]:
        """Return the data with which the page's script shows the differences between any two systems.

        ``levels`` holds for each level the rows: name, edits of the references, and every system's main value.
        ``intervals`` holds for each level and each ``"first second"`` the ends of the intervals of its rows.
        """
        return {
            "names": [level.name for level in self.levels],
            "levels": [[self._main_values(row) for row in level.rows] for level in self.levels],
            "intervals": [
                {f"{a} {b}": _rounded(ends.tolist()) for (a, b), ends in level.intervals.items()}
                for level in self.levels
            ],
        }

    def _main_values(self, row: TypeRow) -> list[Any]:
        values = [own and own[self.main] for own in row.values]
        return [row.name, round(row.support, 1), _rounded(values)]


def type_figures(
    scores: Sequence[Score], pairs: Sequence[Pair], samples: int, seed: int, groups: Mapping[str, str]
) -> TypeFigures:
    """Return the figures by type of systems scored by one metric.

    Args:
        scores: The systems; at least one has figures by type.
        pairs: Their blocks, for the types of the references.
        samples, seed: The number of bootstrap samples, and the seed.
        groups: The group of each label; those of all packs if empty.
    """
    grouping, scorer = Grouping(groups or common_groups()), scores[0].scorer
    names = _level_names(grouping)
    support = _support(pairs[0])
    types = sorted(
        {*(t for score in scores for t in score.by_type), *(t for own in support.values() for t in own)}
    )
    parts = {level: sorted({name(type_) for type_ in types}) for level, name in names.items()}
    rows = _rows(scores, types, [(names[level], parts[level]) for level in LEVELS])
    totals = [own.sum(axis=0) for own in rows]
    drawn = bootstrap_values(rows, scorer.values, samples, seed) if len(scores) > 1 else []
    ends = {
        (a, b): _ends(drawn[a][scorer.main] - drawn[b][scorer.main])
        for a, b in combinations(range(len(drawn)), 2)
    }
    levels, first = [], 1
    for level, title in LEVELS.items():
        last = first + len(parts[level])
        own = tuple(
            [
                _type_row(scores, part, names[level], support, [total[n] for total in totals])
                for n, part in enumerate(parts[level], start=first)
            ]
        )
        shades = shade_ends([v[scorer.main] for row in own for v in row.values if v])
        intervals = {systems: both[first:last] for systems, both in ends.items()}
        levels.append(TypeLevel(level, title, own, shades, intervals))
        first = last
    others = tuple([name for name in scores[0].values if name != scorer.main])
    unknown = tuple(sorted(grouping.unknown))
    return TypeFigures(
        scorer.name,
        scorer.main,
        value_name(scorer, scorer.main),
        others,
        tuple(support),
        tuple(levels),
        samples,
        unknown,
    )


def _level_names(grouping: Grouping) -> dict[str, Callable[[str], str]]:
    """Return the name of a type at each level; a type without operation (``WS``, ``G/Case``) stays whole."""
    return {
        "operation": lambda type_: type_[0] if operation_and_label(type_)[0] else NO_OPERATION,
        "category": lambda type_: operation_and_label(type_)[1],
        "type": lambda type_: type_,
        "group": lambda type_: type_ if type_ == UNKNOWN else grouping(type_).rpartition(":")[2],
    }


def _support(pair: Pair) -> dict[int, Counter[str]]:
    """Return the number of edits of each type by each annotator of the references."""
    counts: dict[int, Counter[str]] = {}
    for block in pair.references:
        for annotation in annotations_of(block):
            own = counts.setdefault(annotation.annotator, Counter())
            own.update([edit.type for edit in annotation.edits])
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
    support: Mapping[int, Mapping[str, int]],
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
    """Return the ends of the middle 95 % of each column; NaN if a sample is NaN."""
    ends = np.array([interval(own) for own in differences.T])
    ends[np.isnan(differences).any(axis=0)] = np.nan
    return ends


def _rounded(values: Any) -> Any:
    """Return numbers, in lists of any depth, rounded to four decimals; None for NaN and infinity."""
    if isinstance(values, list):
        return [_rounded(value) for value in values]
    return round(values, 4) if values is not None and math.isfinite(values) else None
