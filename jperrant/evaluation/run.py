"""From files or blocks to scores in one call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from jperrant.core.errors import UsageError
from jperrant.evaluation.load import load_pairs
from jperrant.evaluation.m2_input import M2Input
from jperrant.evaluation.metrics.base import Score, Scorer, evaluate
from jperrant.evaluation.metrics.registry import make_scorer


def score(*sides: M2Input, metric: str = "errant", strict: bool = False, **options: Any) -> list[Score]:
    """Score systems against references.

    Args:
        *sides: One or more systems, and last the references: paths of M2 files, or blocks. Sides whose
            sentences or tokens differ from those of the references are aligned to them.
        metric: The name of the metric.
        strict: Make every departure of a file from the M2 dialect an error.
        **options: The metric's own options.

    Returns:
        One score for each system, in their order.

    Raises:
        UsageError: Fewer than two sides, an unknown metric or option.
        InputError: A file cannot be read, is not M2, or is another text than the references.
    """
    if len(sides) < 2:
        raise UsageError("give one or more hypotheses and, last, the reference file: HYP.m2... REF.m2")
    scorer = make_scorer(metric, **options)
    return evaluate(scorer, load_pairs(sides[:-1], sides[-1], strict, refused_by(scorer)))


def refused_by(scorer: Scorer) -> Collection[str]:
    """Return the kinds of oddities of M2 files that a metric cannot do with: its attribute ``refuses``."""
    refused: Collection[str] = getattr(scorer, "refuses", ())
    return refused


def score_files(
    files: Sequence[str], metric: str = "errant", strict: bool = False, **options: Any
) -> list[Score]:
    """Score M2 files of systems against one M2 file of references, the last one; see :func:`score`."""
    return score(*files, metric=metric, strict=strict, **options)
