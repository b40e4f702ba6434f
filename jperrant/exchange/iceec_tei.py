"""The TEI of the Icelandic Error Corpus: words and punctuation as elements, corrections as ``<revision>``.

``<revision id="1"><original><w>…</w></original><corrected><w>…</w></corrected><errors><error xtype="…"
eid="0"/></errors> </revision>`` (Arnardóttir et al. 2021, "Creating an Error Corpus: Annotation and
Applicability"). A revision with several errors becomes one edit whose types are joined by ``+``.

Ours beyond theirs: without ``<corrected>`` an error is only marked, several ``<corrected>`` are alternatives, and
``covers`` is the tokens behind a revision that overlaps others.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.exchange.base import MarkedText
from jperrant.exchange.inline import JOINER, InlineEdit, InlineText, inline_lines, placed_texts
from jperrant.exchange.side_file import Document
from jperrant.exchange.tool import AnnotatorFiles
from jperrant.exchange.xml_tree import Element, read_xml, xml_attribute, xml_text

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader>
  <fileDesc>
    <titleStmt>
      <title>{name}</title>
    </titleStmt>
    <publicationStmt><p/></publicationStmt>
    <sourceDesc><p/></sourceDesc>
  </fileDesc>
</teiHeader>
<text><body><p n="1">
"""
_TAIL = "</p></body></text></TEI>\n"
#: Attributes of errors that link one to another, which M2 cannot.
_LINKS = {"idx", "depId"}


@dataclass(frozen=True)
class IceecTeiFormat(AnnotatorFiles):
    """The TEI of the Icelandic Error Corpus."""

    name = "iceec-tei"
    description = "TEI with <revision>, as the Icelandic Error Corpus has it"
    files = "a folder: DOC.aN.xml for each document and annotator"
    ending = ".xml"

    def lines(self, document: Document, annotator: int) -> Iterator[str]:
        """Yield the lines of a file."""
        yield _HEAD.format(name=xml_text(document.name))
        numbers = count(1)
        sentences = inline_lines(
            document,
            annotator,
            lambda token: f"  {_token(token)}\n",
            lambda piece: "".join(_revision(piece, next(numbers))),
            between=False,
        )
        for k, sentence in enumerate(sentences, start=1):
            yield f'<s n="{k}">\n{sentence}</s>\n'
        yield _TAIL

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file."""
        sentences = list(read_xml(file).descendants("s"))
        if not sentences:
            problem = "found no sentences <s>, expected TEI with <s>, <w>, <c> and <revision>"
            raise FormatError(file, None, problem)
        reader = _Reader(InlineText(file))
        for k, sentence in enumerate(sentences):
            reader.text.add("\n" if k else "")
            reader.begin = reader.text.length
            reader.content(sentence)
        [marked] = placed_texts([reader.text.built(document, annotator)], "tokens")
        return marked


def _token(form: str) -> str:
    """Return a token as an element: ``<c>`` for punctuation and symbols, else ``<w>``."""
    tag = "c" if all(unicodedata.category(character)[0] in "PS" for character in form) else "w"
    return f"<{tag}>{xml_text(form)}</{tag}>"


def _tokens(forms: Iterable[str]) -> str:
    return "".join(map(_token, forms))


def _revision(piece: InlineEdit, number: int) -> Iterator[str]:
    ahead = "" if piece.ahead is None else f" covers={xml_attribute(' '.join(piece.ahead))}"
    yield f'  <revision id="{number}"{ahead}>\n    <original>{_tokens(piece.covered)}</original>\n'
    for correction in piece.corrections or ():
        yield f"    <corrected>{_tokens(correction)}</corrected>\n"
    yield "    <errors>\n"
    for number_, type_ in enumerate(piece.edit.type.split(JOINER)):
        yield f'      <error xtype={xml_attribute(type_)} eid="{number_}"/>\n'
    yield "    </errors>\n  </revision>\n"


@dataclass
class _Reader:
    """Reads elements into a text.

    Attributes:
        text: The text, its tokens separated by spaces.
        begin: Where the sentence begins.
        in_revision: Whether a part of a revision is read, where annotators have typed text without elements.
    """

    text: InlineText
    begin: int = 0
    in_revision: bool = False

    @property
    def between(self) -> str:
        """What stands before the next token."""
        return " " if self.text.length > self.begin else ""

    def content(self, element: Element) -> None:
        """Read what is in an element."""
        for part in element.content:
            if isinstance(part, str):
                if part.strip() and self.in_revision:
                    self.text.remarks.append("text outside <w> and <c> in a revision, read as tokens")
                    for token in part.split():
                        self.text.add(self.between + token)
                elif part.strip():
                    problem = f"found text {shorten(part.strip())} outside <w> and <c>"
                    raise FormatError(self.text.file, element.line, problem)
            elif part.tag in ("w", "c"):
                for token in _text(part).split():
                    self.text.add(self.between + token)
            elif part.tag == "revision":
                self._revision(part)
            else:
                self.content(part)

    def _revision(self, element: Element) -> None:
        originals, corrected = element.elements("original"), element.elements("corrected")
        errors = [error for group in element.elements("errors") for error in group.elements("error")]
        if not originals and not corrected:
            problem = "found <revision> without <original> and <corrected>"
            raise FormatError(self.text.file, element.line, problem)
        if any(_LINKS & error.attributes.keys() for error in errors):
            self.text.remarks.append("a link between errors (idx, depId), which M2 cannot hold, left out")
        index, before, space = len(self.text.marks), self.text.length, self.between
        outer, self.in_revision = self.in_revision, True
        for original in originals:
            self.content(original)
        self.in_revision = outer
        ahead = element.attributes.get("covers")
        is_insertion = self.text.length == before and ahead is None
        start = before if is_insertion else before + len(space)
        texts = [" ".join(_corrected(part)) for part in corrected]
        if is_insertion:  # keeps its distance from the token before it, or from the one behind it
            texts = [f"{space}{text}{'' if space else ' '}" if text else "" for text in texts]
        type_ = JOINER.join([error.attributes.get("xtype", "") for error in errors])
        self.text.mark(
            start, type_, tuple(texts) or None, element.line, ahead and " ".join(ahead.split()), index
        )


def _text(element: Element) -> str:
    return "".join([part if isinstance(part, str) else _text(part) for part in element.content])


def _corrected(element: Element) -> Iterator[str]:
    """Yield the tokens of an element, of revisions in it the corrected ones."""
    for part in element.content:
        if isinstance(part, str):
            yield from part.split()
        elif part.tag in ("w", "c"):
            yield from _text(part).split()
        elif part.tag == "revision":
            for corrected in part.elements("corrected")[:1]:
                yield from _corrected(corrected)
        else:
            yield from _corrected(part)
