"""Where annotators differ: by error type, type against type, and sentence by sentence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, zip_longest

import numpy as np

from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import Annotators
from jperrant.evaluation.agreement.counting import Key, edit_key, keys_of, same_text, shared_row, touches
from jperrant.evaluation.agreement.results import (
    NO_EDIT,
    AgreementOptions,
    SentenceAgreement,
    Shared,
    TypeAgreement,
)
from jperrant.evaluation.breakdown import category
from jperrant.evaluation.metrics.fmeasure import f_measure
from jperrant.evaluation.statistics.agreement import MISSING, alpha, alpha_row


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
    found = [
        sentence
        for number, block in enumerate(annotators.blocks, start=1)
        if (sentence := _sentence(block, number, len(annotators.names), options.level)) is not None
    ]
    return tuple(sorted(found, key=lambda sentence: (-sentence.differing, sentence.f1, sentence.number)))


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
