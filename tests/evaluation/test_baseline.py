"""Systems beside a baseline: corrections for many tests, differences by type, sentences that differ."""

from __future__ import annotations

import csv
import json
import math
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.score_tables import format_scores
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.statistics.significance import (
    Comparison,
    corrected,
    paired_tests,
    sentence_differences,
)
from tests.commands import printed
from tests.strategies import examples

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data" / "conll14"
AMU, CAMB, IITB = (str(DATA / f"conll14-{name}.errant") for name in ("AMU", "CAMB", "IITB"))
GOLD = str(DATA / "conll14.errant")
P = st.lists(st.floats(0.0001, 1), min_size=1, max_size=20)
invoke = partial(printed, "score")


@pytest.fixture(scope="module")
def scores() -> Scores:
    return jperrant.score({"A": AMU, "B": CAMB}, GOLD)


@pytest.fixture(scope="module")
def found(scores: Scores) -> Comparison:
    [comparison] = paired_tests(scores, samples=200, baseline="B", by_type=True)
    return comparison


def test_corrections_as_r_does_them() -> None:
    # p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") and "BH" of R
    assert corrected([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected([0.01, 0.04, 0.03, 0.005], "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    with pytest.raises(UsageError, match="did you mean 'holm'"):
        corrected([0.1], "holmes")


@pytest.mark.ci
@given(P)
@examples(100)
def test_laws_of_corrections(p: list[float]) -> None:
    from scipy.stats import false_discovery_control  # which takes a second to import

    holm, bh = corrected(p), corrected(p, "bh")
    assert bh == pytest.approx(false_discovery_control(p, method="bh"))
    assert all(a <= b + 1e-12 <= c + 1e-9 for a, b, c in zip(p, bh, holm, strict=True))
    assert all(c <= min(1, len(p) * a) + 1e-12 for a, c in zip(p, holm, strict=True))
    order = np.argsort(p, kind="stable")
    assert list(np.diff(np.array(holm)[order]) >= -1e-12).count(False) == 0
    assert corrected(p, "none") == p


def test_figures_are_those_of_score(scores: Scores, found: Comparison) -> None:
    one, other = scores
    assert (found.baseline, found.hypothesis) == ("B", "A")
    assert set(found.differences) == {"precision", "recall", "f"}
    assert found.differences["f"].value == one.values["f"] - other.values["f"]
    assert set(found.types) == set(one.by_type) | set(other.by_type)
    by_type = [score.to_dataframe("type")["f"] for score in scores]
    assert found.types["U:DET"].value == pytest.approx(by_type[0]["U:DET"] - by_type[1]["U:DET"])


def test_the_whole_is_tested_as_without_types(scores: Scores) -> None:
    for test in ("bootstrap", "randomisation"):
        [alone] = paired_tests(scores, test, 300, 7)
        [with_types] = paired_tests(scores, test, 300, 7, by_type=True)
        assert with_types.differences == alone.differences
        assert alone.types == {}


def test_types_of_all_systems_are_one_family(scores: Scores) -> None:
    three = jperrant.score({"A": AMU, "B": CAMB, "C": IITB}, GOLD)
    comparisons = paired_tests(three, samples=50, baseline="B", correction="bh", by_type=True)
    types = [one for own in comparisons for one in own.types.values()]
    assert [one.p_corrected for one in types] == corrected([one.p for one in types], "bh")
    whole = [own.differences["f"] for own in comparisons]
    assert [one.p_corrected for one in whole] == corrected([one.p for one in whole], "bh")


def test_equal_systems_and_swapped_ones() -> None:
    amu, camb, gold = (list(islice(jperrant.read_m2(file), 300)) for file in (AMU, CAMB, GOLD))
    same = jperrant.score({"A": amu, "B": amu}, gold)
    [equal] = paired_tests(same, samples=50, by_type=True)
    assert {one.p for one in (*equal.differences.values(), *equal.types.values())} == {1.0}
    assert sentence_differences(*same) == []
    scores = jperrant.score({"A": amu, "B": camb}, gold)
    [ours], [theirs] = (paired_tests(scores, samples=50, baseline=name, by_type=True) for name in "AB")
    for name, one in ours.types.items():
        other = theirs.types[name]
        assert [one.value, one.low, one.high] == pytest.approx(
            [-other.value, -other.high, -other.low], nan_ok=True
        )
    forwards, backwards = sentence_differences(*scores), sentence_differences(*scores[::-1])
    assert [s.difference for s in forwards] == pytest.approx([-s.difference for s in backwards][::-1])


def test_sentences_are_those_whose_values_differ(scores: Scores) -> None:
    ours, theirs = ([one["values"]["f"] for one in score.sentence_dicts()] for score in scores)
    expected = {n: a - b for n, (a, b) in enumerate(zip(ours, theirs, strict=True), start=1) if a != b}
    found = sentence_differences(*scores)
    assert {s.sentences[0]: s.difference for s in found} == expected
    differences = [s.difference for s in found]
    assert differences == sorted(differences, reverse=True)
    one = found[0]
    assert one.difference == one.value - one.baseline


def test_the_effect_of_a_sentence_is_what_falls_without_it() -> None:
    amu, camb, gold = (list(islice(jperrant.read_m2(file), 40)) for file in (AMU, CAMB, GOLD))
    one = sentence_differences(*jperrant.score({"A": amu, "B": camb}, gold))[0]
    place = one.sentences[0] - 1
    without = [blocks[:place] + blocks[place + 1 :] for blocks in (amu, camb, gold)]
    [(a, b), (c, d)] = (
        [score.values["f"] for score in jperrant.score({"A": ours, "B": theirs}, references)]
        for ours, theirs, references in ((amu, camb, gold), without)
    )
    assert one.effect == pytest.approx((a - b) - (c - d))


def test_lower_is_better_where_it_is() -> None:
    right, wrong, nothing = (Edit(0, 1, ("x",), "R:OTHER"),), (Edit(0, 1, ("y",), "R:OTHER"),), ()
    sources = [("a", "b", "c", "d"), ("e", "f", "g", "h")]

    def side(*edits: tuple[Edit, ...]) -> list[Block]:
        return [Block(s, (Annotation(0, own),)) for s, own in zip(sources, edits, strict=True)]

    good, bad = jperrant.score(
        {"good": side(right, nothing), "bad": side(nothing, wrong)}, side(right, nothing), metrics="wer"
    )
    [found] = paired_tests([bad, good], samples=20, by_type=True)
    assert found.differences["wer"].value < 0
    assert found.types == {}
    ahead = sentence_differences(good, bad)
    assert {s.sentences for s in ahead} == {(1,), (2,)}
    assert all(s.difference < 0 for s in ahead)


def test_sentences_that_were_aligned() -> None:
    def block(tokens: str, *edits: Edit) -> Block:
        return Block(tuple(tokens.split()), (Annotation(0, edits),))

    change = Edit(1, 2, ("goes",), "R:VERB:SVA")
    gold = [block("He go home .", change), block("It is so .")]
    scores = jperrant.score({"none": [block("He go home ."), block("It is so .")],
                             "joined": [block("He go home . It is so .", change)]}, gold)  # fmt: skip
    [sentence] = sentence_differences(*scores)
    assert sentence.sentences == (1, 2)
    assert sentence.difference == -1


@pytest.mark.ci
def test_three_systems_and_layouts() -> None:
    args = (
        AMU, CAMB, IITB, "--ref", GOLD, "--samples", "50", "--names", "a,b,c", "--baseline", "b", "--by-type",
    )  # fmt: skip
    first, baseline, third = json.loads(invoke(*args, "--json"))
    assert "comparisons" not in baseline
    assert [one["baseline"] for one in (*first["comparisons"], *third["comparisons"])] == ["b", "b"]
    [tested] = first["comparisons"]
    assert (tested["test"], tested["samples"], tested["correction"]) == ("randomisation", 50, "holm")
    assert tested["differences"]["f"]["value"] == first["values"]["f"] - baseline["values"]["f"]
    assert {*tested["by_type"]} == {*first["by_type"], *baseline["by_type"], *third["by_type"]}
    assert first["differing_sentences"][0]["difference"] == 1
    rows = list(csv.DictReader(invoke(*args, "--format", "tsv").splitlines(), delimiter="\t"))
    assert rows[0]["type"] == "all"
    assert float(rows[0]["difference a"]) == tested["differences"]["f"]["value"]
    assert int(rows[0]["n b"]) == 725 + 1886
    # The better of two p decides the order.
    p = [min(float(r["p a"] or 1), float(r["p c"] or 1)) for r in rows[1:]]
    assert p == sorted(p)
    latex = invoke(
        *args, "--format", "latex", "--bold-best", "--percent", "--decimals", "1", "--columns", "f"
    )
    assert r"all & 2417 & 2611 & 2092 & 32.1 & \textbf{33.5} & 5.7" in latex
    marked = invoke(AMU, CAMB, "--ref", GOLD, "--samples", "2000", "--baseline", AMU, "--by-type")
    assert [line.split()[0] for line in marked.splitlines() if "‡ " in line and "‡:" not in line] != []


def test_several_metrics_have_a_table_each(short_conll: Path) -> None:
    files = [str(short_conll / Path(file).name) for file in (AMU, CAMB, GOLD)]
    args = (
        *files[:2], "--ref", files[2], "--names", "a,b", "--samples", "20", "--baseline", "a", "--by-type",
    )  # fmt: skip
    metrics = ("-m", "errant", "-m", "cleme2", "-m", "wer")
    shown = invoke(*args, *metrics)
    assert [block.splitlines()[0] for block in shown.split("\n\n")[1:]] == ["errant", "cleme2"]
    assert "metric 'wer' has no figures by type" in shown
    rows = list(csv.DictReader(invoke(*args, *metrics, "--format", "tsv").splitlines(), delimiter="\t"))
    assert {row["metric"] for row in rows} == {"errant", "cleme2"}


def test_unknown_tests_are_refused(scores: Scores) -> None:
    with pytest.raises(UsageError, match="unknown test 't'"):
        paired_tests(scores, test="t")
    with pytest.raises(UsageError, match="unknown correction 'bonf'"):
        paired_tests(scores, correction="bonf")
    with pytest.raises(UsageError, match="found no system 'b' for the baseline"):
        paired_tests(scores, baseline="b")


def test_a_type_of_which_a_system_has_no_edit_shows_no_difference() -> None:
    """A needless edit of one system alone: its F is 0, the other's ratios of nothing are no figure."""
    wrong, right = Edit(0, 1, ("x",), "R:ADJ"), Edit(2, 3, ("y",), "R:NOUN")
    sides = [[Block(("a", "b", "c"), (Annotation(0, own),))] * 9 for own in ((wrong, right), (right,))]
    scores = jperrant.score({"A": sides[0], "B": sides[1]}, sides[1])
    [found] = paired_tests(scores, samples=100, baseline="B", by_type=True)
    assert math.isnan(found.types["R:ADJ"].value)
    assert math.isnan(found.types["R:ADJ"].low)
    assert found.types["R:ADJ"].p == 1
    assert found.types["R:NOUN"].value == 0
    extras = scores.analyse(baseline="B", types=True, samples=100)
    [line] = [s for s in format_scores(extras, types=True).splitlines() if s.startswith("R:ADJ")]
    assert line.split() == ["R:ADJ", "0", "0", "0.0000"]
    assert "-1" not in format_scores(extras, "tsv", types=True)
    [first, _] = json.loads(format_scores(extras, "json"))
    assert first["comparisons"][0]["by_type"]["R:ADJ"]["value"] is None
