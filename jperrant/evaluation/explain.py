"""How a metric comes to its score, sentence by sentence: CLEME's chunks, UOT's plans, the contributions of edits.

Contributions: the hypothesis is scored with some of its edits applied and the others left out; what an edit is
worth follows from these scores (``statistics/shapley.py``; Goto, Sakai and Watanabe 2025 attribute sentence-level
metrics so). A sentence with some of its edits is scored against its own references alone, so that the figures do
not depend on which other sentences are there; what a metric takes from a whole file (the mean length of chunks in
CLEME) it takes from the variants of the one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack, cast

from jperrant.core.display import shorten
from jperrant.core.edits import apply_edits, edit_words
from jperrant.core.errors import EditError, UsageError
from jperrant.core.messages import plural
from jperrant.core.progress import track
from jperrant.core.tables import Table, as_html
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.inputs import References, Source, Systems
from jperrant.evaluation.metrics.base import Pair, Scorer, annotations_of, check_sentences
from jperrant.evaluation.metrics.cleme.chunk_tables import chunk_tables
from jperrant.evaluation.metrics.cleme.scorer import ChunkScorer
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.metrics.texts import changing
from jperrant.evaluation.scoring import TextKeywords, requested
from jperrant.evaluation.statistics.ranking import sentence_points
from jperrant.evaluation.statistics.shapley import Design, check_method, design, worths

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.cleme.chunk_tables import ChunkTable
    from jperrant.evaluation.metrics.uot.plans import SentencePlan
    from jperrant.evaluation.metrics.uot.scorer import EditVectors

    #: What explains a sentence.
    Explained: TypeAlias = ChunkTable | SentencePlan | "Attribution"

#: What explains a metric.
CHUNKS, PLANS, CONTRIBUTIONS, VECTORS = "chunks", "plans", "contributions", "vectors"
SHAPLEY = "shapley"
#: Variants of sentences that are scored in one go.
_AT_ONCE = 4096
#: Tokens of a sentence from which on it counts as several, and of the variants of one that are scored in one go.
_LONG, _MOST_TOKENS = 1024, 1 << 24
_SEED = 12345
#: Digits of the number of a sentence: a file of more is not read anyway.
_DIGITS = 7


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

    def _repr_html_(self) -> str:
        """Return the contribution of each edit as HTML for a notebook."""
        rows = [
            (edit_words(self.source, edit), edit.type, worth)
            for edit, worth in zip(self.edits, self.worths, strict=True)
        ]
        figures = f"{self.before:.4f} to {self.after:.4f}"
        title = f"{self.hypothesis}, sentence {self.sentence} (counted from 1): {figures}"
        header = ("edit", "type", f"{self.metric} {self.value}")
        return as_html(Table(header, tuple(rows), title, (" ".join(self.source),)))


@dataclass(frozen=True, slots=True)
class _Job:
    """One annotation of one sentence, with the sets of edits that are scored."""

    pair: Pair
    sentence: int
    annotation: Annotation
    edits: tuple[Edit, ...]
    design: Design

    @property
    def weight(self) -> int:
        """How many usual sentences a variant of the sentence takes the memory of."""
        return 1 + len(self.pair.hypothesis[self.sentence - 1].source) // _LONG


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
    """Return what is shown of metrics: ``CHUNKS``, ``PLANS``, ``CONTRIBUTIONS`` or ``VECTORS``.

    Args:
        scorers: The metrics.
        method: Of contributions, if these are asked for.
        by_type: Whether error types are shown and no sentences: contributions, or the edit vectors of UOT.

    Raises:
        UsageError: There is no such method.
    """
    check_method(method or SHAPLEY)
    if method or len(scorers) > 1:
        return CONTRIBUTIONS
    if hasattr(scorers[0], "plans"):  # UOT's, which is imported only where it is used
        return VECTORS if by_type else PLANS
    return CHUNKS if isinstance(scorers[0], ChunkScorer) and not by_type else CONTRIBUTIONS


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
    from jperrant.evaluation.metrics.uot.plans import plans_of

    plans = [plans_of(cast(Any, scorers[0]), pair, sentences) for pair in pairs]
    return [plan for own, _ in plans for plan in own], [note for _, told in plans for note in told]


def edit_vectors(scorer: Scorer, pairs: Sequence[Pair]) -> dict[str, list[EditVectors]]:
    """Return the edit vectors of UOT: of each system, by its name, and of the ``references``, over all sentences.

    Args:
        scorer: The metric, of which ``what_explains`` says ``VECTORS``.
        pairs: The systems with their references; the first one's references are taken.
    """
    from jperrant.evaluation.metrics.uot.plans import vectors_of_sides

    return vectors_of_sides(cast(Any, scorer), pairs)


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
    """Yield jobs in groups of at most so many variants, so that encoders see many and memory stays bounded.

    A job of more variants is a group of its own, which is scored in parts.
    """
    group: list[_Job] = []
    cost = 0
    for job in jobs:
        own = len(job.design.sets) * job.weight
        if group and cost + own > _AT_ONCE:
            yield group
            group, cost = [], 0
        group.append(job)
        cost += own
    if group:
        yield group


def _points(scorer: Scorer, group: Sequence[_Job]) -> list[list[float]]:
    """Return what each set of edits of each job gets; more is better.

    Raises:
        UsageError: A job has too many variants for a metric that needs all of them at once.
    """
    if len(group) > 1:
        scores = evaluate(scorer, [_variants(job, job.design.sets, scorer) for job in group])
        return [sentence_points([score])[0].tolist() for score in scores]
    [job] = group
    sets, source = job.design.sets, job.pair.hypothesis[job.sentence - 1].source
    if scorer.needs_corpus and len(sets) * len(source) > _MOST_TOKENS:
        raise UsageError(
            f"{job.pair.name}: sentence {job.sentence} has {plural(len(job.edits), 'edit')} in {len(source)} "
            f"tokens, too many for contributions to metric {scorer.name!r} with these options; give other "
            "--sentences, or split the line into sentences"
        )
    step = len(sets) if scorer.needs_corpus else max(1, _AT_ONCE // job.weight)
    parts = (_variants(job, sets[start : start + step], scorer) for start in range(0, len(sets), step))
    return [[point for part in parts for point in sentence_points(evaluate(scorer, [part]))[0].tolist()]]


def _variants(job: _Job, sets: Sequence[int], scorer: Scorer) -> Pair:
    """Return the sentence with each set of edits, against its references again and again."""
    source = job.pair.hypothesis[job.sentence - 1].source
    kept = [tuple([edit for n, edit in enumerate(job.edits) if chosen >> n & 1]) for chosen in sets]
    blocks = [Block(source, (Annotation(0, edits),)) for edits in kept]
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
            apply_edits(job.pair.hypothesis[job.sentence - 1].source, job.edits)
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
        before, after = values[0], values[job.design.whole]
        worth = worths(job.design, values)
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
