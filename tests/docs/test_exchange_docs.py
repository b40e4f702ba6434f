"""The commands and the Python of docs/exchange.md print what the page says."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.exchange.base import BUILT_IN

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "exchange.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
PYTHON = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def test_examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for command, printed in EXAMPLES:
        program, *args = shlex.split(command)
        if program == "cat" and not Path(args[0]).exists():  # the page's own input
            Path(args[0]).parent.mkdir(parents=True, exist_ok=True)
            Path(args[0]).write_text(printed, encoding="utf-8")
        elif program == "cat":
            assert Path(args[0]).read_text(encoding="utf-8") == printed, command
        else:
            done = CliRunner().invoke(app, args)
            assert (done.exit_code, done.output) == (0, printed), command
    assert len(EXAMPLES) >= 4
    for code in PYTHON:
        lines = doctest.DocTestParser().get_doctest(code, {}, "exchange.md", "exchange.md", 0)
        assert doctest.DocTestRunner().run(lines).failed == 0


def test_every_format_has_its_row() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE, flags=re.MULTILINE)
    assert set(rows) == set(BUILT_IN)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", PAGE)
    assert [link for link in links if not (ROOT / "docs" / link).exists() and "://" not in link] == []
    titles = re.findall(r"^## (.*)$", PAGE, flags=re.MULTILINE)
    headings = {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
