"""Ways to weigh chunks, by name; imported only when they are asked for.

Another package adds one with an entry point of the group ``jperrant.weights`` whose object, called with the
scorer, returns a ``base.Weights``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.metrics.cleme.weights.base import Weights

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.cleme.chunk_scorer import ChunkScorer

GROUP = "jperrant.weights"
#: Ways of our own, and what makes them of a scorer's options.
WEIGHTS = {
    "none": "jperrant.evaluation.metrics.cleme.weights.make:no_weights",
    "length": "jperrant.evaluation.metrics.cleme.weights.make:length_weights",
    "similarity": "jperrant.evaluation.metrics.cleme.weights.make:similarity_weights",
    "llm": "jperrant.evaluation.metrics.cleme.weights.make:llm_weights",
}


def make_weights(scorer: ChunkScorer) -> Weights | None:
    """Return the way to weigh chunks that a scorer's options name; None where chunks are counted.

    Raises:
        UsageError: The name is unknown, or one of its options is out of its range.
    """
    known = WEIGHTS
    if scorer.weights not in known:  # looking at all installed packages takes longer than scoring
        known = {found.name: found.value for found in entry_points(group=GROUP)} | WEIGHTS
    if scorer.weights not in known:
        names = ", ".join(known)
        raise UsageError(
            f"unknown weights {scorer.weights!r}{nearest(scorer.weights, known)}; known: {names}"
        )
    module, _, attribute = known[scorer.weights].partition(":")
    make = cast("Callable[[ChunkScorer], Weights | None]", getattr(import_module(module), attribute))
    return make(scorer)
