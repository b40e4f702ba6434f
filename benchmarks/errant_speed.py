#!/usr/bin/env python3
"""Align + merge + classify: jperrant against ERRANT on the same annotation, in one run.

    python benchmarks/errant_speed.py

The CoNLL-2014 pairs (two references), analysed once by the embedded models; ERRANT gets ready-made spaCy
documents, jperrant ready-made sentences. Also two hard cases: many unrelated tokens, and a long run of
substitutions. Reports ratios; absolute times mean nothing on a shared machine.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import errant_oracle

ROUNDS = 3


def hard_cases() -> list[dict]:
    """Return 160 unrelated tokens against 160 others, the same shuffled, and runs of 120 substitutions."""
    rng = random.Random(0)

    def tokens(words: list[str], upos: list[str]) -> list[dict]:
        tags = {"NOUN": "NN", "VERB": "VB", "ADP": "IN", "DET": "DT", "PRON": "PRP"}
        return [
            {"form": w, "upos": u, "xpos": tags[u], "lemma": w, "deprel": "dep", "head": 1 if n else 0}
            for n, (w, u) in enumerate(zip(words, upos, strict=True))
        ]

    def word() -> str:
        return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 9)))

    a, b = [word() for _ in range(160)], [word() for _ in range(160)]
    mixed = [rng.choice(["NOUN", "VERB", "ADP", "DET"]) for _ in range(160)]
    function = [("ADP", "PRON", "DET")[n % 3] for n in range(120)]
    shuffled = rng.sample(a, len(a))
    return [
        {"id": "160 unrelated tokens", "orig": tokens(a, mixed), "cor": tokens(b, mixed[::-1])},
        {"id": "160 tokens shuffled", "orig": tokens(a, mixed), "cor": tokens(shuffled, mixed)},
        {
            "id": "120 substitutions",
            "orig": tokens(a[:120], function),
            "cor": tokens(b[:120], function[::-1]),
        },
    ]


def time_errant(path: Path) -> list[float]:
    """Return ERRANT's seconds for each pair; runs in ERRANT's environment."""
    import errant
    import spacy

    annotator = errant.load("en", spacy.blank("en"))
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    docs = [[errant_oracle.make_doc(annotator.nlp, p[side], True) for side in ("orig", "cor")] for p in lines]
    return best_of_rounds(annotator.annotate, docs)


def best_of_rounds(annotate: Callable[[object, object], object], pairs: list) -> list[float]:
    """Return the best seconds of each pair over some rounds: other work on the machine only ever adds."""
    best = [math.inf] * len(pairs)
    for _ in range(ROUNDS):
        for n, (source, target) in enumerate(pairs):
            start = perf_counter()
            annotate(source, target)
            best[n] = min(best[n], perf_counter() - start)
    return best


def time_jperrant(pairs: list[dict]) -> list[float]:
    from errant_parity import conllu

    import jperrant
    from jperrant.io.conllu import parse_conllu

    annotator = jperrant.load("en", models="none")
    sentences = [[next(parse_conllu(conllu(pair[side]), side)) for side in ("orig", "cor")] for pair in pairs]
    return best_of_rounds(annotator.annotate, sentences)


def row(name: str, theirs: list[float], ours: list[float]) -> None:
    medians = statistics.median(theirs) / statistics.median(ours)
    means = statistics.mean(theirs) / statistics.mean(ours)
    print(f"{name:<28}{len(theirs):>7}{medians:>12.1f}{means:>12.1f}{1000 * max(ours):>14.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).resolve().parent
    parser.add_argument("--venv", type=Path, default=here.parent / "build" / "errant-venv")
    parser.add_argument("--conll", type=Path, default=here.parent / "tests" / "data" / "conll14")
    parser.add_argument("--time-errant", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.time_errant:
        print(json.dumps(time_errant(options.time_errant)))
        return
    from errant_parity import conll_pairs, oracle_python

    pairs = conll_pairs(options.conll, "conll14.errant") + hard_cases()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        path.write_text("".join(json.dumps(p) + "\n" for p in pairs), encoding="utf-8")
        command = [str(oracle_python(options.venv)), __file__, "--time-errant", str(path)]
        theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    ours = time_jperrant(pairs)
    count = len(pairs) - len(hard_cases())
    changed = [
        n
        for n in range(count)
        if [t["form"] for t in pairs[n]["orig"]] != [t["form"] for t in pairs[n]["cor"]]
    ]
    print(f"{'ERRANT / jperrant':<28}{'pairs':>7}{'median':>12}{'mean':>12}{'our worst ms':>14}")
    row("CoNLL-2014, changed pairs", [theirs[n] for n in changed], [ours[n] for n in changed])
    row("CoNLL-2014, all pairs", theirs[:count], ours[:count])
    for n in range(count, len(pairs)):
        row(pairs[n]["id"], [theirs[n]], [ours[n]])


if __name__ == "__main__":
    sys.exit(main())
