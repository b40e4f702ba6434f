"""The Python of a pack: running ``hooks.py`` of a pack that was asked for, and checking what it defines."""

from __future__ import annotations

import builtins
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from jperrant.alignment.resegment import Misspelt
from jperrant.alignment.token_search import Substitution
from jperrant.core.errors import PackError
from jperrant.edits.comparisons import Condition
from jperrant.edits.edit_context import Getter, Similarity
from jperrant.packs.guards import (
    Hook,
    Merge,
    brief,
    guarded_condition,
    guarded_cost,
    guarded_merge,
    guarded_misspelt,
    guarded_property,
    guarded_similarity,
    is_own_error,
)
from jperrant.packs.hook_files import FILE

_RUNS = count()
#: Single functions of hooks.py, and the attributes of ``Hooks`` that hold them.
_SINGLE = {
    "MERGE": "merge",
    "SIMILARITY": "similarity",
    "MERGE_CHARACTERS": "merge_characters",
    "CHARACTER_COST": "character_cost",
    "MISSPELT": "misspelt",
}


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the ``hooks.py`` of a pack and of its ancestors define.

    Attributes:
        conditions: ``CONDITIONS``: functions from an edit to true or false, for the condition ``hook``.
        properties: ``PROPERTIES``: functions from an edit and one of its tokens to a string, usable wherever a
            property is.
        merge: ``MERGE``: from the spans of the merge strategy ``rules`` and the alignment to the spans to use,
            in text order; or None.
        similarity: ``SIMILARITY``: from two texts to a number from 0 to 1, for the condition ``similarity``; or
            None.
        merge_characters: ``MERGE_CHARACTERS``: the same as ``merge`` where every character is a token; or None.
        character_cost: ``CHARACTER_COST``: what it costs to align two characters, more than 0; or None.
        misspelt: ``MISSPELT``: whether a text is a misspelling of another; there the words of a correction that
            models cut stay as they are, elsewhere they are cut like the source's; or None.
    """

    conditions: Mapping[str, Condition] = field(default_factory=dict)
    properties: Mapping[str, Getter] = field(default_factory=dict)
    merge: Merge | None = None
    similarity: Similarity | None = None
    merge_characters: Merge | None = None
    character_cost: Substitution | None = None
    misspelt: Misspelt | None = None


def run_hooks(folders: Iterable[Path], join: str = " ") -> Hooks:
    """Run the hooks.py of some folders, parents first, and return what they define together, guarded.

    Args:
        folders: Folders with a hooks.py.
        join: What stands between two tokens of running text.

    Raises:
        PackError: One of them fails or defines something of the wrong kind; names the file.
    """
    conditions: dict[str, Condition] = {}
    properties: dict[str, Getter] = {}
    single: dict[str, Hook] = {}
    for folder in folders:
        file, module = folder / FILE, _run(folder)
        for name, function in _functions(file, module, "CONDITIONS").items():
            conditions[name] = guarded_condition(Hook(file, f"condition {name!r}", function))
        for name, function in _functions(file, module, "PROPERTIES").items():
            properties[name] = guarded_property(Hook(file, f"property {name!r}", function))
        for name in _SINGLE:
            function = _function(file, module, name)
            if function is not None:
                single[name] = Hook(file, name, function)
    guards: dict[str, Callable[[Hook], Any]] = {
        "MERGE": lambda hook: guarded_merge(hook, join),
        "SIMILARITY": guarded_similarity,
        "MERGE_CHARACTERS": lambda hook: guarded_merge(hook, join),
        "CHARACTER_COST": guarded_cost,
        "MISSPELT": guarded_misspelt,
    }
    guarded = {_SINGLE[name]: guards[name](hook) for name, hook in single.items()}
    return Hooks(conditions, properties, **guarded)


def _run(folder: Path) -> ModuleType:
    # A name for each run, so that packs that threads load at once do not take each other's module away.
    name = f"jperrant_hooks_{folder.name}_{next(_RUNS)}"
    spec = importlib.util.spec_from_file_location(name, folder / FILE)
    if spec is None or spec.loader is None:
        raise PackError(f"{folder / FILE} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    vars(module)["print"] = _print  # standard output is data
    sys.modules[name] = module  # where dataclasses look for the module of a class while they make it
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        if not is_own_error(error):
            raise
        raise PackError(f"{folder / FILE} fails: {brief(error)}") from error
    finally:
        sys.modules.pop(name, None)
    return module


def _print(*values: object, file: Any = None, **options: Any) -> None:
    """Print to standard error where Python's own ``print`` would print to standard output."""
    builtins.print(*values, file=sys.stderr if file in (None, sys.stdout) else file, **options)


def _functions(path: Path, module: ModuleType, name: str) -> Mapping[str, Any]:
    functions = getattr(module, name, {})
    if not isinstance(functions, Mapping) or not all(
        isinstance(key, str) and callable(value) for key, value in functions.items()
    ):
        raise PackError(f"{path}: {name}: expected a mapping from names to functions")
    return functions


def _function(path: Path, module: ModuleType, name: str) -> Any:
    function = getattr(module, name, None)
    if function is not None and not callable(function):
        raise PackError(f"{path}: {name}: expected a function")
    return function
