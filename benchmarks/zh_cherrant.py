#!/usr/bin/env python3
"""How far do character-level edits agree with ChERRANT's, and where do they not?

The rows are those of tests/data/zh (60 sentences of MuCGEC's development set, references and one system), or
others with ChERRANT's M2 of them. As ChERRANT does, corrections are first converted to simplified characters. An
edit agrees if span and correction are equal. --resources takes the folder scorers/ChERRANT/data of its repository,
whose thesaurus and confusion list jperrant does without.

python benchmarks/zh_cherrant.py [--show] [--resources FOLDER] [PARA M2 …]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.text import TokenMode, sentence_of
from jperrant.core.values import Edit, Parallel
from jperrant.io.cherrant import NO_ERROR, NOT_ANNOTATABLE
from jperrant.langpacks.zh.characters import is_han, is_punctuation, readings

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


def ours(path: Path, annotator: Annotator) -> list[list[tuple[str, str, tuple[Edit, ...]]]]:
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


def kind(theirs: set[Row], found: set[Row], alternatives: list[set[Row]]) -> str:
    """Return how two annotations of a pair differ."""
    if found in alternatives:
        return "ours is another of ChERRANT's equally cheap alternatives"
    changed, other = (sum(end - start for start, end, _ in side) for side in (theirs, found))
    if changed > other:
        return "ChERRANT changes more characters: a substitution is cheap by its lists"
    if changed < other:
        return "ChERRANT changes fewer characters: its lists make a substitution expensive"
    return "as many characters changed, other ones"


def cost_with(folder: Path) -> Callable[[str, str], float]:
    """Return ChERRANT's own cost of two characters."""
    meaning: dict[str, str] = {}
    for line in (folder / "cilin.txt").read_text(encoding="gbk").strip().split("\n"):
        code, *words = line.split(" ")
        meaning |= dict.fromkeys(words, code)
    lines = (folder / "confusion_dict.txt").read_text(encoding="utf-8").splitlines()
    confused = {line.split(" ")[0]: set(line.split(" ")[1:]) for line in lines}

    def cost(a: str, b: str) -> float:
        codes = [(m[0], m[1], m[2:4]) if (m := meaning.get(c)) else None for c in (a, b)]
        semantic = 4.0
        if None not in codes:
            semantic = 2.0 * (3 - sum(x == y for x, y in zip(*codes, strict=True)))
        marks = is_punctuation(a) + is_punctuation(b)
        alike = is_han(a + b) and (
            readings(a) & readings(b) or b in confused.get(a, ()) or a in confused.get(b, ())
        )
        letters = 0.0 if alike else 0.5
        return max(semantic / 6 + (0.25, 0.499, 0.0)[marks] + letters, 1e-6)

    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="PARA M2", help="other rows, and ChERRANT's M2 of them")
    parser.add_argument("--show", action="store_true", help="print every pair with a difference")
    parser.add_argument(
        "--resources", type=Path, help="folder with ChERRANT's cilin.txt and confusion_dict.txt"
    )
    args = parser.parse_args()
    annotator = jperrant.load("zh", models="none", tokens=TokenMode.CHARACTERS)
    if args.resources:
        pack = replace(annotator.pack, character_cost=cost_with(args.resources))
        annotator = Annotator(pack, annotator.parser, tokens=TokenMode.CHARACTERS)
    files = {p: (p, m) for p, m in zip(args.files[::2], args.files[1::2], strict=True)} or FILES
    kinds: Counter[str] = Counter()
    print(" " * 12 + "  pairs  equal  theirs   ours  agree  of theirs  of ours")
    for name, (para, m2) in files.items():
        pairs = equal = theirs = mine = agree = 0
        for row, expected in zip(ours(DATA / para, annotator), cherrant(DATA / m2), strict=True):
            for number, (source, target, edits) in enumerate(row):
                found = {(e.start, e.end, "".join(e.correction or ())) for e in edits}
                alternatives = expected.get(number) or [set()]
                first = alternatives[0]
                pairs, equal = pairs + 1, equal + (found == first)
                theirs, mine, agree = theirs + len(first), mine + len(found), agree + len(first & found)
                if found == first:
                    continue
                kinds[kind(first, found, alternatives)] += 1
                if args.show:
                    print(f"  {source}\n  {target}")
                    print(f"    theirs {sorted(first - found)}\n    ours   {sorted(found - first)}")
        figures = f"{pairs:7}{equal:7}{theirs:8}{mine:7}{agree:7}{agree / theirs:11.1%}{agree / mine:9.1%}"
        print(f"{Path(name).name[:11]:12}{figures}")
    print("pairs that differ:")
    for what, count in kinds.most_common():
        print(f"  {count:4}  {what}")


if __name__ == "__main__":
    main()
