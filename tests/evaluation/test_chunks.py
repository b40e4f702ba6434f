"""The chunk partition: the published code's cases and laws; chunk tables in each format and their command."""

from __future__ import annotations

import json
import re
import xml.dom.minidom
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation import explain
from jperrant.evaluation.explain import ChunkTable, chunk_tables
from jperrant.evaluation.metrics.base import Pair, annotations_of
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
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer
from jperrant.evaluation.metrics.score import evaluate
from jperrant.io.m2 import FormatDeviations, parse_m2
from jperrant.reporting.explanations import format_chunks
from tests.m2_cases import load_pairs
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


TABLE_SOURCE = ("a", "b", "<c>", "d_e", "f", "g", "h")


@pytest.fixture
def pair() -> Pair:
    """One sentence with a chunk of each kind: hit, wrong, over, under."""
    hyp = (Edit(0, 1, ("A",), "R"), Edit(2, 3, ("x", "|"), "R"), Edit(4, 5, (), "U"))
    ref = (Edit(0, 1, ("A",), "R"), Edit(2, 3, ("y",), "R"), Edit(6, 6, ("z",), "M"))
    annotations = (Annotation(0, ref), Annotation(2))
    return Pair([Block(TABLE_SOURCE, (Annotation(0, hyp),))], [Block(TABLE_SOURCE, annotations)], "sys & co")


def test_text(pair: Pair) -> None:
    [table] = chunk_tables(Cleme2Scorer(), pair)
    assert (
        format_chunks([table])
        == """\
sys & co, sentence 1: hit 0.3333 wrong 0.3333 under 0.3333 over 0.3333 score 0.5167
span  source  reference 0 *  reference 2  hypothesis  label
0-1   a       A                           A           TP
1-2   b                                               TN
2-3   <c>     y                           x |         FPne
3-4   d_e                                             TN
4-5   f                                   ∅           FPun
5-6   g                                               TN
6-6   ∅       z                                       FN
6-7   h                                               TN
an empty cell is as the source; * is the reference that counts
"""
    )


def test_labels_and_rows(pair: Pair) -> None:
    [table] = chunk_tables(Cleme2Scorer(), pair)
    assert [row.name for row in table.rows] == ["source", "reference 0", "reference 2", "hypothesis"]
    assert [row.chosen for row in table.rows] == [False, True, False, False]
    assert table.spans == ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 6), (6, 7))
    assert table.labels == ("TP", "TN", "FPne", "TN", "FPun", "TN", "FN", "TN")
    assert table.rows[3].cells == (("A",), ("b",), ("x", "|"), ("d_e",), (), ("g",), (), ("h",))
    assert table.weights == ()
    [table] = chunk_tables(Cleme2Scorer("independent", weights="length"), pair)
    assert not any(row.chosen for row in table.rows)
    assert len(table.weights) == len(table.labels)


@pytest.fixture(scope="module")
def amu(short_conll: Path) -> Pair:
    [pair] = load_pairs([str(short_conll / "conll14-AMU.errant")], str(short_conll / "conll14.errant"))
    return pair


@pytest.fixture(scope="module")
def tables(amu: Pair) -> list[ChunkTable]:
    return chunk_tables(Cleme2Scorer(), amu, range(1, len(amu.hypothesis) + 1))


def test_labels_add_up_to_the_score(amu: Pair, tables: list[ChunkTable]) -> None:
    [score] = evaluate(Cleme2Scorer(), [amu])
    counts = {"tp": "TP", "fp_ne": "FPne", "fp_un": "FPun", "fn": "FN", "tn": "TN"}
    for name, label in counts.items():
        assert sum(table.labels.count(label) for table in tables) == score.counts[name]


def test_html(pair: Pair) -> None:
    page = format_chunks(chunk_tables(Cleme2Scorer(weights="length"), pair), "html")
    xml.dom.minidom.parseString(page[page.index("<main") : page.index("</main>") + len("</main>")])
    assert '<td dir="auto" class="changed right">A</td>' in page
    assert "Content-Security-Policy" in page
    assert "&lt;c&gt;" in page
    assert "sys &amp; co" in page
    assert '<th scope="row">weight</th>' in page
    assert not re.search("https?:", page), "self-contained"


@pytest.mark.parametrize("text", ["", "a", "1-", "-1", "1,,2", "3-1"])
def test_bad_sentences(text: str) -> None:
    with pytest.raises(UsageError, match="expected numbers and ranges"):
        explain.parse_sentences(text)


def test_sentences() -> None:
    assert explain.parse_sentences("1,3-5, 9") == [1, 3, 4, 5, 9]


def test_command(short_conll: Path, tmp_path: Path) -> None:
    system, gold = (str(short_conll / name) for name in ("conll14-AMU.errant", "conll14.errant"))

    def run(metric: str, *args: str) -> Any:
        return CliRunner().invoke(app, ["explain", system, "--ref", gold, "-m", metric, *args])

    found = run("cleme", "--sentences", "12")
    assert found.exit_code == 0
    assert "weight" in found.stdout, "CLEME weighs by length"
    assert found.stdout == run("cleme:weights=length", "--sentences", "12").stdout
    page = tmp_path / "page.html"
    assert run("cleme2", "--sentences", "1-20", "-o", str(page)).exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "found sentence 101, expected 1 to 100" in str(run("cleme2", "--sentences", "101").exception)
    refused = run("cleme2", "--format", "tsv").exception
    assert "unknown format 'tsv'; expected one of text, html, latex, md, json" in str(refused)
    assert "unknown format 'htm' (did you mean 'html'?)" in str(run("cleme2", "--format", "htm").exception)
    # Several metrics, a method and types are about contributions.
    for args in (("-m", "errant"), ("--method", "sub"), ("--by-type",)):
        assert "R:NOUN:NUM" in run("cleme2", *args, "--sentences", "13").stdout
