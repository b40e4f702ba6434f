"""The page builder: what hostile text becomes, what the policy allows, and a page in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.display import printable
from jperrant.reporting.html import page as builder
from jperrant.reporting.html.page import PACKED_FROM, asset, data_block, render_page, safe_json
from tests.browser import Browser, browser  # noqa: F401
from tests.markup_reader import Page
from tests.strategies import examples

HOSTILE = [
    "</script><script>alert(1)</script>", "<!--<script>", "]]>", "\"'><img src=x onerror=alert(1)>",
    "javascript:alert(1)", "a\u2028b\u2029c", "\u202eevil\u202c", "nul\x00bell\x07", "half\ud800",
    "{{ 7 * 7 }}{% raw %}", "&lt;b&gt;",
]  # fmt: skip
TEMPLATE = (
    '{% extends "base.html" %}{% block body %}<main><h1>{{ name }}</h1><p title="{{ name }}">x</p>'
    '<p id="out" class="text" dir="auto"></p><div id="status" role="status"></div></main>{% endblock %}'
)
SCRIPT = """jp.data("given").then((given) => {
  jp.fill(jp.id("out"), diffNodes(given.tokens, given.edits));
  document.body.dataset.ready = "yes";
});
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A template and a script that are not of the package."""
    ours = {"test.html": TEMPLATE, "test.js": SCRIPT}
    monkeypatch.setattr(builder, "asset", lambda name: ours.get(name) or asset(name))
    builder._environment.cache_clear()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(made: None, text: str) -> None:
    given = {"given": {"tokens": [text], "edits": []}}
    page = render_page("test.html", title=text, scripts=["test.js"], data=given, name=text)
    found = Page(page)
    tags = [tag for tag, _ in found.tags]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    assert json.loads(found.inside["data-given"])["tokens"] == [text]
    shown = printable(text)
    assert shown in "".join(found.texts)
    assert next(attributes["title"] for tag, attributes in found.tags if attributes.get("title")) == shown
    page.encode("utf-8")


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


def test_the_policy_names_style_and_script_and_nothing_else(made: None) -> None:
    page = render_page("test.html", title="t", scripts=["test.js"], name="n", data={"given": 1})
    found = Page(page)
    metas = [a for tag, a in found.tags if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    policy = str(metas[0]["content"])
    for element in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(found.inside[element].encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "script-src" not in builder.content_policy("a", "")


def test_assets_hold_nothing_that_the_policy_forbids() -> None:
    for entry in (files("jperrant.reporting.html") / "assets").iterdir():
        text = entry.read_text(encoding="utf-8")
        assert not re.search(
            r"https?://(?!www\.w3\.org)|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text
        )
        if entry.name.endswith(".html"):
            assert not re.search(r"\sstyle=|\son[a-z]+=|\|\s*safe", text), entry.name
        else:
            assert "</s" not in text


def test_a_page_in_a_browser(made: None, browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    words = ["This", "are", "</script>", "<b>x</b>", "\u202ebad", "."]
    edits = [
        {"start": 1, "end": 2, "correction": ["is"], "type": "R:VERB:SVA", "outcome": "right"},
        {"start": 2, "end": 2, "correction": ["a"], "type": "M:<i>", "outcome": "needless"},
        {"start": 3, "end": 4, "correction": [], "type": "U:X", "outcome": "missed"},
    ]
    for length in (1, PACKED_FROM):
        data = {"given": {"tokens": words, "edits": edits, "more": "<" * length}}
        path = tmp_path / "a 'b' & c.html"
        path.write_text(
            render_page("test.html", title="t", scripts=["test.js"], data=data, name="n"), "utf-8"
        )
        with browser.page(path) as page:
            page.wait_for_selector("body[data-ready]")
            assert page.locator("#out .edit").count() == 3
            assert page.locator("#out b, #out i").count() == 0
            assert "This are is" in page.inner_text("#out")
            assert "‹U+202E›bad" in page.inner_text("#out")


@pytest.mark.ci
def test_what_the_policy_forbids_fails_a_test(made: None, browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "page.html"
    page_text = render_page("test.html", title="t", scripts=["test.js"], data={"given": 1}, name="n")
    path.write_text(page_text.replace("<main>", "<main><script>document.title = 'run'</script>"), "utf-8")
    with pytest.raises(pytest.fail.Exception, match="forbidden"), browser.page(path) as page:  # noqa: PT012
        page.wait_for_selector("body")
        page.wait_for_timeout(20)
