"""Plots: the same bytes every time, any text as a label, nothing of the caller's program changed."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from jperrant.core.display import labels
from jperrant.core.errors import JperrantError
from jperrant.reporting.plots import figure as plots

HOSTILE = [
    "_hidden", "$\\frac{1}{0}$", "</text><script>x</script>", "a\nb\x00\u202ec", "$", "x" * 900, "\ud800",
]  # fmt: skip


def curves(names: list[str], title: str = "curves") -> plots.Plot:
    figure = plots.new_figure("column", 2)
    axes = plots.new_axes(figure, "sentences", "f", grid="y")
    lines = [axes.plot([1, 2, 3], [n, n + 1, n], **plots.line_style(n))[0] for n in range(len(names))]
    plots.add_legend(figure, lines, names)
    return plots.finished(figure, "curves", title, "errant|beta:0.5")


@pytest.fixture
def unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every change of matplotlib's settings fail, also one that is undone."""

    def refuse(*_: object) -> None:
        raise AssertionError("rcParams are the caller's")

    monkeypatch.setattr(matplotlib.RcParams, "__setitem__", refuse)


@pytest.mark.ci
@pytest.mark.parametrize("format", ["svg", "png", "pdf"])
def test_the_same_plot_is_the_same_bytes(format: str, unchanged: None) -> None:
    plot = curves(["A", "B"])
    assert plot.to_bytes(format) == plot.to_bytes(format) == curves(["A", "B"]).to_bytes(format)
    assert plot.to_bytes(format) != curves(["A", "C"]).to_bytes(format)
    assert not re.search(rb"20[2-9]\d-\d\d-\d\d|D:20\d\d", plot.to_bytes(format)), "a date"


def test_any_name_is_drawn_as_it_stands(unchanged: None) -> None:
    plot = curves(HOSTILE, title="<b>&\x00")
    root = ElementTree.fromstring(plot.to_bytes("svg"))
    assert not [node for node in root.iter() if str(node.tag).endswith("}script")]
    [legend] = plot.figure.legends
    assert len(legend.get_texts()) == len(HOSTILE)
    assert legend.get_texts()[0].get_text() == "_hidden"
    assert plot.to_bytes("png").startswith(b"\x89PNG")


def test_pictures_say_what_they_show_and_how_it_was_scored(tmp_path: Path) -> None:
    plot = curves(["A"], title="F of all systems")
    assert b"errant|beta:0.5" in plot.to_bytes("png")
    assert b"<dc:title>F of all systems</dc:title>" in plot.to_bytes("svg")
    plot.save(str(tmp_path / "a.png"))
    width = int.from_bytes((tmp_path / "a.png").read_bytes()[16:20], "big")
    assert width == round(plots.width_in_inches("column") * plots.DOTS)


@pytest.mark.ci
def test_identifiers_of_two_pictures_in_one_page_are_not_confused() -> None:
    text, other = (curves([name]).to_bytes("svg").decode() for name in "AB")
    ids = {*re.findall(r'id="([^"]+)"', text)}
    numbered = {*re.findall(r'id="(x\w+-\d+)"', text)}
    assert numbered
    assert numbered.isdisjoint(re.findall(r'id="([^"]+)"', other))
    assert ids.issuperset(re.findall(r'(?:href="|url\()#([^")]+)', text))


@pytest.mark.parametrize("name", ["a.what", "a", "none.svg/x.svg", "in.svg"])
def test_files_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    kept = tmp_path / "in.svg"
    kept.write_text("kept", encoding="utf-8")
    with pytest.raises(JperrantError, match=re.escape(Path(name).name)):
        curves(["A"]).save(str(tmp_path / name), [str(kept)])
    assert [*tmp_path.iterdir()] == [kept]
    assert kept.read_text(encoding="utf-8") == "kept"


ENDS = st.text("abc-", max_size=40)


@given(names=st.lists(st.text("ab1猫_-", max_size=40), unique=True, max_size=6), start=ENDS, end=ENDS)
def test_names_that_differ_have_labels_that_differ(names: list[str], start: str, end: str) -> None:
    whole = [start + name + end for name in names]
    cut = labels(whole, 12)
    assert len({*cut}) == len(whole)
    assert all(cell_len(made) <= 12 for made in cut)
    pairs = zip(whole, cut, strict=True)
    assert all(made == name for name, made in pairs if cell_len(name) <= 12)


def test_characters_that_no_font_has_are_named() -> None:
    fonts = plots.fonts_for(["a\U0010fffd"])  # private use: no font has it
    assert fonts.missing == {"\U0010fffd"}
    assert len(fonts.notes) == 1
    assert plots.fonts_for(["abc"]) == plots.Fonts()
    plot = curves(["a\U0010fffd"])
    assert plot.figure.legends[0].get_texts()[0].get_text() == "a\ufffd"
    assert plot.notes == fonts.notes
