"""How far annotators agree: shared edits, labels of tokens, equal texts, and where they differ.

- Edits are compared as sets: of spans, of spans with corrections, and of these with types.
- Labels of tokens as in Dahlmeier, Ng and Wu (2013), "Building a Large Annotated Corpus of Learner English":
  identification (is the token inside an edit), classification (the type, where both say it is), exact (type and
  correction, where both say it is). Insertions touch no token; with ``gaps`` the places between tokens are further
  items, and the insertions there are their labels.

Pairs of annotators, and all of them together, are counted sentence by sentence, so that memory grows with distinct
labels only. For intervals the counts of each sentence are kept as well, a few bytes for each that is not 0.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, zip_longest
from typing import TypeAlias

import numpy as np

from jperrant.core.apply import apply_edits
from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError, UsageError
from jperrant.core.messages import spoken
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import Annotators, load_annotators
from jperrant.evaluation.agreement.ceiling import SUBSETS, human_ceilings, mean_of
from jperrant.evaluation.agreement.results import (
    LEVELS,
    NO_EDIT,
    Agreement,
    AgreementOptions,
    PairAgreement,
    SentenceAgreement,
    Shared,
    TypeAgreement,
)
from jperrant.evaluation.analysis import FULL, category
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.errant import correction_text
from jperrant.evaluation.metrics.fmeasure import f_measure, f_measures
from jperrant.evaluation.reading import M2Input
from jperrant.evaluation.rows import refused_by
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.scoring import check_written
from jperrant.evaluation.statistics.agreement import MISSING, alpha, alpha_row, kappa, share
from jperrant.evaluation.statistics.significance import SEED, Interval, draws, middle
from jperrant.evaluation.statistics.sparse import SparseRows

#: What edits of one sentence share; a set of these is compared.
Key: TypeAlias = tuple[int | str, ...]
#: Type and correction of the edit that touches an item, None where there is none.
Touch: TypeAlias = tuple[str, str] | None
#: What is counted: the measure, then None and which of its numbers, or the side that uses a label and the label.
Count: TypeAlias = tuple[str, int | None, Hashable]
_KAPPAS = ("kappa_identification", "kappa_classification", "kappa_exact")
_ALPHAS = ("alpha", "alpha_binary")


def agreement(
    *files: M2Input,
    names: Sequence[str] = (),
    metrics: str | Sequence[str] = "errant",
    lang: str | None = None,
    items: str = "tokens",
    level: int = FULL,
    beta: float = 0.5,
    missing: str = "left-out",
    samples: int = 0,
    seed: int = SEED,
    subsets: int = SUBSETS,
    strict: bool = False,
) -> Agreement:
    """Measure how far the annotators of a text agree.

    This is ``jperrant.agreement``.

    Args:
        *files: M2 files, or blocks: one with several annotators, or several with one or more each. Files that cut
            the same text into other sentences or tokens are aligned to the first.
        names: The names of the annotators.
        metrics: Metrics by which each annotator is scored against the others, each with its options
            (``"cleme2:level=sentence"``); none if empty.
        lang: Language whose pack chooses the encoder where a metric uses one.
        items: What the items of kappa and alpha are: ``tokens``, or ``gaps`` for the places between them as well.
        level: What of a type counts: operation (1), category (2) or all of it (3).
        beta: Weight of recall in the F that is given both ways.
        missing: A sentence without an annotation by an annotator is ``left-out``, or counts as ``unchanged``.
        samples: Bootstrap samples for intervals (customary are 1000); 0 for no intervals.
        seed: Of the random numbers.
        subsets: How many sets of other annotators of one size an annotator is scored against at most.
        strict: Make every format deviation of a file an error.

    Raises:
        UsageError: Fewer than two annotators, an unknown metric, an impossible option, or one by which a metric
            would overwrite a file.
        FormatError: A file is not M2, holds another text than the first, or edits that a metric cannot use.

    Example:
        >>> agreed = jperrant.agreement("anna.m2", "ben.m2")
        >>> agreed.pairs[0].values["kappa_identification"]
    """
    options = AgreementOptions(items, level, beta, samples, seed, subsets)
    scorers = make_scorers([metrics] if isinstance(metrics, str) else metrics, {}, lang) if metrics else []
    check_written(scorers, files)
    annotators = load_annotators(files, names, missing, strict, refused_by(scorers))
    return measure_agreement(annotators, options, scorers)


def measure_agreement(
    annotators: Annotators, options: AgreementOptions | None = None, scorers: Sequence[Scorer] = ()
) -> Agreement:
    """Measure how far annotators agree.

    Args:
        annotators: Two or more, as ``load_annotators`` gives them.
        options: How to measure.
        scorers: Metrics by which each annotator is scored against the others.

    Raises:
        UsageError: There is no sentence that two annotators looked at.
    """
    options = options or AgreementOptions()
    found = count_agreement(annotators.blocks, dict(enumerate(annotators.names)), options)
    if not any(pair.sentences for pair in found.pairs):
        raise UsageError(
            f"found no sentence annotated by two of {', '.join(annotators.names)}; agreement needs sentences "
            "that they share"
        )
    ceilings = human_ceilings(annotators, scorers, options.subsets, options.samples, options.seed)
    notes = [*annotators.notes, *(line for ceiling in ceilings for line in ceiling.warnings)]
    return replace(
        found,
        by_type=by_type(annotators, options),
        confusion=confusion(annotators, options),
        sentences=differing_sentences(annotators, options),
        ceilings=ceilings,
        notes=tuple(dict.fromkeys(map(spoken, notes))),
    )


def edit_key(edit: Edit, level: str, cut: int = 3) -> Key:
    """Return what an edit is compared by.

    Args:
        edit: The edit.
        level: ``spans``, ``corrections`` or ``types``.
        cut: What of a type counts: operation (1), category (2) or all of it (3).
    """
    if level == "spans":
        return edit.start, edit.end
    key: Key = (edit.start, edit.end, correction_text(edit))
    return key if level == "corrections" else (*key, category(edit.type, cut))


def keys_of(annotation: Annotation, level: str, cut: int = 3) -> frozenset[Key]:
    """Return what the edits of an annotation are compared by."""
    return frozenset([edit_key(edit, level, cut) for edit in annotation.edits])


def shared_row(first: frozenset[Key], second: frozenset[Key]) -> Shared:
    """Return how many keys both have, the first alone, and the second alone."""
    both = len(first & second)
    return Shared(both, len(first) - both, len(second) - both)


def touches(annotation: Annotation, tokens: int, options: AgreementOptions) -> list[Touch]:
    """Return for each item of a sentence the type and the correction of the last edit that touches it.

    Args:
        annotation: The edits.
        tokens: Number of tokens of the sentence.
        options: Say whether the ``tokens + 1`` places beside the tokens are items, too, which come after them, and
            what of a type counts.
    """
    gaps = options.items == "gaps"
    labels: list[Touch] = [None] * (2 * tokens + 1 if gaps else tokens)
    for edit in annotation.edits:
        places = range(edit.start, edit.end) or ([tokens + edit.start] if gaps else ())
        for place in places:
            labels[place] = category(edit.type, options.level), correction_text(edit)
    return labels


def same_text(source: Sequence[str], annotations: Sequence[Annotation]) -> bool:
    """Whether annotators made the same text of a sentence; of edits that overlap, whether they are the same."""
    try:
        texts = {apply_edits(source, annotation.edits) for annotation in annotations}
    except EditError:
        texts = {annotation.edits for annotation in annotations}  # type: ignore[misc]
    return len(texts) == 1


def count_agreement(
    blocks: Iterable[Block], names: Mapping[int, str], options: AgreementOptions | None = None
) -> Agreement:
    """Return how far annotators agree: pairs, values over all and intervals; no types, confusions or sentences.

    Args:
        blocks: The sentences; they pass once.
        names: The names of the annotators by their numbers.
        options: How to measure.
    """
    options = options or AgreementOptions()
    pairs = {pair: _Counts(options) for pair in combinations(names, 2)}
    joint = _Counts(options)
    sentences = tokens = 0
    for block in blocks:
        sentences, tokens = sentences + 1, tokens + len(block.source)
        own = {a.annotator: a for a in block.annotations}
        labels = {n: touches(own[n], len(block.source), options) for n in names if n in own}
        for (a, b), counts in pairs.items():
            if a in own and b in own:
                found = _pair_counts(block, own[a], own[b], (labels[a], labels[b]), options.level)
                counts.add(found, len(block.source))
        joint.add(_joint_counts(block, list(labels.values())), len(block.source))
    agreed = tuple([_pair(names[a], names[b], counts, options) for (a, b), counts in pairs.items()])
    values, intervals = joint.results(_joint_values)
    means = {name: mean_of([pair.values[name] for pair in agreed]) for name in agreed[0].values}
    return Agreement(
        tuple(names.values()), options, sentences, tokens, agreed, {**means, **values}, intervals
    )


class _Counts:
    """Counts of all sentences and, where intervals are asked for, of each sentence.

    Args:
        options: How to measure.

    Attributes:
        sentences, tokens: What was counted.
    """

    def __init__(self, options: AgreementOptions) -> None:
        self.sentences = self.tokens = 0
        self._options = options
        self._columns: dict[Count, int] = {}
        self._total: list[float] = []
        self._rows = SparseRows() if options.samples else None

    def add(self, counts: Mapping[Count, float], tokens: int) -> None:
        """Add those of a sentence."""
        self.sentences, self.tokens = self.sentences + 1, self.tokens + tokens
        columns = self._columns
        row = {columns.setdefault(key, len(columns)): count for key, count in counts.items() if count}
        self._total += [0] * (len(columns) - len(self._total))
        for column, count in row.items():
            self._total[column] += count
        if self._rows is not None:
            self._rows.add(row)

    def results(
        self, values: Callable[[Mapping[str, FloatArray]], Mapping[str, FloatArray]]
    ) -> tuple[dict[str, float], dict[str, Interval]]:
        """Return values that are computed from the row of each measure, and their intervals."""
        columns = {name: self._columns_of(name) for name in (*_NUMBERS, *_KAPPAS, *_ALPHAS)}

        def of(totals: FloatArray) -> dict[str, float]:
            rows = {name: totals[own] for name, own in columns.items()}
            return {name: float(value) for name, value in values(rows).items()}

        found = of(np.array([*self._total, 0], dtype=np.float64))
        if self._rows is None or not self.sentences:
            return found, {}
        samples, width = self._options.samples, len(self._columns) + 1
        times = track(draws(self.sentences, samples, self._options.seed), "drawing samples", samples)
        drawn = [of(self._rows.totals(one, width)) for one in times]
        intervals = {name: middle(np.array([one[name] for one in drawn])) for name in found}
        return found, {name: one for name, one in intervals.items() if one is not None}

    def row(self, measure: str) -> FloatArray:
        """Return the counts of a measure over all sentences."""
        return np.array([*self._total, 0], dtype=np.float64)[self._columns_of(measure)]

    def _columns_of(self, measure: str) -> list[int]:
        """Return the columns of a measure: its numbers, then for each side those of all labels.

        Counts that never came have the last column, which is 0.
        """
        labels = dict.fromkeys(
            label for name, side, label in self._columns if name == measure and side is not None
        )
        sides = 2 if measure in _KAPPAS else 1
        keys: list[Count] = [(measure, None, n) for n in range(_NUMBERS.get(measure, sides))]
        keys += [(measure, side, label) for side in range(sides) for label in labels]
        return [self._columns.get(key, len(self._columns)) for key in keys]


#: How many numbers the measures without labels have.
_NUMBERS = {"equal_sentences": 2, **dict.fromkeys(LEVELS, 3)}


def _pair_counts(
    block: Block, ours: Annotation, theirs: Annotation, labels: Sequence[Sequence[Touch]], cut: int
) -> dict[Count, float]:
    """Return what two annotators did to a sentence."""
    equal = same_text(block.source, (ours, theirs))
    counts: dict[Count, float] = {("equal_sentences", None, 0): equal, ("equal_sentences", None, 1): 1}
    for level in LEVELS:
        row = shared_row(keys_of(ours, level, cut), keys_of(theirs, level, cut))
        counts |= {(level, None, place): count for place, count in enumerate(row)}
    touched = [pair for pair in zip(*labels, strict=True) if any(pair)]
    others = len(labels[0]) - len(touched)
    both = [(a, b) for a, b in touched if a and b]
    types = [[touch and touch[0] for touch in side] for side in zip(*touched, strict=True)] or [[], []]
    marked = [[type_ if type_ is None else True for type_ in side] for side in types]
    counts |= _kappa_counts("kappa_identification", marked[0], marked[1], others)
    counts |= _kappa_counts("kappa_classification", [a[0] for a, _ in both], [b[0] for _, b in both])
    counts |= _kappa_counts("kappa_exact", [a for a, _ in both], [b for _, b in both])
    counts |= _alpha_counts("alpha", types, others)
    return counts | _alpha_counts("alpha_binary", marked, others)


def _joint_counts(block: Block, labels: Sequence[Sequence[Touch]]) -> dict[Count, float]:
    """Return what all annotators who looked at a sentence did to it."""
    if len(labels) < 2:
        return {}
    types = [[touch and touch[0] for touch in side] for side in labels]
    equal = same_text(block.source, block.annotations)
    counts: dict[Count, float] = {("equal_sentences", None, 0): equal, ("equal_sentences", None, 1): 1}
    counts |= _alpha_counts("alpha", types)
    return counts | _alpha_counts("alpha_binary", [[type_ is not None for type_ in side] for side in types])


def _kappa_counts(
    measure: str, first: Sequence[Hashable], second: Sequence[Hashable], others: int = 0
) -> dict[Count, float]:
    """Return what Cohen's kappa needs of the items of a sentence.

    Args:
        measure: Its name.
        first, second: The labels of two annotators.
        others: How many items more there are, to which both give the label None.
    """
    agreed = sum(a == b for a, b in zip(first, second, strict=True))
    counts: Counter[Count] = Counter(
        {(measure, None, 0): len(first) + others, (measure, None, 1): agreed + others}
    )
    for side, labels in enumerate((first, second)):
        counts.update((measure, side, label) for label in labels)
        counts[measure, side, None] += others
    return dict(counts)


def _alpha_counts(measure: str, labels: Sequence[Sequence[Hashable]], others: int = 0) -> dict[Count, float]:
    """Return what Krippendorff's alpha needs of the items of a sentence.

    Args:
        measure: Its name.
        labels: The labels of each annotator.
        others: How many items more there are, to which all give the label None.
    """
    numbers: dict[Hashable, int] = {}
    numbered = [[numbers.setdefault(label, len(numbers)) for label in side] for side in labels]
    equal, *own = alpha_row(np.array(numbered, dtype=np.int64), len(numbers)).tolist()
    counts: dict[Count, float] = {
        (measure, 0, label): count for label, count in zip(numbers, own, strict=True)
    }
    counts[measure, None, 0] = equal + others * len(labels)
    if others:
        counts[measure, 0, None] = counts.get((measure, 0, None), 0) + others * len(labels)
    return counts


def _pair(first: str, second: str, counts: _Counts, options: AgreementOptions) -> PairAgreement:
    values, intervals = counts.results(lambda rows: _pair_values(rows, options.beta))
    if not counts.sentences:
        values = dict.fromkeys(values, float("nan"))
    shared = {level: Shared(*map(int, counts.row(level))) for level in LEVELS}
    return PairAgreement(first, second, counts.sentences, counts.tokens, shared, values, intervals)


def _pair_values(rows: Mapping[str, FloatArray], beta: float) -> dict[str, FloatArray]:
    """Return the values of two annotators from the row of each measure."""
    values = {"equal_sentences": share(rows["equal_sentences"])}
    for level in LEVELS:
        both, first, second = rows[level]
        ours, theirs = f_measures(both, first, second, beta), f_measures(both, second, first, beta)
        values |= {f"{level}_precision": ours["precision"], f"{level}_recall": ours["recall"]}
        values |= {f"{level}_f1": f_measures(both, first, second, 1.0)["f"]}
        values |= {f"{level}_f": ours["f"], f"{level}_f_reversed": theirs["f"]}
    values |= {name: kappa(rows[name]) for name in _KAPPAS}
    return values | {name: alpha(rows[name]) for name in _ALPHAS}


def _joint_values(rows: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the values over all annotators from the row of each measure."""
    equal = share(rows["equal_sentences"])
    return {"equal_sentences": equal, **{name: alpha(rows[name]) for name in _ALPHAS}}


def by_type(annotators: Annotators, options: AgreementOptions) -> tuple[TypeAgreement, ...]:
    """Return the agreement on each type, the most frequent first."""
    edits: defaultdict[str, Counter[int]] = defaultdict(Counter)
    shared: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for block in annotators.blocks:
        for annotation in block.annotations:
            for edit in annotation.edits:
                edits[category(edit.type, options.level)][annotation.annotator] += 1
        keys = [keys_of(annotation, "types", options.level) for annotation in block.annotations]
        for ours, theirs in combinations(keys, 2):
            for part, own in enumerate((ours & theirs, ours - theirs, theirs - ours)):
                for *_, name in own:
                    shared[str(name)][part] += 1
    alphas = _alphas(annotators, options, sorted(edits))
    found = []
    for name in sorted(edits, key=lambda name: (-edits[name].total(), name)):
        both, first, second = (shared[name][part] for part in range(3))
        counts = tuple([edits[name][n] for n in range(len(annotators.names))])
        f1 = f_measure(both, first, second, beta=1.0)[2] if both + first + second else float("nan")
        found.append(TypeAgreement(name, counts, Shared(both, first, second), f1, alphas[name]))
    return tuple(found)


def _alphas(annotators: Annotators, options: AgreementOptions, types: Sequence[str]) -> dict[str, float]:
    """Return for each type Krippendorff's alpha of whether items are touched by an edit of it."""
    numbers = {name: number for number, name in enumerate(types, start=1)}
    labels: list[list[int]] = [[] for _ in annotators.names]
    for block in annotators.blocks:
        items = len(touches(Annotation(0), len(block.source), options))
        for number, own in enumerate(labels):
            annotation = block.annotation(number)
            if annotation is None:
                own += [MISSING] * items
            else:
                own += [numbers[t[0]] if t else 0 for t in touches(annotation, len(block.source), options)]
    table = np.array(labels, dtype=np.int64)
    return {
        name: float(alpha(alpha_row(np.where(table == MISSING, MISSING, table == number), 2)))
        for name, number in numbers.items()
    }


def confusion(annotators: Annotators, options: AgreementOptions) -> dict[tuple[str, str], int]:
    """Return how often a span has one type with an annotator and another, or no edit, with a later one.

    Of several edits over one span those of the same type are paired first, then the others in their order.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for block in annotators.blocks:
        for ours, theirs in combinations(block.annotations, 2):
            counts.update(_type_pairs(ours, theirs, options.level))
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _type_pairs(ours: Annotation, theirs: Annotation, level: int) -> list[tuple[str, str]]:
    spans: defaultdict[tuple[int, int], tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, annotation in enumerate((ours, theirs)):
        for edit in annotation.edits:
            spans[edit.start, edit.end][side].append(category(edit.type, level))
    pairs = []
    for first, second in spans.values():
        for name in (Counter(first) & Counter(second)).elements():
            first.remove(name)
            second.remove(name)
            pairs.append((name, name))
        pairs += zip_longest(first, second, fillvalue=NO_EDIT)
    return pairs


def differing_sentences(annotators: Annotators, options: AgreementOptions) -> tuple[SentenceAgreement, ...]:
    """Return the sentences in which annotators differ: those with the most differing edits first."""
    people, level = len(annotators.names), options.level
    blocks = enumerate(annotators.blocks, start=1)
    found = [one for number, block in blocks if (one := _sentence(block, number, people, level)) is not None]
    return tuple(sorted(found, key=lambda one: (-one.differing, one.f1, one.number)))


def _sentence(block: Block, number: int, annotators: int, level: int) -> SentenceAgreement | None:
    """Return what differs in a sentence; None where annotators agree or fewer than two looked."""
    keys = {a.annotator: keys_of(a, "types", level) for a in block.annotations}
    if len(set(keys.values())) < 2 and (len(keys) < 2 or same_text(block.source, block.annotations)):
        return None
    shared = frozenset.intersection(*keys.values())
    rows = [shared_row(ours, theirs) for ours, theirs in combinations(keys.values(), 2)]
    differing = sum(first + second for _, first, second in rows)
    corrections = [keys_of(a, "corrections") for a in block.annotations]
    both, first, second = np.sum(
        [shared_row(*pair) for pair in combinations(corrections, 2)], axis=0
    ).tolist()
    return SentenceAgreement(
        number,
        block.source,
        differing,
        f_measure(both, first, second, beta=1.0)[2],
        tuple([_only(block.annotation(n), shared, level) for n in range(annotators)]),
    )


def _only(annotation: Annotation | None, shared: frozenset[Key], level: int) -> tuple[Edit, ...] | None:
    if annotation is None:
        return None
    return tuple([edit for edit in annotation.edits if edit_key(edit, "types", level) not in shared])
