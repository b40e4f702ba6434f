"""What pages are built from: data, assets, and tables in a notebook."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.reporting.html.page import PACKED_FROM, data_block, safe_json
from tests.markup_reader import Page
from tests.strategies import examples

FORBIDDEN = r"https?://(?!www\.w3\.org)|innerHTML|outerHTML|insertAdjacent|document\.write|eval\("


@given(st.text())
@examples(50)
def test_json_means_the_same_and_holds_no_markup(text: str) -> None:
    written = safe_json({text: [text, 1.5, None]})
    assert json.loads(written) == {text: [text, 1.5, None]}
    assert not re.search("[<>&\u2028\u2029\u202e]", written)


def test_json_refuses_what_is_no_json() -> None:
    with pytest.raises(ValueError):
        safe_json([float("nan")])


def test_long_data_is_packed_and_the_same_each_time() -> None:
    value = ["</script>" * 9] * (PACKED_FROM // 60)
    block = data_block("long", value)
    assert block == data_block("long", value)
    assert len(block) < PACKED_FROM / 20
    assert 'type="application/gzip"' in block


def test_assets_hold_nothing_that_the_policy_forbids() -> None:
    for entry in (files("jperrant.reporting.html") / "assets").iterdir():
        text = entry.read_text(encoding="utf-8")
        assert not re.search(FORBIDDEN, text), entry.name
        if entry.name.endswith(".html"):
            assert not re.search(r"\sstyle=|\son[a-z]+=|\|\s*safe", text), entry.name
        else:
            assert "</s" not in text


def test_scores_in_a_notebook_are_tables_of_escaped_text() -> None:
    evil = "<script>alert('\"')</script>&"
    scores = jperrant.score({evil: ["a c"]}, ["a c"], source=["a b"], metrics="wer")
    for html in (scores._repr_html_(), scores[0]._repr_html_()):
        seen = Page(html)
        assert "table" in dict(seen.tags)
        assert "script" not in dict(seen.tags)
        assert evil in seen.texts
