"""Explanations of scores in every format: chunks, transport plans and contributions of edits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.edits import edit_words
from jperrant.core.tables import EXACT, RENDERERS, Cell, Table, render
from jperrant.core.values import Edit
from jperrant.evaluation.explain import CHUNKS, CONTRIBUTIONS, PLANS, Attribution, mean_by_type
from jperrant.reporting.listings import as_json

if TYPE_CHECKING:
    from jperrant.evaluation.explain import ChunkTable, Explained, SentencePlan

#: The formats of each kind.
FORMATS = {
    CHUNKS: ("text", "html", "latex", "md", "json"),
    PLANS: (*RENDERERS, "json", "svg"),
    CONTRIBUTIONS: (*RENDERERS, "json"),
}
#: The content of a cell without tokens.
EMPTY = "∅"
CHOSEN = " *"
#: The CSS class of each label in pages, and its meaning.
LABELS = {
    "TP": ("right", "hit"),
    "FPne": ("wrong", "wrong"),
    "FPun": ("needless", "over"),
    "FN": ("missed", "under"),
}
_UNCHANGED = "an empty cell equals the source; * marks the reference that counts"


def format_explanation(
    found: Sequence[Explained],
    kind: str,
    format: str = "text",
    *,
    by_type: bool = False,
    title: str = "",
) -> str:
    """Return explanations of sentences in one of the formats, ending in a newline.

    Args:
        found: The explanations, from ``evaluation.explain``.
        kind: The kind of explanations: ``CHUNKS``, ``PLANS`` or ``CONTRIBUTIONS``.
        format: One of ``FORMATS[kind]``.
        by_type: Whether contributions are shown as the mean of each error type instead of by edit.
        title: The title of a page.

    Raises:
        UsageError: The format is unknown.
    """
    if kind == CHUNKS:
        return format_chunks(found, format, title)  # type: ignore[arg-type]
    if kind == PLANS:
        return format_plans(found, format, title)  # type: ignore[arg-type]
    return format_contributions(found, format, by_type, title)  # type: ignore[arg-type]


def format_contributions(
    attributions: Sequence[Attribution], format: str = "text", by_type: bool = False, title: str = ""
) -> str:
    """Return the contributions of edits, ending in a newline.

    Args:
        attributions: The contributions by one method, in the order of systems, sentences and metrics.
        format: ``json``, or one of the formats of tables.
        by_type: Whether there is one row for each error type, with the mean of its edits, instead of one for each
            edit.
        title: The title of a page.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        if by_type:
            return as_json(_type_records(attributions))
        return as_json([_record(one) for one in attributions])
    tables = [_edit_table(attributions)]
    if by_type:
        tables = [_type_table(name, list(own)) for name, own in _by_hypothesis(attributions)]
    return _tables(tables, format, title, "hypothesis")


def _tables(tables: Sequence[Table], format: str, title: str, column: str) -> str:
    """Return tables as text; formats that hold a single table get the titles in a first column."""
    if format == "html":
        return _page(title, tables=tables)
    if format in EXACT and len(tables) > 1:
        rows = tuple([(table.title, *row) for table in tables for row in table.rows])
        tables = [Table((column, *tables[0].header), rows)]
    return render(tables, format)


def _page(title: str, **shown: Any) -> str:
    from jperrant.reporting.html.page import render_page

    empty = {"chunks": (), "plans": (), "tables": ()}
    return render_page("explain.html", title=title, styles=["report.css"], **{**empty, **shown})


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
    same = ("hypothesis", "metric", "value", "lower_is_better", "sentence", "annotator")
    record = {name: getattr(one, name) for name in same} | {"source": list(one.source)}
    ends = {"before": _figure(one.before), "after": _figure(one.after)}
    return record | ends | {"sampled": one.sampled, "edits": edits}


def _type_records(attributions: Sequence[Attribution]) -> list[dict[str, Any]]:
    return [
        {"hypothesis": name, "metric": metric, "type": type_, "edits": count, "worth": mean}
        for name, own in _by_hypothesis(attributions)
        for metric, of_metric in mean_by_type(list(own)).items()
        for type_, (count, mean) in of_metric.items()
    ]


def _figure(value: float) -> float | None:
    return value if math.isfinite(value) else None


def format_chunks(tables: Sequence[ChunkTable], format: str = "text", title: str = "Chunks") -> str:
    """Return tables of chunks, ending in a newline; a page also shows labels by colour.

    Args:
        tables: The tables of one or more sentences.
        format: ``html``, ``json``, or one of the formats of tables that hold several.
        title: Of the page.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        return as_json([asdict(table) for table in tables])
    if format == "html":
        return _page(
            title,
            chunks=tables,
            chunk_titles=[_title(table) for table in tables],
            chunk_rows=[list(_classed(table)) for table in tables],
            outcomes=LABELS,
        )
    return render([chunk_table(table) for table in tables], format)


def _title(table: ChunkTable) -> str:
    values = " ".join(f"{name} {value:.4f}" for name, value in table.values.items())
    return f"{table.hypothesis}, sentence {table.sentence}: {values}"


def _lines(table: ChunkTable) -> list[tuple[str, list[str]]]:
    """Return the cells of each text of a table by the text's name, then labels and weights."""
    lines = [
        (row.name + CHOSEN * row.chosen, [" ".join(cell) or EMPTY for cell in row.cells])
        for row in table.rows
    ]
    lines.append(("label", list(table.labels)))
    return lines + ([("weight", [f"{weight:.3f}" for weight in table.weights])] if table.weights else [])


def chunk_table(table: ChunkTable) -> Table:
    """Return one row for each chunk: source, references, hypothesis, label and weight."""
    names, columns = zip(*_lines(table), strict=True)
    changed = [row.changed for row in table.rows[1:]]
    texts = [
        [cell * edited for cell, edited in zip(cells, edits, strict=True)]
        for cells, edits in zip(columns[1:], changed, strict=False)
    ]
    spans = [f"{start}-{end}" for start, end in table.spans]
    rows = zip(spans, columns[0], *texts, *columns[len(table.rows) :], strict=True)
    return Table(("span", *names), tuple(rows), _title(table), (_UNCHANGED,))


def _classed(table: ChunkTable) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield every line of a table: its name, its cells and the classes of these in a page."""
    outcomes = [LABELS.get(label, ("",))[0] for label in table.labels]
    changed = {row.name: row.changed for row in table.rows}
    for name, cells in _lines(table):
        colored = outcomes if name in ("hypothesis", "label") else [""] * len(cells)
        edited = changed.get(name.removesuffix(CHOSEN), (False,) * len(cells))
        yield name, cells, [f"{'changed ' * e}{c}".rstrip() for e, c in zip(edited, colored, strict=True)]


def format_plans(plans: Sequence[SentencePlan], format: str = "text", title: str = "") -> str:
    """Return plans: one table for each sentence and one by error type, or pictures.

    Args:
        plans: The plans.
        format: ``svg`` and ``html`` are drawings, one below the other; ``json`` is a list of one object for each
            sentence; ``tsv`` and ``csv`` have one row for each pair of edits; ``text``, ``latex`` and ``md`` are
            tables.
        title: The title of the page.

    Raises:
        UsageError: The format is unknown.
    """
    titles = [plan_title(plan) for plan in plans]
    if format == "svg":
        from jperrant.reporting.html.page import drawing

        return drawing("plans_file", plans, titles)
    if format == "html":
        return _page(title, plans=plans, plan_titles=titles)
    if format == "json":
        return as_json([plan_object(plan) for plan in plans])
    if format in EXACT:
        return render([long_table(plans)], format)
    tables = []
    for system in dict.fromkeys(plan.hypothesis for plan in plans):
        own = [plan for plan in plans if plan.hypothesis == system]
        tables += [*map(plan_table, own), type_table(own)]
    return render(tables or [Table(("no sentence has edits",), ())], format)


def plan_object(plan: SentencePlan) -> dict[str, object]:
    """Return a plan as a JSON object."""
    by_type = {type_: dict(zip(plan.counts, row, strict=True)) for type_, row in sorted(plan.by_type.items())}
    return {
        "hypothesis": plan.hypothesis,
        "sentence": plan.sentence,
        "source": " ".join(plan.source),
        "annotator": plan.annotator,
        "reference": plan.reference,
        "hypothesis_edits": _edit_objects(plan, plan.hypothesis_edits, plan.hypothesis_mass),
        "reference_edits": _edit_objects(plan, plan.reference_edits, plan.reference_mass),
        "cost": plan.cost.tolist(),
        "plan": plan.plan.tolist(),
        "counts": dict(plan.counts),
        "values": dict(plan.values),
        "by_type": by_type,
    }


def _edit_objects(plan: SentencePlan, edits: Sequence[Edit], masses: FloatArray) -> list[dict[str, object]]:
    objects: list[dict[str, object]] = []
    for edit, mass in zip(edits, masses, strict=True):
        words = {"text": plan.source[edit.start : edit.end], "correction": edit.correction or ()}
        shown = {name: " ".join(tokens) for name, tokens in words.items()}
        objects.append(
            {"start": edit.start, "end": edit.end, **shown, "type": edit.type, "mass": float(mass)}
        )
    return objects


def plan_table(plan: SentencePlan) -> Table:
    """Return one row for each hypothesis edit, one column for each reference edit: the transported mass.

    The last two columns hold the transported mass of each hypothesis edit (tp) and the rest of its mass (fp). The
    last three rows hold the transported mass of each reference edit (tp), the rest of its mass (fn), and its mass.
    """
    title = "\n".join([plan_title(plan), " ".join(plan.source)])
    if not plan.hypothesis_edits and not plan.reference_edits:
        return Table(("no edits",), (), title=title)
    rows: list[tuple[Cell, ...]] = []
    for edit, mass, masses in zip(plan.hypothesis_edits, plan.hypothesis_mass, plan.plan, strict=True):
        tp = float(masses.sum())
        words = edit_words(plan.source, edit)
        rows.append((words, edit.type, float(mass), *masses.tolist(), tp, float(mass) - tp))
    tp_of_reference = plan.plan.sum(axis=0)
    below = {"tp": tp_of_reference, "fn": plan.reference_mass - tp_of_reference, "mass": plan.reference_mass}
    rows += [(name, "", None, *row.tolist(), None, None) for name, row in below.items()]
    columns = [f"R{n}" for n in range(len(plan.reference_edits))]
    for column, edit in zip(columns, plan.reference_edits, strict=True):
        title += f"\n{column}: {edit_words(plan.source, edit)}  {edit.type}"
    return Table(("hypothesis edit", "type", "mass", *columns, "tp", "fp"), tuple(rows), title=title)


def plan_title(plan: SentencePlan) -> str:
    """Return one line with the system, the number of the sentence and its figures."""
    figures = {**plan.counts, **plan.values}
    shown = ", ".join(f"{name} {value:.4f}" for name, value in figures.items())
    sides = f"annotator {plan.annotator} against reference {plan.reference}"
    return f"{plan.hypothesis}, sentence {plan.sentence}, {sides}: {shown}"


def long_table(plans: Sequence[SentencePlan]) -> Table:
    """Return one row for each pair of edits of each sentence."""
    of_edit = [f"{side}_{what}" for side in ("hypothesis", "reference") for what in ("edit", "type", "mass")]
    rows: list[tuple[Cell, ...]] = []
    for plan in plans:
        sides = (plan.hypothesis_edits, plan.hypothesis_mass), (plan.reference_edits, plan.reference_mass)
        for (one, other), transported in np.ndenumerate(plan.plan):
            row: list[Cell] = [plan.hypothesis, plan.sentence, plan.reference]
            for n, (edits, masses) in zip((one, other), sides, strict=True):
                row += [edit_words(plan.source, edits[n]), edits[n].type, float(masses[n])]
            rows.append((*row, float(plan.cost[one, other]), float(transported)))
    return Table(("hypothesis", "sentence", "reference", *of_edit, "cost", "plan"), tuple(rows))


def type_table(plans: Sequence[SentencePlan]) -> Table:
    """Return the masses of each error type over all plans: tp and fp of hypothesis edits, fn of the reference's."""
    totals: dict[str, FloatArray] = {}
    for plan in plans:
        for type_, row in plan.by_type.items():
            totals[type_] = totals.get(type_, np.zeros(3)) + row
    rows: list[tuple[Cell, ...]] = [(type_, *totals[type_].tolist()) for type_ in sorted(totals)]
    return Table(("type", "tp", "fp", "fn"), tuple(rows), title=f"{plans[0].hypothesis} by error type")
