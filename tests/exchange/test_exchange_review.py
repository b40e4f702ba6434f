"""What the review page saves, read: decisions, and files that nobody's page wrote."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.m2tools.convert import convert_m2
from jperrant.reporting.html.review import review
from tests.exchange_files import HARD, ODD

GOLD = """\
S This are gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0

"""
EDIT = {"by": [0], "status": "accepted", "start": 1, "end": 2, "type": "R:VERB:SVA", "correction": ["is"]}


def saved(text: str, folder: Path, **options: Any) -> dict[str, Any]:
    """Return what the page of an M2 file saves if nobody does anything."""
    (folder / "gold.m2").write_bytes(text.encode())
    page = review(folder / "gold.m2", **options).html
    block = re.search(r'<script type="application/json" id="data-review">(.*?)</script>', page)
    assert block is not None
    record = json.loads(block[1])
    assert isinstance(record, dict)
    return record


def imported(
    record: Any, folder: Path, format: str = "review", **options: Any
) -> tuple[str, tuple[str, ...]]:
    file = folder / "gold.review.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    done = convert_m2(str(file), str(folder / "out.m2"), format, "m2", **options)
    return (folder / "out.m2").read_bytes().decode(), done.notes


@pytest.mark.parametrize("text", [HARD, ODD, GOLD])
def test_a_review_of_nothing_is_the_file(text: str, tmp_path: Path) -> None:
    back, notes = imported(saved(text, tmp_path), tmp_path)
    assert back == text
    assert all("nobody decided" in note for note in notes)


def test_what_is_not_decided_is_counted(tmp_path: Path) -> None:
    record = saved(GOLD, tmp_path)
    _, [note] = imported(record, tmp_path)
    assert "sentence 1" in note
    assert "2 times" in note
    record["sentences"][0]["edits"] = [EDIT, {**EDIT, "start": 2, "end": 3, "status": "rejected"}]
    text, notes = imported(record, tmp_path)
    assert text == "\n".join(GOLD.split("\n")[:2]) + "\n\n"
    assert notes == ()


def test_one_version_needs_all_decisions(tmp_path: Path) -> None:
    two = GOLD[:-1] + "A 1 2|||R:VERB|||was|||REQUIRED|||-NONE-|||1\n\n"
    record = saved(two, tmp_path, adjudicate=True)
    was = {**EDIT, "by": [1], "correction": ["was"], "status": "rejected"}
    spell = {**EDIT, "start": 2, "end": 3, "correction": ["grammatical"], "type": "R:SPELL"}
    record["sentences"][0]["edits"] = [EDIT, {**spell, "status": "open"}, was]
    text, [note] = imported(record, tmp_path)
    assert text == two
    assert "nobody decided" in note
    record["sentences"][0]["edits"][1] = spell
    assert imported(record, tmp_path) == (GOLD, ())


@pytest.mark.parametrize(
    ("first", "second"),
    [(["p", "q"], ["q", "p"]), (["x", "x"], ["x"])],
    ids=["another order", "another number"],
)
def test_versions_of_another_order_or_number_are_not_agreed(
    first: list[str], second: list[str], tmp_path: Path
) -> None:
    versions = enumerate((first, second))
    lines = [f"A 1 1|||M:A|||{c}|||REQUIRED|||-NONE-|||{n}\n" for n, own in versions for c in own]
    text = f"S a b\n{''.join(lines)}\n"
    back, [note] = imported(saved(text, tmp_path, adjudicate=True), tmp_path)
    assert back == text
    assert "nobody decided" in note


@pytest.mark.parametrize("adjudicate", [True, False])
def test_edits_at_one_place_stay_in_the_order_that_people_gave_them(adjudicate: bool, tmp_path: Path) -> None:
    lines = [f"A 1 1|||M:A|||{c}|||REQUIRED|||-NONE-|||0\n" for c in "pq"]
    record = saved(f"S a b\n{''.join(lines)}\n", tmp_path, adjudicate=adjudicate)
    one = {**EDIT, "start": 1, "end": 1, "type": "M:A"}
    record["sentences"][0]["edits"] = [{**one, "correction": ["new"]}, {**one, "correction": ["p"]}]
    assert [line.split("|||")[2] for line in imported(record, tmp_path)[0].split("\n")[1:3]] == ["new", "p"]


def test_a_comment_decides_nothing_about_what_nobody_annotated(tmp_path: Path) -> None:
    record = saved("S a b\n\n", tmp_path, adjudicate=True)
    record["sentences"][0] |= {"edits": [], "comment": "why?"}
    back, [note] = imported(record, tmp_path)
    assert back == "S a b\n\n"
    assert "comment" in note


def first_edit(**fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda record: record["sentences"][0].update({"edits": [{**EDIT, **fields}]})


def hide(record: dict[str, Any], text: str) -> None:
    """Put a text into the file that is not that of its annotations, with the checksum that fits."""
    record["sentences"][0]["text"] = text
    record["sha256"] = hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record.update(format="other"), "jperrant-review"),
        (lambda record: record.update(version=2), "version: found '2', expected 1"),
        (lambda record: record.update(task="win"), "task: found 'win'"),
        (lambda record: record.update(m2=3), "m2: found '3'"),
        (lambda record: record.update(sentences={}), "sentences: found"),
        (lambda record: record.update(sentences=[1]), "sentences.1: found"),
        (lambda record: record.update(sha256="0" * 64), "checksum"),
        (lambda record: record["sentences"][0]["source"].append("more"), "checksum"),
        (lambda record: record["sentences"][0].update(source=3), "sentences.1.source: found"),
        (lambda record: record["sentences"][0].pop("annotations"), "annotations"),
        (lambda record: record["sentences"][0].update(text="S other\n\n"), "checksum"),
        (lambda record: hide(record, "S other\n\n"), "sentence 1 of 'gold' differs"),
        (lambda record: hide(record, GOLD + "S more\n\n"), "as many sentences"),
        (lambda record: record["sentences"][0].update(comment=[]), "sentences.1.comment: found"),
        (lambda record: record["sentences"][0].update(edits={}), "sentences.1.edits: found"),
        (lambda record: record["sentences"][0].update(edits=[3]), "sentences.1.edits.1: found"),
        (first_edit(status="maybe"), "status: found 'maybe'"),
        (first_edit(by=[]), "by: found"),
        (first_edit(by=[-1]), "by.1: found"),
        (first_edit(by=[True]), "by.1: found"),
        (first_edit(start=True), "start: found 'True'"),
        (first_edit(end=6), "sentence 1: edit 1 6 reaches outside"),
        (first_edit(start=3), "sentence 1: edit 3 2 reaches outside"),
        (first_edit(type=None), "type: found 'None'"),
        (first_edit(type="R:A|||B"), "R:A"),
        (first_edit(type="R:A\nS x"), "R:A"),
        (first_edit(correction="is"), "correction: found 'is'"),
        (first_edit(correction=["is", 3]), "correction.2: found '3'"),
        (first_edit(correction=["i s"]), "white space"),
        (first_edit(correction=["a|||b"]), r"\|\|\|"),
        (first_edit(correction=["\ud800"]), "not JSON"),
        (first_edit(correction=None), "no correction"),
        (first_edit(alternatives=[["a", ""]]), "white space"),
        (first_edit(covered=["was"]), "covers 'are'"),
    ],
)
def test_files_that_no_page_saved_are_refused(
    change: Callable[[dict[str, Any]], object], message: str, tmp_path: Path
) -> None:
    record = saved(GOLD, tmp_path)
    change(record)
    with pytest.raises(InputError, match=message):
        imported(record, tmp_path)
    assert not (tmp_path / "out.m2").exists()


def test_what_is_doubtful_is_counted(tmp_path: Path) -> None:
    record = saved(GOLD, tmp_path)
    first_edit(start=1, end=3, type="R:SPELLING")(record)
    record["sentences"][0]["edits"].append({**EDIT, "start": 2, "end": 4})
    _, notes = imported(record, tmp_path, lang="en")
    assert any("R:SPELLING" in note and "not a type of the pack" in note for note in notes)
    assert any("overlaps" in note for note in notes)


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text(GOLD, encoding="utf-8")
    gold, page = str(tmp_path / "gold.m2"), str(tmp_path / "review.html")

    def exit_code(*arguments: str) -> int:
        return CliRunner().invoke(app, ["review", *arguments]).exit_code

    assert exit_code(gold, "-o", page, "--lang", "en") == 0
    assert "subject" in (tmp_path / "review.html").read_text(encoding="utf-8").lower()
    assert isinstance(CliRunner().invoke(app, ["review", gold, "-o", gold]).exception, UsageError)
    (tmp_path / "empty.m2").write_text("", encoding="utf-8")
    for arguments in (["empty.m2"], ["gold.m2", "--lang", "xx-none"], ["gold.m2", "--pack", "nowhere"]):
        failed = CliRunner().invoke(app, ["review", str(tmp_path / arguments[0]), *arguments[1:]])
        assert isinstance(failed.exception, InputError), arguments


def test_the_m2_of_cherrant_is_refused_with_the_command_that_converts_it(tmp_path: Path) -> None:
    text = "S 我 去 了 了\nT0-A0 我 去 了\nA 3 4|||R|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    (tmp_path / "zh.m2").write_text(text, encoding="utf-8")
    message = r"zh\.m2:2: found ChERRANT's T line; .* convert FILE OUT.m2 --from cherrant"
    with pytest.raises(FormatError, match=message):
        review(tmp_path / "zh.m2", lang="zh")
    with pytest.raises(FormatError, match=message):
        convert_m2(tmp_path / "zh.m2", tmp_path / "out", "m2", "brat")
    convert_m2(tmp_path / "zh.m2", tmp_path / "out.m2", "cherrant", "m2")
    assert review(tmp_path / "out.m2", lang="zh").sentences == 1
