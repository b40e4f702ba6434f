"""The metrics and their options, as tables and as JSON."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

from jperrant.core.option import options_of
from jperrant.core.tables import Cell, Table, render
from jperrant.evaluation.metrics.registry import factory_of, importable
from jperrant.evaluation.scorers import metric_name
from jperrant.reporting.option_tables import option_object, option_row


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
        objects = [option_object(option) for option in options]
        return json.dumps({**described, "options": objects}, ensure_ascii=False, indent=2) + "\n"
    rows = [option_row(option) for option in options]
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
