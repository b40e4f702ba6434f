"""How a metric comes to its score, sentence by sentence: CLEME's chunks, UOT's plans, the contributions of edits.

Contributions: the hypothesis is scored with some of its edits applied and the others left out; what an edit is
worth follows from these scores (``statistics/shapley.py``; Goto, Sakai and Watanabe 2025 attribute sentence-level
metrics so). A sentence with some of its edits is scored against its own references alone, so that the figures do
not depend on which other sentences are there; what a metric takes from a whole file (the mean length of chunks in
CLEME) it takes from the variants of the one sentence.
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
from jperrant.evaluation.scoring import TextKeywords, requested
from jperrant.evaluation.statistics.ranking import sentence_points
from jperrant.evaluation.statistics.shapley import Design, check_method, design, worths

#: The label of a chunk that is rightly left alone.
TN = "TN"
#: Where warnings name a sentence of those that are scored.
_PLACE = re.compile(r"(?<=sentence )\d+(?= \(counted from 1)")
#: What explains a metric.
CHUNKS, PLANS, CONTRIBUTIONS = "chunks", "plans", "contributions"
SHAPLEY = "shapley"
#: Tokens of variants of sentences that are scored in one go; the most of one sentence, so that it takes less than a
#: minute, and, where a metric needs all of its variants at once, less than half a gigabyte.
_AT_ONCE, _MOST, _MOST_AT_ONCE = 1 << 17, 1 << 23, 1 << 19
_SEED = 12345
#: Digits of the number of a sentence: a file of more is not read anyway.
_DIGITS = 7


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One line of a table.

    Attributes:
        name: ``source``, ``reference 0`` … or ``hypothesis``.
        cells: The tokens of each chunk.
        changed: Whether it has edits there.
        chosen: Whether it is the reference that the labels are about.
    """

    name: str
    cells: tuple[tuple[str, ...], ...] = field(repr=False)
    changed: tuple[bool, ...] = field(repr=False)
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """A sentence, cut into chunks.

    Attributes:
        sentence: Its number, from 1.
        hypothesis: The name of the system.
        spans: The half-open range of source tokens of each chunk.
        rows: Source, references and hypothesis.
        labels: ``TP``, ``FPne``, ``FPun``, ``FN`` or ``TN`` for each chunk.
        weights: The weight of each chunk; empty where chunks are counted.
        values: The sentence's own values.
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
    """One sentence of a hypothesis against one reference.

    Attributes:
        hypothesis: The name of the system.
        sentence: Its number, from 1.
        source: Its tokens.
        annotator, reference: The numbers of the annotators of both sides.
        hypothesis_edits, reference_edits: Their edits, in the order of the masses.
        hypothesis_mass, reference_mass: What each edit weighs, shapes ``(n,)`` and ``(m,)``.
        cost: Distances of the edits, shape ``(n, m)``.
        plan: Transported mass, shape ``(n, m)``.
        counts: ``tp``, ``fp`` and ``fn``.
        values: ``precision``, ``recall`` and ``f``.
        by_type: Tp, fp and fn of each error type.
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


#: What explains a sentence.
Explained: TypeAlias = ChunkTable | SentencePlan | Attribution


@dataclass(frozen=True, slots=True)
class _Job:
    """One annotation of one sentence, with the sets of edits that are scored."""

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
        """The tokens of all variants of the sentence, each with its end."""
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
    """Show how a metric comes to its score, sentence by sentence.

    ``cleme`` and ``cleme2`` show their chunks, ``uot`` its transport plans; any other metric, and several of them,
    the contribution of each edit to the score of its sentence.

    Args:
        systems, references, source, metrics: As in :func:`jperrant.score`.
        sentences: The sentences, from 1; if empty all in which there is something to show.
        method: Show contributions, whatever the metric: ``shapley`` (mean gain over all orders in which the edits
            can be applied), ``add`` (an edit alone) or ``sub`` (what is lost without it); if empty, Shapley values
            where contributions are shown. Those of more than 8 edits are sampled.
        **texts: ``lang``, ``raw``, ``models`` and the like, as in :func:`jperrant.score`.

    Returns:
        Tables of chunks, plans, or contributions, system by system, in it sentence by sentence, in it metric by
        metric. Each shows itself in a notebook.

    Raises:
        UsageError: No system, an unknown metric, option or method, no such sentence.
        InputError: A file cannot be read, is not M2, or is another text than the references.

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
    """Return what is shown of metrics: ``CHUNKS``, ``PLANS`` or ``CONTRIBUTIONS``.

    Args:
        scorers: The metrics.
        method: Of contributions, if these are asked for.
        by_type: Whether error types are shown and no sentences: contributions.

    Raises:
        UsageError: There is no such method.
    """
    check_method(method or SHAPLEY)
    if method or by_type or len(scorers) > 1:
        return CONTRIBUTIONS
    if hasattr(scorers[0], "plans"):  # UOT's, which is imported only where it is used
        return PLANS
    return CHUNKS if isinstance(scorers[0], ChunkScorer) else CONTRIBUTIONS


def explain_pairs(
    scorers: Sequence[Scorer],
    pairs: Sequence[Pair],
    sentences: Sequence[int] = (),
    method: str = "",
    by_type: bool = False,
) -> tuple[list[Explained], list[str]]:
    """Return how metrics come to the scores of systems that have been read, and what was noted on the way.

    Args:
        scorers: The metrics.
        pairs: The systems with their references.
        sentences, method: As of :func:`explain`.
        by_type: As of :func:`what_explains`.

    Raises:
        UsageError: There is no such sentence or method, or the figures of a metric depend on all systems together.
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
    """Return the tables of sentences of one system, labelled as they count in its score.

    Args:
        scorer: The metric; chooses references over the whole pair.
        pair: The system and its references.
        sentences: The numbers of the sentences, from 1; if empty all in which somebody changes something.
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
    """Return the plan of each chosen sentence, and one line for each thing that affects the figures.

    Args:
        scorer: The metric with its options; each sentence chooses its best reference for itself.
        pair: The sentences of both sides.
        sentences: Numbers from 1; if empty all in which some annotator has edits.
    """
    chosen = list(sentences) or _with_edits(pair)
    shown = Pair(
        [pair.hypothesis[number - 1] for number in chosen],
        [pair.references[number - 1] for number in chosen],
        pair.name,
    )
    [score] = evaluate(replace(scorer, plans=True, level="sentence"), [shown])
    blocks = zip(chosen, shown.hypothesis, shown.references, score.combined, strict=True)
    # Only the chosen sentences were scored: their numbers become those of the file.
    warnings = [_PLACE.sub(lambda place: str(chosen[int(place[0]) - 1]), line) for line in score.warnings]
    return [_plan(scorer, pair.name, *sentence) for sentence in blocks], warnings


def _with_edits(pair: Pair) -> list[int]:
    """Return the sentences, counted from 1, in which some annotator of either side has edits."""
    both = zip(pair.hypothesis, pair.references, strict=True)
    return [
        n for n, sides in enumerate(both, start=1) if any(changing(a) for b in sides for a in b.annotations)
    ]


def _reference(candidate: Candidate) -> int:
    """Return the annotator that a candidate was transported to; every one has one."""
    return 0 if candidate.reference is None else candidate.reference


def _plan(
    scorer: UotScorer, name: str, number: int, hypothesis: Block, references: Block, candidate: Candidate
) -> SentencePlan:
    told = cast(Mapping[str, Any], candidate.details)
    ours = changing(hypothesis.annotation(candidate.hypothesis) or Annotation(0))
    theirs = changing(references.annotation(_reference(candidate)) or Annotation(0))
    shape = len(ours), len(theirs)
    return SentencePlan(
        hypothesis=name,
        sentence=number,
        source=hypothesis.source,
        annotator=candidate.hypothesis,
        reference=_reference(candidate),
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
    """Return the numbers that a text such as ``1,3-5`` names, counted from 1.

    >>> parse_sentences("1,3-5")
    [1, 3, 4, 5]

    Raises:
        UsageError: It names none, or something else.
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
    """Return what each edit is worth to each metric; sentences without edits are left out.

    Args:
        scorers: The metrics.
        pairs: The systems with their references.
        sentences: The sentences, from 1; all if empty.
        method: ``shapley``, ``add`` or ``sub``.

    Returns:
        System by system, in it sentence by sentence, in it metric by metric.

    Raises:
        UsageError: There is no such method, or the figures of a metric depend on all systems together.
        EditError: Edits overlap or reach outside the sentence.
    """
    for scorer in scorers:
        if scorer.joint:
            raise UsageError(
                f"metric {scorer.name!r} weights edits by what all systems do, so a single sentence has no "
                "score to explain; choose another metric"
            )
    found = []
    for group in track(_groups(_jobs(pairs, method, set(sentences))), "attributing edits"):
        by_metric = [
            _attribute_jobs(scorer, metric, group)
            for scorer, metric in zip(scorers, _labels(scorers), strict=True)
        ]
        found += [attribution for of_job in zip(*by_metric, strict=True) for attribution in of_job]
    return found


def mean_by_type(attributions: Sequence[Attribution]) -> dict[str, dict[str, tuple[int, float]]]:
    """Return for each metric and type how many edits there are and their mean worth.

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
    """Yield jobs in groups of at most so many tokens, so that encoders see many and memory stays bounded.

    A job of more variants is a group of its own, which is scored in parts.
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
    """Return what each set of edits of each job gets; more is better.

    Raises:
        UsageError: The variants of a job are too long together.
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
    """Return the sentence with each set of edits, against its references again and again."""
    kept = [tuple([edit for n, edit in enumerate(job.edits) if chosen >> n & 1]) for chosen in sets]
    blocks = [Block(job.source, (Annotation(0, edits),)) for edits in kept]
    theirs = [job.pair.references[job.sentence - 1]] * len(blocks) if scorer.needs_references else []
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
        # Points count upwards; a worth is in units of the value.
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
