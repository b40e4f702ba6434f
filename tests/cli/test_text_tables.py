"""Text tables are rectangles in the cells of a terminal; figures with intervals, marks and bold."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from jperrant.core.errors import JperrantError
from jperrant.core.tables import Figure, Layout, Table, render
from tests.commands import printed
from tests.strategies import examples

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data" / "conll14"
FILES = ("conll14-AMU.errant", "conll14-CAMB.errant", "conll14-IITB.errant", "conll14.errant")
#: Every letter that can be in a file; combining ones and joiners included.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
CJK = st.text(st.sampled_from("我喜欢猫 한국어カタ，。a1é"), max_size=8)
MARKED = st.builds(
    Figure, st.sampled_from(["1.0", "-12.5 ± 0.1"]), st.floats(0, 1), marks=st.sampled_from(["", "†", "†‡"])
)
CELL = st.one_of(TEXT, CJK, st.integers(-99, 99), st.floats(-9, 9), st.none(), MARKED)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5))
@examples(300)
def test_every_text_table_is_a_rectangle(rows: list[tuple[object, ...]]) -> None:
    # A last column of one letter keeps the spaces at the ends of lines.
    table = Table(("a", "二", "c", "."), tuple((*row, "|") for row in rows))  # type: ignore[misc]
    lines = render([table], "text").removesuffix("\n").split("\n")
    assert len(lines) == len(rows) + 1
    assert len({cell_len(line) for line in lines}) == 1


def test_chinese_takes_two_cells() -> None:
    lines = render([Table(("系统", "f"), (("甲", 0.5), ("abc", 0.25)))], "text").splitlines()
    assert lines == ["系统       f", "甲    0.5000", "abc   0.2500"]
    assert {sum(1 + (unicodedata.east_asian_width(c) == "W") for c in line) for line in lines} == {12}


def test_figures_in_every_format() -> None:
    layout = Layout("pm", percent=True, decimals=1, bold_best=True)
    rows = (
        ("a_1", layout.figure(0.321, (0.30, 0.34)), 0.5),
        ("b", layout.figure(0.3354, (0.31, 0.36), marks="†"), 0.01),
    )
    table = layout.arrange(Table(("system", "f", "p"), rows), {"f": False})
    shown = render([table], "text").splitlines()[1:]
    assert shown == ["a_1     32.1 ± 2.0   0.5000", "b       33.5 ± 2.5†  0.0100"]
    assert r"b & \textbf{33.5 $\pm$ 2.5}\textsuperscript{\textdagger} & 0.0100 \\" in render([table], "latex")
    assert "| b | **33.5 ± 2.5**† | 0.0100 |" in render([table], "md")
    assert render([table], "tsv").splitlines()[2] == "b\t0.3354\t0.01"
    lower = layout.arrange(table, {"f": True})
    assert r"a\_1 & \textbf{32.1" in render([lower], "latex")


def test_equal_figures_are_all_best_and_one_alone_is_not() -> None:
    layout = Layout(decimals=2, bold_best=True)
    cells = [layout.figure(value) for value in (0.501, 0.502, 0.4)]
    assert [cell.bold for cell in layout.best(cells, lower=False)] == [True, True, False]  # type: ignore[union-attr]
    assert [cell.bold for cell in layout.best(cells[:1], lower=False)] == [False]  # type: ignore[union-attr]


def score(*options: str, metrics: tuple[str, ...] = ("errant",), folder: Path = DATA) -> list[str]:
    chosen = [word for name in metrics for word in ("-m", name)]
    files = [str(folder / name) for name in FILES]
    return printed(
        "score", *files[:-1], "--ref", files[-1], *chosen, "--samples", "100", *options
    ).splitlines()


@pytest.mark.ci
def test_a_table_for_a_paper() -> None:
    layout = ["--names", "stems", "--percent", "--decimals", "1", "--intervals", "pm", "--columns", "f,tp"]
    header, *rows = [line.split() for line in score(*layout)[:4]]
    assert header == ["hypothesis", "f", "tp"]
    assert [row[:2] for row in rows] == [
        ["conll14-AMU", "32.1"],
        ["conll14-CAMB", "33.5"],
        ["conll14-IITB", "5.7"],
    ]
    assert all(row[2] == "±" for row in rows)
    brackets = score("--names", "A,B,C", "--percent", "--intervals", "brackets", "--columns", "f")
    low, high = (float(end) for end in brackets[1].partition("[")[2].rstrip("]").split(", "))
    assert low < 32.08 < high


@pytest.mark.ci
def test_the_best_is_bold_and_marks_are_explained() -> None:
    args = ("--names", "A,B,C", "--percent", "--bold-best", "--paired-bs")
    table = score(*args, "--format", "latex", metrics=("errant", "wer"))
    assert any(line.startswith(r"B & \textbf{33.48} & 11.31\textsuperscript{\textdagger}") for line in table)
    assert any(r"\textbf{8.55}\textsuperscript{\textdagger}" in line for line in table), (
        "a lower error rate is better"
    )
    [note] = [line for line in table if line.startswith("% †")]
    assert "differs from A" in note
    assert "Holm for 2 systems" in note
    rates = score(*args, "--format", "md", "--columns", "hit,wrong,over", metrics=("cleme2",))
    header, _, *rows = (line.strip("| ").split(" | ") for line in rates if line.startswith("|"))
    best = {name: [row[0] for row in rows if "**" in row[n]] for n, name in enumerate(header)}
    assert best["hit"] == ["B"]
    assert best["wrong"] == ["C"]


@pytest.mark.ci
@pytest.mark.parametrize("format", ["latex", "md"])
def test_tests_are_marks_in_papers_and_columns_elsewhere(format: str) -> None:
    args = ("--names", "A,B,C", "--paired-ar", "--samples", "200")
    shown = score(*args, "--format", format)
    assert not [line for line in shown if "p_" in line or r"p\_" in line]
    assert sum("dagger" in line or "‡" in line for line in shown) >= 2
    assert any("‡: differs from A" in line for line in shown)
    assert "p_randomisation" in score(*args)[0]
    chosen = score(*args, "--format", format, "--columns", "f,p_randomisation")
    assert any(r"f & p\_randomisation" in line or r"f | p\_randomisation" in line for line in chosen)


def test_latex_takes_no_cell_for_an_argument() -> None:
    lines = render([Table(("* a", "b"), (("[ → (", 1), ("*", 2), (" [", 3), ("c", 4)))], "latex").splitlines()
    shown = [line.rpartition(" & ")[0] for line in lines if " & " in line]
    assert shown == ["{}* a", r"{}[ $\rightarrow$ (", "{}*", "{} [", "c"]


def test_by_type_in_the_same_layout() -> None:
    lines = [line.split() for line in score("--by-type", "--percent", "--decimals", "1", "--columns", "f")]
    assert ["type", "f"] in lines
    assert ["R:SPELL", "72.8"] in lines


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--percent", "--json"), "--percent needs text, latex, md or html"),
        (("--intervals", "pm", "--format", "tsv"), "--intervals needs text, latex, md or html"),
        (("--intervals", "plusminus"), "unknown intervals 'plusminus'"),
        (("--decimals", "99"), "99 decimals"),
        (("--bold-best",), "text has no bold"),
        (("--columns", "recal"), "did you mean 'recall'"),
        (("--names", "A"), "1 name for 3 systems"),
    ],
)
def test_layouts_that_cannot_be(options: tuple[str, ...], message: str, short_conll: Path) -> None:
    with pytest.raises(JperrantError) as caught:
        score(*options, folder=short_conll)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
