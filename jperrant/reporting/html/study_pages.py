"""The pages of a study: one for each dataset, and an index with the tables of all languages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jperrant.core.errors import InputError
from jperrant.core.messages import plural
from jperrant.core.tables import Cell, Figure, Layout, Table
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.score_tables import comparison_table
from jperrant.evaluation.studies.run import StudyResult, groups_of_labels
from jperrant.packs.read import common_groups
from jperrant.reporting.html.page import labels_of, render_page, shade_ends
from jperrant.reporting.html.report import SAMPLES, ReportOptions, input_file, report_of
from jperrant.reporting.meta import meta_tables
from jperrant.reporting.study_tables import StudyTables

INDEX = "index.html"
#: The sections of the index: title, a sentence about them, and whether figures are shaded.
_SECTIONS = {
    "languages": (
        "Systems by dataset", "The stronger its shade, the higher a value.", True,
    ),
    "metrics": ("Macro averages", "", False),
    "groups": ("Groups of error types", "Error types in the groups that all languages share.", True),
    "systems": ("Systems", "", False),
    "comparisons": ("Comparisons", "Each system beside the first one, by error type.", False),
    "human": ("Metrics and people", "Metrics against the judgements of people.", False),
}  # fmt: skip


def study_pages(result: StudyResult, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every page; the index is the last.

    Args:
        result: The results of the study.
        names: The file of each dataset's page.
    """
    lines, shared, study = [], common_groups(), result.study
    for name, dataset in study.datasets.items():
        pairs, known = result.pairs(name), _known(dataset.lang)
        lines.append(_line(name, pairs, known, names[name]) | {"systems": [*dataset.systems]})
        options = ReportOptions(
            title=name,
            lang=known,
            samples=study.intervals or SAMPLES,
            seed=study.seed,
            up=INDEX,
            groups=groups_of_labels(dataset, shared),
        )
        files = [("system", one.file) for one in dataset.systems.values()]
        files += [("references", file) for file in dataset.references]
        files += [("source", dataset.source)] if dataset.source else []
        inputs = [replace(input_file(role, file.path), name=file.written) for role, file in files]
        yield names[name], report_of(result.of_dataset(name), pairs, options, inputs).html
    systems = {system for dataset in study.datasets.values() for system in dataset.systems}
    counted = {"dataset": lines, "system": systems, "metric": study.metrics}
    index = render_page(
        "study.html",
        title=study.name,
        styles=["report.css"],
        lead=", ".join(plural(len(own), what) for what, own in counted.items()),
        warnings=result.warnings(),
        datasets=lines,
        links=names,
        sections=list(_sections(result)),
        inputs=[(file.written, file.checksum) for file in study.inputs()],
        versions=result.versions,
    )
    yield INDEX, index


def _line(name: str, pairs: Sequence[Pair], lang: str | None, file: str) -> dict[str, Any]:
    """Return what the index says of a dataset."""
    references = pairs[0].references
    annotators = {a.annotator for block in references for a in annotations_of(block)}
    return {
        "name": name,
        "file": file,
        "language": labels_of(lang, None, ()).name if lang else "",
        "sentences": len(references or pairs[0].hypothesis),
        "references": len(annotators),
    }


def _known(lang: str) -> str | None:
    """Return a language if there is a pack for it; studies may be of others, too."""
    try:
        labels_of(lang or None, None, ())
    except InputError:
        return None
    return lang or None


def _sections(result: StudyResult) -> Iterator[dict[str, Any]]:
    """Yield the sections of the index, each with its tables."""
    tables = StudyTables(result, Layout(intervals="brackets", decimals=3))
    wanted = ["languages", "metrics", "groups"] if tables.several else ["systems"]
    found: dict[str, list[Table]] = {}
    for kind, _, table in tables.tables(wanted):
        found.setdefault(kind, []).append(table)
    for one in result.comparisons:
        table = comparison_table(one.scores, one.comparisons, tables.layout)
        found.setdefault("comparisons", []).append(
            replace(table, title=f"{one.dataset}: {one.name}, {one.metric}")
        )
    for people in result.human.values():
        found.setdefault("human", []).extend(meta_tables(people))
    for kind, own in found.items():
        title, about, shaded = _SECTIONS[kind]
        shown = [(table, shade_ends(figure_of(cell) for row in table.rows for cell in row)) for table in own]
        yield {"name": kind, "title": title, "about": about, "shaded": shaded, "tables": shown}


def figure_of(cell: Cell) -> float:
    """Return a figure that is no count; not a number for everything else."""
    value = cell.value if isinstance(cell, Figure) else cell
    return value if isinstance(value, float) else math.nan
