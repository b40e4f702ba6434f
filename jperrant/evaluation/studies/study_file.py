"""From a study file to a study: every problem is collected, with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.annotator_numbers import annotators_in
from jperrant.core.errors import InputError
from jperrant.core.option import options_of
from jperrant.evaluation.comparison import check_comparison
from jperrant.evaluation.metric_spec import metric_name, parse_spec
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.registry import factory_of, make_scorer
from jperrant.evaluation.request import READING, WRITING
from jperrant.evaluation.statistics.significance import SEED
from jperrant.evaluation.studies.files import Files
from jperrant.evaluation.studies.human import HumanStudy
from jperrant.evaluation.studies.human_file import read_human
from jperrant.evaluation.studies.input_file import InputFile
from jperrant.evaluation.studies.keys import (
    COMPARISON,
    DATASET,
    DEFAULT_PLOTS,
    LAYOUT,
    METRIC,
    STUDY,
    TABLES,
)
from jperrant.evaluation.studies.reading import Position, Reading, raise_problems
from jperrant.evaluation.studies.values import Dataset, Metric, Output, Study, SystemsCompared
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.packs import load_pack
from jperrant.packs.labels import GROUPS
from jperrant.packs.problems import Problem

#: Samples of intervals where only ``true`` is written.
SAMPLES = 1000
#: The columns that tables have beside those of datasets, metrics and systems.
_COLUMNS = {
    "dataset": ("system", "macro", "group", "reference edits"),
    "metric": ("system",),
    "system": ("type", "reference edits"),
}


def read_study(file: str | Path, folders: Mapping[str, str] | None = None) -> Study:
    """Return the study of a file.

    Args:
        file: The study file.
        folders: Folders that the file leaves open, by name.

    Raises:
        InputError: The file cannot be read, or something in it is wrong: the first problem, with file and line.
        UsageError: The file has no folder of a given name.
    """
    study, problems = check_study(file, folders)
    raise_problems(problems, Path(file))
    return study


def check_study(file: str | Path, folders: Mapping[str, str] | None = None) -> tuple[Study, list[Problem]]:
    """Return the study of a file and everything that is wrong with it; nothing is computed.

    What is wrong is left out of the study.

    Args:
        file, folders: As in :func:`read_study`.

    Raises:
        InputError: The file cannot be read, is not YAML, or has a key twice; names the line.
        UsageError: The file has no folder of a given name.
    """
    reader = _Reader(Reading(Path(file)), folders or {})
    return reader.study(), sorted(reader.reading.problems, key=_line)


def _line(problem: Problem) -> int:
    return int(problem.place.rpartition(":")[2])


class _Reader:
    """Reads one study file."""

    def __init__(self, reading: Reading, folders: Mapping[str, str]) -> None:
        self.reading, self.files = reading, Files(reading, folders)
        self._scorers: dict[str, Scorer] = {}
        self._edits_shown = False

    def study(self) -> Study:
        values = self.reading.keys(self.reading.content, STUDY, ())
        self._edits_shown = bool(values.get("pages") or values.get("comparisons"))
        names = [
            name for key in ("datasets", "human") for name in values.get(key, {}) if isinstance(name, str)
        ]
        metrics = self._metrics(values.get("metrics", []), names)
        datasets = [
            dataset
            for name, content in values.get("datasets", {}).items()
            if (dataset := self._dataset(name, content, metrics)) is not None
        ]
        if not values.get("datasets") and not values.get("human"):
            self.reading.problem(("datasets",), "found no datasets, expected at least one")
        seed = values.get("seed", SEED)
        compared = [
            self._comparison(content, datasets, metrics, seed, ("comparisons", n))
            for n, content in enumerate(values.get("comparisons", []))
        ]
        return Study(
            self.reading.file,
            values.get("title", self.reading.file.stem),
            tuple(datasets),
            tuple(metrics),
            tuple(one for one in compared if one),
            tuple(self._human(values.get("human", {}), metrics, seed)),
            self._output(values),
            self._samples(values.get("intervals")),
            seed,
        )

    def _metrics(self, entries: Sequence[Any], datasets: Sequence[str]) -> list[Metric]:
        metrics: list[Metric] = []
        for n, entry in enumerate(entries):
            position = ("metrics", n)
            try:
                metric = self._metric(entry, datasets, position)
                if metric is not None:
                    self._scorers[metric.label] = make_scorer(metric.name, **metric.options)
            except InputError as error:
                self.reading.problem(position, str(error))
                continue
            if metric is not None and metric.label in [other.label for other in metrics]:
                self.reading.problem(
                    position, f"two metrics have the name {metric.label!r}; give one a label"
                )
            elif metric is not None:
                self._check_column("metric", metric.label, position)
                metrics.append(metric)
        if not entries and "metrics" in self.reading.content:
            self.reading.problem(("metrics",), "found no metrics, expected at least one")
        return metrics

    def _metric(self, entry: Any, datasets: Sequence[str], position: Position) -> Metric | None:
        """Return a metric.

        Raises:
            UsageError: The metric or an option is unknown, or a value is not of its kind.
        """
        if isinstance(entry, str):
            name, options = parse_spec(entry)
            return Metric(entry, name, *self._options(options, position))
        values = self.reading.keys(entry, METRIC, position, open=True)
        if "metric" not in values:
            return None
        own = {key: value for key, value in entry.items() if key not in METRIC}
        name, options = parse_spec(values["metric"])
        several = {option.name for option in options_of(factory_of(name)) if option.several}
        for key, value in own.items():
            option = str(key).replace("-", "_")
            listed = value if isinstance(value, list) and option in several else [value]
            if not all(isinstance(one, str | int | float) for one in listed if value is not None):
                expected = "values in a list" if option in several else "one value"
                self.reading.problem((*position, key), f"found {value!r}, expected {expected}")
            elif value is not None:
                options[option] = tuple(listed) if option in several else value
        chosen = self.reading.chosen((*position, "datasets"), values.get("datasets", ()), datasets, "dataset")
        written = ",".join(f"{key}={value}" for key, value in own.items())
        label = values.get("label", ":".join(filter(None, (values["metric"], written))))
        return Metric(label, metric_name(name), *self._options(options, position), tuple(chosen))

    def _options(
        self, options: Mapping[str, Any], position: Position
    ) -> tuple[dict[str, Any], tuple[InputFile, ...]]:
        """Return options with the folders in their values filled in, and the files that they name."""
        for name in WRITING:
            if name in options:
                self.reading.problem(
                    (*position, name), "a study writes only to its own folder; remove this option"
                )
        filled = {
            name: self.files.expanded(value, (*position, name)) if isinstance(value, str) else value
            for name, value in options.items()
        }
        named = {name: options[name] for name in READING if isinstance(options.get(name), str)}
        found = {name: self.files.file(written, (*position, name)) for name, written in named.items()}
        files = {name: file for name, file in found.items() if file is not None}
        return {**filled, **{name: str(file.path) for name, file in files.items()}}, tuple(files.values())

    def _dataset(self, name: Any, content: Any, metrics: Sequence[Metric]) -> Dataset | None:
        position = ("datasets", name)
        if not isinstance(name, str) or not name.strip():
            self.reading.problem(position, f"found {name!r}, expected a name (put it in quotes)")
            return None
        values = self.reading.keys(content, DATASET, position)
        files = self.files
        systems = files.systems(values["systems"], (*position, "systems")) if "systems" in values else {}
        source = files.file(values["source"], (*position, "source")) if "source" in values else None
        references = [
            files.file(written, (*position, "references")) for written in values.get("references", ())
        ]
        dataset = Dataset(
            name,
            values.get("lang", ""),
            systems,
            tuple(file for file in references if file),
            source,
            self._annotator(values, position, self._used(name, metrics)),
            values.get("raw", False),
            values.get("strict", False),
            self._annotators(values.get("annotators", []), (*position, "annotators")),
            self._groups(values.get("groups", {}), (*position, "groups")),
        )
        self._check_column("dataset", name, position)
        for system in systems:
            self._check_column("system", system, (*position, "systems"))
        self._check_dataset(dataset, values, self._used(name, metrics))
        return dataset

    def _check_column(self, what: str, name: str, position: Position) -> None:
        """Refuse a name whose column in a table would take the place of another one."""
        if name in _COLUMNS[what]:
            self.reading.problem(
                position, f"{name!r} is a column that tables have anyway; give the {what} another name"
            )

    def _annotators(self, given: Sequence[Any], position: Position) -> tuple[int, ...]:
        for n, number in enumerate(given):
            if not isinstance(number, int) or isinstance(number, bool) or number < 0:
                self.reading.problem((*position, n), f"found {number!r}, expected the number of an annotator")
        return tuple(given)

    def _groups(self, given: Mapping[Any, Any], position: Position) -> dict[str, str]:
        for label, group in given.items():
            self.reading.chosen((*position, label), [group], GROUPS, "group")
        return {str(label): str(group) for label, group in given.items()}

    def _used(self, dataset: str, metrics: Sequence[Metric]) -> list[Scorer]:
        return [self._scorers[metric.label] for metric in metrics if metric.scores(dataset)]

    def _annotator(
        self, values: Mapping[str, Any], position: Position, used: Sequence[Scorer]
    ) -> AnnotatorOptions:
        """Return how texts are annotated: without models where nobody looks at edits."""
        pack = self.files.path(values["pack"], (*position, "pack")) if "pack" in values else None
        lang = values.get("lang", "en")
        options = AnnotatorOptions(lang=lang, pack=str(pack) if pack else None)
        try:
            load_pack(lang, options.pack)
        except InputError as error:
            self.reading.problem((*position, "pack" if pack else "lang"), str(error))
        shown = self._edits_shown or values.get("raw") or any(scorer.uses_edits for scorer in used)
        if not shown:
            options = options.without_models()
        chosen = {name: values[name] for name in ("tokens", "models") if name in values}
        if "models" in chosen:
            chosen["models"] = self.files.expanded(chosen["models"], (*position, "models")) or "none"
        return AnnotatorOptions(options.lang, chosen.get("models", options.models), options.pack,
                                tokens=chosen.get("tokens", options.tokens))  # fmt: skip

    def _check_dataset(self, dataset: Dataset, values: Mapping[str, Any], used: Sequence[Scorer]) -> None:
        """Check what no single key can say."""
        position = ("datasets", dataset.name)
        texts = [file for file in (*dataset.references, *dataset.systems.values()) if file.text]
        if texts and "source" not in values:
            self.reading.problem(
                position,
                f"{texts[0].written}: found text instead of M2; give the text that was corrected under source",
            )
        if texts and not dataset.lang:
            self.reading.problem(
                position, f"{texts[0].written}: found text instead of M2; give its language under lang"
            )
        if dataset.source and not dataset.source.text:
            self.reading.problem((*position, "source"), f"{dataset.source.written}: found M2, expected text")
        for file in dataset.references if dataset.annotators else ():
            self._check_annotators(file, dataset.annotators, (*position, "annotators"))
        for name, file in dataset.systems.items():
            if file.annotator is not None:
                self._check_annotators(file, [file.annotator], (*position, "systems", name))
        needing = [scorer.name for scorer in used if scorer.needs_references]
        if needing and not values.get("references"):
            self.reading.problem(position, f"metric {needing[0]!r} needs references; add them")

    def _check_annotators(self, file: InputFile, numbers: Sequence[int], position: Position) -> None:
        """Check that an M2 file has the annotators who count."""
        if file.text:
            return
        try:
            known = annotators_in(read_m2(str(file.path), deviations=FormatDeviations()))
        except InputError as error:
            self.reading.problem(position, str(error))
            return
        for number in numbers:
            if number not in known:
                expected = ", ".join(map(str, known)) or "none"
                self.reading.problem(
                    position, f"{file.written}: found no annotator {number}; expected one of {expected}"
                )

    def _comparison(
        self,
        content: Any,
        datasets: Sequence[Dataset],
        metrics: Sequence[Metric],
        seed: int,
        position: Position,
    ) -> SystemsCompared | None:
        values = self.reading.keys(content, COMPARISON, position)
        systems = values.get("systems", ())
        if "systems" in values and len(set(systems)) < 2:
            self.reading.problem((*position, "systems"), "expected two or more systems")
        if len(systems) < 2 or not metrics:
            return None
        labels = [metric.label for metric in metrics]
        label = values.get("metric", labels[0])
        if not self.reading.chosen((*position, "metric"), [label], labels, "metric"):
            return None
        metric = metrics[labels.index(label)]
        where = self._compared_in(values, datasets, metric, systems, position)
        options = check_comparison(
            values.get("test", "randomisation"), values.get("samples"), seed, values.get("correction", "holm")
        )
        return SystemsCompared(systems, label, tuple(where), options)

    def _compared_in(
        self,
        values: Mapping[str, Any],
        datasets: Sequence[Dataset],
        metric: Metric,
        systems: Sequence[str],
        position: Position,
    ) -> list[str]:
        """Return the datasets in which systems are compared: those that are named, or all that have them."""
        scored = {dataset.name: dataset for dataset in datasets if metric.scores(dataset.name)}
        if "datasets" in values:
            chosen = self.reading.chosen((*position, "datasets"), values["datasets"], scored, "dataset")
            for name in chosen:
                self.reading.chosen(
                    (*position, "systems"), systems, scored[name].systems, f"system of {name}"
                )
            return chosen
        everywhere = [name for name, one in scored.items() if set(systems) <= one.systems.keys()]
        if not everywhere:
            known = dict.fromkeys(system for one in scored.values() for system in one.systems)
            unknown = [system for system in systems if system not in known]
            self.reading.chosen((*position, "systems"), systems, known, "system")
            if not unknown:
                self.reading.problem((*position, "systems"), "found no dataset with all of them")
        return everywhere

    def _human(
        self, entries: Mapping[Any, Any], metrics: Sequence[Metric], seed: int
    ) -> Iterator[HumanStudy]:
        for name, content in entries.items():
            own = {metric.label: metric.spec for metric in metrics if metric.scores(str(name))}
            study = read_human(self.reading, self.files, str(name), content, own, seed)
            if study is not None:
                yield study

    def _samples(self, value: Any) -> int | None:
        if value is None or value is False:
            return None
        if value is True:
            return SAMPLES
        if not isinstance(value, int) or not 1 <= value <= 1_000_000:
            self.reading.problem(("intervals",), f"found {value!r}, expected true or a number of samples")
            return None
        return value

    def _output(self, values: Mapping[str, Any]) -> Output:
        layout = self.reading.keys(values.get("layout", {}), LAYOUT, ("layout",))
        return Output(
            values.get("tables", tuple(TABLES)),
            values.get("plots", DEFAULT_PLOTS),
            values.get("formats", ("text", "tsv")),
            layout,
            values.get("pages", False) is True,
        )
