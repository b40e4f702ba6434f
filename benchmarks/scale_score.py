"""Scoring and the M2 tools on large files: memory and time as the number of sentences grows.

Makes M2 files of 10,000, 100,000 and 1,000,000 sentences from CoNLL-2014 (two annotators) and the output of a
system, by going through the sentences again and again and putting a number at the end of each, so that no two are
equal; and texts of them. Each command runs in a process of its own; shown are its largest resident memory, how many
bytes that grows with each sentence more than at the size before, and its processor time. Run from the root of the
repository::

    python benchmarks/scale_score.py                                   # 10,000 and 100,000 sentences
    python benchmarks/scale_score.py --sentences 100000 1000000 --only score check
    python benchmarks/scale_score.py --bytes                           # bytes a sentence of each metric's rows
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from jperrant.core.edits import apply_edits
from jperrant.core.values import Block
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.scoring import score_in_parts
from jperrant.io.m2 import read_m2, write_m2

CONLL = Path(__file__).parent.parent / "tests" / "data" / "conll14"
METRICS = (
    "errant", "errant:exact=true", "cleme:weights=none", "cleme2", "gleu", "green", "m2", "wer", "cer",
)  # fmt: skip
#: The commands, by name: {hyp} is a system, {ref} the references, {source}, {text} and {corrected} are texts of
#: these, {out} is a folder.
COMMANDS = {
    "score": "score {hyp} --ref {ref} --by-type",
    "score-ci": "score {hyp} --ref {ref} --by-type --ci --samples 100",
    "score-cleme2": "score {hyp} --ref {ref} -m cleme2 --ci --samples 100",
    "score-m2": "score {hyp} --ref {ref} -m m2 --ci --samples 100",
    "score-gleu": "score {hyp} --ref {ref} -m gleu --ci --samples 100",
    "score-many": "score {hyp} --ref {ref} -m errant:exact=true -m gleu -m wer",
    "score-texts": "score --source {source} --hyp {text} --ref {corrected} -m wer --ci --samples 100",
    "per-sentence": "score {hyp} --ref {ref} --per-sentence {out}/sentences.tsv",
    "compare": "compare {hyp} {ref}",
    "check": "m2 check {ref} --content",
    "stats": "m2 stats {ref}",
    "stats-ci": "m2 stats {ref} --ci",
    "merge": "m2 merge {hyp} {ref} -o {out}/merged.m2",
    "split": "m2 split {ref} -o {out}/parts",
    "fix": "m2 check --fix {ref} -o {out}/fixed.m2",
}


def enlarged(name: str, sentences: int, longest: int) -> Iterator[Block]:
    """Yield so many sentences, each with a token of its own at the end, which no edit reaches."""
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
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, 1, 2)]
    program = [sys.executable, "-m", "jperrant.cli", *arguments]
    process = os.posix_spawn(sys.executable, program, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    kilobytes = usage.ru_maxrss if sys.platform != "darwin" else usage.ru_maxrss / 1024
    return os.waitstatus_to_exitcode(status), kilobytes / 1024, usage.ru_utime + usage.ru_stime


def commands(sizes: list[int], longest: int, only: list[str], kept: str) -> None:
    print(f"{'command':<14}{'sentences':>10}{'MB':>8}{'bytes more':>12}{'CPU s':>9}{'µs/sentence':>13}")
    before: dict[str, tuple[int, float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as out:
            places = {**make(Path(kept or out), size, longest), "out": out}
            for name in only or COMMANDS:
                words = [word.format(**places) for word in COMMANDS[name].split()]
                code, memory, seconds = run(words)
                failed = "" if code in (0, 1) else f"  exit code {code}"
                last, least = before.get(name, (0, 0.0))
                growth = f"{(memory - least) * (1 << 20) / (size - last):.0f}" if last else ""
                before[name] = size, memory
                figures = f"{size:>10}{memory:>8.0f}{growth:>12}{seconds:>9.1f}{seconds / size * 1e6:>13.0f}"
                print(f"{name:<14}{figures}{failed}", flush=True)


def row_bytes(sentences: int) -> None:
    scorers = make_scorers(METRICS)
    with tempfile.TemporaryDirectory() as folder:
        places = make(Path(folder), sentences)
        scores = score_in_parts(scorers, Inputs([places["hyp"]], references=[places["ref"]]))
    print(f"{'metric':<24}{'bytes/sentence':>15}")
    for spec, score in zip(METRICS, scores, strict=True):
        kept = sum(len(part[1]) for one in (score.candidates, score.combined) for part in one.parts)
        print(f"{spec:<24}{kept / sentences:>15.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument(
        "--longest", type=int, default=0, help="take sentences of 3 to so many tokens; 0: all"
    )
    parser.add_argument("--only", nargs="*", choices=list(COMMANDS), default=[])
    parser.add_argument("--bytes", action="store_true", help="bytes a sentence of each metric's rows")
    parser.add_argument(
        "--keep", default="", metavar="FOLDER", help="keep the files there, and use them again"
    )
    given = parser.parse_args()
    if given.bytes:
        row_bytes(5 * 1312)
    else:
        commands(given.sentences, given.longest, given.only, given.keep)


if __name__ == "__main__":
    main()
