"""Where problems of a pack go: the first is raised, or all are collected."""

from __future__ import annotations

from jperrant.core.errors import PackError
from jperrant.edits.yaml_position import position_of


class Problems:
    """Takes what is wrong with a pack.

    Args:
        collect: Keep every problem in ``found`` instead of raising the first.

    Attributes:
        found: One line for each problem, beginning with file and line.
    """

    def __init__(self, collect: bool = False) -> None:
        self.collect = collect
        self.found: list[str] = []

    def add(self, place: str, message: str) -> None:
        """Note a problem.

        Raises:
            PackError: The first one, unless all are collected.
        """
        line = f"{place}: {message}" if place else message
        if not self.collect:
            raise PackError(line)
        if line not in self.found:
            self.found.append(line)

    def at(self, where: object, key: str, message: str) -> None:
        """Note a problem with one key of a mapping that was read from a file."""
        self.add(position_of(where, key), f"{key}: {message}")
