"""The files that a study file names: folders with names, patterns, and whether a file is text or M2."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.evaluation.inputs import is_m2, stems
from jperrant.evaluation.studies.input_file import InputFile
from jperrant.evaluation.studies.keys import SYSTEM
from jperrant.evaluation.studies.reading import Position, Reading
from jperrant.io.output import reason

_FOLDER = re.compile(r"\$\{([^}]*)\}")


class Files:
    """Finds the files that a study file names.

    Args:
        reading: The study file.
        given: Folders by name, which go before those of the file.

    Raises:
        UsageError: The study file has no folder of a given name.
    """

    def __init__(self, reading: Reading, given: Mapping[str, str]) -> None:
        self.reading, self._base = reading, reading.file.parent.absolute()
        declared = reading.content.get("folders")
        self._declared: Mapping[str, Any] = declared if isinstance(declared, Mapping) else {}
        for name in given:
            if name not in self._declared:
                known = ", ".join(map(str, self._declared)) or "none"
                raise UsageError(
                    f"{reading.file}: unknown folder {name!r}{nearest(name, map(str, self._declared))}; "
                    f"expected one of {known}"
                )
        self._folders = {name: self._folder(name, value, given) for name, value in self._declared.items()}

    def file(self, written: str, position: Position) -> InputFile | None:
        """Return a file that is there; None if it is not, which is a problem."""
        path = self.path(written, position)
        if path is None:
            return None
        try:
            if path.is_dir():
                self.reading.problem(position, f"{written}: found a folder, expected a file")
            elif not path.exists():
                self.reading.problem(
                    position, f"found no file {written}{_near(path)}{self._meant(written, path)}"
                )
            else:
                return InputFile(path, written, not is_m2(str(path)))
        except InputError as error:
            self.reading.problem(position, str(error))
        except (OSError, ValueError) as error:
            self.reading.problem(position, f"{written} cannot be read ({reason(error)})")
        return None

    def systems(self, given: Any, position: Position) -> dict[str, InputFile]:
        """Return systems by name: those of a mapping, of a list of files, or of a pattern."""
        if isinstance(given, Mapping):
            return self._named_systems(given, position)
        if isinstance(given, str | list):
            written_files = self._matching(given, position) if isinstance(given, str) else given
            if not all(isinstance(one, str) for one in written_files):
                self.reading.problem(position, "expected a list of files")
                return {}
            named = zip(stems(written_files), written_files, strict=True)
            return self._systems(
                [(name, one, (*position, n)) for n, (name, one) in enumerate(named)], position
            )
        self.reading.problem(
            position, "expected a mapping from names to files, a list of files, or a pattern"
        )
        return {}

    def _named_systems(self, given: Mapping[Any, Any], position: Position) -> dict[str, InputFile]:
        named: list[tuple[str, str, Position]] = []
        annotators: dict[str, int | None] = {}
        for name, value in given.items():
            where = (*position, name)
            written = value
            if isinstance(value, Mapping):
                values = self.reading.keys(value, SYSTEM, where)
                written, annotators[name] = values.get("file"), values.get("annotator")
            if isinstance(name, str) and isinstance(written, str):
                named.append((name, written, where))
            elif not isinstance(value, Mapping):
                self.reading.problem(where, "expected a name and a file, both as text (in quotes)")
        systems = self._systems(named, position)
        return {name: replace(file, annotator=annotators.get(name)) for name, file in systems.items()}

    def _systems(self, named: list[tuple[str, str, Position]], position: Position) -> dict[str, InputFile]:
        systems: dict[str, InputFile] = {}
        for name, written, where in named:
            if name in systems:
                self.reading.problem(
                    where, f"two systems have the name {name!r}; give names, as in NAME: FILE"
                )
            elif (file := self.file(written, where)) is not None:
                systems[name] = file
        if not named:
            self.reading.problem(position, "found no systems, expected at least one")
        return systems

    def path(self, written: str, position: Position) -> Path | None:
        """Return a path with its folders filled in; None if one of them is not known, which is a problem."""
        expanded = self.expanded(written, position)
        return None if expanded is None else self._base / expanded

    def expanded(self, written: str, position: Position) -> str | None:
        """Return text with its folders filled in; None if one of them is not known, which is a problem."""
        names = _FOLDER.findall(written)
        for name in names:
            if name not in self._folders:
                known = ", ".join(self._folders) or "none"
                close = nearest(name, self._folders)
                self.reading.problem(
                    position, f"unknown folder {name!r}{close}; expected one under folders: {known}"
                )
        if any(self._folders.get(name) is None for name in names):
            return None
        return _FOLDER.sub(lambda match: str(self._folders[match[1]]), written)

    def _folder(self, name: Any, value: Any, given: Mapping[str, str]) -> Path | None:
        position = ("folders", name)
        about = ""
        if isinstance(value, Mapping):
            for key in value:
                if key not in ("path", "about"):
                    self.reading.problem((*position, key), "unknown key; expected path or about")
            about, value = str(value.get("about") or ""), value.get("path")
        if name in given:
            folder = Path(given[name]).absolute()
        elif value is None:
            where = f" ({about})" if about else ""
            self.reading.problem(position, f"the folder is not given; add --set {name}=FOLDER{where}")
            return None
        elif not isinstance(value, str):
            self.reading.problem(position, f"found {value!r}, expected a folder")
            return None
        else:
            folder = self._base / value
        if not folder.is_dir():
            self.reading.problem(position, f"found no folder {given.get(name, value)}")
            return None
        return folder

    def _matching(self, pattern: str, position: Position) -> list[str]:
        """Return the files of a pattern as they would be written, sorted by name."""
        if "*" not in pattern:
            return [pattern]
        path = self.path(pattern, position)
        if path is None:
            return []
        folder, _, written = pattern.rpartition("/")
        names = sorted(found.name for found in path.parent.glob(written) if found.is_file())
        if not names:
            self.reading.problem(position, f"no file matches {pattern}{self._meant(pattern, path)}")
        return [f"{folder}/{name}" if folder else name for name in names]

    def _meant(self, written: str, path: Path) -> str:
        """Return where a path with the names of folders leads."""
        return f" ({path})" if _FOLDER.search(written) else ""


def _near(path: Path) -> str:
    """Return a hint at a file of a similar name in the same folder, or at the folder that is not there."""
    if not path.parent.is_dir():
        return f"; its folder {path.parent.name} is missing, too"
    return nearest(path.name, [other.name for other in path.parent.iterdir()])
