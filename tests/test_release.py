"""What is published: versions, hooks, forms, citations."""

from __future__ import annotations

import datetime
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from tests.pages import ROOT

DAY = datetime.date(2030, 1, 2)
VERSION_FILE = "jperrant/core/version.py"


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return .ci/release, which finds copies of the files that name the version."""
    loader = SourceFileLoader("release", str(ROOT / ".ci" / "release"))
    spec = spec_from_loader("release", loader)
    assert spec is not None
    module = module_from_spec(spec)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    loader.exec_module(module)
    for name in ("pyproject.toml", VERSION_FILE, "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def test_a_version_is_written_everywhere(release: ModuleType, tmp_path: Path) -> None:
    release.prepare("0.7.0rc1", DAY)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((tmp_path / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert project["version"] == citation["version"] == "0.7.0rc1"
    assert (tmp_path / VERSION_FILE).read_text(encoding="utf-8").endswith('\nVERSION = "0.7.0rc1"\n')
    assert citation["date-released"] == DAY
    headings = re.findall(r"^## .*$", changes, re.MULTILINE)
    assert headings[:2] == ["## [Unreleased]", "## [0.7.0rc1] - 2030-01-02"]


def test_what_is_no_version_is_refused(release: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="v1: not a version"):
        release.prepare("v1", DAY)
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
        assert content["name"], form.name
        assert content["description"], form.name
        assert all(part["attributes"]["label"] for part in content["body"]), form.name


def test_the_sdist_holds_the_package_and_no_tests_that_cannot_run(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    code = "import setuptools; setuptools.setup()"
    command = [sys.executable, "-W", "ignore", "-c", code, "-q", "egg_info", "--egg-base", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    [listed] = tmp_path.glob("*/SOURCES.txt")
    names = listed.read_text(encoding="utf-8").splitlines()
    assert {"cli/main.py", "langpacks/en/pack.yaml", "jperrant/py.typed", "LICENSE"} <= set(names)
    assert [name for name in names if name.startswith("tests/")] == []


def test_subjects_of_commits_are_short() -> None:
    done = subprocess.run([ROOT / ".ci" / "check_subjects.py"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
