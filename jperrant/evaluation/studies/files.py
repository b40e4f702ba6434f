"""The files that a study file names: folders with names, patterns, content, and whether a file is text or M2."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias, cast

from pydantic import ConfigDict, Field, PlainValidator, ValidationInfo, WithJsonSchema

from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.evaluation.inputs import is_m2
from jperrant.io.files import reason
from jperrant.packs.yaml_model import Keys, Short, Text, YamlFile

_FOLDER = re.compile(r"\$\{([^}]*)\}")


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file that a study reads.

    Attributes:
        path: Where it is.
        written: Its name in the study file, which stands in messages and results.
        checksum: SHA-256 of its content when the study file was read, which is the content that is computed from;
            empty for a folder.
        text: Whether it is text rather than M2.
    """

    path: Path
    written: str
    checksum: str = ""
    text: bool = False


def input_of(path: Path, written: str) -> InputFile:
    """Return a file that is no text of a dataset.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return InputFile(path, written, hashlib.file_digest(stream, "sha256").hexdigest())
    except (OSError, ValueError) as error:
        raise InputError(f"{written} cannot be read ({reason(error)})") from None


class Folder(Short):
    """A folder that paths name as `${NAME}`.

    Attributes:
        path: Where it is; if it is not there, `--set NAME=FOLDER` has to give it.
        about: Where to get it.
    """

    path: Text | None = None
    about: Text = ""


class Folders(Keys):
    """The key of a study file that the others depend on.

    Attributes:
        folders: Folders that paths name as `${NAME}`: a path, or null (or `about:`, where to get it) if it has to
            be given with `--set NAME=FOLDER`.
    """

    model_config = ConfigDict(extra="ignore")

    folders: dict[Text, Folder | None] = Field(default_factory=dict)


class Files:
    """Finds the files that a study file names.

    Args:
        file: The study file.
        given: Folders by name, which go before those of the file.

    Attributes:
        problems: What is wrong with its folders.

    Raises:
        UsageError: The study file has no folder of a given name.
    """

    def __init__(self, file: YamlFile, given: Mapping[str, str]) -> None:
        self._base, self._folders = file.path.parent.absolute(), dict[str, Path]()
        keys, self.problems = file.checked(Folders)
        declared = keys.folders if keys else dict.fromkeys(given)
        for name in given:
            if name not in declared:
                hint = f"{nearest(name, declared)}; expected one of {', '.join(declared) or 'none'}"
                raise UsageError(f"{file.path}: unknown folder {name!r}{hint}")
        for name, folder in declared.items():
            try:
                self._folders[name] = self._folder(name, folder or Folder(), given.get(name))
            except InputError as error:
                self.problems.append(file.problem(("folders", name), str(error)))

    def _folder(self, name: str, folder: Folder, given: str | None) -> Path:
        if (written := given or folder.path) is None:
            where = f" ({folder.about})" if folder.about else ""
            raise InputError(f"the folder is not given, as in jperrant study FILE --set {name}=FOLDER{where}")
        path = Path(written).absolute() if given else self._base / written
        if not path.is_dir():
            raise InputError(f"found no folder {written}")
        return path

    def expanded(self, written: str) -> str:
        """Return text with its folders filled in.

        Raises:
            InputError: One of them is not known.
        """
        for name in _FOLDER.findall(written):
            if name not in self._folders:
                known = ", ".join(self._folders) or "none"
                close = nearest(name, self._folders)
                raise InputError(f"unknown folder {name!r}{close}; expected one under folders: {known}")
        return _FOLDER.sub(lambda match: str(self._folders[match[1]]), written)

    def path(self, written: str) -> Path:
        """Return a path with its folders filled in."""
        return self._base / self.expanded(written)

    def existing(self, written: str) -> InputFile:
        """Return a file, or a folder, that is there.

        Raises:
            InputError: It is not; names what was perhaps meant.
        """
        path = self.path(written)
        try:
            if path.is_dir():
                return InputFile(path, written)
            if path.exists():
                return input_of(path, written)
            near = f"; its folder {path.parent.name} is missing, too"
            if path.parent.is_dir():
                near = nearest(path.name, [other.name for other in path.parent.iterdir()])
        except (OSError, ValueError) as error:
            raise InputError(f"{written} cannot be read ({reason(error)})") from None
        raise InputError(f"found no file {written}{near}{self._meant(written, path)}")

    def file(self, written: str) -> InputFile:
        """Return a file that is there.

        Raises:
            InputError: It is not, or cannot be read.
        """
        file = self.existing(written)
        if not file.checksum:
            raise InputError(f"{written}: found a folder, expected a file")
        return replace(file, text=not is_m2(str(file.path)))

    def matching(self, pattern: str) -> list[str]:
        """Return the files of a pattern as they would be written, sorted by name.

        Raises:
            InputError: There are none.
        """
        if "*" not in pattern:
            return [pattern]
        path = self.path(pattern)
        folder, _, written = pattern.rpartition("/")
        names = sorted(found.name for found in path.parent.glob(written) if found.is_file())
        if not names:
            raise InputError(f"no file matches {pattern}{self._meant(pattern, path)}")
        return [f"{folder}/{name}" if folder else name for name in names]

    def _meant(self, written: str, path: Path) -> str:
        """Return where a path with the names of folders leads."""
        return f" ({path})" if _FOLDER.search(written) else ""


def _file(written: Any, info: ValidationInfo) -> InputFile:
    return _named(written, info).file(written)


def _existing(written: Any, info: ValidationInfo) -> InputFile:
    return _named(written, info).existing(written)


def _named(written: Any, info: ValidationInfo) -> Files:
    if not isinstance(written, str):
        raise InputError(f"found {written!r}, expected a file as text (put it in quotes)")
    return cast(Files, info.context)


#: A file in a model of a study file, and a file or a folder; :class:`Files` is the context.
File: TypeAlias = Annotated[InputFile, PlainValidator(_file), WithJsonSchema({"type": "string"})]
Existing: TypeAlias = Annotated[InputFile, PlainValidator(_existing), WithJsonSchema({"type": "string"})]
