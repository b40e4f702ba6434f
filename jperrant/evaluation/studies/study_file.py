"""Study files: their keys as a model, and everything that is wrong with one, with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.annotator_numbers import annotators_in
from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.option import options_of
from jperrant.evaluation.inputs import stems
from jperrant.evaluation.meta.metric_scores import LENGTH
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.registry import factory_of, make_scorer
from jperrant.evaluation.scorers import metric_name, parse_spec
from jperrant.evaluation.scoring import READING, WRITING
from jperrant.evaluation.statistics.significance import SEED
from jperrant.evaluation.studies.files import File, Files, Folders, InputFile, input_of
from jperrant.evaluation.studies.human import Human, HumanStudy, Samples, human_study
from jperrant.io.answers import AnswerFormat
from jperrant.io.files import open_output
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.packs import load_pack
from jperrant.packs.labels import GROUPS
from jperrant.packs.problems import Problem
from jperrant.packs.yaml_model import (
    Keys,
    OneOrMore,
    Place,
    Short,
    Switch,
    Text,
    Whole,
    YamlFile,
    schema_text,
)

#: What ``study new`` writes, and the JSON Schema of :class:`Study` as it is shipped.
TEMPLATE, SCHEMA = (Path(__file__).with_name(name) for name in ("template.yaml", "study.schema.json"))
#: Samples of intervals where only ``true`` is written.
SAMPLES = 1000
#: The columns that tables have beside those of datasets, metrics and systems.
_COLUMNS = {
    "dataset": ("system", "macro", "group", "reference edits"),
    "metric": ("system",),
    "system": ("type", "reference edits"),
}
_TABLES = Literal["systems", "languages", "metrics", "groups", "types", "human", "comparisons"]
_FORMATS = Literal["text", "md", "latex", "tsv", "tsv-safe", "csv", "html"]


def _systems(given: Any, info: ValidationInfo) -> Any:
    """Return systems by name: those of a mapping, of a list of files, or of a pattern."""
    files = cast(Files, info.context)
    written = files.matching(given) if isinstance(given, str) else given
    if isinstance(written, list):
        if not all(isinstance(one, str) for one in written):
            raise InputError("expected a list of files")
        written = dict(zip(stems(written), written, strict=True))
    if written == {}:
        raise InputError("found no systems, expected at least one")
    return written


def _option_file(key: str, options: Mapping[str, Any], files: Files) -> InputFile:
    try:
        return files.file(str(options[key]))
    except InputError as error:
        raise InputError(f"{key}: {error}") from None


def _group(given: Any) -> str:
    return chosen(given, GROUPS, "group")


def _samples(given: Any) -> Any:
    """Return a number of samples; None for no intervals."""
    return {True: SAMPLES, False: None}[given] if isinstance(given, bool) else given


def chosen(name: Any, known: Iterable[str], what: str) -> str:
    """Return a name that is known.

    Raises:
        InputError: It is not; names the nearest.
    """
    known = list(known)
    if name not in known:
        close = nearest(str(name), known)
        raise InputError(f"unknown {what} {name!r}{close}; expected one of {', '.join(known)}")
    return str(name)


#: What is wrong, and its place.
Wrong: TypeAlias = tuple[Place, str]
#: Text in which the names of folders are filled in, and a path that is made of it.
Expanded: TypeAlias = Annotated[Text, AfterValidator(lambda text, info: info.context.expanded(text))]
PathText: TypeAlias = Annotated[Text, AfterValidator(lambda text, info: str(info.context.path(text)))]


Group: TypeAlias = Annotated[str, BeforeValidator(_group), WithJsonSchema({"enum": list(GROUPS)})]


class System(Short):
    """The output of a system, as text or M2.

    Attributes:
        file: The file; a path is relative to the study file; `${NAME}` stands for a folder.
        annotator: The annotator of an M2 file whose edits are those of the system.
    """

    file: File
    annotator: Whole | None = None


def _answers(given: str) -> str:
    AnswerFormat.of(given)
    return given


class Dataset(Keys):
    """One text, its references and the systems that corrected it.

    Attributes:
        lang: The language's code, as `--lang`; needed for texts.
        source: The text that was corrected, a sentence a line; needed for texts.
        references: M2 files, or texts of one annotator each.
        systems: The output of each system: a mapping from names to files (or `{file:, annotator:}`, one annotator
            of an M2 file), a list of files, or a pattern with `*`.
        raw: Texts are not tokenised: the models split them into sentences and tokens.
        answers: How systems that language models wrote are read: `clean`, `jsonl:FIELD`, `tsv:COLUMN`.
        tokens: What tokens are.
        models: The models that annotate texts: compact (if not given), default, a folder, spacy:NAME, none.
        pack: The folder of a language pack of your own.
        annotators: The annotators of M2 references that count, by number.
        groups: The group of error types, by label, for tables of all languages, where no pack has the label.
        strict: Every format deviation of an M2 file is an error.
    """

    lang: Text = ""
    source: File | None = None
    references: OneOrMore[File] = ()
    systems: Annotated[
        dict[Text, System],
        BeforeValidator(_systems),
        Field(json_schema_extra=lambda schema: schema.update(type=["object", "string", "array"])),
    ]
    raw: Switch = False
    answers: Annotated[str, AfterValidator(_answers)] = ""
    tokens: Literal["given", "words", "characters"] = "given"
    models: Expanded | None = None
    pack: PathText | None = None
    annotators: tuple[Whole, ...] = ()
    groups: dict[str, Group] = Field(default_factory=dict)
    strict: Switch = False

    def sides(self) -> list[InputFile]:
        """Return the files of references and systems."""
        return [*self.references, *(system.file for system in self.systems.values())]


class Metric(Short):
    """A metric, whose options stand beside these keys.

    Attributes:
        metric: The metric's name, perhaps with options as on the command line (`cleme2:level=sentence`).
        label: What tables call it.
        datasets: The datasets it scores; all, if it is not there.
    """

    model_config = ConfigDict(extra="allow")

    metric: Text
    label: Text = ""
    datasets: OneOrMore[Text] = ()
    _name: str = PrivateAttr()
    _options: dict[str, Any] = PrivateAttr()
    _files: tuple[InputFile, ...] = PrivateAttr()

    @model_validator(mode="before")
    @classmethod
    def _long(cls, content: Any) -> Any:
        """Return a mapping with a label."""
        keys = dict(content) if isinstance(content, Mapping) else {"metric": content}
        own = ",".join(f"{key}={value}" for key, value in keys.items() if key not in cls.model_fields)
        return {"label": ":".join(filter(None, (str(keys.get("metric")), own))), **keys}

    @model_validator(mode="after")
    def _make(self, info: ValidationInfo) -> Metric:
        """Find the metric and the files that its options name."""
        files = cast(Files, info.context)
        name, options = parse_spec(self.metric)
        several = {option.name for option in options_of(factory_of(name)) if option.several}
        for key, value in (self.model_extra or {}).items():
            option = key.replace("-", "_")
            listed = value if isinstance(value, list) and option in several else [value]
            if not all(isinstance(one, str | int | float) for one in listed):
                expected = "values in a list" if option in several else "one value"
                raise InputError(f"{key}: found {value!r}, expected {expected}")
            options[option] = tuple(listed) if option in several else value
        if writing := [option for option in WRITING if option in options]:
            raise InputError(f"{writing[0]}: a study writes only to its own folder; remove this option")
        options = {
            key: files.expanded(value) if isinstance(value, str) else value for key, value in options.items()
        }
        found = {key: _option_file(key, options, files) for key in READING if options.get(key)}
        self._name, self._files = metric_name(name), tuple(found.values())
        self._options = options | {key: str(file.path) for key, file in found.items()}
        self.scorer()
        return self

    def scorer(self, **shared: object) -> Scorer:
        """Return the metric; options of its own go before those that are shared.

        Raises:
            UsageError: An option is unknown, or its value impossible.
        """
        return make_scorer(self._name, **{**shared, **self._options})

    @property
    def name(self) -> str:
        """The metric, as the registry knows it."""
        return self._name

    @property
    def options(self) -> Mapping[str, Any]:
        """Its options."""
        return self._options

    @property
    def files(self) -> tuple[InputFile, ...]:
        """The files that its options name."""
        return self._files

    @property
    def spec(self) -> str:
        """The metric and its options in one word, as on the command line."""
        listed = {
            key: value if isinstance(value, tuple) else (value,) for key, value in self._options.items()
        }
        parts = [f"{key}={one}" for key, values in listed.items() for one in values]
        return ":".join(filter(None, (self._name, ",".join(parts))))

    def scores(self, dataset: str) -> bool:
        """Whether it scores a dataset."""
        return not self.datasets or dataset in self.datasets


class Comparison(Keys):
    """Systems that are compared by one metric: by error type, with a paired test.

    Attributes:
        systems: The first is compared with each of the others.
        metric: The label of a metric; the first one, if it is not there.
        datasets: Where they are compared; everywhere they all are, if it is not there.
        test: The paired test.
        samples: Samples of the test (10000).
        correction: Of p-values for many tests.
    """

    systems: OneOrMore[Text]
    metric: Text = ""
    datasets: OneOrMore[Text] = ()
    test: Literal["randomisation", "bootstrap"] = "randomisation"
    samples: Samples | None = None
    correction: Literal["holm", "bh", "none"] = "holm"

    @property
    def name(self) -> str:
        """What the systems are called in lines and file names."""
        return " vs ".join(self.systems)


class LayoutKeys(Keys):
    """How figures are shown in text, md and latex.

    Attributes:
        percent: Figures are per cent.
        decimals: How many.
        intervals: How intervals are shown.
        bold_best: The best figure of a column is bold (latex, md).
    """

    percent: Switch = False
    decimals: Annotated[Whole, Field(le=15)] | None = None
    intervals: Literal["", "pm", "brackets"] = ""
    bold_best: Switch = False


class Study(Folders):
    """A whole experiment.

    Attributes:
        title: What the study is about.
        datasets: The texts with their references and systems, by name; may be left out where there is `human`.
        metrics: The metrics: a name, a name with options as on the command line, or a mapping.
        human: Metrics against the judgements of people, by name, as `jperrant meta`.
        comparisons: Systems that are compared: by error type, with a paired test.
        intervals: Bootstrap intervals (95 %) of every figure: true, or the number of samples.
        seed: Of random numbers (12345).
        tables: The tables that are written; all that apply, if it is not there.
        plots: The plots that are written (heatmap); the others need jperrant[plots].
        pages: Write a page for each dataset, as `jperrant report` does, and an index of all (false).
        formats: The formats of tables (text, tsv).
        layout: How figures are shown in text, md and latex.
    """

    model_config = ConfigDict(extra="forbid")

    title: Text = ""
    datasets: dict[Text, Dataset] = Field(default_factory=dict, json_schema_extra={"minProperties": 1})
    metrics: tuple[Metric, ...] = Field(json_schema_extra={"minItems": 1})
    human: dict[Text, Human] = Field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    intervals: Annotated[
        Samples | None, BeforeValidator(_samples), WithJsonSchema({"type": ["boolean", "integer"]})
    ] = None
    seed: Annotated[Whole, Field(le=2**32 - 1)] = SEED
    tables: OneOrMore[_TABLES] = get_args(_TABLES)
    plots: OneOrMore[Literal["heatmap", "systems", "human"]] = ("heatmap",)
    pages: Switch = False
    formats: OneOrMore[_FORMATS] = ("text", "tsv")
    layout: LayoutKeys = LayoutKeys()
    _file: InputFile = PrivateAttr()
    _people: dict[str, HumanStudy] = PrivateAttr(default_factory=dict)

    @property
    def file(self) -> Path:
        """The study file."""
        return self._file.path

    @property
    def people(self) -> Mapping[str, HumanStudy]:
        """What ``human`` says, with the data that it names."""
        return self._people

    def add_people(self, name: str) -> None:
        """Read what an entry of ``human`` names.

        Raises:
            InputError: The data set cannot be read, or has not what is asked for.
        """
        specs = {label: metric.spec for label, metric in self.labels(name).items()}
        self._people[name] = human_study(self.human[name], specs, self.seed)

    def labels(self, dataset: str | None = None) -> dict[str, Metric]:
        """Return the metrics by label; of one dataset those that score it."""
        return {one.label: one for one in self.metrics if dataset is None or one.scores(dataset)}

    def compared_by(self, comparison: Comparison) -> Metric:
        """Return the metric of a comparison."""
        return self.labels()[comparison.metric or self.metrics[0].label]

    def compared_in(self, comparison: Comparison) -> list[str]:
        """Return the datasets of a comparison: those that are named, or all that have its systems."""
        scored = filter(self.compared_by(comparison).scores, self.datasets)
        return list(comparison.datasets) or [
            n for n in scored if {*comparison.systems} <= {*self.datasets[n].systems}
        ]

    def test(self, comparison: Comparison) -> dict[str, Any]:
        """Return how the systems of a comparison are tested: keywords of ``paired_tests``."""
        own = {key: getattr(comparison, key) for key in ("test", "samples", "correction")}
        return {**own, "seed": self.seed, "by_type": True}

    def annotator(self, dataset: str) -> AnnotatorOptions:
        """Return how texts of a dataset are annotated: without models where nobody looks at edits."""
        own = self.datasets[dataset]
        used = any(metric.scorer().uses_edits for metric in self.labels(dataset).values())
        shown = self.pages or self.comparisons or own.raw or used
        models = own.models or ("compact" if shown else "none")
        return AnnotatorOptions(own.lang or "en", models, own.pack, tokens=own.tokens)

    def inputs(self) -> list[InputFile]:
        """Return every file that is read, each once; the study file is the first."""
        files = [
            self._file,
            *(file for one in self.datasets.values() for file in (one.source, *one.sides()) if file),
        ]
        files += [file for metric in self.metrics for file in metric.files]
        files += [file for study in self.people.values() for file in study.files]
        return list({file.written: file for file in files}.values())


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
    if study is None or problems:
        more = len(problems) - 1
        others = f" (and {more} more; run jperrant study check {file})" if more else ""
        raise InputError(f"{problems[0]}{others}")
    return study


def check_study(
    file: str | Path, folders: Mapping[str, str] | None = None
) -> tuple[Study | None, list[Problem]]:
    """Return the study of a file, or None, and everything that is wrong with it; nothing is computed.

    Args:
        file, folders: As in :func:`read_study`.

    Raises:
        InputError: The file cannot be read, is not YAML, or has a key twice; names the line.
        UsageError: The file has no folder of a given name.
    """
    own = input_of(Path(file), Path(file).name)
    read = YamlFile(Path(file))
    files = Files(read, folders or {})
    study, problems = (None, files.problems) if files.problems else read.checked(Study, files)
    if study is not None:
        study._file = own
        problems = [read.problem(place, message) for place, message in _problems(study)]
    return study, sorted(problems, key=lambda problem: int(problem.place.rpartition(":")[2]))


def _problems(study: Study) -> Iterator[Wrong]:
    """Yield what no single key can say, with its place."""
    if not study.datasets and not study.human:
        yield ("datasets",), "found no datasets, expected at least one"
    if not study.metrics:
        yield ("metrics",), "found no metrics, expected at least one"
    for n, metric in enumerate(study.metrics):
        yield from _column("metric", metric.label, ("metrics", n))
        if metric.label in [other.label for other in study.metrics[:n]]:
            yield ("metrics", n), f"two metrics have the name {metric.label!r}; give one a label"
        for name in metric.datasets:
            yield from _tried(
                ("metrics", n, "datasets"), chosen, name, [*study.datasets, *study.human], "dataset"
            )
    for name, dataset in study.datasets.items():
        yield from _column("dataset", name, ("datasets", name))
        for system in dataset.systems:
            yield from _column("system", system, ("datasets", name, "systems", system))
        yield from _dataset_problems(study, name, dataset)
    for n, comparison in enumerate(study.comparisons):
        yield from _comparison_problems(study, comparison, ("comparisons", n))
    for name, entry in study.human.items():
        specs = {label: metric.spec for label, metric in study.labels(name).items()}
        for label in entry.metrics or ():
            yield from _tried(("human", name, "metrics"), chosen, label, [*specs, LENGTH], "metric")
        if {*(entry.metrics or ())} <= {*specs, LENGTH}:
            yield from _tried(("human", name), study.add_people, name)


def _tried(place: Place, check: Callable[..., object], *given: Any) -> Iterator[Wrong]:
    """Yield what a check raises."""
    try:
        check(*given)
    except InputError as error:
        yield place, str(error)


def _column(what: str, name: str, place: Place) -> Iterator[Wrong]:
    """Refuse a name whose column in a table would take the place of another one."""
    if name in _COLUMNS[what]:
        yield place, f"{name!r} is a column that tables have anyway; give the {what} another name"


def _dataset_problems(study: Study, name: str, dataset: Dataset) -> Iterator[Wrong]:
    place: Place = ("datasets", name)
    texts = [file.written for file in dataset.sides() if file.text]
    if texts and not dataset.source:
        yield place, f"{texts[0]}: found text instead of M2; give the text that was corrected under source"
    if texts and not dataset.lang:
        yield place, f"{texts[0]}: found text instead of M2; give its language under lang"
    if dataset.source and not dataset.source.text:
        yield (*place, "source"), f"{dataset.source.written}: found M2, expected text"
    needing = [one.name for one in study.labels(name).values() if one.scorer().needs_references]
    if needing and not dataset.references:
        yield place, f"metric {needing[0]!r} needs references; add them"
    yield from _tried(
        (*place, "pack" if dataset.pack else "lang"), load_pack, dataset.lang or "en", dataset.pack
    )
    for file in dataset.references:
        yield from _tried((*place, "annotators"), _check_annotators, file, dataset.annotators)
    for system, one in dataset.systems.items():
        numbers = () if one.annotator is None else (one.annotator,)
        yield from _tried((*place, "systems", system), _check_annotators, one.file, numbers)


def _check_annotators(file: InputFile, numbers: Sequence[int]) -> None:
    """Check that an M2 file has the annotators who count."""
    if numbers and not file.text:
        known = annotators_in(read_m2(str(file.path), deviations=FormatDeviations()))
        if lacking := [number for number in numbers if number not in known]:
            expected = ", ".join(map(str, known)) or "none"
            raise InputError(f"{file.written}: found no annotator {lacking[0]}; expected one of {expected}")


def _comparison_problems(study: Study, comparison: Comparison, place: Place) -> Iterator[Wrong]:
    place = (*place, "systems")
    if len({*comparison.systems}) < 2:
        yield place, "expected two or more systems"
    if wrong := [
        *_tried(place, chosen, comparison.metric or study.metrics[0].label, study.labels(), "metric")
    ]:
        yield from wrong
        return
    scored = {name: one for name, one in study.datasets.items() if study.compared_by(comparison).scores(name)}
    for name in comparison.datasets:
        yield from _tried(place, chosen, name, scored, "dataset")
        for system in comparison.systems if name in scored else ():
            yield from _tried(place, chosen, system, scored[name].systems, f"system of {name}")
    if not study.compared_in(comparison):
        known = dict.fromkeys(system for one in scored.values() for system in one.systems)
        unknown = [
            wrong for system in comparison.systems for wrong in _tried(place, chosen, system, known, "system")
        ]
        yield from unknown or [(place, "found no dataset with all of them")]


def new_study(file: str) -> str:
    """Write a study file to start from and return its path.

    Args:
        file: Where it goes; ``-`` is standard output.

    Raises:
        UsageError: There is a file already.
        InputError: It cannot be written.
    """
    if file != "-" and Path(file).exists():
        raise UsageError(f"{file} exists already; give another name, or remove it")
    text = TEMPLATE.read_text(encoding="utf-8")
    with open_output(file) as stream:
        stream.write(text if file == "-" else text.replace("FILE.yaml", file))
    return file


def study_schema() -> str:
    """Return the JSON Schema of study files as the text of ``study.schema.json``, for editors."""
    return schema_text(Study, "a study file of jperrant")
