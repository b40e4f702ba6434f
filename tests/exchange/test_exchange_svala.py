"""SVALA's graph: edges as edits, moves, insertions beside deletions, what is wrong in a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus
from jperrant.exchange.marks import Document, MarkedText
from jperrant.exchange.svala import SvalaFormat
from tests.exchange_files import svala_graph, text_of, written


def read(folder: Path, record: Any) -> MarkedText:
    """Return what is read of a graph."""
    return text_of("svala", folder / "x.a0.json", json.dumps(record))


def regions(marked: MarkedText) -> list[tuple[int, str, str, str | None]]:
    """Return start, covered text, type and correction of each region."""
    return [(r.start, marked.text[r.start : r.end], r.type, r.correction) for r in marked.regions]


def test_the_example_of_the_editor(tmp_path: Path) -> None:
    """``He get_to_cleaned//He got_to_clean``: tokens that are unchanged, changed, split, put in and taken out."""
    record = svala_graph(
        "He get to cleaned alot of of",
        "Yesterday He got to clean a lot of",
        ("t0", "M"), ("s0 t1", ""), ("s1 t2", "F V"), ("s2 t3", ""), ("s3 t4", "F"), ("s4 t5 t6", "O"),
        ("s5 t7", ""), ("s6", "U")
    )  # fmt: skip
    assert regions(read(tmp_path, record)) == [
        (0, "", "M", "Yesterday"),
        (3, "get", "F+V", "got"),
        (10, "cleaned", "F", "clean"),
        (18, "alot", "O", "a lot"),
        (26, "of", "U", ""),
    ]


def test_a_word_that_was_moved_is_taken_out_and_put_in(tmp_path: Path) -> None:
    # "if he it has" → "if has he it": has was moved over two words that did not change.
    record = svala_graph(
        "if he it has", "if has he it", ("s0 t0", ""), ("s1 t2", ""), ("s2 t3", ""), ("s3 t1", "S-FinV")
    )
    marked = read(tmp_path, record)
    assert regions(marked) == [(3, "", "S-FinV", "has"), (9, "has", "S-FinV", "")]
    assert marked.remarks == ("an edge that moves tokens, read as a deletion and an insertion",)


def test_of_two_words_that_change_places_the_labelled_one_moved(tmp_path: Path) -> None:
    for first, second, moved in (("L", "", "now"), ("", "L", "go")):
        record = svala_graph("I now go", "I go now", ("s0 t0", ""), ("s1 t2", first), ("s2 t1", second))
        assert sorted(region[1:] for region in regions(read(tmp_path, record))) == [
            ("", "L", moved),
            (moved, "L", ""),
        ]


def test_edges_of_tokens_apart_that_cross_are_one_edit(tmp_path: Path) -> None:
    record = svala_graph("a b c", "x b y", ("s0 s2 t0", "W"), ("s1 t1 t2", "V"))
    marked = read(tmp_path, record)
    assert regions(marked) == [(0, "a b c", "W+V", "x b y")]
    assert marked.remarks == ("edges that cross joined to one edit",)


def test_an_edge_over_tokens_that_lie_apart_takes_what_is_between(tmp_path: Path) -> None:
    record = svala_graph("a b c d", "x b y d", ("s0 s2 t0 t2", "W"), ("s1 t1", ""), ("s3 t3", ""))
    assert regions(read(tmp_path, record)) == [(0, "a b c", "W", "x b y")]


def test_tokens_without_white_space_behind_them_are_tokens(tmp_path: Path) -> None:
    record = svala_graph("I like apples", "I like pears", ("s0 t0", ""), ("s1 t1", ""), ("s2 t2", "R"))
    for token in (*record["source"], *record["target"]):
        token["text"] = token["text"].strip()
    marked = read(tmp_path, record)
    assert (marked.text, regions(marked)) == ("I like apples", [(7, "apples", "R", "pears")])


def test_labels_on_equal_tokens_only_mark_and_tokens_without_an_edge_are_changes(tmp_path: Path) -> None:
    record = svala_graph("a b", "a c", ("s0 t0", "UNK"))
    assert regions(read(tmp_path, record)) == [
        (0, "a", "UNK", None),
        (2, "b", "U:OTHER", ""),
        (3, "", "M:OTHER", "c"),
    ]


def test_what_is_written_is_a_graph_of_the_editor() -> None:
    edits = (Edit(0, 1, ("is",), "R:VERB+SVA"), Edit(2, 2, (".",), "M:PUNCT"), Edit(2, 2, None, "UNK"))
    block = Block(("are", "it"), (Annotation(1, edits),))
    [(name, content)] = SvalaFormat().export(Corpus((Document("d", (block,)),))).items()
    assert name == "d.a1.json"
    assert json.loads("".join(content)) == {
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
    edits = (
        Edit(0, 1, ("is",), "R:A+B", alternatives=(("was",),)),
        Edit(1, 1, ("new",), "M:X"),
        Edit(1, 3, (), "U:A+A"),
        Edit(2, 3, ("z",), "R:Y"),
        *[Edit(k, k + 1, (f"w{k}", "v"), "R:Z") for k in range(3, 12)],
    )
    blocks = (
        Block(tuple("abcdefghijkl"), (Annotation(0, edits),)),
        Block(()),
        Block(("m",), (Annotation(0),)),
    )
    record = json.loads(written("svala", *blocks))
    tokens = [token for side in ("source", "target") for token in record[side]]
    assert [t["text"] for t in tokens if not re.fullmatch(r"\s*\S+\s+", t["text"])] == []
    edges = record["edges"]
    assert all(name == edge["id"] == "-".join(["e", *edge["ids"]]) for name, edge in edges.items())
    assert all(edge["ids"] == sorted(edge["ids"]) for edge in edges.values())
    assert all(
        len(edge["labels"]) == len({*edge["labels"]}) and "comment" not in edge for edge in edges.values()
    )
    assert sorted(id_ for edge in edges.values() for id_ in edge["ids"]) == sorted(t["id"] for t in tokens)
    assert record["comment"].split("\n") == [
        "also sentence 1, tokens 0 1 => R:A+B => is||was",
        "also sentence 1, tokens 2 3 => R:Y => z",
    ]
