#!/usr/bin/env python3
"""How far do character-level edits agree with ChERRANT's, and where do they not?

The rows are those of tests/data/zh (60 sentences of MuCGEC's development set, references and one system). As
ChERRANT does, corrections are first converted to simplified characters. An edit agrees if span and correction
are equal.

python benchmarks/zh_cherrant.py [--show] [PARA M2 …]
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import jperrant
from jperrant.annotator import CHARACTERS
from jperrant.data import Edit, Parallel
from jperrant.io.cherrant import NO_ERROR, NOT_ANNOTATABLE
from jperrant.parse.text import sentence_of

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "zh"
FILES = {
    "references": ("mucgec_dev_60.para.tsv", "mucgec_dev_60.ref.char.m2"),
    "system": ("mucgec_dev_60.hyp.para.tsv", "mucgec_dev_60.hyp.char.m2"),
}
Row = tuple[int, int, str]


def cherrant(path: Path) -> list[dict[int, list[set[Row]]]]:
    """Return for each sentence and annotator the edits of each alternative."""
    sentences = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        found: dict[int, list[set[Row]]] = {}
        for line in block.split("\n"):
            if line.startswith("T"):
                found.setdefault(int(line[1:].split()[0].split("-")[0]), []).append(set())
            elif line.startswith("A") and not line.startswith("A -1"):
                span, _, text, *_, annotator = line[2:].split("|||")
                start, end = map(int, span.split())
                found[int(annotator)][-1].add((start, end, "" if text == "-NONE-" else text.replace(" ", "")))
        sentences.append(found)
    return sentences


def ours(path: Path, annotator: jperrant.Annotator) -> list[list[tuple[str, str, tuple[Edit, ...]]]]:
    """Return for each row and correction the source, the correction and the edits."""
    from opencc import OpenCC

    simplify = OpenCC("t2s").convert
    rows = [line.split("\t")[1:] for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [
        [row[0], *(row[0] if t in (NO_ERROR, NOT_ANNOTATABLE) else simplify(t) for t in row[1:])]
        for row in rows
    ]
    records = [Parallel(sentence_of(row[0]), tuple(sentence_of(t) for t in row[1:])) for row in rows]
    blocks = annotator.annotate_many(records)
    return [
        [(row[0], target, a.edits) for target, a in zip(row[1:], block.annotations, strict=True)]
        for row, block in zip(rows, blocks, strict=True)
    ]


def kind(edit: Row, others: set[Row]) -> str:
    """Return how an edit stands to those of the other side."""
    start, end, text = edit
    near = [o for o in others if o[0] <= end and o[1] >= start]
    if any(len(o[2]) == len(text) and o[1] - o[0] == end - start for o in near):
        return "same lengths at a neighbouring place"
    inside = [o for o in near if start <= o[0] and o[1] <= end]
    if len(inside) > 1:
        return "several edits on the other side"
    if any(o[0] <= start and end <= o[1] for o in near):
        return "part of a longer edit of the other side"
    return "other cut" if near else "nothing there on the other side"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="PARA M2", help="other rows, and ChERRANT's M2 of them")
    parser.add_argument("--show", action="store_true", help="print every pair with a difference")
    args = parser.parse_args()
    annotator = jperrant.load("zh", models="none", tokens=CHARACTERS)
    print(f"{'':12}{'pairs':>7}{'equal':>7}{'theirs':>8}{'ours':>7}{'agree':>7}{'of theirs':>11}{'of ours':>9}")
    kinds: Counter[str] = Counter()
    files = {p: (p, m) for p, m in zip(args.files[::2], args.files[1::2], strict=True)} or FILES
    for name, (para, m2) in files.items():
        pairs = equal = theirs = mine = agree = any_agree = any_theirs = 0
        for row, expected in zip(ours(DATA / para, annotator), cherrant(DATA / m2), strict=True):
            for number, (source, target, edits) in enumerate(row):
                found = {(e.start, e.end, "".join(e.correction or ())) for e in edits}
                alternatives = expected.get(number) or [set()]
                first = alternatives[0]
                best = max(alternatives, key=lambda a: (len(a & found) - len(a ^ found)))
                pairs += 1
                equal += found == first
                theirs, mine, agree = theirs + len(first), mine + len(found), agree + len(first & found)
                any_theirs, any_agree = any_theirs + len(best), any_agree + len(best & found)
                kinds.update(kind(e, found) for e in first - found)
                if args.show and found != first:
                    print(f"  {source}\n  {target}\n    theirs {sorted(first - found)}\n    ours   {sorted(found - first)}"
                          f"{'  (an alternative of theirs)' if found in alternatives else ''}")
        print(f"{Path(name).name[:11]:12}{pairs:7}{equal:7}{theirs:8}{mine:7}{agree:7}{agree / theirs:11.1%}{agree / mine:9.1%}")
        print(f"  against the nearest of ChERRANT's alternatives: {any_agree} of {any_theirs}, {any_agree / any_theirs:.1%}")
    for what, count in kinds.most_common():
        print(f"  {count:4}  {what}")


if __name__ == "__main__":
    main()
