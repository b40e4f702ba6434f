#!/usr/bin/env python3
"""How many CPU seconds does each command take, start included, on a few sentences?

    python benchmarks/start.py [--beside /other/bin/jperrant] [--rounds 5] [--only WORD]

With ``--beside`` another installation runs in turn with this one. Times are CPU seconds of the whole process, user
and system, the best of the rounds; the second figure is of the command's help.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import Row, errant_python, faster, parser_of
from errant_end_to_end import ANNOTATE, PIPELINE

SOURCE = ["He go to school yesterday .", "I has two cat .", "They are nice ."]
CORRECTED = ["He went to school yesterday .", "I have two cats .", "They are nice ."]
M2 = """S He go to school yesterday .
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S I has two cat .
A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S They are nice .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
OTHER = M2.replace("R:NOUN:NUM|||cats", "R:NOUN|||dogs")
#: The program of this environment.
OURS = Path(sys.executable).with_name("jperrant")
#: Command lines; a.m2 is a system, b.m2 the references, s.txt and t.txt source and corrections.
COMMANDS = (
    "--version", "align a.m2 b.m2 -o aligned", "compare a.m2 b.m2", "score a.m2 --ref b.m2",
    "score a.m2 --ref b.m2 -m cleme", "score a.m2 --ref b.m2 -m m2", "score a.m2 --ref b.m2 -m goto",
    "score --source s.txt --hyp t.txt --ref t.txt -m gleu", "score a.m2 --ref b.m2 --ci",
    "score a.m2 --ref b.m2 --by-type",
    "report a.m2 --ref b.m2 -o report.html", "review a.m2 -o review.html",
    "agree a.m2 b.m2", "metrics", "metrics errant", "explain a.m2 --ref b.m2 -m cleme2", "explain a.m2 --ref b.m2",
    "find b.m2 --type R:*", "annotate s.txt t.txt --models none",
    "m2 check a.m2", "m2 convert a.m2 - --to text", "m2 convert a.m2 - --to source", "m2 merge a.m2 b.m2",
    "m2 split b.m2 -o split.m2",
    "m2 check --fix a.m2", "m2 stats a.m2", "m2 adjudicate a.m2 b.m2",
    "m2 convert a.m2 - --to m2:tokens=characters",
    "m2 convert a.m2 - --to kagas", "m2 convert a.m2 - --to cherrant", "m2 convert a.m2 bea.json --to bea-json",
    "packs list", "packs show en", "packs show zh", "packs check en", "models list",
    "annotate s.txt t.txt", "annotate s.txt t.txt --raw",
)  # fmt: skip


def cpu_seconds(program: Path, words: Sequence[str]) -> float:
    """Return what a command takes, start included."""
    with tempfile.TemporaryDirectory() as name:  # a new one each time: some commands replace no file
        folder = prepared(Path(name))
        before = os.times()
        done = subprocess.run(
            [str(program), *words], cwd=folder, capture_output=True, text=True, env=environment()
        )
        after = os.times()
    if done.returncode not in (0, 1):
        raise SystemExit(f"{program.name} {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return after.children_user - before.children_user + after.children_system - before.children_system


def environment() -> dict[str, str]:
    """Return that of a user: compiled modules are kept, so that only the first round compiles them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def prepared(folder: Path) -> Path:
    """Return the folder with the files that the commands name."""
    for name, text in (("a.m2", OTHER), ("b.m2", M2)):
        (folder / name).write_text(text, encoding="utf-8")
    for name, lines in (("s.txt", SOURCE), ("t.txt", CORRECTED)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def least(program: Path, words: Sequence[str], rounds: int) -> float:
    """Return the least of some rounds."""
    return min(cpu_seconds(program, words) for _ in range(rounds))


def rows() -> Iterator[Row]:
    """Yield what two commands take beside ERRANT's."""
    python = errant_python()
    annotate = ("-c", ANNOTATE, PIPELINE, "out.m2", "s.txt", "t.txt")
    compare = ("-hyp", "a.m2", "-ref", "b.m2")
    for question, line, program, words in (
        (
            "annotate three sentences, start included: ERRANT with spaCy",
            "annotate s.txt t.txt",
            python,
            annotate,
        ),
        (
            "compare three sentences: errant_compare",
            "compare a.m2 b.m2",
            python.with_name("errant_compare"),
            compare,
        ),
    ):
        yield faster(question, least(OURS, line.split(), 3), least(program, words, 3))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--beside", type=Path, help="the program of another installation")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="only commands whose line holds this")
    options = parser.parse_args()
    programs = [OURS, *([options.beside] if options.beside else [])]
    lines = [line for line in COMMANDS if options.only in line]
    names = {" ".join(_name(line)) for line in lines} - {"--version"}
    lines += ["--help", *(f"{name} --help" for name in sorted(names))]
    heads = ["here", "beside", "ratio"][: 1 if len(programs) == 1 else 3]
    print(f"{'jperrant …':58}" + "".join(f"{head:>8}" for head in heads))
    for line in lines:
        found = [least(program, line.split(), options.rounds) for program in programs]
        ratio = [found[1] / found[0]] if len(found) == 2 else []
        print(f"{line:58}" + "".join(f"{seconds:8.2f}" for seconds in [*found, *ratio]), flush=True)


def _name(line: str) -> list[str]:
    """Return the words of a command: two of a box, else one."""
    words = line.split()
    return words[: 2 if words[0] in ("m2", "packs", "models") else 1]


if __name__ == "__main__":
    main()
