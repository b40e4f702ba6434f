"""Listings of metrics, formats of ``m2 convert``, packs and models, as tables and as JSON."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jperrant.core.option import Declared, options_of
from jperrant.core.tables import EXACT, Cell, Figure, Table, render

if TYPE_CHECKING:  # the list of packs needs no metrics, and the list of metrics no packs
    from jperrant.exchange.formats import Format
    from jperrant.packs.describe import InstalledModels
    from jperrant.parse.model_scores import Evaluation

NOT_MEASURED = "not on learner text"
_OPTIONS = ("option", "default", "values", "meaning")


def as_json(value: object) -> str:
    """Return plain values as JSON, ending in a newline."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def format_metrics(format: str = "text") -> str:
    """Return one line for each metric that can be used: its needs, its main value and its description.

    Raises:
        UsageError: The format is unknown.
    """
    from jperrant.evaluation.metric_names import importable

    described = [metric_object(name) for name in importable()[0]]
    if format == "json":
        return as_json(described)
    header = ("metric", "needs", "value", "better", "description")
    rows = tuple([tuple([str(one[column]) for column in header]) for one in described])
    notes = ("jperrant metrics NAME shows the options of one; give them as -m NAME:OPTION=VALUE,...",)
    return render([Table(header, rows, notes=notes)], format)


def format_metric(name: str, format: str = "text") -> str:
    """Return the options of one metric.

    Raises:
        UsageError: The format or the metric is unknown.
    """
    from jperrant.evaluation.metric_names import factory_of

    options, described = list(options_of(factory_of(name))), metric_object(name)
    if format == "json":
        return as_json({**described, "options": [_option_object(option) for option in options]})
    title = f"{name}: {described['description']}"
    notes = (f"needs {described['needs']}; ranks by {described['value']}, {described['better']} is better",)
    return render([Table(_OPTIONS, tuple(map(_option_row, options)), title, notes)], format)


def metric_object(name: str) -> dict[str, Any]:
    """Return a metric's name, needs, main value and the first sentence of its docstring.

    Raises:
        UsageError: The metric is unknown.
    """
    from jperrant.evaluation.metric_names import factory_of

    factory = factory_of(name)
    return {
        "metric": name,
        "description": (inspect.getdoc(factory) or "").partition("\n")[0].rstrip("."),
        "needs": ", ".join(_needs(factory)),
        "value": getattr(factory, "main", "?"),
        "better": "lower" if getattr(factory, "lower_is_better", False) else "higher",
    }


def _needs(factory: Callable[..., Any]) -> list[str]:
    """Return the inputs that a metric needs besides systems."""
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


def format_convertible(name: str = "") -> str:
    """Return one line for each format that can be used, or the options of one.

    Args:
        name: The format whose options are shown; empty for the list.

    Raises:
        UsageError: The format is unknown.
    """
    from jperrant.exchange.formats import format_class, importable, make_format

    if name:
        factory = type(make_format(name))
        rows, title = tuple(map(_option_row, options_of(factory))), f"{name}: {factory.description}"
        return render([Table(_OPTIONS, rows, title)], "text")
    usable, broken = importable()
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
    default: Any = "" if option.default is None else option.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    elif isinstance(default, tuple):
        default = ", ".join(map(str, default))
    values = "yes | no" if option.kind is bool else option.kind.__name__ + "..." * option.several
    return option.name, str(default), " | ".join(option.choices) or values, option.help


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


def format_packs(format: str = "text") -> str:
    """Return a line for each installed pack: code, name, packages (needed, missing), evaluation, folder.

    Args:
        format: ``json``, or a format of tables.

    Raises:
        UsageError: The format is unknown.
    """
    from jperrant.packs.discovery import iter_packs, said
    from jperrant.packs.read import needs

    header = ("code", "name", "needs", "measured", "folder")
    packs = [
        (code, name, needs(folder), str(said(folder).get("measured", "")), str(folder))
        for code, name, folder in iter_packs()
    ]
    if format == "json":
        return as_json([dict(zip(header, pack, strict=True)) for pack in packs])
    rows = [(code, name, lacks, how or NOT_MEASURED, folder) for code, name, lacks, how, folder in packs]
    return render([Table(header, tuple(rows))], format)


def format_models(models: Sequence[InstalledModels], format: str = "text") -> str:
    """Return one line for each package of models, and the scores of those that name theirs, ending in a newline.

    Args:
        models: The packages.
        format: ``json``, or a format of tables; TSV has no scores, which are another table.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        return json.dumps([_models_object(one) for one in models], ensure_ascii=False, indent=1) + "\n"
    rows: list[tuple[Cell, ...]] = []
    for m in models:
        size = Figure(f"{m.size / 1e6:.1f}", m.size / 1e6)
        rows.append((m.code, m.models, size, m.about.licence, " ".join(m.processors), str(m.folder)))
    tables = [Table(("language", "--models", "MB", "licence", "processors", "folder"), tuple(rows))]
    scores = [(m.code, m.models, *_score_cells(e)) for m in models for e in m.about.evaluations]
    if scores and format not in EXACT:
        tables.append(Table(("language", "--models", *_score_header()), tuple(scores)))
    return render(tables, format)


def _models_object(m: InstalledModels) -> dict[str, Any]:
    return {
        "language": m.code,
        "models": m.models,
        "bytes": m.size,
        "processors": list(m.processors),
        "folder": str(m.folder),
        "licence": m.about.licence,
        "sources": m.about.sources,
        "evaluations": [_evaluation_object(e) for e in m.about.evaluations],
    }


def format_evaluations(evaluations: Sequence[Evaluation], as_object: bool = False) -> str:
    """Return the scores of models in per cent, one row each, or the single evaluation as a JSON object."""
    if as_object:
        return json.dumps(_evaluation_object(*evaluations), ensure_ascii=False) + "\n"
    return render([Table(_score_header(), tuple(map(_score_cells, evaluations)))], "text")


def _evaluation_object(evaluation: Evaluation) -> dict[str, Any]:
    same = {name: getattr(evaluation, name) for name in ("gold", "words", "gold_tokens")}
    return {**same, "scores": dict(evaluation.scores)}


def _score_header() -> tuple[str, ...]:
    from jperrant.parse.model_scores import METRICS

    return ("gold", "given", *(title for title, _, _ in METRICS.values()))


def _score_cells(evaluation: Evaluation) -> tuple[Cell, ...]:
    """Return an evaluation as cells; a score that the models or the treebank lack is empty."""
    from jperrant.parse.model_scores import METRICS

    scores = evaluation.scores
    figures = [Figure(f"{100 * scores[n]:.2f}", scores[n]) if n in scores else None for n in METRICS]
    return evaluation.gold, "tokens" if evaluation.gold_tokens else "text", *figures
