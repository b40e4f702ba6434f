"""Several languages side by side: macro averages, and error types in the groups that all languages share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from jperrant.core.errors import InputError
from jperrant.evaluation.analysis import grouped
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.studies.run import StudyResult
from jperrant.evaluation.studies.study_file import Dataset
from jperrant.packs import load_pack
from jperrant.packs.groups import Grouping, common_groups
from jperrant.packs.labels import GROUPS, OTHER, group_of


@dataclass(frozen=True, slots=True)
class GroupedScores:
    """Scores whose figures by type are by group of types.

    Attributes:
        metric: The label of the metric.
        scores: The scores by dataset and system.
        unknown: By dataset the labels that belong to no group and count as ``other``.
    """

    metric: str
    scores: Mapping[str, Mapping[str, Score]]
    unknown: Mapping[str, tuple[str, ...]]


def macro_averages(result: StudyResult, metric: str) -> dict[str, float]:
    """Return the mean of a metric's main value over datasets, all weighing the same.

    Systems that are not in all datasets have none: means over different languages cannot be compared.

    Args:
        result: The results.
        metric: The label of the metric.
    """
    scores = [own[metric] for own in result.scores.values()]
    everywhere = [system for system in scores[0] if all(system in own for own in scores)] if scores else []
    return {
        system: sum(own[system].values[own[system].scorer.main] for own in scores) / len(scores)
        for system in everywhere
    }


def grouped_scores(result: StudyResult) -> GroupedScores | None:
    """Return the scores of the first metric that knows error types, by group; None if there is none.

    The operation (M, U, R) is left out: a group holds all three.
    """
    for metric in result.study.metrics:
        own = {name: scores[metric] for name, scores in result.scores.items()}
        if any(score.by_type for systems in own.values() for score in systems.values()):
            break
    else:
        return None
    scores, unknown, shared = {}, {}, common_groups()
    for name, systems in own.items():
        group = Grouping(groups_of_labels(result.study.datasets[name], shared))
        scores[name] = {
            # Without the operation; UNK has none.
            system: grouped(score, lambda type_, group=group: group(type_).rpartition(":")[2])  # type: ignore[misc]
            for system, score in systems.items()
        }
        if group.unknown:
            unknown[name] = tuple(sorted(group.unknown))
    return GroupedScores(metric, scores, unknown)


def groups_of_labels(dataset: Dataset, shared: Mapping[str, str]) -> dict[str, str]:
    """Return the group of every label that the files of a dataset may have.

    First what the study file says; then the labels of the language's pack; then those that its other sets of labels
    have, as UA-GEC's in the Ukrainian pack, which stand for several labels and take the group of most of them,
    unless they have the name of a group (``Spelling``); then those of all other packs.

    Args:
        dataset: The dataset.
        shared: The group of each label of all packs, from ``common_groups``.
    """
    return {**shared, **(_of_language(dataset.lang) if dataset.lang else {}), **dataset.groups}


def _of_language(lang: str) -> dict[str, str]:
    try:
        pack = load_pack(lang)
    except InputError:  # a pack that is wrong is left out, as common_groups does
        return {}
    votes: dict[str, Counter[str]] = {}
    for names in pack.label_sets.values():
        for label, name in names.items():
            if name not in pack.labels:
                votes.setdefault(name, Counter())[group_of(label, pack.groups)] += 1
    named = {
        name: name.lower() if name.lower() in GROUPS else _most(counted) for name, counted in votes.items()
    }
    return {**named, **{label: group_of(label, pack.groups) for label in pack.labels}}


def _most(counted: Counter[str]) -> str:
    """Return the group that occurs most, one that says something before ``other``, then by name."""
    return min(counted, key=lambda group: (-counted[group], group == OTHER, group))
