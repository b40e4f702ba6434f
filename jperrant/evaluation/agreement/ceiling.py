"""The human ceiling of a metric: the score of annotators against each other.

Bryant and Ng (2015), "How Far are we from Fully Automatic High Quality Grammatical Error Correction?": each of n
annotators is scored, like a system, against every set of k other annotators. The mean over sets and annotators is
the score of a human with k references. With k = 1 it is the pairwise agreement by that metric.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from jperrant.core.errors import UsageError
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.evaluation.agreement.annotators import Annotators
from jperrant.evaluation.metrics.base import Pair, Row, Scorer, add_rows, values_of
from jperrant.evaluation.metrics.system_score import evaluate, prepare_references
from jperrant.evaluation.statistics.significance import subsets_of

#: The largest number of sets of one size that an annotator is scored against.
SUBSETS = 100

#: The annotator who is scored, and the annotators who serve as references.
_Task: TypeAlias = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class HumanScore:
    """The mean score of one annotator against sets of the others.

    Attributes:
        annotator: The name of the annotator.
        references: The size of the sets; 0 for a metric that needs no references.
        sets: The number of sets that share a sentence with the annotator.
        mean: The mean of the metric's main value over these sets; NaN if it is undefined.
    """

    annotator: str
    references: int
    sets: int
    mean: float


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The mean score of all annotators against sets of one size.

    Attributes:
        references: The size of the sets.
        mean: The mean over annotators of ``HumanScore.mean``.
    """

    references: int
    mean: float


@dataclass(frozen=True, slots=True)
class HumanCeiling:
    """The scores of annotators by one metric, as if they were systems.

    Attributes:
        metric: The name of the metric.
        value: The name of its main value, which is averaged.
        signature: The signature of the metric with one reference.
        scores: The score of each annotator for each size of sets.
        ceilings: The mean over annotators for each size of sets.
        warnings: Warnings, one line each.
    """

    metric: str
    value: str
    signature: str
    scores: tuple[HumanScore, ...] = field(repr=False)
    ceilings: tuple[Ceiling, ...]
    warnings: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class _Scored:
    """One annotator scored against one set of others: the summed rows (None without shared sentences)."""

    task: _Task
    total: Row | None
    signature: str = ""
    warnings: tuple[str, ...] = ()


def human_ceilings(
    annotators: Annotators, scorers: Sequence[Scorer], subsets: int = SUBSETS, seed: int = 0
) -> tuple[HumanCeiling, ...]:
    """Score each annotator against sets of the others by each metric.

    Args:
        annotators: Two or more annotators.
        scorers: The metrics.
        subsets: The largest number of sets of one size that an annotator is scored against; if there are more sets,
            a sample is drawn.
        seed: Seed of the sample.
    """
    return tuple([_ceiling(annotators, scorer, subsets, seed) for scorer in scorers])


def _ceiling(annotators: Annotators, scorer: Scorer, subsets: int, seed: int) -> HumanCeiling:
    names = annotators.names
    tasks = _tasks(len(names), scorer.needs_references, subsets, seed)
    sizes = sorted({len(others) for _, others in tasks})
    values: dict[_Task, float] = {}
    shared: Counter[tuple[int, int]] = Counter()
    signature, warnings = "", dict.fromkeys(_looks_at_one(scorer, max(sizes)))
    for done in track(_scored(annotators, scorer, tasks), f"scoring by {scorer.name}", len(tasks)):
        number, others = done.task
        # 0/0 counts as 1 in many metrics, which would not be a score of these annotators.
        values[done.task] = math.nan if done.total is None else values_of(scorer, done.total)[scorer.main]
        shared[len(others), number] += done.total is not None
        signature = signature or done.signature
        warnings |= dict.fromkeys(done.warnings)
    scores, ceilings = [], []
    for size in sizes:
        own = [
            HumanScore(name, size, shared[size, n], mean_of([values[t] for t in of]))
            for n, name in enumerate(names)
            if (of := [task for task in tasks if task[0] == n and len(task[1]) == size])
        ]
        ceilings.append(Ceiling(size, mean_of([score.mean for score in own])))
        scores += own
    return HumanCeiling(scorer.name, scorer.main, signature, tuple(scores), tuple(ceilings), tuple(warnings))


def _looks_at_one(scorer: Scorer, largest: int) -> list[str]:
    """Return a note if a metric uses only the first annotator of larger sets of references."""
    try:
        scorer.check_annotators(range(1, largest) or range(1))
    except UsageError:
        return [f"{scorer.name}: only the first annotator of each set of references is used"]
    return []


def _tasks(annotators: int, with_references: bool, subsets: int, seed: int) -> list[_Task]:
    """Return the annotators with their references: all sets of each size, or a sample of ``subsets`` sets."""
    if not with_references:
        return [(number, ()) for number in range(annotators)]
    tasks = []
    for number in range(annotators):
        others = [other for other in range(annotators) if other != number]
        for size in range(1, annotators):
            tasks += [
                (number, chosen) for chosen in subsets_of(others, size, subsets, f"{seed} {number} {size}")
            ]
    return tasks


def _scored(annotators: Annotators, scorer: Scorer, tasks: Sequence[_Task]) -> Iterator[_Scored]:
    """Yield the result of each task; candidates against all references are reused where the metric allows it."""
    if scorer.per_reference and len(annotators.names) > 2:
        alone = [task for task in tasks if len(task[1]) == 1]
        yield from _evaluated(annotators, scorer, alone)
        for number in range(len(annotators.names)):
            own = [task for task in tasks if task[0] == number and len(task[1]) > 1]
            yield from _chosen(annotators, scorer, number, own)
    else:
        yield from _evaluated(annotators, scorer, tasks)


def _evaluated(annotators: Annotators, scorer: Scorer, tasks: Sequence[_Task]) -> Iterator[_Scored]:
    """Score tasks; annotators with the same references and sentences are scored in one call."""
    together: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for number, others in tasks:
        together.setdefault((others, _sentences(annotators, number, others)), []).append(number)
    for (others, sentences), numbers in together.items():
        blocks = [annotators.blocks[n] for n in sentences]
        references = [_only(block, others) for block in blocks] if others else ()
        if not sentences or (others and not _has_needed(scorer, references, others)):
            yield from (_Scored((number, others), None) for number in numbers)
            continue
        pairs = [
            Pair([_only(block, (n,)) for block in blocks], references, annotators.names[n], varying=True)
            for n in numbers
        ]
        for number, score in zip(numbers, evaluate(scorer, pairs), strict=True):
            warnings = score.warnings if len(others) < 2 else ()
            yield _Scored((number, others), score.total, score.signature, warnings)


def _chosen(annotators: Annotators, scorer: Scorer, number: int, tasks: Sequence[_Task]) -> Iterator[_Scored]:
    """Score an annotator against sets of the others, choosing among candidates that are computed once."""
    everyone = tuple([other for other in range(len(annotators.names)) if other != number])
    sentences = _sentences(annotators, number, everyone)
    blocks = [annotators.blocks[n] for n in sentences]
    pair = Pair([_only(b, (number,)) for b in blocks], [_only(b, everyone) for b in blocks], varying=True)
    [system] = scorer.candidates([pair], prepare_references(scorer, [pair]))
    for _, others in tasks:
        wanted = {everyone.index(other) for other in others}
        chosen = [[one for one in candidates if one.reference in wanted] for candidates in system.sentences]
        combined = scorer.combine([own for own in chosen if own])
        total = add_rows((one.row for one in combined), len(scorer.columns)) if combined else None
        yield _Scored((number, others), total)


def _has_needed(scorer: Scorer, references: Sequence[Block], others: Sequence[int]) -> bool:
    """Whether the references have the annotators that a metric needs.

    Raises:
        UsageError: The metric needs an annotator that no set of this size has.
    """
    try:
        scorer.check_annotators({a.annotator for block in references for a in block.annotations})
    except UsageError:
        scorer.check_annotators(range(len(others)))
        return False
    return True


def _sentences(annotators: Annotators, number: int, others: Sequence[int]) -> tuple[int, ...]:
    """Return the indices of the sentences annotated by an annotator and, if there are others, by one of them."""
    looked = [{annotation.annotator for annotation in block.annotations} for block in annotators.blocks]
    wanted = set(others or (number,))
    return tuple([n for n, own in enumerate(looked) if number in own and not own.isdisjoint(wanted)])


def _only(block: Block, annotators: Sequence[int]) -> Block:
    """Return a block with only some of its annotators, renumbered from 0."""
    annotations = [
        replace(annotation, annotator=new)
        for new, old in enumerate(annotators)
        if (annotation := block.annotation(old)) is not None
    ]
    return replace(block, annotations=tuple(annotations))


def mean_of(values: Sequence[float]) -> float:
    """Return the mean of the values that are not NaN; NaN if there are none."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
