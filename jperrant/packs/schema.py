"""The keys of pack.yaml: what each means and what its value must look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from jperrant.alignment.costs import AlignmentCosts
from jperrant.core.errors import nearest
from jperrant.edits.merge_rules import MergeRules
from jperrant.edits.one_error import ONE_ERROR_KEYS
from jperrant.edits.rules import RULE_KEYS
from jperrant.edits.yaml_position import PositionedDict, position_of
from jperrant.packs.problems import Problem
from jperrant.packs.shapes import (
    AnyMapping,
    Choice,
    Code,
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
                position_of(content, key), f"unknown key {key!r}{nearest(str(key), KEYS)}; known: {known}"
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
    "code": Key(Code(), "the language's code, as in `--lang`; the one key that must be there"),
    "name": Key(Text(), "the language's name; the code, where not given"),
    "aliases": Key(Names(), "other codes for `--lang`"),
    "extends": Key(
        Code(),
        "the pack to inherit from: the code of an installed pack, or the name of a folder beside this one",
    ),
    "measured": Key(
        Text(),
        "the learner text that the pack was measured on and how well it did, in a line; left out where nobody "
        "could measure it; not inherited",
    ),
    "stanza": Key(
        Text(),
        "Stanza's code of the language. Models in a folder `models/` of the pack, in Stanza's layout, are its "
        "`compact` models",
    ),
    "join": Key(
        Choice(("", " "), "a space or nothing, in quotes"),
        'what stands between two tokens of running text: `" "` (if not given) or `""`, with which an '
        "edit that only "
        "cuts the same string into other tokens is not an edit",
    ),
    "unbroken": Key(Names(), "strings that are one token however text is cut, such as a placeholder"),
    "encoder": Key(Text(), "name of the language model that scoring by meaning uses for this language"),
    "costs": Key(
        Settings(AlignmentCosts),
        f"costs of the token alignment ({settings_doc(AlignmentCosts)}); ERRANT's where not given",
    ),
    "merge": Key(Settings(MergeRules), f"the language's part in merging ({settings_doc(MergeRules)})"),
    "labels": Key(
        Table(),
        "the closed set of labels, each with a description. The types are `M:`, `U:` or `R:` and a label. "
        '`"{NOUN,PRON}:{NUM,CASE}"` stands for four labels; one given by its own name goes before '
        "such a pattern",
    ),
    "label_sets": Key(
        MappingOf(Table()),
        "other names of labels, by the name of the set, for `--labels NAME`; a label not listed keeps its own",
    ),
    "groups": Key(
        Table(),
        "the group of each label in the table for all languages ([labels.md](labels.md)); a label "
        "without one belongs "
        "to the group of the label it begins with (`SPELL:PINYIN` to that of `SPELL`)",
    ),
    "counterparts": Key(
        AnyMapping(COUNTERPARTS),
        "by label, its names in other schemes: `{errant: NOUN:NUM, cherrant: NOUN, kagas: [NOUN, PARTICLE]}`",
    ),
    "inflection": Key(
        NameOrTable(),
        "the names of inflections by feature; see [Inflection](#inflection)",
    ),
    "classes": Key(Table(), "the word class that rules speak of, by XPOS tag"),
    "upos_classes": Key(Table(), "the same by UPOS tag, where the XPOS tag is not in `classes`"),
    "deprels": Key(
        Table(),
        "the rules' names of dependency relations, by `relation` or `relation/XPOS`; the longer key "
        "goes first, what "
        "is not listed stays",
    ),
    "lexicon": Key(
        File(),
        "file of known words in the pack's folder, one a line, plain or gzipped; lines that begin with `#` are "
        "comments",
    ),
    "dictionary": Key(
        Text(),
        "name of a Hunspell dictionary, such as `sv_SE`, whose words are known besides those of the lexicon; see "
        "[Spelling](#spelling)",
    ),
    "resources": Key(
        Files(), "other files in the pack's folder that `hooks.py` reads; a missing one is an error"
    ),
    "requires": Key(
        Requirements(),
        "the Python packages that `hooks.py` needs besides jperrant: by top-level module, what `pip install` takes "
        'to bring it, as in `{jieba: "jieba>=0.42"}`. Where one is missing, annotating ends with exit code 3 '
        "and the pip line",
    ),
    "lists": Key(MappingOf(Names()), "named lists, `$name` in a condition"),
    "tables": Key(MappingOf(Table()), "named tables, `{table[property]}` in a type"),
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
        "what the rules must find, run by `packs check`; a list, or the name of a YAML or JSON file "
        "with one; not "
        "inherited. See [Examples](#examples)",
    ),
}
