#!/usr/bin/env python3
"""What annotating a corpus of any size takes: hours, memory and disk on 1, 16 and 256 cores, from one measured run.

    python benchmarks/scale.py                       # C4_200M: 185 million pairs
    python benchmarks/scale.py --pairs 1000000 --tokens 15
    python benchmarks/scale.py --models none         # without networks, for a quick look

Measured on pairs of CoNLL-2014 in which the correction differs from the source, in shards: CPU seconds of one
process (start and models taken off), and of two; memory; bytes; how many tasks a scheduler
gives out a second; how long a manifest of 100,000 shards takes. Everything else is multiplication.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jperrant.annotation.shards import FileContent, Manifest, ShardRecord
from jperrant.cluster.dask_cluster import dask_crew
from jperrant.core.edits import apply_edits
from jperrant.core.tables import Table, render
from jperrant.io.m2 import read_m2

CONLL = Path(__file__).resolve().parent.parent / "tests" / "data" / "conll14" / "conll14.errant"
SHARDS = 8
#: Pairs that show what a start takes: enough to have every network loaded.
FEW = 64
WAYS = {
    "one process": (),
    "--jobs 2": ("--jobs", "2"),
}
#: Pairs of a shard of the projected corpus.
SHARD = 100_000


class Nothing:
    """Work that does nothing, to see what giving it out takes."""

    def __call__(self, task: int) -> Iterator[int]:
        """Give the task back."""
        yield task

    def signature(self) -> dict[str, str]:
        """Agree with everybody."""
        return {}


@dataclass(frozen=True)
class Way:
    """One way to annotate, and what it took.

    Attributes:
        out: The folder of the M2 files.
        start: CPU seconds of all processes for ``FEW`` pairs.
        cpu: CPU seconds of all processes for the other pairs.
        wall: Seconds for all pairs.
        memory: MB of the largest process of this and earlier ways.
    """

    out: Path
    start: float
    cpu: float
    wall: float
    memory: float

    def cells(self) -> tuple[str, ...]:
        """Return the figures of a row."""
        return (f"{self.start:.1f}", f"{self.cpu:.1f}", f"{self.wall:.1f}", f"{self.memory:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=185_000_000, help="of the corpus that is projected")
    parser.add_argument("--tokens", type=float, default=0.0, help="of its mean source; 0: as those measured")
    parser.add_argument("--models", default="compact")
    parser.add_argument("--copies", type=int, default=3, help="of the pairs measured, each a text of its own")
    given = parser.parse_args()
    rows = pairs(given.copies)
    with tempfile.TemporaryDirectory() as name:
        project(Path(name), rows, given)


def project(folder: Path, rows: list[str], given: argparse.Namespace) -> None:
    """Measure, and print what that means for the corpus."""
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
    print(f"\n{len(rows)} pairs, {tokens:.1f} tokens a source, {pair * 1000:.1f} ms of CPU a pair")
    print(f"CPU of one process to that of two: {alone.cpu / processes.cpu:.2f}")
    factor = (given.tokens or tokens) / tokens
    several = min(1.0, alone.cpu / processes.cpu)
    efficiency = {1: 1.0, 16: several, 256: several}
    projected(given.pairs, pair * factor, efficiency, alone)
    print(f"\ndisk: {read * factor * given.pairs / 1e9:.0f} GB of TSV, ", end="")
    print(f"{written * factor * given.pairs / 1e9:.0f} GB of M2")
    scheduler()
    manifest(folder, -(-given.pairs // SHARD))


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


def scheduler(tasks: int = 300) -> None:
    """Print how many tasks a scheduler gives out."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1) as two, dask_crew(two.scheduler_address) as crew:
        list(crew.outcomes(Nothing(), range(2)))
        begin = time.perf_counter()
        list(crew.outcomes(Nothing(), range(tasks)))
        rate = tasks / (time.perf_counter() - begin)
    print(f"scheduler: {rate:.0f} tasks a second to two workers; a shard is one task")


def manifest(folder: Path, shards: int, most: int = 100_000) -> None:
    """Print what a manifest takes."""
    content = FileContent(name="part-00000000.tsv.gz", bytes=10_000_000, sha256="0" * 64)
    counts = {"sentences": SHARD, "edits": 3 * SHARD, "rejections": 0}
    record = ShardRecord(inputs=(content,), output=content, rejected=None, **counts)
    found = Manifest(signature={}, shards={f"part-{n:08}.m2.gz": record for n in range(most)})
    begin = time.process_time()
    found.write(folder / "manifest.json")
    size = (folder / "manifest.json").stat().st_size
    print(
        f"manifest: {size / most:.0f} bytes a shard, {size * shards / most / 1e6:.1f} MB here; "
        f"one of {most:,} shards takes {time.process_time() - begin:.1f} CPU s to write"
    )


def measure(folder: Path, name: str, models: str, *options: str) -> Way:
    """Return what one way takes."""
    out = name.replace(" ", "")
    start, _, _ = annotate(folder, "few", f"{out}-few", models, *options)
    cpu, wall, memory = annotate(folder, "all", out, models, *options)
    return Way(folder / out, start, cpu - start, wall, memory)


def annotate(folder: Path, shards: str, out: str, models: str, *options: str) -> tuple[float, float, float]:
    """Return CPU seconds of annotating shards, of all processes, seconds, and MB of the largest process so far."""
    given = [shards, "-o", f"./{out}/", "--format", "tsv", "-q", "--models", models, *options]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "jperrant.cli", "annotate", *given], cwd=folder, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - begin, after.ru_maxrss / 1024


def pairs(copies: int) -> list[str]:
    """Return rows of a source and the first correction that differs from it; copies end with a number more."""
    rows = {}
    for block in read_m2(str(CONLL)):
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


if __name__ == "__main__":
    main()
