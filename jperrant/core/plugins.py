"""Entry points of installed packages, which add metrics, packs, formats and weightings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from jperrant.core.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: What a scan depends on: each folder that is searched and when a package was last put there, and the finders.
_Places: TypeAlias = tuple[tuple[tuple[str, int], ...], tuple[int, ...]]


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


@lru_cache(maxsize=8)
def _scan(group: str, _: _Places) -> tuple[EntryPoint, ...]:
    import importlib.metadata  # which takes long

    return tuple(importlib.metadata.entry_points(group=group))


def _places() -> _Places:
    """Return what a scan depends on."""
    return tuple((path, _changed(path)) for path in sys.path), tuple(map(id, sys.meta_path))


def _changed(path: str) -> int:
    """Return when a folder, or an archive, was last changed; 0 for none."""
    try:
        return Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0
