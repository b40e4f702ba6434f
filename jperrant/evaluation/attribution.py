"""How much each edit of a system moves the score of its sentence, for any metric over texts or edits.

The hypothesis is scored with some of its edits applied and the others left out; what an edit is worth follows from
these scores (``statistics/shapley.py``; Goto, Sakai and Watanabe 2025 attribute sentence-level metrics so). A
sentence with some of its edits is scored against its own references alone, so that the figures do not depend on
which other sentences are there; what a metric takes from a whole file (the mean length of chunks in CLEME) it takes
from the variants of the one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Unpack

from jperrant.core.apply import apply_edits
from jperrant.core.errors import EditError, UsageError
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.analysis import check_samples
from jperrant.evaluation.inputs import References, Source, Systems
from jperrant.evaluation.metrics.base import Pair, Scorer, annotations_of
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.metrics.texts import changing
from jperrant.evaluation.scoring import TextKeywords, read_pairs
from jperrant.evaluation.statistics.ranking import sentence_points
from jperrant.evaluation.statistics.shapley import EXACT, ORDERS, Design, design, scaled, worths

#: Variants of sentences that are scored in one go.
_AT_ONCE = 4096
SEED = 12345


@dataclass(frozen=True, slots=True)
class AttributionOptions:
    """How edits are attributed.

    Attributes:
        method: ``add``, ``sub`` or ``shapley``.
        exact: Up to so many edits Shapley values are exact.
        orders: Orders that are sampled where a sentence has more.
        seed: Of the sampling.
        scale: Make what ``add`` and ``sub`` give sum to the difference between hypothesis and source.

    Raises:
        UsageError: The method is unknown, or a number is out of its range.
    """

    method: str = "shapley"
    exact: int = EXACT
    orders: int = ORDERS
    seed: int = SEED
    scale: bool = False

    def __post_init__(self) -> None:
        check_samples(None, self.seed)
        design(1, self.method, exact=self.exact, orders=self.orders)  # refuses what is out of range


@dataclass(frozen=True, slots=True)
class Attribution:
    """What the edits of one sentence are worth to one metric.

    Attributes:
        hypothesis: The system.
        metric: The metric, with its settings where two have one name (``cleme2 lvl:sentence``).
        value: The value of the metric that is attributed.
        lower_is_better: Whether a negative worth is a good one.
        sentence: From 1.
        annotator: The hypothesis annotator.
        source: The tokens of the source.
        edits: Its edits.
        worths: The worth of each edit, in units of the value.
        errors: The standard error of each; 0 where no orders were sampled.
        sampled: Whether orders were sampled.
        before: The value of the source, with no edit applied.
        after: The value of the hypothesis.
    """

    hypothesis: str
    metric: str
    value: str
    lower_is_better: bool
    sentence: int
    annotator: int
    source: tuple[str, ...]
    edits: tuple[Edit, ...]
    worths: tuple[float, ...]
    errors: tuple[float, ...]
    sampled: bool
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class _Job:
    """One annotation of one sentence, with the sets of edits that are scored."""

    pair: Pair
    sentence: int
    annotation: Annotation
    edits: tuple[Edit, ...]
    design: Design


def attribute(
    systems: Systems,
    references: References | None = None,
    *,
    source: Source | None = None,
    metrics: str | Scorer | Sequence[str | Scorer] = "errant",
    sentences: Sequence[int] = (),
    method: str = "shapley",
    exact: int = EXACT,
    orders: int = ORDERS,
    seed: int = SEED,
    scale: bool = False,
    **texts: Unpack[TextKeywords],
) -> list[Attribution]:
    """Show how much each edit of a system contributes to the score of its sentence.

    Args:
        systems, references, source, metrics: As in :func:`jperrant.score`.
        sentences: The sentences, from 1; all if empty.
        method, exact, orders, seed, scale: As in :class:`AttributionOptions`.
        **texts: ``lang``, ``raw``, ``models`` and the like, as in :func:`jperrant.score`.

    Returns:
        System by system, in it sentence by sentence, in it metric by metric; sentences without edits are left out.

    Raises:
        UsageError: No system, an unknown metric or option, a number out of its range, no such sentence.
        InputError: A file cannot be read, is not M2, or is another text than the references.

    Example:
        >>> [first, *_] = jperrant.attribute("system.m2", "gold.m2", metrics="gleu")
        >>> dict(zip(first.edits, first.worths))
    """
    how = AttributionOptions(method, exact, orders, seed, scale)
    scorers, pairs = read_pairs(systems, references, source=source, metrics=metrics, **texts)
    return attribute_pairs(scorers, pairs, how, sentences)


def attribute_pairs(
    scorers: Sequence[Scorer],
    pairs: Sequence[Pair],
    options: AttributionOptions | None = None,
    sentences: Sequence[int] = (),
) -> list[Attribution]:
    """Return what each edit is worth to each metric; sentences without edits are left out.

    Args:
        scorers: The metrics.
        pairs: The systems with their references.
        options: How; Shapley values if None.
        sentences: The sentences, from 1; all if empty.

    Returns:
        System by system, in it sentence by sentence, in it metric by metric.

    Raises:
        UsageError: An option is out of its range, there is no such sentence, or the figures of a metric depend on
            all systems together.
        EditError: Edits overlap or reach outside the sentence.
    """
    options = options or AttributionOptions()
    for scorer in scorers:
        if scorer.joint:
            raise UsageError(
                f"metric {scorer.name!r} weights edits by what all systems do, so a single sentence has no "
                "score to attribute; choose another metric"
            )
    last = max((len(pair.hypothesis) for pair in pairs), default=0)
    if outside := [number for number in sentences if not 1 <= number <= last]:
        raise UsageError(f"found sentence {outside[0]}, expected 1 to {last}")
    out = []
    for group in track(_groups(list(_jobs(pairs, options, set(sentences)))), "attributing edits"):
        by_metric = [
            _attribute_jobs(scorer, metric, group, options)
            for scorer, metric in zip(scorers, _labels(scorers), strict=True)
        ]
        out += [attribution for of_job in zip(*by_metric, strict=True) for attribution in of_job]
    return out


def mean_by_type(attributions: Sequence[Attribution]) -> dict[str, dict[str, tuple[int, float]]]:
    """Return for each metric how many edits of each type there are and what they are worth in the mean.

    Edits whose worth is not a number are left out.
    """
    worths: dict[str, dict[str, list[float]]] = {}
    for one in attributions:
        for edit, worth in zip(one.edits, one.worths, strict=True):
            if not math.isnan(worth):
                worths.setdefault(one.metric, {}).setdefault(edit.type, []).append(worth)
    return {
        metric: {type_: (len(all_), math.fsum(all_) / len(all_)) for type_, all_ in sorted(of_metric.items())}
        for metric, of_metric in worths.items()
    }


def _jobs(pairs: Sequence[Pair], options: AttributionOptions, sentences: set[int]) -> Iterator[_Job]:
    for pair in pairs:
        for number, block in enumerate(pair.hypothesis, start=1):
            if sentences and number not in sentences:
                continue
            for annotation in annotations_of(block):
                if edits := changing(annotation):
                    plan = design(
                        len(edits),
                        options.method,
                        exact=options.exact,
                        orders=options.orders,
                        seed=(options.seed, number),
                    )
                    yield _Job(pair, number, annotation, edits, plan)


def _groups(jobs: Sequence[_Job]) -> list[list[_Job]]:
    """Return jobs in groups of at most so many variants, so that encoders see many and memory stays bounded."""
    total, group_of = 0, []
    for job in jobs:
        total += len(job.design.sets)
        group_of.append(total // _AT_ONCE)
    numbered = zip(group_of, jobs, strict=True)
    return [[job for _, job in group] for _, group in groupby(numbered, key=lambda one: one[0])]


def _variants(job: _Job, references: bool) -> Pair:
    """Return the sentence with each set of edits, against its references again and again."""
    blocks = [
        Block(job.pair.hypothesis[job.sentence - 1].source, (Annotation(0, kept),))
        for kept in (
            tuple([edit for n, edit in enumerate(job.edits) if chosen >> n & 1]) for chosen in job.design.sets
        )
    ]
    theirs = [job.pair.references[job.sentence - 1]] * len(blocks) if references else []
    return Pair(blocks, theirs, job.pair.name)


def _labels(scorers: Sequence[Scorer]) -> list[str]:
    """Return what each metric is called: its name, with its settings where another has the same name."""
    names = [scorer.name for scorer in scorers]
    return [
        name if names.count(name) == 1 else " ".join((name, *scorer.settings))
        for name, scorer in zip(names, scorers, strict=True)
    ]


def _check_edits(jobs: Sequence[_Job]) -> None:
    """Say which sentence has edits that cannot be applied; metrics know the number of a variant only.

    Raises:
        EditError: There is one.
    """
    for job in jobs:
        try:
            apply_edits(job.pair.hypothesis[job.sentence - 1].source, job.edits)
        except EditError as error:
            raise EditError(f"{job.pair.name}: sentence {job.sentence} (counted from 1): {error}") from None


def _attribute_jobs(
    scorer: Scorer, metric: str, jobs: Sequence[_Job], options: AttributionOptions
) -> list[Attribution]:
    try:
        scores = evaluate(scorer, [_variants(job, scorer.needs_references) for job in jobs])
    except EditError:
        _check_edits(jobs)
        raise
    out = []
    for job, score in zip(jobs, scores, strict=True):
        # Points count upwards; a worth is in units of the value.
        points = (-1 if scorer.lower_is_better else 1) * sentence_points([score])[0] + 0.0
        values = dict(zip(job.design.sets, points.tolist(), strict=True))
        before, after = values[0], values[job.design.whole]
        worth = worths(job.design, values)
        if options.scale and options.method != "shapley":
            worth = scaled(worth, after - before)
        out.append(
            Attribution(
                job.pair.name,
                metric,
                scorer.main,
                scorer.lower_is_better,
                job.sentence,
                job.annotation.annotator,
                job.pair.hypothesis[job.sentence - 1].source,
                job.edits,
                worth.values,
                worth.errors,
                bool(job.design.orders),
                before,
                after,
            )
        )
    return out
