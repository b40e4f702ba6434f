"""Meta-evaluation: data sets by name and of one's own, figures against definitions and scipy, messages."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, JperrantError, UsageError
from jperrant.evaluation.meta.data_files import read_score_tables, with_reference_files
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset
from jperrant.evaluation.meta.evaluation import MetaOptions, MetaRequest, load_dataset
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
from jperrant.evaluation.meta.published import GJG15_HUMAN, read_gjg15, read_gmeg, read_seeda
from jperrant.evaluation.statistics.correlation import correlation, student_p, williams
from tests.commands import printed, refused
from tests.strategies import examples

from .meta_folders import JUDGED, WHOLE, make_gjg15, make_gmeg, make_references, make_seeda

SOURCE = ("This are a cats .", "She go home .", "He like it .", "I has it .")
BEST = ("This is a cat .", "She goes home .", "He likes it .", "I have it .")
TEXTS = {
    "best": BEST,
    "good": (*BEST[:3], SOURCE[3]),
    "fair": (*BEST[:2], *SOURCE[2:]),
    "poor": (BEST[0], *SOURCE[1:]),
}
JUDGEMENTS = [(n, system, rank) for n in range(1, 5) for rank, system in enumerate(TEXTS, start=1)]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A data set of one's own whose parts are files."""
    files = {f"{name}.txt": [*text, ""] for name, text in {**TEXTS, "source": SOURCE, "gold": BEST}.items()}
    files["human.tsv"] = ["system\tTS\tworse", *(f"{s}\t{10 - n}\t{n}" for n, s in enumerate(TEXTS)), ""]
    rows = [f"{n}\tann\t{system}\t{rank}" for n, system, rank in JUDGEMENTS]
    files["judgements.tsv"] = ["sentence\tjudge\tsystem\trank", *rows, ""]
    files["SOME.tsv"] = ["system\tSOME", *(f"{system}\t{n}" for n, system in enumerate(TEXTS)), ""]
    rows = [f"{system}\t{n}\t{n + k}\t{-n}" for k, system in enumerate(TEXTS) for n in range(1, 5)]
    files["two.tsv"] = ["system\tsentence\tOTHER\tPPL", *rows, "best\t\t9\t9", ""]
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines))
    description = {
        "name": "essays",
        "source": "source.txt",
        "systems": {system: f"{system}.txt" for system in TEXTS},
        "references": {"gold": ["gold.txt"]},
        "human": "human.tsv",
        "judgements": {"fluency": "judgements.tsv"},
        "groups": {"three": ["good", "fair", "poor"], "two": ["good", "poor"]},
    }
    path = tmp_path / "essays.json"
    path.write_text(json.dumps(description))
    return path


def change(path: Path, **keys: Any) -> str:
    """Change keys of a JSON file; None removes one."""
    fields = {**json.loads(path.read_text()), **keys}
    path.write_text(json.dumps({key: value for key, value in fields.items() if value is not None}))
    return str(path)


def test_own_data_set(own: Path) -> None:
    found = jperrant.meta_evaluate(str(own), ["wer", "length"], human="TS", groups=["three", "all"])
    by_name = {(one.metric, one.group): one for one in found.results["system"]}
    # The fewer errors a system leaves, the better its score; each of the systems fixes one more.
    expected = {"pearson": pytest.approx(1, abs=0.05), "spearman": 1, "kendall": 1}
    assert by_name["wer", "all"].values == expected
    assert by_name["wer", "three"].systems == ("good", "fair", "poor")
    agreed = {(one.metric, one.group): one for one in found.results["sentence"]}
    assert (agreed["wer", "all"].pairs, agreed["wer", "three"].pairs) == (24, 12)
    # Systems whose texts of a sentence are equal tie.
    ties = sum(TEXTS[a][n] == TEXTS[b][n] for n in range(4) for a in TEXTS for b in TEXTS if a < b)
    assert agreed["wer", "all"].ties == ties
    assert agreed["wer", "all"].accuracy == pytest.approx((24 - ties + ties / 2) / 24)
    # Ratings say the same as ranks.
    rows = "".join(f"{n}\tann\t{system}\t{5 - rank}\n" for n, system, rank in JUDGEMENTS)
    (own.parent / "judgements.tsv").write_text(f"sentence\tjudge\tsystem\trating\n{rows}")
    rated = jperrant.meta_evaluate(str(own), ["wer", "length"], human="TS", groups=["three", "all"])
    assert rated.to_dict() == found.to_dict()
    # Without scores of systems TrueSkill of the judgements is taken.
    found = jperrant.meta_evaluate(change(own, human=None), "wer")
    assert found.results["system"][0].human == "ts:fluency"


def test_columns_are_checked_before_metrics_are_computed(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("meta", own, "-m", "wer", "--columns")
    shown = [line.split() for line in printed(*words, "TS rho,fluency ties").splitlines()]
    assert [line for line in shown if line[:1] == ["metric"]] == [
        ["metric", "TS", "rho"], ["metric", "fluency", "ties"],
    ]  # fmt: skip
    monkeypatch.setattr(Computation, "all_scores", lambda *_: pytest.fail("computed"))
    assert "'TS roh' (did you mean 'TS rho'?); columns: TS r, " in refused(*words, "TS roh")
    message = refused(*words, "TS rho", "--analysis", "sentence")
    assert "found no column 'TS rho'; columns: fluency accuracy" in message


def test_seeda_with_a_folder_of_references(tmp_path: Path, seeda_folder: Path) -> None:
    references = make_references(tmp_path / "references")
    seeda = with_reference_files(read_seeda(str(seeda_folder)), [str(references)], ["NUCLE", "NUCLE.m2"])[0]
    assert [len(seeda.references[name]) for name in ("NUCLE", "NUCLE.m2")] == [2, 1]
    assert len(seeda.references["NUCLE"][0]) == len(JUDGED)
    words = ["meta", "seeda-e", "--data", seeda_folder, "--ref", references, "-m", "gleu"]
    shown = json.loads(printed(*words, "--set", "NUCLE", "--set", "NUCLEA", "--json"))
    assert [one["metric"] for one in shown["metrics"]] == ["gleu NUCLE", "gleu NUCLEA"]
    assert "refs:2" in shown["metrics"][0]["signature"]
    assert "NUCLE, " in refused(*words)
    # A text that is left as it is is a system.
    left = CliRunner().invoke(app, [*map(str, words), "--set", "NUCLE", "--group", "all"])
    assert left.exit_code == 0
    assert "the text (source)" not in left.stderr


def test_scores_of_another_tool(own: Path) -> None:
    table = own.with_name("SOME.tsv")
    words = ["meta", own, "--scores", table, "--group", "all", "--lower"]
    found = json.loads(printed(*words, "SOME", "--json"))
    assert found["system"][0]["values"]["spearman"] == 1
    assert found["sentence"] == []
    found = jperrant.meta_evaluate(str(own), scores=str(table))
    assert any("sentence: there are no scores of sentences" in note for note in found.notes)
    assert "SOME.tsv: found no metric 'SOMe' (did you mean 'SOME'" in refused(*words, "SOMe")
    table.write_text("system\tSOME\nbest\t1\ngood\t2\nfair\t3\n")
    assert "'SOME' has no scores of system 'poor'" in refused(*words, "SOME")


def test_what_is_missing_or_equal_is_said(own: Path) -> None:
    human = {"flat": dict.fromkeys(TEXTS, 1.0), "part": {"best": 2.0, "good": 1.0, "fair": 0.0}}
    dataset = replace(load_dataset(str(own)), human=human)
    found = jperrant.meta_evaluate(dataset, "wer", groups="all", analyses=["system"])
    assert [one.systems for one in found.results["system"]] == [tuple(TEXTS), ("best", "good", "fair")]
    assert sum("'flat'" in note for note in found.notes) == 1
    sentences = np.array([[1, np.nan, 3, 4.0], [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 1]])
    scores = MetricScores("mine", tuple(TEXTS), sentences[:, 0] * np.nan, sentences)
    by_mean, whole = (
        MetaRequest(dataset, tables=(scores,), options=MetaOptions(groups=("all",), **given)).evaluate()
        for given in ({"aggregation": "mean"}, {})
    )
    assert "for 1 sentence; pairs with it" in by_mean.notes[-1]
    assert by_mean.results["sentence"][0].pairs == 21
    expected = np.corrcoef([8 / 3, 2.5, 0], [2, 1, 0])[0, 1]
    assert by_mean.results["system"][1].values["pearson"] == pytest.approx(expected)
    assert any("mine" in note and "no score of system 'best'" in note for note in whole.notes)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("seeda", "--data FOLDER"),
        ("seeda --data nowhere", "expected the folder of .*tmu-nlp/SEEDA"),
        ("gjg15 --data tests", "expected the folder of .*grammatical/evaluation"),
        ("gmeg-wiki --data tests", "expected the folder of .*GMEG"),
        ("seda --data x", r"unknown data set 'seda'.*'seeda'"),
        ("OWN --data x", "remove --data"),
        ("OWN", "no metric"),
        ("OWN -m wer --group two", "3 or more"),
        ("OWN -m wer --group tree", r"'tree'.*'three'"),
        ("OWN -m wer --human TSS", r"'TSS'.*ew:fluency"),
        ("OWN -m wer --judgements sent", r"'sent'.*fluency"),
        ("OWN -m wer --set silver", r"'silver'.*gold"),
        ("OWN -m wer --ties coin", r"'coin'.*seeda"),
        ("OWN -m wer --aggregation sum", r"'sum'.*mean"),
        ("OWN -m wer --analysis systems", r"'systems'.*'system'"),
        ("OWN -m wer --analysis test", "two or more metrics"),
        ("OWN -m wer --analysis windows --width 4", "windows of 4 systems, expected 3 to 3"),
        ("OWN -m wer --analysis windows --width 2", "windows of 2 systems, expected 3 to 3"),
        ("OWN -m gleu -m gleu:variant=official", r"given twice: 'gleu' and"),
        ("OWN -m wer --seed -1", "found seed -1"),
        ("OWN -m wer --samples 0", "found 0 samples, expected 1 to 1,000,000"),
        ("OWN -m wer -o OWN", "overwrite"),
    ],
)
def test_bad_commands(own: Path, words: str, message: str) -> None:
    before = own.read_bytes()
    assert re.search(message, refused("meta", *words.replace("OWN", str(own)).split()))
    assert own.read_bytes() == before


def test_files_of_the_data_set_are_not_overwritten(own: Path, seeda_folder: Path) -> None:
    names = ("essays.json", "human.tsv", "judgements.tsv", "source.txt", "best.txt", "gold.txt", "SOME.tsv")
    files = {own.with_name(name): own.with_name(name).read_bytes() for name in names}
    words = ("meta", own, "-m", "wer", "--scores", own.with_name("SOME.tsv"), "-o")
    assert all("would overwrite the input" in refused(*words, file) for file in files)
    assert {file: file.read_bytes() for file in files} == files
    words = ("meta", "seeda", "--data", seeda_folder, "-m", "length", "-o")
    assert "would overwrite the input" in refused(*words, seeda_folder / "scores" / "human" / "TS_edit.txt")
    for _ in range(2):  # beside them there is room, for a file that is there as well
        printed(*words, seeda_folder / "found.txt")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"sytems": {}}, r"'sytems'.*'systems'"),
        ({"source": None}, "the key 'source' is missing"),
        ({"source": "nowhere.txt"}, r"nowhere\.txt"),
        ({"systems": {"best": "one.txt"}}, "'best' has 1 sentence"),
        ({"systems": [1]}, r"json:1: systems: found \[1\], expected a mapping"),
        ({"human": {"TS": {"best": 1}}}, r"json:1: human: found \{'TS': .*expected text"),
        ({"judgements": {"x": "none.tsv"}}, r"json:1: judgements: found no file .*none\.tsv"),
        ({"groups": {"x": ["best", "worst"]}}, "'worst'"),
        ({"references": {"gold": "one.txt"}}, "1 sentence"),
    ],
)
def test_bad_data_sets(own: Path, keys: dict[str, Any], message: str) -> None:
    (own.parent / "one.txt").write_text("One .\n")
    with pytest.raises(JperrantError, match=message):
        jperrant.meta_evaluate(change(own, **keys), "length")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"analyses": "sentence"}, "analysis sentence: there are no judgements"),
        ({"fit": "pearson"}, "analysis fit: there are no factors to fit, which cleme2 has"),
        ({"sampels": 1}, "'sampels'.*'samples'"),
        ({"samples": "10"}, "samples is '10', expected a whole"),
    ],
)
def test_what_cannot_be_asked_of_a_data_set(own: Path, options: dict[str, Any], message: str) -> None:
    path = change(own, judgements=None)
    assert not jperrant.meta_evaluate(path, "length").notes
    with pytest.raises(UsageError, match=message):
        jperrant.meta_evaluate(path, "length", **options)


@pytest.mark.parametrize(
    "text", ["{", "[]", "[" * 100_000, '{"name": ' + "1" * 5000 + "}", "\ud800"], ids=range(5)
)
def test_files_that_are_no_data_set(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text, errors="surrogatepass")
    with pytest.raises(FormatError, match=r"x\.json"):
        jperrant.meta_evaluate(str(tmp_path / "x.json"), "length")


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        ("judgements", "1\tann\tgood", "1\tann\tbest", r"judgements\.tsv:3: .*'best'.*twice"),
        ("judgements", "1\tann\tbest", "0\tann\tbest", r"tsv:2: found sentence '0'"),
        ("judgements", "1\tann\tbest", f"{'9' * 5000}\tann\tbest", "sentence 10*, but there are 4"),
        ("judgements", "4\tann\tpoor\t4", f"4\tann\tpoor\t{'9' * 5000}", r":17: found '9{59}…', expected a num"),
        ("human", "best\t10", f"best\t{'9' * 5000}", r"human\.tsv:2: found '9{59}…', expected a number"),
        ("human", "good", "best", r"human\.tsv:3: .*twice"),
        ("SOME", "system", "name", r"SOME\.tsv:1: "),
        ("SOME", "good", "god", r":3: .*'god'.*'good'"),
        ("SOME", "good\t1", "good\t1\t2", r":3: found 3 columns, expected 2"),
        ("SOME", "good", "best", ":3: .*twice"),
        ("SOME", "good\t1", "good\t" + "1" * 5000, r":3: found '1{1,100}…?'"),
        ("two", "good\t1", "good\t" + "1" * 5000, r"two\.tsv:6: found sentence '1{1,100}…?', .* 1 to 4"),
        ("two", "good\t1", "good\t5", r":6: .*'5'.* 1 to 4"),
        ("two", "poor\t4\t7\t-4\n", "", "'poor' for sentence 4"),
        ("two", "best\t1\t1\t-1\n", "", "'best' for sentence 1"),
    ],
)  # fmt: skip
def test_bad_tables(own: Path, table: str, old: str, new: str, message: str) -> None:
    path = own.with_name(f"{table}.tsv")
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    tables = [str(own.with_name(name)) for name in ("SOME.tsv", "two.tsv")]
    with pytest.raises(InputError, match=message):
        jperrant.meta_evaluate(str(own), "length", scores=tables)


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
    judged = ElementTree.parse(seeda_folder / "data" / "judgments_edit.xml")
    items = judged.iterfind("ranking-item[translation]")
    for item, judgement in zip(items, seeda.judgements["edit"].judgements, strict=True):
        for entry in item:
            assert len({seeda.systems[n][judgement.sentence] for n in entry.attrib["system"].split()}) == 1
    assert list(read_seeda(str(seeda_folder), ["sent"]).human) == ["TS_sent", "EW_sent"]


def test_gjg15_and_gmeg(tmp_path: Path) -> None:
    gjg15 = read_gjg15(str(make_gjg15(tmp_path / "gjg")))
    assert gjg15.system_names == tuple(GJG15_HUMAN)
    assert (len(gjg15.group("12")), len(gjg15.group("13"))) == (12, 13)
    assert len(gjg15.judgements["rank"].judgements) == 3 * len(WHOLE), "items without entries are none"
    gmeg = read_gmeg(str(make_gmeg(tmp_path / "gmeg")))
    assert len(gmeg.references["refs"]) == 3
    assert len(gmeg.judgements["rating"].judgements) == len(WHOLE) - 1, "the last sentence was not rated"
    means, ratings = (gmeg.human_scores(name, gmeg.group("all")) for name in ("mean:rating", "rating"))
    assert means.tolist() == pytest.approx(ratings.tolist())


def test_expected_wins_are_shares_of_matches(seeda_folder: Path) -> None:
    seeda = read_seeda(str(seeda_folder))
    names = seeda.group("base")
    wins: Counter[tuple[str, str]] = Counter()
    for judgement in seeda.judgements["edit"].judgements:
        marks = {name: mark for name, mark in judgement.marks.items() if name in names}
        wins.update((a, b) for a, b in product(marks, repeat=2) if marks[a] < marks[b])
    matches = {(a, b): wins[a, b] + wins[b, a] for a, b in product(names, repeat=2)}
    expected = [np.mean([wins[a, b] / matches[a, b] for b in names if matches[a, b]]) for a in names]
    assert seeda.human_scores("ew:edit", names).tolist() == pytest.approx(expected)
    assert np.corrcoef(seeda.human_scores("ts:edit", names), expected)[0, 1] > 0.9


def test_rules_for_ties() -> None:
    judgements = (Judgement(0, "j", {"a": 1, "b": 2, "c": 2}), Judgement(1, "j", {"a": 3, "b": 1}))
    judged = JudgementSet("x", judgements)
    # Sentence 1: a beats c, a ties with b; sentence 2: b ties with a.
    found = {rule: agreement(metric([[1, 0], [1, 0], [0, 0]]), judged, rule) for rule in TIE_RULES}
    assert {(one.pairs, one.ties) for one in found.values()} == {(3, 2)}
    expected = {"seeda": 2 / 3, "wrong": 1 / 3, "half": 2 / 3, "skip": 1}
    assert {rule: one.accuracy for rule, one in found.items()} == pytest.approx(expected)
    assert all(one.kendall == pytest.approx(2 * one.accuracy - 1) for one in found.values())
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


def test_correlations_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(1)
    for _ in range(5):
        x, y = random.integers(0, 6, 12).astype(float), random.normal(size=12)
        assert correlation("kendall", x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
        assert correlation("pearson", x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
        for freedom in (1, 2, 3, 9, 12):
            assert student_p(float(y[0]), freedom) == pytest.approx(2 * stats.t.sf(abs(y[0]), freedom))


def test_williams() -> None:
    # Made so that the correlations are .75, .5 and .6 over 20 systems: t by hand is 1.7159, p .1043.
    wanted = np.array([[1, 0.6, 0.75], [0.6, 1, 0.5], [0.75, 0.5, 1]])
    free = np.random.default_rng(3).normal(size=(20, 3))
    columns = np.linalg.qr(free - free.mean(axis=0))[0] @ np.linalg.cholesky(wanted).T
    t, p = williams(*columns.T)
    assert (t, p) == (pytest.approx(1.7159, abs=5e-5), pytest.approx(0.1043, abs=5e-5))
    assert p == pytest.approx(student_p(t, 17))
    assert all(map(math.isnan, williams(columns[:, 0], columns[:, 0], columns[:, 2])))
    with pytest.raises(UsageError, match="needs 4"):
        williams(*columns[:3].T)


def test_system_level(seeda_folder: Path) -> None:
    seeda = read_seeda(str(seeda_folder))
    length, wer = Computation(("length", "wer")).scores(seeda, [seeda.systems["BART"]])
    names = seeda.group("base")
    human = seeda.human_scores("TS_edit", names)
    by_length, by_wer = (compared(scores, human, names) for scores in (length, wer))
    # A lower error rate is better, and so is a higher figure of people.
    for scores, ours, sign in ((length, by_length, 1), (wer, by_wer, -1)):
        found = system_correlation(ours, samples=100)
        expected = sign * np.corrcoef(scores.select(names).corpus, human)[0, 1]
        assert found.values["pearson"] == pytest.approx(expected)
        low, high = found.intervals["pearson"]
        assert low <= expected <= high
    test = correlation_test(by_wer, by_length)
    p_value = williams(by_wer.ours, by_length.ours, human)[1]
    assert (test.baseline, test.difference > 0, test.williams_p) == ("length", True, p_value)


XML = "data/judgments_sent.xml"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (XML, 'src-id="1"', 'src-id="99"', r"item \d+: .*sentence 99, .* 8 sentences"),
        (XML, 'system="', 'system="Nobody ', "item 1: unknown system 'Nobody'"),
        (XML, 'rank="1"', 'rank="first"', "item 1: found rank='first'"),
        (XML, "</appraise-results>", "", "not XML"),
        (XML, "ranking-item", "item", "found no 'ranking-item'"),
        ("scores/human/TS_edit.txt", "1.000\n", "", "14 lines, expected 15"),
    ],
)
def test_judgements_that_cannot_be_read(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    path = make_seeda(tmp_path) / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FormatError, match=message):
        read_seeda(str(tmp_path))
    path.unlink()
    with pytest.raises(InputError, match=re.escape(file)):
        read_seeda(str(tmp_path))


def test_scores_are_those_of_score(own: Path) -> None:
    dataset = load_dataset(str(own))
    wer, length = Computation(("wer", "length")).scores(dataset, "gold")
    expected = jperrant.score(dict(dataset.systems), BEST, source=SOURCE, metrics="wer", lang=None)
    assert wer.systems == tuple(TEXTS)
    assert wer.corpus.tolist() == [score.values["wer"] for score in expected]
    assert wer.lower_is_better
    assert wer.sentences[:2].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0.25]]
    assert length.corpus[0] == sum(map(len, BEST))
    assert wer.aggregate("ew").tolist() == sorted(wer.aggregate("ew"), reverse=True)
    assert wer.select(["poor", "good"]).corpus.tolist() == wer.corpus[[3, 1]].tolist()
    with pytest.raises(UsageError, match=r"'gleu' needs references.*gold"):
        Computation(("gleu",)).scores(dataset)


def test_references_of_the_whole_text_are_cut_to_the_sentences() -> None:
    part = MetaDataset("part", SOURCE[1:3], {"x": SOURCE[1:3]}, lines=(1, 2), full_length=4)
    assert part.with_references({"gold": [BEST]}).references["gold"] == (BEST[1:3],)
    with pytest.raises(InputError, match=r"3 sentences.* 2 .* 4 "):
        part.with_references({"gold": [BEST[:3]]})


def test_scores_from_a_table(own: Path) -> None:
    dataset, table = load_dataset(str(own)), own.with_name("SOME.tsv")
    other, ppl = read_score_tables({str(own.with_name("two.tsv")): "two.tsv"}, dataset, lower=["PPL"])
    assert other.corpus.tolist() == [9, 3.5, 4.5, 5.5]
    assert other.sentences[1].tolist() == [2, 3, 4, 5]
    assert (other.sign, ppl.sign) == (1, -1)
    table.write_text("system\tM x|y\nbest\t1\npoor\t2\n")
    [m] = read_score_tables({str(table): "from there.tsv"}, dataset)
    assert (m.name, m.signature.split("|")[0]) == ("M x|y", "M%20x%7Cy")
    assert m.signature.endswith("from%20there.tsv")
    assert (m.systems, m.corpus.tolist(), m.has_sentences) == (("best", "poor"), [1, 2], False)
    with pytest.raises(UsageError, match="no scores of sentences"):
        m.aggregate("trueskill")
