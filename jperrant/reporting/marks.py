"""Marks of significance beside the figures of systems, and the notes that explain them."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.evaluation.analysis import Analysis
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.statistics.correction import corrected
from jperrant.reporting.layout import ALPHA, MARKS


def marks_of(scores: Sequence[Score], extras: Sequence[Analysis]) -> list[dict[str, str]]:
    """Return for each score the marks of its values.

    A value is marked where a paired test finds it different from that of the first system, by a p-value that Holm's
    procedure corrects for the number of systems tested.

    Args:
        scores: Systems scored by one metric or several.
        extras: What goes with each score; its comparisons are the tests.
    """
    number = {id(score): n for n, score in enumerate(scores)}
    marks: list[dict[str, str]] = [{} for _ in scores]
    for own in Scores(scores).by_metric().values():
        places = [number[id(score)] for score in own if extras[number[id(score)]].comparisons]
        for test in range(len(extras[places[0]].comparisons) if places else 0):
            for value in own[0].values:
                comparisons = [extras[n].comparisons[test] for n in places]
                adjusted = corrected([comparison.p[value] for comparison in comparisons])
                for n, p, comparison in zip(places, adjusted, comparisons, strict=True):
                    if p < ALPHA:
                        marks[n][value] = marks[n].get(value, "") + MARKS[comparison.test]
    return marks


def mark_notes(extras: Sequence[Analysis]) -> list[str]:
    """Return one line for each mark: which test it stands for."""
    lines: dict[str, str] = {}
    for extra in extras:
        for one in extra.comparisons:
            systems = {c.hypothesis for other in extras for c in other.comparisons}
            correction = f", corrected by Holm for {len(systems)} systems" if len(systems) > 1 else ""
            lines[one.test] = (
                f"{MARKS[one.test]}: differs from {one.baseline}, p < {ALPHA} (paired {one.test}, two-sided, "
                f"{one.samples} samples, seed {one.seed}{correction})"
            )
    return list(lines.values())
