"""brat standoff: for each annotator a folder with ``DOC.txt`` and ``DOC.ann``; the project's configuration.

An edit is a text-bound annotation and, in an ``AnnotatorNotes`` line, its correction; a deletion has the
attribute ``Delete``; one with neither marks an error without correcting it. Insertions are zero-width; the habit
of the REALEC corpus, where an insertion covers the neighbouring word and the note repeats it, is read too.

Source: server/src/annotation.py and projectconfig.py of brat; the REALEC conventions are those of heptabot.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.option import option
from jperrant.core.values import Edit
from jperrant.exchange.base import Corpus, ExportedFile, Findings, MarkedText, Region
from jperrant.exchange.offsets import bases, correction_text, document_text, stretches
from jperrant.exchange.side_file import Document
from jperrant.exchange.tool import (
    NOT_FOLLOWED,
    ToolFormat,
    annotator_folder,
    annotator_of,
    colour_of,
    input_files,
    read_text,
)
from jperrant.io.m2 import bounded_int

#: The attribute of a deletion.
DELETE = "Delete"
_NOTES = "AnnotatorNotes"
_PLAIN = re.compile("[A-Za-z0-9]")
_ESCAPED = re.compile("-([0-9a-f]{4,6})-")
_TEXT_BOUND = re.compile(r"(\S+) (\d+ \d+(?:;\d+ \d+)*)\Z")
#: What M2 has no counterpart for, by the first letter of its id.
_OTHERS = {"R": "a relation", "E": "an event", "*": "an equivalence", "N": "a normalisation"}


@dataclass(frozen=True)
class BratFormat(ToolFormat):
    """The options of brat."""

    neighbours: bool = option(
        True, "Read a region whose note repeats the neighbouring word as an insertion, as in REALEC."
    )

    name = "brat"
    description = "brat standoff: .txt and .ann, annotation.conf, visual.conf"
    files = "a folder, in it one for each annotator"
    is_folder = True

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield the configuration, and text and annotations of every document by every annotator."""
        yield ExportedFile("annotation.conf", _annotation_conf(corpus))
        yield ExportedFile("visual.conf", _visual_conf(corpus))
        for annotator in corpus.annotators or (0,):
            for document in corpus.documents:
                name = f"{annotator_folder(annotator)}/{document.name}"
                yield ExportedFile(f"{name}.txt", [document_text(document.blocks), "\n"])
                yield ExportedFile(f"{name}.ann", _annotations(document, annotator))

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the documents of a folder, of the folders in it, or of one ``.ann`` file."""
        place = Path(path)
        file = path if place.is_dir() else str(place.with_suffix(".txt"))
        for text in input_files(file, ".txt", findings, deep=True):
            standoff = Path(text).with_suffix(".ann")
            if place.is_dir() and (standoff.is_symlink() or (standoff.exists() and not standoff.is_file())):
                findings.add(NOT_FOLLOWED, str(standoff))
                continue
            with findings.noting():
                yield self._document(Path(text))

    def _document(self, text: Path) -> MarkedText:
        standoff = text.with_suffix(".ann")
        annotator = annotator_of(text.resolve().parent.name)
        content = read_text(str(text), keep_mark=True).removesuffix("\n")  # offsets count the mark
        if not standoff.exists():
            return MarkedText(str(text), text.stem, annotator, content, finished=False)
        regions, remarks = _Standoff(str(standoff)).read()
        return MarkedText(
            str(standoff),
            text.stem,
            annotator,
            content,
            regions,
            minimise=self.neighbours,
            remarks=remarks,
        )


def type_name(type_: str) -> str:
    """Return a type as brat allows it: letters, digits, ``_`` for ``:``, other characters by their code.

    >>> type_name("R:VERB:SVA"), type_name("R: FORM")
    ('R_VERB_SVA', 'R_-0020-FORM')
    """
    return "".join([c if _PLAIN.match(c) else "_" if c == ":" else f"-{ord(c):04x}-" for c in type_])


def type_of(name: str) -> str:
    """Return the type that a name of brat stands for; ``type_name`` made it, or a person."""
    return _ESCAPED.sub(_character, name.replace("_", ":"))


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    is_character = code <= sys.maxunicode and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else match[0]


def _annotations(document: Document, annotator: int) -> Iterator[str]:
    """Yield the lines of a document's .ann file."""
    number, deletions = 0, 0
    for block, base in zip(document.blocks, bases(document.blocks), strict=True):
        annotation = block.annotation(annotator)
        edits: Sequence[Edit] = annotation.edits if annotation else ()
        text = " ".join(block.source)
        for edit, (start, end) in zip(edits, stretches(block, edits, base), strict=True):
            number += 1
            # The tab before an empty text stays: without it brat cannot read the line.
            covered = text[start - base : end - base]
            yield f"T{number}\t{type_name(edit.type)} {start} {end}\t{covered}\n"
            correction = correction_text(edit)
            if correction == "":
                deletions += 1
                yield f"A{deletions}\t{DELETE} T{number}\n"
            elif correction is not None:
                yield f"#{number}\t{_NOTES} T{number}\t{correction}\n"


def _annotation_conf(corpus: Corpus) -> Iterator[str]:
    yield "[entities]\n"
    for type_ in corpus.labels:
        yield f"{type_name(type_)}\n"
    yield f"\n[relations]\n\n[events]\n\n[attributes]\n{DELETE}\tArg:<ENTITY>\n"


def _visual_conf(corpus: Corpus) -> Iterator[str]:
    yield "[labels]\n"
    for type_ in corpus.labels:
        if "|" not in type_:
            yield f"{type_name(type_)} | {type_}\n"
    yield "\n[drawing]\nSPAN_DEFAULT\tfgColor:black, bgColor:lightgreen, borderColor:darken\n"
    for type_ in corpus.labels:
        yield f"{type_name(type_)}\tbgColor:{colour_of(type_)}\n"
    yield f"{DELETE}\tbox:crossed\n"


@dataclass
class _Standoff:
    """The lines of one .ann file.

    Attributes:
        file: Its name.
        regions: The text-bound annotations by their ids, each with its line.
        notes: Their corrections.
        deleted: Which of them are deletions.
        remarks: What has no counterpart in M2.
    """

    file: str
    regions: dict[str, tuple[Region, int]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)

    def read(self) -> tuple[tuple[Region, ...], tuple[str, ...]]:
        """Return the regions in the file's order, and the remarks."""
        for number, line in enumerate(read_text(self.file).split("\n"), start=1):
            if line.strip():
                self._line(number, line.removesuffix("\r"))
        for id_ in (self.notes.keys() | self.deleted) - self.regions.keys():
            raise FormatError(self.file, None, f"found a note or attribute of {id_}, which does not exist")
        corrections = {**dict.fromkeys(self.deleted, ""), **self.notes}
        regions = [replace(r, correction=corrections.get(id_)) for id_, (r, _) in self.regions.items()]
        return tuple(regions), tuple(self.remarks)

    def _line(self, number: int, line: str) -> None:
        id_, _, rest = line.partition("\t")
        kind = id_[:1]
        if kind == "T":
            self._text_bound(number, id_, rest)
        elif kind == "#":
            self._note(number, rest)
        elif kind in ("A", "M"):
            self._attribute(rest)
        elif kind in _OTHERS:
            self.remarks.append(f"{_OTHERS[kind]}, which M2 cannot hold, left out")
        else:
            raise FormatError(self.file, number, f"found {shorten(line)}, expected a line of brat standoff")

    def _text_bound(self, number: int, id_: str, rest: str) -> None:
        head, tab, covered = rest.partition("\t")
        match = _TEXT_BOUND.match(head)
        if match is None or not tab:
            problem = f"found {shorten(f'{id_} {rest}')}, expected 'T1<TAB>TYPE START END<TAB>TEXT'"
            raise FormatError(self.file, number, problem)
        if ";" in match[2]:
            problem = f"{id_} has several fragments ({match[2]}), which an edit of M2 cannot have; split it"
            raise FormatError(self.file, number, problem)
        if id_ in self.regions:
            problem = f"{id_} is given twice, first in line {self.regions[id_][1]}; remove one"
            raise FormatError(self.file, number, problem)
        start, end = map(bounded_int, match[2].split())  # digits may be thousands
        region = Region(start, end, type_of(match[1]), None, f"line {number} ({id_})", covered)
        self.regions[id_] = (region, number)

    def _note(self, number: int, rest: str) -> None:
        head, _, text = rest.partition("\t")
        kind, _, id_ = head.partition(" ")
        if kind != _NOTES or not id_.startswith("T"):
            self.remarks.append(f"a remark of kind {shorten(kind)}, which M2 cannot hold, left out")
        elif id_ in self.notes:
            problem = f"found a second note of {id_}; an edit has one correction, so remove one"
            raise FormatError(self.file, number, problem)
        else:
            self.notes[id_] = text.strip()

    def _attribute(self, rest: str) -> None:
        kind, _, id_ = rest.strip().partition(" ")
        if kind == DELETE and id_:
            self.deleted.add(id_.split()[0])
        else:
            self.remarks.append(f"attribute {shorten(kind)}, which M2 cannot hold, left out")
