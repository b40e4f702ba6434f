"""Agreement from counts is that of all sentences at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import UNSEEN_BY_STATS, Watched, load_annotators
from jperrant.evaluation.agreement.measure import Touch, count_agreement, measure_agreement, touches
from jperrant.evaluation.agreement.results import AgreementOptions
from jperrant.evaluation.statistics.agreement import alpha, alpha_row, kappa, kappa_row
from jperrant.io.m2 import read_m2
from jperrant.m2tools.stats import corpus_stats
from jperrant.reporting.agreement import format_agreement
from tests.strategies import blocks, examples

CONLL = Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant"


def expected(corpus: list[Block], first: int, second: int, options: AgreementOptions) -> dict[str, float]:
    """Return kappas and alphas of two annotators, from the labels of all items of all sentences at once."""
    labels: tuple[list[Touch], list[Touch]] = ([], [])
    for block in corpus:
        ours, theirs = block.annotation(first), block.annotation(second)
        if ours is not None and theirs is not None:
            labels[0].extend(touches(ours, len(block.source), options))
            labels[1].extend(touches(theirs, len(block.source), options))
    types = [[t and t[0] for t in side] for side in labels]
    both = [(a, b) for a, b in zip(*labels, strict=True) if a and b]
    found = {
        "kappa_identification": kappa_of(
            [t is not None for t in types[0]], [t is not None for t in types[1]]
        ),
        "kappa_classification": kappa_of([a[0] for a, _ in both], [b[0] for _, b in both]),
        "kappa_exact": kappa_of([a for a, _ in both], [b for _, b in both]),
    }
    for name, side in (("alpha", types), ("alpha_binary", [[t is not None for t in own] for own in types])):
        numbers = numbered([*side[0], *side[1]])
        table = np.array([[numbers[label] for label in own] for own in side], dtype=np.int64).reshape(2, -1)
        found[name] = float(alpha(alpha_row(table, len(numbers))))
    return found


def numbered(labels: Sequence[Hashable]) -> dict[Hashable, int]:
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def kappa_of(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    numbers = numbered([*first, *second])
    ours, theirs = (np.array([numbers[label] for label in side], dtype=np.int64) for side in (first, second))
    return float(kappa(kappa_row(ours, theirs, len(numbers))))


def same(corpus: list[Block], options: AgreementOptions) -> None:
    numbers = sorted({a.annotator for block in corpus for a in block.annotations})
    names = {number: str(number) for number in numbers}
    watched = Watched(corpus, names)
    found = count_agreement(watched, names, options)
    assert (found.length, found.tokens) == (len(corpus), sum(len(block.source) for block in corpus))
    for (one, other), pair in zip(combinations(numbers, 2), found.pairs, strict=True):
        shared = [b for b in corpus if b.annotation(one) is not None and b.annotation(other) is not None]
        assert (pair.sentences, pair.tokens) == (len(shared), sum(len(block.source) for block in shared))
        for name, value in expected(corpus, one, other, options).items():
            assert pair.values[name] == pytest.approx(value, nan_ok=True)
        for interval in pair.intervals.values():
            assert interval.low <= interval.mean + 1e-9
            assert interval.mean <= interval.high + 1e-9
    # What is strange is told of blocks that pass once as of those in memory.
    assert watched.notes(UNSEEN_BY_STATS) == list(load_annotators([corpus], unseen=UNSEEN_BY_STATS).notes)


@examples(60)
@given(
    corpus=st.lists(blocks(), min_size=1, max_size=8).filter(
        lambda corpus: any(len(block.annotations) > 1 for block in corpus)
    ),
    items=st.sampled_from(["tokens", "gaps"]),
    level=st.integers(1, 3),
    samples=st.integers(0, 7),
)
def test_counts_give_the_agreement_of_all_sentences(
    corpus: list[Block], items: str, level: int, samples: int
) -> None:
    same(corpus, AgreementOptions(items=items, level=level, samples=samples))


@pytest.mark.ci
def test_counts_give_the_agreement_of_conll() -> None:
    corpus = list(islice(read_m2(str(CONLL)), 300))
    same(corpus, AgreementOptions(samples=20))
    same([*corpus, Block(("a",), corpus[0].annotations[:0])], AgreementOptions(level=1))


def test_statistics_of_a_file_need_no_more_than_one_pass(tmp_path: Path) -> None:
    path = tmp_path / "twice.m2"
    text = "".join(CONLL.read_text().partition("\n\n")[:2])
    path.write_text(text * 3)
    stats = corpus_stats(str(path))
    assert stats.agreement is not None
    assert (stats.stats.sentences, stats.stats.repeated) == (3, 2)


def test_edits_that_differ_are_shown_as_they_differ() -> None:
    choice = Edit(1, 2, ("is",), "R:A", alternatives=(("was",),))
    versions = [Edit(1, 2, ("is",), "R:A"), choice, Edit(1, 2, None, "UNK")]
    blocks = [Block(("it", "are"), tuple([Annotation(n, (edit,)) for n, edit in enumerate(versions)]))]
    shown = format_agreement(measure_agreement(load_annotators([blocks])), tables=["sentences"])
    assert [f"are → {text}" in shown for text in ("is (R:A)", "is||was (R:A)", "? (UNK)")] == [True] * 3
