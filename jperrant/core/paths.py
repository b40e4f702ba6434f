"""Paths as users of Python give them, and as jperrant passes them on: as strings."""

from __future__ import annotations

from os import PathLike, fspath


def optional_path(path: str | PathLike[str] | None) -> str | None:
    """Return a path as a string; None where none is given."""
    return None if path is None else fspath(path)
