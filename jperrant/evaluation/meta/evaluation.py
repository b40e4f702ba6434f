"""Meta-evaluation in one call: read a data set, compute metrics, and compare them with human judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from os import PathLike, fspath
from typing import Any, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, check_known, nearest
from jperrant.core.messages import agree, plural
from jperrant.core.option import build, check_options, option
from jperrant.core.paths import is_file, optional_path
from jperrant.core.tables import plain
from jperrant.evaluation.meta import data_files, levels
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.fit import fit, tried_scores
from jperrant.evaluation.meta.metric_scores import AGGREGATIONS, Computation, MetricScores
from jperrant.evaluation.meta.published import DATASETS, HOMES
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer
from jperrant.evaluation.statistics.correlation import CORRELATIONS
from jperrant.evaluation.statistics.significance import SEED, check_samples

#: One file, folder or name, or several.
Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
#: One result of an analysis: a frozen dataclass whose fields are figures and names.
Result: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class MetaOptions:
    """The options of a meta-evaluation; empty ones take their values from the data set.

    Attributes:
        analyses: The analyses, names of ``ANALYSES``; if empty ``system`` and ``sentence``, or only the fit if
            there is one.
        human: The human scores, given (``TS_edit``) or recomputed from judgements (``ew:edit``). If empty, all
            given scores, or if there are none TrueSkill of each set of judgements.
        groups: The groups of systems; the first of the data set if empty.
        judgements: The sets of judgements; all if empty.
        aggregation: The way from sentence scores to system scores, one of ``AGGREGATIONS``.
        ties: The rule for ties of a metric at sentence level, one of ``TIE_RULES``.
        samples: Number of bootstrap samples for intervals; 0 for no intervals.
        width: The number of systems in a window.
        fit: The correlation by which the factors of CLEME2.0 are fitted; None for no fit.
        seed: Seed of the random numbers.

    Raises:
        UsageError: An analysis, aggregation, rule or correlation is unknown, or a number is out of its range.
    """

    analyses: tuple[str, ...] = ()
    human: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()
    aggregation: str = option("corpus", "How systems are scored.", choices=tuple(AGGREGATIONS))
    ties: str = option("half", "How ties of a metric count.", choices=tuple(levels.TIE_RULES))
    samples: int = 0
    width: int = 4
    fit: str | None = option(None, "How factors are fitted.", choices=CORRELATIONS)
    seed: int = SEED

    def __post_init__(self) -> None:
        check_options(self)
        check_samples(self.samples or None, self.seed)
        for name in self.analyses:
            check_known("analysis", name, ANALYSES)


@dataclass(frozen=True, slots=True)
class MetaRequest:
    """A meta-evaluation whose files have been read and whose metrics have not been computed yet.

    Attributes:
        dataset: The data set, including the references and edits that were added to it.
        computation: The metrics and how they are computed.
        tables: Scores of other metrics, from files.
        options: The options of the meta-evaluation.
        notes: Notes about the files, one line each.

    Raises:
        UsageError: The data set lacks a group, human score or set of judgements that the options name.
    """

    dataset: MetaDataset
    computation: Computation = field(default_factory=Computation)
    tables: tuple[MetricScores, ...] = ()
    options: MetaOptions = MetaOptions()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for group in self.groups:
            systems = self.dataset.group(group)
            for name in self.options.human:
                self.dataset.human_scores(name, systems[:1])
        for name in self.options.judgements:
            self.dataset.judgement_set(name)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The names of the analyses, without the fitting of factors."""
        return self.options.analyses or (() if self.options.fit else ("system", "sentence"))

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups of systems."""
        return self.options.groups or tuple(self.dataset.groups)[:1]

    @property
    def judgements(self) -> tuple[str, ...]:
        """The names of the sets of judgements."""
        return self.options.judgements or tuple(self.dataset.judgements)

    @property
    def human(self) -> tuple[str, ...]:
        """The names of the human scores.

        Raises:
            UsageError: The data set has neither human scores nor judgements.
        """
        data = self.dataset
        names = self.options.human or tuple(data.human) or tuple(f"ts:{name}" for name in data.judgements)
        if not names:
            raise UsageError(f"{data.name} has neither human scores nor judgements; give one of them")
        return names

    def evaluate(self) -> MetaEvaluation:
        """Compute the metrics and return the results of all analyses.

        Raises:
            UsageError: There is no metric, there are too few systems, or every analysis is empty.
            MissingError: A model is missing.
        """
        metrics = (*self.computation.all_scores(self.dataset), *self.tables)
        if not metrics:
            raise UsageError(
                "found no metric to evaluate; give a metric with -m, or a table of scores with --scores"
            )
        groups = [_Group(self, metrics, name) for name in self.groups]
        results: dict[str, tuple[Result, ...]] = {
            name: tuple(one for group in groups for one in ANALYSES[name](group)) for name in self.wanted
        }
        if self.options.fit:
            results["fit"] = tuple(_fits(groups, self.options.fit))
        empty = [name for name, shown in results.items() if not shown]
        if len(empty) == len(results):
            raise UsageError(_nothing(self.dataset, empty))
        noted = [name for name in empty if self.dataset.judgements or name == "fit"]
        said = [
            *self.notes,
            *([_nothing(self.dataset, noted)] if noted else ()),
            *(note for scores in metrics for note in scores.notes),
            *(_undefined(groups) if {"system", "test"}.intersection(self.wanted) else ()),
            *_missing_sentences(metrics),
        ]
        return MetaEvaluation(self, metrics, results, tuple(dict.fromkeys(said)))


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """The result of a meta-evaluation.

    Attributes:
        request: The data set, metrics and options.
        metrics: The scores of each metric.
        results: The results of each analysis by its name (``system``, ``sentence``, ``windows`` …).
        notes: Notes about the files and the metrics, one line each.
    """

    request: MetaRequest = field(repr=False)
    metrics: tuple[MetricScores, ...] = field(repr=False)
    results: Mapping[str, tuple[Result, ...]]
    notes: tuple[str, ...] = ()

    @property
    def dataset(self) -> MetaDataset:
        """The data set."""
        return self.request.dataset

    @property
    def options(self) -> MetaOptions:
        """The options of the meta-evaluation."""
        return self.request.options

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``jperrant meta --json`` prints; an undefined figure is None."""
        return {
            "dataset": self.dataset.name,
            "sentences": len(self.dataset.sources),
            "aggregation": self.options.aggregation,
            "metrics": [
                {
                    "metric": scores.name,
                    "signature": scores.signature,
                    "lower_is_better": scores.lower_is_better,
                    "scores": plain(dict(zip(scores.systems, scores.corpus.tolist(), strict=True))),
                }
                for scores in self.metrics
            ],
            **{name: plain(found) for name, found in self.results.items()},
        }


def meta_evaluate(
    dataset: str | PathLike[str] | MetaDataset, metrics: str | Sequence[str] = (), **options: Any
) -> MetaEvaluation:
    """Compare metrics with human judgements (``jperrant.meta_evaluate``).

    Args:
        dataset: The name of a published data set (``seeda``, ``seeda-e``, ``seeda-s``, ``gjg15``, ``gmeg-wiki``,
            ``gmeg-fce``), the path of a file that describes one or of a table of human scores (with ``edits``), or
            a data set.
        metrics: Names of metrics with their options (``gleu:variant=corrected``), or ``length``.
        **options: The other arguments of :func:`meta_requested` and the attributes of :class:`MetaOptions`.

    Raises:
        UsageError: A name or option is unknown, there is no metric, or there are too few systems.
        InputError, FormatError: Files cannot be read, or do not fit together.
        MissingError: A model is missing.

    Example:
        >>> found = jperrant.meta_evaluate("essays.json", ["gleu", "length"], groups=["machines"])
        >>> found.results["system"][0].values["pearson"]
    """
    return meta_requested(dataset, metrics, **options).evaluate()


def meta_requested(
    dataset: str | PathLike[str] | MetaDataset,
    metrics: str | Sequence[str] = (),
    *,
    data: str | PathLike[str] | None = None,
    references: Paths = (),
    sets: str | Sequence[str] = (),
    scores: Paths | Mapping[str, str] = (),
    lower: str | Sequence[str] = (),
    edits: Paths = (),
    lang: str | None = None,
    models: str = "compact",
    cache: str = "",
    **options: Any,
) -> MetaRequest:
    """Read and check the files of a meta-evaluation; compute no metric yet.

    Args:
        dataset, metrics: As in :func:`meta_evaluate`.
        data: The folder that the authors of a published data set distribute.
        references: Files of references, or folders of them.
        sets: The sets of references; metrics are computed against each. The first of the data set if empty.
        scores: Tables of scores of other metrics (``data_files.read_score_tables``), or a mapping from their paths
            to their names.
        lower: The metrics of these tables whose lower scores are better.
        edits: M2 files named after the systems. Their edits are used instead of annotating texts, and only these
            systems are evaluated.
        lang, models, cache: The language, models and cache for annotating texts, for metrics that use edits.
        **options: The attributes of :class:`MetaOptions`.

    Raises:
        UsageError, InputError, FormatError: As :func:`meta_evaluate`.
    """
    chosen, corrected = build(MetaOptions, "meta_evaluate", options), _listed(edits)
    if isinstance(dataset, str | PathLike):
        dataset = load_dataset(fspath(dataset), optional_path(data), corrected)
    dataset, names, notes = data_files.with_reference_files(dataset, _listed(references), _listed(sets))
    groups = MetaRequest(dataset, options=chosen).groups  # all names are checked before long files are read
    dataset, blocks, left_out = data_files.with_system_edits(dataset, corrected, groups)
    called = scores if isinstance(scores, Mapping) else {path: path for path in _listed(scores)}
    tables = data_files.read_score_tables(called, dataset, _listed(lower))
    computation = Computation(tuple(_listed(metrics)), tuple(names), lang, models, cache, blocks)
    return MetaRequest(dataset, computation, tuple(tables), chosen, (*notes, *left_out))


def load_dataset(name: str, folder: str | None = None, edits: Sequence[str] = ()) -> MetaDataset:
    """Return a data set by its name or path.

    Args:
        name: One of ``DATASETS``, the path of a file that describes a data set (``data_files.read_own``), or the
            path of a table of human scores (``data_files.read_judged_m2``).
        folder: The folder that the authors of a published data set distribute; None for a data set of your own.
        edits: The M2 files that belong to a table of human scores.

    Raises:
        UsageError: The name is unknown, or a folder is missing or superfluous.
        InputError, FormatError: The files cannot be read.
    """
    if name in DATASETS:
        if folder is None:
            raise UsageError(
                f"data set {name!r} is read from its authors' folder; run 'git clone "
                f"{HOMES[name.partition('-')[0]]}' and give it with --data FOLDER"
            )
        return DATASETS[name](folder)
    if name.endswith((".json", ".tsv")) or is_file(name):
        if folder is not None:
            raise UsageError(f"{name}: a data set of your own lists its files itself; remove --data")
        return data_files.read_judged_m2(name, edits) if name.endswith(".tsv") else data_files.read_own(name)
    known = ", ".join(DATASETS)
    raise UsageError(
        f"unknown data set {name!r}{nearest(name, DATASETS)}; expected one of {known}, or a FILE.json"
    )


@dataclass(frozen=True)
class _Group:
    """One group of systems with the comparisons that several analyses share, each computed once."""

    request: MetaRequest
    metrics: Sequence[MetricScores]
    name: str

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.request.dataset.group(self.name)

    @cached_property
    def human(self) -> dict[str, FloatArray]:
        """The human scores by name, shape ``(systems,)``."""
        data = self.request.dataset
        return {name: data.human_scores(name, self.systems) for name in self.request.human}

    @cached_property
    def both(self) -> list[list[levels.Compared]]:
        """For each human score, its comparison with each metric."""
        by = self.request.options.aggregation
        return [
            [
                levels.compared(one, theirs, self.systems, aggregation=by, human=name, group=self.name)
                for one in self.metrics
            ]
            for name, theirs in self.human.items()
        ]

    @cached_property
    def judged(self) -> list[list[levels.JudgedPairs]]:
        """For each set of judgements, its pairs with the scores of each metric that has sentence scores."""
        rated = [scores for scores in self.metrics if scores.has_sentences]
        sets = [self.request.dataset.judgement_set(name) for name in self.request.judgements]
        of = (self.systems, self.request.options.ties, self.name)
        return [[levels.judged_pairs(scores, one, *of) for scores in rated] for one in sets]


def _systems(group: _Group) -> Iterator[Result]:
    """Yield the correlations of each metric with each human score."""
    drawn = group.request.options.samples, group.request.options.seed
    return (levels.system_correlation(one, *drawn) for own in zip(*group.both, strict=True) for one in own)


def _sentences(group: _Group) -> Iterator[Result]:
    """Yield the agreement of each metric that has sentence scores with each set of judgements."""
    drawn = group.request.options.samples, group.request.options.seed
    return (
        levels.sentence_agreement(pairs, *drawn) for own in zip(*group.judged, strict=True) for pairs in own
    )


def _tests(group: _Group) -> Iterator[Result]:
    """Yield the test of each further metric against the first metric."""
    if len(group.metrics) < 2:
        raise UsageError("a test compares two or more metrics; give several")
    first, *others = zip(*group.both, strict=True)
    return (levels.correlation_test(*both) for own in others for both in zip(own, first, strict=True))


def _windows(group: _Group) -> Iterator[Result]:
    """Yield the correlations of each metric with each human score over windows of neighbouring systems."""
    return (levels.window_analysis(one, group.request.options.width) for own in group.both for one in own)


def _pairs(group: _Group, of: str) -> Iterator[Result]:
    """Yield the agreement of each metric with each set of judgements, by pairs of ``ranks`` or of ``systems``."""
    return (levels.pair_analysis(pairs, of) for own in group.judged for pairs in own)


#: The analyses by name; each yields results for one group of systems.
ANALYSES: dict[str, Callable[[_Group], Iterator[Result]]] = {
    "system": _systems,
    "sentence": _sentences,
    "test": _tests,
    "windows": _windows,
    "rank-pairs": partial(_pairs, of="ranks"),
    "system-pairs": partial(_pairs, of="systems"),
}


def _fits(groups: Sequence[_Group], kind: str) -> Iterator[Result]:
    """Yield the factors of each CLEME2.0 metric, fitted to each human score of each group."""
    computation, dataset = groups[0].request.computation, groups[0].request.dataset
    names = tuple(computation.edits) or dataset.system_names
    for spec in dict.fromkeys(computation.metrics):
        if spec.partition(":")[0] != Cleme2Scorer.name:
            continue
        asked = {of: computation.request(dataset, [spec], of) for of in computation.sets or ("",)}
        [scorer] = next(iter(asked.values())).scorers
        assert isinstance(scorer, Cleme2Scorer)
        tried = {of: tried_scores(one.pairs(), scorer) for of, one in asked.items()}
        called = computation.labels.get(spec, spec)
        for one in groups:
            of_group = {of: own[:, [names.index(s) for s in one.systems]] for of, own in tried.items()}
            for human, theirs in one.human.items():
                of = {"metric": called, "human": human, "group": one.name}
                yield fit(of_group, theirs, one.systems, scorer.level, kind, **of)


def _nothing(dataset: MetaDataset, analyses: Sequence[str]) -> str:
    """Return the message for analyses without results: what the data set or the metrics lack."""
    otherwise = "scores of sentences by a metric" if dataset.judgements else "judgements"
    factors = f"factors to fit, which {Cleme2Scorer.name} has"
    reasons = [f"{name}: there are no {factors if name == 'fit' else otherwise}" for name in analyses]
    return f"{dataset.name}: found nothing to show for analysis {'; '.join(reasons)}"


def _undefined(groups: Sequence[_Group]) -> Iterator[str]:
    """Yield a line for each metric and human score whose correlation is undefined.

    It is undefined where all systems of a group have the same score, or where a system has no score.
    """
    for one in groups:
        aggregation, systems = one.request.options.aggregation, one.systems
        ours = {f"metric {s.name!r}": s.select(systems).aggregate(aggregation) for s in one.metrics}
        # Unjudged systems are not compared.
        theirs = {f"human score {name!r}": own[~np.isnan(own)] for name, own in one.human.items()}
        for what, own in {**ours, **theirs}.items():
            if np.isnan(own).any():
                system, group = systems[int(np.isnan(own).argmax())], one.name
                yield f"{what} has no score of system {system!r} of group {group!r}: its correlation is undefined"
            elif len(own) and np.all(own == own[0]):
                yield f"{what} is equal for all systems of group {one.name!r}: its correlation is undefined"


def _missing_sentences(metrics: Sequence[MetricScores]) -> Iterator[str]:
    """Yield a line for each metric without a score for some sentences."""
    for scores in metrics:
        if missing := int(np.isnan(scores.sentences).any(axis=0).sum()):
            pairs = f"pairs with {agree(missing, 'it', 'them')} do not count"
            yield (
                f"metric {scores.name!r} has no score of some system for {plural(missing, 'sentence')}; {pairs}"
            )


def _listed(given: Paths) -> list[str]:
    return [fspath(one) for one in ([given] if isinstance(given, str | PathLike) else given)]
