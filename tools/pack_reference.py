#!/usr/bin/env python3
"""Write the tables of keys, conditions and labels in docs/packs.md and docs/labels.md, and the two JSON Schemas.

    python tools/pack_reference.py           # writes
    python tools/pack_reference.py --check   # exit code 1 if something is not up to date

Text between ``<!-- NAME -->`` and ``<!-- end -->`` is replaced; the rest of the pages is written by hand.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

import jperrant.langpacks
from jperrant.edits.compiler import BOUNDS
from jperrant.edits.conditions import CONDITIONS, SIDE_TESTS, TOKEN_TESTS
from jperrant.edits.forms import FOLDINGS
from jperrant.edits.one_error import ONE_ERROR_KEYS
from jperrant.edits.rule_parts import FEATURE, PROPERTIES, Entry
from jperrant.edits.rules import RULE_KEYS
from jperrant.evaluation.studies.study_file import SCHEMA as STUDIES
from jperrant.evaluation.studies.study_file import study_schema
from jperrant.packs.discovery import families, iter_packs, read_file
from jperrant.packs.examples import Example
from jperrant.packs.inheritance import expand
from jperrant.packs.keys import SCHEMA as PACKS
from jperrant.packs.keys import PackKeys
from jperrant.packs.labels import GROUPS, group_of
from jperrant.packs.pack import Pack, load_pack
from jperrant.packs.yaml_file import schema_text

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = ("packs.md", "labels.md", "languages/README.md")
#: The JSON Schema of the values of conditions.
RULE_VALUES = Path(__file__).with_name("rule_values.yaml")
#: Packs that have a page elsewhere, or that are not a language.
_ELSEWHERE = ("en", "generic", "ko", "zh")
_PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> int:
    """Write or check every page; return the exit code."""
    pages = {DOCS / name: rendered((DOCS / name).read_text(encoding="utf-8")) for name in PAGES}
    written = {**pages, PACKS: pack_schema(), STUDIES: study_schema()}
    stale = [path for path, text in written.items() if path.read_text(encoding="utf-8") != text]
    if "--check" not in sys.argv:
        for path in stale:
            path.write_text(written[path], encoding="utf-8")
    elif stale:
        names = ", ".join(path.name for path in stale)
        print(f"not up to date: {names}; run python tools/pack_reference.py")
        return 1
    return 0


def rendered(text: str) -> str:
    """Return a page with its generated parts updated."""
    return _PART.sub(lambda m: f"{m[1]}{PARTS[m[2]]()}{m[3]}", text)


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    header = list(header)
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def keys() -> str:
    """Return the table of the keys of pack.yaml."""
    properties = PackKeys.model_json_schema()["properties"]
    return table(("key", "value"), ((f"`{name}`", key["description"]) for name, key in properties.items()))


def rule_keys() -> str:
    """Return the table of the keys of a rule."""
    return table(("key of a rule", "value"), ((f"`{name}`", doc) for name, doc in RULE_KEYS.items()))


def one_error_keys() -> str:
    """Return the table of the keys of a pair of edits that is one error."""
    return table(("key of a pair", "value"), ((f"`{name}`", doc) for name, doc in ONE_ERROR_KEYS.items()))


def _entries(header: str, entries: Mapping[str, Entry]) -> str:
    return table((header, "holds if"), ((f"`{entry.example}`", entry.doc) for entry in entries.values()))


def conditions() -> str:
    """Return the table of the conditions on an edit."""
    return _entries("condition", CONDITIONS)


def token_tests() -> str:
    """Return the table of the tests of every token of a side."""
    return _entries("test of every token", TOKEN_TESTS)


def side_tests() -> str:
    """Return the table of the tests of a side as a whole."""
    return _entries("test of the side", SIDE_TESTS)


def properties() -> str:
    """Return the table of the properties of tokens."""
    rows = [(f"`{name}`", found.doc) for name, found in PROPERTIES.items()]
    rows.append(("`feats.Number`", "one feature, here `Number`; empty if a token has none"))
    return table(("property", "value"), rows)


def foldings() -> str:
    """Return the table of the foldings."""
    return table(("folding", "ignores"), ((f"`{n}`", doc) for n, (_, doc) in FOLDINGS.items()))


def groups() -> str:
    """Return the table of the groups of labels."""
    return table(("group", "holds"), ((f"`{name}`", doc) for name, doc in GROUPS.items()))


def languages() -> str:
    """Return the table of the packs without models: language, dictionary, own labels, and how it was measured."""
    rows = []
    for folder in _built_in():
        if folder.name not in _ELSEWHERE:
            keys = read_file(folder)
            page = (
                f"[{keys['name']}]({folder.name}.md)" if _page(folder.name).is_file() else str(keys["name"])
            )
            rows.append(
                (
                    f"`{folder.name}`",
                    page,
                    str(keys.get("dictionary", "")),
                    str(keys.get("measured", "not on learner text")),
                )
            )
    return table(("code", "language", "dictionary", "measured"), rows)


def _page(code: str) -> Path:
    return DOCS / "languages" / f"{code}.md"


def labels() -> str:
    """Return the table of all labels of the built-in packs, by group: a label means the same in all of them."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for folder in _built_in():
        pack = load_pack(folder.name)
        for label in _own_labels(pack):
            meaning = pack.labels[label].partition(": ")[0]
            rows.setdefault((group_of(label, pack.keys.groups), label, meaning), []).append(pack.code)
    order = list(GROUPS)
    ordered = sorted(rows, key=lambda row: (order.index(row[0]), row[1]))
    packs = {row: "generic" if "generic" in codes else ", ".join(codes) for row, codes in rows.items()}
    return table(
        ("group", "label", "meaning", "packs"),
        ((group, f"`{label}`", meaning, packs[group, label, meaning]) for group, label, meaning in ordered),
    )


def _built_in() -> list[Path]:
    roots = [Path(root) for root in jperrant.langpacks.__path__]
    return [folder for _, _, folder in iter_packs() if folder.parent in roots]


def _own_labels(pack: Pack) -> list[str]:
    """Return the labels that a pack or its family declares, not those that it inherits from another language."""
    own = read_file(pack.folder)
    family = families().get(str(own.get("extends")))
    declared = {**(read_file(family)["labels"] if family else {}), **(own.get("labels") or {})}
    found = {label for pattern, what in declared.items() if what is not None for label in expand(pattern)}
    return [label for label in pack.labels if label in found]


def pack_schema() -> str:
    """Return the JSON Schema of pack.yaml as the text of ``pack.schema.json``, for editors.

    What it accepts may still be wrong in ways that only reading the pack shows: labels that are not declared, names
    of properties that nothing defines, rules that can never fire.
    """
    schema = json.loads(schema_text(PackKeys, "pack.yaml, a language pack of jperrant"))
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
    """Return the schema of rules: the keys of the rule language with the schemas of their values."""
    definitions: dict[str, Any] = yaml.safe_load(RULE_VALUES.read_text(encoding="utf-8"))
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


#: The function that writes the text between the markers of each name.
PARTS: dict[str, Callable[[], str]] = {
    "keys": keys,
    "rule_keys": rule_keys,
    "one_error_keys": one_error_keys,
    "conditions": conditions,
    "token_tests": token_tests,
    "side_tests": side_tests,
    "properties": properties,
    "foldings": foldings,
    "groups": groups,
    "labels": labels,
    "languages": languages,
}

if __name__ == "__main__":
    sys.exit(main())
