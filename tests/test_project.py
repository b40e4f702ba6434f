"""The project's own files agree: stages of tests, Makefile, workflow, models by release, and what is published."""

from __future__ import annotations

import datetime
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml

from tests.pages import ROOT

DAY = datetime.date(2030, 1, 2)
Prepare: TypeAlias = Callable[[str, datetime.date], None]
VERSION_FILE = "jperrant/core/version.py"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_ci_runs_what_make_test_leaves_out() -> None:
    recipes = dict(re.findall(r"^(test[a-z-]*):.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE))
    assert '$(if $(ALL),,-m "not ci and not faults" --hypothesis-profile=short)' in recipes["test"]
    assert "not ci" in recipes["test-fast"]
    assert recipes["test-all"] == "\t$(MAKE) test ALL=1\n"
    assert re.search(r"^make test ALL=1 ", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)


def test_targets_that_pages_and_workflow_name_are_there() -> None:
    for file in ("CONTRIBUTING.md", ".ci/run", ".github/workflows/ci.yml", ".pre-commit-config.yaml"):
        targets = re.findall(r"(?<!install )\bmake ([a-z][a-z-]+)", (ROOT / file).read_text(encoding="utf-8"))
        assert [t for t in targets if t != "that" and not re.search(rf"^{t}:", MAKEFILE, re.MULTILINE)] == []


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_demo_installs_no_more_than_users_do(tmp_path: Path) -> None:
    def steps(target: str) -> list[str]:
        command = ["make", "-n", target, f"VENV={tmp_path / 'venv'}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert not [line for line in steps("demo") if "[dev]" in line]
    said, installed = (
        next(n for n, line in enumerate(steps("test")) if part in line) for part in ("2.8 GB", "[dev]")
    )
    assert said < installed, "the size is named before it is downloaded"


def test_the_workflow_runs_the_same_script_on_every_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    checks = workflow["jobs"]["checks"]
    assert [step["run"] for step in checks["steps"] if "run" in step][-1] == ".ci/run"
    versions = checks["strategy"]["matrix"]["python"]
    assert f">={versions[0]}" == project["requires-python"]
    named = {line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line}
    assert named <= set(versions)
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in config["repos"][0]["hooks"]} == {"ruff", "ruff-format", "types", "models"}


def test_a_model_changes_once_a_release(tmp_path: Path) -> None:
    model, changes = tmp_path / "langpacks/xx/models/xx/pos/tiny.pt", tmp_path / "CHANGELOG.md"
    model.parent.mkdir(parents=True)

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def commit(content: str) -> None:
        model.write_text(content)
        git("add", "-A")
        git("commit", "-q", "-m", content)

    def check(*options: str) -> tuple[int, str]:
        script = [sys.executable, str(ROOT / ".ci" / "check_models.py"), *options]
        done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr.partition(" since ")[0]

    git("init", "-q")
    changes.write_text("## [Unreleased]\n\n## [0.1.0]\n")
    commit("one")
    assert check() == (0, ""), "no release, and not our history"
    changes.write_text("## [0.1.0] - 2030-01-02\n")
    commit("two")
    commit("three")
    assert check() == (0, "")
    model.write_text("four")
    git("add", "-A")
    refused = (1, "langpacks/xx/models/xx/pos/tiny.pt: changed by 2 commits")
    assert check("--staged") == refused
    git("commit", "-q", "-m", "four")
    assert check() == refused
    changes.write_text("## [0.2.0] - 2030-02-03\n\n## [0.1.0] - 2030-01-02\n")
    git("commit", "-q", "-a", "-m", "0.2.0")
    assert check("--staged") == (0, "")


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepare:
    """Return what .ci/release prepares with, which finds copies of the files that name the version."""
    prepare = runpy.run_path(str(ROOT / ".ci" / "release"))["prepare"]
    for name in ("pyproject.toml", VERSION_FILE, "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setitem(prepare.__globals__, "ROOT", tmp_path)
    return prepare  # type: ignore[no-any-return]


def test_a_version_is_written_everywhere(release: Prepare, tmp_path: Path) -> None:
    release("0.7.0rc1", DAY)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((tmp_path / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert project["version"] == citation["version"] == "0.7.0rc1"
    assert (tmp_path / VERSION_FILE).read_text(encoding="utf-8").endswith('\nVERSION = "0.7.0rc1"\n')
    assert citation["date-released"] == DAY
    headings = re.findall(r"^## .*$", changes, re.MULTILINE)
    assert headings[:2] == ["## [Unreleased]", "## [0.7.0rc1] - 2030-01-02"]


def test_what_is_no_version_is_refused(release: Prepare, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="v1: not a version"):
        release("v1", DAY)
    assert (tmp_path / "pyproject.toml").read_bytes() == (ROOT / "pyproject.toml").read_bytes()


def test_the_hook_checks_m2_files() -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"] == "jperrant m2 check"
    assert hook["language"] == "python"
    names = ("gold.m2", "a/gold.m2.gz", "gold.m2.md", "m2")
    assert [bool(re.search(hook["files"], name)) for name in names] == [True, True, False, False]


def test_forms_for_issues_are_whole() -> None:
    forms = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
    assert len(forms) == 4
    for form in forms:
        content = yaml.safe_load(form.read_text(encoding="utf-8"))
        labels = [part["attributes"]["label"] for part in content["body"]]
        assert all([content["name"], content["description"], *labels]), form.name


def test_the_sdist_holds_the_package_and_no_tests_that_cannot_run(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    code = "import setuptools; setuptools.setup()"
    command = [sys.executable, "-W", "ignore", "-c", code, "-q", "egg_info", "--egg-base", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    [listed] = tmp_path.glob("*/SOURCES.txt")
    names = listed.read_text(encoding="utf-8").splitlines()
    assert {"cli/main.py", "langpacks/en/pack.yaml", "jperrant/py.typed", "LICENSE"} <= set(names)
    assert [name for name in names if name.startswith("tests/")] == []
