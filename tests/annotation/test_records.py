"""Strings and lists of strings in the place of sentences, from Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.annotator import parallels
from jperrant.annotation.noticed import Noticed, notes
from jperrant.core.edits import apply_edits
from jperrant.core.errors import UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Span
from jperrant.io.m2 import read_m2

CONLL = Path(__file__).parents[1] / "data" / "conll14"


@pytest.fixture(scope="module")
def annotator():
    return jperrant.load("generic", models="none")


SOURCE, TARGET, OTHER = sentence_of("a b c"), sentence_of("a x c"), sentence_of("a b")


@pytest.mark.parametrize(
    "record",
    [
        ("a b c", ["a x c", "a b"]), ["a b c", ("a x c", "a b")], (SOURCE, ["a x c", OTHER]),
        (SOURCE, (TARGET, OTHER)), Parallel(SOURCE, (TARGET, OTHER)),
    ],
)  # fmt: skip
def test_all_forms_of_a_record_are_the_same(annotator, record):
    [block] = annotator.annotate_many([record])
    [expected] = annotator.annotate_many([Parallel(SOURCE, (TARGET, OTHER))])
    assert block == expected
    assert [len(a.edits) for a in block.annotations] == [1, 1]


def test_pairs_of_strings_are_read_as_a_stream(annotator):
    def pairs():
        for n in range(1000):
            taken.append(n)
            yield f"a {n}", f"b {n}"

    taken: list[int] = []
    blocks = annotator.annotate_many(pairs(), batch=10)
    assert [next(blocks).source for _ in range(3)] == [("a", "0"), ("a", "1"), ("a", "2")]
    assert len(taken) == 10
    assert [b.source for b in annotator.annotate_many(zip(["a"], ["b"], strict=True))] == [("a",)]


@pytest.mark.parametrize("batch", [0, -1])
def test_a_batch_holds_at_least_one_record(annotator, batch):
    with pytest.raises(UsageError, match=f"batch size {batch}, expected 1 to 1,000,000"):
        list(annotator.annotate_many([("a", "b")], batch=batch))
    record = Parallel(SOURCE, (TARGET,)), [(Span(1, 2, 1, 2),)]
    with pytest.raises(UsageError, match=f"batch size {batch}, expected 1 to 1,000,000"):
        list(annotator.classify_many([record], batch=batch))


def test_annotate_takes_texts(annotator):
    edits = annotator.annotate("a b c", "a x c")
    assert edits == annotator.annotate(annotator.parse("a b c"), annotator.parse("a x c"))
    assert edits == annotator.annotate("a b c", annotator.parse("a x c"))
    assert [(e.start, e.end, e.correction) for e in edits] == [(1, 2, ("x",))]


def test_annotate_segments_texts_like_annotate_many():
    characters = jperrant.load("zh", models="none", tokens="characters")
    [block] = characters.annotate_many([("我 有三书。", "我有三本书。")])
    assert characters.annotate("我 有三书。", "我有三本书。") == block.annotations[0].edits != ()


@pytest.mark.parametrize(
    ("records", "parts"),
    [
        (["a b"], ["record 1", "string"]),
        ([("a", "b"), ("a",)], ["record 2", "tuple of 1"]),
        ([("a", "b", "c")], ["record 1", "tuple of 3"]),
        ([("a", None)], ["record 1", "NoneType"]),
        ([("a", ["b", 3])], ["record 1", "int"]),
        ([(b"a", "b")], ["record 1", "bytes"]),
        ([7], ["record 1", "int"]),
        ("a b", ["string", "list"]),
        (Parallel(SOURCE, (TARGET,)), ["Parallel", "list"]),
    ],
)
def test_anything_else_is_one_line_that_names_the_record(records, parts):
    with pytest.raises(UsageError) as caught:
        list(parallels(records))
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


def test_edits_of_an_alignment_block_by_block_are_marked(annotator, monkeypatch):
    source, target = "a b c d e f g h", "x b c y e f z h"
    expected = annotator.annotate(source, target)
    assert {edit.detail for edit in expected} == {""}
    monkeypatch.setattr("jperrant.alignment.tokens.MOST_CELLS", 1)
    marked = annotator.annotate(source, target)
    [block] = annotator.annotate_many([(source, target)])
    assert block.annotations[0].edits == marked
    assert {edit.detail for edit in marked} == {"aligned block by block"}
    assert [replace(edit, detail="") for edit in marked] == list(expected)
    noticed = Noticed()
    assert list(noticed.watch([block, block])) == [block, block]
    assert "2 sentences" in notes(noticed.blockwise, noticed.recoded)[0]
    assert notes(0, 0) == []


def test_edits_that_only_encode_characters_otherwise_are_counted(annotator):
    noticed = Noticed()
    list(noticed.watch(annotator.annotate_many([("e\u0301 a", "e\u0301 b"), ("\u00e9 a", "e b")])))
    assert noticed.recoded == 0
    list(noticed.watch(annotator.annotate_many([("cafe\u0301 b e\u0301", "caf\u00e9 c \u00e9")])))
    assert noticed.recoded == 2
    assert "2 edits change nothing but how characters are encoded" in notes(0, noticed.recoded)[0]


def problem_of(annotator, pairs):
    noticed = Noticed()
    list(noticed.watch(annotator.annotate_many(pairs)))
    return noticed.step.problem


def test_corrections_in_the_wrong_lines_are_noticed(annotator):
    blocks = list(read_m2(str(CONLL / "conll14-AMU.errant")))[:120]
    sources = [" ".join(block.source) for block in blocks]
    corrected = [" ".join(apply_edits(b.source, b.annotations[0].edits)) for b in blocks]
    assert problem_of(annotator, list(zip(sources, corrected, strict=True))) == ""
    moved = [*corrected[:30], "This line is in one file only .", *corrected[30:-1]]
    pairs = list(zip(sources, moved, strict=True))
    assert "from sentence 31 on" in problem_of(annotator, pairs)
    assert "from sentence 31 on" in problem_of(
        annotator, [(a, [b, c]) for a, b, c in zip(sources, corrected, moved, strict=True)]
    )
    assert problem_of(annotator, pairs[:37]) == "", "seven in a row may have been written anew"
    assert "5 sentences share few words" in problem_of(annotator, pairs[40:45]), "all of a short text"
    assert problem_of(annotator, [("", ""), ("a b", "c d"), ("a b c d", "e f g h"), ("", "x y z w")]) == ""
