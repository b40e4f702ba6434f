"""Analyses of scores: intervals, paired tests, ranks, and figures by error type."""

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
    check_seed,
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

#: Samples that are drawn at most: more than any journal asks for, and still a matter of minutes.
MOST_SAMPLES = 1_000_000
#: What a category level keeps of a type such as ``R:NOUN:NUM``, as ERRANT's ``-cat``.
LEVELS = {1: "operation (R)", 2: "category (NOUN:NUM)", 3: "full type (R:NOUN:NUM)"}
FULL = 3


@dataclass(frozen=True, slots=True)
class Analysis:
    """The score of one system with its analyses.

    Attributes:
        score: The score.
        level: What stands for a type: 1 operation, 2 category, 3 full type.
        per_sentence: Whether the sentences are reported one by one.
        intervals: The interval of each value, if asked for.
        comparisons: The paired tests against the baseline; empty for the baseline itself.
        rank: How the system stands among the others, if asked for.
        differing: The sentences in which the system and the baseline differ, if asked for.
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
        """The summed rows of what stands for a type."""
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
    """Return what goes with each score, in their order.

    Args:
        scores: Systems scored by one metric over the same sentences.
        level, per_sentence: As in ``Analysis``.
        ci: Compute bootstrap intervals.
        paired_bs, paired_ar: Make that paired test (approximate randomisation: ar) against the baseline.
        baseline: A system, which the others are tested against, by approximate randomisation if nothing else is
            asked for; the first if empty.
        types: Test also each error type.
        differing: Find the sentences in which systems and the baseline differ.
        samples, seed: Of intervals and tests; customary numbers of samples if None.
        rank: Rank the systems by TrueSkill and Expected Wins over sentences.

    Raises:
        UsageError: A test or ranking of one system alone, or an impossible number of samples.
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
    """Return the paired tests to make; of a baseline without a test the randomisation."""
    return ["bootstrap"] * paired_bs + ["randomisation"] * (paired_ar or (bool(baseline) and not paired_bs))


def _ranks(scores: Sequence[Score]) -> list[Rank | None]:
    from jperrant.evaluation.statistics.ranking import rank_systems

    return [*rank_systems(scores)]


def check_samples(samples: int | None, seed: int) -> None:
    """Refuse a number of samples or a seed that cannot be drawn.

    Raises:
        UsageError: Either is out of its range.
    """
    check_seed(seed)
    if samples is not None and not 1 <= samples <= MOST_SAMPLES:
        raise UsageError(f"found {samples} samples, expected 1 to {MOST_SAMPLES:,}")


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


def grouped(score: Score, group: Callable[[str], str]) -> Score:
    """Return the same score with the figures of its types added up under the names ``group`` gives them."""

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
    """Return scores by the groups of types that all languages share, and a line for labels that belong to none."""
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
        value: The figure; not a number if neither the system nor its references have an edit of the type.
        low, high: Its bootstrap interval (95 %) over the samples that have an edit of the type; not a number where
            none has.
        support: The number (or weight) of the edits of the references that were chosen for the system; None if the
            metric has no tp and fn.
    """

    value: float
    low: float
    high: float
    support: float | None


def type_figures(
    scores: Sequence[Score], value: str = "", samples: int | None = None, seed: int = SEED
) -> dict[str, list[TypeFigure]]:
    """Return for each error type the figure of every system, sorted by type.

    Args:
        scores: Systems scored by one metric over the same references.
        value: A value of the metric; its main one if empty.
        samples, seed: Of the bootstrap, which draws the same sentences for all systems and types; 1,000 samples if
            None.

    Raises:
        UsageError: The metric has no such value, or an impossible number of samples.
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
    """Return a value of a metric, its main one if none is named.

    Raises:
        UsageError: The metric has no such value.
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
