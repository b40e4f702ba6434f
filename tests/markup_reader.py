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
#: Elements that have no end.
VOID = {"meta", "link", "input", "br", "hr", "img", "col"}


class Page(HTMLParser):
    """The elements of a page, of which each is closed.

    Attributes:
        tags: Elements with their attributes, in order.
        texts: All text.
        inside: The text of each script and style, by id, or by tag without one.
        rows: The cells of each table row.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.inside: dict[str, str] = {}
        self.rows: list[list[str]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.cdata_elem:
            tag, attributes = self.tags[-1]
            key = attributes.get("id") or tag
            self.inside[key] = self.inside.get(key, "") + data
        elif self.rows and self.rows[-1]:
            self.rows[-1][-1] += data
