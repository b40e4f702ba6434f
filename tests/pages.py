"""Pages of the documentation that run: the commands and the Python between ``<!-- in FOLDER -->`` and the end.

The folder is one of the repository, of which each run has a copy; ``.`` is an empty folder with the repository's
examples in it. ``<!-- shown -->`` ends what runs: what follows is only shown.
"""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import JperrantError
from jperrant.core.version import VERSION

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
_RUN = re.compile(r"<!-- in (\S+) -->(.*?)(?:<!-- shown -->|\Z)", re.DOTALL)
_BLOCK = re.compile(r"^( *)```(sh|console|python|yaml)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"-?\d+\.\d{4}\b")


def running_pages() -> list[str]:
    """Return the pages of which a part runs, as paths in the repository."""
    pages = [*DOCS.rglob("*.md"), ROOT / "README.md"]
    return sorted(str(p.relative_to(ROOT)) for p in pages if _RUN.search(p.read_text(encoding="utf-8")))


def run_page(page: str, folder: Path, places: int | None = None) -> int:
    """Run a page in a new folder, compare what it prints, and return how many outputs and values were compared.

    Args:
        page: Its path in the repository.
        folder: An empty folder.
        places: To how many decimal places figures are compared; None for all.
    """
    compared = 0
    for place, text in _RUN.findall((ROOT / page).read_text(encoding="utf-8")):
        names: dict[str, object] = {"__name__": "page"}
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(_copy(place, folder / str(compared)))
            patch.setattr("jperrant.cli.output.FIRST", 3600.0)  # a slow machine prints progress
            for indent, kind, block in _BLOCK.findall(text):
                code = re.sub(f"^{indent}", "", block, flags=re.MULTILINE)
                if kind == "yaml":
                    Path("study.yaml").write_text(code, encoding="utf-8")
                elif kind == "python":
                    compared += run_python(code, names)
                elif kind == "sh":
                    printed(code)
                else:
                    compared += sum(_compared(s, places) for s in re.split(r"^\$ ", code, flags=re.M)[1:])
    return compared


def run_python(code: str, names: dict[str, object]) -> int:
    """Run Python, and return how many values were compared: those after ``>>>``, and literals in comments."""
    if code.startswith(">>>"):
        test = doctest.DocTestParser().get_doctest(code, names, "page", "page", 0)
        outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, clear_globs=False)
        assert not outcome.failed
        names.update(test.globs)
        return outcome.attempted
    compared, lines = 0, code.splitlines()
    for statement in ast.parse(code).body:
        shown = lines[(statement.end_lineno or 1) - 1].partition("  # ")[2]
        if isinstance(statement, ast.Expr) and _is_literal(shown):
            assert repr(eval(ast.unparse(statement), names)) == shown
            compared += 1
        else:
            exec(compile(ast.Module([statement], []), "page", "exec", dont_inherit=True), names)
    return compared


def _copy(place: str, folder: Path) -> Path:
    """Copy a folder of the repository to its place in another; what pages read of the tests' data is linked."""
    for name in ("examples", "benchmarks/data/multi") if place == "." else (place,):
        shutil.copytree(ROOT / name, folder / name)
    if not (folder / "tests").exists():
        (folder / "tests").symlink_to(ROOT / "tests")
    return folder / place


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _compared(step: str, places: int | None) -> bool:
    """Run a command and compare what it prints; ``cat`` of a file that is not there writes it."""
    command, _, expected = step.partition("\n")
    program, *arguments = command.split()
    if program == "cat" and not Path(arguments[0]).exists():
        Path(arguments[0]).write_text(expected, encoding="utf-8")
        return False
    wanted = _lines(re.sub(r"v:\d+\.\d+\.\d+", f"v:{VERSION}", expected))
    shown = [_lines(text) for text in printed(command)]
    if places is not None:  # some figures differ from machine to machine
        figures = [[float(n) for n in _NUMBER.findall("\n".join(text))] for text in (shown[0], wanted)]
        assert figures[0] == pytest.approx(figures[1], abs=2 * 10**-places), command
        wanted, *shown = ([_NUMBER.sub("#", " ".join(line.split())) for line in t] for t in (wanted, *shown))
    assert wanted in shown, (command, shown[-1])
    return True


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def printed(command: str) -> tuple[str, str]:
    """Run one command in the current folder; return what it prints, without and with its messages.

    Raises:
        AssertionError: It fails otherwise than with an error that it tells.
    """
    program = command.split(maxsplit=1)[0]
    if program == "jperrant":
        told = {"COLUMNS": "100", "TERM": "dumb"}
        command, _, pipe = command.partition(" | ")
        done = CliRunner().invoke(app, shlex.split(command)[1:], env=told, prog_name="jperrant")
        error = done.exception
        assert error is None or isinstance(error, JperrantError | SystemExit), (command, error)
        message = f"jperrant: {error}\n" if isinstance(error, JperrantError) else ""
        out = done.stdout
        if pipe:
            shell = ["bash", "-ec", pipe]
            out = subprocess.run(shell, input=out, capture_output=True, text=True, check=True).stdout
        return out, f"{done.stderr}{out}{message}"
    line = ["bash", "-ec", command]
    if program.startswith("jperrant_"):  # a command of ERRANT's, by the function of its entry point
        code = f"from jperrant.cli import errant_compat; errant_compat.{program.removeprefix('jperrant_')}()"
        line = [sys.executable, "-c", code, *shlex.split(command)[1:]]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, (command, ran.stderr)
    return ran.stdout, ran.stderr + ran.stdout
