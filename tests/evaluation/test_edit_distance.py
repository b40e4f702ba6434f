"""Word and character error rate against cases of a plain Levenshtein distance; words and characters of a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jperrant.evaluation.metrics.edit_distance import error_counts, error_rate
from jperrant.evaluation.metrics.texts import units_of

DATA = Path(__file__).parents[1] / "data" / "text_metrics"
CASES: list[dict[str, Any]] = json.loads((DATA / "wer_cer.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["hypothesis"] or "empty")
@pytest.mark.parametrize(("unit", "name", "rate"), [("words", "word", "wer"), ("characters", "char", "cer")])
def test_cases(case, unit, name, rate):
    hypothesis = units_of(case["hypothesis"].split(), unit)
    rows = [error_counts(hypothesis, units_of(text.split(), unit)) for text in case["references"]]
    assert [list(row) for row in rows] == case[name]
    assert min(error_rate(*row) for row in rows) == pytest.approx(case[rate])


def test_an_empty_reference_gives_a_number():
    assert error_rate(*error_counts([], [])) == 0.0
    assert error_rate(*error_counts(["a", "b"], [])) == 2.0


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("", ""),
        ("I am .", "I am ."),
        ("我 是 学生 。", "我是学生。"),
        ("我 用 Python 写", "我用Python写"),
        ("他 在 2014 年 说 ： “ 你好 ” ……", "他在2014年说：“你好” ……"),
        ("私 は カメラ", "私はカメラ"),
        ("나는 학생 이다", "나는 학생 이다"),
    ],
)
def test_characters_of_a_text(tokens, text):
    assert units_of(tokens.split(), "characters") == text
    assert units_of(tokens.split(), "words") == tokens.split()
