"""Metrics against people in a study: the keys of a study file, the data that they name, and what is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, TypeAlias, cast

from pydantic import BeforeValidator, Field, PlainValidator, ValidationInfo, WithJsonSchema

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.errors import InputError, nearest
from jperrant.evaluation.analysis import MOST_SAMPLES
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.evaluation import (
    MetaEvaluation,
    MetaOptions,
    analyse,
    check_analyses,
    check_choices,
    groups_of,
    load_dataset,
)
from jperrant.evaluation.meta.metric_scores import LENGTH, Computation, MetricScores
from jperrant.evaluation.meta.published import DATASETS, HOMES
from jperrant.evaluation.meta.references import reference_choices, with_reference_files, with_system_edits
from jperrant.evaluation.meta.tables import read_score_tables
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.statistics.correlation import FEWEST
from jperrant.evaluation.studies.content import annotator_content, scorer_content
from jperrant.evaluation.studies.files import Existing, File, Files, InputFile, input_of
from jperrant.packs.yaml_model import Keys, OneOrMore, Switch, Text, Whole


def _data(written: Any, info: ValidationInfo) -> InputFile | str:
    files = cast(Files, info.context)
    try:
        return str(written) if written in DATASETS else files.file(str(written))
    except InputError as error:
        raise InputError(f"{error}{nearest(str(written), DATASETS)}") from None


def _matching(given: Any, info: ValidationInfo) -> Any:
    """Return the files of patterns."""
    files = cast(Files, info.context)
    return [
        one for pattern in ([given] if isinstance(given, str) else given) for one in files.matching(pattern)
    ]


Samples: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=MOST_SAMPLES)]


class Human(Keys):
    """Metrics against the judgements of people, as `jperrant meta`.

    Attributes:
        data: A data set that `jperrant meta` knows (seeda, gjg15 …), or a JSON file.
        folder: The folder that the authors of the data set distribute.
        references: Files of references, or folders of them.
        sets: The sets of references; metrics are computed over each; the first, if it is not there.
        edits: M2 files named after systems, whose texts are then not annotated, or a pattern.
        metrics: Labels of metrics, and `length`, which counts characters; all metrics, if not there.
        scores: Tables of scores of other metrics, or folders of them.
        lower: The metrics of these tables of which a lower score is better.
        analyses: System and sentence, if it is not there; those of `jperrant meta --analysis`.
        lang: The language's code, if the data set names none.
        models: The models that annotate texts.
        human: The human scores, given or recomputed (`TS_edit`, `ew:edit`).
        groups: The groups of systems.
        judgements: The sets of judgements.
        aggregation: How scores of systems come from sentences: corpus, mean, trueskill, ew.
        ties: What ties count: half, seeda, wrong, skip.
        samples: Bootstrap samples of intervals; 0 for none.
        tested: Each metric is tested against the first.
        exchanges: Exchanges of a permutation test.
        width: Systems in a window.
        numbers: Numbers of references that are tried.
        draws: Choices of so many references that are tried.
        fit: The correlation to which factors of cleme2 are fitted: pearson, spearman, kendall.
    """

    data: Annotated[InputFile | str, PlainValidator(_data), WithJsonSchema({"type": "string"})]
    folder: Existing | None = None
    references: OneOrMore[Existing] = ()
    sets: OneOrMore[Text] = ()
    edits: Annotated[OneOrMore[File], BeforeValidator(_matching)] = ()
    metrics: OneOrMore[Text] | None = None
    scores: OneOrMore[Existing] = ()
    lower: OneOrMore[Text] = ()
    analyses: OneOrMore[Text] = ("system", "sentence")
    lang: Text = ""
    models: Text = "compact"
    human: OneOrMore[Text] | None = None
    groups: OneOrMore[Text] | None = None
    judgements: OneOrMore[Text] | None = None
    aggregation: Text | None = None
    ties: Text | None = None
    samples: Annotated[Whole, Field(le=MOST_SAMPLES)] | None = None
    tested: Switch | None = None
    exchanges: Samples | None = None
    width: Annotated[int, Field(strict=True, ge=FEWEST)] | None = None
    numbers: tuple[Annotated[int, Field(strict=True)], ...] | None = None
    draws: Annotated[int, Field(strict=True, ge=1)] | None = None
    fit: Text | None = None


@dataclass(frozen=True, slots=True)
class HumanStudy:
    """Metrics that are compared with the judgements of people.

    Attributes:
        dataset: Texts, references, and what people said of them.
        metrics: The metrics: for each label how it is written with its options.
        computation: How they are computed.
        tables: Scores of other metrics.
        analyses: What is computed.
        options: What is compared with what.
        files: The files that it names; those of the data set's folder, and of folders of references, are not
            listed.
        notes: What was noted of its files.
    """

    dataset: MetaDataset
    metrics: Mapping[str, str]
    computation: Computation
    tables: tuple[MetricScores, ...]
    analyses: tuple[str, ...]
    options: MetaOptions
    files: tuple[InputFile, ...] = ()
    notes: tuple[str, ...] = ()

    def texts_content(self) -> list[Any]:
        """Return what scores of metrics depend on: texts, references and how they are annotated."""
        data, computed = self.dataset, self.computation
        references = [(name, data.reference_set(name)) for name in computed.sets]
        lang = computed.lang or data.lang
        return [data.sources, list(data.systems.items()), references, computed.edits, lang, computed.models]

    def judgements_content(self) -> list[Any]:
        """Return what analyses depend on besides scores of metrics."""
        data = self.dataset
        human = [(name, list(scores.items())) for name, scores in data.human.items()]
        judged = [list(data.judgements.values()), human, list(data.groups.items())]
        return [data.name, *judged, self.tables, self.analyses, self.options, self.notes]

    def metric_content(self, label: str) -> list[Any]:
        """Return what the scores of one metric depend on besides the texts."""
        lang, spec = self.computation.lang or self.dataset.lang, self.metrics[label]
        if spec == LENGTH:
            return [label, LENGTH]
        [scorer] = make_scorers([spec], {}, lang or None)
        options = AnnotatorOptions(lang, models=self.computation.models)
        return [
            label,
            scorer_content(scorer),
            annotator_content(options) if scorer.uses_edits and lang else [],
        ]

    def rate(self, label: str, cache: str) -> list[MetricScores]:
        """Return the scores of one metric over each set of references.

        Args:
            label: The metric.
            cache: Folder that keeps annotations and encodings.
        """
        one = replace(self.computation, metrics=(self.metrics[label],), cache=cache)
        several = len(one.sets) > 1
        scores = one.all_scores(self.dataset)
        return [replace(own, name=f"{label} {own.references}" if several else label) for own in scores]

    def evaluation(self, rated: Sequence[MetricScores], cache: str) -> MetaEvaluation:
        """Return the results of all analyses.

        Args:
            rated: What :meth:`rate` returned for all metrics.
            cache: Folder that keeps annotations and encodings.
        """
        scores, computation = [*rated, *self.tables], replace(self.computation, cache=cache)
        return analyse(self.dataset, scores, self.options, self.analyses, self.notes, computation)


def human_study(entry: Human, specs: Mapping[str, str], seed: int) -> HumanStudy:
    """Return the data and the options of an entry of a study file.

    Args:
        entry: The entry.
        specs: For each label how the metric is written with its options.
        seed: Of random numbers.

    Raises:
        InputError: The data set cannot be read, or has not what is asked for.
    """
    metrics = {
        label: specs.get(label, LENGTH) for label in (specs if entry.metrics is None else entry.metrics)
    }
    names = {field.name for field in fields(MetaOptions)} & entry.model_fields_set
    options = MetaOptions(**{name: getattr(entry, name) for name in names}, seed=seed)
    check_analyses(entry.analyses)
    if isinstance(entry.data, str) and entry.folder is None:
        where = HOMES[entry.data.partition("-")[0]]
        raise InputError(
            f"data set {entry.data!r} is read from its authors' folder ({where}); give it under folder"
        )
    data = entry.data if isinstance(entry.data, str) else str(entry.data.path)
    edited = [str(file.path) for file in entry.edits]
    dataset = load_dataset(data, str(entry.folder.path) if entry.folder else None, edited)
    references = {str(one.path): one.written for one in entry.references}
    dataset, sets, notes = with_reference_files(dataset, list(references), entry.sets)
    for path, written in references.items():
        notes = [note.replace(path, written) for note in notes]
    dataset, edits, left_out = with_system_edits(dataset, edited, groups_of(dataset, options))
    check_choices(dataset, options)
    tables = read_score_tables({str(one.path): one.written for one in entry.scores}, dataset, entry.lower)
    computed = tuple(dict.fromkeys(metrics.values()))
    if {*computed} - {LENGTH} and "reference-numbers" in entry.analyses:
        make_scorers(
            [spec for spec in computed if spec != LENGTH], {}
        )  # refuses what cannot be computed together
    if "reference-numbers" in entry.analyses:
        for one in sets:
            reference_choices(one, dataset.reference_set(one), options.numbers, options.draws, seed)
    labels = {spec: label for label, spec in reversed(list(metrics.items()))}
    computation = Computation(computed, tuple(sets), entry.lang or None, entry.models, "", edits, labels)
    named = [
        *([] if isinstance(entry.data, str) else [entry.data]),
        *entry.references,
        *entry.scores,
        *entry.edits,
    ]
    files = [file for one in named for file in _listed(one, one in entry.scores)]
    if changed := [one for one in files if input_of(one.path, one.written).checksum != one.checksum]:
        raise InputError(f"{changed[0].written}: changed while it was read; run again")
    return HumanStudy(
        dataset,
        metrics,
        computation,
        tuple(tables),
        entry.analyses,
        options,
        tuple(files),
        (*notes, *left_out),
    )


def _listed(file: InputFile, whole: bool) -> list[InputFile]:
    """Return a file, or the files of a folder of scores; those of other folders are not listed."""
    if file.checksum:
        return [file]
    texts = sorted(file.path.rglob("*.txt")) if whole else []
    return [input_of(path, f"{file.written}/{path.relative_to(file.path).as_posix()}") for path in texts]
