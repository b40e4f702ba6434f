"""``jperrant m2 export`` and ``m2 import`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jperrant.cli.main import app
from jperrant.core.errors import FormatError, UsageError
from jperrant.exchange.registry import format_class, formats

GOLD = "S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    return tmp_path


def run(line: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, line.split(), input=text)


def test_the_formats_are_listed() -> None:
    listed = run("m2 export --list --json")
    objects = {record["format"]: record for record in json.loads(listed.stdout)}
    assert objects.keys() == formats().keys()
    assert objects["brat"]["directions"] == ["export", "import"]
    assert objects["inception"]["extra"] == "inception"
    for name in formats():
        factory = format_class(name)
        assert factory.can_export or factory.can_import
        assert name in run("m2 export --list").stdout
    assert [o["name"] for o in json.loads(run("m2 export brat --list --json").stdout)["options"]] == [
        "neighbours"
    ]
    assert "serialisation  xmi" in run("m2 export inception --list").stdout


@pytest.mark.parametrize("line", ["m2 export", "m2 export brat", "m2 export brat gold.m2"])
def test_what_is_missing_is_named(line: str) -> None:
    assert isinstance(run(line).exception, UsageError)


def test_there_and_back_through_pipes() -> None:
    assert run("m2 export brat - -o out", GOLD).exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir())[-2:] == [
        "document.jperrant.json",
        "visual.conf",
    ]
    assert run("m2 import brat out").stdout == GOLD
    assert "give one with -o" in str(run("m2 export brat gold.m2 -o -").exception)


def test_a_side_file_elsewhere_and_numbers() -> None:
    run("m2 export brat gold.m2 -o out")
    Path("out/gold.jperrant.json").rename("kept.json")
    Path("out/annotator0").rename("out/maria")
    done = run("m2 import brat out --side kept.json --annotator maria=4 -o back.m2")
    assert (done.exit_code, done.output) == (0, "warning: gold, sentence 1: annotator 0 had annotated a sentence "
                                             "that no file holds now\n")  # fmt: skip
    assert Path("back.m2").read_text(encoding="utf-8") == GOLD.replace("|||0\n", "|||4\n")
    assert "NAME=NUMBER" in str(run("m2 import brat out --annotator maria").exception)


def test_nothing_is_written_where_an_import_fails() -> None:
    run("m2 export brat gold.m2 -o out")
    Path("out/annotator0/gold.txt").write_text("a c\n", encoding="utf-8")
    Path("back.m2").write_text("before", encoding="utf-8")
    assert isinstance(run("m2 import brat out -o back.m2").exception, FormatError)
    assert Path("back.m2").read_text(encoding="utf-8") == "before"


def test_an_import_overwrites_nothing_that_it_reads() -> None:
    run("m2 export bea-json gold.m2 -o x.jsonl")
    before = Path("x.jperrant.json").read_bytes()
    refused = run("m2 import bea-json:tokens=gold.m2 x.jsonl -o gold.m2")
    assert "would overwrite it" in str(refused.exception)
    for line in ("-o back.m2 --log x.jperrant.json", "-o x.jperrant.json", "-o back.m2 --log x.jsonl"):
        assert "would overwrite it" in str(run(f"m2 import bea-json x.jsonl {line}").exception)
    assert Path("x.jperrant.json").read_bytes() == before
    assert not Path("back.m2").exists()


@pytest.mark.parametrize("place", ["out/annotator0/gold.ann", "out/annotator0/gold.txt", "link"])
def test_an_import_overwrites_no_file_of_the_folder_that_it_reads(place: str) -> None:
    run("m2 export brat gold.m2 -o out")
    Path("link").symlink_to("out/annotator0/gold.ann")
    before = Path(place).read_bytes()
    for line in (f"-o {place}", f"-o back.m2 --log {place}"):
        assert "would overwrite it" in str(run(f"m2 import brat out {line}").exception)
    assert Path(place).read_bytes() == before
    assert run("m2 import brat out -o out/back.m2").exit_code == 0


def test_a_side_file_is_not_replaced_by_that_of_another_export() -> None:
    assert run("m2 export bea-json gold.m2 -o x.jsonl").exit_code == 0
    before = Path("x.jperrant.json").read_bytes()
    Path("other.m2").write_text(GOLD.replace("c", "d"), encoding="utf-8")
    refused = run("m2 export bea-json other.m2 -o x.json")
    assert "x.jperrant.json is the side file of another export" in str(refused.exception)
    assert Path("x.jperrant.json").read_bytes() == before
    for again in ("gold.m2 -o x.json", "other.m2 -o x.jsonl"):
        assert run(f"m2 export bea-json {again}").exit_code == 0


@pytest.mark.parametrize("place", ["-", "same.m2"])
def test_two_outputs_are_two_files(place: str) -> None:
    run("m2 export bea-json gold.m2 -o x.jsonl")
    for line in (
        f"import bea-json x.jsonl -o {place} --log {place}",
        f"adjudicate two.m2 -o {place} --open {place}",
    ):
        Path("two.m2").write_text(
            GOLD[:-1] + "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n", encoding="utf-8"
        )
        done = run(f"m2 {line}")
        assert "is given for two outputs" in str(done.exception)
        assert done.stdout == ""
