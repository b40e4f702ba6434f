"""Meta-evaluation in one call: metrics against people, by systems and by sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.datasets import load_dataset
from jperrant.evaluation.meta.human_scores import default_human, human_scores
from jperrant.evaluation.meta.judged_pairs import TIE_RULES
from jperrant.evaluation.meta.metric_scores import MetricScores, check_aggregation, compute_scores
from jperrant.evaluation.meta.reference_files import read_references
from jperrant.evaluation.meta.score_table import read_metric_scores
from jperrant.evaluation.meta.sentence_level import sentence_agreement
from jperrant.evaluation.meta.system_level import correlation_test, system_correlation
from jperrant.evaluation.statistics.significance import SEED


@dataclass(frozen=True, slots=True)
class MetaOptions:
    """What is compared with what; an empty choice takes the default of the data set.

    Attributes:
        human: The human scores, given or recomputed (``TS_edit``, ``ew:edit``); those given if empty.
        groups: The groups of systems; the data set's first if empty.
        judgements: The sets of judgements; all if empty.
        aggregation: How scores of systems come from sentences, one of ``AGGREGATIONS``.
        ties: What ties count at sentence level, one of ``TIE_RULES``.
        samples: Bootstrap samples of intervals; 0 for no intervals.
        tested: Whether each metric is tested against the first.
        exchanges: Exchanges of a permutation test.
        seed: Of random numbers.

    Raises:
        UsageError: An unknown aggregation or rule, or a number below 0.
    """

    human: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()
    aggregation: str = "corpus"
    ties: str = "half"
    samples: int = 0
    tested: bool = False
    exchanges: int = 1000
    seed: int = SEED

    def __post_init__(self) -> None:
        check_aggregation(self.aggregation)
        if self.ties not in TIE_RULES:
            raise UsageError(
                f"unknown rule for ties {self.ties!r}{nearest(self.ties, TIE_RULES)}; choose "
                f"{', '.join(TIE_RULES)}"
            )
        if self.samples < 0 or self.exchanges < 1:
            raise UsageError(f"{min(self.samples, self.exchanges)} samples, expected 1 or more")


#: One result of an analysis: a frozen dataclass whose fields are figures and names.
Result: TypeAlias = Any
Analysis: TypeAlias = Callable[[MetaDataset, Sequence[MetricScores], MetaOptions], Sequence[Result]]


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """The result of a meta-evaluation.

    Attributes:
        dataset: The data set.
        options: What was compared.
        metrics: What each metric says of the systems.
        results: The results of each analysis by its name (``system``, ``sentence``, ``test``).
        notes: What users should know, one line each.
    """

    dataset: MetaDataset = field(repr=False)
    options: MetaOptions
    metrics: tuple[MetricScores, ...] = field(repr=False)
    results: Mapping[str, tuple[Result, ...]]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the results as the object that ``jperrant meta --json`` prints; what is undefined is None."""
        return {
            "dataset": self.dataset.name,
            "sentences": len(self.dataset.sources),
            "aggregation": self.options.aggregation,
            "metrics": [
                {
                    "metric": scores.name,
                    "signature": scores.signature,
                    "lower_is_better": scores.lower_is_better,
                    "scores": dict(zip(scores.systems, map(_plain, scores.corpus.tolist()), strict=True)),
                }
                for scores in self.metrics
            ],
            **{name: [_plain(asdict(one)) for one in found] for name, found in self.results.items()},
        }


def meta_evaluate(
    dataset: str | MetaDataset,
    metrics: str | Sequence[str] = (),
    *,
    data: str | None = None,
    references: str | Sequence[str] = (),
    sets: str | Sequence[str] = (),
    scores: str | Sequence[str] = (),
    lower: Sequence[str] = (),
    analyses: Sequence[str] = ("system", "sentence"),
    lang: str | None = None,
    models: str = "compact",
    cache: str = "",
    **options: Any,
) -> MetaEvaluation:
    """Compare metrics with the judgements of people.

    Args:
        dataset: ``seeda``, ``seeda-e``, ``seeda-s``, ``gjg15``, ``gmeg-wiki`` …, a JSON file that describes one, or
            a data set.
        metrics: Metrics of the registry with their options (``gleu:variant=corrected``), or ``length``.
        data: The folder that the authors of the data set distribute.
        references: Files of references, or folders of them.
        sets: Which sets of references; metrics are computed over each. The data set's first if empty.
        scores: Tables of scores of other metrics (:func:`read_metric_scores`).
        lower: The metrics of these tables of which a lower score is better.
        analyses: Some of ``ANALYSES``.
        lang, models, cache: How texts are annotated for metrics that look at edits.
        **options: As the attributes of :class:`MetaOptions`.

    Raises:
        UsageError: An unknown name or option, no metric, or too few systems.
        InputError, FormatError: Files cannot be read, or do not fit each other.
        MissingError: A model is missing.

    Example:
        >>> found = jperrant.meta_evaluate("essays.json", ["gleu", "length"], groups=["machines"])
        >>> found.results["system"][0].values["pearson"]
    """
    chosen = MetaOptions(**{name: _several(name, value) for name, value in options.items()})
    check_analyses(analyses)
    loaded = load_dataset(dataset, data) if isinstance(dataset, str) else dataset
    loaded, names, notes = with_reference_files(loaded, _listed(references), _listed(sets))
    check_choices(loaded, chosen)
    found = [
        *_computed(loaded, _listed(metrics), names, lang, models, cache),
        *(one for path in _listed(scores) for one in read_metric_scores(path, loaded, lower)),
    ]
    return analyse(loaded, found, chosen, analyses, notes)


def analyse(
    dataset: MetaDataset,
    metrics: Sequence[MetricScores],
    options: MetaOptions,
    analyses: Sequence[str] = ("system", "sentence"),
    notes: Sequence[str] = (),
) -> MetaEvaluation:
    """Return the results of analyses of metrics whose scores are there.

    Raises:
        UsageError: As :func:`meta_evaluate`.
    """
    check_analyses(analyses)
    if not metrics:
        raise UsageError("no metric to evaluate: give a metric with -m, or a table of scores with --scores")
    wanted = [*analyses, *(["test"] if options.tested and "test" not in analyses else [])]
    results = {name: tuple(ANALYSES[name](dataset, metrics, options)) for name in wanted}
    said = [
        *notes,
        *(note for scores in metrics for note in scores.notes),
        *_undefined(dataset, metrics, options),
    ]
    return MetaEvaluation(dataset, options, tuple(metrics), results, tuple(dict.fromkeys(said)))


def with_reference_files(
    dataset: MetaDataset, paths: Sequence[str], sets: Sequence[str]
) -> tuple[MetaDataset, list[str], tuple[str, ...]]:
    """Return a data set with references of files, the names of the sets to use, and notes.

    Raises:
        UsageError: A named set is nowhere.
        InputError, FormatError: A file cannot be read, or is of another text.
    """
    found = read_references(paths, sets)
    dataset = dataset.with_references(found.sets)
    names = list(sets) or list(found.sets) or list(dataset.references)[:1]
    for name in names:
        dataset.reference_set(name)
    return dataset, names, found.notes


def check_analyses(analyses: Sequence[str]) -> None:
    """Refuse an unknown analysis.

    Raises:
        UsageError: It is none of ``ANALYSES``.
    """
    for name in analyses:
        if name not in ANALYSES:
            raise UsageError(
                f"unknown analysis {name!r}{nearest(name, ANALYSES)}; choose {', '.join(ANALYSES)}"
            )


def check_choices(dataset: MetaDataset, options: MetaOptions) -> None:
    """Refuse names that a data set does not have, before metrics are computed.

    Raises:
        UsageError: Names what there is.
    """
    for group in groups_of(dataset, options):
        systems = dataset.group(group)
        for name in options.human or default_human(dataset):
            human_scores(dataset, name, systems[:1])
    for name in options.judgements:
        dataset.judgement_set(name)


def groups_of(dataset: MetaDataset, options: MetaOptions) -> tuple[str, ...]:
    """Return the groups of systems that are looked at."""
    return options.groups or tuple(dataset.groups)[:1]


def _systems(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the correlations of each metric with each human score, group by group."""
    names = _human(dataset, options)
    return [
        system_correlation(
            scores,
            human_scores(dataset, name, dataset.group(group)),
            dataset.group(group),
            aggregation=options.aggregation,
            human_name=name,
            group=group,
            samples=options.samples,
            seed=options.seed,
        )
        for group in groups_of(dataset, options)
        for scores in metrics
        for name in names
    ]


def _sentences(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the agreement of each metric that has scores of sentences with each set of judgements."""
    return [
        sentence_agreement(
            scores,
            dataset.judgement_set(name),
            dataset.group(group),
            ties=options.ties,
            group=group,
            samples=options.samples,
            seed=options.seed,
        )
        for group in groups_of(dataset, options)
        for scores in metrics
        if scores.has_sentences
        for name in options.judgements or tuple(dataset.judgements)
    ]


def _tests(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[Result]:
    """Return the tests of each metric but the first against the first."""
    if len(metrics) < 2:
        raise UsageError("a test compares two metrics or more; give several")
    return [
        correlation_test(
            scores,
            metrics[0],
            human_scores(dataset, name, dataset.group(group)),
            dataset.group(group),
            aggregation=options.aggregation,
            human_name=name,
            group=group,
            samples=options.exchanges,
            seed=options.seed,
        )
        for group in groups_of(dataset, options)
        for scores in metrics[1:]
        for name in _human(dataset, options)
    ]


#: The analyses by name.
ANALYSES: dict[str, Analysis] = {"system": _systems, "sentence": _sentences, "test": _tests}


def _human(dataset: MetaDataset, options: MetaOptions) -> tuple[str, ...]:
    """Return the human scores that are looked at.

    Raises:
        UsageError: There are none.
    """
    names = options.human or tuple(default_human(dataset))
    if not names:
        raise UsageError(f"{dataset.name} has neither human scores nor judgements; give one of them")
    return names


def _computed(
    dataset: MetaDataset,
    metrics: Sequence[str],
    sets: Sequence[str],
    lang: str | None,
    models: str,
    cache: str,
) -> list[MetricScores]:
    """Return the scores of metrics over each set of references; of several sets, metrics say which."""
    if len(sets) < 2:
        return (
            compute_scores(dataset, metrics, *sets, lang=lang, models=models, cache=cache) if metrics else []
        )
    return [
        replace(scores, name=f"{scores.name} {name}")
        for name in sets
        for scores in compute_scores(dataset, metrics, name, lang=lang, models=models, cache=cache)
    ]


def _undefined(dataset: MetaDataset, metrics: Sequence[MetricScores], options: MetaOptions) -> list[str]:
    """Return a line for each metric that gives all systems of a group one score."""
    return [
        f"metric {scores.name!r} gives all systems of group {group!r} one score: its correlation is undefined"
        for group in groups_of(dataset, options)
        for scores in metrics
        if _constant(scores, dataset.group(group), options.aggregation)
    ]


def _constant(scores: MetricScores, systems: Sequence[str], aggregation: str) -> bool:
    figures = scores.select(systems).aggregate(aggregation)
    return bool(np.all(figures == figures[0]))


def _several(name: str, value: Any) -> Any:
    """Return a choice as a tuple: a single name stands for itself."""
    return tuple(_listed(value)) if name in ("human", "groups", "judgements") else value


def _listed(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; None for what is not a number."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value
