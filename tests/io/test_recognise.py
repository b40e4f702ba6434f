"""Files are told by what is in them, and whoever gives the wrong one is told what reads it."""

from __future__ import annotations

import io
import zipfile
from itertools import permutations
from pathlib import Path

import pytest

from jperrant.io.recognise import Kind, recognise
from tests.commands import printed, refused

WORDS = "1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
#: A text of each kind, and what is said of what reads it.
TEXTS = {
    Kind.M2: ("S He go\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n", "jperrant score"),
    Kind.CONLLU: (f"# sent_id = 1\n{WORDS}", "--format conllu"),
    Kind.JSONL: ('{"source": "He go", "corrections": ["He goes"]}\n', "--format jsonl"),
    Kind.JSON: ('[\n  {"text": "He go"}\n]\n', "m2 convert"),
    Kind.TSV: ("He go\tHe goes\nMe too\tMe too\n", "--format tsv"),
    Kind.ESSAYS: ("\n### essay_id = a1\nHe go\n", "--format essays"),
    Kind.XML: ('<?xml version="1.0"?>\n<learner/>\n', "m2 convert"),
    Kind.HTML: ("<!DOCTYPE html>\n<p>He go</p>\n", "plain text"),
}


def zipped(*names: str, content: str = "<x>He go .</x>") -> bytes:
    """Return an archive of files with these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return out.getvalue()


BINARY = {
    "Word document": zipped("[Content_Types].xml", "_rels/.rels", "word/document.xml"),
    "Excel workbook": zipped("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"),
    "OpenDocument": zipped("mimetype", content="application/vnd.oasis.opendocument.text"),
    "archive (zip": zipped("a.txt"),
    "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "Rich Text": rb"{\rtf1\ansi He go .}",
    "UTF-16": "He go .\n".encode("utf-16"),
    "in UTF-16": "He go .\n".encode("utf-16-be"),
    "picture, table": b"\x89PNG\r\n\x1a\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a file of sentences, which is where commands run."""
    monkeypatch.chdir(tmp_path)
    Path("good").write_text("He go\nMe too\n", encoding="utf-8")


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_of_other_formats_are_named_with_what_reads_them(kind: Kind) -> None:
    # The name of the file says nothing, and both places are looked at before lines are counted.
    text, reader = TEXTS[kind]
    Path("other").write_text(text, encoding="utf-8")
    assert recognise(text.split("\n")) is kind
    for files in ("other good", "good other", "other other", "other"):
        problem = refused("annotate", *files.split(), "--models", "none")
        if files == "good other" and kind in (Kind.JSONL, Kind.JSON, Kind.TSV):
            assert problem.startswith("other: found")
            assert "give --answers" in problem, "as language models write"
        else:
            assert problem.startswith(f"other: found {kind}, expected one sentence a line")
            assert reader in problem
    assert f"found {kind}" in refused("annotate", "-", "good", "--models", "none", data=text.encode())


@pytest.mark.parametrize("kind", [Kind.CONLLU, Kind.ESSAYS, Kind.XML, Kind.HTML])
def test_scored_texts_of_other_formats_are_named(kind: Kind) -> None:
    Path("other").write_text(TEXTS[kind][0], encoding="utf-8")
    for source, system, reference in permutations(["other", "good", "good"]):
        problem = refused("score", "--source", source, "--hyp", system, "--ref", reference)
        assert f"other: found {kind}" in problem


@pytest.mark.parametrize("name", BINARY)
def test_formats_that_are_no_text_are_named_by_every_command(name: str) -> None:
    Path("other").write_bytes(BINARY[name])
    commands = [
        "annotate other good --models none", "annotate good other --models none", "m2 stats other",
        "annotate other --format tsv --models none", "score --source good --hyp other --ref good",
        "m2 convert other - --to text --from m2",
    ]  # fmt: skip
    for command in commands:
        assert name in refused(*command.split())
    assert name in refused("annotate", "-", "good", "--models", "none", data=BINARY[name])


def test_sentences_are_sentences() -> None:
    texts = ["A 1 2 is what he said .", "S Korea won .", "[1] He goes .", "{ He goes . }", "< b > He goes ."]
    for text in (*texts, "<p>He goes .</p>", "# He goes .", "He goes .\tNow .\nMe too ."):
        assert recognise(text.split("\n")) in (Kind.TEXT, Kind.SOURCES), text
    Path("s").write_text("S Korea won .\n", encoding="utf-8")
    assert printed("annotate", "s", "s", "--models", "none").startswith("S S Korea won .\n")


def test_lines_that_are_no_m2_are_named() -> None:
    Path("a.m2").write_text(WORDS, encoding="utf-8")
    problem = refused("m2", "stats", "a.m2")
    assert problem.startswith("a.m2:1: found '1\\tHe")
    assert "this is CoNLL-U: 'jperrant annotate --format conllu'" in problem
