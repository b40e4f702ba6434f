#!/usr/bin/env python3
"""How much time, memory and disk does a corpus of any size need for annotation and for scoring?

    python benchmarks/scale.py                       # annotation, projected to C4_200M: 185 million pairs
    python benchmarks/scale.py --pairs 1000000 --tokens 15
    python benchmarks/scale.py --models none         # without networks, for a quick look
    python benchmarks/scale.py --score               # scoring and the M2 tools on 10,000 and 100,000 sentences
    python benchmarks/scale.py --score --sentences 100000 1000000 --longest 7 --only score check

Annotation: pairs of CoNLL-2014 in which the correction differs from the source, in shards: CPU seconds of one
process (start and models taken off), and of two; memory; bytes. Everything else is multiplication.

Scoring: the sentences of CoNLL-2014 again and again, each with a number at its end, so that no two are equal. Each
command is a process of its own; shown are its largest resident memory, how many bytes that grows with each sentence
more than at the size before, and its CPU seconds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

from bench import CONLL, Row, parser_of

from jperrant.core.edits import apply_edits
from jperrant.core.tables import Table, render
from jperrant.core.values import Block
from jperrant.io.m2 import read_m2, write_m2

#: Starts a command from a small process: one that is started from a large one counts the memory of that, too.
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_maxrss, used.ru_utime + used.ru_stime)
"""
SHARDS = 8
#: Pairs that show what a start takes: enough to have every network loaded.
FEW = 64
WAYS = {"one process": (), "--jobs 2": ("--jobs", "2")}
#: Pairs of a shard of the projected corpus.
SHARD = 100_000
#: The commands, by name: {hyp} is a system, {ref} the references, {source}, {text} and {corrected} are texts of
#: these, {out} is a folder.
COMMANDS = {
    "score": "score {hyp} --ref {ref} --by-type",
    "score-ci": "score {hyp} --ref {ref} --by-type --ci --samples 100",
    "score-m2": "score {hyp} --ref {ref} -m m2 --ci --samples 100",
    "score-many": "score {hyp} --ref {ref} -m errant:exact=true -m gleu -m wer",
    "score-texts": "score --source {source} --hyp {text} --ref {corrected} -m wer --ci --samples 100",
    "compare": "compare {hyp} {ref}",
    "check": "m2 check {ref} --content",
    "stats-ci": "m2 stats {ref} --ci",
}


@dataclass(frozen=True)
class Way:
    """One way to annotate, and what it took.

    Attributes:
        out: The folder of the M2 files.
        start: CPU seconds of all processes for ``FEW`` pairs.
        cpu: CPU seconds of all processes for the other pairs.
        wall: Seconds for all pairs.
        memory: MB of the process, without those that it starts.
    """

    out: Path
    start: float
    cpu: float
    wall: float
    memory: float

    def cells(self) -> tuple[str, ...]:
        """Return the figures of a row."""
        return (f"{self.start:.1f}", f"{self.cpu:.1f}", f"{self.wall:.1f}", f"{self.memory:.0f}")


def project(folder: Path, given: argparse.Namespace) -> None:
    """Measure annotation, and print what that means for the corpus."""
    rows = pairs(given.copies)
    write(folder / "few", rows[:FEW], 2)
    write(folder / "all", rows, SHARDS)
    ways = [measure(folder, name, given.models, *options) for name, options in WAYS.items()]
    found = {tuple(sorted((p.name, p.read_bytes()) for p in way.out.iterdir())) for way in ways}
    assert len(found) == 1, "the same bytes"
    alone, processes = ways
    pair = alone.cpu / (len(rows) - FEW)
    read = sum(path.stat().st_size for path in (folder / "all").iterdir()) / len(rows)
    written = sum(path.stat().st_size for path in alone.out.glob("*.m2")) / len(rows)
    tokens = sum(row.split("\t")[0].count(" ") + 1 for row in rows) / len(rows)
    lines = [(name, *way.cells()) for name, way in zip(WAYS, ways, strict=True)]
    header = ("measured", "CPU s of 64 pairs", "of the others", "wall s of all", "largest process MB")
    print(render([Table(header, tuple(lines))], "text"), end="")
    several = min(1.0, alone.cpu / processes.cpu)
    print(f"\n{len(rows)} pairs, {tokens:.1f} tokens a source, {pair * 1000:.1f} ms of CPU a pair")
    print(f"CPU of one process to that of two: {alone.cpu / processes.cpu:.2f}")
    factor = (given.tokens or tokens) / tokens
    projected(given.pairs, pair * factor, {1: 1.0, 16: several, 256: several}, alone)
    print(f"\ndisk: {read * factor * given.pairs / 1e9:.0f} GB of TSV, ", end="")
    print(f"{written * factor * given.pairs / 1e9:.0f} GB of M2")


def projected(pairs: int, pair: float, efficiency: dict[int, float], alone: Way) -> None:
    """Print hours and memory of a corpus, for each number of cores at its efficiency."""
    shards = -(-pairs // SHARD)
    lines = []
    for cores, share in efficiency.items():
        rounds = -(-shards // cores)  # the last ones wait for those that have a shard more
        hours = (alone.start + rounds * SHARD * pair / share) / 3600
        lines.append(
            (str(cores), f"{hours:,.1f}", f"{hours * cores:,.0f}", f"{cores * alone.memory / 1000:,.1f}")
        )
    print(f"\n{pairs:,} pairs in {shards:,} shards of {SHARD:,}:\n")
    print(render([Table(("cores", "hours", "core hours", "memory GB"), tuple(lines))], "text"), end="")


def measure(folder: Path, name: str, models: str, *options: str) -> Way:
    """Return what one way takes."""
    out = name.replace(" ", "")
    start, _, _ = annotate(folder, "few", f"{out}-few", models, *options)
    cpu, wall, memory = annotate(folder, "all", out, models, *options)
    return Way(folder / out, start, cpu - start, wall, memory)


def annotate(folder: Path, shards: str, out: str, models: str, *options: str) -> tuple[float, float, float]:
    """Return CPU seconds of annotating shards, of all processes, seconds, and MB of the first process."""
    given = [str(folder / shards), "-o", f"{folder / out}/", "--format", "tsv", "-q", "--models", models]
    begin = time.perf_counter()
    code, memory, cpu = run(["annotate", *given, *options])
    if code != 0:
        raise SystemExit(f"annotate {shards}: exit code {code}")
    return cpu, time.perf_counter() - begin, memory


def pairs(copies: int) -> list[str]:
    """Return rows of a source and the first correction that differs from it; copies end with a number more."""
    rows = {}
    for block in read_m2(str(CONLL / "conll14.errant")):
        for annotation in block.annotations:
            correction = apply_edits(block.source, annotation.edits)
            if tuple(correction) != block.source:
                rows.setdefault(" ".join(block.source), " ".join(correction))
    ends = ["", *(f" {number}" for number in range(1, copies))]
    return [f"{source}{end}\t{correction}{end}" for end in ends for source, correction in rows.items()]


def write(folder: Path, rows: list[str], shards: int) -> None:
    """Write rows as shards."""
    folder.mkdir()
    for number in range(shards):
        text = "".join(f"{row}\n" for row in rows[number::shards])
        (folder / f"part-{number}.tsv").write_text(text, encoding="utf-8")


def enlarged(name: str, sentences: int, longest: int) -> Iterator[Block]:
    """Yield the given number of sentences, each ending in a token of its own, which no edit reaches."""
    blocks = [one for one in read_m2(str(CONLL / name)) if not longest or 3 <= len(one.source) <= longest]
    for number, block in enumerate(islice(cycle(blocks), sentences)):
        yield replace(block, source=(*block.source, f"#{number}"))


def make(folder: Path, sentences: int, longest: int = 0) -> dict[str, str]:
    """Return the files of a size by the names that commands have for them; they are made if they are not there."""
    m2 = {"hyp": ("amu", "conll14-AMU.errant"), "ref": ("gold", "conll14.errant")}
    paths = {name: folder / f"{short}-{sentences}.m2" for name, (short, _) in m2.items()}
    texts = {name: folder / f"{name}-{sentences}.txt" for name in ("source", "text", "corrected")}
    for name, (_, file) in m2.items():
        if not paths[name].exists():
            with paths[name].open("w", encoding="utf-8") as stream:
                write_m2(enlarged(file, sentences, longest), stream)
    for name, file in (("source", m2["ref"]), ("text", m2["hyp"]), ("corrected", m2["ref"])):
        if not texts[name].exists():
            with texts[name].open("w", encoding="utf-8") as stream:
                for block in enlarged(file[1], sentences, longest):
                    edits = block.annotations[0].edits if name != "source" else ()
                    stream.write(" ".join(apply_edits(block.source, edits)) + "\n")
    return {name: str(path) for name, path in {**paths, **texts}.items()}


def run(arguments: list[str]) -> tuple[int, float, float]:
    """Return exit code, largest resident memory in MB and CPU seconds of a command."""
    command = [sys.executable, "-c", MEASURE, sys.executable, "-m", "jperrant.cli", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    code, memory, seconds = done.stdout.split()
    kilobytes = int(memory) if sys.platform != "darwin" else int(memory) / 1024
    return int(code), kilobytes / 1024, float(seconds)


def commands(sizes: list[int], longest: int, only: list[str]) -> None:
    print(f"{'command':<14}{'sentences':>10}{'MB':>8}{'bytes more':>12}{'CPU s':>9}{'µs/sentence':>13}")
    before: dict[str, tuple[int, float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as out:
            places = {**make(Path(out), size, longest), "out": out}
            for name in only or COMMANDS:
                words = [word.format(**places) for word in COMMANDS[name].split()]
                code, memory, seconds = run(words)
                failed = "" if code in (0, 1) else f"  exit code {code}"
                last, least = before.get(name, (0, 0.0))
                growth = f"{(memory - least) * (1 << 20) / (size - last):.0f}" if last else ""
                before[name] = size, memory
                figures = f"{size:>10}{memory:>8.0f}{growth:>12}{seconds:>9.1f}{seconds / size * 1e6:>13.0f}"
                print(f"{name:<14}{figures}{failed}", flush=True)


def rows() -> Iterator[Row]:
    """Yield how memory grows with the corpus, and what a second process costs."""
    with tempfile.TemporaryDirectory() as name:
        folder, found = Path(name), []
        for size in (20_000, 60_000):
            code, memory, _ = run([word.format(**make(folder, size)) for word in COMMANDS["score"].split()])
            assert code == 0, f"score: exit code {code}"
            found.append(memory)
        less, more = found
        yield Row(
            "score: memory for 60,000 sentences, 20,000", f"{more:.0f} MB", f"{less:.0f} MB", more / less
        )
        write(folder / "all", pairs(1), 2)
        one, two = (annotate(folder, "all", f"out{n}", "compact", "--jobs", str(n))[0] for n in (1, 2))
        yield Row("annotate --jobs 2: CPU time, one process", f"{two:.1f} s", f"{one:.1f} s", one / two)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--pairs", type=int, default=185_000_000, help="pairs of the projected corpus")
    parser.add_argument("--tokens", type=float, default=0.0, help="tokens of a source; 0: as measured")
    parser.add_argument("--models", default="compact")
    parser.add_argument("--copies", type=int, default=3, help="copies of the measured pairs, all distinct")
    parser.add_argument("--score", action="store_true", help="measure scoring and the M2 tools")
    parser.add_argument("--sentences", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--longest", type=int, default=0, help="most tokens of a sentence; 0: no limit")
    parser.add_argument("--only", nargs="*", choices=list(COMMANDS), default=[])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.score:
            commands(given.sentences, given.longest, given.only)
        else:
            project(Path(folder), given)


if __name__ == "__main__":
    main()
