"""I-measure: the published program's cases, its alignment against a plain dynamic program, and odd input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.evaluation.metrics.imeasure import (
    MOVES,
    Counts,
    Triple,
    align_all,
    count_columns,
    imeasure,
    preference,
)
from tests.strategies import examples

DATA = Path(__file__).parents[1] / "data" / "text_metrics"
CASES: list[dict[str, Any]] = json.loads((DATA / "imeasure.json").read_text(encoding="utf-8"))
TEXTS = st.lists(st.sampled_from("abc"), max_size=6).map(tuple)
TRIPLES = st.builds(Triple, TEXTS, TEXTS, TEXTS)


def counts_of(triple: Triple) -> Counts:
    source, _, reference = triple
    untouched = Triple(source, source, reference)
    moves, baseline = align_all([triple, untouched])
    _, tn, _, fn, _ = count_columns(untouched, baseline)
    return Counts(*count_columns(triple, moves), tn, fn)


def columns_of(triple: Triple) -> list[list[str]]:
    [moves] = align_all([triple])
    rows: list[list[str]] = [[], [], []]
    for side, text in enumerate(triple):
        tokens = iter(text)
        rows[side] = [next(tokens) if MOVES[move][side] else "" for move in moves]
    return rows


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
class TestPublishedCases:
    @staticmethod
    def triple(case):
        return Triple(*(tuple(case[side].split()) for side in ("source", "hypothesis", "reference")))

    def test_alignment(self, case):
        assert columns_of(self.triple(case)) == case["expected"]["alignment"]

    def test_counts(self, case):
        counts = counts_of(self.triple(case))
        assert dict(zip(Counts._fields, counts, strict=True)) == {
            **case["expected"]["correction"],
            "untouched_tn": case["expected"]["baseline"]["tn"],
            "untouched_fn": case["expected"]["baseline"]["fn"],
        }

    def test_values(self, case):
        values = imeasure(np.array(counts_of(self.triple(case))))
        assert values["i"] == pytest.approx(case["expected"]["i"])
        assert values["wacc"] == pytest.approx(case["expected"]["wacc"])
        printed = [float(number) for number in case["reference_row"][5:]]
        named = dict(
            zip(("precision", "recall", "f", "acc", "acc_b", "wacc", "wacc_b", "i"), printed, strict=True)
        )
        for name, value in values.items():
            assert value * 100 == pytest.approx(named[name], abs=0.005)


def pair_cost(a: str | None, b: str | None) -> int:
    if a is None and b is None:
        return 0
    return 2 if a is None or b is None else 3 * (a != b)


def plain_alignment(triple: Triple) -> list[int]:
    """The alignment cell by cell, as section 4 of the paper defines it."""

    def cost(cell, move):
        taken = [text[n - 1] if step else None for text, n, step in zip(triple, cell, move, strict=True)]
        return pair_cost(*taken[:2]) + pair_cost(taken[0], taken[2]) + pair_cost(*taken[1:])

    def before(cell, move):
        return tuple(n - step for n, step in zip(cell, move, strict=True))

    best = {(0, 0, 0): 0}
    for cell in np.ndindex(*(len(text) + 1 for text in triple)):
        steps = [best[before(cell, m)] + cost(cell, m) for m in MOVES if before(cell, m) in best]
        if steps:
            best[cell] = min(steps)
    cell, moves = tuple(len(text) for text in triple), []
    while any(cell):
        allowed = [i for i, m in enumerate(MOVES) if min(before(cell, m)) >= 0]
        move = next(i for i in allowed if best[before(cell, MOVES[i])] + cost(cell, MOVES[i]) == best[cell])
        moves.append(move)
        cell = before(cell, MOVES[move])
    return moves[::-1]


@examples(40)
@given(st.lists(TRIPLES, min_size=1, max_size=6))
def test_many_alignments_are_each_the_plain_one(triples):
    assert align_all(triples) == [plain_alignment(triple) for triple in triples]


@given(TEXTS, TEXTS)
def test_doing_nothing_is_0_unless_nothing_was_wrong(source, reference):
    value = float(imeasure(np.array(counts_of(Triple(source, source, reference))))["i"])
    assert value == (1.0 if source == reference else 0.0)


@given(TEXTS, TEXTS)
def test_the_reference_itself_is_perfect(source, reference):
    values = imeasure(np.array(counts_of(Triple(source, reference, reference))))
    assert {name: float(value) for name, value in values.items()} == dict.fromkeys(values, 1.0)


@given(TRIPLES)
def test_values_stay_in_range_and_the_exact_preference_agrees_with_them(triple):
    counts = counts_of(triple)
    values = {name: float(value) for name, value in imeasure(np.array(counts)).items()}
    assert -1 <= values["i"] <= 1
    assert all(0 <= values[name] <= 1 for name in ("wacc", "precision", "recall", "f"))
    wacc, i = preference(counts)[:2]
    assert (float(wacc), float(i)) == pytest.approx((values["wacc"], values["i"]))


def test_texts_so_long_that_16_bits_do_not_hold_their_costs():
    source = tuple("abcdefgh" * 60)
    triple = Triple(source, ("x", "y"), (*source[:5], *source[6:], "z"))
    [moves] = align_all([triple])
    # Both drop one word, the hypothesis loses all others too: its two words stand against two of these, since
    # a mismatch of 6 is cheaper than two gaps. The reference's last word is missing.
    assert count_columns(triple, moves) == (1, 0, 479, 1, 0)
