"""The agreement of annotators as tables and as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence

from jperrant.core.edits import edit_words
from jperrant.core.errors import UsageError, check_known
from jperrant.core.tables import EXACT, Cell, Layout, Table, chosen_columns, render
from jperrant.evaluation.agreement.measure import (
    LEVELS,
    MAIN_VALUES,
    NO_EDIT,
    NO_EDIT_SHOWN,
    Agreement,
    PairAgreement,
    SentenceAgreement,
    Shared,
)
from jperrant.evaluation.score_tables import metric_labels
from jperrant.evaluation.statistics.significance import Interval

#: The names of the tables, in their order.
TABLES = ("agreement", "edits", "ceiling", "types", "confusion", "sentences")
#: The default number of types and of sentences that are shown; formats for programs show all.
TOP = 10
EVERYTHING = ("json", *EXACT)
UNDEFINED = "undefined"
OTHER_TYPES = "other types"
_EDIT_VALUES = ("precision", "recall", "f1", "f", "f_reversed")


def format_agreement(
    agreed: Agreement,
    format: str = "text",
    *,
    layout: Layout | None = None,
    tables: Sequence[str] = (),
    top: int | None = None,
) -> str:
    """Return the agreement of annotators in one of the formats, ending in a newline.

    Args:
        agreed: The agreement.
        format: ``text``, ``json``, ``tsv``, ``latex`` or ``md``. TSV is one table, ``agreement`` if none is named.
        layout: The layout of figures; if None, intervals are in brackets.
        tables: The tables, names of ``TABLES``; all if empty.
        top: The number of types and of sentences; if None ``TOP``, and all in JSON and TSV.

    Raises:
        UsageError: The format, a table or a column is unknown, or the format cannot show the layout.
    """
    check_tables(tables, top, format)
    layout = layout or Layout()
    layout.check(format)
    if format == "json":
        return json.dumps(agreed.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    most = top if top is not None else None if format in EVERYTHING else TOP
    tables = tables or (("agreement",) if format in EXACT else TABLES)
    make = {
        "agreement": lambda: chosen_columns(agreement_table(agreed, layout, format), layout.columns),
        "edits": lambda: edits_table(agreed, layout),
        "ceiling": lambda: ceiling_table(agreed, layout),
        "types": lambda: types_table(agreed, layout, most),
        "confusion": lambda: confusion_table(agreed, most),
        "sentences": lambda: sentences_table(agreed, layout, most),
    }
    made = [make[name]() for name in TABLES if name in tables]
    return render([table for table in made if table.rows or len(made) == 1], format)


def check_tables(tables: Sequence[str], top: int | None, format: str = "text") -> None:
    """Check the names of tables, so that a command fails before a long computation.

    Raises:
        UsageError: A table is unknown, the format does not hold the tables, or ``top`` is below 1.
    """
    for name in tables:
        check_known("table", name, TABLES)
    if tables and format == "json":
        raise UsageError("--table needs text, tsv, latex or md, as JSON holds all tables; remove it")
    if len(tables) > 1 and format in EXACT:
        raise UsageError(f"a {format} file holds one table; choose one of {', '.join(tables)} with --table")
    if top is not None and top < 1:
        raise UsageError(f"found top {top}, expected 1 or more")


def agreement_table(agreed: Agreement, layout: Layout, format: str = "text") -> Table:
    """Return one row for each pair of annotators, and one for all annotators if there are more than two."""
    rows = [
        (f"{pair.first}, {pair.second}", pair.sentences, pair.tokens, *_measures(pair, layout, format))
        for pair in agreed.pairs
    ]
    if len(agreed.pairs) > 1:
        whole = (agreed.length, agreed.tokens)
        rows.append(("all", *whole, *_measures(agreed, layout, format)))
    header = agreement_header(bool(agreed.options.samples), format)
    means = "all: equal_sentences and alpha over all annotators, other values are means over pairs"
    return Table(header, tuple(rows), "Agreement", (means,) if len(agreed.pairs) > 1 else ())


def agreement_header(ci: bool, format: str = "text") -> tuple[str, ...]:
    """Return the columns of agreement; formats for programs have columns for the ends of intervals."""
    ends = ("", "_low", "_high") if ci and format in EVERYTHING else ("",)
    return ("annotators", "sentences", "tokens", *(f"{name}{end}" for name in MAIN_VALUES for end in ends))


def _measures(measured: PairAgreement | Agreement, layout: Layout, format: str) -> list[Cell]:
    cells: list[Cell] = []
    ci = bool(measured.intervals)
    for name in MAIN_VALUES:
        interval = measured.intervals.get(name)
        cells.append(_figure(measured.values[name], interval, layout))
        if ci and format in EVERYTHING:
            cells += [interval.low, interval.high] if interval else [UNDEFINED, UNDEFINED]
    return cells


def _figure(value: float, interval: Interval | None, layout: Layout) -> Cell:
    """Return a value as a cell, its interval in brackets if it has one."""
    if math.isnan(value):
        return UNDEFINED
    shown = layout if layout.intervals else Layout("brackets", layout.percent, layout.decimals)
    return shown.figure(value, (interval.low, interval.high) if interval else None)


def edits_table(agreed: Agreement, layout: Layout) -> Table:
    """Return how many edits each pair of annotators shares, and the scores of one against the other."""
    rows: list[tuple[Cell, ...]] = []
    for pair in agreed.pairs:
        for level in LEVELS:
            figures = [_figure(pair.values[f"{level}_{name}"], None, layout) for name in _EDIT_VALUES]
            rows.append((f"{pair.first}, {pair.second}", level, *pair.counts[level], *figures))
    f = f"f{agreed.options.beta:g}"
    header = ("annotators", "edits by", *Shared._fields, "precision", "recall", "f1", f, f"{f} reversed")
    note = (
        f"first, second: edits of one alone; precision, recall, {f}: the first scored against the second; "
        "reversed: the second against the first"
    )
    return Table(header, tuple(rows), "Shared edits", (note,))


def ceiling_table(agreed: Agreement, layout: Layout) -> Table:
    """Return the scores of annotators against each other by each metric, for each size of sets of references."""
    rows: list[tuple[Cell, ...]] = []
    names = metric_labels([(one.metric, one.signature.split("|")[1:]) for one in agreed.ceilings])
    for ceiling, name in zip(agreed.ceilings, names, strict=True):
        label = f"{name} {ceiling.value}" if ceiling.metric != ceiling.value else name
        for one in ceiling.ceilings:
            theirs = {
                score.annotator: score.mean for score in ceiling.scores if score.references == one.references
            }
            figures = [_figure(theirs.get(person, math.nan), None, layout) for person in agreed.names]
            mean = _figure(one.mean, None, layout)
            rows.append((label, one.references, *figures, mean))
    notes = tuple(ceiling.signature for ceiling in agreed.ceilings)
    return Table(
        ("metric", "references", *agreed.names, "mean"),
        tuple(rows),
        "Each annotator against the others",
        notes,
    )


def types_table(agreed: Agreement, layout: Layout, top: int | None = None) -> Table:
    """Return the agreement on each type, the most frequent first."""
    rows: list[tuple[Cell, ...]] = []
    for one in agreed.by_type[:top]:
        rows.append((one.type, *one.edits, one.shared.both, _figure(one.f1, None, layout)))
    note = "shared: same span, correction and type, over all pairs"
    title = f"By type{_part(rows, agreed.by_type)}"
    return Table(("type", *agreed.names, "shared", "f1"), tuple(rows), title, (note,))


def _part(shown: Sequence[object], every: Sequence[object]) -> str:
    return "" if len(shown) == len(every) else f": {len(shown)} of {len(every)}"


def confusion_table(agreed: Agreement, top: int | None = None) -> Table:
    """Return how often a span has one type by an annotator (rows) and another by a later annotator (columns).

    Args:
        agreed: The agreement.
        top: The number of types with a row and a column, the most frequent ones; all if None.
    """
    kept = [one.type for one in agreed.by_type[:top]]
    others = [OTHER_TYPES] if len(kept) < len(agreed.by_type) else []
    counts: Counter[tuple[str, str]] = Counter()
    for (first, second), count in agreed.confusion.items():
        counts[_kept(first, kept), _kept(second, kept)] += count
    names = [*kept, *others, NO_EDIT_SHOWN]
    rows: list[tuple[Cell, ...]] = (
        [(name, *(counts[name, other] for other in names)) for name in names] if kept else []
    )
    note = "rows: the first annotator of a pair; columns: the second; edits over the same span"
    return Table(("type", *names), tuple(rows if kept else ()), "Types over the same span", (note,))


def _kept(type_: str, kept: Sequence[str]) -> str:
    if type_ == NO_EDIT:
        return NO_EDIT_SHOWN
    return type_ if type_ in kept else OTHER_TYPES


def sentences_table(agreed: Agreement, layout: Layout, top: int | None = None) -> Table:
    """Return the sentences that differ, worst first, with the edits that not all annotators share."""
    rows: list[tuple[Cell, ...]] = [
        (one.number, one.differing, layout.figure(one.f1), *(_words(one, n) for n in range(len(agreed.names))),
         " ".join(one.source))
        for one in agreed.sentences[:top]
    ]  # fmt: skip
    shown = _part(rows, agreed.sentences)
    header = ("sentence", "differing", "f1", *(f"only {name}" for name in agreed.names), "source")
    note = "sentences count from 1; differing: edits of only one annotator of a pair; f1: of corrections"
    return Table(header, tuple(rows), f"Sentences that differ{shown}", (note,))


def _words(sentence: SentenceAgreement, annotator: int) -> str:
    edits = sentence.edits[annotator]
    if edits is None:
        return "not annotated"
    return "; ".join(f"{edit_words(sentence.source, edit)} ({edit.type})" for edit in edits)
