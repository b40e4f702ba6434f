"""Tables and JSON of scores, the commands that print them, and ERRANT's flags."""

from __future__ import annotations

import csv
import json
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli import errant_compat
from jperrant.cli.errant_compat import COMPARE, rewrite
from jperrant.cli.main import app
from jperrant.core.errors import JperrantError, UsageError
from jperrant.core.tables import Table, latex_text, render
from jperrant.evaluation.analysis import analyse
from jperrant.evaluation.score_tables import format_scores
from tests.commands import printed

pytestmark = pytest.mark.slow

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
AMU, CAMB = str(CONLL14 / "conll14-AMU.errant"), str(CONLL14 / "conll14-CAMB.errant")
GOLD = str(CONLL14 / "conll14.errant")

invoke = cache(printed)


@pytest.fixture(scope="module")
def short(short_conll: Path) -> tuple[str, str]:
    """A hundred sentences of AMU and of the references."""
    return str(short_conll / Path(AMU).name), str(short_conll / Path(GOLD).name)


AWKWARD = Table(
    ("name", "f_low"), (("a|b_c & 50% {x} \\ $1 #2", 0.25), ("tab\there\nnext", None)), "T_1", ("x|y:z",)
)


def test_text() -> None:
    assert render([AWKWARD], "text").split("\n") == [
        "T_1",
        "name                      f_low",
        "a|b_c & 50% {x} \\ $1 #2  0.2500",
        "tab here next",
        "x|y:z",
        "",
    ]


def test_tsv_can_be_read_back() -> None:
    assert render([AWKWARD], "tsv") == (
        "name\tf_low\na|b_c & 50% {x} \\\\ $1 #2\t0.25\ntab\\there\\nnext\t\n"
    )


def test_markdown() -> None:
    assert render([AWKWARD], "md") == (
        "**T\\_1**\n\n| name | f\\_low |\n| --- | ---: |\n"
        "| a\\|b\\_c \\& 50% {x} \\\\ $1 \\#2 | 0.2500 |\n| tab here next |  |\n\n`x|y:z`\n"
    )


def test_latex() -> None:
    lines = render([AWKWARD], "latex").split("\n")
    assert lines[:3] == ["% T_1", "% x|y:z", r"\begin{tabular}{lr}"]
    assert lines[4] == r"name & f\_low \\"
    assert lines[6] == r"a\textbar{}b\_c \& 50\% \{x\} \textbackslash{} \$1 \#2 & 0.2500 \\"


def test_a_title_of_several_lines() -> None:
    table = Table(("x",), (("a → ∅",),), title="first_1\nsecond\nthird")
    assert render([table], "md").startswith("**first\\_1**\n\nsecond  \nthird  \n\n| x |\n")
    latex = render([table], "latex")
    assert latex.startswith("% first_1\n% second\n% third\n\\begin")
    assert r"a $\rightarrow$ $\emptyset$ \\" in latex


CELLS = st.one_of(st.text(max_size=8), st.integers(), st.none(), st.floats(allow_nan=False))


@given(st.lists(st.tuples(CELLS, CELLS), max_size=4))
def test_every_tsv_line_has_all_columns(rows: list[tuple[str | int | float | None, ...]]) -> None:
    lines = render([Table(("a", "b"), tuple(rows))], "tsv").removesuffix("\n").split("\n")
    assert len(lines) == len(rows) + 1
    assert all(line.count("\t") == 1 for line in lines)


@given(st.text(alphabet=st.sampled_from('\\{}$&#%_~^<>|"ab '), max_size=12))
def test_no_special_character_reaches_latex(text: str) -> None:
    line = render([Table(("x",), ((text,),))], "latex").split("\n")[4]
    for command in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}", r"\textless{}"):
        line = line.replace(command, "")
    for command in (r"\textgreater{}", r"\textbar{}", r"\textquotedbl{}"):
        line = line.replace(command, "")
    for character in "{}$&#%_":
        line = line.replace("\\" + character, "")
    assert set(line.removesuffix(r" \\")) <= set("ab ")


def test_latex_joins_no_signs_of_a_token() -> None:
    row = ("`` a ''", "-- → ---", "?`!`,,", "well-known '", -0.5)
    line = render([Table(("a", "b", "c", "d", "e"), (row,))], "latex").split("\n")[4]
    assert line == (r"`{}` a '{}' & -{}- $\rightarrow$ -{}-{}- & ?{}`!{}`,{}, & well-known ' & -0.5000 \\")
    assert latex_text("''`'`") == "'{}'`'`"


def test_a_note_is_one_line_of_code_whatever_names_it_holds() -> None:
    table = Table(("x",), ((1,),), notes=("against `a``b`", "of new\nline\x1b[1m", "plain"))
    assert render([table], "md").endswith("\n``` against `a``b` ```\n`of new line [1m`\n`plain`\n")
    assert render([table], "text").endswith("\nagainst `a``b`\nof new line [1m\nplain\n")


def test_unknown_format_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown format 'latx' .did you mean 'latex'"):
        render([AWKWARD], "latx")


def test_a_command_refuses_a_format_before_it_reads() -> None:
    for command in ("score", "explain"):
        found = CliRunner().invoke(app, [command, "missing.m2", "--ref", "missing.m2", "--format", "jsn"])
        assert "unknown format 'jsn' (did you mean 'json'?)" in str(found.exception)


def test_json_contract() -> None:
    scores = jperrant.score([AMU, CAMB], GOLD)
    first, second = json.loads(format_scores(analyse(scores), "json"))
    assert list(first) == [
        "metric", "signature", "hypothesis", "sentences", "values", "counts", "by_type", "warnings",
    ]  # fmt: skip
    assert first["metric"] == "errant"
    assert first["signature"].startswith("errant|mode:cs|beta:0.5|refs:2|v:")
    assert (first["hypothesis"], second["hypothesis"]) == (AMU, CAMB)
    assert first["sentences"] == 1312
    assert first["counts"] == {"tp": 483, "fp": 795, "fn": 1934}
    assert first["values"]["precision"] == 483 / (483 + 795)
    assert list(first["values"]) == ["precision", "recall", "f"]
    assert sum(t["tp"] for t in first["by_type"].values()) == 483
    assert set(first["by_type"]["R:NOUN:NUM"]) == {"tp", "fp", "fn", "precision", "recall", "f"}


def test_json_of_one_system_with_everything(short: tuple[str, str]) -> None:
    scores = jperrant.score(*short)
    extras = analyse(scores, level=1, per_sentence=True, ci=True, samples=20)
    found = json.loads(format_scores(extras, "json"))
    assert set(found["by_type"]) == {"M", "R", "U"}
    assert set(found["intervals"]["f"]) == {"low", "high", "mean"}
    assert len(found["per_sentence"]) == 100
    assert sum(s["counts"]["fn"] for s in found["per_sentence"]) == found["counts"]["fn"]
    assert {"sentence", "chosen_hypothesis", "chosen_reference", "counts", "values"} <= set(
        found["per_sentence"][0]
    )


def test_compare_command(short: tuple[str, str]) -> None:
    assert "483\t795\t1934\t0.3779\t0.1998\t0.3208\n" in invoke("compare", AMU, GOLD)
    found = json.loads(invoke("compare", AMU, GOLD, "--mode", "dt", "--json", "--category", "1"))
    assert found["counts"] == {"tp": 721, "fp": 564, "fn": 2242}
    assert set(found["by_type"]) == {"M", "R", "U"}
    verbose = invoke("compare", *short, "--verbose")
    assert verbose.startswith("-" * 40 + "\nOriginal sentence 0: ")
    without = invoke("compare", *short, "--filter", "R:OTHER", "--filter", "M:DET", "--json")
    assert not {"R:OTHER", "M:DET"} & set(json.loads(without)["by_type"])


def test_long_tsv_by_type(short: tuple[str, str]) -> None:
    options = ("--format", "tsv", "--category", "1", "--ci", "--samples", "9")
    lines = invoke("score", short[0], "--ref", short[1], *options).split("\n")
    rows = list(csv.DictReader(lines, delimiter="\t"))
    assert [row["type"] for row in rows] == ["all", "M", "R", "U"]
    assert rows[1]["f_low"] == ""
    assert float(rows[0]["f_low"]) <= float(rows[0]["f"]) <= float(rows[0]["f_high"])


def test_per_sentence_files(short: tuple[str, str], short_conll: Path, tmp_path: Path) -> None:
    tsv, jsonl = tmp_path / "s.tsv", tmp_path / "s.jsonl"
    camb = str(short_conll / "conll14-CAMB.errant")
    table = invoke("score", short[0], camb, "--ref", short[1], "--per-sentence", str(tsv), "--format", "tsv")
    with tsv.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert len(rows) == 2 * 100
    [whole] = [row for row in csv.DictReader(table.split("\n"), delimiter="\t") if row["hypothesis"] == camb]
    assert sum(int(row["tp"]) for row in rows if row["hypothesis"] == camb) == int(whole["tp"]) > 0
    found = json.loads(
        invoke("score", *short[:-1], "--ref", short[-1], "--per-sentence", str(jsonl), "--json")
    )
    lines = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
    assert [{k: v for k, v in line.items() if k != "hypothesis"} for line in lines] == found["per_sentence"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("score", GOLD), "found no references; give them with"),
        (("score", AMU, "--ref", GOLD, "--metric", "bleu"), "unknown metric 'bleu'"),
        (("score", AMU, "--ref", GOLD, "-m", "errant:beta=0"), "beta is 0.0"),
        (("score", AMU, "--ref", GOLD, "--paired-bs"), "two or more systems"),
        (("score", AMU, "--ref", GOLD, "--format", "yaml"), "unknown format 'yaml'"),
        (("score", AMU, "--ref", GOLD, "--per-sentence", "a.tsv", "-o", "./a.tsv"),
         "./a.tsv is given for two outputs"),
        (("score", AMU, "--ref", GOLD, "--category", "0"), "found category 0, expected one of 1 = operation"),
        (("compare", AMU, GOLD, "--category", "9"), "found category 9, expected one of 1 = operation"),
        (("compare", AMU, GOLD, "--mode", "st"), "unknown mode 'st'"),
        (("compare", "nowhere.m2", GOLD), "nowhere.m2: cannot be read"),
    ],
)  # fmt: skip
def test_one_clear_line(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(JperrantError) as caught:
        invoke(*words)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-hyp H -ref R", "H R"),
        ("-ref R -hyp H -b 1 -v", "--beta 1 --verbose H R"),
        ("-hyp H -ref R --beta 2 --verbose -dt", "--beta 2 --verbose --mode dt H R"),
        ("-filt A:B C -hyp H -ref R -cat 3", "--filter =A:B --filter =C --category 3 H R"),
        ("-hyp - -ref R -cse -single", "--mode cse --single - R"),
        ("-multi -ds -hyp H -ref R", "--multi --mode ds H R"),
        ("-h", "--help"),
    ],
)
def test_flags_of_errant_compare(old: str, new: str) -> None:
    assert rewrite(old.split(), COMPARE) == new.split()


@pytest.mark.parametrize(
    ("old", "message"),
    [
        ("-hyp H", "missing: -ref"),
        ("-hyp H -ref R -dt -ds", "-ds and -dt exclude each other"),
        ("-hyp H -ref R -singel", "unknown argument '-singel' (did you mean '-single'?)"),
        ("-hyp H extra -ref R", "unknown argument 'extra'"),
        ("-hyp -ref R", "-hyp needs a value"),
        ("-hyp H -ref R -filt", "-filt needs a value"),
    ],
)
def test_wrong_flags(old: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        rewrite(old.split(), COMPARE)
    assert message in str(caught.value)


def test_jperrant_compare_says_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jperrant.cli.main", SimpleNamespace(run=None))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "argv", ["jperrant_compare", "-hyp", "H"])
    with pytest.raises(SystemExit, match="2"):
        errant_compat.compare()
    assert capsys.readouterr().err == "error: missing: -ref\n"


@pytest.mark.parametrize(
    ("options", "columns", "header"),
    [
        ("-m cleme2", "cleme2,hit", ["score", "hit"]),
        ("-m cleme2 --ci", "cleme2,score_low", ["score", "score_low"]),
        ("-m errant -m cleme2", "cleme2,errant f", ["cleme2 score", "errant f"]),
        ("-m errant -m cleme2 --paired-bs", "errant,errant f p_bootstrap",
         ["errant f", "errant f p_bootstrap"]),
        ("-m gleu -m wer --rank", "wer,gleu trueskill", ["wer", "gleu trueskill"]),
        ("-m errant --by-type --format tsv", "errant", ["f"]),
        ("-m errant -m cleme2 --by-type --format tsv", "type,errant,score", ["type", "f", "score"]),
    ],
)  # fmt: skip
def test_a_metric_among_columns_is_its_main_value(
    short_conll: Path, options: str, columns: str, header: list[str]
) -> None:
    files = [str(short_conll / Path(path).name) for path in (AMU, CAMB, GOLD)]
    text = ["--format", "tsv"] if "tsv" not in options else []
    args = [
        "score", *files[:2], "--ref", files[2], *options.split(), *text, "--columns", columns, "--samples",
        "9",
    ]  # fmt: skip
    shown = CliRunner().invoke(app, args)
    assert shown.stdout.split("\n")[0].split("\t") == ["hypothesis", *header]
