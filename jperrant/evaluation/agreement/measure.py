"""Inter-annotator agreement: shared edits, Cohen's kappa, Krippendorff's alpha, equal texts, differing sentences.

- Shared edits are counted three times: equal spans; equal spans and corrections; equal spans, corrections and
  types.
- Kappa compares labels of source tokens, as in Dahlmeier, Ng and Wu (2013), "Building a Large Annotated Corpus of
  Learner English". *Identification*: is the token inside an edit? *Classification*: which error type, for tokens
  that both annotators edit. *Exact*: which type and correction, for the same tokens. Insertions cover no token.
- Alpha compares the same labels for any number of annotators.

Sentences are counted one by one, so memory grows with the number of distinct labels and not with the corpus. With
intervals, the non-zero counts of each sentence are kept too, 16 bytes each.
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
from jperrant.evaluation.analysis import FULL, category, check_level
from jperrant.evaluation.metric_names import make_scorers
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.errant import correction_text
from jperrant.evaluation.metrics.fmeasure import MAX_BETA, MIN_BETA, f_measure, f_measures, ratio
from jperrant.evaluation.read_sides import M2Input
from jperrant.evaluation.scoring import refused_by
from jperrant.evaluation.statistics.significance import SEED, Interval, check_samples, draws, middle

#: The part of an edit that is compared: span, correction and type, or the first of these.
Key: TypeAlias = tuple[int | str, ...]
#: The label of a token: type and correction of the edit that covers it, or None if no edit does.
Touch: TypeAlias = tuple[str, ...] | None
#: The name of a count: a measure with one of its numbers, or "items" with the label that each annotator gave.
Count: TypeAlias = tuple[str, int | tuple[Touch, ...]]
_SENTENCES, _ITEMS = "equal_sentences", "items"
#: From counts to values by name.
Measure: TypeAlias = Callable[[FloatArray], Mapping[str, FloatArray]]
#: The three ways to compare edits.
LEVELS = ("spans", "corrections", "types")
#: The type of a missing edit in the confusion of types, and its name in tables and JSON.
NO_EDIT, NO_EDIT_SHOWN = "", "no edit"
#: The values of a pair that tables show by default.
MAIN_VALUES = (
    "equal_sentences", "spans_f1", "corrections_f1", "types_f1", "kappa_identification", "kappa_classification",
    "kappa_exact", "alpha",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """How agreement is measured.

    Attributes:
        level: The part of an error type that is compared: operation (1), category (2) or the full type (3).
        beta: Weight of recall in the F that is given in both directions.
        samples: Number of bootstrap samples for intervals; 0 for no intervals.
        seed: Seed of the random numbers.
        subsets: The largest number of sets of each size that an annotator is scored against (see
            ``agreement.ceiling``).

    Raises:
        UsageError: A value is unknown or out of its range.
    """

    level: int = FULL
    beta: float = option(0.5, "Weight of recall in F.", minimum=MIN_BETA, maximum=MAX_BETA)
    samples: int = 0
    seed: int = SEED
    subsets: int = option(SUBSETS, "The most sets of other annotators of one size.", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)
        check_level(self.level)
        check_samples(self.samples or None, self.seed)


class Shared(NamedTuple):
    """Numbers of edits that both annotators have, only the first has, and only the second has."""

    both: int
    first: int
    second: int


@dataclass(frozen=True)
class PairAgreement:
    """The agreement of two annotators over the sentences that both annotated.

    Attributes:
        first, second: The names of the annotators.
        sentences, tokens: The number of sentences and tokens that both annotated.
        counts: The shared edits by ``spans``, ``corrections`` and ``types``.
        values: Every measure by name; NaN where it is undefined. ``…_precision`` and ``…_f`` score the first
            annotator as a hypothesis against the second; ``…_recall`` and ``…_f_reversed`` score the second against
            the first.
        intervals: 95 % bootstrap intervals of the values that are defined in some sample.
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
    """The agreement on one error type.

    Attributes:
        type: The type, or the part of it that is compared.
        edits: The number of edits of this type by each annotator.
        shared: The shared edits, summed over all pairs of annotators.
        f1: F1 of ``shared``, from 0 to 1.
    """

    type: str
    edits: tuple[int, ...]
    shared: Shared
    f1: float


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """A sentence that annotators correct differently.

    Attributes:
        number: The number of the sentence, counted from 1.
        source: The tokens of the source.
        differing: The number of edits that only one annotator of a pair has, summed over all pairs.
        f1: F1 of equal spans and corrections, over all pairs.
        edits: The edits of each annotator that not all annotators have; None for an annotator who did not annotate
            the sentence.
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
        options: The options of the measurement.
        length, tokens: The number of sentences and tokens of the text.
        pairs: The agreement of every two annotators, in the order of ``names``.
        values: ``alpha``, ``alpha_binary`` and ``equal_sentences`` of all annotators together, and the mean over
            pairs of every other value; NaN where undefined.
        intervals: 95 % bootstrap intervals of ``alpha``, ``alpha_binary`` and ``equal_sentences``.
        by_type: The agreement on each type, the most frequent type first.
        confusion: The number of spans to which one annotator gives the first type and a later annotator the second;
            ``NO_EDIT`` stands for an annotator without an edit over the span.
        sentences: The sentences that differ, those with the most differing edits first.
        ceilings: Each annotator scored against the others, one result for each metric.
        notes: Warnings about the files and the metrics, one line each.
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
        """Return the JSON object that ``jperrant agree --json`` prints; an undefined value is None."""
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
        """Return a part as a JSON object without its key; its edits by the names of the annotators."""
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
    """Measure how far the annotators of a text agree (``jperrant.agreement``).

    Args:
        *files: M2 files, or lists of blocks: one with several annotators, or several with one or more each. A file
            that splits the same text into other sentences or tokens is aligned to the first file.
        names: The names of the annotators; the names of the files or the numbers of the annotators if empty.
        metrics: Metrics that score each annotator against the others, each with its options
            (``"cleme2:level=sentence"``); none if empty.
        lang: The language whose pack chooses the encoder of metrics that use one.
        level: The part of an error type that is compared: operation (1), category (2) or the full type (3).
        beta: Weight of recall in the F that is given in both directions.
        missing: How a sentence that an annotator did not annotate counts: ``left-out`` or ``unchanged``.
        samples: Number of bootstrap samples for intervals (1000 is usual); 0 for no intervals.
        seed: Seed of the random numbers.
        subsets: The largest number of sets of each size that an annotator is scored against.
        strict: Make every deviation of a file from M2 an error.

    Raises:
        UsageError: There are fewer than two annotators, a metric is unknown, or an option is out of its range.
        FormatError: A file is not M2, holds another text than the first file, or has edits that a metric cannot
            use.

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
    """Measure how far the annotators of a text agree, after the text has been read.

    Args:
        annotators: Two or more annotators, from ``load_annotators``.
        options: The options of the measurement.
        scorers: Metrics that score each annotator against the others.

    Raises:
        UsageError: No sentence is annotated by two annotators.
    """
    options = options or AgreementOptions()
    found = count_agreement(annotators.blocks, dict(enumerate(annotators.names)), options)
    if not any(pair.sentences for pair in found.pairs):
        raise UsageError(
            f"found no sentence annotated by two of {', '.join(annotators.names)}; give files over the same "
            "sentences"
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
    """Return the part of an edit that is compared.

    Args:
        edit: The edit.
        level: ``spans``, ``corrections`` or ``types``.
        cut: The part of an error type that is compared: operation (1), category (2) or the full type (3).
    """
    if level == "spans":
        return edit.start, edit.end
    key: Key = (edit.start, edit.end, correction_text(edit))
    return key if level == "corrections" else (*key, category(edit.type, cut))


def keys_of(annotation: Annotation, level: str, cut: int = 3) -> frozenset[Key]:
    """Return the compared parts of an annotation's edits."""
    return frozenset([edit_key(edit, level, cut) for edit in annotation.edits])


def shared_row(first: frozenset[Key], second: frozenset[Key]) -> Shared:
    """Return the numbers of keys in both sets, only in the first, and only in the second."""
    both = len(first & second)
    return Shared(both, len(first) - both, len(second) - both)


def touches(annotation: Annotation, tokens: int, level: int) -> list[Touch]:
    """Return the label of each source token: type and correction of the last edit that covers it, or None.

    Args:
        annotation: The edits of one annotator.
        tokens: The number of source tokens.
        level: The part of an error type that is compared (1, 2 or 3).
    """
    labels: list[Touch] = [None] * tokens
    for edit in annotation.edits:
        for place in range(edit.start, edit.end):
            labels[place] = category(edit.type, level), correction_text(edit)
    return labels


def same_text(source: Sequence[str], annotations: Sequence[Annotation]) -> bool:
    """Whether all annotators correct a sentence to the same text; if edits overlap, whether edits are equal."""
    try:
        texts = {apply_edits(source, annotation.edits) for annotation in annotations}
    except EditError:
        texts = {annotation.edits for annotation in annotations}  # type: ignore[misc]
    return len(texts) == 1


def count_agreement(
    blocks: Iterable[Block], names: Mapping[int, str], options: AgreementOptions | None = None
) -> Agreement:
    """Return the agreement of pairs and of all annotators, with intervals.

    The result has no figures by type, confusion, differing sentences or ceilings.

    Args:
        blocks: The sentences; they are iterated over once.
        names: The names of the annotators by their numbers.
        options: The options of the measurement.
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
    """The counts that the measures of two or more annotators are computed from.

    Counted are sentences, sentences with equal texts, shared edits by level (of two annotators), and tokens by the
    labels that the annotators gave them. For intervals the counts of each sentence are kept too.

    Args:
        options: The options of the measurement.

    Attributes:
        sentences, tokens: The number of sentences and tokens counted so far.
    """

    def __init__(self, options: AgreementOptions) -> None:
        self.sentences = self.tokens = 0
        self._options = options
        self._columns: dict[Count, int] = {}
        self._total: list[float] = []
        #: The non-zero counts of each sentence: their number, their columns, the counts.
        self._rows = (array("q"), array("q"), array("d"))

    def add(self, block: Block, annotations: Sequence[Annotation], labels: Sequence[Sequence[Touch]]) -> None:
        """Count one sentence.

        Args:
            block: The sentence.
            annotations: The annotations; the edits of exactly two are compared with each other.
            labels: The labels that each annotator gave the tokens.
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
        """Return values and intervals, with the measures of a pair or those of all annotators."""
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
        """Return the shared edits of two annotators at one level."""
        return Shared(*self._totals[self._columns_of(level, 3)].astype(int).tolist())

    @property
    def _totals(self) -> FloatArray:
        """All counts, followed by a 0 that stands for every count without a column."""
        return np.array([*self._total, 0], dtype=np.float64)

    def _columns_of(self, measure: str, numbers: int) -> list[int]:
        return [self._columns.get((measure, number), len(self._columns)) for number in range(numbers)]

    def _items(self) -> dict[int, tuple[Touch, ...]]:
        """Return the labels of tokens by the column that counts them."""
        return {column: given for (kind, given), column in self._columns.items() if kind == _ITEMS}  # type: ignore[misc]

    def _measures(self, pair: bool) -> list[Measure]:
        """Return the functions that compute values from counts."""
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
    """Return precision, recall, F1 and F of two annotators' edits, F in both directions."""
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
    """Return a function from counts to Cohen's kappa.

    Args:
        given: The labels of two annotators by the column that counts the tokens with these labels.
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
    """Return a function from counts to Krippendorff's alpha.

    Args:
        given: The labels of two or more annotators by the column that counts the tokens with these labels.
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
    """Return the number of spans by the type of one annotator and that of a later one, the most frequent first.

    If annotators have several edits over one span, edits of equal types are paired first, then the others in order.
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
    """Return the sentences that annotators correct differently, those with the most differing edits first."""
    people, level = len(annotators.names), options.level
    blocks = enumerate(annotators.blocks, start=1)
    found = [one for number, block in blocks if (one := _sentence(block, number, people, level)) is not None]
    return tuple(sorted(found, key=lambda one: (-one.differing, one.f1, one.number)))


def _sentence(block: Block, number: int, annotators: int, level: int) -> SentenceAgreement | None:
    """Return the differences in a sentence; None if annotators agree or fewer than two annotated it."""
    keys = {a.annotator: keys_of(a, "types", level) for a in block.annotations}
    if len(set(keys.values())) < 2 and (len(keys) < 2 or same_text(block.source, block.annotations)):
        return None
    shared = frozenset.intersection(*keys.values())
    rows = [shared_row(ours, theirs) for ours, theirs in combinations(keys.values(), 2)]
    differing = sum(first + second for _, first, second in rows)
    corrections = [keys_of(a, "corrections") for a in block.annotations]
    totals = np.sum([shared_row(*pair) for pair in combinations(corrections, 2)], axis=0).tolist()
    edits = [
        None if own is None else tuple([e for e in own.edits if edit_key(e, "types", level) not in shared])
        for own in map(block.annotation, range(annotators))
    ]
    return SentenceAgreement(number, block.source, differing, f_measure(*totals, beta=1.0)[2], tuple(edits))


def kappa(rows: FloatArray) -> FloatArray:
    """Return Cohen's kappa, in [-1, 1]; NaN without tokens, or if the expected chance agreement is 1.

    Cohen (1960), "A Coefficient of Agreement for Nominal Scales": kappa = (po - pe) / (1 - pe).

    >>> float(kappa(np.array([4.0, 3, 2, 2, 1, 3])))  # labels 0 0 1 1 and 0 1 1 1
    0.5

    Args:
        rows: The number of tokens, the number with equal labels, the frequency of each label by the first
            annotator, and by the second; shape ``(…, 2 + 2 * labels)``.
    """
    items, agreed = rows[..., 0], rows[..., 1]
    first, second = np.split(rows[..., 2:], 2, axis=-1)
    chance = (first * second).sum(axis=-1)
    return ratio(agreed * items - chance, items**2 - chance, math.nan)


def alpha(rows: FloatArray) -> FloatArray:
    """Return Krippendorff's nominal alpha, at most 1; NaN if all labels are equal.

    Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": alpha = 1 - Do / De, for any number of
    annotators and with missing labels.

    >>> round(float(alpha(np.array([6.0, 3, 5]))), 6)  # labels 0 0 1 1 and 0 1 1 1
    0.533333

    Args:
        rows: The sum over tokens of (ordered pairs of equal labels) / (labels - 1), and the frequency of each
            label; shape ``(…, 1 + labels)``.
    """
    equal, frequencies = rows[..., 0], rows[..., 1:]
    total = frequencies.sum(axis=-1)
    observed = total - equal
    expected = (total**2 - (frequencies**2).sum(axis=-1)) / np.maximum(total - 1, 1)
    return 1 - ratio(observed, expected, math.nan)


def share(rows: FloatArray) -> FloatArray:
    """Return the first column of rows divided by the second; NaN for a division by 0."""
    return ratio(rows[..., 0], rows[..., 1], math.nan)
