"""Meta-evaluation in one call: metrics against people, by systems and by sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from numbers import Integral
from os import PathLike, fspath
from typing import Any, TypeAlias

from jperrant.core.errors import UsageError, nearest
from jperrant.core.paths import optional_path
from jperrant.evaluation.meta.analyses import ANALYSES, MetaOptions, Result, check_choices, groups_of
from jperrant.evaluation.meta.computed import RECOMPUTING, Computation
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.datasets import load_dataset
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.meta.reference_files import read_references
from jperrant.evaluation.meta.score_table import read_score_tables
from jperrant.evaluation.meta.system_edits import with_system_edits
from jperrant.evaluation.meta.undefined import missing_sentences, undefined_correlations

#: One file, folder or name, or several.
Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
#: The analyses that correlate scores of the systems of a group.
_CORRELATING = frozenset({"system", "test", "references"})
#: What some analyses need beyond judgements and scores of sentences.
_NEEDED = {"references": "sets of references", "efficiency": "metrics to be timed, which length is not"}


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """The result of a meta-evaluation.

    Attributes:
        dataset: The data set.
        options: What was compared.
        metrics: What each metric says of the systems.
        results: The results of each analysis by its name (``system``, ``sentence``, ``windows`` …).
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
    dataset: str | PathLike[str] | MetaDataset,
    metrics: str | Sequence[str] = (),
    *,
    data: str | PathLike[str] | None = None,
    references: Paths = (),
    sets: str | Sequence[str] = (),
    scores: Paths = (),
    lower: str | Sequence[str] = (),
    analyses: str | Sequence[str] = ("system", "sentence"),
    edits: Paths = (),
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
        scores: Tables of scores of other metrics (:func:`read_score_tables`).
        lower: The metrics of these tables of which a lower score is better.
        analyses: Some of ``system``, ``sentence``, ``test``, ``windows``, ``rank-pairs``, ``system-pairs``,
            ``references``, ``reference-numbers``, ``efficiency``.
        edits: M2 files of systems, named after them: their edits are taken instead of annotating texts, and only
            these systems count.
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
    chosen = _options(options)
    analyses = _listed(analyses)
    check_analyses(analyses)
    if isinstance(dataset, str | PathLike):
        loaded = load_dataset(fspath(dataset), optional_path(data))
    else:
        loaded = dataset
    loaded, names, notes = with_reference_files(loaded, _listed(references), _listed(sets))
    loaded, blocks, left_out = with_system_edits(loaded, _listed(edits), groups_of(loaded, chosen))
    check_choices(loaded, chosen)
    tables = read_score_tables({path: path for path in _listed(scores)}, loaded, _listed(lower))
    computation = Computation(tuple(_listed(metrics)), tuple(names), lang, models, cache, blocks)
    found = [*computation.all_scores(loaded), *tables]
    return analyse(loaded, found, chosen, analyses, [*notes, *left_out], computation)


def analyse(
    dataset: MetaDataset,
    metrics: Sequence[MetricScores],
    options: MetaOptions,
    analyses: Sequence[str] = ("system", "sentence"),
    notes: Sequence[str] = (),
    computation: Computation | None = None,
) -> MetaEvaluation:
    """Return the results of analyses of metrics whose scores are there.

    Args:
        dataset: The data set.
        metrics: The scores of the metrics.
        options: What is compared.
        analyses: Names of analyses.
        notes: What users should know of the files.
        computation: How metrics are computed, for analyses that do so again and again.

    Raises:
        UsageError: As :func:`meta_evaluate`.
    """
    check_analyses(analyses)
    if not metrics:
        raise UsageError(
            "found no metric to evaluate; give a metric with -m, or a table of scores with --scores"
        )
    wanted = [*analyses, *(["test"] if options.tested and "test" not in analyses else [])]
    results = {
        name: tuple(ANALYSES[name](dataset, metrics, options))
        if name in ANALYSES
        else tuple(RECOMPUTING[name](dataset, computation or Computation(()), options))
        for name in wanted
    }
    empty = [name for name, found in results.items() if not found]
    if len(empty) == len(results):
        raise UsageError(_nothing(dataset, empty))
    noted = [name for name in empty if dataset.judgements or name in _NEEDED]
    said = [
        *notes,
        *([_nothing(dataset, noted)] if noted else ()),
        *(note for scores in metrics for note in scores.notes),
        *(undefined_correlations(dataset, metrics, options) if _CORRELATING.intersection(wanted) else ()),
        *missing_sentences(metrics),
    ]
    return MetaEvaluation(dataset, options, tuple(metrics), results, tuple(dict.fromkeys(said)))


def _nothing(dataset: MetaDataset, analyses: Sequence[str]) -> str:
    """Return what is missing for analyses without a result."""
    otherwise = "scores of sentences by a metric" if dataset.judgements else "judgements"
    lacking: dict[str, list[str]] = {}
    for name in analyses:
        lacking.setdefault(_NEEDED.get(name, otherwise), []).append(name)
    reasons = [f"analysis {', '.join(names)}: there are no {missing}" for missing, names in lacking.items()]
    return f"{dataset.name}: found nothing to show for {'; '.join(reasons)}"


def check_analyses(analyses: Sequence[str]) -> None:
    """Refuse an unknown analysis.

    Raises:
        UsageError: There is none of that name.
    """
    known = (*ANALYSES, *RECOMPUTING)
    for name in analyses:
        if name not in known:
            raise UsageError(
                f"unknown analysis {name!r}{nearest(name, known)}; expected one of {', '.join(known)}"
            )


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


def _options(given: Mapping[str, Any]) -> MetaOptions:
    """Return options, a single choice standing for itself.

    Raises:
        UsageError: An option is unknown, or a number is out of its range or none.
    """
    known = {option.name: type(option.default) for option in fields(MetaOptions)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(
                f"unknown option {name!r}{nearest(name, known)}; expected one of {', '.join(known)}"
            )
        if known[name] is int and not isinstance(value, Integral):
            raise UsageError(f"{name} is {value!r}, expected a whole number")
        several = known[name] is tuple
        values[name] = tuple([value] if isinstance(value, str | int) else value) if several else value
    return MetaOptions(**values)


def _listed(given: Paths) -> list[str]:
    return [fspath(one) for one in ([given] if isinstance(given, str | PathLike) else given)]


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; None for what is not a number."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value
