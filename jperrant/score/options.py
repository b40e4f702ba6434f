"""The options of metrics, as other programs offer them: read off the fields of the scorers.

A scorer's field is an option of its metric. Its metadata says what a person needs to know::

    beta: float = option(0.5, "Weight of recall in F.")
    cost: str = option("euclidean", "Distance of two edits.", choices=("euclidean", "cosine"))
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from jperrant.errors import UsageError
from jperrant.score.registry import factory_of, metrics


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one metric or several.

    Attributes:
        name: The keyword of ``make_scorer``.
        kind: ``str``, ``int``, ``float`` or ``bool``; of the items, where there can be several.
        several: Whether it takes any number of values.
        help: What it does, in one sentence.
        choices: The values it can have; empty if they cannot be listed.
        metrics: The metrics that have it.
    """

    name: str
    kind: type
    several: bool = False
    help: str = ""
    choices: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()


def option(default: Any, help: str, choices: Sequence[str] = ()) -> Any:
    """Return the field of a scorer that is an option of its metric.

    Args:
        default: Its value where it is not given.
        help: What it does, in one sentence.
        choices: The values it can have, if they can be listed.
    """
    return field(default=default, metadata={"help": help, "choices": tuple(choices)})


def metric_options() -> list[Option]:
    """Return the options of every known metric in the order of the metrics, shared ones once.

    Raises:
        UsageError: Two metrics have an option of one name that takes other kinds of values; names both.
    """
    found: dict[str, Option] = {}
    for metric in metrics():
        for new in _options(metric, factory_of(metric)):
            old = found.get(new.name, new)
            if (old.kind, old.several) != (new.kind, new.several):
                raise UsageError(
                    f"the option {new.name!r} of metric {metric!r} takes another kind of value than that of "
                    f"{old.metrics[0]!r}; one of them must be renamed"
                )
            shared = (*old.metrics, metric) if old is not new else new.metrics
            choices = tuple(dict.fromkeys((*old.choices, *new.choices)))
            found[new.name] = dataclasses.replace(
                old, metrics=shared, choices=choices, help=old.help or new.help
            )
    return list(found.values())


def _options(metric: str, factory: Callable[..., Any]) -> list[Option]:
    """Return what the factory of one metric can be told; parameters of other kinds are left out."""
    described: dict[str, Mapping[str, Any]] = {}
    if dataclasses.is_dataclass(factory):
        described = {field.name: field.metadata for field in dataclasses.fields(factory)}
    # The fields that a dataclass inherits have the names of the module they were written in.
    described_class = dataclasses.is_dataclass(factory) or not inspect.isclass(factory)
    hints = get_type_hints(factory if described_class else factory.__init__)
    options = []
    for name in inspect.signature(factory).parameters:
        kind, several = _kind(hints.get(name))
        if kind is not None:
            about: Mapping[str, Any] = described.get(name, {})
            choices = tuple(about.get("choices", ()))
            options.append(Option(name, kind, several, about.get("help", ""), choices, (metric,)))
    return options


def _kind(hint: Any) -> tuple[type | None, bool]:
    """Return the kind of value a type hint stands for, None where text cannot be turned into it."""
    if hint in (str, int, float, bool):
        return hint, False
    arguments: Sequence[Any] = getattr(hint, "__args__", ())
    kinds = [a for a in arguments if a in (str, int, float, bool)]
    if getattr(hint, "__origin__", None) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return (kinds[0] if kinds else None), True
    if type(None) in arguments and len(arguments) == 2 and kinds:
        return kinds[0], False
    return None, False
