"""The options of metrics, as other programs offer them: read off the fields of the scorers (``core.option``)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from jperrant.core.errors import UsageError
from jperrant.core.option import Declared, options_of
from jperrant.evaluation.metrics.registry import factory_of, importable, metrics


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one metric or several.

    Attributes:
        name: The keyword of ``make_scorer``.
        kind: ``str``, ``int``, ``float`` or ``bool``; of the items, where there can be several.
        several: Whether it takes any number of values.
        choices: The values it can have; empty if they cannot be listed.
        metrics: The metrics that have it.
        helps: What it does for each of them, in one sentence; empty where that is not said.
        defaults: Its value where it is not given, for each of them.
    """

    name: str
    kind: type
    several: bool = False
    choices: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    defaults: tuple[Any, ...] = ()


def metric_options(only: Collection[str] = ()) -> list[Option]:
    """Return the options of metrics in the order of the metrics, shared ones once.

    Args:
        only: The metrics that are asked about; if empty all known ones but those of broken packages.

    Raises:
        UsageError: The package of a metric in ``only`` is broken.
        UsageError: Two metrics have an option of one name that takes other kinds of values; names both.
    """
    options: dict[str, Option] = {}
    for metric in [name for name in metrics() if name in only] if only else importable()[0]:
        for new in (_option(metric, declared) for declared in options_of(factory_of(metric))):
            old = options.get(new.name, new)
            if (old.kind, old.several) != (new.kind, new.several):
                raise UsageError(
                    f"the option {new.name!r} of metric {metric!r} has another kind of value than that of "
                    f"{old.metrics[0]!r}; rename one of them"
                )
            options[new.name] = new if old is new else _joined(old, new)
    return list(options.values())


def _joined(old: Option, new: Option) -> Option:
    """Return an option of several metrics with one more."""
    return replace(
        old,
        choices=tuple(dict.fromkeys((*old.choices, *new.choices))),
        metrics=(*old.metrics, *new.metrics),
        helps=(*old.helps, *new.helps),
        defaults=(*old.defaults, *new.defaults),
    )


def _option(metric: str, declared: Declared) -> Option:
    """Return what one metric declares as an option of several."""
    return Option(
        name=declared.name,
        kind=declared.kind,
        several=declared.several,
        choices=tuple(declared.choices),
        metrics=(metric,),
        helps=(declared.help,),
        defaults=(declared.default,),
    )
