"""The metrics, the formats that ``m2 convert`` reads and writes, and the options of each, as tables and as JSON."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

from jperrant.core.option import Declared, options_of
from jperrant.core.tables import Cell, Table, render
from jperrant.evaluation.scorers import factory_of, importable, metric_name
from jperrant.exchange.base import Format, format_class, make_format
from jperrant.exchange.base import importable as usable_formats


def format_metrics(format: str = "text") -> str:
    """Return one line for each metric that can be used: what it needs, its main value, and what it is.

    Raises:
        UsageError: The format is unknown.
    """
    described = [metric_object(name) for name in importable()[0]]
    if format == "json":
        return json.dumps(described, ensure_ascii=False, indent=2) + "\n"
    rows: list[tuple[Cell, ...]] = [
        (str(m["metric"]), str(m["needs"]), str(m["value"]), str(m["better"]), str(m["description"]))
        for m in described
    ]
    notes = ("jperrant metrics NAME shows the options of one; give them as -m NAME:OPTION=VALUE,...",)
    return render(
        [Table(("metric", "needs", "value", "better", "description"), tuple(rows), notes=notes)], format
    )


def format_metric(name: str, format: str = "text") -> str:
    """Return the options of one metric.

    Raises:
        UsageError: The format or the metric is unknown.
    """
    name = metric_name(name)
    factory = factory_of(name)
    options = list(options_of(factory))
    described = metric_object(name)
    if format == "json":
        objects = [_option_object(option) for option in options]
        return json.dumps({**described, "options": objects}, ensure_ascii=False, indent=2) + "\n"
    rows = [_option_row(option) for option in options]
    title = f"{name}: {described['description']}"
    notes = (f"needs {described['needs']}; ranks by {described['value']}, {described['better']} is better",)
    return render([Table(("option", "default", "values", "meaning"), tuple(rows), title, notes)], format)


def metric_object(name: str) -> dict[str, Any]:
    """Return what a metric says of itself: its name, what it needs, its main value, and its first sentence.

    Raises:
        UsageError: The metric is unknown.
    """
    factory = factory_of(name)
    return {
        "metric": name,
        "description": _first_sentence(factory),
        "needs": ", ".join(_needs(factory)),
        "value": getattr(factory, "main", "?"),
        "better": "lower" if getattr(factory, "lower_is_better", False) else "higher",
    }


def _needs(factory: Callable[..., Any]) -> list[str]:
    """Return what a metric needs besides systems."""
    needs = ["references" if getattr(factory, "needs_references", True) else "source"]
    needs.append("edits" if getattr(factory, "needs_edits", True) else "texts")
    groups = {option.group for option in options_of(factory)}
    if "encoding" in groups and not getattr(factory, "weights", None):
        needs.append("encoder")
    if ("llm" in groups and not getattr(factory, "weights", None)) or "language_model" in groups:
        needs.append("language model")
    if groups & {"estimator", "running"}:
        needs.append("regressors")
    return needs


def _first_sentence(factory: Callable[..., Any]) -> str:
    """Return the first line that a metric says of itself, without its full stop."""
    text = inspect.getdoc(factory) or ""
    return text.partition("\n")[0].rstrip(".")


def format_convertible(name: str = "") -> str:
    """Return one line for each format that can be used, or the options of one.

    Args:
        name: The format whose options are shown; empty for the list.

    Raises:
        UsageError: The format is unknown.
    """
    if name:
        factory = type(make_format(name))
        rows = tuple(_option_row(option) for option in options_of(factory))
        loses = factory.loses
        title = f"{name}: {factory.description}"
        return render(
            [Table(("option", "default", "values", "meaning"), rows, title, (loses,) if loses else ())],
            "text",
        )
    usable, broken = usable_formats()
    lines = tuple(_format_row(name, format_class(name)) for name in usable)
    note = "jperrant m2 convert --to FORMAT --list shows the options of one; give them as FORMAT:OPTION=VALUE,..."
    columns = ("format", "can be", "written as", "what it is")
    return render([Table(columns, lines, notes=(note, *broken))], "text")


def _format_row(name: str, factory: type[Format]) -> tuple[Cell, ...]:
    ways = {"read": factory.can_read, "written": factory.can_write}
    can_be = " and ".join(way for way, possible in ways.items() if possible)
    return name, can_be, factory.files if factory.can_write else "", factory.description


def _option_row(option: Declared) -> tuple[Cell, ...]:
    """Return an option as a row: its name, default, values and meaning."""
    default = "" if option.default is None else _shown(option.default)
    return option.name, default, _values(option), option.help


def _option_object(option: Declared) -> dict[str, Any]:
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
