"""Options: fields of frozen dataclasses with a description and allowed values, checked in one place.

A field declares its kind by its type hint and the rest by :func:`option`::

    beta: float = option(0.5, "Weight of recall in F.", above=0)
    level: Literal["corpus", "sentence"] = option("corpus", "Totals, or means over sentences.")

Options that belong together form a dataclass of their own, which another dataclass holds as one field
(:func:`option_group`). Users see them flat: ``build(UotScorer, encoder="minilm")`` sets ``encoding.encoder``.
"""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from numbers import Integral, Real
from os import PathLike, fspath
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from jperrant.core.display import shorten
from jperrant.core.errors import UsageError, nearest

T = TypeVar("T")
#: The words for each bound of a number in messages, and the comparison that the number must satisfy.
_BOUNDS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": ("of at least", operator.ge), "above": ("above", operator.gt),
    "maximum": ("of at most", operator.le), "below": ("below", operator.lt),
}  # fmt: skip
#: For each kind of value except text: its name in messages, and a test for it, which numpy numbers pass, too.
_KINDS: Mapping[type, tuple[str, Callable[[Any], bool]]] = {
    int: ("a whole number", lambda value: _is_finite(value, Integral)),
    float: ("a number", lambda value: _is_finite(value, Real)),
    # 0, 1 and numpy's booleans equal True or False. Text is refused, as "no" would count as true.
    bool: ("true or false", lambda value: not isinstance(value, str) and value in (True, False)),
}
#: How a switch may be written.
_SWITCH = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)


@dataclass(frozen=True, slots=True)
class Declared:
    """One option as its dataclass declares it.

    Attributes:
        name: The name that users write.
        field: The name of the field of the dataclass.
        kind: ``str``, ``int``, ``float`` or ``bool``; the kind of each element if ``several``.
        several: Whether it takes any number of values.
        optional: Whether None is allowed.
        default: The value if none is given.
        choices: The allowed values, each with its meaning (or an empty string); empty if they cannot be listed.
        bounds: The limits of a number: those of ``minimum``, ``maximum``, ``above`` and ``below`` that are set.
        help: What it does, in one sentence.
        group: The field of the group that holds it; empty for a field of the dataclass itself.
    """

    name: str
    field: str
    kind: type
    several: bool
    optional: bool
    default: Any
    choices: Mapping[str, str]
    bounds: Mapping[str, float]
    help: str
    group: str = ""


def option(
    default: Any, help: str, *, choices: Mapping[str, str] | Sequence[str] = (), **bounds: float
) -> Any:
    """Declare a field of a dataclass as an option.

    Args:
        default: The value if none is given.
        help: What it does, in one sentence.
        choices: The allowed values, unless its type is a ``Literal`` that lists them. A mapping also gives
            their meanings.
        **bounds: Limits of a number: ``minimum`` and ``maximum`` are allowed values, ``above`` and ``below``
            are not.
    """
    described = choices if isinstance(choices, Mapping) else dict.fromkeys(choices, "")
    return field(default=default, metadata={"help": help, "choices": described, "bounds": bounds})


def option_group(default: Any, *, prefix: str = "", without: Collection[str] = ()) -> Any:
    """Declare a field of a dataclass as a group of options.

    Args:
        default: The group with its defaults: a frozen dataclass.
        prefix: The prefix of its options' names for users (``llm_``).
        without: Options of the group that do not apply here and are not offered.
    """
    return field(default=default, metadata={"prefix": prefix, "without": frozenset(without)})


@cache
def options_of(factory: Callable[..., Any]) -> tuple[Declared, ...]:
    """Return the options of a dataclass, with those of its groups among them.

    Fields whose values cannot be given as text are left out.

    Raises:
        UsageError: ``factory`` is not a dataclass.
    """
    if not dataclasses.is_dataclass(factory):
        raise UsageError(f"{factory!r} is not a dataclass; options are fields of a dataclass")
    hints, declared = get_type_hints(factory), list[Declared]()
    for own in dataclasses.fields(factory):
        if "prefix" in own.metadata:
            prefix, without = own.metadata["prefix"], own.metadata["without"]
            for inner in options_of(type(own.default)):  # type: ignore[arg-type]  # types can be hashed
                if inner.name not in without:
                    default = getattr(own.default, inner.field)
                    flat = dataclasses.replace(
                        inner, name=prefix + inner.name, group=own.name, default=default
                    )
                    declared.append(flat)
        elif option := _declared(own, hints[own.name]):
            declared.append(option)
    return tuple(declared)


def _declared(own: dataclasses.Field[Any], hint: Any) -> Declared | None:
    """Return the option that a field and its type hint declare, or None if it cannot be given as text."""
    optional, several = type(None) in get_args(hint), get_args(hint)[1:] == (Ellipsis,)
    kind = get_args(hint)[0] if optional or several else hint
    choices = dict.fromkeys(get_args(kind), "") if get_origin(kind) is Literal else {}
    kind = str if choices else kind
    if kind is not str and kind not in _KINDS:
        return None
    declared = {"choices": {}, "bounds": {}, "help": "", **own.metadata}
    declared["choices"] = choices | declared["choices"]
    default = None if own.default is dataclasses.MISSING else own.default
    return Declared(own.name, own.name, kind, several, optional, default, **declared)


def told(options: Any, **templates: str) -> tuple[str, ...]:
    """Describe the options of a dataclass that differ from their defaults, in the order of the templates.

    Args:
        options: An instance of the dataclass.
        templates: The format string for each option to describe: ``unchanged:{:g}``.
    """
    usual = {field.name: field.default for field in dataclasses.fields(options)}
    chosen = {name: getattr(options, name) for name in templates}
    return tuple(templates[name].format(value) for name, value in chosen.items() if value != usual[name])


def build(factory: Callable[..., T], what: str, options: Mapping[str, Any]) -> T:
    """Make an instance of a dataclass from flat options.

    Args:
        factory: The dataclass.
        what: Its name in messages (``metric 'uot'``).
        options: Values by the names that users write; a group may also be given whole, by the name of its
            field.

    Raises:
        UsageError: An option does not exist or has an impossible value.
    """
    declared = {option.name: option for option in options_of(factory)}
    defaults = {field.name: field.default for field in dataclasses.fields(factory)}  # type: ignore[arg-type]
    direct = {name: value for name, value in options.items() if name in defaults}
    for name in options.keys() - defaults.keys():
        option = _known(name, declared, what)
        whole = direct.get(option.group, defaults[option.group])
        direct[option.group] = dataclasses.replace(whole, **{option.field: options[name]})
    return factory(**direct)


def _known(name: str, declared: Mapping[str, Declared], what: str) -> Declared:
    if name not in declared:
        names = ", ".join(declared) or "none"
        raise UsageError(f"{what} has no option {name!r}{nearest(name, declared)}; its options: {names}")
    return declared[name]


def written_options(text: str, factory: Callable[..., Any], what: str) -> dict[str, Any]:
    """Parse options written as text, each into a value of its declared kind.

    A switch needs no value (``exact``). A part without ``=`` that is not a switch continues the value before
    it, so that one option can have several values (``factors=.5,.3``).

    Args:
        text: The options, ``NAME=VALUE`` separated by commas.
        factory: The dataclass that declares them.
        what: Its name in messages (``metric 'uot'``).

    Raises:
        UsageError: An option does not exist, or a value is not of its kind.
    """
    declared = {option.name: option for option in options_of(factory)}
    switches = [name for name, option in declared.items() if option.kind is bool]
    values: dict[str, str] = {}
    last = ""
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        key = key.strip().lstrip("-").replace("-", "_")
        if not equals and last and key not in switches:
            values[last] += "," + part
            continue
        _known(key, declared, what)
        if not equals and key not in switches:
            raise UsageError(f"{what}: option {key!r} has no value; write {key}=VALUE")
        if key in values:
            raise UsageError(f"{what}: option {key!r} is given twice; give it once")
        values[key], last = value.strip() if equals else "yes", key
    return {key: _written(declared[key], value, what) for key, value in values.items()}


def _written(declared: Declared, text: str, what: str) -> Any:
    try:
        texts = text.split(",") if declared.several else [text]
        values = [_SWITCH[one.lower()] if declared.kind is bool else declared.kind(one) for one in texts]
    except (KeyError, ValueError):
        expected = "yes or no" if declared.kind is bool else _KINDS[declared.kind][0]
        raise UsageError(f"{what}: {declared.name}={shorten(text)}, expected {expected}") from None
    return tuple(values) if declared.several else values[0]


def check_options(options: Any) -> None:
    """Check every option of a dataclass against its declaration, and convert each to its kind.

    Integers become floats where floats are declared, numpy numbers become Python's, lists become tuples and
    paths become strings. A string given for several values becomes the only one of them. Groups check their own
    options.

    Raises:
        UsageError: A value is not among the choices, outside the range, not a finite number, or not a switch.
    """
    for declared in options_of(type(options)):  # type: ignore[arg-type]  # types can be hashed
        value = None if declared.group else getattr(options, declared.field)
        if declared.group or (value is None and declared.optional):
            continue
        if not declared.several:
            checked = _checked(declared, value)
        elif isinstance(value, str | PathLike):  # it is one value, not a list of letters
            checked = (_checked(declared, value),)
        elif isinstance(value, Iterable):
            checked = tuple([_checked(declared, element) for element in value])
        else:
            raise UsageError(f"{declared.name} is {value!r}, expected a list of values")
        object.__setattr__(options, declared.field, checked)


def _checked(declared: Declared, value: Any) -> Any:
    name, kind, choices = declared.name, declared.kind, declared.choices
    value = fspath(value) if isinstance(value, PathLike) else value
    if choices and value not in choices:
        named = ", ".join([f"{text} ({means})" if means else text for text, means in choices.items()])
        raise UsageError(f"unknown {name} {value!r}{nearest(str(value), choices)}; expected one of {named}")
    if kind is str:
        return value
    words, is_one = _KINDS[kind]
    bounds = [(*_BOUNDS[bound], limit) for bound, limit in declared.bounds.items()]
    if is_one(value) and all(holds(value, limit) for _, holds, limit in bounds):
        return kind(value)
    limits = " and ".join([f"{called} {limit:g}" for called, _, limit in bounds])
    raise UsageError(f"{name} is {value!r}, expected {words} {limits}".rstrip())


def _is_finite(value: Any, numbers: Any) -> bool:
    """Whether a value is a finite number of the given type that a float can hold."""
    with suppress(OverflowError):  # a whole number of more than 308 digits
        return isinstance(value, numbers) and not isinstance(value, bool) and math.isfinite(value)
    return False
