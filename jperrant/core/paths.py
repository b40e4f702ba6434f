"""Paths: users give strings or ``Path``s, jperrant works with strings."""

from __future__ import annotations

import stat
from os import PathLike, fspath
from pathlib import Path


def optional_path(path: str | PathLike[str] | None) -> str | None:
    """Return a path as a string; None where none is given."""
    return None if path is None else fspath(path)


def exists(path: str | PathLike[str]) -> bool:
    """Whether there is anything at a path; False for a name that nothing can have, such as one that is too long."""
    return _mode(path) != 0


def is_file(path: str | PathLike[str]) -> bool:
    """Whether a path is a plain file; False as in ``exists``."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: str | PathLike[str]) -> bool:
    """Whether a path is a folder; False as in ``exists``."""
    return stat.S_ISDIR(_mode(path))


def is_device(path: str | PathLike[str]) -> bool:
    """Whether a path is neither a file nor a folder but a pipe, a socket or a device, which is read once."""
    mode = _mode(path)
    return mode != 0 and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _mode(path: str | PathLike[str]) -> int:
    """Return the type and permissions of what is at a path, 0 where nothing can be found."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0
