"""GREEN: the published tool's cases, its counts by their definition, short and empty sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.evaluation.metrics.ngrams import count_ngrams, green, green_columns, green_counts, green_keys

DATA = Path(__file__).parents[1] / "data" / "text_metrics"
CASES: list[dict[str, Any]] = json.loads((DATA / "green.json").read_text(encoding="utf-8"))
WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def counts(source, hypothesis, reference, order=4):
    return green_counts(*(count_ngrams(text, order) for text in (source, hypothesis, reference)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_published_cases(case):
    def units(text):
        return text.split() if case["unit"] == "word" else list(text)

    chosen = []
    for i, (source, hypothesis) in enumerate(zip(case["sources"], case["hypotheses"], strict=True)):
        rows = [
            counts(units(source), units(hypothesis), units(texts[i]), case["n"])
            for texts in case["references"]
        ]
        keys = green_keys(np.array(rows), case["beta"], "zero").tolist()
        chosen.append(rows[keys.index(max(keys))])
    rows, expected = np.array(chosen), case["expected"]
    total = rows.sum(axis=0)
    assert total.reshape(case["n"], 7).tolist() == expected["counts_tk_td_ti_od_oi_ud_ui"]
    values = green(total, case["beta"], "zero")
    assert values["green"] * 100 == pytest.approx(expected["corpus"], abs=1e-6)
    assert values["precision"] * 100 == pytest.approx(expected["precision"], abs=1e-6)
    assert values["recall"] * 100 == pytest.approx(expected["recall"], abs=1e-6)
    sentences = green(rows, case["beta"], "zero")["green"] * 100
    assert sentences == pytest.approx(expected["sentence"], abs=1e-6)
    assert sentences.mean() == pytest.approx(expected["mean"], abs=1e-6)


@given(WORDS, WORDS, WORDS)
def test_counts_are_those_of_the_definition(source, hypothesis, reference):
    expected = []
    for s, h, r in zip(*(count_ngrams(text, 3) for text in (source, hypothesis, reference)), strict=True):
        triples = [(s.get(g, 0), h.get(g, 0), r.get(g, 0)) for g in {*s, *h, *r}]
        expected += [
            sum(min(s, r, h) for s, h, r in triples),
            sum(max(0, s - max(r, h)) for s, h, r in triples),
            sum(max(0, min(r, h) - s) for s, h, r in triples),
            sum(max(0, min(s, r) - h) for s, h, r in triples),
            sum(max(0, h - max(s, r)) for s, h, r in triples),
            sum(max(0, min(s, h) - r) for s, h, r in triples),
            sum(max(0, r - max(s, h)) for s, h, r in triples),
        ]
    assert list(counts(source, hypothesis, reference, 3)) == expected
    assert len(green_columns(3)) == len(expected)


@pytest.mark.parametrize(("no_ngrams", "expected"), [("zero", 0.0), ("one", 1.0), ("skip", 1.0)])
@pytest.mark.parametrize("words", [[], ["a"], ["a", "b", "c"]])
def test_right_sentences_shorter_than_four_words(words, no_ngrams, expected):
    assert green(np.array(counts(words, words, words)), 2.0, no_ngrams)["green"] == expected


def test_skipping_takes_the_mean_over_the_orders_that_there_are():
    row = np.array(counts(["a", "b"], ["a", "x"], ["a", "c"]))
    # n = 1: a is kept, b deleted, x inserted wrongly, c missing: TP 2, FP 1, FN 1; n = 2: TP 1, FP 1, FN 1.
    assert green(row, 1.0, "skip")["precision"] == pytest.approx((2 / 3 * 1 / 2) ** (1 / 2))
    assert green(row, 1.0, "one")["precision"] == pytest.approx((2 / 3 * 1 / 2) ** (1 / 4))
    assert green(row, 1.0, "zero")["recall"] == 0.0


@given(WORDS, WORDS, WORDS, st.sampled_from(["zero", "one", "skip"]), st.sampled_from([0.5, 1.0, 2.0]))
def test_values_lie_between_0_and_1(source, hypothesis, reference, no_ngrams, beta):
    values = green(np.array(counts(source, hypothesis, reference)), beta, no_ngrams)
    assert set(values) == {"green", "precision", "recall"}
    assert all(0 <= float(value) <= 1 + 1e-12 for value in values.values())
