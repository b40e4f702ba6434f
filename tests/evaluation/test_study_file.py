"""Study files: what is wrong is said with its line; folders, schema, safety, the files of papers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import InputError, UsageError
from jperrant.evaluation.meta.published import GJG15_HUMAN
from jperrant.evaluation.studies.study_file import SCHEMA, check_study, study_schema
from jperrant.packs.yaml_file import read_yaml
from jperrant.reporting.study import file_name
from tests.study_cases import STUDY, change, contents, run, write_study

from .meta_folders import WHOLE, make_gjg15, make_gmeg, make_references, make_seeda, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_study(tmp_path)


def test_a_list_of_metrics_names_each_once(tmp_path: Path) -> None:
    study = tmp_path / "s.yaml"
    study.write_text("datasets: {en: {references: a.m2, systems: {a: a.m2}}}\nmetrics: [gleu, wer, gleu]\n")
    (tmp_path / "a.m2").write_text("S a\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n")
    with pytest.raises(
        InputError, match=r"s\.yaml:2: metrics: two metrics have the name 'gleu'; give labels"
    ):
        jperrant.run_study(study, tmp_path / "out")


def test_a_folder_for_the_data(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    study = tmp_path_factory.mktemp("elsewhere") / "s.yaml"
    study.write_text(
        "folders: {data: {about: git clone it}}\n"
        "datasets: {en: {references: '${data}/gold.m2', systems: {worse: '${data}/worse.m2'}}}\nmetrics: [errant]\n"
    )
    with pytest.raises(InputError, match=r"s.yaml:1: data: .*--set data=FOLDER \(git clone it\)"):
        jperrant.run_study(study, folder / "out")
    result = jperrant.run_study(study, folder / "out", folders={"data": str(folder)})
    assert list(result.scores["en"]["errant"]) == ["worse"]
    assert str(folder) not in (folder / "out/manifest.json").read_text(), "no paths of this machine"
    with pytest.raises(UsageError, match=r"'dta'.*did you mean 'data'"):
        jperrant.run_study(study, folder / "out", folders={"dta": str(folder)})


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("worse: worse.m2}}", "worse: wrose.m2}}", 4, ["wrose.m2", "did you mean 'worse.m2'"]),
        ("errant: errant", "errant: erant", 11, ["erant", "did you mean 'errant'"]),
        ("level=sentence", "level=sentences", 12, ["sentences", "did you mean 'sentence'"]),
        ("level=sentence", "levle=sentence", 12, ["levle", "did you mean 'level'"]),
        ("  goto: goto", "  errant: goto", 13, ["errant", "twice"]),
        ("intervals: 50", "intervalls: 50", 14, ["unknown key", "did you mean 'intervals'"]),
        ("goto: goto", "goto: {metric: goto}", 13, ["expected text"]),
        ("nominal-inflection", "3", 9, ["3", "nominal-inflection"]),
        ("alone: good.m2", r'alone: "a\nb"', 8, ["a b"]),
        ("intervals: 50", "intervals: 0", 14, ["intervals", "found 0"]),
        ("[good, worse]", "[good, wors]", 16, ["wors", "did you mean 'worse'"]),
        ("[good, worse]", "[good, alone], datasets: [en]", 16, ["alone"]),
        ("samples: 50", "tests: bootstrap", 16, ["tests", "did you mean 'test'"]),
        ("samples: 50", "test: bootstrp", 16, ["bootstrp", "did you mean 'bootstrap'"]),
        ("latex]", "latx]", 17, ["latx", "did you mean 'latex'"]),
        ("lang: et", "lang: xq", 6, ["xq"]),
        ("references: gold.m2", "annotators: [0, 7], references: gold.m2", 4,
         ["no annotator 7", "one of 0, 1"]),
        ("worse: worse.m2}}", "worse: {file: worse.m2, annotator: 2}}}", 4, ["worse.m2: found no annotator 2"]),
        ("references: gold.m2", "references: null", 4, ["'errant' needs references"]),
        ("references: [et.gold.m2]", "references: [.]", 7, ["folder"]),
        ("systems: {good: et.good.m2, worse: worse.m2, alone: good.m2}", "systems: [good.m2]", 8, ["a mapping"]),
        ("worse: worse.m2, alone", "good: worse.m2, alone", 8, ["'good'", "twice"]),
        ("nominal-inflection", "nominal", 9, ["nominal", "did you mean 'nominal-inflection'"]),
        ("title: two languages", "title: [a", 3, ["YAML"]),
        # Names of columns that tables have beside them.
        ("\n  en:", "\n  macro:", 4, ["'macro' is a column"]),
        ("worse: worse.m2}}", "type: worse.m2}}", 4, ["'type' is a column"]),
        ("errant: errant", "system: errant", 11, ["'system' is a column"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(
    folder: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    change(folder / "study.yaml", old, new)
    with pytest.raises(InputError) as error:
        jperrant.run_study(folder / "study.yaml", folder / "out")
    message = str(error.value)
    assert message.startswith(f"{folder / 'study.yaml'}:{line}: ")
    assert "\n" not in message
    assert [word for word in words if word not in message] == []
    assert not (folder / "out").exists()


def test_what_is_wrong_in_a_file_indented_by_tabs_is_said(folder: Path) -> None:
    (folder / "study.yaml").write_text('{\n\t"metricz": 1\n}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"study\.yaml:1: the key 'metrics' is missing"):
        jperrant.run_study(folder / "study.yaml", folder / "out")


@pytest.mark.parametrize(
    ("written", "quoted"),
    [("seed: -1", False), ("layout: {decimals: 99}", False), ("title: 3", True)],
)
def test_quotes_are_advised_where_text_is_wanted(folder: Path, written: str, quoted: bool) -> None:
    change(folder / "study.yaml", "title: two languages", written)
    _, [problem] = check_study(folder / "study.yaml")
    assert ("put it in quotes" in str(problem)) == quoted


def test_check_lists_all_problems_and_computes_nothing(folder: Path) -> None:
    change(folder / "study.yaml", "gold.m2, systems: {good: good.m2", "gold.m2, systems: {good: gone.m2")
    change(folder / "study.yaml", "goto: goto", "goto: gotto")
    result = CliRunner().invoke(app, ["study", str(folder / "study.yaml"), "--check"])
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert ":4: " in first
    assert ":13: " in second
    change(folder / "study.yaml", "gone.m2", "good.m2")
    change(folder / "study.yaml", "gotto", "goto")
    result = CliRunner().invoke(app, ["study", str(folder / "study.yaml"), "--check"])
    assert (result.exit_code, result.stdout) == (
        0,
        f"{folder / 'study.yaml'}: 2 datasets, 3 systems, 3 metrics, 1 comparison\n",
    )


def test_inputs_are_safe(folder: Path) -> None:
    (folder / "notes").write_text("mine")
    before = contents(folder)
    with pytest.raises(UsageError, match=r"is in .* could overwrite it"):
        jperrant.run_study(folder / "study.yaml", folder)
    with pytest.raises(InputError, match=r"notes: cannot be made a folder"):
        jperrant.run_study(folder / "study.yaml", folder / "notes")
    assert contents(folder) == before


def test_yaml_is_read_safely(folder: Path) -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)
    )
    (folder / "study.yaml").write_text(bomb)
    with pytest.raises(InputError, match="anchors"):
        run(folder)
    (folder / "study.yaml").write_text("title: !!python/object/apply:os.getcwd []\n")
    with pytest.raises(InputError, match=r"study\.yaml:1"):
        run(folder)


def test_the_schema_says_what_is_read(folder: Path) -> None:
    schema = json.loads(study_schema())
    assert SCHEMA.read_text(encoding="utf-8") == study_schema(), "python tools/pack_reference.py writes it"
    jsonschema.Draft202012Validator.check_schema(schema)
    study = yaml.safe_load(STUDY)
    jsonschema.validate(study, schema)
    for wrong in ({"tables": ["system"]}, {"seed": -1}, {"datasets": {}}, {"datsets": {}}, {"metrics": []}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**study, **wrong}, schema)


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
    used = {label for one in study.human.values() for label in one.metrics or study.metrics}
    assert study.datasets or {*study.metrics} == used
    assert all(f"${{{name}}}" in file.read_text() for name in declared)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_page_and_the_file_give_one_command(file: Path) -> None:
    [command] = re.findall(rf"jperrant study studies/{file.name}.*", PAGE)
    assert f"#   {command}" in file.read_text(), "the comment at the top"
    named = re.findall(r"--set (\w+)=FOLDER", command)
    assert sorted(named) == sorted(read_yaml(file)["folders"])


@pytest.mark.parametrize("system", ["系统" * 90, "a" + "系统" * 90, "x" * 400])
def test_long_names_make_files_that_file_systems_take(system: str, tmp_path: Path) -> None:
    name = file_name("comparison", system, system)
    assert name.startswith(f"comparison-{system[:40]}")
    assert 140 < len(name.encode("utf-8")) <= 150
    (tmp_path / f"{name}.md").touch()
