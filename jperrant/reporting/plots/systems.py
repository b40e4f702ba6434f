"""How the systems of a plot are called, and what its file says of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics.score import Score

#: Names that are longer are paths, of which only the last part is shown if that tells the systems apart.
_LONG_NAME = 24
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


def system_names(scores: Sequence[Score]) -> list[str]:
    """Return what the systems are called in a plot: their names, or the file names of long paths."""
    names = [score.hypothesis for score in scores]
    last = [PurePath(name).name for name in names]
    return last if max(map(len, names), default=0) > _LONG_NAME and len({*last}) == len({*names}) else names


def value_label(score: Score, value: str) -> str:
    """Return what an axis calls a value of a metric: ``errant F0.5``, ``cleme2 score``, ``gleu``."""
    beta = getattr(score.scorer, "beta", None)
    name = f"F{beta:g}" if value == "f" and isinstance(beta, float | int) else value
    return name if name == score.metric else f"{score.metric} {name}"


def signatures(scores: Sequence[Score]) -> str:
    """Return the signatures of scores, each once, for the description of a picture."""
    return "; ".join(dict.fromkeys(score.signature for score in scores))


def plot_name(*parts: str) -> str:
    """Return a name of files from any texts: letters a to z, digits and hyphens.

    >>> plot_name("errant beta:0.5", "by-type")
    'errant-beta-0-5-by-type'
    """
    return _NOT_IN_NAMES.sub("-", "-".join(parts).lower()).strip("-")


def check_scores(scores: Sequence[Score]) -> None:
    """Raise a UsageError unless there are scores, all of one metric, with sentences."""
    if not scores or not all(score.sentences for score in scores):
        raise UsageError("found no sentences to plot")
    if any(score.scorer != scores[0].scorer for score in scores):
        raise UsageError("a plot shows one metric; give the scores of one (Scores.by_metric)")
