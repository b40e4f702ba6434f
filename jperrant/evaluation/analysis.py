"""What may be asked for beyond the figures of one system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jperrant.core.errors import UsageError
from jperrant.evaluation.breakdown import FULL
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.significance import (
    SEED,
    Comparison,
    Interval,
    Test,
    check_seed,
    intervals,
    paired_tests,
)

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
    """

    level: int = FULL
    per_sentence: bool = False
    macro: bool = False
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    rank: Rank | None = None


def analyse(
    scores: Sequence[Score],
    *,
    level: int = FULL,
    per_sentence: bool = False,
    macro: bool = False,
    ci: bool = False,
    paired_bs: bool = False,
    paired_ar: bool = False,
    samples: int | None = None,
    seed: int = SEED,
    rank: bool = False,
) -> list[Analysis]:
    """Return what goes with each score, in their order.

    Args:
        scores: Systems scored by one metric over the same sentences; the first is the baseline of the tests.
        level, per_sentence, macro: As in ``Analysis``.
        ci: Compute bootstrap intervals.
        paired_bs, paired_ar: Make that paired test (approximate randomisation: ar) against the baseline.
        samples, seed: Of intervals and tests; customary numbers of samples if None.
        rank: Rank the systems by TrueSkill and Expected Wins over sentences.

    Raises:
        UsageError: A test or ranking of one system alone, or an impossible number of samples.
    """
    check_samples(samples, seed)
    tests: list[Test] = []
    if paired_bs:
        tests.append("bootstrap")
    if paired_ar:
        tests.append("randomisation")
    ranks: list[Rank | None] = _ranks(scores) if rank else [None] * len(scores)
    tested = [paired_tests(scores, test, samples, seed) for test in tests]
    return [
        Analysis(
            level,
            per_sentence,
            macro,
            intervals(score, samples, seed) if ci else {},
            tuple(comparisons[number - 1] for comparisons in tested) if number else (),
            ranks[number],
        )
        for number, score in enumerate(scores)
    ]


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
