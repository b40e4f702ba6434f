"""The site: pages that are written from the code, and nothing missing from the indexes."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import jperrant
from tests.pages import DOCS, ROOT


def test_the_pages_from_the_code_are_up_to_date() -> None:
    pages = runpy.run_path(str(ROOT / "tools" / "command_reference.py"))["pages"]()
    commands = pages["commands.md"]
    assert commands.count("| argument or option |") == commands.count("```text\n")
    for name, made in pages.items():
        assert (DOCS / name).read_text(encoding="utf-8") == made, "run python tools/command_reference.py"


def test_the_api_page_has_every_public_name() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\.\. auto(?:function|class|exception):: (\w+)$", page, re.MULTILINE)
    assert sorted(shown) == sorted(jperrant.__all__)


def test_every_page_is_in_the_indexes_and_the_first_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
    assert runpy.run_path(str(DOCS / "conf.py"))["smartquotes"] is False, "--raw would be shown with a dash"
    readme, home = ((DOCS / name).read_text(encoding="utf-8") for name in ("README.md", "index.md"))
    pages = sorted(path for path in DOCS.glob("*.md") if path.name not in ("README.md", "index.md"))
    assert [path.name for path in pages if f"({path.name})" not in readme] == []
    assert [path.name for path in pages if f"\n{path.stem}\n" not in home] == []


def test_links_lead_somewhere() -> None:
    lost = []
    for page in [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target and not (page.parent / target).exists():
                lost.append(f"{page.name}: {target}")
    assert lost == []


@pytest.mark.ci
@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py")))
def test_help_of_benchmarks_says_what_they_measure_and_does_nothing(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"usage: {name}.py")
    assert f"benchmarks/{name}.py" in done.stdout, "how it is called, from its docstring"
    assert list(tmp_path.iterdir()) == []
