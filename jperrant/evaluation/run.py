"""From files or blocks to scores in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jperrant.core.errors import UsageError
from jperrant.evaluation.load import load_pairs
from jperrant.evaluation.m2_input import M2Input
from jperrant.evaluation.metrics.registry import make_scorer
from jperrant.evaluation.metrics.score import Score, evaluate


def score(*sides: M2Input, metric: str = "errant", strict: bool = False, **options: Any) -> list[Score]:
    """Score systems against references.

    Args:
        *sides: One or more systems, and last the references, unless the metric needs none: paths of M2 files,
            or blocks. Systems whose sentences or tokens differ from those of the references are aligned to them.
        metric: The name of the metric.
        strict: Make every departure of a file from the M2 dialect an error.
        **options: The metric's own options.

    Returns:
        One score for each system, in their order.

    Raises:
        UsageError: Fewer than two sides, an unknown metric or option.
        InputError: A file cannot be read, is not M2, or is another text than the references.
    """
    scorer = make_scorer(metric, **options)
    if not scorer.needs_references:
        return evaluate(scorer, load_pairs(sides, None, strict, scorer.refuses))
    if len(sides) < 2:
        raise UsageError("give one or more hypotheses and, last, the reference file: HYP.m2... REF.m2")
    return evaluate(scorer, load_pairs(sides[:-1], sides[-1], strict, scorer.refuses))


def score_files(
    files: Sequence[str], metric: str = "errant", strict: bool = False, **options: Any
) -> list[Score]:
    """Score M2 files of systems against one M2 file of references, the last one; see :func:`score`."""
    return score(*files, metric=metric, strict=strict, **options)
