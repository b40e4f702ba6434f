#!/usr/bin/env python3
"""How many hand-made English cases are typed right, from the given analysis and from the embedded models?

    python benchmarks/gold_cases.py
"""

from __future__ import annotations

import json
from pathlib import Path

import jperrant
from jperrant.data import Edit, Parallel, Sentence, Token
from jperrant.parse.text import sentence_of

CASES = Path(__file__).resolve().parent.parent / "tests" / "data" / "en" / "gold_cases.json"


def given(tokens: list[dict]) -> Sentence:
    return Sentence(tuple(Token(**token) for token in tokens), " ".join(token["form"] for token in tokens))


def rows(edits: tuple[Edit, ...]) -> list[tuple[int, int, str, str]]:
    return [(e.start, e.end, " ".join(e.correction or ()), e.type) for e in edits]


def main() -> None:
    cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    annotators = {"given analysis": jperrant.load("en", models="none"), "embedded models": jperrant.load("en")}
    for name, annotator in annotators.items():
        right = 0
        for case in cases:
            expected = [(e["start"], e["end"], e["correction"], e["type"]) for e in case["edits"]]
            if name == "given analysis":
                pair = Parallel(given(case["source_tokens"]), (given(case["target_tokens"]),))
            else:
                pair = Parallel(sentence_of(case["source"]), (sentence_of(case["target"]),))
            (block,) = annotator.annotate_many([pair])
            found = rows(block.annotations[0].edits)
            right += found == [row for row in expected if row[3] != "noop"]
            if found != [row for row in expected if row[3] != "noop"]:
                print(f"  {case['id']}: {case['source']} → {case['target']}: expected {expected}, found {found}")
        print(f"{name}: {right} of {len(cases)}")


if __name__ == "__main__":
    main()
