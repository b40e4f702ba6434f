"""Agreement of annotators: coefficients against other programs and published figures, files, tables, laws."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.errors import FormatError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.statistics.agreement import MISSING, alpha, alpha_row, kappa, kappa_row
from tests.commands import printed
from tests.stages import mostly_for_ci
from tests.strategies import examples

GOLD = str(Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant")
LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)

ANNA = """S She go to school yesterday .
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S I like apple .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

S All fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
BEN = """S She go to school yesterday .
A 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||0

S I like apple .
A 2 3|||R:NOUN:NUM|||apples|||REQUIRED|||-NONE-|||0

S All fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
invoke = partial(printed, "agree")


@pytest.fixture(scope="module")
def conll() -> jperrant.Agreement:
    return jperrant.agreement(GOLD, metrics=[])


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("anna", ANNA), ("ben", BEN)):
        (tmp_path / f"{name}.m2").write_text(text, encoding="utf-8")
    return str(tmp_path / "anna.m2"), str(tmp_path / "ben.m2")


def block(length: int, *annotations: list[Edit] | None) -> Block:
    given = [Annotation(n, tuple(edits)) for n, edits in enumerate(annotations) if edits is not None]
    return Block(tuple(f"w{n}" for n in range(length)), tuple(given))


def change(start: int, end: int, text: str = "x", type_: str = "R:A") -> Edit:
    return Edit(start, end, tuple(text.split()), type_)


# --- coefficients


@pytest.mark.ci
@given(LABELS)
@examples(60)
def test_kappa_is_that_of_scikit_learn(labels: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = np.array(labels).T
    ours = float(kappa(kappa_row(first, second, 4)))
    if len({*first.tolist(), *second.tolist()}) == 1:
        assert math.isnan(ours), "one label throughout: undefined, not 0 or 1"
    else:
        assert ours == pytest.approx(metrics.cohen_kappa_score(first, second))


def test_alpha_of_krippendorffs_example() -> None:
    # Krippendorff (2011), section C: four observers, twelve units, missing data; nominal alpha .743
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, -1, -1, -1],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, -1, 3],
        [-1, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, -1],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, -1],
    ]
    assert float(alpha(alpha_row(np.array(table), 6))) == pytest.approx(0.743, abs=0.0005)


@given(LABELS, st.integers(0, 30))
@examples(60)
def test_rows_may_be_summed(labels: list[tuple[int, int]], cut: int) -> None:
    values = np.array(labels).T
    parts = values[:, :cut], values[:, cut:]
    for row, value in ((alpha_row, alpha), (lambda v, n: kappa_row(v[0], v[1], n), kappa)):
        whole, summed = value(row(values, 4)), value(sum(row(part, 4) for part in parts))
        np.testing.assert_allclose(whole, summed, equal_nan=True)


def test_items_without_labels_say_nothing() -> None:
    with_gaps = np.array([[0, 1, MISSING, 1], [0, 1, 1, MISSING]])
    assert alpha_row(with_gaps, 2).tolist() == alpha_row(with_gaps[:, :2], 2).tolist()
    assert math.isnan(float(alpha(alpha_row(np.zeros((2, 5), np.int64), 1)))), "De = 0"


# --- published figures (CoNLL-14's two annotators)


def test_shared_edits_of_conll14(conll: jperrant.Agreement) -> None:
    [pair] = conll.pairs
    assert (pair.sentences, pair.tokens) == (1312, 30144)
    assert pair.counts["corrections"] == (973, 1489, 2502)
    assert pair.counts["spans"] == (1252, 1208, 2222)
    values = {
        name: round(pair.values[f"corrections_{name}"], 4) for name in ("precision", "recall", "f1", "f")
    }
    assert values == {"precision": 0.3952, "recall": 0.2800, "f1": 0.3278, "f": 0.3652}
    assert pair.values["corrections_f_reversed"] == pytest.approx(0.2973, abs=5e-5)


def test_kappa_and_alpha_of_conll14(conll: jperrant.Agreement) -> None:
    values = conll.pairs[0].values
    assert values["kappa_identification"] == pytest.approx(0.4405, abs=5e-5)
    assert values["kappa_classification"] == pytest.approx(0.7041, abs=5e-5)
    assert values["alpha"] == pytest.approx(0.3941965186, abs=5e-11)
    assert values["alpha_binary"] == pytest.approx(0.4393, abs=5e-5)
    assert conll.values == pytest.approx(values), "two annotators are one pair"


@pytest.mark.ci
def test_gaps_as_items_of_conll14() -> None:
    values = jperrant.agreement(GOLD, metrics=[], items="gaps").pairs[0].values
    assert values["kappa_identification"] == pytest.approx(0.4377, abs=5e-5)
    assert values["kappa_classification"] == pytest.approx(0.7256, abs=5e-5)


def test_metrics_score_annotators_as_score_does() -> None:
    blocks = list(islice(jperrant.read_m2(GOLD), 60))
    sides = [[Block(b.source, (Annotation(0, b.annotations[n].edits),)) for b in blocks] for n in (0, 1)]
    for ceiling in jperrant.agreement(blocks, metrics=["errant", "m2", "cleme2"]).ceilings:
        [score] = jperrant.score(sides[0], sides[1], metrics=ceiling.metric)
        assert ceiling.pairs["0", "1"] == pytest.approx(score.values)
        assert ceiling.pairs.keys() == {("0", "1"), ("1", "0")}


def test_types_and_their_confusion_add_up(conll: jperrant.Agreement) -> None:
    edits = np.sum([one.edits for one in conll.by_type], axis=0)
    assert edits.tolist() == [2462, 3475]
    rows = [
        sum(n for (a, _), n in conll.confusion.items() if a),
        sum(n for (_, b), n in conll.confusion.items() if b),
    ]
    assert rows == [2462, 3475]
    assert sum(one.shared[0] for one in conll.by_type) == conll.pairs[0].counts["types"][0]


# --- several annotators


def test_the_rest_as_references() -> None:
    # Three annotators: A = B, C changed nothing.
    blocks = [block(3, [change(0, 1)], [change(0, 1)], []), block(3, [], [], [change(1, 2)])]
    agreed = jperrant.agreement(blocks, metrics=["errant", "gleu"])
    errant = agreed.ceilings[0]
    scores = {(s.annotator, s.references): (s.sets, s.mean) for s in errant.scores}
    assert scores["0", 1] == (2, 0.5), "right against B; wrong and missing against C"
    assert scores["0", 2] == (1, 1.0)
    assert [c.references for c in errant.ceilings] == [1, 2]
    [one] = [c.mean for c in errant.ceilings if c.references == 1]
    assert one == pytest.approx(np.mean([scores[name, 1][1] for name in "012"]))


@pytest.mark.parametrize(
    "metric",
    mostly_for_ci(
        [
            "errant", "errant:exact", "m2", "m2:level=sentence", "gleu", "gleu:variant=corrected", "green",
            "wer", "cer",
        ],
        "errant",
        "m2:level=sentence",
        "gleu",
        "wer",
    ),
)  # fmt: skip
def test_candidates_made_once_give_what_scoring_each_set_gives(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Four annotators, of which one did not look at all sentences: mixtures of CoNLL-14's two.
    blocks = []
    for n, two in enumerate(list(islice(jperrant.read_m2(GOLD), 12))):
        first, second = (a.edits for a in two.annotations)
        versions = [first, second, second[:2], *([()] if n % 3 else [])]
        blocks.append(Block(two.source, tuple(Annotation(k, edits) for k, edits in enumerate(versions))))
    quick = jperrant.agreement(blocks, metrics=[metric], samples=20).ceilings[0]
    scorer = make_scorers([metric])[0]
    assert scorer.per_reference
    monkeypatch.setattr(type(scorer), "per_reference", False)
    slow = jperrant.agreement(blocks, metrics=[metric], samples=20).ceilings[0]
    for one, other in zip(quick.ceilings, slow.ceilings, strict=True):
        assert one.interval is not None
        assert other.interval is not None
        assert (one.mean, one.interval.low) == pytest.approx((other.mean, other.interval.low))
    for one, other in zip(quick.scores, slow.scores, strict=True):
        assert replace(one, mean=0) == replace(other, mean=0)
        assert one.mean == pytest.approx(other.mean)


def test_metrics_that_weigh_by_all_systems_see_those_of_one_set_together() -> None:
    blocks = [block(3, [change(0, 1)], [change(0, 1)], [change(1, 2)]), block(3, [], [change(1, 2)], [])]
    [ceiling] = jperrant.agreement(blocks, metrics=["goto"]).ceilings
    assert [c.references for c in ceiling.ceilings] == [1, 2]
    # It looks at one reference by itself, which is said.
    assert sum("only the first annotator" in line for line in ceiling.warnings) == 1


def test_sets_of_the_rest_are_drawn_where_there_are_many() -> None:
    blocks = [block(4, *[[change(n % 4, n % 4 + 1)] for n in range(6)])]
    all_sets = jperrant.agreement(blocks).ceilings[0]
    assert [s.sets for s in all_sets.scores if s.annotator == "0"] == [5, 10, 10, 5, 1]
    drawn = jperrant.agreement(blocks, subsets=3).ceilings[0]
    assert [s.sets for s in drawn.scores if s.annotator == "0"] == [3, 3, 3, 3, 1]
    assert drawn.scores == jperrant.agreement(blocks, subsets=3).ceilings[0].scores


def test_a_sentence_that_an_annotator_did_not_look_at() -> None:
    blocks = [block(2, [change(0, 1)], [change(0, 1)]), block(8, [change(3, 4)], None)]
    left_out = jperrant.agreement(blocks)
    assert (left_out.pairs[0].sentences, left_out.pairs[0].tokens) == (1, 2)
    assert left_out.values["alpha"] == 1.0
    assert left_out.ceilings[0].ceilings[0].mean == 1.0
    assert any("sentence 2" in note for note in left_out.notes)
    unchanged = jperrant.agreement(blocks, missing="unchanged")
    assert unchanged.pairs[0].counts["spans"] == (1, 1, 0)
    assert unchanged.notes == ()


def test_sentences_that_nobody_looked_at_or_that_are_empty() -> None:
    blocks = [block(2), block(0, [], []), block(0), block(2, [change(0, 1)], [change(0, 1)])]
    agreed = jperrant.agreement(blocks)
    assert agreed.pairs[0].sentences == 2
    assert agreed.values["alpha"] == 1.0
    assert agreed.sentences == ()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=8))
@examples(25)
def test_agreement_is_symmetric(sentences: list[tuple[int, int, int]]) -> None:
    def made(n: int) -> list[Edit]:
        return [change(0, 1, type_="R:A"), change(2, 2, "y", "M:B")][:n]

    blocks = [block(4, made(a), made(b)) for _, a, b in sentences]
    swapped = [
        Block(b.source, tuple(Annotation(1 - a.annotator, a.edits) for a in b.annotations)) for b in blocks
    ]
    [ours], [theirs] = (jperrant.agreement(side, metrics=[]).pairs for side in (blocks, swapped))
    same = [name for name in ours.values if name.endswith("f1") or "kappa" in name or "alpha" in name]
    for name in same:
        assert ours.values[name] == pytest.approx(theirs.values[name], nan_ok=True)
    assert ours.values["spans_f"] == pytest.approx(theirs.values["spans_f_reversed"])


def test_annotators_without_edits_have_no_kappa() -> None:
    agreed = jperrant.agreement([block(3, [], [])])
    values = agreed.pairs[0].values
    assert values["corrections_f1"] == 1.0
    assert values["equal_sentences"] == 1.0
    assert all(math.isnan(values[name]) for name in values if name.startswith(("kappa", "alpha")))


def test_equal_sentences_are_equal_texts() -> None:
    # Two edits of one annotator are one of the other: the same text.
    blocks = [block(3, [change(0, 1, "a"), change(1, 2, "b")], [change(0, 2, "a b")])]
    agreed = jperrant.agreement(blocks)
    assert agreed.values["equal_sentences"] == 1.0
    assert agreed.pairs[0].values["corrections_f1"] == 0.0
    overlapping = [block(3, [change(0, 2), change(1, 3)], [change(0, 2), change(1, 3)])]
    assert jperrant.agreement(overlapping, metrics=[]).values["equal_sentences"] == 1.0


def test_intervals_hold_the_value_and_do_not_depend_on_metrics() -> None:
    blocks = list(islice(jperrant.read_m2(GOLD), 60))
    agreed = jperrant.agreement(blocks, samples=200)
    [pair] = agreed.pairs
    for name, interval in pair.intervals.items():
        assert interval.low <= pair.values[name] <= interval.high, name
    again = jperrant.agreement(blocks, samples=200, metrics=[])
    assert again.pairs[0].intervals == pair.intervals
    ceiling = agreed.ceilings[0].ceilings[0]
    assert ceiling.interval is not None
    assert ceiling.interval.low < ceiling.mean < ceiling.interval.high


def test_worst_sentences_come_first() -> None:
    blocks = [
        block(4, [change(0, 1)], []),
        block(4, [], []),
        block(4, [change(0, 1), change(2, 3)], [change(1, 2)]),
    ]
    sentences = jperrant.agreement(blocks, metrics=[]).sentences
    assert [(one.number, one.differing) for one in sentences] == [(3, 3), (1, 1)]
    assert sentences[0].edits[1] == (change(1, 2),)


# --- files


def test_a_file_for_each_annotator(files: tuple[str, str]) -> None:
    record = json.loads(invoke(*files, "--json"))
    assert record["annotators"] == ["anna", "ben"]
    assert record["pairs"][0]["counts"]["spans"] == {"both": 1, "first": 1, "second": 1}
    assert record["pairs"][0]["counts"]["types"]["both"] == 0
    assert record["confusion"]["R:VERB:TENSE"] == {"R:VERB": 1}
    assert [one["sentence"] for one in record["sentences_that_differ"]] == [2, 1]
    assert record["pairs"][0]["values"]["kappa_classification"] is not None
    assert record == jperrant.agreement(*files).to_dict()
    assert json.loads(invoke(*files, "--json", "--names", "A,B"))["annotators"] == ["A", "B"]
    by_operation = json.loads(invoke(*files, "--json", "--category", "1"))
    assert by_operation["pairs"][0]["counts"]["types"]["both"] == 1
    assert [one["sentence"] for one in by_operation["sentences_that_differ"]] == [2], "both are R"


def test_files_with_other_tokens_are_aligned(files: tuple[str, str]) -> None:
    path = Path(files[1])
    path.write_text(BEN.replace("yesterday .", "yesterday."), encoding="utf-8")
    agreed = jperrant.agreement(*files, metrics=[])
    assert agreed.pairs[0].counts["spans"] == (1, 1, 1)
    assert any("aligned" in note for note in agreed.notes)


def test_files_of_other_texts_are_refused(files: tuple[str, str]) -> None:
    Path(files[1]).write_text(BEN.replace("like apple", "love apple"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"ben\.m2: sentence 2 .*'oveapple.*expected 'ikeapple"):
        jperrant.agreement(*files)


def test_two_files_for_one_annotator(files: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="given twice"):
        jperrant.agreement(files[0], files[0])
    copy = tmp_path / "copy.m2"
    copy.write_text(ANNA, encoding="utf-8")
    assert any("copies of one file" in note for note in jperrant.agreement(files[0], copy).notes)
    with pytest.raises(UsageError, match="one annotator"):
        jperrant.agreement(files[0])


@pytest.mark.parametrize("format", ["text", "tsv", "latex", "md"])
def test_undefined_is_said(format: str, tmp_path: Path) -> None:
    path = tmp_path / "none.m2"
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"
    path.write_text(f"S a b .\n{noop}0\n{noop}1\n\n", encoding="utf-8")
    assert "undefined" in invoke(str(path), "--format", format)
    assert json.loads(invoke(str(path), "--json"))["values"]["alpha"] is None


def test_tables_for_people_and_programs(files: tuple[str, str]) -> None:
    text = invoke(*files)
    assert "Sentences that differ" in text
    assert "apple → apples (R:NOUN:NUM)" in text
    rows = invoke(*files, "--format", "tsv", "--table", "agreement", "--ci", "--samples", "50").splitlines()
    assert rows[0].split("\t")[3:6] == ["equal_sentences", "equal_sentences_low", "equal_sentences_high"]
    assert len(rows[0].split("\t")) == len(rows[1].split("\t"))
    assert r"\begin{tabular}" in invoke(*files, "--format", "latex", "--table", "types")
    assert invoke(*files, "--percent", "--decimals", "1", "--table", "edits").count("50.0") >= 3


@pytest.mark.parametrize(
    "options",
    [["--table", "typo"], ["--items", "gap"], ["--missing", "noop"], ["--category", "4"], ["--beta", "0"],
     ["--names", "A"], ["--subsets", "0"], ["--ci", "--samples", "-1"], ["--top", "0"], ["-m", "erant"],
     ["--columns", "apha"]],
)  # fmt: skip
def test_impossible_options_are_refused(options: list[str], files: tuple[str, str]) -> None:
    with pytest.raises(UsageError):
        invoke(*files, *options)


def test_columns_are_checked_before_anything_is_measured(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("measured")

    monkeypatch.setattr("jperrant.evaluation.agreement.measure.agreement", refuse)
    with pytest.raises(UsageError, match=r"'apha' \(did you mean 'alpha'\?\); columns: sentences, tokens"):
        invoke(*files, "--columns", "apha")
    with pytest.raises(UsageError, match="'alpha_low'"):
        invoke(*files, "--ci", "--columns", "alpha_low")
    with pytest.raises(AssertionError, match="measured"):
        invoke(*files, "--ci", "--format", "tsv", "--table", "agreement", "--columns", "alpha_low")
