"""The commands of docs/meta-evaluation.md print what the page says."""

from __future__ import annotations

import re
import shlex
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.evaluation.meta.evaluation import ANALYSES
from jperrant.evaluation.meta.levels import TIE_RULES
from jperrant.evaluation.meta.metric_scores import AGGREGATIONS
from jperrant.evaluation.meta.published import DATASETS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "meta-evaluation.md").read_text(encoding="utf-8")
EXAMPLES = [
    tuple(block.removeprefix("$ jperrant ").split("\n", 1))
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_example(command: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples" / "meta")
    result = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "100", "TERM": "dumb"})
    assert result.exception is None
    expected = printed.replace("v:0.1.0", f"v:{version('jperrant')}").strip().splitlines()
    assert [line.rstrip() for line in result.stdout.strip().splitlines()] == expected


def test_the_page_names_everything() -> None:
    assert len(EXAMPLES) == 4
    assert (ROOT / "examples" / "meta" / "essays.json").read_text(encoding="utf-8") in PAGE
    named = re.sub(r"with `-dev`", "`gmeg-wiki-dev` `gmeg-fce-dev`", PAGE)
    for name in (*DATASETS, *TIE_RULES, *AGGREGATIONS, *ANALYSES):
        assert f"`{name}`" in named
