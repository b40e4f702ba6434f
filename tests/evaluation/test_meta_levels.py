"""Data sets in the forms of their authors, and how well metrics agree with their judges."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet
from jperrant.evaluation.meta.levels import (
    TIE_RULES,
    SentenceAgreement,
    compared,
    correlation_test,
    judged_pairs,
    sentence_agreement,
    system_correlation,
)
from jperrant.evaluation.meta.metric_scores import Computation, MetricScores
from jperrant.evaluation.meta.published import GJG15_HUMAN, SEEDA_SYSTEMS, read_gjg15, read_gmeg, read_seeda
from jperrant.evaluation.statistics.correlation import correlation, permutation_p, student_p, williams
from tests.strategies import examples

from .meta_folders import JUDGED, WHOLE, make_gjg15, make_gmeg, make_seeda


@pytest.fixture(scope="module")
def seeda_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_seeda(tmp_path_factory.mktemp("seeda"))


def metric(figures: list[list[float]], lower: bool = False) -> MetricScores:
    sentences = np.array(figures, dtype=float)
    return MetricScores("m", tuple("abc"), sentences.mean(axis=1), sentences, lower)


def agreement(scores: MetricScores, judged: JudgementSet, ties: str) -> SentenceAgreement:
    return sentence_agreement(judged_pairs(scores, judged, tuple("abc"), ties))


def test_seeda(seeda_folder: Path) -> None:
    seeda = read_seeda(str(seeda_folder))
    assert seeda.sources == tuple(WHOLE[n] for n in JUDGED)
    assert [len(seeda.group(name)) for name in ("base", "+fluency", "+input", "all")] == [12, 14, 13, 15]
    assert list(seeda.human) == ["TS_edit", "EW_edit", "TS_sent", "EW_sent"]
    # In SEEDA sentences count from 1: systems that share an entry have equal texts only then.
    root = ElementTree.parse(seeda_folder / "data" / "judgments_edit.xml").getroot()
    items = [item for item in root.iter("ranking-item") if len(item)]
    for item, judgement in zip(items, seeda.judgements["edit"].judgements, strict=True):
        for entry in item:
            texts = {seeda.systems[name][judgement.sentence] for name in entry.attrib["system"].split()}
            assert len(texts) == 1
    assert read_seeda(str(seeda_folder), ["sent"], whole=True).sources == WHOLE


def test_gjg15_and_gmeg(tmp_path: Path) -> None:
    gjg15 = read_gjg15(str(make_gjg15(tmp_path / "gjg")))
    assert gjg15.system_names == tuple(GJG15_HUMAN)
    assert (len(gjg15.group("12")), len(gjg15.group("13"))) == (12, 13)
    # Items without entries are no judgements.
    assert len(gjg15.judgements["rank"].judgements) == 3 * len(WHOLE)
    gmeg = read_gmeg(str(make_gmeg(tmp_path / "gmeg")))
    assert len(gmeg.references["refs"]) == 3
    # The last sentence was not rated.
    assert len(gmeg.judgements["rating"].judgements) == len(WHOLE) - 1
    names = gmeg.group("all")
    assert gmeg.human_scores("mean:rating", names).tolist() == pytest.approx(
        gmeg.human_scores("rating", names).tolist()
    )


def test_expected_wins_are_shares_of_matches(seeda_folder: Path) -> None:
    seeda = read_seeda(str(seeda_folder))
    names = seeda.group("base")
    wins = dict.fromkeys([(a, b) for a in names for b in names], 0)
    for judgement in seeda.judgements["edit"].judgements:
        for one, other in combinations(judgement.marks.keys() & set(names), 2):
            first, second = judgement.marks[one], judgement.marks[other]
            if first != second:
                wins[(one, other) if first < second else (other, one)] += 1
    expected = [
        np.mean([wins[a, b] / (wins[a, b] + wins[b, a]) for b in names if b != a and wins[a, b] + wins[b, a]])
        for a in names
    ]
    assert seeda.human_scores("ew:edit", names).tolist() == pytest.approx(expected)
    assert np.corrcoef(seeda.human_scores("ts:edit", names), expected)[0, 1] > 0.9


def test_rules_for_ties() -> None:
    judged = JudgementSet(
        "x", (Judgement(0, "j", {"a": 1, "b": 2, "c": 2}), Judgement(1, "j", {"a": 3, "b": 1}))
    )
    # Sentence 1: a beats c, a ties with b; sentence 2: b ties with a.
    scores = metric([[1, 0], [1, 0], [0, 0]])
    found = {rule: agreement(scores, judged, rule) for rule in TIE_RULES}
    assert {rule: (one.accuracy, one.kendall) for rule, one in found.items()} == {
        "seeda": (pytest.approx(2 / 3), pytest.approx(1 / 3)),
        "wrong": (pytest.approx(1 / 3), pytest.approx(-1 / 3)),
        "half": (pytest.approx(2 / 3), pytest.approx(1 / 3)),
        "skip": (1, 1),
    }
    assert {(one.pairs, one.ties) for one in found.values()} == {(3, 2)}
    lower = agreement(metric([[-1, 0], [-1, 0], [0, 0]], lower=True), judged, "seeda")
    assert lower.agree == 2  # a wins its tie with b in sentence 1, and loses nothing else but sentence 2


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=3, max_size=3), st.booleans())
@examples(25)
def test_turning_a_metric_around_changes_nothing(figures: list[list[int]], ratings: bool) -> None:
    marks = {"a": 3.0, "b": 2.0, "c": 1.0}
    judged = JudgementSet("x", tuple(Judgement(n, "j", marks) for n in range(4)), ratings)
    one = metric([[float(f) for f in row] for row in figures])
    other = replace(one, sentences=-one.sentences, corpus=-one.corpus, lower_is_better=True)
    for rule in ("wrong", "half"):
        a, b = (agreement(scores, judged, rule) for scores in (one, other))
        assert (a.accuracy, a.kendall, a.ties) == (b.accuracy, b.kendall, b.ties)
        assert a.kendall == pytest.approx(2 * a.accuracy - 1)


def test_kendall_is_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(1)
    for _ in range(5):
        x, y = random.integers(0, 6, 12).astype(float), random.normal(size=12)
        assert correlation("kendall", x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
        assert correlation("pearson", x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
        for freedom in (1, 2, 3, 9, 12):
            assert student_p(float(y[0]), freedom) == pytest.approx(2 * stats.t.sf(abs(y[0]), freedom))


def test_williams() -> None:
    # Made so that the correlations are .75, .5 and .6 over 20 systems: t by hand is 1.4785, p .158.
    random = np.random.default_rng(3)
    wanted = np.array([[1, 0.6, 0.75], [0.6, 1, 0.5], [0.75, 0.5, 1]])
    free = random.normal(size=(20, 3))
    free -= free.mean(axis=0)
    columns = np.linalg.qr(free)[0] @ np.linalg.cholesky(wanted).T
    t, p = williams(*columns.T)
    k = 1 - 0.75**2 - 0.5**2 - 0.6**2 + 2 * 0.75 * 0.5 * 0.6
    by_hand = 0.25 * math.sqrt(19 * 1.6 / (2 * k * 19 / 17 + 1.25**2 / 4 * 0.4**3))
    assert t == pytest.approx(by_hand)
    assert p == pytest.approx(student_p(by_hand, 17))
    assert all(map(math.isnan, williams(columns[:, 0], columns[:, 0], columns[:, 2])))
    with pytest.raises(UsageError, match="needs 4"):
        williams(*columns[:3].T)


def test_permutations_tell_a_good_metric_from_noise() -> None:
    random = np.random.default_rng(5)
    human = np.arange(10.0)
    good = human[:, None] + random.normal(size=(10, 30))
    noise = random.normal(size=(10, 30))
    assert permutation_p("pearson", good, noise, human, 200) < 0.05
    assert permutation_p("pearson", good, good, human, 200) == 1
    assert permutation_p("pearson", good, noise, human, 200) == permutation_p(
        "pearson", good, noise, human, 200
    )


def test_system_level(seeda_folder: Path) -> None:
    seeda = read_seeda(str(seeda_folder))
    length, wer = Computation(("length", "wer")).scores(seeda, [seeda.systems["BART"]])
    names = seeda.group("base")
    human = seeda.human_scores("TS_edit", names)
    by_length, by_wer = (compared(scores, human, names) for scores in (length, wer))
    found = system_correlation(by_length, samples=100)
    assert found.values["pearson"] == pytest.approx(np.corrcoef(length.select(names).corpus, human)[0, 1])
    low, high = found.intervals["pearson"]
    assert low <= found.values["pearson"] <= high
    # A lower error rate is better, and so is a higher figure of people.
    assert system_correlation(by_wer).values["pearson"] == pytest.approx(
        -np.corrcoef(wer.select(names).corpus, human)[0, 1]
    )
    one, other = (compared(scores, human, names, aggregation="mean") for scores in (wer, length))
    test = correlation_test(one, other, samples=100)
    assert (test.permutation, test.difference > 0) == ("perm-both", True)
    assert correlation_test(by_wer, by_length, samples=50).permutation == "perm-systems"


def test_a_constant_metric_correlates_with_nothing() -> None:
    constant = metric([[0.1, 0.1]] * 3)
    found = system_correlation(compared(constant, np.array([1.0, 2, 3]), "abc"), samples=20)
    assert all(math.isnan(value) for value in found.values.values())
    assert math.isnan(
        permutation_p("pearson", constant.sentences, constant.sentences, np.array([1.0, 2, 3]), 10)
    )


@pytest.mark.parametrize("systems", ["ab", "a"])
def test_two_systems_always_correlate(systems: str) -> None:
    with pytest.raises(UsageError, match="3 or more"):
        compared(metric([[1, 2]] * 3), np.arange(len(systems), dtype=float), systems)


def test_other_folders(tmp_path: Path, seeda_folder: Path) -> None:
    for read, home in (
        (read_seeda, "tmu-nlp/SEEDA"),
        (read_gjg15, "grammatical/evaluation"),
        (read_gmeg, "GMEG"),
    ):
        for folder in (tmp_path, tmp_path / "missing"):
            with pytest.raises(InputError, match=rf"(?s)expected the folder of .*{home}"):
                read(str(folder))
    broken = make_seeda(tmp_path / "broken")
    (broken / "outputs" / "subset" / "T5.txt").unlink()
    with pytest.raises(InputError, match=r"outputs/subset/T5\.txt"):
        read_seeda(str(broken))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('src-id="1"', 'src-id="99"', r"item \d+: .*sentence 99, .* 8 sentences"),
        ('system="', 'system="Nobody ', "item 1: unknown system 'Nobody'"),
        ('rank="1"', 'rank="first"', "item 1: found rank='first'"),
        ("</appraise-results>", "", "not XML"),
        ("ranking-item", "item", "found no 'ranking-item'"),
    ],
)
def test_judgements_that_cannot_be_read(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = make_seeda(tmp_path) / "data" / "judgments_sent.xml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FormatError, match=message):
        read_seeda(str(tmp_path))


def test_human_scores_of_other_systems(tmp_path: Path) -> None:
    path = make_seeda(tmp_path) / "scores" / "human" / "TS_edit.txt"
    path.write_text("\n".join(["0.1"] * (len(SEEDA_SYSTEMS) - 1)))
    with pytest.raises(FormatError, match="14 lines, expected 15"):
        read_seeda(str(tmp_path))
