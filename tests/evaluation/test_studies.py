"""Studies: from one file to tables, what is computed again; what is wrong in a file is said with its line."""

from __future__ import annotations

import csv
import gzip
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import jsonschema
import pytest
import yaml

import jperrant
from jperrant.core.errors import InputError, UsageError
from jperrant.core.store import held
from jperrant.evaluation.inputs import SAME
from jperrant.evaluation.meta.published import GJG15_HUMAN
from jperrant.evaluation.studies.run import Step
from jperrant.evaluation.studies.study_file import SCHEMA, check_study, study_schema
from jperrant.packs.yaml_file import read_yaml
from jperrant.reporting.study import file_name
from tests.commands import printed, refused
from tests.program import PROGRAM, run_program, unmeasured
from tests.study_cases import GOLD, GOOD, LONG, STUDY, change, contents, run, write_study

from .meta_folders import WHOLE, m2_of, make_gjg15, make_gmeg, make_references, make_seeda, write

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a study without plots, comparisons and intervals."""
    return write_study(tmp_path, "formats: [text, tsv, md, latex]\n")


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the folder of a study that was run, and its steps."""
    folder = write_study(tmp_path_factory.mktemp("study"), LONG.replace("plots: [heatmap]\n", ""))
    done, reused = run(folder)
    assert not reused
    return folder, done


@pytest.fixture
def ran(first_run: tuple[Path, list[str]], tmp_path: Path) -> Path:
    """Return a folder of its own with the study and its output: keys depend on no path."""
    return shutil.copytree(first_run[0], tmp_path / "ran")


def test_figures_are_those_of_score(ran: Path) -> None:
    result = jperrant.run_study(ran / "study.yaml", ran / "out")
    systems = {"good": ran / "good.m2", "worse": ran / "worse.m2"}
    scored = jperrant.score(systems, ran / "gold.m2", metrics=["errant", "goto"])
    for score in scored:
        of_study = result.scores["en"][score.metric][score.hypothesis]
        assert (of_study.values, of_study.signature) == (score.values, score.signature)
    said = [f"en: {line}" for line in scored.warnings()]
    assert said[0].startswith("en: good: goto: the weights")
    assert [line for line in result.warnings() if line.startswith("en: ")] == said
    [first, second] = result.comparisons
    found = jperrant.paired_tests(jperrant.score(systems, ran / "gold.m2"), samples=50, by_type=True)
    assert (first.dataset, second.dataset) == ("en", "et")
    assert repr(first.comparisons) == repr(tuple(found)), "also what is not a number"


def test_tables_of_all_languages(ran: Path) -> None:
    with (ran / "out/tables/languages-errant.tsv").open() as stream:
        good, worse, alone = csv.DictReader(stream, delimiter="\t")
    assert float(good["macro"]) == pytest.approx((float(good["en"]) + float(good["et"])) / 2)
    assert float(worse["macro"]) < float(good["macro"])
    assert alone["macro"] == "", "not in all languages"
    groups = (ran / "out/tables/groups-good.tsv").read_text().splitlines()
    # One NOUN:NUM in English; the Estonian label has its group from the study file.
    assert groups[1:] == ["nominal-inflection\t1.0\t1.0\t2", "verbal-inflection\t1.0\t1.0\t4"]
    results = json.loads((ran / "out/results.json").read_text())
    assert results["macro"]["errant"]["good"] == float(good["macro"])
    assert results["datasets"]["et"]["scores"]["mine"]["alone"]["metric"] == "cleme2"
    [compared] = [one for one in results["comparisons"] if one["dataset"] == "en"]
    assert (compared["baseline"], compared["hypothesis"]) == ("good", "worse")
    assert compared["by_type"]["R:VERB:SVA"]["value"] == 0.5 - 1.0


@pytest.mark.ci
def test_a_changed_system_alone_is_computed_again(ran: Path, first_run: tuple[Path, list[str]]) -> None:
    done = first_run[1]
    assert len(done) == 2 * 3 + 3 * 3
    assert run(ran) == ([], done)
    change(ran / "et.good.m2", "|||is|||", "|||was|||")
    done, _ = run(ran)
    assert done == [
        "score et/good errant",
        "score et/good mine",
        # The weights of GoToScorer come from all systems.
        *(f"score et/{system} goto" for system in ("good", "worse", "alone")),
    ]


def test_a_damaged_result_is_computed_again(ran: Path) -> None:
    before, store = contents(ran / "out"), ran / "out/cache/results.sqlite"
    with closing(sqlite3.connect(store)) as damaged, damaged:  # a step of 0 bytes, and two that are cut
        keys = damaged.execute("SELECT key FROM packed WHERE kind = 'score'").fetchall()[:3]
        damaged.execute("UPDATE packed SET value = ? WHERE key = ?", (b"", *keys[0]))
        cut = "UPDATE packed SET value = substr(value, 1, length(value) - 1) WHERE key = ?"
        damaged.executemany(cut, keys[1:])
    assert len(run(ran)[0]) == 3
    store.write_bytes(b"")
    assert run(ran)[1] == [], "a store of 0 bytes holds nothing"
    assert contents(ran / "out") == before


@pytest.mark.ci
def test_killed_and_run_again_gives_the_same_bytes_also_with_processes(ran: Path) -> None:
    command = [*PROGRAM, "study", str(ran / "study.yaml"), "-o", str(ran / "again"), "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=unmeasured()) as program:
        assert program.stderr is not None
        line = program.stderr.readline()
        program.kill()
        rest = program.stderr.read()
    assert ": done " in line
    assert "score et/alone goto" not in rest
    assert not (ran / "again/manifest.json").exists()
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert line.rpartition(":")[0] + ": reused" in again.stderr
    assert contents(ran / "again") == contents(ran / "out")


def test_texts_need_a_source_and_become_m2(folder: Path) -> None:
    (folder / "s.txt").write_text("This are a sentence .\nI has two cat .\n")
    (folder / "r.txt").write_text("This is a sentence .\nI have two cats .\n")
    (folder / "study.yaml").write_text(
        "datasets:\n  xx: {lang: it, models: none, references: [r.txt, gold.m2], systems: {a: r.txt}}\n"
        "metrics: [errant, gleu]\n"
    )
    with pytest.raises(InputError, match=r":2: xx: r.txt: found text.*source"):
        run(folder)
    change(folder / "study.yaml", "lang: it,", "lang: it, source: s.txt,")
    result = jperrant.run_study(folder / "study.yaml", folder / "out")
    files = [folder / "r.txt", folder / "gold.m2"]
    [score] = jperrant.score(files[0], files, source=folder / "s.txt", lang="it", models="none")
    assert result.scores["xx"]["errant"]["a"].values == score.values
    assert "refs:3" in (folder / "out/tables/systems-xx.txt").read_text()
    for name, text, message in (  # as the study file calls them
        ("r.txt", "This is a sentence .\n", r"^r\.txt: .* s\.txt\b"),
        ("gold.m2", GOLD + "A 0 1|||R:X\n", r"^gold\.m2:10: "),
    ):
        (folder / name).write_text(text)
        with pytest.raises(InputError, match=message):
            run(folder)


def test_a_first_text_types_joined_edits_of_other_systems_again(folder: Path) -> None:
    edit = "A {} {}|||R:{}|||{}|||REQUIRED|||-NONE-|||0\n".format
    (folder / "gold.m2").write_text(f"S I cannot goes .\n{edit(1, 2, 'MODAL', 'could not')}\n")
    (folder / "good.m2").write_text(
        f"S I can not goes .\n{edit(1, 2, 'VERB', 'could')}{edit(2, 3, 'ADV', 'never')}\n"
    )
    (folder / "source.txt").write_text("I cannot goes .\n")
    (folder / "text.txt").write_text("I cannot go .\n")
    (folder / "study.yaml").write_text(
        "metrics: [errant]\n"
        "datasets: {en: {lang: en, source: source.txt, references: gold.m2, systems: {a: good.m2}}}\n"
    )
    run(folder)
    assert run(folder)[0] == []
    change(folder / "study.yaml", "a: good.m2", "a: good.m2, b: text.txt")
    run(folder)
    run(folder, "anew")
    assert (folder / "out/results.json").read_bytes() == (folder / "anew/results.json").read_bytes()


@pytest.mark.ci
def test_the_systems_of_the_example_are_made_from_its_references(tmp_path: Path) -> None:
    example = ROOT / "examples/languages"
    subprocess.run([sys.executable, str(example / "make_systems.py"), str(tmp_path)], check=True)
    assert contents(tmp_path) == contents(example / "systems")


@pytest.mark.ci
def test_one_annotator_against_another(folder: Path) -> None:
    change(folder / "study.yaml", "references: gold.m2,", "references: gold.m2, annotators: [0],")
    change(folder / "study.yaml", "worse: worse.m2}}", "worse: {file: gold.m2, annotator: 1}}}")
    result = jperrant.run_study(folder / "study.yaml", folder / "out")
    score = result.scores["en"]["errant"]["worse"]
    assert score.counts == {"tp": 1, "fp": 1, "fn": 2}
    assert "refs:1" in score.signature


def write_people(folder: Path, entry: str) -> None:
    """Write a data set of four systems, and a study that compares metrics with people as an entry says."""
    for name, word in zip("abcd", ("A", "Bb", "Ccc", "D d"), strict=True):
        (folder / f"{name}.txt").write_text(f"{word} one .\n{word} two .\n")
    (folder / "human.tsv").write_text("system\tscore\na\t1\nb\t2\nc\t4\nd\t3\n")
    (folder / "judgements.tsv").write_text(
        "sentence\tjudge\tsystem\trank\n1\tj\ta\t4\n1\tj\tb\t3\n1\tj\tc\t1\n1\tj\td\t2\n"
    )
    systems = {name: f"{name}.txt" for name in "abcd"}
    data = {"name": "made", "lang": "en", "source": "a.txt", "systems": systems, "human": "human.tsv",
            "judgements": {"ranks": "judgements.tsv"}, "references": {"gold": "d.txt"}}  # fmt: skip
    (folder / "made.json").write_text(json.dumps(data))
    (folder / "study.yaml").write_text(
        "metrics: [gleu, wer]\nhuman:\n"
        f"  people: {{data: made.json, metrics: [wer, length], {entry}}}\nplots: [human]\n"
    )


@pytest.mark.ci
def test_metrics_against_people(folder: Path) -> None:
    write_people(folder, "samples: 20, width: 3,\n           analyses: [system, sentence, windows]")
    result = jperrant.run_study(folder / "study.yaml", folder / "out")
    plots = {path.name for path in (folder / "out" / "plots").iterdir()}
    assert {"human-people-systems-wer-score-all.svg", "human-people-windows-3-pearson-score-all.svg"} <= plots
    options = {"samples": 20, "width": 3, "analyses": ["system", "sentence", "windows"]}
    found = jperrant.meta_evaluate(str(folder / "made.json"), ["wer", "length"], **options).to_dict()
    assert result.human["people"].to_dict() == found
    assert "made, systems: group all (4 systems)" in (folder / "out/tables/human-people.txt").read_text()
    assert json.loads((folder / "out/results.json").read_text())["human"]["people"] == found
    change(folder / "human.tsv", "c\t4", "c\t0")
    assert run(folder)[0] == ["human people/made"]


@pytest.mark.ci
def test_tables_of_scores_against_people(folder: Path) -> None:
    table = "system\tSOME\na\t0\nb\t1\nc\t2\nd\t3\n"
    (folder / "a.tsv.gz").write_bytes(gzip.compress(table.encode()))
    (folder / "b.tsv").write_text(table.replace("SOME", "PPL"))
    (folder / "odd.m2").write_bytes(b"S A one .\r\n\r\nS A two .\r\n\r\n")
    write_people(folder, "scores: [a.tsv.gz, b.tsv], lower: [PPL], references: [odd.m2]")
    change(folder / "study.yaml", "plots: [human]\n", "")
    run(folder)
    made = "".join(path.read_text() for path in (folder / "out").rglob("*.*") if path.suffix != ".sqlite")
    assert str(folder) not in made, "no paths of this machine"
    assert "odd.m2: read leniently" in made
    inputs = [one["file"] for one in json.loads((folder / "out" / "manifest.json").read_text())["inputs"]]
    assert {"made.json", "odd.m2", "a.tsv.gz", "b.tsv"} <= set(inputs)
    found = json.loads((folder / "out" / "results.json").read_text())["human"]["people"]["metrics"]
    lower = {one["signature"].partition("|v")[0]: one["lower_is_better"] for one in found}
    assert (lower["SOME|file:a.tsv.gz"], lower["PPL|file:b.tsv"]) == (False, True)
    change(folder / "b.tsv", "a\t0", "a\t5")
    assert run(folder)[0] == ["human people/made"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[wer, length]", "[length], scores: [b.tsv], lower: [PPl]", r"b\.tsv: .* 'PPl' .did you mean 'PPL'"),
        ("[wer, length]", "[length], scores: ['${nowhere}/b.tsv']", "unknown folder 'nowhere'"),
        ("[wer, length]", "[length], scores: [gold.m2]", r"gold\.m2:1: found columns"),
        ("analyses: [system]", "analyses: [windows], width: 2", "width: found 2, expected a whole number of"),
        ("[wer, length]", "[length, wre]", r"yaml:3: metrics: unknown metric 'wre' .*'wer'"),
        ("made.json", "seeda", r"yaml:3: people: data set 'seeda'.*give it under folder"),
        ("[gleu, wer]", "{length: wer, wer: wer}", r"the same metric is given twice \(wer, length\)"),
    ],
)
def test_what_cannot_be_compared_with_people(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "b.tsv").write_text("system\tPPL\na\t4\nb\t3\nc\t2\nd\t1\n")
    write_people(folder, "analyses: [system]")
    change(folder / "study.yaml", old, new)
    assert re.search(message, printed("study", folder / "study.yaml", "--check", code=1))


@pytest.mark.ci
def test_plots_of_each_dataset(folder: Path) -> None:
    change(
        folder / "study.yaml", "  mine: cleme2:level=sentence\n  goto: goto\n", "plots: [systems, heatmap]\n"
    )
    run(folder)
    plots = folder / "out/plots"
    drawn = {file.name for file in plots.iterdir()} - {"notes.txt"}
    assert {"systems-et-errant-by-type.svg", "heatmap-errant-languages.svg"} <= drawn
    assert b"errant|mode:cs" in (plots / "systems-en-errant-rank.svg").read_bytes()
    assert (plots / "heatmap-good-groups.svg").read_text().count("<!-- 1.00 -->") == 2 * 2
    outputs = json.loads((folder / "out/manifest.json").read_text())["outputs"]
    assert {f"plots/{name}" for name in drawn} <= set(outputs)


@pytest.mark.ci
def test_figures_are_of_the_content_that_was_hashed(folder: Path) -> None:
    """``worse.m2`` is read for two datasets and changes between them."""

    def alter(step: Step, _seconds: float | None) -> None:
        if str(step) == "score en/worse errant":
            (folder / "worse.m2").write_text(GOOD)

    with pytest.raises(InputError, match=r"^worse\.m2: changed while the study ran; run it again$"):
        jperrant.run_study(folder / "study.yaml", folder / "out", report=alter)
    new = jperrant.run_study(folder / "study.yaml", folder / "out").scores
    assert new["en"]["errant"]["worse"].values["f"] == 1.0
    run(folder, "anew")
    assert contents(folder / "out") == contents(folder / "anew")


@pytest.mark.ci
def test_one_study_at_a_time_writes_to_a_folder(folder: Path) -> None:
    (folder / "out").mkdir()
    with held(folder / "out"):
        told = run_program(["study", folder / "study.yaml", "-o", folder / "out"])
    assert told.returncode == 2
    assert re.fullmatch(r".*/out is in use by another program; wait for it .*\n", told.stderr)
    assert [path.name for path in (folder / "out").iterdir()] == [".lock"]


def test_what_a_killed_study_has_left_is_removed_and_files_of_the_user_stay(ran: Path) -> None:
    names = (".systems-en.tsv.01234567.part", "languages-goto.txt", "notes.txt")
    left, edited, added = (ran / "out/tables" / name for name in names)
    for file in (left, edited, added):
        file.write_text("mine")
    change(ran / "study.yaml", "  goto: goto\n", "")
    run(ran)
    assert not left.exists()
    assert edited.read_text() == added.read_text() == "mine"


@pytest.mark.ci
def test_files_with_the_same_content_are_told(folder: Path) -> None:
    (folder / "worse.m2").write_bytes((folder / "good.m2").read_bytes())
    layout = "formats: [tsv, latex]\nlayout: {percent: true, decimals: 1, bold_best: true, intervals: pm}\n"
    change(folder / "study.yaml", "formats: [text, tsv, md, latex]\n", layout)
    warning = f"en: good (system) and worse (system) {SAME}"
    for _ in range(2):
        assert jperrant.run_study(folder / "study.yaml", folder / "out").warnings().count(warning) == 1
    latex, tsv = ((folder / f"out/tables/systems-en.{s}").read_text(encoding="utf-8") for s in ("tex", "tsv"))
    assert f"% warning: {warning}" in latex
    assert "warning" not in tsv
    # The layout is that of all tables for readers.
    assert r"\textbf{100.0" in latex
    assert "100.0" not in tsv


CODE = """\
from jperrant.evaluation.metrics.edit_distance import WerScorer
class Metric(WerScorer):
    name = main = "mine"
    def values(self, totals):
        return {"mine": super().values(totals)["mine"] * 1}
"""


@pytest.mark.ci
def test_code_of_another_package_is_part_of_what_a_step_depends_on(
    folder: Path, install: Callable[[str, str], None]
) -> None:
    install("mine", CODE)
    change(folder / "study.yaml", "errant: errant\n  mine: cleme2:level=sentence\n", "theirs: mine\n")
    before = jperrant.run_study(folder / "study.yaml", folder / "out").scores["en"]["theirs"]["worse"]
    install("mine", CODE.replace("* 1}", "* 2}"))
    done, reused = run(folder)
    assert {step.split()[-1] for step in done} == {"theirs"}
    assert any(step.endswith("goto") for step in reused)
    after = jperrant.run_study(folder / "study.yaml", folder / "out").scores["en"]["theirs"]["worse"]
    assert after.values["mine"] == 2 * before.values["mine"] > 0


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
        ("level=sentence", "levle=sentence", 12, ["levle", "did you mean 'level'"]),
        ("  goto: goto", "  errant: goto", 13, ["errant", "twice"]),
        ("intervals: 50", "intervalls: 50", 14, ["unknown key", "did you mean 'intervals'"]),
        ("goto: goto", "goto: {metric: goto}", 13, ["expected text"]),
        ("\n  errant: errant\n  mine: cleme2:level=sentence\n  goto: goto", " [gleu, wer, gleu]", 10,
         ["two metrics have the name 'gleu'"]),
        ("nominal-inflection", "3", 9, ["3", "nominal-inflection"]),
        ("alone: good.m2", r'alone: "a\nb"', 8, ["a b"]),
        ("[good, worse]", "[good, wors]", 16, ["wors", "did you mean 'worse'"]),
        ("[good, worse]", "[good, alone], datasets: [en]", 16, ["alone"]),
        ("samples: 50", "test: bootstrp", 16, ["bootstrp", "did you mean 'bootstrap'"]),
        ("latex]", "latx]", 17, ["latx", "did you mean 'latex'"]),
        ("lang: et", "lang: xq", 6, ["xq"]),
        ("references: gold.m2", "annotators: [0, 7], references: gold.m2", 4, ["no annotator 7", "one of 0, 1"]),
        ("worse: worse.m2}}", "worse: {file: worse.m2, annotator: 2}}}", 4, ["worse.m2: found no annotator 2"]),
        ("references: gold.m2", "references: null", 4, ["'errant' needs references"]),
        ("references: [et.gold.m2]", "references: [.]", 7, ["folder"]),
        ("systems: {good: et.good.m2, worse: worse.m2, alone: good.m2}", "systems: [good.m2]", 8, ["a mapping"]),
        ("worse: worse.m2, alone", "good: worse.m2, alone", 8, ["'good'", "twice"]),
        ("title: two languages", "title: [a", 3, ["YAML"]),
        # Names of columns that tables have beside them.
        ("\n  en:", "\n  macro:", 4, ["'macro' is a column"]),
        ("worse: worse.m2}}", "type: worse.m2}}", 4, ["'type' is a column"]),
        ("errant: errant", "system: errant", 11, ["'system' is a column"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    change(write_study(tmp_path) / "study.yaml", old, new)
    message = refused("study", tmp_path / "study.yaml", "-o", tmp_path / "out")
    assert message.startswith(f"{tmp_path / 'study.yaml'}:{line}: ")
    assert [word for word in words if word not in message] == []
    assert not (tmp_path / "out").exists()


def test_check_lists_all_problems_and_computes_nothing(folder: Path) -> None:
    study = folder / "study.yaml"
    assert printed("study", study, "--check") == f"{study}: 2 datasets, 3 systems, 3 metrics\n"
    change(study, "gold.m2, systems: {good: good.m2", "gold.m2, systems: {good: gone.m2")
    change(study, "goto: goto", "goto: gotto")
    first, second = printed("study", study, "--check", code=1).splitlines()
    assert ":4: " in first
    assert ":13: " in second
    assert not (folder / "out").exists()


def test_inputs_are_safe(folder: Path) -> None:
    (folder / "notes").write_text("mine")
    before = contents(folder)
    with pytest.raises(UsageError, match=r"is in .* could overwrite it"):
        jperrant.run_study(folder / "study.yaml", folder)
    with pytest.raises(InputError, match=r"notes: the folder cannot be created"):
        jperrant.run_study(folder / "study.yaml", folder / "notes")
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # each list holds the one before nine times
        ("".join(f"a{n}: &{n} [{','.join([f'*{n - 1}' if n else 'x'] * 9)}]\n" for n in range(8)), "anchor"),
        ('{\n\t"metricz": 1\n}\n', r"study\.yaml:1: the key 'metrics' is missing"),
    ],
)
def test_yaml_that_is_no_study(folder: Path, text: str, message: str) -> None:
    (folder / "study.yaml").write_text(text)
    with pytest.raises(InputError, match=message):
        run(folder)
    with pytest.raises(InputError, match=r"^\. cannot be read"):
        check_study(".")


def test_the_schema_says_what_is_read() -> None:
    schema = json.loads(study_schema())
    assert SCHEMA.read_text(encoding="utf-8") == study_schema(), "python tools/pack_reference.py writes it"
    jsonschema.Draft202012Validator.check_schema(schema)
    study = yaml.safe_load(STUDY + LONG)
    jsonschema.validate(study, schema)
    for wrong in ({"tables": ["system"]}, {"seed": -1}, {"datasets": {}}, {"datsets": {}}, {"metrics": []}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**study, **wrong}, schema)


FILES = sorted((ROOT / "studies").glob("*.yaml"))
PAGE = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
#: Sets of references that distributions have besides the official ones.
SETS = ("EXPMIN", "EXPFLUENCY", "TURKMIN", "TURKFLUENCY")
REFERENCES = (*(f"BN{n}" for n in range(1, 11)), *(f"{name}{letter}" for name in SETS for letter in "AB"))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Small made data in the forms in which authors distribute theirs, by the names of the study files."""
    root = tmp_path_factory.mktemp("papers")
    for name in REFERENCES:
        write(root / "references" / "references" / name, list(WHOLE))
    gjg15, examples = make_gjg15(root / "gjg15"), root / "cleme/demo/examples"
    write(examples / "conll14.errant", m2_of(WHOLE, WHOLE))
    for system in GJG15_HUMAN:
        text = (gjg15 / "data/original/official_submissions" / system).read_text().splitlines()
        write(examples / f"conll14-{system}.errant", m2_of(WHOLE, text))
    return {
        "SEEDA": str(make_seeda(root / "seeda")),
        "GJG15": str(gjg15),
        "GMEG": str(make_gmeg(root / "gmeg")),
        "REFERENCES": str(make_references(root / "references")),
        "CLEME": str(root / "cleme"),
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_study_files_fit_the_data_and_the_page_that_name_them(file: Path, folders: dict[str, str]) -> None:
    declared, text = read_yaml(file)["folders"], file.read_text()
    study, problems = check_study(file, {name: folders[name] for name in declared})
    assert problems == []
    assert study.datasets or study.human
    # Every metric is used, and every folder.
    used = {label for one in study.human.values() for label in one.metrics or study.metrics}
    assert study.datasets or {*study.metrics} == used
    assert all(f"${{{name}}}" in text for name in declared)
    [command] = re.findall(rf"jperrant study studies/{file.name}.*", PAGE)
    assert f"#   {command}" in text, "the comment at the top"
    assert sorted(re.findall(r"--set (\w+)=FOLDER", command)) == sorted(declared)


@pytest.mark.parametrize("system", ["系统" * 90, "a" + "系统" * 90, "x" * 400])
def test_long_names_make_files_that_file_systems_take(system: str, tmp_path: Path) -> None:
    name = file_name("comparison", system, system)
    assert name.startswith(f"comparison-{system[:40]}")
    assert 140 < len(name.encode("utf-8")) <= 150
    (tmp_path / f"{name}.md").touch()
