"""Inheritance: the keys of a pack with those of its ancestors filled in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError, nearest
from jperrant.edits.yaml_position import PositionedDict
from jperrant.packs import discovery
from jperrant.packs.hooks import FILE as HOOKS
from jperrant.packs.labels import expanded
from jperrant.packs.problems import Problems
from jperrant.packs.schema import check_keys
from jperrant.packs.yaml_loader import FILE, read_pack

#: Keys whose own keys are labels, of which patterns stand for several.
_BY_LABEL = ("labels", "groups", "counterparts")
#: Keys that say something of one pack and nothing of those that extend it.
_OWN: dict[str, list[Any]] = {"examples": [], "aliases": [], "resources": []}


def inherited(folder: Path, problems: Problems, children: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Return the keys of a pack with those of its ancestors filled in; files become absolute paths.

    Three keys are added: ``folder``; ``hooks``, the folders with a hooks.py, ancestors first; and ``chain``, the
    folders of the pack and its ancestors, itself first.

    Raises:
        PackError: Something is wrong, unless ``problems`` collects; also where a file cannot be read at all.
    """
    content = read_pack(folder)
    check_keys(content, problems)
    own = _own(folder, content, problems)
    parent = content.get("extends")
    if not isinstance(parent, str):
        return _merged({}, own)
    place = f"{content.file}:{content.lines['extends']}"
    found = _parent(folder, parent)
    if found is None:
        packs = discovery.known_packs()
        problems.add(
            place, f"extends: unknown pack {parent!r}{nearest(parent, packs)}; known: {', '.join(packs)}"
        )
        return _merged({}, own)
    if found.resolve() in [child.resolve() for child in (*children, folder)]:
        circle = " → ".join(str(p) for p in (*children, folder, found))
        problems.add(place, f"extends: the packs extend each other in a circle: {circle}")
        return _merged({}, own)
    try:
        above = inherited(found, problems, (*children, folder))
    except InputError as error:
        problems.add("", str(error))
        return _merged({}, own)
    above = above | _OWN | {"resources": above["resources"]}
    # The parent's rules are tried where none of the pack's own fires.
    kept = above.get("rules", []) if own.get("rules", []) is not None else []
    return _merged(above, own) | {
        "rules": [*(own.get("rules") or []), *kept],
        "hooks": [*above["hooks"], *own["hooks"]],
        "resources": [*above["resources"], *own["resources"]],
        "chain": [folder, *above["chain"]],
    }


def _own(folder: Path, content: PositionedDict, problems: Problems) -> dict[str, Any]:
    """Return the keys of one pack that are of the right kind, with patterns of labels and files spelt out."""
    if "code" not in content:
        problems.add(content.file, "key 'code' is missing")
    own: dict[str, Any] = {key: value for key, value in content.items() if key != "extends"}
    if problems.collect:  # go on with what can be used
        own = {key: value for key, value in own.items() if value is None or not _fails(content, key)}
    for key in _BY_LABEL:
        if isinstance(own.get(key), PositionedDict):
            own[key] = expanded(own[key], key, problems)
    for name, names in (own.get("label_sets") or {}).items():
        if isinstance(names, PositionedDict):
            own["label_sets"] = own["label_sets"] | {name: expanded(names, f"label_sets: {name}", problems)}
    if own.get("lexicon"):
        own["lexicon"] = str(folder / own["lexicon"])
    own["resources"] = [folder / name for name in own.get("resources") or []]
    for path in own["resources"]:
        if not path.exists():
            problems.at(content, "resources", f"there is no {path}")
    own["folder"] = folder
    own["hooks"] = [folder] if (folder / HOOKS).is_file() else []
    own["chain"] = [folder]
    own.setdefault("examples", [])
    return own


def _fails(content: PositionedDict, key: str) -> bool:
    """Whether a key is unknown or its value of the wrong kind."""
    alone = PositionedDict(content.file, content.line)
    alone[key], alone.lines[key] = content[key], content.lines.get(key, 0)
    trial = Problems(collect=True)
    check_keys(alone, trial)
    return bool(trial.found)


def _parent(folder: Path, name: str) -> Path | None:
    """Return the folder of the pack a pack extends: installed, or beside it."""
    installed = discovery.known_packs().get(name)
    if installed is not None and installed.resolve() != folder.resolve():
        return installed
    beside = folder.resolve().parent / name
    return beside if (beside / FILE).is_file() else installed


def _merged(parent: Mapping[str, Any], own: Mapping[str, Any]) -> PositionedDict:
    """Merge mappings key by key; lists and other values replace the parent's, None removes it."""
    merged = PositionedDict()
    merged.update(parent)
    if isinstance(own, PositionedDict):  # the lines are those of the pack's own keys only
        merged.file, merged.line, merged.lines = own.file, own.line, own.lines
    for key, value in own.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping):
            above = merged.get(key)
            merged[key] = _merged(above if isinstance(above, Mapping) else {}, value)
        else:
            merged[key] = value
    return merged
