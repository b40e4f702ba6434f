#!/usr/bin/env python3
"""How many edits over words have ChERRANT's span, and how many of those its type?

The file is ChERRANT's M2 of the NLPCC-2018 reference (samples/nlpcc2018_official.ref.m2.word of its repository; the
60 sentences in tests/data/zh without an argument). The words are ChERRANT's, the analysis is that of the embedded
models. Rules are written on the *shown* half of the sentences: the first byte of SHA-256 of the source is even. The
*unseen* half is only counted. --show prints the confusions of the shown half.

python benchmarks/zh_types.py [--show] [M2]
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path

import jperrant
from jperrant.core.edits import corrected
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel
from jperrant.io.cherrant import read_cherrant
from jperrant.packs.labels import label_set

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "zh"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("m2", nargs="?", default=str(DATA / "nlpcc18_60.ref.word.m2"))
    parser.add_argument("--show", action="store_true", help="print the confusions of the shown half")
    args = parser.parse_args()
    annotator = jperrant.load("zh")
    names = label_set(annotator.pack, "cherrant").names
    blocks = [block for block in read_cherrant(args.m2) if block.source]
    pairs = [
        Parallel(
            sentence_of(" ".join(block.source)),
            tuple(
                sentence_of(" ".join(corrected(block.source, a.edits, args.m2, number, a.annotator)))
                for a in block.annotations
            ),
        )
        for number, block in enumerate(blocks, start=1)
    ]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    confusions: dict[tuple[str, str], list[str]] = defaultdict(list)
    for block, typed in zip(blocks, annotator.annotate_many(pairs), strict=True):
        half = "unseen" if sha256(" ".join(block.source).encode()).digest()[0] % 2 else "shown"
        for gold, found in zip(block.annotations, typed.annotations, strict=True):
            ours = {(e.start, e.end, e.correction): e.type for e in found.edits}
            for edit in gold.edits:
                kind = ours.get((edit.start, edit.end, edit.correction))
                counts[half]["gold"] += 1
                if kind is None:
                    continue
                named = "R:WO" if kind == "R:WO" else names[kind]
                wanted = edit.type.replace("QUANT", "QUAN")
                counts[half].update(["spans", *(["types"] if named == wanted else [])])
                if named != wanted and half == "shown":
                    source = " ".join(block.source[max(0, edit.start - 3) : edit.end + 3])
                    change = (
                        f"{' '.join(block.source[edit.start : edit.end])}→{' '.join(edit.correction or ())}"
                    )
                    confusions[wanted, kind].append(f"{change}  ({source})")
    print("half      edits  spans  types  of edits  of spans")
    for half, found in sorted(counts.items()):
        edits, spans, types = (found[key] for key in ("gold", "spans", "types"))
        print(f"{half:8}{edits:7}{spans:7}{types:7}{spans / edits:10.3f}{types / spans:10.3f}")
    if args.show:
        for (wanted, kind), examples in sorted(confusions.items(), key=lambda item: -len(item[1])):
            print(f"{len(examples):4}  ChERRANT {wanted}, here {kind}")
            print("".join(f"        {example}\n" for example in examples), end="")


if __name__ == "__main__":
    main()
