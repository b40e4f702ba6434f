"""What edits are worth, as tables and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from jperrant.core.edit_words import edit_words
from jperrant.core.tables import EXACT, Cell, Table, render
from jperrant.evaluation.attribution import Attribution, mean_by_type


def format_attributions(
    attributions: Sequence[Attribution], format: str = "text", by_type: bool = False
) -> str:
    """Return what edits are worth, ending in a newline.

    Args:
        attributions: Of one method, system by system, sentence by sentence, metric by metric.
        format: ``json``, or one of the formats of tables.
        by_type: One row for each error type, with the mean of its edits, instead of one for each edit.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        if by_type:
            return _json(_type_records(attributions))
        return _json([_record(one) for one in attributions])
    if by_type:
        tables = [_type_table(name, list(own)) for name, own in _by_hypothesis(attributions)]
        if format in EXACT and len(tables) > 1:  # a file of one table, which has no titles
            rows = tuple([(table.title, *row) for table in tables for row in table.rows])
            tables = [Table(("hypothesis", *tables[0].header), rows)]
        return render(tables, format)
    return render([_edit_table(attributions)], format)


def _json(records: object) -> str:
    return json.dumps(records, ensure_ascii=False, indent=2) + "\n"


def _by_hypothesis(attributions: Sequence[Attribution]) -> Any:
    return groupby(attributions, key=lambda one: one.hypothesis)


def _metrics(attributions: Sequence[Attribution]) -> list[str]:
    return list(dict.fromkeys(one.metric for one in attributions))


def _notes(attributions: Sequence[Attribution]) -> tuple[str, ...]:
    lower = dict.fromkeys(one.metric for one in attributions if one.lower_is_better)
    notes = [f"{metric}: lower is better, so that an edit below 0 helps" for metric in lower]
    if any(one.sampled for one in attributions):
        largest = max((e for one in attributions for e in one.errors if not math.isnan(e)), default=0.0)
        notes.append(f"orders were sampled in some sentences; the largest standard error is {largest:.4f}")
    return tuple(notes)


def _edit_table(attributions: Sequence[Attribution]) -> Table:
    """Return one row for each edit, with a column for each metric."""
    metrics = _metrics(attributions)
    several = len({one.annotator for one in attributions}) > 1
    rows: list[tuple[Cell, ...]] = []
    for _, same in groupby(attributions, key=lambda o: (o.hypothesis, o.sentence, o.annotator)):
        of_metric = {one.metric: one for one in same}
        first = next(iter(of_metric.values()))
        for n, edit in enumerate(first.edits):
            annotator = (first.annotator,) if several else ()
            place = (first.hypothesis, first.sentence, *annotator, f"{edit.start}-{edit.end}")
            figures = [of_metric[metric].worths[n] for metric in metrics]
            rows.append((*place, edit_words(first.source, edit), edit.type, *figures))
    annotator_column = ("annotator",) if several else ()
    header = ("hypothesis", "sentence", *annotator_column, "span", "edit", "type", *metrics)
    return Table(header, tuple(rows), notes=_notes(attributions))


def _type_table(name: str, attributions: Sequence[Attribution]) -> Table:
    """Return one row for each error type, with its edits and the mean of each metric."""
    means, metrics = mean_by_type(attributions), _metrics(attributions)
    types = sorted({type_ for of_metric in means.values() for type_ in of_metric})
    rows: list[tuple[Cell, ...]] = []
    for type_ in types:
        own = [means.get(metric, {}).get(type_) for metric in metrics]
        rows.append((type_, max(one[0] for one in own if one), *(one[1] if one else math.nan for one in own)))
    return Table(("type", "edits", *metrics), tuple(rows), name, _notes(attributions))


def _record(one: Attribution) -> dict[str, Any]:
    edits = [
        {**edit.to_dict(), "worth": _figure(worth), "standard_error": _figure(error)}
        for edit, worth, error in zip(one.edits, one.worths, one.errors, strict=True)
    ]
    return {
        "hypothesis": one.hypothesis,
        "metric": one.metric,
        "value": one.value,
        "lower_is_better": one.lower_is_better,
        "sentence": one.sentence,
        "annotator": one.annotator,
        "source": list(one.source),
        "before": _figure(one.before),
        "after": _figure(one.after),
        "sampled": one.sampled,
        "edits": edits,
    }


def _type_records(attributions: Sequence[Attribution]) -> list[dict[str, Any]]:
    return [
        {"hypothesis": name, "metric": metric, "type": type_, "edits": count, "worth": mean}
        for name, own in _by_hypothesis(attributions)
        for metric, of_metric in mean_by_type(list(own)).items()
        for type_, (count, mean) in of_metric.items()
    ]


def _figure(value: float) -> float | None:
    return value if math.isfinite(value) else None
