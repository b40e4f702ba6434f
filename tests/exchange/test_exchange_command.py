"""``jperrant m2 convert`` on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jperrant.cli.main import app
from jperrant.core.errors import FormatError, UsageError
from jperrant.exchange.base import format_class, formats

GOLD = "S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    return tmp_path


def run(line: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, line.split(), input=text)


def test_the_formats_are_listed() -> None:
    listed = run("m2 convert --list").stdout
    for name in formats():
        factory = format_class(name)
        assert factory.can_write or factory.can_read
        assert name in listed
    assert {"m2", "source", "text", "cherrant", "kagas"} <= {line.split()[0] for line in listed.splitlines()}
    assert "auto | tokens | raw" in run("m2 convert --to ua-gec --list").stdout
    assert "did you mean 'brat'" in str(run("m2 convert --to brst --list").exception)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("m2 convert", "give the file to read"),
        ("m2 convert gold.m2", "give the file to read"),
        ("m2 convert gold.m2 gold.txt", "gold.txt: its name does not say its format; give it with --to"),
        ("m2 convert gold x.m2", "gold: its name does not say its format; give it with --from"),
        ("m2 convert gold.m2 x.txt --to text:annotater=1", "annotater"),
        (
            "m2 convert gold.m2 x.txt --to text --sentences 2",
            "--sentences is for formats of annotation tools",
        ),
        ("m2 convert gold.m2 x.m2 --from text", "'text' holds no edits; 'jperrant annotate' makes M2"),
        ("m2 convert gold.m2 gold.m2 x.txt --to text", "'m2' is read from one file, found 2"),
        (
            "m2 convert x.json y.json gold.m2 --from review",
            "gold.m2 exists; the last path is the file to write",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_named(line: str, message: str) -> None:
    before = sorted(Path().iterdir())
    error = run(line).exception
    assert isinstance(error, UsageError)
    assert re.search(message, str(error)), error
    assert sorted(Path().iterdir()) == before


def test_there_and_back_through_pipes() -> None:
    assert run("m2 convert - out --to brat", GOLD).exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir())[-2:] == [
        "document.jperrant.json",
        "visual.conf",
    ]
    assert run("m2 convert out - --from brat").stdout == GOLD
    assert "give one" in str(run("m2 convert gold.m2 - --to brat").exception)


def test_any_format_to_any() -> None:
    """What goes through two annotation tools, or through another dialect, comes out as M2 has it."""
    assert run("m2 convert gold.m2 gold.char --to cherrant").exit_code == 0
    assert run("m2 convert gold.char brat --from cherrant --to brat").exit_code == 0
    assert run("m2 convert brat uagec --from brat --to ua-gec").exit_code == 0
    assert run("m2 convert uagec - --from ua-gec").stdout == GOLD
    assert run("m2 convert brat - --from brat --to text").stdout == "c b\n"
    assert run("m2 convert uagec - --from ua-gec --to source").stdout == "a b\n"


def test_a_side_file_elsewhere_and_numbers() -> None:
    run("m2 convert gold.m2 out --to brat")
    Path("out/gold.jperrant.json").rename("kept.json")
    Path("out/annotator0").rename("out/maria")
    done = run("m2 convert out back.m2 --from brat --side kept.json --annotator maria=4")
    assert (done.exit_code, done.output) == (0, "warning: gold, sentence 1: annotator 0 had annotated a sentence "
                                             "that no file holds now\n")  # fmt: skip
    assert Path("back.m2").read_text(encoding="utf-8") == GOLD.replace("|||0\n", "|||4\n")
    assert "NAME=NUMBER" in str(run("m2 convert out - --from brat --annotator maria").exception)


def test_nothing_is_written_where_an_import_fails() -> None:
    run("m2 convert gold.m2 out --to brat")
    Path("out/annotator0/gold.txt").write_text("a c\n", encoding="utf-8")
    Path("back.m2").write_text("before", encoding="utf-8")
    assert isinstance(run("m2 convert out back.m2 --from brat").exception, FormatError)
    assert Path("back.m2").read_text(encoding="utf-8") == "before"


def test_an_import_overwrites_nothing_that_it_reads() -> None:
    run("m2 convert gold.m2 x.jsonl --to bea-json")
    before = Path("x.jsonl.jperrant.json").read_bytes()
    for out in ("x.jsonl.jperrant.json", "x.jsonl"):
        assert "would overwrite it" in str(run(f"m2 convert x.jsonl {out} --from bea-json --to m2").exception)
    assert Path("x.jsonl.jperrant.json").read_bytes() == before


@pytest.mark.parametrize("place", ["out/annotator0/gold.ann", "out/annotator0/gold.txt", "link"])
def test_an_import_overwrites_no_file_of_the_folder_that_it_reads(place: str) -> None:
    run("m2 convert gold.m2 out --to brat")
    Path("link").symlink_to("out/annotator0/gold.ann")
    before = Path(place).read_bytes()
    assert "would overwrite it" in str(run(f"m2 convert out {place} --to m2 --from brat").exception)
    assert Path(place).read_bytes() == before
    assert run("m2 convert out out/back.m2 --from brat").exit_code == 0


@pytest.mark.parametrize("place", ["-", "same.m2"])
def test_two_outputs_are_two_files(place: str) -> None:
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    Path("two.m2").write_text(GOLD[:-1] + noop, encoding="utf-8")
    done = run(f"m2 adjudicate two.m2 -o {place} --open {place}")
    assert "is given for two outputs" in str(done.exception)
    assert done.stdout == ""
