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
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.exchange import base
from jperrant.exchange.base import Corpus, ToolFormat, format_class, formats, make_format
from jperrant.exchange.marks import Document
from jperrant.io.m2 import FormatDeviations, parse_m2
from jperrant.m2tools.convert import convert_m2
from tests.exchange_files import HARD, ODD, blocks_of, change, exported, imported, round_trip, tool
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


LETTERS = st.text(st.sampled_from('ab{}|\\=>:n_é😀.,<&"'), min_size=1, max_size=5)
ANY_TOKENS = LETTERS.filter(lambda token: "||" not in token)
ANY_CORRECTIONS = st.lists(ANY_TOKENS, max_size=2).map(tuple)
WORD = st.text(st.sampled_from("ab{}\\=>:<"), min_size=1, max_size=3)
WORDS = st.lists(WORD, min_size=1, max_size=2).map(tuple)
#: Every format that needs no side file for edits, and the option that says that texts are tokens.
CARRY_ALL = ["ua-gec:text=tokens", "bea-json:text=tokens", "clc-xml:text=tokens", "iceec-tei", "svala"]


@st.composite
def overlapping(draw: st.DrawFn) -> Block:
    """Return a sentence with edits that may overlap."""
    source = tuple(draw(st.lists(ANY_TOKENS, min_size=1, max_size=4)))
    edits = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(source)))
        end = draw(st.integers(start, len(source)))
        type_ = draw(ANY_TOKENS)
        if draw(st.booleans()):
            edits.append(Edit(start, end, draw(ANY_CORRECTIONS), type_))
        elif draw(st.booleans()):
            edits.append(Edit(start, end, None, "UNK"))
        else:
            edits.append(Edit(start, end, draw(WORDS), type_, alternatives=(draw(WORDS),)))
    return Block(source, (Annotation(0, tuple(sorted(edits, key=lambda e: (e.start, e.end)))),))


@pytest.mark.parametrize("name", CARRY_ALL)
@examples(25)
@given(sentences=st.lists(overlapping(), min_size=1, max_size=3))
def test_every_edit_comes_back_without_a_side_file(
    name: str, tmp_path_factory: pytest.TempPathFactory, sentences: list[Block]
) -> None:
    folder, made = tmp_path_factory.mktemp("any"), tool(name)
    for file, content in made.export(Corpus((Document("d", tuple(sentences)),))).items():
        (folder / (file or "d.jsonl")).write_text("".join(content), encoding="utf-8")
    back = blocks_of(name, folder if not made.suffix else folder / "d.jsonl")
    assert [block.source for block in back] == [block.source for block in sentences]
    for block, before in zip(back, sentences, strict=True):
        ((found,), (expected,)) = block.annotations, before.annotations
        # SVALA's edges do not overlap, so edits of one place stand apart there, and their order is lost.
        order = (lambda e: (e.start, e.end, repr(e))) if name == "svala" else (lambda e: (e.start, e.end))
        assert sorted(found.edits, key=order) == sorted(expected.edits, key=order)
        assert found.annotator == 0


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
    assert imported(tmp_path / "out", "brat", complete=True) == (f"S a\n{noop}\nS b\n{noop}\n", [])
    text, notes = imported(tmp_path / "out", "brat")
    assert (text, len(notes)) == ("S a\n\nS b\n\n", 1)
    assert "marked nothing in a document" in notes[0]
    standoff = tmp_path / "out" / "annotator0" / "gold.ann"
    standoff.write_text("T1\tX 0 1\ta\n#1\tAnnotatorNotes T1\tc\n", encoding="utf-8")
    assert imported(tmp_path / "out", "brat")[0].endswith(f"S b\n{noop}\n")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder of brat with one document by two annotators."""
    return exported(HARD, "brat", tmp_path)


def test_what_was_changed_is_changed_and_nothing_else(out: Path) -> None:
    standoff = out / "annotator0" / "gold.ann"
    change(standoff, "T1\tR_VERB_SVA 5 8\tare", "T1\tR_VERB 5 8\tare")
    change(standoff, "#3\tAnnotatorNotes T3\tgrammatical", "#3\tAnnotatorNotes T3\tgood and right")
    standoff.write_text(
        standoff.read_text(encoding="utf-8") + "T99\tU_PUNCT 30 31\t.\nA99\tDelete T99\n", encoding="utf-8"
    )
    text, notes = imported(out, "brat")
    expected = HARD.replace("R:VERB:SVA|||is|||", "R:VERB|||is|||", 1).replace(
        "|||grammatical|||", "|||good and right|||"
    )
    last = "A 2 3|||R:SPELL|||good and right|||REQUIRED|||-NONE-|||0\n"
    assert text == expected.replace(last, last + "A 4 5|||U:PUNCT||||||REQUIRED|||-NONE-|||0\n")
    assert notes == []


def test_a_text_with_more_sentences_is_refused(out: Path) -> None:
    change(out / "annotator1" / "gold.txt", " are ", "\nare ")
    with pytest.raises(FormatError, match="6 sentences, expected 5 as in 'gold': from character 5 on"):
        imported(out, "brat")


def test_two_files_of_one_annotator_are_refused(out: Path) -> None:
    (out / "again").mkdir()
    for file in (out / "annotator1").iterdir():
        (out / "again" / file.name).write_bytes(file.read_bytes())
    with pytest.raises(UsageError, match="'again' and '1' both have the number 1"):
        imported(out, "brat", annotators={"again": 1})
    (out / "more" / "annotator1").mkdir(parents=True)
    for file in (out / "annotator1").iterdir():
        (out / "more" / "annotator1" / file.name).write_bytes(file.read_bytes())
    with pytest.raises(
        FormatError,
        match=r"annotator '1' has annotated sentence 1 of 'gold' already \(.*gold.ann\); .* m2 merge",
    ):
        imported(out, "brat")


def test_people_get_numbers(out: Path) -> None:
    (out / "annotator1").rename(out / "maria")
    text, notes = imported(out, "brat")
    assert "REQUIRED|||-NONE-|||2" in text
    assert "REQUIRED|||-NONE-|||1" not in text
    assert any("'maria' is number 2" in note for note in notes)
    assert imported(out, "brat", annotators={"maria": 1})[0] == HARD
    with pytest.raises(UsageError, match=r"'mario' is in none of the files .did you mean 'maria'"):
        imported(out, "brat", annotators={"mario": 1})


def test_a_missing_annotator_is_counted(out: Path) -> None:
    for file in (out / "annotator1").iterdir():
        file.unlink()
    text, notes = imported(out, "brat")
    assert text.count("\nS") + 1 == HARD.count("\nS") + 1
    assert any("annotator 1 had annotated" in note and "2 times" in note for note in notes)


def test_a_damaged_side_file_is_refused(out: Path) -> None:
    side = out / "gold.jperrant.json"
    change(side, "|||grammatical|||", "|||grammatic|||")
    with pytest.raises(FormatError, match="do not match their checksum"):
        imported(out, "brat")
    change(side, "|||grammatic|||", "|||grammatical|||")
    change(side, '["gold", 5]', f'["gold", {10**30}]')
    with pytest.raises(FormatError, match="as many sentences"):
        imported(out, "brat")
    change(side, '"version": 2', '"version": 9')
    with pytest.raises(FormatError, match="version: found '9', expected 2"):
        imported(out, "brat")
    side.write_text(json.dumps({"documents": []}), encoding="utf-8")
    with pytest.raises(FormatError, match="a side file"):
        imported(out, "brat")


def test_an_export_overwrites_nothing(out: Path) -> None:
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    with pytest.raises(UsageError, match="the folder is not empty"):
        convert_m2(str(out.parent / "gold.m2"), str(out), "m2", "brat")
    assert {file: file.read_bytes() for file in out.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("name", ["inception", "clc-xml", "iceec-tei"])
def test_a_failed_export_leaves_nothing(name: str, tmp_path: Path) -> None:
    text = "S a \x01\nA 0 1|||R:X|||b|||REQUIRED|||-NONE-|||3\n"
    with pytest.raises(InputError, match=r"gold, sentence 1, annotator 3: .*'\\x01', which XML cannot hold"):
        exported(text, name, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["gold.m2"]


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="no sentences"):
        convert_m2(str(tmp_path / "gold.m2"), str(tmp_path / "out"), "m2", "brat")


def test_types_of_the_pack_are_offered_and_others_counted(tmp_path: Path) -> None:
    exported("S a b\nA 0 1|||R:ODD|||c|||REQUIRED|||-NONE-|||0\n", "brat", tmp_path, lang="en")
    types = (tmp_path / "out" / "annotation.conf").read_text(encoding="utf-8").split("\n")
    assert {"R_NOUN_NUM", "M_DET", "UNK", "R_ODD"} <= set(types)
    change(tmp_path / "out" / "annotator0" / "gold.ann", "R_ODD", "R_NOUM")
    _, notes = imported(tmp_path / "out", "brat", lang="en")
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
    monkeypatch.setattr(base, "entry_points", lambda _: [mine])
    assert make_format("mine:text=raw") == make_format("ua-gec:text=raw")
    thief = EntryPoint("brat", "other.package:Thing", base.GROUP)
    monkeypatch.setattr(base, "entry_points", lambda _: [thief])
    with pytest.raises(UsageError, match=r"defined twice: jperrant\.exchange.* and other\.package:Thing"):
        formats()


def test_a_broken_package_is_named_and_the_other_formats_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = EntryPoint("theirs", "jperrant_not_here.formats:Thing", base.GROUP)
    monkeypatch.setattr(base, "entry_points", lambda _: [theirs])
    with pytest.raises(UsageError, match=r"format jperrant_not_here\.formats:Thing cannot be imported"):
        make_format("theirs")
    shown = CliRunner().invoke(app, ["m2", "convert", "--list"])
    assert set(base.BUILT_IN) <= {line.split()[0] for line in shown.stdout.splitlines()}
    assert "theirs: " in shown.stdout.splitlines()[-1]
