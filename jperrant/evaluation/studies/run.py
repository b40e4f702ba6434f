"""Running a study: what is there already is used again, the rest is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from jperrant.cluster.work import Alone, Crew
from jperrant.core.errors import InputError
from jperrant.core.values import Block
from jperrant.evaluation.comparison import SystemComparison
from jperrant.evaluation.meta.evaluation import MetaEvaluation
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.statistics.significance import Interval
from jperrant.evaluation.studies.compute import Workshop, groups_of
from jperrant.evaluation.studies.crew_work import StudyWork, compute_by
from jperrant.evaluation.studies.steps import KINDS, Plan, Step, compared_name
from jperrant.evaluation.studies.store import Store
from jperrant.evaluation.studies.stored_scores import comparison_of, score_of
from jperrant.evaluation.studies.values import Study, SystemsCompared

#: Told of each step, and of the seconds it took; None if its result was there.
Reporter: TypeAlias = Callable[[Step, float | None], None]


@dataclass(frozen=True)
class ComparedSystems:
    """Systems that were compared in one dataset.

    Attributes:
        dataset: Its name.
        name: What the systems are called together.
        metric: The label of the metric.
        comparison: What was found.
    """

    dataset: str
    name: str
    metric: str
    comparison: SystemComparison


@dataclass(frozen=True)
class StudyResult:
    """Everything that a study has computed.

    Attributes:
        study: The study.
        plan: Its steps.
        store: Where their results are.
    """

    study: Study
    plan: Plan
    store: Store

    @cached_property
    def scores(self) -> Mapping[str, Mapping[str, Mapping[str, Score]]]:
        """The scores by dataset, label of the metric and system."""
        scores: dict[str, dict[str, dict[str, Score]]] = {}
        for dataset in self.study.datasets:
            for metric in self.study.metrics:
                if metric.scores(dataset.name):
                    scorer = self.plan.scorer(metric, dataset)
                    scores.setdefault(dataset.name, {})[metric.label] = {
                        system: score_of(self._document("score", dataset.name, system, metric.label), scorer)
                        for system in dataset.systems
                    }
        return scores

    @cached_property
    def intervals(self) -> Mapping[tuple[str, str, str], Mapping[str, Interval]]:
        """The intervals of all values by dataset, label of the metric and system; empty if none are wanted."""
        return {
            (step.dataset, step.metric, step.subject): {
                name: Interval(**ends) for name, ends in self._stored(step).items()
            }
            for step in self.plan.steps
            if step.kind == "intervals"
        }

    @cached_property
    def comparisons(self) -> tuple[ComparedSystems, ...]:
        """The comparisons of systems, in the order of the study file."""
        return tuple(
            self._compared(step, self.study.comparisons[step.number])
            for step in self.plan.steps
            if step.kind == "compare"
        )

    @cached_property
    def human(self) -> Mapping[str, MetaEvaluation]:
        """Metrics against people, by name in the study file."""
        return {
            step.dataset: self.study.human[step.number].evaluation_of(
                [
                    self._stored(rated)
                    for rated in self.plan.steps
                    if (rated.kind, rated.number) == ("rate", step.number)
                ],
                self._stored(step),
            )
            for step in self.plan.steps
            if step.kind == "correlate"
        }

    def of_dataset(self, dataset: str) -> Scores:
        """Return the scores of a dataset, system by system, each with all metrics."""
        by_metric = self.scores[dataset].values()
        systems = next(iter(by_metric))
        return Scores(own[system] for system in systems for own in by_metric)

    def blocks(self, step: Step) -> tuple[Block, ...]:
        """Return the blocks of a step that annotates a text.

        Raises:
            InputError: They are gone.
        """
        blocks = self.store.blocks(step.kind, step.key)
        if blocks is None:
            raise InputError(
                f"{self.store.path(step.kind, step.key)}: the result is missing or damaged; run again"
            )
        return blocks

    def warnings(self) -> list[str]:
        """Return what was noted, each line once, with its dataset; of several metrics each is named in its own."""
        lines = [
            f"{dataset}: {line}"
            for dataset, by_metric in self.scores.items()
            for label, own in by_metric.items()
            for score in own.values()
            for line in score.warnings_of(label if len(by_metric) > 1 else "")
        ]
        lines += [f"{name}: {line}" for name, found in self.human.items() for line in found.notes]
        return list(dict.fromkeys(lines))

    def _compared(self, step: Step, compared: SystemsCompared) -> ComparedSystems:
        own = self.scores[step.dataset][step.metric]
        scores = Scores(own[system] for system in compared.systems)
        comparison = comparison_of(self._stored(step), scores, compared.options)
        return ComparedSystems(step.dataset, compared_name(compared), step.metric, comparison)

    def _document(self, kind: str, dataset: str, subject: str, metric: str) -> Mapping[str, Any]:
        return self._stored(self.plan.by_subject[kind, dataset, subject, metric])  # type: ignore[index]

    def _stored(self, step: Step) -> Mapping[str, Any]:
        document: Mapping[str, Any] | None = self.store.document(step.kind, step.key)
        if document is None:
            raise InputError(
                f"{self.store.path(step.kind, step.key)}: the result is missing or damaged; run again"
            )
        return document


def run_steps(
    study: Study, out: Path, crew: Crew | None = None, report: Reporter | None = None
) -> StudyResult:
    """Return the results of a study, computing what is not there yet.

    Args:
        study: The study.
        out: The folder of the study's output, in which results are kept.
        crew: Who computes; None for this process.
        report: Told of each step when its result is there.

    Raises:
        JperrantError: A file cannot be used, or a model is missing.
    """
    crew = crew or Alone()
    plan = Plan(study)
    store = Store(out / "steps")
    work = StudyWork(Workshop(plan, store, out / "cache"), [file.path for file in study.inputs()])
    tell = report or _nobody
    for kind in KINDS:
        missing = []
        for step in (step for step in plan.steps if step.kind == kind):
            if store.has(kind, step.key):
                tell(step, None)
            else:
                missing.append(step)
        for step, seconds in compute_by(crew, work, groups_of(missing, crew.size)):
            tell(step, seconds)
    return StudyResult(study, plan, store)


def _nobody(_step: Step, _seconds: float | None) -> None:
    """Tell nobody."""
