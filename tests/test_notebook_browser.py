"""What a notebook shows, in a real browser: the elements of the report page, right-to-left text, hostile text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jperrant.core.markup import diff_markup
from jperrant.core.values import Annotation, Block, Edit
from jperrant.reporting.html.page import asset

from .browser import Browser, browser

__all__ = ["browser"]

HOSTILE = "</style></script><script>window.hacked=1</script>"
BLOCKS = [
    Block(
        ("This", "are", "gramamtical", "sentence", "."),
        (
            Annotation(
                0,
                (
                    Edit(4, 5, (), "U:PUNCT"),
                    Edit(1, 2, ("is",), "R:VERB:SVA"),
                    Edit(2, 2, ("a",), "M:DET"),
                    Edit(2, 3, ("grammatical",), "R:SPELL", alternatives=(("right",), ())),
                ),
            ),
        ),
    ),
    Block(("He", "go"), (Annotation(0, (Edit(1, 2, None, "UNK"),)),)),
    Block(("אני", "הולך", "ל", "בית", "."), (Annotation(0, (Edit(2, 4, ("לבית",), "R:ORTH"),)),)),
    Block(
        ("a\u202eb", "\x07", HOSTILE),
        (Annotation(0, (Edit(2, 3, ("<img src=x onerror=alert(1)>",), HOSTILE),)),),
    ),
    Block(("a", "b"), (Annotation(0, (Edit(0, 2, ("c",), "R"), Edit(1, 2, ("d",), "R"))),)),
]
#: Both markups as the browser writes them, the marks of letters taken out.
SAME = """([script, cases]) => {
  const [jp, diff] = new Function(script + "; return [jp, diffNodes];")();
  return cases.map(([tokens, edits, markup]) => {
    const ours = document.createElement("p"), theirs = document.createElement("p");
    ours.innerHTML = markup;
    ours.querySelectorAll(".letters").forEach((node) => node.replaceWith(...node.childNodes));
    jp.add(theirs, diff(tokens, edits, " "));
    theirs.querySelectorAll(".edit").forEach((node) => { node.className = node.className.trim(); });
    return [ours.innerHTML, theirs.innerHTML];
  });
}"""


def as_data(edit: Edit) -> dict[str, Any]:
    correction = None if edit.correction is None else list(edit.correction)
    alternatives = [list(words) for words in edit.alternatives]
    return {"start": edit.start, "end": edit.end, "type": edit.type, "correction": correction,
            "alternatives": alternatives}  # fmt: skip


def test_a_notebook_has_the_elements_of_the_report_page(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    body = "".join(block._repr_html_() for block in BLOCKS)
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8"><del id="else">x</del>{body}', encoding="utf-8")
    cases = [
        [list(block.source), [*map(as_data, block.annotations[0].edits)],
         diff_markup(block.source, block.annotations[0].edits)]
        for block in BLOCKS
    ]  # fmt: skip
    with browser.page(path) as page:
        for ours, theirs in page.evaluate(SAME, [asset("base.js"), cases]):
            assert ours == theirs
        assert page.evaluate("window.hacked") is None
        assert page.locator("script, img").count() == 0
        assert page.locator("bdo, [onerror]").count() == 0
        direction = "node => getComputedStyle(node).direction"
        texts = page.locator("p.text")
        assert [texts.nth(n).evaluate(direction) for n in range(3)] == ["ltr", "ltr", "rtl"]
        line = "node => getComputedStyle(node).textDecorationLine"
        assert page.locator(".jperrant del").first.evaluate(line) == "line-through"
        colour = "node => getComputedStyle(node).color"
        assert page.locator("#else").evaluate(colour) == page.locator("body").evaluate(colour), "scoped"
        assert page.locator(".jperrant del").first.evaluate(colour) != page.locator("body").evaluate(colour)
