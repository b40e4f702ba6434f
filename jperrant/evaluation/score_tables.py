"""Scores as JSON objects and as tables of systems, error types and sentences, with marks of significance."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.core.tables import ALPHA, EXACT, MARKS, Cell, Layout, Table, chosen_columns, plain, render
from jperrant.evaluation.analysis import FULL, Analysis, rows_by_category
from jperrant.evaluation.metrics.base import Row, Scorer, counts_of, values_of
from jperrant.evaluation.metrics.system_score import Score, figure_of
from jperrant.evaluation.statistics.significance import (
    CORRECTIONS,
    Comparison,
    Difference,
    support_of,
)

#: The entry of the type column in the row of all types together.
ALL = "all"
#: The formats of files of sentences.
SENTENCE_FORMATS = ("tsv", "csv", "jsonl")
#: The formats of papers and pages, which have marks of significance, and warnings as notes.
PAPER = ("latex", "md", "html")


def labels_of(scores: Sequence[Score]) -> tuple[str, ...]:
    """Return the label of the metric of each score: its name, with settings if one name has several."""
    return metric_labels([(score.metric, score.scorer.settings) for score in scores])


def metric_labels(metrics: Sequence[tuple[str, Sequence[str]]]) -> tuple[str, ...]:
    """Return the labels of metrics: the name, with the settings that metrics of this name do not share.

    Args:
        metrics: The name and the settings of each metric.

    >>> metric_labels([("errant", ["beta:0.5", "mode:cs"]), ("errant", ["beta:1", "mode:cs"]), ("gleu", ["n:4"])])
    ('errant beta:0.5', 'errant beta:1', 'gleu')
    """
    shared: dict[str, set[str]] = {}
    for name, settings in metrics:
        shared[name] = shared.get(name, {*settings}).intersection(settings)
    return tuple(
        " ".join([name, *(one for one in settings if one not in shared[name])]) for name, settings in metrics
    )


def main_label(metric: str, score: Score) -> str:
    """Return the title of the column of a metric's main value, without repeating the name of the metric."""
    main = score.scorer.main
    return metric if main == score.metric else f"{metric} {main}"


def by_metric(scores: Sequence[Score]) -> dict[str, list[Score]]:
    """Return the scores of all systems by the label of the metric."""
    found: dict[str, list[Score]] = {}
    for label, score in zip(labels_of(scores), scores, strict=True):
        found.setdefault(label, []).append(score)
    return found


def signatures_of(scores: Sequence[Score]) -> tuple[str, ...]:
    """Return the signature of each metric; if systems differ, as some were aligned, each with its systems."""
    lines: dict[str, None] = {}
    for own in by_metric(scores).values():
        systems: dict[str, list[str]] = {}
        for score in own:
            systems.setdefault(score.signature, []).append(score.hypothesis)
        several = len(systems) > 1
        lines |= {
            f"{line} ({', '.join(names)})" if several else line: None for line, names in systems.items()
        }
    return tuple(lines)


def warnings_of(scores: Sequence[Score]) -> tuple[str, ...]:
    """Return the distinct warnings of all scores; with several metrics, a metric's own warnings have its label."""
    labels = labels_of(scores)
    several = len({*labels}) > 1
    pairs = zip(labels, scores, strict=True)
    return tuple(
        dict.fromkeys(line for label, s in pairs for line in s.warnings_of(label if several else ""))
    )


def format_scores(
    scores: Sequence[Analysis], format: str = "text", types: bool = False, layout: Layout | None = None
) -> str:
    """Return scores in one of the formats, ending in a newline.

    Args:
        scores: The analyses of systems scored by one metric or several.
        format: ``text``, ``json``, ``tsv``, ``csv``, ``latex``, ``md`` or ``html``. JSON is one object, or a list
            of objects for several scores.
        types: Whether to add figures by type, in TSV as rows of the same table; JSON always has them.
        layout: The layout of figures; if None, 4 decimals and intervals in separate columns.

    Raises:
        UsageError: The format or a column is unknown, or the format does not support the layout.
    """
    layout = layout or Layout()
    layout.check(format)
    if format == "json":
        objects = [score_object(one) for one in scores]
        document = objects[0] if len(objects) == 1 else objects
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    bare = [one.score for one in scores]
    compared = _compared_types(scores, layout, format) if types else []
    if types and format in EXACT:
        return render([_joined(compared) if compared else long_table(scores, layout)], format)
    several = len(by_metric(bare)) > 1
    if format in PAPER:
        layout = replace(layout, marks=True)
    table = (metrics_table if several else score_table)(scores, layout)
    notes = list(table.notes)
    if format in PAPER:
        notes += [f"warning: {line}" for line in warnings_of(bare)]
    tables = []
    if types:
        untyped = [name for name, own in by_metric(bare).items() if not any(score.by_type for score in own)]
        notes += [f"metric {name!r} has no figures by type here" for name in untyped]
        tables = compared or _type_tables(scores, layout, named=several)
    return render([replace(table, notes=tuple(notes)), *tables], format)


def check_plans(scorers: Sequence[Scorer], format: str, per_sentence: str) -> bool:
    """Whether a metric gives transport plans.

    Args:
        scorers: The metrics.
        format: The format of the result.
        per_sentence: The format of the file of sentences; empty for none.

    Raises:
        UsageError: Neither format can hold plans.
    """
    wanted = any(getattr(scorer, "plans", False) for scorer in scorers)
    if wanted and format != "json" and per_sentence != "jsonl":
        raise UsageError("plans are written as JSON; add --format json, or --per-sentence FILE.jsonl")
    return wanted


def _named(layout: Layout, scores: Sequence[Score], mains: Mapping[str, str]) -> Layout:
    """Return a layout whose columns named like a metric are replaced by the column of its main value.

    Args:
        layout: The layout that the user asks for.
        scores: The scores; a name that is a count or value of theirs is not replaced.
        mains: The column of the main value by the name of the metric.
    """
    own = {name for score in scores for name in (*score.counts, *score.values)}
    columns = [name if name in own else mains.get(name, name) for name in layout.columns]
    return replace(layout, columns=tuple(columns))


def _type_tables(scores: Sequence[Analysis], layout: Layout, named: bool) -> list[Table]:
    """Return the table by type of each system and metric with types; ``named`` adds the metric to the title."""
    tables = []
    names = labels_of([one.score for one in scores])
    typed = {name for one, name in zip(scores, names, strict=True) if one.score.by_type}
    for one, name in zip(scores, names, strict=True):
        if name in typed:
            main = one.score.scorer.main
            table = type_table(one, _named(layout, [one.score], {name: main, f"{name} {main}": main}))
            tables.append(replace(table, title=f"{table.title}, {name}") if named else table)
    return tables


def sentence_lines(scores: Sequence[Score], format: str = "tsv") -> Iterator[str]:
    """Yield one line for each sentence of each system and metric; with several metrics a line names its metric.

    Args:
        scores: Systems scored by one or more metrics.
        format: One of ``SENTENCE_FORMATS``; ``jsonl`` is one JSON object per line.
    """
    if format == "jsonl":
        for score, of in zip(scores, _origins(scores), strict=True):
            for one in score.sentence_dicts():
                yield json.dumps({**of, **one}, ensure_ascii=False, allow_nan=False) + "\n"
        return
    header = [*_origins(scores)[0], "sentence", "chosen_hypothesis", "chosen_reference"]
    figures = [name for score in scores for name in (*score.counts, *score.values)]
    names = tuple(dict.fromkeys([*header, *figures]))
    yield render([Table(names, ())], format)
    for score, of in zip(scores, _origins(scores), strict=True):
        for one in score.sentence_dicts():
            row = {**of, **one, **one["counts"], **one["values"]}
            yield render([Table((), (tuple([row.get(name) for name in names]),))], format).partition("\n")[2]


def _origins(scores: Sequence[Score]) -> list[dict[str, Cell]]:
    """Return the columns that identify each score: the system, and the metric if there are several."""
    names = labels_of(scores)
    several = len(set(names)) > 1
    return [
        {"hypothesis": score.hypothesis, **({"metric": name} if several else {})}
        for score, name in zip(scores, names, strict=True)
    ]


def score_object(one: Analysis) -> dict[str, object]:
    """Return the JSON object that ``score`` and ``compare`` print for a score.

    It always has ``metric``, ``signature``, ``hypothesis``, ``sentences``, ``values``, ``counts``, ``by_type`` and
    ``warnings``; ``intervals``, ``comparisons``, ``differing_sentences``, ``ranking`` and ``per_sentence`` only if
    asked for.
    """
    fields: dict[str, Any] = one.score.to_dict()
    fields["by_type"] = {name: one.score.figures(row) for name, row in one.by_type.items()}
    if one.intervals:
        fields["intervals"] = plain(one.intervals)
    if one.comparisons:
        fields["comparisons"] = [comparison_object(comparison) for comparison in one.comparisons]
    if one.differing:
        fields["differing_sentences"] = plain(one.differing)
    if one.rank:
        fields["ranking"] = plain(one.rank)
    if one.per_sentence:
        fields["per_sentence"] = list(one.score.sentence_dicts())
    return fields


def comparison_object(comparison: Comparison) -> dict[str, Any]:
    """Return the JSON object that ``score`` prints for a comparison."""
    fields: dict[str, Any] = plain(comparison)
    del fields["hypothesis"]
    fields["by_type"] = fields.pop("types")
    return fields


def metrics_table(scores: Sequence[Analysis], layout: Layout) -> Table:
    """Return one row for each system: the main value of every metric, with intervals, p-values and ranks.

    Args:
        scores: The analyses of systems scored by several metrics.
        layout: The layout of figures.
    """
    labels = labels_of([one.score for one in scores])
    mains = {label: main_label(label, one.score) for label, one in zip(labels, scores, strict=True)}
    layout = _named(layout, (), mains)
    rows: dict[str, dict[str, Cell]] = {one.score.hypothesis: {} for one in scores}
    lower: dict[str, bool] = {}
    for metric, one, full in zip(labels, scores, _rows(scores, layout), strict=True):
        main, label = one.score.scorer.main, mains[metric]
        lower[label] = one.score.scorer.better_lower(main)
        wanted = {"hypothesis": "hypothesis", main: label}
        wanted |= {f"{main}_{end}": f"{label} {end}" for end in ("low", "high")}
        wanted |= {name: f"{label} {name}" for name in full if name.startswith("p_")}
        wanted |= {name: f"{metric} {name}" for name in ("trueskill", "expected_wins")}
        own = {title: full[name] for name, title in wanted.items() if name in full}
        rows[one.score.hypothesis] |= own
    return layout.arrange(_table(list(rows.values()), _notes(scores, layout)), lower)


def score_table(scores: Sequence[Analysis], layout: Layout) -> Table:
    """Return one row for each system: counts and values, with intervals, p-values and ranks.

    Args:
        scores: The analyses of systems scored by one metric.
        layout: The layout of figures.
    """
    first = scores[0].score
    layout = _named(layout, [one.score for one in scores], {first.metric: first.scorer.main})
    lower = {name: first.scorer.better_lower(name) for name in first.values}
    return layout.arrange(_table(_rows(scores, layout), _notes(scores, layout)), lower)


#: With fewer sentences, percentile intervals are too narrow: they cover the true value in less than 95 % of cases.
FEW = 50


def _notes(scores: Sequence[Analysis], layout: Layout) -> tuple[str, ...]:
    """Return the notes of a table: signatures, intervals, tests."""
    bare = [one.score for one in scores]
    notes = list(signatures_of(bare))
    notes += [f"{score.metric}: lower is better" for score in bare if score.scorer.lower_is_better]
    if any(one.intervals for one in scores):
        if layout.intervals:
            notes.append("intervals: 95 %, bootstrap over sentences")
        if (fewest := min(score.sentences for score in bare)) < FEW:
            notes.append(
                f"intervals: only {plural(fewest, 'sentence')}; with fewer than {FEW}, intervals contain the true "
                "value in less than 95 % of cases"
            )
    if layout != Layout():
        notes += mark_notes(scores)
    systems = _tested(scores)
    for one in scores if not layout.columns and not layout.marks else ():
        for comparison in one.comparisons:
            notes.append(
                f"p_{comparison.test}: {one.score.scorer.main} against {comparison.baseline}, two-sided, "
                f"{comparison.samples} samples, seed {comparison.seed}"
            )
            if systems > 1:
                notes.append(f"p_{comparison.test}_holm: corrected by Holm for {systems} systems")
    return tuple(dict.fromkeys(notes))


def long_table(scores: Sequence[Analysis], layout: Layout) -> Table:
    """Return one table with a row ``all`` and a row for each type of every system and metric.

    Args:
        scores: The analyses, as in :func:`format_scores`.
        layout: The layout, of which only the columns count.
    """
    rows: list[dict[str, Cell]] = []
    bare = [one.score for one in scores]
    for one, of in zip(scores, _origins(bare), strict=True):
        rows.append({**of, "type": ALL, **_score_row(one, Layout())})
        rows += [{**of, "type": name, **one.score.figures(row)} for name, row in one.by_type.items()]
    mains = {score.metric: score.scorer.main for score in bare}
    return chosen_columns(_table(rows), _named(layout, bare, mains).columns)


def type_table(one: Analysis, layout: Layout) -> Table:
    """Return one row for each type of one system: counts and values.

    Args:
        one: The analysis of the system.
        layout: The layout of figures; chosen columns that the table lacks are ignored.
    """
    score = one.score
    layout = layout.of_metric(score.scorer.needs_references)
    cells: list[tuple[Cell, ...]] = []
    for name, row in one.by_type.items():
        values = values_of(score.scorer, row).values()
        shown = values if layout.plain else map(layout.figure, values)
        cells.append((name, *counts_of(score.scorer, row).values(), *shown))
    table = Table(("type", *score.counts, *score.values), tuple(cells), title=score.hypothesis)
    return chosen_columns(table, [name for name in layout.columns if name in table.header])


def _table(rows: Sequence[dict[str, Cell]], notes: tuple[str, ...] = ()) -> Table:
    """Return rows of named cells as a table; missing cells are empty."""
    header = tuple(dict.fromkeys(name for row in rows for name in row))
    return Table(header, tuple(tuple(row.get(name) for name in header) for row in rows), notes=notes)


def _rows(scores: Sequence[Analysis], layout: Layout) -> list[dict[str, Cell]]:
    """Return the row of each score in the layout."""
    tested = _tested(scores) if not layout.marks or layout.columns else 0
    return [_score_row(one, layout.of_metric(one.score.scorer.needs_references), tested) for one in scores]


def _tested(scores: Sequence[Analysis]) -> int:
    """Return the number of systems that were tested against the baseline."""
    return len({comparison.hypothesis for one in scores for comparison in one.comparisons})


def _score_row(one: Analysis, layout: Layout, tested: int = 1) -> dict[str, Cell]:
    """Return the row of a score; p-values if systems were tested, corrected ones too if several were."""
    score, laid_out, marks = one.score, layout != Layout(), marks_of(one)
    row: dict[str, Cell] = {"hypothesis": score.hypothesis, **score.counts}
    for name, value in score.values.items():
        found = one.intervals.get(name)
        ends = (found.low, found.high) if found else None
        row[name] = layout.figure(value, ends, marks=marks.get(name, "")) if laid_out else figure_of(value)
        for place, end in zip(("low", "high"), ends if ends and not layout.intervals else (), strict=False):
            row[f"{name}_{place}"] = layout.figure(end) if laid_out else end
    for comparison in one.comparisons if tested else ():
        difference = comparison.differences[score.scorer.main]
        row[f"p_{comparison.test}"] = difference.p
        if tested > 1:
            row[f"p_{comparison.test}_holm"] = difference.p_corrected
    if one.rank:
        row |= asdict(one.rank)
    return row


def marks_of(extras: Analysis) -> dict[str, str]:
    """Return the marks of the values that differ significantly from those of the baseline."""
    marks: dict[str, str] = {}
    for comparison in extras.comparisons:
        for value, difference in comparison.differences.items():
            if difference.p_corrected < ALPHA:
                marks[value] = marks.get(value, "") + MARKS[comparison.test]
    return marks


def mark_notes(scores: Sequence[Analysis]) -> list[str]:
    """Return one line for each mark that explains its test."""
    systems = _tested(scores)
    correction = f", corrected by Holm for {systems} systems" if systems > 1 else ""
    lines = {
        one.test: f"{MARKS[one.test]}: differs from {one.baseline}, p < {ALPHA} (paired {one.test}, two-sided, "
        f"{one.samples} samples, seed {one.seed}{correction})"
        for own in scores
        for one in own.comparisons
    }
    return list(lines.values())


def _compared_types(scores: Sequence[Analysis], layout: Layout, format: str) -> list[Table]:
    """Return the comparison table of each metric whose systems were tested by type."""
    labels, tables = labels_of([one.score for one in scores]), []
    for metric in (metrics := dict.fromkeys(labels)):
        own = [one for one, label in zip(scores, labels, strict=True) if label == metric]
        comparisons = [comparison for one in own for comparison in one.comparisons]
        if comparisons and comparisons[0].types:
            table = comparison_table([one.score for one in own], comparisons, layout, format, own[0].level)
            tables.append(replace(table, title=metric if len(metrics) > 1 else ""))
    return tables


def _joined(tables: Sequence[Table]) -> Table:
    """Return tables as one, with their titles in a column ``metric`` if there are several."""
    return _table(
        [
            {**({"metric": table.title} if table.title else {}), **dict(zip(table.header, row, strict=True))}
            for table in tables
            for row in table.rows
        ]
    )


def comparison_table(
    scores: Sequence[Score],
    comparisons: Sequence[Comparison],
    layout: Layout | None = None,
    format: str = "text",
    level: int = FULL,
) -> Table:
    """Return a row for all types together and one for each type: the systems and their differences.

    Types with the smallest p-values come first.

    Args:
        scores: Systems scored by one metric.
        comparisons: The comparisons of these systems with the baseline.
        layout: The layout of figures; in TSV the ends of intervals have separate columns.
        format: The format of the table.
        level: The category level of the types.
    """
    scorer = scores[0].scorer
    layout = (layout or Layout()).of_metric(scorer.needs_references)
    of_types = [rows_by_category(score.by_type, level) for score in scores]
    types = sorted(
        comparisons[0].types, key=lambda name: (min(one.types[name].p for one in comparisons), name)
    )
    nothing: Row = (0,) * len(scorer.columns)
    rows = [_type_row(ALL, scores, [score.total for score in scores], layout)]
    rows += [_type_row(name, scores, [own.get(name, nothing) for own in of_types], layout) for name in types]
    several = {
        "hypothesis": len({one.hypothesis for one in comparisons}) > 1,
        "test": len({one.test for one in comparisons}) > 1,
    }
    for one in comparisons:
        end = "".join(f" {getattr(one, name)}" for name, shown in several.items() if shown)
        differences = [one.differences[scorer.main], *(one.types[name] for name in types)]
        for row, difference in zip(rows, differences, strict=True):
            cells = _difference(one, difference, layout, format)
            row |= {f"{name}{end}": cell for name, cell in cells.items()}
    notes = _test_notes(scores, comparisons)
    return Table(tuple(rows[0]), tuple([tuple(row.values()) for row in rows]), notes=tuple(notes))


def _type_row(name: str, scores: Sequence[Score], totals: Sequence[Row], layout: Layout) -> dict[str, Cell]:
    """Return the cells of all systems for one type: the number of reference edits, and the main value."""
    scorer, row = scores[0].scorer, dict[str, Cell](type=name)
    for score, total in zip(scores, totals, strict=True):
        support = support_of(scorer, total)
        if support is not None:
            row[f"n {score.hypothesis}"] = int(support) if support.is_integer() else support
    # By convention 0/0 is 1 in many metrics, which would be misleading for a type without edits.
    figures: list[Cell] = [
        layout.figure(values_of(scorer, total)[scorer.main]) if name == ALL or any(total) else None
        for total in totals
    ]
    if layout.bold_best:
        figures = layout.best(figures, scorer.lower_is_better)
    return row | dict(zip([score.hypothesis for score in scores], figures, strict=True))


def _difference(one: Comparison, difference: Difference, layout: Layout, format: str) -> dict[str, Cell]:
    ends = difference.low, difference.high
    if format.startswith("tsv"):
        row: dict[str, Cell] = {"difference": difference.value, "low": ends[0], "high": ends[1]}
    else:
        shown = replace(layout, intervals=layout.intervals or "brackets")
        marks = MARKS[one.test] if difference.p_corrected < ALPHA else ""
        row = {"difference": shown.figure(difference.value, ends, marks=marks, signed=True)}
    nothing = math.isnan(difference.value)
    row["p"] = None if nothing else difference.p
    if one.correction != "none":
        row[f"p_{one.correction}"] = None if nothing else difference.p_corrected
    return row


def _test_notes(scores: Sequence[Score], comparisons: Sequence[Comparison]) -> list[str]:
    first, main = comparisons[0], scores[0].scorer.main
    notes = [
        scores[0].signature + (" (lower is better)" if scores[0].scorer.lower_is_better else ""),
        f"difference: {main} minus that of {first.baseline}, with a 95 % bootstrap interval",
    ]
    others = len({one.hypothesis for one in comparisons})
    tests = [f"{len(first.types)} types"] * bool(first.types) + [f"{others} systems"] * (others > 1)
    for one in {one.test: one for one in comparisons}.values():
        notes.append(f"p: paired {one.test}, two-sided, {one.samples} samples, seed {one.seed}")
        if one.correction == "none":
            notes.append(f"{MARKS[one.test]}: p < {ALPHA}, not corrected for the number of tests")
            continue
        if tests:
            name = CORRECTIONS[one.correction]
            notes.append(f"p_{one.correction}: p corrected by {name} over {' and '.join(tests)}")
        notes.append(f"{MARKS[one.test]}: p_{one.correction} < {ALPHA}")
    if not first.types:
        notes.append(f"metric {scores[0].metric!r} has no figures by type here")
    return list(dict.fromkeys(notes))
