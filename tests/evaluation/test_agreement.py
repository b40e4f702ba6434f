"""Agreement of annotators: coefficients against other programs and published figures, files, tables, laws."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.errors import FormatError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import UNSEEN_BY_STATS, Watched, load_annotators
from jperrant.evaluation.agreement.measure import (
    AgreementOptions,
    Touch,
    alpha,
    count_agreement,
    kappa,
    measure_agreement,
    touches,
)
from jperrant.evaluation.metric_names import make_scorers
from jperrant.reporting.agreement_tables import format_agreement
from tests.commands import printed, refused
from tests.stages import mostly_for_ci
from tests.strategies import blocks, examples

GOLD = str(Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant")
#: Where a coder gave no label.
MISSING = -1
LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)

ANNA = (
    "S She go to school yesterday .\nA 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0\n\n"
    "S I like apple .\nA 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0\n\n"
)
BEN = ANNA.replace("R:VERB:TENSE", "R:VERB").replace("2 2|||M:DET|||the", "2 3|||R:NOUN:NUM|||apples")
invoke = partial(printed, "agree")


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


def kappa_of(items: Collection[Sequence[Hashable]]) -> float:
    """Return Cohen's kappa of items with the labels of two coders."""
    labels = {label for item in items for label in item}
    counts = [sum(item[coder] == label for item in items) for coder in (0, 1) for label in labels]
    equal = sum(first == second for first, second in items)
    return float(kappa(np.array([len(items), equal, *counts], dtype=np.float64)))


def alpha_of(items: Iterable[Sequence[Hashable]]) -> float:
    """Return Krippendorff's alpha of items with the labels of coders; ``MISSING`` is none."""
    counts = [Counter(label for label in item if label != MISSING) for item in items]
    paired = [labels for labels in counts if labels.total() > 1]
    equal = sum(n * (n - 1) / (labels.total() - 1) for labels in paired for n in labels.values())
    return float(alpha(np.array([equal, *sum(paired, Counter()).values()], dtype=np.float64)))


@pytest.mark.ci
@given(LABELS)
@examples(60)
def test_kappa_is_that_of_scikit_learn(labels: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = zip(*labels, strict=True)
    if len({*first, *second}) == 1:
        assert math.isnan(kappa_of(labels)), "one label throughout: undefined, not 0 or 1"
    else:
        assert kappa_of(labels) == pytest.approx(metrics.cohen_kappa_score(first, second))


def test_alpha_of_krippendorffs_example() -> None:
    # Krippendorff (2011), section C: four observers, twelve units, missing data; nominal alpha .743
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, -1, -1, -1],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, -1, 3],
        [-1, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, -1],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, -1],
    ]
    assert alpha_of(zip(*table, strict=True)) == pytest.approx(0.743, abs=0.0005)


# --- published figures (CoNLL-14's two annotators)


def test_figures_of_conll14() -> None:
    conll = jperrant.agreement(GOLD, metrics=[])
    [pair] = conll.pairs
    assert pair.counts["corrections"] == (973, 1489, 2502)
    assert pair.counts["spans"] == (1252, 1208, 2222)
    shared = {"precision": 0.3952, "recall": 0.2800, "f1": 0.3278, "f": 0.3652, "f_reversed": 0.2973}
    published = {f"corrections_{name}": value for name, value in shared.items()}
    published |= {"kappa_identification": 0.4405, "kappa_classification": 0.7041, "alpha_binary": 0.4393}
    assert {name: pair.values[name] for name in published} == pytest.approx(published, abs=5e-5)
    assert pair.values["alpha"] == pytest.approx(0.3941965186, abs=5e-11)
    assert conll.values == pytest.approx(pair.values), "two annotators are one pair"
    edits = np.sum([one.edits for one in conll.by_type], axis=0)
    sides = [sum(n for types, n in conll.confusion.items() if types[side]) for side in (0, 1)]
    assert edits.tolist() == sides == [2462, 3475]
    assert sum(one.shared[0] for one in conll.by_type) == pair.counts["types"][0]


def test_metrics_score_annotators_as_score_does() -> None:
    blocks = list(islice(jperrant.read_m2(GOLD), 60))
    sides = [[Block(b.source, (Annotation(0, b.annotations[n].edits),)) for b in blocks] for n in (0, 1)]
    agreed = jperrant.agreement(blocks, metrics=["errant", "m2", "cleme2"], samples=20)
    assert jperrant.agreement(blocks, metrics=[], samples=20).pairs == agreed.pairs, "also their intervals"
    for ceiling in agreed.ceilings:
        [score] = jperrant.score(sides[0], sides[1], metrics=ceiling.metric)
        [against] = [one.mean for one in ceiling.scores if one.annotator == "0"]
        assert against == pytest.approx(score.values[score.scorer.main])


# --- several annotators


def test_the_rest_as_references() -> None:
    # Three annotators: A = B, C changed nothing.
    blocks = [block(3, [change(0, 1)], [change(0, 1)], []), block(3, [], [], [change(1, 2)])]
    [errant] = jperrant.agreement(blocks, metrics=["errant"]).ceilings
    scores = {(s.annotator, s.references): (s.sets, s.mean) for s in errant.scores}
    assert scores["0", 1] == (2, 0.5), "right against B; wrong and missing against C"
    assert scores["0", 2] == (1, 1.0)
    one, two = errant.ceilings
    assert (one.references, two.references) == (1, 2)
    assert one.mean == pytest.approx(np.mean([scores[name, 1][1] for name in "012"]))


@pytest.mark.parametrize(
    "metric", mostly_for_ci(["errant", "m2:level=sentence", "gleu", "green", "wer"], "errant", "gleu")
)
def test_candidates_made_once_give_what_scoring_each_set_gives(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Four annotators, of which one did not look at all sentences: mixtures of CoNLL-14's two.
    blocks = []
    for n, two in enumerate(islice(jperrant.read_m2(GOLD), 12)):
        first, second = (list(a.edits) for a in two.annotations)
        versions = block(0, first, second, second[:2], None if n % 3 == 0 else [])
        blocks.append(replace(versions, source=two.source))
    quick = jperrant.agreement(blocks, metrics=[metric]).ceilings[0]
    [scorer] = make_scorers([metric])
    assert scorer.per_reference
    monkeypatch.setattr(type(scorer), "per_reference", False)
    slow = jperrant.agreement(blocks, metrics=[metric]).ceilings[0]
    for one, other in zip((*quick.ceilings, *quick.scores), (*slow.ceilings, *slow.scores), strict=True):
        assert replace(one, mean=0) == replace(other, mean=0)
        assert one.mean == pytest.approx(other.mean)


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


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=8))
@examples(25)
def test_agreement_is_symmetric(sentences: list[tuple[int, int]]) -> None:
    edits = [change(0, 1, type_="R:A"), change(2, 2, "y", "M:B")]
    sides = (
        [block(4, edits[:a], edits[:b]) for a, b in own] for own in (sentences, [s[::-1] for s in sentences])
    )
    [ours], [theirs] = (jperrant.agreement(side, metrics=[]).pairs for side in sides)
    for name in ours.values:
        if name.endswith("f1") or "kappa" in name or "alpha" in name:
            assert ours.values[name] == pytest.approx(theirs.values[name], nan_ok=True)
    assert ours.values["spans_f"] == pytest.approx(theirs.values["spans_f_reversed"])


def test_equal_sentences_are_equal_texts() -> None:
    # Two edits of one annotator are one of the other: the same text.
    blocks = [block(3, [change(0, 1, "a"), change(1, 2, "b")], [change(0, 2, "a b")])]
    agreed = jperrant.agreement(blocks)
    assert agreed.values["equal_sentences"] == 1.0
    assert agreed.pairs[0].values["corrections_f1"] == 0.0
    overlapping = [block(3, [change(0, 2), change(1, 3)], [change(0, 2), change(1, 3)])]
    assert jperrant.agreement(overlapping, metrics=[]).values["equal_sentences"] == 1.0


# --- files


def test_a_file_for_each_annotator(files: tuple[str, str]) -> None:
    record = json.loads(invoke(*files, "--json"))
    assert record["annotators"] == ["anna", "ben"]
    assert record["pairs"][0]["counts"]["spans"] == {"both": 1, "first": 1, "second": 1}
    assert record["pairs"][0]["counts"]["types"]["both"] == 0
    assert record["confusion"]["R:VERB:TENSE"] == {"R:VERB": 1}
    assert [one["sentence"] for one in record["sentences_that_differ"]] == [2, 1], "the worst comes first"
    assert record == jperrant.agreement(*files).to_dict()
    by_operation = json.loads(invoke(*files, "--json", "--category", "1", "--names", "A,B"))
    assert by_operation["annotators"] == ["A", "B"]
    assert by_operation["pairs"][0]["counts"]["types"]["both"] == 1
    assert [one["sentence"] for one in by_operation["sentences_that_differ"]] == [2], "both are R"


def test_files_with_other_tokens_are_aligned_and_of_other_texts_refused(files: tuple[str, str]) -> None:
    Path(files[1]).write_text(BEN.replace("yesterday .", "yesterday."), encoding="utf-8")
    agreed = jperrant.agreement(*files, metrics=[])
    assert agreed.pairs[0].counts["spans"] == (1, 1, 1)
    assert any("aligned" in note for note in agreed.notes)
    Path(files[1]).write_text(BEN.replace("like apple", "love apple"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"ben\.m2: sentence 2 .*'oveapple.*expected 'ikeapple"):
        jperrant.agreement(*files)


def test_two_files_for_one_annotator(files: tuple[str, str]) -> None:
    assert "given twice" in refused("agree", files[0], files[0])
    assert "one annotator" in refused("agree", files[0])
    Path(files[1]).write_text(ANNA, encoding="utf-8")
    assert any("copies of one file" in note for note in jperrant.agreement(*files).notes)


@pytest.mark.parametrize("format", ["text", "tsv", "latex", "md"])
def test_undefined_is_said(format: str, tmp_path: Path) -> None:
    path = tmp_path / "none.m2"
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"
    path.write_text(f"S a b .\n{noop}0\n{noop}1\n\n", encoding="utf-8")
    assert "undefined" in invoke(str(path), "--format", format)
    assert json.loads(invoke(str(path), "--json"))["values"]["alpha"] is None


@pytest.mark.parametrize(
    "options",
    ["--table typo", "--missing noop", "--category 4", "--beta 0", "--names A", "--subsets 0",
     "--ci --samples -1", "--top 0", "-m erant"],
)  # fmt: skip
def test_impossible_options_are_refused(options: str, files: tuple[str, str]) -> None:
    assert options.split()[-1] in refused("agree", *files, *options.split()), "what was found"


def test_columns_are_checked_before_anything_is_measured(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = "jperrant.evaluation.agreement.measure.agreement"
    monkeypatch.setattr(measure, lambda *_, **__: pytest.fail("measured"))
    nearest = "'apha' (did you mean 'alpha'?); columns: sentences, tokens"
    assert nearest in refused("agree", *files, "--columns", "apha")
    assert "'alpha_low'" in refused("agree", *files, "--ci", "--columns", "alpha_low")
    with pytest.raises(pytest.fail.Exception, match="measured"):
        invoke(*files, "--ci", "--format", "tsv", "--table", "agreement", "--columns", "alpha_low")


def expected(corpus: list[Block], first: int, second: int, level: int) -> dict[str, float]:
    """Return kappas and alphas of two annotators, from the labels of all items of all sentences at once."""
    items: list[tuple[Touch, Touch]] = []
    for block in corpus:
        sides = [block.annotation(first), block.annotation(second)]
        if None not in sides:
            items += zip(*(touches(side, len(block.source), level) for side in sides), strict=True)
    types = [(a and a[0], b and b[0]) for a, b in items]
    touched = [(a is not None, b is not None) for a, b in items]
    both = [(a, b) for a, b in items if a and b]
    return {
        "kappa_identification": kappa_of(touched),
        "kappa_classification": kappa_of([(a[0], b[0]) for a, b in both]),
        "kappa_exact": kappa_of(both),
        "alpha": alpha_of(types),
        "alpha_binary": alpha_of(touched),
    }


@examples(60)
@given(
    corpus=st.lists(blocks(), min_size=1, max_size=8).filter(
        lambda corpus: any(len(block.annotations) > 1 for block in corpus)
    ),
    level=st.integers(1, 3),
    samples=st.integers(0, 7),
)
def test_counts_give_the_agreement_of_all_sentences(corpus: list[Block], level: int, samples: int) -> None:
    options = AgreementOptions(level=level, samples=samples)
    names = {number: str(number) for number in sorted({a.annotator for b in corpus for a in b.annotations})}
    watched = Watched(corpus, names)
    found = count_agreement(watched, names, options)
    assert (found.length, found.tokens) == (len(corpus), sum(len(block.source) for block in corpus))
    for (one, other), pair in zip(combinations(names, 2), found.pairs, strict=True):
        shared = [b for b in corpus if b.annotation(one) is not None and b.annotation(other) is not None]
        assert (pair.sentences, pair.tokens) == (len(shared), sum(len(block.source) for block in shared))
        for name, value in expected(corpus, one, other, level).items():
            assert pair.values[name] == pytest.approx(value, nan_ok=True)
        for interval in pair.intervals.values():
            assert interval.low - 1e-9 <= interval.mean <= interval.high + 1e-9
    # What is strange is told of blocks that pass once as of those in memory.
    assert watched.notes(UNSEEN_BY_STATS) == list(load_annotators([corpus], unseen=UNSEEN_BY_STATS).notes)


def test_edits_that_differ_are_shown_as_they_differ() -> None:
    choice = Edit(1, 2, ("is",), "R:A", alternatives=(("was",),))
    versions = [Edit(1, 2, ("is",), "R:A"), choice, Edit(1, 2, None, "UNK")]
    annotators = load_annotators([[block(2, *([edit] for edit in versions))]])
    shown = format_agreement(measure_agreement(annotators), tables=["sentences"])
    assert all(f"w1 → {text}" in shown for text in ("is (R:A)", "is||was (R:A)", "? (UNK)"))


#: 0 and 1 looked at the first sentence and agree; 1 and 2 looked at the second and differ.
PARTS = [
    block(3, [change(0, 1)], [change(0, 1)]),
    block(3, None, [change(1, 2)], [change(1, 2, "y")]),
]


@pytest.mark.parametrize(("metric", "agreed", "differing"), [("errant", 1.0, 0.0), ("wer", 0.0, 1 / 3)])
def test_annotators_who_share_no_sentence_have_no_score_against_each_other(
    metric: str, agreed: float, differing: float
) -> None:
    [ceiling] = jperrant.agreement(PARTS, metrics=[metric]).ceilings
    found = {(s.annotator, s.references): (s.sets, s.mean) for s in ceiling.scores}
    middle = pytest.approx((agreed + differing) / 2)
    assert [found[name, 1] for name in "012"] == [(1, agreed), (2, middle), (1, pytest.approx(differing))]
    assert ceiling.ceilings[0].mean == middle
    assert "refs:1|" in ceiling.signature


def test_gotoscorer_leaves_out_sets_whose_annotator_shares_no_sentence() -> None:
    [ceiling] = jperrant.agreement(PARTS, metrics=["goto:unweighted=yes"]).ceilings
    found = {(s.annotator, s.references): s.sets for s in ceiling.scores}
    assert found == {("0", 1): 1, ("1", 1): 2, ("2", 1): 1, ("0", 2): 1, ("1", 2): 1, ("2", 2): 0}
    with pytest.raises(UsageError, match="no annotator 2"):
        jperrant.agreement(PARTS, metrics=["goto:reference=2"])


def test_edits_that_a_metric_cannot_use_are_named_where_they_stand(tmp_path: Path) -> None:
    """Not by their number among the sentences, or the annotators, that are scored together."""
    line = "A {} {}|||R:OTHER|||x|||REQUIRED|||-NONE-|||{}\n".format
    first, second = line(0, 1, 0) + line(0, 1, 1), line(1, 2, 1) + line(0, 2, 2) + line(1, 3, 2)
    path = tmp_path / "parts.m2"
    path.write_text(f"S a b c\n{first}\nS d e f\n{second}\n", encoding="utf-8")
    assert jperrant.agreement(path, metrics=["errant"]).ceilings
    for metric in ("cleme2", "gleu"):
        with pytest.raises(FormatError, match=r"parts\.m2:8: overlapping edits: 0 2 and 1 3"):
            jperrant.agreement(path, metrics=["errant", metric])
