"""The pages of a study: one for each dataset, and an index with the tables of all languages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from jperrant.core.errors import InputError
from jperrant.core.layout import Layout
from jperrant.core.messages import plural
from jperrant.core.tables import Cell, Figure, Table
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.studies.crosslingual import GroupedScores, groups_of_labels
from jperrant.evaluation.studies.files import InputFile as StudyInput
from jperrant.evaluation.studies.run import StudyResult
from jperrant.evaluation.studies.study_file import Dataset
from jperrant.packs.groups import common_groups
from jperrant.reporting.html.glossary import labels_of
from jperrant.reporting.html.inputs import InputFile, input_file
from jperrant.reporting.html.page import render_page
from jperrant.reporting.html.report import SAMPLES, ReportOptions, report_of
from jperrant.reporting.meta import meta_tables
from jperrant.reporting.study_tables import StudyTables

INDEX = "index.html"
_STEPS = 10


@dataclass(frozen=True, slots=True)
class PageCell:
    """A cell of a table: its text, its interval, its shade from 0 to 10 if it has one, whether it is the best."""

    text: str
    interval: str = ""
    step: int | None = None
    best: bool = False


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table of the index.

    Attributes:
        title, header, rows, notes: As of :class:`jperrant.core.tables.Table`.
        shaded: Whether its figures are shaded.
        links: Pages that columns lead to.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[PageCell, ...], ...]
    notes: tuple[str, ...]
    shaded: bool
    links: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the index: its anchor, its title, a sentence about it, and its tables."""

    name: str
    title: str
    about: str
    tables: tuple[PageTable, ...]


@dataclass(frozen=True, slots=True)
class DatasetLine:
    """What the index says of a dataset."""

    name: str
    file: str
    language: str
    sentences: int
    references: int
    systems: tuple[str, ...]


def study_pages(
    result: StudyResult, groups: GroupedScores | None, names: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every page; the index is the last.

    Args:
        result: The results of the study.
        groups: The scores by group of error types; None if no metric knows types.
        names: The file of each dataset's page.
    """
    lines, shared = [], common_groups()
    for name, dataset in result.study.datasets.items():
        pairs = pairs_of(result, name)
        lines.append(_line(name, dataset, pairs, names[name]))
        options = ReportOptions(
            title=name,
            lang=_known(dataset.lang),
            pack=dataset.pack,
            samples=result.study.intervals or SAMPLES,
            seed=result.study.seed,
            up=INDEX,
            groups=groups_of_labels(dataset, shared),
        )
        yield (
            names[name],
            report_of(result.of_dataset(name), pairs, options, list(_inputs(result, dataset))).html,
        )
    yield INDEX, _index(result, groups, lines)


def pairs_of(result: StudyResult, dataset: str) -> list[Pair]:
    """Return the systems of a dataset with their references, as the metrics had them.

    Raises:
        InputError: A file, or a result, is gone.
    """
    scorers = [result.plan.scorer(label, dataset) for label in result.study.labels(dataset)]
    scorer = next((one for one in scorers if one.needs_references), scorers[0])
    return result.pairs(dataset, list(result.study.datasets[dataset].systems), scorer)


def _line(name: str, dataset: Dataset, pairs: Sequence[Pair], file: str) -> DatasetLine:
    references = pairs[0].references
    annotators = {a.annotator for block in references for a in annotations_of(block)}
    sentences = len(references or pairs[0].hypothesis)
    known = _known(dataset.lang)
    language = str(labels_of(known, None, ())["name"]) if known else dataset.lang
    return DatasetLine(name, file, language, sentences, len(annotators), tuple(dataset.systems))


def _known(lang: str) -> str | None:
    """Return a language if there is a pack for it; studies may be of others, too."""
    try:
        labels_of(lang or None, None, ())
    except InputError:
        return None
    return lang or None


def _inputs(result: StudyResult, dataset: Dataset) -> Iterator[InputFile]:
    def named(role: str, file: StudyInput) -> InputFile:
        return replace(input_file(role, result.copy(file)), name=file.written)

    yield from (named("system", system.file) for system in dataset.systems.values())
    yield from (named("references", file) for file in dataset.references)
    if dataset.source:
        yield named("source", dataset.source)


def _index(result: StudyResult, groups: GroupedScores | None, lines: Sequence[DatasetLine]) -> str:
    study = result.study
    title = study.title or study.file.stem
    systems = {system for line in lines for system in line.systems}
    return render_page(
        "study.html",
        title=title,
        styles=["report.css"],
        lead=f"{plural(len(lines), 'dataset')}, {plural(len(systems), 'system')}, "
        f"{plural(len(study.metrics), 'metric')}",
        warnings=result.warnings(),
        datasets=lines,
        sections=list(_sections(result, groups, {line.name: line.file for line in lines})),
        inputs=[(file.written, file.checksum) for file in study.inputs()],
        versions=result.plan.versions,
    )


def _sections(result: StudyResult, groups: GroupedScores | None, links: dict[str, str]) -> Iterator[Section]:
    tables = StudyTables(result, groups, Layout(intervals="brackets", decimals=3))
    metrics = tables.metric_labels()
    if tables.several:
        of_metrics = tuple(_shaded(tables.languages(metric), links) for metric in metrics)
        about = "Every metric by system and dataset; the stronger its shade, the higher the value."
        yield Section("languages", "Systems by dataset", about, of_metrics)
        if len(metrics) > 1:
            yield Section("metrics", "Macro averages", "", (_plain(tables.metrics(), links),))
        if groups is not None:
            of_systems = tuple(_shaded(tables.of_groups(system), links) for system in tables.systems())
            about = "Error types in the groups that all languages share."
            yield Section("groups", "Groups of error types", about, of_systems)
    elif links:
        own = tuple(_plain(tables.of_dataset(name), links) for name in links)
        yield Section("systems", "Systems", "", own)
    if result.comparisons:
        yield Section("comparisons", "Comparisons", "", (_plain(tables.comparisons(), links),))
    if result.human:
        about = "Metrics against the judgements of people."
        people = [table for found in result.human.values() for table in meta_tables(found)]
        yield Section("human", "Metrics and people", about, tuple(_plain(table, links) for table in people))


def _plain(table: Table, links: dict[str, str]) -> PageTable:
    rows = tuple(tuple(_cell(cell, None) for cell in row) for row in table.rows)
    return PageTable(table.title, table.header, rows, table.notes, False, links)


def _shaded(table: Table, links: dict[str, str]) -> PageTable:
    """Return a table whose figures, but for counts, are shaded from the lowest to the highest."""
    known = [value for row in table.rows for cell in row[1:] if (value := _value(cell)) is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    low, high = (0.0, 1.0) if low >= 0 and high <= 1 else (low, high)
    rows = tuple(tuple(_cell(cell, (low, high)) for cell in row) for row in table.rows)
    return PageTable(table.title, table.header, rows, table.notes, True, links)


def _value(cell: Cell) -> float | None:
    """Return a figure that is no count; None for everything else."""
    value = cell.value if isinstance(cell, Figure) else cell if isinstance(cell, float) else None
    return None if value is None or math.isnan(value) else value


def _cell(cell: Cell, ends: tuple[float, float] | None) -> PageCell:
    value = _value(cell)
    if value is None:
        return PageCell("" if cell is None or cell != cell else str(cell))
    share = (value - ends[0]) / (ends[1] - ends[0]) if ends and ends[1] > ends[0] else 0.0
    step = round(share * _STEPS) if ends else None
    if not isinstance(cell, Figure):
        return PageCell(f"{value:.3f}", "", step)
    text, _, interval = cell.text.partition(" [")
    return PageCell(text + cell.marks, interval.rstrip("]").replace(", ", " – "), step, cell.bold)
