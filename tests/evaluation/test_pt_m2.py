"""PT-M2: MaxMatch's edits with weights from BERTScore, which the tests compute by its definition."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.score import Score, evaluate
from jperrant.evaluation.scorers import make_scorer

from .test_pt_errant import ByHand

SOURCE = ("he", "go", "to", "a", "school", ".")


def block(*annotators: tuple[Edit, ...]) -> Block:
    return Block(SOURCE, tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


def score(folder: Path, hypothesis: Block, reference: Block, **options: object) -> Score:
    [result] = evaluate(
        make_scorer("pt-m2", encoder=str(folder), **options), [Pair([hypothesis], [reference])]
    )
    return result


#: One edit in the file of the system, two for MaxMatch, since the reference has one of them.
BOTH = Edit(1, 4, ("goes", "to"), "R:OTHER")
GOLD = (Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(3, 4, ("the",), "R:DET"))


def test_weights_by_hand(tiny_bert: Path) -> None:
    result = score(tiny_bert, block((BOTH,)), block(GOLD), layer=2)
    hand, source, reference = ByHand(tiny_bert, 2), "he go to a school .", "he goes to the school ."
    right = hand.weight("he goes to a school .", source, reference)
    wrong = hand.weight("he go to school .", source, reference)
    missed = hand.weight("he go to the school .", source, reference)
    assert min(right, wrong, missed) > 1e-4
    assert result.counts == pytest.approx({"tp": right, "fp": wrong, "fn": missed}, abs=1e-6)
    assert {type_: row[:3] for type_, row in result.by_type.items()} == {
        "R:VERB:SVA": pytest.approx((right, 0, 0), abs=1e-6),
        "U:UNMATCHED": pytest.approx((0, wrong, 0), abs=1e-6),
        "R:DET": pytest.approx((0, 0, missed), abs=1e-6),
    }


def test_a_matched_alternative_weighs_the_same_on_both_sides(tiny_bert: Path) -> None:
    gold = Edit(1, 2, ("went",), "R:VERB", alternatives=(("goes",),))
    result = score(tiny_bert, block((Edit(1, 2, ("goes",), "R:VERB"),)), block((gold,)))
    assert result.values == {"precision": 1, "recall": 1, "f": 1}
    assert result.counts["tp"] > 0


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize(
    ("hypothesis", "reference", "values"),
    [((), (), (1, 1, 1)), ((BOTH,), (), (0, 1, 0)), ((), GOLD, (1, 0, 0)), (GOLD, GOLD, (1, 1, 1))],
)
def test_empty_sides(
    tiny_bert: Path,
    level: str,
    hypothesis: tuple[Edit, ...],
    reference: tuple[Edit, ...],
    values: tuple[float, ...],
) -> None:
    result = score(tiny_bert, block(hypothesis), block(reference), level=level)
    assert tuple(result.values.values()) == values


def test_the_best_reference_is_chosen(tiny_bert: Path) -> None:
    result = score(tiny_bert, block((BOTH,)), block((GOLD[1],), (BOTH,)))
    assert result.combined[0].reference == 1


def test_options_of_maxmatch(tiny_bert: Path) -> None:
    apart = block((Edit(0, 5, ("she", "go", "to", "a", "schools"), "R:OTHER"),))
    joined = score(tiny_bert, apart, apart, max_unchanged_words=3)
    assert joined.values["f"] == 1
    assert "unchanged:3" in joined.signature
    assert score(tiny_bert, apart, apart).values["f"] == 0
    casing = block((Edit(0, 1, ("He",), "R:ORTH"),))
    ignored = score(tiny_bert, casing, block(()), ignore_whitespace_casing=True)
    assert ignored.values["f"] == 1
    assert "casing:ignored" in ignored.signature
