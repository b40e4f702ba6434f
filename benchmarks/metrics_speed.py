#!/usr/bin/env python3
"""What a system of CoNLL-2014 costs in each metric, beside the published programs, in one run.

    python benchmarks/metrics_speed.py [METRIC ...] [--m2scorer FOLDER --python2 PROGRAM]

CPU seconds for one system against two references, reading included, the best of some rounds. A published program
runs on the same sentences where it is there: ``--m2scorer`` is a checkout of nusnlp/m2scorer, which needs Python 2.
Otherwise the figure is one that was measured before, which the table marks. Exits with 1 if a metric misses its
target.

Another metric is another line of ``METRICS``.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from jperrant import read_m2
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.texts import corrected_texts
from jperrant.evaluation.scorers import make_scorer
from jperrant.evaluation.scoring import score

ROUNDS = 3
SYSTEMS = ("AMU", "CAMB")


@dataclass(frozen=True)
class Published:
    """What a published program costs.

    Attributes:
        seconds: CPU seconds for one system.
        source: Where the figure comes from.
    """

    seconds: float
    source: str


@dataclass(frozen=True)
class Measured:
    """A metric of the table.

    Attributes:
        metric: Its name.
        limit: CPU seconds that one system may take.
        options: The options of the metric.
        published: Returns what the published program costs for a system's M2 file, if there is one.
        times: How many times as fast as the published program it has to be.
    """

    metric: str
    limit: float
    options: Mapping[str, object] = field(default_factory=dict)
    published: Callable[[argparse.Namespace, Path], Published] | None = None
    times: float = 0.0


def published_m2scorer(arguments: argparse.Namespace, system: Path) -> Published:
    """Run the published M2 scorer on a system, or return what it took before."""
    if arguments.m2scorer is None or not runs(arguments.python2):
        return Published(10.0, "measured before: 10 to 15 s a system")
    with tempfile.TemporaryDirectory() as name:
        text = Path(name) / "system.txt"
        texts = corrected_texts(list(read_m2(str(system))), system.name)
        lines = [" ".join(versions[0][1]) + "\n" for versions in texts]
        text.write_text("".join(lines), "utf-8")
        gold = (arguments.conll / "conll14.errant").resolve()
        program = [arguments.python2, "scripts/m2scorer.py", str(text), str(gold)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(program, check=True, capture_output=True, cwd=arguments.m2scorer)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Published(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "run now")


#: The metrics of the table and what they may cost.
METRICS = (
    Measured("m2", 2.0, published=published_m2scorer, times=5.0),
    Measured("m2", 2.0, {"level": "sentence"}),
    Measured("goto", 2.0),
    Measured("gleu", 1.0),
    Measured("gleu", 1.0, {"variant": "corrected"}),
    Measured("green", 1.0),
    Measured("imeasure", 2.0),
    Measured("wer", 1.0),
    Measured("cer", 1.0),
)


def runs(program: str) -> bool:
    """Whether a program is there and starts."""
    path = shutil.which(program)
    return path is not None and subprocess.run([path, "--version"], capture_output=True).returncode == 0


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the smallest CPU time of some rounds: other work on the machine only ever adds."""
    times = []
    for _ in range(rounds):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def measure(row: Measured, system: str, arguments: argparse.Namespace) -> bool:
    """Print the line of one metric and one system; return whether it keeps its target."""
    path = arguments.conll / f"conll14-{system}.errant"
    gold = str(arguments.conll / "conll14.errant")
    options = dict(row.options)
    seconds = best(lambda: score(str(path), gold, metrics=make_scorer(row.metric, **options)))
    name = " ".join([row.metric, *(f"{key}={value}" for key, value in options.items())])
    kept = seconds <= row.limit
    line = f"{name:<26}{system:<8}{seconds:>8.2f}{row.limit:>8.2f}"
    if row.published is not None:
        other = row.published(arguments, path)
        ratio = other.seconds / seconds
        kept = kept and ratio >= row.times
        line += f"{other.seconds:>11.2f}{ratio:>8.1f}{row.times:>8.1f}  {other.source}"
    print(line + ("" if kept else "  MISSED"), flush=True)
    return kept


def hostile_sentences() -> dict[str, tuple[list[str], list[str]]]:
    """Return sentences on which a lattice of alignments is as large as can be."""
    return {
        "118 words, none in common": ([f"a{n}" for n in range(118)], [f"b{n}" for n in range(118)]),
        "800 words, none in common": ([f"a{n}" for n in range(800)], [f"b{n}" for n in range(800)]),
        "repeated n-grams": (["a", "b"] * 100, ["b", "a", "c"] * 60),
        "one word 200 times": (["a"] * 200, ["a"] * 100),
    }


def measure_sentence(name: str, source: list[str], text: list[str]) -> bool:
    """Print the line of one sentence in MaxMatch; return whether it takes under a second."""
    edit = Edit(0, len(source), tuple(text), "R:OTHER")
    system = [Block(tuple(source), (Annotation(0, (edit,)),))]
    seconds = best(lambda: score(system, system, metrics="m2"), 1)
    print(f"m2, {name:<30}{seconds:>8.2f}{1.0:>8.2f}{'' if seconds < 1 else '  MISSED'}", flush=True)
    return seconds < 1


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).resolve().parent
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="only these metrics")
    parser.add_argument("--conll", type=Path, default=here.parent / "tests" / "data" / "conll14")
    parser.add_argument("--m2scorer", type=Path, help="a checkout of nusnlp/m2scorer")
    parser.add_argument("--python2", default="python2.7", help="the program that runs Python 2")
    arguments = parser.parse_args()
    rows = [row for row in METRICS if not arguments.metrics or row.metric in arguments.metrics]
    print(f"{'metric':<26}{'system':<8}{'CPU s':>8}{'limit':>8}{'published':>11}{'times':>8}{'target':>8}")
    kept = [measure(row, system, arguments) for row in rows for system in SYSTEMS]
    if any(row.metric == "m2" for row in rows):
        print(f"\n{'one sentence':<34}{'CPU s':>8}{'limit':>8}")
        kept += [measure_sentence(name, *texts) for name, texts in hostile_sentences().items()]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
