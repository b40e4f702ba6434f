"""The name of the file chooses the format of a result; what contradicts it is refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.tables import Figure, Table, render
from tests.commands import printed, refused
from tests.markup_reader import Page

M2 = """S This are gramamtical sentence
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||1

"""
COMMANDS = {
    "score": ("score", "x.m2", "y.m2", "--ref", "x.m2"),
    "score by type": ("score", "x.m2", "--ref", "x.m2", "--by-type"),
    "compare": ("compare", "x.m2", "y.m2"),
    "agree": ("agree", "x.m2"),
    "stats": ("m2", "stats", "x.m2"),
    "find": ("find", "x.m2"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("x.m2", "y.m2"):
        (tmp_path / name).write_text(M2, encoding="utf-8")
    return tmp_path


FORMATS = {"t.tex": "latex", "t.md": "md", "t.csv": "csv", "t.TSV": "tsv", "t.json": "json", "t.html": "html"}
FORMATS |= {"t.txt": "text", "t": "text"}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("name", "format"), FORMATS.items())
def test_the_file_chooses_the_format(folder: Path, command: str, name: str, format: str) -> None:
    words = COMMANDS[command]
    printed(*words, "-o", name)
    assert (folder / name).read_text(encoding="utf-8") == printed(*words, "--format", format)
    printed(*words, "-o", name, "--format", format)
    if name not in ("t.txt", "t"):
        other = "md" if format == "latex" else "latex"
        assert f"--format {other} was given" in refused(*words, "-o", name, "--format", other)
    assert "t.pdf: this result is not written as .pdf; expected one of" in refused(*words, "-o", "t.pdf")
    assert not (folder / "t.pdf").exists()


def test_a_compressed_file_and_m2(folder: Path) -> None:
    printed("m2", "stats", "x.m2", "-o", "t.json.gz")
    assert json.loads(gzip.decompress((folder / "t.json.gz").read_bytes()))[0]["sentences"] == 1
    printed("find", "x.m2", "--type", "DET", "-o", "found.m2")
    assert (folder / "found.m2").read_text().count("\nA ") == 1
    assert "not written as .m2" in refused("score", "x.m2", "--ref", "y.m2", "-o", "t.m2")
    both = ("--json", "--format", "tsv")
    assert "--json and --format tsv exclude each other" in refused("m2", "stats", "x.m2", *both)


@pytest.mark.parametrize(("name", "separator"), [("s.csv", ","), ("s.tsv", "\t"), ("s.txt", "\t")])
def test_sentences_go_by_their_file(folder: Path, name: str, separator: str) -> None:
    def rows(*metrics: str) -> list[dict[str, str]]:
        chosen = [word for metric in metrics for word in ("-m", metric)]
        printed("score", "x.m2", "--ref", "y.m2", *chosen, "--per-sentence", name)
        return list(csv.DictReader((folder / name).read_text().splitlines(), delimiter=separator))

    together = rows("errant", "gleu")
    assert [row["metric"] for row in together] == ["errant", "gleu"]
    for metric, row in zip(("errant", "gleu"), together, strict=True):
        [alone] = rows(metric)
        assert [*alone.items()][:2] == [("hypothesis", "x.m2"), ("sentence", "1")]
        assert {column: row[column] for column in alone} == alone
    assert "not written as .json" in refused("score", "x.m2", "--ref", "y.m2", "--per-sentence", "s.json")


def test_tables_of_several_metrics_and_systems_say_which_is_which(folder: Path) -> None:
    metrics = ("-m", "errant", "-m", "errant:mode=ds", "-m", "gleu", "--category", "1")
    words = ("score", "x.m2", "--ref", "y.m2", *metrics)
    first, *blocks = printed(*words, "--names", "A").split("\n\n")
    assert "'gleu'" in first
    assert [block.splitlines()[0] for block in blocks] == ["A, errant mode:cs", "A, errant mode:ds"]
    rows = csv.DictReader(printed(*words, "--format", "tsv").splitlines(), delimiter="\t")
    names = [row["metric"] for row in rows if row["type"] == "all"]
    assert names == ["errant mode:cs", "errant mode:ds", "gleu"]
    for name in ("a", "b"):
        (folder / f"{name}.m2").write_text(M2.rpartition("A 1 2")[0] + "\n")
    together, *alone = (
        json.loads(printed("explain", *systems, "--ref", "x.m2", "-m", "cleme2", "--json"))
        for systems in (("a.m2", "b.m2"), ("a.m2",), ("b.m2",))
    )
    assert together == [table for tables in alone for table in tables]
    assert {table["hypothesis"] for table in together} == {"a", "b"}


@pytest.mark.parametrize("command", [("report", "x.m2", "--ref", "y.m2"), ("review", "x.m2")])
def test_a_page_is_no_pdf(folder: Path, command: tuple[str, ...]) -> None:
    problem = refused(*command, "-o", "out.pdf")
    assert "write it with -o out.html, open it in a browser and print it" in problem
    assert not (folder / "out.pdf").exists()
    assert "the page is HTML, not md" in refused(*command, "-o", "out.md")


CELLS = st.one_of(st.text(max_size=6), st.integers(), st.floats(allow_nan=False), st.none())


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1))
def test_csv_is_read_as_it_was_written(rows: list[tuple[object, object]]) -> None:
    text = render([Table(("a,", 'b"'), tuple(rows), "title", ("note",))], "csv")  # type: ignore[arg-type]
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert read == [["a,", 'b"'], *([("" if c is None else str(c)) for c in row] for row in rows)]


def test_html_is_one_page_of_escaped_cells() -> None:
    table = Table(("a<b", "f"), (("<script>", Figure("1.0", 1.0, marks="†")), ("&", None)), "T<i>", ("n>1",))
    html = render([table, table], "html")
    assert html.count("<!DOCTYPE html>") == 1
    shown = [text.strip() for text in Page(html).texts if text.strip()]
    assert shown[2:] == 2 * ["T<i>", "a<b", "f", "<script>", "1.0†", "&", "n>1"]
