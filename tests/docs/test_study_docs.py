"""docs/studies.md: every key is there, and the example gives the tables that it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jperrant.evaluation.studies.run import run_steps
from jperrant.evaluation.studies.study_file import check_study, read_study, study_schema
from jperrant.reporting.study import overview
from tests.study_cases import GOLD, GOOD

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/studies.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return [part.partition("```")[0] for part in PAGE.split(f"```{kind}\n")[1:]]


def test_every_key_and_choice_is_explained() -> None:
    schema = json.loads(study_schema())
    models = [schema, *(one for one in schema["$defs"].values())]
    models = [part for one in models for part in one.get("anyOf", [one])]
    properties = {key: value for one in models for key, value in one.get("properties", {}).items()}
    names = {*properties, *re.findall(r'"([\w-]+)"', "".join(re.findall(r'"enum": (\[.*?\])', json.dumps(
        {key: properties[key] for key in ("tables", "plots", "formats")}))))}  # fmt: skip
    assert {
        "datasets",
        "lang",
        "annotator",
        "decimals",
        "ties",
        "languages",
        "heatmap",
        "tsv-safe",
    } <= names
    assert [name for name in sorted(names) if f"`{name}`" not in PAGE and f"{name}:" not in PAGE] == []


def test_the_smallest_study_is_one(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(blocks("yaml")[0])
    for name, text in {"gold": GOLD, "first": GOOD, "second": GOOD}.items():
        (tmp_path / f"{name}.m2").write_text(text)
    assert check_study(tmp_path / "study.yaml")[1] == []


@pytest.mark.ci
@pytest.mark.models
def test_the_example_gives_the_tables_of_the_page(tmp_path: Path) -> None:
    study = read_study(ROOT / "examples/languages/study.yaml")
    result = run_steps(study.model_copy(update={"comparisons": ()}), tmp_path)
    command, _, shown = blocks("console")[0].partition("\n")
    assert command == "$ jperrant study examples/languages/study.yaml -o results/"
    assert overview(result).startswith(shown)
