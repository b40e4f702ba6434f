"""The metric ``goto`` on blocks and files: figures on CoNLL-2014, weights from systems, references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jperrant.core.errors import InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.goto import GotoScorer
from jperrant.evaluation.metrics.score import Score, evaluate
from jperrant.evaluation.scoring import score
from tests.stages import mostly_for_ci

CONLL = Path(__file__).parents[1] / "data" / "conll14"
SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT")
FILES = [*(str(CONLL / f"conll14-{system}.errant") for system in SYSTEMS), str(CONLL / "conll14.errant")]
#: tp, fp, fn, tn, precision, recall and F0.5 as gotoscorer.py prints them for these four systems in this order.
EXPECTED = {
    0: [
        (184.5, 421.0, 2088.5, 325.25, 0.3047, 0.0812, 0.1965),
        (267.0, 711.0, 2006.0, 152.25, 0.2730, 0.1175, 0.2158),
        (8.0, 39.75, 2265.0, 574.5, 0.1675, 0.0035, 0.0162),
        (0.0, 0.0, 2273.0, 597.25, 0.0, 0.0, 0.0),
    ],
    1: [
        (244.0, 406.5, 2958.75, 274.5, 0.3751, 0.0762, 0.2102),
        (420.25, 652.25, 2782.5, 139.5, 0.3918, 0.1312, 0.2804),
        (9.5, 36.25, 3193.25, 464.5, 0.2077, 0.0030, 0.0140),
        (0.0, 0.0, 3202.75, 484.75, 0.0, 0.0, 0.0),
    ],
}
#: Without weights (-no_weight), annotator 0.
UNWEIGHTED = [(312, 976, 2150, 57282), (424, 1777, 2038, 56600), (20, 78, 2442, 58047), (0, 0, 2462, 58106)]


def figures(results: list[Score]) -> list[tuple[float, ...]]:
    return [(*result.counts.values(), *result.values.values()) for result in results]


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("reference", EXPECTED)
def test_conll14_has_the_figures_of_the_published_program(reference: int) -> None:
    results = score(FILES[:-1], FILES[-1], metrics=f"goto:reference={reference}")
    for found, expected in zip(figures(results), EXPECTED[reference], strict=True):
        assert found == pytest.approx(expected, abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize("system", mostly_for_ci(SYSTEMS, "IITB"))
def test_without_weights_every_chunk_counts_1(system: str) -> None:
    at = SYSTEMS.index(system)
    [result] = score(FILES[at], FILES[-1], metrics="goto:unweighted")
    assert tuple(result.counts.values()) == UNWEIGHTED[at]


def block(source: str, *annotators: tuple[Edit, ...]) -> Block:
    return Block(tuple(source.split()), tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


GOLD = [
    block("They swimming .", (Edit(1, 1, ("were",), "M:VERB"),), (Edit(1, 2, ("swim",), "R:VERB"),)),
    block("", ()),
    block("Yes", ()),
]
GOOD = [block("They swimming .", (Edit(1, 1, ("were",), "M:VERB"),)), block(""), block("Yes")]
BAD = [
    block("They swimming .", (Edit(1, 2, ("swam",), "R:VERB"),)),
    block("", (Edit(0, 0, ("No",), "M:X"),)),
    block("Yes"),
]


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
    system, gold = (
        [block("a b", (Edit(0, 1, ("x",), "R:X"), *edits))] * 30
        for edits in ((Edit(1, 2, ("y",), "R:X"),), (Edit(1, 2, ("z",), "R:X"),))
    )
    [result] = evaluate(GotoScorer(), pairs(system, references=gold))
    assert result.counts["tp"] == 0
    assert not any("tokens" in line for line in result.warnings)


def test_annotators_of_a_system_count_as_systems() -> None:
    """What one of two annotators gets right has the weight 1/2."""
    both = [block("They swimming .", (Edit(1, 1, ("were",), "M:VERB"),), ()), *GOOD[1:]]
    [result] = evaluate(GotoScorer(), pairs(both))
    assert result.counts["tp"] == 0.5
    [line] = [line for line in result.warnings if "weights" in line]
    assert "2 annotators of this system" in line


def test_where_an_annotator_is_missing_nothing_was_changed() -> None:
    """As docs/metrics.md says of ``--reference``."""
    scorer = GotoScorer(reference=1, unweighted=True)
    unchanged = [GOLD[0], *(Block(gold.source, (*gold.annotations, Annotation(1))) for gold in GOLD[1:])]
    [found], [expected] = (evaluate(scorer, pairs(BAD, references=gold)) for gold in (GOLD, unchanged))
    assert found.counts == expected.counts
    told = "annotator 1 is missing); scored as if that annotator had changed nothing"
    assert any(told in line for line in found.warnings)


def test_equal_systems_have_equal_scores() -> None:
    first, second = evaluate(GotoScorer(), pairs(BAD, BAD))
    assert first.counts == second.counts
    assert first.counts["tp"] == 0


def test_a_system_equal_to_the_source_gets_nothing_right_that_weighs() -> None:
    source = [block("They swimming ."), block(""), block("Yes")]
    [result, _] = evaluate(GotoScorer(), pairs(source, GOOD))
    assert result.values == {"precision": 0, "recall": 0, "f": 0}
    assert result.counts["fn"] == 0.5


def test_types_of_missed_and_of_needless_edits() -> None:
    [result, _] = evaluate(GotoScorer(), pairs(BAD, GOOD))
    assert {type_: tuple(row) for type_, row in result.by_type.items()} == {
        "M:VERB": (0, 0, 0.5, 0),
        "M:X": (0, 0.5, 0, 0),
        "R:VERB": (0, 0.5, 0, 0),
    }


def test_an_annotator_nobody_is_is_named() -> None:
    with pytest.raises(UsageError, match=r"annotator 7.* 0, 1"):
        evaluate(GotoScorer(reference=7), pairs(GOOD))


def test_systems_over_other_tokens_share_no_weights() -> None:
    other = [block("They swimming."), *GOLD[1:]]
    with pytest.raises(InputError, match="other"):
        evaluate(GotoScorer(), [*pairs(GOOD), Pair(other, other, "other")])


@pytest.mark.parametrize(
    "options",
    [
        {"reference": -1},
        {"beta": 0},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        GotoScorer(**options)
