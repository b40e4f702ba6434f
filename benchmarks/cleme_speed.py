#!/usr/bin/env python3
"""CLEME2.0 against the work it is expected to do, and its growth with references, in one run.

    python benchmarks/cleme_speed.py

CPU seconds of this process for AMU's CoNLL-2014 output, reading included, both levels, the best of some rounds;
and what the command line takes beyond an interpreter that does nothing. References beyond two are those of the
systems in the same folder and copies. Targets: 0.2 s with two references, 0.5 s with ten, linear between.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import chain, cycle, islice
from pathlib import Path
from time import process_time

from jperrant import read_m2, write_m2
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer, ClemeScorer
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.reading import load_pairs

ROUNDS = 5
TARGETS = {2: 0.2, 10: 0.5}
SYSTEMS = ("CAMB", "IITB", "INPUT", "AMU")


def write_references(folder: Path, count: int, out: Path) -> None:
    """Write a file with so many references a sentence."""
    files = [read_m2(str(folder / "conll14.errant"))]
    files += [read_m2(str(folder / f"conll14-{system}.errant")) for system in SYSTEMS]
    blocks = []
    for row in zip(*files, strict=True):
        every = list(chain.from_iterable(block.annotations for block in row))
        edits = [a.edits for a in islice(cycle(every), count)]
        blocks.append(Block(row[0].source, tuple(Annotation(n, e) for n, e in enumerate(edits))))
    with out.open("w", encoding="utf-8") as stream:
        write_m2(blocks, stream)


def best(work: Callable[[], object]) -> float:
    """Return the smallest CPU time of some rounds: other work on the machine only ever adds."""
    times = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def both_levels(hypothesis: str, references: str, assumption: str) -> None:
    pairs = load_pairs([hypothesis], references)
    for level in ("corpus", "sentence"):
        evaluate(Cleme2Scorer(assumption, level), pairs)


def command_seconds(*command: str) -> float:
    """Return the smallest CPU time of a command in a process of its own."""
    times = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).resolve().parent
    parser.add_argument("--conll", type=Path, default=here.parent / "tests" / "data" / "conll14")
    folder = parser.parse_args().conll
    system = str(folder / "conll14-AMU.errant")
    with tempfile.TemporaryDirectory() as name:
        print(f"{'references':>10}{'read':>8}{'dep':>8}{'ind':>8}{'to target':>11}{'to 1 reference':>16}")
        one = 0.0
        for count in (1, 2, 5, 10):
            path = Path(name) / f"{count}.m2"
            write_references(folder, count, path)
            read = best(lambda path=path: load_pairs([system], str(path)))  # type: ignore[misc]
            dep, ind = (
                best(lambda path=path, a=a: both_levels(system, str(path), a))  # type: ignore[misc]
                for a in ("dependent", "independent")
            )
            one = one or dep
            target = f"{dep / TARGETS[count]:.2f}" if count in TARGETS else ""
            print(f"{count:>10}{read:>8.3f}{dep:>8.3f}{ind:>8.3f}{target:>11}{dep / one:>16.2f}")
        pairs = load_pairs([system], str(folder / "conll14.errant"))
        plain = best(lambda: evaluate(Cleme2Scorer(), pairs))
        length = best(lambda: evaluate(ClemeScorer(), pairs))
        print(f"CLEME with length weights / CLEME2.0, corpus, without reading: {length / plain:.2f}")
    nothing = command_seconds("-c", "pass")
    imports = command_seconds("-c", "import numpy, typer")
    options = ["score", system, "--ref", str(folder / "conll14.errant"), "--metric", "cleme2"]
    command = command_seconds("-m", "jperrant.cli", *options)
    print(
        f"command line, corpus level, beyond an empty interpreter: {command - nothing:.2f} s, "
        f"{imports - nothing:.2f} s of it to import numpy and typer"
    )


if __name__ == "__main__":
    sys.exit(main())
