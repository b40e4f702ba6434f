"""Folders that the authors of a data set distribute: what is there, and where to get it if it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.io.files import read_lines


@dataclass(frozen=True, slots=True)
class Distribution:
    """A folder as its authors distribute it.

    Attributes:
        name: What it holds (``SEEDA``).
        home: Where to get it.
        folder: Where it is on this machine.
        read: The paths of its files that were asked for.
    """

    name: str
    home: str
    folder: Path
    read: list[str] = field(default_factory=list)

    def path(self, *parts: str) -> str:
        """Return the path of a file.

        Raises:
            InputError: It is not there: the folder is missing, another one, or not complete.
        """
        path = self.folder.joinpath(*parts)
        if path.is_file():
            self.read.append(str(path))
            return str(path)
        where = (
            f"{self.folder}: found no {'/'.join(parts)}"
            if self.folder.is_dir()
            else f"{self.folder}: found no such folder"
        )
        raise InputError(
            f"{where}, expected the folder of {self.name} as its authors distribute it; run "
            f"'git clone {self.home}' and give its folder with --data"
        )

    def text(self, *parts: str, sentences: int | None = None) -> tuple[str, ...]:
        """Return the lines of a text.

        Args:
            *parts: The names of folders and file.
            sentences: How many there must be.

        Raises:
            InputError: It is not there or cannot be read.
            FormatError: It has another number of lines.
        """
        path = self.path(*parts)
        lines = tuple(read_lines(path))
        if sentences is not None and len(lines) != sentences:
            raise FormatError(path, None, f"found {plural(len(lines), 'line')}, expected {sentences}")
        return lines

    def figures(self, *parts: str, names: Sequence[str]) -> dict[str, float]:
        """Return the figures of a file that has one a line and no names.

        Raises:
            InputError, FormatError: As :meth:`text`; also a line that is not a number.
        """
        path = self.path(*parts)
        figures = {}
        lines = self.text(*parts, sentences=len(names))
        for number, (name, line) in enumerate(zip(names, lines, strict=True), start=1):
            try:
                figures[name] = float(line)
            except ValueError:
                raise FormatError(path, number, f"found {line!r}, expected a number") from None
        return figures
