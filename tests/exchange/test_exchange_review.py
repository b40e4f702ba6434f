"""What the review page saves, read: decisions, and files that nobody's page wrote."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jperrant.core.errors import FormatError, InputError
from jperrant.exchange.side_file import read_original
from jperrant.reporting.html.review import review, review_record
from tests import exchange_files
from tests.commands import printed, refused
from tests.exchange_files import EXAMPLE, HARD, ODD, exported

GOLD = EXAMPLE.replace("A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0\n", "")
EDIT = {"by": [0], "status": "accepted", "start": 1, "end": 2, "type": "R:VERB:SVA", "correction": ["is"]}
SPELL = {**EDIT, "start": 2, "end": 3, "type": "R:SPELL", "correction": ["grammatical"]}


def saved(text: str, folder: Path, adjudicate: bool = False) -> dict[str, Any]:
    """Return what the page of an M2 file saves if nobody does anything."""
    (folder / "gold.m2").write_bytes(text.encode())
    return review_record(read_original(str(folder / "gold.m2")), "gold.m2", adjudicate)


def imported(record: Any, folder: Path, **options: Any) -> tuple[str, list[str]]:
    (folder / "gold.review.json").write_text(json.dumps(record), encoding="utf-8")
    return exchange_files.imported(folder / "gold.review.json", "review", **options)


@pytest.mark.parametrize("text", [HARD, ODD, GOLD])
def test_a_review_of_nothing_is_the_file(text: str, tmp_path: Path) -> None:
    record = saved(text, tmp_path)
    held = re.search(r'id="data-review">(.*?)</script>', review(tmp_path / "gold.m2").html)
    assert held is not None
    assert json.loads(held[1]) == record
    back, notes = imported(record, tmp_path)
    assert back == text
    assert all("nobody decided" in note for note in notes)


def test_what_is_not_decided_is_counted(tmp_path: Path) -> None:
    record = saved(GOLD, tmp_path)
    _, [note] = imported(record, tmp_path)
    assert "sentence 1: an edit that nobody decided, left as it was (2 times" in note
    record["sentences"][0]["edits"] = [EDIT, {**SPELL, "status": "rejected"}]
    assert imported(record, tmp_path) == ("\n".join(GOLD.split("\n")[:2]) + "\n\n", [])


def test_one_version_needs_all_decisions(tmp_path: Path) -> None:
    two = GOLD[:-1] + "A 1 2|||R:VERB|||was|||REQUIRED|||-NONE-|||1\n\n"
    record = saved(two, tmp_path, adjudicate=True)
    was = {**EDIT, "by": [1], "correction": ["was"], "status": "rejected"}
    record["sentences"][0]["edits"] = [EDIT, {**SPELL, "status": "open"}, was]
    text, [note] = imported(record, tmp_path)
    assert text == two
    assert "nobody decided" in note
    record["sentences"][0]["edits"][1] = SPELL
    assert imported(record, tmp_path) == (GOLD, [])


def inserted(corrections: str, annotator: int) -> str:
    """Return lines of insertions at one place, a letter each."""
    return "".join([f"A 1 1|||M:A|||{c}|||REQUIRED|||-NONE-|||{annotator}\n" for c in corrections])


@pytest.mark.parametrize(("first", "second"), [("pq", "qp"), ("xx", "x")])
def test_versions_of_another_order_or_number_are_not_agreed(first: str, second: str, tmp_path: Path) -> None:
    text = f"S a b\n{inserted(first, 0)}{inserted(second, 1)}\n"
    back, [note] = imported(saved(text, tmp_path, adjudicate=True), tmp_path)
    assert back == text
    assert "nobody decided" in note


@pytest.mark.parametrize("adjudicate", [True, False])
def test_edits_at_one_place_stay_in_the_order_that_people_gave_them(adjudicate: bool, tmp_path: Path) -> None:
    record = saved(f"S a b\n{inserted('pq', 0)}\n", tmp_path, adjudicate)
    one = {**EDIT, "start": 1, "end": 1, "type": "M:A"}
    record["sentences"][0]["edits"] = [{**one, "correction": ["n"]}, {**one, "correction": ["p"]}]
    assert imported(record, tmp_path)[0] == f"S a b\n{inserted('np', 0)}\n"


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
        (lambda record: record.update(sentences=[1]), "sentences.1: found"),
        (lambda record: record["sentences"][0]["source"].append("more"), "checksum"),
        (lambda record: record["sentences"][0].pop("annotations"), "annotations: missing"),
        (lambda record: hide(record, "S other\n\n"), "sentence 1 of 'gold' differs"),
        (lambda record: hide(record, GOLD + "S more\n\n"), "more or fewer sentences"),
        (first_edit(status="maybe"), "status: found 'maybe'"),
        (first_edit(by=[]), "by: found"),
        (first_edit(by=[-1]), "by.1: found"),
        (first_edit(by=[True]), "by.1: found"),
        (first_edit(end=6), "sentence 1: edit 1 6 reaches outside"),
        (first_edit(start=3), "sentence 1: edit 3 2 reaches outside"),
        (first_edit(type="R:A\nS x"), "R:A"),
        (first_edit(correction=["is", 3]), "correction.2: found '3'"),
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
    assert not (tmp_path / "back.m2").exists()


def test_the_command(tmp_path: Path) -> None:
    gold, page, empty = [tmp_path / name for name in ("gold.m2", "review.html", "empty.m2")]
    gold.write_text(GOLD, encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    printed("review", gold, "-o", page, "--lang", "en")
    assert "subject" in page.read_text(encoding="utf-8").lower()
    for arguments in ([gold, "-o", gold], [empty], [gold, "--lang", "xx-none"], [gold, "--pack", "nowhere"]):
        refused("review", *arguments)
    assert gold.read_text(encoding="utf-8") == GOLD


def test_the_m2_of_cherrant_is_refused_with_the_command_that_converts_it(tmp_path: Path) -> None:
    text = "S 我 去 了 了\nT0-A0 我 去 了\nA 3 4|||R|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    message = r"gold\.m2:2: found ChERRANT's T line; .* convert FILE OUT.m2 --from cherrant"
    with pytest.raises(FormatError, match=message):
        exported(text, "brat", tmp_path)
    with pytest.raises(FormatError, match=message):
        review(tmp_path / "gold.m2", lang="zh")
    converted = exchange_files.imported(tmp_path / "gold.m2", "cherrant")[0]
    assert review(tmp_path / "back.m2", lang="zh").sentences == converted.count("S ") == 1
