"""The results of steps on disk, by content: what was computed once is there, whatever ended the program since."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from jperrant.core.errors import InputError, JperrantError
from jperrant.core.values import Block
from jperrant.io.files import open_output, reason
from jperrant.io.m2 import read_m2, write_m2

T = TypeVar("T")


class Store:
    """A folder of results, each in a file named after everything that it depends on.

    A file appears whole or not at all, so that several processes may share the folder. A damaged one counts as
    missing and is written again. The same result has the same bytes.

    Args:
        folder: The folder; made when something is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, kind: str, key: str) -> bool:
        """Whether a result is there and whole."""
        return self._read(lambda: gzip.decompress(self.path(kind, key).read_bytes())) is not None

    def blocks(self, kind: str, key: str) -> tuple[Block, ...] | None:
        """Return annotated blocks; None if they are not there."""
        return self._read(lambda: tuple(read_m2(str(self.path(kind, key)), strict=True)))

    def put_blocks(self, kind: str, key: str, blocks: Sequence[Block]) -> None:
        """Keep annotated blocks.

        Raises:
            InputError: The folder cannot be written.
        """
        with open_output(str(self._made(kind, key))) as stream:
            write_m2(blocks, stream)

    def document(self, kind: str, key: str) -> Any:
        """Return a document that JSON can hold; None if it is not there."""
        return self._read(lambda: json.loads(gzip.decompress(self.path(kind, key).read_bytes())))

    def put_document(self, kind: str, key: str, document: Any) -> None:
        """Keep a document that JSON can hold, figures that are not numbers included.

        Raises:
            InputError: The folder cannot be written.
        """
        with open_output(str(self._made(kind, key))) as stream:
            json.dump(document, stream, ensure_ascii=False, separators=(",", ":"), default=_plain)

    def path(self, kind: str, key: str) -> Path:
        """Return the file of a result."""
        ending = "m2.gz" if kind == "annotate" else "json.gz"
        return self.folder / kind / f"{key}.{ending}"

    def _made(self, kind: str, key: str) -> Path:
        """Return the file of a result, in a folder that is there.

        Raises:
            InputError: The folder cannot be made.
        """
        path = self.path(kind, key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path.parent}: the folder cannot be created ({reason(error)})") from None
        return path

    def _read(self, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except (JperrantError, OSError, EOFError, ValueError):  # zlib's error is an OSError or a ValueError
            return None
        except Exception as error:
            if type(error).__module__ == "zlib":
                return None
            raise


def _plain(value: Any) -> Any:
    """Return a value of another kind as one that JSON knows: numbers and arrays of numpy, mappings."""
    if isinstance(value, Mapping):
        return dict(value)
    return value.tolist()
