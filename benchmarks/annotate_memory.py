#!/usr/bin/env python3
"""Memory of ``annotate`` as a file grows: the largest process, over synthetic files in which few lines change.

    python benchmarks/annotate_memory.py                          # up to 100,000 lines
    python benchmarks/annotate_memory.py --lines 1000000 --changed 0.001

Lines are random words; one word of some lines is replaced. Three files, each ten times as long as that before, are
annotated by the compact English models in a process of its own each. ``errant_end_to_end.py`` measures speed.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

from scale_score import run

WORDS = ("the", "a", "child", "children", "goes", "go", "to", "school", "in", "big", "house", "sees", "often")


def synthetic(folder: Path, lines: int, changed: float) -> list[Path]:
    """Write a parallel file of random words, of which a share of lines has one replaced."""
    rng = random.Random(0)
    paths = [folder / "source", folder / "target"]
    with paths[0].open("w") as source, paths[1].open("w") as target:
        for _ in range(lines):
            tokens = rng.choices(WORDS, k=12)
            source.write(" ".join(tokens) + "\n")
            if rng.random() < changed:
                tokens[rng.randrange(12)] = rng.choice(WORDS)
            target.write(" ".join(tokens) + "\n")
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=100_000, help="of the longest file")
    parser.add_argument("--changed", type=float, default=0.01, help="share of lines with a change")
    given = parser.parse_args()
    print(f"{'lines':>10}{'peak MB':>10}{'CPU s':>8}")
    for lines in (given.lines // 100, given.lines // 10, given.lines):
        with tempfile.TemporaryDirectory() as name:
            paths = map(str, synthetic(Path(name), lines, given.changed))
            code, memory, seconds = run(["annotate", *paths, "-q", "-o", str(Path(name) / "out.m2")])
        print(f"{lines:>10}{memory:>10.0f}{seconds:>8.1f}{f'  exit code {code}' if code else ''}", flush=True)


if __name__ == "__main__":
    main()
