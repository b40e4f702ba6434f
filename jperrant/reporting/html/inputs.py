"""What was compared, for the head of a page: files with their checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from jperrant.io.files import STDIO

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class InputFile:
    """One input of a page.

    Attributes:
        role: ``system``, ``references`` or ``source``.
        name: Its path as given; what it is called where it is not a file.
        size: In bytes; None where it is not a file.
        sha256: Of its bytes, in hexadecimal; empty where it is not a file.
    """

    role: str
    name: str
    size: int | None = None
    sha256: str = ""


def input_file(role: str, given: object, name: str = "") -> InputFile:
    """Return what identifies an input.

    Args:
        role: What it is for.
        given: A path; anything else is a value of Python.
        name: What it is called where it is no path.
    """
    if not isinstance(given, str | PathLike) or fspath(given) == STDIO:
        return InputFile(role, name or role)
    path = Path(fspath(given))
    if not path.is_file():  # a pipe, which was read
        return InputFile(role, fspath(given))
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return InputFile(role, fspath(given), path.stat().st_size, digest.hexdigest())


def input_files(
    systems: Sequence[object], names: Sequence[str], references: Iterable[object], source: object = None
) -> list[InputFile]:
    """Return the inputs of a report in their roles.

    Args:
        systems: Paths or values.
        names: What the systems are called.
        references: Paths or values.
        source: The text that was corrected, if it was given.
    """
    files = [input_file("system", given, name) for given, name in zip(systems, names, strict=True)]
    files += [input_file("references", given) for given in references]
    return files if source is None else [*files, input_file("source", source)]
