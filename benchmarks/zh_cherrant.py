#!/usr/bin/env python3
"""How many edits of Chinese agree with ChERRANT's, over characters and over words, and how fast are they made?

python benchmarks/zh_cherrant.py [--show] [PARA M2 …]
python benchmarks/zh_cherrant.py --types [--show] [M2]

The rows are those of tests/data/zh (60 sentences of MuCGEC's development set, references and one system), or
others with ChERRANT's M2 of them. As ChERRANT does, corrections are first converted to simplified characters. An
edit agrees if span and correction are equal.

--types: how many edits over words have ChERRANT's span, and how many of those its type. The file is ChERRANT's M2
of the NLPCC-2018 reference (samples/nlpcc2018_official.ref.m2.word of its repository; 60 of its sentences without
an argument). The words are ChERRANT's, the analysis is that of the embedded models. Rules are written on the
*shown* half of the sentences: the first byte of SHA-256 of the source is even. The *unseen* half is only counted.
--show prints the confusions of the shown half.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from bench import ROOT, Row, best, faster, parser_of, share

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import corrected
from jperrant.core.text import TokenMode, sentence_of
from jperrant.core.values import Edit, Parallel
from jperrant.io.dialects import NO_ERROR, NOT_ANNOTATABLE, read_cherrant

DATA = ROOT / "tests" / "data" / "zh"
FILES = {
    "references": ("mucgec_dev_60.para.tsv", "mucgec_dev_60.ref.char.m2"),
    "system": ("mucgec_dev_60.hyp.para.tsv", "mucgec_dev_60.hyp.char.m2"),
}
WORDS = str(DATA / "nlpcc18_60.ref.word.m2")
#: CPU seconds of ChERRANT itself for a pair, on one core: 2,477 pairs in 65 s.
CHERRANT = 65 / 2477
#: Start, end and correction of an edit.
Span = tuple[int, int, str]


def cherrant(path: Path) -> list[dict[int, list[set[Span]]]]:
    """Return for each sentence and annotator the edits of each alternative."""
    sentences = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        found: dict[int, list[set[Span]]] = {}
        for line in block.split("\n"):
            if line.startswith("T"):
                found.setdefault(int(line[1:].split()[0].split("-")[0]), []).append(set())
            elif line.startswith("A") and not line.startswith("A -1"):
                span, _, text, *_, annotator = line[2:].split("|||")
                start, end = map(int, span.split())
                found[int(annotator)][-1].add((start, end, "" if text == "-NONE-" else text.replace(" ", "")))
        sentences.append(found)
    return sentences


def read(path: Path) -> list[list[str]]:
    """Return for each row the source and its corrections, in simplified characters."""
    from opencc import OpenCC

    simplify = OpenCC("t2s").convert
    rows = [line.split("\t")[1:] for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        [row[0], *(row[0] if t in (NO_ERROR, NOT_ANNOTATABLE) else simplify(t) for t in row[1:])]
        for row in rows
    ]


def ours(rows: list[list[str]], annotator: Annotator) -> list[list[tuple[str, str, tuple[Edit, ...]]]]:
    """Return for each row and correction the source, the correction and the edits."""
    records = [Parallel(sentence_of(row[0]), tuple(sentence_of(t) for t in row[1:])) for row in rows]
    blocks = annotator.annotate_many(records)
    return [
        [(row[0], target, a.edits) for target, a in zip(row[1:], block.annotations, strict=True)]
        for row, block in zip(rows, blocks, strict=True)
    ]


#: A pair: source, correction, our edits, and the alternatives of ChERRANT, its choice first.
Compared = tuple[str, str, set[Span], list[set[Span]]]


def compared(para: Path, m2: Path, annotator: Annotator) -> Iterator[Compared]:
    """Yield the pairs of a file."""
    for row, expected in zip(ours(read(para), annotator), cherrant(m2), strict=True):
        for number, (source, target, edits) in enumerate(row):
            found = {(e.start, e.end, "".join(e.correction or ())) for e in edits}
            yield source, target, found, expected.get(number) or [set()]


def rows() -> Iterator[Row]:
    """Yield agreement over characters and over words, and the time of a pair."""
    annotator = jperrant.load("zh", models="none", tokens=TokenMode.CHARACTERS)
    for name, (para, m2) in FILES.items():
        pairs = list(compared(DATA / para, DATA / m2, annotator))
        equal = sum(found == alternatives[0] for *_, found, alternatives in pairs)
        yield share(f"pairs with ChERRANT's edits over characters: MuCGEC, {name}", equal, len(pairs))
    counts, _ = types(WORDS)
    total = counts["shown"] + counts["unseen"]
    yield share(
        "edits with ChERRANT's span and correction over words, NLPCC-2018", total["spans"], total["gold"]
    )
    yield share("of these, with ChERRANT's type", total["types"], total["spans"])
    texts = [row for para, _ in FILES.values() for row in read(DATA / para)]
    pairs_of_row = sum(len(row) - 1 for row in texts)
    seconds = best(lambda: ours(texts, annotator)) / pairs_of_row
    yield faster("a pair over characters, given: ChERRANT, measured once elsewhere", seconds, CHERRANT)


def types(m2: str) -> tuple[dict[str, Counter[str]], dict[tuple[str, str], list[str]]]:
    """Return counts of each half, and the confusions of types in the shown one."""
    annotator = jperrant.load("zh")
    names = annotator.pack.keys.names_in("cherrant").names
    blocks = [block for block in read_cherrant(m2) if block.source]
    pairs = [
        Parallel(
            sentence_of(" ".join(block.source)),
            tuple(
                sentence_of(" ".join(corrected(block.source, a.edits, m2, number, a.annotator)))
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
            here = {(e.start, e.end, e.correction): e.type for e in found.edits}
            for edit in gold.edits:
                type_ = here.get((edit.start, edit.end, edit.correction))
                counts[half]["gold"] += 1
                if type_ is None:
                    continue
                named = "R:WO" if type_ == "R:WO" else names[type_]
                wanted = edit.type.replace("QUANT", "QUAN")
                counts[half].update(["spans", *(["types"] if named == wanted else [])])
                if named != wanted and half == "shown":
                    confusions[wanted, type_].append(shown(block.source, edit))
    return counts, confusions


def shown(source: tuple[str, ...], edit: Edit) -> str:
    """Return an edit with the words around it."""
    change = f"{' '.join(source[edit.start : edit.end])}→{' '.join(edit.correction or ())}"
    return f"{change}  ({' '.join(source[max(0, edit.start - 3) : edit.end + 3])})"


def print_types(m2: str, show: bool) -> None:
    """Print the table of types."""
    counts, confusions = types(m2)
    print("half      edits  spans  types  of edits  of spans")
    for half, found in sorted(counts.items()):
        edits, spans, same = (found[key] for key in ("gold", "spans", "types"))
        print(f"{half:8}{edits:7}{spans:7}{same:7}{spans / edits:10.3f}{same / spans:10.3f}")
    for (wanted, type_), examples in (
        sorted(confusions.items(), key=lambda item: -len(item[1])) if show else ()
    ):
        print(f"{len(examples):4}  ChERRANT {wanted}, here {type_}")
        print("".join(f"        {example}\n" for example in examples), end="")


def print_edits(files: dict[str, tuple[str, str]], annotator: Annotator, show: bool) -> None:
    """Print the table of edits over characters."""
    print(" " * 12 + "  pairs  equal  theirs   ours  agree  of theirs  of ours")
    for name, (para, m2) in files.items():
        pairs = equal = theirs = mine = agree = 0
        for source, target, found, alternatives in compared(DATA / para, DATA / m2, annotator):
            first = alternatives[0]
            pairs, equal = pairs + 1, equal + (found == first)
            theirs, mine, agree = theirs + len(first), mine + len(found), agree + len(first & found)
            if found != first and show:
                print(f"  {source}\n  {target}")
                print(f"    theirs {sorted(first - found)}\n    ours   {sorted(found - first)}")
        figures = f"{pairs:7}{equal:7}{theirs:8}{mine:7}{agree:7}{agree / theirs:11.1%}{agree / mine:9.1%}"
        print(f"{Path(name).name[:11]:12}{figures}")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="other rows, and ChERRANT's M2 of them")
    parser.add_argument("--types", action="store_true", help="types over words, of one M2 file")
    parser.add_argument("--show", action="store_true", help="print what differs")
    args = parser.parse_args()
    if args.types:
        print_types(args.files[0] if args.files else WORDS, args.show)
        return
    files = {p: (p, m) for p, m in zip(args.files[::2], args.files[1::2], strict=True)} or FILES
    print_edits(files, jperrant.load("zh", models="none", tokens=TokenMode.CHARACTERS), args.show)


if __name__ == "__main__":
    main()
