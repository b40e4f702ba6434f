"""MaxMatch against the published scorer: edits, counts and chosen annotators; and bounded on hostile sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.edits import apply_edits
from jperrant.core.values import Edit
from jperrant.evaluation.metrics.maxmatch import (
    MOST_ARCS,
    Extractor,
    GoldEdit,
    Matching,
    build_arcs,
    build_lattice,
    match_edits,
)

DATA = Path(__file__).parents[1] / "data" / "maxmatch"
CASES = json.loads((DATA / "cases.json").read_text("utf-8"))
RANDOM = json.loads((DATA / "random.json").read_text("utf-8"))


def gold_of(m2: str) -> list[tuple[list[str], dict[int, list[GoldEdit]]]]:
    """Read M2 keeping the order of the file, which the published scorer depends on."""
    blocks = []
    for block in m2.split("\n\n")[:-1]:
        first, *lines = block.split("\n")
        annotators: dict[int, list[GoldEdit]] = {}
        for line in lines:
            span, type_, text, _, _, annotator = line[2:].split("|||")
            edits = annotators.setdefault(int(annotator), [])
            if type_ != "noop":
                start, end = map(int, span.split())
                corrections = [() if c == "-NONE-" else tuple(c.split()) for c in text.split("||")]
                edits.append(GoldEdit(start, end, tuple(corrections), type_))
        blocks.append((first[2:].split(), annotators or {0: []}))
    return blocks


def options_of(case: Mapping[str, Any]) -> tuple[int, bool]:
    options = case["options"]
    limit = int(options[1]) if "--max_unchanged_words" in options else 2
    return limit, "--ignore_whitespace_casing" in options


def shrunk(source: Sequence[str], start: int, end: int, correction: Sequence[str]) -> list[object]:
    """Return an edit as the published scorer prints it: without the tokens it keeps at its ends."""
    words = list(correction)
    while start < end and words and source[start] == words[0]:
        start, words = start + 1, words[1:]
    while start < end and words and source[end - 1] == words[-1]:
        end, words = end - 1, words[:-1]
    return [start, end, " ".join(source[start:end]), " ".join(words)]


def matchings(case: Mapping[str, Any]) -> list[tuple[list[str], dict[int, Matching]]]:
    limit, casing = options_of(case)
    return [
        (
            source,
            {
                annotator: match_edits(Extractor(source, text.split(), limit), annotators[annotator], casing)
                for annotator in sorted(annotators)
            },
        )
        for (source, annotators), text in zip(gold_of(case["gold"]), case["hypotheses"], strict=True)
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_edits_are_those_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    edits = [
        [shrunk(source, *edit) for edit in matching.proposed]
        for source, by_annotator in matchings(case)
        for matching in by_annotator.values()
    ]
    assert edits == case["edits"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_counts_of_the_chosen_annotators_are_those_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    chosen = [
        by_annotator[annotator]
        for (_, by_annotator), annotator in zip(matchings(case), case["chosen"], strict=True)
    ]
    correct = sum(matching.correct for matching in chosen)
    proposed = sum(len(matching.proposed) for matching in chosen)
    gold = sum(len(matching.gold) for matching in chosen)
    assert (correct, proposed) == (case["correct"], case["proposed"])
    assert (correct / gold if gold else 1) == pytest.approx(case["recall"], abs=5e-5)


@pytest.mark.parametrize("case", RANDOM, ids=lambda case: case["hypothesis"] or "empty")
def test_random_sentences_have_the_edits_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    [(source, annotators)] = gold_of(case["gold"] + "\n\n")
    extractor = Extractor(source, case["hypothesis"].split())
    for annotator, edits, correct in case["expected"]:
        matching = match_edits(extractor, annotators[annotator])
        assert [shrunk(source, *edit) for edit in matching.proposed] == edits
        assert matching.correct == correct


SOURCES = st.lists(st.sampled_from("pqrs"), max_size=9)


@given(SOURCES, SOURCES)
def test_applying_the_edits_gives_the_hypothesis(source: list[str], hypothesis: list[str]) -> None:
    proposed = Extractor(source, hypothesis).edits(())
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
    expected: set[tuple[int, int]] = set()
    for substitution in (1, 2):
        expected |= shortest_steps(source, hypothesis, substitution)
    width = len(hypothesis) + 1
    steps = {(before, vertex) for vertex, befores in lattice.steps.items() for before in befores}
    assert steps == {(a * width + b, c * width + d) for (a, b), (c, d) in expected}


def shortest_steps(source: Sequence[str], hypothesis: Sequence[str], substitution: int) -> set[Any]:
    """Return all steps of shortest paths, by the definition: distance before + step + distance after."""

    def distances(first: Sequence[str], second: Sequence[str]) -> list[list[int]]:
        table = [[i + j for j in range(len(second) + 1)] for i in range(len(first) + 1)]
        for i, one in enumerate(first, start=1):
            for j, other in enumerate(second, start=1):
                change = 0 if one == other else substitution
                table[i][j] = min(table[i - 1][j - 1] + change, table[i - 1][j] + 1, table[i][j - 1] + 1)
        return table

    there, back = distances(source, hypothesis), distances(source[::-1], hypothesis[::-1])
    rows, columns = len(source), len(hypothesis)
    steps = set()
    for i in range(rows + 1):
        for j in range(columns + 1):
            for di, dj in ((1, 1), (1, 0), (0, 1)):
                if i + di <= rows and j + dj <= columns:
                    same = di and dj and source[i] == hypothesis[j]
                    cost = 0 if same else substitution if di and dj else 1
                    rest = back[rows - i - di][columns - j - dj]
                    if there[i][j] + cost + rest == there[rows][columns]:
                        steps.add(((i, j), (i + di, j + dj)))
    return steps


@given(SOURCES, SOURCES)
def test_sentences_cut_in_pieces_keep_their_text(source: list[str], hypothesis: list[str]) -> None:
    """Where arcs are too many to list, a sentence is cut; here at every second word or so."""
    cut = Extractor(source, hypothesis, most_arcs=0)
    edits = [Edit(edit.start, edit.end, edit.correction, "R:OTHER") for edit in cut.edits(())]
    assert apply_edits(source, edits) == tuple(hypothesis)


def test_a_sentence_cut_at_shared_words_has_the_edits_of_the_whole() -> None:
    source = [f"w{n}" for n in range(40)]
    hypothesis = [*source[:10], "x", *source[11:30], *source[31:], "y"]
    whole, cut = Extractor(source, hypothesis), Extractor(source, hypothesis, most_arcs=20)
    assert whole.whole
    assert not cut.whole
    expected = [[10, 11, "w10", "x"], [30, 31, "w30", ""], [40, 40, "", "y"]]
    gold = [GoldEdit(10, 11, (("x",),)), GoldEdit(30, 31, ((),)), GoldEdit(40, 40, (("y",),))]
    for extractor in (whole, cut):
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
def test_a_hostile_sentence_takes_under_a_second(source: list[str], hypothesis: list[str]) -> None:
    begin = process_time()
    edits = Extractor(source, hypothesis).edits([GoldEdit(3, 4, (("b7",),))])
    assert process_time() - begin < 1
    assert apply_edits(source, [Edit(e.start, e.end, e.correction, "R") for e in edits]) == tuple(hypothesis)


def test_arcs_are_counted_as_the_published_scorer_lists_them() -> None:
    """``p q`` to ``p 1``: p and q→1 are steps of both matrices, the two ways round q→1 of the second alone."""
    arcs = build_arcs(build_lattice(["p", "q"], ["p", "1"]), 2, MOST_ARCS)
    assert arcs is not None
    longer = 3  # from the start to the end, and to the middle of both ways round
    assert arcs.total == 2 + 2 + 4 + longer
