"""What may be asked for beyond the figures of one system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jperrant.core.errors import UsageError
from jperrant.evaluation.breakdown import FULL, category, grouped
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.differences import (
    Comparison,
    SentenceDifference,
    paired_tests,
    sentence_differences,
)
from jperrant.evaluation.statistics.significance import SEED, Interval, check_seed, intervals

if TYPE_CHECKING:
    from jperrant.evaluation.statistics.ranking import Rank

#: Samples that are drawn at most: more than any journal asks for, and still a matter of minutes.
MOST_SAMPLES = 1_000_000


@dataclass(frozen=True, slots=True)
class Analysis:
    """What goes with the score of one system.

    Attributes:
        level: What stands for a type: 1 operation, 2 category, 3 full type.
        per_sentence: Whether the sentences are reported one by one.
        macro: Whether the average over types is reported.
        intervals: The interval of each value, if asked for.
        comparisons: The paired tests against the baseline; empty for the baseline itself.
        rank: How the system stands among the others, if asked for.
        differing: The sentences in which the system and the baseline differ, if asked for.
    """

    level: int = FULL
    per_sentence: bool = False
    macro: bool = False
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    rank: Rank | None = None
    differing: tuple[SentenceDifference, ...] = ()


def analyse(
    scores: Sequence[Score],
    *,
    level: int = FULL,
    per_sentence: bool = False,
    macro: bool = False,
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
        level, per_sentence, macro: As in ``Analysis``.
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
            level,
            per_sentence,
            macro,
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
