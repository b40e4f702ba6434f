"""Meta-evaluation in one call: metrics against people, by systems and by sentences."""

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
from jperrant.evaluation.analysis import check_samples
from jperrant.evaluation.meta import data_files, levels
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.fit import fit, tried_scores
from jperrant.evaluation.meta.metric_scores import AGGREGATIONS, Computation, MetricScores
from jperrant.evaluation.meta.published import DATASETS, HOMES
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer
from jperrant.evaluation.statistics.correlation import CORRELATIONS
from jperrant.evaluation.statistics.significance import SEED

#: One file, folder or name, or several.
Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
#: One result of an analysis: a frozen dataclass whose fields are figures and names.
Result: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class MetaOptions:
    """What is compared with what; an empty choice takes the default of the data set.

    Attributes:
        analyses: What is made, of ``ANALYSES``; ``system`` and ``sentence`` if empty and there is no ``fit``.
        human: The human scores, given or recomputed (``TS_edit``, ``ew:edit``); those given if empty, or else
            TrueSkill of the judgements.
        groups: The groups of systems; the data set's first if empty.
        judgements: The sets of judgements; all if empty.
        aggregation: How scores of systems come from sentences, one of ``AGGREGATIONS``.
        ties: What ties count at sentence level, one of ``TIE_RULES``.
        samples: Bootstrap samples of intervals; 0 for no intervals.
        width: Systems in a window.
        fit: The correlation to which the factors of CLEME2.0 are fitted; None if they are not.
        seed: Of random numbers.

    Raises:
        UsageError: An unknown analysis, aggregation, rule or correlation, or a number out of its range.
    """

    analyses: tuple[str, ...] = ()
    human: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()
    aggregation: str = option("corpus", "From sentences to systems.", choices=tuple(AGGREGATIONS))
    ties: str = option("half", "What a metric's tie counts.", choices=tuple(levels.TIE_RULES))
    samples: int = 0
    width: int = 4
    fit: str | None = option(None, "To what factors are fitted.", choices=CORRELATIONS)
    seed: int = SEED

    def __post_init__(self) -> None:
        check_options(self)
        check_samples(self.samples or None, self.seed)
        for name in self.analyses:
            check_known("analysis", name, ANALYSES)


@dataclass(frozen=True, slots=True)
class MetaRequest:
    """Metrics that are to be compared with the judgements of people: all is read, nothing is computed yet.

    Attributes:
        dataset: The data set, with the references and edits that were added to it.
        computation: How the metrics are computed.
        tables: Scores of other metrics.
        options: What is compared with what.
        notes: What users should know of the files, one line each.

    Raises:
        UsageError: A choice that the data set does not have.
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
        """The analyses that are made, without the fitting of factors: those that are named, else two."""
        return self.options.analyses or (() if self.options.fit else ("system", "sentence"))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of systems that are looked at."""
        return self.options.groups or tuple(self.dataset.groups)[:1]

    @property
    def judgements(self) -> tuple[str, ...]:
        """The names of the sets of judgements that are looked at."""
        return self.options.judgements or tuple(self.dataset.judgements)

    @property
    def human(self) -> tuple[str, ...]:
        """The names of the human scores that are looked at.

        Raises:
            UsageError: There are none.
        """
        data = self.dataset
        names = self.options.human or tuple(data.human) or tuple(f"ts:{name}" for name in data.judgements)
        if not names:
            raise UsageError(f"{data.name} has neither human scores nor judgements; give one of them")
        return names

    def evaluate(self) -> MetaEvaluation:
        """Compute the metrics and return the results of all analyses.

        Raises:
            UsageError: No metric, too few systems, or no analysis has anything to show.
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
        request: What was compared with what.
        metrics: What each metric says of the systems.
        results: The results of each analysis by its name (``system``, ``sentence``, ``windows`` …).
        notes: What users should know, one line each.
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
        """What was compared."""
        return self.request.options

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
                    "scores": plain(dict(zip(scores.systems, scores.corpus.tolist(), strict=True))),
                }
                for scores in self.metrics
            ],
            **{name: plain(found) for name, found in self.results.items()},
        }


def meta_evaluate(
    dataset: str | PathLike[str] | MetaDataset, metrics: str | Sequence[str] = (), **options: Any
) -> MetaEvaluation:
    """Compare metrics with the judgements of people.

    Args:
        dataset: ``seeda``, ``seeda-e``, ``seeda-s``, ``gjg15``, ``gmeg-wiki`` …, a file that describes one, a table
            of human scores whose systems are ``edits``, or a data set.
        metrics: Metrics of the registry with their options (``gleu:variant=corrected``), or ``length``.
        **options: The other arguments of :func:`meta_requested`, and the attributes of :class:`MetaOptions`.

    Raises:
        UsageError: An unknown name or option, no metric, or too few systems.
        InputError, FormatError: Files cannot be read, or do not fit each other.
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
    """Read and check everything that a meta-evaluation needs; no metric is computed yet.

    Args:
        dataset, metrics: As of :func:`meta_evaluate`.
        data: The folder that the authors of the data set distribute.
        references: Files of references, or folders of them.
        sets: Which sets of references; metrics are computed over each. The data set's first if empty.
        scores: Tables of scores of other metrics (:func:`read_score_tables`); or a mapping from their paths to
            what they are called.
        lower: The metrics of these tables of which a lower score is better.
        edits: M2 files of systems, named after them: their edits are taken instead of annotating texts, and only
            these systems count.
        lang, models, cache: How texts are annotated for metrics that look at edits.
        **options: As the attributes of :class:`MetaOptions`.

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
    """Return a data set.

    Args:
        name: One of ``DATASETS``; or the path of a JSON file that describes one (:func:`read_own`), or of a table
            of human scores of M2 files (:func:`read_judged_m2`).
        folder: Where the files of its authors are; not for a data set of one's own.
        edits: The M2 files of a table.

    Raises:
        UsageError: The name is unknown, or the folder is missing or not wanted.
        InputError, FormatError: As what reads it.
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
    """What analyses of one group of systems are made of; what several need is made once."""

    request: MetaRequest
    metrics: Sequence[MetricScores]
    name: str

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return self.request.dataset.group(self.name)

    @cached_property
    def human(self) -> dict[str, FloatArray]:
        """The human scores of the systems by name; recomputed ones take their time."""
        data = self.request.dataset
        return {name: data.human_scores(name, self.systems) for name in self.request.human}

    @cached_property
    def both(self) -> list[list[levels.Compared]]:
        """For each human score, each metric beside it."""
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
        """For each set of judgements, what each metric with scores of sentences says of its pairs."""
        rated = [scores for scores in self.metrics if scores.has_sentences]
        sets = [self.request.dataset.judgement_set(name) for name in self.request.judgements]
        of = (self.systems, self.request.options.ties, self.name)
        return [[levels.judged_pairs(scores, one, *of) for scores in rated] for one in sets]


def _systems(group: _Group) -> Iterator[Result]:
    """Yield the correlations of each metric with each human score."""
    drawn = group.request.options.samples, group.request.options.seed
    return (levels.system_correlation(one, *drawn) for own in zip(*group.both, strict=True) for one in own)


def _sentences(group: _Group) -> Iterator[Result]:
    """Yield the agreement of each metric that has scores of sentences with each set of judgements."""
    drawn = group.request.options.samples, group.request.options.seed
    return (
        levels.sentence_agreement(pairs, *drawn) for own in zip(*group.judged, strict=True) for pairs in own
    )


def _tests(group: _Group) -> Iterator[Result]:
    """Yield the tests of each metric but the first against the first."""
    if len(group.metrics) < 2:
        raise UsageError("a test compares two or more metrics; give several")
    first, *others = zip(*group.both, strict=True)
    return (levels.correlation_test(*both) for own in others for both in zip(own, first, strict=True))


def _windows(group: _Group) -> Iterator[Result]:
    """Yield the correlations of each metric with each human score over neighbouring systems."""
    return (levels.window_analysis(one, group.request.options.width) for own in group.both for one in own)


def _pairs(group: _Group, of: str) -> Iterator[Result]:
    """Yield the agreement of each metric with each set of judgements by pair of ``ranks`` or ``systems``."""
    return (levels.pair_analysis(pairs, of) for own in group.judged for pairs in own)


#: The analyses of a group by name.
ANALYSES: dict[str, Callable[[_Group], Iterator[Result]]] = {
    "system": _systems,
    "sentence": _sentences,
    "test": _tests,
    "windows": _windows,
    "rank-pairs": partial(_pairs, of="ranks"),
    "system-pairs": partial(_pairs, of="systems"),
}


def _fits(groups: Sequence[_Group], kind: str) -> Iterator[Result]:
    """Yield the factors of each metric that has some, fitted to each human score of each group."""
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
    """Return what is missing for analyses without a result."""
    otherwise = "scores of sentences by a metric" if dataset.judgements else "judgements"
    factors = f"factors to fit, which {Cleme2Scorer.name} has"
    reasons = [f"{name}: there are no {factors if name == 'fit' else otherwise}" for name in analyses]
    return f"{dataset.name}: found nothing to show for analysis {'; '.join(reasons)}"


def _undefined(groups: Sequence[_Group]) -> Iterator[str]:
    """Yield a line for each metric and each human score that cannot be correlated.

    They cannot where all systems of a group have the same score, or where one of them has no score.
    """
    for one in groups:
        aggregation, systems = one.request.options.aggregation, one.systems
        ours = {f"metric {s.name!r}": s.select(systems).aggregate(aggregation) for s in one.metrics}
        # Systems that nobody judged are left out.
        theirs = {f"human score {name!r}": own[~np.isnan(own)] for name, own in one.human.items()}
        for what, own in {**ours, **theirs}.items():
            if np.isnan(own).any():
                system, group = systems[int(np.isnan(own).argmax())], one.name
                yield f"{what} has no score of system {system!r} of group {group!r}: its correlation is undefined"
            elif len(own) and np.all(own == own[0]):
                yield f"{what} gives all systems of group {one.name!r} one score: its correlation is undefined"


def _missing_sentences(metrics: Sequence[MetricScores]) -> Iterator[str]:
    """Yield a line for each metric that has no score for some sentences."""
    for scores in metrics:
        if missing := int(np.isnan(scores.sentences).any(axis=0).sum()):
            pairs = f"pairs with {agree(missing, 'it', 'them')} do not count"
            yield (
                f"metric {scores.name!r} has no score of some system for {plural(missing, 'sentence')}; {pairs}"
            )


def _listed(given: Paths) -> list[str]:
    return [fspath(one) for one in ([given] if isinstance(given, str | PathLike) else given)]
