"""INCEpTION: UIMA CAS as XMI or JSON, a folder for each annotator, with the layer and the tag set of the project.

An edit is an annotation of the custom layer ``Edit`` with the features ``category`` and ``correction``;
insertions are zero-width. Sentences and tokens are written too, so that INCEpTION keeps them. Files are written
with ``dkpro-cassis``; reading takes no more than the text and the annotations of that layer, whatever other layers
a project has.

There is no feature for the annotator: one that differs between annotators would make a disagreement of every edit.

Source: the JSON of layers and tag sets are those of INCEpTION's project export; UIMA CAS JSON is version 0.4.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Literal

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.core.option import option
from jperrant.core.packages import import_extra
from jperrant.core.values import Block, Edit
from jperrant.exchange.base import Corpus, Document, ExchangeFormat, ExportedFile, MarkedText, Region
from jperrant.exchange.files import annotator_folder, annotator_of, read_json
from jperrant.exchange.offsets import (
    Stretch,
    TokenOffsets,
    bases,
    document_text,
    lasting_text,
    sentence_text,
    stretches,
)
from jperrant.exchange.side_file import SUFFIX
from jperrant.exchange.xml_tree import Element, read_xml, xml_text
from jperrant.io.m2 import bounded_int

#: The layer of edits.
LAYER = "webanno.custom.Edit"
_INITIAL_VIEW = "_InitialView"


def read_cas(path: str) -> tuple[str, tuple[Region, ...], tuple[str, ...]]:
    """Return text, edits in the order of their ids, and remarks about what is left out.

    Offsets are as in the file: UTF-16 code units.

    Raises:
        FormatError: The file is no CAS, has no text, or an edit lacks its place or category; names file and id.
    """
    structures = _json_structures(path) if path.endswith(".json") else _xmi_structures(path)
    sofas = {id_: fields for id_, type_, fields in structures if type_ == "uima.cas.Sofa"}
    initial = {id_ for id_, fields in sofas.items() if fields.get("sofaID", _INITIAL_VIEW) == _INITIAL_VIEW}
    texts = [sofas[id_].get("sofaString") for id_ in initial]
    if len(texts) != 1 or not isinstance(texts[0], str):
        raise FormatError(path, None, "found no text (sofaString), expected a UIMA CAS with one view")
    edits = [(bounded_int(id_), fields) for id_, type_, fields in structures if type_ == LAYER]
    regions, remarks = [], []
    for id_, fields in sorted(edits, key=lambda edit: edit[0]):
        if str(fields.get("sofa")) in initial:
            regions.append(_region(path, id_, fields))
        else:
            remarks.append("an edit in another view of the document, left out")
    is_cut = any(type_.endswith("segmentation.type.Token") for _, type_, _ in structures)
    if texts[0].strip() and not edits and not is_cut:
        raise FormatError(path, None, f"found no tokens and no annotations of the layer {LAYER}")
    return texts[0], tuple(regions), tuple(remarks)


#: A feature structure: its id, its type and its features.
_Structure = tuple[str, str, Mapping[str, Any]]


def _region(path: str, id_: int, fields: Mapping[str, Any]) -> Region:
    where = f"annotation {id_}"
    try:
        start, end = int(fields["begin"]), int(fields["end"])
    except (KeyError, TypeError, ValueError):
        raise FormatError(path, None, f"{where}: found no begin and end") from None
    category = fields.get("category")
    if not isinstance(category, str) or not category.strip():
        raise FormatError(path, None, f"{where} at {start} to {end} has no category; choose one in INCEpTION")
    correction = fields.get("correction")
    if correction is not None and not isinstance(correction, str):
        problem = f"{where}: the correction is {shorten(str(correction))}, expected a text"
        raise FormatError(path, None, problem)
    return Region(start, end, category.strip(), (correction or "").strip() or None, where)


def _xmi_structures(path: str) -> list[_Structure]:
    elements = read_xml(path).elements()
    return [
        (e.attributes["id"], _type_of(e), e.attributes)
        for e in elements
        if e.attributes.get("id", "").isdecimal()
    ]


def _type_of(element: Element) -> str:
    """Return the type that an element of XMI is of.

    >>> _type_of(Element("Edit", {}, 1, namespace="http:///webanno/custom.ecore"))
    'webanno.custom.Edit'
    """
    package = element.namespace.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{element.tag}"


def _json_structures(path: str) -> list[_Structure]:
    record = read_json(path)
    structures = record.get("%FEATURE_STRUCTURES") if isinstance(record, dict) else None
    pairs: Iterable[tuple[Any, Any]]
    if isinstance(structures, list):
        pairs = [(s.get("%ID"), s) if isinstance(s, dict) else (None, s) for s in structures]
    elif isinstance(structures, dict):
        pairs = structures.items()
    else:
        raise FormatError(path, None, "found no %FEATURE_STRUCTURES, expected a UIMA CAS in JSON")
    return list(_checked(path, pairs))


def _checked(path: str, pairs: Iterable[tuple[Any, Any]]) -> Iterator[_Structure]:
    for id_, fields in pairs:
        type_ = fields.get("%TYPE") if isinstance(fields, dict) else None
        if not isinstance(type_, str) or not str(id_).isdecimal():
            problem = f"{shorten(str(fields))}, expected a feature structure with %ID and %TYPE"
            raise FormatError(path, None, problem)
        references = {"sofa": fields["@sofa"]} if "@sofa" in fields else {}
        yield str(id_), type_, {**fields, **references}


EXTRA, MODULE = "inception", "cassis"
_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
_SENTENCE, _TOKEN = f"{_SEGMENTATION}.Sentence", f"{_SEGMENTATION}.Token"
_LAYER_FILE, _TAGSET_FILE = "layer.json", "tagset.json"
#: What INCEpTION calls the work of the curator, and the state in which a document was imported.
_CURATOR, _INITIAL = "CURATION_USER", "INITIAL_CAS"
#: The folders of a project export whose folders are documents.
_BY_DOCUMENT = ("annotation", "curation")
_TAG_SET = "jperrant"


@dataclass(frozen=True)
class InceptionFormat(ExchangeFormat):
    """The options of INCEpTION."""

    serialisation: Literal["xmi", "json"] = option(
        "xmi", "How files are written; XML holds no control characters."
    )
    anchoring: Literal["tokens", "characters"] = option(
        "tokens", "Whether annotators mark whole tokens or any characters."
    )

    name = "inception"
    description = "INCEpTION: UIMA CAS XMI or JSON, layer and tag set"
    files = "a folder, in it one for each annotator"
    is_folder = True
    extra = EXTRA
    modules = (MODULE,)

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield layer and tag set, and every document by every annotator."""
        tag_set = _tag_set(corpus.labels)
        yield ExportedFile(_TAGSET_FILE, [_json(tag_set)])
        yield ExportedFile(_LAYER_FILE, [_json([_layer(tag_set, self.anchoring)])])
        cassis = import_extra(MODULE, EXTRA)
        for annotator in corpus.annotators or (0,):
            for document in corpus.documents:
                name = f"{annotator_folder(annotator)}/{document.name}.{self.serialisation}"
                yield ExportedFile(name, [self._cas(cassis, document, annotator)])

    def read(self, path: str) -> Iterator[MarkedText]:
        """Yield the documents of a folder (one of ours, or of an unpacked project export), or of one file."""
        root = Path(path)
        files = sorted(root.rglob("*")) if root.is_dir() else [root]
        if packed := [file for file in files if file.suffix == ".zip"]:
            raise InputError(f"{packed[0]}: found an archive; unpack and remove it, then import the folder")
        files = [file for file in files if not root.is_dir() or _is_cas(file)]
        if not files:
            raise InputError(f"{path}: found no .xmi or .json files, expected files of INCEpTION")
        for file in files:
            yield _read(file)

    def _cas(self, cassis: Any, document: Document, annotator: int) -> str:
        """Return the CAS of a document."""
        cas = cassis.Cas(_type_system(cassis))
        cas.sofa_string = document_text(document.blocks)
        cas.sofa_mime = "text/plain"
        for k, (block, base) in enumerate(zip(document.blocks, bases(document.blocks), strict=True), start=1):
            edits: Sequence[Edit] = getattr(block.annotation(annotator), "edits", ())
            if self.serialisation == "xmi":
                _check_characters(block, edits, f"{document.name}: sentence {k}, annotator {annotator}")
            _add_tokens(cas, block, base)
            _add_edits(cas, edits, stretches(block, edits, base))
        return str(cas.to_json() if self.serialisation == "json" else cas.to_xmi())


def _check_characters(block: Block, edits: Sequence[Edit], place: str) -> None:
    """Refuse a sentence that XML cannot hold."""
    texts = [sentence_text(block), *[f"{edit.type} {lasting_text(edit)}" for edit in edits]]
    try:
        for text in texts:
            xml_text(text)
    except InputError as error:
        raise InputError(f"{place}: {error} (inception:serialisation=json holds it)") from None


def _add_tokens(cas: Any, block: Block, base: int) -> None:
    """Add a sentence and its tokens; an empty one has none."""
    text = sentence_text(block)
    if text:
        cas.add(cas.typesystem.get_type(_SENTENCE)(begin=base, end=base + len(text)))
    token = cas.typesystem.get_type(_TOKEN)
    offsets = TokenOffsets.of(text)
    for start, end in zip(offsets.starts, offsets.ends, strict=True):
        cas.add(token(begin=base + start, end=base + end))


def _add_edits(cas: Any, edits: Sequence[Edit], places: Sequence[Stretch]) -> None:
    made = cas.typesystem.get_type(LAYER)
    for edit, (start, end) in zip(edits, places, strict=True):
        cas.add(made(begin=start, end=end, category=edit.type, correction=lasting_text(edit)))


def _read(file: Path) -> MarkedText:
    """Return what is in one file, whose folder is called by the annotator or, in a project export, the document."""
    folder = file.resolve().parent
    if folder.parent.name in _BY_DOCUMENT and not annotator_of(folder.name).isdecimal():
        document, annotator = _document_name(folder.name), file.stem
    else:
        document, annotator = file.stem, annotator_of(folder.name)
    text, regions, remarks = read_cas(str(file))
    curated = annotator == _CURATOR
    return MarkedText(
        str(file), document, annotator, text, regions, utf16=True, curated=curated, remarks=remarks
    )


def _is_cas(file: Path) -> bool:
    if file.suffix not in (".xmi", ".json") or not file.is_file():
        return False
    configuration = file.name in (_LAYER_FILE, _TAGSET_FILE) or file.name.startswith("exportedproject")
    return not configuration and not file.name.endswith(SUFFIX) and file.stem != _INITIAL


def _document_name(folder: str) -> str:
    """Return the name of the document whose folder INCEpTION calls by the name of the file it came from."""
    path = PurePath(folder)
    return path.stem if path.suffix in (".xmi", ".json", ".txt", ".xml") else folder


def _type_system(cassis: Any) -> Any:
    types = cassis.TypeSystem()
    for name in (_SENTENCE, _TOKEN):
        types.create_type(name, supertypeName="uima.tcas.Annotation")
    edit = types.create_type(LAYER, supertypeName="uima.tcas.Annotation")
    for feature in ("category", "correction"):
        types.create_feature(edit, feature, "uima.cas.String")
    return types


def _tag_set(labels: Mapping[str, str]) -> dict[str, Any]:
    return {
        "name": _TAG_SET,
        "description": "Error types",
        "language": None,
        "tags": [
            {"tag_name": type_, "tag_description": meaning or None} for type_, meaning in labels.items()
        ],
        "create_tag": True,
    }


def _layer(tag_set: Mapping[str, Any], anchoring: str) -> dict[str, Any]:
    """Return the layer of edits, as INCEpTION exports layers."""
    layer: dict[str, Any] = json.loads(
        Path(__file__).with_name("inception_layer.json").read_text(encoding="utf-8")
    )
    layer["features"][0]["tag_set"] = tag_set
    return {**layer, "anchoring_mode": anchoring.upper(), "multiple_tokens": anchoring == "tokens"}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
