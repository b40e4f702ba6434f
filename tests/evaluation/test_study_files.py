"""The study files of papers: they fit the data that they name, and docs/studies.md names them as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jperrant.evaluation.meta.published import GJG15_HUMAN
from jperrant.evaluation.studies.study_file import check_study
from jperrant.packs.yaml_file import read_yaml
from jperrant.reporting.study import file_name

from .meta_folders import WHOLE, make_gjg15, make_gmeg, make_references, make_seeda, write

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "studies").glob("*.yaml"))
PAGE = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
#: Sets of references that distributions have besides the official ones.
SETS = ("EXPMIN", "EXPFLUENCY", "TURKMIN", "TURKFLUENCY")
REFERENCES = (*(f"BN{n}" for n in range(1, 11)), *(f"{name}{letter}" for name in SETS for letter in "AB"))


def m2_of(texts: list[str]) -> list[str]:
    """Return blocks in which one edit replaces a sentence, or none where it stays."""
    lines = []
    for source, text in zip(WHOLE, texts, strict=True):
        edit = f"A 0 {len(source.split())}|||R:OTHER|||{text}|||REQUIRED|||-NONE-|||0"
        noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"
        lines += [f"S {source}", noop if source == text else edit, ""]
    return lines


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Small made data in the forms in which authors distribute theirs, by the names of the study files."""
    root = tmp_path_factory.mktemp("papers")
    made = {
        "SEEDA": make_seeda(root / "seeda"),
        "GJG15": make_gjg15(root / "gjg15"),
        "GMEG": make_gmeg(root / "gmeg"),
        "REFERENCES": make_references(root / "references"),
        "CLEME": root / "cleme",
    }
    for name in REFERENCES:
        write(root / "references" / "references" / name, list(WHOLE))
    submissions = root / "gjg15" / "data" / "original" / "official_submissions"
    for system in GJG15_HUMAN:
        texts = (submissions / system).read_text().splitlines()
        write(root / "cleme" / "demo" / "examples" / f"conll14-{system}.errant", m2_of(texts))
    write(root / "cleme" / "demo" / "examples" / "conll14.errant", m2_of(list(WHOLE)))
    return {name: str(folder) for name, folder in made.items()}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_study_files_fit_the_data_they_name(file: Path, folders: dict[str, str]) -> None:
    declared = read_yaml(file)["folders"]
    study, problems = check_study(file, {name: folders[name] for name in declared})
    assert problems == []
    assert study.datasets or study.human
    # Every metric is used, and every folder.
    used = {label for one in study.human.values() for label in one.labels(study.specs)}
    assert study.datasets or {*study.metrics} == used
    assert all(f"${{{name}}}" in file.read_text() for name in declared)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_page_and_the_file_give_one_command(file: Path) -> None:
    [command] = re.findall(rf"jperrant study studies/{file.name}.*", PAGE)
    assert f"#   {command}" in file.read_text(), "the comment at the top"
    named = re.findall(r"--set (\w+)=FOLDER", command)
    assert sorted(named) == sorted(read_yaml(file)["folders"])


def test_words_that_begin_with_a_truth_value_are_text(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("aggregation: trueskill\nword: falsehood\nyes: True\nno: false\n")
    assert read_yaml(path) == {"aggregation": "trueskill", "word": "falsehood", "yes": True, "no": False}


@pytest.mark.parametrize("system", ["系统" * 90, "a" + "系统" * 90, "x" * 400])
def test_long_names_make_files_that_file_systems_take(system: str, tmp_path: Path) -> None:
    name = file_name("comparison", system, system)
    assert name.startswith(f"comparison-{system[:40]}")
    assert 140 < len(name.encode("utf-8")) <= 150
    (tmp_path / f"{name}.md").touch()
