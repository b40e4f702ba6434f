"""SVALA's graph: edges as edits, moves, insertions beside deletions, what is wrong in a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypeAlias

import pytest

from jperrant.core.values import Annotation, Block, Edit
from tests.exchange_files import svala_graph, text_of, written

#: Start, covered text, type and correction of a region.
Read: TypeAlias = tuple[int, str, str, str | None]
MOVED = "an edge that moves tokens, read as a deletion and an insertion"
JOINED = "edges that cross joined to one edit"
#: What an edge is, the two texts, the edges, and what is read: regions and remarks.
EDGES: dict[str, tuple[str, str, list[tuple[str, str]], list[Read], tuple[str, ...]]] = {
    # The editor's own example, in which tokens are unchanged, changed, split, put in and taken out.
    "He get_to_cleaned//He got_to_clean": (
        "He get to cleaned alot of of", "Yesterday He got to clean a lot of",
        [("t0", "M"), ("s0 t1", ""), ("s1 t2", "F V"), ("s2 t3", ""), ("s3 t4", "F"), ("s4 t5 t6", "O"),
         ("s5 t7", ""), ("s6", "U")],
        [(0, "", "M", "Yesterday"), (3, "get", "F+V", "got"), (10, "cleaned", "F", "clean"),
         (18, "alot", "O", "a lot"), (26, "of", "U", "")], ()),
    "a word that moved over two words that did not change": (
        "if he it has", "if has he it", [("s0 t0", ""), ("s1 t2", ""), ("s2 t3", ""), ("s3 t1", "S-FinV")],
        [(3, "", "S-FinV", "has"), (9, "has", "S-FinV", "")], (MOVED,)),
    "of two words that change places the first is labelled": (
        "I now go", "I go now", [("s0 t0", ""), ("s1 t2", "L"), ("s2 t1", "")],
        [(2, "now", "L", ""), (8, "", "L", "now")], (MOVED,)),
    "of two words that change places the second is labelled": (
        "I now go", "I go now", [("s0 t0", ""), ("s1 t2", ""), ("s2 t1", "L")],
        [(2, "", "L", "go"), (6, "go", "L", "")], (MOVED,)),
    "edges of tokens apart that cross": (
        "a b c", "x b y", [("s0 s2 t0", "W"), ("s1 t1 t2", "V")],
        [(0, "a b c", "W+V", "x b y")], (JOINED,)),
    "an edge over tokens that lie apart takes what is between": (
        "a b c d", "x b y d", [("s0 s2 t0 t2", "W"), ("s1 t1", ""), ("s3 t3", "")],
        [(0, "a b c", "W", "x b y")], (JOINED,)),
    "a label on equal tokens, and tokens without an edge": (
        "a b", "a c", [("s0 t0", "UNK")],
        [(0, "a", "UNK", None), (2, "b", "U:OTHER", ""), (3, "", "M:OTHER", "c")], ()),
}  # fmt: skip


@pytest.mark.parametrize("what", EDGES)
@pytest.mark.parametrize("space", [" ", ""])
def test_edges_are_read_as_edits(what: str, space: str, tmp_path: Path) -> None:
    source, target, edges, expected, remarks = EDGES[what]
    record = svala_graph(source, target, *edges)
    for token in (*record["source"], *record["target"]):
        token["text"] = (
            token["text"].strip() + space
        )  # tokens are tokens without white space behind them, too
    marked = text_of("svala", tmp_path / "x.a0.json", json.dumps(record))
    assert marked.text == source
    assert [(r.start, marked.text[r.start : r.end], r.type, r.correction) for r in marked.regions] == expected
    assert marked.remarks == remarks


def test_what_is_written_is_a_graph_of_the_editor() -> None:
    edits = (Edit(0, 1, ("is",), "R:VERB+SVA"), Edit(2, 2, (".",), "M:PUNCT"), Edit(2, 2, None, "UNK"))
    assert json.loads(written("svala", Block(("are", "it"), (Annotation(1, edits),)))) == {
        "source": [{"id": "s0", "text": "are "}, {"id": "s1", "text": "it\n"}],
        "target": [{"id": "t0", "text": "is "}, {"id": "t1", "text": "it "}, {"id": "t2", "text": ".\n"}],
        "edges": {
            "e-s0-t0": {"id": "e-s0-t0", "ids": ["s0", "t0"], "labels": ["R:VERB", "SVA"], "manual": True},
            "e-s1-t1": {"id": "e-s1-t1", "ids": ["s1", "t1"], "labels": [], "manual": False},
            "e-t2": {"id": "e-t2", "ids": ["t2"], "labels": ["M:PUNCT"], "manual": True},
        },
        "comment": "also sentence 1, tokens 2 2 => UNK => (only marked)",
    }


def test_graphs_keep_the_invariants_of_the_editor() -> None:
    """What its ``check_invariant`` asks: ids once and in order, every token in one edge, no comments of edges."""
    twice = [Edit(0, 1, ("is",), "R:A+B", alternatives=(("was",),)), Edit(1, 1, ("new",), "M:X")]
    twice += [Edit(1, 3, (), "U:A+A"), Edit(2, 3, ("z",), "R:Y")]
    edits = (*twice, *[Edit(k, k + 1, (f"w{k}", "v"), "R:Z") for k in range(3, 12)])
    last = Block(("m",), (Annotation(0),))
    record = json.loads(
        written("svala", Block(tuple("abcdefghijkl"), (Annotation(0, edits),)), Block(()), last)
    )
    tokens = record["source"] + record["target"]
    assert all(re.fullmatch(r"\s*\S+\s+", token["text"]) for token in tokens)
    for name, edge in record["edges"].items():
        assert name == edge["id"] == "-".join(["e", *edge["ids"]])
        assert edge["ids"] == sorted(edge["ids"])
        assert sorted({*edge["labels"]}) == sorted(edge["labels"])
        assert "comment" not in edge
    in_edges = [id_ for edge in record["edges"].values() for id_ in edge["ids"]]
    assert sorted(in_edges) == sorted(token["id"] for token in tokens)
    comments = ["also sentence 1, tokens 0 1 => R:A+B => is||was", "also sentence 1, tokens 2 3 => R:Y => z"]
    assert record["comment"].split("\n") == comments
