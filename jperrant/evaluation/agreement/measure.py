"""How far annotators agree: shared edits, labels of tokens, equal texts, and where they differ.

- Edits are compared as sets: of spans, of spans with corrections, and of these with types.
- Labels of tokens as in Dahlmeier, Ng and Wu (2013), "Building a Large Annotated Corpus of Learner English":
  identification (is the token inside an edit), classification (the type, where both say it is), exact (type and
  correction, where both say it is). Insertions touch no token.

Pairs of annotators, and all of them together, are counted sentence by sentence, so that memory grows with distinct
labels only. For intervals the counts of each sentence are kept as well, some bytes for each that is not 0.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, zip_longest
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.display import shorten
from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, UsageError
from jperrant.core.messages import plural, spoken
from jperrant.core.option import check_options, option
from jperrant.core.tables import plain
from jperrant.core.values import Annotation, Block, Edit
from jperrant.core.version import VERSION
from jperrant.evaluation.agreement.annotators import Annotators, load_annotators
from jperrant.evaluation.agreement.ceiling import SUBSETS, HumanCeiling, human_ceilings, mean_of
from jperrant.evaluation.analysis import FULL, category, check_level, check_samples
from jperrant.evaluation.metric_names import make_scorers
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.errant import correction_text
from jperrant.evaluation.metrics.fmeasure import MAX_BETA, MIN_BETA, f_measure, f_measures, ratio
from jperrant.evaluation.read_sides import M2Input
from jperrant.evaluation.scoring import refused_by
from jperrant.evaluation.statistics.significance import SEED, Interval, draws, middle

#: What edits of one sentence share; a set of these is compared.
Key: TypeAlias = tuple[int | str, ...]
#: Type, and correction, of the edit that touches an item, None where there is none.
Touch: TypeAlias = tuple[str, ...] | None
#: What is counted: which of the numbers of a measure, or items by the label that each annotator gave them.
Count: TypeAlias = tuple[str, int | tuple[Touch, ...]]
_SENTENCES, _ITEMS = "equal_sentences", "items"
#: Computes values by name from counts.
Measure: TypeAlias = Callable[[FloatArray], Mapping[str, FloatArray]]
#: What edits are compared by.
LEVELS = ("spans", "corrections", "types")
#: Stands for "no edit" in the confusion of types.
NO_EDIT = ""
#: What it is called in tables and JSON.
NO_EDIT_SHOWN = "no edit"
#: The values of a pair that tables show first.
MAIN_VALUES = (
    "equal_sentences", "spans_f1", "corrections_f1", "types_f1", "kappa_identification", "kappa_classification",
    "kappa_exact", "alpha",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """How agreement is measured.

    Attributes:
        level: What of a type counts: operation (1), category (2) or all of it (3).
        beta: Weight of recall in the F that is given both ways.
        samples: Bootstrap samples for intervals; 0 for no intervals.
        seed: Of the random numbers.
        subsets: How many sets of other annotators of one size an annotator is scored against at most.

    Raises:
        UsageError: A value does not exist or is out of its range.
    """

    level: int = FULL
    beta: float = option(0.5, "Weight of recall in F.", minimum=MIN_BETA, maximum=MAX_BETA)
    samples: int = 0
    seed: int = SEED
    subsets: int = option(SUBSETS, "Sets of others of one size.", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)
        check_level(self.level)
        check_samples(self.samples or None, self.seed)


class Shared(NamedTuple):
    """How many edits two annotators both have, the first alone, and the second alone."""

    both: int
    first: int
    second: int


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators against each other, over the sentences that both looked at.

    Attributes:
        first, second: Their names.
        sentences, tokens: How much both looked at.
        counts: For ``spans``, ``corrections`` and ``types`` how many edits both have, the first alone, the second
            alone.
        values: Every measure by name; NaN where it is undefined. ``…_precision`` and ``…_f`` take the first for the
            hypothesis and the second for the reference; ``…_recall`` and ``…_f_reversed`` are what the other order
            gives.
        intervals: 95 % bootstrap intervals of the values that have one.
    """

    first: str
    second: str
    sentences: int
    tokens: int
    counts: Mapping[str, Shared]
    values: Mapping[str, float]
    intervals: Mapping[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """Agreement on one error type.

    Attributes:
        type: The type, or the part of it that counts.
        edits: How many edits each annotator has of it.
        shared: Over all pairs of annotators, how many edits both have, the first alone, the second alone.
        f1: F1 of these.
    """

    type: str
    edits: tuple[int, ...]
    shared: Shared
    f1: float


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """A sentence in which annotators differ.

    Attributes:
        number: The sentence, counted from 1.
        source: Its tokens.
        differing: Edits that only one of a pair has, over all pairs of annotators.
        f1: F1 of corrections, over all pairs.
        edits: For each annotator the edits that not all others have; None for one who did not look.
    """

    number: int
    source: tuple[str, ...]
    differing: int
    f1: float
    edits: tuple[tuple[Edit, ...] | None, ...]


@dataclass(frozen=True)
class Agreement:
    """The agreement of all annotators of a text.

    Attributes:
        names: The names of the annotators.
        options: How agreement was measured.
        length, tokens: The number of sentences and tokens of the text.
        pairs: Every two annotators, in their order.
        values: Over all annotators: ``alpha``, ``alpha_binary``, ``equal_sentences``, and the mean over pairs of
            the other values; NaN where undefined.
        intervals: Bootstrap intervals of ``alpha``, ``alpha_binary`` and ``equal_sentences``.
        by_type: Every type, the most frequent first.
        confusion: For two types how many edits over one span have the first with one annotator and the second
            with a later one; ``NO_EDIT`` where the other has no edit over the span.
        sentences: The sentences that differ, worst first.
        ceilings: Each annotator scored against the others, by each metric that was asked for.
        notes: What users should know of the files and the metrics, one line each.
    """

    names: tuple[str, ...]
    options: AgreementOptions
    length: int
    tokens: int
    pairs: tuple[PairAgreement, ...]
    values: Mapping[str, float]
    intervals: Mapping[str, Interval] = field(repr=False)
    by_type: tuple[TypeAgreement, ...] = field(default=(), repr=False)
    confusion: Mapping[tuple[str, str], int] = field(default_factory=dict, repr=False)
    sentences: tuple[SentenceAgreement, ...] = field(default=(), repr=False)
    ceilings: tuple[HumanCeiling, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = {name: self.values[name] for name in ("corrections_f1", "kappa_identification", "alpha")}
        figures = ", ".join(f"{k} {'undefined' if math.isnan(v) else f'{v:.4f}'}" for k, v in shown.items())
        sentences = plural(self.length, "sentence")
        return f"<Agreement of {shorten(', '.join(self.names))}: {figures} ({sentences})>"

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as the object that ``jperrant agree --json`` prints; an undefined value is None."""
        options = self.options
        settings = f"level:{options.level}|beta:{options.beta:g}"
        return {
            "annotators": list(self.names),
            "signature": f"agree|{settings}|v:{VERSION}",
            "sentences": self.length,
            "tokens": self.tokens,
            "samples": options.samples,
            "seed": options.seed,
            "values": plain(self.values),
            "intervals": plain(self.intervals),
            "pairs": plain(self.pairs),
            "metrics": [_ceiling_object(ceiling) for ceiling in self.ceilings],
            "by_type": {one.type: self._by_annotator(one, "type") for one in self.by_type},
            "confusion": _nested(self.confusion),
            "sentences_that_differ": [
                {"sentence": one.number, **self._by_annotator(one, "number"), "source": " ".join(one.source)}
                for one in self.sentences
            ],
            "notes": list(self.notes),
        }

    def _by_annotator(self, one: TypeAgreement | SentenceAgreement, key: str) -> dict[str, Any]:
        """Return a part but for its key, its edits by annotator."""
        found = plain(one)
        del found[key]
        return {**found, "edits": dict(zip(self.names, found["edits"], strict=True))}


def _ceiling_object(ceiling: HumanCeiling) -> dict[str, Any]:
    return {
        "metric": ceiling.metric,
        "value": ceiling.value,
        "signature": ceiling.signature,
        "against_the_rest": plain(ceiling.scores),
        "human_ceiling": plain(ceiling.ceilings),
    }


def _nested(confusion: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (first, second), count in sorted(confusion.items()):
        nested.setdefault(first or NO_EDIT_SHOWN, {})[second or NO_EDIT_SHOWN] = count
    return nested


def agreement(
    *files: M2Input,
    names: Sequence[str] = (),
    metrics: str | Sequence[str] = "errant",
    lang: str | None = None,
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
        level: What of a type counts: operation (1), category (2) or all of it (3).
        beta: Weight of recall in the F that is given both ways.
        missing: A sentence without an annotation by an annotator is ``left-out``, or counts as ``unchanged``.
        samples: Bootstrap samples for intervals (customary are 1000); 0 for no intervals.
        seed: Of the random numbers.
        subsets: How many sets of other annotators of one size an annotator is scored against at most.
        strict: Make every format deviation of a file an error.

    Raises:
        UsageError: Fewer than two annotators, an unknown metric, or an impossible option.
        FormatError: A file is not M2, holds another text than the first, or edits that a metric cannot use.

    Example:
        >>> agreed = jperrant.agreement("anna.m2", "ben.m2")
        >>> agreed.pairs[0].values["kappa_identification"]
    """
    options = AgreementOptions(level, beta, samples, seed, subsets)
    scorers = make_scorers([metrics] if isinstance(metrics, str) else metrics, lang) if metrics else []
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
    ceilings = human_ceilings(annotators, scorers, options.subsets, options.seed)
    notes = [*annotators.notes, *(line for ceiling in ceilings for line in ceiling.warnings)]
    return replace(
        found,
        by_type=_by_type(annotators, options),
        confusion=_confusion(annotators, options),
        sentences=_differing_sentences(annotators, options),
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


def touches(annotation: Annotation, tokens: int, level: int) -> list[Touch]:
    """Return for each token of a sentence the type and the correction of the last edit that touches it.

    Args:
        annotation: The edits.
        tokens: Number of tokens of the sentence.
        level: What of a type counts.
    """
    labels: list[Touch] = [None] * tokens
    for edit in annotation.edits:
        for place in range(edit.start, edit.end):
            labels[place] = category(edit.type, level), correction_text(edit)
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
        labels = {n: touches(own[n], len(block.source), options.level) for n in names if n in own}
        for (a, b), counts in pairs.items():
            if a in own and b in own:
                counts.add(block, (own[a], own[b]), (labels[a], labels[b]))
        types = [[touch and touch[:1] for touch in side] for side in labels.values()]
        joint.add(block, block.annotations, types)
    agreed = tuple([_pair(names[a], names[b], counts) for (a, b), counts in pairs.items()])
    values, intervals = joint.results(pair=False)
    means = {name: mean_of([pair.values[name] for pair in agreed]) for name in agreed[0].values}
    values = {**means, **values}
    return Agreement(tuple(names.values()), options, sentences, tokens, agreed, values, intervals)


class _Counts:
    """Counts of all sentences and, where intervals are asked for, of each sentence.

    Counted are sentences, equal ones, edits of two annotators by level, and items by the labels that each annotator
    gave them.

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
        #: Of each sentence the counts that are not 0: how many there are, their columns and themselves.
        self._rows = (array("q"), array("q"), array("d"))

    def add(self, block: Block, annotations: Sequence[Annotation], labels: Sequence[Sequence[Touch]]) -> None:
        """Add what annotators did to a sentence.

        Args:
            block: The sentence.
            annotations: Their edits; those of two are also compared.
            labels: The label that each of them gave each item.
        """
        self.sentences, self.tokens = self.sentences + 1, self.tokens + len(block.source)
        counts: dict[Count, float] = {}
        if len(labels) > 1:
            counts = {(_SENTENCES, 1): 1, (_SENTENCES, 0): same_text(block.source, annotations)}
            counts |= {(_ITEMS, given): count for given, count in Counter(zip(*labels, strict=True)).items()}
        for level in LEVELS if len(labels) == 2 else ():
            row = shared_row(*(keys_of(one, level, self._options.level) for one in annotations))
            counts |= {(level, place): count for place, count in enumerate(row)}
        columns = self._columns
        row_of = {columns.setdefault(key, len(columns)): count for key, count in counts.items() if count}
        self._total += [0] * (len(columns) - len(self._total))
        for column, count in row_of.items():
            self._total[column] += count
        if self._options.samples:
            lengths, places, numbers = self._rows
            lengths.append(len(row_of))
            places.extend(row_of)
            numbers.extend(row_of.values())

    def results(self, pair: bool) -> tuple[dict[str, float], dict[str, Interval]]:
        """Return the values and their intervals, of two annotators or of all of them."""
        measures = self._measures(pair)

        def of(totals: FloatArray) -> dict[str, float]:
            return {name: float(value) for measure in measures for name, value in measure(totals).items()}

        found = of(self._totals)
        if not self._options.samples or not self.sentences:
            return found, {}
        lengths, columns = (np.array(self._rows[n], dtype=np.int64) for n in range(2))
        counts, width = np.array(self._rows[2], dtype=np.float64), len(self._columns) + 1
        drawn = [
            of(np.bincount(columns, np.repeat(times, lengths) * counts, minlength=width).astype(np.float64))
            for several in draws(self.sentences, self._options.samples, self._options.seed)
            for times in several
        ]
        intervals = {name: middle(np.array([one[name] for one in drawn])) for name in found}
        return found, {name: one for name, one in intervals.items() if one is not None}

    def shared(self, level: str) -> Shared:
        """Return how many edits both of two annotators have, the first alone, and the second alone."""
        return Shared(*self._totals[self._columns_of(level, 3)].astype(int).tolist())

    @property
    def _totals(self) -> FloatArray:
        """All counts, and a 0 for those that never came."""
        return np.array([*self._total, 0], dtype=np.float64)

    def _columns_of(self, measure: str, numbers: int) -> list[int]:
        return [self._columns.get((measure, number), len(self._columns)) for number in range(numbers)]

    def _items(self) -> dict[int, tuple[Touch, ...]]:
        """Return the labels of items by the column that counts these."""
        return {column: given for (kind, given), column in self._columns.items() if kind == _ITEMS}  # type: ignore[misc]

    def _measures(self, pair: bool) -> list[Measure]:
        """Return what computes the values from counts."""
        equal, items, beta = self._columns_of(_SENTENCES, 2), self._items(), self._options.beta
        marked = {column: [touch is not None for touch in given] for column, given in items.items()}
        types = {column: [touch and touch[0] for touch in given] for column, given in items.items()}
        both = {column: given for column, given in items.items() if all(given)}
        measures: list[Measure] = [lambda totals: {"equal_sentences": share(totals[equal])}]
        coefficients = {"alpha": _alpha(types), "alpha_binary": _alpha(marked)}
        if pair:
            for level in LEVELS:
                measures.append(partial(_shared_values, level, self._columns_of(level, 3), beta))
            coefficients = {
                "kappa_identification": _kappa(marked),
                "kappa_classification": _kappa({column: types[column] for column in both}),
                "kappa_exact": _kappa(both),
                **coefficients,
            }
        return [*measures, lambda totals: {name: of(totals) for name, of in coefficients.items()}]


def _shared_values(level: str, columns: list[int], beta: float, totals: FloatArray) -> dict[str, FloatArray]:
    """Return precision, recall and F of two annotators' edits, both ways."""
    both, first, second = totals[columns]
    ours, theirs = f_measures(both, first, second, beta), f_measures(both, second, first, beta)
    return {
        f"{level}_precision": ours["precision"],
        f"{level}_recall": ours["recall"],
        f"{level}_f1": f_measures(both, first, second, 1.0)["f"],
        f"{level}_f": ours["f"],
        f"{level}_f_reversed": theirs["f"],
    }


def _kappa(given: Mapping[int, Sequence[Hashable]]) -> Callable[[FloatArray], FloatArray]:
    """Return what computes Cohen's kappa from counts.

    Args:
        given: By the column that counts items, the labels that two annotators gave them.
    """
    numbers: dict[Hashable, int] = {}
    numbered = [[numbers.setdefault(label, len(numbers)) for label in labels] for labels in given.values()]
    sides, columns = np.array(numbered, dtype=np.intp).reshape(-1, 2), np.array([*given], dtype=np.intp)
    agreed = sides[:, 0] == sides[:, 1]

    def of(totals: FloatArray) -> FloatArray:
        items = totals[columns]
        counts = [np.bincount(side, items, minlength=len(numbers)) for side in sides.T]
        return kappa(np.concatenate([[items.sum(), items[agreed].sum()], *counts]))

    return of


def _alpha(given: Mapping[int, Sequence[Hashable]]) -> Callable[[FloatArray], FloatArray]:
    """Return what computes Krippendorff's alpha from counts.

    Args:
        given: By the column that counts items, the labels that annotators gave them, two or more.
    """
    numbers: dict[Hashable, int] = {}
    labels = [(column, numbers.setdefault(one, len(numbers))) for column, own in given.items() for one in own]
    places = np.array(labels, dtype=np.intp).reshape(-1, 2)
    columns = np.array([*given], dtype=np.intp)
    equal = np.array(
        [sum(n * (n - 1) for n in Counter(own).values()) / (len(own) - 1) for own in given.values()]
    )

    def of(totals: FloatArray) -> FloatArray:
        frequencies = np.bincount(places[:, 1], totals[places[:, 0]], minlength=len(numbers))
        return alpha(np.concatenate([[(equal * totals[columns]).sum()], frequencies]))

    return of


def _pair(first: str, second: str, counts: _Counts) -> PairAgreement:
    values, intervals = counts.results(pair=True)
    if not counts.sentences:
        values = dict.fromkeys(values, float("nan"))
    shared = {level: counts.shared(level) for level in LEVELS}
    return PairAgreement(first, second, counts.sentences, counts.tokens, shared, values, intervals)


def _by_type(annotators: Annotators, options: AgreementOptions) -> tuple[TypeAgreement, ...]:
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
    found = []
    for name in sorted(edits, key=lambda name: (-edits[name].total(), name)):
        both, first, second = (shared[name][part] for part in range(3))
        counts = tuple([edits[name][n] for n in range(len(annotators.names))])
        f1 = f_measure(both, first, second, beta=1.0)[2] if both + first + second else float("nan")
        found.append(TypeAgreement(name, counts, Shared(both, first, second), f1))
    return tuple(found)


def _confusion(annotators: Annotators, options: AgreementOptions) -> dict[tuple[str, str], int]:
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


def _differing_sentences(annotators: Annotators, options: AgreementOptions) -> tuple[SentenceAgreement, ...]:
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


def kappa(rows: FloatArray) -> FloatArray:
    """Return Cohen's kappa, in [-1, 1]; NaN without items or where chance gives full agreement.

    Cohen (1960), "A Coefficient of Agreement for Nominal Scales": kappa = (po - pe) / (1 - pe).

    >>> float(kappa(np.array([4.0, 3, 2, 2, 1, 3])))  # labels 0 0 1 1 and 0 1 1 1
    0.5

    Args:
        rows: Items, items with equal labels, and the frequency of each label with the first coder and with the
            second; shape ``(…, 2 + 2 * labels)``.
    """
    items, agreed = rows[..., 0], rows[..., 1]
    first, second = np.split(rows[..., 2:], 2, axis=-1)
    chance = (first * second).sum(axis=-1)
    return ratio(agreed * items - chance, items**2 - chance, math.nan)


def alpha(rows: FloatArray) -> FloatArray:
    """Return Krippendorff's nominal alpha, at most 1; NaN where no two labels differ.

    Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": alpha = 1 - Do / De, any number of coders,
    missing labels.

    >>> round(float(alpha(np.array([6.0, 3, 5]))), 6)  # labels 0 0 1 1 and 0 1 1 1
    0.533333

    Args:
        rows: The number of equal pairs, each item's divided by its number of labels less one, and the frequency of
            each label; shape ``(…, 1 + labels)``.
    """
    equal, frequencies = rows[..., 0], rows[..., 1:]
    total = frequencies.sum(axis=-1)
    observed = total - equal
    expected = (total**2 - (frequencies**2).sum(axis=-1)) / np.maximum(total - 1, 1)
    return 1 - ratio(observed, expected, math.nan)


def share(rows: FloatArray) -> FloatArray:
    """Return the first column of rows divided by the second; NaN where that is 0."""
    return ratio(rows[..., 0], rows[..., 1], math.nan)
