"""The keys of pack.yaml: what each means and what its value must look like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import inf
from pathlib import PurePath
from typing import Any, NamedTuple

from jperrant.alignment.costs import AlignmentCosts
from jperrant.core.errors import nearest
from jperrant.edits.merge import MergeRules
from jperrant.edits.rules import RULE_KEYS
from jperrant.edits.yaml_position import PositionedDict
from jperrant.packs.problems import Problems
from jperrant.packs.requirements import MODULE, REQUIREMENT

Check = Callable[[PositionedDict, str, Problems], None]


class Key(NamedTuple):
    """A key of pack.yaml: its check and its meaning."""

    check: Check
    doc: str


def check_keys(content: PositionedDict, problems: Problems) -> None:
    """Check the keys of one pack.yaml and the kind of every value; null is allowed everywhere."""
    for key, value in content.items():
        if key not in KEYS:
            known = ", ".join(KEYS)
            place = f"{content.file}:{content.lines[key]}"
            problems.add(place, f"unknown key {key!r}{nearest(str(key), KEYS)}; known: {known}")
        elif value is not None:
            KEYS[key].check(content, key, problems)


def settings_doc(kind: type[Any]) -> str:
    """Return the names of the settings in a mapping that fills a dataclass."""
    return ", ".join(f"`{field.name}`" for field in fields(kind))


def _text(content: PositionedDict, key: str, problems: Problems) -> None:
    value = content[key]
    if not isinstance(value, str) or not value.strip() or "\n" in value.strip():
        problems.at(content, key, f"expected a name in one line, found {value!r}{_quotes(value)}")


def _code(content: PositionedDict, key: str, problems: Problems) -> None:
    """Check the code of a pack, which may also be the name of its folder."""
    value = content[key]
    _text(content, key, problems)
    if isinstance(value, str) and PurePath(value).name != value:
        problems.at(content, key, f"expected a code or the name of a folder beside this one, found {value!r}")


def _file(content: PositionedDict, key: str, problems: Problems) -> None:
    _text(content, key, problems)
    _check_inside(content, key, content[key], problems)


def _files(content: PositionedDict, key: str, problems: Problems) -> None:
    _names(content, key, problems)
    for one in content[key] if isinstance(content[key], list) else ():
        _check_inside(content, key, one, problems)


def _check_inside(content: PositionedDict, key: str, name: object, problems: Problems) -> None:
    """Check that a file is in the pack's folder, so that a pack cannot read what is not its own."""
    if isinstance(name, str) and (PurePath(name).is_absolute() or ".." in PurePath(name).parts):
        problems.at(content, key, f"expected a file in the pack's folder, found {name!r}")


def _join(content: PositionedDict, key: str, problems: Problems) -> None:
    if content[key] not in ("", " "):
        problems.at(content, key, f"found {content[key]!r}, expected a space or nothing, in quotes")


def _names(content: PositionedDict, key: str, problems: Problems) -> None:
    value = content[key]
    if not isinstance(value, list):
        problems.at(content, key, f"expected a list, found {value!r}")
        return
    for one in value:
        if not isinstance(one, str) or not one:
            problems.at(content, key, f"expected names, found {one!r} in the list{_quotes(one)}")


def _table(content: PositionedDict, key: str, problems: Problems) -> None:
    """Check a mapping from names to names; null removes what is inherited."""
    value = content[key]
    if not isinstance(value, PositionedDict):
        problems.at(content, key, f"expected a mapping, found {value!r}")
        return
    for name, held in value.items():
        if not isinstance(name, str) or not (held is None or isinstance(held, str)):
            problems.add(
                f"{value.file}:{value.lines[name]}",
                f"{key}: expected a name for a name, found {name!r}: {held!r}{_quotes(name)}{_quotes(held)}",
            )


def _requires(content: PositionedDict, key: str, problems: Problems) -> None:
    """Check what a pack requires: modules, and requirements that cannot be options or addresses for pip."""
    _table(content, key, problems)
    value = content[key]
    for module, needed in value.items() if isinstance(value, PositionedDict) else ():
        place = f"{value.file}:{value.lines[module]}"
        if isinstance(module, str) and not MODULE.fullmatch(module):
            problems.add(place, f"{key}: expected the name of a top-level module, found {module!r}")
        if isinstance(needed, str) and not REQUIREMENT.fullmatch(needed):
            problems.add(
                place, f"{key}: {module}: expected a package for pip, such as 'jieba>=0.42', found {needed!r}"
            )


def _tables(content: PositionedDict, key: str, problems: Problems) -> None:
    _nested(content, key, problems, _table)


def _lists(content: PositionedDict, key: str, problems: Problems) -> None:
    _nested(content, key, problems, _names)


def _nested(content: PositionedDict, key: str, problems: Problems, check: Check) -> None:
    value = content[key]
    if not isinstance(value, PositionedDict):
        problems.at(content, key, f"expected a mapping, found {value!r}")
        return
    for name, held in value.items():
        if not isinstance(name, str):
            problems.add(
                f"{value.file}:{value.lines[name]}", f"{key}: found the name {name!r}{_quotes(name)}"
            )
        elif held is not None:
            check(value, name, problems)


def _mapping(content: PositionedDict, key: str, problems: Problems) -> None:
    if not isinstance(content[key], PositionedDict):
        problems.at(content, key, f"expected a mapping, found {content[key]!r}")


def _inflection(content: PositionedDict, key: str, problems: Problems) -> None:
    value = content[key]
    if not isinstance(value, PositionedDict):
        problems.at(content, key, f"expected a mapping, found {value!r}")
        return
    for feature, name in value.items():
        if isinstance(name, PositionedDict):
            _table(value, feature, problems)
        elif not (isinstance(feature, str) and (name is None or isinstance(name, str))):
            problems.add(f"{value.file}:{value.lines[feature]}", f"{key}: expected a name for a feature, or names "
                         f"by word class, found {feature!r}: {name!r}{_quotes(name)}")  # fmt: skip


def _rules(content: PositionedDict, key: str, problems: Problems) -> None:
    if not isinstance(content[key], list):
        problems.at(content, key, f"expected a list of rules, found {content[key]!r}")


def _examples(content: PositionedDict, key: str, problems: Problems) -> None:
    if isinstance(content[key], str):
        _file(content, key, problems)
    elif not isinstance(content[key], list):
        problems.at(content, key, f"expected a list, or the name of a file with one, found {content[key]!r}")


def _settings(kind: type[Any]) -> Check:
    """Return the check of a mapping that fills a dataclass, lists becoming sets."""
    known = {field.name: getattr(kind(), field.name) for field in fields(kind)}

    def check(content: PositionedDict, key: str, problems: Problems) -> None:
        value = content[key]
        if not isinstance(value, PositionedDict):
            problems.at(content, key, f"expected a mapping, found {value!r}")
            return
        for name, held in value.items():
            place = f"{value.file}:{value.lines[name]}"
            if name not in known:
                problems.add(
                    place,
                    f"{key}: unknown key {name!r}{nearest(str(name), known)}; known: {', '.join(known)}",
                )
            elif held is not None and not _like(held, known[name]):
                example = known[name] if not isinstance(known[name], frozenset) else ["a", "b"]
                problems.add(place, f"{key}: {name}: found {held!r}, expected a value like {example!r}")

    return check


def _like(value: object, default: object) -> bool:
    """Whether a value can take the place of a default."""
    if isinstance(default, frozenset):
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, float):
        return isinstance(value, (int, float)) and 0 <= value < inf
    return isinstance(value, type(default))


def _quotes(value: object) -> str:
    """Return a hint where YAML has read a word or number as another kind of value."""
    if isinstance(value, (bool, int, float)):
        return " (YAML reads yes, no, on, off and numbers as other values: put it in quotes)"
    return ""


_RULE_TEXT = ", ".join(f"`{name}`" for name in RULE_KEYS)

#: Every key of pack.yaml.
KEYS: Mapping[str, Key] = {
    "code": Key(_code, "the language's code, as in `--lang`; the one key that must be there"),
    "name": Key(_text, "the language's name; the code, where not given"),
    "aliases": Key(_names, "other codes for `--lang`"),
    "extends": Key(
        _code,
        "the pack to inherit from: the code of an installed pack, or the name of a folder beside this one",
    ),
    "stanza": Key(
        _text,
        "Stanza's code of the language. Models in a folder `models/` of the pack, in Stanza's layout, are its "
        "`compact` models",
    ),
    "join": Key(
        _join,
        'what stands between two tokens of running text: `" "` (if not given) or `""`, with which an '
        "edit that only "
        "cuts the same string into other tokens is no edit",
    ),
    "unbroken": Key(_names, "strings that are one token however text is cut, such as a placeholder"),
    "encoder": Key(_text, "name of the language model that scoring by meaning uses for this language"),
    "costs": Key(
        _settings(AlignmentCosts),
        f"costs of the token alignment ({settings_doc(AlignmentCosts)}); ERRANT's where not given",
    ),
    "merge": Key(_settings(MergeRules), f"the language's part in merging ({settings_doc(MergeRules)})"),
    "labels": Key(
        _table,
        "the closed set of labels, each with a description. The types are `M:`, `U:` or `R:` and a label. "
        '`"{NOUN,PRON}:{NUM,CASE}"` stands for four labels; one given by its own name goes before '
        "such a pattern",
    ),
    "label_sets": Key(
        _tables,
        "other names of labels, by the name of the set, for `--labels NAME`; a label not listed keeps its own",
    ),
    "groups": Key(
        _table,
        "the group of each label in the table for all languages ([labels.md](labels.md)); a label "
        "without one belongs "
        "to the group of the label it begins with (`SPELL:PINYIN` to that of `SPELL`)",
    ),
    "counterparts": Key(
        _mapping,
        "by label, its names in other schemes: `{errant: NOUN:NUM, cherrant: NOUN, kagas: [NOUN, PARTICLE]}`",
    ),
    "inflection": Key(
        _inflection,
        "the names of inflections by feature; see [Inflection](#inflection)",
    ),
    "classes": Key(_table, "the word class that rules speak of, by XPOS tag"),
    "upos_classes": Key(_table, "the same by UPOS tag, where the XPOS tag is not in `classes`"),
    "deprels": Key(
        _table,
        "the rules' names of dependency relations, by `relation` or `relation/XPOS`; the longer key "
        "goes first, what "
        "is not listed stays",
    ),
    "lexicon": Key(
        _file,
        "file of known words in the pack's folder, one a line, plain or gzipped; lines that begin with `#` are "
        "comments",
    ),
    "resources": Key(
        _files, "other files in the pack's folder that `hooks.py` reads; a missing one is an error"
    ),
    "requires": Key(
        _requires,
        "the Python packages that `hooks.py` needs besides jperrant: by top-level module, what `pip install` takes "
        'to bring it, as in `{jieba: "jieba>=0.42"}`. Where one is missing, annotating ends with exit code 3 '
        "and the pip line",
    ),
    "lists": Key(_lists, "named lists, `$name` in a condition"),
    "tables": Key(_tables, "named tables, `{table[property]}` in a type"),
    "rules": Key(_rules, f"the rules, each with {_RULE_TEXT}; see [Rules](#rules)"),
    "examples": Key(
        _examples,
        "what the rules must find, run by `packs check`; a list, or the name of a YAML or JSON file "
        "with one; not "
        "inherited. See [Examples](#examples)",
    ),
}
