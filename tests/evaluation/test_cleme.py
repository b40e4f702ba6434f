"""CLEME and CLEME2.0: the published code's figures, laws of the scores, options and bad input."""

from __future__ import annotations

import json
import math
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import EditError, FormatError, InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair, add_rows
from jperrant.evaluation.metrics.cleme.scorer import (
    Cleme2Scorer,
    ClemeScorer,
    parse_factors,
)
from jperrant.evaluation.metrics.cleme.weights import mean_length
from jperrant.evaluation.metrics.reference_choice import choose_greedily
from jperrant.evaluation.metrics.score import Score, evaluate, prepare_references
from jperrant.evaluation.scorers import make_scorer
from jperrant.evaluation.scoring import score
from tests.m2_cases import load_pairs
from tests.stages import mostly_for_ci
from tests.strategies import annotations, examples

pytestmark = pytest.mark.slow

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
EXPECTED = json.loads((CONLL14 / "expected_cleme2.json").read_text(encoding="utf-8"))
SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT")
ASSUMPTIONS = {"dep": "dependent", "ind": "independent"}
FACTORS = {"paper_corpus": ".45,.35,.15,.05", "paper_sentence": ".35,.25,.20,.20", "class_default": "table12"}
VALUES = {"p": "precision", "r": "recall", "f05": "f", "acc": "accuracy"}


@pytest.fixture(scope="module")
def conll14() -> dict[str, Pair]:
    pairs = load_pairs(
        [str(CONLL14 / f"conll14-{s}.errant") for s in SYSTEMS], str(CONLL14 / "conll14.errant"), strict=True
    )
    return dict(zip(SYSTEMS, pairs, strict=True))


@pytest.fixture(scope="module")
def first(conll14: dict[str, Pair]) -> dict[str, Pair]:
    """The first two hundred sentences of each system, for what holds of any."""
    return {name: Pair(pair.hypothesis[:200], pair.references[:200]) for name, pair in conll14.items()}


def assert_figures(found: Score, expected: dict[str, float], tolerance: float) -> None:
    figures = {**found.counts, **found.values}
    for name, value in expected.items():
        assert figures[VALUES.get(name, name)] == pytest.approx(value, abs=tolerance), (
            found.hypothesis,
            name,
        )


@pytest.mark.parametrize(
    "key",
    mostly_for_ci(
        EXPECTED["cleme2_unweighted"]["AMU"], "dep/corpus/paper_corpus", "ind/sentence/paper_sentence"
    ),
)
def test_cleme2_is_that_of_the_published_code(conll14: dict[str, Pair], key: str) -> None:
    assumption, level, factors = key.split("/")
    scorer = Cleme2Scorer(ASSUMPTIONS[assumption], level, factors=FACTORS[factors])
    for system, found in zip(SYSTEMS, evaluate(scorer, list(conll14.values())), strict=True):
        assert_figures(found, EXPECTED["cleme2_unweighted"][system][key], 1e-9)
        assert all(isinstance(count, int) for count in found.counts.values())


@pytest.mark.parametrize(
    "key",
    mostly_for_ci(EXPECTED["cleme1_unweighted"]["AMU"], "ind/sentence/unweighted"),
)
def test_cleme_is_that_of_the_published_code(conll14: dict[str, Pair], key: str) -> None:
    assumption, level, _ = key.split("/")
    scorer = ClemeScorer(ASSUMPTIONS[assumption], level, weights="none")
    for system, found in zip(SYSTEMS, evaluate(scorer, list(conll14.values())), strict=True):
        # The figures are given with 8 decimals.
        assert_figures(found, EXPECTED["cleme1_unweighted"][system][key], 5.1e-9)


@pytest.mark.ci
def test_length_weights_are_those_of_the_published_code(conll14: dict[str, Pair]) -> None:
    """P, R and F of AMU as the authors' program prints them; x0 of AMU and CAMB."""
    figures = {"dependent": (0.2645, 0.2097, 0.2514), "independent": (0.2690, 0.2553, 0.2661)}
    for assumption, expected in figures.items():
        [found] = evaluate(ClemeScorer(assumption), [conll14["AMU"]])
        assert tuple(found.values.values())[:3] == expected
    for assumption, f in {"dependent": 0.3624, "independent": 0.4200}.items():
        [found] = evaluate(ClemeScorer(assumption, "sentence"), [conll14["AMU"]])
        assert round(found.values["f"], 4) == f
    for system, x0 in {"AMU": 1.7905, "CAMB": 1.8250}.items():
        scorer = ClemeScorer()
        [labelled] = scorer.labelled([conll14[system]], prepare_references(scorer, [conll14[system]]))
        assert round(mean_length([sentence[0] for sentence in labelled]) or 0, 4) == x0


def test_stated_factors_are_the_default() -> None:
    assert Cleme2Scorer().numbers == (0.45, 0.35, 0.15, 0.05)
    assert Cleme2Scorer(level="sentence").numbers == (0.35, 0.25, 0.20, 0.20)
    assert Cleme2Scorer(factors="table12").numbers == (0.50, 0.40, 0.05, 0.05)


@pytest.mark.parametrize("system", mostly_for_ci(["AMU", "CAMB", "IITB"], "IITB"))
def test_exact_arithmetic_decides_ties(conll14: dict[str, Pair], system: str) -> None:
    """The figures of the JSON's ``exact_ties``, where no order of sentences is involved."""
    scorer = Cleme2Scorer(level="sentence", factors="table12", exact=True)
    [found] = evaluate(scorer, [conll14[system]])
    assert_figures(found, EXPECTED["exact_ties"][system]["dep/sentence/class_default"], 1e-9)


def test_exact_arithmetic_decides_ties_of_a_corpus(conll14: dict[str, Pair]) -> None:
    scorer = Cleme2Scorer()
    [system] = scorer.candidates([conll14["IITB"]], prepare_references(scorer, [conll14["IITB"]]))
    chosen = choose_greedily(system.sentences, Cleme2Scorer(exact=True).key)
    found = Score(scorer, "", "IITB", system.sentences, tuple(chosen))
    assert_figures(found, EXPECTED["exact_ties"]["IITB"]["dep/corpus/paper_corpus"], 1e-9)


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


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Draw sentences of one source with one hypothesis and one to three references each."""
    hyps, refs = [], []
    for _ in range(draw(st.integers(1, 4))):
        hyps.append(Block(SOURCE, (draw(annotations(0, 6)),)))
        count = draw(st.integers(1, 3))
        refs.append(Block(SOURCE, tuple(draw(annotations(n, 6)) for n in range(count))))
    return Pair(hyps, refs)


OPTIONS = [
    {"assumption": a, "level": level, "weights": w}
    for a in ("dependent", "independent")
    for level in ("corpus", "sentence")
    for w in ("none", "length")
]


@examples(40)
@given(pairs(), st.sampled_from(OPTIONS), st.sampled_from(["cleme", "cleme2"]), st.booleans())
def test_laws_of_scores(pair: Pair, options: dict[str, str], metric: str, exact: bool) -> None:
    scorer = make_scorer(metric, **options, exact=exact)
    [found] = evaluate(scorer, [pair])
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
    pickle.loads(pickle.dumps(found.combined))


@examples(30)
@given(pairs(), st.sampled_from(OPTIONS))
def test_the_best_reference_is_chosen(pair: Pair, options: dict[str, str]) -> None:
    """Where each sentence chooses alone, no other choice scores better."""
    scorer = make_scorer("cleme2", **{**options, "level": "sentence"})
    [found] = evaluate(scorer, [pair])
    for sentence, chosen in zip(found.candidates, found.combined, strict=True):
        best = max(float(scorer.values(np.array(c.row, dtype=float))["score"]) for c in sentence)
        assert float(scorer.values(np.array(chosen.row, dtype=float))["score"]) == best


def block(*edits: Edit, annotator: int = 0) -> Block:
    return Block(SOURCE, (Annotation(annotator, edits),))


REPLACED = Edit(1, 2, ("x",), "R:NOUN")


def test_perfect_and_untouched_sentences() -> None:
    """0/0 is 0: a sentence rightly left alone scores a2 + a3 + a4, a perfectly corrected one 1."""
    for level, left_alone in (("corpus", 0.55), ("sentence", 0.65)):
        scorer = Cleme2Scorer(level=level)
        [found] = evaluate(scorer, [Pair([block()], [block()])])
        assert found.values["score"] == pytest.approx(left_alone)
        [found] = evaluate(scorer, [Pair([block(REPLACED)], [block(REPLACED)])])
        assert found.values["score"] == pytest.approx(1)


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


def test_excluding_unchanged_references() -> None:
    ref = [Block(SOURCE, (Annotation(0), Annotation(1, (REPLACED,))))]
    [found] = evaluate(Cleme2Scorer(), [Pair([block()], ref)])
    assert (found.counts["fn"], found.combined[0].reference) == (0, 0)
    [found] = evaluate(Cleme2Scorer(exclude_unchanged=True), [Pair([block()], ref)])
    assert (found.counts["fn"], found.combined[0].reference) == (1, 1)
    assert "excl:unchanged" in found.signature


def test_beta_counts_at_sentence_level_too(first: dict[str, Pair]) -> None:
    [half] = evaluate(ClemeScorer(level="sentence"), [first["AMU"]])
    [one] = evaluate(ClemeScorer(level="sentence", beta=1.0), [first["AMU"]])
    assert half.values["f"] != one.values["f"]


@pytest.mark.parametrize("text", ["1,2", "a", ".5,.5,0,0", ".4,.3,.2,.2", "nan,.5,.3,.2", ""])
def test_factors_are_checked(text: str) -> None:
    with pytest.raises(UsageError, match="four numbers between 0 and 1 that sum to 1"):
        Cleme2Scorer(factors=text)


def test_factors_may_be_any() -> None:
    assert parse_factors(".1,.2,.3,.4", "corpus") == (0.1, 0.2, 0.3, 0.4)
    assert parse_factors([0.1, 0.2, 0.3, 0.4], "corpus") == (0.1, 0.2, 0.3, 0.4)
    with pytest.raises(UsageError, match="factors '1,2'"):
        parse_factors((1, 2), "corpus")
    assert "f:0.1,0.2,0.3,0.4" in Cleme2Scorer(factors=".1,.2,.3,.4").settings
    assert not any(part.startswith("f:") for part in Cleme2Scorer(factors=".45,.35,.15,.05").settings)


def test_bad_pairs() -> None:
    two = Block(SOURCE, (Annotation(0), Annotation(1)))
    with pytest.raises(
        InputError, match=r"sentence 1 .* has 2 annotators, expected one, the system; .* jperrant m2"
    ):
        evaluate(Cleme2Scorer(), [Pair([two], [block()])])
    with pytest.raises(InputError, match=r"source of sentence 1 .* differs from that of the references"):
        evaluate(Cleme2Scorer(), [Pair([Block(("z",))], [block()])])
    with pytest.raises(InputError, match="1 sentence"):
        Pair([block()], [block(), block()])
    overlapping = block(Edit(0, 2, ("x",), "R"), Edit(1, 3, ("y",), "R"))
    with pytest.raises(EditError, match=r"references: sentence 1 .*: annotator 0: edit 1 3 overlaps"):
        evaluate(Cleme2Scorer(), [Pair([block()], [overlapping])])


def test_overlaps_are_refused_with_file_and_line(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.m2", tmp_path / "bad.m2"
    tail = "|||R|||x|||REQUIRED|||-NONE-|||0\n"
    good.write_text("S a b c\n", encoding="utf-8")
    bad.write_text(f"S a b c\nA 0 2{tail}A 1 3{tail}", encoding="utf-8")
    for sides in ((good, bad), (bad, good)):
        with pytest.raises(FormatError, match=r"bad\.m2:3: overlapping edits: 0 2 and 1 3"):
            score(*map(str, sides), metrics="cleme2")
    bad.write_text(f"S a b c\nT0-A0 x x\nA 0 2{tail}T0-A1 x x\nA 1 3{tail}", encoding="utf-8")
    with pytest.raises(
        FormatError, match=r"bad\.m2:5: overlapping.*jperrant m2 convert IN OUT --from cherrant"
    ):
        score(str(bad), str(good), metrics="cleme2")


def test_empty_sides() -> None:
    gone = Edit(0, 6, (), "U:OTHER")
    [found] = evaluate(Cleme2Scorer(), [Pair([block(gone)], [block(gone)])])
    assert found.counts["tp"] == 1, "an empty reference stays where it is the only one"
    [found] = evaluate(Cleme2Scorer(), [Pair([block(gone)], [block()])])
    assert found.counts["fp_un"] == 1, "an empty hypothesis stays"
    [found] = evaluate(Cleme2Scorer(), [Pair([Block(())], [Block(())])])
    assert found.counts["tn"] == 1
    for level in ("corpus", "sentence"):
        [found] = evaluate(Cleme2Scorer(level=level), [Pair([], [])])
        assert all(math.isfinite(value) for value in found.values.values())


def test_no_changed_reference_chunk_means_length_weights_of_one() -> None:
    [found] = evaluate(ClemeScorer(), [Pair([block(REPLACED)], [block()])])
    assert found.counts == {"tp": 0, "fp": 1.0, "fn": 0, "tn": 2}
