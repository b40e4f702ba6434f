"""What was compared, for the head of a page: files with their checksums."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from jperrant.evaluation.inputs import Inputs
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


def input_files(inputs: Inputs) -> list[InputFile]:
    """Return the inputs of a report in their roles.

    Args:
        inputs: Systems, references and source.
    """
    files = [
        input_file("system", given, inputs.hypothesis_name(n)) for n, given in enumerate(inputs.hypotheses)
    ]
    files += [input_file("references", given) for given in inputs.references]
    return files if inputs.source is None else [*files, input_file("source", inputs.source)]
