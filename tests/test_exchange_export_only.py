"""doccano and Prodigy: what they can hold is written, what they cannot is said, and nothing is read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jperrant.core.errors import UsageError
from jperrant.exchange.registry import make_format
from jperrant.m2tools.exchange import export_m2, import_m2

GOLD = """\
S 😀 are gramamtical
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 3 3|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 2 3|||UNK|||-NONE-|||REQUIRED|||-NONE-|||1

S

S ok
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
"""


def exported(name: str, folder: Path, **options: Any) -> tuple[list[Any], tuple[str, ...]]:
    """Return the records that are written, and what is said."""
    (folder / "gold.m2").write_text(GOLD, encoding="utf-8")
    done = export_m2(str(folder / "gold.m2"), name, str(folder / "out.jsonl"), **options)
    lines = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines], done.notes


def test_doccano(tmp_path: Path) -> None:
    records, notes = exported("doccano", tmp_path)
    assert records[0] == {
        "text": "😀 are gramamtical",
        "label": [[2, 5, "R:VERB:SVA"], [6, 17, "M:DET"], [6, 17, "M:PUNCT"]],
        "corrections": ["are → is", "before gramamtical → a", "after gramamtical → ."],
        "document": "gold",
        "sentence": 1,
        "annotator": 0,
    }
    assert [(r["sentence"], r["annotator"], r["label"]) for r in records[1:]] == [
        (1, 1, [[6, 17, "UNK"]]),
        (3, 1, []),
    ]
    assert any("cannot be changed there" in note for note in notes)


def test_doccano_counts_as_javascript_where_asked(tmp_path: Path) -> None:
    records, _ = exported("doccano", tmp_path, utf16=True)
    assert records[0]["label"][0] == [3, 6, "R:VERB:SVA"]


def test_prodigy(tmp_path: Path) -> None:
    records, notes = exported("prodigy", tmp_path)
    assert records[0]["tokens"][1:] == [
        {"text": "are", "start": 2, "end": 5, "id": 1, "ws": True},
        {"text": "gramamtical", "start": 6, "end": 17, "id": 2, "ws": False},
    ]
    assert records[0]["spans"][:2] == [
        {"start": 2, "end": 5, "token_start": 1, "token_end": 1, "label": "R:VERB:SVA", "correction": "is"},
        {
            "start": 6,
            "end": 17,
            "token_start": 2,
            "token_end": 2,
            "label": "M:DET",
            "correction": "a",
            "place": "before",
        },
    ]
    assert records[1]["spans"][0]["correction"] is None
    assert any("cannot be changed there" in note for note in notes)


@pytest.mark.parametrize("name", ["doccano", "prodigy"])
def test_nothing_is_read_back(name: str, tmp_path: Path) -> None:
    assert not make_format(name).can_import
    exported(name, tmp_path)
    with pytest.raises(UsageError, match=f"'{name}' can only be exported"):
        import_m2(str(tmp_path / "out.jsonl"), name, str(tmp_path / "back.m2"))


@pytest.mark.parametrize("name", ["doccano", "prodigy"])
def test_what_cannot_be_imported_has_no_side_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported(name, tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["gold.m2", "out.jsonl"]
    notes = export_m2(str(tmp_path / "gold.m2"), name, "-").notes
    assert not any("side file" in note for note in notes)
    assert capsys.readouterr().out == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
