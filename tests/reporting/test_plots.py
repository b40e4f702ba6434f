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
from jperrant.core.errors import InputError, UsageError
from jperrant.reporting.plots.figure import (
    DOTS,
    Fonts,
    Plot,
    add_legend,
    finished,
    fonts_for,
    line_style,
    new_axes,
    new_figure,
    width_in_inches,
)

HOSTILE = [
    "_hidden",
    "$\\frac{1}{0}$",
    "</text><script>x</script>",
    "a\nb\x00\u202ec",
    "$",
    "x" * 900,
    "\ud800",
]


def curves(names: list[str], title: str = "curves") -> Plot:
    figure = new_figure("column", 2)
    axes = new_axes(figure, "sentences", "f", grid="y")
    lines = [axes.plot([1, 2, 3], [n, n + 1, n], **line_style(n))[0] for n in range(len(names))]
    add_legend(figure, lines, names)
    return finished(figure, "curves", title, "errant|beta:0.5")


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
    assert width == round(width_in_inches("column") * DOTS)


@pytest.mark.ci
def test_identifiers_of_two_pictures_in_one_page_are_not_confused() -> None:
    ids = [set(re.findall(r'id="(x\w+-\d+)"', curves([name]).to_bytes("svg").decode())) for name in "AB"]
    assert ids[0]
    assert not ids[0] & ids[1]
    text = curves(["A"]).to_bytes("svg").decode()
    referred = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
    assert referred <= set(re.findall(r'id="([^"]+)"', text))


@pytest.mark.parametrize("name", ["a.what", "a", "none.svg/x.svg"])
def test_files_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(Path(name).name)):
        curves(["A"]).save(str(tmp_path / name))
    assert not list(tmp_path.iterdir())


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "in.svg"
    path.write_text("kept", encoding="utf-8")
    with pytest.raises(UsageError, match=r"in\.svg"):
        curves(["A"]).save(str(path), [str(path)])
    assert path.read_text(encoding="utf-8") == "kept"


NAMES = st.lists(st.text("ab1猫_-", max_size=40), unique=True, max_size=6)


@given(names=NAMES, start=st.text("abc-", max_size=40), end=st.text("abc-", max_size=40))
def test_names_that_differ_have_labels_that_differ(names: list[str], start: str, end: str) -> None:
    whole = [start + name + end for name in names]
    cut = labels(whole, 12)
    assert len({*cut}) == len(whole)
    assert all(cell_len(made) <= 12 for made in cut)
    pairs = zip(whole, cut, strict=True)
    assert all(made == name for name, made in pairs if cell_len(name) <= 12)


def test_characters_that_no_font_has_are_named() -> None:
    fonts = fonts_for(["a\U0010fffd"])  # private use: no font has it
    assert fonts.missing == {"\U0010fffd"}
    assert len(fonts.notes) == 1
    assert fonts_for(["abc"]) == Fonts()
    plot = curves(["a\U0010fffd"])
    assert plot.figure.legends[0].get_texts()[0].get_text() == "a\ufffd"
    assert plot.notes == fonts.notes
