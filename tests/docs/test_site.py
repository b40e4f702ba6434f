"""The site: pages that are written from the code, nothing missing from the indexes, and journeys that run."""

from __future__ import annotations

import importlib.util
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import jperrant
from tests.pages import DOCS, ROOT, printed, run, steps
from tests.platforms import SHELL

COMING_FROM = sorted(path.name for path in (DOCS / "coming-from").glob("*.md"))
_FOLDER = re.compile(r"^<!-- in (\S+) -->$", re.MULTILINE)


def pages() -> list[str]:
    """Return the pages that the indexes should have."""
    return sorted(path.name for path in DOCS.glob("*.md") if path.name not in ("README.md", "index.md"))


def test_the_pages_from_the_code_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "command_reference.py")
    assert spec is not None
    assert spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    commands = reference.pages()["commands.md"]
    assert commands.count("| argument or option |") == commands.count("```text\n")
    for name, made in reference.pages().items():
        assert (DOCS / name).read_text(encoding="utf-8") == made, "run python tools/command_reference.py"


def test_the_api_page_has_every_public_name() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\.\. auto(?:function|class|exception):: (\w+)$", page, re.MULTILINE)
    assert sorted(shown) == sorted(jperrant.__all__)


def test_every_page_is_in_the_indexes() -> None:
    readme = (DOCS / "README.md").read_text(encoding="utf-8")
    home = (DOCS / "index.md").read_text(encoding="utf-8")
    assert [name for name in pages() if f"({name})" not in readme] == []
    assert [name for name in pages() if f"\n{name.removesuffix('.md')}\n" not in home] == []


def test_the_site_leaves_the_hyphens_of_options_alone() -> None:
    assert runpy.run_path(str(DOCS / "conf.py"))["smartquotes"] is False, "--raw would be shown with a dash"


def test_links_lead_somewhere() -> None:
    lost = []
    for page in [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target and not (page.parent / target).exists():
                lost.append(f"{page.name}: {target}")
    assert lost == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.slow
@SHELL
@pytest.mark.models
@pytest.mark.parametrize("page", ["../README.md", "index.md"])
def test_the_example_on_the_front(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [(command, shown) for command, shown in steps(page) if command.startswith("cat ")]
    for command, shown in texts:
        (tmp_path / command.split()[1]).write_text(shown or "", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    wanted = dict(steps(page))["jperrant annotate original.txt corrected.txt --lang en"]
    assert len(texts) == 2
    assert (
        printed("jperrant annotate original.txt corrected.txt --lang en", tmp_path).strip() == wanted.strip()
    )


@pytest.mark.ci
@SHELL
@pytest.mark.models
@pytest.mark.parametrize("page", [name for name in COMING_FROM if name != "README.md"])
def test_coming_from(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DOCS / "coming-from" / page).read_text(encoding="utf-8")
    named = _FOLDER.search(text)
    if named is None:
        assert steps(f"coming-from/{page}") == []
        return
    folder = tmp_path / "work"
    shutil.copytree(ROOT / named[1], folder)
    monkeypatch.chdir(folder)
    assert run(f"coming-from/{page}", folder)


@pytest.mark.slow
@SHELL
def test_what_each_metric_rewards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("metric-choice.md", tmp_path) == 2


@pytest.mark.ci
@SHELL
@pytest.mark.models
def test_the_journey_of_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "benchmarks" / "data" / "multi", tmp_path / "benchmarks" / "data" / "multi")
    page = (DOCS / "evaluating.md").read_text(encoding="utf-8")
    study = re.search(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert study is not None
    (tmp_path / "study.yaml").write_text(study[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("evaluating.md", tmp_path) == 7


@pytest.mark.parametrize(
    "name",
    ["agreement", "analyse_multi", "errant_sample", "gold_cases", "report_page", "zh_gold"],
)
def test_help_of_benchmarks_says_what_they_measure_and_does_nothing(name: str, tmp_path: Path) -> None:
    script = ROOT / "benchmarks" / f"{name}.py"
    done = subprocess.run(
        [sys.executable, str(script), "--help"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"usage: {name}.py")
    assert f"benchmarks/{name}.py" in done.stdout, "how it is called, from its docstring"
    assert list(tmp_path.iterdir()) == []
