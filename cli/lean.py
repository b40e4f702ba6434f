"""Commands whose options are read without pydantic where there is nothing to convert.

Typer imports pydantic, which takes a third of the time of a short command, for each option, also one that is not
given. Strings, defaults and options that are not given are what they are; all else typer converts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

_WHOLE, _DECIMAL = re.compile(r"-?[0-9]{1,18}"), re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
#: Values of these types are what they are.
_PLAIN = (str, bool, int, float, Enum)


class LeanCommand(TyperCommand):
    """A command whose options are converted only where there is something to convert."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments."""
        return lean(super().get_params(ctx))


class LeanGroup(TyperGroup):
    """A group whose options are converted only where there is something to convert."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options."""
        return lean(super().get_params(ctx))


class CommandBox(typer.Typer):
    """Commands that are lean."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"cls": LeanGroup, "pretty_exceptions_enable": False, **settings})

    def command(self, name: str | None = None, **settings: Any) -> Any:
        """Return a decorator that adds a command."""
        return super().command(name, **{"cls": LeanCommand, **settings})


class _Conversion:
    """Stands before typer's conversion of an option."""

    def __init__(self, made: Callable[[], Any]) -> None:
        self.made = made

    def __call__(self) -> _Conversion:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value as the command takes it."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if isinstance(value, str):
            value = _read(value, param.type_descriptor.annotation)
        if _is_plain(value, param, several):
            return list(value) if several else value
        return self.made().coerce(value, param=param, ctx=ctx)


def _read(text: str, kind: Any) -> Any:
    """Return a number or a choice where one is written as usual; the text where typer has to say what it is."""
    if kind is int:
        return int(text) if _WHOLE.fullmatch(text) else text
    if kind is float:
        return float(text) if _DECIMAL.fullmatch(text) else text
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next((choice for choice in kind if choice.value == text), text)
    return text


def _is_plain(value: Any, param: Any, several: bool) -> bool:
    """Whether a value is already what typer would make of it."""
    descriptor = param.type_descriptor
    info, annotation = descriptor.parameter_info, descriptor.annotation
    if info.parser is not None:
        return False
    if info.min is not None or info.max is not None:
        return not several and type(value) is annotation and _is_inside(value, info.min, info.max)
    if several:
        return annotation == list[str] and all([type(one) is str for one in value])
    return type(value) is annotation and issubclass(annotation, _PLAIN)


def _is_inside(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def lean(params: list[Any]) -> list[Any]:
    """Have options converted only where there is something to convert, and return them."""
    for param in params:
        if getattr(param, "is_bool_flag", False) and param.metavar is None:
            param.metavar = ""  # else its help says <bool>, as if it took a value
        made = getattr(param, "get_runtime_param", None)  # versions of typer without it do not use pydantic
        if made is not None and not isinstance(made, _Conversion):
            param.get_runtime_param = _Conversion(made)
    return params
