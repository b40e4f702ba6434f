"""Commands start soon, import what they need, and complete names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from jperrant.cli.main import app
from tests.program import run_program

#: What a command without models has no use for, and what only some need.
HEAVY = {"torch", "stanza", "nltk", "pandas", "scipy", "sklearn", "matplotlib"}
#: Runs command lines one after the other, and prints what they import that Python itself did not.
PROGRAM = """\
import sys
before, lines = set(sys.modules), sys.argv[1:]
from jperrant.cli.main import run
for line in lines:
    sys.argv = ["jperrant", *line.split()]
    try:
        run()
    except SystemExit as end:
        assert end.code in (None, 0), (line, end.code)
print("imported", *(set(sys.modules) - before), file=sys.stderr)
"""
BLOCKS = """\
S I has two cat .
A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S They are nice .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


def imported(folder: Path, *lines: str) -> set[str]:
    """Return the modules that commands import, with the packages that they are in."""
    for name in ("a.m2", "b.m2"):
        (folder / name).write_text(BLOCKS, encoding="utf-8")
    (folder / "s.txt").write_text("I has two cat .\nThey are nice .\n", encoding="utf-8")
    (folder / "t.txt").write_text("I have two cats .\nThey are nice .\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *lines], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    modules = done.stderr.rpartition("imported ")[2].split()
    return {*modules, *(name.partition(".")[0] for name in modules)}


@pytest.mark.parametrize(
    ("lines", "others", "most"),
    [
        (("--help", "score --help"), {"numpy", "yaml", "rapidfuzz"}, 100),
        (("m2 convert a.m2 - --to text", "m2 convert a.m2 - --to source"), {"numpy"}, 100),
        (("annotate s.txt t.txt --models none",), {"numpy"}, 140),
        (("m2 check a.m2", "packs list", "packs show en", "models list", "find a.m2 --type R:*"), {"numpy"}, 200),
        (("score a.m2 --ref b.m2 -m errant:beta=0.5",), {"yaml", "rapidfuzz", "multiprocessing"}, 100),
        (
            ("score a.m2 --ref b.m2 -m errant -m cleme2 -m goto", "compare a.m2 b.m2", "agree a.m2 b.m2",
             "explain a.m2 --ref b.m2 -m cleme2", "explain a.m2 --ref b.m2", "metrics errant"),
            {"yaml", "rapidfuzz", "multiprocessing"}, 200,
        ),
    ],
)  # fmt: skip
def test_a_command_imports_what_it_needs_and_few_modules_of_ours(lines, others, most, tmp_path):
    found = imported(tmp_path, *lines)
    assert "typer" in found
    assert not found & {*HEAVY, "re2", "jinja2", *others}
    assert sum(name.startswith("jperrant.") for name in found) <= most


@pytest.mark.parametrize("words", [(), ("m2",), ("packs",), ("models",)])
def test_summaries_are_not_cut(words: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80", "TERM": "dumb"}).stdout
    assert "Commands" in shown
    assert not re.search(r"\.\.\.|…", shown.partition("Commands")[2])


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_help_survives_a_terminal_with_few_characters(encoding):
    lines = ["--help"]
    for name, command in get_command(app).commands.items():
        lines += [f"{name} {inner} --help" for inner in getattr(command, "commands", [""])]
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "100"}
    command = [sys.executable, "-c", PROGRAM, *lines]
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert done.stdout.count(b"Usage: ") == len(lines)
    assert b"\\u" not in done.stdout, "a character that the terminal does not have"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("jperrant comp", ["compare"]),
        ("jperrant annotate --lang k", ["ko"]),
        ("jperrant annotate --format js", ["jsonl"]),
        ("jperrant packs show e", ["el", "en", "es", "et"]),
        ("jperrant score -m cle", ["cleme", "cleme2"]),
        ("jperrant metrics uo", ["uot"]),
        ("jperrant m2 convert --from inc", ["inception"]),
    ],
)
def test_names_that_commands_know_are_completed(
    line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_JPERRANT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    assert run_program([]).stdout.split() == expected
