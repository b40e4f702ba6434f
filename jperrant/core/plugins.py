"""Entry points of installed packages, which add metrics, packs, formats and weightings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from jperrant.core.errors import JperrantError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: What a scan depends on: each folder that is searched and when a package was last put there, and the finders.
_Places: TypeAlias = tuple[tuple[tuple[str, int], ...], tuple[int, ...]]
#: The package whose own modules are not blamed on others.
_OURS = __name__.partition(".")[0]
#: How the names of the folders end that hold the metadata of a package: of wheels, and of eggs.
_METADATA = (".dist-info", ".egg-info", "egg-info")


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group.

    A scan opens the metadata of every installed package. It is made anew where ``sys.path`` has changed, or a
    package came to or went from one of its folders, which changes the folder's time.

    Args:
        group: Such as ``jperrant.metrics``.
    """
    return list(_scan(group, _places()))


def with_entries(built_in: Mapping[str, str], entries: Iterable[EntryPoint], what: str) -> dict[str, str]:
    """Return what is built in and what packages add, each name with where it comes from, as ``module:object``.

    Args:
        built_in: What comes with jperrant.
        entries: What packages add.
        what: What a name stands for, such as ``metric``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    known = dict(built_in)
    for entry in entries:
        if known.setdefault(entry.name, entry.value) != entry.value:
            raise UsageError(
                f"{what} {entry.name!r} is defined twice: {known[entry.name]} and {entry.value}; "
                "uninstall one of the packages"
            )
    return known


def imported(where: str, what: str) -> Any:
    """Return the object that an entry names.

    Args:
        where: As ``module:object``.
        what: What it is, for messages, such as ``metric``.

    Raises:
        UsageError: The package that brings it is broken.
    """
    module, _, attribute = where.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:
        package = module.partition(".")[0]
        # Another package can fail in any way while it is imported, such as one built for another numpy.
        if package == _OURS or isinstance(error, JperrantError):
            raise
        raise UsageError(
            f"{what} {where} cannot be imported ({error}); repair or uninstall the package {package}"
        ) from error


def importable(names: Iterable[str], load: Callable[[str], object]) -> tuple[list[str], list[str]]:
    """Return the names of what can be imported, and a line for each one whose package is broken.

    Args:
        names: Such as those of all metrics.
        load: Imports one.
    """
    usable, broken = [], []
    for name in names:
        try:
            load(name)
        except JperrantError as error:
            broken.append(f"{name}: {error}")
        else:
            usable.append(name)
    return usable, broken


@lru_cache(maxsize=8)
def _scan(group: str, _: _Places) -> tuple[EntryPoint, ...]:
    if not _may_be_given(group):
        return ()
    import importlib.metadata  # which takes longer than most commands

    return tuple(importlib.metadata.entry_points(group=group))


def _may_be_given(group: str) -> bool:
    """Return whether a package on ``sys.path`` may have entry points of a group; False only where none has."""
    if any([finder is not PathFinder and hasattr(finder, "find_distributions") for finder in sys.meta_path]):
        return True
    return any([_mentions(path or ".", group.encode()) for path in sys.path])


def _mentions(path: str, group: bytes) -> bool:
    """Return whether the metadata of a package in a folder names a group; what is no folder may hold anything."""
    try:
        with os.scandir(path) as entries:
            packages = [Path(entry.path) for entry in entries if entry.name.lower().endswith(_METADATA)]
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return any(group in _entry_points_of(package) for package in packages)


def _entry_points_of(package: Path) -> bytes:
    """Return the text of a package's entry points, if it has any."""
    try:
        return (package / "entry_points.txt").read_bytes()
    except OSError:
        return b""


def _places() -> _Places:
    """Return what a scan depends on."""
    return tuple((path, _changed(path)) for path in sys.path), tuple(map(id, sys.meta_path))


def _changed(path: str) -> int:
    """Return when a folder, or an archive, was last changed; 0 for none."""
    try:
        return Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0
