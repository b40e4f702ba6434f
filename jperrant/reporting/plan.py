"""Transport plans as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.edit_words import edit_words
from jperrant.core.tables import EXACT, Cell, Table, render
from jperrant.core.values import Edit
from jperrant.evaluation.metrics.uot.plans import SentencePlan


def format_plans(plans: Sequence[SentencePlan], format: str = "text") -> str:
    """Return plans as tables, ending in a newline: one for each sentence, and one by error type.

    Args:
        plans: What to show.
        format: ``text``, ``tsv``, ``latex``, ``md`` or ``json``, which is a list of one object a sentence.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        return (
            json.dumps([plan_object(p) for p in plans], ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        )
    if format in EXACT:
        return render([long_table(plans)], format)
    if not plans:
        return render([Table(("no sentence has edits on both sides",), ())], format)
    tables = []
    for system in dict.fromkeys(plan.system for plan in plans):
        own = [plan for plan in plans if plan.system == system]
        tables += [*map(plan_table, own), type_table(own)]
    return render(tables, format)


def plan_object(plan: SentencePlan) -> dict[str, object]:
    """Return a plan as the JSON object that ``plan`` prints."""
    return {
        **({"system": plan.system} if plan.system else {}),
        "sentence": plan.sentence,
        "source": " ".join(plan.source),
        "hypothesis": plan.hypothesis,
        "reference": plan.reference,
        "hypothesis_edits": _edit_objects(plan, plan.hypothesis_edits, plan.hypothesis_mass),
        "reference_edits": _edit_objects(plan, plan.reference_edits, plan.reference_mass),
        "cost": plan.cost.tolist(),
        "plan": plan.plan.tolist(),
        "counts": dict(plan.counts),
        "values": dict(plan.values),
        "by_type": {
            type_: dict(zip(plan.counts, row, strict=True)) for type_, row in sorted(plan.by_type.items())
        },
    }


def plan_table(plan: SentencePlan) -> Table:
    """Return one row for each hypothesis edit, one column for each reference edit: the transported mass.

    The last columns sum over the reference edits (tp) and give what is left of the edit's mass (fp); the last
    rows do so for the reference edits (fn).
    """
    if not plan.hypothesis_edits and not plan.reference_edits:
        return Table(("no edits",), (), title="\n".join([plan_title(plan), " ".join(plan.source)]))
    columns = [f"R{n}" for n in range(len(plan.reference_edits))]
    rows: list[tuple[Cell, ...]] = []
    for edit, mass, masses in zip(plan.hypothesis_edits, plan.hypothesis_mass, plan.plan, strict=True):
        rows.append(
            (
                edit_words(plan.source, edit),
                edit.type,
                float(mass),
                *_floats(masses),
                *_tp_and_left(masses, mass),
            )
        )
    transported = plan.plan.sum(axis=0)
    below: list[tuple[str, FloatArray]] = [
        ("tp", transported),
        ("fn", plan.reference_mass - transported),
        ("mass", plan.reference_mass),
    ]
    rows += [(name, "", None, *_floats(row), None, None) for name, row in below]
    return Table(
        ("hypothesis edit", "type", "mass", *columns, "tp", "fp"),
        tuple(rows),
        title="\n".join([plan_title(plan), " ".join(plan.source), *_reference_lines(plan)]),
    )


def plan_title(plan: SentencePlan) -> str:
    """Return in one line which sentence it is and how it scores."""
    figures = {**plan.counts, **plan.values}
    shown = ", ".join(f"{name} {value:.4f}" for name, value in figures.items())
    system = f"{plan.system}, " if plan.system else ""
    sides = f"annotator {plan.hypothesis} against reference {plan.reference}"
    return f"{system}sentence {plan.sentence}, {sides}: {shown}"


def long_table(plans: Sequence[SentencePlan]) -> Table:
    """Return one row for each pair of edits of each sentence."""
    header = (
        "sentence",
        "reference",
        "hypothesis_edit",
        "hypothesis_type",
        "hypothesis_mass",
        "reference_edit",
        "reference_type",
        "reference_mass",
        "cost",
        "plan",
    )
    rows: list[tuple[Cell, ...]] = []
    for plan in plans:
        for (one, other), transported in np.ndenumerate(plan.plan):
            hyp, ref = plan.hypothesis_edits[one], plan.reference_edits[other]
            rows.append(
                (
                    plan.sentence,
                    plan.reference,
                    edit_words(plan.source, hyp),
                    hyp.type,
                    float(plan.hypothesis_mass[one]),
                    edit_words(plan.source, ref),
                    ref.type,
                    float(plan.reference_mass[other]),
                    float(plan.cost[one, other]),
                    float(transported),
                )
            )
    if not any(plan.system for plan in plans):
        return Table(header, tuple(rows))
    names = [plan.system for plan in plans for _ in range(plan.plan.size)]
    return Table(("system", *header), tuple((name, *row) for name, row in zip(names, rows, strict=True)))


def type_table(plans: Sequence[SentencePlan]) -> Table:
    """Return the masses of each error type over all plans: tp and fp of hypothesis edits, fn of the reference's."""
    totals: dict[str, list[float]] = {}
    for plan in plans:
        for type_, row in plan.by_type.items():
            total = totals.setdefault(type_, [0.0, 0.0, 0.0])
            for column, mass in enumerate(row):
                total[column] += mass
    rows: list[tuple[Cell, ...]] = [(type_, *totals[type_]) for type_ in sorted(totals)]
    systems = dict.fromkeys(plan.system for plan in plans if plan.system)
    return Table(("type", "tp", "fp", "fn"), tuple(rows), title=" ".join([*systems, "by error type"]))


def norms_table(norms: Mapping[str, FloatArray], title: str = "") -> Table:
    """Return for each error type how long the vectors of its edits are, and how many are zero.

    The deviation is that of the population, as in the paper's Table 3.
    """
    everything = np.concatenate([np.zeros(0), *norms.values()])
    named = {**norms, **({"all": everything} if len(everything) else {})}
    rows: list[tuple[Cell, ...]] = [
        (type_, len(own), float(own.mean()), float(own.std()), int((own == 0).sum()))
        for type_, own in named.items()
    ]
    return Table(("type", "edits", "mean", "deviation", "zero"), tuple(rows), title=title)


def format_norms(sides: Mapping[str, Mapping[str, FloatArray]], format: str = "text") -> str:
    """Return the tables of norms of several sides, ending in a newline.

    Args:
        sides: The norms by type of each side, by its name.
        format: ``text``, ``tsv``, ``latex``, ``md`` or ``json``, which is one object by side and type.

    Raises:
        UsageError: The format is unknown.
    """
    tables = [norms_table(norms, name) for name, norms in sides.items()]
    if format in EXACT:
        header = ("side", *tables[0].header)
        return render([Table(header, tuple((t.title, *row) for t in tables for row in t.rows))], format)
    if format != "json":
        return render(tables, format)
    document = {
        table.title: {str(row[0]): dict(zip(table.header[1:], row[1:], strict=True)) for row in table.rows}
        for table in tables
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _reference_lines(plan: SentencePlan) -> list[str]:
    """Return one line for each reference edit: what its column stands for."""
    return [
        f"R{n}: {edit_words(plan.source, edit)}  {edit.type}" for n, edit in enumerate(plan.reference_edits)
    ]


def _edit_objects(plan: SentencePlan, edits: Sequence[Edit], masses: FloatArray) -> list[dict[str, object]]:
    return [
        {
            "start": edit.start,
            "end": edit.end,
            "text": " ".join(plan.source[edit.start : edit.end]),
            "correction": " ".join(edit.correction or ()),
            "type": edit.type,
            "mass": float(mass),
        }
        for edit, mass in zip(edits, masses, strict=True)
    ]


def _tp_and_left(masses: FloatArray, mass: float) -> tuple[float, float]:
    tp = float(masses.sum())
    return tp, float(mass) - tp


def _floats(row: FloatArray) -> list[float]:
    return [float(x) for x in row]
