#!/usr/bin/env python3
"""How many hand-made Chinese cases are right: from their analysis, and from raw text with the embedded models?

From raw text the models cut words otherwise than the cases do, so spans are compared by characters. At character
level the spans are those ChERRANT gives the same pair. Types may be any that the case accepts.

python benchmarks/zh_gold.py
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.text import TokenMode, sentence_of
from jperrant.core.values import Edit, Parallel, Sentence, Token

CASES = Path(__file__).resolve().parent.parent / "tests" / "data" / "zh" / "gold_cases.json"
Row = tuple[int, int, str]


def given(tokens: list[dict[str, str]]) -> Sentence:
    return Sentence(tuple(Token(**token) for token in tokens), "".join(token["form"] for token in tokens))


def by_characters(tokens: Sequence[str], start: int, end: int, correction: str) -> Row:
    places = [0, *accumulate(map(len, tokens))]
    return places[start], places[end], correction.replace(" ", "")


def expected(case: dict[str, Any], tokens: str) -> list[Row]:
    if tokens == TokenMode.CHARACTERS:
        edits = [e for e in case["cherrant_char"] if e["op"] != "noop"]
        return [(e["start"], e["end"], e["correction"].replace(" ", "").replace("-NONE-", "")) for e in edits]
    forms = [token["form"] for token in case["source_tokens"]]
    return [by_characters(forms, e["start"], e["end"], e["correction"]) for e in case["edits"]]


def found(case: dict[str, Any], annotator: Annotator, analysed: bool) -> tuple[list[Row], Sequence[Edit]]:
    if analysed:
        target = case["source_tokens"] if case.get("marker") else case["target_tokens"]
        pair = Parallel(given(case["source_tokens"]), (given(target),))
    else:
        target = case["source"] if case.get("marker") else case["target"]
        pair = Parallel(sentence_of(case["source"]), (sentence_of(target),))
    (block,) = annotator.annotate_many([pair])
    edits = block.annotations[0].edits
    return [by_characters(block.source, e.start, e.end, "".join(e.correction or ())) for e in edits], edits


def main() -> None:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    ways = {
        "given analysis, words": ("given", jperrant.load("zh", models="none"), True),
        "embedded models, words": (TokenMode.WORDS, jperrant.load("zh", tokens=TokenMode.WORDS), False),
        "embedded models, characters": (
            TokenMode.CHARACTERS,
            jperrant.load("zh", tokens=TokenMode.CHARACTERS),
            False,
        ),
    }
    for name, (tokens, annotator, analysed) in ways.items():
        right = 0
        for case in cases:
            wanted = expected(case, tokens)
            rows, edits = found(case, annotator, analysed)
            types = [(e["type"], *e.get("also_accept", [])) for e in case["edits"]]
            good = rows == wanted and all(e.type in t for e, t in zip(edits, types, strict=True))
            right += good
            if not good:
                print(f"  {case['id']} {case['source']} → {case['target']}: expected {wanted} {types}")
                print(f"    found {rows} {[e.type for e in edits]}")
        print(f"{name}: {right} of {len(cases)}")


if __name__ == "__main__":
    main()
