"""docs/study.md: every key is there, and the example gives the tables that it shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jperrant.evaluation.studies import keys
from jperrant.evaluation.studies.run import run_steps
from jperrant.evaluation.studies.study_file import check_study, read_study
from jperrant.reporting.study import overview

from .study_cases import GOLD, GOOD

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/study.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return [part.partition("```")[0] for part in PAGE.split(f"```{kind}\n")[1:]]


def test_every_key_table_and_format_is_explained() -> None:
    tables = (keys.STUDY, keys.DATASET, keys.METRIC, keys.COMPARISON, keys.HUMAN, keys.LAYOUT)
    names = (
        {name for table in tables for name in table} | set(keys.TABLES) | set(keys.PLOTS) | set(keys.FORMATS)
    )
    assert [name for name in sorted(names) if f"`{name}`" not in PAGE] == []


def test_the_smallest_study_is_one(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(blocks("yaml")[0])
    for name, text in {"gold": GOLD, "first": GOOD, "second": GOOD}.items():
        (tmp_path / f"{name}.m2").write_text(text)
    assert check_study(tmp_path / "study.yaml")[1] == []


@pytest.mark.models
def test_the_example_gives_the_tables_of_the_page(tmp_path: Path) -> None:
    study = read_study(ROOT / "examples/languages/study.yaml")
    result = run_steps(replace(study, comparisons=()), tmp_path)
    command, _, shown = blocks("console")[0].partition("\n")
    assert command == "$ jperrant study examples/languages/study.yaml -o results/"
    assert overview(result) == shown
