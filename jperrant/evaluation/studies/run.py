"""Running a study step by step, with results that are stored and reused.

A step scores one system by one metric, or compares metrics with human judgements. Its key is a checksum of
everything that its result depends on, so a stored result with the same key is up to date. Results are stored as
JSON without loss of precision.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.fingerprint import fingerprint, packages
from jperrant.cluster.workers import Crew
from jperrant.core.errors import InputError, WorkerError
from jperrant.core.messages import spoken
from jperrant.core.option import options_of
from jperrant.core.packages import checksum_of_package, versions_of
from jperrant.core.paths import is_folder
from jperrant.core.store import Store
from jperrant.encoders.hugging_face import FILES, WEIGHTS
from jperrant.encoders.hugging_face import fingerprint as fingerprint_of_weights
from jperrant.evaluation.analysis import grouped
from jperrant.evaluation.inputs import SAME, Input, same_contents
from jperrant.evaluation.meta.evaluation import MetaEvaluation
from jperrant.evaluation.meta.metric_scores import LENGTH, kept_answers
from jperrant.evaluation.metric_names import make_scorers
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.read_sides import read_blocks
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.scoring import score
from jperrant.evaluation.statistics.significance import Comparison, Interval, intervals, paired_tests
from jperrant.evaluation.studies.study_file import Dataset, InputFile, Study
from jperrant.packs.labels import GROUPS, OTHER, Grouping, group_of
from jperrant.packs.read import common_groups, pack_keys

#: A callback that gets each step and the seconds that it took; None for a stored result.
Reporter: TypeAlias = Callable[["Step", float | None], None]
#: A system or a reference as ``score`` takes it, and the notes from reading it.
Side: TypeAlias = tuple[Input, tuple[str, ...]]
#: The packages whose versions may change figures.
_PACKAGES = ("jperrant", "numpy", "rapidfuzz", "stanza", "torch", "transformers")
#: The options of metrics that may name the folder of a model.
_MODELS = ("encoder", "model", "tokenizer")
#: The key of JSON objects that names the class of the value; mappings have no such key.
_KIND = "jperrant:class"


@dataclass(frozen=True, slots=True)
class Step:
    """One unit of computation.

    Attributes:
        kind: ``score`` for a system scored by a metric, ``human`` for metrics compared with human judgements.
        dataset: The name of the dataset, or of the entry of ``human``.
        subject: The name of the system, or of the judged data set.
        metric: The label of the metric; empty for ``human``.
        key: A checksum of everything that the result depends on.
        portion: The name of the steps that one process computes together.
    """

    kind: Literal["score", "human"]
    dataset: str
    subject: str
    metric: str
    key: str
    portion: str

    def __str__(self) -> str:
        return " ".join(filter(None, (self.kind, f"{self.dataset}/{self.subject}", self.metric)))


@dataclass(frozen=True)
class ComparedSystems:
    """Paired tests of several systems on one dataset.

    Attributes:
        dataset: The name of the dataset.
        name: The names of the systems, joined by ``vs``.
        metric: The label of the metric.
        scores: The scores of the systems.
        comparisons: The comparison of each further system with the first one.
    """

    dataset: str
    name: str
    metric: str
    scores: Scores
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class GroupedScores:
    """Scores whose figures by type are summed by the groups of types that all languages share.

    Attributes:
        metric: The label of the metric.
        scores: The scores by dataset and system.
        unknown: The labels without a group, which count as ``other``, by dataset.
    """

    metric: str
    scores: Mapping[str, Mapping[str, Score]]
    unknown: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class StudyResult:
    """The results of a study, read from its store; complete once the study has run.

    Attributes:
        study: The study.
        folder: The folder of the output.

    Raises:
        JperrantError: A file, a pack or a model cannot be found.
    """

    study: Study
    folder: Path

    @cached_property
    def versions(self) -> dict[str, str]:
        """The versions of Python and of packages, and a checksum of jperrant's code."""
        python = ".".join(platform.python_version_tuple()[:2])
        return {"python": python, **versions_of(_PACKAGES), "code": checksum_of_package("jperrant")[:16]}

    @cached_property
    def cache(self) -> Path:
        """The folder of stored results, annotations and encodings."""
        return self.folder / "cache"

    @cached_property
    def store(self) -> Store:
        """The store of the results of steps."""
        return Store(self.cache / "results.sqlite")

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every step of the study."""
        return (*self._scored(), *self._judged())

    @cached_property
    def scores(self) -> Mapping[str, Mapping[str, Mapping[str, Score]]]:
        """The scores by dataset, label of the metric and system."""
        found: dict[str, dict[str, dict[str, Score]]] = {}
        for step in self.steps:
            if step.kind == "score":
                own = found.setdefault(step.dataset, {}).setdefault(step.metric, {})
                own[step.subject] = replace(self._of(step), scorer=self.scorer(step.metric, step.dataset))
        return found

    @cached_property
    def intervals(self) -> Mapping[tuple[str, str, str], Mapping[str, Interval]]:
        """The intervals of all values by dataset, label of the metric and system; empty if not asked for."""
        samples, seed = self.study.intervals, self.study.seed
        return {
            (dataset, metric, system): intervals(one, samples, seed)
            for dataset, by_metric in self.scores.items()
            for metric, own in by_metric.items()
            for system, one in own.items()
            if samples is not None
        }

    @cached_property
    def comparisons(self) -> tuple[ComparedSystems, ...]:
        """The comparisons of systems, in the order of the study file."""
        found = []
        for one in self.study.comparisons:
            metric = self.study.compared_by(one)
            for dataset in self.study.compared_in(one):
                scores = Scores(self.scores[dataset][metric][system] for system in one.systems)
                tests = paired_tests(
                    scores,
                    one.test,
                    one.samples,
                    self.study.seed,
                    correction=one.correction,
                    by_type=True,
                )
                found.append(ComparedSystems(dataset, one.name, metric, scores, tuple(tests)))
        return tuple(found)

    @cached_property
    def human(self) -> Mapping[str, MetaEvaluation]:
        """The comparisons of metrics with human judgements, by name in the study file."""
        return {
            step.dataset: MetaEvaluation(self.study.people[step.dataset], *self._of(step))
            for step in self.steps
            if step.kind == "human"
        }

    @cached_property
    def groups(self) -> GroupedScores | None:
        """The scores of the first metric with figures by type, summed by group; None if no metric has such figures.

        A group holds the types of all operations (M, U, R).
        """
        for metric in self.study.metrics:
            own = {name: scores[metric] for name, scores in self.scores.items()}
            if any(one.by_type for systems in own.values() for one in systems.values()):
                break
        else:
            return None
        scores, unknown, shared = {}, {}, common_groups()
        for name, systems in own.items():
            group = Grouping(groups_of_labels(self.study.datasets[name], shared))
            scores[name] = {
                # UNK has no operation to cut off.
                system: grouped(one, lambda type_, group=group: group(type_).rpartition(":")[2])  # type: ignore[misc]
                for system, one in systems.items()
            }
            if group.unknown:
                unknown[name] = tuple(sorted(group.unknown))
        return GroupedScores(metric, scores, unknown)

    def macro(self, metric: str) -> dict[str, float]:
        """Return the macro average of a metric's main value over datasets, by system.

        Systems that some dataset lacks are left out, as averages over different datasets are not comparable.
        """
        scores = [own[metric] for own in self.scores.values()]
        values = [{name: one.values[one.scorer.main] for name, one in own.items()} for own in scores]
        everywhere = [name for name in values[0] if all(name in own for own in values)] if values else []
        return {name: sum(own[name] for own in values) / len(values) for name in everywhere}

    def warnings(self) -> list[str]:
        """Return all warnings, each once, with the name of the dataset; with several metrics also the metric."""
        lines = [f"{name}: {line}" for name in self.scores for line in self._same(name)]
        lines += [
            f"{dataset}: {line}"
            for dataset, by_metric in self.scores.items()
            for label, own in by_metric.items()
            for one in own.values()
            for line in one.warnings_of(label if len(by_metric) > 1 else "")
        ]
        lines += [f"{name}: {line}" for name, found in self.human.items() for line in found.notes]
        return list(dict.fromkeys(map(spoken, lines)))

    def scorer(self, label: str, dataset: str, cached: bool = False) -> Scorer:
        """Return a metric for a dataset; without a given encoder, the language of the dataset chooses it.

        Args:
            label: The label of the metric.
            dataset: The name of the dataset.
            cached: Whether encodings and answers of language models are kept.
        """
        spec, lang = self.study.metrics[label], self.study.datasets[dataset].lang
        kept = kept_answers([spec], str(self.cache)) if cached else {}
        [scorer] = make_scorers(
            [spec], lang, {"seed": self.study.seed, **kept}, str(self.cache) if cached else ""
        )
        return scorer

    def sides(
        self, dataset: str, systems: Sequence[str], scorer: Scorer
    ) -> tuple[dict[str, Side], list[Side], dict[str, Any]]:
        """Return systems, references (none if the metric needs none), and the keywords of ``score`` for texts.

        Raises:
            InputError: A file cannot be read, or is not M2.
        """
        own = self.study.datasets[dataset]
        found = {}
        for name in systems:
            one = own.systems[name]
            found[name] = _side(one.file, () if one.annotator is None else (one.annotator,), scorer)
        needed = own.references if scorer.needs_references else ()
        texts: dict[str, Any] = {}
        if own.has_texts and own.source:
            # Annotations made by another version of the code are not reused.
            cache = str(self.cache / self.versions["code"])
            texts = {"source": str(own.source.path), "cache": cache, **own.text_options()}
        return found, [_side(file, own.annotators, scorer) for file in needed], texts

    def _of(self, step: Step) -> Any:
        """Return the result of a step.

        Raises:
            InputError: Another program has removed or damaged the result.
        """
        content = self.store.get(step.kind, step.key)
        if content is None:
            raise InputError(f"{self.store.path}: the result of {step} is missing or damaged; run again")
        return unpacked(content)

    def _same(self, name: str) -> list[str]:
        """Return a line for every two files of a dataset with the same content."""
        own = self.study.datasets[name]
        given = [
            (system, "system", (one.file.checksum, one.annotator)) for system, one in own.systems.items()
        ]
        given += [(file.written, "references", (file.checksum, None)) for file in own.references]
        if own.source is not None:
            given.append((own.source.written, "source", (own.source.checksum, None)))
        return same_contents(given)

    def _scored(self) -> Iterator[Step]:
        """Yield the steps that score systems."""
        for name, own in self.study.datasets.items():
            scorers = {label: self.scorer(label, name) for label in self.study.metrics}
            texts = [own.text_options(), annotator_content(own.annotator())] if own.has_texts else []
            shared = [_content(file) for file in (own.source, *own.references) if file]
            sides = {system: [_content(one.file), one.annotator] for system, one in own.systems.items()}
            for label, scorer in scorers.items():
                content = [self.versions, scorer_content(scorer), texts, own.lang, own.annotators, shared]
                # Several processes would ask a language model the same questions.
                together = scorer.joint or any(one.name == "llm_cache" for one in options_of(type(scorer)))
                for system, side in sides.items():
                    key = key_of("score", content, system, side, sides if scorer.joint else None)
                    portion = f"{name} {label}" if together else f"{name}/{system}"
                    yield Step("score", name, system, label, key, portion)

    def _judged(self) -> Iterator[Step]:
        """Yield the steps that compare metrics with human judgements."""
        for name, asked in self.study.people.items():
            data, computed = asked.dataset, asked.computation
            specs, lang = [spec for spec in computed.metrics if spec != LENGTH], computed.lang or data.lang
            scorers = make_scorers(specs, lang or None) if specs else []
            content: list[Any] = [scorer_content(scorer) for scorer in scorers]
            if any(scorer.needs_edits for scorer in scorers):
                content.append(annotator_content(AnnotatorOptions(lang or None, models=computed.models)))
            key = key_of("human", self.versions, content, replace(asked, dataset=replace(data, files=())))
            yield Step("human", name, data.name, "", key, f"human {name}")


def _side(file: InputFile, annotators: Sequence[int], scorer: Scorer) -> Side:
    """Return the path of a text, or the blocks of M2 with only the given annotators, renumbered from 0.

    Without given annotators all are kept.
    """
    if file.text:
        return str(file.path), ()
    read = read_blocks(str(file.path), file.written, refused=scorer.refuses)
    if not annotators:
        return read.blocks, read.notes
    new = {number: n for n, number in enumerate(annotators)}
    blocks = []
    for block in read.blocks:
        kept = [replace(a, annotator=new[a.annotator]) for a in block.annotations if a.annotator in new]
        blocks.append(replace(block, annotations=tuple(kept)))
    return blocks, read.notes


def key_of(*parts: Any) -> str:
    """Return a checksum of values."""
    return hashlib.sha256(packed(parts)).hexdigest()[:40]


def _content(file: InputFile) -> list[str]:
    return [file.checksum, file.written]


def annotator_content(options: AnnotatorOptions) -> list[Any]:
    """Return what annotations depend on besides the texts: options, checksums of packs and models, versions."""
    return [options, fingerprint(options), versions_of(packages(options))]


def scorer_content(scorer: Scorer) -> list[Any]:
    """Return what a metric's figures depend on besides edits: options, models, files, the code of other packages.

    Raises:
        InputError: A file that an option names cannot be read.
    """
    options: dict[str, Any] = {}
    if is_dataclass(scorer):
        # Fields that a metric computes from its options are left out: they may print differently in each process.
        made = {field.name for field in fields(scorer) if not field.init}
        options = {name: value for name, value in asdict(scorer).items() if name not in made}
    kinds = [*type(scorer).__mro__, *type(getattr(scorer, "weighting", None)).__mro__]
    names = {kind.__module__.partition(".")[0] for kind in kinds} - {"jperrant"} - sys.stdlib_module_names
    code = {name: checksum_of_package(name) for name in sorted(names)}
    return [scorer.name, type(scorer).__module__, options, scorer.settings, [*model_content(options)], code]


def model_content(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield checksums of the models that options name by folder: weights, settings and tokenizers.

    Raises:
        InputError: A file cannot be read.
    """
    for name, value in options.items():
        if isinstance(value, Mapping):
            yield from model_content(value)
        elif name in _MODELS and isinstance(value, str) and value and is_folder(value):
            folder = Path(value)
            yield fingerprint_of_weights(folder)
            files = {file for pattern in FILES if pattern not in WEIGHTS for file in folder.rglob(pattern)}
            for file in sorted(filter(Path.is_file, files)):
                yield f"{file.relative_to(folder).as_posix()} {InputFile.of(file, str(file)).checksum}"


def groups_of_labels(dataset: Dataset, shared: Mapping[str, str]) -> dict[str, str]:
    """Return the group of every label that the files of a dataset may have.

    In order of precedence: the groups in the study file; the labels of the language's pack; the labels of its other
    label sets, such as UA-GEC's in the Ukrainian pack; the labels of all packs. A label of another label set that
    is named like a group (``Spelling``) belongs to that group. Any other label of such a set stands for several
    labels of the pack and belongs to the group of most of these.

    Args:
        dataset: The dataset.
        shared: The groups of the labels of all packs, from ``common_groups``.
    """
    return {**shared, **(_of_language(dataset.lang) if dataset.lang else {}), **dataset.groups}


def _of_language(lang: str) -> dict[str, str]:
    pack = pack_keys(lang)
    votes: dict[str, list[str]] = {}
    for label, name in (pair for names in pack.label_sets.values() for pair in names.items()):
        votes.setdefault(name, []).append(group_of(label, pack.groups))
    named = {
        # The most frequent group; among equally frequent ones the first by name, ``other`` last.
        name: lower
        if (lower := name.lower()) in GROUPS
        else min(own, key=lambda g: (-own.count(g), g == OTHER, g))
        for name, own in votes.items()
    }
    return {**named, **{label: group_of(label, pack.groups) for label in pack.labels}}


@dataclass(frozen=True)
class StudyWork:
    """The work of a crew: computes portions of steps and sends the results to the calling process.

    Attributes:
        result: The study and its stored results.
    """

    result: StudyResult

    def __call__(self, task: Sequence[Step]) -> Iterator[tuple[Step, float, bytes]]:
        """Compute the steps of a portion and yield each with the seconds it took and its result as JSON.

        Raises:
            JperrantError: A file is unusable, or a model is missing.
        """
        begin = time.perf_counter()
        compute: Callable[[Sequence[Step]], Iterator[tuple[Step, Any]]] = getattr(self, f"_{task[0].kind}")
        try:
            for step, value in compute(task):
                content = packed(value)
                yield step, time.perf_counter() - begin, content
                begin = time.perf_counter()
        except InputError as error:
            raise InputError(self.result.study.named(str(error.args[0]))) from None

    def signature(self) -> dict[str, str]:
        """Return the versions of Python, packages and code."""
        return self.result.versions

    def _score(self, steps: Sequence[Step]) -> Iterator[tuple[Step, Score]]:
        """Score systems one by one, or all together by a joint metric, so that each keeps its own warnings."""
        result, dataset = self.result, steps[0].dataset
        own = result.study.datasets[dataset]
        done: dict[str, Scores] = {}
        for step in steps:
            scorer = result.scorer(step.metric, dataset, cached=True)
            names = [*own.systems] if scorer.joint else [step.subject]
            systems, references, texts = result.sides(dataset, names, scorer)
            if step.metric not in done or not scorer.joint:
                given, gold = {name: systems[name][0] for name in names}, [side for side, _ in references]
                done[step.metric] = score(given, gold, metrics=scorer, **texts)
                for file in (own.source, *own.references, *(own.systems[name].file for name in names)):
                    if file is not None:
                        file.check()
            one = next(one for one in done[step.metric] if one.hypothesis == step.subject)
            read = [note for _, notes in references for note in notes]
            # ``StudyResult.warnings`` compares the files of all systems.
            told = [line for line in one.warnings if not line.endswith(SAME)]
            notes = dict.fromkeys(map(result.study.named, [*systems[step.subject][1], *read, *told]))
            yield step, replace(one, scorer=cast(Scorer, None), warnings=tuple(notes))

    def _human(self, steps: Sequence[Step]) -> Iterator[tuple[Step, Any]]:
        for step in steps:
            asked = self.result.study.people[step.dataset]
            kept = replace(asked.computation, cache=str(self.result.cache))
            found = replace(asked, computation=kept).evaluate()
            yield step, (found.metrics, found.results, found.notes)


def run_steps(
    study: Study, out: Path, crew: Crew | None = None, report: Reporter | None = None
) -> StudyResult:
    """Compute the steps of a study that are not stored yet, and return all results.

    Args:
        study: The study.
        out: The folder of the output, which also holds the stored results.
        crew: The processes that compute; None for this process.
        report: A callback for each finished step.

    Raises:
        JperrantError: A file is unusable, or a model is missing; the steps finished before are stored.
    """
    crew, tell = crew or Crew(), report or (lambda _step, _seconds: None)
    result = StudyResult(study, out)
    missing: dict[str, list[Step]] = {}
    for step in result.steps:
        if result.store.get(step.kind, step.key) is None:
            missing.setdefault(step.portion, []).append(step)
        else:
            tell(step, None)
    with closing(crew.outcomes(StudyWork(result), [*missing.values()])) as outcomes:
        for portion, outcome in outcomes:
            if isinstance(outcome, WorkerError):
                raise WorkerError(f"{portion[0]}: {outcome}")
            if isinstance(outcome, Exception):
                raise outcome
            step, seconds, content = outcome
            result.store.put(step.kind, {step.key: content})
            tell(step, seconds)
    return result


def packed(value: Any) -> bytes:
    """Return a value as JSON in UTF-8; keys of mappings must be strings."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_document)
    return text.encode("utf-8", "surrogatepass")


def unpacked(content: bytes) -> Any:
    """Return the value that :func:`packed` wrote; lists become tuples.

    Raises:
        InputError: The JSON names a class that is not a dataclass of jperrant.
    """
    return _tuples(json.loads(content.decode("utf-8", "surrogatepass"), object_hook=_value))


def _document(value: Any) -> Any:
    """Return a value that JSON has no type for as an object, list, number or string."""
    if is_dataclass(value):
        kind: Any = type(value)
        content = {one.name: getattr(value, one.name) for one in fields(kind) if one.init}
        return {_KIND: f"{kind.__module__}:{kind.__qualname__}", **content}
    if isinstance(value, np.ndarray):
        return {_KIND: "array", "values": value.tolist(), "shape": value.shape, "type": str(value.dtype)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    return value.item() if isinstance(value, np.generic) else str(value)


def _value(document: dict[str, Any]) -> Any:
    """Return the dataclass, array or mapping that a JSON object stands for."""
    kind = document.pop(_KIND, None)
    if kind == "array":
        return np.array(document["values"], dtype=document["type"]).reshape(document["shape"])
    content = {key: _tuples(one) for key, one in document.items()}
    return content if kind is None else _class(kind)(**content)


def _tuples(value: Any) -> Any:
    """Return a list as a tuple, and a list of lists as a tuple of tuples; other values unchanged."""
    if type(value) is not list:
        return value
    return tuple(map(_tuples, value)) if value and type(value[0]) is list else tuple(value)


@lru_cache
def _class(name: str) -> type:
    """Return a dataclass of jperrant; files cannot name any other class."""
    module, _, kind = name.partition(":")
    found = getattr(import_module(module), kind, None) if module.startswith("jperrant.") else None
    if not isinstance(found, type) or not is_dataclass(found):
        raise InputError(
            f"found {name} in a stored result, expected a dataclass of jperrant; remove the folder cache"
        )
    return found
