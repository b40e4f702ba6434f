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
from dataclasses import dataclass, field
from typing import ClassVar

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.exchange.base import Corpus, Document, ExchangeFormat, ExportedFile, MarkedText, Region
from jperrant.exchange.files import annotator_files, edits_of, input_files, names_of
from jperrant.exchange.inline import JOINER, InlineEdit, correction_field, laid_out, type_of
from jperrant.exchange.xml_tree import Element, read_xml, xml_attribute, xml_text

SUFFIX = ".xml"
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
class IceecTeiFormat(ExchangeFormat):
    """The TEI of the Icelandic Error Corpus."""

    name: ClassVar[str] = "iceec-tei"
    description: ClassVar[str] = "TEI with <revision>, as the Icelandic Error Corpus has it"
    files: ClassVar[str] = "a folder: DOC.aN.xml for each document and annotator"
    is_folder: ClassVar[bool] = True

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield a file for each document and annotator."""
        yield from annotator_files(corpus, SUFFIX, _lines)

    def read(self, path: str) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        for file in input_files(path, SUFFIX):
            reader = _Reader(file)
            sentences = list(read_xml(file).descendants("s"))
            if not sentences:
                raise FormatError(
                    file, None, "found no sentences <s>, expected TEI with <s>, <w>, <c> and <revision>"
                )
            for sentence in sentences:
                reader.sentence(sentence)
            document, annotator = names_of(file, SUFFIX)
            text = "\n".join([" ".join(tokens) for tokens in reader.sentences])
            yield MarkedText(file, document, annotator, text, reader.regions(), remarks=tuple(reader.remarks))


def _lines(document: Document, annotator: int) -> Iterator[str]:
    """Yield the lines of a file."""
    yield _HEAD.format(name=xml_text(document.name))
    revisions = 0
    for k, annotation in edits_of(document, annotator):
        yield f'<s n="{k + 1}">\n'
        try:
            for piece in laid_out(document.blocks[k], annotation.edits):
                if isinstance(piece, InlineEdit):
                    revisions += 1
                    yield from _revision(piece, revisions)
                else:
                    yield f"  {_token(piece)}\n"
        except InputError as error:
            raise InputError(f"{document.name}, sentence {k + 1}, annotator {annotator}: {error}") from None
        yield "</s>\n"
    yield _TAIL


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
class _Revision:
    """A revision with its place: the sentence, and a range of its tokens."""

    sentence: int
    start: int
    end: int
    type: str
    corrections: list[tuple[str, ...]] | None
    covers: tuple[str, ...] | None
    line: int
    id: str


@dataclass
class _Reader:
    """Reads the sentences of one file."""

    file: str
    sentences: list[list[str]] = field(default_factory=list)
    revisions: list[_Revision] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def sentence(self, element: Element) -> None:
        """Read a sentence."""
        self.sentences.append([])
        self._content(element)

    def regions(self) -> tuple[Region, ...]:
        """Return what is revised.

        Raises:
            FormatError: A revision does not cover what it says.
        """
        base, bases = 0, []
        for tokens in self.sentences:
            bases.append(base)
            base += len(" ".join(tokens)) + 1
        return tuple([self._region(revision, bases[revision.sentence]) for revision in self.revisions])

    def _content(self, element: Element) -> None:
        for part in element.content:
            if isinstance(part, str):
                if part.strip():
                    raise FormatError(
                        self.file, element.line, f"found text {shorten(part.strip())} outside <w> and <c>"
                    )
            elif part.tag in ("w", "c"):
                self.sentences[-1] += _text(part).split()
            elif part.tag == "revision":
                self._revision(part)
            else:
                self._content(part)

    def _revision(self, element: Element) -> None:
        originals = element.elements("original")
        errors = [error for group in element.elements("errors") for error in group.elements("error")]
        corrected = element.elements("corrected")
        if not originals and not corrected:
            raise FormatError(self.file, element.line, "found <revision> without <original> and <corrected>")
        if any(_LINKS & error.attributes.keys() for error in errors):
            self.remarks.append("a link between errors (idx, depId), which M2 cannot hold, left out")
        index, start = len(self.revisions), len(self.sentences[-1])
        for original in originals:
            self._content(original)
        end = len(self.sentences[-1])
        types = [error.attributes.get("xtype", "") for error in errors]
        corrections = [tuple(_corrected(part)) for part in corrected] or None
        covers = element.attributes.get("covers")
        name = element.attributes.get("id", "")
        revision = _Revision(
            len(self.sentences) - 1,
            start,
            end,
            JOINER.join(types),
            corrections,
            None if covers is None else tuple(covers.split()),
            element.line,
            f"line {element.line} (revision {name})" if name else f"line {element.line}",
        )
        self.revisions.insert(index, revision)  # before those inside it

    def _region(self, revision: _Revision, base: int) -> Region:
        tokens = self.sentences[revision.sentence]
        start, end = revision.start, revision.end
        if revision.covers is not None:
            end = start + len(revision.covers)
            if tuple(tokens[start:end]) != revision.covers:
                expected, there = (shorten(" ".join(part)) for part in (revision.covers, tokens[start:end]))
                raise FormatError(
                    self.file, revision.line, f"found {there}, expected {expected} as the revision says"
                )
        covered = " ".join(tokens[start:end])
        begin = base + len(" ".join([*tokens[:start], ""]))
        if start == end == len(tokens) and tokens:
            begin -= 1
        field_ = None if revision.corrections is None else correction_field(revision.corrections)
        type_ = revision.type or type_of(covered, field_)
        return Region(begin, begin + len(covered), type_, field_, revision.id, covered)


def _text(element: Element) -> str:
    return "".join([part if isinstance(part, str) else _text(part) for part in element.content])


def _corrected(element: Element) -> Iterator[str]:
    """Yield the tokens of an element, of revisions in it the corrected ones."""
    for part in element.elements():
        if part.tag in ("w", "c"):
            yield from _text(part).split()
        elif part.tag == "revision":
            for corrected in part.elements("corrected")[:1]:
                yield from _corrected(corrected)
        else:
            yield from _corrected(part)
