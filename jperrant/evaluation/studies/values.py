"""What a study file says, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jperrant.annotation.options import AnnotatorOptions
from jperrant.evaluation.comparison import PairedTestOptions
from jperrant.evaluation.statistics.significance import SEED
from jperrant.evaluation.studies.human import HumanStudy
from jperrant.evaluation.studies.input_file import InputFile


@dataclass(frozen=True, slots=True)
class Dataset:
    """One text, its references and the systems that corrected it.

    Attributes:
        name: Its name; the column of cross-lingual tables.
        lang: Its language; empty if it is not known.
        systems: The output of each system, by its name.
        references: The references: M2 files with one or more annotators, or texts of one each.
        source: The text that was corrected, where texts are given.
        annotator: How texts are annotated.
        raw: Whether texts are not tokenised.
        strict: Whether every format deviation of an M2 file is an error.
        annotators: The annotators of the references that count, by number in their M2 files; all if empty.
        groups: The group of labels, where no pack has them or says otherwise.
    """

    name: str
    lang: str
    systems: Mapping[str, InputFile]
    references: tuple[InputFile, ...] = ()
    source: InputFile | None = None
    annotator: AnnotatorOptions = field(default_factory=AnnotatorOptions)
    raw: bool = False
    strict: bool = False
    annotators: tuple[int, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its options.

    Attributes:
        label: What tables call it.
        name: The metric, as the registry knows it.
        options: Its options.
        files: The files that they name.
        datasets: The datasets it scores; all if empty.
    """

    label: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[InputFile, ...] = ()
    datasets: tuple[str, ...] = ()

    @property
    def spec(self) -> str:
        """The metric and its options in one word, as on the command line."""
        parts = [
            f"{name}={one}"
            for name, value in self.options.items()
            for one in (value if isinstance(value, tuple) else (value,))
        ]
        return ":".join(filter(None, (self.name, ",".join(parts))))

    def scores(self, dataset: str) -> bool:
        """Whether it scores a dataset."""
        return not self.datasets or dataset in self.datasets


@dataclass(frozen=True, slots=True)
class SystemsCompared:
    """Systems that are compared by one metric: the first one with each of the others.

    Attributes:
        systems: Their names, two or more.
        metric: The label of the metric.
        datasets: Where they are compared.
        options: How p-values are made.
    """

    systems: tuple[str, ...]
    metric: str
    datasets: tuple[str, ...]
    options: PairedTestOptions


@dataclass(frozen=True, slots=True)
class Output:
    """What a study writes.

    Attributes:
        tables: The tables, by name.
        plots: The plots, by name.
        formats: The formats of tables.
        layout: How figures are shown, by the fields of ``report.layout.Layout``.
        pages: Whether pages are written.
    """

    tables: tuple[str, ...]
    plots: tuple[str, ...]
    formats: tuple[str, ...]
    layout: Mapping[str, Any] = field(default_factory=dict)
    pages: bool = False


@dataclass(frozen=True, slots=True)
class Study:
    """A whole experiment.

    Attributes:
        file: The study file.
        title: What it is about.
        datasets: The datasets.
        metrics: The metrics.
        comparisons: The systems that are compared.
        human: Metrics that are compared with people.
        output: What is written.
        samples: Samples of the bootstrap intervals; None for no intervals.
        seed: Of random numbers.
    """

    file: Path
    title: str
    datasets: tuple[Dataset, ...]
    metrics: tuple[Metric, ...]
    comparisons: tuple[SystemsCompared, ...] = ()
    human: tuple[HumanStudy, ...] = ()
    output: Output = field(default_factory=lambda: Output((), (), ("text",)))
    samples: int | None = None
    seed: int = SEED

    def inputs(self) -> list[InputFile]:
        """Return every file that is read, each once."""
        files = [InputFile(self.file, self.file.name)]
        for dataset in self.datasets:
            files += [*([dataset.source] if dataset.source else []), *dataset.references]
            files += dataset.systems.values()
        for metric in self.metrics:
            files += metric.files
        for study in self.human:
            files += study.files
        return list({file.written: file for file in files}.values())
