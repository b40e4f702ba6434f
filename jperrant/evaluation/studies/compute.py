"""Computing steps: what is read and loaded is shared by the steps of a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeAlias

from jperrant.core.errors import InputError
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.comparison import compare_scores
from jperrant.evaluation.doubtful_texts import doubts
from jperrant.evaluation.inputs import Inputs, merged_references
from jperrant.evaluation.load import load_pair
from jperrant.evaluation.m2_input import BlockFile, read_blocks
from jperrant.evaluation.metrics.base import Pair, Scorer
from jperrant.evaluation.metrics.score import scores_of
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.statistics.significance import intervals
from jperrant.evaluation.studies.input_file import InputFile
from jperrant.evaluation.studies.steps import Plan, Step, alignment_annotator, is_annotated
from jperrant.evaluation.studies.store import Store
from jperrant.evaluation.studies.stored_scores import comparison_document, score_document, score_of
from jperrant.evaluation.studies.values import Dataset, Metric
from jperrant.evaluation.text_input import Text, TextAnnotator, TextOptions, read_text

#: Yields each step when its result is there.
Computing: TypeAlias = Callable[["Workshop", Sequence[Step]], Iterator[Step]]


class Workshop:
    """Computes the steps of a study.

    Args:
        plan: The study and its steps.
        store: Where results are.
        cache: Folder that keeps what models computed.
    """

    def __init__(self, plan: Plan, store: Store, cache: Path) -> None:
        self.plan, self.study, self.store, self.cache = plan, plan.study, store, cache
        self._datasets = {dataset.name: dataset for dataset in plan.study.datasets}
        self._metrics = {metric.label: metric for metric in plan.study.metrics}

    def compute(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Compute steps of one group and yield each when its result is on disk.

        Raises:
            JperrantError: A file cannot be used, or a model is missing.
        """
        yield from _COMPUTING[steps[0].kind](self, steps)

    def dataset(self, step: Step) -> Dataset:
        """Return the dataset of a step."""
        return self._datasets[step.dataset]

    def metric(self, step: Step) -> Metric:
        """Return the metric of a step."""
        return self._metrics[step.metric]

    def scorer(self, step: Step) -> Scorer:
        """Return the metric of a step, ready to score."""
        return self.plan.scorer(self.metric(step), self.dataset(step), self.cache)

    def score(self, dataset: str, system: str, metric: str, scorer: Scorer) -> Any:
        """Return a score that has been computed.

        Raises:
            InputError: It is gone: something else has removed it meanwhile.
        """
        return score_of(self.stored(self.plan.by_subject["score", dataset, system, metric]), scorer)

    def rated(self, number: int) -> list[Any]:
        """Return the scores of metrics that are compared with people, as documents."""
        return [
            self.stored(step) for step in self.plan.steps if step.kind == "rate" and step.number == number
        ]

    def stored(self, step: Step) -> Any:
        """Return the document of a step that has been computed.

        Raises:
            InputError: It is gone: something else has removed it meanwhile.
        """
        document = self.store.document(step.kind, step.key)
        if document is None:
            raise InputError(
                f"{self.store.path(step.kind, step.key)}: the result is missing or damaged; run again"
            )
        return document

    def references(self, dataset: Dataset, scorer: Scorer) -> BlockFile | None:
        """Return the references of a dataset as one file; None where the metric needs none."""
        if not scorer.needs_references:
            return None
        steps = {step.number: step for step in self._reference_steps(dataset)}
        files = []
        for number, file in enumerate(dataset.references, start=1):
            if number in steps:
                files.append(self._annotated(dataset, steps[number]))
            elif not is_annotated(dataset, file):  # raw texts are all in the step of the first one
                files.append(self._m2(dataset, file, dataset.annotators, scorer))
        return merged_references(files)

    def system(self, dataset: Dataset, name: str, scorer: Scorer) -> BlockFile:
        """Return the blocks of a system."""
        file = dataset.systems[name]
        if is_annotated(dataset, file):
            step = self.plan.by_subject["annotate", dataset.name, name, ""]
            return replace(self._annotated(dataset, step), name=name)
        chosen = () if file.annotator is None else (file.annotator,)
        return replace(self._m2(dataset, file, chosen, scorer), name=name)

    def pair(self, dataset: Dataset, system: BlockFile, references: BlockFile | None) -> Pair:
        """Return a system with its references, aligned where their sentences or tokens differ."""
        if references is None:
            return Pair(system.blocks, (), system.name, system.notes)
        annotator = alignment_annotator(dataset)
        pair = load_pair(system.blocks, references.blocks, system.name, references.name, annotator)
        notes = (*system.notes, *references.notes, *pair.notes)
        return replace(pair, notes=tuple(dict.fromkeys(notes)))

    def _reference_steps(self, dataset: Dataset) -> list[Step]:
        return [s for s in self.plan.steps if s.kind == "annotate" and s.dataset == dataset.name and s.number]

    def _annotated(self, dataset: Dataset, step: Step) -> BlockFile:
        blocks = self.store.blocks("annotate", step.key)
        if blocks is None:
            path = self.store.path("annotate", step.key)
            raise InputError(f"{path}: the annotation of {dataset.name} is missing or damaged; run again")
        return BlockFile(blocks, step.subject, _doubts(dataset, step))

    def _m2(self, dataset: Dataset, file: InputFile, annotators: Sequence[int], scorer: Scorer) -> BlockFile:
        """Return the blocks of an M2 file, called as the study file calls it, with the annotators that count.

        Raises:
            InputError: It has no annotator of such a number.
        """
        read = read_blocks(str(file.path), file.written, dataset.strict, refused=scorer.refuses)
        notes = tuple(note.replace(str(file.path), file.written) for note in read.notes)
        return BlockFile(_chosen(read.blocks, annotators, file.written), file.written, notes)


def _chosen(blocks: tuple[Block, ...], annotators: Sequence[int], name: str) -> tuple[Block, ...]:
    """Return blocks with some of their annotators, numbered from 0; all if none are chosen.

    Raises:
        InputError: There is no annotator of such a number.
    """
    if not annotators:
        return blocks
    known = sorted({a.annotator for block in blocks for a in block.annotations})
    for number in annotators:
        if number not in known:
            raise InputError(
                f"{name}: found no annotator {number}; expected one of {', '.join(map(str, known))}"
            )
    new = {number: n for n, number in enumerate(annotators)}
    return tuple(
        replace(
            block,
            annotations=tuple(
                Annotation(new[a.annotator], a.edits) for a in block.annotations if a.annotator in new
            ),
        )
        for block in blocks
    )


def _text(file: InputFile) -> Text:
    """Return the sentences of a text."""
    return replace(read_text(str(file.path)), name=file.written)


def _doubts(dataset: Dataset, step: Step) -> tuple[str, ...]:
    """Return what to say of a text that is most likely not meant to be scored as it is."""
    assert dataset.source is not None
    file = dataset.references[step.number - 1] if step.number else dataset.systems[step.subject]
    given = [str(file.path)]
    inputs = Inputs(
        hypotheses=[] if step.number else given,
        references=given if step.number else [],
        source=str(dataset.source.path),
        texts=TextOptions(dataset.annotator, dataset.raw),
    )
    return tuple([line.replace(str(file.path), file.written) for line in doubts(inputs)])


def _annotate(shop: Workshop, steps: Sequence[Step]) -> Iterator[Step]:
    dataset = shop.dataset(steps[0])
    assert dataset.source is not None
    annotator = TextAnnotator(_text(dataset.source), TextOptions(dataset.annotator, dataset.raw))
    texts = [one for one in dataset.references if is_annotated(dataset, one)]
    for step in steps:
        if step.number and dataset.raw:
            blocks: Sequence[Block] = annotator.references([_text(one) for one in texts])
        else:
            file = dataset.references[step.number - 1] if step.number else dataset.systems[step.subject]
            [blocks] = annotator.blocks([_text(file)])
        shop.store.put_blocks("annotate", step.key, blocks)
        yield step


def _score(shop: Workshop, steps: Sequence[Step]) -> Iterator[Step]:
    dataset, scorer = shop.dataset(steps[0]), shop.scorer(steps[0])
    references = shop.references(dataset, scorer)
    prepared = scorer.prepare(references.blocks) if references else None
    names = [step.subject for step in steps]
    # A metric whose figures depend on all systems is given all of them at once.
    for together in [list(dataset.systems)] if scorer.joint else [[name] for name in names]:
        pairs = [shop.pair(dataset, shop.system(dataset, name, scorer), references) for name in together]
        shared = [references is None or pair.references is references.blocks for pair in pairs]
        derived = [
            prepared if same else scorer.prepare(pair.references)
            for pair, same in zip(pairs, shared, strict=True)
        ]
        candidates = scorer.candidates(pairs, derived)
        scores = dict(zip(together, scores_of(scorer, pairs, candidates), strict=True))
        for step in steps:
            if step.subject in scores:
                score = scores[step.subject]
                shop.store.put_document("score", step.key, score_document(score, score.warnings))
                yield step


def _intervals(shop: Workshop, steps: Sequence[Step]) -> Iterator[Step]:
    scorer = shop.scorer(steps[0])
    for step in steps:
        score = shop.score(step.dataset, step.subject, step.metric, scorer)
        ends = intervals(score, shop.study.samples, shop.study.seed)
        shop.store.put_document("intervals", step.key, {name: asdict(one) for name, one in ends.items()})
        yield step


def _compare(shop: Workshop, steps: Sequence[Step]) -> Iterator[Step]:
    dataset, scorer = shop.dataset(steps[0]), shop.scorer(steps[0])
    references = shop.references(dataset, scorer)
    for step in steps:
        compared = shop.study.comparisons[step.number]
        sides = [shop.system(dataset, name, scorer) for name in compared.systems]
        scores = [shop.score(step.dataset, name, step.metric, scorer) for name in compared.systems]
        pairs = [shop.pair(dataset, side, references) for side in sides]
        document = comparison_document(compare_scores(Scores(scores), pairs, compared.options))
        shop.store.put_document("compare", step.key, document)
        yield step


def _rate(shop: Workshop, steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        study = shop.study.human[step.number]
        shop.store.put_document("rate", step.key, study.rate(step.metric, str(shop.cache)))
        yield step


def _correlate(shop: Workshop, steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        study = shop.study.human[step.number]
        document = study.analyse(shop.rated(step.number), str(shop.cache))
        shop.store.put_document("correlate", step.key, document)
        yield step


_COMPUTING: dict[str, Computing] = {
    "annotate": _annotate,
    "score": _score,
    "intervals": _intervals,
    "compare": _compare,
    "rate": _rate,
    "correlate": _correlate,
}


def groups_of(steps: Sequence[Step], jobs: int) -> list[list[Step]]:
    """Return steps in the portions that processes are given: of one group each, and enough for all processes.

    Steps that are computed together stay so.

    Args:
        steps: Steps of one kind.
        jobs: The number of processes.
    """
    groups: dict[tuple[str, str, str], list[Step]] = {}
    for step in steps:
        groups.setdefault(step.group, []).append(step)
    portions = max(1, -(-jobs // max(1, len(groups))))
    return [part for own in groups.values() for part in _split(own, portions)]


def _split(steps: list[Step], portions: int) -> list[list[Step]]:
    size = len(steps) if steps[0].together else -(-len(steps) // portions)
    return [steps[start : start + size] for start in range(0, len(steps), size)]
