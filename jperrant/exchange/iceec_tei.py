"""The TEI of the Icelandic Error Corpus: words and punctuation as elements, corrections as ``<revision>``.

``<revision id="1"><original><w>…</w></original><corrected><w>…</w></corrected><errors><error xtype="…"
eid="0"/></errors> </revision>`` (Arnardóttir et al. 2021, "Creating an Error Corpus: Annotation and
Applicability"). A revision with several errors becomes one edit whose types are joined by ``+``.

jperrant adds: without ``<corrected>`` an error is only marked; several ``<corrected>`` are alternatives; a revision
that overlaps others is written before the tokens that it covers, which its attribute ``covers`` repeats.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.exchange.formats import AnnotatorFiles
from jperrant.exchange.inline import InlineEdit, InlineText, inline_lines
from jperrant.exchange.marks import JOINER, Document, MarkedText
from jperrant.exchange.reading import Element, read_xml, xml_attribute, xml_text

#: Attributes that link errors, which M2 cannot hold.
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
        template = Path(__file__).with_name("iceec_tei.xml").read_text(encoding="utf-8")
        head, tail = template.split("{sentences}")
        yield head.replace("{name}", xml_text(document.name))
        numbers = count(1)
        sentences = inline_lines(
            document,
            annotator,
            lambda token: f"  {_tokens([token])}\n",
            lambda piece: "".join(_revision(piece, next(numbers))),
            between="",
        )
        for k, sentence in enumerate(sentences, start=1):
            yield f'<s n="{k}">\n{sentence}</s>\n'
        yield tail

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file."""
        sentences = list(read_xml(file).descendants("s"))
        if not sentences:
            problem = "found no sentences <s>, expected TEI with <s>, <w>, <c> and <revision>"
            raise FormatError(file, None, problem)
        text = InlineText(file)
        for k, sentence in enumerate(sentences):
            if k:
                text.add("\n")
            _read(text, sentence)
        return text.built(document, annotator, "tokens")


def _tokens(forms: Sequence[str]) -> str:
    """Return tokens as elements: ``<c>`` for punctuation and symbols, else ``<w>``."""
    tags = ["c" if all(unicodedata.category(c)[0] in "PS" for c in form) else "w" for form in forms]
    return "".join([f"<{tag}>{xml_text(form)}</{tag}>" for tag, form in zip(tags, forms, strict=True)])


def _revision(piece: InlineEdit, number: int) -> Iterator[str]:
    ahead = "" if piece.ahead is None else f" covers={xml_attribute(' '.join(piece.ahead))}"
    yield f'  <revision id="{number}"{ahead}>\n    <original>{_tokens(piece.covered)}</original>\n'
    edit = piece.edit
    for correction in () if edit.correction is None else (edit.correction, *edit.alternatives):
        yield f"    <corrected>{_tokens(correction)}</corrected>\n"
    yield "    <errors>\n"
    for number_, type_ in enumerate(edit.type.split(JOINER)):
        yield f'      <error xtype={xml_attribute(type_)} eid="{number_}"/>\n'
    yield "    </errors>\n  </revision>\n"


def _between(text: InlineText) -> str:
    """Return the text before the next token."""
    return " " if text.parts and text.parts[-1] != "\n" else ""


def _read(text: InlineText, element: Element, in_revision: bool = False) -> None:
    """Read the content of an element; in revisions annotators typed text without elements."""
    for part in element.content:
        if isinstance(part, str):
            if part.strip() and not in_revision:
                text.bad.append((element.line, f"found text {shorten(part.strip())} outside <w> and <c>"))
            text.remarks += ["text outside <w> and <c> in a revision, read as tokens"] * bool(part.strip())
        if isinstance(part, str) or part.tag in ("w", "c"):
            for token in (part if isinstance(part, str) else _text(part)).split():
                text.add(_between(text) + token)
        elif part.tag == "revision":
            _read_revision(text, part)
        else:
            _read(text, part, in_revision)


def _read_revision(text: InlineText, element: Element) -> None:
    originals, corrected = element.elements("original"), element.elements("corrected")
    errors = [error for group in element.elements("errors") for error in group.elements("error")]
    if not originals and not corrected:
        text.bad.append((element.line, "found <revision> without <original> and <corrected>"))
    if any(_LINKS & error.attributes.keys() for error in errors):
        text.remarks.append("a link between errors (idx, depId), which M2 cannot hold, left out")
    (start, index), space = text.here(), _between(text)
    for original in originals:
        _read(text, original, in_revision=True)
    ahead = element.attributes.get("covers")
    texts = [" ".join(_corrected(part)) for part in corrected]
    if text.length == start and ahead is None:
        # An insertion keeps its distance from the token before it, or from the one after it.
        texts = [f"{space}{one}{'' if space else ' '}" if one else "" for one in texts]
    else:
        start += len(space)
    type_ = JOINER.join([error.attributes.get("xtype", "") for error in errors])
    covers = None if ahead is None else " ".join(ahead.split())
    text.mark((start, index), type_, texts or None, element.line, covers)


def _text(element: Element) -> str:
    return "".join([part if isinstance(part, str) else _text(part) for part in element.content])


def _corrected(element: Element) -> Iterator[str]:
    """Yield the tokens of an element, with corrected tokens for its revisions."""
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
