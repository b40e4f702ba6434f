"""``jperrant meta`` and ``jperrant.meta_evaluate``: data sets by name and of one's own, tables, messages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, JperrantError, UsageError
from jperrant.evaluation.meta.evaluation import MetaOptions, MetaRequest, load_dataset
from jperrant.evaluation.meta.files import with_reference_files
from jperrant.evaluation.meta.metric_scores import Computation, MetricScores
from jperrant.evaluation.meta.published import read_seeda

from .meta_folders import JUDGED, make_references, make_seeda

SOURCE = ["This are a cats .", "She go home .", "He like it .", "I has it ."]
BEST = ["This is a cat .", "She goes home .", "He likes it .", "I have it ."]
TEXTS = {
    "best": BEST,
    "good": [*BEST[:3], SOURCE[3]],
    "fair": [*BEST[:2], *SOURCE[2:]],
    "poor": [BEST[0], *SOURCE[1:]],
}
JUDGEMENTS = [(n, system, rank) for n in range(1, 5) for rank, system in enumerate(TEXTS, start=1)]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A data set of one's own whose parts are files."""
    for name, text in (*TEXTS.items(), ("source", SOURCE), ("gold", BEST)):
        (tmp_path / f"{name}.txt").write_text("\n".join(text) + "\n")
    scores = "\n".join(f"{system}\t{10 - n}\t{n}" for n, system in enumerate(TEXTS))
    (tmp_path / "human.tsv").write_text(f"system\tTS\tworse\n{scores}\n")
    rows = "\n".join(f"{n}\tann\t{system}\t{rank}" for n, system, rank in JUDGEMENTS)
    (tmp_path / "judgements.tsv").write_text(f"sentence\tjudge\tsystem\trank\n{rows}\n")
    description = {
        "name": "essays",
        "source": "source.txt",
        "systems": {system: f"{system}.txt" for system in TEXTS},
        "references": {"gold": ["gold.txt"]},
        "human": "human.tsv",
        "judgements": {"fluency": "judgements.tsv"},
        "groups": {"three": ["good", "fair", "poor"], "two": ["good", "poor"]},
    }
    path = tmp_path / "essays.json"
    path.write_text(json.dumps(description))
    return path


def change(path: Path, **keys: Any) -> str:
    """Change keys of a JSON file; None removes one."""
    fields = {**json.loads(path.read_text()), **keys}
    path.write_text(json.dumps({key: value for key, value in fields.items() if value is not None}))
    return str(path)


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["meta", *args])


def test_own_data_set(own: Path) -> None:
    found = jperrant.meta_evaluate(str(own), ["wer", "length"], human="TS", groups=["three", "all"])
    by_name = {(one.metric, one.group): one for one in found.results["system"]}
    # The fewer errors a system leaves, the better its score; each of the systems fixes one more.
    assert by_name["wer", "all"].values == {
        "pearson": pytest.approx(1, abs=0.05),
        "spearman": 1,
        "kendall": 1,
    }
    assert by_name["wer", "three"].systems == ("good", "fair", "poor")
    agreed = {(one.metric, one.group): one for one in found.results["sentence"]}
    assert (agreed["wer", "all"].pairs, agreed["wer", "three"].pairs) == (24, 12)
    # Systems whose texts of a sentence are equal tie.
    ties = sum(TEXTS[a][n] == TEXTS[b][n] for n in range(4) for a in TEXTS for b in TEXTS if a < b)
    assert agreed["wer", "all"].ties == ties
    assert agreed["wer", "all"].accuracy == pytest.approx((24 - ties + ties / 2) / 24)


def test_ratings_say_the_same_as_ranks(own: Path) -> None:
    expected = jperrant.meta_evaluate(str(own), "wer").to_dict()
    rows = "".join(f"{n}\tann\t{system}\t{5 - rank}\n" for n, system, rank in JUDGEMENTS)
    (own.parent / "judgements.tsv").write_text(f"sentence\tjudge\tsystem\trating\n{rows}")
    assert jperrant.meta_evaluate(str(own), "wer").to_dict() == expected


def test_human_scores_from_judgements(own: Path) -> None:
    path = change(own, human=None, groups=None)
    found = jperrant.meta_evaluate(path, "wer", human=["ew:fluency", "ts:fluency"])
    assert [one.values["spearman"] for one in found.results["system"]] == [1, 1]
    # Without scores of systems TrueSkill of the judgements is taken.
    assert jperrant.meta_evaluate(path, "wer").results["system"][0].human == "ts:fluency"


def test_tables(own: Path) -> None:
    shown = run(str(own), "-m", "wer", "-m", "length", "--group", "all", "--ci", "--samples", "50")
    assert shown.exit_code == 0, shown.output
    for line in (
        "essays, systems: group all (4 systems)",
        "fluency 24",
        "rule half",
        "wer|",
    ):
        assert line in shown.stdout
    for format in ("latex", "md", "tsv"):
        assert "worse tau" in run(str(own), "-m", "wer", "--format", format).stdout.replace("\\", "")
    short = run(
        str(own), "-m", "wer", "--columns", "TS rho", "--analysis", "system", "--intervals", "brackets"
    )
    assert short.stdout.splitlines()[1].split() == ["metric", "TS", "rho"]
    assert "[" in short.stdout.splitlines()[2]


def test_columns_are_checked_before_metrics_are_computed(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = run(str(own), "-m", "wer", "--columns", "TS rho,fluency ties").stdout
    assert [line.split() for line in both.splitlines() if line.startswith("metric")] == [
        ["metric", "TS", "rho"],
        ["metric", "fluency", "ties"],
    ]

    def refuse(*_: object) -> None:
        raise AssertionError("computed")

    monkeypatch.setattr(Computation, "all_scores", refuse)
    with pytest.raises(
        UsageError, match=r"'TS roh' \(did you mean 'TS rho'\?\); columns: TS r, .*fluency tau"
    ):
        raise run(str(own), "-m", "wer", "--columns", "TS roh").exception
    with pytest.raises(UsageError, match="found no column 'TS rho'; columns: fluency accuracy"):
        raise run(str(own), "-m", "wer", "--analysis", "sentence", "--columns", "TS rho").exception


def test_a_text_that_is_left_as_it_is_is_a_system(tmp_path: Path) -> None:
    data, references = make_seeda(tmp_path / "seeda"), make_references(tmp_path / "references")
    words = ["seeda", "--data", str(data), "--ref", str(references), "--set", "NUCLE", "-m", "wer"]
    shown = run(*words, "--group", "all")
    assert shown.exit_code == 0
    assert "the text (source)" not in shown.stderr


def test_seeda_with_a_folder_of_references(tmp_path: Path) -> None:
    data, references = make_seeda(tmp_path / "seeda"), make_references(tmp_path / "references")
    sets = with_reference_files(read_seeda(str(data)), [str(references)], ["NUCLE", "NUCLE.m2"])[0].references
    assert [len(sets[name]) for name in ("NUCLE", "NUCLE.m2")] == [2, 1]
    assert len(sets["NUCLE"][0]) == len(JUDGED)
    options = ["seeda-e", "--data", str(data), "--ref", str(references)]
    shown = run(*options, "--set", "NUCLE", "--set", "NUCLEA", "-m", "gleu", "--json")
    assert [one["metric"] for one in json.loads(shown.stdout)["metrics"]] == ["gleu NUCLE", "gleu NUCLEA"]
    assert "refs:2" in json.loads(shown.stdout)["metrics"][0]["signature"]
    several = run(*options, "-m", "gleu")
    assert (several.exit_code, "NUCLE, " in str(several.exception)) == (1, True)


def test_scores_of_another_tool(own: Path, tmp_path: Path) -> None:
    table = tmp_path / "scores.tsv"
    table.write_text("system\tSOME\n" + "".join(f"{system}\t{n}\n" for n, system in enumerate(TEXTS)))
    shown = run(str(own), "--scores", str(table), "--lower", "SOME", "--group", "all", "--json")
    found = json.loads(shown.stdout)
    assert found["system"][0]["values"]["spearman"] == 1
    assert found["sentence"] == []
    other = tmp_path / "other.tsv"
    other.write_text("system\tPPL\n" + "".join(f"{system}\t{n}\n" for n, system in enumerate(TEXTS)))
    tables = ["--scores", str(table), "--scores", str(other), "--lower", "SOME"]
    both = json.loads(run(str(own), *tables, "--group", "all", "--json").stdout)
    assert [one["lower_is_better"] for one in both["metrics"]] == [True, False]
    with pytest.raises(UsageError, match=r"other\.tsv: found no metric 'PPl' \(did you mean 'PPL'"):
        raise run(str(own), *tables, "--lower", "PPl").exception
    table.write_text("system\tSOME\nbest\t1\ngood\t2\nfair\t3\n")
    with pytest.raises(UsageError, match="'SOME' has no scores of system 'poor'"):
        jperrant.meta_evaluate(str(own), scores=str(table), groups="all")


def test_what_is_missing_or_equal_is_said(own: Path, tmp_path: Path) -> None:
    human = {"flat": dict.fromkeys(TEXTS, 1.0), "part": {"best": 2.0, "good": 1.0, "fair": 0.0}}
    found = jperrant.meta_evaluate(
        replace(load_dataset(str(own)), human=human),
        "wer",
        groups="all",
        analyses=["system"],
    )
    assert [one.systems for one in found.results["system"]] == [tuple(TEXTS), ("best", "good", "fair")]
    assert sum("'flat'" in note for note in found.notes) == 1
    dataset = found.dataset
    sentences = np.array([[1, np.nan, 3, 4.0], [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 1]])
    scores = MetricScores("mine", tuple(TEXTS), sentences[:, 0] * np.nan, sentences)
    by_mean = MetaOptions(aggregation="mean", groups=("all",))
    found = MetaRequest(dataset, tables=(scores,), options=by_mean).evaluate()
    assert "for 1 sentence; pairs with it" in found.notes[-1]
    assert found.results["sentence"][0].pairs == 21
    assert found.results["system"][1].values["pearson"] == pytest.approx(
        np.corrcoef([8 / 3, 2.5, 0], [2, 1, 0])[0, 1]
    )
    whole = MetaRequest(dataset, tables=(scores,), options=MetaOptions(groups=("all",))).evaluate()
    note = next(note for note in whole.notes if "mine" in note)
    assert "no score of system 'best'" in note


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["seeda"], "--data FOLDER"),
        (["seda", "--data", "x"], r"unknown data set 'seda'.*'seeda'"),
        (["OWN", "--data", "x"], "remove --data"),
        (["OWN"], "no metric"),
        (["OWN", "-m", "wer", "--group", "two"], "3 or more"),
        (["OWN", "-m", "wer", "--group", "tree"], r"'tree'.*'three'"),
        (["OWN", "-m", "wer", "--human", "TSS"], r"'TSS'.*ew:fluency"),
        (["OWN", "-m", "wer", "--judgements", "sent"], r"'sent'.*fluency"),
        (["OWN", "-m", "wer", "--set", "silver"], r"'silver'.*gold"),
        (["OWN", "-m", "wer", "--ties", "coin"], r"'coin'.*seeda"),
        (["OWN", "-m", "wer", "--aggregation", "sum"], r"'sum'.*mean"),
        (["OWN", "-m", "wer", "--analysis", "systems"], r"'systems'.*'system'"),
        (["OWN", "-m", "wer", "--analysis", "test"], "two or more metrics"),
        (["OWN", "-m", "gleu", "-m", "gleu:variant=official"], r"given twice: 'gleu' and"),
        (["OWN", "-m", "wer", "--seed", "-1"], "found seed -1"),
        (["OWN", "-m", "wer", "--ci", "--samples", "0"], "found 0 samples, expected 1 to 1,000,000"),
        (["OWN", "-m", "wer", "--ci", "--samples", "1000001"], "found 1000001 samples"),
        (["OWN", "-m", "wer", "-o", "OWN"], "overwrite"),
    ],
)
def test_bad_commands(own: Path, args: list[str], message: str) -> None:
    before = own.read_bytes()
    shown = run(*[str(own) if arg == "OWN" else arg for arg in args])
    assert isinstance(shown.exception, UsageError)
    with pytest.raises(UsageError, match=message):
        raise shown.exception
    assert own.read_bytes() == before


def test_files_of_the_data_set_are_not_overwritten(own: Path, tmp_path: Path) -> None:
    scores = tmp_path / "SOME.tsv"
    scores.write_text("system\tSOME\n" + "".join(f"{system}\t{n}\n" for n, system in enumerate(TEXTS)))
    read = [
        "essays.json", "human.tsv", "judgements.tsv", "source.txt", "best.txt", "gold.txt", "SOME.tsv",
    ]  # fmt: skip
    before = {name: (tmp_path / name).read_bytes() for name in read}
    for name in read:
        shown = run(str(own), "-m", "wer", "--scores", str(scores), "-o", str(tmp_path / name))
        assert "would overwrite it" in str(shown.exception)
    assert {name: (tmp_path / name).read_bytes() for name in read} == before
    data = make_seeda(tmp_path / "seeda")
    into = data / "scores" / "human" / "TS_edit.txt"
    shown = run("seeda", "--data", str(data), "-m", "length", "-o", str(into))
    assert "would overwrite it" in str(shown.exception)
    for _ in range(2):  # beside them there is room, for a file that is there as well
        assert run("seeda", "--data", str(data), "-m", "length", "-o", str(data / "found.txt")).exit_code == 0


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"sytems": {}}, r"'sytems'.*'systems'"),
        ({"source": None}, "the key 'source' is missing"),
        ({"source": "nowhere.txt"}, r"nowhere\.txt"),
        ({"systems": {"best": "one.txt"}}, "'best' has 1 sentence"),
        ({"systems": [1]}, r"json:1: systems: found \[1\], expected a mapping"),
        ({"human": {"TS": {"best": 1}}}, r"json:1: human: found \{'TS': .*expected text"),
        ({"judgements": {"x": 3}}, r"json:1: x: found 3.*expected text"),
        ({"judgements": {"x": "none.tsv"}}, r"json:1: judgements: found no file .*none\.tsv"),
        ({"groups": {"x": ["best", "worst"]}}, "'worst'"),
        ({"references": {"gold": "one.txt"}}, "1 sentence"),
    ],
)
def test_bad_data_sets(own: Path, keys: dict[str, Any], message: str) -> None:
    (own.parent / "one.txt").write_text("One .\n")
    with pytest.raises(JperrantError, match=message):
        jperrant.meta_evaluate(change(own, **keys), "length")


def test_nothing_to_show_is_said(own: Path, tmp_path: Path) -> None:
    table = tmp_path / "scores.tsv"
    table.write_text("system\tSOME\n" + "".join(f"{system}\t{n}\n" for n, system in enumerate(TEXTS)))
    found = jperrant.meta_evaluate(str(own), scores=str(table))
    assert any("sentence: there are no scores of sentences" in note for note in found.notes)
    path = change(own, judgements=None)
    assert not jperrant.meta_evaluate(path, "length").notes
    with pytest.raises(UsageError, match="analysis sentence: there are no judgements"):
        jperrant.meta_evaluate(path, "length", analyses="sentence")
    with pytest.raises(UsageError, match="analysis fit: there are no factors to fit, which cleme2 has"):
        jperrant.meta_evaluate(path, "length", fit="pearson")


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "[" * 100_000, '{"name": ' + "1" * 5000 + "}", "\ud800"],
    ids=["half", "list", "nested", "digits", "surrogate"],
)
def test_files_that_are_no_data_set(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, errors="surrogatepass")
    with pytest.raises(FormatError, match=r"x\.json"):
        jperrant.meta_evaluate(str(path), "length")


@pytest.mark.parametrize(
    ("table", "row", "message"),
    [
        ("judgements", "1\tann\tbest\t1", r"judgements\.tsv:18: .*'best'.*twice"),
        ("judgements", "0\tann\tbest\t1", r"tsv:18: found sentence '0'"),
        ("judgements", f"{'9' * 5000}\tann\tbest\t1", "sentence 10*, but there are 4"),
        ("judgements", f"1\tbob\tbest\t{'9' * 5000}", r"tsv:18: found '9{59}…', expected a number"),
        ("human", f"new\t{'9' * 5000}\t2", r"human\.tsv:6: found '9{59}…', expected a number"),
        ("judgements", "1\tbob\tbest\tfirst", r"tsv:18: found 'first'"),
        ("judgements", "1\tbob\tbest", r"tsv:18: found 3 columns, expected 4"),
        ("judgements", "7\tbob\tbest\t1", "sentence 7, but there are 4"),
        ("human", "best\t1\t2", r"human\.tsv:6: .*twice"),
    ],
)
def test_bad_tables(own: Path, table: str, row: str, message: str) -> None:
    path = own.parent / f"{table}.tsv"
    path.write_text(path.read_text() + row + "\n")
    with pytest.raises(InputError, match=message):
        jperrant.meta_evaluate(str(own), "length")
