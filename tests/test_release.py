"""What is published: versions, hooks, forms, citations."""

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
