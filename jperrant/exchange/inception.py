"""INCEpTION: UIMA CAS as XMI, a folder for each annotator, with the layer and the tag set of the project.

An edit is an annotation of the custom layer ``Edit`` with the features ``category`` and ``correction``;
insertions are zero-width. Sentences and tokens are written too, so that INCEpTION keeps them. Only the text and the
annotations of that layer are read, whatever other layers a project has. Offsets are UTF-16 code units.

There is no feature for the annotator: its value would differ between annotators, so that INCEpTION would count
every edit as a disagreement.

Source: the JSON of layers and tag sets is that of INCEpTION's project export; the XMI is that of UIMA.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path, PurePath

from jperrant.core.errors import FormatError, InputError
from jperrant.exchange.collect import Findings, in_code_points
from jperrant.exchange.formats import Corpus, ToolFormat, annotator_of
from jperrant.exchange.marks import Document, MarkedText, Region, TokenOffsets, lasting_text
from jperrant.exchange.reading import Element, read_xml, xml_attribute
from jperrant.io.m2 import bounded_int

#: The layer of edits.
LAYER = "webanno.custom.Edit"
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///webanno/custom.ecore"
 xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
"""
_INITIAL_VIEW, _TOKEN = "_InitialView", "segmentation.type.Token"
_LAYER_FILE, _TAGSET_FILE, _TAG_SET = "layer.json", "tagset.json", "jperrant"
#: INCEpTION's names for the work of the curator, and for the initial state of a document.
_CURATOR, _INITIAL = "CURATION_USER", "INITIAL_CAS"
#: The folders of a project export whose folders are documents.
_BY_DOCUMENT = ("annotation", "curation")


@dataclass(frozen=True)
class InceptionFormat(ToolFormat):
    """INCEpTION, whose annotators mark whole tokens; the settings of the layer can change that."""

    name = "inception"
    description = "INCEpTION: UIMA CAS XMI, layer and tag set"
    files = "a folder with a folder for each annotator"
    ending = ".xmi"
    deep = True

    def export(self, corpus: Corpus) -> Mapping[str, Iterable[str]]:
        """Return layer and tag set, and every document by every annotator."""
        tags = [
            {"tag_name": name, "tag_description": meaning or None} for name, meaning in corpus.labels.items()
        ]
        about = {"name": _TAG_SET, "description": "Error types", "language": None}
        tag_set = {**about, "tags": tags, "create_tag": True}
        layer = json.loads(Path(__file__).with_name("inception_layer.json").read_text(encoding="utf-8"))
        layer["features"][0]["tag_set"] = tag_set
        files: dict[str, Iterable[str]] = {_TAGSET_FILE: [_json(tag_set)], _LAYER_FILE: [_json([layer])]}
        for annotator in corpus.annotators:
            for document in corpus.documents:
                files[f"annotator{annotator}/{document.name}.xmi"] = _xmi(document, annotator)
        return files

    def inputs(self, path: str, findings: Findings) -> list[str]:
        """Return the documents of a folder, of the folders in it, or one file."""
        if Path(path).is_dir() and (archives := sorted(Path(path).rglob("*.zip"))):
            raise InputError(f"{archives[0]}: found an archive; unpack it and give the folder")
        return [file for file in super().inputs(path, findings) if Path(file).stem != _INITIAL]

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the text of a file; its folder is named after the annotator or, in a project, the document."""
        name, folder = Path(file).stem, Path(file).resolve().parent
        document, annotator = name, annotator_of(folder.name)
        if folder.parent.name in _BY_DOCUMENT and not annotator.isdecimal():
            path = PurePath(folder.name)  # the folder has the name of the file that the document came from
            is_file = path.suffix in (".xmi", ".json", ".txt", ".xml")
            document, annotator = path.stem if is_file else folder.name, name
        text, regions, remarks = read_cas(file)
        curated = annotator == _CURATOR
        yield [MarkedText(file, document, annotator, text, regions, remarks=remarks, curated=curated)]


def _xmi(document: Document, annotator: int) -> Iterator[str]:
    """Yield the XMI of a document by one annotator.

    Raises:
        InputError: XML cannot hold a character; names document, sentence and annotator.
    """
    yield _HEAD
    text = document.text
    units = _code_units(text)
    number, base = 1, 0
    for k, (block, edits) in enumerate(document.edits(annotator), start=1):
        offsets = TokenOffsets.of(" ".join(block.source))
        places = [("type:Sentence", 0, len(offsets.text), "")]
        places += [("type:Token", s, e, "") for s, e in zip(offsets.starts, offsets.ends, strict=True)]
        try:
            for edit in edits:
                correction = lasting_text(edit)
                own = f" category={xml_attribute(edit.type)}"
                own += "" if correction is None else f" correction={xml_attribute(correction)}"
                places.append(("custom:Edit", *offsets.stretch(edit.start, edit.end), own))
            xml_attribute(offsets.text)
        except InputError as error:
            raise InputError(f"{document.name}, sentence {k}, annotator {annotator}: {error}") from None
        for tag, start, end, own in places:
            number += 1
            begin, finish = units[base + start], units[base + end]
            yield f'<{tag} xmi:id="{number}" sofa="1" begin="{begin}" end="{finish}"{own}/>\n'
        base += len(offsets.text) + 1
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="{_INITIAL_VIEW}" mimeType="text"'
    yield f"{sofa} sofaString={xml_attribute(text)}/>\n"
    yield f'<cas:View sofa="1" members="{" ".join(map(str, range(2, number + 1)))}"/>\n</xmi:XMI>\n'


def _code_units(text: str) -> Sequence[int]:
    """Return the offset in UTF-16 code units of each code point of a text."""
    if text.isascii():
        return range(len(text) + 1)
    return list(accumulate((1 + (ord(character) > 0xFFFF) for character in text), initial=0))


def read_cas(path: str) -> tuple[str, tuple[Region, ...], tuple[str, ...]]:
    """Return the text, the edits in the order of their ids, and remarks on what is left out.

    Offsets, UTF-16 code units in the file, count code points.

    Raises:
        FormatError: The file is no CAS, has no text, or an edit lacks its place or category; names file and id.
    """
    structures = [e for e in read_xml(path).elements() if e.attributes.get("id", "").isdecimal()]
    sofas = [e.attributes for e in structures if _type_of(e) == "uima.cas.Sofa"]
    initial = [sofa for sofa in sofas if sofa.get("sofaID", _INITIAL_VIEW) == _INITIAL_VIEW]
    text = initial[0].get("sofaString") if len(initial) == 1 else None
    if text is None:
        raise FormatError(path, None, "found no text (sofaString), expected a UIMA CAS with one view")
    edits = sorted(
        [e for e in structures if _type_of(e) == LAYER], key=lambda e: bounded_int(e.attributes["id"])
    )
    regions = [_region(path, e.attributes) for e in edits if e.attributes.get("sofa") == initial[0]["id"]]
    remarks = ("an edit in another view of the document, left out",) * (len(edits) - len(regions))
    if text.strip() and not edits and not any(_type_of(e).endswith(_TOKEN) for e in structures):
        raise FormatError(path, None, f"found no tokens and no annotations of the layer {LAYER}")
    return text, in_code_points(text, regions), remarks


def _type_of(element: Element) -> str:
    """Return the type of an element of XMI.

    >>> _type_of(Element("Edit", {}, 1, namespace="http:///webanno/custom.ecore"))
    'webanno.custom.Edit'
    """
    package = element.namespace.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{element.tag}"


def _region(path: str, fields: Mapping[str, str]) -> Region:
    where = f"annotation {fields['id']}"
    try:
        start, end = int(fields["begin"]), int(fields["end"])
    except (KeyError, ValueError):
        raise FormatError(path, None, f"{where}: found no begin and end") from None
    category = fields.get("category", "").strip()
    if not category:
        raise FormatError(path, None, f"{where} at {start} to {end} has no category; choose one in INCEpTION")
    return Region(start, end, category, fields.get("correction", "").strip() or None, where)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
