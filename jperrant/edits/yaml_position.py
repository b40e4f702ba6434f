"""Mappings that know where in a file they and their keys stand, so that an error can name the line."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


class PositionedDict(dict[Any, Any]):
    """A mapping read from a file.

    Attributes:
        file: The file's name; empty where it is not known.
        line: 1-based line where the mapping begins.
        lines: The line of each key.
    """

    def __init__(self, file: str = "", line: int = 0) -> None:
        super().__init__()
        self.file, self.line = file, line
        self.lines: dict[Hashable, int] = {}


def position_of(value: object, key: Hashable = None) -> str:
    """Return ``file:line`` of a mapping, or of one of its keys; empty where that is not known."""
    if not isinstance(value, PositionedDict) or not value.file:
        return ""
    return f"{value.file}:{value.lines.get(key, value.line)}"
