"""Metrics and weightings of other packages in a study: when their code changes, they are computed again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

import jperrant
from tests.study_cases import change, run, write_study

CODE = """\
from jperrant.evaluation.metrics.edit_distance import WerScorer


class Mine(WerScorer):
    name = main = "mine"

    def values(self, totals):
        return {"mine": super().values(totals)["mine"] * 1}

"""
METRICS = "theirs: mine\n"
PACKAGE = "jperrant_made_metrics"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a metric, where packages are installed."""
    code = tmp_path / "site" / PACKAGE / "__init__.py"
    described = tmp_path / "site" / f"{PACKAGE}-1.0.dist-info"
    for folder in (code.parent, described):
        folder.mkdir(parents=True)
    code.write_text(CODE)
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 1.0\n")
    points = f"[jperrant.metrics]\nmine = {PACKAGE}:Mine\n"
    (described / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(code.parent.parent)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield code
    forget()


def forget() -> None:
    """Have the package imported anew, as another process does."""
    sys.modules.pop(PACKAGE, None)
    invalidate_caches()


def test_code_of_another_package_is_part_of_what_a_step_depends_on(package: Path, tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    change(folder / "study.yaml", "errant: errant\n", METRICS)
    change(folder / "study.yaml", "comparisons:\n  - {systems: [good, worse], samples: 50}\n", "")
    run(folder)
    assert run(folder)[0] == []
    before = jperrant.run_study(folder / "study.yaml", folder / "out").scores["en"]["theirs"]["worse"]
    package.write_text(CODE.replace("* 1}", "* 2}"))
    forget()
    done, reused = run(folder)
    assert {step.split()[-1] for step in done if step.startswith("score")} == {"theirs"}
    assert any(step.endswith("goto") for step in reused)
    after = jperrant.run_study(folder / "study.yaml", folder / "out").scores["en"]["theirs"]["worse"]
    assert after.values["mine"] == 2 * before.values["mine"] > 0
