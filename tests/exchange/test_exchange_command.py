"""``jperrant m2 convert`` on the command line, and formats by their names."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.exchange import formats as formats_module
from jperrant.exchange.formats import formats, make_format

GOLD = "S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")


def run(line: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, line.split(), input=text)


def test_the_formats_are_listed() -> None:
    listed = {line.split()[0] for line in run("m2 convert --list").stdout.splitlines()}
    assert {"m2", "source", "text", "cherrant", "kagas", *formats()} <= listed
    assert "auto | tokens | raw" in run("m2 convert --to ua-gec --list").stdout
    assert "did you mean 'brat'" in str(run("m2 convert --to brst --list").exception)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "give the file to read"),
        ("gold.m2", "give the file to read"),
        ("gold.m2 gold.txt", "gold.txt: its ending names no format; give --to"),
        ("gold x.m2", "gold: its ending names no format; give --from"),
        ("gold.m2 x.txt --to text:annotater=1", "annotater"),
        ("gold.m2 x --to ua-gec:texts=raw", "no option 'texts' (did you mean 'text'?)"),
        ("gold.m2 x --to ua-gec:text=maybe", "unknown text 'maybe'"),
        ("gold.m2 x.txt --to text --sentences 2", "--sentences is for formats of annotation tools"),
        ("gold.m2 x.m2 --from text", "'text' holds no edits; 'jperrant annotate' makes M2"),
        ("gold.m2 gold.m2 x.txt --to text", "'m2' is read from one file, found 2"),
        ("x.json y.json gold.m2 --from review", "gold.m2 exists; the last path is the file to write"),
        ("gold.m2 - --to brat", "give one"),
        ("gold.m2 x.m2 --from brat --annotator maria", "NAME=NUMBER"),
    ],
)
def test_what_is_missing_or_wrong_is_named(line: str, message: str) -> None:
    before = sorted(Path().iterdir())
    error = run(f"m2 convert {line}").exception
    assert isinstance(error, UsageError)
    assert message in str(error)
    assert sorted(Path().iterdir()) == before


def test_there_and_back_through_pipes() -> None:
    assert run("m2 convert - out --to brat", GOLD).exit_code == 0
    assert {path.name for path in Path("out").iterdir()} >= {"document.jperrant.json", "visual.conf"}
    assert run("m2 convert out - --from brat").stdout == GOLD
    assert run("m2 convert out out/back.m2 --from brat").exit_code == 0


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
    said = "warning: gold, sentence 1: annotator 0 had annotated a sentence that no file holds now\n"
    assert (done.exit_code, done.output) == (0, said)
    assert Path("back.m2").read_text(encoding="utf-8") == GOLD.replace("|||0\n", "|||4\n")


@pytest.mark.parametrize(
    ("format", "out", "back", "message"),
    [
        ("bea-json", "x.jsonl", "x.jsonl.jperrant.json", "would overwrite the input"),
        ("bea-json", "x.jsonl", "x.jsonl", "would overwrite the input"),
        ("brat", "out", "out/annotator0/gold.ann", "would overwrite the input"),
        ("brat", "out", "out/annotator0/gold.txt", "would overwrite the input"),
        ("brat", "out", "link", "would overwrite the input"),
        ("brat", "damaged", "gold.m2", "sentence 1 of 'gold'"),
    ],
)
def test_an_import_overwrites_nothing_that_it_reads_and_nothing_if_it_fails(
    format: str, out: str, back: str, message: str
) -> None:
    run(f"m2 convert gold.m2 {out} --to {format}")
    Path("link").symlink_to(f"{out}/annotator0/gold.ann")
    if out == "damaged":
        Path("damaged/annotator0/gold.txt").write_text("a c\n", encoding="utf-8")
    before = Path(back).read_bytes()
    assert message in str(run(f"m2 convert {out} {back} --from {format} --to m2").exception)
    assert Path(back).read_bytes() == before


def test_entry_points_add_formats_and_may_not_hide_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = EntryPoint("mine", "jperrant.exchange.ua_gec:UaGecFormat", formats_module.GROUP)
    monkeypatch.setattr(formats_module, "entry_points", lambda _: [mine])
    assert make_format("mine:text=raw") == make_format("ua-gec:text=raw")
    thief = EntryPoint("brat", "other.package:Thing", formats_module.GROUP)
    monkeypatch.setattr(formats_module, "entry_points", lambda _: [thief])
    with pytest.raises(UsageError, match=r"defined twice: jperrant\.exchange.* and other\.package:Thing"):
        formats()


def test_a_broken_package_is_named_and_the_other_formats_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = EntryPoint("theirs", "jperrant_not_here.formats:Thing", formats_module.GROUP)
    monkeypatch.setattr(formats_module, "entry_points", lambda _: [theirs])
    with pytest.raises(UsageError, match=r"format jperrant_not_here\.formats:Thing cannot be imported"):
        make_format("theirs")
    *others, last = run("m2 convert --list").stdout.splitlines()
    assert set(formats_module.BUILT_IN) <= {line.split()[0] for line in others}
    assert last.startswith("theirs: ")
