"""The area *packs*: packs made of the schema that editors use, and built-in packs with random changes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

import jperrant
from fuzz import text
from jperrant.annotation.pack_check import check_pack
from jperrant.core.edits import apply_edits
from jperrant.core.errors import JperrantError, PackError
from jperrant.core.text import sentence_of
from jperrant.packs.discovery import known_packs
from jperrant.packs.keys import SCHEMA
from jperrant.packs.pack import load_pack

_BUILT_IN = ("cs", "de", "uk", "generic", "en", "ko", "zh")
#: Characters with a meaning in YAML, rules and regular expressions.
PIECES = [
    "- ", ": ", "{", "}", "[", "]", "&a ", "*a", "!!int abc", "!!python/object:os.system x", "2001-13-45", "~", "'",
    '"', "|\n", ">\n", "#", "%", "\t", "null", "true", ".inf", ".nan", "-1", "1e999", "9" * 400, "R:X", "{class}",
    "{table[upos]}", "$name", "matches: '(a+)+$'", "matches: '('", "hook: x", "not: ", "any: ", "rules: ",
    "extends: generic\n", "extends: en\n", "extends: x\n", "lexicon: /dev/zero\n", "lexicon: ../x\n", "\x00",
    "<<: ", "? ", "...\n", "---\n", "at_most: ", "M:", "type: ", "when: {source: {tokens: 1}}\n",
]  # fmt: skip
_WORDS = [
    "NOUN", "VERB", "X", "lemma", "upos", "class", "text", "a", "the", "generic", "{class}", "$x", "R:NOUN", "",
]  # fmt: skip


def make(random: Random) -> dict[str, str]:
    """Return the text of a pack and two texts to annotate with it."""
    if random.random() < 0.5:
        content = _from_schema(random)
    else:
        keys = _keys_of(random.choice(_BUILT_IN))
        content = "code: xx\n" + "".join(random.sample(keys, random.randint(1, min(6, len(keys)))))
    source = text.tokens(random)
    return {
        "pack": _mutated(random, content),
        "source": " ".join(source),
        "target": " ".join(text.changed(random, source)),
    }


def check(case: dict[str, str], folder: Path) -> None:
    """Check that a valid pack annotates, and that everything that reads an invalid one reports the same error."""
    (folder / "pack.yaml").write_text(case["pack"], encoding="utf-8", newline="")
    name = str(folder)
    checked = check_pack(name)
    assert all("\n" not in line for line in checked.problems)
    try:
        load_pack("", name)
    except JperrantError:
        assert checked.problems or checked.missing, "an error of reading that check does not find"
        return
    if checked.missing:
        return
    annotator = jperrant.load("xx", models="none", pack=name)
    source, target = sentence_of(case["source"]), sentence_of(case["target"])
    try:
        edits = annotator.annotate(source, target)
    except PackError as error:
        assert str(error).startswith(f"{folder}"), str(error)  # noqa: PT017 - that no rule fires shows only now
        return
    assert apply_edits(source.forms, edits) == target.forms


@cache
def _keys_of(code: str) -> list[str]:
    """Return the keys of a built-in pack with their values, as text."""
    keys: list[str] = []
    for line in (known_packs()[code] / "pack.yaml").read_text("utf-8").splitlines(keepends=True):
        if line[:1].isalpha() or not keys:
            keys.append("")
        keys[-1] += line
    return [key for key in keys if not key.startswith(("code:", "resources:", "requires:"))]


def _mutated(random: Random, content: str) -> str:
    for _ in range(random.choice([0, 0, 1, 1, 2, 4])):
        place, length = random.randint(0, len(content)), random.choice([0, 0, 1, 2, 9])
        content = content[:place] + random.choice(PIECES) + content[place + length :]
    return content


def _from_schema(random: Random) -> str:
    """Return a random pack that the schema allows, but for its names."""
    schema = _schema()
    names = random.sample([name for name in schema["properties"] if name != "code"], random.randint(1, 5))
    pack: dict[str, Any] = {"code": "xx"}
    for name in names:
        pack[name] = _value(random, schema["properties"][name], 0)
    if random.random() < 0.7:
        pack |= {"extends": "generic", "labels": {"NOUN": "nouns", "X": "others"}}
    if random.random() < 0.5:
        return json.dumps(pack)
    return yaml.safe_dump(pack, allow_unicode=True, sort_keys=False)


@cache
def _schema() -> Any:
    return json.loads(SCHEMA.read_text("utf-8"))


def _value(random: Random, shape: Any, depth: int) -> Any:
    if "$ref" in shape:
        shape = {**_schema()["$defs"][shape["$ref"].rpartition("/")[2]], **shape}
    if "anyOf" in shape:
        return _value(random, random.choice(shape["anyOf"]), depth)
    if "const" in shape:
        return shape["const"]
    if "enum" in shape:
        return random.choice(shape["enum"])
    kind = shape.get("type", "string")
    match random.choice(kind) if isinstance(kind, list) else kind:
        case "object":
            return _mapping(random, shape, depth)
        case "array":
            return [_value(random, shape.get("items", {}), depth + 1) for _ in range(random.randint(1, 2))]
        case "boolean":
            return random.random() < 0.5
        case "number" | "integer":
            return random.choice([0, 1, 2, 0.5, -1, 10**6])
        case "null":
            return None
    return random.choice(_WORDS)


def _mapping(random: Random, shape: Any, depth: int) -> dict[str, Any]:
    properties = shape.get("properties", {})
    required = list(shape.get("required", []))
    if "oneOf" in shape:
        required += random.choice(shape["oneOf"])["required"]
    consequences = {name for one in shape.get("oneOf", []) for name in one["required"]}
    optional = [name for name in properties if name not in required and name not in consequences]
    # Deep ones are small, so that a pack ends.
    chosen = random.sample(
        optional, min(len(optional), random.randint(0 if required else 1, max(1, 3 - depth)))
    )
    if depth > 6:
        chosen = chosen[:1]
    made = {name: _value(random, properties[name], depth + 1) for name in (*required, *chosen)}
    more = shape.get("additionalProperties")
    if isinstance(more, dict) and (not made or random.random() < 0.3):
        made[random.choice(_WORDS)] = _value(random, more, depth + 1)
    return made
