"""Computing metrics over a data set: once over each set of references, or again and again for an analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from tempfile import TemporaryDirectory
from typing import TypeAlias

from jperrant.core.errors import UsageError
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.evaluation.efficiency import time_metrics
from jperrant.evaluation.meta.analyses import MetaOptions, Result, groups_of, human_of
from jperrant.evaluation.meta.dataset import MetaDataset, Reference
from jperrant.evaluation.meta.human_scores import human_scores
from jperrant.evaluation.meta.metric_scores import LENGTH, MetricScores, compute_scores, load_metrics
from jperrant.evaluation.meta.reference_sets import reference_choices, reference_result


@dataclass(frozen=True, slots=True)
class Computation:
    """How metrics are computed over a data set.

    Attributes:
        metrics: The metrics with their options, each once.
        sets: The sets of references.
        lang, models, cache: How texts are annotated for metrics that look at edits.
        edits: The edits of systems whose texts are not to be annotated; if there are any, only these systems count.
        labels: What results call the metrics whose own names are not to be used.
    """

    metrics: tuple[str, ...]
    sets: tuple[str, ...] = ()
    lang: str | None = None
    models: str = "compact"
    cache: str = ""
    edits: Mapping[str, Sequence[Block]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def scores(
        self, dataset: MetaDataset, references: str | Sequence[Reference] | None
    ) -> list[MetricScores]:
        """Return the scores of the metrics over some references.

        Raises:
            UsageError, MissingError: As :func:`compute_scores`.
        """
        specs = list(dict.fromkeys(self.metrics))
        scores = compute_scores(
            dataset, specs, references, systems=tuple(self.edits), lang=self.lang, models=self.models,
            cache=self.cache, edits=self.edits,
        )  # fmt: skip
        return [
            replace(one, name=self.labels.get(spec, one.name))
            for spec, one in zip(specs, scores, strict=True)
        ]

    def all_scores(self, dataset: MetaDataset) -> list[MetricScores]:
        """Return the scores of the metrics over each set of references; of several sets, metrics say which.

        Raises:
            UsageError, MissingError: As :func:`compute_scores`.
        """
        if not self.metrics:
            return []
        if len(self.sets) < 2:
            name = self.sets[0] if self.sets else ""
            return [replace(one, references=name) for one in self.scores(dataset, name or None)]
        return [
            replace(one, name=f"{one.name} {name}", references=name)
            for name in self.sets
            for one in self.scores(dataset, name)
        ]


#: An analysis that computes metrics itself.
Recomputing: TypeAlias = Callable[[MetaDataset, Computation, MetaOptions], Sequence[Result]]


def _reference_numbers(dataset: MetaDataset, computation: Computation, options: MetaOptions) -> list[Result]:
    """Return the agreement of each metric over 1, 2, … references of each set."""
    if not computation.sets:
        raise UsageError(
            "the analysis of numbers of references needs a set of references; give files with --ref"
        )
    with TemporaryDirectory() as folder:
        kept = replace(computation, cache=computation.cache or folder)
        return [
            result
            for name in computation.sets
            for choices in track(
                reference_choices(
                    name, dataset.reference_set(name), options.numbers, options.draws, options.seed
                ),
                f"numbers of references of {name}",
            )
            for result in _of_choices(dataset, name, choices, kept, options)
        ]


def _of_choices(
    dataset: MetaDataset,
    name: str,
    choices: Sequence[Sequence[Reference]],
    computation: Computation,
    options: MetaOptions,
) -> list[Result]:
    by_choice = [computation.scores(dataset, references) for references in choices]
    return [
        reference_result(
            [replace(one, references=name) for one in scores],
            choices[0],
            human_scores(dataset, human, dataset.group(group)),
            dataset.group(group),
            aggregation=options.aggregation,
            human_name=human,
            group=group,
        )
        for group in groups_of(dataset, options)
        for human in human_of(dataset, options)
        for scores in zip(*by_choice, strict=True)
    ]


def _efficiency(dataset: MetaDataset, computation: Computation, options: MetaOptions) -> list[Result]:
    """Return what each metric costs over the first set of references; texts are annotated before."""
    specs = [spec for spec in dict.fromkeys(computation.metrics) if spec != LENGTH]
    if not specs:
        return []
    scorers, pairs = load_metrics(
        dataset, specs, computation.sets[0] if computation.sets else None, systems=tuple(computation.edits),
        lang=computation.lang, models=computation.models, cache=computation.cache, edits=computation.edits,
    )  # fmt: skip
    timings = time_metrics(scorers, pairs, options.rounds)
    return [
        replace(timing, name=computation.labels.get(spec, timing.name))
        for spec, timing in zip(specs, timings, strict=True)
    ]


#: The analyses that compute metrics themselves, by name.
RECOMPUTING: dict[str, Recomputing] = {"reference-numbers": _reference_numbers, "efficiency": _efficiency}
