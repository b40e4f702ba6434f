#!/usr/bin/env python3
"""``annotate`` end to end against one full Stanza call a sentence and side, in one run with the same models.

    python benchmarks/annotate_speed.py                  # CoNLL-2014, two references, two processes
    python benchmarks/annotate_speed.py --sentences 300  # a sample, for a quick look
    python benchmarks/annotate_speed.py --stream 1000000 # memory over a long synthetic file

The baseline calls ``stanza.Pipeline`` (tokenize, mwt, pos, lemma, depparse) on the source and on the target of
every pair, as tools do that annotate pair by pair, and then aligns, merges and classifies with jperrant's own
code. It uses both cores through torch's threads, ``annotate`` through two processes.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter

from jperrant.core.apply import apply_edits
from jperrant.io.m2 import read_m2

CONLL = Path(__file__).resolve().parent.parent / "tests" / "data" / "conll14" / "conll14.errant"


def parallel_files(folder: Path, blocks: Iterable[object]) -> list[Path]:
    """Write sources and both corrections as parallel files."""
    lines: list[list[str]] = [[], [], []]
    for block in blocks:
        lines[0].append(" ".join(block.source))
        for n, annotation in enumerate(block.annotations, start=1):
            lines[n].append(" ".join(apply_edits(block.source, annotation.edits)))
    paths = [folder / name for name in ("source", "target0", "target1")]
    for path, text in zip(paths, lines, strict=True):
        path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return paths


def baseline(paths: list[Path]) -> float:
    """Return the seconds of one full Stanza call a sentence and side, models loaded before."""
    import stanza

    import jperrant
    from jperrant.core.text import sentence_of
    from jperrant.packs import load_pack

    annotator = jperrant.load("en", models="none")
    folder = load_pack("en").compact
    pipeline = stanza.Pipeline("en", dir=str(folder), download_method=None, verbose=False)
    pipeline("One sentence to warm up .")
    texts = [path.read_text(encoding="utf-8").splitlines() for path in paths]
    start = perf_counter()
    for source, *targets in zip(*texts, strict=True):
        for target in targets:
            for text in (source, target):
                if text:
                    pipeline(text)
            annotator.annotate(sentence_of(source), sentence_of(target))
    return perf_counter() - start


def annotate(paths: list[Path], jobs: int) -> tuple[float, int]:
    """Return the seconds of the command, start included, and its peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        command = [sys.executable, "-m", "jperrant.cli", "annotate", *map(str, paths), "--jobs", str(jobs)]
        subprocess.run([*command, "-o", str(Path(folder) / "out.m2")], check=True)
        seconds = perf_counter() - start
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def synthetic(folder: Path, lines: int, changed: float) -> list[Path]:
    """Write a long parallel file: sentences of random words, a share of them with one error corrected."""
    rng = random.Random(0)
    words = [
        "the",
        "a",
        "child",
        "children",
        "goes",
        "go",
        "to",
        "school",
        "in",
        "big",
        "house",
        "sees",
        "often",
    ]
    paths = [folder / "source", folder / "target"]
    with paths[0].open("w") as source, paths[1].open("w") as target:
        for _ in range(lines):
            tokens = rng.choices(words, k=12)
            source.write(" ".join(tokens) + "\n")
            if rng.random() < changed:
                tokens[rng.randrange(12)] = rng.choice(words)
            target.write(" ".join(tokens) + "\n")
    return paths


def stream(lines: int, changed: float) -> None:
    """Print the peak memory over files of growing length."""
    print(f"{'lines':>10}{'peak MB':>10}{'lines per second / first':>27}")
    first = None
    for count in (lines // 100, lines // 10, lines):
        with tempfile.TemporaryDirectory() as folder:
            paths = synthetic(Path(folder), count, changed)
            # A process of its own, because the peak of children only ever grows.
            code = f"from annotate_speed import *; print(*annotate([Path(p) for p in {list(map(str, paths))}], 1))"
            done = subprocess.run(
                [sys.executable, "-c", code],
                cwd=Path(__file__).parent,
                capture_output=True,
                text=True,
                check=True,
            )
        seconds, peak = map(float, done.stdout.split())
        rate = count / seconds
        first = first or rate
        print(f"{count:>10}{peak:>10.0f}{rate / first:>27.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=1312)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--stream", type=int, metavar="LINES")
    parser.add_argument("--changed", type=float, default=0.01, help="--stream: share of changed pairs")
    options = parser.parse_args()
    if options.stream:
        stream(options.stream, options.changed)
        return
    blocks = list(read_m2(str(CONLL)))[: options.sentences]
    with tempfile.TemporaryDirectory() as folder:
        paths = parallel_files(Path(folder), blocks)
        slow = baseline(paths)
        print(f"{'':<44}{'ratio':>8}")
        for jobs in sorted({1, options.jobs}):
            seconds, _ = annotate(paths, jobs)
            print(f"annotate, {jobs} process(es), start included{'':<6}{slow / seconds:>8.1f}")


if __name__ == "__main__":
    main()
