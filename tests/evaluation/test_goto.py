"""GoToScorer: figures and chunks of the published program, weights, company, refusals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from jperrant.core.errors import InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.goto import GotoScorer, chunks_of, difficulty, verdicts
from jperrant.evaluation.metrics.system_score import evaluate
from tests import strategies
from tests.m2_cases import change, read

#: What gotoscorer.py prints for these four systems in this order: tp, fp, fn, tn, precision, recall and F0.5 with
#: the weights of each annotator, and the counts without weights (-no_weight), annotator 0.
EXPECTED = [
    (GotoScorer(reference=0), [
        (184.5, 421.0, 2088.5, 325.25, 0.3047, 0.0812, 0.1965),
        (267.0, 711.0, 2006.0, 152.25, 0.2730, 0.1175, 0.2158), (8.0, 39.75, 2265.0, 574.5, 0.1675, 0.0035, 0.0162),
        (0.0, 0.0, 2273.0, 597.25, 0.0, 0.0, 0.0)]),
    (GotoScorer(reference=1), [
        (244.0, 406.5, 2958.75, 274.5, 0.3751, 0.0762, 0.2102),
        (420.25, 652.25, 2782.5, 139.5, 0.3918, 0.1312, 0.2804),
        (9.5, 36.25, 3193.25, 464.5, 0.2077, 0.0030, 0.0140), (0.0, 0.0, 3202.75, 484.75, 0.0, 0.0, 0.0)]),
    (GotoScorer(unweighted=True), [
        (312, 976, 2150, 57282), (424, 1777, 2038, 56600), (20, 78, 2442, 58047), (0, 0, 2462, 58106)]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(("scorer", "expected"), EXPECTED)
def test_conll14_has_the_figures_of_the_published_program(
    conll14: dict[str, Pair], scorer: GotoScorer, expected: list[tuple[float, ...]]
) -> None:
    for found, figures in zip(evaluate(scorer, [*conll14.values()]), expected, strict=True):
        printed = [*found.counts.values(), *found.values.values()][: len(figures)]
        assert printed == pytest.approx(figures, abs=5e-5)


def block(source: str, *annotators: tuple[Edit, ...]) -> Block:
    return Block(tuple(source.split()), tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


WERE, SWIM, SWAM = (
    change(1, 1, "were", "M:VERB"),
    change(1, 2, "swim", "R:VERB"),
    change(1, 2, "swam", "R:VERB"),
)
GOLD = [block("They swimming .", (WERE,), (SWIM,)), block("", ()), block("Yes", ())]
GOOD = [block("They swimming .", (WERE,)), block(""), block("Yes")]
BAD = [block("They swimming .", (SWAM,)), block("", (change(0, 0, "No", "M:X"),)), block("Yes")]


def pairs(*systems: list[Block], references: list[Block] = GOLD) -> list[Pair]:
    return [Pair(system, references, f"system {number}") for number, system in enumerate(systems, start=1)]


def test_scores_change_with_the_company_and_say_so() -> None:
    alone, three = evaluate(GotoScorer(), pairs(GOOD)), evaluate(GotoScorer(), pairs(GOOD, BAD, BAD))
    assert alone[0].values == {"precision": 0, "recall": 0, "f": 0}
    assert three[0].values["f"] == 1
    assert any("alone" in line for line in alone[0].warnings)
    assert all(any("3 systems" in line for line in result.warnings) for result in three)


def test_a_system_alone_is_not_said_to_have_other_tokens() -> None:
    """What it gets right weighs 0, so that it has no tp although it shares edits with the references."""
    system, gold = ([block("a b", (change(0, 1), change(1, 2, text)))] * 30 for text in ("y", "z"))
    [result] = evaluate(GotoScorer(), pairs(system, references=gold))
    assert result.counts["tp"] == 0
    assert not any("tokens" in line for line in result.warnings)


def test_annotators_of_a_system_count_as_systems() -> None:
    """What one of two annotators gets right has the weight 1/2."""
    [result] = evaluate(GotoScorer(), pairs([block("They swimming .", (WERE,), ()), *GOOD[1:]]))
    assert result.counts["tp"] == 0.5
    assert "2 annotators of this system" in "".join(result.warnings)


def test_where_an_annotator_is_missing_nothing_was_changed() -> None:
    """As docs/metrics.md says of ``--reference``."""
    scorer = GotoScorer(reference=1, unweighted=True)
    unchanged = [GOLD[0], *(Block(gold.source, (*gold.annotations, Annotation(1))) for gold in GOLD[1:])]
    [found], [expected] = (evaluate(scorer, pairs(BAD, references=gold)) for gold in (GOLD, unchanged))
    assert found.counts == expected.counts
    told = "annotator 1 is missing); scored as if that annotator had changed nothing"
    assert any(told in line for line in found.warnings)


def test_types_of_missed_and_of_needless_edits() -> None:
    [result, _] = evaluate(GotoScorer(), pairs(BAD, GOOD))
    types = {"M:VERB": (0, 0, 0.5, 0), "M:X": (0, 0.5, 0, 0), "R:VERB": (0, 0.5, 0, 0)}
    assert {type_: tuple(row) for type_, row in result.by_type.items()} == types


def test_annotators_and_tokens_that_cannot_be() -> None:
    with pytest.raises(UsageError, match=r"annotator 7.* 0, 1"):
        evaluate(GotoScorer(reference=7), pairs(GOOD))
    other = [block("They swimming."), *GOLD[1:]]
    with pytest.raises(InputError, match="other"):
        evaluate(GotoScorer(), [*pairs(GOOD), Pair(other, other, "other")])


CASES = json.loads((Path(__file__).parents[1] / "data" / "goto" / "cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_counts_are_those_of_the_published_program(case: Mapping[str, Any]) -> None:
    systems, gold = [], read(case["gold"])
    for number in range(len(case["systems"])):
        own = [(one, one.annotation(number)) for one in read(case["hypotheses"])]
        systems.append([Block(one.source, (Annotation(0, a.edits if a else ()),)) for one, a in own])
    found = evaluate(GotoScorer(reference=case["reference"]), pairs(*systems, references=gold))
    for result, expected in zip(found, case["systems"], strict=True):
        assert result.counts == pytest.approx({name: expected[name] for name in result.counts}, abs=5e-5)


@given(strategies.blocks())
def test_laws_of_chunks(block: Block) -> None:
    """They cover every token once and hold the edits; a system equal to the reference is right everywhere."""
    for annotation in block.annotations:
        chunks = chunks_of(block.source, annotation.edits)
        assert [token for c in chunks for token in block.source[c.start : c.end]] == list(block.source)
        edits = [(e.start, e.end, e.correction) for e in annotation.edits if not e.is_detection]
        assert [(c.start, c.end, c.correction) for c in chunks if c.edited] == edits
        assert all(verdict.right for verdict in verdicts(chunks, chunks))
        assert difficulty([verdicts(chunks, chunks)]) == (0.0,) * len(chunks)
