"""The chunk tables, as values and in each format, and their command."""

from __future__ import annotations

import json
import re
import xml.dom.minidom
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.display import printable
from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation import explain
from jperrant.evaluation.explain import ChunkTable, chunk_tables
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.reading import load_pairs
from jperrant.reporting.explanations import format_chunks

SOURCE = ("a", "b", "<c>", "d_e", "f", "g", "h")


@pytest.fixture
def pair() -> Pair:
    """One sentence with a chunk of each kind: hit, wrong, over, under."""
    hyp = (Edit(0, 1, ("A",), "R"), Edit(2, 3, ("x", "|"), "R"), Edit(4, 5, (), "U"))
    ref = (Edit(0, 1, ("A",), "R"), Edit(2, 3, ("y",), "R"), Edit(6, 6, ("z",), "M"))
    annotations = (Annotation(0, ref), Annotation(2))
    return Pair([Block(SOURCE, (Annotation(0, hyp),))], [Block(SOURCE, annotations)], "sys & co")


def test_text(pair: Pair) -> None:
    [table] = chunk_tables(Cleme2Scorer(), pair)
    assert (
        format_chunks([table])
        == """\
sys & co, sentence 1: hit 0.3333 wrong 0.3333 under 0.3333 over 0.3333 score 0.5167
source        | a  | b  | <c>  | d_e | f    | g  | ∅  | h
reference 0 * | A  | b  | y    | d_e | f    | g  | z  | h
reference 2   | a  | b  | <c>  | d_e | f    | g  | ∅  | h
hypothesis    | A  | b  | x |  | d_e | ∅    | g  | ∅  | h
label         | TP | TN | FPne | TN  | FPun | TN | FN | TN
"""
    )


def test_labels_and_rows(pair: Pair) -> None:
    [table] = chunk_tables(Cleme2Scorer(), pair)
    assert [row.name for row in table.rows] == ["source", "reference 0", "reference 2", "hypothesis"]
    assert [row.chosen for row in table.rows] == [False, True, False, False]
    assert table.spans == ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 6), (6, 7))
    assert table.labels == ("TP", "TN", "FPne", "TN", "FPun", "TN", "FN", "TN")
    assert table.rows[3].cells == (("A",), ("b",), ("x", "|"), ("d_e",), (), ("g",), (), ("h",))
    assert table.weights == ()
    [table] = chunk_tables(Cleme2Scorer("independent", weights="length"), pair)
    assert not any(row.chosen for row in table.rows)
    assert len(table.weights) == len(table.labels)


@pytest.fixture(scope="module")
def amu(short_conll: Path) -> Pair:
    [pair] = load_pairs([str(short_conll / "conll14-AMU.errant")], str(short_conll / "conll14.errant"))
    return pair


@pytest.fixture(scope="module")
def tables(amu: Pair) -> list[ChunkTable]:
    return chunk_tables(Cleme2Scorer(), amu, range(1, len(amu.hypothesis) + 1))


def test_labels_add_up_to_the_score(amu: Pair, tables: list[ChunkTable]) -> None:
    [score] = evaluate(Cleme2Scorer(), [amu])
    counts = {"tp": "TP", "fp_ne": "FPne", "fp_un": "FPun", "fn": "FN", "tn": "TN"}
    for name, label in counts.items():
        assert sum(table.labels.count(label) for table in tables) == score.counts[name]


def test_unchanged_sentences_can_be_left_out(amu: Pair, tables: list[ChunkTable]) -> None:
    changed = chunk_tables(Cleme2Scorer(), amu)
    assert [t.sentence for t in changed] == [t.sentence for t in tables if len(t.labels) > 1]


def test_bands_keep_to_the_width(tables: list[ChunkTable]) -> None:
    text = format_chunks(tables[:40], width=80)
    # A chunk wider than the table stands alone.
    for line in text.splitlines():
        assert len(line) <= 80 or line.count(" | ") == 1 or ", sentence " in line
    whole = format_chunks(tables[11:12], width=0).splitlines()
    assert whole[1].split(" | ")[1:] == ["On", "∅  ", *whole[1].split(" | ")[3:]]


def test_wide_letters_are_aligned() -> None:
    hyp = Block(tuple("我有手机了"), (Annotation(0, (Edit(2, 4, tuple("ab"), "R"),)),))
    ref = Block(hyp.source, (Annotation(0),))
    [table] = chunk_tables(Cleme2Scorer(), Pair([hyp], [ref]))
    _, source, _, hypothesis, _ = format_chunks([table]).splitlines()
    assert source.endswith("| 我 有 | 手 机 | 了")
    assert hypothesis.endswith("| 我 有 | a b   | 了")


def test_colour(pair: Pair) -> None:
    tables = chunk_tables(Cleme2Scorer(), pair)
    assert "\x1b[32mA" in format_chunks(tables, color=True)
    assert "\x1b" not in format_chunks(tables)


def test_colours_are_the_only_control_sequences() -> None:
    hyp = Block(("a\x1b[2J", "b"), (Annotation(0, (Edit(1, 2, ("\x1b]0;c\x07",), "R"),)),))
    ref = Block(hyp.source, (Annotation(0),))
    tables = chunk_tables(Cleme2Scorer(), Pair([hyp], [ref], "x\x1b[2J"))
    text = format_chunks(tables, color=True)
    without = re.sub(r"\x1b\[3[1-4]m([^\x1b]*)\x1b\[0m", r"\1", text)
    assert without != text
    assert printable(without) == without


def test_html(pair: Pair) -> None:
    page = format_chunks(chunk_tables(Cleme2Scorer(weights="length"), pair), "html")
    xml.dom.minidom.parseString(page[page.index("<main") : page.index("</main>") + len("</main>")])
    assert '<td dir="auto" class="changed right">A</td>' in page
    assert "Content-Security-Policy" in page
    assert "&lt;c&gt;" in page
    assert "sys &amp; co" in page
    assert '<th scope="row">weight</th>' in page
    assert not re.search("https?:", page), "self-contained"


def test_latex(pair: Pair) -> None:
    text = format_chunks(chunk_tables(Cleme2Scorer(), pair), "latex")
    assert r"\cellcolor{green!25}A" in text
    assert r"d\_e" in text
    assert text.count(r"\\") == 5
    assert all(line.count("&") == 8 for line in text.splitlines() if line.endswith(r"\\"))


def test_json(pair: Pair) -> None:
    [found] = json.loads(format_chunks(chunk_tables(Cleme2Scorer(), pair), "json"))
    assert found["labels"] == ["TP", "TN", "FPne", "TN", "FPun", "TN", "FN", "TN"]
    assert found["rows"][1]["cells"][2] == ["y"]


@pytest.mark.parametrize("text", ["", "a", "1-", "-1", "1,,2", "3-1"])
def test_bad_sentences(text: str) -> None:
    with pytest.raises(UsageError, match="expected numbers and ranges"):
        explain.parse_sentences(text)


def test_sentences() -> None:
    assert explain.parse_sentences("1,3-5, 9") == [1, 3, 4, 5, 9]


def test_command(short_conll: Path, tmp_path: Path) -> None:
    system, gold = (str(short_conll / name) for name in ("conll14-AMU.errant", "conll14.errant"))

    def run(metric: str, *args: str) -> Any:
        return CliRunner().invoke(app, ["explain", system, "--ref", gold, "-m", metric, *args])

    found = run("cleme", "--sentences", "12")
    assert found.exit_code == 0
    assert "weight" in found.stdout, "CLEME weighs by length"
    assert found.stdout == run("cleme:weights=length", "--sentences", "12").stdout
    page = tmp_path / "page.html"
    assert run("cleme2", "--sentences", "1-20", "-o", str(page)).exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "found sentence 101, expected 1 to 100" in str(run("cleme2", "--sentences", "101").exception)
    refused = run("cleme2", "--format", "tsv").exception
    assert "unknown format 'tsv'; expected one of text, html, latex, json" in str(refused)
    assert "unknown format 'htm' (did you mean 'html'?)" in str(run("cleme2", "--format", "htm").exception)
    # Several metrics, a method and types are about contributions.
    for args in (("-m", "errant"), ("--method", "sub"), ("--by-type",)):
        assert "R:NOUN:NUM" in run("cleme2", *args, "--sentences", "13").stdout
