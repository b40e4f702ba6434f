"""The loop of docs/annotating.md, from essays to a release, prints what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "annotating.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def lines_of(program: str, arguments: list[str]) -> str:
    """Return what ``cat``, ``head`` or ``tail`` prints."""
    lines = Path(arguments[-1]).read_text(encoding="utf-8").splitlines(keepends=True)
    count = int(arguments[0]) if len(arguments) == 2 else len(lines)
    return "".join(lines[count:] if program == "tail" else lines[: abs(count)])


def test_the_loop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for command, printed in EXAMPLES:
        program, *arguments = shlex.split(command)
        if program == "cp":
            *files, place = arguments
            for file in files:
                shutil.copy(ROOT / file, place)
        elif program in ("cat", "head", "tail"):
            assert lines_of(program, arguments) == printed, command
        else:
            done = CliRunner().invoke(app, arguments)
            found_something = arguments[:2] == ["m2", "check"] and bool(printed) and "--fix" not in arguments
            assert (done.exit_code, done.output) == (int(found_something), printed), command
    assert len(EXAMPLES) >= 25


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", PAGE)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
