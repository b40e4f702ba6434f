"""What commands say meanwhile and of options and names: progress, suggestions; and how threads wait."""

from __future__ import annotations

import doctest
import pickle
import subprocess
import sys
import time
from typing import Any

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli import output
from jperrant.cli.main import app
from jperrant.cli.output import progress
from jperrant.cli.process import let_threads_sleep
from jperrant.core import display, errors, messages
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import naming_options, spoken
from jperrant.core.progress import reporting, track
from jperrant.core.values import Block
from jperrant.llm import chat
from tests.heard import Heard
from tests.m2_cases import CONLL14


def test_silent_unless_asked_for() -> None:
    heard = Heard()
    assert list(track([1, 2], "counting", 2)) == [1, 2]
    with reporting(heard):
        assert list(track([1, 2], "counting", 2)) == [1, 2]
        jperrant.align([Block(("a", "b"))], [Block(("a",)), Block(("b",))])
        with reporting(None):
            list(track([1], "unheard"))
    list(track([1], "later"))
    assert [what for what, *_ in heard.done] == ["counting", "aligning"]
    assert heard.done[0] == ("counting", 2, 2)


@pytest.mark.parametrize(("flags", "lines"), [([], 0), (["-v"], 1), (["-q"], 0)])
def test_flags_of_the_program(flags: list[str], lines: int, tmp_path: Any) -> None:
    for name, text in (("s", "a b\nc d\n"), ("h", "a c\nc d\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["--source", tmp_path / "s", "--hyp", tmp_path / "h", "--ref", tmp_path / "h"]
    result = CliRunner().invoke(app, [*flags, "score", *map(str, files), "--models", "none"])
    assert result.exit_code == 0, result.output
    assert sum(line.startswith("annotating: 2 in") for line in result.stderr.splitlines()) == lines


def test_threads_sleep_unless_the_user_decides() -> None:
    environment: dict[str, str] = {}
    let_threads_sleep(environment)
    assert environment == {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_NUM_THREADS": "1"}
    for decided in ({"OMP_WAIT_POLICY": "ACTIVE"}, {"GOMP_SPINCOUNT": "5"}):
        environment = {**decided, "OMP_NUM_THREADS": "4"}
        let_threads_sleep(environment)
        assert environment == {**decided, "OMP_NUM_THREADS": "4"}


def test_the_library_leaves_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    code = "import os, jperrant.cli.main, jperrant; jperrant.score; print('OMP_WAIT_POLICY' in os.environ)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def work(values, seconds):
    for value in values:
        time.sleep(seconds)
        yield value


def test_lines_where_stderr_is_no_terminal(capsys, monkeypatch):
    with progress("annotating", 8) as advance:
        assert list(advance(range(8))) == list(range(8))
    assert capsys.readouterr().err == "", "nothing for what takes seconds"
    monkeypatch.setattr(output, "FIRST", 0.05)
    monkeypatch.setattr(output, "INTERVAL", 0.1)
    for quiet in (True, False):
        assert capsys.readouterr().err == ""
        with progress("annotating", 8, quiet=quiet) as advance:
            assert list(advance(work(range(8), 0.05))) == list(range(8))
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("annotating: ") and " of 8 (" in line for line in lines)
    counts = [int(line.split()[1]) for line in lines]
    assert counts == sorted(set(counts))
    assert 2 <= len(counts) <= 8


def test_a_line_without_a_total_and_after_an_hour():
    assert output.progress_line("typing", 0, None, 3661) == "typing: 0, 1:01:01"
    assert output.progress_line("typing", 0, 5, 4) == "typing: 0 of 5 (0 %), 0:04"


def test_only_near_names_are_suggested():
    labels = ["nominal-inflection", "verb"]
    assert nearest("errand", ["errant", "gleu"]) == " (did you mean 'errant'?)"
    assert nearest("nom", labels) == " (did you mean 'nominal-inflection'?)"
    assert nearest("GOOD", ["AUX:MOOD", "NOUN"]) == nearest("no", labels) == ""


@pytest.mark.parametrize("module", [messages, errors, display, chat, output])
def test_the_examples_of_the_docstrings_run(module):
    found = doctest.testmod(module)
    assert (found.attempted > 0, found.failed) == (True, 0)


@pytest.mark.parametrize(
    ("written", "command", "python"),
    [
        ("add --raw or --to", "add --raw or --to", "add raw=True or target_format="),
        ("give --ref FILE or --hyp FILE", "give --ref FILE or --hyp FILE", "give references=… or systems=…"),
        ("use --models=none, or -o", "use --models none, or -o", 'use models="none", or -o'),
        ("found '--raw', see 'x --raw'", "found '--raw', see 'x --raw'", "found '--raw', see 'x --raw'"),
        ("a--b.m2: --x.m2 is no file", "a--b.m2: --x.m2 is no file", "a--b.m2: --x.m2 is no file"),
    ],
)  # fmt: skip
def test_options_are_named_as_the_reader_does(written, command, python):
    error = UsageError(written)
    with naming_options():
        assert spoken(written) == command
        made_by_a_command = UsageError(written)
    assert str(error) == spoken(written) == python
    assert str(made_by_a_command) == str(pickle.loads(pickle.dumps(made_by_a_command))) == command
    assert str(FormatError("f.m2", 3, written)) == f"f.m2:3: {python}"


def test_python_names_arguments_and_the_command_line_options():
    system, references = str(CONLL14 / "conll14-AMU.errant"), str(CONLL14 / "conll14.errant")
    [line] = jperrant.score(system, references, metrics="errant:mode=dt").warnings()
    assert line.endswith("; the option exact counts each once")
    shown = CliRunner().invoke(app, ["score", system, "--ref", references, "-m", "errant:mode=dt"])
    assert shown.stderr.endswith("; the option exact counts each once\n")
    shown = CliRunner().invoke(app, ["compare", system, references, system])
    assert f"{references} and {system} are references for {system}; score takes several" in shown.stderr
