"""Reading the text and the edits of a UIMA CAS, as XMI or JSON; type systems and other layers are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from jperrant.core.errors import FormatError, InputError
from jperrant.core.m2_format import shorten
from jperrant.exchange.base import Region
from jperrant.exchange.text_files import read_bytes, read_json
from jperrant.io.m2_lines import bounded_int

#: The layer of edits.
LAYER = "webanno.custom.Edit"
_INITIAL_VIEW = "_InitialView"
_XMI_ID = "{http://www.omg.org/XMI}id"
_SOFA = "{http:///uima/cas.ecore}Sofa"
_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def check_xml(text: str, place: str) -> None:
    """Refuse text that XML 1.0 cannot hold.

    Raises:
        InputError: Names the place and the character.
    """
    if match := _NOT_XML.search(text):
        raise InputError(
            f"{place}: U+{ord(match[0]):04X} cannot stand in XML; use inception:serialisation=json, or remove it"
        )


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
        raise FormatError(
            path, None, f"{where}: the correction is {shorten(str(correction))}, expected a text"
        )
    return Region(start, end, category.strip(), (correction or "").strip() or None, where)


def _xmi_structures(path: str) -> list[_Structure]:
    content = read_bytes(path)
    if b"<!ENTITY" in content:  # no CAS needs one, and entities can multiply or stand for files
        raise FormatError(
            path, None, "found the declaration of an entity, which a UIMA CAS does not contain; remove it"
        )
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        line = error.position[0]
        raise FormatError(path, line, f"not XML ({error.args[0]})") from None
    except (LookupError, ValueError) as error:  # an encoding that is unknown
        raise FormatError(path, 1, f"not XML ({error})") from None
    structures = [(element.get(_XMI_ID, ""), _type_of(element.tag), element.attrib) for element in root]
    return [s for s in structures if s[0].isdecimal()]


def _type_of(tag: str) -> str:
    """Return the type that an element of XMI is of.

    >>> _type_of("{http:///webanno/custom.ecore}Edit")
    'webanno.custom.Edit'
    """
    if tag == _SOFA:
        return "uima.cas.Sofa"
    namespace, _, name = tag.removeprefix("{").partition("}")
    return ".".join([*namespace.removeprefix("http:///").removesuffix(".ecore").split("/"), name])


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
        if (
            not isinstance(fields, dict)
            or not isinstance(fields.get("%TYPE"), str)
            or not str(id_).isdecimal()
        ):
            raise FormatError(
                path, None, f"{shorten(str(fields))}, expected a feature structure with %ID and %TYPE"
            )
        references = {"sofa": fields["@sofa"]} if "@sofa" in fields else {}
        yield str(id_), fields["%TYPE"], {**fields, **references}
