"""Pages of the documentation that run: their commands, one after the other, in a folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from typer.testing import CliRunner

from jperrant.cli.main import app

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
_BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: ERRANT's commands, each by the function of its entry point.
_ENTRIES = {"jperrant_parallel": "parallel", "jperrant_m2": "m2", "jperrant_compare": "compare"}


def steps(page: str) -> list[tuple[str, str | None]]:
    """Return the commands of a page and what each prints; None for a block of shell that shows no output."""
    found: list[tuple[str, str | None]] = []
    for kind, block in _BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if kind == "sh":
            found.append((block, None))
            continue
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = step.partition("\n")
            found.append((command, printed))
    return found


def run(page: str, folder: Path) -> int:
    """Run the commands of a page in a folder, the current one, and compare what they print; return their number."""
    commands = steps(page)
    for command, expected in commands:
        shown = printed(command, folder)
        if expected is not None:
            wanted = expected.replace("v:0.1.0", f"v:{version('jperrant')}")
            assert [s.rstrip() for s in shown.splitlines()] == [s.rstrip() for s in wanted.splitlines()], (
                command
            )
    return len(commands)


def printed(command: str, folder: Path) -> str:
    """Run one command and return what it prints.

    Raises:
        AssertionError: It fails.
    """
    program = command.split(maxsplit=1)[0]
    if program == "jperrant":
        result = CliRunner().invoke(
            app, shlex.split(command)[1:], env={"COLUMNS": "100", "TERM": "dumb"}, prog_name="jperrant"
        )
        assert result.exception is None, (command, result.output)
        return result.stdout
    line = ["bash", "-ec", command]
    if program in _ENTRIES:
        code = f"from jperrant.cli.errant_compat import {_ENTRIES[program]} as run; run()"
        line = [sys.executable, "-c", code, *shlex.split(command)[1:]]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout
