"""brat standoff: a folder for each annotator with ``DOC.txt`` and ``DOC.ann``, and the project's configuration.

An edit is a text-bound annotation and, in an ``AnnotatorNotes`` line, its correction; a deletion has the
attribute ``Delete``; one with neither marks an error without correcting it. Insertions are zero-width.

Source: server/src/annotation.py and projectconfig.py of brat.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.exchange.formats import Corpus, ToolFormat, annotator_of
from jperrant.exchange.marks import Document, MarkedText, Region, correction_text
from jperrant.exchange.reading import read_text
from jperrant.io.m2 import bounded_int

#: The attribute of a deletion.
DELETE = "Delete"
_NOTES = "AnnotatorNotes"
_PLAIN = re.compile("[A-Za-z0-9]")
_ESCAPED = re.compile("-([0-9a-f]{4,6})-")
_TEXT_BOUND = re.compile(r"(\S+) (\d+ \d+(?:;\d+ \d+)*)\Z")
#: Content without counterpart in M2, by the first letter of its id.
_OTHERS = {
    "R": "a relation", "E": "an event", "*": "an equivalence", "N": "a normalisation", "A": "attribute {}",
    "M": "attribute {}", "#": "a remark of kind {}"
}  # fmt: skip


@dataclass(frozen=True)
class BratFormat(ToolFormat):
    """brat's standoff; it has no options."""

    name = "brat"
    description = "brat standoff: .txt and .ann, annotation.conf, visual.conf"
    files = "a folder with a folder for each annotator"
    ending, beside = ".txt", ".ann"
    deep = True

    def export(self, corpus: Corpus) -> Mapping[str, Iterable[str]]:
        """Return the configuration, and text and annotations of every document by every annotator."""
        files = {"annotation.conf": _annotation_conf(corpus), "visual.conf": _visual_conf(corpus)}
        for annotator in corpus.annotators:
            for document in corpus.documents:
                name = f"annotator{annotator}/{document.name}"
                files[f"{name}.txt"] = iter([document.text, "\n"])
                files[f"{name}.ann"] = _annotations(document, annotator)
        return files

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the document of a ``.txt`` or ``.ann`` file."""
        text, standoff = Path(file).with_suffix(".txt"), Path(file).with_suffix(".ann")
        annotator = annotator_of(text.resolve().parent.name)
        content = read_text(str(text), keep_mark=True).removesuffix("\n")  # offsets count the byte-order mark
        unopened = MarkedText(str(text), text.stem, annotator, content, finished=False)
        yield [_with_standoff(unopened, str(standoff)) if standoff.exists() else unopened]


def type_name(type_: str) -> str:
    """Return a type as a name of brat: letters, digits, ``_`` for ``:``, other characters by their code.

    >>> type_name("R:VERB:SVA"), type_name("R: FORM")
    ('R_VERB_SVA', 'R_-0020-FORM')
    """
    return "".join([c if _PLAIN.match(c) else "_" if c == ":" else f"-{ord(c):04x}-" for c in type_])


def type_of(name: str) -> str:
    """Return the type for a name of brat, which ``type_name`` or a person made."""
    return _ESCAPED.sub(_character, name.replace("_", ":"))


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    is_character = code <= sys.maxunicode and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else match[0]


def _annotations(document: Document, annotator: int) -> Iterator[str]:
    """Yield the lines of a document's .ann file."""
    text, deletions = document.text, 0
    for number, (_, edit, (start, end)) in enumerate(document.placed_edits(annotator), start=1):
        # The tab before an empty text stays: without it brat cannot read the line.
        yield f"T{number}\t{type_name(edit.type)} {start} {end}\t{text[start:end]}\n"
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
    yield f"{DELETE}\tbox:crossed\n"


def _with_standoff(text: MarkedText, file: str) -> MarkedText:
    """Return a text with the regions of an .ann file, and remarks on content without counterpart in M2.

    Raises:
        FormatError: A line is not of brat, or does not fit the others; names file and line.
    """
    regions: dict[str, Region] = {}
    corrections: dict[str, str] = {}
    remarks: list[str] = []
    for number, line in enumerate(read_text(file).split("\n"), start=1):
        id_, _, rest = line.removesuffix("\r").partition("\t")
        head, tab, note = rest.partition("\t")
        kind, _, about = head.strip().partition(" ")
        problem = ""
        if id_[:1] == "T":
            match = _TEXT_BOUND.match(head)
            if match is None or not tab:
                problem = f"found {shorten(f'{id_} {rest}')}, expected 'T1<TAB>TYPE START END<TAB>TEXT'"
            elif ";" in match[2]:
                problem = (
                    f"{id_} has several fragments ({match[2]}), which an edit of M2 cannot have; split it"
                )
            elif id_ in regions:
                problem = f"{id_} is given twice, first in {regions[id_].id}; remove one"
            else:
                start, end = map(bounded_int, match[2].split())  # digits may be thousands
                regions[id_] = Region(start, end, type_of(match[1]), None, f"line {number} ({id_})", note)
        elif id_[:1] == "#" and kind == _NOTES and about.startswith("T"):
            if corrections.get(about):
                problem = f"found a second note of {about}; an edit has one correction, so remove one"
            corrections[about] = note.strip()
        elif id_[:1] in ("A", "M") and kind == DELETE and about:
            corrections.setdefault(about.split()[0], "")
        elif id_[:1] in _OTHERS:
            remarks.append(f"{_OTHERS[id_[0]].format(shorten(kind))}, which M2 cannot hold, left out")
        elif line.strip():
            problem = f"found {shorten(line)}, expected a line of brat standoff"
        if problem:
            raise FormatError(file, number, problem)
    for id_ in corrections.keys() - regions.keys():
        raise FormatError(file, None, f"found a note or attribute of {id_}, which does not exist")
    marked = tuple([replace(r, correction=corrections.get(id_)) for id_, r in regions.items()])
    return replace(text, file=file, regions=marked, remarks=tuple(remarks), finished=True)
