"""What annotators change in a file is all that changes in M2; what does not fit is refused or counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jperrant.core.errors import FormatError
from jperrant.m2tools.convert import Converted, convert_m2

GOLD = """\
S This are  a gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||was|||REQUIRED|||-NONE-|||1

S She go home
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
"""
#: Format, file of annotator 0, what stands there, what an annotator makes of it: a new type for the first edit.
RETYPED = [
    ("ua-gec", "gold.a0.ann", "{are=>is:::error_type=R:VERB:SVA}", "{are=>is:::error_type=R:VERB:TENSE}"),
    ("bea-json", "", '[5, 8, "is", "R:VERB:SVA"]', '[5, 8, "is", "R:VERB:TENSE"]'),
    ("clc-xml", "gold.a0.xml", 'type="R:VERB:SVA"><i>are', 'type="R:VERB:TENSE"><i>are'),
    ("svala", "gold.a0.json", '"R:VERB:SVA"', '"R:VERB:TENSE"'),
    ("iceec-tei", "gold.a0.xml", 'xtype="R:VERB:SVA"', 'xtype="R:VERB:TENSE"'),
    ("conllu", "gold.a0.conllu", "Edit=R:VERB:SVA", "Edit=R:VERB:TENSE"),
]
#: The same, a word of the text being another one.
OTHER_TEXT = [
    ("ua-gec", "gold.a0.ann", "home", "house"),
    ("bea-json", "", "go home", "go house"),
    ("clc-xml", "gold.a0.xml", "home", "house"),
    ("svala", "gold.a0.json", '"text": "home', '"text": "house'),
    ("iceec-tei", "gold.a0.xml", "<w>home</w>", "<w>house</w>"),
    ("conllu", "gold.a0.conllu", "\thome\t", "\thouse\t"),
]


def edited(folder: Path, name: str, file: str, old: str, new: str) -> tuple[str, Converted]:
    """Return the M2 that comes back when the first ``old`` of a file becomes ``new``, and what is said."""
    (folder / "gold.m2").write_text(GOLD, encoding="utf-8")
    out = folder / ("out" if file else "out.jsonl")
    convert_m2(str(folder / "gold.m2"), str(out), "m2", name)
    path = out / file if file else out
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")
    done = convert_m2(str(out), str(folder / "back.m2"), name, "m2")
    return (folder / "back.m2").read_text(encoding="utf-8"), done


@pytest.mark.parametrize(("name", "file", "old", "new"), RETYPED)
def test_one_new_type_is_all_that_changes(name: str, file: str, old: str, new: str, tmp_path: Path) -> None:
    back, done = edited(tmp_path, name, file, old, new)
    # The block that somebody touched is written in our dialect, the other one as it was.
    first, second = GOLD.split("\n\n")
    first = first.replace("  ", " ").replace("R:VERB:SVA", "R:VERB:TENSE")
    assert back == f"{first}\n\n{second}"
    assert done.notes == ()


@pytest.mark.parametrize(("name", "file", "old", "new"), OTHER_TEXT)
def test_another_text_is_refused(name: str, file: str, old: str, new: str, tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"sentence 2 of 'gold' .* from character 10 on found 'use', expected 'me'"
    ):
        edited(tmp_path, name, file, old, new)
    assert not (tmp_path / "back.m2").exists()


@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        ("ua-gec", "gold.a0.ann", "sentence .\nShe", "sentence {.\\nShe=>, she:::error_type=R:X}"),
        ("bea-json", "", "[5, 8,", '[32, 36, ", she", "R:X"], [5, 8,'),
    ],
)
def test_an_edit_across_sentences_is_refused(
    name: str, file: str, old: str, new: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=r"(line 1|edit 1) crosses sentences: .*; split it"):
        edited(tmp_path, name, file, old, new)


def test_edits_that_overlap_are_kept_and_counted(tmp_path: Path) -> None:
    back, done = edited(tmp_path, "bea-json", "", "[5, 8,", '[0, 8, "These are", "R:NUM"], [5, 8,')
    assert "A 0 2|||R:NUM|||These are|||REQUIRED|||-NONE-|||0\nA 1 2|||R:VERB:SVA|||is|||" in back
    assert any("edit 1: overlaps another edit" in note for note in done.notes)


def test_a_new_mark_inside_a_word_is_an_edit_of_the_word(tmp_path: Path) -> None:
    back, done = edited(
        tmp_path, "ua-gec", "gold.a0.ann", "gramamtical", "gram{am=>ma:::error_type=R:SPELL}tical"
    )
    assert "A 3 4|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0\n" in back
    assert done.notes == ()


def test_a_mark_that_is_taken_out_is_gone(tmp_path: Path) -> None:
    back, _ = edited(tmp_path, "ua-gec", "gold.a0.ann", "{go=>goes:::error_type=R:VERB:SVA}", "go")
    assert back.endswith("S She go home\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n")


def lines_of(path: Path, name: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the lines of the edits in files that no export wrote, without their last fields, and what is said."""
    done = convert_m2(str(path), str(path.parent / "back.m2"), name, "m2")
    lines = (path.parent / "back.m2").read_text(encoding="utf-8").split("\n")
    return [line.rsplit("|||", 3)[0] for line in lines if line.startswith("A")], done.notes


@pytest.mark.parametrize(
    ("type_", "note", "expected"),
    [
        ("U:VERB", "", "like"),
        ("R:VERB:SVA", "-NONE-", "like"),
        ("R:VERB:SVA", "d", "liked"),
        ("UNK", "-NONE-", "-NONE-"),
        ("UNK", "a remark", "a remark"),
    ],
)
def test_a_part_of_a_token_is_deleted_and_no_more(
    type_: str, note: str, expected: str, tmp_path: Path
) -> None:
    out = tmp_path / "annotator0"
    out.mkdir()
    (out / "a.txt").write_text("I likes it .", encoding="utf-8")
    notes = f"#1\tAnnotatorNotes T1\t{note}\n" if note else ""
    (out / "a.ann").write_text(f"T1\t{type_.replace(':', '_')} 6 7\ts\n{notes}", encoding="utf-8")
    lines, said = lines_of(out, "brat")
    assert lines == [f"A 1 2|||{type_}|||{expected}"]
    assert any("widened to whole tokens" in line for line in said)


@pytest.mark.parametrize(
    ("place", "start", "end", "span"),
    [("insert before", 6, 7, "1 1"), ("insert after", 2, 3, "2 2"), ("insert before", 2, 3, "1 1")],
)
def test_an_insertion_beside_a_part_of_a_token_is_beside_the_token(
    place: str, start: int, end: int, span: str, tmp_path: Path
) -> None:
    region = {"start": start, "end": end}
    values = {"type": {"labels": ["M:ADV"]}, "correction": {"text": ["so"]}, "place": {"choices": [place]}}
    marked = [{"id": "x", "from_name": name, "value": {**region, **value}} for name, value in values.items()]
    task = {"data": {"text": "I likes it ."}, "annotations": [{"completed_by": 0, "result": marked}]}
    (tmp_path / "tasks.json").write_text(json.dumps([task]), encoding="utf-8")
    assert lines_of(tmp_path / "tasks.json", "label-studio")[0] == [f"A {span}|||M:ADV|||so"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('\n"",', '\n"no M2",'),
        ("S This are  a", "S This was  a"),
        ('"S This', '"no M2 S This'),
        ("sentence .\\nA", "sentence .\\n\\nS more\\nA"),
    ],
)
def test_a_side_file_whose_text_is_not_that_of_its_blocks_is_refused(
    old: str, new: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=r"damaged side file|sentence 1 of 'gold' differs from that of"):
        edited(tmp_path, "brat", "gold.jperrant.json", old, new)
    assert not (tmp_path / "back.m2").exists()
