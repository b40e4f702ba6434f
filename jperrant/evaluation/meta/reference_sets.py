"""How much a metric's agreement with people depends on the references it is given.

- Reference sets: minimal or fluent corrections, of experts or of crowd workers, as CLEME2.0 (Ye et al. 2025,
  Table 1) and UOT-ERRANT (Goto, Sakai and Watanabe, Table 1) compare them.
- Numbers of references: 1 to all of one set (Bryant and Ng 2015 have ten). Which references are taken moves the
  figures, so that several draws are made and their mean and standard deviation are given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import TypeAlias

import numpy as np

from jperrant.core.errors import UsageError
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.meta.dataset import Reference
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.meta.windows import REPORTED
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.statistics.correlation import correlation

#: Draws of references where there are more of a number than this.
DRAWS = 5
SEED = 12345
#: From references to the scores of metrics over them, systems in one order.
ScoreReferences: TypeAlias = Callable[[Sequence[Reference]], Sequence[MetricScores]]


@dataclass(frozen=True, slots=True)
class ReferenceResult:
    """The agreement of one metric with people over some references.

    Attributes:
        metric: The metric.
        set: The name of the set of references.
        references: How many of its references a sentence has at most.
        draws: How many choices of so many references were tried.
        pearson, spearman: The mean correlation over the draws; NaN where it is undefined.
        pearson_deviation, spearman_deviation: Its standard deviation over the draws; 0 for one.
    """

    metric: str
    set: str
    references: int
    draws: int
    pearson: float
    spearman: float
    pearson_deviation: float = 0.0
    spearman_deviation: float = 0.0


def by_reference_set(
    sets: Mapping[str, Sequence[Reference]],
    score: ScoreReferences,
    human: Mapping[str, float],
    aggregation: str = "corpus",
) -> list[ReferenceResult]:
    """Return the agreement of metrics with people over each set of references.

    Args:
        sets: The sets by name.
        score: Scores the systems with some references.
        human: What people gave each system; only these systems count.
        aggregation: How the score of a system comes from its sentences, as in :meth:`MetricScores.aggregate`.

    Raises:
        UsageError: Fewer than three systems, an unknown aggregation, a system without scores.
    """
    return [
        result
        for name, references in track(sets.items(), "reference sets", len(sets))
        for result in _results(name, [references], score, human, aggregation)
    ]


def by_number_of_references(
    name: str,
    references: Sequence[Reference],
    score: ScoreReferences,
    human: Mapping[str, float],
    aggregation: str = "corpus",
    *,
    numbers: Sequence[int] = (),
    draws: int = DRAWS,
    seed: int = SEED,
) -> list[ReferenceResult]:
    """Return the agreement of metrics with people over 1, 2, … references of one set.

    Args:
        name: The set.
        references: Its references; those of an M2 file count for each annotator.
        score, human, aggregation: As in :func:`by_reference_set`.
        numbers: The numbers of references; 1 to all if empty.
        draws: Choices tried for each number, all where there are not more.
        seed: Of the draws.

    Raises:
        UsageError: As :func:`by_reference_set`, or an impossible number of references or draws.
    """
    single = [one for reference in references for one in split_annotators(reference)]
    chosen = tuple(numbers) or tuple(range(1, len(single) + 1))
    if impossible := [number for number in chosen if not 1 <= number <= len(single)]:
        raise UsageError(f"{impossible[0]} references of set {name!r}; it has {len(single)}")
    if draws < 1:
        raise UsageError(f"{draws} draws; give 1 or more")
    return [
        result
        for number in track(chosen, "numbers of references", len(chosen))
        for result in _results(
            name,
            [[single[n] for n in choice] for choice in _choices(len(single), number, draws, seed)],
            score,
            human,
            aggregation,
        )
    ]


def split_annotators(reference: Reference) -> list[Reference]:
    """Return a reference as one for each annotator; a text is one already.

    Where an annotator is missing in a block, the edits of the first one there stand in: files such as
    CoNLL-2014's leave the second annotator out where both agree.
    """
    blocks = [block for block in reference if isinstance(block, Block)]
    if not blocks:
        return [reference]
    annotators = sorted({a.annotator for block in blocks for a in annotations_of(block)})
    return [
        tuple([Block(block.source, (_annotation(block, annotator),)) for block in blocks])
        for annotator in annotators
    ]


def _annotation(block: Block, annotator: int) -> Annotation:
    own = block.annotation(annotator) or annotations_of(block)[0]
    return Annotation(0, own.edits)


def _choices(references: int, number: int, draws: int, seed: int) -> list[tuple[int, ...]]:
    """Return choices of references without repetition: all, or as many draws as are wanted."""
    if math.comb(references, number) <= draws:
        return list(combinations(range(references), number))
    generator, choices = Random(f"{seed}-{number}"), set[tuple[int, ...]]()
    while len(choices) < draws:
        choices.add(tuple(sorted(generator.sample(range(references), number))))
    return sorted(choices)


def _results(
    name: str,
    choices: Sequence[Sequence[Reference]],
    score: ScoreReferences,
    human: Mapping[str, float],
    aggregation: str,
) -> list[ReferenceResult]:
    """Return for each metric its mean agreement over some choices of references."""
    theirs = np.array(list(human.values()), dtype=np.float64)
    by_metric: dict[str, list[list[float]]] = {}
    for references in choices:
        for scores in score(references):
            chosen = scores.select(tuple(human))
            ours = chosen.aggregate_sign(aggregation) * chosen.aggregate(aggregation)
            figures = [float(correlation(kind, ours, theirs)) for kind in REPORTED]
            by_metric.setdefault(scores.name, []).append(figures)
    number = sum(len(split_annotators(reference)) for reference in choices[0])
    return [
        ReferenceResult(
            metric,
            name,
            number,
            len(choices),
            *np.mean(figures, axis=0).tolist(),
            *(np.std(figures, axis=0, ddof=1) if len(choices) > 1 else np.zeros(2)).tolist(),
        )
        for metric, figures in by_metric.items()
    ]
