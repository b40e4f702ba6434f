"""Analyses of scores: intervals, paired tests, rankings, and figures by error type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.core.values import UNKNOWN
from jperrant.evaluation.metrics.base import Candidate, Row, Scorer, add_rows
from jperrant.evaluation.metrics.system_score import Packed, Score, pack
from jperrant.evaluation.statistics.significance import (
    SAMPLES,
    SEED,
    Comparison,
    Interval,
    SentenceDifference,
    bootstrap_values,
    check_samples,
    interval,
    intervals,
    known_value,
    paired_tests,
    rows_by_type,
    sentence_differences,
    support_of,
    types_of,
)

if TYPE_CHECKING:
    from jperrant.evaluation.statistics.ranking import Rank

#: The category levels, as in ERRANT's ``-cat``, with what each keeps of ``R:NOUN:NUM``.
LEVELS = {1: "operation (R)", 2: "category (NOUN:NUM)", 3: "full type (R:NOUN:NUM)"}
FULL = 3


@dataclass(frozen=True, slots=True)
class Analysis:
    """The score of one system with its analyses.

    Attributes:
        score: The score.
        level: The category level of types: 1 operation, 2 category, 3 full type.
        per_sentence: Whether each sentence is reported.
        intervals: The interval of each value, if asked for.
        comparisons: The paired tests against the baseline; empty for the baseline itself.
        rank: The ranking figures of the system, if asked for.
        differing: The sentences with different scores of system and baseline, if asked for.
    """

    score: Score
    level: int = FULL
    per_sentence: bool = False
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    rank: Rank | None = None
    differing: tuple[SentenceDifference, ...] = ()

    @property
    def by_type(self) -> dict[str, Row]:
        """The summed rows by type, at the category level."""
        return rows_by_category(self.score.by_type, self.level)


def analyse(
    scores: Sequence[Score],
    *,
    level: int = FULL,
    per_sentence: bool = False,
    ci: bool = False,
    paired_bs: bool = False,
    paired_ar: bool = False,
    baseline: str = "",
    types: bool = False,
    differing: bool = False,
    samples: int | None = None,
    seed: int = SEED,
    rank: bool = False,
) -> list[Analysis]:
    """Return the analyses of scores, in their order.

    Args:
        scores: Systems scored by one metric over the same sentences.
        level, per_sentence: As in ``Analysis``.
        ci: Compute bootstrap intervals.
        paired_bs, paired_ar: Test the systems by paired bootstrap, by approximate randomisation.
        baseline: The system that the others are tested against, by approximate randomisation if no test is chosen;
            the first system if empty.
        types: Test each error type too.
        differing: Find the sentences with different scores of a system and the baseline.
        samples, seed: The number of samples of intervals and tests (None for their defaults), and the seed.
        rank: Rank the systems by TrueSkill and Expected Wins over sentences.

    Raises:
        UsageError: A test or ranking has only one system, or samples or seed are out of their range.
    """
    check_samples(samples, seed)
    tests = tests_of(paired_bs, paired_ar, baseline)
    ranks: list[Rank | None] = _ranks(scores) if rank else [None] * len(scores)
    known = scores
    if types and level != FULL:
        known = [grouped(score, lambda type_: category(type_, level)) for score in scores]
    tested = [paired_tests(known, test, samples, seed, baseline=baseline, by_type=types) for test in tests]
    first = next((n for n, score in enumerate(scores) if score.hypothesis == baseline), 0)
    others = [n for n in range(len(scores)) if n != first]
    comparisons = dict(zip(others, zip(*tested, strict=True), strict=True)) if tested else {}
    return [
        Analysis(
            score,
            level,
            per_sentence,
            intervals(score, samples, seed) if ci else {},
            comparisons.get(number, ()),
            ranks[number],
            tuple(sentence_differences(score, scores[first])) if differing and number != first else (),
        )
        for number, score in enumerate(scores)
    ]


def tests_of(paired_bs: bool, paired_ar: bool, baseline: str) -> list[str]:
    """Return the paired tests to make: the chosen ones, or for a baseline without a test randomisation."""
    return ["bootstrap"] * paired_bs + ["randomisation"] * (paired_ar or (bool(baseline) and not paired_bs))


def _ranks(scores: Sequence[Score]) -> list[Rank | None]:
    from jperrant.evaluation.statistics.ranking import rank_systems

    return [*rank_systems(scores)]


def check_level(level: int) -> None:
    """Check that a category level exists.

    Raises:
        UsageError: The level is unknown; names the known ones.
    """
    if level not in LEVELS:
        levels = ", ".join(f"{number} = {what}" for number, what in LEVELS.items())
        raise UsageError(f"found category {level}, expected one of {levels}")


def category(type_: str, level: int = FULL) -> str:
    """Return a type reduced to a category level; ``UNK`` stays whole.

    Levels 1 and 2 cut after the first letter even of a type without operation (``WS``), as ERRANT does.

    >>> [category("R:NOUN:NUM", level) for level in (1, 2, 3)]
    ['R', 'NOUN:NUM', 'R:NOUN:NUM']

    Raises:
        UsageError: The level is unknown.
    """
    check_level(level)
    if level == FULL or type_ == UNKNOWN:
        return type_
    return type_[:1] if level == 1 else type_[2:]


def rows_by_category(by_type: Mapping[str, Row], level: int = FULL) -> dict[str, Row]:
    """Return the summed rows of each category, sorted by name.

    Raises:
        UsageError: The level is unknown.
    """
    check_level(level)
    grouped: dict[str, list[Row]] = {}
    for type_, row in by_type.items():
        grouped.setdefault(category(type_, level), []).append(row)
    return {name: add_rows(grouped[name], len(grouped[name][0])) for name in sorted(grouped)}


def grouped(score: Score, group: Callable[[str], str]) -> Score:
    """Return a score whose figures by type are summed by group; a function returns the group of a type."""

    def regroup(candidate: Candidate) -> Candidate:
        rows: dict[str, list[Row]] = {}
        for type_, row in candidate.by_type.items():
            rows.setdefault(group(type_), []).append(row)
        columns = len(score.scorer.columns)
        return replace(candidate, by_type={name: add_rows(held, columns) for name, held in rows.items()})

    if isinstance(score.combined, Packed):
        parts = [pack(map(regroup, Packed[Candidate]([part]))) for part in score.combined.parts]
        return replace(score, combined=Packed[Candidate](parts))
    return replace(score, combined=tuple(map(regroup, score.combined)))


def grouped_by_packs(scores: Sequence[Score]) -> tuple[list[Score], list[str]]:
    """Return scores by the groups of types that all languages share, and a line about labels without a group."""
    from jperrant.packs.labels import Grouping
    from jperrant.packs.read import common_groups  # which reads every pack

    grouping = Grouping(common_groups())
    regrouped = [grouped(score, grouping) for score in scores]
    unknown = ", ".join(sorted(grouping.unknown))
    return regrouped, ([f"labels that no installed pack has, counted as other: {unknown}"] if unknown else [])


@dataclass(frozen=True, slots=True)
class TypeFigure:
    """One value of a metric for one error type of one system.

    Attributes:
        value: The value; NaN if neither the system nor its references have an edit of the type.
        low, high: The ends of its 95 % bootstrap interval, from the samples that have an edit of the type; NaN if
            none has.
        support: tp + fn, the number or weight of reference edits of the type; None if the metric lacks these.
    """

    value: float
    low: float
    high: float
    support: float | None


def type_figures(
    scores: Sequence[Score], value: str = "", samples: int | None = None, seed: int = SEED
) -> dict[str, list[TypeFigure]]:
    """Return the figures of all systems for each error type, sorted by type.

    Args:
        scores: Systems scored by one metric against the same references.
        value: The name of a value of the metric; its main value if empty.
        samples, seed: The number of bootstrap samples (1,000 if None), which all systems and types share, and the
            seed.

    Raises:
        UsageError: The metric lacks the value, or samples or seed are out of their range.
    """
    check_samples(samples, seed)
    scorer, name = scores[0].scorer, checked_value(scores[0], value)
    types = types_of(scores)
    if not types or not scores[0].sentences:
        return {}
    rows = rows_by_type(scores, types)
    drawn = bootstrap_values(
        rows, lambda totals: {name: known_value(scorer, totals, name)}, samples or SAMPLES["bootstrap"], seed
    )
    return {
        type_: [
            _figure(scorer, own[:, number].sum(axis=0), values[name][:, number], name)
            for own, values in zip(rows, drawn, strict=True)
        ]
        for number, type_ in enumerate(types)
    }


def checked_value(score: Score, value: str = "") -> str:
    """Return the name of a value of a metric, that of its main value if empty.

    Raises:
        UsageError: The metric lacks the value; names those it has.
    """
    if value and value not in score.values:
        known = tuple(score.values)
        raise UsageError(
            f"metric {score.metric!r} has no value {value!r}{nearest(value, known)}; expected one of "
            f"{', '.join(known)}"
        )
    return value or score.scorer.main


def _figure(scorer: Scorer, total: FloatArray, drawn: FloatArray, name: str) -> TypeFigure:
    return TypeFigure(float(known_value(scorer, total, name)), *interval(drawn), support_of(scorer, total))
