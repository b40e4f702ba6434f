"""SOME, IMPARA, Scribendi and perplexity by functions in the place of models; constants and formulas by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.errors import InputError, JperrantError
from jperrant.core.values import Block
from jperrant.evaluation.analysis import Analysis
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.reference_free import PerplexityScorer, levenshtein_ratio, token_sort_ratio
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.evaluation.score_tables import format_scores
from jperrant.evaluation.statistics.ranking import rank_systems
from jperrant.evaluation.statistics.significance import intervals, paired_tests
from tests.m2_cases import rewritten as block


def scored(metric: str, *systems: Sequence[Block], **options: Any) -> list[Score]:
    pairs = [Pair(blocks, (), f"system {number}") for number, blocks in enumerate(systems, start=1)]
    return evaluate(make_scorer(metric, **options), pairs)


def words(texts: Sequence[str]) -> list[float]:
    return [float(len(text.split())) for text in texts]


OPEN = "whether the results should be open to his or her relatives has caused"


# SOME


def test_some_is_the_weighted_sum_of_three_numbers_on_the_scale_from_1_to_4() -> None:
    asked: list[Any] = []

    def meaning(sources: Sequence[str], hypotheses: Sequence[str]) -> list[float]:
        asked.append((list(sources), list(hypotheses)))
        return [1.0] * len(sources)

    parts = {"grammaticality": lambda texts: [4.0] * len(texts), "fluency": lambda texts: [2.5] * len(texts)}
    [score] = scored("some", [block("a b", "c")], **parts, meaning=meaning)
    assert score.values == {"some": pytest.approx(0.55 * 1 + 0.43 * 0.5 + 0.02 * 0)}
    assert asked == [(["a b"], ["c"])]
    [sentence] = score.sentence_dicts()
    assert (sentence["grammaticality"], sentence["fluency"], sentence["meaning"]) == (1.0, 0.5, 0.0)
    assert score.signature.startswith("some|grammaticality:custom|fluency:custom|meaning:custom|refs:0|")
    [outside] = scored("some", [block("a", "")], **FUNCTIONS["some"], part_weights=(1, 0, 0))
    assert outside.values["some"] == pytest.approx(-1 / 3), "what is outside the scale is not clipped"
    assert "|weights:1,0,0|" in outside.signature


# IMPARA


@pytest.mark.parametrize(
    ("similarity", "expected"), [(0.95, 1 / (1 + math.exp(-2))), (0.9, 0.0), (0.89, 0.0), (-1.0, 0.0)]
)
def test_impara_is_the_quality_of_what_still_means_the_same(similarity: float, expected: float) -> None:
    functions = {"quality": words, "similarity": lambda sources, _: [similarity] * len(sources)}
    [score] = scored("impara", [block("a", "a b")], **functions)
    assert score.values == {"impara": pytest.approx(expected)}
    assert [o["quality"] for o in score.sentence_dicts()] == [pytest.approx(1 / (1 + math.exp(-2)))]
    [lower] = scored("impara", [block("a", "a b")], **functions, threshold=-1)
    assert (lower.values["impara"] > 0) == (similarity > -1)


# Scribendi


@pytest.mark.parametrize(
    ("source", "hypothesis", "sorted_ratio", "distance_ratio"),
    # fuzzywuzzy 0.18.0 (force_ascii=False) with python-Levenshtein, and the Levenshtein ratio of the published code
    [
        ("This is a sentence .", "This a is sentence .", 100, 0.9),
        (f"Once the test is done , {OPEN} social extensive controversy.",
         f"Once the test is done , {OPEN} extensive social controversy.", 100, 0.943089),
        ("This sentences contain gramamtical error .", "This sentence contains a grammatical error .", 93,
         0.930233),
        ("This is a sentence .", "the sentence was corrected into completely different one .", 41, 0.358974),
        ("I like it", "I do not like it at all", 56, 0.5625), ("a b", "c d", 33, 0.333333),
        ("The Cat , sat !", "the cat sat", 100, 0.692308), (".", "!", 100, None), ("a", "", 0, None),
        ("snake_case x", "x snake case", 58, None), ("Ünï çode", "code uni", 62, None),
        ("他 去 。", "他 去 了 。", 75, None), ("don't", "do n't", 91, None),
        ("İstanbul b", "istanbul B", 95, None), ("1,000 cats", "1 000 cats", 100, None),
    ],
)  # fmt: skip
def test_ratios_are_those_of_the_published_code(
    source: str, hypothesis: str, sorted_ratio: int, distance_ratio: float | None
) -> None:
    assert token_sort_ratio(source, hypothesis) == sorted_ratio / 100
    if distance_ratio is not None:
        assert levenshtein_ratio(source, hypothesis) == pytest.approx(distance_ratio, abs=1e-6)


@given(st.text(), st.text())
def test_ratios_are_symmetric_and_1_for_equal_texts(one: str, other: str) -> None:
    for ratio in (token_sort_ratio, levenshtein_ratio):
        assert ratio(one, one) == 1
        assert 0 <= ratio(one, other) == ratio(other, one) <= 1


def test_scribendi_sums_better_unchanged_and_worse_sentences() -> None:
    blocks = [
        block("I likes very much it", "I like it very much"),  # less perplexing and alike
        block("I like it", "I like it"),  # unchanged
        block("He go", "He goes home"),  # not less perplexing
        block("He go there now", "Cats"),  # less perplexing and another text
        *(block("a b", ""), block("", "a")),  # other texts
        block("", ""),
    ]
    known = {"I likes very much it": 90.0, "I like it very much": 20.0, "He go": 50.0, "He goes home": 50.0}
    known |= {"He go there now": 50.0, "Cats": 3.0, "a b": 9.0, "": 5.0, "a": 1.0}
    told: list[str] = []

    def lookup(texts: Sequence[str]) -> list[float]:
        told.extend(texts)
        return [known[text] for text in texts]

    [score] = scored("scribendi", blocks, perplexity=lookup)
    assert score.values == {"scribendi": -3.0}
    assert score.counts == {"better": 1, "unchanged": 2, "worse": 4}
    assert [o["values"]["scribendi"] for o in score.sentence_dicts()] == [1, 0, -1, -1, -1, -1, 0]  # type: ignore[index]
    assert "I like it" not in told, "what was not changed needs no model"
    [mean] = scored("scribendi", blocks, perplexity=lookup, level="sentence")
    assert mean.values == {"scribendi": pytest.approx(-3 / 7)}
    [loose] = scored("scribendi", blocks, perplexity=lookup, threshold=0)
    assert loose.values == {"scribendi": -1.0}, "nothing is never alike"


# Perplexity


def losses(texts: Sequence[str]) -> list[list[float]]:
    """Give each word its length as its loss."""
    return [[float(len(word)) for word in text.split()] for text in texts]


def test_perplexity_is_that_of_all_tokens_or_the_mean_of_sentences() -> None:
    blocks = [block("x", "a bb"), block("x", "ccc")]
    [score] = scored("perplexity", blocks, losses=losses)
    assert score.values == {"perplexity": pytest.approx(math.exp(6 / 3))}
    assert score.counts == {"tokens": 3}
    [mean] = scored("perplexity", blocks, losses=losses, level="sentence")
    assert mean.values == {"perplexity": pytest.approx((math.exp(1.5) + math.exp(3)) / 2)}
    better, worse = rank_systems(scored("perplexity", [block("x", "a")], [block("x", "aa")], losses=losses))
    assert better.trueskill > worse.trueskill


def test_an_empty_text_has_no_perplexity() -> None:
    [score] = scored("perplexity", [block("x", ""), block("x", "ccc")], losses=losses)
    assert score.values == {"perplexity": pytest.approx(math.exp(3))}
    assert any("1 sentence without tokens" in line for line in score.warnings)
    assert next(o["values"] for o in score.sentence_dicts()) == {"perplexity": None}
    [score] = scored("perplexity", [block("x", "")], losses=losses)
    analysis = Analysis(score, per_sentence=True, intervals=intervals(score, 20))
    assert json.loads(format_scores([analysis], "json"))["values"] == {"perplexity": None}
    [score] = scored("perplexity", [block("x", "a" * 5000)], losses=losses)
    assert math.isfinite(score.values["perplexity"])


# All of them

FUNCTIONS: dict[str, dict[str, Any]] = {
    "some": {"grammaticality": words, "fluency": words, "meaning": lambda _, texts: words(texts)},
    "impara": {"quality": words, "similarity": lambda texts, _: [1.0] * len(texts)},
    "scribendi": {"perplexity": words},
    "perplexity": {"losses": losses},
}


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_systems_share_work_and_equal_systems_score_equally(metric: str) -> None:
    seen: list[str] = []

    def counted(function: Any) -> Any:
        return lambda *texts: (seen.extend(texts[-1]), function(*texts))[1]

    functions = {name: counted(function) for name, function in FUNCTIONS[metric].items()}
    system = [block("a b c", "a c"), block("d", "d e")]
    first, second = scored(metric, system, list(system), **functions)
    assert first.values == second.values
    assert len(seen) <= 4 * len(functions), "each text once for both systems"
    assert paired_tests([first, second], samples=20)[0].differences[metric].p == 1
    assert intervals(first, 20)[metric].low <= first.values[metric] <= intervals(first, 20)[metric].high
    assert first.signature.split("|")[-2] == "refs:0"


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_several_annotators_of_a_system_count_with_their_mean(metric: str) -> None:
    both, one, other = (
        scored(metric, [block("a b", *texts)], **FUNCTIONS[metric])[0].rows[0]
        for texts in (("a b c", "a"), ("a b c",), ("a",))
    )
    assert both == pytest.approx((one + other) / 2)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([math.nan], "nan"), ([math.inf], "inf"), ([], "0 numbers for 1 text"), (["x"], "'x'"),
        ([None], "None"),
    ],
)  # fmt: skip
def test_what_a_function_gives_is_checked(numbers: list[Any], message: str) -> None:
    for metric, name in (("impara", "quality"), ("some", "fluency")):
        with pytest.raises(InputError, match=message):
            scored(metric, [block("a", "b")], **{**FUNCTIONS[metric], name: lambda _: numbers})


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("some", {}, "model=FOLDER with the folders grammaticality, fluency, meaning"),
        ("some", {"model": str(Path(__file__).parent)}, "found no folder grammaticality or grammer"),
        ("some", {"part_weights": (0.5, 0.5)}, "2 weights, expected 3"),
        ("scribendi", {"model": "no/such-model"}, "jperrant models get --model no/such-model"),
        ("perplexity", {"model": "/no/such/folder"}, "found no such folder"),
    ],
)
def test_models_that_are_not_there_are_one_line(metric: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(JperrantError, match=message):
        scored(metric, [block("a", "b")], **options)


def test_overlapping_edits_are_refused_and_references_not_used(tmp_path: Path) -> None:
    path = tmp_path / "hyp.m2"
    path.write_text("S a b\nA 0 2|||R|||c|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||d|||REQUIRED|||-NONE-|||0\n\n")
    with pytest.raises(InputError, match="overlap"):
        jperrant.score(path, metrics=PerplexityScorer(losses=losses))
    [score] = jperrant.score([block("a", "bb")], metrics=PerplexityScorer(losses=losses))
    assert score.values["perplexity"] == pytest.approx(math.exp(2))
    assert not score.warnings
    [same] = jperrant.score([block("a", "bb")], [block("a", "c")], metrics=PerplexityScorer(losses=losses))
    assert same.values == score.values
    assert any("no metric uses references" in line for line in same.warnings)
