"""Declared options as rows of a table and as JSON."""

from __future__ import annotations

from typing import Any

from jperrant.core.option import Declared
from jperrant.core.tables import Cell


def option_row(option: Declared) -> tuple[Cell, ...]:
    """Return an option as a row: its name, default, values and meaning."""
    default = "" if option.default is None else _shown(option.default)
    return option.name, default, _values(option), option.help


def option_object(option: Declared) -> dict[str, Any]:
    """Return an option, ready for JSON."""
    return {
        "name": option.name,
        "kind": option.kind.__name__,
        "several": option.several,
        "default": list(option.default) if option.several else option.default,
        "choices": dict(option.choices),
        **option.bounds,
        "help": option.help,
    }


def _values(option: Declared) -> str:
    if option.choices:
        return " | ".join(option.choices)
    return "yes | no" if option.kind is bool else option.kind.__name__ + ("..." if option.several else "")


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return ", ".join(map(str, default)) if isinstance(default, tuple) else str(default)
