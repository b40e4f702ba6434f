"""GLEU: the published script's cases and figures, both ways of counting, draws, and odd input."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics.ngrams import (
    GLEU_COLUMNS,
    GLEU_ORDER,
    count_ngrams,
    draw_references,
    gleu,
    gleu_statistics,
    smooth_sentence,
)
from jperrant.evaluation.scorers import make_scorer

DATA = Path(__file__).parents[1] / "data" / "text_metrics"
CASES: list[dict[str, Any]] = json.loads((DATA / "gleu.json").read_text(encoding="utf-8"))
WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def statistics(case: dict[str, Any], variant: str) -> FloatArray:
    """Return the statistics of a case, shape (sentences, references, 10)."""
    rows = []
    for i, (source, hypothesis) in enumerate(zip(case["sources"], case["hypotheses"], strict=True)):
        texts = [source, hypothesis, *(reference[i] for reference in case["references"])]
        s, h, *references = [count_ngrams(text.split(), GLEU_ORDER) for text in texts]
        rows.append([gleu_statistics(s, h, r, variant) for r in references])
    return np.array(rows, dtype=np.float64)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
class TestPublishedCases:
    @pytest.mark.parametrize(("variant", "key"), [("official", "stats"), ("corrected", "corrected_stats")])
    def test_statistics(self, case, variant, key):
        assert statistics(case, variant).tolist() == case["expected"][key]

    @pytest.mark.parametrize("variant", ["official", "corrected"])
    def test_mean_over_references(self, case, variant):
        score = float(gleu(statistics(case, variant).mean(axis=1).sum(axis=0)))
        assert score == pytest.approx(case["expected"][f"expected_{variant}"], abs=1e-12)

    def test_sentences(self, case):
        scores = gleu(smooth_sentence(statistics(case, "official"))).mean(axis=1)
        assert scores == pytest.approx(case["expected"]["official"]["sentence"], abs=1e-6)

    def test_500_draws_as_the_script_draws_them(self, case):
        rows = statistics(case, "official")
        chosen = draw_references([rows.shape[1]] * len(rows), 500, 101)
        score = gleu(rows[np.arange(len(rows)), chosen].sum(axis=1)).mean()
        assert score == pytest.approx(case["expected"]["official"]["corpus"], abs=1e-6)


def test_draws_stay_within_the_references_of_each_sentence():
    drawn = draw_references([1, 2, 3], 200, 7)
    assert drawn.shape == (200, 3)
    assert [sorted(set(column)) for column in drawn.T.tolist()] == [[0], [0, 1], [0, 1, 2]]
    assert (drawn == draw_references([1, 2, 3], 200, 7)).all()
    assert (drawn != draw_references([1, 2, 3], 200, 8)).any()


def test_a_generator_without_draws_is_refused():
    with pytest.raises(UsageError, match="give draws as well"):
        make_scorer("gleu", generator="python3")
    make_scorer("gleu", generator="python3", draws=2)


def test_no_statistic_makes_a_score_that_is_not_a_number():
    rows = np.array([[0.0] * 10, [4, 4, -1, 4, 3, 3, 2, 2, 1, 1], [4, 4, 4, 4, 3, 3, 2, 2, 1, 0]])
    assert gleu(rows).tolist() == [0.0, 0.0, 0.0]
    assert gleu(np.zeros(10)) == 0.0


def test_an_empty_hypothesis_of_an_empty_sentence_is_right_and_of_a_full_one_is_not():
    empty, full = count_ngrams((), GLEU_ORDER), count_ngrams(["a", "b", "c"], GLEU_ORDER)
    rows = np.array(
        [gleu_statistics(empty, empty, empty, "official"), gleu_statistics(full, empty, full, "official")]
    )
    assert gleu(smooth_sentence(rows)).tolist() == pytest.approx([1.0, math.exp(1 - 3)])


@given(WORDS, WORDS, WORDS)
def test_both_variants_differ_by_the_penalty_alone(source, hypothesis, reference):
    texts = [count_ngrams(words, GLEU_ORDER) for words in (source, hypothesis, reference)]
    official, corrected = (
        dict(zip(GLEU_COLUMNS, gleu_statistics(*texts, v), strict=True)) for v in ("official", "corrected")
    )
    for name in GLEU_COLUMNS:
        if name.startswith("matches"):
            assert max(corrected[name], 0) <= official[name]
        else:
            assert corrected[name] == official[name]


@given(WORDS, WORDS)
def test_the_reference_itself_is_never_penalised(source, reference):
    s, r = count_ngrams(source, GLEU_ORDER), count_ngrams(reference, GLEU_ORDER)
    for variant in ("official", "corrected"):
        row = gleu_statistics(s, r, r, variant)
        assert row[2::2] == row[3::2]
        assert float(gleu(np.array(row))) == (1.0 if len(reference) >= GLEU_ORDER else 0.0)
