"""Explaining scores sentence by sentence: CLEME's chunks, UOT's plans, and the contributions of edits.

The contribution of an edit follows from the scores of variants of the hypothesis with only some of its edits
applied (``evaluation.statistics.shapley``; Goto, Sakai and Watanabe 2025 attribute sentence-level metrics so).
Variants are scored against the references of their sentence only, so contributions do not depend on other
sentences. Statistics that a metric takes from a whole file, such as the mean length of chunks in CLEME, come from
the variants.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, Unpack, cast

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.display import shorten
from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, UsageError
from jperrant.core.messages import plural
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.inputs import References, Source, Systems
from jperrant.evaluation.metrics.base import (
    Candidate,
    Pair,
    Row,
    Scorer,
    annotations_of,
    check_sentences,
    values_of,
)
from jperrant.evaluation.metrics.cleme.chunks import Chunks, LabelledSentence
from jperrant.evaluation.metrics.cleme.scorer import ChunkScorer
from jperrant.evaluation.metrics.corrected_texts import changing
from jperrant.evaluation.metrics.system_score import evaluate, prepare_references
from jperrant.evaluation.metrics.uot import UotScorer
from jperrant.evaluation.score_tables import metric_labels
from jperrant.evaluation.scoring import TextKeywords, requested
from jperrant.evaluation.statistics.ranking import sentence_points
from jperrant.evaluation.statistics.shapley import Design, check_method, design, worths

#: The label of a chunk that is correctly left unchanged.
TN = "TN"
#: The number of a sentence in warnings.
_PLACE = re.compile(r"(?<=sentence )\d+(?= \(counted from 1)")
#: The kinds of explanations.
CHUNKS, PLANS, CONTRIBUTIONS = "chunks", "plans", "contributions"
SHAPLEY = "shapley"
#: Three bounds of numbers of tokens: variants that are scored together; all variants of one sentence (less than a
#: minute); and one sentence for metrics that need all variants at once (less than half a gigabyte).
_AT_ONCE, _MOST, _MOST_AT_ONCE = 1 << 17, 1 << 23, 1 << 19
_SEED = 12345
#: The most digits of the number of a sentence.
_DIGITS = 7


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One row of a table of chunks.

    Attributes:
        name: ``source``, ``reference 0`` …, or ``hypothesis``.
        cells: The tokens of each chunk.
        changed: Whether each chunk is changed.
        chosen: Whether the row is the reference behind the labels.
    """

    name: str
    cells: tuple[tuple[str, ...], ...] = field(repr=False)
    changed: tuple[bool, ...] = field(repr=False)
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """A sentence, cut into chunks.

    Attributes:
        sentence: The number of the sentence, from 1.
        hypothesis: The name of the system.
        spans: The half-open range of source tokens of each chunk.
        rows: The source, the references and the hypothesis.
        labels: ``TP``, ``FPne``, ``FPun``, ``FN`` or ``TN`` for each chunk.
        weights: The weight of each chunk; empty if chunks are counted.
        values: The values of the sentence.
    """

    sentence: int
    hypothesis: str = field(repr=False)
    spans: tuple[tuple[int, int], ...] = field(repr=False)
    rows: tuple[ChunkRow, ...] = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    weights: tuple[float, ...] = field(repr=False)
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SentencePlan:
    """The transport plan of one sentence of a hypothesis against one reference.

    Attributes:
        hypothesis: The name of the system.
        sentence: The number of the sentence, from 1.
        source: The tokens of the source.
        annotator, reference: The numbers of the annotators of both sides.
        hypothesis_edits, reference_edits: The edits of both sides, n and m of them.
        hypothesis_mass, reference_mass: The mass of each edit, shapes ``(n,)`` and ``(m,)``.
        cost: The distances of the edits, shape ``(n, m)``.
        plan: The transported masses, shape ``(n, m)``.
        counts: ``tp``, ``fp`` and ``fn``.
        values: ``precision``, ``recall`` and ``f``.
        by_type: tp, fp and fn of each error type.
    """

    hypothesis: str
    sentence: int
    source: tuple[str, ...] = field(repr=False)
    annotator: int
    reference: int
    hypothesis_edits: tuple[Edit, ...] = field(repr=False)
    reference_edits: tuple[Edit, ...] = field(repr=False)
    hypothesis_mass: FloatArray = field(repr=False)
    reference_mass: FloatArray = field(repr=False)
    cost: FloatArray = field(repr=False)
    plan: FloatArray = field(repr=False)
    counts: Mapping[str, float]
    values: Mapping[str, float]
    by_type: Mapping[str, Row] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Attribution:
    """The contributions of the edits of one sentence to one metric.

    Attributes:
        hypothesis: The name of the system.
        metric: The name of the metric, with settings if two metrics share it (``cleme2 lvl:sentence``).
        value: The name of the metric's main value.
        lower_is_better: Whether lower values, and so negative contributions, are better.
        sentence: The number of the sentence, from 1.
        annotator: The number of the hypothesis annotator.
        source: The tokens of the source.
        edits: The edits of the annotator.
        worths: The contribution of each edit, in units of the value.
        errors: The standard error of each contribution; 0 if nothing was sampled.
        sampled: Whether orders of edits were sampled.
        before: The value of the source, without edits.
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


#: The explanation of a sentence.
Explained: TypeAlias = ChunkTable | SentencePlan | Attribution


@dataclass(frozen=True, slots=True)
class _Job:
    """One annotation of one sentence, with the sets of its edits that are scored."""

    pair: Pair
    sentence: int
    annotation: Annotation
    edits: tuple[Edit, ...]
    design: Design

    @property
    def source(self) -> tuple[str, ...]:
        """The tokens of the sentence."""
        return self.pair.hypothesis[self.sentence - 1].source

    @property
    def tokens(self) -> int:
        """The number of tokens of all variants, counting one more for the end of each."""
        return len(self.design.sets) * (1 + len(self.source))


def explain(
    systems: Systems,
    references: References | None = None,
    *,
    source: Source | None = None,
    metrics: str | Scorer | Sequence[str | Scorer] = "errant",
    sentences: Sequence[int] = (),
    method: str = "",
    **texts: Unpack[TextKeywords],
) -> list[Explained]:
    """Explain the scores of sentences (``jperrant.explain``).

    ``cleme`` and ``cleme2`` are explained by chunks, ``uot`` by transport plans. Any other metric, and several
    metrics together, are explained by the contribution of each edit to the score of its sentence.

    Args:
        systems, references, source, metrics: As in :func:`jperrant.score`.
        sentences: The numbers of the sentences, from 1; if empty all with edits.
        method: Explain any metric by contributions: ``shapley`` (the mean gain over all orders of applying the
            edits), ``add`` (the gain from an edit alone) or ``sub`` (the loss without it). If empty, ``shapley``,
            and only for metrics without chunks and plans. Shapley values of more than 8 edits are sampled.
        **texts: The keywords of :class:`TextKeywords`, as in :func:`jperrant.score`.

    Returns:
        Tables of chunks, plans or contributions, by system, sentence and metric.

    Raises:
        UsageError: There is no system, or a metric, option, method or sentence is unknown.
        InputError: A file cannot be read or is not M2, or a system is another text than the references.

    Example:
        >>> [first, *_] = jperrant.explain("system.m2", "gold.m2", metrics="gleu")
        >>> dict(zip(first.edits, first.worths))
        >>> [table] = jperrant.explain("system.m2", "gold.m2", metrics="cleme2", sentences=[3])
        >>> table.labels
    """
    check_method(method or SHAPLEY)
    request = requested(systems, references, source=source, metrics=metrics, shown=True, **texts)
    return explain_pairs(request.scorers, request.pairs(), sentences, method)[0]


def what_explains(scorers: Sequence[Scorer], method: str = "", by_type: bool = False) -> str:
    """Return the kind of explanation for metrics: ``CHUNKS``, ``PLANS`` or ``CONTRIBUTIONS``.

    Args:
        scorers: The metrics.
        method: The method of contributions, if these are asked for.
        by_type: Whether mean contributions by error type are asked for.

    Raises:
        UsageError: The method is unknown.
    """
    check_method(method or SHAPLEY)
    if method or by_type or len(scorers) > 1:
        return CONTRIBUTIONS
    if hasattr(scorers[0], "plans"):
        return PLANS
    return CHUNKS if isinstance(scorers[0], ChunkScorer) else CONTRIBUTIONS


def explain_pairs(
    scorers: Sequence[Scorer],
    pairs: Sequence[Pair],
    sentences: Sequence[int] = (),
    method: str = "",
    by_type: bool = False,
) -> tuple[list[Explained], list[str]]:
    """Return the explanations of systems that have been read, and notes about them.

    Args:
        scorers: The metrics.
        pairs: The systems with their references.
        sentences, method: As in :func:`explain`.
        by_type: As in :func:`what_explains`.

    Raises:
        UsageError: A sentence or method is unknown, or a metric scores all systems jointly.
        EditError: Edits overlap or reach outside the sentence.
    """
    for pair in pairs:
        check_sentences(pair, sentences)
    shown = what_explains(scorers, method, by_type)
    if shown == CONTRIBUTIONS:
        return [*contributions(scorers, pairs, sentences, method or SHAPLEY)], []
    if shown == CHUNKS:
        scorer = cast(ChunkScorer, scorers[0])
        return [table for pair in pairs for table in chunk_tables(scorer, pair, sentences)], []

    plans = [plans_of(cast(Any, scorers[0]), pair, sentences) for pair in pairs]
    return [plan for own, _ in plans for plan in own], [note for _, told in plans for note in told]


def chunk_tables(scorer: ChunkScorer, pair: Pair, sentences: Sequence[int] = ()) -> list[ChunkTable]:
    """Return the tables of chunks of one system, with the references that its score uses.

    Args:
        scorer: The metric, which chooses references over the whole pair.
        pair: The system with its references.
        sentences: The numbers of the sentences, from 1; if empty all that any annotation changes.
    """
    wanted = sentences or range(1, len(pair.hypothesis) + 1)
    [labelled], _ = scorer.weighted(scorer.labelled([pair], prepare_references(scorer, [pair])))
    candidates = [tuple([scorer.candidate(labelling) for labelling in sentence]) for sentence in labelled]
    combined = scorer.combine(candidates)
    tables = []
    for number in wanted:
        chosen = combined[number - 1]
        index = next(n for n, candidate in enumerate(candidates[number - 1]) if candidate is chosen)
        if labelled[number - 1][index].partition.regions or sentences:
            tables.append(_table(scorer, pair.name, number, labelled[number - 1][index], chosen))
    return tables


def _table(
    scorer: ChunkScorer, name: str, number: int, labelled: LabelledSentence, candidate: Candidate
) -> ChunkTable:
    partition, marks = labelled.partition, labelled.labels
    labels = {mark.region: mark.label.letters for mark in marks}
    weights = {mark.region: weight for mark, weight in zip(marks, labelled.weights or (), strict=False)}
    sides: list[tuple[str, Chunks]] = [("source", (None,) * len(partition.regions))]
    references = zip(partition.annotators, partition.references, strict=True)
    sides += [(f"reference {annotator}", chunks) for annotator, chunks in references]
    sides.append(("hypothesis", partition.hypothesis))
    chosen = None if scorer.assumption == "independent" else labelled.reference
    regions = [region for *_, region in partition.spans]
    return ChunkTable(
        number,
        name,
        tuple([span[:2] for span in partition.spans]),
        tuple([_row(*side, labelled, n == chosen) for n, side in enumerate(sides, -1)]),
        tuple([TN if region is None else labels.get(region, TN) for region in regions]),
        ()
        if labelled.weights is None
        else tuple([1.0 if r is None else weights.get(r, 1.0) for r in regions]),
        values_of(scorer, candidate.row),
    )


def _row(name: str, chunks: Chunks, labelled: LabelledSentence, chosen: bool) -> ChunkRow:
    partition = labelled.partition
    cells, changed = [], []
    for start, end, region in partition.spans:
        cells.append(partition.source[start:end] if region is None else partition.tokens(chunks, region))
        changed.append(region is not None and chunks[region] is not None)
    return ChunkRow(name, tuple(cells), tuple(changed), chosen)


def plans_of(
    scorer: UotScorer, pair: Pair, sentences: Sequence[int] = ()
) -> tuple[list[SentencePlan], list[str]]:
    """Return the plans of sentences, each against its own best reference, and warnings about the figures.

    Args:
        scorer: The metric.
        pair: The system with its references.
        sentences: The numbers of the sentences, from 1; if empty all with edits on some side.
    """
    chosen = list(sentences) or _with_edits(pair)
    shown = Pair(
        [pair.hypothesis[number - 1] for number in chosen],
        [pair.references[number - 1] for number in chosen],
        pair.name,
    )
    [score] = evaluate(replace(scorer, plans=True, level="sentence"), [shown])
    blocks = zip(chosen, shown.hypothesis, shown.references, score.combined, strict=True)
    # Warnings number the scored sentences; these numbers become those of the file.
    warnings = [_PLACE.sub(lambda place: str(chosen[int(place[0]) - 1]), line) for line in score.warnings]
    return [_plan(scorer, pair.name, *sentence) for sentence in blocks], warnings


def _with_edits(pair: Pair) -> list[int]:
    """Return the numbers of the sentences, from 1, with edits on some side."""
    both = zip(pair.hypothesis, pair.references, strict=True)
    return [
        n for n, sides in enumerate(both, start=1) if any(changing(a) for b in sides for a in b.annotations)
    ]


def _plan(
    scorer: UotScorer, name: str, number: int, hypothesis: Block, references: Block, candidate: Candidate
) -> SentencePlan:
    told, reference = cast(Mapping[str, Any], candidate.details), candidate.reference or 0
    ours = changing(hypothesis.annotation(candidate.hypothesis) or Annotation(0))
    theirs = changing(references.annotation(reference) or Annotation(0))
    shape = len(ours), len(theirs)
    return SentencePlan(
        hypothesis=name,
        sentence=number,
        source=hypothesis.source,
        annotator=candidate.hypothesis,
        reference=reference,
        hypothesis_edits=ours,
        reference_edits=theirs,
        hypothesis_mass=np.array(told["hypothesis_mass"]),
        reference_mass=np.array(told["reference_mass"]),
        cost=np.array(told["cost"]).reshape(shape),
        plan=np.array(told["plan"]).reshape(shape),
        counts=dict(zip(scorer.counts, candidate.row[:3], strict=True)),
        values=dict(zip(("precision", "recall", "f"), candidate.row[3:6], strict=True)),
        by_type={type_: row[:3] for type_, row in candidate.by_type.items()},
    )


def parse_sentences(text: str) -> list[int]:
    """Return the numbers in a list of numbers and ranges such as ``1,3-5``.

    >>> parse_sentences("1,3-5")
    [1, 3, 4, 5]

    Raises:
        UsageError: The text has another form.
    """
    numbers: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        last = last if dash else first
        ends = first.strip(), last.strip()
        if not all(end.isdecimal() and len(end) <= _DIGITS for end in ends) or int(first) > int(last):
            raise UsageError(
                f"found sentences {shorten(text)}, expected numbers and ranges such as 1,3-5 (1 is the first "
                f"sentence), of at most {_DIGITS} digits"
            )
        numbers += range(int(first), int(last) + 1)
    return numbers


def contributions(
    scorers: Sequence[Scorer], pairs: Sequence[Pair], sentences: Sequence[int] = (), method: str = SHAPLEY
) -> list[Attribution]:
    """Return the contribution of each edit to each metric; sentences without edits are left out.

    Args:
        scorers: The metrics.
        pairs: The systems with their references.
        sentences: The numbers of the sentences, from 1; all if empty.
        method: ``shapley``, ``add`` or ``sub``.

    Returns:
        The contributions by system, sentence and metric.

    Raises:
        UsageError: The method is unknown, or a metric scores all systems jointly.
        EditError: Edits overlap or reach outside the sentence.
    """
    for scorer in scorers:
        if scorer.joint:
            raise UsageError(
                f"metric {scorer.name!r} takes its weights from all systems, so a single sentence has no "
                "score to explain; choose another metric"
            )
    labels, found = metric_labels([(scorer.name, scorer.settings) for scorer in scorers]), []
    for group in track(_groups(_jobs(pairs, method, set(sentences))), "attributing edits"):
        by_metric = [
            _attribute_jobs(scorer, metric, group) for scorer, metric in zip(scorers, labels, strict=True)
        ]
        found += [attribution for of_job in zip(*by_metric, strict=True) for attribution in of_job]
    return found


def mean_by_type(attributions: Sequence[Attribution]) -> dict[str, dict[str, tuple[int, float]]]:
    """Return the number of edits and their mean contribution, by metric and error type; NaN is left out."""
    worths: dict[str, dict[str, list[float]]] = {}
    for one in attributions:
        for edit, worth in zip(one.edits, one.worths, strict=True):
            if not math.isnan(worth):
                worths.setdefault(one.metric, {}).setdefault(edit.type, []).append(worth)
    return {
        metric: {type_: (len(all_), math.fsum(all_) / len(all_)) for type_, all_ in sorted(of_metric.items())}
        for metric, of_metric in worths.items()
    }


def _jobs(pairs: Sequence[Pair], method: str, sentences: set[int]) -> Iterator[_Job]:
    for pair in pairs:
        for number, block in enumerate(pair.hypothesis, start=1):
            if sentences and number not in sentences:
                continue
            for annotation in annotations_of(block):
                if edits := changing(annotation):
                    plan = design(len(edits), method, seed=(_SEED, number))
                    yield _Job(pair, number, annotation, edits, plan)


def _groups(jobs: Iterable[_Job]) -> Iterator[list[_Job]]:
    """Yield groups of jobs of at most ``_AT_ONCE`` tokens, or of one larger job.

    Groups give encoders full batches, and their limit bounds memory.
    """
    group: list[_Job] = []
    cost = 0
    for job in jobs:
        if group and cost + job.tokens > _AT_ONCE:
            yield group
            group, cost = [], 0
        group.append(job)
        cost += job.tokens
    if group:
        yield group


def _points(scorer: Scorer, group: Sequence[_Job]) -> list[list[float]]:
    """Return the score of each variant of each job; higher is better.

    Raises:
        UsageError: The variants of a job have too many tokens.
    """
    if len(group) > 1:
        scores = evaluate(scorer, [_variants(job, job.design.sets, scorer) for job in group])
        return [sentence_points([score])[0].tolist() for score in scores]
    [job] = group
    sets, tokens = job.design.sets, len(job.source)
    if job.tokens > (_MOST_AT_ONCE if scorer.needs_corpus else _MOST):
        raise UsageError(
            f"{job.pair.name}: sentence {job.sentence} has {plural(len(job.edits), 'edit')} in {tokens} tokens, "
            f"too many for contributions to metric {scorer.name!r} with these options; give --method add, or "
            "other --sentences, or split the line into sentences"
        )
    step = len(sets) if scorer.needs_corpus else max(1, _AT_ONCE // (1 + tokens))
    parts = (_variants(job, sets[start : start + step], scorer) for start in range(0, len(sets), step))
    return [[point for part in parts for point in sentence_points(evaluate(scorer, [part]))[0].tolist()]]


def _variants(job: _Job, sets: Sequence[int], scorer: Scorer) -> Pair:
    """Return the variants of a sentence, one for each set of edits, with its references repeated."""
    kept = [tuple([edit for n, edit in enumerate(job.edits) if chosen >> n & 1]) for chosen in sets]
    blocks = [Block(job.source, (Annotation(0, edits),)) for edits in kept]
    theirs = [job.pair.references[job.sentence - 1]] * len(blocks) if scorer.needs_references else []
    return Pair(blocks, theirs, job.pair.name)


def _check_edits(jobs: Sequence[_Job]) -> None:
    """Check that the edits of jobs can be applied. (Errors of metrics would name variants and not sentences.)

    Raises:
        EditError: Edits overlap or reach outside the sentence; names file and sentence.
    """
    for job in jobs:
        try:
            apply_edits(job.source, job.edits)
        except EditError as error:
            raise EditError(f"{job.pair.name}: sentence {job.sentence} (counted from 1): {error}") from None


def _attribute_jobs(scorer: Scorer, metric: str, jobs: Sequence[_Job]) -> list[Attribution]:
    try:
        points = _points(scorer, jobs)
    except EditError:
        _check_edits(jobs)
        raise
    out = []
    sign = -1 if scorer.lower_is_better else 1
    for job, own in zip(jobs, points, strict=True):
        # Points are negated values if lower is better; contributions are in units of the value.
        values = dict(zip(job.design.sets, [sign * point + 0.0 for point in own], strict=True))
        place = (
            job.pair.name,
            metric,
            scorer.main,
            scorer.lower_is_better,
            job.sentence,
            job.annotation.annotator,
        )
        ends = values[0], values[job.design.whole]
        worth, errors = worths(job.design, values)
        out.append(Attribution(*place, job.source, job.edits, worth, errors, bool(job.design.orders), *ends))
    return out
