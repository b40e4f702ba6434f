"""The figures of a page's head: all metrics and systems with intervals and tests, and how systems rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from jperrant.evaluation.analysis import Analysis
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.score_tables import marks_of
from jperrant.evaluation.scores import Scores
from jperrant.reporting.html.drawings import Bar, interval_plot


@dataclass(frozen=True, slots=True)
class Figure:
    """A value of a system.

    Attributes:
        text: As it is shown; empty where the metric has none.
        interval: Its interval, as it is shown; empty without one.
        marks: Of significance.
        best: Whether no system has a better one.
        value: The value; not a number where there is none.
    """

    text: str
    interval: str
    marks: str
    best: bool
    value: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system in the order of a metric.

    Attributes:
        system: Its name.
        value: Its main value.
        trueskill, expected_wins: As in :class:`jperrant.evaluation.statistics.ranking.Rank`; None for one alone.
    """

    system: str
    value: float
    trueskill: float | None
    expected_wins: float | None


@dataclass(frozen=True, slots=True)
class MetricOverview:
    """A metric over all systems.

    Attributes:
        name: What it is called here.
        values: The names of its values.
        main: The one that ranks systems.
        lower: Whether a lower main value is better.
        figures: For each system its values.
        ranking: The systems, best first by the main value.
        plot: Their main values with intervals, in that order.
    """

    name: str
    values: tuple[str, ...]
    main: str
    lower: bool
    figures: tuple[tuple[Figure, ...], ...]
    ranking: tuple[Ranked, ...]
    plot: Markup


def overviews(scores: Scores, analyses: Sequence[Analysis]) -> list[MetricOverview]:
    """Return what is shown of each metric.

    Args:
        scores: Systems by metrics.
        analyses: What goes with each score: intervals, tests, ranks.
    """
    number = {id(score): n for n, score in enumerate(scores)}
    return [
        _overview(name, own, [analyses[number[id(s)]] for s in own])
        for name, own in scores.by_metric().items()
    ]


def _overview(name: str, scores: Sequence[Score], analyses: Sequence[Analysis]) -> MetricOverview:
    scorer = scores[0].scorer
    rows = [score.values for score in scores]
    order = sorted(range(len(scores)), key=lambda n: _order(rows[n][scorer.main], scorer.lower_is_better))
    columns = [
        _column(
            [row[value] for row in rows],
            analyses,
            value,
            [marks_of(own).get(value, "") for own in analyses],
            scorer.better_lower(value),
        )
        for value in rows[0]
    ]
    return MetricOverview(
        name,
        tuple(rows[0]),
        scorer.main,
        scorer.lower_is_better,
        tuple(zip(*columns, strict=True)),
        tuple([_ranked(scores[n], analyses[n]) for n in order]),
        interval_plot(
            [_bar(scores[n], analyses[n]) for n in order], f"{name}: {scorer.main} of each system, best first"
        ),
    )


def _order(value: float, lower: bool) -> float:
    return math.inf if math.isnan(value) else value if lower else -value


def _column(
    values: Sequence[float], analyses: Sequence[Analysis], name: str, marks: Sequence[str], lower: bool
) -> list[Figure]:
    known = [value for value in values if not math.isnan(value)]
    best = _shown((min if lower else max)(known)) if len(known) > 1 else ""
    return [
        Figure(_shown(value), _interval(analysis, name), mark, bool(best) and _shown(value) == best, value)
        for value, analysis, mark in zip(values, analyses, marks, strict=True)
    ]


def _shown(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"


def _interval(analysis: Analysis, name: str) -> str:
    ends = analysis.intervals.get(name)
    return f"{ends.low:.4f} – {ends.high:.4f}" if ends else ""


def _ranked(score: Score, analysis: Analysis) -> Ranked:
    rank = analysis.rank
    value = score.values[score.scorer.main]
    if rank is None:
        return Ranked(score.hypothesis, value, None, None)
    return Ranked(score.hypothesis, value, rank.trueskill, rank.expected_wins)


def _bar(score: Score, analysis: Analysis) -> Bar:
    main = score.scorer.main
    ends = analysis.intervals.get(main)
    if ends is None:
        return Bar(score.hypothesis, score.values[main])
    return Bar(score.hypothesis, score.values[main], ends.low, ends.high)
