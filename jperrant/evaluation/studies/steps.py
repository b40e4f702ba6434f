"""The steps of a study and what each depends on; which are done already is a question of their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.option import options_of
from jperrant.evaluation.encoder_choice import with_encoder
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.registry import factory_of, make_scorer
from jperrant.evaluation.statistics.significance import SEED
from jperrant.evaluation.studies.content import (
    annotator_content,
    checksum_of_file,
    key_of,
    model_content,
    scorer_content,
    versions,
)
from jperrant.evaluation.studies.human import key_of_rating
from jperrant.evaluation.studies.input_file import InputFile
from jperrant.evaluation.studies.values import Dataset, Metric, Study, SystemsCompared

Kind: TypeAlias = Literal["annotate", "score", "intervals", "compare", "rate", "correlate"]
#: The order in which kinds of steps are done: each may need the results of those before it.
KINDS: tuple[Kind, ...] = ("annotate", "score", "intervals", "compare", "rate", "correlate")
#: What stands for the systems where raw references are annotated together.
REFERENCES = "references"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is computed.

    Attributes:
        kind: What is done.
        dataset: Of which dataset, or which comparison with people.
        subject: Of what: a system, a reference, systems that are compared.
        metric: The label of the metric; empty for annotation.
        key: Stands for everything that the result depends on.
        number: Which reference, from 1, or which comparison of systems or with people, from 0, it is.
        together: Whether one process computes all steps of the group.
    """

    kind: Kind
    dataset: str
    subject: str
    metric: str
    key: str
    number: int = 0
    together: bool = False

    def __str__(self) -> str:
        subject = f"{self.subject} {self.number}" if self.kind == "annotate" and self.number else self.subject
        return " ".join(filter(None, (self.kind, f"{self.dataset}/{subject}", self.metric)))

    @property
    def group(self) -> tuple[str, str, str]:
        """Steps of one group share what they read and load."""
        return self.kind, self.dataset, self.metric


def is_annotated(dataset: Dataset, file: InputFile) -> bool:
    """Whether a file becomes M2 in a step of its own."""
    return file.text and dataset.source is not None


def alignment_annotator(dataset: Dataset) -> AnnotatorOptions | None:
    """Return what types edits again that alignment joined: what annotates texts; None where there are none."""
    texts = any(is_annotated(dataset, one) for one in (*dataset.references, *dataset.systems.values()))
    return dataset.annotator if texts else None


def scorer_of(
    metric: Metric,
    dataset: Dataset,
    seed: int = SEED,
    cache: Path | None = None,
    encoders: dict[tuple[str, str], Mapping[str, object]] | None = None,
) -> Scorer:
    """Return a metric for a dataset, whose language chooses the encoder where none is given.

    Args:
        metric: The metric.
        dataset: The dataset.
        seed: Of random numbers, for a metric that draws some and has no seed of its own.
        cache: Folder that keeps what models computed; None for none.
        encoders: Keeps the encoder of a metric and a language for the next call.

    Raises:
        UsageError: The metric or an option is unknown.
    """
    known = {option.name for option in options_of(factory_of(metric.name))}
    shared: dict[str, object] = {} if seed == SEED else {"seed": seed}
    if cache is not None:
        model = model_content({"model": metric.options.get("llm_model")})
        answers = key_of(metric.name, sorted(metric.options.items()), dataset.name, *model)[:16]
        shared |= {"cache": str(cache / "encodings"), "llm_cache": str(cache / f"answers-{answers}.jsonl")}
    options = {**{name: value for name, value in shared.items() if name in known}, **metric.options}
    if dataset.lang and "encoder" in known and "encoder" not in options:
        kept = {} if encoders is None else encoders
        if (metric.name, dataset.lang) not in kept:
            kept[metric.name, dataset.lang] = with_encoder(metric.name, dataset.lang, {})
        options = {**kept[metric.name, dataset.lang], **options}
    return make_scorer(metric.name, **options)


class Plan:
    """Every step of a study.

    Args:
        study: The study.

    Attributes:
        steps: The steps, in the order in which they are done.
        versions: What computes them.
        checksums: The checksum of each input file.

    Raises:
        InputError: An input file cannot be read.
        JperrantError: A pack or a model cannot be found.
    """

    def __init__(self, study: Study) -> None:
        self.study, self.versions = study, versions()
        self._encoders: dict[tuple[str, str], Mapping[str, object]] = {}
        self.checksums = {file.written: checksum_of_file(file.path) for file in study.inputs()}
        annotated, scored = [], []
        for dataset in study.datasets:
            own = list(self._annotations(dataset))
            annotated += own
            keys = {(step.subject, step.number): step.key for step in own}
            for metric in study.metrics:
                if metric.scores(dataset.name):
                    scored += list(self._scores(dataset, metric, keys))
        self.steps: tuple[Step, ...] = (
            *annotated,
            *scored,
            *self._intervals(scored),
            *self._comparisons(scored),
            *self._human(),
        )

    @cached_property
    def by_subject(self) -> Mapping[tuple[Kind, str, str, str], Step]:
        """The steps by kind, dataset, subject and metric."""
        return {(step.kind, step.dataset, step.subject, step.metric): step for step in self.steps}

    def scorer(self, metric: Metric, dataset: Dataset, cache: Path | None = None) -> Scorer:
        """Return a metric for a dataset, as :func:`scorer_of`."""
        return scorer_of(metric, dataset, self.study.seed, cache, self._encoders)

    def _annotations(self, dataset: Dataset) -> Iterator[Step]:
        references = [(n, one) for n, one in enumerate(dataset.references) if is_annotated(dataset, one)]
        if dataset.source is None or not (
            references or any(is_annotated(dataset, one) for one in dataset.systems.values())
        ):
            return
        shared = ["annotate", self.versions, annotator_content(dataset.annotator), dataset.raw,
                  self.checksums[dataset.source.written], dataset.source.written]  # fmt: skip
        # Raw texts are split into sentences together with all references.
        texts = (
            [[one for _, one in references]]
            if dataset.raw and references
            else [[one] for _, one in references]
        )
        for files, (n, _) in zip(texts, references, strict=False):
            yield Step("annotate", dataset.name, REFERENCES, "", self._of_files(shared, files), n + 1)
        for name, file in dataset.systems.items():
            if is_annotated(dataset, file):
                yield Step("annotate", dataset.name, name, "", self._of_files(shared, [file]))

    def _of_files(self, shared: Sequence[object], files: Sequence[InputFile]) -> str:
        return key_of(*shared, [[self.checksums[file.written], file.written] for file in files])

    def _scores(
        self, dataset: Dataset, metric: Metric, annotated: Mapping[tuple[str, int], str]
    ) -> Iterator[Step]:
        scorer = self.scorer(metric, dataset)
        sides: dict[str, object] = {
            name: annotated.get((name, 0)) or self._of_m2(file) for name, file in dataset.systems.items()
        }
        references = [
            annotated.get((REFERENCES, number), "") if is_annotated(dataset, file) else self._of_m2(file)
            for number, file in enumerate(dataset.references, start=1)
            if scorer.needs_references
        ]
        annotator = alignment_annotator(dataset)
        shared = ["score", self.versions, scorer_content(scorer), references, dataset.annotators, dataset.strict,
                  dataset.lang, annotator and annotator_content(annotator)]  # fmt: skip
        everyone = list(sides.items()) if scorer.joint else []
        # Answers of a language model are kept in one file, to which one process at a time writes.
        together = scorer.joint or any(option.name == "llm_cache" for option in options_of(type(scorer)))
        for name, side in sides.items():
            key = key_of(*shared, name, side, everyone)
            yield Step("score", dataset.name, name, metric.label, key, together=together)

    def _of_m2(self, file: InputFile) -> str:
        annotator = "" if file.annotator is None else f" {file.annotator}"
        return f"{self.checksums[file.written]} {file.written}{annotator}"

    def _intervals(self, scored: Sequence[Step]) -> Iterator[Step]:
        samples, seed = self.study.samples, self.study.seed
        if samples is not None:
            for step in scored:
                key = key_of("intervals", step.key, samples, seed)
                yield Step("intervals", step.dataset, step.subject, step.metric, key)

    def _human(self) -> Iterator[Step]:
        for number, study in enumerate(self.study.human):
            texts = key_of(study.texts_content())
            keys = []
            for label in study.metrics:
                key = key_of_rating(study, label, self.versions, texts)
                keys.append(key)
                yield Step("rate", study.name, study.dataset.name, label, key, number)
            key = key_of("correlate", self.versions, keys, study.judgements_content(), study.name)
            yield Step("correlate", study.name, study.dataset.name, "", key, number)

    def _comparisons(self, scored: Sequence[Step]) -> Iterator[Step]:
        keys = {(step.dataset, step.metric, step.subject): step.key for step in scored}
        for number, compared in enumerate(self.study.comparisons):
            options = compared.options
            for dataset in compared.datasets:
                own = [keys[dataset, compared.metric, system] for system in compared.systems]
                settings = [options.test, options.samples, options.seed, options.correction]
                key = key_of("compare", own, settings)
                yield Step("compare", dataset, compared_name(compared), compared.metric, key, number)


def compared_name(compared: SystemsCompared) -> str:
    """Return what systems that are compared are called in lines and file names."""
    return " vs ".join(compared.systems)
