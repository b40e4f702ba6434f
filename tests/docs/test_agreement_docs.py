"""The commands of docs/agreement.md print what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "agreement.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def test_examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "tests" / "data" / "conll14" / "conll14.errant", tmp_path)
    for command, printed in EXAMPLES:
        program, *args = shlex.split(command)
        if program == "cat":
            Path(args[0]).write_text(printed, encoding="utf-8")
            continue
        result = CliRunner().invoke(app, args)
        assert result.exception is None, command
        assert result.stdout == printed.replace("v:0.1.0", f"v:{version('jperrant')}"), command
    assert len(EXAMPLES) == 5
