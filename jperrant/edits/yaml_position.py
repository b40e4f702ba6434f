"""Mappings and lists that know where in a file they and their parts stand, so that an error can name the line."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


class Positioned:
    """What was read from a file.

    Attributes:
        place: Where it begins: ``file:line``, with lines from 1; empty where that is not known.
        places: The same of each of its keys or numbers.
    """

    def __init__(self, place: str = "") -> None:
        super().__init__()
        self.place = place
        self.places: dict[Hashable, str] = {}

    @property
    def file(self) -> str:
        """The file's name; empty where it is not known."""
        return self.place.rpartition(":")[0]


class PositionedDict(Positioned, dict[Any, Any]):
    """A mapping that was read from a file."""


class PositionedList(Positioned, list[Any]):
    """A list that was read from a file."""


def position_of(value: object, key: Hashable = None) -> str:
    """Return ``file:line`` of what was read from a file, or of one of its keys; empty where that is not known."""
    return value.places.get(key, value.place) if isinstance(value, Positioned) else ""
