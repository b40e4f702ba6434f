"""Running a study: what is there already is used again, the rest is computed, and all of it is one result."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from os import urandom
from pathlib import Path
from typing import Any, TypeAlias, cast

from jperrant.cluster.work import Crew
from jperrant.core.errors import InputError, WorkerError
from jperrant.core.messages import spoken
from jperrant.core.store import Store
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.doubtful_texts import doubts
from jperrant.evaluation.inputs import SAME, Inputs, same_contents
from jperrant.evaluation.meta.evaluation import MetaEvaluation
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.metrics.base import Pair, Scorer
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.reading import BlockFile, read_blocks
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.scoring import TextKeywords, read_pairs, score
from jperrant.evaluation.statistics.differences import Comparison, paired_tests
from jperrant.evaluation.statistics.significance import Interval, intervals
from jperrant.evaluation.studies.content import versions
from jperrant.evaluation.studies.files import InputFile, input_of
from jperrant.evaluation.studies.records import packed, unpacked
from jperrant.evaluation.studies.steps import KINDS, REFERENCES, Plan, Step, is_annotated
from jperrant.evaluation.studies.study_file import Study
from jperrant.evaluation.texts import Text, TextAnnotator, TextOptions, read_text
from jperrant.io.files import reason
from jperrant.io.m2 import FormatDeviations, parse_m2, write_m2

#: Told of each step, and of the seconds it took; None if its result was there.
Reporter: TypeAlias = Callable[[Step, float | None], None]


@dataclass(frozen=True)
class ComparedSystems:
    """Systems that were compared in one dataset.

    Attributes:
        dataset: Its name.
        name: What the systems are called together.
        metric: The label of the metric.
        scores: The scores of the systems.
        comparisons: Each system but the first beside the first.
    """

    dataset: str
    name: str
    metric: str
    scores: Scores
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True)
class StudyResult:
    """What a study has computed so far: everything, once it has run.

    Attributes:
        plan: Its steps.
        folder: The folder of the results of steps, and of copies of files while they are computed.
    """

    plan: Plan
    folder: Path

    @property
    def study(self) -> Study:
        """The study."""
        return self.plan.study

    @cached_property
    def store(self) -> Store:
        """Where the results of steps are."""
        return Store(self.folder / "results.sqlite")

    @cached_property
    def scores(self) -> Mapping[str, Mapping[str, Mapping[str, Score]]]:
        """The scores by dataset, label of the metric and system."""
        return {
            name: {
                label: {system: self.score(name, system, label) for system in dataset.systems}
                for label in self.study.labels(name)
            }
            for name, dataset in self.study.datasets.items()
        }

    @cached_property
    def intervals(self) -> Mapping[tuple[str, str, str], Mapping[str, Interval]]:
        """The intervals of all values by dataset, label of the metric and system; empty if none are wanted."""
        done = [step for step in self.plan.steps if step.kind == "intervals"]
        return {(step.dataset, step.metric, step.subject): self.of(step) for step in done}

    @cached_property
    def comparisons(self) -> tuple[ComparedSystems, ...]:
        """The comparisons of systems, in the order of the study file."""
        found = []
        for step in self.plan.steps:
            if step.kind == "compare":
                systems = self.study.comparisons[step.number].systems
                scores = Scores(self.scores[step.dataset][step.metric][system] for system in systems)
                found.append(ComparedSystems(step.dataset, step.subject, step.metric, scores, self.of(step)))
        return tuple(found)

    @cached_property
    def human(self) -> Mapping[str, MetaEvaluation]:
        """Metrics against people, by name in the study file."""
        found = {}
        for step in self.plan.steps:
            if step.kind == "correlate":
                study, (results, notes) = self.study.people[step.dataset], self.of(step)
                metrics = (*self.rated(step.dataset), *study.tables)
                found[step.dataset] = MetaEvaluation(study.dataset, study.options, metrics, results, notes)
        return found

    def of(self, step: Step) -> Any:
        """Return the result of a step.

        Raises:
            InputError: It is gone: something else has removed or damaged it meanwhile.
        """
        content = self.store.get(step.kind, step.key)
        if content is None:
            raise InputError(f"{self.store.path}: the result of {step} is missing or damaged; run again")
        return unpacked(content)

    def score(self, dataset: str, system: str, metric: str) -> Score:
        """Return a score."""
        found: Score = self.of(cast(Step, self.plan.step("score", dataset, system, metric)))
        return replace(found, scorer=self.plan.scorer(metric, dataset))

    def rated(self, name: str) -> list[MetricScores]:
        """Return the scores of metrics that are compared with people."""
        done = [step for step in self.plan.steps if (step.kind, step.dataset) == ("rate", name)]
        return [one for step in done for one in self.of(step)]

    def of_dataset(self, dataset: str) -> Scores:
        """Return the scores of a dataset, system by system, each with all metrics."""
        by_metric = self.scores[dataset].values()
        return Scores(own[system] for system in next(iter(by_metric)) for own in by_metric)

    def warnings(self) -> list[str]:
        """Return what was noted, each line once, with its dataset; of several metrics each is named in its own."""
        lines = [f"{name}: {line}" for name in self.scores for line in self._same(name)]
        lines += [
            f"{dataset}: {line}"
            for dataset, by_metric in self.scores.items()
            for label, own in by_metric.items()
            for score in own.values()
            for line in score.warnings_of(label if len(by_metric) > 1 else "")
        ]
        lines += [f"{name}: {line}" for name, found in self.human.items() for line in found.notes]
        return list(dict.fromkeys(map(spoken, lines)))

    def _same(self, name: str) -> list[str]:
        """Return which files of a dataset have the same content."""
        dataset = self.study.datasets[name]
        systems = dataset.systems.items()
        given = [(system, "system", (one.file.checksum, one.annotator)) for system, one in systems]
        given += [(file.written, "references", (file.checksum, None)) for file in dataset.references]
        if dataset.source is not None:
            given.append((dataset.source.written, "source", (dataset.source.checksum, None)))
        return same_contents(given)

    def pairs(self, dataset: str, systems: Sequence[str], scorer: Scorer) -> list[Pair]:
        """Return systems with their references, aligned where their sentences or tokens differ."""
        found, references = self.sides(dataset, systems, scorer)
        blocks = {name: side.blocks for name, side in found.items()}
        gold = [side.blocks for side in references]
        return read_pairs(blocks, gold, metrics=scorer, **self.texts(dataset))[1]

    def sides(
        self, dataset: str, systems: Sequence[str], scorer: Scorer
    ) -> tuple[dict[str, BlockFile], list[BlockFile]]:
        """Return the blocks of systems, and those of the references if a metric needs some."""
        own, references = self.study.datasets[dataset], []
        for number, file in enumerate(own.references if scorer.needs_references else (), start=1):
            if not is_annotated(own, file):
                references.append(self._m2(file, own.annotators, own.strict, scorer))
            elif step := self.plan.step("annotate", dataset, REFERENCES, number=number):
                references.append(self._annotated(step))  # raw texts are all in the step of the first one
        found = {}
        for name in systems:
            one, step = own.systems[name], self.plan.step("annotate", dataset, name)
            chosen = () if one.annotator is None else (one.annotator,)
            found[name] = self._annotated(step) if step else self._m2(one.file, chosen, own.strict, scorer)
        return found, references

    def texts(self, dataset: str) -> TextKeywords:
        """Return what types edits again that alignment joined: what annotates texts; nothing if there are none."""
        annotator = self.plan.alignment_annotator(dataset)
        return (
            {"lang": annotator.lang, "models": annotator.models, "pack": annotator.pack} if annotator else {}
        )

    def _annotated(self, step: Step) -> BlockFile:
        m2, notes = self.of(step)
        lines = m2.removesuffix("\n").split("\n")
        return BlockFile(
            tuple(parse_m2(lines, str(step), FormatDeviations(strict=True))), step.subject, notes
        )

    def _m2(self, file: InputFile, annotators: Sequence[int], strict: bool, scorer: Scorer) -> BlockFile:
        """Return the blocks of an M2 file with the annotators that count, from 0 on; all if none are chosen."""
        read = read_blocks(str(self.copy(file)), file.written, strict, refused=scorer.refuses)
        if not annotators:
            return read
        new = {number: n for n, number in enumerate(annotators)}
        kept = [
            [Annotation(new[one.annotator], one.edits) for one in block.annotations if one.annotator in new]
            for block in read.blocks
        ]
        blocks = [
            replace(block, annotations=tuple(own)) for block, own in zip(read.blocks, kept, strict=True)
        ]
        return replace(read, blocks=tuple(blocks))

    def copy(self, file: InputFile) -> Path:
        """Return a copy of a file with the content that its checksum, and so the keys of steps, stand for.

        Raises:
            InputError: The file has changed since the study file was read, or cannot be copied.
        """
        path = self._copied(file)
        if path.exists():
            return path
        temporary = path.with_name(f".{urandom(8).hex()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.path, temporary)
            if input_of(temporary, file.written).checksum != file.checksum:
                raise InputError(f"{file.written}: changed while the study ran; run it again")
            return temporary.rename(path)
        except OSError as error:
            raise InputError(f"{file.written}: cannot be copied to {path} ({reason(error)})") from None
        finally:
            temporary.unlink(missing_ok=True)

    def _copied(self, file: InputFile) -> Path:
        return self.folder / "inputs" / file.checksum / file.path.name

    def named(self, text: str) -> str:
        """Return text with files called as the study file calls them, and not as their copies."""
        for file in self.study.inputs():
            text = text.replace(str(self._copied(file)), file.written)
        return text


@dataclass(frozen=True)
class StudyWork:
    """Computes portions of steps, as a crew has it done; the results go to the process that asked for them.

    Attributes:
        result: What is there already.
    """

    result: StudyResult

    def __call__(self, task: Sequence[Step]) -> Iterator[tuple[Step, float, bytes]]:
        """Compute steps of one group and yield each with the seconds it took and its result.

        Raises:
            JperrantError: A file cannot be used, or a model is missing.
        """
        begin = time.perf_counter()
        compute: Callable[[Sequence[Step]], Iterator[tuple[Step, Any]]] = getattr(self, f"_{task[0].kind}")
        try:
            for step, value in compute(task):
                content = packed(value)
                yield step, time.perf_counter() - begin, content
                begin = time.perf_counter()
        except InputError as error:
            raise InputError(self.result.named(str(error.args[0]))) from None

    def signature(self) -> dict[str, str]:
        """Return the versions of what computes."""
        return versions()

    @property
    def _cache(self) -> Path:
        return self.result.folder.parent / "cache"

    def _annotate(self, steps: Sequence[Step]) -> Iterator[tuple[Step, Any]]:
        name = steps[0].dataset
        own = self.result.study.datasets[name]
        source = cast(InputFile, own.source)
        options = TextOptions(self.result.study.annotator(name), own.raw, answers=own.answers)
        annotator = TextAnnotator(self._text(source), options)
        for step in steps:
            file = own.references[step.number - 1] if step.number else own.systems[step.subject].file
            together = [one for one in own.references if is_annotated(own, one)] if step.number else []
            if together and own.raw:
                blocks: Sequence[Block] = annotator.references([self._text(one) for one in together])
            elif step.number:
                [blocks] = annotator.blocks([self._text(file)])
            else:
                [blocks] = annotator.systems([self._text(file)])
            m2, path = io.StringIO(), str(self.result.copy(file))
            write_m2(blocks, m2)
            sides: Any = {"hypotheses": [], "references": [path]} if step.number else {"hypotheses": [path]}
            found = doubts(Inputs(**sides, source=str(self.result.copy(source)), texts=options))
            yield step, (m2.getvalue(), [line.replace(path, file.written) for line in found])

    def _text(self, file: InputFile) -> Text:
        """Return the sentences of a text."""
        return replace(read_text(str(self.result.copy(file))), name=file.written)

    def _score(self, steps: Sequence[Step]) -> Iterator[tuple[Step, Score]]:
        dataset, result = steps[0].dataset, self.result
        scorer = result.plan.scorer(steps[0].metric, dataset, self._cache)
        names = [*result.study.datasets[dataset].systems] if scorer.joint else [one.subject for one in steps]
        systems, references = result.sides(dataset, names, scorer)
        gold, texts = [one.blocks for one in references], result.texts(dataset)
        read = [note for side in references for note in side.notes]
        for together in [names] if scorer.joint else [[name] for name in names]:
            given = {name: systems[name].blocks for name in together}
            found = {one.hypothesis: one for one in score(given, gold, metrics=scorer, **texts)}
            for step in (step for step in steps if step.subject in found):
                own = found[step.subject]
                # ``warnings`` of the result looks at all systems.
                told = [line for line in own.warnings if not line.endswith(SAME)]
                notes = dict.fromkeys(map(result.named, [*systems[step.subject].notes, *read, *told]))
                yield step, replace(own, scorer=cast(Scorer, None), warnings=tuple(notes))

    def _intervals(self, steps: Sequence[Step]) -> Iterator[tuple[Step, Any]]:
        study = self.result.study
        for step in steps:
            own = self.result.score(step.dataset, step.subject, step.metric)
            yield step, intervals(own, cast(int, study.intervals), study.seed)

    def _compare(self, steps: Sequence[Step]) -> Iterator[tuple[Step, tuple[Comparison, ...]]]:
        study = self.result.study
        for step in steps:
            compared = study.comparisons[step.number]
            scores = [self.result.score(step.dataset, name, step.metric) for name in compared.systems]
            yield step, tuple(paired_tests(scores, **study.test(compared)))

    def _rate(self, steps: Sequence[Step]) -> Iterator[tuple[Step, Any]]:
        study = self.result.study.people[steps[0].dataset]
        yield from ((step, study.rate(step.metric, str(self._cache))) for step in steps)

    def _correlate(self, steps: Sequence[Step]) -> Iterator[tuple[Step, Any]]:
        for step in steps:
            study = self.result.study.people[step.dataset]
            found = study.evaluation(self.result.rated(step.dataset), str(self._cache))
            yield step, (found.results, found.notes)


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
    crew, tell = crew or Crew(), report or (lambda _step, _seconds: None)
    result = StudyResult(Plan(study), out / "steps")
    shutil.rmtree(result.folder / "inputs", ignore_errors=True)  # of a run that was killed
    (result.folder / "inputs").mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        missing: dict[tuple[str, str], list[Step]] = {}
        for step in (step for step in result.plan.steps if step.kind == kind):
            if result.store.get(kind, step.key) is None:
                missing.setdefault((step.dataset, step.metric), []).append(step)
            else:
                tell(step, None)
        for step, seconds, content in _computed(
            crew, StudyWork(result), _portions([*missing.values()], crew.size)
        ):
            result.store.put(kind, {step.key: content})
            tell(step, seconds)
    return result


def _portions(groups: Sequence[Sequence[Step]], jobs: int) -> Iterator[Sequence[Step]]:
    """Yield groups of steps that share files and models in portions, enough for all processes."""
    for steps in groups:
        size = len(steps) if steps[0].together else -(-len(steps) // -(-jobs // len(groups)))
        yield from (steps[start : start + size] for start in range(0, len(steps), size))


def _computed(
    crew: Crew, work: StudyWork, portions: Iterator[Sequence[Step]]
) -> Iterator[tuple[Step, float, bytes]]:
    """Yield steps as a crew computes them.

    Raises:
        JperrantError: The first error; what is done is in the store.
    """
    with closing(crew.outcomes(work, list(portions))) as outcomes:
        for portion, outcome in outcomes:
            if isinstance(outcome, WorkerError):
                raise WorkerError(f"{portion[0]}: {outcome}")
            if isinstance(outcome, Exception):
                raise outcome
            yield outcome
