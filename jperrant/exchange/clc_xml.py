"""The error coding of the Cambridge Learner Corpus in XML, in which FCE is published.

``<NS type="RV"><i>wrong</i><c>right</c></NS>`` (Nicholls 2003; Yannakoudakis et al. 2011): without ``<c>`` a
deletion, without ``<i>`` an insertion; text without either is only marked. Marks nest: the outer one corrects
what the inner ones have corrected, so its correction is that of all.

Ours beyond theirs: several ``<c>`` are alternatives, and ``covers`` is the text behind a mark that overlaps others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jperrant.core.errors import FormatError
from jperrant.exchange.base import MarkedText
from jperrant.exchange.inline import InlineEdit, InlineFormat, InlineText, Mark, inline_lines
from jperrant.exchange.side_file import Document
from jperrant.exchange.xml_tree import Element, read_xml, xml_attribute, xml_text

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<learner><head sortkey={name}><text><answer1><coded_answer>\n'
)
_TAIL = "</coded_answer></answer1></text></head></learner>\n"
#: The element of a mark; some corpora write it in small letters.
_MARKS = ("NS", "ns")


@dataclass(frozen=True)
class ClcXmlFormat(InlineFormat):
    """The error coding of FCE and the Cambridge Learner Corpus."""

    name = "clc-xml"
    description = "<NS type> XML of FCE and the Cambridge Learner Corpus"
    files = "a folder: DOC.aN.xml for each document and annotator"
    ending = ".xml"

    def lines(self, document: Document, annotator: int) -> Iterator[str]:
        """Yield the lines of a file."""
        yield _HEAD.format(name=xml_attribute(document.name))
        for line in inline_lines(document, annotator, xml_text, _mark):
            yield f"<p>{line}</p>\n"
        yield _TAIL

    def marked(self, file: str, document: str, annotator: str) -> tuple[MarkedText, tuple[Mark, ...]]:
        """Return the text of a file and its marks."""
        text = InlineText(file)
        root = read_xml(file)
        reader = _Reader(text)
        lines = [line for answer in root.descendants("coded_answer") for line in _paragraphs(answer)]
        for k, part in enumerate(lines or list(root.descendants("p")) or [root]):
            text.add("\n" if k else "")
            reader.content(part.content)
        return text.built(document, annotator)


def _paragraphs(answer: Element) -> list[Element]:
    """Return the paragraphs of an answer; what stands outside of them is one too."""
    lines: list[Element] = []
    loose: list[str | Element] = []

    def close() -> None:
        if any(not isinstance(part, str) or part.strip() for part in loose):
            lines.append(Element("p", {}, answer.line, list(loose)))
        loose.clear()

    for part in answer.content:
        if isinstance(part, Element) and part.tag == "p":
            close()
            lines.append(part)
        elif isinstance(part, Element) and part.tag not in _MARKS and any(part.descendants("p")):
            close()
            lines += _paragraphs(part)
        else:
            loose.append(part)
    close()
    return lines


def _mark(piece: InlineEdit) -> str:
    texts, covered = piece.texts(), xml_text(" ".join(piece.covered))
    ahead = "" if piece.ahead is None else f" covers={xml_attribute(' '.join(piece.ahead))}"
    if texts is None:
        coded = covered
    else:
        # A deletion has no correction, unless nothing would be left of the mark, or there are alternatives.
        is_deletion = bool(covered) and texts == ("",)
        coded = f"<i>{covered}</i>" if covered else ""
        coded += "" if is_deletion else "".join([f"<c>{xml_text(text)}</c>" for text in texts])
    return f"<NS type={xml_attribute(piece.edit.type)}{ahead}>{coded}</NS>"


@dataclass
class _Reader:
    """Reads elements into a text.

    Attributes:
        text: The text.
    """

    text: InlineText

    def content(self, content: Sequence[str | Element]) -> None:
        """Read text and elements."""
        for part in content:
            if isinstance(part, str):  # a line end inside of a paragraph is the file's, not the text's
                self.text.add(part.replace("\n", " "))
            elif part.tag in _MARKS:
                self._mark(part)
            elif part.tag in ("i", "c"):
                raise FormatError(self.text.file, part.line, f"found <{part.tag}> outside <NS>")
            else:  # layout, such as <em>
                self.content(part.content)

    def _mark(self, element: Element) -> None:
        type_ = element.attributes.get("type", "")
        corrections = self._corrections(element)
        index, start = len(self.text.marks), self.text.length
        self._source(element)
        inner = len(self.text.marks) - index
        if corrections is not None:
            self.text.remarks += ["a mark inside another that has a correction of its own, left out"] * inner
            del self.text.marks[index:]
        self.text.mark(start, type_, corrections, element.line, element.attributes.get("covers"), index)

    def _corrections(self, element: Element) -> tuple[str, ...] | None:
        """Return the corrections of a mark: one that is empty for a deletion, None where it is only marked."""
        texts = [_corrected(c) for c in element.elements("c")]
        return tuple(texts) if texts else ("",) if element.elements("i") else None

    def _source(self, element: Element) -> None:
        """Read what an element covers: of marks before ``<i>`` what these cover, else ``<i>``."""
        inner = [c for c in element.elements() if c.tag not in ("i", "c")]
        for part in element.content:
            if isinstance(part, str):
                if not (element.elements("i", "c") and not part.strip()):
                    self.content([part])
            elif part.tag == "i":
                if not inner:
                    self.content(part.content)
            elif part.tag != "c":
                self.content([part])


def _corrected(element: Element) -> str:
    """Return the text of an element by the corrections of the marks in it."""
    parts = []
    for part in element.content:
        if isinstance(part, str):
            parts.append(part)
        elif corrections := part.elements("c"):
            parts.append(_corrected(corrections[0]))
        elif part.tag != "i":
            parts.append(_corrected(part))
    return "".join(parts)
