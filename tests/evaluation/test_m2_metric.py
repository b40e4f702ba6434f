"""MaxMatch, PT-M2 and PT-ERRANT: edits, counts and choices of the published scorer, laws, weights by BERTScore."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders.bertscore import BertScore
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metric_names import make_scorer, make_scorers
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.maxmatch import (
    MOST_ARCS,
    Extractor,
    GoldEdit,
    MaxMatchScorer,
    build_lattice,
    match_edits,
)
from jperrant.evaluation.metrics.system_score import Score, evaluate
from tests.m2_cases import read, rewritten

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "maxmatch" / "cases.json").read_text("utf-8"))
RANDOM = json.loads((DATA / "maxmatch" / "random.json").read_text("utf-8"))
#: Correct, proposed, gold and the mean F of sentences: the published scorer's counts, with conll14.errant as gold.
EXPECTED = {
    "AMU": (513, 1227, 2446, 0.38387258146523434),
    "CAMB": (779, 1964, 2653, 0.3548836379009659),
    "IITB": (29, 91, 2092, 0.3173189181668602),
    "INPUT": (0, 0, 2070, 0.3132621951219512),
}


def block(source: str, *annotators: tuple[Edit, ...]) -> Block:
    return Block(tuple(source.split()), tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("system", EXPECTED)
def test_conll14_has_the_counts_of_the_published_scorer(conll14: dict[str, Pair], system: str) -> None:
    correct, proposed, gold, mean = EXPECTED[system]
    [result] = evaluate(MaxMatchScorer(), [conll14[system]])
    assert result.counts == {"correct": correct, "proposed": proposed, "gold": gold}
    precision = correct / proposed if proposed else 1
    f = 1.25 * correct / (0.25 * gold + proposed)
    assert result.values == pytest.approx({"precision": precision, "recall": correct / gold, "f": f})
    # The sentence level chooses among the same candidates.
    rows = [candidate.row for candidate in MaxMatchScorer(level="sentence").combine(result.candidates)]
    assert sum(row[5] for row in rows) / len(rows) == pytest.approx(mean, abs=1e-12)


SOURCE = "My friend swim in lake ."
GOLD_EDITS = (Edit(2, 3, ("swims",), "SVA"), Edit(4, 4, ("the",), "ArtOrDet", alternatives=(("a",),)))


def test_edits_count_by_operation_and_type_of_the_gold_edits() -> None:
    system = block(SOURCE, (Edit(0, 1, (), "U:X"), Edit(4, 5, ("a", "lake"), "R:X")))
    [result] = evaluate(MaxMatchScorer(), [Pair([system], [block(SOURCE, GOLD_EDITS)])])
    counts = {type_: row[:3] for type_, row in result.by_type.items()}
    assert counts == {"M:ArtOrDet": (1, 1, 1), "R:SVA": (0, 0, 1), "U:UNMATCHED": (0, 1, 0)}


def test_what_is_noted() -> None:
    """A sentence with too many arcs, and equal gold edits."""
    long = rewritten(*(" ".join(f"{letter}{n}" for n in range(80)) for letter in "ab"))
    [found] = evaluate(MaxMatchScorer(), [Pair([long], [long])])
    assert found.values["f"] == 1
    assert any("sentence 1 (counted from 1)" in line for line in found.warnings)
    the = Edit(4, 4, ("the",), "M:DET")
    [found] = evaluate(MaxMatchScorer(), [Pair([block(SOURCE, (the,))], [block(SOURCE, (the, the))])])
    assert found.counts == {"correct": 2, "proposed": 1, "gold": 2}
    assert any("equal gold edits" in line for line in found.warnings)


def test_gold_edits_may_overlap() -> None:
    gold = block("p q r", (Edit(0, 2, (), "U:X"), Edit(1, 3, (), "U:Y")))
    [result] = evaluate(MaxMatchScorer(), [Pair([block("p q r", (Edit(1, 3, (), "U:X"),))], [gold])])
    assert result.counts == {"correct": 1, "proposed": 1, "gold": 2}


def gold_of(m2: str) -> Iterator[tuple[list[str], dict[int, list[GoldEdit]]]]:
    """Read M2 keeping the order of the file, which the published scorer depends on."""
    for sentence in m2.split("\n\n")[:-1]:
        first, *lines = sentence.split("\n")
        annotators: dict[int, list[GoldEdit]] = {}
        for line in lines:
            span, type_, text, _, _, annotator = line[2:].split("|||")
            edits = annotators.setdefault(int(annotator), [])
            if type_ != "noop":
                start, end = map(int, span.split())
                corrections = [() if c == "-NONE-" else tuple(c.split()) for c in text.split("||")]
                edits.append(GoldEdit(start, end, tuple(corrections), type_))
        yield first[2:].split(), annotators or {0: []}


def shrunk(source: Sequence[str], start: int, end: int, correction: Sequence[str]) -> list[object]:
    """Return an edit as the published scorer prints it: without the tokens it keeps at its ends."""
    words = list(correction)
    while start < end and words and source[start] == words[0]:
        start, words = start + 1, words[1:]
    while start < end and words and source[end - 1] == words[-1]:
        end, words = end - 1, words[:-1]
    return [start, end, " ".join(source[start:end]), " ".join(words)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_edits_counts_and_choices_are_those_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    [scorer] = make_scorers([f"m2:{'='.join(case['options'])}".replace("--", "").removesuffix(":")])
    edits, matched, system, gold = [], [], [], read(case["gold"])
    for (source, annotators), text in zip(gold_of(case["gold"]), case["hypotheses"], strict=True):
        extractor = Extractor(source, text.split(), scorer.max_unchanged_words)
        for number in sorted(annotators):
            matching = match_edits(extractor, annotators[number], scorer.ignore_whitespace_casing)
            edits.append([shrunk(source, *edit) for edit in matching.proposed])
            matched.append(matching.correct)
        system.append(rewritten(" ".join(source), text))
    assert edits == case["edits"]
    if case["name"] == "gold_out_of_order":  # which readers of M2 sort
        assert matched == [case["correct"]]
        return
    [found] = evaluate(scorer, [Pair(system, gold)])
    assert [candidate.reference for candidate in found.combined] == case["chosen"]
    assert (found.counts["correct"], found.counts["proposed"]) == (case["correct"], case["proposed"])
    expected = {name: case[name] for name in ("precision", "recall", "f")}
    assert found.values == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("case", RANDOM, ids=lambda case: case["hypothesis"] or "empty")
def test_random_sentences_have_the_edits_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    [(source, annotators)] = gold_of(case["gold"] + "\n\n")
    extractor = Extractor(source, case["hypothesis"].split())
    for annotator, edits, correct in case["expected"]:
        matching = match_edits(extractor, annotators[annotator])
        assert [shrunk(source, *edit) for edit in matching.proposed] == edits
        assert matching.correct == correct


SOURCES = st.lists(st.sampled_from("pqrs"), max_size=9)


@pytest.mark.parametrize("most_arcs", [MOST_ARCS, 0], ids=["whole", "cut at every second word or so"])
@given(source=SOURCES, hypothesis=SOURCES)
def test_applying_the_edits_gives_the_hypothesis(
    source: list[str], hypothesis: list[str], most_arcs: int
) -> None:
    """Also where arcs are too many to list, and a sentence is cut."""
    proposed = Extractor(source, hypothesis, most_arcs=most_arcs).edits(())
    edits = [Edit(edit.start, edit.end, edit.correction, "R:OTHER") for edit in proposed]
    assert apply_edits(source, edits) == tuple(hypothesis)


@given(SOURCES, SOURCES, st.data())
def test_gold_edits_of_the_hypothesis_are_all_matched(
    source: list[str], hypothesis: list[str], data: st.DataObject
) -> None:
    proposed = Extractor(source, hypothesis).edits(())
    kept = data.draw(st.lists(st.sampled_from(range(len(proposed))), unique=True)) if proposed else []
    gold = [GoldEdit(proposed[n].start, proposed[n].end, (proposed[n].correction,)) for n in sorted(kept)]
    assert match_edits(Extractor(source, hypothesis), gold).correct == len(gold)


@given(SOURCES, SOURCES)
def test_the_lattice_holds_the_shortest_paths_of_both_matrices(
    source: list[str], hypothesis: list[str]
) -> None:
    lattice = build_lattice(source, hypothesis)
    expected = shortest_steps(source, hypothesis, 1) | shortest_steps(source, hypothesis, 2)
    width = len(hypothesis) + 1
    steps = {(before, vertex) for vertex, befores in lattice.steps.items() for before in befores}
    assert steps == {(a * width + b, c * width + d) for (a, b), (c, d) in expected}


def shortest_steps(source: Sequence[str], hypothesis: Sequence[str], substitution: int) -> set[Any]:
    """Return all steps of shortest paths: those after which what is left costs less by their own cost."""

    def steps(i: int, j: int) -> Iterator[tuple[tuple[int, int], int]]:
        if i < len(source) and j < len(hypothesis):
            yield (i + 1, j + 1), 0 if source[i] == hypothesis[j] else substitution
        if i < len(source):
            yield (i + 1, j), 1
        if j < len(hypothesis):
            yield (i, j + 1), 1

    @cache
    def left(i: int, j: int) -> int:
        return min((cost + left(*after) for after, cost in steps(i, j)), default=0)

    found, reached = set[Any](), [(0, 0)]
    for at in reached:
        shortest = [after for after, cost in steps(*at) if cost + left(*after) == left(*at)]
        found |= {(at, after) for after in shortest}
        reached += [after for after in shortest if after not in reached]
    return found


def test_a_sentence_cut_at_shared_words_has_the_edits_of_the_whole() -> None:
    source = [f"w{n}" for n in range(40)]
    hypothesis = [*source[:10], "x", *source[11:30], *source[31:], "y"]
    expected = [[10, 11, "w10", "x"], [30, 31, "w30", ""], [40, 40, "", "y"]]
    gold = [GoldEdit(start, end, (tuple(text.split()),)) for start, end, _, text in expected]
    for extractor, whole in (
        (Extractor(source, hypothesis), True),
        (Extractor(source, hypothesis, most_arcs=20), False),
    ):
        assert extractor.whole == whole
        assert [shrunk(source, *edit) for edit in extractor.edits(())] == expected
        assert match_edits(extractor, gold).correct == 3


@pytest.mark.parametrize(
    ("source", "hypothesis"),
    [
        ([f"a{n}" for n in range(118)], [f"b{n}" for n in range(118)]),
        (["p", "q"] * 100, ["q", "p", "r"] * 60),
        (["p"] * 200, ["p"] * 100),
    ],
    ids=["nothing in common", "repeated n-grams", "one word"],
)
def test_a_hostile_sentence_takes_no_exponential_time(source: list[str], hypothesis: list[str]) -> None:
    begin = process_time()
    edits = Extractor(source, hypothesis).edits([GoldEdit(3, 4, (("b7",),))])
    assert process_time() - begin < 10, "a quarter of a second, where nothing else runs"
    assert apply_edits(source, [Edit(e.start, e.end, e.correction, "R") for e in edits]) == tuple(hypothesis)


PT_SOURCE = "he go to a school ."


SVA, THE = Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(3, 4, ("the",), "R:DET")
NO_DET, APART = Edit(3, 4, (), "U:DET"), Edit(0, 5, ("she", "go", "to", "a", "schools"), "R:OTHER")


def weighed(
    folder: Path,
    hyp: Sequence[Edit],
    *references: Sequence[Edit],
    metric: str = "pt-errant",
    **options: object,
) -> Score:
    scorer = make_scorer(metric, encoder=str(folder), **options)
    system, gold = (block(PT_SOURCE, *map(tuple, side)) for side in ([hyp], references))
    [result] = evaluate(scorer, [Pair([system], [gold])])
    return result


def test_pt_m2_has_the_options_of_m2(tiny_bert: Path) -> None:
    joined = weighed(tiny_bert, [APART], [APART], metric="pt-m2", max_unchanged_words=3)
    assert (joined.values["f"], "unchanged:3" in joined.signature) == (1, True)
    assert weighed(tiny_bert, [APART], [APART], metric="pt-m2").values["f"] == 0
    casing = [Edit(0, 1, ("He",), "R:ORTH")]
    ignored = weighed(tiny_bert, casing, (), metric="pt-m2", ignore_whitespace_casing=True)
    assert (ignored.values["f"], "casing:ignored" in ignored.signature) == (1, True)
    # An alternative weighs the same on both sides.
    gold = Edit(1, 2, ("went",), "R:VERB", alternatives=(("goes",),))
    assert weighed(tiny_bert, [SVA], [gold], metric="pt-m2").values["f"] == 1


@pytest.mark.parametrize(
    ("metric", "layer", "deleted"),
    [("pt-m2", 2, "U:UNMATCHED"), ("pt-errant", 1, "U:DET"), ("pt-errant", 2, "U:DET")],
)
def test_weights_are_differences_of_bertscore(tiny_bert: Path, metric: str, layer: int, deleted: str) -> None:
    found = weighed(tiny_bert, (SVA, NO_DET), (SVA, THE), metric=metric, layer=layer)
    texts = ["he goes to a school .", "he go to school .", "he go to the school .", PT_SOURCE]
    similarity = BertScore(EncoderOptions(str(tiny_bert), layer=layer).load())
    *similar, unchanged = similarity(texts, ["he goes to the school ."] * 4)
    right, wrong, missed = (abs(one - unchanged) for one in similar)
    assert min(right, wrong, missed) > 1e-4
    assert found.counts == pytest.approx({"tp": right, "fp": wrong, "fn": missed}, abs=1e-6)
    precision, recall = right / (right + wrong), right / (right + missed)
    f = 1.25 * precision * recall / (0.25 * precision + recall)
    assert found.values == pytest.approx({"precision": precision, "recall": recall, "f": f}, abs=1e-4)
    by_type = {"R:VERB:SVA": (right, 0, 0), deleted: (0, wrong, 0), "R:DET": (0, 0, missed)}
    assert set(found.by_type) == set(by_type)
    for type_, row in by_type.items():
        assert found.by_type[type_][:3] == pytest.approx(row, abs=1e-6)


def test_rescaling_changes_weights_but_no_score(tiny_bert: Path) -> None:
    plain = weighed(tiny_bert, (SVA, NO_DET), (SVA, THE))
    scaled = weighed(tiny_bert, (SVA, NO_DET), (SVA, THE), baseline=0.5)
    assert scaled.counts["tp"] == pytest.approx(2 * plain.counts["tp"])
    assert scaled.values == pytest.approx(plain.values)
    assert "|base:0.5|" in scaled.signature


@pytest.mark.parametrize(
    ("hyp", "ref", "values"),
    [((), (), (1, 1, 1)), ((SVA,), (), (0, 1, 0)), ((), (SVA,), (1, 0, 0)), ((SVA,), (SVA,), (1, 1, 1))],
)
def test_empty_sides(tiny_bert: Path, hyp: Any, ref: Any, values: tuple[float, ...]) -> None:
    for level in ("corpus", "sentence"):
        assert tuple(weighed(tiny_bert, hyp, ref, level=level).values.values()) == values


def test_choices_other_types_and_duplicates(tiny_bert: Path) -> None:
    assert weighed(tiny_bert, [SVA], [THE], [SVA]).combined[0].reference == 1
    renamed = weighed(tiny_bert, [Edit(1, 2, ("goes",), "R:VERB:FORM")], [SVA])
    assert (renamed.values["f"], set(renamed.by_type)) == (1, {"R:VERB:FORM"})
    twice = weighed(tiny_bert, (SVA, SVA, Edit(0, 6, (), "U:OTHER")), [SVA])
    assert twice.counts["tp"] == pytest.approx(2 * weighed(tiny_bert, [SVA], [SVA]).counts["tp"])
    assert twice.counts["fp"] > 0
