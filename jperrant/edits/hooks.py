"""A pack's own functions in its rules: what they raise and return is checked, and named."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from jperrant.core.errors import PackError
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Getter
from jperrant.edits.unparsed import NeedsParse


def guarded_condition(name: str, hook: Callable[[EditContext], bool]) -> Callable[[EditContext], bool]:
    """Return a condition of hooks.py that raises nothing but PackError and NeedsParse."""

    def guarded(view: EditContext) -> bool:
        try:
            return hook(view)
        except NeedsParse:
            raise
        except (Exception, SystemExit) as error:
            _blame(f"condition {name!r}", hook, error)

    return guarded


def guarded_property(name: str, hook: Getter) -> Getter:
    """Return a property of hooks.py that returns strings and raises nothing but PackError and NeedsParse."""

    def guarded(view: EditContext, token: Token) -> str:
        try:
            value = hook(view, token)
        except NeedsParse:
            raise
        except (Exception, SystemExit) as error:
            _blame(f"property {name!r}", hook, error)
        if not isinstance(value, str):
            raise PackError(f"{file_of(hook)}: property {name!r} returns {value!r}, which is no string")
        return value

    return guarded


def file_of(hook: Callable[..., object]) -> str:
    """Return the file a function is written in."""
    code = getattr(hook, "__code__", None)
    return str(getattr(code, "co_filename", "hooks.py"))


def brief(error: BaseException) -> str:
    """Return an error of somebody else's code in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def _blame(what: str, hook: Callable[..., object], error: BaseException) -> NoReturn:
    raise PackError(f"{file_of(hook)}: {what} raises {brief(error)}") from error
