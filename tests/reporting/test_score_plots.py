"""Plots of scores and comparisons: what they show, and the commands and functions that draw them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, islice, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from matplotlib.contour import ContourSet
from matplotlib.text import Text

import jperrant
from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.analysis import grouped, rows_by_category, type_figures
from jperrant.evaluation.metrics.fmeasure import f_measure
from jperrant.evaluation.score_set import Scores
from jperrant.reporting.plots.scores import plots_of
from tests.commands import printed, refused
from tests.stages import mostly_for_ci

from .report_cases import m2

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data" / "conll14"


def blocks(name: str) -> list[Block]:
    return list(islice(jperrant.read_m2(DATA / name), 120))


@pytest.fixture(scope="module")
def references() -> list[Block]:
    return blocks("conll14.errant")


@pytest.fixture(scope="module")
def scores(references: list[Block]) -> Scores:
    systems = [blocks(f"conll14-{name}.errant") for name in ("AMU", "CAMB", "IITB")]
    return jperrant.score(systems, references, metrics=["errant", "cleme2"])


def test_figures_of_types_are_those_of_the_table_with_intervals_around_them(scores: Scores) -> None:
    errant = scores.by_metric()["errant"]
    figures = type_figures(errant, "recall", samples=200)
    for number, score in enumerate(errant):
        tabled = {name: score.figures(row) for name, row in rows_by_category(score.by_type).items()}
        for type_, row in score.by_type.items():
            figure = figures[type_][number]
            assert figure.support == row[0] + row[2]
            if any(row):
                assert figure.value == tabled[type_]["recall"]
                assert figure.low <= figure.high
    assert not any(f.support for of_type in figures.values() for f in of_type if np.isnan(f.value))


def test_samples_without_edits_of_a_type_say_nothing_of_it() -> None:
    none = [Block(("a",), (Annotation(0),))] * 9
    gold, system = (
        [Block(("a",), (Annotation(0, (Edit(0, 1, (word,), "R:RARE"),)),)), *none] for word in ("x", "y")
    )
    [score] = jperrant.score(system, gold)
    [figure] = type_figures([score], samples=100)["R:RARE"]
    assert (figure.value, figure.low, figure.high) == (0, 0, 0), "a third of the samples lack the sentence"


def test_all_types_as_one_have_the_interval_of_the_whole(scores: Scores) -> None:
    score = scores.by_metric()["errant"][0]
    [figure] = type_figures([grouped(score, lambda _: "any")])["any"]
    whole = jperrant.intervals(score)["f"]
    expected = (score.values["f"], whole.low, whole.high)
    assert (figure.value, figure.low, figure.high) == pytest.approx(expected)


def test_lines_of_equal_f(scores: Scores) -> None:
    [axes] = jperrant.plot(scores, "precision-recall", metric="errant", samples=50).figure.axes
    [lines] = [drawn for drawn in axes.collections if isinstance(drawn, ContourSet)]
    paths = zip(lines.levels, lines.get_paths(), strict=True)
    places = [(f, *place) for f, path in paths for place in path.vertices]
    assert len(places) > 100
    for f, recall, precision in places:
        assert f_measure(1, 1 / precision - 1, 1 / recall - 1, beta=0.5)[2] == pytest.approx(f, abs=2e-3)


@pytest.mark.parametrize("kind", ["by-type", "precision-recall", "rank", "rates"])
def test_plots_name_the_metric_and_tell_systems_with_one_long_beginning_apart(
    scores: Scores, kind: str
) -> None:
    metric = "cleme2" if kind == "rates" else "errant"
    own = scores.by_metric()[metric]
    names = [f"bea19-dev_gpt-4o-mini-2024-07-18_fewshot-{n}" for n in (1, 2, 3)]
    renamed = [replace(score, hypothesis=name) for score, name in zip(own, names, strict=True)]
    plot = jperrant.plot(renamed, kind)
    labels = {
        text.get_text() for text in plot.figure.findobj(Text) if text.get_text().startswith("bea19-dev")
    }
    assert sorted(label[-1] for label in labels) == ["1", "2", "3"]
    assert own[0].signature.partition(" ")[0] in plot.description
    assert plot.name == f"{metric}-{kind}"
    assert plot._repr_svg_().startswith("<?xml")


def boxes(plot: jperrant.Plot) -> list[tuple[str, Any]]:
    """Return each text that is drawn, with its place in the picture."""
    figure = plot.figure
    figure.draw_without_rendering()
    shown = [*figure.texts]
    shown += [text for legend in figure.legends for text in legend.get_texts()]
    for axes in figure.axes:
        shown += [*axes.texts, axes.xaxis.label, axes.yaxis.label]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            shown += [tick.label1 for tick in ticks]
    visible = [text for text in shown if text.get_visible() and text.get_text()]
    return [(text.get_text(), text.get_window_extent()) for text in visible]


LONG_NAMES = [
    *(f"bea19-dev_gpt-4o-mini-2024-07-18_{way}-shot-temperature-0" for way in ("zero", "one", "few", "many")),
    "Llama-3.1-70B-Instruct_minimal-edits_temperature-0", "GECToR-RoBERTa-large-ensemble-of-three", "T5-xxl $11_b$",
    "outputs/2025/run-17/mt5-base-finetuned-on-wi+locness.m2", "GRECO+majority-vote-of-eleven-systems", "AMU",
    "EditScorer (Sorokin 2022)", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "unchanged-source-as-a-baseline",
]  # fmt: skip


@pytest.fixture(scope="module")
def thirteen(references: list[Block]) -> Scores:
    """Systems with long names that make fewer and fewer of AMU's edits; the last makes none."""
    made: dict[str, list[Block]] = {}
    for number, name in enumerate(LONG_NAMES):
        random, made[name] = Random(number), []
        for block in blocks("conll14-AMU.errant"):
            edits = tuple(e for e in block.annotations[0].edits if random.random() > number / 12)
            made[name].append(replace(block, annotations=(Annotation(0, edits),)))
    return jperrant.score(made, references, metrics=["errant", "cleme2"])


@pytest.mark.parametrize("width", ["column", "text"])
@pytest.mark.parametrize("systems", mostly_for_ci([1, 3, 13], 3))
def test_no_text_covers_another_or_is_cut(thirteen: Scores, systems: int, width: str) -> None:
    some = [score for score in thirteen if score.hypothesis in LONG_NAMES[:systems]]
    baseline = LONG_NAMES[0] if systems > 1 else ""
    for plot in plots_of(some, width=width, samples=20, baseline=baseline):
        placed, canvas = boxes(plot), plot.figure.bbox
        for name, box in placed:
            inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= canvas.x1 and box.y1 <= canvas.y1
            assert inside, (plot.name, name)
        for (one, box), (other, second) in combinations(placed, 2):
            across = min(box.x1, second.x1) - max(box.x0, second.x0)
            up = min(box.y1, second.y1) - max(box.y0, second.y0)
            # A box has a little room above its letters.
            assert across <= 0 or up <= 1, (plot.name, one, other)
        drawn = [axes.get_window_extent() for axes in plot.figure.axes]
        share = sum(box.width * box.height for box in drawn) / (canvas.width * canvas.height)
        assert share > 0.3 or systems < 13, plot.name
        assert plot.figure.get_figheight() < 8


def test_rates_are_stacked_to_one(scores: Scores) -> None:
    plot = jperrant.plot(scores, "rates", metric="cleme2")
    needed, over = plot.figure.axes
    for bars in zip(*needed.containers, strict=True):
        assert max(bar.get_x() + bar.get_width() for bar in bars) == pytest.approx(1)
    widths = [bar.get_width() for bar in over.containers[0]]
    assert widths == [score.values["over"] for score in scores.by_metric()["cleme2"]]


def test_bars_of_types_are_in_the_order_of_the_references_edits(scores: Scores) -> None:
    plot = jperrant.plot(scores, "by-type", metric="errant", top=5, level=2, samples=50)
    [axes] = plot.figure.axes
    support = [float(re.search(r"\((.*)\)", t.get_text())[1]) for t in axes.get_yticklabels()]  # type: ignore[index]
    assert support == sorted(support, reverse=True)
    assert len(support) == 5
    assert len(axes.containers) == 6, "bars and intervals of 3 systems"


def test_differences_are_drawn_with_the_whole_first(scores: Scores) -> None:
    name = scores.systems[1]
    plot = jperrant.plot(scores, "differences", metric="errant", baseline=name, top=3, samples=200)
    [axes] = plot.figure.axes
    labels = [text.get_text() for text in axes.get_yticklabels()]
    counts = scores[name, "errant"].counts
    assert labels[0] == f"all ({counts['tp'] + counts['fn']})"
    assert len(labels) == 4
    found = jperrant.paired_tests(scores.by_metric()["errant"], samples=200, baseline=name)
    drawn = [float(x) for line in axes.lines for x in line.get_xdata()]
    assert {one.differences["f"].value for one in found} <= {*drawn}
    certain = {one.value for pair in found for one in pair.types.values() if one.p_corrected < 0.05}
    on_top = [line for line in axes.lines if line.get_zorder() == 3]
    assert {float(x) for line in on_top for x in line.get_xdata()} >= certain & {*drawn}
    assert all(line.get_markerfacecolor() != "white" for line in on_top)


def test_a_system_without_edits_has_no_precision(references: list[Block]) -> None:
    unchanged = [Block(block.source) for block in references]
    scores = jperrant.score([unchanged, blocks("conll14-AMU.errant")], references)
    plot = jperrant.plot(scores, "precision-recall", samples=50)
    assert len(plot.notes) == 1
    assert len(plot.figure.axes[0].containers) == 1


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("ranks", {}, r"'ranks'.*'rank'"),
        ("rank", {"metric": "erant"}, r"'erant'.*'errant'"),
        ("rank", {}, "errant, cleme2"),
        ("rates", {"metric": "errant"}, "'errant' has no rates"),
        ("rates", {"metric": "cleme2", "widht": 3}, r"'rates'.*'widht'.*'width'"),
        ("differences", {"metric": "errant", "baseline": "C"}, "no system 'C' for the baseline"),
        ("differences", {"metric": "errant", "top": 0}, "0 types"),
        ("by-type", {"metric": "errant", "value": "recal"}, r"'recal'.*'recall'"),
        ("precision-recall", {"metric": "cleme2"}, "'cleme2' has no precision"),
        ("rank", {"metric": "errant", "width": "page"}, "'page'"),
    ],
)
def test_what_cannot_be_drawn(scores: Scores, kind: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        jperrant.plot(scores, kind, **options)  # type: ignore[arg-type]


def test_a_baseline_adds_the_plot_of_differences(scores: Scores) -> None:
    own = scores.by_metric()["errant"]
    names = [plot.name for plot in plots_of(own, baseline=scores.systems[0], samples=20)]
    assert names == ["errant-rank", "errant-precision-recall", "errant-by-type", "errant-differences"]


def test_score_writes_plots_under_names_that_differ(tmp_path: Path) -> None:
    with (tmp_path / "a.m2").open("w", encoding="utf-8") as stream:
        jperrant.write_m2(blocks("conll14-AMU.errant")[:30], stream)
    metrics = ["-m", "errant:beta=0.5", "-m", "errant:beta=5"]
    words = ["score", tmp_path / "a.m2", "--ref", tmp_path / "a.m2", *metrics, "--samples", "20"]
    assert "1.0000" in printed(*words, "--plots", tmp_path / "new" / "folder")
    names = {path.name for path in (tmp_path / "new" / "folder").iterdir()}
    parts = product(("0-5", "5"), ("by-type", "precision-recall"), ("svg", "png"))
    assert names == {f"errant-beta-{beta}-{kind}.{format}" for beta, kind, format in parts}


def test_folders_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.m2").write_text(m2("a", ["0 1 R b"]), encoding="utf-8")
    call = ("score", "a.m2", "--ref", "a.m2", "--plots")
    assert "a.m2 is a file" in refused(*call, "a.m2")
    assert "a.m2 is a file" in refused(*call, "a.m2/x")
    assert "'wide'" in refused(*call, "p", "--plot-width", "wide")
    assert [path.name for path in tmp_path.iterdir()] == ["a.m2"]
