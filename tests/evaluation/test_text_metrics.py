"""GLEU, GREEN, I-measure, WER and CER: published cases and figures, definitions, odd input."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.metric_names import make_scorers
from jperrant.evaluation.metrics import imeasure, ngrams
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.corrected_texts import units_of
from jperrant.evaluation.metrics.edit_distance import error_counts, error_rate
from jperrant.evaluation.metrics.imeasure import MOVES, Triple, align_all, count_columns
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.io.m2 import write_m2
from tests.commands import printed
from tests.m2_cases import rewritten
from tests.strategies import annotations as random_annotations
from tests.strategies import examples


def published(name: str) -> Any:
    """Return what published programs give, as the README beside it says."""
    return json.loads((Path(__file__).parents[1] / "data/text_metrics" / f"{name}.json").read_text("utf-8"))


EXPECTED = published("conll14")
GLEU_CASES = published("gleu")
METRICS = (
    "gleu", "gleu:variant=corrected,level=sentence,smoothing=none", "gleu:draws=3,unit=characters", "green",
    "green:level=sentence,short=one,unit=characters", "imeasure", "imeasure:level=sentence", "wer", "cer",
)  # fmt: skip


def score(metric: str, hypothesis: Sequence[Block], references: Sequence[Block]) -> Score:
    [found] = evaluate(*make_scorers([metric]), [Pair(hypothesis, references)])
    return found


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(
    ("metric", "figures"),
    [
        ("gleu", {"gleu": "official_expected"}), ("gleu:variant=corrected", {"gleu": "corrected_expected"}),
        ("gleu:draws=500", {"gleu": "official_500_draws_python2"}),
        ("gleu:draws=500,generator=python3", {"gleu": "official_500_draws_python3"}),
        ("gleu:level=sentence", {"gleu": "mean_sentence"}), ("green:beta=0.5", {"green": "f05"}),
        ("green", {"green": "f2", "precision": "precision", "recall": "recall"}),
        ("green:level=sentence", {"green": "mean_sentence_f2"}), ("wer", {"wer": "rate"}), ("cer", {"cer": "rate"}),
    ],
    ids=str,
)  # fmt: skip
def test_figures_of_published_programs(conll14, metric, figures):
    family, _, options = metric.partition(":")
    for name in ["AMU"] if options else ["AMU", "INPUT"]:
        [found] = evaluate(*make_scorers([metric]), [conll14[name]])
        for value, key in figures.items():
            assert found.values[value] == pytest.approx(EXPECTED[name][family][key], abs=1e-6), (name, value)


@pytest.mark.slow
@pytest.mark.ci
def test_counts_of_the_published_i_measure(conll14):
    [found] = evaluate(*make_scorers(["imeasure"]), [conll14["AMU"]])
    expected = EXPECTED["AMU"]["imeasure_nomix"]["correction"]
    # In 9 sentences the published references are cut into other words, which costs 5 to 7 false negatives.
    for column in ("tp", "tn", "fp", "fpn"):
        assert found.counts[column] == expected[column]
    assert 0 <= expected["fn"] - found.counts["fn"] <= 7
    assert found.values["i"] == pytest.approx(expected["i"], abs=2e-5)
    assert found.values["wacc"] == pytest.approx(expected["wacc"], abs=2e-4)


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.ci)])
def test_official_gleu_of_one_reference(conll14, number):
    system, expected = conll14["AMU"], EXPECTED["AMU"]["gleu"][f"official_ref{number}_only"]
    references = [Block(b.source, (b.annotations[number],)) for b in system.references]
    assert score("gleu", system.hypothesis, references).values["gleu"] == pytest.approx(expected, abs=1e-6)


def sides(case: dict[str, Any]) -> list[list[Block]]:
    """Return the hypotheses and the references of a published case."""
    rows = zip(case["sources"], case["hypotheses"], *case["references"], strict=True)
    pairs = [(rewritten(source, text), rewritten(source, *texts)) for source, text, *texts in rows]
    return [list(blocks) for blocks in zip(*pairs, strict=True)]


def test_gleu_without_smoothing_as_gec_metrics():
    """The sentence scores that the unit tests of gec-metrics hold: 0.5, 0, 1 and 0.2578313459119911."""
    found = score("gleu:variant=corrected,level=sentence,smoothing=none", *sides(GLEU_CASES[0]))
    assert found.rows[:, 0].tolist() == pytest.approx([0.5, 0.0, 1.0, 0.2578313459119911])


@pytest.mark.parametrize("case", GLEU_CASES, ids=lambda case: case["name"])
def test_cases_of_published_gleu(case):
    expected, blocks = case["expected"], sides(case)
    for metric, statistics, value in (
        ("gleu", expected["stats"], expected["expected_official"]),
        ("gleu:variant=corrected", expected["corrected_stats"], expected["expected_corrected"]),
    ):
        found = score(metric, *blocks)
        assert found.rows.tolist() == np.mean(statistics, axis=1).tolist()
        assert found.values["gleu"] == pytest.approx(value, abs=1e-12)
    sentences = score("gleu:level=sentence", *blocks).rows[:, 0]
    assert sentences == pytest.approx(expected["official"]["sentence"], abs=1e-6)
    drawn = score("gleu:draws=500", *blocks).values["gleu"]
    assert drawn == pytest.approx(expected["official"]["corpus"], abs=1e-6)


@pytest.mark.parametrize("case", published("green"), ids=lambda case: case["name"])
def test_cases_of_published_green(case):
    unit = {"word": "words", "char": "characters"}[case["unit"]]
    metric, expected = f"green:order={case['n']},unit={unit},beta={case['beta']}", case["expected"]
    found = score(metric, *sides(case))
    assert found.rows.sum(axis=0).reshape(case["n"], 7).tolist() == expected["counts_tk_td_ti_od_oi_ud_ui"]
    values = [found.values[name] * 100 for name in ("green", "precision", "recall")]
    assert values == pytest.approx([expected[name] for name in ("corpus", "precision", "recall")], abs=1e-6)
    by_sentence = score(f"{metric},level=sentence", *sides(case))
    assert by_sentence.values["green"] * 100 == pytest.approx(expected["mean"], abs=1e-6)
    sentences = [one["values"]["green"] * 100 for one in by_sentence.sentence_dicts()]
    assert sentences == pytest.approx(expected["sentence"], abs=1e-6)


@pytest.mark.parametrize("metric", [metric for metric in METRICS if "draws" not in metric])
def test_the_best_of_several_hypotheses_counts(metric):
    """And GLEU takes their mean statistics."""
    references, texts = [rewritten("a b c d e", "a x c d e")], ["a b c d e", "a x c d e"]
    found = score(metric, [rewritten("a b c d e", *texts)], references)
    if metric.startswith("gleu"):
        alone = [score(metric, [rewritten("a b c d e", text)], references).rows[0] for text in texts]
        assert found.rows[0].tolist() == pytest.approx(np.mean(alone, axis=0))
    else:
        assert found.combined[0].hypothesis == 1


@examples(25)
@given(st.data())
def test_values_are_finite_and_those_of_summed_rows(data):
    metric = data.draw(st.sampled_from(METRICS))
    texts = st.lists(st.sampled_from("abcd"), max_size=5).map(tuple)
    hypothesis, references = [], []
    for source in data.draw(st.lists(texts, min_size=1, max_size=3)):
        ours, theirs = (data.draw(random_annotations(0, len(source))) for _ in range(2))
        hypothesis.append(Block(source, (ours,)))
        references.append(Block(source, (theirs, Annotation(1))))
    found = score(metric, hypothesis, references)
    low = -1.0 if metric.startswith("imeasure") else 0.0
    assert all(math.isfinite(value) and low <= value for value in found.values.values())
    of_rows = found.scorer.values(found.rows.sum(axis=0))
    assert {name: float(value) for name, value in of_rows.items()} == pytest.approx(found.values)


@pytest.mark.parametrize("metric", ["gleu", "green"])
def test_characters_do_not_depend_on_how_chinese_is_cut_into_words(metric):
    def values(source: str, *texts: str, unit: str = "characters") -> dict[str, float]:
        return score(f"{metric}:unit={unit}", *([rewritten(source, text)] for text in texts)).values

    words = "我 昨天 去 了 学校 。", "我 昨天 去 学校 。", "我 昨天 去 过 学校 。"
    assert values(*words) == values(*(" ".join(text.replace(" ", "")) for text in words))
    assert values(*words) != values(*words, unit="words")


def test_a_seed_of_the_command_is_that_of_the_draws(tmp_path):
    write_m2([rewritten("a b c", "a x c")], tmp_path / "sys.m2")
    write_m2([rewritten("a b c", "a x c", "a b c")], tmp_path / "ref.m2")
    for words, seed in (
        (("gleu:draws=4",), 101),
        (("gleu:draws=4,seed=7", "--ci", "--samples", "9"), 7),
        (("gleu:draws=4", "--seed", "7"), 101),  # that of samples
    ):
        shown = printed(
            "score", tmp_path / "sys.m2", "--ref", tmp_path / "ref.m2", "--json", "--metric", *words
        )
        assert f"|draws:4|seed:{seed}|" in json.loads(shown)["signature"]


def test_texts_too_long_to_align_at_once_are_cut_and_said(monkeypatch):
    source = " ".join(f"w{n}" for n in range(12))
    hypothesis, reference = source.replace("w1 ", "x "), source.replace("w9", "y w9")
    triple = Triple(*(tuple(text.split()) for text in (source, hypothesis, reference)))
    whole = align_all([triple])
    for function in (imeasure.is_too_long, align_all):
        monkeypatch.setattr(function, "__defaults__", (200,))
    assert imeasure.is_too_long(triple)
    assert align_all([triple]) == whole
    found = score("imeasure", [rewritten(source, hypothesis)], [rewritten(source, reference)])
    assert [warning for warning in found.warnings if "sentence 1 " in warning and "too long" in warning]
    nothing_shared = Triple(("a",) * 30, ("b",) * 30, ("c",) * 30)
    assert len(align_all([nothing_shared])[0]) == 30


WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def test_draws_stay_within_the_references_of_each_sentence():
    drawn = ngrams.draw_references([1, 2, 3], 200, 7)
    assert drawn.shape == (200, 3)
    assert [sorted(set(column)) for column in drawn.T.tolist()] == [[0], [0, 1], [0, 1, 2]]
    assert (drawn == ngrams.draw_references([1, 2, 3], 200, 7)).all()
    assert (drawn != ngrams.draw_references([1, 2, 3], 200, 8)).any()


def test_options_of_draws_are_those_of_a_corpus():
    for options, message in (
        ("generator=python3", "give draws as well"),
        ("draws=5,level=sentence", "corpus"),
    ):
        with pytest.raises(UsageError, match=message):
            make_scorers([f"gleu:{options}"])


@given(WORDS, WORDS, WORDS)
def test_variants_of_gleu_differ_by_the_penalty_alone_which_no_reference_has(source, hypothesis, reference):
    s, h, r = (ngrams.count_ngrams(words, ngrams.GLEU_ORDER) for words in (source, hypothesis, reference))
    official, corrected = (ngrams.gleu_statistics(s, h, r, variant) for variant in ("official", "corrected"))
    assert (official[:2], official[3::2]) == (corrected[:2], corrected[3::2])
    assert all(max(less, 0) <= more for less, more in zip(corrected[2::2], official[2::2], strict=True))
    for variant in ("official", "corrected"):
        row = ngrams.gleu_statistics(s, r, r, variant)
        assert row[2::2] == row[3::2]
        assert float(ngrams.gleu(np.array(row))) == (1.0 if len(reference) >= ngrams.GLEU_ORDER else 0.0)


@given(WORDS, WORDS, WORDS)
def test_counts_are_those_of_the_definition(source, hypothesis, reference):
    expected = []
    for s, h, r in zip(
        *(ngrams.count_ngrams(text, 3) for text in (source, hypothesis, reference)), strict=True
    ):
        triples = [(s.get(g, 0), h.get(g, 0), r.get(g, 0)) for g in {*s, *h, *r}]
        expected += [
            sum(min(s, r, h) for s, h, r in triples),
            sum(max(0, s - max(r, h)) for s, h, r in triples),
            sum(max(0, min(r, h) - s) for s, h, r in triples),
            sum(max(0, min(s, r) - h) for s, h, r in triples),
            sum(max(0, h - max(s, r)) for s, h, r in triples),
            sum(max(0, min(s, h) - r) for s, h, r in triples),
            sum(max(0, r - max(s, h)) for s, h, r in triples),
        ]
    found = ngrams.green_counts(*(ngrams.count_ngrams(text, 3) for text in (source, hypothesis, reference)))
    assert list(found) == expected
    assert len(ngrams.green_columns(3)) == len(expected)


@pytest.mark.parametrize("case", published("wer_cer"), ids=lambda case: case["hypothesis"] or "empty")
@pytest.mark.parametrize(("unit", "name", "rate"), [("words", "word", "wer"), ("characters", "char", "cer")])
def test_cases(case, unit, name, rate):
    hypothesis = units_of(case["hypothesis"].split(), unit)
    rows = [error_counts(hypothesis, units_of(text.split(), unit)) for text in case["references"]]
    assert [list(row) for row in rows] == case[name]
    assert min(error_rate(*row) for row in rows) == pytest.approx(case[rate])


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("", ""),
        ("我 是 学生 。", "我是学生。"),
        ("我 用 Python 写", "我用Python写"),
        ("他 在 2014 年 说 ： “ 你好 ” ……", "他在2014年说：“你好” ……"),
        ("私 は カメラ", "私はカメラ"),
        ("나는 학생 이다", "나는 학생 이다"),
    ],
)
def test_characters_of_a_text(tokens, text):
    assert units_of(tokens.split(), "characters") == text
    assert units_of(tokens.split(), "words") == tokens.split()


TEXTS = st.lists(st.sampled_from("abc"), max_size=6).map(tuple)
TRIPLES = st.builds(Triple, TEXTS, TEXTS, TEXTS)


def counts_of(triple: Triple) -> tuple[int, ...]:
    source, _, reference = triple
    untouched = Triple(source, source, reference)
    moves, baseline = align_all([triple, untouched])
    _, tn, _, fn, _ = count_columns(untouched, baseline)
    return (*count_columns(triple, moves), tn, fn)


@pytest.mark.parametrize("case", published("imeasure"), ids=lambda case: case["name"])
def test_cases_of_the_published_i_measure(case):
    triple = Triple(*(tuple(case[side].split()) for side in ("source", "hypothesis", "reference")))
    expected = case["expected"]
    [moves] = align_all([triple])
    for sides, (number, text) in zip(expected["alignment"], enumerate(triple), strict=True):
        tokens = iter(text)
        assert [next(tokens) if MOVES[move][number] else "" for move in moves] == sides
    counts = counts_of(triple)
    untouched = {f"untouched_{name}": expected["baseline"][name] for name in ("tn", "fn")}
    assert dict(zip(imeasure.COLUMNS, counts, strict=True)) == {**expected["correction"], **untouched}
    values = imeasure.imeasure(np.array(counts))
    assert values["i"] == pytest.approx(expected["i"])
    assert values["wacc"] == pytest.approx(expected["wacc"])
    names = ("precision", "recall", "f", "acc", "acc_b", "wacc", "wacc_b", "i")
    printed = dict(zip(names, map(float, case["reference_row"][5:]), strict=True))
    assert {n: v * 100 for n, v in values.items()} == pytest.approx(
        {n: printed[n] for n in values}, abs=0.005
    )


def pair_cost(a: str | None, b: str | None) -> int:
    if a is None and b is None:
        return 0
    return 2 if a is None or b is None else 3 * (a != b)


def plain_alignment(triple: Triple) -> list[int]:
    """The alignment cell by cell, as section 4 of the paper defines it."""

    def cost(cell, move):
        taken = [text[n - 1] if step else None for text, n, step in zip(triple, cell, move, strict=True)]
        return pair_cost(*taken[:2]) + pair_cost(taken[0], taken[2]) + pair_cost(*taken[1:])

    def before(cell, move):
        return tuple(n - step for n, step in zip(cell, move, strict=True))

    best = {(0, 0, 0): 0}
    for cell in np.ndindex(*(len(text) + 1 for text in triple)):
        steps = [best[before(cell, m)] + cost(cell, m) for m in MOVES if before(cell, m) in best]
        if steps:
            best[cell] = min(steps)
    cell, moves = tuple(len(text) for text in triple), []
    while any(cell):
        allowed = [i for i, m in enumerate(MOVES) if min(before(cell, m)) >= 0]
        move = next(i for i in allowed if best[before(cell, MOVES[i])] + cost(cell, MOVES[i]) == best[cell])
        moves.append(move)
        cell = before(cell, MOVES[move])
    return moves[::-1]


@examples(40)
@given(st.lists(TRIPLES, min_size=1, max_size=6))
def test_many_alignments_are_each_the_plain_one(triples):
    assert align_all(triples) == [plain_alignment(triple) for triple in triples]


@given(TEXTS, TEXTS)
def test_the_reference_is_perfect_and_doing_nothing_is_0_unless_nothing_was_wrong(source, reference):
    nothing, perfect = (
        imeasure.imeasure(np.array(counts_of(Triple(source, hypothesis, reference))))
        for hypothesis in (source, reference)
    )
    assert float(nothing["i"]) == (1.0 if source == reference else 0.0)
    assert {name: float(value) for name, value in perfect.items()} == dict.fromkeys(perfect, 1.0)


@given(TRIPLES)
def test_values_stay_in_range_and_the_preference_agrees_with_them(triple):
    counts = counts_of(triple)
    values = {name: float(value) for name, value in imeasure.imeasure(np.array(counts)).items()}
    assert -1 <= values["i"] <= 1
    assert all(0 <= values[name] <= 1 for name in ("wacc", "precision", "recall", "f"))
    wacc, i = imeasure.preferences(np.array([counts], dtype=float))[0][:2]
    assert (float(wacc), float(i)) == pytest.approx((values["wacc"], values["i"]))


def test_texts_so_long_that_16_bits_do_not_hold_their_costs():
    source = tuple("abcdefgh" * 60)
    triple = Triple(source, ("x", "y"), (*source[:5], *source[6:], "z"))
    [moves] = align_all([triple])
    # Both drop one word, the hypothesis loses all others too: its two words stand against two of these, since
    # a mismatch of 6 is cheaper than two gaps. The reference's last word is missing.
    assert count_columns(triple, moves) == (1, 0, 479, 1, 0)
