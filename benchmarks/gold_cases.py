#!/usr/bin/env python3
"""How many hand-made cases are typed right, from the given analysis and from the embedded models?

python benchmarks/gold_cases.py [en ko zh]

A case is right if all its edits are: span (or one of also_accept_span), correction, type (or one of also_accept).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import jperrant
from jperrant.core.text import sentence_of
from jperrant.core.values import Edit, Parallel, Sentence, Token

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"


def given(tokens: list[dict]) -> Sentence:
    return Sentence(tuple(Token(**token) for token in tokens), " ".join(token["form"] for token in tokens))


def bare(tokens: list[dict]) -> Sentence:
    return sentence_of(" ".join(token["form"] for token in tokens))


def fits(edit: Edit, expected: dict) -> bool:
    spans = [[expected["start"], expected["end"]], *expected.get("also_accept_span", [])]
    return (
        [edit.start, edit.end] in spans
        and " ".join(edit.correction or ()) == expected["correction"]
        and edit.type in [expected["type"], *expected.get("also_accept", [])]
    )


def shown(edits: tuple[Edit, ...]) -> str:
    return (
        "; ".join(f"{e.start} {e.end} {' '.join(e.correction or ())!r} {e.type}" for e in edits) or "no edit"
    )


def report(lang: str) -> None:
    cases = json.loads((DATA / lang / "gold_cases.json").read_text(encoding="utf-8"))["cases"]
    for name, models, sentence in (("given analysis", "none", given), ("embedded models", "compact", bare)):
        annotator = jperrant.load(lang, models=models)
        right = 0
        for case in cases:
            # A marker in the corrector's field (没有错误) says that nothing is to be changed.
            target = case["source_tokens" if case.get("marker") else "target_tokens"]
            pair = Parallel(sentence(case["source_tokens"]), (sentence(target),))
            (block,) = annotator.annotate_many([pair])
            found = block.annotations[0].edits
            expected = [e for e in case["edits"] if e["type"] != "noop"]
            if len(found) == len(expected) and all(map(fits, found, expected)):
                right += 1
                continue
            wanted = "; ".join(f"{e['start']} {e['end']} {e['correction']!r} {e['type']}" for e in expected)
            texts = f"{case['source']} → {case['target']}"
            print(f"  {case['id']}: {texts}: expected {wanted or 'no edit'}, found {shown(found)}")
        print(f"{lang}, {name}: {right} of {len(cases)}")


def main() -> None:
    known = sorted(path.parent.name for path in DATA.glob("*/gold_cases.json"))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("langs", nargs="*", metavar="LANG", help=f"of {', '.join(known)}; all if none")
    for lang in parser.parse_args().langs or known:
        report(lang)


if __name__ == "__main__":
    main()
