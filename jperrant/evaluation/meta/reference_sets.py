"""How much a metric's agreement with people depends on the references it is given.

- Sets of references: minimal or fluent corrections, of experts or of crowd workers, as CLEME2.0 (Ye et al. 2025,
  Table 1) and UOT-ERRANT (Goto, Sakai and Watanabe, Table 1) compare them.
- Numbers of references: 1 to all of one set (Bryant and Ng 2015 have ten). Which references are taken moves the
  figures, so that several choices are tried and their mean and standard deviation are given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.meta.dataset import Reference
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.meta.system_level import system_correlation
from jperrant.evaluation.meta.windows import REPORTED
from jperrant.evaluation.metrics.base import annotations_of

#: Choices of references that are tried where there are more of a number than this.
DRAWS = 5
SEED = 12345


@dataclass(frozen=True, slots=True)
class ReferenceResult:
    """The agreement of one metric with people over some references.

    Attributes:
        metric: The metric.
        human: The human score.
        group: The group of systems.
        set: The name of the set of references.
        references: How many of its references a sentence has.
        draws: How many choices of so many references were tried.
        pearson, spearman: The mean correlation over the choices; NaN where it is undefined.
        pearson_deviation, spearman_deviation: Its standard deviation over the choices; 0 for one.
    """

    metric: str
    human: str
    group: str
    set: str
    references: int
    draws: int
    pearson: float
    spearman: float
    pearson_deviation: float = 0.0
    spearman_deviation: float = 0.0


def reference_result(
    choices: Sequence[MetricScores],
    references: Sequence[Reference],
    human: FloatArray,
    systems: Sequence[str],
    *,
    aggregation: str = "corpus",
    human_name: str = "",
    group: str = "",
) -> ReferenceResult:
    """Return the agreement of one metric with a human score over choices of references.

    Args:
        choices: The metric's scores over each choice.
        references: The references of one choice.
        human: The human score of each system; systems without one (NaN) are left out.
        systems: The systems.
        aggregation: How scores of systems come from sentences, one of ``AGGREGATIONS``.
        human_name, group: What the human score and the systems are called.

    Raises:
        UsageError: Fewer than three systems have both scores, or the metric has no scores that the aggregation
            needs.
    """
    correlations = [
        system_correlation(scores, human, systems, aggregation=aggregation, human_name=human_name)
        for scores in choices
    ]
    figures = np.array([[one.values[kind] for kind in REPORTED] for one in correlations])
    deviations = figures.std(axis=0, ddof=1) if len(choices) > 1 else np.zeros(len(REPORTED))
    first = choices[0]
    return ReferenceResult(
        first.name.removesuffix(f" {first.references}"),
        human_name,
        group,
        first.references,
        sum(len(split_annotators(reference)) for reference in references),
        len(choices),
        *figures.mean(axis=0).tolist(),
        *deviations.tolist(),
    )


def reference_choices(
    name: str,
    references: Sequence[Reference],
    numbers: Sequence[int] = (),
    draws: int = DRAWS,
    seed: int = SEED,
) -> list[list[list[Reference]]]:
    """Return for each number of references some choices of so many.

    Args:
        name: What the set of references is called in messages.
        references: The references; those of an M2 file count for each annotator.
        numbers: The numbers; 1 to all if empty.
        draws: Choices tried for each number, all where there are not more.
        seed: Of the draws.

    Raises:
        UsageError: An impossible number of references or draws.
    """
    single = [one for reference in references for one in split_annotators(reference)]
    chosen = tuple(numbers) or tuple(range(1, len(single) + 1))
    if impossible := [number for number in chosen if not 1 <= number <= len(single)]:
        raise UsageError(
            f"found {impossible[0]} as a number of references, expected 1 to {len(single)} for set {name!r}"
        )
    if draws < 1:
        raise UsageError(f"found {draws} draws, expected 1 or more")
    return [
        [[single[n] for n in choice] for choice in _choices(len(single), number, draws, seed)]
        for number in chosen
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
