"""Pages name all there is: every option, metric, label and key, and the figures that are kept with the models."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import jperrant
from jperrant.evaluation.meta.evaluation import ANALYSES
from jperrant.evaluation.meta.levels import TIE_RULES
from jperrant.evaluation.meta.metric_scores import AGGREGATIONS
from jperrant.evaluation.meta.published import DATASETS
from jperrant.evaluation.metric_names import metrics
from jperrant.evaluation.studies.run import run_steps
from jperrant.evaluation.studies.study_file import check_study, read_study, study_schema
from jperrant.io.dialects import read_cherrant
from jperrant.m2tools.m2_formats import to_characters
from jperrant.packs.describe import installed_models
from jperrant.packs.pack import load_pack
from jperrant.reporting.listings import format_models
from jperrant.reporting.study import overview
from tests.pages import DOCS, ROOT
from tests.platforms import SHELL
from tests.study_cases import GOLD, GOOD


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def blocks(name: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page(name), flags=re.MULTILINE | re.DOTALL)


# Chinese


def test_every_chinese_label_is_described() -> None:
    words = page("chinese").replace("`:PINYIN`", "`SPELL:PINYIN`").replace("`:SHAPE`", "`SPELL:SHAPE`")
    assert [label for label in load_pack("zh").labels if label not in words] == []


def test_words_and_characters_are_compared_as_the_page_says() -> None:
    words = list(read_cherrant(str(ROOT / "tests" / "data" / "zh" / "nlpcc18_60.ref.word.m2")))
    characters = list(to_characters(words, load_pack("zh").keys.unbroken))
    pairs = ((characters, words), (characters, characters))
    found = [jperrant.score(*pair, metrics="errant")[0].counts["tp"] for pair in pairs]
    said = "they find {:.0f} of 124 edits, and all {:.0f} once".format(*found)
    assert said in " ".join(page("chinese").split())


# Metrics and meta-evaluation


def test_pages_of_metrics_name_everything() -> None:
    named = set(re.findall(r"^\| \[`([\w-]+)`\]", page("metrics"), flags=re.MULTILINE))
    some = "m2 pt-m2 goto gleu green imeasure wer some impara scribendi llm-s llm-e"
    assert set(some.split()) <= named <= set(metrics())
    options = ("encoder", "vector", "mass", "cost", "reg", "reg_m", "level", "pooling")
    assert [option for option in options if f"`{option}" not in page("uot")] == []
    meta = page("meta-evaluation").replace("with `-dev`", "`gmeg-wiki-dev` `gmeg-fce-dev`")
    names = (*DATASETS, *TIE_RULES, *AGGREGATIONS, *ANALYSES)
    assert [name for name in names if f"`{name}`" not in meta] == []


def test_files_that_are_shown_are_those_of_the_examples() -> None:
    essays, answers = (ROOT / "examples" / name for name in ("meta/essays.json", "llm/answers.txt"))
    assert essays.read_text(encoding="utf-8") in page("meta-evaluation")
    assert blocks("scoring-llm", "text")[0].partition("…")[0] in answers.read_text(encoding="utf-8")


# Studies


def test_every_key_and_choice_of_studies_is_explained() -> None:
    schema = json.loads(study_schema())
    models = [part for one in [schema, *schema["$defs"].values()] for part in one.get("anyOf", [one])]
    properties = {key: value for one in models for key, value in one.get("properties", {}).items()}
    choices = json.dumps([properties[key] for key in ("tables", "plots", "formats")])
    names = {*properties, *re.findall(r'"([\w-]+)"', "".join(re.findall(r'"enum": (\[.*?\])', choices)))}
    assert {*["datasets", "lang", "annotator", "decimals", "ties", "languages", "heatmap", "csv"]} <= names
    text = page("studies")
    assert [name for name in sorted(names) if f"`{name}`" not in text and f"{name}:" not in text] == []


def test_the_smallest_study_is_one(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(blocks("studies", "yaml")[0])
    for name, text in {"gold": GOLD, "first": GOOD, "second": GOOD}.items():
        (tmp_path / f"{name}.m2").write_text(text)
    assert check_study(tmp_path / "study.yaml")[1] == []


@pytest.mark.ci
@pytest.mark.models
def test_the_study_of_the_example_gives_the_tables_of_the_page(tmp_path: Path) -> None:
    study = read_study(ROOT / "examples/languages/study.yaml")
    result = run_steps(study.model_copy(update={"comparisons": ()}), tmp_path)
    command, _, shown = blocks("studies", "console")[0].partition("\n")
    assert command == "$ jperrant study examples/languages/study.yaml -o results/"
    assert overview(result).startswith(shown)


# Models and packs


def test_the_scores_of_models_are_those_kept_with_them() -> None:
    models = [m for lang in ("en", "ko", "zh") for m in installed_models(lang) if m.about.evaluations]
    table = format_models(models).split("\n\n")[1].splitlines()
    assert len(table) > 8
    assert [line for line in table if line not in page("models")] == []


def test_what_is_written_from_packs_is_up_to_date() -> None:
    reference = runpy.run_path(str(ROOT / "tools" / "pack_reference.py"))
    for name in ("packs", "labels", "languages/README"):
        assert reference["rendered"](page(name)) == page(name), "run python tools/pack_reference.py"
    assert reference["PACKS"].read_text("utf-8") == reference["pack_schema"](), "the same"


@pytest.mark.ci
@SHELL
def test_a_new_language_in_ten_minutes(tmp_path: Path) -> None:
    """The page runs as it is written, in one shell, in a folder of its own and with nothing but what it says."""
    commands, printed = f'jperrant() {{ {sys.executable} -m jperrant.cli "$@"; }}\n', ""
    for kind, block in re.findall(
        r"^```(sh|console)\n(.*?)^```$", page("new-language"), re.MULTILINE | re.DOTALL
    ):
        for line in block.splitlines(keepends=True):
            if kind == "sh" or line.startswith("$ "):
                commands += line.removeprefix("$ ")
            else:
                printed += line
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    shell = ["bash", "-c", commands]
    found = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (found.stderr, found.stdout) == ("", printed)
