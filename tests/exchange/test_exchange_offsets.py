"""Tokens and stretches of text, code points and UTF-16, corrections as text: there and back."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant import exchange
from jperrant.core.values import Edit
from jperrant.exchange.collect import Collector, Findings, in_code_points, numbered, on_tokens
from jperrant.exchange.marks import MarkedText, Region, TokenOffsets, correction_text, lasting_text
from tests.strategies import CORRECTED, M2_TOKENS, examples

MODULES = [f"jperrant.exchange.{module.name}" for module in pkgutil.iter_modules(exchange.__path__)]


@pytest.mark.parametrize("name", [*MODULES, "jperrant.m2tools.convert"])
def test_examples_of_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@examples(50)
@given(tokens=st.lists(M2_TOKENS, max_size=6), data=st.data())
def test_tokens_and_stretches(tokens: list[str], data: st.DataObject) -> None:
    line = TokenOffsets.of(" ".join(tokens))
    start = data.draw(st.integers(0, len(tokens)))
    end = data.draw(st.integers(start, len(tokens)))
    place = line.stretch(start, end)
    assert line.text[slice(*place)] == " ".join(tokens[start:end])
    assert on_tokens(line, Region(*place, "R:X", "x"), Findings()) == Region(start, end, "R:X", "x")


@examples(50)
@given(text=st.text(alphabet=st.sampled_from("ab \n.,😀é́שa"), max_size=12), data=st.data())
def test_any_stretch_is_replaced_as_in_the_text(text: str, data: st.DataObject) -> None:
    """What a correction of whole tokens gives is what the correction of the stretch gives, but for white space."""
    text = text.replace("\n", " ")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    whole = on_tokens(TokenOffsets.of(text), Region(start, end, "R:X", "XY"), Findings())
    corrected = [*text.split()[: whole.start], str(whole.correction), *text.split()[whole.end :]]
    assert "".join("".join(corrected).split()) == "".join(f"{text[:start]}XY{text[end:]}".split())


@examples(50)
@given(text=st.text(alphabet=st.sampled_from("aé😀\U0010ffff\uffff"), max_size=12))
def test_utf16_as_python_encodes_it(text: str) -> None:
    places = range(len(text) + 1)
    units = [Region(len(text[:k].encode("utf-16-le")) // 2, 2 * len(text), "X", None) for k in places]
    assert [region.start for region in in_code_points(text, units)] == list(places)


MARKS = st.sampled_from(["UNK", "Um"])
TYPES = st.one_of(MARKS, st.sampled_from(["R:X", "M:X", "U:X", "odd type"]))


@examples(50)
@given(st.one_of(
    st.builds(Edit, st.just(1), st.just(2), st.lists(CORRECTED, max_size=3).map(tuple), TYPES),
    st.builds(Edit, st.just(1), st.just(2), st.none(), MARKS),  # M2 has no other edits without a correction
))  # fmt: skip
def test_corrections_as_text(edit: Edit) -> None:
    assert Region(1, 2, edit.type, correction_text(edit)).edit() == edit
    lasting = lasting_text(edit)
    assert lasting != ""
    found = Region(1, 2, edit.type, lasting).edit()
    assert found.is_detection if edit.is_detection and not edit.correction else found == edit


def test_numbers_of_annotators() -> None:
    findings = Findings()
    names = {"0", "ann", "bob", "2"}
    assert numbered(names, {"bob": 1}, [0, 1, 2], findings) == {"bob": 1, "0": 0, "2": 2, "ann": 3}
    assert numbered({"CURATION_USER"}, {}, [0, 1], findings) == {"CURATION_USER": 0}
    assert numbered({"007", "7"}, {}, [], findings) == {"7": 7, "007": 0}
    assert len(findings.lines()) == 3


def test_a_sentence_is_cut_into_tokens_once_however_many_edits_it_has() -> None:
    regions = tuple([Region(2 * n, 2 * n + 1, "R:X", "x") for n in range(50)])
    marked = MarkedText("f", "d", "0", "a " * 50 + "\nb", regions)
    with patch.object(TokenOffsets, "of", wraps=TokenOffsets.of) as cut:
        [first, _] = Collector().blocks([marked])
    assert len(first[0].annotations[0].edits) == len(regions)
    assert cut.call_count < 10, "a long sentence with many edits would take hours"
