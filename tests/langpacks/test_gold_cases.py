"""Given the analysis of a pair, its edits are those of ERRANT, KAGAS and ChERRANT."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.values import Sentence, Token

DATA = Path(__file__).parents[1] / "data"
#: What stands between the tokens of a language.
BETWEEN = {"en": " ", "ko": " ", "zh": ""}
FILES = [DATA / lang / "gold_cases.json" for lang in BETWEEN]
CASES = [case for file in FILES for case in json.loads(file.read_text(encoding="utf-8"))["cases"]]


def sentence(tokens: list[dict[str, Any]], between: str) -> Sentence:
    made, at = [], 0
    for token in tokens:
        made.append(Token(**token, start=at, end=at + len(token["form"])))
        at = made[-1].end + len(between)
    return Sentence(tuple(made), between.join([token.form for token in made]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_gold_cases(case: dict[str, Any]) -> None:
    """Annotated at once, and by the verbs one after the other."""
    annotator, between = jperrant.load(case["lang"], models="none"), BETWEEN[case["lang"]]
    corrected = "source_tokens" if case.get("marker") else "target_tokens"
    source, target = (sentence(case[side], between) for side in ("source_tokens", corrected))
    found = annotator.annotate(source, target)
    expected = [edit for edit in case["edits"] if edit["type"] != "noop"]
    spans = [(edit["start"], edit["end"], edit["correction"]) for edit in expected]
    assert [(edit.start, edit.end, " ".join(edit.correction or ())) for edit in found] == spans
    for edit, wanted in zip(found, expected, strict=True):
        assert edit.type in (wanted["type"], *wanted.get("also_accept", []))
    assert between.join(apply_edits(source.forms, found)) == target.text
    if source.forms != target.forms:
        merged = annotator.merge(annotator.align(source, target))
        assert tuple(annotator.classify(source, target, span) for span in merged) == found


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["lang"] == "zh"], ids=lambda case: case["id"]
)
def test_characters_have_cherrants_spans(case: dict[str, Any]) -> None:
    annotator = jperrant.load("zh", models="none", tokens="characters")
    source, target = case["source"], case["source" if case.get("marker") else "target"]
    found = annotator.annotate(annotator.parse(source), annotator.parse(target))
    expected = [edit for edit in case["cherrant_char"] if edit["op"] != "noop"]
    assert [(edit.start, edit.end, " ".join(edit.correction or ()) or "-NONE-") for edit in found] == [
        (edit["start"], edit["end"], edit["correction"]) for edit in expected
    ]
