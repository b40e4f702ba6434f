#!/usr/bin/env python3
"""How much slower is typing edits by YAML rules than by Python written by hand?

    python benchmarks/rules_speed.py

Types the edits of the stored sample (tests/data/errant: 460 pairs, random ones on the thresholds of ERRANT's rules
and CoNLL-2014 ones) by the rules of the generic and of the English pack, and by rules_by_hand.py, which says the
same in Python and is checked to give the same types. Both are given sentences and a span. Features are made up
from the XPOS tags. Prints microseconds for an edit and the ratio; the best of fifteen rounds, in processor
time, alternating.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from pathlib import Path

from rules_by_hand import English, Typed, generic

from jperrant.alignment.tokens import align_tokens
from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.edit_context import EditContext
from jperrant.edits.merge import merge
from jperrant.packs import Pack, load_pack

HERE = Path(__file__).resolve().parent
ROUNDS = 15

FEATS = {
    "NN": "Number=Sing", "NNS": "Number=Plur", "NNP": "Number=Sing", "JJ": "Degree=Pos", "JJR": "Degree=Cmp",
    "JJS": "Degree=Sup", "VB": "VerbForm=Inf", "VBD": "Mood=Ind|Tense=Past|VerbForm=Fin", "VBG": "VerbForm=Ger",
    "VBN": "Tense=Past|VerbForm=Part", "VBP": "Mood=Ind|Tense=Pres|VerbForm=Fin",
    "VBZ": "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
}  # fmt: skip


def edits(pack: Pack) -> list[tuple[Sentence, Sentence, Span]]:
    """Return every edit of the sample, merged as the pack merges."""
    content = gzip.decompress((HERE.parent / "tests" / "data" / "errant" / "pairs.json.gz").read_bytes())
    found = []
    for pair in json.loads(content):
        source, target = sentence(pair["orig"]), sentence(pair["cor"])
        spans = merge(align_tokens(source, target, pack.costs), "rules", pack.merge_rules)
        found += [(source, target, span) for span in spans]
    return found


def sentence(rows: list[list[str]]) -> Sentence:
    tokens = [
        Token(form, lemma, upos, xpos, FEATS.get(xpos, ""), int(head), deprel)
        for form, upos, xpos, lemma, deprel, head in rows
    ]
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


def main() -> int:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    print(f"{'pack':<10}{'edits':>8}{'YAML µs':>10}{'Python µs':>12}{'ratio':>8}")
    worst = 0.0
    for pack, by_hand in ((load_pack("generic"), generic), (load_pack("en"), English)):
        ratio = compare(pack, by_hand(pack))
        worst = max(worst, ratio)
    return 0 if worst <= 3 else 1


def compare(pack: Pack, by_hand: Typed) -> float:
    """Check that both say the same, print a line of the table and return the ratio."""

    def by_rules(source: Sentence, target: Sentence, span: Span) -> str:
        return pack.rules.classify(EditContext(source, target, span, pack.vocabulary))

    found = edits(pack)
    for edit in found:
        if by_rules(*edit) != by_hand(*edit):
            sys.exit(f"{pack.code}: {by_rules(*edit)} by rules, {by_hand(*edit)} by hand: {edit}")
    times: dict[Typed, float] = {by_rules: float("inf"), by_hand: float("inf")}
    for _ in range(ROUNDS):
        for typed in times:
            start = time.process_time()
            for edit in found:
                typed(*edit)
            times[typed] = min(times[typed], time.process_time() - start)
    micro = [1e6 * seconds / len(found) for seconds in times.values()]
    ratio = micro[0] / micro[1]
    print(f"{pack.code:<10}{len(found):>8}{micro[0]:>10.2f}{micro[1]:>12.2f}{ratio:>8.2f}")
    return ratio


if __name__ == "__main__":
    sys.exit(main())
