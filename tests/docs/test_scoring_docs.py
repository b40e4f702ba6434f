"""The commands of docs/scoring.md print what the page says."""

from __future__ import annotations

import re
import shlex
from importlib.metadata import version
from pathlib import Path
from textwrap import dedent

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app

pytestmark = [pytest.mark.slow, pytest.mark.ci]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
EXAMPLES = [
    tuple(dedent(block).removeprefix("$ jperrant ").split("\n", 1))
    for block in re.findall(r"^ *```console\n(.*?)^ *```$", PAGE, flags=re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_example(command: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "data" / "conll14")
    found = CliRunner().invoke(app, shlex.split(command))
    assert found.exception is None
    shown = printed.replace("v:0.1.0", f"v:{version('jperrant')}")
    assert (found.stderr + found.stdout).rstrip("\n") == shown.rstrip("\n")


def test_python_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "data" / "conll14")
    [result] = jperrant.score("conll14-AMU.errant", "conll14.errant", metrics="errant:beta=0.5")
    assert f"# {result.values}\n" in PAGE
    assert f"# {result.counts}\n" in PAGE
    assert len(result.by_type["R:SPELL"]) == 3
    assert result.warnings == ()
