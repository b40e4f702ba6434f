"""Agreement of each two annotators, and of all at once: edits, labels of tokens, sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.agreement.annotators import Annotators
from jperrant.evaluation.agreement.counts import LEVELS, Touch, keys_of, same_text, shared_row, touches
from jperrant.evaluation.agreement.results import AgreementOptions, PairAgreement
from jperrant.evaluation.metrics.fmeasure import f_measures
from jperrant.evaluation.statistics.agreement import alpha, alpha_row, kappa, kappa_row, share
from jperrant.evaluation.statistics.significance import Interval, bootstrap_totals, middle

#: The measures over the items of all sentences.
_TOKEN_MEASURES = ("kappa_identification", "kappa_classification", "kappa_exact", "alpha", "alpha_binary")


def looked_at(blocks: Sequence[Block], first: int, second: int) -> list[tuple[Block, Annotation, Annotation]]:
    """Return the sentences that two annotators looked at, each with both annotations."""
    return [
        (block, ours, theirs)
        for block in blocks
        if (ours := block.annotation(first)) is not None and (theirs := block.annotation(second)) is not None
    ]


def pairs_of(annotators: Annotators, options: AgreementOptions) -> tuple[PairAgreement, ...]:
    """Return the agreement of each two annotators, in their order."""
    numbers = combinations(range(len(annotators.names)), 2)
    return tuple([_pair(annotators, first, second, options) for first, second in numbers])


def _pair(annotators: Annotators, first: int, second: int, options: AgreementOptions) -> PairAgreement:
    names = annotators.names[first], annotators.names[second]
    sentences = looked_at(annotators.blocks, first, second)
    # A sentence without tokens and edits stands for none: it has every measure, and changes no sum.
    measures = _measures(sentences or [(Block(()), Annotation(0), Annotation(0))], options)
    totals = {name: rows.sum(axis=0) for name, rows in measures.items()}
    tokens = sum(len(block.source) for block, _, _ in sentences)
    drawn = _intervals(measures, options) if sentences and options.samples else {}
    return pair_agreement(names, len(sentences), tokens, totals, options, intervals=drawn)


def pair_agreement(
    names: tuple[str, str],
    sentences: int,
    tokens: int,
    totals: Mapping[str, FloatArray],
    options: AgreementOptions,
    *,
    intervals: Mapping[str, Interval],
) -> PairAgreement:
    """Return the agreement of two annotators.

    Args:
        names: The annotators.
        sentences, tokens: What both looked at.
        totals: The summed rows of each measure.
        options: How to measure.
        intervals: Of the values that have one.
    """
    values = {name: float(value) for name, value in pair_values(totals, options.beta).items()}
    return PairAgreement(
        *names,
        sentences,
        tokens,
        {level: _three(totals[level]) for level in LEVELS},
        values if sentences else dict.fromkeys(values, float("nan")),
        intervals,
    )


def _three(row: FloatArray) -> tuple[int, int, int]:
    both, first, second = (int(number) for number in row)
    return both, first, second


def _measures(
    sentences: Sequence[tuple[Block, Annotation, Annotation]], options: AgreementOptions
) -> dict[str, FloatArray]:
    """Return the rows of each measure, shape ``(sentences, columns)``."""
    labels = [
        tuple(touches(a, len(block.source), options.items, options.level) for a in (ours, theirs))
        for block, ours, theirs in sentences
    ]
    types = _numbered([touch[0] for pair in labels for side in pair for touch in side if touch])
    exact = _shared_labels(labels)
    rows: dict[str, list[Any]] = {name: [] for name in (*LEVELS, *_TOKEN_MEASURES, "equal_sentences")}
    for (block, ours, theirs), pair in zip(sentences, labels, strict=True):
        for level in LEVELS:
            keys = keys_of(ours, level, options.level), keys_of(theirs, level, options.level)
            rows[level].append(shared_row(*keys))
        rows["equal_sentences"].append((same_text(block.source, (ours, theirs)), 1))
        for name, row in _token_rows(pair, types, exact).items():
            rows[name].append(row)
    return {name: np.array(own, dtype=np.float64).reshape(len(sentences), -1) for name, own in rows.items()}


def _token_rows(
    pair: Sequence[Sequence[Touch]], types: Mapping[str, int], exact: Mapping[Touch, int]
) -> dict[str, FloatArray]:
    """Return the rows of one sentence for each measure over items."""
    touched = np.array([[touch is not None for touch in side] for side in pair], dtype=np.int64)
    classes = np.array(
        [[types[touch[0]] + 1 if touch else 0 for touch in side] for side in pair], dtype=np.int64
    )
    both = touched.all(axis=0)
    # Labels that only one annotator uses never agree, nor by chance: one column each side stands for them all.
    ours, theirs = (
        np.array(
            [exact.get(side[item], len(exact) + n) for item in np.flatnonzero(both).tolist()], dtype=np.int64
        )
        for n, side in enumerate(pair)
    )
    return {
        "kappa_identification": kappa_row(touched[0], touched[1], 2),
        "kappa_classification": kappa_row(classes[0, both], classes[1, both], len(types) + 1),
        "kappa_exact": kappa_row(ours, theirs, len(exact) + 2),
        "alpha": alpha_row(classes, len(types) + 1),
        "alpha_binary": alpha_row(touched, 2),
    }


def _numbered(labels: Sequence[str]) -> dict[str, int]:
    return {label: number for number, label in enumerate(sorted(set(labels)))}


def _shared_labels(labels: Sequence[Sequence[Sequence[Touch]]]) -> dict[Touch, int]:
    """Return a number for each type with correction that both annotators use for tokens that both touch."""
    used: tuple[set[tuple[str, str]], set[tuple[str, str]]] = (set(), set())
    for ours, theirs in labels:
        for mine, other in zip(ours, theirs, strict=True):
            if mine and other:
                used[0].add(mine)
                used[1].add(other)
    return {label: number for number, label in enumerate(sorted(used[0] & used[1]))}


def pair_values(totals: Mapping[str, FloatArray], beta: float) -> dict[str, FloatArray]:
    """Return the values of summed rows of each measure.

    Args:
        totals: The rows of each measure, shape ``(…, columns)``.
        beta: Weight of recall in F.
    """
    values = {"equal_sentences": share(totals["equal_sentences"])}
    for level in LEVELS:
        both, first, second = np.moveaxis(totals[level], -1, 0)
        ours, theirs = f_measures(both, first, second, beta), f_measures(both, second, first, beta)
        values |= {f"{level}_precision": ours["precision"], f"{level}_recall": ours["recall"]}
        values |= {f"{level}_f1": f_measures(both, first, second, 1.0)["f"]}
        values |= {f"{level}_f": ours["f"], f"{level}_f_reversed": theirs["f"]}
    for name in _TOKEN_MEASURES:
        values[name] = (kappa if name.startswith("kappa") else alpha)(totals[name])
    return values


def _intervals(measures: Mapping[str, FloatArray], options: AgreementOptions) -> dict[str, Interval]:
    """Return a bootstrap interval for each value; one draw of sentences serves all measures."""
    drawn = bootstrap_totals(list(measures.values()), options.samples, options.seed)
    values = pair_values(dict(zip(measures, drawn, strict=True)), options.beta)
    intervals = {name: middle(samples) for name, samples in values.items()}
    return {name: interval for name, interval in intervals.items() if interval is not None}


def overall(
    annotators: Annotators, pairs: Sequence[PairAgreement], options: AgreementOptions
) -> tuple[dict[str, float], dict[str, Interval]]:
    """Return the values over all annotators, and the intervals of those that are not means over pairs."""
    measures = _joint_measures(annotators, options)
    totals = {name: rows.sum(axis=0) for name, rows in measures.items()}
    joint = {name: float(joint_value(name, total)) for name, total in totals.items()}
    means = mean_of_pairs(pairs)
    if not options.samples:
        return {**means, **joint}, {}
    drawn = bootstrap_totals(list(measures.values()), options.samples, options.seed)
    samples = {name: middle(joint_value(name, own)) for name, own in zip(measures, drawn, strict=True)}
    return {**means, **joint}, {name: interval for name, interval in samples.items() if interval is not None}


def _joint_measures(annotators: Annotators, options: AgreementOptions) -> dict[str, FloatArray]:
    """Return the rows of the measures over all annotators at once."""
    sides = [
        [_labels(block, number, options) for number in range(len(annotators.names))]
        for block in annotators.blocks
    ]
    types = _numbered(
        [label for block in sides for side in block if side for label in side if label is not None]
    )
    rows: dict[str, list[Any]] = {"equal_sentences": [], "alpha": [], "alpha_binary": []}
    for block, labelled in zip(annotators.blocks, sides, strict=True):
        looked = [side for side in labelled if side is not None]
        numbers = [[types[label] + 1 if label is not None else 0 for label in side] for side in looked]
        items = len(numbers[0]) if numbers else 0
        classes = np.array(numbers, dtype=np.int64).reshape(len(numbers), items)
        rows["alpha"].append(alpha_row(classes, len(types) + 1))
        rows["alpha_binary"].append(alpha_row(np.minimum(classes, 1), 2))
        shared = len(looked) > 1
        rows["equal_sentences"].append((shared and same_text(block.source, block.annotations), shared))
    return {name: np.array(own, dtype=np.float64) for name, own in rows.items()}


def _labels(block: Block, annotator: int, options: AgreementOptions) -> list[str | None] | None:
    """Return the type of each item, None where there is none; None if the annotator did not look."""
    annotation = block.annotation(annotator)
    if annotation is None:
        return None
    found = touches(annotation, len(block.source), options.items, options.level)
    return [touch[0] if touch else None for touch in found]


def mean_of_pairs(pairs: Sequence[PairAgreement]) -> dict[str, float]:
    """Return the mean of each value over pairs of annotators, of those that have it."""
    return {name: _mean([pair.values[name] for pair in pairs]) for name in pairs[0].values}


def joint_value(name: str, totals: FloatArray) -> FloatArray:
    """Return a value over all annotators from summed rows."""
    return share(totals) if name == "equal_sentences" else alpha(totals)


def _mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are defined; NaN if none is."""
    known = [value for value in values if value == value]
    return sum(known) / len(known) if known else float("nan")
