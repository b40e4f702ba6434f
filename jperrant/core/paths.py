"""Paths: users give strings or ``Path``s, jperrant works with strings."""

from __future__ import annotations

import os.path
from os import PathLike, fspath

#: What there is at a path, which may be a name that nothing can have, such as one that is too long.
exists, is_file, is_folder = os.path.exists, os.path.isfile, os.path.isdir


def optional_path(path: str | PathLike[str] | None) -> str | None:
    """Return a path as a string; None where none is given."""
    return None if path is None else fspath(path)


def is_device(path: str | PathLike[str]) -> bool:
    """Whether a path is neither a file nor a folder but a pipe, a socket or a device, which is read once."""
    return exists(path) and not is_file(path) and not is_folder(path)
