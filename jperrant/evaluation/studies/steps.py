"""The steps of a study and what each depends on; which are done already is a question of their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.option import options_of
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.registry import factory_of
from jperrant.evaluation.scorers import with_encoder
from jperrant.evaluation.statistics.significance import SEED
from jperrant.evaluation.studies.content import (
    annotator_content,
    key_of,
    model_content,
    scorer_content,
    versions,
)
from jperrant.evaluation.studies.files import InputFile
from jperrant.evaluation.studies.study_file import Dataset, Study

#: The order in which kinds of steps are done: each may need the results of those before it.
KINDS = ("annotate", "score", "intervals", "compare", "rate", "correlate")
Kind: TypeAlias = Literal["annotate", "score", "intervals", "compare", "rate", "correlate"]
#: What stands for the systems where references are annotated.
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
        number: Which reference, from 1, or which comparison of systems, from 0, it is.
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


def is_annotated(dataset: Dataset, file: InputFile) -> bool:
    """Whether a file becomes M2 in a step of its own."""
    return file.text and dataset.source is not None


class Plan:
    """Every step of a study.

    Args:
        study: The study.

    Attributes:
        steps: The steps, in the order in which they are done.
        versions: What computes them.

    Raises:
        InputError: A file cannot be read.
        JperrantError: A pack or a model cannot be found.
    """

    def __init__(self, study: Study) -> None:
        self.study, self.versions = study, versions()
        self._encoders: dict[tuple[str, str], Mapping[str, Any]] = {}
        annotated = {name: list(self._annotations(name)) for name in study.datasets}
        scored = [
            step
            for name, own in annotated.items()
            for label in study.labels(name)
            for step in self._scores(name, label, {(one.subject, one.number): one.key for one in own})
        ]
        self.steps: tuple[Step, ...] = (
            *(step for own in annotated.values() for step in own),
            *scored,
            *self._intervals(scored),
            *self._comparisons({(one.dataset, one.metric, one.subject): one.key for one in scored}),
            *self._people(),
        )

    @cached_property
    def _by_subject(self) -> Mapping[tuple[str, str, str, str, int], Step]:
        return {(one.kind, one.dataset, one.subject, one.metric, one.number): one for one in self.steps}

    def step(self, kind: Kind, dataset: str, subject: str, metric: str = "", number: int = 0) -> Step | None:
        """Return the step of a system or a reference; None if there is none."""
        return self._by_subject.get((kind, dataset, subject, metric, number))

    def alignment_annotator(self, dataset: str) -> AnnotatorOptions | None:
        """Return what types edits again that alignment joined: what annotates texts; None where there are none."""
        own = self.study.datasets[dataset]
        texts = any(is_annotated(own, file) for file in own.sides())
        return self.study.annotator(dataset) if texts else None

    def scorer(self, label: str, dataset: str, cache: Path | None = None) -> Scorer:
        """Return a metric for a dataset, whose language chooses the encoder where none is given.

        Args:
            label: The metric.
            dataset: The dataset.
            cache: Folder that keeps what models computed; None for none.
        """
        metric, lang = self.study.labels()[label], self.study.datasets[dataset].lang
        known = {option.name for option in options_of(factory_of(metric.name))}
        shared: dict[str, Any] = {} if self.study.seed == SEED else {"seed": self.study.seed}
        if cache is not None:
            model = [*model_content({"model": metric.options.get("llm_model")})]
            answers = key_of(metric.name, sorted(metric.options.items()), dataset, *model)[:16]
            shared |= {
                "cache": str(cache / "encodings"),
                "llm_cache": str(cache / f"answers-{answers}.jsonl"),
            }
        if lang and "encoder" in known:
            if (metric.name, lang) not in self._encoders:
                self._encoders[metric.name, lang] = with_encoder(metric.name, lang, {})
            shared |= self._encoders[metric.name, lang]
        return metric.scorer(**{name: value for name, value in shared.items() if name in known})

    def _annotations(self, dataset: str) -> Iterator[Step]:
        own = self.study.datasets[dataset]
        references = [(n, file) for n, file in enumerate(own.references, start=1) if is_annotated(own, file)]
        systems = [(name, one.file) for name, one in own.systems.items() if is_annotated(own, one.file)]
        if own.source is None or not (references or systems):
            return
        annotator = annotator_content(self.study.annotator(dataset))
        shared = [self.versions, annotator, own.raw, self._content(own.source)]
        # Raw texts are split into sentences together with all references.
        together = [references] if own.raw and references else [[one] for one in references]
        for files in together:
            key = key_of("annotate", shared, [self._content(file) for _, file in files])
            yield Step("annotate", dataset, REFERENCES, "", key, files[0][0])
        for name, file in systems:
            key = key_of("annotate", shared, own.answers, [self._content(file)])
            yield Step("annotate", dataset, name, "", key)

    def _content(self, file: InputFile, annotator: int | None = None) -> list[Any]:
        return [file.checksum, file.written, annotator]

    def _scores(self, dataset: str, label: str, annotated: Mapping[tuple[str, int], str]) -> Iterator[Step]:
        own, scorer = self.study.datasets[dataset], self.scorer(label, dataset)
        sides: dict[str, Any] = {
            name: annotated.get((name, 0)) or self._content(one.file, one.annotator)
            for name, one in own.systems.items()
        }
        references = [
            annotated.get((REFERENCES, number), "") if is_annotated(own, file) else self._content(file)
            for number, file in enumerate(own.references, start=1)
            if scorer.needs_references
        ]
        annotator = self.alignment_annotator(dataset)
        shared = [self.versions, scorer_content(scorer), references, own.annotators, own.strict, own.lang,
                  annotator and annotator_content(annotator), sides if scorer.joint else None]  # fmt: skip
        # Answers of a language model are kept in one file, to which one process at a time writes.
        together = scorer.joint or any(option.name == "llm_cache" for option in options_of(type(scorer)))
        for name, side in sides.items():
            yield Step("score", dataset, name, label, key_of("score", shared, name, side), together=together)

    def _intervals(self, scored: Sequence[Step]) -> Iterator[Step]:
        samples = self.study.intervals
        for one in scored if samples is not None else ():
            key = key_of("intervals", one.key, samples, self.study.seed)
            yield Step("intervals", one.dataset, one.subject, one.metric, key)

    def _comparisons(self, scored: Mapping[tuple[str, str, str], str]) -> Iterator[Step]:
        for number, compared in enumerate(self.study.comparisons):
            label = self.study.compared_by(compared).label
            for dataset in self.study.compared_in(compared):
                keys = [scored[dataset, label, system] for system in compared.systems]
                key = key_of("compare", keys, self.study.test(compared))
                yield Step("compare", dataset, compared.name, label, key, number)

    def _people(self) -> Iterator[Step]:
        for name, study in self.study.people.items():
            texts = key_of(study.texts_content())
            keys = {
                label: key_of("rate", self.versions, study.metric_content(label), texts)
                for label in study.metrics
            }
            for label, key in keys.items():
                yield Step("rate", name, study.dataset.name, label, key)
            key = key_of("correlate", self.versions, list(keys.values()), study.judgements_content())
            yield Step("correlate", name, study.dataset.name, "", key)
