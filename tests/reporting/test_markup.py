"""What results show of themselves in a notebook: tables, hostile text."""

from __future__ import annotations

from dataclasses import replace

import jperrant
from tests.markup_reader import BLOCK, Page


def test_scores_are_tables() -> None:
    blocks = [replace(BLOCK, source=(*BLOCK.source, str(n))) for n in range(3)]
    scores = jperrant.score([blocks, blocks], blocks)
    assert "table" in dict(Page(scores._repr_html_()).tags)


def test_html_is_escaped() -> None:
    evil = "<script>alert('\"')</script>&"
    scores = jperrant.score({evil: ["a c"]}, ["a c"], source=["a b"], metrics="wer")
    for html in (scores._repr_html_(), scores[0]._repr_html_()):
        seen = Page(html)
        assert "script" not in dict(seen.tags)
        assert evil in seen.texts
