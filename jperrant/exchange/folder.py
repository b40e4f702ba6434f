"""Folders of files that appear whole or not at all, and never over what annotators already did."""

from __future__ import annotations

import errno
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from jperrant.core.errors import InputError, UsageError
from jperrant.exchange.base import ExportedFile
from jperrant.io.files import STDIO, reason


def write_folder(path: str, files: Iterable[ExportedFile]) -> list[str]:
    """Write files into a new folder and return their names in order.

    Args:
        path: The folder; it does not exist yet, or is empty.
        files: The files.

    Raises:
        UsageError: The folder holds something, or is standard output.
        InputError: It cannot be written.
    """
    target = Path(path)
    if path == STDIO:
        raise UsageError("this format writes a folder; give one with -o")
    _require_new(target)
    names = []
    with _errors(path), _new_folder(target) as folder:
        for file in files:
            place = folder / PurePosixPath(file.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("x", encoding="utf-8", newline="\n") as stream:
                stream.writelines(file.content)
            names.append(file.name)
    return names


def _require_new(target: Path) -> None:
    if target.is_dir() and any(target.iterdir()):
        raise UsageError(
            f"{target}: the folder is not empty; give a new one, so that no annotations are overwritten"
        )
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: found a file, expected a folder; this format writes several files")


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Give a folder that gets its name when the block ends without an error."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = target.parent / f".{target.name[:50]}.{secrets.token_hex(8)}.part"
    folder.mkdir()
    try:
        yield folder
        if target.is_dir():
            target.rmdir()
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _errors(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        words = "file name too long" if error.errno == errno.ENAMETOOLONG else reason(error)
        raise InputError(f"{path}: cannot be written ({words})") from None
    except UnicodeEncodeError:
        raise InputError(
            f"{path}: found half of a surrogate pair, which UTF-8 cannot encode; remove it"
        ) from None
