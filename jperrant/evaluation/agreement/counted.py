"""Agreement of annotators from counts: sentences pass one by one, and memory grows with distinct labels only.

For intervals the counts of each sentence are kept as well, a few bytes for each that is not 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.agreement.annotators import UNSEEN_BY_STATS, Annotators, missing_line, same_line
from jperrant.evaluation.agreement.counts import LEVELS, Touch, keys_of, same_text, shared_row, touches
from jperrant.evaluation.agreement.pairs import joint_value, mean_of_pairs, pair_agreement, pair_values
from jperrant.evaluation.agreement.results import Agreement, AgreementOptions, PairAgreement
from jperrant.evaluation.statistics.agreement import alpha_row
from jperrant.evaluation.statistics.significance import Interval, draws, middle
from jperrant.evaluation.statistics.sparse import SparseRows

#: What is counted: the measure, and of it a number, or a label with the side that uses it.
Key: TypeAlias = tuple[str, Hashable, Hashable]
#: The number of items, and of those with equal labels.
_ITEMS, _AGREED = "items", "agreed"
_KAPPAS = ("kappa_identification", "kappa_classification", "kappa_exact")
#: From which labels each alpha of a pair is.
_ALPHAS = {"alpha": "classes", "alpha_binary": "kappa_identification"}


def count_agreement(
    blocks: Iterable[Block], numbers: Sequence[int], options: AgreementOptions | None = None
) -> Agreement:
    """Return how far the annotators of a file agree: pairs, values and intervals, as ``measure_agreement`` does.

    There are no types, confusions or sentences, for which all sentences must be there.

    Args:
        blocks: The sentences.
        numbers: The annotators.
        options: How to measure.
    """
    options = options or AgreementOptions()
    pairs = {(a, b): _Pair(options) for a, b in combinations(numbers, 2)}
    joint, missing = _Joint(options), {number: [0, 0] for number in numbers}
    sentences = tokens = 0
    for block in blocks:
        sentences, tokens = sentences + 1, tokens + len(block.source)
        own = {a.annotator: a for a in block.annotations}
        for number in numbers:
            if number not in own:
                count, first = missing[number]
                missing[number] = [count + 1, first or sentences]
        labels = {n: touches(a, len(block.source), options.items, options.level) for n, a in own.items()}
        for (a, b), pair in pairs.items():
            pair.same = pair.same and (own.get(a) and own[a].edits) == (own.get(b) and own[b].edits)
            if a in own and b in own:
                pair.add(block, (own[a], own[b]), (labels[a], labels[b]))
        joint.add(block, [labels[number] for number in numbers if number in labels])
    names = {number: str(number) for number in numbers}
    notes = [
        missing_line(names[n], count, first, UNSEEN_BY_STATS)
        for n, (count, first) in missing.items()
        if count
    ]
    notes += [same_line(names[a], names[b]) for (a, b), pair in pairs.items() if pair.same and pair.has_edits]
    found = tuple([pair.agreement(names[a], names[b]) for (a, b), pair in pairs.items()])
    values = {**mean_of_pairs(found), **joint.values()}
    annotators = Annotators(tuple(names.values()), (), tuple(notes), (sentences, tokens))
    return Agreement(annotators, options, found, values, joint.intervals(), (), {}, ())


class _Counts:
    """Counts of all sentences and, where intervals are asked for, of each sentence.

    Args:
        options: How to measure.
    """

    def __init__(self, options: AgreementOptions) -> None:
        self._options = options
        self._numbers: dict[Key, int] = {}
        self._total: list[float] = []
        self._rows = SparseRows() if options.samples else None

    def add(self, counts: Mapping[Key, float]) -> None:
        """Add those of a sentence."""
        row = {self._numbers.setdefault(key, len(self._numbers)): count for key, count in counts.items()}
        self._total += [0] * (len(self._numbers) - len(self._total))
        for column, count in row.items():
            self._total[column] += count
        if self._rows is not None:
            self._rows.add(row)

    def total(self) -> FloatArray:
        """Return the counts of all sentences, shape ``(columns,)``; the last one is 0."""
        return np.array([*self._total, 0], dtype=np.float64)

    def columns(self, keys: Iterable[Key]) -> list[int]:
        """Return the columns of counts; of those that never came, the last one."""
        return [self._numbers.get(key, len(self._numbers)) for key in keys]

    def labels(self, measure: str, side: Hashable) -> list[Hashable]:
        """Return the labels that one side uses."""
        return [label for name, own, label in self._numbers if name == measure and own == side]

    def intervals(self, values: Callable[[FloatArray], Mapping[str, float]]) -> dict[str, Interval]:
        """Return the intervals of values that are computed from counts such as ``total``."""
        if self._rows is None or not len(self._rows):
            return {}
        drawn: dict[str, list[float]] = {}
        samples = self._options.samples
        for times in track(draws(len(self._rows), samples, self._options.seed), "drawing samples", samples):
            for name, value in values(self._rows.totals(times, len(self._numbers) + 1)).items():
                drawn.setdefault(name, []).append(value)
        found = {name: middle(np.array(own)) for name, own in drawn.items()}
        return {name: interval for name, interval in found.items() if interval is not None}


def _kappa_counts(
    measure: str, first: Sequence[Hashable], second: Sequence[Hashable], others: int = 0
) -> dict[Key, float]:
    """Return what Cohen's kappa needs of the items of a sentence.

    Args:
        measure: Its name.
        first, second: The labels of two annotators.
        others: How many items more there are, to which both give the label None.
    """
    counts: Counter[Key] = Counter()
    for side, labels in enumerate((first, second)):
        for label in labels:
            counts[measure, side, label] += 1
        counts[measure, side, None] += others
    counts[measure, _ITEMS, None] = len(first) + others
    counts[measure, _AGREED, None] = others + sum(a == b for a, b in zip(first, second, strict=True))
    return {key: count for key, count in counts.items() if count}


@dataclass
class _Pair:
    """What two annotators did to the sentences that both looked at."""

    options: AgreementOptions
    sentences: int = 0
    tokens: int = 0
    same: bool = True
    has_edits: bool = False
    counts: _Counts = field(init=False)

    def __post_init__(self) -> None:
        self.counts = _Counts(self.options)

    def add(self, block: Block, sides: Sequence[Annotation], labels: Sequence[Sequence[Touch]]) -> None:
        self.sentences += 1
        self.tokens += len(block.source)
        self.has_edits = self.has_edits or bool(sides[0].edits)
        counts: dict[Key, float] = {("equal_sentences", _ITEMS, None): 1}
        counts["equal_sentences", _AGREED, None] = same_text(block.source, sides)
        for level in LEVELS:
            cut = self.options.level
            row = shared_row(keys_of(sides[0], level, cut), keys_of(sides[1], level, cut))
            counts |= {(level, place, None): count for place, count in enumerate(row) if count}
        touched = [(a, b) for a, b in zip(*labels, strict=True) if a or b]
        others = len(labels[0]) - len(touched)
        ours, theirs = ([pair[side][0] if pair[side] else None for pair in touched] for side in (0, 1))
        both = [(a, b) for a, b in touched if a and b]
        marked = [[None if type_ is None else True for type_ in side] for side in (ours, theirs)]
        counts |= _kappa_counts("kappa_identification", marked[0], marked[1], others)
        counts |= _kappa_counts("classes", ours, theirs, others)
        counts |= _kappa_counts("kappa_classification", [a[0] for a, _ in both], [b[0] for _, b in both])
        counts |= _kappa_counts("kappa_exact", [a for a, _ in both], [b for _, b in both])
        self.counts.add(counts)

    def agreement(self, first: str, second: str) -> PairAgreement:
        columns = self._columns()

        def totals(counts: FloatArray) -> dict[str, FloatArray]:
            rows = {measure: counts[own] for measure, own in columns.items()}
            for name, measure in _ALPHAS.items():
                frequencies = counts[columns[f"{measure} 0"]] + counts[columns[f"{measure} 1"]]
                rows[name] = np.concatenate([[2 * rows[measure][1]], frequencies])
            return rows

        def values(counts: FloatArray) -> dict[str, float]:
            return {name: float(v) for name, v in pair_values(totals(counts), self.options.beta).items()}

        found = totals(self.counts.total())
        intervals = self.counts.intervals(values)
        return pair_agreement(
            (first, second), self.sentences, self.tokens, found, self.options, intervals=intervals
        )

    def _columns(self) -> dict[str, list[int]]:
        """Return the columns of the counts of each measure, in the order in which its value takes them."""
        columns = {
            level: self.counts.columns([(level, place, None) for place in range(3)]) for level in LEVELS
        }
        columns["equal_sentences"] = self.counts.columns(
            [("equal_sentences", what, None) for what in (_AGREED, _ITEMS)]
        )
        for measure in (*_KAPPAS, "classes"):
            used = [self.counts.labels(measure, side) for side in (0, 1)]
            every = list(dict.fromkeys([*used[0], *used[1]]))
            # Labels that only one annotator uses never agree, nor by chance.
            theirs = set(used[1])
            shared = [label for label in used[0] if label in theirs]
            keys: list[Key] = [(measure, what, None) for what in (_ITEMS, _AGREED)]
            keys += [(measure, side, label) for side in (0, 1) for label in shared]
            columns[measure] = self.counts.columns(keys)
            for side in (0, 1):
                columns[f"{measure} {side}"] = self.counts.columns(
                    [(measure, side, label) for label in every]
                )
        return columns


class _Joint:
    """What all annotators together did.

    Args:
        options: How to measure.
    """

    def __init__(self, options: AgreementOptions) -> None:
        self._counts = _Counts(options)

    def add(self, block: Block, labels: Sequence[Sequence[Touch]]) -> None:
        if len(labels) < 2:
            self._counts.add({})
            return
        types = [[touch[0] if touch else None for touch in side] for side in labels]
        equal = ("equal_sentences", _AGREED, None), ("equal_sentences", _ITEMS, None)
        counts: dict[Key, float] = {equal[0]: same_text(block.source, block.annotations), equal[1]: 1}
        counts |= self._frequencies("alpha", types)
        counts |= self._frequencies("alpha_binary", [[type_ is not None for type_ in side] for side in types])
        self._counts.add(counts)

    def _frequencies(self, name: str, labels: Sequence[Sequence[Hashable]]) -> dict[Key, float]:
        numbers: dict[Hashable, int] = {}
        numbered = [[numbers.setdefault(label, len(numbers)) for label in side] for side in labels]
        row = alpha_row(np.array(numbered, dtype=np.int64).reshape(len(labels), -1), len(numbers)).tolist()
        found: dict[Key, float] = {(name, _AGREED, None): row[0]}
        return found | {(name, 0, label): count for label, count in zip(numbers, row[1:], strict=True)}

    def values(self) -> dict[str, float]:
        return self._values(self._counts.total())

    def intervals(self) -> dict[str, Interval]:
        return self._counts.intervals(self._values)

    def _values(self, counts: FloatArray) -> dict[str, float]:
        keys: dict[str, list[Key]] = {
            "equal_sentences": [("equal_sentences", what, None) for what in (_AGREED, _ITEMS)]
        }
        for name in ("alpha", "alpha_binary"):
            labels = self._counts.labels(name, 0)
            keys[name] = [(name, _AGREED, None), *((name, 0, label) for label in labels)]
        rows = {name: counts[self._counts.columns(own)] for name, own in keys.items()}
        return {name: float(joint_value(name, row)) for name, row in rows.items()}
