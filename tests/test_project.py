"""The project's own files agree: stages of tests, Makefile, workflow, what the demo installs, models by release."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.pages import ROOT

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
