"""How far annotators agree, counted sentence by sentence: shared edits, labels of tokens, equal texts.

- Edits are compared as sets: of spans, of spans with corrections, and of these with types.
- Labels of tokens as in Dahlmeier, Ng and Wu (2013), "Building a Large Annotated Corpus of Learner English":
  identification (is the token inside an edit), classification (the type, where both say it is), exact (type and
  correction, where both say it is). Insertions touch no token; with ``gaps`` the places between tokens are further
  items, and the insertions there are their labels.

Memory grows with distinct labels only. For intervals the counts of each sentence are kept as well, a few bytes for
each that is not 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from jperrant.core.apply import apply_edits
from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.ceiling import mean_of
from jperrant.evaluation.agreement.results import LEVELS, Agreement, AgreementOptions, PairAgreement, Shared
from jperrant.evaluation.breakdown import category
from jperrant.evaluation.metrics.errant import correction_text
from jperrant.evaluation.metrics.fmeasure import f_measures
from jperrant.evaluation.statistics.agreement import alpha, alpha_row, kappa, share
from jperrant.evaluation.statistics.significance import Interval, draws, middle
from jperrant.evaluation.statistics.sparse import SparseRows

#: What edits of one sentence share; a set of these is compared.
Key: TypeAlias = tuple[int | str, ...]
#: Type and correction of the edit that touches an item, None where there is none.
Touch: TypeAlias = tuple[str, str] | None
#: What is counted: the measure, then None and which of its numbers, or the side that uses a label and the label.
Count: TypeAlias = tuple[str, int | None, Hashable]
_KAPPAS = ("kappa_identification", "kappa_classification", "kappa_exact")
_ALPHAS = ("alpha", "alpha_binary")


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
    types = [[pair[side] and pair[side][0] for pair in touched] for side in (0, 1)]  # type: ignore[index]
    marked = [[type_ if type_ is None else True for type_ in side] for side in types]
    counts |= _kappa_counts("kappa_identification", *marked, others)
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
