"""The commands of docs/scoring-texts.md print what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "scoring-texts.md").read_text(encoding="utf-8")
EXAMPLES = [
    tuple(block.removeprefix("$ jperrant ").split("\n", 1))
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the folder of examples, in which annotations may be kept."""
    root = tmp_path_factory.mktemp("root")
    shutil.copytree(ROOT / "examples", root / "examples")
    shutil.copytree(ROOT / "tests" / "data" / "conll14", root / "tests" / "data" / "conll14")
    return root / "examples"


@pytest.mark.ci
@pytest.mark.models
@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_example(command: str, printed: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "100", "TERM": "dumb"})
    assert result.exception is None
    expected = printed.replace("v:0.1.0", f"v:{version('jperrant')}").strip().splitlines()
    shown = result.stdout.strip().splitlines()
    assert [line.rstrip() for line in shown] == [line.rstrip() for line in expected]


def test_the_page_shows_all_it_promises() -> None:
    assert len(EXAMPLES) == 4
    assert "\\begin{tabular}" in EXAMPLES[1][1]
    assert "$\\pm$" in EXAMPLES[1][1]
