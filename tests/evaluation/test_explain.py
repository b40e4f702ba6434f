"""How metrics come to scores: contributions of edits against all orders, plans of UOT, commands and messages."""

from __future__ import annotations

import json
import re
from itertools import permutations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.errors import EditError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.explain import Attribution, ChunkTable, SentencePlan, plans_of
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.uot import UotScorer
from jperrant.evaluation.statistics.ranking import sentence_points
from jperrant.evaluation.statistics.shapley import design, worths
from jperrant.reporting.explanations import format_contributions, format_plans
from tests.commands import printed, refused
from tests.strategies import examples

GAMES = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.floats(-5, 5, width=32), min_size=1 << n, max_size=1 << n)
)


def by_definition(values: list[float]) -> list[float]:
    """Return Shapley values as the mean over all orders."""
    gains = []
    for order in permutations(range(len(values).bit_length() - 1)):
        chosen, gain = 0, [0.0] * len(order)
        for part in order:
            gain[part] = values[chosen | 1 << part] - values[chosen]
            chosen |= 1 << part
        gains.append(gain)
    return np.mean(gains, axis=0).tolist()


@given(GAMES)
@examples(60)
def test_shapley_values_are_the_mean_over_all_orders(values: list[float]) -> None:
    parts = len(values).bit_length() - 1
    worth = worths(design(parts), dict(enumerate(values)))
    assert worth.values == pytest.approx(by_definition(values), abs=1e-9)
    assert sum(worth.values) == pytest.approx(values[-1] - values[0], abs=1e-9)
    assert set(worth.errors) == {0.0}


@given(GAMES, st.integers(0, 9))
@examples(30)
def test_sampled_orders(values: list[float], seed: int) -> None:
    parts = len(values).bit_length() - 1
    plan = design(parts, exact=0, orders=400, seed=seed)
    assert plan == design(parts, exact=0, orders=400, seed=seed)
    worth = worths(plan, dict(enumerate(values)))
    assert sum(worth.values) == pytest.approx(values[-1] - values[0], abs=1e-9)
    for value, error, true in zip(worth.values, worth.errors, by_definition(values), strict=True):
        assert abs(value - true) <= 6 * error + 1e-9


def test_edits_of_a_sentence_by_hand() -> None:
    right, wrong = Edit(1, 2, ("is",), "R:VERB:SVA"), Edit(2, 3, ("well",), "R:ADV")
    hyp, ref = [block("This are good", (right, wrong))], [block("This are good", (right,))]
    # F0.5 of {}: 0 (P 1, R 0), {right}: 1, {wrong}: 0, both: P 1/2, R 1 → 5/9
    both = 1.25 * 0.5 / (0.25 * 0.5 + 1)
    for method, worths_of in (
        ("shapley", ((1 + both) / 2, (both - 1) / 2)),
        ("add", (1, 0)),
        ("sub", (both, both - 1)),
    ):
        [found] = jperrant.explain(hyp, ref, method=method)
        assert found.worths == pytest.approx(worths_of)
        assert (found.before, found.after) == pytest.approx((0, both))
    # Of three words one is wrong in the source, none with the right edit alone.
    [wer] = jperrant.explain(hyp, ref, metrics="wer")
    assert wer.lower_is_better
    assert wer.worths == pytest.approx((-1 / 3, 1 / 3))


@pytest.mark.ci
def test_every_metric_over_many_sentences(short_conll: Path) -> None:
    amu, gold = (short_conll / f"conll14{name}.errant" for name in ("-AMU", ""))
    metrics = ["errant", "cleme2:level=sentence", "gleu", "green", "wer"]
    found = jperrant.explain(amu, gold, metrics=metrics, sentences=range(1, 40))
    assert [one.metric for one in found[:5]] == ["errant", "cleme2", "gleu", "green", "wer"]
    for one in found:
        assert sum(one.worths) == pytest.approx(one.after - one.before, abs=1e-8)
    alone = jperrant.explain(amu, gold, metrics=metrics, sentences=[13])
    assert alone == [one for one in found if one.sentence == 13]
    # A sentence's best reference and its score are those that rank systems.
    assert alone[0].after == pytest.approx(sentence_points(jperrant.score(amu, gold))[0][12])


def test_sampling_depends_on_the_sentence_alone() -> None:
    edits = tuple(Edit(n, n + 1, ("x",), "R:OTHER") for n in range(9))
    system, gold = ([block("a b c d e f g h i", own)] * 2 for own in (edits, edits[::2]))
    found = jperrant.explain(system, gold, metrics="gleu")
    assert all(one.sampled and any(one.errors) for one in found), "more than 8 edits"
    assert found[1:] == jperrant.explain(system, gold, metrics="gleu", sentences=[2])
    assert found[0].worths != found[1].worths, "orders are drawn for each sentence"


def test_long_lines_are_scored_in_parts_of_their_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven edits in 2,000 tokens have some 600 variants: in memory are at most so many tokens at a time."""
    source = " ".join(f"w{n}" for n in range(2000))
    edits = tuple(Edit(n * 7, n * 7 + 1, ("x",), "R:NOUN") for n in range(11))
    gold = [block(source, (*edits[::2], Edit(99, 99, ("y",), "M:DET")))]

    def worths_of(metric: str) -> tuple[float, ...]:
        return jperrant.explain([block(source, edits)], gold, metrics=metric)[0].worths

    whole = {metric: worths_of(metric) for metric in ("errant", "wer")}
    monkeypatch.setattr("jperrant.evaluation.explain._AT_ONCE", 100)
    monkeypatch.setattr("jperrant.evaluation.explain._MOST_AT_ONCE", 100_000)
    assert {metric: worths_of(metric) for metric in whole} == whole
    too_many = "sentence 1 has 11 edits in 2000 tokens, too many for contributions"
    with pytest.raises(UsageError, match=too_many):
        worths_of("gleu:draws=500")  # whose draws need all variants at once
    monkeypatch.setattr("jperrant.evaluation.explain._MOST", 100_000)
    with pytest.raises(UsageError, match=too_many):
        worths_of("errant")


def test_json_and_what_is_refused(short_conll: Path) -> None:
    words = ["explain", short_conll / "conll14-AMU.errant", "--ref", short_conll / "conll14.errant"]
    [record] = json.loads(printed(*words, "--sentences", "13", "--json"))
    assert (record["sentence"], record["value"], len(record["edits"])) == (13, "f", 3)
    assert {"worth", "standard_error", "type"} <= record["edits"][0].keys()
    types = json.loads(printed(*words, "--by-type", "--json", "--sentences", "13"))
    assert [one["type"] for one in types] == ["R:NOUN", "R:NOUN:NUM", "R:VERB"]
    for wrong, message in (
        ("--method shaply", "did you mean 'shapley'"),
        ("--sentences 0", "found sentence 0, expected 1 to 100"),
        ("-m goto", "'goto' takes its weights from all systems"),
    ):
        assert message in refused(*words, *wrong.split())


def test_tsv_by_type_of_several_systems_is_one_table_that_names_them() -> None:
    one, two = ([block("a b", (Edit(0, 1, ("x",), type_),))] for type_ in ("R:A", "R:B"))
    found = jperrant.explain({"one": one, "two": two}, one)
    for worths_of, table in (
        (found, "hypothesis\ttype\tedits\terrant\none\tR:A\t1\t1.0\ntwo\tR:B\t1\t1.0\n"),
        (found[:1], "type\tedits\terrant\nR:A\t1\t1.0\n"),
    ):
        assert format_contributions(worths_of, "tsv", by_type=True) == table


def test_the_sentence_with_edits_that_overlap_is_named() -> None:
    edits = (Edit(0, 2, ("x",), "R:OTHER"), Edit(1, 2, ("y",), "R:OTHER"))
    fine, wrong = block("a b", edits[:1]), block("a b", edits)
    with pytest.raises(EditError, match=r"sentence 3 \(counted from 1\)"):
        jperrant.explain([fine, fine, wrong], [fine] * 3, metrics="gleu", method="sub")


def test_several_annotators_have_a_column() -> None:
    header, *rows = format_contributions(jperrant.explain(REF, REF), "tsv").splitlines()
    assert header.split("\t")[:4] == ["hypothesis", "sentence", "annotator", "span"]
    assert [row.split("\t")[2] for row in rows] == ["0", "1", "1"]


SVG = "{http://www.w3.org/2000/svg}"


def block(text: str, *annotators: tuple[Edit, ...]) -> Block:
    return Block(tuple(text.split()), tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


GOES, DOT = Edit(1, 2, ("goes",), "R:VERB"), Edit(3, 3, (".",), "M:PUNCT")
LESS = Edit(0, 1, ("<he>",), "R:ORTH")
HYP = [block("he go home", ()), block("he go home", (LESS, GOES)), block("it is", ())]
REF = [block("he go home", (), ()), block("he go home", (GOES,), (GOES, DOT)), block("it is", (), ())]


@pytest.fixture
def words(tmp_path: Path, letters: object) -> list[str]:
    """The command that explains UOT of two files."""
    for name, blocks in (("hyp.m2", HYP), ("ref.m2", REF)):
        jperrant.write_m2(blocks, tmp_path / name)
    return ["explain", str(tmp_path / "hyp.m2"), "--ref", str(tmp_path / "ref.m2"), "-m", "uot"]


def test_warnings_name_the_sentences_of_the_file(letters: object) -> None:
    unseen = block("he go home", (Edit(1, 2, ("og",), "R:X"),))
    pair = Pair([HYP[0], HYP[1], unseen], [HYP[0], REF[1], unseen])
    for chosen, first in (([3], 3), ([3, 2], 3), ((), 2)):
        _, warnings = plans_of(UotScorer(), pair, chosen)
        [told] = [line for line in warnings if "change the encoding" in line]
        assert f"first sentence {first} " in told


def test_json_is_the_plan(words: list[str]) -> None:
    first, second, third = json.loads(printed(*words, "--sentences", "1-3", "--json"))
    assert [plan["sentence"] for plan in (first, second, third)] == [1, 2, 3]
    assert (first["plan"], first["values"]["f"]) == ([], 1), "of a sentence without edits"
    assert json.loads(printed(*words, "--json")) == [second]
    [[expected], _] = plans_of(UotScorer(), Pair(HYP, REF))
    assert second["reference"] == expected.reference == 0
    np.testing.assert_allclose(second["plan"], expected.plan)
    assert [edit["correction"] for edit in second["hypothesis_edits"]] == ["<he>", "goes"]
    assert [edit["text"] for edit in second["reference_edits"]] == ["go"]
    masses, counts = sum(edit["mass"] for edit in second["hypothesis_edits"]), second["counts"]
    assert counts["tp"] == pytest.approx(np.sum(second["plan"]))
    assert counts["fp"] == pytest.approx(masses - counts["tp"])
    totals = np.sum([list(row.values()) for row in second["by_type"].values()], axis=0)
    np.testing.assert_allclose(totals, list(counts.values()))


def test_plans_of_several_systems_and_of_none_with_edits(words: list[str], tmp_path: Path) -> None:
    command, hyp, *options = words
    two, plain = tmp_path / "two.m2", tmp_path / "plain.m2"
    for path, blocks in ((two, HYP), (plain, HYP[:1])):
        jperrant.write_m2(blocks, path)
    assert printed(*words, "--sentences", "1").count("no edits") == 1
    assert printed(command, plain, "--ref", plain, "-m", "uot") == "no sentence has edits\n"
    shown = printed(command, hyp, two, *options)
    assert shown.index("hyp by error type") < shown.index("two, sentence 2")
    rows = printed(command, hyp, two, *options, "--format", "tsv").splitlines()
    assert {row.split("\t")[0] for row in rows} == {"hypothesis", "hyp", "two"}


def test_pictures_and_pages_escape_words(words: list[str], tmp_path: Path) -> None:
    picture = tmp_path / "plan.svg"
    printed(*words, "--sentences", "1-3", "--format", "svg", "-o", picture)
    tree = ElementTree.parse(picture)
    assert "he → <he>" in [text.text for text in tree.iter(f"{SVG}text")]
    assert [len(list(tree.iter(f"{SVG}{shape}"))) for shape in ("rect", "path")] == [3, 2]
    page = printed(*words, "--format", "html")
    assert page.startswith("<!DOCTYPE html>")
    assert "&lt;he&gt;" in page
    assert not re.search("https?:", page)
    for format_ in ("latex", "md"):
        assert printed(*words, "--sentences", "1-3", "--format", format_)


def test_a_picture_has_no_control_characters(letters: object) -> None:
    odd = [block("he \x01go <b>", (Edit(1, 2, ("\x1bgo",), "R:<i>"),))]
    [plan], _ = plans_of(UotScorer(), Pair(tuple(odd), tuple(odd), "odd"), [1])
    shown = [text.text for text in ElementTree.fromstring(format_plans([plan], "svg")).iter(f"{SVG}text")]
    assert shown[1:3] == ["he ‹U+0001›go <b>", "‹U+0001›go → ‹U+001B›go"], "shown, not written"


@pytest.mark.parametrize(
    ("metric", "kind"), [("cleme2", ChunkTable), ("uot", SentencePlan), ("gleu", Attribution)]
)
def test_texts_are_explained_in_every_way(metric: str, kind: type, letters: object) -> None:
    given = {"source": ["it is", "he go home"], "references": [["it is", "he goes homes"]], "models": "none"}
    [found] = jperrant.explain(["it is", "he goes home"], **given, metrics=metric)
    assert (type(found), found.sentence) == (kind, 2)
    [again] = jperrant.explain(["it is", "he goes home"], **given, metrics=metric, method="add")
    assert isinstance(again, Attribution)
    assert len(again.worths) == 1
