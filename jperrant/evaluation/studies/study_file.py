"""Study files: their keys as pydantic models, the files that they name, and the checks of ``--check``.

The entries of ``human`` are read by the code of ``jperrant meta``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    PrivateAttr,
    ValidationInfo,
    WithJsonSchema,
)

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.edits import annotators_in
from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.tables import Layout
from jperrant.evaluation.inputs import is_m2
from jperrant.evaluation.meta.data_files import matching_files
from jperrant.evaluation.meta.evaluation import MetaRequest, meta_requested
from jperrant.evaluation.meta.metric_scores import LENGTH
from jperrant.evaluation.meta.published import DATASETS, HOMES
from jperrant.evaluation.metric_names import make_scorers
from jperrant.evaluation.statistics.correlation import FEWEST
from jperrant.evaluation.statistics.significance import MOST_SAMPLES, SEED
from jperrant.io.answers import check_form
from jperrant.io.files import reason
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.packs.labels import GROUPS
from jperrant.packs.pack import load_pack
from jperrant.packs.yaml_file import (
    Keys,
    OneOrMore,
    Place,
    Problem,
    Short,
    Switch,
    Text,
    Whole,
    YamlFile,
    schema_text,
)

#: The JSON Schema of :class:`Study`, for editors.
SCHEMA = Path(__file__).with_name("study.schema.json")
#: The names of columns that no dataset, metric or system may have.
_COLUMNS = ("system", "macro", "group", "type", "reference edits")
_TABLES = Literal["systems", "languages", "metrics", "groups", "types", "human", "comparisons"]
_FOLDER = re.compile(r"\$\{([^}]*)\}")
#: The place of a problem, and its message.
Wrong: TypeAlias = tuple[Place, str]


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file or folder that a study reads.

    Attributes:
        path: The path of the file.
        written: The path as the study file has it, for messages and results.
        checksum: SHA-256 of the content when the study file was read; empty for a folder.
        text: Whether the file is text and not M2.
    """

    path: Path
    written: str
    checksum: str = ""
    text: bool = False

    @classmethod
    def of(cls, path: Path, written: str) -> InputFile:
        """Return a file with its present checksum.

        Raises:
            InputError: The file cannot be read.
        """
        try:
            with path.open("rb") as stream:
                return cls(path, written, hashlib.file_digest(stream, "sha256").hexdigest())
        except (OSError, ValueError) as error:
            raise InputError(f"{written} cannot be read ({reason(error)})") from None

    def check(self) -> None:
        """Check that the file has not changed since the study file was read, as keys of results depend on it.

        Raises:
            InputError: The file has changed.
        """
        if self.checksum and self.of(self.path, self.written).checksum != self.checksum:
            raise InputError(f"{self.written}: changed while the study ran; run it again")


@dataclass(frozen=True, slots=True)
class Files:
    """Resolves the paths in a study file.

    Attributes:
        base: The folder of the study file.
        folders: The folders that ``${NAME}`` stands for.
    """

    base: Path
    folders: Mapping[str, Path]

    def expanded(self, written: str) -> str:
        """Return a text with ``${NAME}`` replaced by the folder.

        Raises:
            InputError: A folder is unknown.
        """
        for name in _FOLDER.findall(written):
            chosen(name, self.folders, "folder")
        return _FOLDER.sub(lambda match: str(self.folders[match[1]]), written)

    def existing(self, written: Any) -> InputFile:
        """Return an existing file or folder.

        Raises:
            InputError: The file does not exist; names the most similar file in its folder.
        """
        if not isinstance(written, str):
            raise InputError(f"found {written!r}, expected a file as text (put it in quotes)")
        path = self.base / self.expanded(written)
        try:
            if path.is_dir():
                return InputFile(path, written)
            if path.exists():
                return InputFile.of(path, written)
            beside = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
        except (OSError, ValueError) as error:
            raise InputError(f"{written} cannot be read ({reason(error)})") from None
        where = f" ({path})" if _FOLDER.search(written) else ""
        raise InputError(f"found no file {written}{nearest(path.name, beside)}{where}")

    def file(self, written: Any) -> InputFile:
        """Return an existing file, with its format.

        Raises:
            InputError: The file does not exist or cannot be read, or is a folder.
        """
        file = self.existing(written)
        if not file.checksum:
            raise InputError(f"{written}: found a folder, expected a file")
        return replace(file, text=not is_m2(str(file.path)))


def _files(info: ValidationInfo) -> Files:
    return cast(Files, info.context)


def named(text: str, files: Iterable[InputFile]) -> str:
    """Return a text in which paths of files are replaced by the names in the study file."""
    for file in files:
        text = text.replace(str(file.path), file.written)
    return text


def chosen(name: Any, known: Iterable[str], what: str) -> str:
    """Return a name if it is among the known ones.

    Raises:
        InputError: The name is unknown; names the most similar known one.
    """
    known = list(known)
    if name not in known:
        names = ", ".join(known) or "none"
        raise InputError(f"unknown {what} {name!r}{nearest(str(name), known)}; expected one of {names}")
    return str(name)


def _metrics(given: Any) -> Any:
    """Return metrics by label; in a list each metric is its own label."""
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        return given
    if twice := [one for n, one in enumerate(given) if one in given[:n]]:
        raise InputError(f"two metrics have the name {twice[0]!r}; give labels (LABEL: METRIC)")
    return dict(zip(given, given, strict=True))


def _metric(written: str, info: ValidationInfo) -> str:
    spec = _files(info).expanded(written)
    make_scorers([spec])
    return spec


def _name(name: str) -> str:
    """Check that a name is not that of a fixed column of tables."""
    if name in _COLUMNS:
        raise InputError(f"{name!r} is a column that tables already have; give another name")
    return name


def _edits(given: Any, info: ValidationInfo) -> list[InputFile]:
    """Return the M2 files of systems; a pattern can match several files."""
    found = []
    for one in [given] if isinstance(given, str) else given:
        folder = str(one).rpartition("/")[0]
        for path in map(Path, matching_files([str(_files(info).base / _files(info).expanded(str(one)))])):
            found.append(_files(info).file(f"{folder}/{path.name}" if folder else path.name))
    return found


def _data(written: str, info: ValidationInfo) -> InputFile | str:
    try:
        return written if written in DATASETS else _files(info).file(written)
    except InputError as error:
        raise InputError(f"{error}{nearest(written, DATASETS)}") from None


def _answers(given: str) -> str:
    check_form(given)
    return given


_PATH = WithJsonSchema({"type": "string"})
_PATHS = WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
File: TypeAlias = Annotated[InputFile, PlainValidator(lambda given, info: _files(info).file(given)), _PATH]
Existing: TypeAlias = Annotated[
    InputFile, PlainValidator(lambda given, info: _files(info).existing(given)), _PATH
]
Expanded: TypeAlias = Annotated[Text, AfterValidator(lambda given, info: _files(info).expanded(given))]
Name: TypeAlias = Annotated[Text, AfterValidator(_name)]
Group: TypeAlias = Annotated[
    str, BeforeValidator(lambda given: chosen(given, GROUPS, "group")), WithJsonSchema({"enum": list(GROUPS)})
]
Samples: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=MOST_SAMPLES)]


class Folder(Short):
    """A folder that paths name as `${NAME}`.

    Attributes:
        path: The path of the folder; without it `--set NAME=FOLDER` is required.
        about: Where to get the folder.
    """

    path: Text | None = None
    about: Text = ""


class Folders(Keys):
    """The part of a study file that is read first: the folders in its paths.

    Attributes:
        folders: Folders that paths name as `${NAME}`: a path, or null (or `about:`, where to get it) if
            `--set NAME=FOLDER` is required.
    """

    model_config = ConfigDict(extra="ignore")

    folders: dict[Text, Folder | None] = Field(default_factory=dict)


class System(Short):
    """The output of a system, as text or M2.

    Attributes:
        file: The path, relative to the study file; `${NAME}` stands for a folder.
        annotator: The number of the annotator in the M2 file who stands for the system.
    """

    file: File
    annotator: Whole | None = None


class Dataset(Keys):
    """One text with its references and the outputs of systems.

    Attributes:
        lang: The code of the language, as in `--lang`; required for texts.
        source: The text that was corrected, one sentence per line; required for texts.
        references: M2 files, or one text for each annotator.
        systems: The output of each system by name: a file, or `{file:, annotator:}` for one annotator of an M2
            file.
        raw: Whether texts are not tokenised, so that the models split them into sentences and tokens.
        answers: How the output of language models is read: `clean`, `jsonl:FIELD`, `tsv:COLUMN`.
        tokens: The unit of tokens in texts.
        models: The models that annotate texts: compact (default), default, a folder, spacy:NAME, none.
        annotators: The numbers of the annotators of M2 references to use; all if empty.
        groups: The groups of error types that no pack has, by label, for tables of all languages.
    """

    lang: Text = ""
    source: File | None = None
    references: OneOrMore[File] = ()
    systems: dict[Name, System] = Field(json_schema_extra={"minProperties": 1})
    raw: Switch = False
    answers: Annotated[Text, AfterValidator(_answers)] = ""
    tokens: Literal["given", "words", "characters"] = "given"
    models: Expanded = "compact"
    annotators: tuple[Whole, ...] = ()
    groups: dict[str, Group] = Field(default_factory=dict)

    @property
    def has_texts(self) -> bool:
        """Whether a system or a reference is text and not M2."""
        return any(file.text for file in self.files())

    def files(self) -> list[InputFile]:
        """Return the files of references and systems."""
        return [*self.references, *(system.file for system in self.systems.values())]

    def text_options(self) -> dict[str, Any]:
        """Return the keywords of `score` that say how texts are read, without those at their default."""
        return self.model_dump(include={"lang", "raw", "answers", "tokens", "models"}, exclude_defaults=True)

    def annotator(self) -> AnnotatorOptions:
        """Return the options that annotate texts for metrics that use edits."""
        return AnnotatorOptions(self.lang or None, self.models, tokens=self.tokens)


class Human(Keys):
    """Metrics compared with human judgements, as by `jperrant meta`.

    Attributes:
        data: The name of a published data set (seeda, gjg15 …), or a JSON file.
        folder: The folder that the authors of the data set distribute.
        references: Files of references, or folders of them.
        sets: The sets of references; metrics are computed against each (default: the first).
        edits: M2 files named after systems, or a pattern, used instead of annotating texts.
        metrics: Labels of metrics, and `length`, which counts characters (default: all metrics).
        scores: Tables of scores of other metrics.
        lower: The metrics of these tables whose lower scores are better.
        analyses: The analyses of `jperrant meta --analysis` (default: system and sentence).
        lang: The code of the language, if the data set names none.
        models: The models that annotate texts.
        human: The human scores, given or recomputed (`TS_edit`, `ew:edit`).
        groups: The groups of systems.
        judgements: The sets of judgements.
        aggregation: The way from sentence scores to system scores: corpus, mean, trueskill, ew.
        ties: The rule for ties of a metric: half, seeda, wrong, skip.
        samples: Number of bootstrap samples for intervals; 0 for no intervals.
        width: The number of systems in a window.
        fit: The correlation by which the factors of cleme2 are fitted: pearson, spearman, kendall.
    """

    data: Annotated[InputFile | str, PlainValidator(_data), _PATH]
    folder: Existing | None = None
    references: OneOrMore[Existing] = ()
    edits: Annotated[tuple[InputFile, ...], PlainValidator(_edits), _PATHS] = ()
    metrics: OneOrMore[Text] | None = None
    scores: OneOrMore[File] = ()
    sets: OneOrMore[Text] = ()
    lower: OneOrMore[Text] = ()
    analyses: OneOrMore[Text] = ()
    lang: Text | None = None
    models: Text = "compact"
    human: OneOrMore[Text] = ()
    groups: OneOrMore[Text] = ()
    judgements: OneOrMore[Text] = ()
    aggregation: Text | None = None
    ties: Text | None = None
    samples: Annotated[Whole, Field(le=MOST_SAMPLES)] = 0
    width: Annotated[Whole, Field(ge=FEWEST)] | None = None
    fit: Text | None = None

    def request(self, specs: Mapping[str, str], seed: int) -> MetaRequest:
        """Read the data and return the request of a meta-evaluation; keys that are not set keep its defaults.

        Args:
            specs: The metrics of the study by label.
            seed: Seed of the random numbers.

        Raises:
            InputError: The data cannot be read, or lacks something that the keys name.
        """
        if isinstance(self.data, str) and self.folder is None:
            where = HOMES[self.data.partition("-")[0]]
            raise InputError(
                f"data set {self.data!r} is read from its authors' folder ({where}); give it under folder"
            )
        labels = {one: specs.get(one, LENGTH) for one in (specs if self.metrics is None else self.metrics)}
        called = {spec: label for label, spec in labels.items()}
        if len(called) < len(labels):
            raise InputError(f"the same metric is given twice ({', '.join(labels)}); name one under metrics")
        own = {"data", "folder", "references", "edits", "metrics", "scores"}
        request = meta_requested(
            self.data if isinstance(self.data, str) else self.data.path,
            list(called),
            data=self.folder.path if self.folder else None,
            references=[one.path for one in self.references],
            scores={str(one.path): one.written for one in self.scores},
            edits=[one.path for one in self.edits],
            seed=seed,
            **{name: getattr(self, name) for name in self.model_fields_set - own},
        )
        for file in self.files:
            file.check()
        notes = tuple([named(note, self.files) for note in request.notes])
        return replace(request, computation=replace(request.computation, labels=called), notes=notes)

    @property
    def files(self) -> list[InputFile]:
        """The files that the entry names, without the contents of folders."""
        data = [] if isinstance(self.data, str) else [self.data]
        return [one for one in (*data, *self.references, *self.edits, *self.scores) if one.checksum]


class Comparison(Keys):
    """A comparison of systems by one metric and by error type, with a paired test.

    Attributes:
        systems: The systems; the first is compared with each of the others.
        metric: The label of the metric (default: the first).
        datasets: The datasets (default: all that have these systems).
        test: The paired test.
        samples: The number of samples of the test (default: 10000).
        correction: The correction of p-values for the number of tests.
    """

    systems: OneOrMore[Text]
    metric: Text = ""
    datasets: OneOrMore[Text] = ()
    test: Literal["randomisation", "bootstrap"] = "randomisation"
    samples: Samples | None = None
    correction: Literal["holm", "bh", "none"] = "holm"

    @property
    def name(self) -> str:
        """The names of the systems joined by ``vs``, for tables and file names."""
        return " vs ".join(self.systems)


class LayoutKeys(Keys):
    """The layout of figures in text, md and latex.

    Attributes:
        percent: Whether figures are shown times 100.
        decimals: The number of decimals.
        intervals: The style of intervals.
        bold_best: Whether the best figure of a column is bold (latex, md).
    """

    percent: Switch = False
    decimals: Annotated[Whole, Field(le=15)] | None = None
    intervals: Literal["", "pm", "brackets"] = ""
    bold_best: Switch = False


class Study(Folders):
    """A whole experiment.

    Attributes:
        title: The title of the study.
        datasets: The texts with their references and systems, by name; optional if there is `human`.
        metrics: The metrics, written as on the command line (`gleu:draws=500`): a list, or a mapping from labels
            for tables to metrics.
        human: Metrics compared with human judgements, by name, as by `jperrant meta`.
        comparisons: Comparisons of systems by error type, with a paired test.
        intervals: The number of bootstrap samples for the 95 % interval of every figure (default: no intervals).
        seed: Seed of the random numbers (default: 12345).
        tables: The tables to write (default: all that apply).
        plots: The plots to write (default: none); they need jperrant[plots].
        formats: The formats of tables (default: text, tsv).
        layout: The layout of figures in text, md and latex.
    """

    model_config = ConfigDict(extra="forbid")

    title: Text = ""
    datasets: dict[Name, Dataset] = Field(default_factory=dict, json_schema_extra={"minProperties": 1})
    metrics: Annotated[
        dict[Name, Annotated[Text, AfterValidator(_metric)]],
        BeforeValidator(_metrics),
        Field(
            json_schema_extra=lambda schema: schema.update(
                type=["object", "array"], minItems=1, minProperties=1
            )
        ),
    ]
    human: dict[Text, Human] = Field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    intervals: Samples | None = None
    seed: Annotated[Whole, Field(le=2**32 - 1)] = SEED
    tables: OneOrMore[_TABLES] = get_args(_TABLES)
    plots: OneOrMore[Literal["heatmap", "systems", "human"]] = ()
    formats: OneOrMore[Literal["text", "md", "latex", "tsv", "csv", "html"]] = ("text", "tsv")
    layout: LayoutKeys = LayoutKeys()
    _file: InputFile = PrivateAttr()
    _people: dict[str, MetaRequest] = PrivateAttr(default_factory=dict)

    @property
    def file(self) -> Path:
        """The study file."""
        return self._file.path

    @property
    def name(self) -> str:
        """The title of the study, or the name of its file."""
        return self.title or self.file.stem

    @property
    def people(self) -> Mapping[str, MetaRequest]:
        """The request of a meta-evaluation for each entry of ``human``."""
        return self._people

    @property
    def shown(self) -> Layout:
        """The layout of figures."""
        return Layout(**self.layout.model_dump())

    def read_people(self, name: str) -> None:
        """Read the files of an entry of ``human``.

        Raises:
            InputError: As :meth:`Human.request`.
        """
        self._people[name] = self.human[name].request(self.metrics, self.seed)

    def compared_by(self, comparison: Comparison) -> str:
        """Return the label of a comparison's metric."""
        return comparison.metric or next(iter(self.metrics))

    def compared_in(self, comparison: Comparison) -> list[str]:
        """Return the datasets of a comparison: the named ones, or all that have its systems."""
        having = [name for name, one in self.datasets.items() if {*comparison.systems} <= {*one.systems}]
        return list(comparison.datasets) or having

    def inputs(self) -> list[InputFile]:
        """Return all files of the study, each once, the study file first."""
        files = [self._file]
        for one in self.datasets.values():
            files += [*([one.source] if one.source else []), *one.files()]
        files += [file for entry in self.human.values() for file in entry.files]
        return list({file.written: file for file in files}.values())

    def named(self, text: str) -> str:
        """Return a text in which paths of files are replaced by the names in the study file."""
        return named(text, self.inputs())


def read_study(file: str | Path, folders: Mapping[str, str] | None = None) -> Study:
    """Return the study of a file.

    Args:
        file: The study file.
        folders: The folders given with ``--set``, by name.

    Raises:
        InputError: The file cannot be read or is invalid; gives the first problem with file and line.
        UsageError: The study file has no folder of a given name.
    """
    study, problems = check_study(file, folders)
    if study is None or problems:
        more = len(problems) - 1
        others = f" (and {more} more; run jperrant study {file} --check)" if more else ""
        raise InputError(f"{problems[0]}{others}")
    return study


def check_study(
    file: str | Path, folders: Mapping[str, str] | None = None
) -> tuple[Study | None, list[Problem]]:
    """Return the study of a file (None if it cannot be made) and all problems of the file; compute nothing.

    Args:
        file, folders: As in :func:`read_study`.

    Raises:
        InputError: The file cannot be read, is not YAML, or repeats a key; names the line.
        UsageError: The study file has no folder of a given name.
    """
    own = InputFile.of(Path(file), Path(file).name or str(file))
    read = YamlFile(Path(file))
    found, problems = _folders(read, folders or {})
    study, problems = (None, problems) if problems else read.checked(Study, found)
    if study is not None:
        study._file = own
        problems = [read.problem(place, message) for place, message in _problems(study)]
    return study, sorted(problems, key=lambda problem: int(problem.place.rpartition(":")[2]))


def _folders(file: YamlFile, given: Mapping[str, str]) -> tuple[Files, list[Problem]]:
    """Return the resolver of the paths in a study file, and the problems of its folders.

    Raises:
        UsageError: The study file has no folder of a given name.
    """
    keys, problems = file.checked(Folders)
    found: dict[str, Path] = {}
    base, declared = file.path.parent.absolute(), keys.folders if keys else dict.fromkeys(given)
    for name in given:
        if name not in declared:
            hint = f"{nearest(name, declared)}; expected one of {', '.join(declared) or 'none'}"
            raise UsageError(f"{file.path}: unknown folder {name!r}{hint}")
    for name, folder in declared.items():
        folder = folder or Folder()
        written = given.get(name, folder.path)
        found[name] = Path(given[name]).absolute() if name in given else base / (written or "")
        if written is None:
            where = f" ({folder.about})" if folder.about else ""
            problem = f"found no folder; give it, as in jperrant study FILE --set {name}=FOLDER{where}"
            problems.append(file.problem(("folders", name), problem))
        elif not found[name].is_dir():
            problems.append(file.problem(("folders", name), f"found no folder {written}"))
    return Files(base, found), problems


def _problems(study: Study) -> Iterator[Wrong]:
    """Yield the problems that concern several keys, each with its place."""
    if not study.datasets and not study.human:
        yield ("datasets",), "found no datasets, expected at least one"
    if not study.metrics:
        yield ("metrics",), "found no metrics, expected at least one"
    for name, dataset in study.datasets.items():
        yield from _dataset_problems(study, name, dataset)
    for number, comparison in enumerate(study.comparisons):
        yield from _comparison_problems(study, comparison, ("comparisons", number, "systems"))
    for name, entry in study.human.items():
        wrong = [
            one
            for label in entry.metrics or ()
            for one in _tried(("human", name, "metrics"), chosen, label, [*study.metrics, LENGTH], "metric")
        ]
        yield from wrong or _tried(("human", name), study.read_people, name)


def _tried(place: Place, check: Callable[..., object], *given: Any) -> Iterator[Wrong]:
    """Yield the error that a check raises, as a problem at a place."""
    try:
        check(*given)
    except InputError as error:
        yield place, str(error)


def _dataset_problems(study: Study, name: str, dataset: Dataset) -> Iterator[Wrong]:
    place: Place = ("datasets", name)
    texts = [file.written for file in dataset.files() if file.text]
    if texts and not dataset.source:
        yield place, f"{texts[0]}: found text instead of M2; give the text that was corrected under source"
    if texts and not dataset.lang:
        yield place, f"{texts[0]}: found text instead of M2; give its language under lang"
    if dataset.source and not dataset.source.text:
        yield (*place, "source"), f"{dataset.source.written}: found M2, expected text"
    if not dataset.systems:
        yield (*place, "systems"), "found no systems, expected at least one"
    needing = [label for label, spec in study.metrics.items() if make_scorers([spec])[0].needs_references]
    if needing and not dataset.references:
        yield place, f"metric {needing[0]!r} needs references; add them"
    yield from _tried((*place, "lang"), load_pack, dataset.lang or "en")
    for file in dataset.references:
        yield from _tried((*place, "annotators"), _check_annotators, file, dataset.annotators)
    for system, one in dataset.systems.items():
        numbers = () if one.annotator is None else (one.annotator,)
        yield from _tried((*place, "systems", system), _check_annotators, one.file, numbers)


def _check_annotators(file: InputFile, numbers: Sequence[int]) -> None:
    """Check that an M2 file has the given annotators."""
    if numbers and not file.text:
        known = annotators_in(read_m2(str(file.path), deviations=FormatDeviations()))
        if lacking := [number for number in numbers if number not in known]:
            expected = ", ".join(map(str, known)) or "none"
            raise InputError(f"{file.written}: found no annotator {lacking[0]}; expected one of {expected}")


def _comparison_problems(study: Study, comparison: Comparison, place: Place) -> Iterator[Wrong]:
    if len({*comparison.systems}) < 2:
        yield place, "expected two or more systems"
    label = study.compared_by(comparison)
    yield from _tried(place, chosen, label, study.metrics, "metric")
    for name in comparison.datasets:
        yield from _tried(place, chosen, name, study.datasets, "dataset")
        for system in comparison.systems if name in study.datasets else ():
            yield from _tried(place, chosen, system, study.datasets[name].systems, f"system of {name}")
    if not study.compared_in(comparison):
        known = dict.fromkeys(system for one in study.datasets.values() for system in one.systems)
        unknown = [one for s in comparison.systems for one in _tried(place, chosen, s, known, "system")]
        yield from unknown or [(place, "found no dataset with all these systems")]


def study_schema() -> str:
    """Return the text of ``study.schema.json``: the JSON Schema of study files."""
    return schema_text(Study, "a study file of jperrant")
