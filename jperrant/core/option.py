"""Options: fields of frozen dataclasses with a description and allowed values, checked in one place.

A field declares its kind by its type hint and the rest by :func:`option`::

    beta: float = option(0.5, "Weight of recall in F.", above=0)
    level: Literal["corpus", "sentence"] = option("corpus", "Totals, or means over sentences.")

Several options that belong together are a dataclass of their own, which another holds as one field
(:func:`option_group`). To users they are flat: ``build(UotScorer, encoder="minilm")`` fills ``encoding.encoder``.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from numbers import Integral, Real
from os import PathLike, fspath
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from jperrant.core.display import shorten
from jperrant.core.errors import UsageError, nearest

T = TypeVar("T")
KINDS = (str, int, float, bool)
#: What messages call the bounds of a number, and how the number must compare with each.
_BOUNDS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": ("of at least", operator.ge),
    "above": ("above", operator.gt),
    "maximum": ("of at most", operator.le),
    "below": ("below", operator.lt),
}


@dataclass(frozen=True, slots=True)
class Declared:
    """One option as its dataclass declares it.

    Attributes:
        name: What users call it.
        group: The field of the group that holds it; empty for a field of the dataclass itself.
        field: The name of its own field.
        kind: ``str``, ``int``, ``float`` or ``bool``; of the elements, where there can be several.
        several: Whether it takes any number of values.
        optional: Whether None is a value.
        choices: The values it can have, each with what it means (or nothing); empty if they cannot be listed.
        bounds: The range of a number: ``minimum``, ``maximum``, ``above``, ``below``, those that there are.
        help: What it does, in one sentence.
        default: Its value where it is not given.
    """

    name: str
    group: str
    field: str
    kind: type
    several: bool
    optional: bool
    choices: Mapping[str, str]
    bounds: Mapping[str, float]
    help: str
    default: Any


def option(
    default: Any,
    help: str,
    *,
    choices: Mapping[str, str] | Sequence[str] = (),
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    below: float | None = None,
) -> Any:
    """Return the field of a dataclass that is an option.

    Args:
        default: Its value where it is not given.
        help: What it does, in one sentence.
        choices: The values it can have, if its type is not a ``Literal`` or an enumeration that lists them; a
            mapping also says what each means.
        minimum, maximum: The smallest and the largest number allowed.
        above, below: Numbers that the value must be above or below.
    """
    described = choices if isinstance(choices, Mapping) else dict.fromkeys(choices, "")
    limits = {"minimum": minimum, "maximum": maximum, "above": above, "below": below}
    bounds = {name: limit for name, limit in limits.items() if limit is not None}
    return field(default=default, metadata={"help": help, "choices": described, "bounds": bounds})


def option_group(default: Any, *, prefix: str = "", without: Collection[str] = ()) -> Any:
    """Return the field of a dataclass that holds a group of options.

    Args:
        default: The group with its defaults: a frozen dataclass.
        prefix: What users put before the names of its options (``llm_``).
        without: Options of the group that mean nothing here and are not offered.
    """
    return field(default=default, metadata={"group": True, "prefix": prefix, "without": frozenset(without)})


def options_of(factory: Callable[..., Any]) -> Iterator[Declared]:
    """Yield the options of a dataclass, those of its groups flat, or of any other callable, by its signature.

    Parameters whose values text cannot be turned into are left out.
    """
    if inspect.isclass(factory) and dataclasses.is_dataclass(factory):
        yield from _options_of_dataclass(factory)
    else:
        yield from _declarations(factory, {})


@cache
def _options_of_dataclass(factory: type[Any]) -> tuple[Declared, ...]:
    """Return the options of a dataclass, which each of its values is checked by: reading type hints takes long."""
    return tuple(_declarations(factory, {f.name: f.metadata for f in dataclasses.fields(factory)}))


def _declarations(
    factory: Callable[..., Any], described: Mapping[str, Mapping[str, Any]]
) -> Iterator[Declared]:
    """Yield the options of a callable, the fields of a dataclass described by their metadata."""
    # The fields that a dataclass inherits have the type names of the module they were written in.
    hints = get_type_hints(factory if described or not inspect.isclass(factory) else factory.__init__)
    for name, parameter in inspect.signature(factory).parameters.items():
        metadata: Mapping[str, Any] = described.get(name, {})
        default = None if parameter.default is parameter.empty else parameter.default
        if metadata.get("group"):
            for inner in options_of(type(default)):
                if inner.name not in metadata["without"]:
                    yield dataclasses.replace(
                        inner,
                        name=metadata["prefix"] + inner.name,
                        group=name,
                        default=getattr(default, inner.field),
                    )
        elif (declared := _declared(name, hints.get(name), metadata, default)) is not None:
            yield declared


def told(options: Any, **templates: str) -> tuple[str, ...]:
    """Return the options of a dataclass that are not at their default, each in words of its own.

    Args:
        options: The dataclass.
        templates: For each option that is told, in this order, how: ``unchanged:{:g}``.
    """
    usual = {field.name: field.default for field in dataclasses.fields(options)}
    chosen = {name: getattr(options, name) for name in templates}
    return tuple(templates[name].format(value) for name, value in chosen.items() if value != usual[name])


def build(factory: Callable[..., T], what: str, options: Mapping[str, Any]) -> T:
    """Call a dataclass, or another callable, with flat options.

    Args:
        factory: The dataclass.
        what: What messages call it (``metric 'uot'``).
        options: Values by the names users know; a group may also be given whole, by its field.

    Raises:
        UsageError: An option does not exist or has an impossible value.
    """
    parameters = inspect.signature(factory).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return factory(**options)
    declared = {declaration.name: declaration for declaration in options_of(factory)}
    direct: dict[str, Any] = {}
    grouped: dict[str, dict[str, Any]] = {}
    for name, value in options.items():
        if name in declared and declared[name].group:
            grouped.setdefault(declared[name].group, {})[declared[name].field] = value
        elif name in parameters:
            direct[name] = value
        else:
            names = ", ".join(declared) or "none"
            raise UsageError(f"{what} has no option {name!r}{nearest(name, declared)}; its options: {names}")
    for group, values in grouped.items():
        direct[group] = dataclasses.replace(direct.get(group, parameters[group].default), **values)
    return factory(**direct)


#: How a switch may be written.
_SWITCH = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)


def written_options(text: str, factory: Callable[..., Any], what: str) -> dict[str, Any]:
    """Return options that are written as text, each as the kind of value that it declares.

    A switch needs no value (``exact``). A part without ``=`` that is not a switch goes on with the value before it
    (``factors=.5,.3``). Options that take several values may come repeatedly.

    Args:
        text: The options, ``NAME=VALUE`` separated by commas.
        factory: What declares them.
        what: What messages call it (``metric 'uot'``).

    Raises:
        UsageError: An option does not exist, or a value is not of its kind.
    """
    declared = {option.name: option for option in options_of(factory)}
    values: dict[str, list[str]] = {}
    last = ""
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        key = key.strip().lstrip("-").replace("-", "_")
        if not equals and last and not (key in declared and declared[key].kind is bool):
            values[last][-1] += "," + part
            continue
        if key not in declared:
            known = ", ".join(declared) or "none"
            raise UsageError(f"{what} has no option {key!r}{nearest(key, declared)}; its options: {known}")
        if not equals and declared[key].kind is not bool:
            raise UsageError(f"{what}: option {key!r} has no value; write {key}=VALUE")
        values.setdefault(key, []).append(value.strip() if equals else "yes")
        last = key
    return {key: _written(declared[key], given, what) for key, given in values.items()}


def _written(declared: Declared, given: Sequence[str], what: str) -> Any:
    if len(given) > 1 and not declared.several:
        raise UsageError(f"{what}: option {declared.name!r} is given {len(given)} times; give it once")
    try:
        values = [_SWITCH[one.lower()] if declared.kind is bool else declared.kind(one) for one in given]
    except (KeyError, ValueError):
        expected = {int: "a whole number", float: "a number", bool: "yes or no"}[declared.kind]
        raise UsageError(f"{what}: {declared.name}={shorten(given[0])}, expected {expected}") from None
    return tuple(values) if declared.several else values[0]


def check_options(options: Any) -> None:
    """Check every option of a dataclass against what its field declares, and bring each to its kind.

    Whole numbers become floats where floats are declared, numbers of numpy Python's, lists tuples, paths text, and
    one text the only one of several.

    Raises:
        UsageError: A value is not among the choices, outside the range, not a finite number, or not a switch.
    """
    for declared in options_of(type(options)):
        if declared.group:
            continue  # the group has checked its own
        value = getattr(options, declared.field)
        checked = _checked(declared, value)
        if checked is not value:
            object.__setattr__(options, declared.field, checked)


def _checked(declared: Declared, value: Any) -> Any:
    if value is None and declared.optional:
        return value
    if not declared.several:
        return _checked_value(declared, value)
    if isinstance(value, declared.kind | PathLike):  # one text stands for itself, not for its letters
        value = (value,)
    elif not isinstance(value, Iterable):
        raise UsageError(f"{declared.name} is {value!r}, expected a list of values")
    return tuple([_checked_value(declared, element) for element in value])


def _checked_value(declared: Declared, value: Any) -> Any:
    name = declared.name
    if isinstance(value, PathLike):  # of a file or folder, as everywhere
        value = fspath(value)
    if declared.choices and value not in declared.choices:
        choices = [f"{text} ({means})" if means else text for text, means in declared.choices.items()]
        raise UsageError(
            f"unknown {name} {value!r}{nearest(str(value), declared.choices)}; expected one of {', '.join(choices)}"
        )
    if declared.kind in (int, float):
        return _checked_number(declared, value)
    return _checked_switch(declared, value) if declared.kind is bool else value


def _checked_switch(declared: Declared, value: Any) -> bool:
    """Return a switch; text is refused, as "no" would count as yes."""
    if isinstance(value, bool):
        return value
    # Numbers of numpy and 0 and 1 equal what they stand for.
    if isinstance(value, str) or value not in (True, False):
        raise UsageError(f"{declared.name} is {value!r}, expected true or false")
    return bool(value)


def _checked_number(declared: Declared, value: Any) -> Any:
    # Numbers of numpy, too, are of these kinds.
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or (declared.kind is int and not isinstance(value, Integral)) or not _is_finite(value):
        kind = "whole number" if declared.kind is int else "number"
        raise UsageError(f"{declared.name} is {value!r}, expected a {kind}{_range(declared)}")
    if not all(_BOUNDS[name][1](value, limit) for name, limit in declared.bounds.items()):
        raise UsageError(f"{declared.name} is {value}, expected a number{_range(declared)}")
    return value if type(value) is declared.kind else declared.kind(value)


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of more than 308 digits
        return False


def _range(declared: Declared) -> str:
    bounds = declared.bounds
    parts = [f"{words} {bounds[name]:g}" for name, (words, _) in _BOUNDS.items() if name in bounds]
    return " " + " and ".join(parts) if parts else ""


def _declared(name: str, hint: Any, metadata: Mapping[str, Any], default: Any) -> Declared | None:
    """Return an option from its type hint and metadata; None where text cannot be turned into its value."""
    kind, several, optional, listed = _kind(hint)
    if kind is None:
        return None
    choices: Mapping[str, str] = metadata.get("choices", {})
    return Declared(
        name=name,
        group="",
        field=name,
        kind=kind,
        several=several,
        optional=optional,
        choices={value: choices.get(value, "") for value in listed} if listed else choices,
        bounds=metadata.get("bounds", {}),
        help=metadata.get("help", ""),
        default=default,
    )


def _kind(hint: Any) -> tuple[type | None, bool, bool, tuple[str, ...]]:
    """Return kind, whether several, whether None is allowed, and the values that a type hint lists."""
    optional = type(None) in get_args(hint) and len(get_args(hint)) == 2
    if optional:
        hint = next(kind for kind in get_args(hint) if kind is not type(None))
    several = get_origin(hint) is tuple and get_args(hint)[1:] == (Ellipsis,)
    if several:
        hint = get_args(hint)[0]
    if get_origin(hint) is Literal:
        return str, several, optional, tuple(map(str, get_args(hint)))
    if inspect.isclass(hint) and issubclass(hint, StrEnum):
        return str, several, optional, tuple(member.value for member in hint)
    return hint if hint in KINDS else None, several, optional, ()
