"""Running a study and writing its results: tables, plots, figures as JSON, and a manifest."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from jperrant.cluster.workers import crew_of
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.store import held
from jperrant.core.tables import EXACT, Cell, Figure, Layout, Table, plain, render
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.score_tables import PAPER, comparison_object, comparison_table
from jperrant.evaluation.studies.run import Reporter, StudyResult, run_steps
from jperrant.evaluation.studies.study_file import Study, read_study
from jperrant.io.files import UNFINISHED, open_output, reason
from jperrant.reporting.html.page import shade_ends
from jperrant.reporting.meta_tables import meta_tables
from jperrant.reporting.plots.figure import (
    Plot,
    check_plots,
    draw_heat_map,
    finished,
    fitted,
    name_labels,
    new_axes,
    new_figure,
)
from jperrant.reporting.plots.meta_plots import meta_plots
from jperrant.reporting.plots.scores import plots_of
from jperrant.reporting.study_tables import SUPPORT, StudyTables

MANIFEST, RESULTS = "manifest.json", "results.json"
#: The file extension of each format of tables.
FORMATS = {
    "text": "txt", "md": "md", "latex": "tex", "tsv": "tsv", "csv": "csv", "html": "html",
}  # fmt: skip
_PLAIN = re.compile(r"[^\w.+-]+")


def run_study(
    file: str | Path,
    out: str | Path,
    *,
    folders: Mapping[str, str] | None = None,
    jobs: int = 1,
    report: Reporter | None = None,
    cluster: str | None = None,
) -> StudyResult:
    """Run a study and write its output; results that were computed before are reused.

    Args:
        file: The study file.
        out: The folder of the output; it is created if it is missing.
        folders: The folders that the study file names without a path, by name.
        jobs: The number of processes; the output does not depend on it.
        report: A function that gets each finished step and the seconds it took, or None if its result was reused.
        cluster: The address of Dask's scheduler or its file, for workers of Dask.

    Returns:
        The results.

    Raises:
        InputError: The study file is invalid, or a file cannot be used; names file and line.
        UsageError: An output would overwrite an input, or the number of processes is impossible.
        MissingError: A model or a package is missing.

    Example:
        >>> result = jperrant.run_study("study.yaml", "out/")
        >>> result.scores["en"]["errant"]["my system"].values["f"]
    """
    study, folder = read_study(file, folders), Path(out)
    if {"heatmap", "systems"} & {*study.plots} or ("human" in study.plots and study.human):
        check_plots()
    _prepare(folder, study)
    with held(folder):
        for path in folder.rglob(".*.part"):  # left by a run that was killed
            if UNFINISHED.fullmatch(path.name):
                path.unlink(missing_ok=True)
        with crew_of(cluster, jobs) as crew:
            result = run_steps(study, folder, crew, report)
        write_study(result)
    return result


def write_study(result: StudyResult) -> None:
    """Write the output of a study; files of an earlier run that it no longer has are removed.

    Args:
        result: The results.

    Raises:
        InputError: A file cannot be written.
    """
    files: dict[str, str] = {}
    for name, text in _files(result):
        files[_unique(name, files)] = text
    written = {name: hashlib.sha256(text.encode("utf-8")).hexdigest() for name, text in files.items()}
    _remove_old(result.folder, written)
    files[MANIFEST] = _json(manifest(result, written))
    for name, text in files.items():
        path = result.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path.parent}: the folder cannot be created ({reason(error)})") from None
        with open_output(str(path)) as stream:
            stream.write(text)


def overview(result: StudyResult) -> str:
    """Return the main tables: systems by language for each metric, or the systems of a single dataset."""
    tables = StudyTables(result, result.study.shown)
    shown = [table for _, _, table in tables.tables(["languages" if tables.several else "systems"])]
    for found in result.human.values():
        shown += meta_tables(found, result.study.shown)
    return render(shown, "text")


def described(study: Study) -> str:
    """Return a summary of a study in one line, ending in a newline."""
    systems = {name for dataset in study.datasets.values() for name in dataset.systems}
    counted = {
        "dataset": study.datasets, "system": systems, "metric": study.metrics, "comparison": study.comparisons,
        "judged data set": study.human,
    }  # fmt: skip
    return f"{study.file}: {', '.join(plural(len(own), what) for what, own in counted.items() if own)}\n"


def manifest(result: StudyResult, outputs: Mapping[str, str]) -> dict[str, Any]:
    """Return what the figures depend on: versions, checksums of inputs, signatures, keys of steps, outputs.

    It holds no times, so that the same study gives the same bytes.

    Args:
        result: The results.
        outputs: The checksum of each file that was written.
    """
    return {
        "title": result.study.name,
        "versions": result.versions,
        "seed": result.study.seed,
        "inputs": [{"file": file.written, "sha256": file.checksum} for file in result.study.inputs()],
        "signatures": {
            dataset: {metric: sorted({s.signature for s in own.values()}) for metric, own in scores.items()}
            for dataset, scores in result.scores.items()
        },
        "steps": [{"step": str(step), "key": step.key} for step in result.steps],
        "warnings": result.warnings(),
        "outputs": dict(outputs),
    }


def results_object(result: StudyResult) -> dict[str, Any]:
    """Return all figures of a study, ready for JSON: by dataset, metric and system, and the macro averages."""
    study, scored = result.study, result.scores.items()
    return {
        "title": study.name,
        "datasets": {
            name: {
                "lang": study.datasets[name].lang,
                "scores": {
                    metric: {system: _score(result, name, metric, system) for system in own}
                    for metric, own in scores.items()
                },
            }
            for name, scores in scored
        },
        "macro": {metric: plain(result.macro(metric)) for metric in study.metrics if scored},
        "human": {name: found.to_dict() for name, found in result.human.items()},
        "comparisons": [
            {"dataset": c.dataset, "metric": c.metric, "hypothesis": one.hypothesis, **comparison_object(one)}
            for c in result.comparisons
            for one in c.comparisons
        ],
    }


def _score(result: StudyResult, dataset: str, metric: str, system: str) -> dict[str, Any]:
    record = result.scores[dataset][metric][system].to_dict()
    if ends := result.intervals.get((dataset, metric, system)):
        record["intervals"] = plain(ends)
    return record


def _files(result: StudyResult) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every file except the manifest."""
    study = result.study
    for format in study.formats:
        for name, tables in _tables(result, format):
            yield f"tables/{name}.{FORMATS[format]}", render(tables, format)
    yield from _plots(result)
    yield RESULTS, _json(results_object(result))


def _tables(result: StudyResult, format: str) -> Iterator[tuple[str, list[Table]]]:
    """Yield the name and the tables of every file of tables in a format."""
    wanted, layout = result.study.tables, result.study.shown
    lines = [f"warning: {line}" for line in result.warnings()] if format in PAPER else []
    if format in EXACT:
        layout = Layout()
    elif format == "text":  # which has nothing bold
        layout = replace(layout, bold_best=False)
    for kind, about, table in StudyTables(result, layout).tables(wanted):
        told = lines if kind != "groups" else []
        if kind in ("systems", "types"):
            told = [line for line in lines if line.startswith(f"warning: {about}: ")]
        yield file_name(kind, about), [replace(table, notes=(*table.notes, *told))]
    for name, found in result.human.items() if "human" in wanted else ():
        tables = meta_tables(found, layout)
        if format not in EXACT:
            yield file_name("human", name), tables
        else:  # one table in a file
            yield from ((file_name("human", name, str(n)), [one]) for n, one in enumerate(tables, start=1))
    for one in result.comparisons if "comparisons" in wanted else ():
        name = file_name("comparison", one.dataset, one.name, one.metric)
        yield name, [comparison_table(one.scores, one.comparisons, layout, format)]


def _plots(result: StudyResult) -> Iterator[tuple[str, str]]:
    """Yield the plots: tables of all datasets, each dataset's scores, and metrics against human scores."""
    drawn: list[tuple[str, str, Plot]] = []
    tables = StudyTables(result, Layout())
    if "heatmap" in result.study.plots and tables.several:
        for kind, about, table in tables.tables(["languages", "groups"]):
            drawn.append(("heatmap", about, _heat_map(table, kind)))
    for dataset in result.scores if "systems" in result.study.plots else ():
        scores = Scores(one for own in result.scores[dataset].values() for one in own.values())
        plots = plots_of(scores, samples=result.study.intervals, seed=result.study.seed)
        drawn += [("systems", dataset, plot) for plot in plots]
    for name, found in result.human.items() if "human" in result.study.plots else ():
        drawn += [("human", name, plot) for plot in meta_plots(found)]
    for kind, about, plot in drawn:
        name = file_name(kind, about, plot.name)
        yield f"plots/{name}.svg", plot.to_bytes("svg").decode("utf-8")
    if notes := [f"{about}, {plot.name}: {note}\n" for _, about, plot in drawn for note in plot.notes]:
        yield "plots/notes.txt", "".join(notes)


def _heat_map(table: Table, name: str) -> Plot:
    """Return the figures of a table as a heat map; the numbers of edits are left out."""
    places = [n for n, name in enumerate(table.header) if n and name != SUPPORT]
    values = np.array([[_figure_of(row[n]) for n in places] for row in table.rows])
    figure = new_figure("text", 0.25 * len(values) + 0.9)
    rows = fitted([str(row[0]) for row in table.rows], 1.5)
    columns = name_labels([table.header[n] for n in places])
    draw_heat_map(new_axes(figure), values, rows, columns, shade_ends(values.flat), title=table.title)
    return finished(figure, name, table.title)


def _figure_of(cell: Cell) -> float:
    """Return the figure of a cell; NaN for counts and text."""
    value = cell.value if isinstance(cell, Figure) else cell
    return value if isinstance(value, float) else math.nan


def file_name(*parts: str) -> str:
    """Return parts as the name of a file, cut to the number of bytes that file systems allow.

    >>> file_name("types", "a/b: c")
    'types-a_b_c'
    """
    name = "-".join(_PLAIN.sub("_", part).strip("._") or "_" for part in parts if part)
    return name.encode("utf-8")[:150].decode("utf-8", "ignore")


def _unique(name: str, taken: Iterable[str]) -> str:
    """Return a file name that is not taken, ignoring case; a number is added if needed."""
    path, lower = Path(name), {one.lower() for one in taken}
    stem, dot, ending = path.name.partition(".")
    names = (path.with_name(f"{stem}-{number}{dot}{ending}").as_posix() for number in count(2))
    return next(one for one in chain([name], names) if one.lower() not in lower)


def _prepare(folder: Path, study: Study) -> None:
    """Make the folder of the output, before anything is computed.

    Raises:
        UsageError: An input is in it, where an output could overwrite it.
        InputError: The folder cannot be made.
    """
    for file in study.inputs():
        if file.path.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                f"{file.written} is in {folder}, where the output goes and could overwrite it; give another folder "
                "with -o"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: the folder cannot be created ({reason(error)})") from None


def _remove_old(folder: Path, written: Mapping[str, str]) -> None:
    """Remove unchanged files of an earlier manifest that are no longer written."""
    old: dict[str, str] = {}
    with suppress(OSError, ValueError, KeyError, TypeError):
        old = dict(json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["outputs"])
    for name in old.keys() - written.keys():
        path = folder / name
        inside = path.resolve().is_relative_to(folder.resolve())
        if inside and path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == old[name]:
            path.unlink()


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
