"""Inheritance: the keys of a pack with those of its ancestors filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from jperrant.core.errors import InputError, PackError, nearest
from jperrant.core.paths import is_file
from jperrant.edits.yaml_position import PositionedDict, position_of
from jperrant.io.output import reason
from jperrant.packs import discovery
from jperrant.packs.hook_files import FILE as HOOKS
from jperrant.packs.hook_files import HookFile
from jperrant.packs.labels import expanded, remove_unmarked
from jperrant.packs.problems import Problem, problem_of
from jperrant.packs.schema import check_key
from jperrant.packs.yaml_loader import FILE, read_pack

#: Keys whose own keys are labels, of which patterns stand for several.
_BY_LABEL = ("labels", "groups", "counterparts")
#: Keys that say something of one pack and nothing of those that extend it.
_OWN = ("examples", "aliases", "measured")


class Source(NamedTuple):
    """One pack.yaml of a chain.

    Attributes:
        folder: Where it is.
        content: What it says, as it was read.
        installed: Whether the pack is installed; then its files may be links, as installers make them.
        named: Whether it is installed or the user named it, so that its Python may run.
    """

    folder: Path
    content: PositionedDict
    installed: bool
    named: bool


def inherited(folder: Path, packs: Mapping[str, Path] | None = None) -> tuple[dict[str, Any], list[Problem]]:
    """Return the keys of a pack with those of its ancestors filled in, and what is wrong with them.

    Keys that are wrong are left out. Files become absolute paths. Added are ``folder``; ``hooks``, the files of
    hooks, ancestors first; and ``chain``, the folders of the pack and its ancestors, itself first.

    Args:
        folder: The folder of the pack.
        packs: The installed packs; looked for if None.

    Raises:
        InputError: The pack itself cannot be read at all.
    """
    sources, problems = _chain(folder, packs)
    keys = PositionedDict()
    rules: list[list[Any]] = []
    hooks: list[HookFile] = []
    resources: list[Path] = []
    checked: list[list[Problem]] = []
    for source in reversed(sources):
        own_keys, problems_of_source = _own(source)
        checked.append(problems_of_source)
        if "rules" in own_keys:  # null removes the inherited ones
            rules = (
                [*rules, own_keys["rules"]] if own_keys["rules"] else rules if own_keys["rules"] == [] else []
            )
            del own_keys["rules"]
        resources += own_keys.pop("resources", None) or []
        hooks += _hooks(source)
        for key in _OWN:
            keys.pop(key, None)
        if marks := own_keys.pop("marks", None):
            problems_of_source += remove_unmarked(keys.get("labels", {}), marks, keys.get("inflection", {}))
        _merge_into(keys, own_keys)
    problems = [*chain.from_iterable(reversed(checked)), *problems]
    # The parent's rules are tried where none of the pack's own fires.
    keys.update(
        rules=[rule for part in reversed(rules) for rule in part],
        hooks=hooks,
        resources=resources,
        folder=folder,
        chain=[source.folder for source in sources],
    )
    return keys, problems


def inherited_key(folder: Path, key: str, packs: Mapping[str, Path] | None = None) -> Any:
    """Return one key of a pack as in ``inherited``, without a look at the others; None where missing or wrong.

    Args:
        folder: The folder of the pack.
        key: A key that holds no labels and no names of files.
        packs: The installed packs; looked for if None.

    Raises:
        InputError: The pack itself cannot be read at all.
    """
    sources, _ = _chain(folder, packs)
    keys = PositionedDict()
    for source in sources[:1] if key in _OWN else reversed(sources):
        if key in source.content and not check_key(source.content, key):
            _merge_into(keys, {key: source.content[key]})
    return keys.get(key)


def _chain(folder: Path, packs: Mapping[str, Path] | None) -> tuple[list[Source], list[Problem]]:
    """Read a pack and its ancestors, each once; a chain that cannot be followed ends there, with a problem."""
    packs = discovery.known_packs() if packs is None else packs
    sources: list[Source] = []
    seen: set[Path] = set()
    while True:
        place = folder.resolve()
        seen.add(place)
        installed = _is_installed(folder, packs)
        try:
            if not installed:
                _check_link(folder / FILE)
            content = read_pack(folder)
        except InputError as error:
            if not sources:
                raise
            return sources, [Problem("", str(error))]
        sources.append(Source(folder, content, installed, not sources or installed))
        name = content.get("extends")
        if not isinstance(name, str) or check_key(content, "extends"):
            return sources, []
        where = position_of(content, "extends")
        parent = _parent(folder, name, packs)
        if parent is None:
            close = f"{nearest(name, packs)}; expected one of {', '.join(packs)}"
            return sources, [Problem(where, f"extends: unknown pack {name!r}{close}")]
        if parent.resolve() in seen:
            circle = " → ".join([*(str(source.folder) for source in sources[-5:]), str(parent)])
            return sources, [
                Problem(
                    where, f"extends: the packs extend each other in a cycle: {circle}; remove one extends"
                )
            ]
        folder = parent


def _is_installed(folder: Path, packs: Mapping[str, Path]) -> bool:
    """Return whether a folder is that of an installed pack, all links followed only where its name is not."""
    if folder in packs.values():
        return True
    place = folder.resolve()
    return any(path.resolve() == place for path in packs.values())


def _parent(folder: Path, name: str, packs: Mapping[str, Path]) -> Path | None:
    """Return the folder of the pack a pack extends: installed, or beside it."""
    installed = discovery.unique(packs, name)
    if installed is not None and installed.resolve() != folder.resolve():
        return installed
    beside = folder.resolve().parent / name
    try:
        return beside if (beside / FILE).is_file() else installed
    except OSError:  # a name that no folder can have
        return installed


def _own(source: Source) -> tuple[dict[str, Any], list[Problem]]:
    """Return the keys of one pack that are right, with patterns of labels and files spelt out, and problems."""
    content = source.content
    problems: list[Problem] = []
    own_keys: dict[str, Any] = {}
    for key, value in content.items():
        wrong = check_key(content, key)
        problems += wrong
        if not wrong and key != "extends":
            own_keys[key] = value
    if "code" not in content:
        problems.append(Problem(content.file, "the key 'code' is missing; add the language's code"))
    for key in _BY_LABEL:
        if own_keys.get(key):
            own_keys[key], wrong = expanded(own_keys[key], key)
            problems += wrong
    if own_keys.get("label_sets"):
        own_keys["label_sets"] = dict(own_keys["label_sets"])
        for name, names in own_keys["label_sets"].items():
            if names is not None:
                own_keys["label_sets"][name], wrong = expanded(names, f"label_sets: {name}")
                problems += wrong
    problems += _with_paths(source, own_keys)
    own_keys.setdefault("examples", [])
    return own_keys, problems


def _with_paths(source: Source, own_keys: dict[str, Any]) -> Iterator[Problem]:
    """Make absolute paths of the names of files, and check those that hooks or the rules would read."""
    folder, content = source.folder, source.content
    if own_keys.get("lexicon"):
        path = folder / own_keys["lexicon"]
        own_keys["lexicon"] = str(path)
        if problem := _file_problem(path, source):
            own_keys["lexicon"] = None
            yield problem_of(content, "lexicon", problem)
    if isinstance(own_keys.get("examples"), str) and (
        problem := _file_problem(folder / own_keys["examples"], source)
    ):
        own_keys["examples"] = []
        yield problem_of(content, "examples", problem)
    if name := own_keys.get("dictionary"):
        for path in (folder / f"{name}.dic", folder / f"{name}.aff"):
            if path.exists() and (problem := _file_problem(path, source)):
                yield problem_of(content, "dictionary", problem)
    own_keys["resources"] = [folder / name for name in own_keys.get("resources") or []]
    for path in own_keys["resources"]:
        if problem := _file_problem(path, source):
            yield problem_of(content, "resources", problem)
    if (folder / HOOKS).is_file() and (problem := _file_problem(folder / HOOKS, source)):
        yield Problem(str(folder / HOOKS), problem)


def _file_problem(path: Path, source: Source) -> str:
    """Return why a file of a pack is not one, or an empty string."""
    try:
        if not path.is_file():
            return f"found no file {path}" if not path.exists() else f"{path}: expected a regular file"
        if not source.installed and not path.resolve().is_relative_to(source.folder.resolve()):
            return f"{path} links to a file outside the pack's folder; copy the file there"
    except (OSError, RuntimeError) as error:
        return f"{path} cannot be read ({reason(error)})"
    return ""


def _check_link(path: Path) -> None:
    """Check that a pack.yaml is not a link out of its folder.

    Raises:
        PackError: It is.
    """
    if is_file(path) and not path.resolve().is_relative_to(path.parent.resolve()):
        raise PackError(f"{path} links to a file outside the pack's folder; copy the file there")


def _hooks(source: Source) -> list[HookFile]:
    if not (source.folder / HOOKS).is_file():
        return []
    return [HookFile(source.folder, source.named)]


def _merge_into(merged: PositionedDict, own_keys: Mapping[str, Any]) -> None:
    """Merge a mapping key by key into one that was made here; lists and other values replace, None removes."""
    if isinstance(own_keys, PositionedDict):  # the lines are those of the pack's own keys only
        merged.file, merged.line, merged.lines = own_keys.file, own_keys.line, own_keys.lines
    for key, value in own_keys.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping):
            below = merged.get(key)
            if not isinstance(below, PositionedDict):
                below = merged[key] = PositionedDict()
            _merge_into(below, value)
        else:
            merged[key] = value
