"""What cannot be compared, and is said: scores that do not vary, and scores that are missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.messages import agree, plural
from jperrant.evaluation.meta.analyses import MetaOptions, groups_of, human_of
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.human_scores import human_scores
from jperrant.evaluation.meta.metric_scores import MetricScores


def undefined_correlations(
    dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions
) -> list[str]:
    """Return a line for each metric and each human score with which there is no correlation.

    That is so where all systems of a group have one score, or one of them has none.
    """
    lines = []
    for group in groups_of(dataset, options):
        systems = dataset.group(group)
        for scores in metrics:
            figures = scores.select(systems).aggregate(options.aggregation)
            lines += _lines(f"metric {scores.name!r}", figures, group, systems)
        for name in human_of(dataset, options):
            judged = human_scores(dataset, name, systems)
            # Systems that nobody judged are left out.
            lines += _lines(f"human score {name!r}", judged[~np.isnan(judged)], group, ())
    return lines


def missing_sentences(metrics: Sequence[MetricScores]) -> list[str]:
    """Return a line for each metric that has no score for some sentences."""
    lines = []
    for scores in metrics:
        if missing := int(np.isnan(scores.sentences).any(axis=0).sum()):
            lines.append(
                f"metric {scores.name!r} has no score of some system for {plural(missing, 'sentence')}; pairs with "
                f"{agree(missing, 'it', 'them')} do not count"
            )
    return lines


def _lines(what: str, figures: FloatArray, group: str, systems: Sequence[str]) -> list[str]:
    missing = np.flatnonzero(np.isnan(figures))
    if len(missing):
        return [
            f"{what} has no score of system {systems[missing[0]]!r} of group {group!r}: its correlation is "
            "undefined"
        ]
    if len(figures) and np.all(figures == figures[0]):
        return [f"{what} gives all systems of group {group!r} one score: its correlation is undefined"]
    return []
