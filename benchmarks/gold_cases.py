#!/usr/bin/env python3
"""How many hand-made cases are typed correctly, from the given analysis and from the embedded models?

python benchmarks/gold_cases.py [en ko zh]
python benchmarks/gold_cases.py --textbook [es de …]

A case is right if all its edits are: span (or one of also_accept_span), correction, type (or one of also_accept).
Chinese is also read as raw text: over words, spans are compared by characters, since the models cut other words
than the cases have; over characters the spans are those that ChERRANT gives the same pair. --textbook counts the
pairs of tests/data/packs/textbook_edits.tsv whose edits have the types that are stated there, without any model:
first those on odd lines, which the packs were written on, then those on even lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from bench import ROOT, Row, parser_of, share

import jperrant
from jperrant.core.text import TokenMode, sentence_of
from jperrant.core.values import Block, Edit, Parallel, Sentence, Token

DATA = ROOT / "tests" / "data"
Case = dict[str, Any]
#: Start, end and correction of an edit, counted in characters.
Span = tuple[int, int, str]


def given(tokens: list[dict[str, Any]]) -> Sentence:
    """Return tokens with their analysis."""
    return Sentence(tuple(Token(**token) for token in tokens), " ".join(token["form"] for token in tokens))


def bare(tokens: list[dict[str, Any]]) -> Sentence:
    """Return tokens without their analysis."""
    return sentence_of(" ".join(token["form"] for token in tokens))


def raw(tokens: list[dict[str, Any]]) -> Sentence:
    """Return the text of tokens."""
    return sentence_of("".join(token["form"] for token in tokens))


def fits(edit: Edit, expected: dict[str, Any]) -> bool:
    """Whether an edit is the one that a case expects."""
    spans = [[expected["start"], expected["end"]], *expected.get("also_accept_span", [])]
    return (
        [edit.start, edit.end] in spans
        and " ".join(edit.correction or ()) == expected["correction"]
        and typed(edit, expected)
    )


def typed(edit: Edit, expected: dict[str, Any]) -> bool:
    """Whether an edit has a type that a case accepts."""
    return edit.type in [expected["type"], *expected.get("also_accept", [])]


def as_tokens(case: Case, block: Block) -> bool:
    """Whether all edits of a case are right, over its own tokens."""
    found, expected = block.annotations[0].edits, [e for e in case["edits"] if e["type"] != "noop"]
    return len(found) == len(expected) and all(map(fits, found, expected))


def as_words(case: Case, block: Block) -> bool:
    """Whether all edits are right, over other words of the same text."""
    forms = [token["form"] for token in case["source_tokens"]]
    return right_text(
        case, block, [span(forms, e["start"], e["end"], e["correction"]) for e in case["edits"]]
    )


def as_characters(case: Case, block: Block) -> bool:
    """Whether all edits are right, with ChERRANT's spans over characters."""
    edits = [e for e in case["cherrant_char"] if e["op"] != "noop"]
    texts = [e["correction"].replace(" ", "").replace("-NONE-", "") for e in edits]
    return right_text(
        case, block, [(e["start"], e["end"], text) for e, text in zip(edits, texts, strict=True)]
    )


def right_text(case: Case, block: Block, wanted: list[Span]) -> bool:
    """Whether edits have the wanted spans by characters, and types that the case accepts."""
    edits = block.annotations[0].edits
    found = [span(block.source, e.start, e.end, "".join(e.correction or ())) for e in edits]
    return found == wanted and all(map(typed, edits, case["edits"]))


def span(tokens: tuple[str, ...] | list[str], start: int, end: int, correction: str) -> Span:
    """Return an edit over tokens as one over characters."""
    places = [0, *accumulate(map(len, tokens))]
    return places[start], places[end], correction.replace(" ", "")


#: The ways to annotate cases: models, tokens, the sentence that is made of tokens, when a case is right.
Way = tuple[str, TokenMode, Callable[[list[dict[str, Any]]], Sentence], Callable[[Case, Block], bool]]
WAYS: dict[str, Way] = {
    "given analysis": ("none", TokenMode.GIVEN, given, as_tokens),
    "embedded models": ("compact", TokenMode.GIVEN, bare, as_tokens),
}
RAW: dict[str, Way] = {
    "raw text, words": ("compact", TokenMode.WORDS, raw, as_words),
    "raw text, characters": ("compact", TokenMode.CHARACTERS, raw, as_characters),
}


def counted(lang: str) -> Iterator[tuple[str, list[tuple[Case, Block, bool]]]]:
    """Yield for each way its name, and each case with its annotation and whether that is right."""
    cases = json.loads((DATA / lang / "gold_cases.json").read_text(encoding="utf-8"))["cases"]
    for name, (models, tokens, sentence, right) in {**WAYS, **(RAW if lang == "zh" else {})}.items():
        annotator = jperrant.load(lang, models=models, tokens=tokens)
        found = []
        for case in cases:
            # A marker in the corrector's field (没有错误) says that nothing is to be changed.
            target = case["source_tokens" if case.get("marker") else "target_tokens"]
            pair = Parallel(sentence(case["source_tokens"]), (sentence(target),))
            [block] = annotator.annotate_many([pair])
            found.append((case, block, right(case, block)))
        yield name, found


def languages() -> list[str]:
    """Return the languages that have hand-made cases."""
    return sorted(path.parent.name for path in DATA.glob("*/gold_cases.json"))


def rows() -> Iterator[Row]:
    """Yield how many cases are right."""
    for lang in languages():
        for name, found in counted(lang):
            yield share(f"hand-made cases right: {lang}, {name}", sum(ok for *_, ok in found), len(found))


def report_textbook(langs: Sequence[str]) -> None:
    """Print how many textbook edits are right, and the wrong ones of the first half."""
    listed = (DATA / "packs" / "textbook_edits.tsv").read_text(encoding="utf-8")
    pairs = [line.split("\t") for line in listed.splitlines()]
    for lang in langs or dict.fromkeys(pair[0] for pair in pairs):
        annotator = jperrant.load(lang, models="none")
        halves: tuple[list[bool], list[bool]] = ([], [])
        for number, (code, kind, source, target, types) in enumerate(pairs):
            if code == lang:
                found = [edit.type for edit in annotator.annotate(source, target)]
                seen = kind == "shown" or number % 2 == 0
                halves[not seen].append(sorted(found) == sorted(types.split()))
                if seen and not halves[0][-1]:
                    print(f"  {lang} {kind}: {source} → {target}: expected {types}, found {' '.join(found)}")
        print(lang, *[f"{sum(half)}/{len(half)}" for half in halves])


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("langs", nargs="*", metavar="LANG", help=f"default: all of {', '.join(languages())}")
    parser.add_argument("--textbook", action="store_true", help="count textbook edits of many languages")
    options = parser.parse_args()
    if options.textbook:
        report_textbook(options.langs)
        return
    for lang in options.langs or languages():
        for name, found in counted(lang):
            for case, block, right in found:
                if not right:
                    wanted = [(e["start"], e["end"], e["correction"], e["type"]) for e in case["edits"]]
                    print(f"  {case['id']}: {case['source']} → {case['target']}: expected {wanted}, found")
                    print(
                        f"    {[(e.start, e.end, e.correction, e.type) for e in block.annotations[0].edits]}"
                    )
            print(f"{lang}, {name}: {sum(right for *_, right in found)} of {len(found)}")


if __name__ == "__main__":
    main()
