"""The keys of pack.yaml: what each means and what its value must look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from jperrant.alignment.costs import AlignmentCosts
from jperrant.core.errors import nearest
from jperrant.edits.merge_rules import MergeRules
from jperrant.edits.rule_keys import ONE_ERROR_KEYS, RULE_KEYS
from jperrant.edits.yaml_position import PositionedDict, position_of
from jperrant.packs.problems import Problem
from jperrant.packs.shapes import (
    AnyMapping,
    Choice,
    Code,
    DictionaryName,
    File,
    Files,
    ListOf,
    MappingOf,
    NameOrTable,
    Names,
    Requirements,
    Settings,
    Shape,
    Table,
    TableByTag,
    Text,
)

#: JSON Schema of the names of a label in other schemes.
_TYPES = {"anyOf": [{"type": ["string", "null"]}, {"type": "array", "items": {"type": "string"}}]}
COUNTERPARTS = {"anyOf": [{"type": "object", "additionalProperties": _TYPES}, {"type": "null"}]}


class Key(NamedTuple):
    """A key of pack.yaml: its shape and its meaning."""

    shape: Shape
    doc: str


def check_key(content: PositionedDict, key: str) -> list[Problem]:
    """Return what is wrong with one key of a pack.yaml; null is allowed everywhere."""
    if key not in KEYS:
        known = ", ".join(KEYS)
        return [
            Problem(
                position_of(content, key),
                f"unknown key {key!r}{nearest(str(key), KEYS)}; expected one of {known}",
            )
        ]
    return [] if content[key] is None else list(KEYS[key].shape.check(content, key))


def settings_doc(kind: type[Any]) -> str:
    """Return the names of the settings in a mapping that fills a dataclass."""
    return ", ".join(f"`{field.name}`" for field in fields(kind))


_RULE_TEXT = ", ".join(f"`{name}`" for name in RULE_KEYS)

_ONE_ERROR_TEXT = ", ".join(f"`{name}`" for name in ONE_ERROR_KEYS)

#: Every key of pack.yaml.
KEYS: Mapping[str, Key] = {
    "code": Key(Code(), "the language code, as in `--lang`; the only required key"),
    "name": Key(Text(), "the name of the language; default: the code"),
    "aliases": Key(Names(), "other codes for `--lang`, beside those of ISO 639"),
    "extends": Key(
        Code(),
        "the pack to inherit from: the code of an installed pack, or the name of a folder beside this one",
    ),
    "measured": Key(
        Text(),
        "the learner text on which the pack was evaluated and the result, in one line; left out if it was "
        "not evaluated; not inherited",
    ),
    "stanza": Key(
        Text(),
        "Stanza's code of the language. The folder `models/` of the pack, in Stanza's layout, holds its "
        "`compact` models, which packs with the same code that extend it inherit",
    ),
    "join": Key(
        Choice(("", " "), "a space or nothing, in quotes"),
        'the text between two tokens of running text: `" "` (default) or `""`, for which a different '
        "segmentation of the same string is not an edit",
    ),
    "unbroken": Key(Names(), "strings that are always one token, such as a placeholder"),
    "encoder": Key(Text(), "the encoder that metrics over embeddings use for this language"),
    "costs": Key(
        Settings(AlignmentCosts, tags=("open_classes",), positive=("insertion", "deletion")),
        f"costs of the token alignment ({settings_doc(AlignmentCosts)}); default: those of ERRANT",
    ),
    "merge": Key(
        Settings(MergeRules, tags=("content", "verbal", "determiner")),
        f"language-specific settings of merging ({settings_doc(MergeRules)})",
    ),
    "labels": Key(
        Table(),
        "the closed set of labels, each with a description. The types are `M:`, `U:` or `R:` and a label. "
        '`"{NOUN,PRON}:{NUM,CASE}"` stands for four labels; a label given by its own name takes precedence',
    ),
    "marks": Key(
        MappingOf(Names()),
        "the inflections that each word class marks, such as `{NOUN: [CASE, NUM]}`; inherited labels of other "
        "inflections (`NOUN:DEF`) are removed, except those of `FORM`",
    ),
    "label_sets": Key(
        MappingOf(Table()),
        "alternative names of labels, by the name of the set, for `--labels NAME`; a label that is not listed "
        "keeps its name",
    ),
    "groups": Key(
        Table(),
        "the group of each label in the table for all languages ([labels.md](labels.md)); a label without "
        "one belongs to the group of its prefix (`SPELL:PINYIN` to that of `SPELL`)",
    ),
    "counterparts": Key(
        AnyMapping(COUNTERPARTS),
        "for each label, its names in other schemes: `{errant: NOUN:NUM, cherrant: NOUN, kagas: [NOUN, PARTICLE]}`",
    ),
    "inflection": Key(
        NameOrTable(),
        "the names of inflections by feature; see [Inflection](#inflection)",
    ),
    "classes": Key(Table(), "the word class used in rules, by XPOS tag"),
    "upos_classes": Key(TableByTag(), "the same by UPOS tag, if the XPOS tag is not in `classes`"),
    "deprels": Key(
        Table(),
        "the names of dependency relations used in rules, by `relation` or `relation/XPOS`; the longer key "
        "takes precedence; a relation that is not listed keeps its name",
    ),
    "lexicon": Key(
        File(),
        "a file of known words in the pack's folder, one per line, plain or gzipped; lines that begin with "
        "`#` are comments",
    ),
    "dictionary": Key(
        DictionaryName(),
        "the name of a Hunspell dictionary, such as `sv_SE`, whose words are known in addition to those of "
        "the lexicon; see [Spelling](#spelling)",
    ),
    "resources": Key(
        Files(), "other files in the pack's folder that `hooks.py` reads; a missing one is an error"
    ),
    "requires": Key(
        Requirements(),
        "the Python packages that `hooks.py` needs besides jperrant: for each top-level module its "
        'requirement for `pip install`, as in `{jieba: "jieba>=0.42"}`. If one is missing, `annotate` ends '
        "with exit code 3 and the pip command",
    ),
    "lists": Key(MappingOf(Names()), "named lists, used as `$name` in a condition"),
    "tables": Key(MappingOf(Table()), "named tables, used as `{table[property]}` in a type"),
    "rules": Key(
        ListOf({"$ref": "#/$defs/rule"}, "a list of rules"),
        f"the rules, each with {_RULE_TEXT}; see [Rules](#rules)",
    ),
    "one_error": Key(
        ListOf({"$ref": "#/$defs/one_error"}, "a list of pairs of edits"),
        f"pairs of edits that are one error, each with {_ONE_ERROR_TEXT}; see "
        "[Two edits that are one error](#two-edits-that-are-one-error)",
    ),
    "examples": Key(
        ListOf({"$ref": "#/$defs/example"}, "a list, or the name of a file with one", or_file=True),
        "sentences with the expected edits, run by `packs check`; a list, or the name of a YAML or JSON file "
        "with one; not inherited. See [Examples](#examples)",
    ),
}
