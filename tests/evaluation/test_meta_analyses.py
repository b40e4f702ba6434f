"""Windows of systems, pairs of ranks and of systems, plots, edits of systems, fitting of factors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import nan
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import EditError, InputError, UsageError
from jperrant.core.values import Block
from jperrant.evaluation.meta.data_files import read_human, read_system_edits, systems_of
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet
from jperrant.evaluation.meta.fit import Fit, factor_grid, fit, grid_scores, tried_scores
from jperrant.evaluation.meta.levels import (
    JudgedPairs,
    PairAccuracy,
    WindowAnalysis,
    compared,
    judged_pairs,
    pair_analysis,
    sentence_agreement,
    window_analysis,
)
from jperrant.evaluation.meta.metric_scores import Computation, MetricScores
from jperrant.evaluation.meta.published import INPUT, SEEDA_SYSTEMS, read_seeda
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.cleme.scorer import PAPER, TABLE12, Cleme2Scorer
from jperrant.evaluation.metrics.system_score import evaluate, prepare_references
from jperrant.evaluation.statistics.correlation import CORRELATIONS, correlation, ranks
from jperrant.reporting.plots.meta_plots import pair_plot, scatter_plot, window_plot
from tests.commands import printed as run
from tests.stages import mostly_for_ci
from tests.strategies import examples

from .meta_folders import JUDGED, WHOLE, m2_of, make_references, make_seeda, texts_of, write

DISTINCT = st.lists(st.integers(-100, 100), min_size=5, max_size=12, unique=True)


def windows(metric: Sequence[float], human: Sequence[float], width: int) -> WindowAnalysis:
    names = tuple(str(n) for n in range(len(human)))
    scores = MetricScores("m & <n>", names, np.array(metric, dtype=float), np.empty((len(names), 0)))
    return window_analysis(compared(scores, np.array(human, dtype=float), names, human="TS"), width)


@given(DISTINCT, st.randoms(use_true_random=False), st.integers(3, 5))
@examples(40)
def test_windows_are_correlations_of_neighbours(human: list[int], random: Random, width: int) -> None:
    from scipy.stats import pearsonr, spearmanr  # which takes a second to import

    metric = [float(h) for h in human]
    random.shuffle(metric)
    found = windows(metric, human, width)
    assert len(found.windows) == len(human) - width + 1
    order = sorted(range(len(human)), key=lambda n: -human[n])
    assert found.systems == tuple(map(str, order))
    for first, window in enumerate(found.windows):
        assert (window.first, window.last) == (first + 1, first + width)
        assert window.systems == tuple(range(first, first + width))
        ours, theirs = ([side[n] for n in order[first : first + width]] for side in (metric, human))
        assert window.pearson == pytest.approx(pearsonr(ours, theirs).statistic)
        assert window.spearman == pytest.approx(spearmanr(ours, theirs).statistic)


#: Two sentences: one judged twice, by judges who do not agree; B and C have one text in the second.
MARKS = [
    (0, "j1", {"A": 1, "B": 2, "C": 3}),
    (0, "j2", {"A": 2, "B": 1}),
    (1, "j1", {"A": 3, "B": 1, "C": 1}),
]
RANKED = JudgementSet("made", tuple(Judgement(*own) for own in MARKS))
#: In the first sentence A and B tie, in the second A is best.
POINTS = MetricScores("m", ("A", "B", "C"), np.zeros(3), np.array([[0.5, 0.9], [0.5, 0.2], [0.1, 0.3]]))


def pairs_of(ties: str) -> JudgedPairs:
    return judged_pairs(POINTS, RANKED, ("A", "B", "C"), ties)


def test_pairs_of_ranks_and_of_systems_by_hand() -> None:
    # 1-2: A over B (tie), B over A (tie); 1-3: A over C (agrees), B over A and C over A (disagrees); 2-3: B over C.
    ranks = pair_analysis(pairs_of("half")).pairs
    assert [(p.first, p.second, p.pairs, p.agree, p.ties) for p in ranks] == [
        ("1", "2", 2, 0, 2), ("1", "3", 3, 1, 0), ("2", "3", 1, 1, 0),
    ]  # fmt: skip
    assert [p.accuracy for p in ranks] == pytest.approx([0.5, 1 / 3, 1])
    systems = pair_analysis(pairs_of("skip"), "systems").pairs
    assert [(p.first, p.second, p.pairs, p.agree, p.ties) for p in systems] == [
        ("A", "B", 3, 0, 2), ("A", "C", 2, 1, 0), ("B", "C", 1, 1, 0),
    ]  # fmt: skip
    assert [p.accuracy for p in systems] == pytest.approx([0, 0.5, 1])
    for ties, of in product(("seeda", "wrong", "half"), ("ranks", "systems")):
        whole, parts = sentence_agreement(pairs_of(ties)), pair_analysis(pairs_of(ties), of).pairs
        assert sum(p.pairs for p in parts) == whole.pairs
        assert sum(p.ties for p in parts) == whole.ties
        assert sum(p.accuracy * p.pairs for p in parts) / whole.pairs == pytest.approx(whole.accuracy)


def test_ratings_count_as_ranks() -> None:
    rated = JudgementSet("rated", (Judgement(0, "j", {"A": 80.0, "B": 90.0, "C": 80.0}),), ratings=True)
    [pair] = pair_analysis(judged_pairs(POINTS, rated, ("A", "B", "C"))).pairs
    assert (pair.first, pair.second, pair.pairs, pair.ties, pair.agree) == ("1", "2", 2, 1, 1)


@pytest.mark.ci
def test_plots_are_the_same_bytes_and_hold_every_name() -> None:
    analysis = windows([1, 2, 3], [3, 1, 2], 3)
    pairs = [PairAccuracy("A", "B", 0.75, 4, 3, 0), PairAccuracy("A", "C", nan, 0, 0, 0)]
    for draw in (
        lambda: window_plot([analysis], "spearman", description="m|v:1"),
        lambda: pair_plot(pairs, "m", "systems", judgements="edit"),
        lambda: scatter_plot(["A", "B$", "C"], [1, 2, nan], [3, 1, 2], "m", "TS"),
    ):
        plot = draw()
        assert plot.to_bytes("svg") == draw().to_bytes("svg")
        ElementTree.fromstring(plot.to_bytes("svg"))
    assert [t.get_text() for t in plot.figure.axes[0].texts] == ["A", r"B\$"]
    assert plot.name == "systems-m-ts"
    with pytest.raises(UsageError, match="no system has both a metric score and a human score"):
        scatter_plot(["A"], [nan], [1], "m", "TS")
    with pytest.raises(UsageError, match="no pairs"):
        pair_plot([], "m", "ranks")


#: The whole text by each system, of which SEEDA has a part.
TEXTS = texts_of(list(SEEDA_SYSTEMS), INPUT, 1)
#: The systems of which there are files of edits.
EDITED = ("BART", "PIE", "T5")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command line that names made data and references."""
    root = tmp_path_factory.mktemp("meta")
    data, references = make_seeda(root / "seeda"), make_references(root / "refs")
    for name in EDITED:
        write(root / f"seeda-{name}.m2", m2_of(WHOLE, TEXTS[name]))
    return ["meta", "seeda-e", "--data", str(data), "--ref", str(references), "--set", "NUCLE"]


def test_systems_with_edits_of_ones_own(folders: list[str]) -> None:
    seeda, root = read_seeda(folders[3]), Path(folders[3]).parent
    files = [str(root / f"seeda-{name}.m2") for name in EDITED]
    edits = read_system_edits(seeda, [str(root / "seeda-*.m2")])
    assert [len(edits[name]) for name in EDITED] == [len(JUDGED)] * 3  # of the whole text
    gleu, errant = Computation(("gleu", "errant"), edits=edits).scores(seeda, [edits["T5"]])
    [texts] = Computation(("gleu",)).scores(seeda, [seeda.systems["T5"]])
    assert gleu.corpus == pytest.approx(texts.select(EDITED).corpus)
    assert gleu.sentences == pytest.approx(texts.select(EDITED).sentences)
    assert errant.corpus[-1] == 1
    systems = {name: tuple(text) for name, text in TEXTS.items()}
    whole = replace(seeda, sources=WHOLE, systems=systems, judgements={}, lines=())
    assert read_system_edits(whole, files[-1:])["T5"][JUDGED[0]] == edits["T5"][0]
    edited = [word for file in files for word in ("--edits", file)]
    done = CliRunner().invoke(app, [*folders, "-m", "gleu", *edited, "--json"])
    assert [set(one["systems"]) for one in json.loads(done.stdout)["system"]] == [{*EDITED}] * 2
    assert "left out, as no edits were given: " in done.stderr


def test_edits_that_are_not_those_of_a_system(folders: list[str], tmp_path: Path) -> None:
    seeda, file = read_seeda(folders[3]), tmp_path / "T5.m2"
    edited = m2_of(seeda.sources, ["He swims .", *seeda.systems["T5"][1:]])
    second = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1"
    for lines, message in (
        (edited, "sentence 1 .* gives 'He swims \\.'"),
        (m2_of("a", "b"), "found 1 sentence, expected the 5 of SEEDA or the 8"),
        ([*edited[:2], second, *edited[2:]], "has 2 annotators"),
    ):
        write(file, lines)
        with pytest.raises(InputError, match=message):
            read_system_edits(seeda, [str(file)])
    with pytest.raises(InputError, match=r"none-\*\.m2: no file matches"):
        read_system_edits(seeda, [str(tmp_path / "none-*.m2")])
    spans = [f"A {start} 2|||R:X|||x|||REQUIRED|||-NONE-|||0" for start in (0, 1)]
    write(file, ["S She go .", *spans, ""] * len(WHOLE))
    with pytest.warns(match="overlapping"), pytest.raises(EditError, match=r"T5\.m2: sentence 1 \(counted"):
        run(*folders, "-m", "gleu", "--edits", file)


@pytest.mark.ci
def test_analyses_of_the_command(folders: list[str]) -> None:
    asked = ["--analysis", "windows", "--analysis", "rank-pairs", "--analysis", "system-pairs"]
    words = ["--set", "NUCLEA", "-m", "gleu", "-m", "wer", "--human", "TS_edit"]
    found = json.loads(run(*folders, *words, *asked, "--width", "5", "--json"))
    assert [len(one["windows"]) for one in found["windows"]] == [8] * 4
    metrics = [one["metric"] for one in found["rank-pairs"]]
    assert metrics == ["gleu NUCLE", "wer NUCLE", "gleu NUCLEA", "wer NUCLEA"]
    assert {one["of"] for one in found["system-pairs"]} == {"systems"}


#: Expected Wins of Grundkiewicz et al. (2015), table 3, but for INPUT's rank, which is of no account here.
HUMAN = {"AMU": 0.628, "CAMB": 0.561, "IITB": 0.485, "INPUT": 0.456}


@pytest.mark.parametrize("level", mostly_for_ci(["corpus", "sentence"], "sentence"))
@pytest.mark.parametrize("assumption", ["dependent", "independent"])
def test_scores_on_the_grid_are_those_of_the_scorer(
    conll14: dict[str, Pair], assumption: Any, level: Any
) -> None:
    some = np.array([PAPER[level], TABLE12, (0.05, 0.05, 0.85, 0.05), (0.85, 0.05, 0.05, 0.05)])
    pair, scorer = conll14["AMU"], Cleme2Scorer(assumption, level)
    [system] = scorer.candidates([pair], prepare_references(scorer, [pair]))
    for factors, value in zip(some, grid_scores(system.sentences, some, level), strict=True):
        text = ",".join(map(repr, factors.tolist()))
        [own] = evaluate(Cleme2Scorer(assumption, level, factors=text), [pair])
        assert value == pytest.approx(own.values["score"], abs=1e-12)


def test_correlations_that_cannot_be() -> None:
    values = np.array([2.0, 1.0, 4.0, 8.0])
    assert ranks(np.array([5.0, 1.0, 5.0, 7.0])).tolist() == [2.5, 1, 2.5, 4]
    for kind in CORRELATIONS:
        for odd in (np.ones(4), np.array([1.0, nan, 2.0, 5.0])):
            assert np.isnan(correlation(kind, odd, values))
    with pytest.raises(UsageError, match="found 2 systems, a correlation needs"):
        correlation("pearson", values[:2], values[:2])
    with pytest.raises(UsageError, match=r"'spearmann' \(did you mean 'spearman'\?\)"):
        correlation("spearmann", values, values)


def fit_to_human(sets: dict[str, list[Pair]], scorer: Cleme2Scorer) -> Fit:
    tried = {name: tried_scores(own, scorer) for name, own in sets.items()}
    return fit(tried, np.array(list(HUMAN.values())), list(HUMAN), scorer.level)


@pytest.mark.ci
def test_fitting_finds_the_best_of_the_grid(conll14: dict[str, Pair]) -> None:
    scorer, pairs = Cleme2Scorer(), [*conll14.values()]
    found = fit_to_human({"both": pairs}, scorer)
    assert found.folds == ()
    systems = scorer.candidates(pairs, prepare_references(scorer, pairs))
    scores = np.stack([grid_scores(s.sentences, factor_grid(), "corpus") for s in systems], axis=-1)
    expected = np.nanmax(correlation("pearson", scores, np.array(list(HUMAN.values()))))
    assert found.fitted["both"] == pytest.approx(expected)
    assert found.paper["both"] <= expected
    with pytest.raises(UsageError, match="'EW' is equal for all systems"):
        fit({"both": tried_scores(pairs, scorer)}, np.ones(4), list(HUMAN), "corpus", human="EW")


def test_reference_sets_are_held_out(conll14: dict[str, Pair]) -> None:
    def only(annotator: int) -> list[Pair]:
        blocks = [Block(b.source, (b.annotations[annotator],)) for b in conll14["AMU"].references]
        return [Pair(pair.hypothesis, blocks, pair.name) for pair in conll14.values()]

    sets, scorer = {"0": only(0), "1": only(1)}, Cleme2Scorer(level="sentence")
    found = fit_to_human(sets, scorer)
    assert [fold.held_out for fold in found.folds] == ["0", "1"]
    alone = fit_to_human({"1": sets["1"]}, scorer)
    assert found.folds[0].factors == alone.factors, "factors of the fold come from the other set"
    assert found.folds[0].correlation <= max(found.fitted["0"], 1)


def test_human_scores_and_the_files_of_systems(tmp_path: Path) -> None:
    path = tmp_path / "human.tsv"
    path.write_text("system\tEW\tTS\nAMU\t0.6\t0.3\nGECToR-BERT\t0.5\t0.1\nBERT\t1\t2\n", encoding="utf-8")
    human = read_human(str(path))
    names = list(human["EW"])
    assert (human["EW"]["BERT"], human["TS"]["AMU"]) == (1, 0.3)
    files = ["a/conll14-AMU.errant", "out_GECToR-BERT.m2", "BERT.m2"]
    assert list(systems_of(files, names)) == names == ["AMU", "GECToR-BERT", "BERT"]
    with pytest.raises(InputError, match=r"CAMB\.m2: its name contains no judged system \(AMU, "):
        systems_of(["CAMB.m2"], names)
    with pytest.raises(InputError, match="second file of the system 'AMU'"):
        systems_of(["AMU.m2", "x-AMU.m2"], names)
