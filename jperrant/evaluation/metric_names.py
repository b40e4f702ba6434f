"""Metrics by name, and scorers from specifications such as ``cleme2:assumption=independent,level=sentence``.

Another package can add a metric by an entry point of the group ``jperrant.metrics`` that names a ``Scorer``::

    [project.entry-points."jperrant.metrics"]
    mymetric = "mypackage.mymodule:MyScorer"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, cast

from jperrant.core import packages
from jperrant.core.errors import UsageError, check_known
from jperrant.core.option import Declared, build, options_of, written_options
from jperrant.core.packages import entry_points, with_entries
from jperrant.evaluation.metrics.base import Scorer

GROUP = "jperrant.metrics"
#: The metrics of jperrant; their modules are imported on first use.
BUILT_IN = {
    "errant": "jperrant.evaluation.metrics.errant:ErrantScorer",
    "cleme": "jperrant.evaluation.metrics.cleme.scorer:ClemeScorer",
    "cleme2": "jperrant.evaluation.metrics.cleme.scorer:Cleme2Scorer",
    "uot": "jperrant.evaluation.metrics.uot:UotScorer",
    "pt-errant": "jperrant.evaluation.metrics.pretrained:PtErrantScorer",
    "m2": "jperrant.evaluation.metrics.maxmatch:MaxMatchScorer",
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
    """Return every known metric with its location as ``module:object``.

    Raises:
        UsageError: Two packages use the same name; names both.
    """
    return with_entries(BUILT_IN, entry_points(GROUP), "metric")


def make_scorer(metric: str, **options: Any) -> Scorer:
    """Return the scorer of a metric with its options.

    Args:
        metric: The name of the metric, such as ``errant``.
        **options: The options of the metric; missing ones have their defaults.

    Raises:
        UsageError: The metric or an option is unknown, or a value is invalid.
    """
    return build(factory_of(metric), f"metric {metric!r}", options)


def factory_of(metric: str) -> type[Scorer]:
    """Return the class of a metric's scorer.

    Raises:
        UsageError: The metric is unknown, or its package cannot be imported.
    """
    known = metrics()
    check_known("metric", metric, sorted(known))
    return _load(known[metric])


def importable() -> tuple[list[str], list[str]]:
    """Return the metrics that can be imported, and a line for each that cannot.

    Raises:
        UsageError: Two packages use the same name.
    """
    return packages.importable(metrics(), factory_of)


def _load(where: str) -> type[Scorer]:
    return cast(type[Scorer], packages.imported(where, "metric"))


def make_scorers(
    specs: Sequence[str | Scorer],
    lang: str | None = None,
    shared: Mapping[str, Any] | None = None,
    cache: str = "",
) -> list[Scorer]:
    """Return the scorers of metrics.

    Args:
        specs: Metrics with their options (``cleme2:level=sentence``), or scorers, which are returned unchanged.
        lang: A language whose pack chooses the encoder of metrics without a given one.
        shared: Options for every metric that has them.
        cache: A folder in whose subfolder ``encodings`` vectors are kept; empty for none.

    Raises:
        UsageError: There is no metric, one is unknown or given twice, or an option is invalid.
    """
    if not specs:
        raise UsageError("found no metric; give at least one")
    common = {**({"cache": str(Path(cache) / "encodings")} if cache else {}), **(shared or {})}
    scorers = [spec if isinstance(spec, Scorer) else _scorer(spec, common, lang or "") for spec in specs]
    _check_different(specs, scorers)
    return scorers


def _scorer(spec: str, common: Mapping[str, Any], lang: str) -> Scorer:
    """Return the scorer of a specification, with those common options that the metric has."""
    name, own = parse_spec(spec)
    has = _declared(name)
    given = {**{option: value for option, value in common.items() if option in has}, **own}
    return make_scorer(name, **(with_encoder(name, lang, given) if lang else given))


def _check_different(specs: Sequence[str | Scorer], scorers: Sequence[Scorer]) -> None:
    """Check that no metric is given twice, as its scores would look like those of more systems."""
    for (one, first), (other, second) in combinations(zip(specs, scorers, strict=True), 2):
        if first.name == second.name and first.settings == second.settings:
            if one == other:
                raise UsageError(f"the same metric is given twice: {one!r}; remove one")
            raise UsageError(
                f"the same metric is given twice: {one!r} and {other!r} have the same settings in tables; remove "
                "one, or give its file or folder another name"
            )


def with_encoder(metric: str, lang: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a metric with the encoder of a language's pack.

    Options stay unchanged if they name an encoder, if the metric uses none, or if the pack names none. The English
    pack names none, so metrics use the encoders of their papers.

    Raises:
        PackError: The language is unknown.
    """
    from jperrant.packs.read import pack_keys  # with YAML

    encoder = pack_keys(lang).encoder
    chosen = {"encoder": encoder} if encoder and "encoder" in _declared(metric) else {}
    return {**chosen, **options}


def written_option(flag: str, specs: Sequence[str]) -> str:
    """Return how to give an option of a metric that was given as an option of the command.

    Args:
        flag: The option as written, such as ``--draws``.
        specs: The metrics of the command, which come before other metrics with the same option.

    Returns:
        ``-m gleu:draws=...``; empty if no metric has the option.
    """
    option = flag.lstrip("-").replace("-", "_")
    asked = [spec.partition(":")[0] for spec in specs]
    for metric in (*(name for name in asked if name in metrics()), *importable()[0]):
        if option in _declared(metric):
            return f"-m {metric}:{option}" + ("" if _declared(metric)[option].kind is bool else "=...")
    return ""


def parse_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a metric specification, values converted to their declared types.

    >>> parse_spec("ERRANT:mode=ds,beta=1")
    ('errant', {'mode': 'ds', 'beta': 1.0})

    A switch needs no value (``errant:exact``). Any other part without ``=`` continues the value before it
    (``cleme2:factors=.5,.3,.1,.1``). Options with several values can be repeated.

    Raises:
        UsageError: The metric or an option is unknown, or a value has the wrong type.
    """
    written_name, _, text = spec.partition(":")
    name = written_name.strip()
    name = name if name in metrics() else name.lower()
    if (begin := re.split(r"[\s,;]", name)[0]) in metrics() and begin != name:
        raise UsageError(
            f"unknown metric {spec!r}; give each metric by itself, options after a colon: {begin}:OPTION=VALUE"
        )
    return name, written_options(text, factory_of(name), f"metric {name!r}")


def _declared(metric: str) -> dict[str, Declared]:
    """Return the options of a metric by name."""
    return {option.name: option for option in options_of(factory_of(metric))}
