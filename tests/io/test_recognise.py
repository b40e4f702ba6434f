"""Files are told by what is in them, and whoever gives the wrong one is told what reads it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.io.recognise import Kind, recognise
from tests.commands import refused

EDIT = "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0"
WORDS = "1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
#: A text of each kind, and what is said of what reads it.
TEXTS = {
    Kind.M2: (f"S He go\n{EDIT}\n\n", "jperrant score"),
    Kind.CONLLU: (f"# sent_id = 1\n{WORDS}", "--format conllu"),
    Kind.JSONL: ('{"source": "He go", "corrections": ["He goes"]}\n', "--format jsonl"),
    Kind.JSON: ('[\n  {"text": "He go"}\n]\n', "m2 convert"),
    Kind.TSV: ("He go\tHe goes\nMe too\tMe too\n", "--format tsv"),
    Kind.ESSAYS: ("\n### essay_id = a1\nHe go\n", "--format essays"),
    Kind.XML: ('<?xml version="1.0"?>\n<learner/>\n', "m2 convert"),
    Kind.HTML: ("<!DOCTYPE html>\n<p>He go</p>\n", "plain text"),
}


def zipped(*names: str, stored: bytes = b"") -> bytes:
    """Return an archive of files with these names, after an uncompressed ``mimetype`` if there is one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if stored:
            archive.writestr(zipfile.ZipInfo("mimetype"), stored)
        for name in names:
            archive.writestr(name, "<x>He go .</x>" * 99)
    return out.getvalue()


BINARY = {
    "Word document": zipped("[Content_Types].xml", "_rels/.rels", "word/document.xml"),
    "Excel workbook": zipped("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"),
    "OpenDocument": zipped(stored=b"application/vnd.oasis.opendocument.text"),
    "archive (zip": zipped("a.txt"),
    "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "Rich Text": rb"{\rtf1\ansi He go .}",
    "UTF-16": "He go .\n".encode("utf-16"),
    "in UTF-16": "He go .\n".encode("utf-16-be"),
    "picture, table": b"\x89PNG\r\n\x1a\n",
}


@pytest.fixture
def good(tmp_path: Path) -> str:
    (tmp_path / "good.txt").write_text("He go\nMe too\n", encoding="utf-8")
    return str(tmp_path / "good.txt")


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_of_other_formats_are_named_with_what_reads_them(kind: Kind, good: str, tmp_path: Path) -> None:
    # The name of the file says nothing, and both places are looked at before lines are counted.
    (text, reader), other = TEXTS[kind], tmp_path / "other.txt"
    other.write_text(text, encoding="utf-8")
    assert recognise(text.split("\n")) is kind
    for files in ([str(other), good], [good, str(other)], [str(other), str(other)], [str(other)]):
        problem = refused("annotate", *files, "--models", "none")
        if files[0] == good and kind in (Kind.JSONL, Kind.JSON, Kind.TSV):
            assert problem.startswith(f"{other}: found")
            assert "give --answers" in problem, "as language models write"
            continue
        assert problem.startswith(f"{other}: found {kind}, expected one sentence a line")
        assert reader in problem
    assert f"found {kind}" in refused("annotate", "-", good, "--models", "none", data=other.read_bytes())


@pytest.mark.parametrize("kind", [Kind.CONLLU, Kind.ESSAYS, Kind.XML, Kind.HTML])
def test_scored_texts_of_other_formats_are_named(kind: Kind, good: str, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text(TEXTS[kind][0], encoding="utf-8")
    for source, system, reference in ((other, good, good), (good, other, good), (good, good, other)):
        problem = refused("score", "--source", str(source), "--hyp", str(system), "--ref", str(reference))
        assert f"{other}: found {kind}" in problem


@pytest.mark.parametrize("name", BINARY)
def test_formats_that_are_no_text_are_named_by_every_command(name: str, good: str, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_bytes(BINARY[name])
    path = str(other)
    commands = [
        ("annotate", path, good, "--models", "none"),
        ("annotate", good, path, "--models", "none"),
        ("annotate", path, "--format", "tsv", "--models", "none"),
        ("score", "--source", good, "--hyp", path, "--ref", good),
        ("m2", "stats", path),
        ("m2", "convert", path, "-", "--to", "text", "--from", "m2"),
    ]
    for command in commands:
        assert name in refused(*command)
    assert name in refused("annotate", "-", good, "--models", "none", data=BINARY[name])


def test_sentences_are_sentences(tmp_path: Path) -> None:
    texts = ["A 1 2 is what he said .", "S Korea won .", "[1] He goes .", "{ He goes . }", "< b > He goes ."]
    for text in (*texts, "<p>He goes .</p>", "# He goes .", "He goes .\tNow .\nMe too ."):
        assert recognise(text.split("\n")) in (Kind.TEXT, Kind.SOURCES), text
    (tmp_path / "s.txt").write_text("S Korea won .\n", encoding="utf-8")
    shown = CliRunner().invoke(app, ["annotate", *[str(tmp_path / "s.txt")] * 2, "--models", "none"])
    assert shown.stdout.startswith("S S Korea won .\n")


def test_lines_that_are_no_m2_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.m2").write_text(WORDS, encoding="utf-8")
    assert "a.m2:1: found '1\\tHe" in (problem := refused("m2", "stats", str(tmp_path / "a.m2")))
    assert "this is CoNLL-U: 'jperrant annotate --format conllu'" in problem
