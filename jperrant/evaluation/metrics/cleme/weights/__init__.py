"""Weightings of chunks, by name; imported only when they are asked for.

Another package adds one with an entry point of the group ``jperrant.weights`` whose object, called with
``base.WeightingOptions``, returns a ``base.Weighting``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from jperrant.core.errors import UsageError, nearest
from jperrant.core.plugins import entry_points, imported
from jperrant.evaluation.metrics.cleme.weights.base import Weighting, WeightingOptions

GROUP = "jperrant.weights"
#: Weightings of our own, and what makes them.
WEIGHTS = {
    "none": "jperrant.evaluation.metrics.cleme.weights.make:no_weights",
    "length": "jperrant.evaluation.metrics.cleme.weights.make:length_weights",
    "similarity": "jperrant.evaluation.metrics.cleme.weights.make:similarity_weights",
    "llm": "jperrant.evaluation.metrics.cleme.weights.make:llm_weights",
}


def make_weighting(name: str, options: WeightingOptions) -> Weighting | None:
    """Return the weighting of a name; None where chunks are counted.

    Args:
        name: One of ``WEIGHTS``, or of another package.
        options: What it is made of.

    Raises:
        UsageError: The name is unknown, the package that brings it is broken, or an option is out of its range.
    """
    known = WEIGHTS
    if name not in known:  # looking at all installed packages takes longer than scoring
        known = {entry.name: entry.value for entry in entry_points(group=GROUP)} | WEIGHTS
    if name not in known:
        raise UsageError(
            f"unknown weights {name!r}{nearest(name, known)}; expected one of {', '.join(known)}"
        )
    make = cast("Callable[[WeightingOptions], Weighting | None]", imported(known[name], "weights"))
    return make(options)
