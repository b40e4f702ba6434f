"""pack.yaml as JSON Schema, for editors: made of the same shapes and tables that packs are read with.

``pack.schema.json`` beside this file is what ``pack_schema`` returns; ``tools/pack_reference.py`` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jperrant.edits.conditions import CONDITIONS
from jperrant.edits.entries import Entry
from jperrant.edits.folding import FOLDINGS
from jperrant.edits.properties import FEATURE, PROPERTIES
from jperrant.edits.rule_keys import ONE_ERROR_KEYS, RULE_KEYS
from jperrant.edits.sides import SIDE_TESTS, TOKEN_TESTS
from jperrant.edits.values import BOUNDS
from jperrant.packs.schema import KEYS
from jperrant.packs.shapes import NULL, Json

#: The schema as it is shipped.
FILE = Path(__file__).with_name("pack.schema.json")

_BOOLEAN: Json = {"type": "boolean"}
_SIDES = ("source", "target", "both", "either")
_NAMES = ("operation", "same", "same_first", "same_last")
_FOLDED = {"anyOf": [_BOOLEAN, {"$ref": "#/$defs/foldings"}]}


def _ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def _list_of(items: Json, **more: object) -> Json:
    return {"type": "array", "items": items, "minItems": 1, **more}


#: The values of conditions and tests; those that are not here are true or false.
_VALUES: dict[str, Json] = {
    **dict.fromkeys(_SIDES, _ref("side")),
    **dict.fromkeys(_NAMES, _ref("names")),
    **dict.fromkeys(("length", "tokens", "characters", "constituent"), _ref("number")),
    **dict.fromkeys(("first", "last", "some", "head", "dependent", "subject"), _ref("token")),
    **dict.fromkeys(("before", "after"), _ref("neighbour")),
    **dict.fromkeys(("agrees", "disagrees"), _ref("agreement")),
    **dict.fromkeys(("preceded", "followed"), _list_of(_ref("token"))),
    "script": _ref("names"),
    "position": {"type": "object", "additionalProperties": {"enum": ["clause", "sentence"]}},
    "change": {"type": "object", "additionalProperties": _ref("change")},
    "endings": _ref("endings"),
    "compound": {"type": "object", "properties": {"linking": _ref("names")}, "required": ["linking"]},
    "same_after": _ref("foldings"),
    "same_words": _FOLDED,
    "shared": {"type": "string"},
    "values": {"type": "object", "additionalProperties": _ref("names")},
    "pair": _list_of(_ref("names")),
    "similarity": {"anyOf": [_ref("number"), _ref("similarity")]},
    "feats_changed": {"anyOf": [_BOOLEAN, _ref("names"), _ref("quantified")]},
    "hook": {"type": "string"},
    "any": _list_of(_ref("when")),
    "not": _ref("when"),
    "text": _ref("text"),
    "sequence": {"type": "object", "additionalProperties": _ref("names")},
}


#: Keys beside the tests of a neighbour.
_NEIGHBOUR: dict[str, Json] = {
    "within": {"type": "integer", "minimum": 1},
    "inside": {"enum": ["clause", "constituent"]},
}


def pack_schema() -> Json:
    """Return the JSON Schema (draft 2020-12) of pack.yaml.

    What it accepts may still be wrong in ways that only reading the pack shows: labels that are not declared, names
    of properties that nothing defines, rules that can never fire.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pack.yaml, a language pack of jperrant",
        "type": "object",
        "required": ["code"],
        "additionalProperties": False,
        "properties": {
            name: {"description": key.doc, "anyOf": [key.shape.json(), NULL]} for name, key in KEYS.items()
        },
        "$defs": _definitions(),
    }


def schema_text() -> str:
    """Return the schema as the text of ``pack.schema.json``."""
    return json.dumps(pack_schema(), ensure_ascii=False, indent=2) + "\n"


def _definitions() -> Json:
    tests = {"type": "object", "minProperties": 1}
    properties = _properties()
    return {
        "rule": _rule(),
        "one_error": _one_error(),
        "when": _closed(_entries(CONDITIONS)),
        "side": {"type": "object", "properties": _entries(SIDE_TESTS) | _entries(TOKEN_TESTS) | properties,
                 "additionalProperties": _ref("text")},
        "token": {**tests, "properties": _entries(TOKEN_TESTS) | properties, "additionalProperties": _ref("text")},
        "neighbour": {**tests, "properties": {**_entries(TOKEN_TESTS), **properties, **_NEIGHBOUR},
                      "additionalProperties": _ref("text")},
        "agreement": _closed(
            {"with": {"type": ["string", "object"]}, "in": _ref("names")}, required=["with", "in"]
        ),
        "endings": _closed(
            {
                "source": _ref("text"),
                "target": _ref("text"),
                "stem": {"type": "integer", "minimum": 1},
                "swap": _BOOLEAN,
            },
            required=["source", "target"],
        ),
        "change": _closed({"from": _ref("text"), "to": _ref("text")}, minProperties=1),
        "names": {"anyOf": [{"type": ["string", "integer"]}, _list_of({"type": ["string", "integer"]})]},
        "foldings": {"anyOf": [_folding(), _list_of(_folding())]},
        "number": {"anyOf": [{"type": "number"}, _list_of({"type": "number"}), _bounds({})]},
        "similarity": _bounds({"of": {"type": "string"}, "after": _ref("foldings")}),
        "quantified": _closed(dict.fromkeys(("only", "any", "all", "none"), _ref("names")), minProperties=1),
        "text": {"anyOf": [_ref("names"), _ref("operators")]},
        "operators": _closed(
            {**dict.fromkeys(("not", "starts_with", "ends_with"), _ref("names")), "matches": {"type": "string"}},
            minProperties=1,
        ),
        "features": {**tests, "additionalProperties": _ref("text")},
        "example": _example(),
        "sentence": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": ["string", "object"]}}]},
    }  # fmt: skip


def _rule() -> Json:
    values: dict[str, Json] = {
        "name": {"type": "string"},
        "when": _ref("when"),
        "type": {"type": "string"},
        "rules": _list_of(_ref("rule")),
        "drop_last": {"const": True},
    }
    described = {name: {"description": doc, **values[name]} for name, doc in RULE_KEYS.items()}
    consequences = [{"required": [name]} for name in ("type", "rules", "drop_last")]
    return _closed(described, oneOf=consequences)


def _one_error() -> Json:
    values: dict[str, Json] = {
        "name": {"type": "string"},
        "edits": _list_of(_ref("when"), maxItems=2) | {"minItems": 2},
        "within": {"type": "integer", "minimum": 0},
        "ordered": _BOOLEAN,
    }
    described = {name: {"description": doc, **values[name]} for name, doc in ONE_ERROR_KEYS.items()}
    return _closed(described, required=["edits"])


def _entries(entries: Mapping[str, Entry]) -> dict[str, Json]:
    return {
        name: {"description": entry.doc, "examples": [entry.example], **_VALUES.get(name, _BOOLEAN)}
        for name, entry in entries.items()
    }


def _properties() -> dict[str, Json]:
    values = {name: {"description": schema.doc, **_ref("text")} for name, schema in PROPERTIES.items()}
    feats = {"description": PROPERTIES["feats"].doc, "anyOf": [_ref("text"), _ref("features")]}
    return values | {"feats": feats, f"{FEATURE}Number": {"description": "one feature", **_ref("text")}}


def _folding() -> Json:
    return {"enum": list(FOLDINGS)}


def _bounds(more: dict[str, Json]) -> Json:
    return _closed({**more, **{name: {"type": "number"} for name in BOUNDS}}, minProperties=1)


def _example() -> Json:
    edit: Json = {"type": ["array", "object"]}
    return _closed(
        {
            "name": {"type": "string"},
            "source": _ref("sentence"),
            "target": _ref("sentence"),
            "edits": {"type": "array", "items": edit},
            "never": {"type": "array", "items": {"type": "string"}},
            "known": {"type": "array", "items": {"type": "string"}},
            "given": {"type": "boolean"},
        },
        required=["source", "target"],
        anyOf=[{"required": ["edits"]}, {"required": ["never"]}],
    )


def _closed(properties: Mapping[str, Any], **more: object) -> Json:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False, **more}
