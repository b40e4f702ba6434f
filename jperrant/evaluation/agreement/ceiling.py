"""How high annotators score against each other: the human ceiling of a metric.

Bryant and Ng (2015), "How Far are we from Fully Automatic High Quality Grammatical Error Correction?": each of n
annotators is scored as if a system against every set of k of the others; the mean over sets and annotators is
what a person reaches with k references. With k = 1 it is the agreement of pairs by that metric.
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

#: Sets of one size that an annotator is scored against at most.
SUBSETS = 100

#: An annotator who is scored, and those against whom.
_Task: TypeAlias = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class HumanScore:
    """An annotator scored against sets of the others.

    Attributes:
        annotator: The name.
        references: How many others are in a set; 0 for a metric that needs no references.
        sets: How many sets there were that share a sentence with the annotator.
        mean: The mean of the metric's main value over the sets; NaN where it is undefined.
    """

    annotator: str
    references: int
    sets: int
    mean: float


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What annotators reach against sets of so many others, on average.

    Attributes:
        references: How many others.
        mean: The mean over annotators of their means.
    """

    references: int
    mean: float


@dataclass(frozen=True, slots=True)
class HumanCeiling:
    """Annotators scored by a metric as if they were systems.

    Attributes:
        metric: The metric.
        value: The value that was averaged, the one that ranks systems.
        signature: What the figures depend on, with one reference.
        scores: Each annotator against sets of each size.
        ceilings: The means over annotators for each size.
        warnings: What users should know, one line each.
    """

    metric: str
    value: str
    signature: str
    scores: tuple[HumanScore, ...] = field(repr=False)
    ceilings: tuple[Ceiling, ...]
    warnings: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class _Scored:
    """The summed rows of an annotator scored against others, None if there are none, and what the score says."""

    task: _Task
    total: Row | None
    signature: str = ""
    warnings: tuple[str, ...] = ()


def human_ceilings(
    annotators: Annotators, scorers: Sequence[Scorer], subsets: int = SUBSETS, seed: int = 0
) -> tuple[HumanCeiling, ...]:
    """Score each annotator against sets of the others by each metric.

    Args:
        annotators: Two or more.
        scorers: The metrics.
        subsets: How many sets of one size an annotator is scored against at most; of more a sample is drawn.
        seed: Of the sets.
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
        # A ratio of nothing is 1 by convention, which is no figure of theirs.
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
    """Return a note if a metric looks at the first annotator of a set alone, and there are larger sets."""
    try:
        scorer.check_annotators(range(1, largest) or range(1))
    except UsageError:
        return [f"{scorer.name}: of each set of references only the first annotator is looked at"]
    return []


def _tasks(annotators: int, with_references: bool, subsets: int, seed: int) -> list[_Task]:
    """Return who is scored against whom: all sets of each size, or a sample where there are more."""
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
    """Yield each task with its rows."""
    if scorer.per_reference and len(annotators.names) > 2:
        alone = [task for task in tasks if len(task[1]) == 1]
        yield from _evaluated(annotators, scorer, alone)
        for number in range(len(annotators.names)):
            own = [task for task in tasks if task[0] == number and len(task[1]) > 1]
            yield from _chosen(annotators, scorer, number, own)
    else:
        yield from _evaluated(annotators, scorer, tasks)


def _evaluated(annotators: Annotators, scorer: Scorer, tasks: Sequence[_Task]) -> Iterator[_Scored]:
    """Score tasks; annotators scored against the same others over the same sentences are scored together."""
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
    """Score an annotator against sets of the others, of candidates against all of them that are made once."""
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
    """Return whether the annotators that a metric looks at share a sentence with the one who is scored.

    Raises:
        UsageError: The metric looks at an annotator that no set of this size has.
    """
    try:
        scorer.check_annotators({a.annotator for block in references for a in block.annotations})
    except UsageError:
        scorer.check_annotators(range(len(others)))
        return False
    return True


def _sentences(annotators: Annotators, number: int, others: Sequence[int]) -> tuple[int, ...]:
    """Return the sentences that an annotator, and one of the others if there are any, looked at."""
    looked = [{annotation.annotator for annotation in block.annotations} for block in annotators.blocks]
    wanted = set(others or (number,))
    return tuple([n for n, own in enumerate(looked) if number in own and not own.isdisjoint(wanted)])


def _only(block: Block, annotators: Sequence[int]) -> Block:
    """Return a block with some of its annotators, numbered from 0."""
    annotations = [
        replace(annotation, annotator=new)
        for new, old in enumerate(annotators)
        if (annotation := block.annotation(old)) is not None
    ]
    return replace(block, annotations=tuple(annotations))


def mean_of(values: Sequence[float]) -> float:
    """Return the mean of the values that are defined; NaN if none is."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
