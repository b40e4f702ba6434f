"""What a pack holds, in words: for ``packs show``, without running any of its Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from jperrant.core.errors import InputError, PackError, nearest
from jperrant.edits.yaml_position import position_of
from jperrant.packs import pack_keys
from jperrant.packs.dictionary import find_dictionary
from jperrant.packs.discovery import unique
from jperrant.packs.inherit import inherited_key
from jperrant.packs.keys import compact_models
from jperrant.packs.labels import group_of
from jperrant.packs.problems import raise_first
from jperrant.packs.requirements import missing_packages
from jperrant.packs.yaml_loader import read_pack


def describe(lang: str, folder: str | None = None) -> dict[str, Any]:
    """Return what a pack holds, its ancestors' part included, as plain values.

    Raises:
        PackError: There is no such pack, or it is wrong.
    """
    keys, problems = pack_keys(lang, folder)
    raise_first(problems)
    pack_folder: Path = keys["folder"]
    groups = keys.get("groups", {})
    counterparts = keys.get("counterparts", {})
    return {
        "code": keys["code"],
        "name": keys.get("name", keys["code"]),
        "aliases": list(keys.get("aliases", [])),
        "folder": str(pack_folder),
        "measured": str(keys.get("measured", "")),
        "extends": [str(read_pack(path).get("code", path.name)) for path in keys["chain"][1:]],
        "stanza": keys.get("stanza", ""),
        "models": str(compact_models(keys) or ""),
        "join": keys.get("join", " "),
        "lexicon": keys.get("lexicon", ""),
        "dictionary": _dictionary(keys),
        "resources": [str(path) for path in keys["resources"]],
        "hooks": [str(file.folder / "hooks.py") for file in keys["hooks"]],
        "requires": dict(keys.get("requires", {})),
        "missing": missing_packages(keys.get("requires", {})),
        "label_sets": sorted(keys.get("label_sets", {})),
        "labels": [
            {
                "label": label,
                "group": group_of(label, groups),
                "description": description,
                "counterparts": _plain(counterparts.get(label, {})),
            }
            for label, description in sorted(keys.get("labels", {}).items())
        ],
        "rules": _plain(keys.get("rules", [])),
        "places": [position_of(rule) for rule in keys.get("rules", [])],
    }


def _dictionary(keys: Mapping[str, Any]) -> str:
    """Return the name of a pack's dictionary and where it lies."""
    name = keys.get("dictionary", "")
    path = find_dictionary(name, keys["chain"]) if name else None
    return f"{name} ({path or 'not installed'})" if name else ""


def rules_named(lang: str, folder: str | None, name: str) -> list[dict[str, Any]]:
    """Return the rules of a pack, inherited ones included, that have a name or type, each with its ``place``.

    Args:
        lang, folder: As in ``load_pack``.
        name: Part of the rule's name, or its type.

    Raises:
        PackError: There is no such pack or rule; names the nearest.
    """
    keys, problems = pack_keys(lang, folder)
    raise_first(problems)
    rules = [rule for _, rule in _walk(keys.get("rules", []))]
    wanted = [rule for rule in rules if name in str(rule.get("name", "")) or name == rule.get("type")]
    if not wanted:
        known = [str(rule[key]) for rule in rules for key in ("name", "type") if key in rule]
        raise PackError(
            f"pack {keys['code']}: found no rule of the name or type {name!r}{nearest(name, known)}"
        )
    return [{"place": position_of(rule), **_plain(rule)} for rule in wanted]


def describe_rules(rules: Sequence[Mapping[str, Any]]) -> str:
    """Return rules with their places, for people."""
    lines = []
    for rule in rules:
        shown = {key: value for key, value in rule.items() if key != "place"}
        text = yaml.safe_dump(shown, allow_unicode=True, width=100, sort_keys=False, default_flow_style=None)
        lines.append(f"# {rule['place']}\n{text}")
    return "\n".join(lines)


def measured(code: str, packs: Mapping[str, Path]) -> str:
    """Return what an installed pack says of how it was measured; empty if it was not, or cannot be read.

    Args:
        code: The code of the pack.
        packs: The installed packs.
    """
    return str(_key(code, "measured", packs) or "")


def needs(code: str, packs: Mapping[str, Path]) -> str:
    """Return what an installed pack needs and is not installed; empty if nothing.

    Args:
        code: The code of the pack.
        packs: The installed packs.
    """
    return missing_packages(_key(code, "requires", packs) or {})


def _key(code: str, key: str, packs: Mapping[str, Path]) -> Any:
    try:
        folder = unique(packs, code)
        return inherited_key(folder, key, packs) if folder else None
    except InputError:  # what is wrong with a pack is for ``packs check`` to say
        return None


def describe_text(description: Mapping[str, Any]) -> str:
    """Return what ``describe`` found, for people."""
    lines = [f"{description['code']}: {description['name']}", ""]
    for key in (
        "aliases",
        "folder",
        "extends",
        "stanza",
        "measured",
        "models",
        "lexicon",
        "dictionary",
        "resources",
        "hooks",
        "requires",
        "missing",
        "label_sets",
    ):
        value = description[key]
        shown = ", ".join(value) if isinstance(value, (list, dict)) else value
        lines.append(f"{key:<12}{shown or '—'}")
    lines += ["", f"{len(description['labels'])} labels"]
    width = max((len(row["label"]) for row in description["labels"]), default=0) + 2
    for row in description["labels"]:
        lines.append(f"  {row['label']:<{width}}{row['group']:<20}{row['description']}")
    lines += ["", f"{sum(1 for _ in _walk(description['rules']))} rules"]
    for depth, rule in _walk(description["rules"]):
        lines.append(f"{'  ' * (depth + 1)}{_rule_text(rule)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _walk(rules: Sequence[Mapping[str, Any]], depth: int = 0) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for rule in rules:
        yield depth, rule
        yield from _walk(rule.get("rules", []), depth + 1)


def _rule_text(rule: Mapping[str, Any]) -> str:
    when = f" if {_flow(rule['when'])}" if rule.get("when") else ""
    name = f"  # {rule['name']}" if "name" in rule else ""
    what = rule.get("type") or ("drop the last token" if "drop_last" in rule else "rules")
    return f"{what}{when}{name}"


def _flow(value: object) -> str:
    text = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=float("inf"), sort_keys=False
    )
    return text.strip().removeprefix("{").removesuffix("}")


def _plain(value: Any) -> Any:
    """Return a value without the lines of the file it was read from."""
    if isinstance(value, Mapping):
        return {key: _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list) else value
