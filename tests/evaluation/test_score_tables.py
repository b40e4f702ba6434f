"""Tables and JSON of scores, the commands that print them, and ERRANT's flags."""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.cli import errant_compat
from jperrant.cli.errant_compat import COMPARE, rewrite
from jperrant.core.errors import UsageError
from jperrant.core.tables import Table, latex_text, render
from jperrant.evaluation.analysis import analyse
from jperrant.evaluation.score_tables import format_scores
from tests.commands import printed, refused

pytestmark = pytest.mark.slow

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
AMU, CAMB = str(CONLL14 / "conll14-AMU.errant"), str(CONLL14 / "conll14-CAMB.errant")
GOLD = str(CONLL14 / "conll14.errant")


@pytest.fixture
def short(short_conll: Path) -> list[Path]:
    """A hundred sentences of AMU, of CAMB and of the references."""
    return [short_conll / Path(path).name for path in (AMU, CAMB, GOLD)]


AWKWARD = Table(
    ("name", "f_low"), (("a|b_c & 50% {x} \\ $1 #2", 0.25), ("tab\there\nnext", None)), "T_1", ("x|y:z",)
)


TEXT = """\
T_1
name                      f_low
a|b_c & 50% {x} \\ $1 #2  0.2500
tab here next
x|y:z
"""
TSV = "name\tf_low\na|b_c & 50% {x} \\\\ $1 #2\t0.25\ntab\\there\\nnext\t\n"
MARKDOWN = """\
**T\\_1**

| name | f\\_low |
| --- | ---: |
| a\\|b\\_c \\& 50% {x} \\\\ $1 \\#2 | 0.2500 |
| tab here next |  |

`x|y:z`
"""


def test_awkward_cells_in_every_format() -> None:
    assert render([AWKWARD], "text") == TEXT
    assert render([AWKWARD], "tsv") == TSV
    assert render([AWKWARD], "md") == MARKDOWN
    latex = render([AWKWARD], "latex").split("\n")
    assert latex[:3] == ["% T_1", "% x|y:z", r"\begin{tabular}{lr}"]
    assert latex[4] == r"name & f\_low \\"
    assert latex[6] == r"a\textbar{}b\_c \& 50\% \{x\} \textbackslash{} \$1 \#2 & 0.2500 \\"
    table = Table(("x",), (("a → ∅",),), title="first_1\nsecond\nthird")
    assert render([table], "md").startswith("**first\\_1**\n\nsecond  \nthird  \n\n| x |\n")
    assert render([table], "latex").startswith("% first_1\n% second\n% third\n\\begin")
    assert r"a $\rightarrow$ $\emptyset$ \\" in render([table], "latex")
    with pytest.raises(UsageError, match=r"unknown format 'latx' .did you mean 'latex'"):
        render([table], "latx")


CELLS = st.one_of(st.text(max_size=8), st.integers(), st.none(), st.floats(allow_nan=False))


@given(st.lists(st.tuples(CELLS, CELLS), max_size=4), st.text())
def test_every_line_of_a_table_of_any_text_is_whole(
    rows: list[tuple[str | int | float | None, ...]], text: str
) -> None:
    table = Table(("a", "b"), tuple(rows), title=text, notes=(text,))
    lines = render([table], "tsv").removesuffix("\n").split("\n")
    assert [line.count("\t") for line in lines] == [1] * (len(rows) + 1)
    for line in render([table], "latex").split("\n")[:-1]:
        assert line.startswith(("%", "\\")) or line.endswith("\\\\"), "a comment that goes on is no comment"


@given(st.text(alphabet=st.sampled_from('\\{}$&#%_~^<>|"ab '), max_size=12))
def test_no_special_character_reaches_latex(text: str) -> None:
    line = render([Table(("x",), ((text,),))], "latex").split("\n")[4]
    names = "backslash|asciitilde|asciicircum|less|greater|bar|quotedbl"
    line = re.sub(rf"\\text({names}){{}}|\\[{{}}$&#%_]", "", line)
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


def test_json_contract() -> None:
    scores = jperrant.score([AMU, CAMB], GOLD)
    first, second = json.loads(format_scores(analyse(scores), "json"))
    assert " ".join(first) == "metric signature hypothesis sentences values counts by_type warnings"
    assert first["metric"] == "errant"
    assert first["signature"].startswith("errant|mode:cs|beta:0.5|refs:2|v:")
    assert (first["hypothesis"], second["hypothesis"], first["sentences"]) == (AMU, CAMB, 1312)
    assert first["counts"] == {"tp": 483, "fp": 795, "fn": 1934}
    assert first["values"]["precision"] == 483 / (483 + 795)
    assert list(first["values"]) == ["precision", "recall", "f"]
    assert sum(t["tp"] for t in first["by_type"].values()) == 483
    assert set(first["by_type"]["R:NOUN:NUM"]) == {"tp", "fp", "fn", "precision", "recall", "f"}
    extras = analyse(scores[:1], level=1, per_sentence=True, ci=True, samples=20)
    found = json.loads(format_scores(extras, "json"))
    assert set(found["by_type"]) == {"M", "R", "U"}
    assert set(found["intervals"]["f"]) == {"low", "high", "mean"}
    assert sum(s["counts"]["fn"] for s in found["per_sentence"]) == found["counts"]["fn"]
    sentence = {"sentence", "chosen_hypothesis", "chosen_reference", "counts", "values"}
    assert sentence <= set(found["per_sentence"][0])


def test_compare_command(short: list[Path]) -> None:
    assert "483\t795\t1934\t0.3779\t0.1998\t0.3208\n" in printed("compare", AMU, GOLD)
    found = json.loads(printed("compare", AMU, GOLD, "--mode", "dt", "--json", "--category", "1"))
    assert (found["counts"], set(found["by_type"])) == ({"tp": 721, "fp": 564, "fn": 2242}, {"M", "R", "U"})
    system, _, gold = short
    assert printed("compare", system, gold, "--verbose").startswith("-" * 40 + "\nOriginal sentence 0: ")
    without = printed("compare", system, gold, "--filter", "R:OTHER", "--filter", "M:DET", "--json")
    assert not {"R:OTHER", "M:DET"} & set(json.loads(without)["by_type"])


def test_per_sentence_files(short: list[Path], tmp_path: Path) -> None:
    tsv, jsonl, (system, _, gold) = tmp_path / "s.tsv", tmp_path / "s.jsonl", short
    found = json.loads(printed("score", system, "--ref", gold, "--per-sentence", jsonl, "--json"))
    lines = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
    assert lines == [{"hypothesis": str(system), **line} for line in found["per_sentence"]]
    printed("score", system, "--ref", gold, "--per-sentence", tsv)
    rows = csv.DictReader(tsv.read_text().splitlines(), delimiter="\t")
    assert [int(row["tp"]) for row in rows] == [line["counts"]["tp"] for line in lines]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("score AMU --ref GOLD --paired-bs", "two or more systems"),
        ("score missing.m2 --ref missing.m2 --format jsn", "unknown format 'jsn' (did you mean 'json'?)"),
        ("explain missing.m2 --ref missing.m2 --format jsn", "unknown format 'jsn' (did you mean 'json'?)"),
        ("score AMU --ref GOLD --per-sentence a.tsv -o ./a.tsv", "./a.tsv is given for two outputs"),
        ("score AMU --ref GOLD --category 0", "found category 0, expected one of 1 = operation"),
        ("compare AMU GOLD --category 9", "found category 9, expected one of 1 = operation"),
        ("compare AMU GOLD --mode st", "unknown mode 'st'"),
    ],
)
def test_one_clear_line(words: str, message: str) -> None:
    assert message in refused(*words.replace("AMU", AMU).replace("GOLD", GOLD).split())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-filt A:B C -hyp H -ref R -cat 3 --beta 2 -dt",
         "--filter =A:B --filter =C --category 3 --beta 2 --mode dt H R"),
        ("-hyp - -ref R -cse -single -b 1 -v", "--mode cse --single --beta 1 --verbose - R"),
        ("-multi -ds -hyp H -ref R --verbose", "--multi --mode ds --verbose H R"),
    ],
)  # fmt: skip
def test_flags_of_errant_compare(old: str, new: str) -> None:
    assert rewrite(old.split(), COMPARE) == new.split()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("-hyp H", "missing: -ref"),
        ("-hyp H -ref R -dt -ds", "-ds and -dt exclude each other; give only one"),
        ("-hyp H -ref R -filt", "-filt needs a value"),
    ],
)
def test_jperrant_compare_says_one_line(
    flags: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jperrant.cli.main", SimpleNamespace(run=None))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "argv", ["jperrant_compare", *flags.split()])
    with pytest.raises(SystemExit, match="2"):
        errant_compat.compare()
    assert capsys.readouterr().err == f"error: {message}\n"


@pytest.mark.parametrize(
    ("options", "columns", "header"),
    [
        ("-m cleme2 --ci", "cleme2,score_low", ["score", "score_low"]),
        ("-m errant -m cleme2 --paired-bs", "errant,errant f p_bootstrap",
         ["errant f", "errant f p_bootstrap"]),
        ("-m gleu -m wer --rank", "wer,gleu trueskill", ["wer", "gleu trueskill"]),
        ("-m errant --by-type --format tsv", "errant", ["f"]),
        ("-m errant -m cleme2 --by-type --format tsv", "type,errant,score", ["type", "f", "score"]),
    ],
)  # fmt: skip
def test_a_metric_among_columns_is_its_main_value(
    short: list[Path], options: str, columns: str, header: list[str]
) -> None:
    words = [*short[:2], "--ref", short[2], *options.split(), "--columns", columns, "--samples", "9"]
    shown = printed("score", *words, *([] if "tsv" in options else ["--format", "tsv"]))
    assert shown.split("\n")[0].split("\t") == ["hypothesis", *header]
