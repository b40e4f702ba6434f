"""Paths: users give strings or ``Path``s, jperrant works with strings."""

from __future__ import annotations

import os.path
from os import PathLike, fspath

#: Checks of what is at a path; for an impossible name, such as a too long one, they return False.
exists, is_file, is_folder = os.path.exists, os.path.isfile, os.path.isdir


def optional_path(path: str | PathLike[str] | None) -> str | None:
    """Return a path as a string, or None if none is given."""
    return None if path is None else fspath(path)


def is_device(path: str | PathLike[str]) -> bool:
    """Whether a path is a pipe, a socket or a device, which can be read only once."""
    return exists(path) and not is_file(path) and not is_folder(path)
