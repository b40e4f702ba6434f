"""The error coding of the Cambridge Learner Corpus in XML, in which FCE is published.

``<NS type="RV"><i>wrong</i><c>right</c></NS>`` (Nicholls 2003; Yannakoudakis et al. 2011): without ``<c>`` a
deletion, without ``<i>`` an insertion; text without either is only marked. Marks may be nested: the outer mark
corrects the result of the inner ones, so its correction includes theirs.

jperrant adds: several ``<c>`` are alternatives; a mark that overlaps others is written before the text that it
covers, which its attribute ``covers`` repeats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jperrant.exchange.inline import InlineEdit, InlineFormat, InlineText, inline_lines
from jperrant.exchange.marks import Document, MarkedText
from jperrant.exchange.reading import Element, read_xml, xml_attribute, xml_text

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

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file and its marks."""
        text, root = InlineText(file), read_xml(file)
        lines = [line for answer in root.descendants("coded_answer") for line in _lines(answer)]
        for k, line in enumerate(lines or [p.content for p in root.descendants("p")] or [root.content]):
            text.add("\n" if k else "")
            _read(text, line)
        return text.built(document, annotator, self.text)


def _lines(answer: Element) -> Iterator[Sequence[str | Element]]:
    """Yield the content of an answer's paragraphs; text outside of paragraphs is a paragraph, too."""
    loose: list[str | Element] = []
    for part in [*answer.content, None]:
        is_loose = isinstance(part, str) or (
            part is not None and part.tag != "p" and (part.tag in _MARKS or not any(part.descendants("p")))
        )
        if part is not None and is_loose:
            loose.append(part)
            continue
        if any(not isinstance(one, str) or one.strip() for one in loose):
            yield loose
        loose = []
        if isinstance(part, Element):
            yield from [part.content] if part.tag == "p" else _lines(part)


def _mark(piece: InlineEdit) -> str:
    covered = xml_text(" ".join(piece.covered))
    ahead = "" if piece.ahead is None else f" covers={xml_attribute(' '.join(piece.ahead))}"
    if piece.texts is None:
        coded = covered
    else:
        # A deletion has no correction, unless nothing would be left of the mark, or there are alternatives.
        is_deletion = bool(covered) and piece.texts == ("",)
        coded = f"<i>{covered}</i>" if covered else ""
        coded += "" if is_deletion else "".join([f"<c>{xml_text(text)}</c>" for text in piece.texts])
    return f"<NS type={xml_attribute(piece.edit.type)}{ahead}>{coded}</NS>"


def _read(text: InlineText, content: Sequence[str | Element]) -> None:
    """Read text and elements."""
    for part in content:
        if isinstance(part, str):  # a line end inside of a paragraph is the file's, not the text's
            text.add(part.replace("\n", " "))
        elif part.tag in _MARKS:
            _read_mark(text, part)
        elif part.tag in ("i", "c"):
            text.bad.append((part.line, f"found <{part.tag}> outside <NS>"))
        else:  # elements of layout, such as <em>
            _read(text, part.content)


def _read_mark(text: InlineText, element: Element) -> None:
    """Read a mark. It covers its ``<i>``, or what marks before that cover."""
    begin = text.here()
    is_coded = bool(element.elements("i", "c"))
    has_inner = any(part.tag not in ("i", "c") for part in element.elements())
    for part in element.content:
        if isinstance(part, str):
            _read(text, [] if is_coded and not part.strip() else [part])
        elif part.tag == "i":
            _read(text, [] if has_inner else part.content)
        elif part.tag != "c":
            _read(text, [part])
    corrections = tuple(map(_corrected, element.elements("c"))) or (("",) if element.elements("i") else None)
    type_, ahead = element.attributes.get("type", ""), element.attributes.get("covers")
    text.mark(begin, type_, corrections, element.line, ahead, corrects_all=True)


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
