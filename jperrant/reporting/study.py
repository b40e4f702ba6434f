"""Running a study and writing what it found: tables, plots, figures as JSON, and a manifest."""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from jperrant.cluster.processes import crew_of
from jperrant.core.errors import InputError, UsageError
from jperrant.core.layout import Layout
from jperrant.core.messages import plural
from jperrant.core.store import held
from jperrant.core.tables import EXACT, Table, render
from jperrant.evaluation.score_tables import PAPER, comparison_object, comparison_table
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.studies.crosslingual import grouped_scores, macro_averages
from jperrant.evaluation.studies.run import Reporter, StudyResult, run_steps
from jperrant.evaluation.studies.study_file import Study, read_study
from jperrant.io.files import open_output, reason
from jperrant.reporting.heat_map import heat_map_of, heat_map_svg, shaded_text
from jperrant.reporting.html.study_pages import INDEX, study_pages
from jperrant.reporting.meta import meta_tables
from jperrant.reporting.plots.figure import check_plots
from jperrant.reporting.plots.meta import meta_plots
from jperrant.reporting.plots.scores import plots_of
from jperrant.reporting.study_tables import MACRO, StudyTables

MANIFEST, RESULTS = "manifest.json", "results.json"
#: The ending of each format of tables.
FORMATS = {
    "text": "txt", "md": "md", "latex": "tex", "tsv": "tsv", "tsv-safe": "safe.tsv", "csv": "csv", "html": "html",
}  # fmt: skip
_PLAIN = re.compile(r"[^\w.+-]+")
#: What io.output calls a file before it has its name.
_UNFINISHED = re.compile(r"\..*\.[0-9a-f]{16}\.part")


def run_study(
    file: str | Path,
    out: str | Path,
    *,
    folders: Mapping[str, str] | None = None,
    jobs: int = 1,
    report: Reporter | None = None,
    cluster: str | None = None,
) -> StudyResult:
    """Run a study and write its output; what was computed before is used again.

    Args:
        file: The study file.
        out: The folder of the output; made if it is missing.
        folders: Folders that the study file leaves open, by name.
        jobs: The number of processes; the output does not depend on it.
        report: Told of each step when its result is there, with the seconds it took, or None if it was there.
        cluster: ``local``, or the address of Dask's scheduler or its file, for workers of Dask.

    Returns:
        The results.

    Raises:
        InputError: The study file is wrong, or a file cannot be used; names file and line.
        UsageError: An output would overwrite an input, or an impossible number of processes.
        MissingError: A model or a package is missing.

    Example:
        >>> result = jperrant.run_study("study.yaml", "out/")
        >>> result.scores["en"]["errant"]["my system"].values["f"]
    """
    study = read_study(file, folders)
    layout_of(study)
    if "systems" in study.plots or _draws_people(study):
        check_plots()
    folder = Path(out)
    _prepare(folder, study)
    with held(folder):
        _remove_unfinished(folder)
        try:
            with crew_of(cluster, jobs) as crew:
                result = run_steps(study, folder, crew, report)
            write_study(result, folder)
        finally:
            shutil.rmtree(folder / "steps" / "inputs", ignore_errors=True)
    return result


def layout_of(study: Study) -> Layout:
    """Return how figures are shown.

    Raises:
        UsageError: The layout is impossible.
    """
    return Layout(**study.layout.model_dump())


def write_study(result: StudyResult, folder: Path) -> None:
    """Write the output of a study; files of an earlier run that it no longer has are removed.

    Args:
        result: The results.
        folder: Where it goes.

    Raises:
        UsageError: An output would overwrite an input.
        InputError: A file cannot be written.
    """
    inputs = [str(file.path) for file in result.study.inputs()]
    files = _named(_files(result))
    for name, text in files.items():
        _write(folder / name, text, inputs)
    written = {name: hashlib.sha256(text.encode("utf-8")).hexdigest() for name, text in files.items()}
    _remove_old(folder, written)
    _write(folder / MANIFEST, _json(manifest(result, written)), inputs)


def overview(result: StudyResult) -> str:
    """Return the tables that say most: systems by language for each metric, or the systems of the one dataset."""
    tables = StudyTables(result, None, layout_of(result.study))
    layout = layout_of(result.study)
    if tables.several:
        shown = [tables.languages(metric) for metric in tables.metric_labels()]
    else:
        shown = [tables.of_dataset(name) for name in result.study.datasets]
    for found in result.human.values():
        shown += meta_tables(found, layout)
    return render(shown, "text")


def described(study: Study) -> str:
    """Return in one line what a study holds, ending in a newline."""
    systems = len({name for dataset in study.datasets.values() for name in dataset.systems})
    parts = [
        plural(len(study.datasets), "dataset"),
        plural(systems, "system"),
        plural(len(study.metrics), "metric"),
        *([plural(len(study.comparisons), "comparison")] if study.comparisons else []),
        *([f"{plural(len(study.human), 'comparison')} with people"] if study.human else []),
    ]
    return f"{study.file}: {', '.join(parts)}\n"


def manifest(result: StudyResult, outputs: Mapping[str, str]) -> dict[str, Any]:
    """Return what the figures depend on: versions, checksums of inputs, signatures, keys of steps, and outputs.

    There is no time in it, so that the same study gives the same bytes.

    Args:
        result: The results.
        outputs: The checksum of each file that was written.
    """
    return {
        "title": result.study.title or result.study.file.stem,
        "versions": result.plan.versions,
        "seed": result.study.seed,
        "inputs": [{"file": file.written, "sha256": file.checksum} for file in result.study.inputs()],
        "signatures": {
            dataset: {metric: sorted({s.signature for s in own.values()}) for metric, own in scores.items()}
            for dataset, scores in result.scores.items()
        },
        "steps": [{"step": str(step), "key": step.key} for step in result.plan.steps],
        "warnings": result.warnings(),
        "outputs": dict(outputs),
    }


def results_object(result: StudyResult) -> dict[str, Any]:
    """Return all figures of a study, ready for JSON: by dataset, metric and system, and the macro averages."""
    return {
        "title": result.study.title or result.study.file.stem,
        "datasets": {
            name: {
                "lang": result.study.datasets[name].lang,
                "scores": {
                    metric: {system: _score(result, name, metric, system) for system in own}
                    for metric, own in scores.items()
                },
            }
            for name, scores in result.scores.items()
        },
        "macro": {
            metric: {system: _known(value) for system, value in macro_averages(result, metric).items()}
            for metric in dict.fromkeys(metric for own in result.scores.values() for metric in own)
        },
        "human": {name: found.to_dict() for name, found in result.human.items()},
        "comparisons": [
            {"dataset": c.dataset, "metric": c.metric, "hypothesis": one.hypothesis, **comparison_object(one)}
            for c in result.comparisons
            for one in c.comparisons
        ],
    }


def _score(result: StudyResult, dataset: str, metric: str, system: str) -> dict[str, Any]:
    record = result.scores[dataset][metric][system].to_dict()
    ends = result.intervals.get((dataset, metric, system), {})
    if ends:
        record["intervals"] = {
            name: {"low": _known(i.low), "high": _known(i.high), "mean": _known(i.mean)}
            for name, i in ends.items()
        }
    return record


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _named(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return texts by file name."""
    named: dict[str, str] = {}
    for name, text in files:
        named[_unique(name, named)] = text
    return named


def _unique(name: str, taken: Iterable[str]) -> str:
    """Return a file name that is not taken, also where capitals do not count; it gets a number if need be."""
    folder, _, file = name.rpartition("/")
    stem, dot, ending = file.partition(".")
    names = (f"{folder}/{stem}-{number}{dot}{ending}".lstrip("/") for number in count(2))
    lower = {one.lower() for one in taken}
    return next(one for one in chain([name], names) if one.lower() not in lower)


def _files(result: StudyResult) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every file, but for the manifest."""
    study = result.study
    for step in result.plan.steps:
        if step.kind == "annotate":
            m2, _ = result.of(step)
            subject = f"{step.subject}{step.number}" if step.number else step.subject
            yield f"m2/{file_name(step.dataset, subject)}.m2", m2
    groups, layout = grouped_scores(result), layout_of(study)
    tables, exact = StudyTables(result, groups, layout), StudyTables(result, groups, Layout())
    for format in study.formats:
        own = exact if format in EXACT else tables
        for kind, about, table in own.tables():
            told = _told(result, kind, about) if format in PAPER else []
            fitted = _fit(table, format)
            shown = replace(fitted, notes=(*fitted.notes, *told))
            yield f"tables/{file_name(kind, *about)}.{FORMATS[format]}", render([shown], format)
        if "human" in study.tables:
            yield from _human_tables(result, format, layout)
        if "comparisons" in study.tables:
            for compared in result.comparisons:
                name = file_name("comparison", compared.dataset, compared.name, compared.metric)
                own_layout = _fit_layout(layout, format)
                table = comparison_table(compared.scores, compared.comparisons, own_layout, format)
                yield f"tables/{name}.{FORMATS[format]}", render([table], format)
    if "heatmap" in study.plots and tables.several:
        yield from _heat_maps(exact)
    if "systems" in study.plots:
        yield from _system_plots(result)
    if _draws_people(study):
        for name, found in result.human.items():
            for plot in meta_plots(found):
                yield f"plots/{file_name('human', name, plot.name)}.svg", plot.to_bytes("svg").decode("utf-8")
    if study.pages:
        names = _page_names(study)
        yield from ((f"pages/{name}", page) for name, page in study_pages(result, groups, names))
    yield RESULTS, _json(results_object(result))


def _human_tables(result: StudyResult, format: str, layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the tables of metrics against people; TSV has one table in a file."""
    for name, found in result.human.items():
        tables = meta_tables(found, _fit_layout(layout, format))
        if format not in EXACT:
            yield f"tables/{file_name('human', name)}.{FORMATS[format]}", render(tables, format)
            continue
        for number, table in enumerate(tables, start=1):
            yield f"tables/{file_name('human', name, str(number))}.{FORMATS[format]}", render([table], format)


def _draws_people(study: Study) -> bool:
    """Whether plots of metrics against people are wanted, and there are any."""
    return "human" in study.plots and bool(study.human)


def _page_names(study: Study) -> dict[str, str]:
    """Return the file of each dataset's page: no two alike, and none of them the index."""
    names: dict[str, str] = {}
    for dataset in study.datasets:
        names[dataset] = _unique(f"{file_name(dataset)}.html", [INDEX, *names.values()])
    return names


def _told(result: StudyResult, kind: str, about: Sequence[str]) -> list[str]:
    """Return the warnings that stand below a table: those of all datasets, or of the one that it is about."""
    of_one = kind in ("systems", "types")
    lines = result.warnings() if of_one or kind in ("languages", "metrics") else []
    return [f"warning: {line}" for line in lines if not of_one or line.startswith(f"{about[0]}: ")]


def _fit(table: Table, format: str) -> Table:
    """Return a table as a format can have it."""
    return table if format not in EXACT else Table(table.header, table.rows)


def _fit_layout(layout: Layout, format: str) -> Layout:
    """Return as much of a layout as a format can have: unrounded figures have none, text has nothing bold."""
    if format in EXACT:
        return Layout()
    return replace(layout, bold_best=False) if format == "text" else layout


def _heat_maps(tables: StudyTables) -> Iterator[tuple[str, str]]:
    """Yield heat maps: systems by datasets for each metric, groups of error types by datasets for each system."""
    datasets = list(tables.result.study.datasets)
    drawn = [("languages", metric, tables.languages(metric)) for metric in tables.metric_labels()]
    if tables.groups is not None:
        drawn += [("groups", system, tables.of_groups(system)) for system in tables.systems()]
    for kind, about, table in drawn:
        columns = [name for name in (*datasets, MACRO) if name in table.header]
        heat = heat_map_of(table, columns)
        yield f"plots/{file_name('heatmap', kind, about)}.svg", heat_map_svg(heat)
        yield f"plots/{file_name('heatmap', kind, about)}.txt", render([shaded_text(heat)], "text")


def _system_plots(result: StudyResult) -> Iterator[tuple[str, str]]:
    """Yield for each dataset every plot that suits its scores, and what readers of the plots should know."""
    study, notes = result.study, []
    for dataset, metrics in result.scores.items():
        scores = Scores(score for systems in metrics.values() for score in systems.values())
        for plot in plots_of(scores, samples=study.intervals, seed=study.seed):
            yield (
                f"plots/{file_name('systems', dataset, plot.name)}.svg",
                plot.to_bytes("svg").decode("utf-8"),
            )
            notes += [f"{dataset}, {plot.name}: {note}\n" for note in plot.notes]
    if notes:
        yield "plots/notes.txt", "".join(notes)


def file_name(*parts: str) -> str:
    """Return parts as the name of a file, cut where file systems would refuse it: they count bytes, not letters.

    >>> file_name("types", "a/b: c")
    'types-a_b_c'
    """
    name = "-".join(_PLAIN.sub("_", part).strip("._") or "_" for part in parts)
    return name.encode("utf-8")[:150].decode("utf-8", "ignore")


def _prepare(folder: Path, study: Study) -> None:
    """Make the folder of the output, before anything is computed.

    Raises:
        UsageError: An input is in it, where an output could overwrite it.
        InputError: The folder cannot be made.
    """
    whole = folder.resolve()
    for file in study.inputs():
        if file.path.resolve().is_relative_to(whole):
            raise UsageError(
                f"{file.written} is in {folder}, where the output goes and could overwrite it; give another folder "
                "with -o"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made a folder ({reason(error)})") from None


def _write(path: Path, text: str, inputs: list[str]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: cannot be made a folder ({reason(error)})") from None
    with open_output(str(path), inputs) as stream:
        stream.write(text)


def _remove_old(folder: Path, written: Mapping[str, str]) -> None:
    """Remove unchanged files that an earlier manifest lists and that are not written any more."""
    try:
        outputs = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["outputs"]
        old = {str(name): str(checksum) for name, checksum in outputs.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    for name in old.keys() - written.keys():
        path = folder / name
        inside = path.resolve().is_relative_to(folder.resolve())
        if inside and path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == old[name]:
            path.unlink()


def _remove_unfinished(folder: Path) -> None:
    """Remove what a run that was killed has left: files without their name."""
    for path in folder.rglob(".*.part"):
        with suppress(OSError):
            if _UNFINISHED.fullmatch(path.name):
                path.unlink()


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
