"""Reads markup and checks that all of its elements are closed; a block to show."""

from __future__ import annotations

from html.parser import HTMLParser

from jperrant.core.values import Annotation, Block, Edit

BLOCK = Block(
    ("This", "are", "gramamtical", "sentence", "."),
    (
        Annotation(
            0, (Edit(1, 2, ("is",), "R:VERB:SVA"), Edit(2, 2, ("a",), "M:DET"), Edit(4, 5, (), "U:PUNCT"))
        ),
        Annotation(1),
    ),
)


class Balanced(HTMLParser):
    """Checks that all elements are closed and collects text and attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.tags: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)
