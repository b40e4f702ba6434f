"""The part of a study file that compares metrics with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError
from jperrant.evaluation.meta.analyses import MetaOptions, check_choices, groups_of
from jperrant.evaluation.meta.computed import RECOMPUTING
from jperrant.evaluation.meta.datasets import DATASETS, load_dataset
from jperrant.evaluation.meta.evaluation import check_analyses, with_reference_files
from jperrant.evaluation.meta.metric_scores import LENGTH
from jperrant.evaluation.meta.reference_sets import reference_choices
from jperrant.evaluation.meta.score_table import read_score_tables
from jperrant.evaluation.meta.system_edits import with_system_edits
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.studies.files import Files
from jperrant.evaluation.studies.human import HumanStudy, files_of_table
from jperrant.evaluation.studies.input_file import InputFile
from jperrant.evaluation.studies.keys import HUMAN
from jperrant.evaluation.studies.reading import Position, Reading

_OPTIONS = tuple(field.name for field in fields(MetaOptions) if field.name != "seed")
_SEVERAL = ("human", "groups", "judgements", "numbers")
ANALYSES = ("system", "sentence")


def read_human(
    reading: Reading, files: Files, name: str, content: Any, metrics: Mapping[str, str], seed: int
) -> HumanStudy | None:
    """Return metrics against people as a study file says; None where something is wrong, which is a problem.

    Args:
        reading: The study file.
        files: Finds the files that it names.
        name: What the entry is called.
        content: The entry.
        metrics: For each label how the metric is written with its options.
        seed: Of random numbers.
    """
    position = ("human", name)
    values = reading.keys(content, HUMAN, position)
    if "data" not in values:
        return None
    before = len(reading.problems)
    chosen = reading.chosen(
        (*position, "metrics"), values.get("metrics", tuple(metrics)), [*metrics, LENGTH], "metric"
    )
    found = _Found(files, values, position)
    if found.lacking or len(reading.problems) > before:
        return None
    try:
        return _study(name, values, found, {label: metrics.get(label, LENGTH) for label in chosen}, seed)
    except InputError as error:
        reading.problem(position, str(error))
        return None


class _Found:
    """The files that an entry names, as they are found; some may be lacking, for reasons that are problems."""

    def __init__(self, files: Files, values: Mapping[str, Any], position: Position) -> None:
        self._files, self._position = files, position
        self.lacking = False
        data = values["data"]
        self.data = data if data in DATASETS else self._path("data", data)
        self.folder = self._path("folder", values["folder"]) if "folder" in values else None
        if data in DATASETS and self.folder is None:
            files.reading.problem(position, f"data set {data!r} is read from its authors' folder "
                f"({DATASETS[data][1]}); "
                                  "give it under folder")  # fmt: skip
        #: Their paths, each with its name in the study file.
        self.references = {self._path("references", one): one for one in values.get("references", ())}
        self.scores = tuple(self._tables(values.get("scores", ())))
        self.edits = tuple(
            file
            for one in values.get("edits", ())
            for file in files.systems(one, (*position, "edits")).values()
        )
        own = [] if data in DATASETS else self._all("data", [data])
        given = [InputFile(Path(path), one) for path, one in self.references.items() if Path(path).is_file()]
        tables = [file for table in self.scores for file in files_of_table(table)]
        self.files = (*own, *given, *tables, *self.edits)

    def _path(self, key: str, written: str) -> str:
        path = self._files.path(written, (*self._position, key))
        if path is not None and not path.exists():
            self._files.reading.problem((*self._position, key), f"found no {written} ({path})")
        self.lacking |= path is None
        return str(path or Path(written))

    def _tables(self, written: Sequence[str]) -> Iterator[InputFile]:
        """Yield tables of scores, which may be folders."""
        for one in written:
            path = self._files.path(one, (*self._position, "scores"))
            if path is None:
                self.lacking = True
            elif path.is_dir():
                yield InputFile(path, one, True)
            else:
                yield from self._all("scores", [one])

    def _all(self, key: str, written: Sequence[str]) -> list[InputFile]:
        files = [self._files.file(one, (*self._position, key)) for one in written]
        self.lacking |= None in files
        return [file for file in files if file is not None]


def _study(
    name: str, values: Mapping[str, Any], found: _Found, metrics: Mapping[str, str], seed: int
) -> HumanStudy:
    """Return the entry.

    Raises:
        InputError: The data set cannot be read, or has not what is asked for.
    """
    options: dict[str, Any] = {key: values[key] for key in _OPTIONS if key in values}
    options |= {key: tuple(options[key]) for key in _SEVERAL if key in options}
    chosen = MetaOptions(**options, seed=seed)
    analyses = values.get("analyses", ANALYSES)
    check_analyses(analyses)
    dataset = load_dataset(found.data, found.folder)
    dataset, sets, notes = with_reference_files(dataset, list(found.references), values.get("sets", ()))
    paths = [str(file.path) for file in found.edits]
    dataset, edits, left_out = with_system_edits(dataset, paths, groups_of(dataset, chosen))
    check_choices(dataset, chosen)
    lower = values.get("lower", ())
    read_score_tables({str(table.path): table.written for table in found.scores}, dataset, lower)
    computed = [spec for spec in dict.fromkeys(metrics.values()) if spec != LENGTH]
    if computed and RECOMPUTING.keys() & set(analyses):
        make_scorers(computed, {})  # refuses what cannot be computed together
    if "reference-numbers" in analyses:
        for one in sets:
            reference_choices(one, dataset.reference_set(one), chosen.numbers, chosen.draws, seed)
    for path, written in found.references.items():
        notes = tuple(note.replace(path, written) for note in notes)
    return HumanStudy(
        name,
        dataset,
        metrics,
        tuple(sets),
        values.get("lang", ""),
        values.get("models", "compact"),
        edits,
        found.scores,
        lower,
        tuple(analyses),
        chosen,
        found.files,
        (*notes, *left_out),
    )
