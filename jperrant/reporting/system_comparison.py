"""The comparison of systems as tables and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace

from jperrant.core.edit_words import edit_words
from jperrant.core.errors import UsageError, nearest
from jperrant.core.layout import ALPHA, MARKS, Layout, chosen_columns
from jperrant.core.tables import EXACT, Cell, Table, render
from jperrant.evaluation.comparison import PartComparison, SentenceComparison, SystemComparison
from jperrant.evaluation.shared_edits import SystemEdit, count_shared
from jperrant.evaluation.statistics.correction import CORRECTIONS
from jperrant.evaluation.statistics.differences import Difference

#: The tables there are, in their order.
TABLES = ("types", "edits", "sentences")
#: What types may be sorted by.
SORTS = ("type", "support", "difference", "p")
#: Sentences shown at either end where no number is given.
TOP = 5
ALL = "all"
#: Formats for programs, which get all sentences.
EVERYTHING = ("json", *EXACT)
#: What stands before an edit that the references have, that they do not have, and where there are none.
SIGNS = {True: "✓", False: "✗", None: "·"}


def format_comparison(
    found: SystemComparison,
    format: str = "text",
    *,
    layout: Layout | None = None,
    tables: Sequence[str] = (),
    sort: str = "type",
    top: int | None = None,
) -> str:
    """Return a comparison in one of the formats, ending in a newline.

    Args:
        found: What was compared.
        format: ``text``, ``json``, ``tsv``, ``latex`` or ``md``. TSV is one table, that of types if none is named.
        layout: How figures are shown; intervals in brackets if None.
        tables: Of ``types``, ``edits`` and ``sentences``; all if empty.
        sort: Order of types: by ``type``, ``support``, ``difference`` (those first in which the first system is
            ahead most) or ``p``.
        top: How many types, and how many sentences from either end of their order; if None all types, and all
            sentences in JSON and TSV, elsewhere ``TOP``.

    Raises:
        UsageError: An unknown format, table, order or column, or a layout that the format cannot have.
    """
    check_request(tables, sort, top, format)
    layout = layout or Layout()
    layout.check(format)
    layout = layout.of_metric(found.scorer.needs_references)
    sentences = _ends(found.sentences, top if top is not None else None if format in EVERYTHING else TOP)
    types = sort_parts(found, sort)[:top]
    if format == "json":
        whole = comparison_object(found, types, sentences)
        return json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    parts = [found.overall, *types]
    tables = tables or (("types",) if format in EXACT else TABLES)
    make = {
        "types": lambda: chosen_columns(types_table(found, parts, layout, format), layout.columns),
        "edits": lambda: edits_table(found),
        "sentences": lambda: sentences_table(found, sentences, layout),
    }
    return render([make[name]() for name in TABLES if name in tables], format)


def check_request(tables: Sequence[str], sort: str, top: int | None, format: str = "text") -> None:
    """Refuse tables and orders that do not exist, so that a command can do so before it has worked for long.

    Raises:
        UsageError: Names the known ones.
    """
    for name in tables:
        if name not in TABLES:
            raise UsageError(
                f"unknown table {name!r}{nearest(name, TABLES)}; expected one of {', '.join(TABLES)}"
            )
    if sort not in SORTS:
        raise UsageError(f"cannot sort by {sort!r}{nearest(sort, SORTS)}; expected one of {', '.join(SORTS)}")
    if top is not None and top < 0:
        raise UsageError(f"{top} sentences cannot be shown; give 0 or more")
    if format in EXACT and len(tables) > 1:
        raise UsageError(f"{format} is one table; name one of types, edits and sentences")


def sort_parts(found: SystemComparison, sort: str) -> list[PartComparison]:
    """Return the types in an order: ``type``, ``support``, ``difference`` or ``p``."""
    sign = -1.0 if found.scorer.lower_is_better else 1.0

    def key(part: PartComparison) -> tuple[float, str]:
        if sort == "support":
            return -max((s for s in part.support if s is not None), default=0.0), part.type
        if sort == "difference":
            return -max(_least(sign * d.value) for d in part.differences), part.type
        return (min(d.p for d in part.differences) if sort == "p" else 0.0), part.type

    return sorted(found.types, key=key)


def _least(figure: float) -> float:
    return -math.inf if math.isnan(figure) else figure


def types_table(
    found: SystemComparison, parts: Sequence[PartComparison], layout: Layout, format: str = "text"
) -> Table:
    """Return one row for the whole and one for each type: the systems side by side, and their differences.

    Args:
        found: What was compared.
        parts: The rows.
        layout: How figures are shown; in TSV the ends of intervals have columns of their own.
        format: The format the table is for.
    """
    rows = [_type_row(found, part, layout, format) for part in parts]
    lower = found.scorer.lower_is_better
    main, first = found.scorer.main, found.systems[0]
    notes = [
        found.scores[0].signature + (" (lower is better)" if lower else ""),
        f"difference: {main} of {first} minus that of the other, with a 95 % bootstrap interval",
        f"p: paired {found.options.test}, two-sided, {found.options.samples} samples, seed {found.options.seed}",
    ]
    if found.options.correction != "none":
        name = CORRECTIONS[found.options.correction]
        types = [f"{len(found.types)} types"] if found.types else []
        others = [f"{len(found.systems) - 1} systems"] if len(found.systems) > 2 else []
        if tests := " and ".join([*types, *others]):
            notes.append(f"p_{found.options.correction}: p corrected by {name} over {tests}")
        notes.append(f"{MARKS[found.options.test]}: p_{found.options.correction} < {ALPHA}")
    else:
        notes.append(f"{MARKS[found.options.test]}: p < {ALPHA}, not corrected for the number of tests")
    return Table(tuple(rows[0]), tuple([tuple(row.values()) for row in rows]), notes=(*notes, *found.notes))


def _type_row(found: SystemComparison, part: PartComparison, layout: Layout, format: str) -> dict[str, Cell]:
    row: dict[str, Cell] = {"type": part.type or ALL}
    for name, support in zip(found.systems, part.support, strict=True):
        if support is not None:
            row[f"n {name}"] = int(support) if support == int(support) else support
    figures: list[Cell] = [layout.figure(value) for value in part.values]
    if layout.bold_best:
        figures = layout.best(figures, found.scorer.lower_is_better)
    row |= dict(zip(found.systems, figures, strict=True))
    several = len(found.systems) > 2
    for name, difference in zip(found.systems[1:], part.differences, strict=True):
        end = f" {name}" if several else ""
        row |= {f"{key}{end}": cell for key, cell in _difference(found, difference, layout, format).items()}
    return row


def _difference(
    found: SystemComparison, difference: Difference, layout: Layout, format: str
) -> dict[str, Cell]:
    ends = difference.low, difference.high
    if format in EXACT:
        row: dict[str, Cell] = {"difference": difference.value, "low": ends[0], "high": ends[1]}
    else:
        shown = replace(layout, intervals=layout.intervals or "brackets")
        marks = MARKS[found.options.test] if difference.p_corrected < ALPHA else ""
        row = {"difference": shown.figure(difference.value, ends, marks=marks, signed=True)}
    nothing = math.isnan(difference.value)
    row["p"] = None if nothing else difference.p
    if found.options.correction != "none":
        row[f"p_{found.options.correction}"] = None if nothing else difference.p_corrected
    return row


def edits_table(found: SystemComparison) -> Table:
    """Return how many edits the first system shares with each of the others, and how many either has alone."""
    edits = [edit for sentence in found.sentences for edit in sentence.edits]
    rows: list[tuple[Cell, ...]] = []
    for other in range(1, len(found.systems)):
        counts, first, second = count_shared(edits, 0, other), found.systems[0], found.systems[other]
        rows += [
            (f"{first} and {second}", *counts.shared),
            (f"{first} without {second}", *counts.first),
            (f"{second} without {first}", *counts.second),
        ]
    note = "right: an annotator of the references has the same span and correction"
    return Table(("edits of", "right", "wrong", "all"), tuple(rows), notes=(note,))


def sentences_table(
    found: SystemComparison, sentences: Sequence[SentenceComparison], layout: Layout
) -> Table:
    """Return one row for each sentence: the figures of the systems, and the edits that they do not share."""
    rows: list[tuple[Cell, ...]] = []
    for one in sentences:
        values: list[Cell] = [None if math.isnan(v) else layout.figure(v) for v in one.values]
        edits = [_edits(one, [e for e in one.edits if e.systems == (n,)]) for n in range(len(found.systems))]
        rows.append((_place(one.sentences), *values, *edits, " ".join(one.source)))
    header = ("sentence", *found.systems, *(f"only {name}" for name in found.systems), "source")
    notes = (
        f"sorted by how far {found.systems[0]} is ahead, then by the effect on the whole",
        f"{SIGNS[True]} right, {SIGNS[False]} wrong",
    )
    return Table(header, tuple(rows), notes=notes)


def _place(sentences: Sequence[int]) -> str:
    """Return numbers that follow one another as one, or as the first and the last; empty of none."""
    return "-".join(map(str, sentences if len(sentences) < 3 else (sentences[0], sentences[-1])))


def _edits(sentence: SentenceComparison, edits: Sequence[SystemEdit]) -> str:
    return "; ".join(f"{SIGNS[e.right]} {edit_words(sentence.source, e.edit)}" for e in edits)


def _ends(sentences: Sequence[SentenceComparison], top: int | None) -> list[SentenceComparison]:
    """Return the first and the last sentences in which the systems differ, those all if ``top`` is None."""
    if top is None:
        return list(sentences)
    ahead = [s for s in sentences if s.advantage > 0][:top]
    behind = [s for s in sentences if s.advantage < 0]
    return [*ahead, *behind[max(0, len(behind) - top) :]]


def comparison_object(
    found: SystemComparison,
    types: Sequence[PartComparison],
    sentences: Sequence[SentenceComparison] = (),
) -> dict[str, object]:
    """Return a comparison as the JSON object that ``compare-systems`` prints.

    Args:
        found: What was compared.
        types: The types to show, in this order.
        sentences: The sentences to show.
    """
    edits = [edit for sentence in found.sentences for edit in sentence.edits]
    return {
        "metric": found.scorer.name,
        "value": found.scorer.main,
        "signatures": [score.signature for score in found.scores],
        "systems": list(found.systems),
        "test": found.options.test,
        "samples": found.options.samples,
        "seed": found.options.seed,
        "correction": found.options.correction,
        "overall": _part_object(found, found.overall),
        "types": {part.type: _part_object(found, part) for part in types},
        "edits": [_shared_object(found, edits, other) for other in range(1, len(found.systems))],
        "sentences": [_sentence_object(found, one) for one in sentences],
        "notes": list(found.notes),
    }


def _shared_object(found: SystemComparison, edits: Sequence[SystemEdit], other: int) -> dict[str, object]:
    counts = count_shared(edits, 0, other)
    named = {"shared": counts.shared, "only_first": counts.first, "only_second": counts.second}
    figures = {name: dict(zip(("right", "wrong", "all"), own, strict=True)) for name, own in named.items()}
    return {"first": found.systems[0], "second": found.systems[other], **figures}


def _part_object(found: SystemComparison, part: PartComparison) -> dict[str, object]:
    return {
        "support": dict(zip(found.systems, part.support, strict=True)),
        "values": {n: _finite(v) for n, v in zip(found.systems, part.values, strict=True)},
        "differences": {
            n: {k: _finite(v) for k, v in asdict(d).items()}
            for n, d in zip(found.systems[1:], part.differences, strict=True)
        },
    }


def _sentence_object(found: SystemComparison, one: SentenceComparison) -> dict[str, object]:
    return {
        "sentences": list(one.sentences),
        "source": " ".join(one.source),
        "values": {n: _finite(v) for n, v in zip(found.systems, one.values, strict=True)},
        "advantage": _finite(one.advantage),
        "effect": _finite(one.effect),
        "edits": [
            {
                "start": e.edit.start,
                "end": e.edit.end,
                "correction": None if e.edit.correction is None else " ".join(e.edit.correction),
                "type": e.edit.type,
                "systems": [found.systems[n] for n in e.systems],
                "right": e.right,
            }
            for e in one.edits
        ],
    }


def _finite(figure: float) -> float | None:
    return None if math.isnan(figure) else figure
