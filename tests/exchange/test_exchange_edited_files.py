"""What annotators change in a file is all that changes in M2; what does not fit is refused or counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jperrant.core.errors import FormatError
from jperrant.m2tools.convert import convert_m2
from tests.exchange_files import change, imported

GOLD = """\
S This are  a gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||was|||REQUIRED|||-NONE-|||1

S She go home
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
"""
#: Formats, each with its file of annotator 0.
FILES = [
    ("ua-gec", "gold.a0.ann"),
    ("bea-json", ""),
    ("clc-xml", "gold.a0.xml"),
    ("svala", "gold.a0.json"),
    ("iceec-tei", "gold.a0.xml"),
    ("conllu", "gold.a0.conllu"),
]


def edited(folder: Path, name: str, file: str, old: str, new: str) -> tuple[str, list[str]]:
    """Return the M2 that comes back when the first ``old`` of a file becomes ``new``, and what is said."""
    (folder / "gold.m2").write_text(GOLD, encoding="utf-8")
    out = folder / ("out" if file else "out.jsonl")
    convert_m2(folder / "gold.m2", out, "m2", name)
    change(out / file if file else out, old, new)
    return imported(out, name)


@pytest.mark.parametrize(("name", "file"), FILES)
def test_one_new_type_is_all_that_changes(name: str, file: str, tmp_path: Path) -> None:
    back, notes = edited(tmp_path, name, file, "R:VERB:SVA", "R:VERB:TENSE")
    # The block that somebody touched is written in our dialect, the other one as it was.
    first, second = GOLD.split("\n\n")
    first = first.replace("  ", " ").replace("R:VERB:SVA", "R:VERB:TENSE")
    assert back == f"{first}\n\n{second}"
    assert notes == []


@pytest.mark.parametrize(("name", "file"), [*FILES, ("brat", "annotator0/gold.txt")])
def test_another_text_is_refused(name: str, file: str, tmp_path: Path) -> None:
    # In CoNLL-U the text stands in a comment first.
    old, new = ("\thome", "\thouse") if name == "conllu" else ("home", "house")
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
    back, notes = edited(tmp_path, "bea-json", "", "[5, 8,", '[0, 8, "These are", "R:NUM"], [5, 8,')
    assert "A 0 2|||R:NUM|||These are|||REQUIRED|||-NONE-|||0\nA 1 2|||R:VERB:SVA|||is|||" in back
    assert any("edit 1: overlaps another edit" in note for note in notes)


def test_a_new_mark_inside_a_word_is_an_edit_of_the_word(tmp_path: Path) -> None:
    back, notes = edited(
        tmp_path, "ua-gec", "gold.a0.ann", "gramamtical", "gram{am=>ma:::error_type=R:SPELL}tical"
    )
    assert "A 3 4|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0\n" in back
    assert notes == []


def test_a_mark_that_is_taken_out_is_gone(tmp_path: Path) -> None:
    back, _ = edited(tmp_path, "ua-gec", "gold.a0.ann", "{go=>goes:::error_type=R:VERB:SVA}", "go")
    assert back.endswith("S She go home\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n")


def lines_of(path: Path, name: str) -> tuple[list[str], list[str]]:
    """Return the lines of the edits in files that no export wrote, without their last fields, and what is said."""
    text, notes = imported(path, name)
    return [line.rsplit("|||", 3)[0] for line in text.split("\n") if line.startswith("A")], notes


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
