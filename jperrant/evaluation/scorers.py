"""The scorers of metrics as people name them, with options of their own and options for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from jperrant.core.errors import UsageError
from jperrant.core.option import options_of
from jperrant.evaluation.encoder_choice import with_encoder
from jperrant.evaluation.metric_spec import parse_spec
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.registry import factory_of, make_scorer


def make_scorers(
    specs: Sequence[str | Scorer],
    options: Mapping[str, Any],
    lang: str | None = None,
    shared: Mapping[str, Any] | None = None,
    cache: str = "",
) -> list[Scorer]:
    """Return the scorers of metrics.

    Args:
        specs: The metrics, each with its options (``cleme2:level=sentence``), or scorers as they are.
        options: More options, if the metric is one.
        lang: A language whose pack chooses the encoder where none is given.
        shared: Options for every metric that has them.
        cache: Folder whose ``encodings`` metrics with an encoder keep vectors in; empty for none.

    Raises:
        UsageError: No metric, an unknown one, one given twice, a wrong option, or options beside several metrics.
    """
    if not specs:
        raise UsageError("found no metric; give at least one")
    written = [spec for spec in specs if isinstance(spec, str)]
    if len(specs) > 1 and options:
        option = next(iter(options))
        owner = next((spec for spec in written if option in _options_of(parse_spec(spec)[0])), written[0])
        joint = "," if ":" in owner else ":"
        raise UsageError(
            f"option {option!r} is ambiguous with several metrics; give it to one, as in -m "
            f"{owner}{joint}{option}={options[option]}"
        )
    common = {**({"cache": str(Path(cache) / "encodings")} if cache else {}), **(shared or {})}
    scorers = []
    for spec in specs:
        if isinstance(spec, Scorer):
            scorers.append(spec)
            continue
        name, own = parse_spec(spec)
        if twice := sorted(own.keys() & options.keys()):
            raise UsageError(f"metric {spec!r}: option {twice[0]!r} is given twice")
        has = _options_of(name)
        given = {**{k: v for k, v in common.items() if k in has}, **own, **options}
        scorers.append(make_scorer(name, **(with_encoder(name, lang, given) if lang else given)))
    _check_different(specs, scorers)
    return scorers


def _check_different(specs: Sequence[str | Scorer], scorers: Sequence[Scorer]) -> None:
    """Refuse a metric that is given twice: its scores would count as those of more systems."""
    for (one, first), (other, second) in combinations(zip(specs, scorers, strict=True), 2):
        if first.name == second.name and first.settings == second.settings:
            if one == other:
                raise UsageError(f"the same metric is given twice: {one!r}; remove one")
            raise UsageError(
                f"the same metric is given twice: {one!r} and {other!r} have the same settings in tables; remove "
                "one, or give its file or folder another name"
            )


def _options_of(metric: str) -> set[str]:
    return {option.name for option in options_of(factory_of(metric))}
