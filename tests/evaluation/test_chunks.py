"""The chunk partition: the published code's cases, and laws that hold for any edits."""

from __future__ import annotations

import doctest
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.metrics.cleme import chunks as chunks_module
from jperrant.evaluation.metrics.cleme.chunks import (
    Chunks,
    Label,
    LabelledSentence,
    Partition,
    corrections_of,
    kept_references,
    label_dependent,
    label_independent,
    partition,
    types_of,
)
from jperrant.io.m2 import FormatDeviations, parse_m2
from tests.strategies import annotations

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
CASES = json.loads((CONLL14 / "chunk_cases.json").read_text(encoding="utf-8"))["cases"]


def read(text: str) -> Block:
    [block] = parse_m2(text.splitlines(), "case", FormatDeviations())
    return block


def cut(hyp: Block, ref: Block, distance: int = 0) -> Partition:
    [ours] = [corrections_of(hyp.source, a) for a in annotations_of(hyp)]
    theirs = [corrections_of(ref.source, a) for a in annotations_of(ref)]
    return partition(hyp.source, ours, kept_references(ref.source, theirs, False), distance)


def written(found: Partition, chunks: Chunks) -> list[dict[str, object]]:
    """Return chunks as the cases have them."""
    return [
        {"changed": False, "tokens": list(found.source[start:end])}
        if at is None
        else {"changed": chunks[at] is not None, "tokens": list(found.tokens(chunks, at))}
        for start, end, at in found.spans
    ]


def counted(sentence: LabelledSentence) -> dict[str, int]:
    labels = Counter(mark.label for mark in sentence.labels)
    names = {"tp": Label.TP, "fp_ne": Label.FP_NE, "fp_un": Label.FP_UN, "fn": Label.FN}
    return {**{name: labels[label] for name, label in names.items()}, "tn": sentence.tn}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case_of_the_published_code(case: dict[str, Any]) -> None:
    found = cut(read(case["hyp_m2"]), read(case["ref_m2"]), case["merge_distance"])
    assert [list(span[:2]) for span in found.spans] == case["spans"]
    assert [" ".join(found.corrected(r)) for r in found.references] == case["kept_references"]
    assert written(found, found.hypothesis) == case["hypothesis"]
    assert [written(found, r) for r in found.references] == case["references"]
    dependent = [counted(label_dependent(found, at)) for at in range(len(found.references))]
    assert dependent == case["dependent_per_reference"]
    assert counted(label_independent(found)) == case["independent"]


SOURCE = tuple("abcdef")


@st.composite
def sentences(draw: st.DrawFn) -> tuple[Block, Block, int]:
    hyp = Block(SOURCE, (draw(annotations(0, len(SOURCE))),))
    ref = Block(SOURCE, tuple(draw(annotations(n, len(SOURCE))) for n in range(draw(st.integers(1, 3)))))
    return hyp, ref, draw(st.integers(0, 2))


def brute_regions(edits: list[Edit], distance: int) -> list[tuple[int, int]]:
    """Merge any two spans that overlap or touch until none do."""
    spans = sorted({(e.start, e.end) for e in edits})
    while True:
        for left in spans:
            near = [
                s for s in spans if s != left and s[0] <= left[1] + distance and left[0] <= s[1] + distance
            ]
            if near:
                merged = min(left[0], near[0][0]), max(left[1], near[0][1])
                spans = sorted({*(s for s in spans if s not in (left, near[0])), merged})
                break
        else:
            return spans


@given(sentences())
def test_laws(drawn: tuple[Block, Block, int]) -> None:
    hyp, ref, distance = drawn
    rows = [corrections_of(SOURCE, a) for b in (hyp, ref) for a in b.annotations]
    found = partition(SOURCE, rows[0], rows[1:], distance)
    edits = [e for row in rows for e in row.edits]
    assert list(found.regions) == brute_regions(edits, distance)
    # The spans cover the source once, in order, and no stretch is empty or beside another.
    spans = found.spans
    assert [t for start, end, _ in spans for t in SOURCE[start:end]] == list(SOURCE)
    assert all(start < end for start, end, at in spans if at is None)
    assert len([1 for *_, at in spans if at is None]) == found.unchanged
    for chunks, block, number in [
        (found.hypothesis, hyp, 0),
        *((r, ref, n) for n, r in enumerate(found.references)),
    ]:
        assert found.corrected(chunks) == apply_edits(SOURCE, block.annotations[number].edits)
        own = {(e.start, e.end) for e in corrections_of(SOURCE, block.annotations[number]).edits}
        for (start, end), chunk in zip(found.regions, chunks, strict=True):
            assert (chunk is not None) == any(start <= s and e <= end for s, e in own)


@given(sentences())
def test_labels_are_those_of_the_definition(drawn: tuple[Block, Block, int]) -> None:
    hyp, ref, distance = drawn
    found = cut(hyp, ref, distance)
    for sentence in (
        *(label_dependent(found, at) for at in range(len(found.references))),
        label_independent(found),
    ):
        assert len(sentence.labels) + sentence.tn == len(found.spans)
        for mark in sentence.labels:
            assert types_of(sentence, mark)
            changed = found.hypothesis[mark.region] is not None
            assert changed == (mark.label is not Label.FN)


@given(sentences())
def test_one_reference_makes_assumptions_differ_only_where_edits_undo_one_another(
    drawn: tuple[Block, Block, int],
) -> None:
    hyp, ref, distance = drawn
    found = cut(hyp, Block(ref.source, ref.annotations[:1]), distance)
    undone = any(
        chunk is not None and chunk.tokens == SOURCE[start:end]
        for chunk, (start, end) in zip(found.references[0], found.regions, strict=True)
    )
    if not undone:
        assert counted(label_dependent(found, 0)) == counted(label_independent(found))


def test_edits_that_change_nothing_are_left_out() -> None:
    unknown, same = Edit(0, 1, None, "UNK"), Edit(1, 2, ("b",), "R:OTHER")
    real = Edit(2, 3, ("x",), "R:NOUN")
    found = corrections_of(SOURCE, Annotation(0, (unknown, same, real)))
    assert found.edits == (real,)
    assert found.ignored == 2


def test_edits_are_sorted_and_overlaps_refused() -> None:
    late, early = Edit(2, 3, ("Z", "Z"), "R:NOUN"), Edit(0, 1, (), "U:DET")
    assert corrections_of(SOURCE, Annotation(0, (late, early))).edits == (early, late)
    with pytest.raises(EditError, match=r"annotator 3: edit 2 4 overlaps the edit before it"):
        corrections_of(SOURCE, Annotation(3, (Edit(1, 3, ("x",), "R"), Edit(2, 4, ("y",), "R"))))
    with pytest.raises(EditError, match="edit 5 9 reaches outside a sentence of 6 tokens"):
        corrections_of(SOURCE, Annotation(0, (Edit(5, 9, ("x",), "R"),)))


def test_references_dropped() -> None:
    empty = Annotation(0, (Edit(0, 6, (), "U:OTHER"),))
    noop, real = Annotation(1), Annotation(2, (Edit(0, 1, ("x",), "R"),))
    every = [corrections_of(SOURCE, a) for a in (empty, noop, real)]
    assert [r.annotator for r in kept_references(SOURCE, every)] == [1, 2]
    assert [r.annotator for r in kept_references(SOURCE, every, exclude_unchanged=True)] == [2]
    assert [r.annotator for r in kept_references(SOURCE, every[:1])] == [0]
    assert [r.annotator for r in kept_references(SOURCE, [every[1]] * 2, True)] == [1], "the first stays"
    assert [r.annotator for r in kept_references(SOURCE, every[:2], True)] == [0], "nothing else is left"


def test_conll_references_alone() -> None:
    """Table 7 of Ye et al. (2023): 11,174 unchanged and 4,994 changed chunks."""
    unchanged = changed = 0
    lines = (CONLL14 / "conll14.errant").read_text(encoding="utf-8").splitlines()
    for block in parse_m2(lines, "conll14", FormatDeviations()):
        rows = [corrections_of(block.source, a) for a in block.annotations]
        found = partition(block.source, rows[0], rows[1:])
        for chunks in (found.hypothesis, *found.references):
            changed += sum(chunk is not None for chunk in chunks)
            unchanged += len(found.spans) - sum(chunk is not None for chunk in chunks)
    assert (unchanged, changed) == (11174, 4994)


def test_docstring() -> None:
    assert doctest.testmod(chunks_module).failed == 0
