"""Agreement of annotators from counts: sentences pass one by one, and memory grows with distinct labels only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.agreement.annotators import Annotators, missing_line, same_line
from jperrant.evaluation.agreement.counts import LEVELS, Touch, keys_of, same_text, shared_row, touches
from jperrant.evaluation.agreement.pairs import joint_value, mean_of_pairs, pair_agreement
from jperrant.evaluation.agreement.results import Agreement, AgreementOptions, PairAgreement
from jperrant.evaluation.statistics.agreement import alpha_row


def count_agreement(
    blocks: Iterable[Block], numbers: Sequence[int], options: AgreementOptions | None = None
) -> Agreement:
    """Return how far the annotators of a file agree: pairs and values, as ``measure_agreement`` does.

    There are no intervals, types, confusions or sentences, for which all sentences must be there.

    Args:
        blocks: The sentences.
        numbers: The annotators.
        options: How to measure.
    """
    options = options or AgreementOptions()
    pairs = {(a, b): _Pair() for a, b in combinations(numbers, 2)}
    joint, missing = _Joint(), {number: [0, 0] for number in numbers}
    for sentence, block in enumerate(blocks, start=1):
        own = {a.annotator: a for a in block.annotations}
        for number in numbers:
            if number not in own:
                count, first = missing[number]
                missing[number] = [count + 1, first or sentence]
        labels = {n: touches(a, len(block.source), options.items, options.level) for n, a in own.items()}
        for (a, b), pair in pairs.items():
            pair.same = pair.same and (own.get(a) and own[a].edits) == (own.get(b) and own[b].edits)
            if a in own and b in own:
                pair.add(block, (own[a], own[b]), (labels[a], labels[b]), options.level)
        joint.add(block, [labels[number] for number in numbers if number in labels])
    names = {number: str(number) for number in numbers}
    notes = [missing_line(names[n], *found) for n, found in missing.items() if found[0]]
    notes += [same_line(names[a], names[b]) for (a, b), pair in pairs.items() if pair.same and pair.has_edits]
    found = tuple([pair.agreement(names[a], names[b], options) for (a, b), pair in pairs.items()])
    values = {**mean_of_pairs(found), **joint.values()}
    annotators = Annotators(tuple(names.values()), (), tuple(notes))
    return Agreement(annotators, options, found, values, {}, (), {}, ())


@dataclass
class _Kappa:
    """What Cohen's kappa needs, label by label."""

    items: int = 0
    agreed: int = 0
    labels: tuple[Counter[Hashable], Counter[Hashable]] = field(
        default_factory=lambda: (Counter(), Counter())
    )

    def add(self, first: Sequence[Hashable], second: Sequence[Hashable]) -> None:
        self.items += len(first)
        self.agreed += sum(a == b for a, b in zip(first, second, strict=True))
        self.labels[0].update(first)
        self.labels[1].update(second)

    def row(self) -> FloatArray:
        # Labels that only one annotator uses never agree, nor by chance.
        shared = [label for label in self.labels[0] if label in self.labels[1]]
        counts = [[own[label] for label in shared] for own in self.labels]
        return np.array([self.items, self.agreed, *counts[0], *counts[1]], dtype=np.float64)

    def alpha(self) -> FloatArray:
        both = self.labels[0] + self.labels[1]
        return np.array([2 * self.agreed, *both.values()], dtype=np.float64)


@dataclass
class _Pair:
    """What two annotators did to the sentences that both looked at."""

    sentences: int = 0
    tokens: int = 0
    equal: int = 0
    same: bool = True
    has_edits: bool = False
    levels: dict[str, list[int]] = field(default_factory=lambda: {level: [0, 0, 0] for level in LEVELS})
    touched: _Kappa = field(default_factory=_Kappa)
    classes: _Kappa = field(default_factory=_Kappa)
    both: _Kappa = field(default_factory=_Kappa)
    exact: _Kappa = field(default_factory=_Kappa)

    def add(
        self, block: Block, sides: Sequence[Annotation], labels: Sequence[Sequence[Touch]], cut: int
    ) -> None:
        self.sentences += 1
        self.tokens += len(block.source)
        self.equal += same_text(block.source, sides)
        self.has_edits = self.has_edits or bool(sides[0].edits)
        for level, counts in self.levels.items():
            row = shared_row(keys_of(sides[0], level, cut), keys_of(sides[1], level, cut))
            counts[:] = [a + b for a, b in zip(counts, row, strict=True)]
        first, second = labels
        self.touched.add([touch is not None for touch in first], [touch is not None for touch in second])
        types = [[touch[0] if touch else None for touch in side] for side in labels]
        self.classes.add(types[0], types[1])
        met = [(a, b) for a, b in zip(first, second, strict=True) if a and b]
        self.both.add([a[0] for a, _ in met], [b[0] for _, b in met])
        self.exact.add([a for a, _ in met], [b for _, b in met])

    def agreement(self, first: str, second: str, options: AgreementOptions) -> PairAgreement:
        totals = {level: np.array(counts, dtype=np.float64) for level, counts in self.levels.items()}
        totals |= {
            "kappa_identification": self.touched.row(),
            "kappa_classification": self.both.row(),
            "kappa_exact": self.exact.row(),
            "alpha": self.classes.alpha(),
            "alpha_binary": self.touched.alpha(),
            "equal_sentences": np.array([self.equal, self.sentences], dtype=np.float64),
        }
        return pair_agreement((first, second), self.sentences, self.tokens, totals, options)


class _Joint:
    """What all annotators together did."""

    def __init__(self) -> None:
        self._equal, self._shared = 0, 0
        #: For each alpha the number of equal pairs, and the frequency of each label.
        self._pairs = {"alpha": 0.0, "alpha_binary": 0.0}
        self._frequencies: dict[str, Counter[Hashable]] = {name: Counter() for name in self._pairs}

    def add(self, block: Block, labels: Sequence[Sequence[Touch]]) -> None:
        if len(labels) < 2:
            return
        self._shared += 1
        self._equal += same_text(block.source, block.annotations)
        types = [[touch[0] if touch else None for touch in side] for side in labels]
        self._add("alpha", types)
        self._add("alpha_binary", [[type_ is not None for type_ in side] for side in types])

    def _add(self, name: str, labels: Sequence[Sequence[Hashable]]) -> None:
        numbers: dict[Hashable, int] = {}
        numbered = [[numbers.setdefault(label, len(numbers)) for label in side] for side in labels]
        row = alpha_row(np.array(numbered, dtype=np.int64).reshape(len(labels), -1), len(numbers))
        self._pairs[name] += float(row[0])
        for label, frequency in zip(numbers, row[1:].tolist(), strict=True):
            self._frequencies[name][label] += int(frequency)

    def values(self) -> dict[str, float]:
        rows = {
            name: np.array([equal, *self._frequencies[name].values()], dtype=np.float64)
            for name, equal in self._pairs.items()
        }
        rows["equal_sentences"] = np.array([self._equal, self._shared], dtype=np.float64)
        order = ("equal_sentences", "alpha", "alpha_binary")
        return {name: float(joint_value(name, rows[name])) for name in order}
