"""Options: fields of frozen dataclasses with a description and allowed values, checked in one place.

A field declares its kind by its type hint and the rest by :func:`option`::

    beta: float = option(0.5, "Weight of recall in F.", above=0)
    level: Literal["corpus", "sentence"] = option("corpus", "Totals, or means over sentences.")

Several options that belong together are a dataclass of their own, which another holds as one field
(:func:`option_group`). To users they are flat: ``build(UotScorer, encoder="minilm")`` fills ``encoding.encoder``.
"""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


@cache
def options_of(factory: Callable[..., Any]) -> tuple[Declared, ...]:
    """Return the options of a dataclass, those of its groups flat.

    Fields whose values text cannot be turned into are left out.

    Raises:
        UsageError: It is no dataclass.
    """
    if not dataclasses.is_dataclass(factory):
        raise UsageError(f"{factory!r} is no dataclass, whose fields would be its options")
    hints, declared = get_type_hints(factory), list[Declared]()
    for own in dataclasses.fields(factory):
        if own.metadata.get("group"):
            declared += [
                dataclasses.replace(
                    inner,
                    name=own.metadata["prefix"] + inner.name,
                    group=own.name,
                    default=getattr(own.default, inner.field),
                )
                for inner in options_of(type(own.default))  # type: ignore[arg-type]  # types can be hashed
                if inner.name not in own.metadata["without"]
            ]
        elif option := _declared(own, hints[own.name]):
            declared.append(option)
    return tuple(declared)


def _declared(own: dataclasses.Field[Any], hint: Any) -> Declared | None:
    """Return an option from its field and type hint; None where text cannot be turned into its value."""
    kind, several, optional, listed = _kind(hint)
    if kind is None:
        return None
    choices = own.metadata.get("choices", {})
    return Declared(
        name=own.name,
        group="",
        field=own.name,
        kind=kind,
        several=several,
        optional=optional,
        choices={value: choices.get(value, "") for value in listed} if listed else choices,
        bounds=own.metadata.get("bounds", {}),
        help=own.metadata.get("help", ""),
        default=None if own.default is dataclasses.MISSING else own.default,
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
    return hint if hint in KINDS else None, several, optional, ()


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
    """Make a dataclass of flat options.

    Args:
        factory: The dataclass.
        what: What messages call it (``metric 'uot'``).
        options: Values by the names users know; a group may also be given whole, by its field.

    Raises:
        UsageError: An option does not exist or has an impossible value.
    """
    declared = {declaration.name: declaration for declaration in options_of(factory)}
    fields = {field.name: field for field in dataclasses.fields(factory)}  # type: ignore[arg-type]
    direct = {name: value for name, value in options.items() if name in fields}
    for name, value in options.items():
        if name in fields:
            continue
        option = _known(name, declared, what)
        whole = direct.get(option.group, fields[option.group].default)
        direct[option.group] = dataclasses.replace(whole, **{option.field: value})
    return factory(**direct)


def _known(name: str, declared: Mapping[str, Declared], what: str) -> Declared:
    if name not in declared:
        names = ", ".join(declared) or "none"
        raise UsageError(f"{what} has no option {name!r}{nearest(name, declared)}; its options: {names}")
    return declared[name]


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
        switch = _known(key, declared, what).kind is bool
        if not equals and not switch:
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
    for declared in options_of(type(options)):  # type: ignore[arg-type]  # types can be hashed
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
    if declared.kind is bool:
        # Numbers of numpy and 0 and 1 equal what they stand for; the text "no" would count as yes.
        if isinstance(value, str) or value not in (True, False):
            raise UsageError(f"{name} is {value!r}, expected true or false")
        return bool(value)
    return value


def _checked_number(declared: Declared, value: Any) -> Any:
    bounds = [(*_BOUNDS[name], limit) for name, limit in declared.bounds.items()]
    limits = " and ".join(f"{words} {limit:g}" for words, _, limit in bounds)
    # Numbers of numpy, too, are of these kinds.
    kind, words = (Integral, "a whole number") if declared.kind is int else (Real, "a number")
    try:
        if isinstance(value, bool) or not isinstance(value, kind) or not math.isfinite(value):
            raise UsageError(f"{declared.name} is {value!r}, expected {f'{words} {limits}'.strip()}")
    except OverflowError:  # a whole number of more than 308 digits
        raise UsageError(f"{declared.name} is {value!r}, expected {f'{words} {limits}'.strip()}") from None
    if not all(holds(value, limit) for _, holds, limit in bounds):
        raise UsageError(f"{declared.name} is {value}, expected a number {limits}")
    return value if type(value) is declared.kind else declared.kind(value)
