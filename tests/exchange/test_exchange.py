"""Exchange formats in general: found by name, nothing lost on the way there and back, what is wrong is said."""

from __future__ import annotations

import json
import tempfile
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.values import Block, format_block
from jperrant.exchange import base
from jperrant.exchange.base import ToolFormat, format_class, formats, make_format
from jperrant.io.m2 import FormatDeviations, parse_m2
from jperrant.m2tools.convert import convert_m2
from tests.exchange_files import HARD, ODD, round_trip
from tests.strategies import M2_TOKENS, annotations, blocks, examples

TOOLS = [name for name in formats() if issubclass(format_class(name), ToolFormat)]
BOTH_WAYS = [name for name in TOOLS if format_class(name).can_write and format_class(name).can_read]


@pytest.mark.parametrize("name", BOTH_WAYS)
@pytest.mark.parametrize("text", [HARD, ODD, "S", "S\n\nS a\n"])
def test_what_nobody_changed_comes_back_byte_for_byte(name: str, text: str, tmp_path: Path) -> None:
    assert round_trip(text, name, tmp_path) == text


@examples(5)
@given(drawn=st.lists(blocks(), min_size=1, max_size=3))
def test_any_m2_goes_through_every_format(drawn: list[Block]) -> None:
    text = "".join(map(format_block, drawn))
    for name in BOTH_WAYS:
        with tempfile.TemporaryDirectory() as folder:
            assert round_trip(text, name, Path(folder)) == text, name


@examples(5)
@given(data=st.data(), source=st.lists(M2_TOKENS, min_size=1, max_size=5).map(tuple))
def test_whatever_was_changed_is_what_comes_back(data: st.DataObject, source: tuple[str, ...]) -> None:
    """The files of other edits, with the side file of the first, are M2 of the other edits."""
    before, after = [Block(source, (data.draw(annotations(0, len(source))),)) for _ in range(2)]
    for name in BOTH_WAYS:
        with tempfile.TemporaryDirectory() as folder:
            text = round_trip(format_block(after), name, Path(folder), side_of=format_block(before))
            [block] = parse_m2(text.split("\n"), "back.m2", FormatDeviations())
            assert meanings(block) == meanings(after), name


def meanings(block: Block) -> list[tuple[int, int, str, str]]:
    """Return edits without what tools do not keep: the order at one place, an empty text of a mark."""
    edits = [edit for annotation in block.annotations for edit in annotation.edits]
    return sorted((e.start, e.end, e.type, str((not e.is_detection, e.correction or ()))) for e in edits)


def test_documents_of_a_number_of_sentences(tmp_path: Path) -> None:
    text = "".join(
        f"S {words}\nA 0 1|||R:X|||z|||REQUIRED|||-NONE-|||0\n\n" for words in ("# 1", "a", "b", "# 2", "c")
    )
    assert round_trip(text, "brat", tmp_path, sentences=2) == text
    assert sorted(file.name for file in (tmp_path / "out" / "annotator0").glob("*.txt")) == [
        "gold-1.txt",
        "gold-2.txt",
        "gold-3.txt",
    ]
    with pytest.raises(UsageError, match="found 0 sentences per document"):
        convert_m2(tmp_path / "gold.m2", tmp_path / "other", "m2", "brat", sentences=0)


def test_without_the_side_file_edits_come_back_with_a_warning(tmp_path: Path) -> None:
    source, out = tmp_path / "gold.m2", tmp_path / "out"
    source.write_text("S a b\nA 1 1|||M:X|||c|||REQUIRED|||-NONE-|||3\n\nS d\n\n", encoding="utf-8")
    convert_m2(str(source), str(out), "m2", "brat")
    (out / "gold.jperrant.json").unlink()
    done = convert_m2(str(out), str(tmp_path / "back.m2"), "brat", "m2")
    assert "no side file" in done.notes[0]
    # Whoever has a file has looked at every sentence, as far as anybody can know.
    assert [len(block.annotations) for block in jperrant.read_m2(str(tmp_path / "back.m2"))] == [1, 1]
    assert (
        (tmp_path / "back.m2").read_text(encoding="utf-8").startswith(source.read_text(encoding="utf-8")[:46])
    )


def test_whoever_marked_nothing_may_have_looked(tmp_path: Path) -> None:
    assert round_trip("S a\n\nS b\n\n", "brat", tmp_path) == "S a\n\nS b\n\n"
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    assert imported(tmp_path / "out", complete=True) == (f"S a\n{noop}\nS b\n{noop}\n", [])
    text, notes = imported(tmp_path / "out")
    assert (text, len(notes)) == ("S a\n\nS b\n\n", 1)
    assert "marked nothing in a document" in notes[0]
    standoff = tmp_path / "out" / "annotator0" / "gold.ann"
    standoff.write_text("T1\tX 0 1\ta\n#1\tAnnotatorNotes T1\tc\n", encoding="utf-8")
    assert imported(tmp_path / "out")[0].endswith(f"S b\n{noop}\n")


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """A folder of brat with one document by two annotators."""
    (tmp_path / "gold.m2").write_text(HARD, encoding="utf-8")
    convert_m2(str(tmp_path / "gold.m2"), str(tmp_path / "out"), "m2", "brat")
    return tmp_path / "out"


def imported(folder: Path, **options: object) -> tuple[str, list[str]]:
    """Return the M2 of a folder and the notes."""
    done = convert_m2(str(folder), str(folder.parent / "back.m2"), "brat", "m2", **options)  # type: ignore[arg-type]
    return (folder.parent / "back.m2").read_text(encoding="utf-8"), list(done.notes)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_what_was_changed_is_changed_and_nothing_else(exported: Path) -> None:
    standoff = exported / "annotator0" / "gold.ann"
    change(standoff, "T1\tR_VERB_SVA 5 8\tare", "T1\tR_VERB 5 8\tare")
    change(standoff, "#3\tAnnotatorNotes T3\tgrammatical", "#3\tAnnotatorNotes T3\tgood and right")
    standoff.write_text(
        standoff.read_text(encoding="utf-8") + "T99\tU_PUNCT 30 31\t.\nA99\tDelete T99\n", encoding="utf-8"
    )
    text, notes = imported(exported)
    expected = HARD.replace("R:VERB:SVA|||is|||", "R:VERB|||is|||", 1).replace(
        "|||grammatical|||", "|||good and right|||"
    )
    last = "A 2 3|||R:SPELL|||good and right|||REQUIRED|||-NONE-|||0\n"
    assert text == expected.replace(last, last + "A 4 5|||U:PUNCT||||||REQUIRED|||-NONE-|||0\n")
    assert notes == []


def test_a_text_of_another_export_is_refused(exported: Path) -> None:
    change(exported / "annotator1" / "gold.txt", "This are", "This were")
    with pytest.raises(
        FormatError, match=r"annotator1.gold.ann: sentence 1 .* from character 6 on found 'were"
    ):
        imported(exported)


def test_a_text_with_more_sentences_is_refused(exported: Path) -> None:
    change(exported / "annotator1" / "gold.txt", " are ", "\nare ")
    with pytest.raises(FormatError, match="6 sentences, expected 5 as in 'gold': from character 5 on"):
        imported(exported)


def test_two_files_of_one_annotator_are_refused(exported: Path) -> None:
    (exported / "again").mkdir()
    for file in (exported / "annotator1").iterdir():
        (exported / "again" / file.name).write_bytes(file.read_bytes())
    with pytest.raises(UsageError, match="'again' and '1' both have the number 1"):
        imported(exported, annotators={"again": 1})
    (exported / "more" / "annotator1").mkdir(parents=True)
    for file in (exported / "annotator1").iterdir():
        (exported / "more" / "annotator1" / file.name).write_bytes(file.read_bytes())
    with pytest.raises(
        FormatError,
        match=r"annotator '1' has annotated sentence 1 of 'gold' already \(.*gold.ann\); .* m2 merge",
    ):
        imported(exported)


def test_people_get_numbers(exported: Path) -> None:
    (exported / "annotator1").rename(exported / "maria")
    text, notes = imported(exported)
    assert "REQUIRED|||-NONE-|||2" in text
    assert "REQUIRED|||-NONE-|||1" not in text
    assert any("'maria' is number 2" in note for note in notes)
    assert imported(exported, annotators={"maria": 1})[0] == HARD
    with pytest.raises(UsageError, match=r"'mario' is in none of the files .did you mean 'maria'"):
        imported(exported, annotators={"mario": 1})


def test_a_missing_annotator_is_counted(exported: Path) -> None:
    for file in (exported / "annotator1").iterdir():
        file.unlink()
    text, notes = imported(exported)
    assert text.count("\nS") + 1 == HARD.count("\nS") + 1
    assert any("annotator 1 had annotated" in note and "2 times" in note for note in notes)


def test_a_damaged_side_file_is_refused(exported: Path) -> None:
    side = exported / "gold.jperrant.json"
    change(side, "|||grammatical|||", "|||grammatic|||")
    with pytest.raises(FormatError, match="do not match their checksum"):
        imported(exported)
    change(side, '"version": 2', '"version": 9')
    with pytest.raises(FormatError, match="version: found '9', expected 2"):
        imported(exported)
    side.write_text(json.dumps({"documents": []}), encoding="utf-8")
    with pytest.raises(FormatError, match="a side file"):
        imported(exported)


def test_an_export_overwrites_nothing(exported: Path) -> None:
    before = {file: file.read_bytes() for file in exported.rglob("*") if file.is_file()}
    with pytest.raises(UsageError, match="the folder is not empty"):
        convert_m2(str(exported.parent / "gold.m2"), str(exported), "m2", "brat")
    assert {file: file.read_bytes() for file in exported.rglob("*") if file.is_file()} == before
    side = str(exported / "gold.jperrant.json")
    with pytest.raises(UsageError, match="would overwrite"):
        convert_m2(str(exported), side, "brat", "m2")


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    source = tmp_path / "gold.m2"
    source.write_text("S a \x01\nA 0 1|||R:X|||b|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"sentence 1, annotator 0: .*'\\x01', which XML cannot hold"):
        convert_m2(str(source), str(tmp_path / "out"), "m2", "inception")
    assert [file.name for file in tmp_path.iterdir()] == ["gold.m2"]


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="no sentences"):
        convert_m2(str(tmp_path / "gold.m2"), str(tmp_path / "out"), "m2", "brat")


def test_types_of_the_pack_are_offered_and_others_counted(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("S a b\nA 0 1|||R:ODD|||c|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    convert_m2(str(tmp_path / "gold.m2"), str(tmp_path / "out"), "m2", "brat", lang="en")
    types = (tmp_path / "out" / "annotation.conf").read_text(encoding="utf-8").split("\n")
    assert {"R_NOUN_NUM", "M_DET", "UNK", "R_ODD"} <= set(types)
    change(tmp_path / "out" / "annotator0" / "gold.ann", "R_ODD", "R_NOUM")
    _, notes = imported(tmp_path / "out", lang="en")
    assert any(
        "line 1 (T1): type 'R:NOUM' is not a type of the pack (did you mean 'R:NOUN'?)" in note
        for note in notes
    )


def test_unknown_formats_and_options_name_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'brut' .did you mean 'brat'"):
        make_format("brut")
    with pytest.raises(UsageError, match=r"no option 'texts' .did you mean 'text'"):
        make_format("ua-gec:texts=raw")
    with pytest.raises(UsageError, match=r"unknown text 'maybe'"):
        make_format("ua-gec:text=maybe")


def test_entry_points_add_formats_and_may_not_hide_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = EntryPoint("mine", "jperrant.exchange.ua_gec:UaGecFormat", base.GROUP)
    monkeypatch.setattr(base, "_entry_points", lambda: [mine])
    assert make_format("mine:text=raw") == make_format("ua-gec:text=raw")
    thief = EntryPoint("brat", "other.package:Thing", base.GROUP)
    monkeypatch.setattr(base, "_entry_points", lambda: [thief])
    with pytest.raises(UsageError, match=r"defined twice: jperrant\.exchange.* and other\.package:Thing"):
        formats()


def test_a_broken_package_is_named_and_the_other_formats_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = EntryPoint("theirs", "jperrant_not_here.formats:Thing", base.GROUP)
    monkeypatch.setattr(base, "_entry_points", lambda: [theirs])
    with pytest.raises(UsageError, match=r"format jperrant_not_here\.formats:Thing cannot be imported"):
        make_format("theirs")
    shown = CliRunner().invoke(app, ["m2", "convert", "--list"])
    assert set(base.BUILT_IN) <= {line.split()[0] for line in shown.stdout.splitlines()}
    assert "theirs: " in shown.stdout.splitlines()[-1]
