"""The commands of docs/metrics.md print what the page says, and its table names metrics that exist."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.evaluation.metrics.registry import metrics

pytestmark = [pytest.mark.slow, pytest.mark.ci]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
EXAMPLES = [
    tuple(block.removeprefix("$ jperrant ").split("\n", 1))
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files, so that examples can write beside them."""
    copy = tmp_path_factory.mktemp("metrics") / "conll14"
    shutil.copytree(ROOT / "tests" / "data" / "conll14", copy)
    return copy


@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_example(command: str, printed: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, shlex.split(command))
    assert result.exception is None
    shown = printed.replace("v:0.1.0", f"v:{version('jperrant')}")
    assert (result.stderr + result.stdout).rstrip("\n") == shown.rstrip("\n")


def test_the_table_names_metrics_that_exist() -> None:
    named = re.findall(r"^\| \[`([\w-]+)`\]", PAGE, flags=re.MULTILINE)
    assert {
        "m2",
        "pt-m2",
        "goto",
        "gleu",
        "green",
        "imeasure",
        "wer",
        "some",
        "impara",
        "scribendi",
        "llm-s",
        "llm-e",
    } <= set(named)
    assert set(named) <= set(metrics())


def test_the_python_of_the_page() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "metrics.md"), module_relative=False)
    assert result.attempted
    assert not result.failed
