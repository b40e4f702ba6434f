"""CLEME and CLEME2.0: chunks and figures of the published code, laws of both, tables of chunks, bad input."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation import explain
from jperrant.evaluation.explain import chunk_tables
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Pair, add_rows, annotations_of
from jperrant.evaluation.metrics.cleme.chunk_weights import mean_length
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
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer, ClemeScorer
from jperrant.evaluation.metrics.system_score import Score, evaluate, prepare_references
from jperrant.evaluation.scoring import score
from jperrant.reporting.explanations import format_chunks
from tests.commands import printed, refused
from tests.m2_cases import read
from tests.stages import mostly_for_ci
from tests.strategies import annotations, examples

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data" / "conll14"
EXPECTED = json.loads((DATA / "expected_cleme2.json").read_text(encoding="utf-8"))
CASES = json.loads((DATA / "chunk_cases.json").read_text(encoding="utf-8"))["cases"]
ASSUMPTIONS = {"dep": "dependent", "ind": "independent"}
FACTORS = {"paper_corpus": ".45,.35,.15,.05", "paper_sentence": ".35,.25,.20,.20", "class_default": "table12"}
KEYS = [(metric, key) for metric in ("cleme2", "cleme1") for key in EXPECTED[f"{metric}_unweighted"]["AMU"]]
VALUES = {"p": "precision", "r": "recall", "f05": "f", "acc": "accuracy"}


def figures(found: Score, names: Iterable[str]) -> dict[str, float]:
    """Return counts and values by the names that the published figures have."""
    every = {**found.counts, **found.values}
    return {name: every[VALUES.get(name, name)] for name in names}


@pytest.mark.parametrize("entry", mostly_for_ci(KEYS, ("cleme2", "ind/sentence/paper_sentence")))
def test_figures_are_those_of_the_published_code(conll14: dict[str, Pair], entry: tuple[str, str]) -> None:
    metric, key = entry
    assumption, level, factors = key.split("/")
    options = {"assumption": ASSUMPTIONS[assumption], "level": level, "weights": "none"}
    options |= {"factors": FACTORS[factors]} if metric == "cleme2" else {}
    scorer = make_scorer(metric.removesuffix("1"), **options)
    near = 1e-9 if metric == "cleme2" else 5.1e-9  # those of the first version are given with 8 decimals
    for system, found in zip(conll14, evaluate(scorer, list(conll14.values())), strict=True):
        expected = EXPECTED[f"{metric}_unweighted"][system][key]
        assert figures(found, expected) == pytest.approx(expected, abs=near), system
        assert all(isinstance(count, int) for count in found.counts.values())


@pytest.mark.ci
def test_length_weights_are_those_of_the_published_code(conll14: dict[str, Pair]) -> None:
    """P, R and F of AMU as the authors' program prints them; x0 of AMU and CAMB."""
    for assumption, expected, f in (
        ("dependent", (0.2645, 0.2097, 0.2514), 0.3624), ("independent", (0.2690, 0.2553, 0.2661), 0.4200)
    ):  # fmt: skip
        [corpus], [sentence] = (
            evaluate(ClemeScorer(assumption, level), [conll14["AMU"]]) for level in ("corpus", "sentence")
        )
        assert tuple(corpus.values.values())[:3] == expected
        assert round(sentence.values["f"], 4) == f
    scorer = ClemeScorer()
    for system, x0 in {"AMU": 1.7905, "CAMB": 1.8250}.items():
        [labelled] = scorer.labelled([conll14[system]], prepare_references(scorer, [conll14[system]]))
        assert round(mean_length([sentence[0] for sentence in labelled]) or 0, 4) == x0


@pytest.mark.parametrize("system", mostly_for_ci(["AMU", "CAMB", "IITB"], "IITB"))
def test_exact_arithmetic_decides_ties(conll14: dict[str, Pair], system: str) -> None:
    """Where each sentence chooses alone, as in the published code, ties alone are decided exactly."""
    [found] = evaluate(Cleme2Scorer(level="sentence", factors="table12", exact=True), [conll14[system]])
    expected = EXPECTED["exact_ties"][system]["dep/sentence/class_default"]
    assert figures(found, expected) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", mostly_for_ci(["cleme", "cleme2"], "cleme2"))
def test_exact_does_not_depend_on_the_order(conll14: dict[str, Pair], metric: str) -> None:
    pair = conll14["CAMB"]
    order = random.Random(1).sample(range(len(pair.hypothesis)), len(pair.hypothesis))
    shuffled = Pair([pair.hypothesis[n] for n in order], [pair.references[n] for n in order])
    [one], [other] = (evaluate(make_scorer(metric, exact=True), [p]) for p in (pair, shuffled))
    assert one.counts == pytest.approx(other.counts)
    assert not one.warnings
    [greedy] = evaluate(make_scorer("cleme2"), [pair])
    assert "depends on the order of sentences" in greedy.warnings[0]


SOURCE = tuple("abcdef")


#: A system and references of one source, and how far apart merged chunks may be.
Drawn: TypeAlias = tuple[Block, Block, int]


@st.composite
def drawn_sentences(draw: st.DrawFn) -> Drawn:
    hyp = Block(SOURCE, (draw(annotations(0, len(SOURCE))),))
    ref = Block(SOURCE, tuple(draw(annotations(n, len(SOURCE))) for n in range(draw(st.integers(1, 3)))))
    return hyp, ref, draw(st.integers(0, 2))


OPTIONS = st.fixed_dictionaries({
    "assumption": st.sampled_from(["dependent", "independent"]),
    "level": st.sampled_from(["corpus", "sentence"]),
    "weights": st.sampled_from(["none", "length"]),
    "exact": st.booleans(),
})  # fmt: skip


@examples(40)
@given(st.lists(drawn_sentences(), min_size=1, max_size=4), OPTIONS, st.sampled_from(["cleme", "cleme2"]))
def test_laws_of_scores(drawn: list[Drawn], options: dict[str, Any], metric: str) -> None:
    scorer = make_scorer(metric, **options)
    [found] = evaluate(scorer, [Pair([hyp for hyp, *_ in drawn], [ref for _, ref, _ in drawn])])
    counts = found.counts
    assert all(0 <= value <= 1 + 1e-12 for value in found.values.values())
    assert counts["fp"] == pytest.approx(counts.get("fp_ne", 0) + counts.get("fp_un", counts["fp"]))
    # Types share chunks, so that their counts sum to those of the whole; chunks left alone have no type.
    by_type = add_rows(found.by_type.values(), len(scorer.columns))
    for name, count in zip(scorer.columns, by_type, strict=True):
        if name in scorer.counts and name != "tn":
            assert count == pytest.approx(counts[name])
    # The published rule, written down once more.
    if metric == "cleme2" and options["level"] == "corpus":
        needed = counts["tp"] + counts["fp_ne"] + counts["fn"]
        assert found.values["hit"] == pytest.approx(counts["tp"] / needed if needed else 0)
    # Where each sentence chooses alone, no other choice scores better.
    if metric == "cleme2" and options["level"] == "sentence":
        for sentence, chosen in zip(found.candidates, found.combined, strict=True):
            scores = [scorer.values(np.array(c.row, dtype=float))["score"] for c in sentence]
            assert scorer.values(np.array(chosen.row, dtype=float))["score"] == max(scores)


def block(*edits: Edit) -> Block:
    return Block(SOURCE, (Annotation(0, edits),))


REPLACED = Edit(1, 2, ("x",), "R:NOUN")


GONE = Edit(0, 6, (), "U:OTHER")


@pytest.mark.parametrize(
    ("hyp", "ref", "counts"),
    [
        ((), (), {"tn": 1}),
        ((REPLACED,), (REPLACED,), {"tp": 1, "tn": 2}),
        ((REPLACED,), (), {"fp": 1, "fp_un": 1, "tn": 2}),
        ((GONE,), (GONE,), {"tp": 1}),
        ((GONE,), (), {"fp": 1, "fp_un": 1}),
    ],
)
def test_perfect_untouched_and_deleted_sentences(hyp: Any, ref: Any, counts: dict[str, int]) -> None:
    """0/0 is 0: a sentence rightly left alone scores a2 + a3 + a4, a perfectly corrected one 1."""
    pair = Pair([block(*hyp)], [block(*ref)])
    for level, left_alone in (("corpus", 0.55), ("sentence", 0.65)):
        [found] = evaluate(Cleme2Scorer(level=level), [pair])
        assert {name: count for name, count in found.counts.items() if count} == counts
        assert hyp != ref or found.values["score"] == pytest.approx(1 if hyp else left_alone)
    if not ref:  # without changed chunks of references weights are 1
        [found] = evaluate(ClemeScorer(), [pair])
        assert found.counts == {"tp": 0, "fp": counts.get("fp", 0), "fn": 0, "tn": counts.get("tn", 0)}


def test_rates_by_type() -> None:
    over = Edit(4, 5, ("y",), "R:VERB")
    missed = Edit(3, 3, ("z",), "M:DET")
    shared = (Edit(0, 1, ("q",), "R:NOUN"), Edit(1, 1, ("r",), "M:DET"))
    hyp = [block(REPLACED, over), block(Edit(0, 1, ("q", "r"), "R:OTHER"))]
    ref = [block(REPLACED, missed), block(*shared)]
    [found] = evaluate(Cleme2Scorer(), [Pair(hyp, ref)])
    #                          tp, fp, ne, un, fn, tn
    assert found.by_type["R:NOUN"] == (1.5, 0, 0, 0, 0, 0)
    assert found.by_type["M:DET"] == (0.5, 0, 0, 0, 1, 0)
    assert found.by_type["R:VERB"] == (0, 1, 0, 1, 0, 0)
    assert "R:OTHER" not in found.by_type, "a hit has the types of the reference"


def test_edits_that_change_nothing_are_ignored_and_said_so() -> None:
    [found] = evaluate(Cleme2Scorer(), [Pair([block(Edit(0, 1, ("a",), "UNK"))], [block()])])
    assert found.counts["tp"] == 0
    assert "edits that change nothing (such as UNK) are left out in 1 sentence," in found.warnings[-1]


def test_factors() -> None:
    assert Cleme2Scorer().numbers == (0.45, 0.35, 0.15, 0.05)
    assert Cleme2Scorer(level="sentence").numbers == (0.35, 0.25, 0.20, 0.20)
    assert Cleme2Scorer(factors="table12").numbers == (0.50, 0.40, 0.05, 0.05)
    assert "f:0.1,0.2,0.3,0.4" in Cleme2Scorer(factors=".1,.2,.3,.4").settings
    assert not any(part.startswith("f:") for part in Cleme2Scorer(factors=".45,.35,.15,.05").settings)
    for wrong in ("1,2", "a", ".5,.5,0,0", ".4,.3,.2,.2", "nan,.5,.3,.2", ""):
        with pytest.raises(UsageError, match="four numbers between 0 and 1 that sum to 1"):
            Cleme2Scorer(factors=wrong)


def test_bad_pairs(tmp_path: Path) -> None:
    two, other = Block(SOURCE, (Annotation(0), Annotation(1))), Block(("z",))
    for hyp, message in (
        (two, r"sentence 1 .* has 2 annotators, expected one, the system; .* jperrant m2"),
        (other, r"source of sentence 1 .* differs from that of the references"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate(Cleme2Scorer(), [Pair([hyp], [block()])])
    with pytest.raises(InputError, match="1 sentence"):
        Pair([block()], [block(), block()])
    tail, good, bad = "|||R|||x|||REQUIRED|||-NONE-|||0\n", tmp_path / "good.m2", tmp_path / "bad.m2"
    good.write_text("S a b c\n", encoding="utf-8")
    bad.write_text(f"S a b c\nA 0 2{tail}A 1 3{tail}", encoding="utf-8")
    for sides in ((good, bad), (bad, good)):
        with pytest.raises(FormatError, match=r"bad\.m2:3: overlapping edits: 0 2 and 1 3"):
            score(*sides, metrics="cleme2")
    bad.write_text(f"S a b c\nT0-A0 x x\nA 0 2{tail}T0-A1 x x\nA 1 3{tail}", encoding="utf-8")
    with pytest.raises(FormatError, match=r"bad\.m2:5: overlapping.*m2 convert IN OUT --from cherrant"):
        score(bad, good, metrics="cleme2")


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
    [hyp], [ref] = read(case["hyp_m2"]), read(case["ref_m2"])
    found = cut(hyp, ref, case["merge_distance"])
    assert [list(span[:2]) for span in found.spans] == case["spans"]
    assert [" ".join(found.corrected(r)) for r in found.references] == case["kept_references"]
    assert written(found, found.hypothesis) == case["hypothesis"]
    assert [written(found, r) for r in found.references] == case["references"]
    dependent = [counted(label_dependent(found, at)) for at in range(len(found.references))]
    assert dependent == case["dependent_per_reference"]
    assert counted(label_independent(found)) == case["independent"]


def brute_regions(spans: set[tuple[int, int]], distance: int) -> list[tuple[int, int]]:
    """Merge any two spans that overlap or touch until none do."""
    for one, other in permutations(spans, 2):
        if one[0] <= other[1] + distance and other[0] <= one[1] + distance:
            merged = min(one[0], other[0]), max(one[1], other[1])
            return brute_regions(spans - {one, other} | {merged}, distance)
    return sorted(spans)


@given(drawn_sentences())
def test_laws(drawn: Drawn) -> None:
    hyp, ref, distance = drawn
    rows = [corrections_of(SOURCE, a) for b in (hyp, ref) for a in b.annotations]
    found = partition(SOURCE, rows[0], rows[1:], distance)
    edited = {(e.start, e.end) for row in rows for e in row.edits}
    assert list(found.regions) == brute_regions(edited, distance)
    # The spans cover the source once, in order, and no stretch is empty or beside another.
    spans = found.spans
    assert [t for start, end, _ in spans for t in SOURCE[start:end]] == list(SOURCE)
    assert all(start < end for start, end, at in spans if at is None)
    assert len([1 for *_, at in spans if at is None]) == found.unchanged
    for chunks, row in zip((found.hypothesis, *found.references), rows, strict=True):
        assert found.corrected(chunks) == apply_edits(SOURCE, row.edits)
        for (start, end), chunk in zip(found.regions, chunks, strict=True):
            assert (chunk is not None) == any(start <= e.start and e.end <= end for e in row.edits)
    # Every chunk has a label, and a type; where the system changed nothing there is nothing but what it missed.
    kept = cut(hyp, ref, distance)
    labelled = [label_dependent(kept, at) for at in range(len(kept.references))]
    for sentence in (*labelled, label_independent(kept)):
        assert len(sentence.labels) + sentence.tn == len(kept.spans)
        for mark in sentence.labels:
            assert types_of(sentence, mark)
            assert (kept.hypothesis[mark.region] is None) == (mark.label is Label.FN)


@given(drawn_sentences())
def test_one_reference_makes_assumptions_differ_only_where_edits_undo_one_another(drawn: Drawn) -> None:
    hyp, ref, distance = drawn
    found = cut(hyp, Block(ref.source, ref.annotations[:1]), distance)
    undone = any(
        chunk is not None and chunk.tokens == SOURCE[start:end]
        for chunk, (start, end) in zip(found.references[0], found.regions, strict=True)
    )
    if not undone:
        assert counted(label_dependent(found, 0)) == counted(label_independent(found))


def test_references_dropped() -> None:
    """Empty ones, and with an option unchanged ones, if others are left."""
    empty = Annotation(0, (GONE,))
    noop, real = Annotation(1), Annotation(2, (Edit(0, 1, ("x",), "R"),))
    every = [corrections_of(SOURCE, a) for a in (empty, noop, real)]
    for references, exclude, kept in (
        (every, False, [1, 2]),
        (every, True, [2]),
        (every[:1], False, [0]),
        ([every[1]] * 2, True, [1]),  # the first stays
        (every[:2], True, [0]),
    ):
        assert [r.annotator for r in kept_references(SOURCE, references, exclude)] == kept
    pair = Pair([block()], [Block(SOURCE, (noop, real))])
    [found] = evaluate(Cleme2Scorer(exclude_unchanged=True), [pair])
    assert (found.counts["fn"], found.combined[0].reference) == (1, 2)
    assert "excl:unchanged" in found.signature


def test_conll_references_alone(conll14: dict[str, Pair]) -> None:
    """Table 7 of Ye et al. (2023): 11,174 unchanged and 4,994 changed chunks."""
    unchanged = changed = 0
    for block in conll14["AMU"].references:
        rows = [corrections_of(block.source, a) for a in block.annotations]
        found = partition(block.source, rows[0], rows[1:])
        for chunks in (found.hypothesis, *found.references):
            changed += sum(chunk is not None for chunk in chunks)
            unchanged += len(found.spans) - sum(chunk is not None for chunk in chunks)
    assert (unchanged, changed) == (11174, 4994)


def test_a_chunk_of_each_kind_is_labelled() -> None:
    """A hit, a wrong edit, one too many and one that is missing, before an annotator who changes nothing."""
    hyp = (Edit(0, 1, ("A",), "R"), Edit(2, 3, ("x", "|"), "R"), Edit(4, 5, (), "U"))
    ref = (Edit(0, 1, ("A",), "R"), Edit(2, 3, ("y",), "R"), Edit(6, 6, ("z",), "M"))
    pair = Pair([block(*hyp)], [Block(SOURCE, (Annotation(0, ref), Annotation(2)))], "sys & co")
    [table] = tables = chunk_tables(Cleme2Scorer(), pair)
    assert list(table.labels) == ["TP", "TN", "FPne", "TN", "FPun", "TN", "FN"]
    first, header, *rows, _ = format_chunks(tables).splitlines()
    assert first == "sys & co, sentence 1: hit 0.3333 wrong 0.3333 under 0.3333 over 0.3333 score 0.5167"
    assert header.split("  ") == ["span", "source", "reference 0 *", "reference 2", "hypothesis", "label"]
    assert rows[2].split() == ["2-3", "c", "y", "x", "|", "FPne"]


@pytest.mark.parametrize("text", ["", "a", "1-", "-1", "1,,2", "3-1", "0-", "0-99999999999", "9" * 5000])
def test_bad_sentences(text: str) -> None:
    assert explain.parse_sentences("1,3-5, 9") == [1, 3, 4, 5, 9]
    with pytest.raises(UsageError, match="expected numbers and ranges"):
        explain.parse_sentences(text)


def test_command(short_conll: Path, tmp_path: Path) -> None:
    words = ["explain", short_conll / "conll14-AMU.errant", "--ref", short_conll / "conll14.errant"]
    found = printed(*words, "-m", "cleme", "--sentences", "12")
    assert "weight" in found, "CLEME weighs by length"
    assert found == printed(*words, "-m", "cleme:weights=length", "--sentences", "12")
    words += ["-m", "cleme2", "--sentences"]
    page = tmp_path / "page.html"
    printed(*words, "1-20", "-o", page)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "found sentence 101, expected 1 to 100" in refused(*words, "101")
    formats = "unknown format 'tsv'; expected one of text, html, latex, md, json"
    assert formats in refused(*words, "1", "--format", "tsv")
    # Several metrics, a method and types are about contributions.
    for option in ("-m errant", "--method sub", "--by-type"):
        assert "R:NOUN:NUM" in printed(*words, "13", *option.split())
