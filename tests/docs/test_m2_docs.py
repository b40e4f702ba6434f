"""The commands of docs/m2.md print what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from jperrant.cli import m2
from jperrant.core.errors import JperrantError

PAGE = (Path(__file__).parents[2] / "docs" / "m2.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.models
def test_examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jperrant.cli.progress.FIRST", 3600.0)  # a slow machine prints progress
    app = typer.Typer()
    app.callback()(lambda: None)
    m2.register(app)
    for command, printed in EXAMPLES:
        program, *args = shlex.split(command)
        if program == "cat" and not Path(args[0]).exists():  # the page's own input
            Path(args[0]).write_text(printed, encoding="utf-8")
        elif program == "cat":
            assert Path(args[0]).read_text(encoding="utf-8") == printed, command
        else:
            found = CliRunner().invoke(app, args)
            shown = found.output
            if isinstance(found.exception, JperrantError):
                shown = f"jperrant: {found.exception}\n"
            assert shown == printed, command
    assert len(EXAMPLES) > 10
