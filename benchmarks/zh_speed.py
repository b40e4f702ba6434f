#!/usr/bin/env python3
"""How many pairs a second does character-level annotation of Chinese take, given tokens, on one core?

Beside it the plain way to the same alignments, as the literature describes ChERRANT's: the whole matrix, each
substitution's cost computed again, windows sorted for transpositions, and all cheapest paths enumerated. Both run
on the 181 pairs of tests/data/zh; the ratio is of two times of one run.

python benchmarks/zh_speed.py [PARA …]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import jperrant
from jperrant.core.text import TokenMode, sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.io.cherrant import NO_ERROR, NOT_ANNOTATABLE
from jperrant.langpacks.zh.costs import character_cost

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "zh"
FILES = (DATA / "mucgec_dev_60.para.tsv", DATA / "mucgec_dev_60.hyp.para.tsv")
#: Pairs a second of ChERRANT itself on one core: 2,477 pairs in 65 s.
CHERRANT = 38
ROUNDS = 3
Path_ = tuple[tuple[str, int, int], ...]


def read(paths: list[Path]) -> list[Parallel]:
    rows = [line.split("\t")[1:] for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Parallel(sentence_of(s), tuple(sentence_of(s if t in (NO_ERROR, NOT_ANNOTATABLE) else t) for t in ts))
        for s, *ts in rows
    ]


def plain(source: str, target: str, cost: Callable[[str, str], float]) -> list[Path_]:
    """Return all cheapest paths of an alignment, computed in the plain way."""
    n, m = len(source), len(target)
    costs = [[float(i + j) for j in range(m + 1)] for i in range(n + 1)]
    steps = [[["I"] if i == 0 else ["D"] for _ in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if source[i - 1] == target[j - 1]:
                costs[i][j], steps[i][j] = costs[i - 1][j - 1], ["M"]
                continue
            moved, width = float("inf"), 0
            for k in range(1, min(i, j)):
                if costs[i - k][j - k] == costs[i - k - 1][j - k - 1]:
                    break
                if sorted(source[i - k - 1 : i]) == sorted(target[j - k - 1 : j]):
                    moved, width = costs[i - k - 1][j - k - 1] + k, k + 1
                    break
            options = {
                f"T{width}": moved,
                "S": costs[i - 1][j - 1] + cost(source[i - 1], target[j - 1]),
                "I": costs[i][j - 1] + 1,
                "D": costs[i - 1][j] + 1,
            }
            costs[i][j] = min(options.values())
            steps[i][j] = [op for op, value in options.items() if value == costs[i][j]]
    found: list[Path_] = []
    stack: list[tuple[int, int, Path_]] = [(n, m, ())]
    while stack:
        i, j, path = stack.pop()
        if not i and not j:
            found.append(path)
            continue
        for op in steps[i][j] if abs(n - m) <= 10 else steps[i][j][:1]:
            down, right = {"D": (1, 0), "I": (0, 1), "M": (1, 1), "S": (1, 1)}.get(op) or (int(op[1:]),) * 2
            stack.append((i - down, j - right, ((op, i, j), *path)))
    return found


def best(work: Callable[[], object]) -> float:
    """Return the least processor time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="PARA", help="other rows: id, source, corrections"
    )
    records = read(parser.parse_args().files or list(FILES))
    pairs = sum(len(record.corrections) for record in records)
    characters = [
        sum(len(s.text) for s in (r.source, *r.corrections)) / (1 + len(r.corrections)) for r in records
    ]
    annotator = jperrant.load("zh", models="none", tokens=TokenMode.CHARACTERS)

    def annotate() -> None:
        for _ in annotator.annotate_many(records):
            pass

    def align_plainly() -> None:
        uncached = character_cost.__wrapped__
        for source, corrections in records:
            for target in corrections:
                plain(_joined(source), _joined(target), uncached)

    start = time.process_time()
    annotate()
    first = time.process_time() - start
    ours, reference = best(annotate), best(align_plainly)
    print(
        f"{pairs} pairs, {sum(characters) / len(characters):.0f} characters a sentence, {sys.version.split()[0]}"
    )
    print(f"{'':40}{'seconds':>9}{'pairs/s':>9}")
    print(f"{'jperrant, first time (tables loaded)':40}{first:9.3f}{pairs / first:9.0f}")
    print(f"{'jperrant: align, merge, type':40}{ours:9.3f}{pairs / ours:9.0f}")
    print(f"{'the plain way: align only':40}{reference:9.3f}{pairs / reference:9.0f}")
    print(
        f"ratio {reference / ours:.1f}; against ChERRANT's {CHERRANT} pairs/s {pairs / ours / CHERRANT:.0f} times"
    )


def _joined(sentence: Sentence) -> str:
    return "".join(sentence.text.split())


if __name__ == "__main__":
    main()
