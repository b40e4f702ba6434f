"""What holds of every metric that reads references and needs no model: odd texts, wrong edits, sums of rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from jperrant.core.errors import EditError, InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metric_names import make_scorers
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.system_score import Score, evaluate
from tests.m2_cases import change, rewritten

METRICS = (
    "errant", "errant:exact=yes,mode=cse", "m2", "m2:level=sentence", "goto:unweighted", "cleme",
    "cleme:level=sentence,weights=none", "cleme2", "cleme2:level=sentence,assumption=independent", "gleu",
    "gleu:variant=corrected,level=sentence,smoothing=none", "gleu:draws=3,unit=characters", "green",
    "green:level=sentence,short=one,unit=characters", "imeasure", "imeasure:level=sentence", "wer", "cer",
)  # fmt: skip
pytestmark = pytest.mark.parametrize("metric", METRICS)


def score(metric: str, hypothesis: Sequence[Block], references: Sequence[Block]) -> Score:
    [scorer] = make_scorers([metric])
    [found] = evaluate(scorer, [Pair(hypothesis, references, "sys")])
    return found


def test_texts_of_no_or_one_word_and_no_sentences_have_figures(metric: str) -> None:
    sources = ["", "", "a", "a", "a", "a b"]
    system = [rewritten(*row) for row in zip(sources, ["", "x", "", "a", "b", "a b"], strict=True)]
    gold = [rewritten(*row, "c") for row in zip(sources, ["", "x", "", "", "b", ""], strict=True)]
    for part in (slice(0, 6), slice(0, 0), *(slice(n, n + 1) for n in range(6))):
        found = score(metric, system[part], gold[part])
        assert all(math.isfinite(value) for value in found.values.values())
        assert np.isfinite(found.rows).all()


def test_the_reference_itself_is_perfect(metric: str) -> None:
    blocks = [
        Block(tuple("abcde"), (Annotation(0, (edit,)),)) for edit in (change(1, 2), change(4, 5, "y z"))
    ]
    found = score(metric, blocks, blocks)
    assert found.values[found.scorer.main] == pytest.approx(0 if found.scorer.lower_is_better else 1)


def test_references_are_needed(metric: str) -> None:
    with pytest.raises(UsageError, match=metric.partition(":")[0]):
        evaluate(make_scorers([metric])[0], [Pair([rewritten("a", "a")])])


@pytest.mark.parametrize(
    "wrong", [(change(0, 2), change(1, 2)), (change(1, 9),)], ids=["overlapping", "outside"]
)
def test_edits_that_cannot_be_applied_name_the_sentence(metric: str, wrong: tuple[Edit, ...]) -> None:
    bad = [rewritten("a", "a"), Block(("a", "b"), (Annotation(0, wrong),))]
    good = [rewritten("a", "a"), rewritten("a b", "a b")]
    for hypothesis, references in ((bad, good), (good, bad)):
        # These match edits where they stand, and M2 so takes those of references.
        if metric.startswith("errant") or (metric.startswith("m2") and hypothesis is good):
            assert np.isfinite(score(metric, hypothesis, references).rows).all()
        else:
            with pytest.raises((EditError, InputError), match="sentence 2"):
                score(metric, hypothesis, references)
