"""Windows of systems, sets and numbers of references, and what metrics cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from math import comb, nan
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import EditError, InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, Reference
from jperrant.evaluation.meta.levels import (
    JudgedPairs,
    PairAccuracy,
    ReferenceResult,
    WindowAnalysis,
    compared,
    judged_pairs,
    pair_analysis,
    ranks_of,
    reference_result,
    sentence_agreement,
    windows,
)
from jperrant.evaluation.meta.metric_scores import Computation, MetricScores
from jperrant.evaluation.meta.published import SEEDA_SYSTEMS, read_seeda
from jperrant.evaluation.meta.references import read_system_edits, reference_choices, split_annotators
from jperrant.reporting.plots.meta import (
    label_places,
    pair_plot,
    reference_number_plot,
    scatter_plot,
    window_plot,
)
from tests.commands import printed as run
from tests.strategies import examples

from .meta_folders import JUDGED, make_references, make_seeda, write

DISTINCT = st.lists(st.integers(-100, 100), min_size=5, max_size=12, unique=True)


@given(DISTINCT, st.randoms(use_true_random=False), st.integers(3, 5))
@examples(40)
def test_windows_are_correlations_of_neighbours(human: list[int], random: object, width: int) -> None:
    from scipy.stats import pearsonr, spearmanr  # which takes a second to import

    metric = [float(h) for h in human]
    random.shuffle(metric)  # type: ignore[attr-defined]
    found = windows(metric, human, width)
    assert len(found) == len(human) - width + 1
    order = sorted(range(len(human)), key=lambda n: -human[n])
    for first, window in enumerate(found):
        systems = order[first : first + width]
        assert (window.first, window.last) == (first + 1, first + width)
        assert window.systems == tuple(systems)
        ours, theirs = [metric[n] for n in systems], [human[n] for n in systems]
        assert window.pearson == pytest.approx(pearsonr(ours, theirs).statistic)
        assert window.spearman == pytest.approx(spearmanr(ours, theirs).statistic)


def test_windows_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="of 2 systems, expected 3 or more"):
        windows([1, 2, 3], [1, 2, 3], 2)
    with pytest.raises(UsageError, match="windows of 4 systems, expected at most 3"):
        windows([1, 2, 3], [1, 2, 3], 4)
    [constant] = windows([1, 1, 1], [1, 2, 3], 3)
    assert np.isnan([constant.pearson, constant.spearman]).all()


HUMAN = np.array([1.0, 2.0, 3.0])
TEXTS = [(word, word) for word in ("a", "b", "c", "d")]


def scores_over(references: Sequence[Reference], lower: bool = False) -> MetricScores:
    """Return a metric that orders systems as people do if the first text is among the references."""
    figures = np.array([1.0, 2.0, 3.0 if ("a", "a") in references else 0.0])
    scores = MetricScores(
        "good all", ("A", "B", "C"), -figures if lower else figures, np.empty((3, 0)), lower
    )
    return replace(scores, references="all")


def result_of(choices: Sequence[Sequence[Reference]], lower: bool = False) -> ReferenceResult:
    both = [compared(scores_over(one, lower), HUMAN, ("A", "B", "C"), human="TS") for one in choices]
    return reference_result(both, choices[0])


def test_agreement_over_numbers_of_references() -> None:
    by_number = reference_choices("all", TEXTS)
    # Of 4 references 1, 3, 3 and 1 choices have the first; 6 pairs are more than 5 draws.
    assert [(len(choices), len(choices[0])) for choices in by_number] == [(4, 1), (5, 2), (4, 3), (1, 4)]
    found = [result_of(choices) for choices in by_number]
    assert [(one.metric, one.set, one.references, one.draws) for one in found] == [
        ("good", "all", 1, 4),
        ("good", "all", 2, 5),
        ("good", "all", 3, 4),
        ("good", "all", 4, 1),
    ]
    assert [found[n].spearman for n in (0, 2, 3)] == pytest.approx([-1 / 8, 5 / 8, 1])
    assert found[0].spearman_deviation == pytest.approx(np.std([1, -0.5, -0.5, -0.5], ddof=1))
    assert found[3].spearman_deviation == 0
    assert result_of(by_number[0], lower=True) == found[0]
    [pairs] = reference_choices("all", TEXTS, [2], comb(4, 2))
    assert result_of(pairs).spearman == pytest.approx(0.25)
    assert reference_choices("all", TEXTS, [2], seed=1) == reference_choices("all", TEXTS, [2], seed=1)
    with pytest.raises(UsageError, match="found 5 as a number of references, expected 1 to 4 for set 'all'"):
        reference_choices("all", TEXTS, [5])
    with pytest.raises(UsageError, match="0 draws"):
        reference_choices("all", TEXTS, draws=0)


def test_annotators_of_a_block_are_references() -> None:
    one, other = Edit(0, 1, ("x",), "R:OTHER"), Edit(1, 2, ("y",), "R:OTHER")
    both = Block(("a", "b"), (Annotation(0, (one,)), Annotation(1, (other,))))
    first = Block(("a", "b"), (Annotation(0, (one,)),))
    split = split_annotators((both, first))
    assert [[block.annotations[0].edits for block in reference] for reference in split] == [  # type: ignore[union-attr]
        [(one,), (one,)],
        [(other,), (one,)],  # missing where both agree, as in CoNLL-2014
    ]
    assert split_annotators(("a b",)) == [("a b",)]


#: Two sentences: one judged twice, by judges who do not agree; B and C have one text in the second.
RANKED = JudgementSet(
    "made",
    (
        Judgement(0, "j1", {"A": 1, "B": 2, "C": 3}),
        Judgement(0, "j2", {"A": 2, "B": 1}),
        Judgement(1, "j1", {"A": 3, "B": 1, "C": 1}),
    ),
)
#: In the first sentence A and B tie, in the second A is best.
POINTS = MetricScores("m", ("A", "B", "C"), np.zeros(3), np.array([[0.5, 0.9], [0.5, 0.2], [0.1, 0.3]]))


def pairs_of(ties: str, systems: str = "ABC") -> JudgedPairs:
    return judged_pairs(POINTS, RANKED, tuple(systems), ties)


def test_pairs_of_ranks_and_of_systems_by_hand() -> None:
    # 1-2: A over B (tie), B over A (tie); 1-3: A over C (agrees), B over A and C over A (disagrees); 2-3: B over C.
    ranks = {(p.first, p.second): p for p in pair_analysis(pairs_of("half")).pairs}
    assert [(k, p.pairs, p.agree, p.ties) for k, p in ranks.items()] == [
        (("1", "2"), 2, 0, 2),
        (("1", "3"), 3, 1, 0),
        (("2", "3"), 1, 1, 0),
    ]
    assert [p.accuracy for p in ranks.values()] == pytest.approx([0.5, 1 / 3, 1])
    systems = pair_analysis(pairs_of("skip"), "systems").pairs
    assert [(p.first, p.second, p.pairs, p.agree, p.ties) for p in systems] == [
        ("A", "B", 3, 0, 2),
        ("A", "C", 2, 1, 0),
        ("B", "C", 1, 1, 0),
    ]
    assert [p.accuracy for p in systems] == pytest.approx([0, 0.5, 1])
    wrong = pair_analysis(pairs_of("wrong")).pairs
    assert wrong[0].accuracy == 0
    [two] = pair_analysis(pairs_of("half", "BC"), "systems").pairs
    assert (two.pairs, two.agree) == (1, 1)


def test_pairs_add_up_to_the_sentence_level() -> None:
    for ties in ("seeda", "wrong", "half"):
        whole = sentence_agreement(pairs_of(ties))
        for of in ("ranks", "systems"):
            parts = pair_analysis(pairs_of(ties), of).pairs
            assert sum(p.pairs for p in parts) == whole.pairs
            assert sum(p.ties for p in parts) == whole.ties
            assert sum(p.accuracy * p.pairs for p in parts) / whole.pairs == pytest.approx(whole.accuracy)


def test_ratings_count_as_ranks() -> None:
    rated = JudgementSet("rated", (Judgement(0, "j", {"A": 80.0, "B": 90.0, "C": 80.0}),), ratings=True)
    assert ranks_of(rated.judgements[0], ratings=True) == {"A": 2, "B": 1, "C": 2}
    [pair] = pair_analysis(judged_pairs(POINTS, rated, ("A", "B", "C"))).pairs
    assert (pair.first, pair.second, pair.pairs, pair.ties, pair.agree) == ("1", "2", 2, 1, 1)


@pytest.mark.ci
def test_plots_are_the_same_bytes_and_hold_every_name() -> None:
    analysis = WindowAnalysis(
        "m & <n>", "TS", "all", ("A", "B", "C"), tuple(windows([1, 2, 3], [3, 1, 2], 3))
    )
    pairs = [PairAccuracy("A", "B", 0.75, 4, 3, 0), PairAccuracy("A", "C", nan, 0, 0, 0)]
    for draw in (
        lambda: window_plot([analysis], "spearman", description="m|v:1"),
        lambda: pair_plot(pairs, "m", "systems", judgements="edit"),
        lambda: reference_number_plot(
            [ReferenceResult("m", "TS", "all", "BN", n, 2, 0.1 * n, 0.2 * n, 0.05, 0.05) for n in (1, 2)]
        ),
        lambda: scatter_plot(["A", "B$", "C"], [1, 2, nan], [3, 1, 2], "m", "TS"),
    ):
        plot = draw()
        svg = plot.to_bytes("svg")
        assert svg == draw().to_bytes("svg")
        ElementTree.fromstring(svg)
    assert [t.get_text() for t in plot.figure.axes[0].texts] == ["A", r"B\$"]
    assert plot.name == "systems-m-ts"
    with pytest.raises(UsageError, match="no system has a score"):
        scatter_plot(["A"], [nan], [1], "m", "TS")
    with pytest.raises(UsageError, match="no pairs"):
        pair_plot([], "m", "ranks")


def test_names_of_points_do_not_cover_each_other() -> None:
    points = np.array([(0.0, 0.0), (6.0, 2.0), (4.0, -3.0), (100.0, 0.0)])
    places = label_places(["BERT", "T5", "PIE", "BART"], points)
    assert places[3] == places[0] or places[3][0] == 0  # nothing near it: above
    middles = points + np.array(places)
    assert len({tuple(middle) for middle in middles.round(1).tolist()}) == 4
    for n, name in enumerate(["BERT", "T5", "PIE"]):
        for m in range(n):
            across = abs(middles[n] - middles[m])
            assert across[0] >= 3.5 * (len(name) + len(["BERT", "T5", "PIE"][m])) / 2 or across[1] >= 6


def m2_of(source: str, text: str) -> list[str]:
    """Return a block with one edit that replaces the sentence, or none where it stays."""
    edit = f"A 0 {len(source.split())}|||R:OTHER|||{text}|||REQUIRED|||-NONE-|||0"
    return [f"S {source}", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0" if source == text else edit, ""]


def test_systems_with_edits_of_ones_own(tmp_path: Path) -> None:
    seeda = read_seeda(str(make_seeda(tmp_path / "seeda")))
    whole = read_seeda(str(tmp_path / "seeda"), whole=True)
    files = [str(tmp_path / f"seeda-{name}.m2") for name in ("T5", "PIE", "BART")]
    for file, name in zip(files, ("T5", "PIE", "BART"), strict=True):
        pairs = zip(whole.sources, whole.systems[name], strict=True)
        write(Path(file), [line for source, text in pairs for line in m2_of(source, text)])
    edits = read_system_edits(seeda, files)
    assert [len(edits[name]) for name in ("T5", "PIE", "BART")] == [len(JUDGED)] * 3  # of the whole text
    reference = tuple(block for block in edits["T5"])
    gleu, errant = Computation(("gleu", "errant"), edits=edits).scores(seeda, [reference])
    [texts] = Computation(("gleu",)).scores(seeda, [seeda.systems["T5"]])
    texts = texts.select(("T5", "PIE", "BART"))
    assert gleu.corpus == pytest.approx(texts.corpus)
    assert gleu.sentences == pytest.approx(texts.sentences)
    assert errant.corpus[0] == 1
    assert read_system_edits(whole, files[:1])["T5"][JUDGED[0]] == edits["T5"][0]
    assert read_system_edits(seeda, [str(tmp_path / "seeda-*.m2")]) == edits
    with pytest.raises(InputError, match=r"none-\*\.m2: no file matches"):
        read_system_edits(seeda, [str(tmp_path / "none-*.m2")])


def test_edits_that_are_not_those_of_a_system(tmp_path: Path) -> None:
    seeda = read_seeda(str(make_seeda(tmp_path / "seeda")))
    file = tmp_path / "T5.m2"
    other = ["He swims .", *seeda.systems["T5"][1:]]
    pairs = zip(seeda.sources, other, strict=True)
    write(file, [line for source, text in pairs for line in m2_of(source, text)])
    with pytest.raises(InputError, match=r"T5\.m2: sentence 1 .* gives 'He swims \.'"):
        read_system_edits(seeda, [str(file)])
    write(file, m2_of("a", "b"))
    with pytest.raises(InputError, match="found 1 sentence, expected the 5 of SEEDA or the 8"):
        read_system_edits(seeda, [str(file)])
    two = [*m2_of(seeda.sources[0], "x")[:-1], "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1", ""]
    write(file, [*two, *(line for s in seeda.sources[1:] for line in m2_of(s, s))])
    with pytest.raises(InputError, match="has 2 annotators"):
        read_system_edits(seeda, [str(file)])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command line that names made data and references."""
    root = tmp_path_factory.mktemp("meta")
    data, references = make_seeda(root / "seeda"), make_references(root / "refs")
    return ["meta", "seeda-e", "--data", str(data), "--ref", str(references)]


@pytest.mark.ci
def test_analyses_of_the_command(folders: list[str]) -> None:
    names = ["windows", "rank-pairs", "system-pairs", "references", "reference-numbers"]
    asked = [word for name in names for word in ("--analysis", name)]
    words = ["--set", "NUCLEA", "--set", "NUCLE", "-m", "gleu", "-m", "wer", "--human", "TS_edit"]
    found = json.loads(run(*folders, *words, *asked, "--width", "5", "--draws", "2", "--json"))
    assert [len(one["windows"]) for one in found["windows"]] == [8] * 4
    assert found["windows"][0]["systems"] == sorted(
        found["windows"][0]["systems"], key=lambda name: SEEDA_SYSTEMS.index(name)
    )  # in made data people like systems in their order
    assert [one["systems"] for one in found["windows"][0]["windows"]] == [
        [*range(n, n + 5)] for n in range(8)
    ]
    metrics = [one["metric"] for one in found["rank-pairs"]]
    assert metrics == ["gleu NUCLEA", "wer NUCLEA", "gleu NUCLE", "wer NUCLE"]
    assert {one["of"] for one in found["system-pairs"]} == {"systems"}
    whole = [(one["metric"], one["set"], one["references"]) for one in found["references"]]
    assert whole == [("gleu", "NUCLEA", 1), ("wer", "NUCLEA", 1), ("gleu", "NUCLE", 2), ("wer", "NUCLE", 2)]
    numbers = {(one["metric"], one["set"], one["references"]): one for one in found["reference-numbers"]}
    assert numbers["gleu", "NUCLE", 1]["draws"] == 2
    for one in found["references"]:  # all references are one choice
        same = numbers[one["metric"], one["set"], one["references"]]
        assert same["pearson"] == pytest.approx(one["pearson"])


@pytest.mark.ci
def test_plots_and_tables_of_the_command(folders: list[str], tmp_path: Path) -> None:
    words = ["--set", "NUCLE", "-m", "length", "--human", "TS_edit", "--plots", str(tmp_path / "plots")]
    shown = run(*folders, *words, "--analysis", "windows", "--analysis", "rank-pairs", "--format", "md")
    assert "| 9\\-12 |" in shown or "| 9-12 |" in shown
    assert sorted(path.name for path in (tmp_path / "plots").glob("*.svg")) == [
        "pairs-ranks-edit-length-base.svg",
        "windows-4-pearson-ts-edit-base.svg",
        "windows-4-spearman-ts-edit-base.svg",
    ]


@pytest.mark.parametrize("sets", [("NUCLE",), ("NUCLEA", "NUCLE")])
def test_plots_over_numbers_of_references_have_signatures(
    folders: list[str], tmp_path: Path, sets: tuple[str, ...]
) -> None:
    words = [word for name in sets for word in ("--set", name)]
    words += [
        "-m", "gleu", "-m", "wer", "--human", "TS_edit", "--analysis", "reference-numbers", "--draws", "2",
    ]  # fmt: skip
    run(*folders, *words, "--plots", str(tmp_path / "plots"))
    drawn = sorted((tmp_path / "plots").glob("reference-numbers-*.svg"))
    assert len(drawn) == 2 * len(sets)
    for path in drawn:
        refs = 1 if "nuclea" in path.name else 2
        assert all(
            f"refs:{refs}" in path.read_text() and name in path.read_text() for name in ("gleu|", "wer|")
        )


def test_edits_and_refusals_of_the_command(folders: list[str], tmp_path: Path) -> None:
    seeda = read_seeda(folders[3], whole=True)
    files = []
    for name in ("T5", "PIE", "BART"):
        path = tmp_path / f"{name}.m2"
        pairs = zip(seeda.sources, seeda.systems[name], strict=True)
        write(path, [line for source, text in pairs for line in m2_of(source, text)])
        files += ["--edits", str(path)]
    found = json.loads(run(*folders, "--set", "NUCLE", "-m", "gleu", *files, "--json"))
    assert [set(one["systems"]) for one in found["system"]] == [{"T5", "PIE", "BART"}] * 2
    result = CliRunner().invoke(app, [*folders, "--set", "NUCLE", "-m", "gleu", *files])
    assert "left out, as no edits were given: " in result.stderr
    overlapping = [
        "S She go .",
        "A 0 2|||R:X|||x|||REQUIRED|||-NONE-|||0",
        "A 1 2|||R:X|||y|||REQUIRED|||-NONE-|||0",
    ]
    write(path, [line for _ in seeda.sources for line in (*overlapping, "")])
    with (
        pytest.warns(match="overlapping"),
        pytest.raises(EditError, match=r"BART\.m2: sentence 1 \(counted from 1\)"),
    ):
        run(*folders, "--set", "NUCLE", "-m", "gleu", "--edits", str(path))
    with pytest.raises(UsageError, match="did you mean 'windows'"):
        run(*folders, "--set", "NUCLE", "-m", "gleu", "--analysis", "window")
    with pytest.raises(UsageError, match="windows of 13 systems, expected at most 12"):
        run(*folders, "--set", "NUCLE", "-m", "gleu", "--analysis", "windows", "--width", "13")
