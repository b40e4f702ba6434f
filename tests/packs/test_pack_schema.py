"""pack.schema.json: up to date, and what it says of packs is what reading them says."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

import jperrant.langpacks
from jperrant.annotation.pack_check import check_pack
from jperrant.packs.keys import SCHEMA

PACKS = [path for root in jperrant.langpacks.__path__ for path in sorted(Path(root).glob("*/pack.yaml"))]


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.parent.name)
def test_built_in_packs_are_valid(validator, path):
    content = yaml.safe_load(path.read_text("utf-8"))
    assert [error.message for error in validator.iter_errors(content)] == []
    if isinstance(content.get("examples"), str):
        content["examples"] = yaml.safe_load((path.parent / content["examples"]).read_text("utf-8"))
        assert [error.message for error in validator.iter_errors(content)] == []


@pytest.mark.parametrize(
    "line",
    [
        "lexikon: words.txt", "name: 3", "aliases: xx", "aliases: [true]", "join: '-'", "costs: {lema: 1}",
        "costs: {lemma: -1}", "merge: {similar: true}", "labels: [A]", "labels: {A: 3}", "lists: {a: b}",
        "tables: {a: {b: 3}}", "inflection: {Number: [NUM]}", "rules: {type: NOUN}",
        "rules: [{type: NOUN, rules: []}]",
        "rules: [{when: {operation: M}}]", "rules: [{type: NOUN, wen: {}}]",
        "rules: [{type: NOUN, drop_last: true}]",
        "rules: [{type: NOUN, when: {oparation: M}}]", "rules: [{type: NOUN, when: {one_to_one: 1}}]",
        "rules: [{type: NOUN, when: {same_after: cases}}]", "rules: [{type: NOUN, when: {similarity: {abov: 1}}}]",
        "rules: [{type: NOUN, when: {both: {first: {}}}}]", "rules: [{type: NOUN, when: {both: {tokens: x}}}]",
        "rules: [{type: NOUN, when: {both: {form: {like: x}}}}]", "rules: [{type: NOUN, when: {any: []}}]",
        "rules: [{type: NOUN, when: {not: {source: {known: 3}}}}]", "examples: 3", "examples: [{source: a}]",
        "requires: [x]",
    ],
)  # fmt: skip
def test_what_the_schema_refuses_is_refused_when_the_pack_is_read(validator, tmp_path, line):
    text = f"code: xx\nextends: generic\n{line}\n"
    assert list(validator.iter_errors(yaml.safe_load(text)))
    (tmp_path / "pack.yaml").write_text(text, "utf-8")
    assert check_pack(str(tmp_path)).problems
