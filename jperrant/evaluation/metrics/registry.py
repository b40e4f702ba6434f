"""Finding metrics by name: the built-in ones and those of other packages.

Another package adds a metric with an entry point of the group ``jperrant.metrics`` whose object is a ``Scorer``,
or returns one when it is called with the options::

    [project.entry-points."jperrant.metrics"]
    mymetric = "mypackage.mymodule:MyScorer"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from jperrant.core import packages
from jperrant.core.errors import UsageError, nearest
from jperrant.core.option import build
from jperrant.core.packages import entry_points, with_entries
from jperrant.evaluation.metrics.base import Scorer

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "jperrant.metrics"
#: Metrics of our own, imported only when asked for.
BUILT_IN = {
    "errant": "jperrant.evaluation.metrics.errant:ErrantScorer",
    "cleme": "jperrant.evaluation.metrics.cleme.scorer:ClemeScorer",
    "cleme2": "jperrant.evaluation.metrics.cleme.scorer:Cleme2Scorer",
    "uot": "jperrant.evaluation.metrics.uot.scorer:UotScorer",
    "pt-errant": "jperrant.evaluation.metrics.pretrained:PtErrantScorer",
    "m2": "jperrant.evaluation.metrics.maxmatch.scorer:MaxMatchScorer",
    "pt-m2": "jperrant.evaluation.metrics.pretrained:PtM2Scorer",
    "goto": "jperrant.evaluation.metrics.goto:GotoScorer",
    "gleu": "jperrant.evaluation.metrics.ngrams:GleuScorer",
    "green": "jperrant.evaluation.metrics.ngrams:GreenScorer",
    "imeasure": "jperrant.evaluation.metrics.imeasure:ImeasureScorer",
    "wer": "jperrant.evaluation.metrics.edit_distance:WerScorer",
    "cer": "jperrant.evaluation.metrics.edit_distance:CerScorer",
    "some": "jperrant.evaluation.metrics.reference_free:SomeScorer",
    "impara": "jperrant.evaluation.metrics.reference_free:ImparaScorer",
    "scribendi": "jperrant.evaluation.metrics.reference_free:ScribendiScorer",
    "perplexity": "jperrant.evaluation.metrics.reference_free:PerplexityScorer",
    "llm-s": "jperrant.evaluation.metrics.llm_judges:LlmSentenceScorer",
    "llm-e": "jperrant.evaluation.metrics.llm_judges:LlmEditScorer",
}


def metrics() -> dict[str, str]:
    """Return every known metric and where it comes from, as ``module:object``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    return with_entries(BUILT_IN, _entry_points(), "metric")


def make_scorer(metric: str, **options: Any) -> Scorer:
    """Return the scorer of a metric with its options.

    Args:
        metric: Its name, such as ``errant``.
        **options: The metric's own options; those left out take the metric's defaults.

    Raises:
        UsageError: The metric is unknown, an option is not one of its options or has an impossible value.
    """
    return build(factory_of(metric), f"metric {metric!r}", options)


def factory_of(metric: str) -> Callable[..., Scorer]:
    """Return what makes the scorer of a metric when it is called with options.

    Raises:
        UsageError: The metric is unknown, or the package that brings it is broken.
    """
    known = metrics()
    if metric not in known:
        names = ", ".join(sorted(known))
        raise UsageError(f"unknown metric {metric!r}{nearest(metric, known)}; expected one of {names}")
    return _load(known[metric])


def importable() -> tuple[list[str], list[str]]:
    """Return the metrics that can be used, and a line for each one whose package is broken.

    Raises:
        UsageError: Two packages use one name.
    """
    return packages.importable(metrics(), factory_of)


def _entry_points() -> list[EntryPoint]:
    return entry_points(group=GROUP)


def _load(where: str) -> Callable[..., Scorer]:
    return cast(Callable[..., Scorer], packages.imported(where, "metric"))
