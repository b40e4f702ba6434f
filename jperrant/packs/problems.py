"""What is wrong with a pack, as values: each step returns its problems, and whoever asked raises or lists them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jperrant.core.errors import PackError
from jperrant.edits.yaml_position import position_of


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes:
        place: The file, and the line where that is known; may be empty.
        message: What was found and what was expected.
    """

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


def problem_of(mapping: object, key: str, message: str) -> Problem:
    """Return a problem with one key of a mapping that was read from a file."""
    return Problem(position_of(mapping, key), f"{key}: {message}")


def raise_first(problems: Iterable[Problem]) -> None:
    """Raise the first problem, if there is one.

    Raises:
        PackError: There is one.
    """
    for problem in problems:
        raise PackError(str(problem))
