"""Text tables are rectangles in the cells of a terminal; figures with intervals, marks and bold."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from jperrant.core.tables import Figure, Layout, Table, render
from tests.commands import printed, refused
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
    cells = [layout.figure(value) for value in (0.5012, 0.5014, 0.4)]
    for found, bold in ((cells, [True, True, False]), (cells[:1], [False])):
        best = layout.best(found, lower=False)
        assert [cell.bold for cell in best] == bold, "equal ones are all best, one alone is not"  # type: ignore[union-attr]


def score(*options: str) -> list[str]:
    files = [str(DATA / name) for name in FILES]
    return printed("score", *files[:-1], "--ref", files[-1], "--samples", "100", *options).splitlines()


@pytest.mark.ci
def test_the_best_is_bold_and_tests_are_marks_in_papers() -> None:
    args = ("--names", "A,B,C", "--percent", "--paired-bs")
    table = score(*args, "--bold-best", "--format", "latex", "-m", "errant", "-m", "wer")
    assert any(line.startswith(r"B & \textbf{33.48} & 11.31\textsuperscript{\textdagger}") for line in table)
    assert any(r"\textbf{8.55}\textsuperscript{\textdagger}" in line for line in table), "lower is better"
    [note] = [line for line in table if line.startswith("% †")]
    assert "differs from A" in note
    assert "Holm for 2 systems" in note
    assert not [line for line in table if r"p\_" in line]
    assert "p_bootstrap" in score(*args)[0], "a column elsewhere"
    columns = ("-m", "cleme2", "--bold-best", "--columns", "hit,wrong,over,p_bootstrap", "--format", "md")
    lines = [line for line in score(*args, *columns) if line.startswith("|")]
    header, _, *rows = (line.replace(" ", "").split("|")[1:] for line in lines)
    best = {name: [row[0] for row in rows if "**" in row[n]] for n, name in enumerate(header)}
    assert (best["hit"], best["wrong"], r"p\_bootstrap" in best) == (["B"], ["C"], True)


def test_latex_takes_no_cell_for_an_argument() -> None:
    lines = render([Table(("* a", "b"), (("[ → (", 1), ("*", 2), (" [", 3), ("c", 4)))], "latex").splitlines()
    shown = [line.rpartition(" & ")[0] for line in lines if " & " in line]
    assert shown == ["{}* a", r"{}[ $\rightarrow$ (", "{}*", "{} [", "c"]


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
    *systems, references = (short_conll / name for name in FILES)
    assert message in refused("score", *systems, "--ref", references, *options)
