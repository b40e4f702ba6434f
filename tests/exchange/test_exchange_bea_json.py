"""JSON lines of the BEA-2019 shared task: essays with character offsets, as W&I and FCE have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus
from jperrant.exchange.bea_json import BeaJsonFormat
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.marks import Document
from tests.exchange_files import texts_of


def write(folder: Path, *records: Any) -> str:
    """Return the name of a file of records."""
    path = folder / "x.jsonl"
    path.write_text(
        "".join([json.dumps(record, ensure_ascii=False) + "\n" for record in records]), encoding="utf-8"
    )
    return str(path)


def test_essays_of_two_annotators(tmp_path: Path) -> None:
    essay = {
        "id": "1-7",
        "userid": "u",
        "cefr": "A2.i",
        "text": "My town is a medium size city.\nI likes\u00a0it😀 a lot",
        "edits": [
            [0, [[13, 24, "medium-sized"], [33, 38, "like"], [39, 42, None], [48, 48, " ."]]],
            [2, [[33, 38, "like", "AGV"], [43, 44, ""]]],
        ],
    }
    path, findings = write(tmp_path, essay, {"text": "Nobody looked ."}), Findings()
    blocks = [block for block, _ in Collector(findings=findings).blocks(texts_of(BeaJsonFormat(), path))]
    assert [" ".join(b.source) for b in blocks] == [
        "My town is a medium size city.",
        "I likes it😀 a lot",
        "Nobody looked .",
    ]
    assert [[(e.start, e.end, e.correction, e.type) for e in a.edits] for a in blocks[1].annotations] == [
        [(1, 2, ("like",), "R:OTHER"), (2, 3, None, "UNK"), (5, 5, (".",), "M:OTHER")],
        [(1, 2, ("like",), "AGV"), (3, 4, (), "U:OTHER")],
    ]
    assert blocks[0].annotations[1].edits == ()
    assert blocks[2].annotations == ()
    assert "keys of an essay that M2 cannot hold, left out: cefr, userid" in findings.counts


def test_what_is_written_is_what_the_task_reads() -> None:
    edits = (
        Edit(1, 1, ("the",), "M:DET"),
        Edit(1, 2, (), "U:X"),
        Edit(2, 2, (".",), "M:P"),
        Edit(2, 2, None, "UNK"),
    )
    blocks = (Block(("a",)), Block(("b", "c"), (Annotation(0, edits), Annotation(4))))
    [content] = BeaJsonFormat().export(Corpus((Document("d", blocks),))).values()
    assert json.loads("".join(content)) == {
        "id": "d",
        "text": "a\nb c",
        "edits": [
            [0, [[4, 4, "the ", "M:DET"], [4, 5, "", "U:X"], [5, 5, " .", "M:P"], [5, 5, None, "UNK"]]],
            [4, []],
        ],
    }


def test_alternatives_stay_and_types_need_not_be_there(tmp_path: Path) -> None:
    edits = (Edit(1, 2, ("x",), "R:X", alternatives=(("y",), ())),)
    blocks = (Block(("b", "c"), (Annotation(0, edits),)),)
    [content] = BeaJsonFormat().export(Corpus((Document("d", blocks),))).values()
    record = json.loads("".join(content))
    assert record["edits"] == [[0, [[2, 3, "x", "R:X", ["y", ""]]]]]
    record["edits"] = [[0, [[0, 1, None], [2, 3, "x", None, ["y", ""]]]]]  # as W&I has no types
    [(block, _)] = Collector().blocks(texts_of(BeaJsonFormat(), write(tmp_path, record)))
    assert block.annotations[0].edits == (
        Edit(0, 1, None, "UNK"),
        Edit(1, 2, ("x",), "R:OTHER", alternatives=(("y",), ())),
    )


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (["a"], "an essay"),
        ({"id": 1, "text": "a", "edits": [[0]]}, "edits.1.2: found none"),
        ({"text": "a", "edits": {}}, "edits: found .* expected a valid list"),
        ({"text": "a", "edits": [[0, [[0, 1]]]]}, "edits.1.2.1.3: found none"),
        ({"text": "a", "edits": [[0, [[0, 1, "b"], ["0", 1, "b"]]]]}, "edits.1.2.2.1: found '0'"),
        ({"text": "a", "edits": [[0, [[0, 1, 7]]]]}, "edits.1.2.1.3: found '7'"),
        ({"text": "a", "edits": [[0, [[1, 0, "b"]]]]}, "line 2, edit 1: 1 to 0 lies outside"),
    ],
)
def test_broken_records_name_file_and_line(record: Any, problem: str, tmp_path: Path) -> None:
    path = write(tmp_path, {"text": "fine .", "edits": []}, record)
    with pytest.raises(FormatError, match=problem) as raised:
        list(texts_of(BeaJsonFormat(), path))
    assert raised.value.file == path
    assert "line 2" in problem or raised.value.line == 2


@pytest.mark.parametrize(
    "line",
    ['{"text"', "[" * 100_000, '{"text": "a", "id": 1' + "0" * 5000 + "}"],
    ids=["half", "nested", "digits"],
)
def test_what_is_not_json_names_file_and_line(line: str, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(f'{{"text": "a", "edits": []}}\n\n{line}\n')
    with pytest.raises(FormatError, match="JSON") as raised:
        list(texts_of(BeaJsonFormat(), str(tmp_path / "x.jsonl")))
    assert raised.value.line == 3
