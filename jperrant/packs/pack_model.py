"""What the values of pack.yaml must look like, as a model, and its JSON Schema.

Importing pydantic takes as long as annotating a sentence, so nothing imports this module but what checks a pack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal, TypeAlias

import yaml
from pydantic import AfterValidator, Field, WithJsonSchema, create_model

from jperrant.core.errors import nearest
from jperrant.core.values import UPOS
from jperrant.edits.conditions import CONDITIONS
from jperrant.edits.forms import FOLDINGS
from jperrant.edits.one_error import ONE_ERROR_KEYS
from jperrant.edits.rules import RULE_KEYS
from jperrant.edits.sides import SIDE_TESTS, TOKEN_TESTS
from jperrant.edits.values import BOUNDS, FEATURE, PROPERTIES, Entry, PositionedDict
from jperrant.packs.keys import PackKeys
from jperrant.packs.labels import EXPECTED, GROUPS, LABEL, SCHEMES
from jperrant.packs.yaml_file import Problem
from jperrant.packs.yaml_model import Keys, Place, Switch, Text, YamlFile, schema_text

#: The JSON Schema as it is shipped, and what the values of conditions look like in it.
SCHEMA, _RULE_VALUES = (Path(__file__).with_name(name) for name in ("pack.schema.json", "rule_values.yaml"))
#: A top-level module, and what pip takes: a name with extras and versions, and neither options nor addresses.
_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._,-]+\])?((===?|~=|!=|<=?|>=?)[A-Za-z0-9._*+!-]+,?)*"
)


def _inside(name: str) -> str:
    """Check that a file is in the pack's folder, so that a pack cannot read what is not its own."""
    if PurePath(name).is_absolute() or ".." in PurePath(name).parts:
        raise ValueError(f"found {name!r}, expected a file in the pack's folder")
    return name


def _code(name: str) -> str:
    if PurePath(name).name != name:
        raise ValueError(f"found {name!r}, expected a code or the name of a folder beside this one")
    return name


def _without_ending(name: str) -> str:
    if name.endswith((".dic", ".aff")):
        raise ValueError(f"found {name!r}, expected the name without {name[-4:]}")
    return name


def _matching(pattern: re.Pattern[str], expected: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(f"found {text!r}, expected {expected}")
        return text

    return check


def _known(names: frozenset[str] | tuple[str, ...], what: str) -> Callable[[str], str]:
    def check(name: str) -> str:
        if name not in names:
            raise ValueError(
                f"{name!r} is no {what}{nearest(name, names)}; expected one of {', '.join(sorted(names))}"
            )
        return name

    return check


def _strings(value: Any) -> Any:
    if not (
        isinstance(value, str) or (isinstance(value, list) and all(isinstance(one, str) for one in value))
    ):
        raise ValueError(f"found {value!r}, expected a type, a list of types or null")
    return value


def _name_or_table(value: Any) -> Any:
    names = value.values() if isinstance(value, Mapping) else [value]
    if not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"found {value!r}, expected a name for a feature, or names by word class (in quotes)"
        )
    return value


def _words(value: Any) -> Any:
    """Check the words of one class: a list; or by lemma a list of forms, or their features."""
    tables = value.values() if isinstance(value, Mapping) else [value]
    for forms in tables:
        if not isinstance(forms, list | Mapping) or not forms:
            raise ValueError(f"found {forms!r}, expected a list of words, or lists of forms by lemma")
        for text in [*forms, *(forms.values() if isinstance(forms, Mapping) else ())]:
            if not isinstance(text, str) or not text.strip():
                raise ValueError(f"found {text!r} among words, expected text; put it in quotes")
    return value


def _phrase(text: str) -> str:
    if len(text.split()) < 2:
        raise ValueError(
            f"found {text!r}, expected the words that a contraction stands for, such as 'in das'"
        )
    return text


def _examples(value: Any) -> Any:
    if not isinstance(value, str | list):
        raise ValueError(f"found {value!r}, expected a list, or the name of a file with one")
    return _inside(value) if isinstance(value, str) else value


class _Removable:
    """Says in the JSON Schema of a mapping that null removes what is inherited."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        schema = handler(core)
        return {
            **schema,
            "additionalProperties": {"anyOf": [schema["additionalProperties"], {"type": "null"}]},
        }


Name: TypeAlias = Annotated[str, Field(strict=True, min_length=1)]
Names: TypeAlias = list[Name]
_String: TypeAlias = Annotated[str, Field(strict=True)]
Table: TypeAlias = Annotated[dict[_String, _String], _Removable()]
_Tag: TypeAlias = Annotated[_String, AfterValidator(_known(UPOS, "tag of Universal Dependencies"))]
_Cost: TypeAlias = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
_Positive: TypeAlias = Annotated[_Cost, Field(gt=0)]
_Code: TypeAlias = Annotated[Text, AfterValidator(_code)]
_File: TypeAlias = Annotated[Text, AfterValidator(_inside)]
_Module: TypeAlias = Annotated[_String, AfterValidator(_matching(_MODULE, "the name of a top-level module"))]
_Package: TypeAlias = Annotated[
    _String, AfterValidator(_matching(_REQUIREMENT, "a package for pip, such as 'jieba>=0.42'"))
]
_Scheme: TypeAlias = Annotated[_String, AfterValidator(_known(SCHEMES, "known scheme"))]
_NAMES = {"type": "array", "items": {"type": "string"}}
_Types: TypeAlias = Annotated[
    Any, AfterValidator(_strings), WithJsonSchema({"anyOf": [{"type": ["string", "null"]}, _NAMES]})
]
_NameOrTable: TypeAlias = Annotated[
    Any,
    AfterValidator(_name_or_table),
    WithJsonSchema(
        {"type": ["string", "null", "object"], "additionalProperties": {"type": ["string", "null"]}}
    ),
]

_FORMS = {"anyOf": [_NAMES, {"type": "object", "additionalProperties": {"type": "string"}}]}
_Words: TypeAlias = Annotated[
    Any,
    AfterValidator(_words),
    WithJsonSchema({"anyOf": [_NAMES, {"type": "object", "additionalProperties": _FORMS}]}),
]


class Costs(Keys):
    """Costs of the token alignment; what is not given is ``AlignmentCosts``'."""

    insertion: _Positive | None = None
    deletion: _Positive | None = None
    lemma: _Cost | None = None
    open_class: _Cost | None = None
    other_class: _Cost | None = None
    open_classes: frozenset[_Tag] | None = None
    ignore_case: Switch | None = None


class Merge(Keys):
    """Settings of merging; what is not given is ``MergeRules``'."""

    possessive: frozenset[Name] | None = None
    bridges: _String | None = None
    content: frozenset[_Tag] | None = None
    verbal: frozenset[_Tag] | None = None
    determiner: frozenset[_Tag] | None = None
    similar: _Cost | None = None


#: What values look like: by what the type of a key is, and by key where that says too little.
_BY_TYPE: dict[str, Any] = {
    "str": Text,
    "list[str]": Names,
    "list[Any]": list[Any],
    "Mapping[str, str]": Table,
    "Mapping[str, list[str]]": Annotated[dict[_String, Names], _Removable()],
    "Mapping[str, Mapping[str, str]]": Annotated[dict[_String, Table], _Removable()],
}
_BY_KEY: dict[str, Any] = {
    "code": _Code,
    "extends": _Code,
    "join": Literal["", " "],
    "costs": Costs,
    "merge": Merge,
    "counterparts": Annotated[dict[_String, dict[_Scheme, _Types]], _Removable()],
    "inflection": dict[_String, _NameOrTable],
    "upos_classes": Annotated[dict[_Tag, _String], _Removable()],
    "words": Annotated[dict[_Tag, _Words], _Removable()],
    "contractions": Annotated[dict[Name, Annotated[_String, AfterValidator(_phrase)]], _Removable()],
    "lexicon": _File,
    "dictionary": Annotated[_File, AfterValidator(_without_ending)],
    "resources": list[_File],
    "requires": dict[_Module, _Package],
    "examples": Annotated[Any, AfterValidator(_examples), WithJsonSchema({"type": ["array", "string"]})],
}


@cache
def pack_model() -> type[Keys]:
    """Return the model of pack.yaml, whose keys and defaults are those of ``PackKeys``."""
    defaults = PackKeys._field_defaults
    types = {
        name: _BY_KEY.get(name) or _BY_TYPE[type_.__forward_arg__]
        for name, type_ in PackKeys.__annotations__.items()
    }
    fields: Any = {name: (type_, defaults.get(name, ...)) for name, type_ in types.items()}
    return create_model("PackKeys", __base__=Keys, __doc__=PackKeys.__doc__, **fields)


def problems_of(path: Path, content: PositionedDict) -> list[Problem]:
    """Return what is wrong with the values of a pack."""
    return YamlFile(path, content).checked(pack_model())[1]


def problems_of_tables(path: Path, content: PositionedDict, keys: PackKeys) -> list[Problem]:
    """Return what is wrong with the pack's own tables by label."""
    file = YamlFile(path, content)
    places = [
        (place, text) for place, text in _wrong_tables(keys) if file.place(place).startswith(f"{path}:")
    ]
    return [file.problem(place, text) for place, text in places]


def _wrong_tables(keys: PackKeys) -> Iterator[tuple[Place, str]]:
    """Yield what is wrong with the tables by label of a pack, each with its place."""
    known = list(keys.labels)
    beginnings = {label.rsplit(":", cut)[0] for label in known for cut in range(label.count(":") + 1)}
    for label, group in keys.groups.items():
        if label not in beginnings:
            yield ("groups", label), f"groups: unknown label{nearest(label, known)}"
        if group not in GROUPS:
            message = f"groups: unknown group {group!r}{nearest(group, GROUPS)}"
            yield ("groups", label), f"{message}; expected one of {', '.join(GROUPS)}"
    for label in keys.counterparts:
        if label not in known:
            yield ("counterparts", label), f"counterparts: unknown label{nearest(label, known)}"
    for name, table in keys.label_sets.items():
        for label, other in table.items():
            place = ("label_sets", name, label)
            if label not in known:
                yield place, f"label_sets: {name}: unknown label{nearest(label, known)}"
            if not LABEL.fullmatch(other):
                yield place, f"label_sets: {name}: {other!r} cannot be a label; {EXPECTED}"


def pack_schema() -> str:
    """Return the JSON Schema of pack.yaml as the text of ``pack.schema.json``, for editors.

    What it accepts may still be wrong in ways that only reading the pack shows: labels that are not declared, names
    of properties that nothing defines, rules that can never fire.
    """
    from jperrant.packs.examples import Example  # a model that annotating does without

    schema = json.loads(schema_text(pack_model(), "pack.yaml, a language pack of jperrant"))
    for name, definition in (("rules", "rule"), ("one_error", "one_error"), ("examples", "Example")):
        schema["properties"][name]["items"] = {"$ref": f"#/$defs/{definition}"}
    for name, key in schema["properties"].items():  # null removes what is inherited
        if name != "code":
            described = {"description": key.pop("description", "")}
            schema["properties"][name] = {**described, "anyOf": [key, {"type": "null"}]}
    example = Example.model_json_schema(ref_template="#/$defs/{model}")
    schema["$defs"] |= example.pop("$defs", {}) | {"Example": example} | _rule_definitions()
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _rule_definitions() -> dict[str, Any]:
    """Return the schema of rules: the keys of the rule language with what their values look like."""
    definitions: dict[str, Any] = yaml.safe_load(_RULE_VALUES.read_text(encoding="utf-8"))
    values = definitions.pop("values")
    definitions["folding"]["enum"] = list(FOLDINGS)
    for name in ("number", "similarity"):
        bounds = definitions[name]["anyOf"][-1] if name == "number" else definitions[name]
        bounds["properties"] |= {bound: {"type": "number"} for bound in BOUNDS}
    for name, docs in (("rule", RULE_KEYS), ("one_error", ONE_ERROR_KEYS)):
        keys = definitions[name]["properties"]
        definitions[name]["properties"] = {key: {"description": docs[key], **keys[key]} for key in docs}

    def entries(table: Mapping[str, Entry]) -> dict[str, Any]:
        return {
            name: {
                "description": entry.doc,
                "examples": [entry.example],
                **values.get(name, {"type": "boolean"}),
            }
            for name, entry in table.items()
        }

    text = {"$ref": "#/$defs/text"}
    properties: dict[str, Any] = {
        name: {"description": found.doc, **text} for name, found in PROPERTIES.items()
    }
    properties["feats"] = {
        "description": PROPERTIES["feats"].doc, "anyOf": [text, {"$ref": "#/$defs/features"}],
    }  # fmt: skip
    properties[f"{FEATURE}Number"] = {"description": "one feature", **text}
    token = entries(TOKEN_TESTS) | properties
    for name, keys in (
        ("when", entries(CONDITIONS)),
        ("side", entries(SIDE_TESTS) | token),
        ("token", token),
        ("neighbour", token),
    ):
        definitions[name]["properties"] = keys | definitions[name].get("properties", {})
    return definitions
